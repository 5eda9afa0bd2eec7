"""The ranking index in SQLite: segments as blobs, a row for each term of each segment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from recollect.search.packed import Postings, Segment
from recollect.search.passage import MOST_READ, Passage
from recollect.store.port.lexicon import Change, Found, Head, Kept, Source, State
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections, Row


class SqliteLexicon:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def state(self) -> State:
        row = self._connections.row("lexicon_state")
        assert row is not None
        return State(*row)

    def changed(self, after: int, limit: int) -> list[Change]:
        rows = self._connections.rows("changed_since", after=after, limit=limit)
        return [Change(*row) for row in rows]

    def has_changed(self, ids: Sequence[int], after: int) -> bool:
        row = self._connections.row("changed_among", ids=json.dumps(ids), after=after)
        return row is not None

    def sources(self, ids: Sequence[int]) -> list[Source]:
        rows = self._connections.rows("passages", ids=json.dumps(ids), most=MOST_READ)
        return [_source(row) for row in rows]

    def searchable(self) -> list[int]:
        return [row[0] for row in self._connections.rows("searchable_ids")]

    def heads(self) -> list[Head]:
        return [Head(*row) for row in self._connections.rows("segment_heads")]

    def segments(self, ids: Sequence[int]) -> list[Kept]:
        rows = self._connections.rows("segments_by_id", ids=json.dumps(ids))
        return [Kept(row["id"], Segment(*tuple(row)[1:7]), row["dead"]) for row in rows]

    def find(self, segments: Sequence[int], terms: Sequence[str]) -> list[Found]:
        rows = self._connections.rows(
            "postings_of_terms", segments=json.dumps(segments), terms=json.dumps(terms)
        )
        return [Found(*row) for row in rows]

    def postings(self, segment: int) -> Iterator[Postings]:
        rows = self._connections.rows("postings_of_segment", segment=segment)
        return (Postings(*row) for row in rows)

    def add(self, segment: Segment, postings: Sequence[Postings]) -> int:
        row = self._connections.row(
            "add_segment",
            size=segment.size,
            lowest=segment.lowest,
            highest=segment.highest,
            ids=segment.ids,
            columns=segment.columns,
            names=segment.names,
        )
        assert row is not None
        segment_id = int(row["id"])
        self._connections.run_many("add_postings", _rows(segment_id, postings))
        return segment_id

    def remove(self, segments: Sequence[int]) -> None:
        for segment in segments:
            self._connections.run("delete_postings_of_segment", segment=segment)
            self._connections.run("delete_segment", segment=segment)

    def mark(self, segment: int, dead: bytes) -> None:
        self._connections.run("set_dead", segment=segment, dead=dead)

    def scrub(self, segment: int, cleaned: Segment, changed: Sequence[Postings]) -> None:
        kept = [each for each in changed if each.places]
        emptied = [each for each in changed if not each.places]
        self._connections.run_many("replace_postings", _rows(segment, kept))
        self._connections.run_many(
            "delete_postings", [{"segment": segment, "term": each.term} for each in emptied]
        )
        self._connections.run(
            "set_scrubbed", segment=segment, columns=cleaned.columns, names=cleaned.names
        )

    def advance(self, *, version: int, through: int, keep: int) -> None:
        self._connections.run("set_lexicon_state", version=version, through=through)
        self._connections.run("forget_changes", through=through - keep)

    def touch(self) -> None:
        self._connections.run("touch_lexicon")

    def begin_anew(self, *, version: int) -> None:
        self.remove([head.id for head in self.heads()])
        newest = self.state().newest
        self._connections.run("set_lexicon_state", version=version, through=newest)
        self._connections.run("change_everything")


def _rows(segment: int, postings: Iterable[Postings]) -> Iterator[dict[str, object]]:
    """One at a time: there may be a hundred thousand."""
    for each in postings:
        yield {
            "segment": segment,
            "term": each.term,
            "places": each.places,
            "counts": each.counts,
        }


def _source(row: Row) -> Source:
    labels = [
        label for column in ("tags", "concepts", "files") for label in shapes.labels(row[column])
    ]
    passage = Passage(
        kind=row["kind"],
        speaker=row["speaker"],
        title=row["title"],
        text=row["text"],
        file_path=row["file_path"],
        labels=labels,
        portrait=row["portrait"] or "",
    )
    return Source(
        row["id"], row["type"], row["project"], row["session_id"], row["created_at"], passage
    )
