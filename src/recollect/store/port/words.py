"""The words of all memories: the published query language over a full-text index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from recollect.search.grammar import Tree


@dataclass(frozen=True, slots=True)
class Preview:
    """What is shown of a memory that was found; `text` is its beginning."""

    id: int
    type: str
    created_at: int
    text: str
    file_path: str | None
    session_id: str | None
    is_pinned: bool


class Words(Protocol):
    def search(
        self,
        tree: Tree,
        *,
        project: str | None,
        type_: str | None,
        limit: int,
        offset: int,
        preview: int,
    ) -> list[Preview]:
        """Memories that match, best first (BM25); of each text the first `preview` characters."""

    def rebuild(self) -> None:
        """Make the index again from the rows."""

    def fold(self) -> None:
        """Merge the index, so that deleted words are gone from the file as well."""
