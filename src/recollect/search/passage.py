"""What of a memory is searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_READ = 200_000
"""Characters of a text that are looked at for ranking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    kind: str
    speaker: str | None
    title: str | None
    text: str
    file_path: str | None
    labels: Sequence[str] = ()
    """Tags, concepts, and files besides `file_path`."""
    portrait: str = ""
    """What its portrait or its recap tells; of that, only words that are nowhere else count."""
