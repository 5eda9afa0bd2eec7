"""Frames in SQLite, one row beside the memory of each."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from recollect.model.frame import Frame, FrameDraft, Image, ImageNote, Status
from recollect.search.grammar import And, Word
from recollect.search.words import spaced
from recollect.store.port.frames import Wanted
from recollect.store.sqlite import shapes
from recollect.store.sqlite.connection import Connections, Row
from recollect.store.sqlite.match import fts5

LARGEST = 2**63 - 1
PAGE = 1_000


class SqliteFrames:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(
        self, memory_id: int, draft: FrameDraft, *, frame_id: str, content_hash: str, is_once: bool
    ) -> None:
        self._connections.run("name_memory", id=memory_id, public_id=frame_id)
        self._connections.run(
            "add_frame",
            memory_id=memory_id,
            content_hash=content_hash,
            is_once=int(is_once),
            **_parameters(draft),
        )
        modules = json.dumps(draft.module_scope)
        self._connections.run("add_frame_modules", memory_id=memory_id, modules=modules)
        self._connections.run("add_frame_words", id=memory_id, **_words(draft))
        self._index_all(memory_id, draft)

    def attach(self, memory_id: int, number: int, image: Image) -> None:
        self._connections.run(
            "add_frame_image",
            memory_id=memory_id,
            number=number,
            mime_type=image.mime_type,
            size=len(image.data),
            data=image.data,
        )

    def find(self, frame_id: str) -> int | None:
        row = self._connections.row("frame_by_id", public_id=frame_id)
        return None if row is None else int(row["id"])

    def twin(self, content_hash: str) -> str | None:
        row = self._connections.row("frame_with_content", content_hash=content_hash)
        return None if row is None else str(row["public_id"])

    def get(self, memory_ids: Sequence[int]) -> list[Frame]:
        return self._frames(
            self._connections.rows("frames_by_memory", ids=json.dumps(list(memory_ids)))
        )

    def search(self, words: Sequence[str], wanted: Wanted, limit: int | None) -> list[int]:
        tree = And(tuple(Word(word, is_prefix=True) for word in dict.fromkeys(words)))
        match = fts5(tree)
        if match is None:
            return []
        rows = self._connections.rows(
            "search_frames",
            match=match,
            **_conditions(wanted),
            limit=_limit(limit),
        )
        return [row["memory_id"] for row in rows]

    def newest(self, wanted: Wanted, limit: int | None, offset: int = 0) -> list[int]:
        """By the index of what narrows most."""
        if wanted.jira is not None:
            name = "newest_frames_of_ticket"
        elif wanted.branch is not None:
            name = "newest_frames_of_branch"
        elif wanted.module is not None:
            name = "newest_frames_of_module"
        elif wanted.projects is not None:
            name = "newest_frames_of_projects"
        else:
            name = "newest_frames"
        offset = min(offset, LARGEST)
        most = -1 if limit is None else min(_limit(limit) + offset, LARGEST)
        rows = self._connections.rows(
            name, **_conditions(wanted), limit=_limit(limit), offset=offset, most=most
        )
        return [row["memory_id"] for row in rows]

    def count(self, wanted: Wanted) -> int:
        row = self._connections.row("count_frames", **_conditions(wanted))
        assert row is not None
        return int(row["n"])

    def image(self, memory_id: int, number: int) -> Image | None:
        if not 0 < number <= LARGEST:
            return None
        row = self._connections.row("image_of_frame", memory_id=memory_id, number=number)
        return None if row is None else Image(row["mime_type"], bytes(row["data"]))

    def recaption(self, memory_id: int, caption: str) -> None:
        self._connections.run("recaption_frame", id=memory_id, caption=caption)
        (frame,) = self.get([memory_id])
        self._connections.run("replace_frame_words", id=memory_id, **_words(frame))
        self._index_all(memory_id, frame)

    def rebuild(self) -> None:
        self._connections.run("clear_frame_words")
        after = 0
        while page := self._connections.rows("frames_after", after=after, limit=PAGE):
            some = [(_frame(row), row["text"]) for row in page]
            self._connections.run_many(
                "add_frame_words",
                [{"id": frame.memory_id, **_words(frame)} for frame, _ in some],
            )
            self._connections.run_many(
                "replace_words",
                [{"id": frame.memory_id, "text": _all_of(text, frame)} for frame, text in some],
            )
            after = page[-1]["memory_id"]

    def fold(self) -> None:
        self._connections.run("fold_frame_words")

    def strays(self) -> tuple[int, int]:
        row = self._connections.row("frame_words_without_frame")
        assert row is not None
        return row[0], row[1]

    def _index_all(self, memory_id: int, draft: FrameDraft) -> None:
        """Among the words of all memories it has more than its memory's text: who purges what
        mentions a word means what only the frame says as well."""
        row = self._connections.row("text_of_memory", id=memory_id)
        assert row is not None
        self._connections.run("replace_words", id=memory_id, text=_all_of(row["text"], draft))

    def _frames(self, rows: Sequence[Row]) -> list[Frame]:
        notes: dict[int, list[ImageNote]] = defaultdict(list)
        ids = json.dumps([row["memory_id"] for row in rows])
        for memory_id, number, mime_type, size in self._connections.rows(
            "images_of_frames", ids=ids
        ):
            notes[memory_id].append(ImageNote(number, mime_type, size))
        return [_frame(row, notes.get(row["memory_id"], ())) for row in rows]


def _parameters(draft: FrameDraft) -> dict[str, object]:
    return {
        "at": draft.at,
        "reference_point": draft.reference_point,
        "summary_caption": draft.summary_caption,
        "branch": draft.branch,
        "jira": draft.jira,
        "next_action": draft.status.next_action,
        "blockers": shapes.json_list(draft.status.blockers),
        "merge_blockers": shapes.json_list(draft.status.merge_blockers),
        "tests_failing": shapes.json_list(draft.status.tests_failing),
        "module_scope": shapes.json_list(draft.module_scope) or "[]",
        "keywords": shapes.json_list(draft.keywords),
        "atlas_frame_id": draft.atlas_frame_id,
        "feature_flags": shapes.json_list(draft.feature_flags),
        "permissions": shapes.json_list(draft.permissions),
        "run_id": draft.run_id,
        "plan_hash": draft.plan_hash,
        "spend": shapes.detail(draft.spend),
        "user_id": draft.user_id,
    }


def _frame(row: Row, images: Iterable[ImageNote] = ()) -> Frame:
    return Frame(
        id=row["public_id"],
        memory_id=row["memory_id"],
        project=row["project"],
        is_live=bool(row["is_live"]),
        images=tuple(images),
        at=row["at"],
        reference_point=row["reference_point"],
        summary_caption=row["summary_caption"],
        branch=row["branch"],
        jira=row["jira"],
        status=Status(
            next_action=row["next_action"],
            blockers=shapes.labels(row["blockers"]),
            merge_blockers=shapes.labels(row["merge_blockers"]),
            tests_failing=shapes.labels(row["tests_failing"]),
        ),
        module_scope=shapes.labels(row["module_scope"]),
        keywords=shapes.labels(row["keywords"]),
        atlas_frame_id=row["atlas_frame_id"],
        feature_flags=shapes.labels(row["feature_flags"]),
        permissions=shapes.labels(row["permissions"]),
        run_id=row["run_id"],
        plan_hash=row["plan_hash"],
        spend=None if row["spend"] is None else json.loads(row["spend"]),
        user_id=row["user_id"],
    )


def _words(draft: FrameDraft) -> dict[str, object]:
    return {
        "reference_point": spaced(draft.reference_point),
        "summary_caption": spaced(draft.summary_caption),
        "keywords": spaced("\n".join(draft.keywords)),
    }


def _all_of(text: str, draft: FrameDraft) -> str:
    """The memory's text, and of the frame what is not in it."""
    status = draft.status
    told = (
        *(draft.reference_point, draft.summary_caption, *draft.keywords, status.next_action),
        *(*status.blockers, *status.merge_blockers, *status.tests_failing),
        *(draft.branch, draft.jira, *draft.module_scope, draft.atlas_frame_id),
        *(*draft.feature_flags, *draft.permissions, draft.run_id, draft.plan_hash, draft.user_id),
    )
    more = dict.fromkeys(each for each in told if each and each not in text)
    return spaced("\n".join((text, *more)))


def _conditions(wanted: Wanted) -> dict[str, object]:
    return {
        "projects": None if wanted.projects is None else json.dumps(wanted.projects),
        "branch": wanted.branch,
        "jira": wanted.jira,
        "module": wanted.module,
        "since": wanted.since,
    }


def _limit(limit: int | None) -> int:
    return -1 if limit is None else min(max(limit, 0), LARGEST)
