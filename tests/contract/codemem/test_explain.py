"""`memory_explain`: the published contract, its test matrix first, row by row."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract.codemem.past import (
    DECISION,
    EDIT,
    ELSEWHERE,
    FAILED,
    FORGOTTEN,
    PROMPT,
    READ,
    SUMMARY,
    UNKNOWN,
    Call,
    caller,
)
from contract.world import DAY, NOW, Door, World
from models import FOLDER, needs_model
from promises import last, promise
from recollect.search.profile import CODEMEM_BONUS

ITEM = [
    *("id", "kind", "title", "created_at", "project"),
    *("retrieval", "score", "matches", "pack_context"),
]
COMPONENTS = ["base", "recency", "kind_bonus", "semantic_boost"]
METADATA = [
    *("query", "project", "requested_ids_count", "returned_items_count"),
    *("include_pack_context", "query_id"),
]
PACK_CONTEXT = ["included", "section", "position", "tokens"]


def explained(door: Door | Call, **arguments: object) -> Any:
    call = door if callable(door) else door.call
    return call("memory_explain", **arguments).json


def known(components: dict[str, float | None]) -> list[float]:
    return [value for value in components.values() if value is not None]


# -- the contract's test matrix


@promise("codemem:explain:matrix-1", "codemem:tools:listed")
def test_1_the_schema_includes_memory_explain_with_its_arguments(codemem: Door) -> None:
    tools = {tool["name"]: tool for tool in codemem.ask("tools/list", {})["result"]["tools"]}

    schema = tools["memory_explain"]["inputSchema"]
    defaults = {name: rule["default"] for name, rule in schema["properties"].items()}
    assert defaults == {
        "query": None,
        "ids": None,
        "project": None,
        "include_pack_context": False,
        "limit": 10,
    }
    assert "required" not in schema


@promise("codemem:explain:matrix-2")
def test_2_the_happy_path_returns_items_with_their_stable_fields(codemem: Door) -> None:
    answer = explained(codemem, query="sqlite normalization")

    assert list(answer) == ["items", "missing_ids", "errors", "metadata"]
    assert list(answer["metadata"]) == METADATA
    assert [list(item) for item in answer["items"]] == [ITEM] * len(answer["items"])
    ids = [item["id"] for item in answer["items"]]
    best = answer["items"][ids.index(DECISION)]
    assert best["kind"] == "decision"
    assert best["title"] == "Picked SQLite path normalization"
    assert best["created_at"] == "2026-09-21T14:13:20+00:00"
    assert best["project"] == "alpha"
    assert best["retrieval"] == {"source": "query", "rank": ids.index(DECISION) + 1}
    assert list(best["score"]) == ["total", "components"]
    assert list(best["score"]["components"]) == COMPONENTS
    assert best["matches"] == {"query_terms": ["sqlite", "normalization"], "project_match": True}
    assert (answer["missing_ids"], answer["errors"]) == ([], [])


@promise("codemem:explain:matrix-3", "codemem:explain:missing")
def test_3_valid_and_missing_ids_fill_items_and_missing_ids(codemem: Door) -> None:
    answer = explained(codemem, ids=[1000, EDIT, UNKNOWN])

    assert [item["id"] for item in answer["items"]] == [EDIT]
    assert answer["missing_ids"] == [1000, UNKNOWN]
    assert answer["errors"] == [
        {
            "code": "NOT_FOUND",
            "message": "some requested ids were not found",
            "field": "ids",
            "ids": [1000, UNKNOWN],
        }
    ]


@promise("codemem:explain:missing")
def test_ids_are_missing_in_request_order_whatever_the_reason(codemem: Door) -> None:
    answer = explained(codemem, ids=[1000, ELSEWHERE, UNKNOWN], project="alpha")

    assert answer["missing_ids"] == [1000, ELSEWHERE, UNKNOWN]
    assert [(error["code"], error["ids"]) for error in answer["errors"]] == [
        ("NOT_FOUND", [1000, UNKNOWN]),
        ("PROJECT_MISMATCH", [ELSEWHERE]),
    ]


@promise("codemem:explain:matrix-4", "codemem:project:mismatch")
def test_4_another_project_is_a_project_mismatch(codemem: Door) -> None:
    answer = explained(codemem, ids=[ELSEWHERE, READ], project="alpha")

    assert [item["id"] for item in answer["items"]] == [READ]
    assert answer["missing_ids"] == [ELSEWHERE]
    assert answer["errors"] == [
        {
            "code": "PROJECT_MISMATCH",
            "message": "some requested ids are outside the requested project scope",
            "field": "project",
            "ids": [ELSEWHERE],
        }
    ]
    assert explained(codemem, ids=[READ], project="gamma")["items"] == []


@promise("codemem:explain:matrix-5")
def test_5_without_pack_context_it_is_null_for_all(codemem: Door) -> None:
    for arguments in ({}, {"include_pack_context": False}):
        answer = explained(codemem, query="sqlite", ids=[EDIT], **arguments)
        assert [item["pack_context"] for item in answer["items"]] == [None] * len(answer["items"])


@promise("codemem:explain:matrix-6", "codemem:explain:pack-context")
def test_6_with_pack_context_it_is_an_object_with_its_keys(codemem: Door) -> None:
    answer = explained(codemem, query="sqlite", ids=[UNKNOWN, EDIT], include_pack_context=True)

    assert answer["metadata"]["include_pack_context"] is True
    assert len(answer["items"]) >= 3
    for item in answer["items"]:
        assert list(item["pack_context"]) == PACK_CONTEXT
        assert item["pack_context"]["included"] in (True, False)


@promise("codemem:explain:matrix-7", "codemem:explain:id-lookup")
def test_7_what_is_not_known_of_a_score_is_null_and_not_omitted(codemem: Door) -> None:
    (item,) = explained(codemem, ids=[DECISION])["items"]

    assert item["retrieval"] == {"source": "id_lookup", "rank": None}
    assert item["score"]["total"] is None
    assert list(item["score"]["components"]) == COMPONENTS
    assert item["score"]["components"]["base"] is None
    assert item["score"]["components"]["semantic_boost"] is None
    assert item["score"]["components"]["kind_bonus"] == CODEMEM_BONUS["decision"]
    assert 0 < item["score"]["components"]["recency"] <= 1


# -- the request


@promise("codemem:explain:needs-one")
@pytest.mark.parametrize("arguments", [{}, {"query": None}, {"query": "  "}, {"ids": []}])
def test_one_of_query_and_ids_is_needed(codemem: Door, arguments: dict[str, object]) -> None:
    answer = explained(codemem, **arguments)

    assert answer["errors"] == [
        {
            "code": "INVALID_ARGUMENT",
            "message": "at least one of query or ids is required",
            "field": "query",
        }
    ]
    assert (answer["items"], answer["missing_ids"]) == ([], [])
    assert answer["metadata"] == {
        "query": None,
        "project": "alpha",
        "requested_ids_count": 0,
        "returned_items_count": 0,
        "include_pack_context": False,
        "query_id": None,
    }


@promise("codemem:explain:metadata")
def test_the_metadata_repeats_the_request_and_counts(codemem: Door) -> None:
    asked = {"query": " sqlite ", "ids": [1000, EDIT, EDIT, "x"], "project": "/code/alpha"}

    answer = explained(codemem, **asked, include_pack_context=True, limit=1)

    assert answer["metadata"].pop("query_id").startswith("q_")
    assert answer["metadata"] == {
        "query": "sqlite",
        "project": "alpha",
        "requested_ids_count": 2,
        "returned_items_count": len(answer["items"]),
        "include_pack_context": True,
    }
    assert explained(codemem, query="sqlite", project="*")["metadata"]["project"] is None


@promise("codemem:explain:ids-once")
def test_ids_count_once_in_the_order_of_first_mention(codemem: Door) -> None:
    answer = explained(codemem, ids=[FAILED, READ, FAILED, EDIT, READ])

    assert [item["id"] for item in answer["items"]] == [FAILED, READ, EDIT]
    assert answer["metadata"]["requested_ids_count"] == 3
    assert answer["metadata"]["returned_items_count"] == 3


@promise("codemem:explain:order")
def test_results_of_the_query_come_first_then_the_other_ids_in_their_order(codemem: Door) -> None:
    of_query = [item["id"] for item in explained(codemem, query="sqlite")["items"]]
    best, other, least = of_query[0], of_query[1], of_query[-1]

    answer = explained(codemem, query="sqlite", limit=1, ids=[least, other, best])

    assert [
        (item["id"], item["retrieval"]["source"], item["retrieval"]["rank"])
        for item in answer["items"]
    ] == [
        (best, "query+id_lookup", 1),
        (least, "id_lookup", None),
        (other, "id_lookup", None),
    ]
    (named,) = explained(codemem, query="sqlite", limit=1, ids=[DECISION])["items"][-1:]
    assert named["matches"]["query_terms"] == ["sqlite"], "it matches, within the limit or not"


@promise("codemem:explain:limit")
@pytest.mark.parametrize(("limit", "found"), [(1, 1), (2, 2), (0, 1), (-3, 1)])
def test_the_limit_is_for_results_of_the_query_and_held_to_1_to_50(
    codemem: Door, limit: int, found: int
) -> None:
    answer = explained(codemem, query="sqlite", limit=limit, ids=[READ, EDIT, FAILED])

    ranks = [item["retrieval"]["rank"] for item in answer["items"]]
    assert [rank for rank in ranks if rank is not None] == list(range(1, found + 1))
    assert {READ, EDIT, FAILED} <= {item["id"] for item in answer["items"]}


@promise("codemem:explain:limit")
def test_no_more_than_50_results_are_explained(world: World) -> None:
    for number in range(60):
        world.bash(f"make target{number}", session=f"s{number}")
    house = world.house()

    assert len(explained(caller(house), query="make", limit=10**30)["items"]) == 50
    house.close()


@promise("codemem:explain:no-hits")
def test_nothing_found_is_no_error(codemem: Door) -> None:
    answer = explained(codemem, query="zanzibar")

    assert (answer["items"], answer["missing_ids"], answer["errors"]) == ([], [], [])


WRONG_IDS: list[tuple[object, object, str]] = [
    # id               repeated as             because
    (0, 0, "ids begin with 1"),
    (-7, -7, "a negative number is no id"),
    (True, "true", "a boolean is no number"),
    (4.0, "4.0", "a fraction is no whole number, nought behind the point or not"),
    ("4", "4", "a text of digits is a text"),
    (None, "null", "nothing is no id"),
    ([4], "[4]", "a list is no id"),
    ({"id": 4}, '{"id": 4}', "an object is no id"),
    (2**63, str(2**63), "no id has more than 64 bits"),
    (-(10**200), str(-(10**200))[:99] + "…", "however long a number is"),
    ("x" * 500, "x" * 99 + "…", "a long text is not repeated to its end"),
]


@promise("codemem:explain:wrong-ids")
@pytest.mark.parametrize(("wrong", "repeated", "because"), WRONG_IDS, ids=last)
def test_what_is_no_id_is_told_and_the_rest_answered(
    codemem: Door, wrong: object, repeated: object, because: str
) -> None:
    answer = explained(codemem, ids=[wrong, EDIT, wrong, UNKNOWN])

    assert [item["id"] for item in answer["items"]] == [EDIT]
    assert answer["missing_ids"] == [UNKNOWN]
    assert [error["code"] for error in answer["errors"]] == ["INVALID_ARGUMENT", "NOT_FOUND"]
    assert answer["errors"][0] == {
        "code": "INVALID_ARGUMENT",
        "message": "some ids are not valid integers",
        "field": "ids",
        "ids": [repeated],
    }
    assert answer["metadata"]["requested_ids_count"] == 2


@promise("codemem:explain:wrong-ids")
@pytest.mark.parametrize("ids", ["4", 4, {"0": 4}, True, 4.5, ""])
def test_ids_that_are_no_array_are_told_and_the_query_answered(codemem: Door, ids: object) -> None:
    answer = explained(codemem, query="sqlite", ids=ids)

    assert DECISION in [item["id"] for item in answer["items"]]
    (error,) = answer["errors"]
    assert (error["code"], error["field"]) == ("INVALID_ARGUMENT", "ids")
    assert error["message"] == "ids must be an array of integers"


@promise("codemem:explain:wrong-ids")
def test_only_wrong_ids_are_one_error(codemem: Door) -> None:
    answer = explained(codemem, ids=["x"])

    assert [error["field"] for error in answer["errors"]] == ["ids"]
    assert answer["items"] == []


@promise("codemem:explain:many-ids")
def test_200_ids_are_looked_up_and_the_surplus_is_told(codemem: Door) -> None:
    answer = explained(codemem, ids=[*range(1_000, 1_199), EDIT, READ])

    assert [item["id"] for item in answer["items"]] == [EDIT]
    assert answer["metadata"]["requested_ids_count"] == 200
    assert answer["errors"][0]["message"] == "at most 200 ids are looked up"
    assert answer["errors"][0]["ids"] == [READ]


HIDDEN = [
    # id         because
    (FORGOTTEN, "what was forgotten is not found"),
    (PROMPT, "a prompt is context of others"),
    (1, "that a session started is nothing to remember"),
    (2**62, "an id that nothing has"),
]


@promise("codemem:explain:hidden")
@pytest.mark.parametrize(("id_", "because"), HIDDEN, ids=last)
def test_what_is_not_shown_is_not_found(codemem: Door, id_: int, because: str) -> None:
    answer = explained(codemem, ids=[id_], project="*")

    assert answer["items"] == []
    assert answer["missing_ids"] == [id_]
    assert [error["code"] for error in answer["errors"]] == ["NOT_FOUND"]


@promise("codemem:project:mismatch")
def test_what_was_forgotten_elsewhere_is_not_found_rather_than_mismatched(still: Call) -> None:
    answer = explained(still, ids=[FORGOTTEN], project="beta")

    assert [error["code"] for error in answer["errors"]] == ["NOT_FOUND"]


# -- the numbers


@promise("codemem:explain:sum")
def test_the_total_is_exactly_the_sum_of_what_is_known(still: Call) -> None:
    items = explained(still, query="sqlite paths normalization", project="*")["items"]

    assert len(items) >= 4
    for item in items:
        total = round(sum(known(item["score"]["components"])), 6)
        assert item["score"]["total"] == total
    totals = [item["score"]["total"] for item in items]
    assert totals == sorted(totals, reverse=True)


@promise("codemem:explain:components")
def test_recency_and_bonus_are_the_published_ones(still: Call) -> None:
    items = explained(still, query="sqlite paths", ids=[SUMMARY, READ], project="*")["items"]

    assert {item["kind"] for item in items} >= {"decision", "session_summary", "discovery"}
    for item in items:
        days = 0 if item["id"] == DECISION else 9
        assert item["score"]["components"]["recency"] == round(1 / (1 + days / 7), 6)
        assert item["score"]["components"]["kind_bonus"] == CODEMEM_BONUS[item["kind"]]


@promise("codemem:explain:same-ranking")
@pytest.mark.parametrize("query", ["sqlite", "sqlite path normalization", "pytest failed", "path"])
def test_the_ranking_is_that_of_memory_search(still: Call, query: str) -> None:
    for project in ("alpha", "*"):
        for limit in (1, 3, 50):
            asked = {"query": query, "project": project, "limit": limit}
            searched = still("memory_search", **asked).json["items"]
            told = explained(still, **asked)["items"]
            assert [(item["id"], item["score"]["total"]) for item in told] == [
                (item["id"], item["score"]) for item in searched
            ]


@promise("codemem:explain:same-ranking")
def test_explaining_changes_nothing(still: Call) -> None:
    before = still("memory_search", query="sqlite").text
    explained(still, query="sqlite", ids=[EDIT, UNKNOWN], include_pack_context=True)

    assert still("memory_search", query="sqlite").text == before


@promise("codemem:explain:same-bytes", "codemem:explain:query-id")
@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "sqlite paths"},
        {"ids": [EDIT, UNKNOWN, "x"], "include_pack_context": True},
        {"query": "sqlite", "ids": [EDIT, ELSEWHERE], "include_pack_context": True},
    ],
)
def test_the_same_request_gives_the_same_bytes(still: Call, arguments: dict[str, Any]) -> None:
    first = still("memory_explain", **arguments).text
    still("memory_search", query="something else")

    assert still("memory_explain", **arguments).text == first


@promise("codemem:explain:query-id")
def test_the_query_id_leads_to_the_answer_as_it_was(world: World) -> None:
    world.bash("sqlite3 paths.db", at=NOW - DAY)
    house = world.house()
    answer = explained(caller(house), query="sqlite")
    house.close()

    again = json.loads(world.run("explain", answer["metadata"]["query_id"], "--json").stdout)

    (hit,) = again["hits"]
    (item,) = answer["items"]
    assert (hit["id"], hit["total"]) == (item["id"], item["score"]["total"])


@promise("codemem:explain:query-id")
def test_the_packs_behind_pack_context_take_no_place_in_the_ledger(world: World) -> None:
    for number in range(5):
        world.bash(f"make target{number}", session=f"s{number}")
    house = world.house()
    answer = explained(caller(house), ids=[1, 2, 3, 4, 5], include_pack_context=True)

    assert all(item["pack_context"]["included"] for item in answer["items"])
    assert house.store.ledger.newest(10) == []
    query_id = explained(caller(house), query="make", include_pack_context=True)["metadata"]
    assert [entry.id for entry in house.store.ledger.newest(10)] == [query_id["query_id"]]
    house.close()


@promise("codemem:explain:semantic")
def test_without_vectors_semantic_boost_is_null(still: Call) -> None:
    for item in explained(still, query="sqlite paths")["items"]:
        assert item["score"]["components"]["semantic_boost"] is None


@promise("codemem:explain:semantic")
@needs_model
def test_with_vectors_semantic_boost_is_a_number(tmp_path: Any) -> None:
    world = World(tmp_path, NOW, {"RECOLLECT_MODEL_DIR": str(FOLDER)})
    world.bash("docker compose up database", at=NOW - DAY)
    house = world.house()
    while house.embed_some():
        pass

    (item,) = explained(caller(house), query="start the containers")["items"]
    house.close()

    assert item["score"]["components"]["semantic_boost"] > 0
    assert item["matches"]["query_terms"] == []
    assert item["score"]["total"] == round(sum(known(item["score"]["components"])), 6)


@promise("codemem:explain:words")
def test_the_words_that_matched_are_told_in_the_query_s_order(still: Call) -> None:
    answer = explained(still, query="Why the Paths of zanzibar and SQLite?", ids=[READ])

    terms = {item["id"]: item["matches"]["query_terms"] for item in answer["items"]}
    assert terms[DECISION] == ["paths", "sqlite"]
    assert terms[READ] == ["paths"]


@promise("codemem:explain:hooks")
def test_an_event_that_a_hook_captured_is_explained(codemem: Door, history: World) -> None:
    history.bash("kubectl rollout restart gateway", session="late")

    (item,) = explained(codemem, query="kubectl gateway")["items"]

    assert (item["kind"], item["retrieval"]["rank"]) == ("discovery", 1)
    assert item["matches"]["query_terms"] == ["kubectl", "gateway"]


@promise("codemem:explain:pack-context")
@pytest.mark.parametrize("query", ["sqlite paths", "zanzibar", None])
def test_pack_context_is_what_memory_pack_does(still: Call, query: str | None) -> None:
    ids = [EDIT, READ, FAILED, SUMMARY, DECISION]
    answer = explained(still, query=query, ids=ids, include_pack_context=True)

    assert len(answer["items"]) == len(ids)
    for item in answer["items"]:
        pack = still("memory_pack", context=query or item["title"]).json
        in_section: dict[str, int] = {}
        expected: dict[str, object] = {
            "included": False,
            "section": None,
            "position": None,
            "tokens": None,
        }
        for told in pack["items"]:
            in_section[told["section"]] = in_section.get(told["section"], 0) + 1
            if told["id"] == item["id"]:
                expected = {
                    "included": True,
                    "section": told["section"],
                    "position": in_section[told["section"]],
                    "tokens": told["tokens"],
                }
        assert item["pack_context"] == expected
    assert any(item["pack_context"]["included"] for item in answer["items"])
