"""A memory: anything that can be found again.

`kind` says what sort of thing it is, `type` what exactly happened, in the fine-grained words
that nmem publishes as `obs_type`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The sorts of memory. One integer id space serves them all."""

    OBSERVATION = "observation"
    """What a tool call did."""
    PROMPT = "prompt"
    """What the user asked."""
    LIFECYCLE = "lifecycle"
    """A session began, went on or ended."""
    THOUGHT = "thought"
    """What the agent thought; shown in a session's trace, not searched."""
    SUMMARY = "summary"
    """What a session came to."""
    NOTE = "note"
    """What somebody asked to remember."""
    FACT = "fact"
    FRAME = "frame"
    """Where work stood, kept to be taken up again."""


CLAIMING = frozenset({Kind.FACT, Kind.NOTE, Kind.FRAME})
"""Those that claim something about somebody, or about their project."""
ACTIONS = frozenset({Kind.OBSERVATION, Kind.NOTE, Kind.FACT, Kind.FRAME})


class Origin(StrEnum):
    """Who the words come from. Stamped at capture, never changed."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    IMPORT = "import"


class Type(StrEnum):
    """The types that Recollect itself makes. An importer may bring others: the column is open."""

    FILE_READ = "file_read"
    FILE_WRITE = "file_write"
    FILE_EDIT = "file_edit"
    COMMAND = "command"
    COMMAND_ERROR = "command_error"
    GIT_COMMIT = "git_commit"
    GIT_PUSH = "git_push"
    GITHUB = "github"
    SEARCH = "search"
    TASK_SPAWN = "task_spawn"
    WEB_FETCH = "web_fetch"
    WEB_SEARCH = "web_search"
    MCP_CALL = "mcp_call"
    TOOL_OTHER = "tool_other"
    USER_PROMPT = "user_prompt"
    AGENT_THINKING = "agent_thinking"
    SESSION_START = "session_start"
    SESSION_RESUME = "session_resume"
    SESSION_CLEAR = "session_clear"
    SESSION_COMPACT = "session_compact"
    SESSION_END = "session_end"
    SESSION_SUMMARY = "session_summary"
    MARKER = "marker"
    FACT = "fact"
    FRAME = "frame"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory that has no id yet."""

    kind: Kind
    type: str
    text: str
    project: str
    session_id: str | None
    created_at: int
    origin: Origin
    source_event: str
    prompt_id: int | None = None
    prompt_number: int | None = None
    """Of a prompt, or of the one that it was done for; counted in the session, from 1."""
    event_id: int | None = None
    tool_name: str | None = None
    file_path: str | None = None
    title: str | None = None
    detail: Mapping[str, object] | None = None
    speaker: str | None = None
    """Whose words they are, where several people talk."""
    tags: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """What it is about besides `file_path`."""
    is_pinned: bool = False

    @property
    def is_action(self) -> bool:
        """Whether recent context may show it: something was done, or the agent lost its window."""
        return self.kind in ACTIONS or self.type == Type.SESSION_COMPACT


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(Draft):
    """A memory as it stands in the store."""

    id: int
    updated_at: int
    retired_at: int | None = None
    superseded_by: int | None = None
