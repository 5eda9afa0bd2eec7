"""nmem `search`: the query language, the filters, the order and the shape."""

from __future__ import annotations

import pytest

from contract.world import NOW, Door, World
from promises import last, promise

LANGUAGE = [
    # query                    found           because
    ("auth tests", [4, 6, 10], "every word must occur"),
    ('"docker compose"', [13], "quotes ask for the phrase"),
    ('"compose docker"', [], "a phrase has an order"),
    ("dock*", [13], "a star asks for a prefix"),
    ("dock", [], "without a star the word is whole"),
    ("pytest OR docker", [4, 13], "OR joins"),
    ("login NOT summary", [2, 10], "NOT removes"),
    ("token AND refresh", [7], "AND is what spaces mean as well"),
    ("refreshing", [7], "words meet in their stem"),
    ("TOKEN refresh", [7], "case does not matter"),
    ("auth::tests", [6, 10], "punctuation is matched as it is written, never column syntax"),
    ("mcp__github__list", [14], "names with underscores are found"),
    ("/code/alpha/auth.py", [3, 5, 10, 12], "a path is its parts in their order"),
    ("数据", [11], "any run of two characters is found in text without spaces"),
    ("错误在", [11], "and of three, wherever they stand"),
    ("误数", [], "characters that do not stand together do not"),
    ("zebra", [], "no match is an empty array, not an error"),
    ("", [], "an empty query finds nothing"),
    ("😀 🎉", [], "neither does one without a letter or digit"),
    ("AND OR", [], "only operators are ordinary words"),
    ("auth NEAR(", [], "NEAR is an ordinary word"),
]

REFUSED = [
    # query                    words of the error       because
    ('"auth', "unbalanced quote", "a quote without its partner is named"),
    ("auth AND", "AND", "an operator needs something after it"),
    ("NOT auth", "NOT", "and before it"),
    ("auth OR OR token", "OR", "two operators have nothing between them"),
    (" OR ".join(["auth"] * 10_000), "terms", "ten thousand terms are too many"),
]


@promise("nmem:search:query-language", "nmem:search:no-results", "nmem:search:cjk")
@pytest.mark.parametrize(("query", "found", "because"), LANGUAGE, ids=last)
def test_search_understands_the_published_query_language(
    nmem: Door, query: str, found: list[int], because: str
) -> None:
    answer = nmem.call("search", query=query, project=None)

    assert sorted(hit["id"] for hit in answer.json) == sorted(found)


@promise("nmem:search:malformed")
@pytest.mark.parametrize(("query", "named", "because"), REFUSED, ids=last)
def test_a_malformed_query_is_an_error_that_says_what_is_wrong(
    nmem: Door, query: str, named: str, because: str
) -> None:
    assert named in nmem.call("search", query=query).error


@promise("nmem:search:shape")
def test_a_hit_has_the_published_keys(nmem: Door) -> None:
    answer = nmem.call("search", query='"cargo test"', obs_type="command_error")

    assert answer.json == [
        {
            "id": 6,
            "timestamp": (NOW - 3_550_000) // 1000,
            "obs_type": "command_error",
            "content_preview": "cargo test -- auth::tests",
            "file_path": None,
            "session_id": "s1",
            "is_pinned": False,
        }
    ]


@promise("nmem:search:preview")
def test_a_preview_is_the_first_120_characters(world: World) -> None:
    world.bash("echo " + "long " * 60)

    house = world.house()
    (hit,) = _json(house.asker("nmem", "alpha")("search", {"query": "long"}).text)
    assert hit["content_preview"] == ("echo " + "long " * 60)[:120]


PROJECTS = [
    # project argument         found           because
    ({}, [5, 12], "absent is the current project, that of the server's folder"),
    ({"project": None}, [5, 12, 13, 14], "null is all projects"),
    ({"project": "beta"}, [13, 14], "a name is that project"),
    ({"project": "/elsewhere/beta/"}, [13, 14], "a path compares by its last component"),
    ({"project": "gamma"}, [], "an unknown project has nothing"),
]


@promise("nmem:search:project")
@pytest.mark.parametrize(("project", "found", "because"), PROJECTS, ids=last)
def test_search_keeps_to_the_project(
    nmem: Door, project: dict[str, object], found: list[int], because: str
) -> None:
    query = "edit OR docker OR mcp__github__list"

    answer = nmem.call("search", query=f"({query}) NOT (login OR fix)", **project)

    assert sorted(hit["id"] for hit in answer.json) == found


@promise("nmem:search:obs-type", "nmem:record:prompts")
@pytest.mark.parametrize(
    ("obs_type", "found"),
    [("user_prompt", [7]), ("command", [4, 8]), ("command_error", [6]), ("file_read", [3])],
)
def test_search_keeps_to_the_type(nmem: Door, obs_type: str, found: list[int]) -> None:
    answer = nmem.call("search", query="auth OR token", obs_type=obs_type)

    assert sorted(hit["id"] for hit in answer.json) == [
        id_ for id_ in found if obs_type != "command" or id_ in (4, 8)
    ]


NUMBERS = [
    # arguments                          how many   because
    ({}, 20, "the limit is 20 by default"),
    ({"limit": 3}, 3, "as many as asked for"),
    ({"limit": 999}, 100, "the limit is held to 100"),
    ({"limit": 10**30}, 100, "however large it is"),
    ({"limit": 0}, 1, "and to 1"),
    ({"limit": -5}, 1, "below it as well"),
    ({"limit": None}, 20, "null is absent"),
    ({"offset": 110}, 10, "the offset skips"),
    ({"offset": -1}, 20, "a negative offset skips nothing"),
    ({"offset": 10**30}, 0, "an endless offset skips everything"),
]


@promise("nmem:search:limit", "nmem:search:offset")
@pytest.mark.parametrize(("arguments", "count", "because"), NUMBERS, ids=last)
def test_search_holds_its_numbers_to_their_limits(
    many: World, arguments: dict[str, object], count: int, because: str
) -> None:
    ask = many.house().asker("nmem", "alpha")

    assert len(_json(ask("search", {"query": "echo", **arguments}).text)) == count


@promise("nmem:search:order")
def test_pages_of_one_search_are_the_whole_in_order(many: World) -> None:
    ask = many.house().asker("nmem", "alpha")

    pages = [
        _json(ask("search", {"query": "echo", "limit": 40, "offset": offset}).text)
        for offset in (0, 40, 80)
    ]
    whole = _json(ask("search", {"query": "echo", "limit": 100}).text)
    assert [hit["id"] for page in pages for hit in page][:100] == [hit["id"] for hit in whole]


@promise("nmem:search:order")
def test_the_best_match_by_bm25_comes_first(world: World) -> None:
    world.bash("migrate the database schema, then restart the server and read its log")
    world.bash("schema schema")
    world.bash("schema diff")

    found = _json(world.house().asker("nmem", "alpha")("search", {"query": "schema"}).text)
    assert [hit["content_preview"] for hit in found] == [
        "schema schema",
        "schema diff",
        "migrate the database schema, then restart the server and read its log",
    ]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("many"), NOW)
    for number in range(120):
        world.bash(f"echo {number}")
    world.house().close()
    return world


def _json(text: str) -> list[dict[str, object]]:
    import json

    found: list[dict[str, object]] = json.loads(text)
    return found
