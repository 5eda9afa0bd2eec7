"""A language model reads after the rules: what becomes of it, and what when it fails."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chats
from chats import OBSERVATION, SUMMARY, Chat, said
from commands import Home
from contract.codexmem.told import OBSERVATIONS, Told, told_of
from contract.world import DAY, NOW, World
from endpoints import Server, serving
from promises import last, promise
from recollect import settings as configuration
from recollect.llm.openai_compatible import OpenAICompatible
from recollect.model.job import Depth, State
from recollect.model.memory import Kind
from recollect.model.portrait import Portrait, Recap
from recollect.search import grammar
from recollect.search.terms import tally
from recollect.service import enrichment, retention
from recollect.service.enrichment import Outcome
from recollect.settings import Settings
from recollect.store.port.jobs import Timing
from recollect.store.port.memories import Filter
from recollect.store.sqlite.store import SqliteStore
from recollect.wiring.provider import ModelReading

KEY = "sk-very-secret-0123456789"
WRONG = {**OBSERVATION, "type": "feature"}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as known:
        known.script = [chats.well]
        yield known


def hurried(settings: Settings) -> OpenAICompatible:
    """As the wiring makes it, without its patience."""
    return OpenAICompatible(
        model=settings.provider_model,
        base_url=settings.provider_base_url,
        api_key=settings.provider_api_key or "",
        timeout=0.5,
        sleep=lambda _: None,
    )


@pytest.fixture
def make(tmp_path: Path, server: Server) -> Iterator[Callable[..., Told]]:
    """A worker's house with a key and with these variables."""
    opened: list[Told] = []

    def made(**variables: str) -> Told:
        environ = {
            "OPENAI_API_KEY": KEY,
            "CODEXMEM_OPENAI_BASE_URL": f"http://127.0.0.1:{server.port}/v1",
            "CODEXMEM_OPENAI_MODEL": "small",
            **variables,
        }
        told = told_of(World(tmp_path, NOW, environ), make=hurried)
        opened.append(told)
        return told

    yield made
    for each in opened:
        each.house.close()


@pytest.fixture
def told(make: Callable[..., Told]) -> Told:
    return make()


def enrich(told: Told) -> list[Outcome]:
    told.house.catch_up()
    outcomes: list[Outcome] = []
    while (outcome := told.house.reading.enrich_one(told.house.bench)) is not Outcome.IDLE:
        outcomes.append(outcome)
    return outcomes


def portrait(told: Told) -> Portrait:
    (memory,) = told.memories()
    return told.house.store.portraits.of([memory.id])[memory.id].portrait


def counted(told: Told, kind: str = "observation") -> dict[str, int]:
    counters = told.house.store.operations.counters(f"{kind}.")
    return {name.removeprefix(f"{kind}."): n for name, n in counters.items()}


@promise("codexmem:provider:reads")
def test_what_rules_have_read_is_read_again(told: Told, server: Server) -> None:
    told.tool("Edit", tool_input={"file_path": "/a/tokens.py", "new_string": "LEEWAY = 60"})
    told.house.catch_up()
    assert portrait(told).title == "Edited tokens.py: LEEWAY = 60", "found at once, by rules"
    (before,) = told.memories()

    assert enrich(told) == [Outcome.DONE]

    (after,) = told.memories()
    painted = told.house.store.portraits.of([after.id])[after.id]
    assert painted.made_by == "small"
    assert painted.portrait == Portrait(
        type="bugfix",
        title=OBSERVATION["title"],
        subtitle=None,
        facts=tuple(OBSERVATION["facts"]),
        narrative=OBSERVATION["narrative"],
        concepts=("problem-solution", "python"),
        files_read=(),
        files_modified=("src/tökens.py",),
    )
    assert after == replace(before, updated_at=after.updated_at), "nmem's row stays"
    record = json.loads(server.asked[0]["messages"][1]["content"])
    assert record == {
        "task": "compress_tool_event_to_observation",
        "message_type": "observation",
        "tool_name": "Edit",
        "tool_input": '{"file_path": "/a/tokens.py", "gist": "LEEWAY = 60"}',
        "tool_response": "",
        "is_failed": False,
        "cwd": "/code/alpha",
        "prompt_number": 0,
    }
    assert counted(told) == {"success": 1}
    assert told.house.store.jobs.depth() == Depth()
    notices = [each.facts for each in told.house.notices.after(0) if each.topic == "model.result"]
    assert [each["model"] for each in notices] == ["openai"]


