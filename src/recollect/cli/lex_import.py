"""`recollect lex import`: frames from an export, or from a database of the published product."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

from recollect import wiring
from recollect.cli import here
from recollect.dialects.lex.bringing import bring
from recollect.model.errors import InvalidArgument, InvalidRequest
from recollect.settings import Settings
from recollect.wiring.desks import AT_HOME, desk_of_client

MAGIC = b"SQLite format 3\0"
MOST_SHOWN = 20
"""Refusals that are told one by one; the rest is counted."""


def import_(args: argparse.Namespace, settings: Settings) -> int:
    project = args.project or here.current_project(settings, "lex")
    new = known = refused = 0
    with ExitStack() as open_:
        house = wiring.open_house(settings)
        open_.callback(house.close)
        house.catch_up()
        desk = desk_of_client(house, project, AT_HOME)
        for number, record in enumerate(_records(args.file), 1):
            try:
                is_new = bring(desk, record if isinstance(record, Mapping) else {})
            except InvalidRequest as error:
                refused += 1
                if refused <= MOST_SHOWN:
                    print(f"recollect: frame {number}: {error.message}", file=sys.stderr)
            else:
                new, known = new + is_new, known + (not is_new)
    told = f"{new} new, {known} known already, {refused} refused"
    print(f"recollect: {new + known + refused} frames: {told}", file=sys.stderr)
    return 1 if refused else 0


def _records(path: str) -> Iterator[object]:
    try:
        with open(path, "rb") as file:
            start = file.read(len(MAGIC))
    except OSError as error:
        raise InvalidArgument(path, f"cannot be read: {error.strerror}") from error
    if start == MAGIC:
        return wiring.lex_frames(path)
    return _array(path) if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[") else _lines(path)


def _array(path: str) -> Iterator[object]:
    with open(path, "rb") as file:
        found = _read(path, file.read())
    assert isinstance(found, list), "it begins as one"
    yield from found


def _lines(path: str) -> Iterator[object]:
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _read(f"{path}: line {number}", line)


def _read(place: str, text: bytes) -> object:
    try:
        return json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(place, "is not JSON in UTF-8") from error
