"""Commands that move memories in bulk: `import`, `export`."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import IO, TextIO

from recollect import wiring
from recollect.cli import here
from recollect.cli.front import command, parser, settings_of
from recollect.model.errors import InvalidArgument
from recollect.model.scope import project_named
from recollect.service import records, transfer
from recollect.service.records import Record

BATCH = 1_000
MOST_BYTES = 64 * 1024 * 1024
"""Of lines that wait together: those of frames hold images."""
MOST_SHOWN = 20
"""Rejects that are told one by one; the rest is counted, and all are in `--rejects`."""
BLANK = b" \t\r\n\xef\xbb\xbf"
"""A line of nothing else says nothing; the last three are what some editors begin a file with."""
PACE = 0.2
"""Seconds between two looks of the progress line."""


@command
def import_(argv: list[str]) -> int:
    flags = parser("import", "Bring memories from a file, one JSON object a line.")
    flags.add_argument("file", metavar="FILE.jsonl", help="- for standard input")
    flags.add_argument(
        "--project", type=project_named, help="of lines that name none, instead of this folder's"
    )
    flags.add_argument("--map", metavar="FILE", help="write which id each line's id became")
    flags.add_argument("--rejects", metavar="FILE", help="write the lines that were refused")
    args = flags.parse_args(argv)
    settings = settings_of(args)
    project = args.project or here.current_project(settings)
    with _opened(args.file) as file, _written(args.map) as mapped, _written(args.rejects) as bad:
        house = wiring.open_house(settings)
        house.catch_up()
        importing = _Importing(house, project, mapped, bad, _Progress(_size(file)))
        importing.run(file)
        house.close()
    return importing.told()


@command
def export(argv: list[str]) -> int:
    flags = parser("export", "Write every memory, one JSON object a line; import reads it again.")
    flags.add_argument("--project", type=project_named, help="only this project's")
    flags.add_argument("--output", metavar="FILE", help="instead of standard output")
    args = flags.parse_args(argv)
    house = wiring.open_existing(settings_of(args))
    house.catch_up()
    count = 0
    with _written(args.output) as named:
        out = named or sys.stdout
        for line in transfer.lines(house.store, project=args.project):
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    house.close()
    print(f"recollect: exported {count} memories", file=sys.stderr)
    return 0


@dataclass
class _Importing:
    """One run over a file: what was read, kept, known and refused."""

    house: wiring.House
    project: str
    mapped: TextIO | None
    bad: TextIO | None
    progress: _Progress
    new: int = 0
    known: int = 0
    refused: int = 0
    _waiting: list[Record] = field(default_factory=list)
    _bytes: int = 0

    def run(self, file: IO[bytes]) -> None:
        rules = lru_cache(64)(self.house.rules_for)
        read = partial(records.read, project=self.project, now=self.house.clock())
        for number, line in enumerate(file, 1):
            if not line.strip(BLANK):
                continue
            try:
                found = _parsed(line)
                self._waiting.append(read(found, rules=rules(_project_of(found, self.project))))
            except InvalidArgument as error:
                self._refuse(number, line, error)
            self._bytes += len(line)
            if len(self._waiting) >= BATCH or self._bytes >= MOST_BYTES:
                self._keep()
            self.progress.show(len(line), self.new + self.known, self.refused)
        self._keep()
        self.progress.show(0, self.new + self.known, self.refused, is_last=True)
        self.progress.end()

    def told(self) -> int:
        """The counts, for people; 1 when a line was refused."""
        total = self.new + self.known + self.refused
        counts = f"{self.new} new, {self.known} known already, {self.refused} refused"
        print(f"recollect: {total} lines: {counts}", file=sys.stderr)
        if self.refused > MOST_SHOWN and self.bad is None:
            print("recollect: --rejects FILE writes all of them to a file", file=sys.stderr)
        return 1 if self.refused else 0

    def _keep(self) -> None:
        if not self._waiting:
            return
        brought = transfer.bring(self.house.store, self._waiting, new_id=wiring.new_id)
        self.new += brought.new
        self.known += brought.known
        self._waiting.clear()
        self._bytes = 0
        if self.mapped is not None:
            for key, memory_id in brought.ids:
                self.mapped.write(json.dumps({"id": key, "memory_id": memory_id}) + "\n")

    def _refuse(self, number: int, line: bytes, error: InvalidArgument) -> None:
        self.refused += 1
        if self.refused <= MOST_SHOWN:
            self.progress.end()
            print(f"recollect: line {number}: {error}", file=sys.stderr)
        if self.bad is not None:
            text = line.decode("utf-8", "replace").rstrip("\n")
            refusal = {"line": number, "reason": str(error), "text": text}
            self.bad.write(json.dumps(refusal, ensure_ascii=False) + "\n")


class _Progress:
    """A line that is written over itself, for people who watch; nothing in a file or a pipe."""

    def __init__(self, size: int | None) -> None:
        self._size = size
        self._done = 0
        self._shown_at = 0.0
        self._is_watched = sys.stderr.isatty()

    def show(self, read: int, kept: int, refused: int, *, is_last: bool = False) -> None:
        self._done += read
        now = time.monotonic()
        if not self._is_watched or (now - self._shown_at < PACE and not is_last):
            return
        self._shown_at = now
        share = "" if not self._size else f"{min(self._done / self._size, 1):4.0%} "
        bar = "" if not self._size else _bar(self._done / self._size)
        print(f"\r{bar}{share}{kept} kept, {refused} refused", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown_at:
            print(file=sys.stderr)
            self._shown_at = 0.0


def _bar(share: float, width: int = 24) -> str:
    full = round(min(share, 1) * width)
    return f"[{'#' * full}{'.' * (width - full)}] "


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidArgument("the line", "is not UTF-8") from error
    except json.JSONDecodeError as error:
        problem = f"is not JSON: {error.msg.lower()} at character {error.pos + 1}"
        raise InvalidArgument("the line", problem) from error
    except ValueError as error:
        raise InvalidArgument("the line", "holds a number with too many digits") from error
    except RecursionError as error:
        raise InvalidArgument("the line", "is nested too deeply") from error


def _project_of(line: object, default: str) -> str:
    """Whose privacy rules a line is read by, before it is known to be well-formed."""
    named = line.get("project") if isinstance(line, dict) else None
    return project_named(named) if isinstance(named, str) and named.strip() else default


def _opened(path: str) -> contextlib.AbstractContextManager[IO[bytes]]:
    if path == "-":
        return contextlib.nullcontext(sys.stdin.buffer)
    try:
        return open(path, "rb")
    except OSError as error:
        raise InvalidArgument(path, f"cannot be read: {error.strerror}") from error


def _written(path: str | None) -> contextlib.AbstractContextManager[TextIO | None]:
    if path is None:
        return contextlib.nullcontext()
    try:
        return open(path, "w", encoding="utf-8")
    except OSError as error:
        raise InvalidArgument(path, f"cannot be written: {error.strerror}") from error


def _size(file: IO[bytes]) -> int | None:
    try:
        return os.fstat(file.fileno()).st_size or None
    except (OSError, ValueError):
        return None  # a pipe: there is no telling how long it is
