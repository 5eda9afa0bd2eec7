"""Frames, beside the memories of them: their own fields, their images, and their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from recollect.model.frame import Frame, FrameDraft, Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which live frames are meant: all conditions together. None means any."""

    projects: tuple[str, ...] | None = None
    """Any of them."""
    branch: str | None = None
    jira: str | None = None
    module: str | None = None
    since: int | None = None
    """At this time or later."""


class Frames(Protocol):
    def add(
        self, memory_id: int, draft: FrameDraft, *, frame_id: str, content_hash: str, is_once: bool
    ) -> None:
        """Beside a memory that was just added, whose project it has. Look first whether there is a
        frame with this id, or with this content if it may not repeat: it fails then."""

    def attach(self, memory_id: int, number: int, image: Image) -> None: ...

    def find(self, frame_id: str) -> int | None:
        """The memory of the frame with this id; retired or not."""

    def twin(self, content_hash: str) -> str | None:
        """The id of the first live frame with this content."""

    def get(self, memory_ids: Sequence[int]) -> list[Frame]:
        """Those that are there, in the order asked for."""

    def search(self, words: Sequence[str], wanted: Wanted, limit: int | None) -> list[int]:
        """Memories of frames in which each word begins a word of reference point, caption or
        keywords: best match first, then newest. Nothing without a word."""

    def newest(self, wanted: Wanted, limit: int | None, offset: int = 0) -> list[int]:
        """Newest first."""

    def count(self, wanted: Wanted) -> int: ...

    def image(self, memory_id: int, number: int) -> Image | None: ...

    def recaption(self, memory_id: int, caption: str) -> None:
        """Beside a memory that says something else now."""

    def rebuild(self) -> None:
        """Make the index of words again from the rows, and what the frames say more than their
        memories among the words of all; after `Words.rebuild`."""

    def fold(self) -> None:
        """Merge it, so that deleted words are gone from the file as well."""

    def strays(self) -> tuple[int, int]:
        """Rows of that index without a frame, and frames without one."""
