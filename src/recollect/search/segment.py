"""Segments of the ranking index: made from tallies, merged, cleaned of what is dead, and read.

Numbers are little-endian on every machine, so that a store can be carried from one to another.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.model.memory import Kind
from recollect.search.catalogue import KINDS, NONE, Columns, Integers, Longs, Names
from recollect.search.packed import Part, Postings, Segment
from recollect.search.terms import Tally

_ID = np.dtype("<i8")
_PLACE = np.dtype("<u2")
_COUNT = np.dtype("u1")
_LAYOUT = (
    ("created_at", np.dtype("<i8")),
    ("project", np.dtype("<i4")),
    ("session", np.dtype("<i4")),
    ("speaker", np.dtype("<i4")),
    ("type", np.dtype("<i4")),
    ("kind", np.dtype("<i4")),
    ("lengths", np.dtype("<i4")),
    ("has_time", np.dtype("u1")),
)
"""The columns of a segment, one after the other."""
_NAMES = ("project", "session", "speaker", "type")
"""Those that hold codes of names. So does the kind, but only here."""

_CODE_OF_KIND = dict(zip((kind.value for kind in KINDS), range(len(KINDS)), strict=True))


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory as it enters the index."""

    id: int
    created_at: int
    project: str
    session: str | None
    speaker: str | None
    type: str
    kind: str
    tally: Tally


def columns_of(entries: Sequence[Entry], names: Names) -> Columns:
    """Entries ascending by id."""
    return Columns(
        ids=np.array([each.id for each in entries], np.int64),
        created_at=np.array([each.created_at for each in entries], np.int64),
        project=np.array([names.keep(each.project) for each in entries], np.int32),
        session=np.array([names.keep(each.session) for each in entries], np.int32),
        speaker=np.array([names.keep(each.speaker) for each in entries], np.int32),
        type=np.array([names.keep(each.type) for each in entries], np.int32),
        kind=np.array([KINDS.index(Kind(each.kind)) for each in entries], np.int8),
        has_time=np.array([each.tally.has_time for each in entries], np.bool_),
        lengths=np.array([each.tally.length for each in entries], np.int32),
    )


class Gathering:
    """Entries on their way into a segment, at most `LARGEST`; of the same memory the last counts.

    Terms are numbers from the first: the tallies of thousands of memories would take ten times as
    much, and what Python has taken once stays with the process.
    """

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._gathered: dict[int, _Gathered] = {}
        self.terms = 0
        """How many were added, those of former entries as well."""

    def add(self, entry: Entry) -> None:
        counts, codes = entry.tally.counts, self._codes
        self._gathered[entry.id] = _Gathered(
            replace(entry, tally=replace(entry.tally, counts={})),
            array("i", [codes.setdefault(term, len(codes)) for term in counts]),
            bytes(counts.values()),
        )
        self.terms += len(counts)

    def __len__(self) -> int:
        return len(self._gathered)

    def packed(self) -> tuple[Segment, list[Postings]]:
        gathered = [self._gathered[id_] for id_ in sorted(self._gathered)]
        names = Names()
        segment = _segment(columns_of([each.entry for each in gathered], names), names)
        terms = np.frombuffer(b"".join(each.terms for each in gathered), np.intc)
        places = np.repeat(
            np.arange(len(gathered), dtype=_PLACE), [len(each.terms) for each in gathered]
        )
        counts = np.frombuffer(b"".join(each.counts for each in gathered), _COUNT)
        return segment, _postings(list(self._codes), terms, places, counts)


@dataclass(frozen=True, slots=True)
class _Gathered:
    """An entry without the terms of its tally, and these by number."""

    entry: Entry
    terms: array[int]
    counts: bytes


def merged(parts: Sequence[Part]) -> tuple[Segment, list[Postings]]:
    """One segment of all that is alive in the parts."""
    names = Names()
    gathered = [columns(part.segment, names) for part in parts]
    alive = [_alive(part) for part in parts]
    ids = np.concatenate([each.ids[is_in] for each, is_in in zip(gathered, alive, strict=True)])
    order = np.argsort(ids, kind="stable")
    new_places = np.empty(len(ids), np.int64)
    new_places[order] = np.arange(len(ids))
    segment = _segment(_chosen(gathered, alive, order), names)

    codes: dict[str, int] = {}
    terms, places, counts = [], [], []
    start = 0
    for part, is_in in zip(parts, alive, strict=True):
        moved = np.full(len(is_in), NONE, np.int64)
        moved[is_in] = new_places[start : start + int(is_in.sum())]
        start += int(is_in.sum())
        of_part = _read(part.postings, codes)
        at = moved[of_part.places]
        is_kept = at != NONE
        terms.append(of_part.terms[is_kept])
        places.append(at[is_kept])
        counts.append(of_part.counts[is_kept])
    together = (np.concatenate(each) for each in (terms, places, counts))
    return segment, _postings(list(codes), *together)


def scrubbed(part: Part) -> tuple[Segment, list[Postings]]:
    """What has to be written so that no word and no name of a dead memory is left.

    Postings without places are to be removed.
    """
    is_alive = _alive(part)
    changed = []
    for each in part.postings:
        places = np.frombuffer(each.places, _PLACE)
        is_kept = is_alive[places]
        if not is_kept.all():
            counts = None if each.counts is None else np.frombuffer(each.counts, _COUNT)[is_kept]
            left = None if counts is None or not (counts != 1).any() else counts.tobytes()
            changed.append(Postings(each.term, places[is_kept].tobytes(), left))
    names = Names()
    kept = columns(part.segment, names)
    for name in _NAMES:
        getattr(kept, name)[~is_alive] = NONE
    fresh = Names()
    used = {
        code: fresh.keep(names.text_of(code))
        for name in _NAMES
        for code in np.unique(getattr(kept, name)).tolist()
        if code != NONE
    }
    renamed = np.full(len(names) + 1, NONE, np.int32)
    renamed[list(used)] = list(used.values())
    named = {name: renamed[getattr(kept, name)] for name in _NAMES}
    return _segment(replace(kept, **named), fresh), changed


