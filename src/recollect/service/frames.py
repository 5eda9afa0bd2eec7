"""Frames: where work stood, remembered whole or not at all, and recalled to be taken up again.

All is clean already: the privacy rules are the door's, and so is which modules there are.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from recollect.model.errors import InvalidArgument, StoreError
from recollect.model.fact import Claim, joined_tags, public_id
from recollect.model.frame import (
    ID_BYTES,
    LONGEST_ID,
    Frame,
    FrameDraft,
    Image,
    content_hash,
    text_of,
)
from recollect.model.frame import frame_id as new_id
from recollect.model.frame_errors import DuplicateFrame, FrameExists, FrameNotFound, ImageNotKept
from recollect.model.memory import Draft, Kind, Origin, Type
from recollect.model.scope import DEFAULT
from recollect.store.port.frames import Wanted
from recollect.store.port.store import Store

SOURCE_EVENT = "Remember"


class State(NamedTuple):
    """How many live frames there are, and when the newest was."""

    frames: int
    latest_at: int | None


class Course(NamedTuple):
    """The frames of a ticket or of a branch, oldest first."""

    is_ticket: bool
    frames: tuple[Frame, ...]


def remember(
    store: Store,
    draft: FrameDraft,
    *,
    project: str,
    origin: Origin,
    frame_id: str,
    is_once: bool,
    images: Sequence[Image] = (),
) -> Frame:
    """Keep a frame with its images, or nothing of it. What is there is never overwritten.

    `is_once`: a frame that says the same at the same time, however it came, makes this one a
    repetition, which is refused.
    """
    _check_id(frame_id)
    key = content_hash(draft)
    with store.transaction():
        if store.frames.find(frame_id) is not None:
            raise FrameExists(f"Frame {frame_id} already exists", id=frame_id)
        existing = store.frames.twin(key) if is_once else None
        if existing is not None:
            raise DuplicateFrame(existing=existing)
        memory = store.memories.add(_memory(draft, project, origin))
        store.frames.add(memory.id, draft, frame_id=frame_id, content_hash=key, is_once=is_once)
        _attach(store, memory.id, images)
        claim = Claim(subject=project, category="context")
        store.facts.add(memory.id, claim, public_id=_fact_id(frame_id), content_key=None)
        return _read_one(store, memory.id)


def restore(
    store: Store, memory_id: int, draft: FrameDraft, frame_id: str, images: Sequence[Image]
) -> None:
    """A frame that comes back, beside a memory that was just added; in a transaction.

    Its id may be another one's here by now: then it gets one of its own, the same each time.
    """
    key = content_hash(draft)
    if store.frames.find(frame_id) is not None:
        frame_id = new_id(
            draft.at,
            hashlib.sha256(f"{frame_id} {memory_id}".encode("utf-8", "surrogatepass")).digest(),
        )
    store.frames.add(memory_id, draft, frame_id=frame_id, content_hash=key, is_once=False)
    _attach(store, memory_id, images)


def recall(
    store: Store,
    *,
    text: str | None = None,
    jira: str | None = None,
    branch: str | None = None,
    project: str | None = None,
    limit: int | None,
) -> list[Frame]:
    """Frames for which all that is given holds. With a text the best match comes first, then the
    newest; a text without a letter or a digit finds nothing. No limit: all."""
    wanted = Wanted(projects=_scope(project), branch=branch, jira=jira)
    if text is None:
        ids = store.frames.newest(wanted, limit)
    else:
        words = words_of(text)
        ids = store.frames.search(words, wanted, limit) if words else []
    return store.frames.get(ids)


def newest(
    store: Store,
    *,
    branch: str | None = None,
    module: str | None = None,
    since: int | None = None,
    project: str | None = None,
    limit: int | None,
    offset: int = 0,
) -> list[Frame]:
    """Newest first. `module` is one of the frame's, `since` includes its moment."""
    wanted = Wanted(projects=_scope(project), branch=branch, module=module, since=since)
    return store.frames.get(store.frames.newest(wanted, limit, offset))


