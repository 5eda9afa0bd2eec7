"""What hooks tell of a session: published answers, numbers, privacy, and one row for one event."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contract.codexmem.told import COMPLETE, CWD, END, INIT, OBSERVATIONS, SUMMARIZE, Told, told_of
from contract.world import NOW, World
from promises import last, promise
from recollect.model.memory import Kind

QUEUED = {"status": "queued"}
DEDUPED = {"status": "deduped"}
PRIVATE = {"status": "skipped", "reason": "private"}
EXCLUDED = {"status": "skipped", "reason": "tool_excluded"}
NOT_ACTIVE = {"status": "skipped", "reason": "not_active"}
SECRET = "aubergine-at-midnight"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, NOW)


@pytest.fixture
def told(world: World) -> Iterator[Told]:
    told = told_of(world)
    yield told
    told.house.close()


@promise("codexmem:sessions:init")
def test_a_prompt_is_told_its_number_and_the_number_of_its_session(told: Told) -> None:
    answers = [told.prompt("first"), told.prompt("second"), told.prompt("other", "s2")]

    assert answers == [
        {"sessionDbId": 1, "promptNumber": 1, "skipped": False},
        {"sessionDbId": 1, "promptNumber": 2, "skipped": False},
        {"sessionDbId": 2, "promptNumber": 1, "skipped": False},
    ]
    assert told.texts("s1", Kind.PROMPT) == ["first", "second"]


@promise("codexmem:sessions:init")
def test_a_prompt_without_words_is_one_like_any_other(told: Told) -> None:
    assert told.prompt("[media prompt]")["skipped"] is False
    assert told.texts("s1", Kind.PROMPT) == ["[media prompt]"]


WITHOUT_WORDS = [
    # prompt                                            because
    ("<private>all of it</private>", "all of it was marked"),
    ("  <PRIVATE lang='en'>all of it", "an unclosed block goes to the end"),
    ("", "an empty one says nothing"),
    (" \n ", "nor does white space"),
]


@promise("codexmem:sessions:private")
@pytest.mark.parametrize(("prompt", "because"), WITHOUT_WORDS, ids=last)
def test_a_prompt_with_nothing_left_uses_up_its_number(
    told: Told, prompt: str, because: str
) -> None:
    told.prompt("in public")
    assert told.prompt(prompt) == {
        "sessionDbId": 1,
        "promptNumber": 2,
        "skipped": True,
        "reason": "private",
    }
    assert told.prompt("in public again")["promptNumber"] == 3


@promise("codexmem:sessions:private")
def test_all_that_happens_in_a_private_turn_is_private(told: Told, world: World) -> None:
    told.prompt("in public")
    told.prompt(f"<private>{SECRET}</private>")

    assert told.bash(f"echo {SECRET}") == PRIVATE
    assert told.said(f"I said {SECRET}") == PRIVATE
    told.prompt("in public again")
    assert told.bash("echo hello") == QUEUED

    told.house.catch_up()
    assert told.texts() == ["echo hello"]
    told.house.close()
    left = [path for path in world.home.rglob("*") if path.is_file()]
    assert left
    assert not [path for path in left if SECRET.encode() in path.read_bytes()]


@promise("codexmem:sessions:private")
def test_private_parts_and_secrets_never_reach_the_disk(told: Told, world: World) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    told.prompt(f"look <private>{SECRET}</private> here")
    told.bash(f"curl -H 'Authorization: Bearer {token}' https://api.example.com")
    told.said(f"done <private>{SECRET}</private> with {token}")
    told.house.catch_up()
    told.house.close()

    left = b"".join(path.read_bytes() for path in world.home.rglob("*") if path.is_file())
    assert b"api.example.com" in left
    assert SECRET.encode() not in left
    assert token.encode() not in left


@promise("codexmem:sessions:observations")
def test_a_tool_use_is_queued_once_within_a_prompt(told: Told) -> None:
    told.prompt("run the tests")
    assert told.bash("pytest", tool_response="2 passed") == QUEUED
    assert told.bash("pytest", tool_response="2 passed") == DEDUPED
    told.house.catch_up()
    assert told.bash("pytest", tool_response="2 passed") == DEDUPED, "also when it was read"
    assert told.bash("pytest", tool_response="1 failed") == QUEUED, "it answered something else"
    told.prompt("and again")
    assert told.bash("pytest", tool_response="2 passed") == QUEUED, "it was asked for again"


@promise("codexmem:sessions:skip-tools")
@pytest.mark.parametrize(
    "tool", ["ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion"]
)
def test_tools_on_the_skip_list_leave_nothing(told: Told, tool: str) -> None:
    assert told.tool(tool, "unheard-of") == EXCLUDED
    assert told.house.store.sessions.find("unheard-of") is None


@promise("codexmem:sessions:skip-tools")
def test_the_skip_list_can_be_chosen(tmp_path: Path) -> None:
    world = World(tmp_path, NOW, environ={"CODEXMEM_SKIP_TOOLS": "Read,Glob"})
    told = told_of(world)
    assert [told.tool("Read"), told.tool("read"), told.tool("Skill")] == [EXCLUDED, QUEUED, QUEUED]
    told.house.close()


@promise("codexmem:sessions:summarize")
def test_the_end_of_a_turn_is_queued_once_and_becomes_a_summary(told: Told) -> None:
    told.prompt("make it faster")
    told.bash("pytest --durations=5")
    assert told.said("The cache was the cause.") == QUEUED
    assert told.said("The cache was the cause.") == DEDUPED
    told.house.catch_up()

    (summary,) = told.memories(kind=Kind.SUMMARY)
    assert summary.prompt_number == 1
    recap = told.house.store.portraits.recaps_of([summary.id])[summary.id].recap
    assert recap.request == "make it faster"
    assert "The cache was the cause." in recap.learned


@promise("codexmem:sessions:summarize")
def test_a_summary_belongs_to_the_prompt_that_it_was_said_after(told: Told) -> None:
    told.prompt("first")
    told.said("first is done")
    told.prompt("second")
    told.house.catch_up()

    (summary,) = told.memories(kind=Kind.SUMMARY)
    assert summary.prompt_number == 1
    assert summary.prompt_id == told.memories(kind=Kind.PROMPT)[0].id


@promise("codexmem:sessions:unknown")
def test_an_unknown_session_begins_with_the_project_of_its_folder(told: Told) -> None:
    assert told.bash("make", "unheard-of", cwd="/code/beta") == QUEUED
    session = told.house.store.sessions.find("unheard-of")
    assert session is not None
    assert (session.project, session.prompts) == ("beta", 0)
    told.house.catch_up()
    (memory,) = told.memories("unheard-of")
    assert (memory.project, memory.prompt_number) == ("beta", None)


@promise("codexmem:sessions:complete")
def test_a_session_is_completed_once_until_it_goes_on(told: Told) -> None:
    told.prompt("hello")
    assert told.complete() == {"status": "completed", "sessionDbId": 1}
    assert told.complete() == NOT_ACTIVE
    assert told.complete("unheard-of") == NOT_ACTIVE
    assert told.house.store.sessions.find("unheard-of") is None

    told.prompt("one more thing")
    assert told.complete() == {"status": "completed", "sessionDbId": 1}


@promise("codexmem:sessions:complete")
def test_what_was_accepted_before_is_in_the_last_summary(told: Told) -> None:
    told.prompt("tidy up")
    told.bash("rm -r build")
    told.complete()
    assert told.texts() == ["rm -r build"]
    (summary,) = told.memories(kind=Kind.SUMMARY)
    assert summary.created_at == NOW


@promise("codexmem:sessions:end")
def test_the_end_reads_what_waits_and_gives_back_what_went_stale(world: World, told: Told) -> None:
    told.prompt("hello")
    told.bash("make")
    store = told.house.store
    with store.transaction():
        store.jobs.claim(NOW, 10, is_read=False)
    world.now += told.house.bench.stale_ms + 1

    assert told.end() == {
        "status": "ended",
        "sessionDbId": 1,
        "cleanup": {"enabled": True, "resetCount": 1, "pending": 0},
    }
    assert told.texts() == ["make"]
    assert told.end() == NOT_ACTIVE


@promise("codexmem:sessions:end")
def test_the_end_without_cleanup_leaves_claimed_work_alone(told: Told) -> None:
    told.prompt("hello")
    told.bash("make")
    store = told.house.store
    with store.transaction():
        store.jobs.claim(NOW, 10, is_read=False)

    assert told.end(cleanup=False) == {
        "status": "ended",
        "sessionDbId": 1,
        "cleanup": {"enabled": False, "resetCount": 0, "pending": 1},
    }


MISSING = {
    INIT: "Missing contentSessionId/project/prompt",
    OBSERVATIONS: "Missing contentSessionId/tool_name/cwd",
    SUMMARIZE: "Missing contentSessionId",
    COMPLETE: "Missing contentSessionId",
    END: "Missing contentSessionId",
}
WHOLE: dict[str, dict[str, object]] = {
    INIT: {"contentSessionId": "s1", "project": "alpha", "prompt": "hello"},
    OBSERVATIONS: {"contentSessionId": "s1", "tool_name": "Read", "cwd": CWD},
    SUMMARIZE: {"contentSessionId": "s1"},
    COMPLETE: {"contentSessionId": "s1"},
    END: {"contentSessionId": "s1"},
}
NOT_A_TEXT: list[object] = [None, "", "  ", 7, 1.5, True, [], ["s1"], {}]


@promise("codexmem:sessions:missing")
@pytest.mark.parametrize(
    ("path", "name"), [(path, name) for path, body in WHOLE.items() for name in body]
)
def test_what_is_missing_is_told_as_published(told: Told, path: str, name: str) -> None:
    for wrong in NOT_A_TEXT:
        if name == "prompt" and isinstance(wrong, str):
            continue  # a prompt may be empty; then it is private
        answer = told.post(path, {**WHOLE[path], name: wrong})
        assert answer == (400, {"error": MISSING[path]}), wrong
    absent = {key: value for key, value in WHOLE[path].items() if key != name}
    assert told.post(path, absent) == (400, {"error": MISSING[path]})
    assert told.house.store.sessions.ids() == []


WRONG: list[tuple[str, str, object, str]] = [
    # route       field                     value        what is said
    (INIT, "prompt_id", 7, "prompt_id must be a string"),
    (INIT, "platform", ["cli"], "platform must be a string"),
    (OBSERVATIONS, "tool_use_id", {}, "tool_use_id must be a string"),
    (OBSERVATIONS, "is_failed", "yes", "is_failed must be a boolean"),
    (OBSERVATIONS, "marks", "abc", "marks must be an object"),
    (OBSERVATIONS, "marks", {"content_sha256": "abc"}, "marks must have a content_sha256"),
    (SUMMARIZE, "last_assistant_message", 7, "last_assistant_message must be a string"),
    (SUMMARIZE, "turn_id", True, "turn_id must be a string"),
    (SUMMARIZE, "project", [], "project must be a string"),
    (END, "cleanup", "true", "cleanup must be a boolean"),
    (END, "cleanup", 1, "cleanup must be a boolean"),
]


@promise("codexmem:sessions:wrong-types")
@pytest.mark.parametrize(("path", "field", "value", "says"), WRONG)
def test_a_wrong_type_is_refused_by_name(
    told: Told, path: str, field: str, value: object, says: str
) -> None:
    status, answer = told.post(path, {**WHOLE[path], field: value})
    assert (status, answer["error"].startswith(says)) == (400, True), answer


ANYTHING: list[tuple[Any, str]] = [
    (None, "absent is nothing"),
    ("text", "a text is kept as one"),
    (7, "so is a number"),
    ([1, {"a": None}], "and a list"),
    ({"deep": [[[[[[[[[[[[[[[[{}]]]]]]]]]]]]]]]]}, "depth has its limit"),
    ({"lone": "\ud800", "nul": "a\0b"}, "text that is no text"),
    ({"x" * 5_000: "y" * 100_000}, "length has its limit"),
]


@promise("codexmem:sessions:observations")
@pytest.mark.parametrize(("value", "because"), ANYTHING, ids=last)
def test_any_input_and_response_is_accepted_and_read(told: Told, value: Any, because: str) -> None:
    assert told.tool("mcp__any__tool", tool_input=value, tool_response=value) == QUEUED
    told.house.catch_up()
    assert len(told.memories()) == 1
    assert told.house.store.jobs.depth().failed == 0


@promise("codexmem:sessions:one-event")
def test_one_host_event_through_two_doors_is_one_row(world: World, told: Told) -> None:
    told.prompt("build it", prompt_id="p-1")
    told.bash("make", tool_use_id="toolu_1")
    world.prompt("build it", prompt_id="p-1")
    world.bash("make", tool_use_id="toolu_1")
    world.bash("make install", tool_use_id="toolu_2")
    told.house.catch_up()

    assert told.bash("make install", tool_use_id="toolu_2") == DEDUPED
    assert told.prompt("build it", prompt_id="p-1")["promptNumber"] == 1
    told.house.catch_up()

    assert told.texts("s1", Kind.PROMPT) == ["build it"]
    assert sorted(told.texts()) == ["make", "make install"]


@promise("codexmem:sessions:one-event")
def test_an_empty_prompt_told_twice_uses_up_one_number(told: Told) -> None:
    for _ in range(2):
        assert told.prompt(" ", prompt_id="p-1")["promptNumber"] == 1
    assert told.prompt("hello", prompt_id="p-2")["promptNumber"] == 2


@promise("codexmem:sessions:one-event")
def test_the_same_words_at_the_end_of_one_turn_are_one_event(told: Told) -> None:
    told.prompt("go")
    assert told.said("done", turn_id="t-1") == QUEUED
    assert told.said("done, again", turn_id="t-1") == DEDUPED