def columns(segment: Segment, names: Names) -> Columns:
    """With the codes of this dictionary; arrays of their own, that may be written to."""
    texts = json.loads(segment.names)
    codes = np.array([*map(names.keep, texts), NONE], np.int32)
    kinds = np.array([*(_CODE_OF_KIND.get(text, NONE) for text in texts), NONE], np.int8)
    found: dict[str, NDArray[Any]] = {"ids": ids(segment.ids)}
    start = 0
    for name, sort in _LAYOUT:
        end = start + segment.size * sort.itemsize
        found[name] = np.frombuffer(segment.columns[start:end], sort)
        start = end
    for name in _NAMES:
        found[name] = codes[found[name]]
    found["kind"] = kinds[found["kind"]]
    found["has_time"] = found["has_time"].astype(np.bool_)
    return Columns(**found)


def ids(blob: bytes) -> Longs:
    return np.frombuffer(blob, _ID).astype(np.int64)


def dead(blob: bytes) -> Integers:
    """The places within a segment that count no more."""
    return np.frombuffer(blob, _PLACE).astype(np.int32)


def dead_blob(places: Iterable[int]) -> bytes:
    return np.array(sorted(places), _PLACE).tobytes()


def places_and_counts(places: bytes, counts: bytes | None) -> tuple[Integers, NDArray[np.uint8]]:
    """Postings, as places within their segment."""
    at = np.frombuffer(places, _PLACE).astype(np.int32)
    if counts is None:
        return at, np.ones(len(at), np.uint8)
    return at, np.frombuffer(counts, _COUNT)


@dataclass(frozen=True, slots=True)
class _Triples:
    terms: NDArray[np.int64]
    places: NDArray[np.uint16]
    counts: NDArray[np.uint8]


def _read(postings: Iterable[Postings], codes: dict[str, int]) -> _Triples:
    terms, places, counts, widths = [], [], [], []
    for each in postings:
        terms.append(codes.setdefault(each.term, len(codes)))
        places.append(each.places)
        width = len(each.places) // _PLACE.itemsize
        widths.append(width)
        counts.append(b"\1" * width if each.counts is None else each.counts)
    return _Triples(
        np.repeat(np.array(terms, np.int64), widths),
        np.frombuffer(b"".join(places), _PLACE),
        np.frombuffer(b"".join(counts), _COUNT),
    )


def _postings(
    terms: Sequence[str], codes: NDArray[Any], places: NDArray[Any], counts: NDArray[Any]
) -> list[Postings]:
    """By term, so that the store writes them in the order of its key."""
    rank = np.empty(len(terms), np.int32)
    in_order = sorted(range(len(terms)), key=lambda code: terms[code].encode())
    rank[in_order] = np.arange(len(terms))
    ranks = rank[codes]
    order = np.lexsort((places, ranks))
    ranks = ranks[order]
    starts = np.searchsorted(ranks, np.arange(len(terms) + 1)).tolist()
    ordered = counts[order]
    several = np.append(0, np.cumsum(ordered != 1))
    has_several = (several[starts[1:]] > several[starts[:-1]]).tolist()
    place_bytes = places[order].astype(_PLACE).tobytes()
    count_bytes = ordered.astype(_COUNT).tobytes()
    width = _PLACE.itemsize
    return [
        Postings(
            terms[code],
            place_bytes[width * start : width * end],
            count_bytes[start:end] if is_told else None,
        )
        for code, start, end, is_told in zip(
            in_order, starts[:-1], starts[1:], has_several, strict=True
        )
        if end > start
    ]


def _segment(given: Columns, names: Names) -> Segment:
    codes = given.kind.astype(np.int32)
    for number, kind in enumerate(KINDS):
        code = names.keep(kind.value) if (given.kind == number).any() else NONE
        codes[given.kind == number] = code
    blobs = [
        (codes if name == "kind" else getattr(given, name)).astype(sort).tobytes()
        for name, sort in _LAYOUT
    ]
    return Segment(
        size=len(given.ids),
        lowest=int(given.ids[0]) if len(given.ids) else 0,
        highest=int(given.ids[-1]) if len(given.ids) else 0,
        ids=given.ids.astype(_ID).tobytes(),
        columns=b"".join(blobs),
        names=json.dumps([names.text_of(code) for code in range(len(names))]),
    )


def _chosen(
    gathered: Sequence[Columns], alive: Sequence[NDArray[np.bool_]], order: NDArray[np.intp]
) -> Columns:
    def column(name: str) -> NDArray[Any]:
        pieces = zip(gathered, alive, strict=True)
        return np.concatenate([getattr(each, name)[is_in] for each, is_in in pieces])[order]

    return Columns(**dict(zip(Columns.__slots__, map(column, Columns.__slots__), strict=True)))


def _alive(part: Part) -> NDArray[np.bool_]:
    is_alive = np.ones(part.segment.size, np.bool_)
    is_alive[dead(part.dead)] = False
    return is_alive
