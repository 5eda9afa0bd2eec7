"""Searching and looking around over HTTP, with every parameter and its limits."""

from __future__ import annotations

from typing import Any

import pytest

from contract.codexmem.past import HOUR, LOGIN, NOW, CodexMem
from contract.world import SECOND
from promises import promise

PROMPT, READ, TEST, EDIT, SUMMARY, OTHER_PROMPT, OTHER_READ = 1, 2, 3, 4, 6, 7, 8
"""The ids of the past; 5 is the end of the session."""
ALL = {
    "observations": [OTHER_READ, EDIT, TEST, READ],
    "sessions": [SUMMARY],
    "prompts": [OTHER_PROMPT, PROMPT],
}


@promise("codexmem:search:kinds", "codexmem:search:filter-only")
def test_without_a_query_everything_comes_newest_first(past: CodexMem) -> None:
    assert past.found() == ALL


Row = tuple[dict[str, Any], dict[str, list[int]], str]
FILTERS: list[Row] = [
    ({"type": "observations"}, {"observations": ALL["observations"]}, "one sort"),
    ({"type": "Session,prompt"}, {"sessions": [6], "prompts": [7, 1]}, "two, by other names"),
    ({"obs_type": "sessions"}, {"sessions": [6]}, "a sort under the other name"),
    ({"type": "change"}, {"observations": [EDIT]}, "a type is one of observations"),
    ({"obs_type": ["change", "execution"]}, {"observations": [EDIT, TEST]}, "a repeated parameter"),
    ({"type": "observations,execution"}, {"observations": [TEST]}, "a sort and a type"),
    ({"type": "sessions,change"}, {"sessions": [6]}, "the sort decides"),
    ({"type": "CHANGE"}, {"observations": [EDIT]}, "in upper case"),
    ({"type": "decision"}, {}, "none of them"),
    ({"type": ",,"}, ALL, "commas alone ask for nothing"),
    ({"files": LOGIN}, {"observations": [EDIT, READ]}, "a whole path"),
    ({"files": "auth/session.py"}, {"observations": [EDIT, READ]}, "its last components"),
    ({"files": "ession.py"}, {}, "not a piece of one"),
    ({"files": "README.md,nothing.py"}, {"observations": [OTHER_READ]}, "one of several"),
    ({"files": "%"}, {}, "no wildcard"),
    ({"concepts": "no-such-concept"}, {}, "a concept that nothing has"),
    ({"project": "beta"}, {"observations": [OTHER_READ], "prompts": [OTHER_PROMPT]}, "a project"),
    ({"project": "/home/me/beta/"}, {"observations": [8], "prompts": [7]}, "a path to it"),
    ({"project": "gamma"}, {}, "no such project"),
    ({"project": " "}, ALL, "a blank one is none"),
    ({"limit": 1}, {"observations": [8], "sessions": [6], "prompts": [7]}, "of each kind"),
    ({"limit": 1, "offset": 1}, {"observations": [EDIT], "prompts": [PROMPT]}, "the second page"),
    ({"offset": 99}, {}, "past the end"),
    ({"limit": -5}, {"observations": [8], "sessions": [6], "prompts": [7]}, "held to 1"),
    ({"limit": 0}, {"observations": [8], "sessions": [6], "prompts": [7]}, "held to 1 as well"),
    ({"limit": 10**30, "offset": -3}, ALL, "held to 100 and 0"),
    (
        {"orderBy": "date_asc"},
        {name: ids[::-1] for name, ids in ALL.items()},
        "oldest first",
    ),
    ({"orderBy": "relevance"}, ALL, "relevance to nothing is newness"),
    ({"nobody": "knows"}, ALL, "what is not known is ignored"),
]


