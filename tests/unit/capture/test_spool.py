"""The spool's one promise: what was acknowledged is on disk, whatever happens next."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from power import Disk, PowerCut
from recollect.capture import spool
from recollect.model.errors import StoreError, StoreFull

ANY_TIME = itertools.count(1_700_000_000_000_000_000)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "home" / "recollect.db-spool")


def contents(folder: str) -> list[bytes]:
    return [spool.read(folder, name) for name in spool.waiting(folder)]


def ticking(*moments: int) -> Iterator[int]:
    return iter(moments)


def test_an_entry_waits_until_it_is_done(folder: str) -> None:
    path = spool.append(folder, b"one")
    assert contents(folder) == [b"one"]
    name = os.path.basename(path)
    spool.done(folder, name)
    spool.done(folder, name)  # a second drain finds it gone, which is fine
    assert spool.waiting(folder) == []


def test_a_spool_that_was_never_written_is_empty(folder: str) -> None:
    assert (spool.waiting(folder), spool.stale(folder), spool.quarantined(folder)) == ([], [], [])
    assert not os.path.exists(folder)


def test_a_spool_that_cannot_be_read_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "spool").write_text("not a folder")

    with pytest.raises(StoreFull, match="the spool cannot be read: Not a directory"):
        spool.waiting(str(tmp_path / "spool"))


def test_entries_wait_in_the_order_of_time(folder: str) -> None:
    moments = ticking(9, 10, 100_000_000_000_000_000, 11)
    for text in (b"first", b"second", b"last", b"third"):
        spool.append(folder, text, clock=moments.__next__)
    assert contents(folder) == [b"first", b"second", b"third", b"last"]


def test_entries_of_one_moment_do_not_collide(folder: str) -> None:
    for _ in range(100):
        spool.append(folder, b"same", clock=lambda: 1)
    assert len(spool.waiting(folder)) == 100


def test_only_the_user_can_look_in(folder: str) -> None:
    path = spool.append(folder, b"one")
    modes = [stat.S_IMODE(os.stat(p).st_mode) for p in (os.path.dirname(folder), folder, path)]
    assert modes == [0o700, 0o700, 0o600]


def test_a_long_entry_is_whole_though_the_disk_takes_it_in_pieces(tmp_path: Path) -> None:
    blob = os.urandom(100_000)
    spool.append(str(tmp_path / "spool"), blob, files=Disk(tmp_path))
    assert contents(str(tmp_path / "spool")) == [blob]


def test_threads_and_drains_at_once_lose_and_double_nothing(folder: str) -> None:
    written = [f"{writer}-{number}".encode() for writer in range(4) for number in range(25)]
    taken: list[bytes] = []
    stop = threading.Event()

    def drain() -> None:
        while True:
            is_last = stop.is_set()
            with spool.drain_lock(folder) as lock:
                for name in spool.waiting(folder) if lock.is_held else ():
                    taken.append(spool.read(folder, name))
                    spool.done(folder, name)
            if is_last:
                return

    def write(mine: list[bytes]) -> None:
        for blob in mine:
            spool.append(folder, blob)

    writers = [threading.Thread(target=write, args=(written[i::4],)) for i in range(4)]
    drains = [threading.Thread(target=drain) for _ in range(2)]
    for thread in writers + drains:
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in drains:
        thread.join()
    assert sorted(taken) == sorted(written)


# What may happen to an append: it succeeds, the power fails at some step, the disk refuses a step.
FATES = st.tuples(
    st.sampled_from(["ends well", "power cut", "no space", "read-only", "broken"]),
    st.integers(min_value=0, max_value=12),
)
ERRORS = {"no space": errno.ENOSPC, "read-only": errno.EROFS, "broken": errno.EIO}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(FATES, st.booleans()), max_size=8))
def test_what_was_acknowledged_survives_every_power_cut(
    story: list[tuple[tuple[str, int], bool]],
) -> None:
    """Random appends, each ending well or badly, perhaps a drain of the oldest, then the dark."""
    with tempfile.TemporaryDirectory() as top:
        disk = Disk(Path(top))
        folder = os.path.join(top, "home", "spool")
        acknowledged: set[bytes] = set()
        tried: set[bytes] = set()
        drained: set[bytes] = set()
        for number, ((fate, step), is_drained) in enumerate(story):
            blob = f"event {number} ".encode() * 20
            tried.add(blob)
            disk.steps = None if fate == "ends well" else step
            disk.error = ERRORS.get(fate)
            try:
                spool.append(folder, blob, files=disk, clock=ANY_TIME.__next__)
                acknowledged.add(blob)
            except StoreError:
                assert disk.error is not None
            except PowerCut:
                disk.lose_power()
            disk.steps = None
            if is_drained and (names := spool.waiting(folder)):
                drained.add(spool.read(folder, names[0]))
                spool.done(folder, names[0], files=disk)
        disk.lose_power()
        left = contents(folder)
        assert acknowledged - drained <= set(left), "an acknowledged entry is lost"
        assert set(left) <= tried, "an entry is torn"
        assert len(left) == len(set(left)), "an entry is doubled"


SLOPPY = [
    # method to leave out      because
    ("sync", "the bytes would be lost"),
    ("sync_folder", "the name would be lost"),
]


@pytest.mark.parametrize(("method", "because"), SLOPPY, ids=[row[-1] for row in SLOPPY])
def test_the_proof_above_would_notice_a_sync_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, because: str
) -> None:
    monkeypatch.setattr(Disk, method, lambda *_: None)
    disk = Disk(tmp_path)
    spool.append(str(tmp_path / "spool"), b"acknowledged", files=disk)
    disk.lose_power()
    assert contents(str(tmp_path / "spool")) != [b"acknowledged"]


STEPS = 5
"""Create, write one byte, sync it, rename, sync the folder."""

REFUSALS = [
    # errno          error        words
    (errno.ENOSPC, StoreFull, "No space left on device"),
    (errno.EROFS, StoreFull, "Read-only file system"),
    (errno.EACCES, StoreFull, "Permission denied"),
    (errno.EIO, StoreError, "Input/output error"),
]


@pytest.mark.parametrize(("number", "kind", "words"), REFUSALS, ids=[row[-1] for row in REFUSALS])
def test_a_disk_that_refuses_is_named_at_every_step_and_nothing_half_written_stays(
    tmp_path: Path, number: int, kind: type[StoreError], words: str
) -> None:
    folder = str(tmp_path / "spool")
    spool.append(folder, b"before")
    for step in range(STEPS):
        with pytest.raises(StoreError) as refusal:
            spool.append(folder, b"x", files=Disk(tmp_path, steps=step, error=number))
        assert type(refusal.value) is kind
        assert refusal.value.message == f"the event could not be kept: {words} ({folder})"
        assert not [name for name in os.listdir(folder) if name.endswith(".tmp")]
    spool.append(folder, b"x", files=Disk(tmp_path, steps=STEPS, error=number))


def test_an_entry_set_aside_keeps_its_text_and_says_why(folder: str) -> None:
    name = os.path.basename(spool.append(folder, b"strange"))
    spool.quarantine(folder, name, "its kind is unknown")
    spool.quarantine(folder, name, "a second drain was slower")
    assert spool.waiting(folder) == []
    assert spool.quarantined(folder) == [(name, "its kind is unknown")]
    assert Path(folder, "quarantine", name).read_bytes() == b"strange"


def test_what_was_set_aside_can_wait_again(folder: str) -> None:
    names = [os.path.basename(spool.append(folder, blob)) for blob in (b"one", b"two")]
    for name in names:
        spool.quarantine(folder, name, "no reason")
    assert spool.requeue(folder) == 2
    assert spool.requeue(folder) == 0
    assert contents(folder) == [b"one", b"two"]
    assert spool.quarantined(folder) == []
    assert os.listdir(os.path.join(folder, "quarantine")) == ["ready"]


@settings(max_examples=30, deadline=None)
@given(st.integers(min_value=0, max_value=8))
def test_setting_aside_loses_nothing_wherever_the_power_fails(step: int) -> None:
    with tempfile.TemporaryDirectory() as top:
        folder = os.path.join(top, "spool")
        disk = Disk(Path(top))
        name = os.path.basename(spool.append(folder, b"strange", files=disk))
        disk.steps = step
        with contextlib.suppress(PowerCut):
            spool.quarantine(folder, name, "why", files=disk)
        disk.lose_power()
        found = contents(folder) + contents(os.path.join(folder, "quarantine"))
        assert b"strange" in found


def test_an_entry_can_be_replaced_by_its_sealed_form(folder: str) -> None:
    name = os.path.basename(spool.append(folder, b"plain"))
    spool.replace(folder, name, b"sealed")
    assert contents(folder) == [b"sealed"]
    assert spool.waiting(folder) == [name]


def test_unfinished_writings_do_not_wait_and_are_shown_after_an_hour(folder: str) -> None:
    spool.append(folder, b"one")
    unfinished = Path(folder, "00000000000000000001-1-aa.json.tmp")
    unfinished.write_bytes(b"{")
    begun = unfinished.stat().st_mtime
    assert len(spool.waiting(folder)) == 1
    assert spool.stale(folder, now=begun + 3599) == []
    assert spool.stale(folder, now=begun + 3601) == [unfinished.name]


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "a/b.json", "notes.txt", ""])
def test_a_name_that_is_no_entry_never_reaches_the_disk(folder: str, name: str) -> None:
    for use in (spool.read, spool.done):
        with pytest.raises(ValueError, match="not the name of a spool entry"):
            use(folder, name)


def test_a_second_drain_waits_a_while_and_then_goes_on(folder: str) -> None:
    spool.append(folder, b"one")
    with spool.drain_lock(folder) as first:
        began = time.monotonic()
        with spool.drain_lock(folder, wait=0.05) as second:
            took = time.monotonic() - began
        assert (first.is_held, second.is_held) == (True, False)
        assert 0.05 <= took < 5
    with spool.drain_lock(folder, wait=0) as third:
        assert third.is_held


def test_a_drain_of_a_spool_that_is_not_there_needs_no_lock(folder: str) -> None:
    with spool.drain_lock(folder) as lock:
        assert not lock.is_held
    assert not os.path.exists(folder)
