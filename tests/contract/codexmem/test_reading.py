"""Reading over HTTP: rows, lists, counts, and what is remembered on purpose."""

from __future__ import annotations

import json
from typing import Any

import pytest

from contract.codexmem.past import HOUR, LOGIN, NOW, CodexMem
from promises import promise

OBSERVATION_KEYS = [
    *("id", "memory_session_id", "project", "type", "title", "subtitle", "facts", "narrative"),
    *("concepts", "files_read", "files_modified", "prompt_number", "discovery_tokens"),
    *("created_at", "created_at_epoch", "last_accessed_at_epoch", "deleted_at_epoch"),
]
SUMMARY_KEYS = [
    *("id", "memory_session_id", "project", "request", "investigated", "learned", "completed"),
    *("next_steps", "files_read", "files_edited", "notes", "prompt_number", "discovery_tokens"),
    *("created_at", "created_at_epoch", "last_accessed_at_epoch", "deleted_at_epoch"),
]
PROMPT_KEYS = [
    *("id", "content_session_id", "prompt_number", "prompt_text"),
    *("created_at", "created_at_epoch"),
]
BATCH = "/api/observations/batch"


@promise("codexmem:rows")
def test_an_observation_has_the_published_keys_and_lists_as_json_texts(past: CodexMem) -> None:
    row = past.get("/api/observation/4")

    assert list(row) == OBSERVATION_KEYS
    assert (row["memory_session_id"], row["project"], row["type"]) == ("cmem-1", "alpha", "change")
    assert (row["prompt_number"], row["created_at_epoch"]) == (1, NOW - 6 * HOUR)
    assert row["created_at"] == "2026-09-21T08:13:20.000Z"
    assert json.loads(row["files_modified"]) == [LOGIN]
    assert all(
        isinstance(json.loads(row[name]), list) for name in ("facts", "concepts", "files_read")
    )


@promise("codexmem:rows")
def test_a_summary_and_a_prompt_have_the_published_keys(past: CodexMem) -> None:
    (summary,) = past.get("/api/summaries")["summaries"]
    prompt = past.get("/api/prompts", project="alpha")["prompts"][0]

    assert list(summary) == SUMMARY_KEYS
    assert summary["request"] == "Why does the login page answer 500?"
    assert json.loads(summary["files_edited"]) == [LOGIN]
    assert list(prompt) == PROMPT_KEYS
    assert (prompt["content_session_id"], prompt["prompt_number"]) == ("a", 1)
    assert prompt["prompt_text"] == "Why does the login page answer 500?"


LISTS: list[tuple[str, dict[str, object], list[int], int, bool, str]] = [
    ("observations", {}, [8, 4, 3, 2], 4, False, "newest first"),
    ("observations", {"limit": 2}, [8, 4], 4, True, "a page"),
    ("observations", {"limit": 2, "offset": 2}, [3, 2], 4, False, "the last one"),
    ("observations", {"offset": 4}, [], 4, False, "past the end"),
    ("observations", {"project": "alpha"}, [4, 3, 2], 3, False, "of a project"),
    ("observations", {"project": "gamma"}, [], 0, False, "of none"),
    ("observations", {"limit": -1}, [8], 4, True, "held to 1"),
    ("observations", {"limit": 10**40}, [8, 4, 3, 2], 4, False, "held to 100"),
    ("summaries", {}, [6], 1, False, "summaries"),
    ("prompts", {}, [7, 1], 2, False, "prompts"),
    ("prompts", {"limit": 1}, [7], 2, True, "a page of prompts"),
]


@promise("codexmem:lists")
@pytest.mark.parametrize(
    ("name", "query", "ids", "total", "has_more", "because"),
    LISTS,
    ids=[f"{row[0]}: {row[-1]}" for row in LISTS],
)
def test_lists(
    past: CodexMem,
    name: str,
    query: dict[str, Any],
    ids: list[int],
    total: int,
    has_more: bool,
    because: str,
) -> None:
    page = past.get(f"/api/{name}", **query)

    assert list(page) == [name, "total", "hasMore"]
    assert [row["id"] for row in page[name]] == ids
    assert (page["total"], page["hasMore"]) == (total, has_more)


