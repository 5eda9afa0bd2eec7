"""Memories in SQLite, each written together with its words."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from recollect.model.memory import Draft, Kind, Memory
from recollect.search.grammar import Tree
from recollect.search.mention import mentions
from recollect.search.words import spaced
from recollect.store.port.memories import Filter, Former, Intent, Purged, Touch, Trace, unique
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections, Row
from recollect.store.sqlite.match import fts5

LARGEST_ID = 2**63 - 1
PAGE = 1_000


class SqliteMemories:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, draft: Draft) -> Memory:
        row = self._connections.row("add_memory", **shapes.parameters(draft))
        assert row is not None
        self._connections.run("add_words", id=row["id"], text=spaced(draft.text))
        self._changed([row["id"]])
        return self.get([row["id"]])[0]

    def get(self, ids: Sequence[int]) -> list[Memory]:
        wanted = unique(id_ for id_ in ids if 0 < id_ <= LARGEST_ID)
        rows = self._connections.rows("memories_by_id", ids=json.dumps(wanted))
        found = {row["id"]: shapes.memory(row) for row in rows}
        return [found[id_] for id_ in wanted if id_ in found]

    def reword(self, memory_id: int, draft: Draft, *, at: int, reason: str | None = None) -> None:
        self._connections.run("keep_history", id=memory_id, at=at, reason=reason)
        self._connections.run(
            "reword",
            id=memory_id,
            title=draft.title,
            text=draft.text,
            detail=shapes.detail(draft.detail),
            origin=draft.origin.value,
            at=at,
        )
        self._connections.run("replace_words", id=memory_id, text=spaced(draft.text))
        self._connections.run("delete_vectors", id=memory_id)
        self._changed([memory_id])

    def relabel(self, memory_id: int, tags: Sequence[str], *, at: int) -> None:
        labels = shapes.json_list(tags)
        if self._connections.run("retag", id=memory_id, tags=labels):
            self._connections.run("delete_vectors", id=memory_id)  # they are part of what it means
        self._connections.run("touch_memory", id=memory_id, at=at)
        self._changed([memory_id])

    def former(self, memory_id: int) -> list[Former]:
        rows = self._connections.rows("history_of", id=memory_id)
        return [Former(*row) for row in rows]

    def retire(self, memory_id: int, *, at: int, successor: int | None = None) -> bool:
        if not 0 < memory_id <= LARGEST_ID:
            return False
        done = self._connections.run("retire", id=memory_id, at=at, successor=successor) > 0
        if done:
            self._connections.run("outdate_fact", id=memory_id)
            self._connections.run("outdate_frame", id=memory_id)
            self._connections.run("delete_vectors", id=memory_id)
            self._changed([memory_id])
        return done

    def restore(self, memory: Memory, *, at: int) -> bool:
        done = self._connections.run(
            "restore", id=memory.id, is_action=int(memory.is_action), at=at
        )
        if done:
            self._connections.run("relive_fact", id=memory.id)
            self._connections.run("relive_frame", id=memory.id)
            self._changed([memory.id])
        return done > 0

    def annotate(self, memory_id: int, *, at: int, reason: str) -> None:
        self._connections.run("keep_history", id=memory_id, at=at, reason=reason)

    def pin(self, memory_id: int, *, is_pinned: bool) -> bool:
        if not 0 < memory_id <= LARGEST_ID:
            return False
        return self._connections.run("set_pinned", id=memory_id, is_pinned=int(is_pinned)) > 0

    def repeats(self, draft: Draft, *, since: int) -> bool:
        return self._exists(
            "repeats",
            session_id=draft.session_id,
            type=draft.type,
            file_path=draft.file_path,
            text=draft.text,
            since=since,
        )

    def has(self, session_id: str, type_: str, text: str | None = None) -> bool:
        if text is None:
            return self._exists("has_type", session_id=session_id, type=type_)
        return self._exists("has_text", session_id=session_id, type=type_, text=text)

    def of_event(self, event_id: int) -> Memory | None:
        row = self._connections.row("memory_of_event", event_id=event_id)
        return None if row is None else shapes.memory(row)

    def prompt_of(self, session_id: str, number: int) -> int | None:
        row = self._connections.row("prompt_of", session_id=session_id, number=number)
        return None if row is None else int(row["id"])

    def newest_in(
        self, session_id: str, type_: str, *, source_event: str | None = None
    ) -> Memory | None:
        row = self._connections.row(
            "newest_of_type", session_id=session_id, type=type_, source_event=source_event
        )
        return None if row is None else shapes.memory(row)

    def newest(
        self,
        kinds: Collection[Kind],
        *,
        project: str | None,
        limit: int,
        types: Collection[str] | None = None,
        but_types: Collection[str] = (),
    ) -> list[Memory]:
        name = "newest_of_kind" if project is None else "newest_of_kind_in_project"
        where = {} if project is None else {"project": project}
        rows = [
            row
            for kind in sorted(kinds)
            for row in self._connections.rows(
                name,
                kind=kind.value,
                types=None if types is None else json.dumps(sorted(types)),
                but_types=json.dumps(sorted(but_types)),
                limit=limit,
                **where,
            )
        ]
        rows.sort(key=lambda row: (row["created_at"], row["id"]), reverse=True)
        return [shapes.memory(row) for row in rows[:limit]]

    def of_session(
        self, session_id: str, *, before: int | None = None, after: int | None = None
    ) -> list[Memory]:
        rows = self._connections.rows(
            "session_memories", session_id=session_id, before=before, after=after
        )
        return [shapes.memory(row) for row in rows]

    def around(
        self, anchor: Memory, *, before: int, after: int
    ) -> tuple[list[Memory], list[Memory]]:
        here = {"session_id": anchor.session_id, "id": anchor.id}
        earlier = self._connections.rows("neighbours_before", **here, limit=before)
        later = self._connections.rows("neighbours_after", **here, limit=after)
        return [shapes.memory(row) for row in reversed(earlier)], [
            shapes.memory(row) for row in later
        ]

    def action_types(self) -> list[str]:
        return [row["type"] for row in self._connections.rows("action_types")]

    def newest_actions(
        self, type_: str, *, project: str | None, is_elsewhere: bool, limit: int, offset: int
    ) -> list[Trace]:
        name = "newest_actions_elsewhere" if is_elsewhere else "newest_actions_of_project"
        rows = self._connections.rows(name, type=type_, project=project, limit=limit, offset=offset)
        return [shapes.trace(row) for row in rows]

    def intents(self, *, project: str, limit: int) -> list[Intent]:
        rows = self._connections.rows("intents", project=project, limit=limit)
        return [Intent(row["text"], row["created_at"], row["actions"]) for row in rows]

    def of_file(
        self, path: str, *, before: int | None, after: int | None, limit: int
    ) -> list[Touch]:
        rows = self._connections.rows(
            "file_touches", path=path, before=before, after=after, limit=limit
        )
        return [Touch(shapes.memory(row), row["prompt_text"]) for row in rows]

    def count_for_purge(self, wanted: Filter) -> Purged:
        return self._outcome(self._wanted(wanted))

    def purge(self, wanted: Filter) -> Purged:
        rows = self._wanted(wanted)
        outcome = self._outcome(rows)
        self._delete(rows)
        if wanted.type is None and wanted.id is None and wanted.words is None:
            self._connections.run(
                "delete_wanted_events",
                project=wanted.project,
                session_id=wanted.session_id,
                before=wanted.before,
                older_than=wanted.older_than,
            )
        return outcome

    def forget_former(self, words: Tree) -> int:
        found = 0
        for texts, forget in (("former_texts", "forget_former"), ("reasons", "forget_reasons")):
            after, ids = 0, list[int]()
            while page := self._connections.rows(texts, after=after, limit=PAGE):
                ids += [row["id"] for row in page if mentions(words, row["text"])]
                after = page[-1]["id"]
            found += self._connections.run(forget, ids=json.dumps(ids))
        return found

    def remove(self, memory_id: int) -> None:
        self._delete(self._wanted(Filter(id=memory_id)))

    def sweep(self, cutoffs: Mapping[str, int]) -> Purged:
        rows = self._connections.rows("sweepable_memories", cutoffs=json.dumps(cutoffs))
        outcome = self._outcome(rows)
        self._delete(rows)
        return outcome

    def _changed(self, ids: Sequence[int]) -> None:
        self._connections.run("note_changes", ids=json.dumps(ids))

    def _exists(self, name: str, **parameters: object) -> bool:
        return self._connections.row(name, **parameters) is not None

    def _wanted(self, wanted: Filter) -> list[Row]:
        match = None
        if wanted.words is not None:
            match = fts5(wanted.words)
            if match is None:
                return []
        return self._connections.rows(
            "wanted_memories",
            project=wanted.project,
            type=wanted.type,
            session_id=wanted.session_id,
            id=wanted.id,
            before=wanted.before,
            older_than=wanted.older_than,
            match=match,
        )

    def _outcome(self, rows: Sequence[Row]) -> Purged:
        prompts = sum(row["kind"] in (Kind.PROMPT, Kind.THOUGHT) for row in rows)
        touched = _sessions(rows)
        emptied = self._connections.row(
            "count_sessions_left_empty", sessions=json.dumps(touched), ids=_ids(rows, "id")
        )
        assert emptied is not None
        return Purged(len(rows) - prompts, prompts, emptied[0], tuple(touched))

    def _delete(self, rows: Sequence[Row]) -> None:
        ids, sessions = _ids(rows, "id"), json.dumps(_sessions(rows))
        self._connections.run("delete_words", ids=ids)
        self._connections.run("delete_frame_words", ids=ids)
        self._connections.run("delete_memories", ids=ids)
        self._connections.run("forget_answers_about", ids=ids)
        self._changed([row["id"] for row in rows])
        self._connections.run("delete_events", ids=_ids(rows, "event_id"))
        self._connections.run("delete_empty_sessions", ids=sessions)
        self._connections.run("delete_orphaned_events", ids=sessions)
        self._connections.run("delete_orphaned_transcripts")


def _ids(rows: Iterable[Row], column: str) -> str:
    return json.dumps([row[column] for row in rows if row[column] is not None])


def _sessions(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(row["session_id"] for row in rows if row["session_id"] is not None))
