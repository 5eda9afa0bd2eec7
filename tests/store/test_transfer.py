"""In and out in bulk: what comes in once is there once, and what goes out comes back."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promises import last, promise
from recollect.model.fact import CATEGORIES, public_id
from recollect.model.memory import Kind, Origin
from recollect.privacy.clean import Rules
from recollect.service import fields, records, transfer
from recollect.service.transfer import Brought
from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore
from store.conftest import NOW
from store.drafts import draft, put

Line = dict[str, Any]
_numbers = itertools.count(1)


def new_id() -> str:
    return public_id(next(_numbers).to_bytes(16, "big"))


def bring(store: Store, *lines: Mapping[str, object]) -> Brought:
    read = [
        records.read(json.loads(json.dumps(line)), rules=Rules(), project="here", now=NOW)
        for line in lines
    ]
    return transfer.bring(store, read, new_id=new_id)


def exported(store: Store, project: str | None = None) -> list[Line]:
    return json.loads(json.dumps(list(transfer.lines(store, project=project)), allow_nan=False))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return tmp_path_factory


def fresh(folder: pytest.TempPathFactory) -> SqliteStore:
    return SqliteStore(str(folder.mktemp("transfer") / "r.db"), key=None, clock=lambda: NOW)


WORDY = st.text(max_size=30).map(lambda text: text if text.strip() else f"{text}x")
NAMES = st.none() | st.integers(0, 10**9) | WORDY
LABELS = st.none() | st.lists(WORDY, max_size=4)
TIMES = st.integers(fields.EARLIEST, -fields.EARLIEST_IN_MS) | st.integers(
    fields.EARLIEST_IN_MS, fields.LATEST
)
DETAIL = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
OWN = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from([each.value for each in Kind]),
        "origin": st.sampled_from([each.value for each in Origin]),
        "source_event": WORDY,
        "tool_name": WORDY,
        "file_path": WORDY,
        "retired_at": TIMES,
        "detail": st.dictionaries(st.text(max_size=5), DETAIL, max_size=3),
    },
)
LINES = st.lists(
    st.fixed_dictionaries(
        {"text": WORDY},
        optional={
            "id": WORDY | st.integers(),
            "kind": st.sampled_from([*records.KINDS, "decision", "colour", None]),
            "title": st.none() | st.text(max_size=20),
            "project": NAMES,
            "session": NAMES,
            "speaker": NAMES,
            "created_at": st.none() | TIMES,
            "tags": LABELS,
            "files": LABELS,
            "concepts": LABELS,
            "subject": NAMES,
            "category": st.none() | st.sampled_from(CATEGORIES),
            "confidence": st.none() | st.floats(0, 1),
            "pinned": st.none() | st.booleans(),
            "recollect": OWN,
        },
    ),
    min_size=1,
    max_size=10,
)


@promise("search:transfer:round-trip")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(lines=LINES)
def test_what_is_exported_imports_back_to_the_same_memories(
    folder: pytest.TempPathFactory, lines: list[Line]
) -> None:
    store, other = fresh(folder), fresh(folder)
    bring(store, *(line for line in lines if mendable(line)))
    before = exported(store)

    bring(other, *before)

    assert exported(other) == before
    assert bring(store, *before).new == bring(other, *before).new == 0
    assert exported(store) == before
    store.close()
    other.close()


def mendable(line: Line) -> bool:
    """A text that is nothing but what is taken out is refused, which is not asked here."""
    try:
        records.read(line, rules=Rules(), project="here", now=NOW)
    except Exception:  # noqa: BLE001 - told by another test
        return False
    return True


def test_a_store_of_our_own_comes_back_whole(folder: pytest.TempPathFactory) -> None:
    store, other = fresh(folder), fresh(folder)
    put(
        store,
        draft("why?", kind=Kind.PROMPT, type="user_prompt", origin=Origin.USER),
        draft("make", tool_name="Bash", detail={"exit_code": 0, "ok": [True, None, 1.5]}),
        draft("edit", file_path="/a b/ä.py", files=("/c.py",), tags=("x", "y"), is_pinned=True),
        draft("gone", session_id=None, created_at=-5),
    )
    with store.transaction():
        store.memories.retire(4, at=NOW)
    before = exported(store)

    assert bring(other, *before).new == 4

    assert exported(other) == before
    assert [line["recollect"].get("retired_at") for line in before][-1] is not None
    brought = {each.text: each for each in other.memories.get(range(1, 9))}
    assert brought["make"].detail == {"exit_code": 0, "ok": [True, None, 1.5]}
    assert brought["make"].prompt_id == brought["why?"].id, "who asked is found by the session"
    assert brought["edit"].origin is Origin.TOOL
    assert bring(store, *before).new == 0, "a store knows its own"
    store.close()
    other.close()


def test_a_confidence_of_nothing_stays_nothing(store: Store) -> None:
    bring(store, {"text": "x", "subject": "Emma", "confidence": 0})

    (line,) = exported(store)
    assert line["confidence"] == 0


KNOWN: list[tuple[list[Line], int, str]] = [
    ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], 1, "one id is one memory"),
    ([{"id": 1, "text": "x"}, {"id": "1", "text": "y"}], 1, "as a number or as a text"),
    ([{"id": "a", "text": "x"}, {"id": "b", "text": "x"}], 2, "two ids are two"),
    ([{"text": "x"}, {"text": "x"}], 1, "the same line is the same memory"),
    ([{"text": "x"}, {"text": "x", "created_at": 1}], 2, "at another time it is not"),
    ([{"text": "x"}, {"text": "x", "tags": ["a"]}], 2, "nor with another tag"),
    ([{"id": "n" * 200 + "", "text": "x"}, {"id": "n" * 199, "text": "x"}], 2, "long ids differ"),
]


@promise("search:transfer:once")
@pytest.mark.parametrize(("lines", "count", "because"), KNOWN, ids=last)
def test_a_line_comes_in_once(
    store: Store, lines: Sequence[Line], count: int, because: str
) -> None:
    together = bring(store, *lines)
    again = bring(store, *lines)

    assert (together.new, together.known) == (count, len(lines) - count)
    assert (again.new, again.known) == (0, len(lines))
    assert together.ids == again.ids
    assert len(exported(store)) == count


def test_ids_that_only_look_like_ours_are_strangers(store: Store) -> None:
    (kept,) = put(store, draft("ours"))
    own = store.transfers.own_id()
    strange = [f"{own}-{tail}" for tail in ("0", "01", "-1", "x", "9" * 40, "٣", "²", "7")]

    brought = bring(store, *({"id": id_, "text": id_} for id_ in (f"{own}-{kept.id}", *strange)))

    assert brought.known == 1
    assert brought.new == len(strange)
    assert dict(brought.ids)[f"{own}-{kept.id}"] == kept.id


def test_a_batch_comes_in_whole_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store.transfers, "note", None)
    with pytest.raises(TypeError):
        bring(store, {"id": "a", "text": "x"}, {"id": "b", "text": "y"})

    assert exported(store) == []


def test_facts_that_say_the_same_are_kept_both(store: Store) -> None:
    same = {"text": "likes tea", "subject": "Emma", "category": "preference"}
    public = {"recollect": {"public_id": "mem_abcdefghijkl"}}
    bring(store, {"id": "a", **same, **public}, {"id": "b", **same, **public})

    one, other = exported(store)
    assert one["recollect"]["public_id"] == "mem_abcdefghijkl"
    assert other["recollect"]["public_id"] != "mem_abcdefghijkl", "a published id is one memory's"
    assert one["text"] == other["text"]


def test_a_project_goes_out_alone_and_pages_hide_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "PAGE", 3)
    bring(store, *({"text": f"{n}", "project": "ab"[n % 2]} for n in range(10)))

    assert [line["text"] for line in exported(store)] == [str(n) for n in range(10)]
    assert [line["text"] for line in exported(store, "b")] == ["1", "3", "5", "7", "9"]
    assert exported(store, "c") == []