@promise("codexmem:provider:reads")
def test_a_summary_is_told_by_the_model_too(told: Told, server: Server) -> None:
    told.prompt("Fix the login")
    told.bash("make")
    told.said("Done.")
    enrich(told)
    (memory,) = told.memories(kind=Kind.SUMMARY)
    recapped = told.house.store.portraits.recaps_of([memory.id])[memory.id]
    assert recapped.recap == Recap(**SUMMARY, files_read=(), files_edited=())
    record = json.loads(server.asked[-1]["messages"][1]["content"])
    assert record == {
        "task": "summarize_session_fragment",
        "message_type": "summarize",
        "request": "Fix the login",
        "done": ["Ran `make`"],
        "last_assistant_message": "Done.",
    }
    assert counted(told, "summary") == {"success": 1}


@promise("codexmem:provider:reads")
def test_what_the_model_wrote_is_found(told: Told) -> None:
    told.bash("make")
    enrich(told)
    (memory,) = told.memories()
    (source,) = told.house.store.lexicon.sources([memory.id])
    assert "leewai" in tally(source.passage).counts


@promise("codexmem:provider:off")
@pytest.mark.parametrize(
    ("variables", "counts", "agent"),
    [
        ({"OPENAI_API_KEY": ""}, {"fallback_used": 2}, "openai"),
        ({"CODEXMEM_PROVIDER": "rule-based"}, {}, "rule-based"),
    ],
)
def test_without_a_provider_no_socket_is_opened(
    make: Callable[..., Told],
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    counts: dict[str, int],
    agent: str,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    told = make(**variables)
    told.bash("make")
    told.bash("make test")
    assert enrich(told) == []
    assert told.house.store.jobs.depth() == Depth()
    assert counted(told) == counts
    notices = [each.facts for each in told.house.notices.after(0) if each.topic == "model.result"]
    assert [each["model"] for each in notices] == [agent, agent]
    assert server.asked == []


COUNTERS: list[tuple[dict[str, str], list[Chat], dict[str, int], str | None, int, str]] = [
    # settings, answers, counters, class of the failure, requests, because
    ({}, [said(OBSERVATION)], {"success": 1}, None, 1, "valid"),
    ({}, [said(f"Sure:\n```json\n{json.dumps(OBSERVATION)}\n```")], {"success": 1}, None, 1,
     "fenced"),
    ({}, [said("no idea"), said(OBSERVATION)],
     {"parse_fail": 1, "schema_fail": 1, "success": 1}, None, 2, "no JSON, then repaired"),
    ({}, [said(WRONG), said(OBSERVATION)],
     {"schema_fail": 1, "success": 1}, None, 2, "wrong schema, then repaired"),
    ({}, [said(WRONG)],
     {"schema_fail": 2, "repair_fail": 1, "fallback_used": 1}, "schema", 2, "out of repairs"),
    ({}, [said("no idea")],
     {"parse_fail": 2, "schema_fail": 2, "repair_fail": 1, "fallback_used": 1}, "json_parse", 2,
     "never JSON"),
    ({"CODEXMEM_OPENAI_MAX_REPAIRS": "3"}, [said(WRONG)],
     {"schema_fail": 4, "repair_fail": 1, "fallback_used": 1}, "schema", 4, "three repairs"),
    ({"CODEXMEM_OPENAI_MAX_REPAIRS": "9"}, [said(WRONG)],
     {"schema_fail": 4, "repair_fail": 1, "fallback_used": 1}, "schema", 4, "and no more"),
    ({"CODEXMEM_OPENAI_REPAIR_ENABLED": "false"}, [said(WRONG)],
     {"schema_fail": 1, "repair_fail": 1, "fallback_used": 1}, "schema", 1, "repairs turned off"),
    ({}, [said(WRONG), chats.status(400)],
     {"schema_fail": 1, "repair_fail": 1, "fallback_used": 1}, "processing", 2,
     "the repair cannot be asked for"),
    ({}, [said(None)], {"fallback_used": 1}, "processing", 1, "no text"),
    ({}, [chats.status(429), said(OBSERVATION)], {"success": 1}, None, 2, "too many, once"),
    ({}, [chats.status(429)], {"fallback_used": 1}, "rate_limit", 3, "too many"),
    ({}, [chats.status(500)], {"fallback_used": 1}, "network", 3, "a fault of the server"),
    ({}, [chats.status(401)], {"fallback_used": 1}, "auth", 1, "a wrong key"),
    ({}, [chats.truncated], {"fallback_used": 1}, "network", 3, "cut short"),
    ({}, [lambda _: (200, b'{"choices": [', {})], {"fallback_used": 1}, "json_parse", 1,
     "an answer that is no JSON at all"),
    ({}, [chats.hung_up], {"fallback_used": 1}, "network", 3, "hung up"),
]  # fmt: skip


@promise("codexmem:provider:counters", "codexmem:provider:falls-back")
@pytest.mark.parametrize(
    ("variables", "answers", "counts", "class_", "requests", "because"),
    COUNTERS,
    ids=[row[-1] for row in COUNTERS],
)
def test_every_way_to_answer_is_counted_and_none_stops_the_queue(
    make: Callable[..., Told],
    server: Server,
    variables: dict[str, str],
    answers: list[Chat],
    counts: dict[str, int],
    class_: str | None,
    requests: int,
    because: str,
) -> None:
    told = make(**variables)
    server.script = list(answers)
    told.bash("make")
    enrich(told)
    store = told.house.store
    assert counted(told) == counts
    assert len(server.asked) == requests
    assert [each.state for each in store.jobs.ended(Timing(), limit=None)] == [State.DONE]
    classes = [each.error_class for each in store.jobs.failures(Timing(), limit=None)]
    assert classes == ([class_] if class_ else [])
    is_written = "success" in counts
    assert portrait(told).title == (OBSERVATION["title"] if is_written else "Ran `make`")


@promise("codexmem:provider:falls-back")
def test_a_slow_model_is_not_waited_for(told: Told, server: Server) -> None:
    server.script = [lambda _: (server.released.wait(20), None)[1]]
    told.bash("make")
    assert enrich(told) == [Outcome.OUTAGE]
    (failure,) = told.house.store.jobs.failures(Timing(), limit=None)
    assert failure.error_class == "timeout"
    assert told.house.store.jobs.depth() == Depth()


@promise("codexmem:provider:falls-back")
def test_a_repair_is_told_what_is_wrong(told: Told, server: Server) -> None:
    server.script = [said(WRONG), said(OBSERVATION)]
    told.bash("make")
    enrich(told)
    record = json.loads(server.asked[1]["messages"][1]["content"])
    assert record["validation_errors"] == [
        "type must be one of discovery, change, execution, decision, bugfix"
    ]
    assert json.loads(record["invalid_output"]) == WRONG
    assert record["schema"]["required"] == list(OBSERVATION)


@promise("codexmem:provider:budget")
def test_the_budget_stops_the_model_and_not_the_memory(
    make: Callable[..., Told], server: Server, tmp_path: Path
) -> None:
    told = make(RECOLLECT_DAILY_TOKEN_BUDGET="150")
    for number in range(4):
        told.bash(f"make {number}")
    enrich(told)
    assert len(server.asked) == 2, "100 tokens each, and asked while any are left"
    assert counted(told) == {"success": 2, "fallback_used": 2}
    assert len(told.memories()) == 4
    reading = told.house.reading
    assert reading.told(told.house.store, now=NOW).endswith(
        "200 of 150 tokens today, so rules alone until 0:00 UTC"
    )
    assert reading.told(told.house.store, now=NOW + DAY).endswith("0 of 150 tokens today")


@promise("codexmem:provider:budget")
@pytest.mark.parametrize(("budget", "requests"), [("0", 0), ("none", 2), ("", 2)])
def test_a_budget_may_be_nothing_or_anything(
    make: Callable[..., Told], server: Server, budget: str, requests: int
) -> None:
    told = make(RECOLLECT_DAILY_TOKEN_BUDGET=budget)
    told.bash("make")
    told.bash("make test")
    enrich(told)
    assert len(server.asked) == requests


@promise("codexmem:provider:budget")
def test_repairs_cost_as_well_and_what_nobody_counts_is_estimated(
    told: Told, server: Server
) -> None:
    server.script = [said(WRONG, tokens=None), said(OBSERVATION, tokens=30)]
    told.bash("make")
    enrich(told)
    spent = enrichment.standing(told.house.store, None, now=NOW).spent
    assert 200 < spent - 30 < 2_000


@promise("codexmem:provider:falls-back")
def test_what_is_purged_while_the_model_thinks_stays_purged(told: Told, server: Server) -> None:
    store = told.house.store
    words = grammar.parse("turnip")

    def purge(asked: dict[str, Any]) -> Any:
        retention.purge(store, told.house.reader, Filter(words=words), at=NOW)
        return said({**OBSERVATION, "narrative": "A turnip."})(asked)

    told.tool("Task", tool_input={"description": "Plan", "prompt": "grow a turnip"})
    told.house.catch_up()
    server.script = [purge]
    assert enrich(told) == [Outcome.DONE]
    assert store.portraits.of([memory.id for memory in told.memories()]) == {}


@promise("codexmem:provider:once")
def test_a_claim_that_went_to_another_stores_nothing(told: Told, server: Server) -> None:
    store = told.house.store

    def steal(asked: dict[str, Any]) -> Any:
        with store.transaction():
            store.jobs.release(2**62)
        return said({**OBSERVATION, "title": "Late"})(asked)

    server.script = [steal, chats.well]
    told.bash("make")
    enrich(told)
    assert portrait(told).title == OBSERVATION["title"]
    assert counted(told) == {"success": 1}
    assert len(store.jobs.ended(Timing(), limit=None)) == 1


@promise("codexmem:provider:once", "codexmem:provider:key")
def test_a_worker_killed_while_the_model_thinks_asks_again(tmp_path: Path, server: Server) -> None:
    home = Home(tmp_path)
    variables = {
        "RECOLLECT_EMBEDDER": "none",
        "CODEXMEM_OPENAI_API_KEY": KEY,
        "CODEXMEM_OPENAI_BASE_URL": f"http://127.0.0.1:{server.port}/v1",
        "RECOLLECT_LOG": "debug",
    }
    thinking = threading.Event()

    def think(asked: dict[str, Any]) -> None:
        thinking.set()
        server.released.wait(20)

    server.script = [think, chats.well]
    body = {"contentSessionId": "s1", "tool_name": "Bash", "cwd": "/code/alpha"}
    with home.worker(**variables) as worker:
        home.wait_until_ready()
        home.post(OBSERVATIONS, {**body, "tool_input": {"command": "make"}})
        assert thinking.wait(20)
        worker.kill()
        worker.wait(5)
        logged = worker.stderr.read() if worker.stderr else b""
    with home.worker(**variables) as worker:
        home.wait_until_ready()
        store = SqliteStore(home.store, key=None, clock=lambda: 0)
        deadline = time.monotonic() + 20
        while store.jobs.depth().open:
            assert time.monotonic() < deadline
        (memory,) = store.memories.of_session("s1")
        painted = store.portraits.of([memory.id])[memory.id]
        assert (painted.made_by, painted.portrait.type) == ("gpt-4o-mini", "bugfix")
        assert store.operations.counters("observation.") == {"observation.success": 1}
        assert len(server.asked) == 2
        store.close()
        worker.terminate()
        assert worker.wait(5) == 0
        logged += worker.stderr.read() if worker.stderr else b""
    assert KEY.encode() not in logged
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


MEANT = [
    # set beside HOME                                             asked   because
    ({"OPENAI_API_KEY": KEY}, False, "the general key alone is there for other programs"),
    ({"OPENAI_API_KEY": KEY, "CODEXMEM_PROVIDER": "openai"}, True, "the provider is named"),
    ({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:1"}, True, "so is its place"),
    ({"OPENAI_API_KEY": KEY, "CODEXMEM_OPENAI_MODEL": "m"}, True, "so is its model"),
    ({"CODEXMEM_OPENAI_API_KEY": KEY}, True, "a key of CodexMem's own is meant for this"),
]


@promise("codexmem:provider:meant")
@pytest.mark.parametrize(("variables", "is_asked", "because"), MEANT, ids=last)
def test_a_key_that_others_use_sends_nothing_anywhere(
    tmp_path: Path, variables: dict[str, str], is_asked: bool, because: str
) -> None:
    reading = ModelReading(configuration.load({"HOME": str(tmp_path), **variables}))

    assert reading.is_asked is is_asked


def test_without_the_package_rules_go_on_and_status_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    settings = configuration.load({"HOME": str(tmp_path), "CODEXMEM_OPENAI_API_KEY": KEY})
    reading = ModelReading(settings)
    assert not reading.is_asked
    store = SqliteStore(str(tmp_path / "r.db"), key=None, clock=lambda: NOW)
    assert 'pip install "recollect[llm]"' in reading.told(store, now=NOW)
    store.close()


@promise("codexmem:provider:key")
def test_status_says_who_reads_and_no_key(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.run("mark", "x")
    status = home.run("status", OPENAI_API_KEY=KEY, CODEXMEM_PROVIDER="openai").stdout
    assert "rules, then gpt-4o-mini at https://api.openai.com/v1; 0 of 1000000 tokens" in status
    assert KEY not in status
    url = f"https://me:{KEY}@host/v1?key={KEY}"
    status = home.run("status", OPENAI_API_KEY=KEY, OPENAI_BASE_URL=url).stdout
    assert "at https://host/v1;" in status
    assert KEY not in status
    assert "read by — rules alone (no provider has a key)" in home.run("status").stdout
