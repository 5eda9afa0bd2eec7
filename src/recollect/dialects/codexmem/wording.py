"""How CodexMem words problems for a tool: as a text. Over HTTP it is `dialect.problems`."""

from __future__ import annotations

from recollect.model.errors import RecollectError


def problem(error: RecollectError) -> str:
    """An error as the text of an MCP error result."""
    return error.message