def count(
    store: Store,
    *,
    branch: str | None = None,
    module: str | None = None,
    since: int | None = None,
    project: str | None = None,
) -> int:
    wanted = Wanted(projects=_scope(project), branch=branch, module=module, since=since)
    return store.frames.count(wanted)


def of_ticket_or_branch(store: Store, name: str, *, project: str | None = None) -> Course:
    """The frames of the ticket with this name; only without any, those of the branch."""
    for wanted in (
        Wanted(projects=_scope(project), jira=name),
        Wanted(projects=_scope(project), branch=name),
    ):
        if ids := store.frames.newest(wanted, None):
            frames = store.frames.get(ids[::-1])
            return Course(wanted.jira is not None, tuple(frames))
    return Course(is_ticket=False, frames=())


def get(store: Store, frame_id: str) -> Frame:
    """By its published id; a retired one as well."""
    memory_id = store.frames.find(frame_id)
    if memory_id is None:
        raise FrameNotFound(f"Frame {frame_id} not found", id=frame_id)
    return _read_one(store, memory_id)


def image(store: Store, frame_id: str, number: int) -> Image:
    """As it was attached, byte for byte; counted from 1."""
    found = store.frames.image(get(store, frame_id).memory_id, number)
    if found is None:
        raise FrameNotFound(f"Frame {frame_id} has no image {number}", id=frame_id, number=number)
    return found


def state(store: Store, *, project: str | None = None) -> State:
    wanted = Wanted(projects=_scope(project))
    newest = store.frames.get(store.frames.newest(wanted, 1))
    return State(store.frames.count(wanted), newest[0].at if newest else None)


def words_of(text: str) -> list[str]:
    """What is looked for in a text that people type: nothing in it is syntax."""
    if text.isascii():
        return re.findall(r"[A-Za-z0-9]+", text)
    composed = unicodedata.normalize("NFC", text)
    apart = "".join(sign if _is_of_a_word(sign) else " " for sign in composed)
    return [word for word in apart.split() if any(sign.isalnum() for sign in word)]


def _is_of_a_word(sign: str) -> bool:
    return sign.isalnum() or unicodedata.category(sign) in ("Mn", "Mc", "Me", "Co")


def _memory(draft: FrameDraft, project: str, origin: Origin) -> Draft:
    return Draft(
        kind=Kind.FRAME,
        type=Type.FRAME,
        title=draft.reference_point,
        text=text_of(draft),
        project=project,
        session_id=None,
        created_at=draft.at,
        origin=origin,
        source_event=SOURCE_EVENT,
        tags=joined_tags(draft.keywords),
    )


def _attach(store: Store, memory_id: int, images: Sequence[Image]) -> None:
    for number, each in enumerate(images, 1):
        try:
            store.frames.attach(memory_id, number, each)
        except StoreError as error:
            raise ImageNotKept(f"image {number} could not be stored", number=number) from error


def _check_id(frame_id: str) -> None:
    if not frame_id.strip():
        raise InvalidArgument("id", "must not be empty")
    if len(frame_id) > LONGEST_ID:
        raise InvalidArgument("id", f"has {len(frame_id)} characters; at most {LONGEST_ID}")


def _fact_id(frame_id: str) -> str:
    """The frame's id among facts: made of its own, so that it needs no chance of its own."""
    return public_id(hashlib.sha256(frame_id.encode("utf-8", "surrogatepass")).digest()[:ID_BYTES])


def _scope(project: str | None) -> tuple[str, ...] | None:
    """A project's frames, and those that came without a folder."""
    return None if project is None else tuple(dict.fromkeys((project, DEFAULT)))


def _read_one(store: Store, memory_id: int) -> Frame:
    (frame,) = store.frames.get([memory_id])
    return frame