BATCHES: list[tuple[dict[str, object], list[int], str]] = [
    ({"ids": [2, 8, 3]}, [8, 3, 2], "newest first"),
    ({"ids": [2, 8, 3], "orderBy": "date_asc"}, [2, 3, 8], "oldest first"),
    ({"ids": [2, 8, 3], "limit": 2}, [8, 3], "the newest two"),
    ({"ids": [2, 8, 3], "limit": 0}, [8], "held to 1"),
    ({"ids": [2, 8, 3], "limit": None}, [8, 3, 2], "null is absent"),
    ({"ids": [2, 2, 2]}, [2], "each once"),
    ({"ids": []}, [], "none asked for"),
    ({"ids": [99, -1, 0, 10**30]}, [], "none of them there"),
    ({"ids": [1, 5, 6, 7]}, [], "other memories are no observations"),
    ({"ids": [2, 8], "project": "alpha"}, [2], "of a project"),
    ({"ids": [2, 3, 4], "type": "change"}, [4], "of a type"),
    ({"ids": [2, 3, 4], "type": ["change", "execution"]}, [4, 3], "of several"),
    ({"ids": [2, 3, 4], "files": ["session.py"]}, [4, 2], "of a file"),
    ({"ids": [2, 3, 4], "concepts": "no-such"}, [], "of a concept"),
]


@promise("codexmem:batch")
@pytest.mark.parametrize(("body", "ids", "because"), BATCHES, ids=[row[-1] for row in BATCHES])
def test_batch(past: CodexMem, body: dict[str, Any], ids: list[int], because: str) -> None:
    rows = past.post(BATCH, **body)

    assert [row["id"] for row in rows] == ids
    assert all(list(row) == OBSERVATION_KEYS for row in rows)


NO_ARRAY, NO_INTEGERS = "ids must be an array of numbers", "All ids must be integers"
WRONG_BATCHES: list[tuple[dict[str, object], str, str]] = [
    ({}, NO_ARRAY, "absent"),
    ({"ids": None}, NO_ARRAY, "null"),
    ({"ids": "1,2"}, NO_ARRAY, "a text"),
    ({"ids": 1}, NO_ARRAY, "a number"),
    ({"ids": {"0": 1}}, NO_ARRAY, "an object"),
    ({"ids": [1.5]}, NO_INTEGERS, "a fraction"),
    ({"ids": [1, "2"]}, NO_INTEGERS, "a text among them"),
    ({"ids": [True]}, NO_INTEGERS, "a boolean"),
    ({"ids": [None]}, NO_INTEGERS, "nothing"),
    ({"ids": [[1]]}, NO_INTEGERS, "an array among them"),
    ({"ids": [1], "limit": "5"}, "limit must be an integer", "a limit in quotes"),
    ({"ids": [1], "limit": 1.5}, "limit must be an integer", "a fractional limit"),
    ({"ids": [1], "limit": True}, "limit must be an integer", "a boolean limit"),
    ({"ids": [1], "orderBy": 1}, "orderBy must be a string", "an order that is no text"),
    (
        {"ids": [1], "orderBy": "relevance"},
        "orderBy must be one of date_desc, date_asc",
        "relevance to what?",
    ),
    ({"ids": [1], "project": ["a"]}, "project must be a string", "several projects"),
    (
        {"ids": [1], "type": 5},
        "type must be a string or an array of strings",
        "a type that is no text",
    ),
    (
        {"ids": [1], "files": ["a", 5]},
        "files must be a string or an array of strings",
        "a path that is no text",
    ),
]


@promise("codexmem:batch:errors")
@pytest.mark.parametrize(
    ("body", "error", "because"), WRONG_BATCHES, ids=[row[-1] for row in WRONG_BATCHES]
)
def test_a_wrong_batch_is_a_400(
    past: CodexMem, body: dict[str, Any], error: str, because: str
) -> None:
    assert past.rejected(BATCH, **body) == (400, error)