@promise("codexmem:search:filters", "codexmem:search:limits", "codexmem:search:types")
@pytest.mark.parametrize(("query", "found", "because"), FILTERS, ids=[row[-1] for row in FILTERS])
def test_filters(
    past: CodexMem, query: dict[str, Any], found: dict[str, list[int]], because: str
) -> None:
    nothing: dict[str, list[int]] = {"observations": [], "sessions": [], "prompts": []}

    assert past.found(**query) == nothing | found


EDITED = NOW - 6 * HOUR
DATES: list[tuple[dict[str, object], list[int], str]] = [
    ({"dateStart": EDITED}, [OTHER_READ, EDIT], "milliseconds; the bound counts"),
    ({"dateStart": EDITED + 1}, [OTHER_READ], "one millisecond more"),
    ({"dateEnd": EDITED}, [EDIT, TEST, READ], "the other bound counts too"),
    ({"dateEnd": EDITED - 1}, [TEST, READ], "one millisecond less"),
    ({"dateStart": EDITED // SECOND}, [OTHER_READ, EDIT], "seconds"),
    ({"dateStart": "2026-09-21T08:13:20Z"}, [OTHER_READ, EDIT], "ISO"),
    ({"dateStart": "2026-09-21T10:13:20+02:00"}, [OTHER_READ, EDIT], "ISO elsewhere"),
    ({"dateEnd": "2026-09-21"}, ALL["observations"], "a day ends with its end"),
    ({"dateStart": "2026-09-21"}, ALL["observations"], "and begins with its beginning"),
    ({"dateEnd": "2026-09-20"}, [], "the day before"),
    ({"dateStart": "2026-09-21", "dateEnd": "2026-09-21"}, ALL["observations"], "one day"),
    ({"dateStart": -5}, ALL["observations"], "before everything"),
    ({"dateStart": 10**15}, [], "after everything"),
    ({"dateStart": NOW, "dateEnd": 0}, [], "nothing is between"),
    ({"dateStart": "", "dateEnd": " "}, ALL["observations"], "blank is absent"),
]


@promise("codexmem:search:dates")
@pytest.mark.parametrize(("query", "found", "because"), DATES, ids=[row[-1] for row in DATES])
def test_dates(past: CodexMem, query: dict[str, Any], found: list[int], because: str) -> None:
    assert past.found(type="observations", **query)["observations"] == found


REFUSED: list[tuple[str, dict[str, str], str, str]] = [
    ("/api/search", {"limit": "abc"}, "limit must be an integer", "a word"),
    ("/api/search", {"limit": "1.5"}, "limit must be an integer", "a fraction"),
    ("/api/search", {"limit": "1e3"}, "limit must be an integer", "another notation"),
    ("/api/search", {"limit": "NaN"}, "limit must be an integer", "no number at all"),
    ("/api/search", {"limit": "٣"}, "limit must be an integer", "digits of another script"),
    ("/api/search", {"limit": "--1"}, "limit must be an integer", "two signs"),
    ("/api/search", {"offset": "x"}, "offset must be an integer", "another parameter"),
    (
        "/api/search",
        {"orderBy": "id; drop table memories"},
        "orderBy must be one of relevance, date_desc, date_asc",
        "no SQL",
    ),
    ("/api/search", {"format": "xml"}, "format must be one of json, text", "another form"),
    (
        "/api/search",
        {"dateStart": "yesterday"},
        "dateStart must be seconds or milliseconds since 1970, or an ISO date",
        "no date",
    ),
    (
        "/api/search",
        {"dateEnd": "2026-02-30"},
        "dateEnd must be seconds or milliseconds since 1970, or an ISO date",
        "no such day",
    ),
    ("/api/timeline", {"depth_before": "all"}, "depth_before must be an integer", "a depth"),
    ("/api/timeline", {"depth_after": "0x2"}, "depth_after must be an integer", "the other depth"),
    ("/api/observations", {"limit": "abc"}, "limit must be an integer", "a list"),
    ("/api/summaries", {"offset": "abc"}, "offset must be an integer", "another list"),
    ("/api/prompts", {"limit": "true"}, "limit must be an integer", "the third one"),
]


@promise("codexmem:errors:named")
@pytest.mark.parametrize(
    ("path", "query", "error", "because"), REFUSED, ids=[f"{row[0]} {row[-1]}" for row in REFUSED]
)
def test_what_cannot_be_read_is_a_400_that_names_it(
    past: CodexMem, path: str, query: dict[str, str], error: str, because: str
) -> None:
    assert past.refused(path, **query) == (400, error)


HARMLESS = [
    "' OR 1=1 --",
    '"',
    '""" OR *',
    "NEAR(a b, 2)",
    "title:login",
    "AND OR NOT",
    "(((",
    "login*",
    "\x00login",
    "; drop table memories; --",
    "💥" * 500,
    "a" * 10_000,
    "{}[]^~:/\\",
]


@promise("codexmem:search:any-text")
@pytest.mark.parametrize("query", HARMLESS)
def test_any_text_is_a_query(past: CodexMem, query: str) -> None:
    found = past.get("/api/search", query=query[:3000], format="json")

    assert set(found) == {"searchMode", "observations", "sessions", "prompts"}


@promise("codexmem:search:relevance")
def test_the_best_answer_comes_first_and_dates_come_when_asked(empty: CodexMem) -> None:
    best = empty.post("/api/memory/save", text="Deploys need the staging certificate")["id"]
    for number in range(3):
        empty.house.clock = lambda number=number: NOW + number  # type: ignore[misc]
        empty.post("/api/memory/save", text=f"Lunch {number}, near the staging rail")

    by_relevance = empty.found(query="staging certificate for deploys")["observations"]
    newest = empty.found(query="staging certificate for deploys", orderBy="date_desc")

    assert by_relevance[0] == best
    assert newest["observations"] == [4, 3, 2, best]


@promise("codexmem:search:no-spaces")
@pytest.mark.parametrize("query", ["搜索", "功能", "这么慢"])
def test_text_without_spaces_is_found_by_any_run(past: CodexMem, query: str) -> None:
    assert past.found(query=query)["prompts"] == [OTHER_PROMPT]


@promise("codexmem:search:text")
def test_the_table_names_ids_kinds_and_the_mode(past: CodexMem) -> None:
    found = past.get("/api/search", query="login page", project="alpha", limit=1)

    ((said),) = [part["text"] for part in found["content"]]
    head, mode, blank, *table = said.split("\n")
    assert head == 'Found 3 result(s) matching "login page" (1 obs, 1 sessions, 1 prompts)'
    assert (mode, blank) == ("Search mode: lexical-only", "")
    assert table[0] == "| ID | Kind | Title | Project | Time |"
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table[2:]]
    assert {cell[0]: cell[1:3] for cell in cells}["#P1"] == [
        "prompt",
        "Why does the login page answer 500?",
    ]
    assert {cell[0]: cell[1] for cell in cells}["#S6"] == "summary"
    assert {cell[0]: (cell[3], cell[4]) for cell in cells}["#P1"] == (
        "-",
        "2026-09-21T05:13:20.000Z",
    )


@promise("codexmem:search:text")
def test_nothing_found_is_said(past: CodexMem) -> None:
    found = past.get("/api/search", project="gamma")

    assert found["content"][0]["text"].startswith(
        'Found 0 result(s) matching "(filter-only)" (0 obs, 0 sessions, 0 prompts)'
    )


@promise("codexmem:search:text")
def test_stored_text_cannot_leave_its_cell(empty: CodexMem) -> None:
    empty.post("/api/memory/save", text="body", title="a | b\n| #99 | observation |")

    said = empty.get("/api/search")["content"][0]["text"]

    assert len(said.split("\n")) == 6
    assert "a \\| b \\| #99 \\| observation \\|" in said


TIMELINES: list[tuple[dict[str, object], list[str], str]] = [
    ({"anchor": TEST}, ["#2", "#3", "#4"], "an integer; the neighbours are the project's"),
    ({"anchor": "#3"}, ["#2", "#3", "#4"], "as it is written"),
    ({"anchor": "3", "depth_before": 0}, ["#3", "#4"], "nothing before"),
    ({"anchor": 3, "depth_after": -9}, ["#2", "#3"], "held to nothing after"),
    ({"anchor": 3, "depth_before": 10**9}, ["#2", "#3", "#4"], "held to 100 before"),
    ({"anchor": "#S6"}, ["#2", "#3", "#4", "#S6"], "a summary"),
    ({"anchor": "#P1"}, ["#P1", "#2", "#3", "#4"], "a prompt"),
    ({"anchor": 3, "query": "README"}, ["#2", "#3", "#4"], "the anchor beats the query"),
    ({"query": "README"}, ["#8"], "the query chooses it"),
    ({"query": "README", "anchor": "soon"}, ["#8"], "what is no id is no anchor"),
    ({"anchor": 4, "project": "beta"}, ["#4", "#8"], "neighbours from elsewhere"),
]


@promise("codexmem:timeline")
@pytest.mark.parametrize(("query", "ids", "because"), TIMELINES, ids=[row[-1] for row in TIMELINES])
def test_timeline(past: CodexMem, query: dict[str, Any], ids: list[str], because: str) -> None:
    said = past.get("/api/timeline", **query)["content"][0]["text"]

    head, blank, *lines = said.split("\n")
    assert head.startswith("Timeline around anchor=")
    assert blank == ""
    assert [line.split()[1] for line in lines] == ids


@promise("codexmem:timeline")
def test_a_line_of_the_timeline_says_what_and_when(past: CodexMem) -> None:
    said = past.get("/api/timeline", anchor=EDIT, depth_before=0)["content"][0]["text"]

    assert said.startswith("Timeline around anchor=4 (before=0, after=3)\n\n- #4 [change] ")
    assert said.endswith(" @ 2026-09-21T08:13:20.000Z")


NO_ANCHORS = [
    ({"anchor": 99}, "Anchor #99 not found.", "no such memory"),
    ({"anchor": 5}, "Anchor #5 not found.", "one that is not shown"),
    ({"anchor": "#0"}, "Anchor #0 not found.", "zero"),
    ({"anchor": "soon"}, "No timeline anchor found.", "no id"),
    ({"anchor": "1' or 1=1"}, "No timeline anchor found.", "no SQL"),
    ({}, "No timeline anchor found.", "nothing is asked"),
    ({"query": "zebra quagga"}, "No timeline anchor found.", "nothing matches"),
]


@promise("codexmem:timeline:errors")
@pytest.mark.parametrize(
    ("query", "said", "because"), NO_ANCHORS, ids=[row[-1] for row in NO_ANCHORS]
)
def test_without_an_anchor_a_sentence_says_so(
    past: CodexMem, query: dict[str, Any], said: str, because: str
) -> None:
    assert past.get("/api/timeline", **query) == {"content": [{"type": "text", "text": said}]}


@promise("codexmem:search:trace")
def test_a_search_leaves_a_trace_without_what_is_private(empty: CodexMem) -> None:
    empty.post("/api/memory/save", text="The login page", project="alpha")
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    empty.get("/api/search", query=f"login {key} <private>x</private>", project="alpha", limit=500)

    (trace,) = empty.get("/api/ops/search-traces")["traces"]

    assert key not in trace["query"]
    assert "private" not in trace["query"]
    assert trace["query"].startswith("login")
    assert (trace["project"], trace["mode"]) == ("alpha", "lexical-only")
    assert (trace["limit"], trace["offset"]) == (100, 0)
    assert trace["resultCounts"] == {"observations": 1, "sessions": 0, "prompts": 0}
    assert trace["lexicalCounts"] == {"observations": 1, "sessions": 0, "prompts": 0}
    assert trace["durationMs"] > 0
