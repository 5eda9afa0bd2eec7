"""Memories as the page lists, searches and shows them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from contract.viewer.past import HOSTILE, HOUR, LOGIN, NOW, Viewer
from promises import promise

PROMPT = "Why does the login page answer 500?"
READ, EDIT = f"Read {LOGIN}", f"Edit {LOGIN}: token = refresh(cookie)"
TEST, OTHER, CHINESE = (
    "pytest tests/test_login.py",
    "Read /code/beta/README.md",
    "搜索功能为什么这么慢",
)
SUMMARY = f"{PROMPT} Done: {EDIT}. Read: {LOGIN}. 3 actions: 1 command, 1 file_edit, 1 file_read."

FILTERS: list[tuple[dict[str, Any], list[str], str]] = [
    ({}, [OTHER, CHINESE, SUMMARY, EDIT, TEST, READ, PROMPT], "newest first, no lifecycle rows"),
    ({"project": "beta"}, [OTHER, CHINESE], "of one project"),
    ({"project": "/somewhere/beta/"}, [OTHER, CHINESE], "a path stands for its last component"),
    ({"project": "gamma"}, [], "a project that is not there"),
    ({"kind": "prompt"}, [CHINESE, PROMPT], "of one kind"),
    ({"kind": "prompt,summary"}, [CHINESE, SUMMARY, PROMPT], "of several, with a comma"),
    ({"kind": ["prompt", "summary"]}, [CHINESE, SUMMARY, PROMPT], "or the parameter twice"),
    ({"kind": "lifecycle"}, ["exit"], "what is named is shown"),
    ({"type": "file_read"}, [OTHER, READ], "of one type"),
    ({"type": "session_end"}, ["exit"], "also of a kind that is not listed by itself"),
    ({"type": "file_read,command"}, [OTHER, TEST, READ], "of several types"),
    ({"file": LOGIN}, [EDIT, READ], "about a file"),
    ({"file": "auth/session.py"}, [EDIT, READ], "by its last components"),
    ({"file": "ession.py"}, [], "which are whole"),
    ({"origin": "user"}, [CHINESE, PROMPT], "of the user's words"),
    ({"since": NOW - 7 * HOUR, "until": NOW - 6 * HOUR}, [EDIT, TEST], "both ends are within"),
    ({"since": "2026-09-21T12:00:00Z"}, [OTHER, CHINESE], "a date will do"),
    ({"pinned": "true"}, [], "nothing is pinned"),
    ({"outdated": "true"}, [], "nothing is outdated"),
    ({"outdated": "false", "project": "beta"}, [OTHER, CHINESE], "what is not is the rule"),
    (
        {"kind": "", "project": " ", "limit": ""},
        [OTHER, CHINESE, SUMMARY, EDIT, TEST, READ, PROMPT],
        "an empty parameter is none",
    ),
    ({"limit": 2}, [OTHER, CHINESE], "so many"),
    ({"limit": -3}, [OTHER], "at least one"),
]


@promise("viewer:list", "viewer:filters")
@pytest.mark.parametrize(("query", "texts", "because"), FILTERS, ids=[row[2] for row in FILTERS])
def test_memories_are_listed_as_asked(
    past: Viewer, query: dict[str, Any], texts: list[str], because: str
) -> None:
    assert past.texts(**query) == texts


@promise("viewer:list")
def test_pages_follow_one_another_whatever_arrives(empty: Viewer) -> None:
    for number in range(5):
        empty.world.prompt(f"prompt {number}", at=NOW - HOUR + number // 2)  # some at one time
    empty.house.catch_up()
    first = empty.get("memories", limit=2)
    empty.world.prompt("a newer one", at=NOW - 1)
    second = empty.get("memories", limit=2, cursor=first["next"])
    third = empty.get("memories", limit=2, cursor=second["next"])
    shown = [each["text"] for page in (first, second, third) for each in page["items"]]
    assert shown == [f"prompt {number}" for number in (4, 3, 2, 1, 0)]
    assert (first["total"], second["total"], third["next"]) == (5, None, None)


@promise("viewer:list")
def test_an_item_says_what_it_is(past: Viewer) -> None:
    (item,) = past.get("memories", type="file_edit")["items"]
    assert item == {
        "id": 4,
        "kind": "observation",
        "type": "file_edit",
        "title": "Edited session.py: token = refresh(cookie)",
        "text": EDIT,
        "is_cut": False,
        "project": "alpha",
        "session": 1,
        "created_at": NOW - 6 * HOUR,
        "origin": "tool",
        "file": LOGIN,
        "is_pinned": False,
        "is_outdated": False,
        "public_id": None,
    }


@promise("viewer:search")
def test_a_search_says_why_each_was_found(past: Viewer) -> None:
    found = past.get("memories", q="login page")
    assert (found["mode"], found["problem"], found["total"]) == ("lexical-only", None, None)
    assert found["query_id"].startswith("q_")
    assert {PROMPT, SUMMARY} == {each["text"] for each in found["items"][:2]}
    totals = [each["score"]["total"] for each in found["items"]]
    assert totals == sorted(totals, reverse=True)
    for item in found["items"]:
        known = [part for part in item["score"]["components"].values() if part is not None]
        assert sum(known) == pytest.approx(item["score"]["total"], abs=1e-9)
    assert found["items"][0]["score"]["terms"] == ["login", "page"]


SEARCHES: list[tuple[dict[str, Any], set[str], str]] = [
    ({"project": "beta"}, set(), "of another project"),
    ({"kind": "prompt"}, {PROMPT}, "of a kind"),
    ({"type": "command"}, {TEST}, "of a type"),
    ({"origin": "user"}, {PROMPT}, "of an origin"),
    ({"file": "session.py"}, {READ, EDIT}, "about a file"),
    ({"until": NOW - 9 * HOUR}, {PROMPT}, "until a time"),
    ({"pinned": "true"}, set(), "pinned"),
    ({"pinned": "false", "kind": "prompt"}, {PROMPT}, "not pinned"),
]


@promise("viewer:filters")
@pytest.mark.parametrize(("query", "texts", "because"), SEARCHES, ids=[row[2] for row in SEARCHES])
def test_filters_narrow_a_search_before_the_cut(
    past: Viewer, query: dict[str, Any], texts: set[str], because: str
) -> None:
    found = past.texts(q="login", **query)
    assert set(found) == texts
    assert past.texts(q="login", limit=1, **query) == found[:1]


@promise("viewer:search")
def test_a_search_goes_on_page_by_page(past: Viewer) -> None:
    every = past.texts(q="login page answer cookie")
    shown: list[str] = []
    cursor: str | None = None
    for _ in itertools.repeat(None, len(every)):
        query = {} if cursor is None else {"cursor": cursor}
        page = past.get("memories", q="login page answer cookie", limit=2, **query)
        shown += [each["text"] for each in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert (shown, cursor) == (every, None)
    assert len(every) > 2


REFUSED: list[tuple[str, dict[str, Any], int, str, str]] = [
    ("memories", {"kind": "memory"}, 400, "kind must be one or several of observation", "a kind"),
    ("memories", {"origin": "nobody"}, 400, "origin must be one or several of user", "an origin"),
    ("memories", {"limit": "many"}, 400, "limit must be an integer", "a number"),
    ("memories", {"since": "soon"}, 400, "since must be seconds or milliseconds", "a time"),
    ("timeline", {"until": "9" * 17}, 400, "until is outside of the years", "no page can show it"),
    ("sessions", {"since": "-" + "9" * 17}, 400, "since is outside of the years", "nor this"),
    ("memories", {"pinned": "maybe"}, 400, "pinned must be one of true", "a flag"),
    ("memories", {"cursor": "x"}, 400, "cursor is none of this list", "a cursor"),
    ("memories", {"cursor": "r50"}, 400, "cursor is none of this list", "one of a search"),
    ("memories", {"cursor": "t1_1", "q": "x"}, 400, "cursor is none of this list", "of a list"),
    ("memories", {"file": "x" * 1001}, 400, "file has 1001 characters; at most 1000", "a path"),
    ("memories", {"q": "x" * 10_001}, 400, "q has 10001 characters; at most 10000", "a question"),
    ("memories/999", {}, 404, "there is no memory 999", "no such memory"),
    ("memories/0", {}, 404, "there is no memory 0", "no memory has this id"),
    ("memories/" + "9" * 30, {}, 404, "there is no memory 999", "a huge id"),
    ("memories/x", {}, 404, "there is no memory x", "no id"),
    ("sessions/99", {}, 404, "there is no session 99", "no such session"),
    ("sessions/x", {}, 404, "there is no session x", "no number"),
    ("sessions", {"cursor": "x"}, 400, "cursor is none of this list", "a cursor of sessions"),
    ("files", {}, 400, "path is required", "no path"),
    ("timeline", {"buckets": "x"}, 400, "buckets must be an integer", "a number of stretches"),
    ("frames/frame-1", {}, 404, "frame-1", "no such frame"),
    ("frames/frame-1/images/1", {}, 404, "frame-1", "no frame with such an image"),
    ("frames/frame-1/images/x", {}, 400, "number must be a whole number", "no number of an image"),
    ("told", {"source": "x"}, 400, "source must be one of startup", "a start"),
    ("nothing", {}, 404, "there is no such route", "no such route"),
]


@promise("viewer:refused")
@pytest.mark.parametrize(
    ("path", "query", "status", "text", "because"), REFUSED, ids=[row[4] for row in REFUSED]
)
def test_what_cannot_be_taken_is_named(
    past: Viewer, path: str, query: dict[str, Any], status: int, text: str, because: str
) -> None:
    told = past.refused(path, **query)
    assert told[0] == status
    assert text in told[1]


@promise("viewer:detail")
def test_a_memory_is_shown_with_all_that_is_known(past: Viewer) -> None:
    shown = past.get("memories/4")
    assert shown["text"] == EDIT
    assert shown["portrait"]["title"] == "Edited session.py: token = refresh(cookie)"
    assert shown["portrait"]["files_modified"] == [LOGIN]
    assert shown["portrait"]["made_by"] == "rules"
    assert shown["prompt"] == {"id": 1, "text": PROMPT}
    assert (shown["session"], shown["prompt_number"], shown["tool_name"]) == (1, 1, "Edit")
    assert shown["event"]["input"]["file_path"] == LOGIN
    assert shown["event"]["session_id"] == "a"
    assert [each["id"] for each in shown["neighbours"]["before"]] == [1, 2, 3]
    assert [each["id"] for each in shown["neighbours"]["after"]] == [5, 6]
    assert (shown["history"], shown["recap"], shown["claim"], shown["frame"]) == (
        [],
        None,
        None,
        None,
    )


@promise("viewer:detail")
def test_a_fact_is_shown_with_its_claim_and_what_was_about_it(empty: Viewer) -> None:
    for content in ("likes tea", "likes coffee", "likes water"):
        empty.call("memento", "store_memory", subject="Ann", category="preference", content=content)
    coffee = empty.get("memories", q="coffee")["items"][0]
    shown = empty.get(f"memories/{coffee['id']}")
    assert shown["claim"] == {
        "public_id": coffee["public_id"],
        "subject": "Ann",
        "category": "preference",
        "confidence": 1.0,
        "reason": None,
    }
    assert coffee["public_id"].startswith("mem_")
    around = shown["neighbours"]
    assert [each["text"] for each in around["before"]] == ["likes tea"]
    assert [each["text"] for each in around["after"]] == ["likes water"]


@promise("viewer:list")
def test_a_long_text_is_cut_in_lists_only(empty: Viewer) -> None:
    text = "word " * 200
    empty.world.prompt(text, at=NOW - 1)
    (item,) = empty.get("memories")["items"]
    assert (item["is_cut"], item["text"]) == (True, text[:400])
    shown = empty.get(f"memories/{item['id']}")
    assert (shown["is_cut"], shown["text"]) == (False, text)


@promise("viewer:hostile")
def test_hostile_text_comes_back_as_it_is(empty: Viewer) -> None:
    stored = HOSTILE.replace("\0", "")
    empty.world.prompt(f"{HOSTILE} hostile", session=HOSTILE, cwd="/code/<b>", at=NOW - 2)
    empty.world.edit(f"/code/<b>/{stored}.py", stored, session=HOSTILE, cwd="/code/<b>", at=NOW - 1)
    empty.house.catch_up()
    for answered in (
        empty.http.get("/api/viewer/memories"),
        empty.http.get("/api/viewer/memories", params={"q": f"{stored} hostile"}),
        empty.http.get("/api/viewer/memories", params={"project": "<b>", "file": f"{stored}.py"}),
        empty.http.get("/api/viewer/sessions/1"),
        empty.http.get("/api/viewer/sessions"),
        empty.http.get("/api/viewer/told", params={"project": "<b>"}),
        empty.http.get("/api/viewer/overview"),
    ):
        assert answered.status_code == 200
        assert answered.headers["content-type"] == "application/json; charset=utf-8"
        assert answered.headers["x-content-type-options"] == "nosniff"
        assert "<b>" in answered.text
    texts = empty.texts(kind="prompt")
    assert texts == [f"{stored} hostile"]
    assert empty.texts(file=f"{stored}.py") != []
    assert empty.get("sessions")["items"][0]["project"] == "<b>"
