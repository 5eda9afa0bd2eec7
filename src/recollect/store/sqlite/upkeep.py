"""How an SQLite store is doing: counts, integrity, size, compaction."""

from __future__ import annotations

import os

from sqlcipher3 import dbapi2 as sqlite

from recollect.store.port.upkeep import Counts
from recollect.store.sqlite.connection import Connections


class SqliteUpkeep:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def counts(self) -> Counts:
        totals = self._connections.row("counts")
        assert totals is not None
        by_type = self._connections.rows("counts_by_type")
        return Counts(
            memories=totals["memories"],
            by_type=tuple((row["type"], row["n"]) for row in by_type),
            pinned=totals["pinned"],
            prompts=totals["prompts"],
            sessions=totals["sessions"],
            events=totals["events"],
            words=totals["words"],
        )

    def problems(self) -> list[str]:
        found = [row[0] for row in self._connections.pragma("integrity_check")]
        dangling = self._connections.pragma("foreign_key_check")
        return [line for line in found if line != "ok"] + [
            f"{row[0]} row {row[1]} points to a missing {row[2]}" for row in dangling
        ]

    def strays(self) -> tuple[int, int]:
        row = self._connections.row("words_without_memory")
        assert row is not None
        return row[0], row[1]

    def compact(self) -> bool:
        self._connections.pragma("incremental_vacuum")
        is_blocked, _, _ = self._connections.pragma("wal_checkpoint(truncate)")[0]
        return not is_blocked

    def size(self) -> tuple[int, int]:
        return _size(self._connections.path), _size(self._connections.path + "-wal")

    def can_encrypt(self) -> bool:
        return bool(self._connections.pragma("cipher_version"))

    def engine(self) -> str:
        cipher = self._connections.pragma("cipher_version")[0][0]
        return f"SQLite {sqlite.sqlite_version}, SQLCipher {cipher}"


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except FileNotFoundError:
        return 0
