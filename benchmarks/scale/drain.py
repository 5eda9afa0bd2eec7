"""The way of an event from the hook into the store: appended, then drained, in events a second.

Beside the appending, what the disk takes for the same two syncs; beside the draining, the same
texts put into plain FTS5 in transactions of the same size.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from itertools import count, cycle

from benchmarks.durability import victims
from benchmarks.home import Home, throwaway
from benchmarks.report import Cell, Report, run
from benchmarks.sampling import Sample, interleaved, milliseconds
from benchmarks.scale.plain import Plain
from benchmarks.scale.texts import Text, texts
from recollect import wiring
from recollect.capture import spool
from recollect.model.memory import Type
from recollect.worker.drain import BATCH

ENTRIES = 10_000
APPENDED = 1_000
LOOKS = 100
SYNCED = 1_000
"""So many of the entries are drained from a disk that they were synced to."""
KEY = "5e" * 32
NOW = 1_795_000_000_000


def measure(report: Report, args: argparse.Namespace) -> None:
    made = list(texts(1, args.entries, now=NOW))
    sealing = {"plain": {}, "sealed": {"RECOLLECT_KEY": KEY}}
    for name, extra in sealing.items():
        with throwaway(**extra) as home:
            home.adopt()
            for is_synced in (True, False):
                some = made[:SYNCED] if is_synced else made
                _capture(some, is_synced=is_synced)
                what: dict[str, Cell] = {"entries": name, "on_disk": is_synced}
                report.add("drained", {**what, **_drained(home, some)})
            report.add("appended with fsync", {"entries": name, **_appended(home, made)})
            for look, sample in _looks(home).items():
                row: dict[str, Cell] = {"entries": name, "what": look, "runs": len(sample)}
                row |= {"p50_ms": milliseconds(sample.median)}
                row |= {"p95_ms": milliseconds(sample.percentile(95))}
                report.add("a door catches up", row)


def _capture(made: Sequence[Text], *, is_synced: bool = False) -> None:
    """By the hook itself, in a copy of this process.

    Without syncs that is quick, and so is the draining, where removing a file is cheap as long as
    it never reached the disk: what the disk costs is the difference between the two.
    """

    def hooks() -> int:
        if not is_synced:
            os.fsync = lambda fd: None  # noqa: ARG005 - the name is part of the type
        return sum(victims.hook(json.dumps(_host(text)).encode())() for text in made)

    assert os.waitpid(victims.fork(hooks), 0)[1] == 0


def _host(text: Text) -> dict[str, object]:
    head = {"session_id": text.session_id, "cwd": f"/work/{text.project}"}
    if text.type is Type.USER_PROMPT:
        return {**head, "hook_event_name": "UserPromptSubmit", "prompt": text.text}
    tools: dict[Type, tuple[str, dict[str, object]]] = {
        Type.FILE_READ: ("Read", {"file_path": text.file_path}),
        Type.FILE_EDIT: ("Edit", {"file_path": text.file_path, "new_string": text.text}),
        Type.SEARCH: ("Grep", {"pattern": text.text, "path": text.file_path}),
        Type.MCP_CALL: ("mcp__shop__lookup", {"query": text.text}),
    }
    tool, given = tools.get(text.type, ("Bash", {"command": text.text}))
    return {
        **head,
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_use_id": f"use-{text.number}",
        "tool_input": given,
        "tool_response": {"stdout": text.text, "stderr": ""},
    }


def _appended(home: Home, made: Sequence[Text]) -> dict[str, Cell]:
    """In turns with the same bytes written and synced the same way, without a spool around."""
    _capture(made[:APPENDED])
    folder = home.settings.spool_dir
    blobs = cycle([spool.read(folder, name) for name in spool.waiting(folder)])
    bare = str(home.folder / "bare")
    os.makedirs(bare)
    numbers = count()
    sample = interleaved(
        {
            "spool": lambda: spool.append(folder, next(blobs)),
            "bare": lambda: _write_synced(bare, next(numbers), next(blobs)),
        },
        APPENDED,
    )
    home.empty()
    ours, disk = sample["spool"], sample["bare"]
    return {
        "runs": len(ours),
        "p50_ms": milliseconds(ours.median),
        "p99_ms": milliseconds(ours.percentile(99)),
        "per_s": round(len(ours) / sum(ours.seconds)),
        "disk_p50_ms": milliseconds(disk.median),
        "disk_p99_ms": milliseconds(disk.percentile(99)),
        "times_disk": round(ours.median / disk.median, 2),
    }


def _write_synced(folder: str, number: int, blob: bytes) -> None:
    descriptor = os.open(os.path.join(folder, str(number)), os.O_WRONLY | os.O_CREAT)
    os.write(descriptor, blob)
    os.fsync(descriptor)
    os.close(descriptor)
    above = os.open(folder, os.O_RDONLY)
    os.fsync(above)
    os.close(above)


def _drained(home: Home, made: Sequence[Text]) -> dict[str, Cell]:
    house = wiring.open_house(home.settings)
    began = time.perf_counter()
    stored = house.catch_up()
    seconds = time.perf_counter() - began
    assert stored == len(made)
    house.close()
    plain = Plain(str(home.folder / "plain.db"))
    began = time.perf_counter()
    for start in range(0, len(made), BATCH):
        plain.add(made[start : start + BATCH])
    baseline = time.perf_counter() - began
    plain.close()
    home.empty()
    os.remove(plain.path)
    return {
        "events": stored,
        "events_per_s": round(stored / seconds),
        "plain_rows_per_s": round(len(made) / baseline),
        "times_plain": round(seconds / baseline, 1),
    }


def _looks(home: Home) -> dict[str, Sample]:
    """What a door pays before it answers: with nothing in the spool, and with one new event."""
    house = wiring.open_house(home.settings)
    taken = Sample()
    for text in texts(1, LOOKS, now=NOW):
        _capture([text], is_synced=True)
        began = time.perf_counter()
        house.catch_up()
        taken.seconds.append(time.perf_counter() - began)
    looks = interleaved({"nothing waits": house.catch_up}, 500)
    house.close()
    return {**looks, "one event waits": taken}


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    return run("drain", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
