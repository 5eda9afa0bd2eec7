"""The stdio server without a worker: the SDK and the store in this very process."""

from __future__ import annotations

import logging
import sys
import threading
from typing import TYPE_CHECKING

from recollect import wiring
from recollect.cli.clients import ask_of
from recollect.mcp import stdio
from recollect.mcp.bare import bare_lines
from recollect.mcp.server import tool_server
from recollect.mcp.tools import Tools
from recollect.model.errors import UnknownDialect
from recollect.model.scope import UNKNOWN
from recollect.worker.embedding import Embedding

if TYPE_CHECKING:
    from recollect.dialect.reply import Ask
    from recollect.mcp.bridge import Leftover
    from recollect.mcp.said import Said
    from recollect.settings import Settings
    from recollect.wiring import House


def serve(settings: Settings, dialect: str, said: Said, leftover: Leftover) -> int:
    """`said`: what a worker would be told of this client."""
    logging.basicConfig(stream=sys.stderr, level=settings.log.upper())
    door = _HouseDoor(settings, dialect)
    try:
        tools = Tools(wiring.published(dialect), door.ask_for, said)
    except UnknownDialect as error:
        known = ", ".join(wiring.dialect_names())
        print(f"recollect serve: {error.message}; there are: {known}", file=sys.stderr)
        return 1
    try:
        stdio.serve(tool_server(tools), leftover, bare=bare_lines(tools))
    finally:
        door.close()
    return 0


class _HouseDoor:
    """Opens the store with the first question, so that a store that will not open is an answer
    to it and not a server that dies while its client says hello."""

    def __init__(self, settings: Settings, dialect: str) -> None:
        self._settings = settings
        self._dialect = dialect
        self._lock = threading.Lock()
        self._house: House | None = None
        self._embedding = Embedding(self._embed_some)

    def ask_for(self, said: Said) -> Ask:
        with self._lock:
            if self._house is None:
                self._house = wiring.open_house(self._settings)
                self._embedding.start()
            return ask_of(self._house, self._dialect, said, UNKNOWN)

    def close(self) -> None:
        self._embedding.stop()
        with self._lock:
            if self._house is not None:
                self._house.close()

    def _embed_some(self) -> bool:
        assert self._house is not None, "it is started once the store is open"
        return self._house.embed_some()