ONES: list[tuple[str, int, str, str]] = [
    ("99", 404, "Observation #99 not found", "no such memory"),
    ("1", 404, "Observation #1 not found", "a prompt"),
    ("6", 404, "Observation #6 not found", "a summary"),
    ("0", 404, "Observation #0 not found", "zero"),
    ("-4", 404, "Observation #-4 not found", "negative"),
    ("9" * 30, 404, f"Observation #{'9' * 30} not found", "larger than any"),
    ("abc", 400, "Invalid observation id", "a word"),
    ("4.0", 400, "Invalid observation id", "a fraction"),
    ("true", 400, "Invalid observation id", "a boolean"),
    ("4%20or%201=1", 400, "Invalid observation id", "SQL"),
    ("%D9%A3", 400, "Invalid observation id", "digits of another script"),
    ("4/5", 404, "there is no such route", "too deep"),
    ("", 404, "there is no such route", "none at all"),
]


@promise("codexmem:observation:errors")
@pytest.mark.parametrize(("id_", "status", "error", "because"), ONES, ids=[row[-1] for row in ONES])
def test_one_observation_or_a_problem(
    past: CodexMem, id_: str, status: int, error: str, because: str
) -> None:
    assert past.refused(f"/api/observation/{id_}") == (status, error)


@promise("codexmem:counts")
def test_projects_and_counts(past: CodexMem) -> None:
    stats = past.get("/api/stats")

    assert past.get("/api/projects") == {"projects": ["alpha", "beta"]}
    assert stats["database"] == {
        "observations": 4,
        "sessions": 2,
        "summaries": 1,
        "prompts": 2,
        "dbPath": past.world.settings.store,
    }
    assert list(stats["worker"]) == ["version", "uptime", "activeSessions", "port"]
    assert stats["worker"]["activeSessions"] == 1
    zeros = dict.fromkeys(
        ("success", "parse_fail", "schema_fail", "repair_fail", "fallback_used"), 0
    )
    assert stats["agentMetrics"] == {"observation": zeros, "summary": zeros}
    assert past.get("/api/processing-status") == {
        "isProcessing": False,
        "queueDepth": 0,
        "pending": 0,
        "processing": 0,
        "failed": 0,
    }


@promise("codexmem:save")
def test_a_remark_is_an_observation(empty: CodexMem) -> None:
    saved = empty.post("/api/memory/save", text="API needs X-API-Key", title="Auth", project="shop")

    assert saved == {
        "success": True,
        "id": saved["id"],
        "title": "Auth",
        "project": "shop",
        "message": f"Memory saved as observation #{saved['id']}",
    }
    row = empty.get(f"/api/observation/{saved['id']}")
    assert (row["type"], row["title"], row["narrative"]) == (
        "discovery",
        "Auth",
        "API needs X-API-Key",
    )
    assert empty.found(query="API key")["observations"] == [saved["id"]]


@promise("codexmem:save")
def test_without_a_title_or_a_project_there_are_defaults(empty: CodexMem) -> None:
    saved = empty.post("/api/memory/save", text="Tests run with make test. " * 9)

    assert saved["project"] == "default"
    assert saved["title"].startswith("Tests run with make test. Tests run")
    assert len(saved["title"]) <= 60


NO_TEXT = "text is required and must be non-empty"
WRONG_REMARKS: list[tuple[dict[str, object], str, str]] = [
    ({}, NO_TEXT, "absent"),
    ({"text": None}, NO_TEXT, "null"),
    ({"text": ""}, NO_TEXT, "empty"),
    ({"text": " \n\t"}, NO_TEXT, "blank"),
    ({"text": 5}, NO_TEXT, "a number"),
    ({"text": ["a"]}, NO_TEXT, "an array"),
    ({"text": "<private>all of it</private>"}, NO_TEXT, "wholly private"),
    ({"text": "a", "title": 5}, "title must be a string", "a title that is no text"),
    ({"text": "a", "project": {}}, "project must be a string", "a project that is no text"),
    ({"text": "a", "project": "p" * 300}, "project has 300 characters; at most 200", "too long"),
]


@promise("codexmem:save:errors")
@pytest.mark.parametrize(
    ("body", "error", "because"), WRONG_REMARKS, ids=[row[-1] for row in WRONG_REMARKS]
)
def test_a_wrong_remark_is_a_400(
    past: CodexMem, body: dict[str, Any], error: str, because: str
) -> None:
    assert past.rejected("/api/memory/save", **body) == (400, error)


