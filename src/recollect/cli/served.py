"""What is served when nobody says what: for `recollect serve` and for the worker's `/mcp`."""

from __future__ import annotations

DEFAULT_DIALECTS = "codexmem,codemem:memory_explain"