@promise("codexmem:save:private")
def test_what_is_private_or_secret_is_not_kept(empty: CodexMem) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    saved = empty.post(
        "/api/memory/save",
        text=f"Push with {key} <PRIVATE>my salary</PRIVATE>",
        title="<private>boss</private> Push",
    )

    row = json.dumps(empty.get(f"/api/observation/{saved['id']}"))
    assert saved["title"] == "Push"
    assert "[REDACTED]" in row
    for secret in (key, "salary", "boss"):
        assert secret not in row


@promise("codexmem:one-store")
def test_what_other_dialects_wrote_is_found_with_its_type(empty: CodexMem) -> None:
    fact = empty.ask(
        "memento",
        "store_memory",
        content="Kiwis are Ada's favourite fruit",
        subject="Ada",
        category="preference",
    )
    assert empty.world.run("mark", "Kiwi crates arrive on Mondays").returncode == 0
    empty.ask("codemem", "memory_remember", kind="decision", title="Kiwi sorting", body="By weight")
    empty.ask("codemem", "memory_remember", kind="feature", title="Kiwi scale", body="Weighs them")
    empty.world.bash("kiwi --version", at=NOW - HOUR)

    found = empty.get("/api/search", query="kiwi", format="json")["observations"]

    types = {row["title"]: row["type"] for row in found}
    (command,) = [title for title in types if "kiwi --version" in title]  # as its reader titles it
    assert types.pop(command) == "execution"
    assert types == {
        "Kiwis are Ada's favourite fruit": "discovery",
        "Kiwi crates arrive on Mondays": "discovery",
        "Kiwi sorting": "decision",
        "Kiwi scale": "feature",
    }
    assert empty.titles(type="feature") == ["Kiwi scale"]
    assert set(empty.titles(type="discovery")) == {
        "Kiwis are Ada's favourite fruit",
        "Kiwi crates arrive on Mondays",
    }
    assert fact["id"].startswith("mem_")


@promise("codexmem:one-store")
def test_a_remark_is_a_fact_about_its_project(empty: CodexMem) -> None:
    empty.post("/api/memory/save", text="Deploys need a flag", project="shop")

    (fact,) = empty.ask("memento", "list_recent_memories")["memories"]

    assert (fact["content"], fact["subject"], fact["category"]) == (
        "Deploys need a flag",
        "shop",
        "context",
    )
    assert fact["id"].startswith("mem_")


@promise("codexmem:one-store")
def test_what_was_retired_is_not_shown(empty: CodexMem) -> None:
    saved = empty.post("/api/memory/save", text="Deploys need a flag")["id"]
    empty.ask("codemem", "memory_forget", memory_id=saved)

    assert empty.found()["observations"] == []
    assert empty.post(BATCH, ids=[saved]) == []
    assert empty.refused(f"/api/observation/{saved}")[0] == 404


ROUTES = [
    ("GET", "/api/observations/batch", 405, "a batch is posted"),
    ("POST", "/api/search", 405, "a search is a read"),
    ("DELETE", "/api/observation/4", 405, "nothing is deleted here"),
    ("GET", "/api/observations/", 404, "no redirect"),
    ("GET", "/api/searches", 404, "no such route"),
]


@promise("codexmem:errors:json")
@pytest.mark.parametrize(
    ("method", "path", "status", "because"), ROUTES, ids=[row[-1] for row in ROUTES]
)
def test_unknown_routes_and_methods_are_json(
    past: CodexMem, method: str, path: str, status: int, because: str
) -> None:
    answered = past.http.request(method, path)

    assert answered.status_code == status
    assert list(answered.json()) == ["error"]


STRANGERS: list[tuple[dict[str, str], str]] = [
    ({"Host": "evil.example"}, "another name for this machine"),
    ({"Host": "127.0.0.1.evil.example"}, "a look-alike"),
    ({"Origin": "https://evil.example"}, "a page elsewhere"),
    ({"Origin": "null"}, "a page without an origin"),
    ({"Sec-Fetch-Site": "cross-site"}, "a browser says so"),
]


@promise("codexmem:errors:json")
@pytest.mark.parametrize(("headers", "because"), STRANGERS, ids=[row[-1] for row in STRANGERS])
def test_strangers_get_nothing(past: CodexMem, headers: dict[str, str], because: str) -> None:
    for method, path in (("GET", "/api/search"), ("POST", "/api/memory/save")):
        answered = past.http.request(method, path, headers=headers)

        assert answered.status_code == 403
        assert list(answered.json()) == ["error"]
