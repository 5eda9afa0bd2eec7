"""Connections to one SQLite file: one writer for the process, readers beside it.

Also the place where a store is refused that a newer version has written; what `file` refuses is
no store of ours at all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlcipher3 import dbapi2 as sqlite

from recollect.model.clock import Clock
from recollect.model.errors import (
    StoreError,
    StoreForeign,
    StoreTooNew,
)
from recollect.store import migrate
from recollect.store.named_sql import Statements
from recollect.store.sqlite.file import check_header, inode, make_private_file
from recollect.store.sqlite.problems import is_of, translated
from recollect.store.turns import Turns

PACKAGE = "recollect.store.sqlite"
OLDEST_SAFE_SQLITE = (3, 51, 3)
"""Earlier versions can corrupt a write-ahead log that two connections reset at once."""

PATIENCE_MS = 5_000
"""How long a statement waits for another process. A hook brings less."""
MOST_IDLE = 4
"""Readers that are kept open: each may hold two megabytes of pages, and a new one takes less than
a millisecond."""
PAUSE = 0.002
"""Seconds between two tries to get hold of the store."""

Row = Any
Parameters = Mapping[str, object]

STATEMENTS = Statements(PACKAGE)
MIGRATIONS = migrate.migrations(PACKAGE)


class Connections:
    """All statements of this process go through here, by name.

    A thread that is inside `transaction` reads what it has written; all others read the last
    committed state without waiting.
    """

    def __init__(
        self, path: str, key: bytes | None, clock: Clock, patience_ms: int = PATIENCE_MS
    ) -> None:
        self.path = path
        self._key = key
        self._patience_ms = patience_ms
        self._clock = clock
        self._idle: list[sqlite.Connection] = []
        self._write_lock = Turns()
        self._writing_thread: int | None = None
        self._pinned = threading.local()
        self._writer = self._open_writer()

    def rows(self, name: str, **parameters: object) -> list[Row]:
        with translated(), self._connection() as connection:
            return list(connection.execute(STATEMENTS[name], parameters))

    def row(self, name: str, **parameters: object) -> Row | None:
        with translated(), self._connection() as connection:
            return connection.execute(STATEMENTS[name], parameters).fetchone()

    def run(self, name: str, **parameters: object) -> int:
        """Run a statement that writes; how many rows it changed."""
        with translated():
            return int(self._writing().execute(STATEMENTS[name], parameters).rowcount)

    def run_many(self, name: str, many: Iterable[Parameters]) -> None:
        with translated():
            self._writing().executemany(STATEMENTS[name], many)

    def pragma(self, text: str) -> list[Row]:
        """A literal pragma of this package, outside a transaction."""
        with self._write_lock, translated():
            return list(self._writer.execute(f"pragma {text}"))

    @contextmanager
    def transaction(self, *, is_lasting: bool = True) -> Iterator[None]:
        with self._write_lock:
            self._follow_file()
            with translated():
                # A drained event leaves the spool after the commit, so a commit has to survive a
                # power cut. Waiting for the disk is dear, so what is only told does not.
                self._writer.execute(f"pragma synchronous = {'full' if is_lasting else 'normal'}")
                self._begin()
            self._writing_thread = threading.get_ident()
            try:
                self._refuse_newer(self._writer)
                yield
                with translated():
                    self._writer.execute("commit")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("rollback")
                raise
            finally:
                self._writing_thread = None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All reads of this thread inside see the store at one moment."""
        if self._held() is not None:
            yield
            return
        with self._connection() as connection:
            with translated():
                connection.execute("begin")
            self._pinned.connection = connection
            try:
                yield
            finally:
                self._pinned.connection = None
                connection.execute("rollback")  # it has read, and nothing else

    def close(self) -> None:
        with self._write_lock:
            self._close_readers()
            self._writer.close()

    def _writing(self) -> sqlite.Connection:
        assert self._writing_thread == threading.get_ident(), "a write belongs in a transaction"
        return self._writer

    def _held(self) -> sqlite.Connection | None:
        """The connection of a thread that is inside `transaction` or `reading`."""
        if self._writing_thread == threading.get_ident():
            return self._writer
        return getattr(self._pinned, "connection", None)

    @contextmanager
    def _connection(self) -> Iterator[sqlite.Connection]:
        held = self._held()
        if held is not None:
            yield held
            return
        if inode(self.path) != self._inode:
            with self._write_lock:
                self._follow_file()
        opened = self._inode
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._open_reader()
        try:
            yield connection
        finally:
            if opened == self._inode and len(self._idle) < MOST_IDLE:
                self._idle.append(connection)
            else:
                connection.close()  # or the file was replaced while it read

    def _open_reader(self) -> sqlite.Connection:
        connection = self._connect()
        connection.execute("pragma query_only = on")
        return connection

    def _open_writer(self) -> sqlite.Connection:
        if sqlite.sqlite_version_info < OLDEST_SAFE_SQLITE:
            raise StoreError(f"SQLite {sqlite.sqlite_version} is too old to write safely")
        make_private_file(self.path)
        check_header(self.path, has_key=self._key is not None)
        with translated(has_key=self._key is not None):
            connection = self._connect()
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        self._inode = inode(self.path)
        return connection

    def _connect(self) -> sqlite.Connection:
        connection = sqlite.connect(
            self.path,
            timeout=self._patience_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
        )
        if self._key is not None:
            # A raw key: SQLCipher derives nothing, so opening costs 0.06 ms instead of 70.
            connection.execute(f"pragma key = \"x'{self._key.hex()}'\"")
        connection.execute("pragma cipher_log_level = none")  # it would write to our stderr
        connection.row_factory = sqlite.Row
        connection.execute("pragma foreign_keys = on")
        return connection

    def _prepare(self, connection: sqlite.Connection) -> None:
        if connection.execute("pragma page_count").fetchone()[0] == 0:
            connection.execute(
                "pragma auto_vacuum = incremental"
            )  # before the first table, or never
        _refuse_foreign(connection)
        # Two openings of a new file meet here, and SQLite's waiting does not cover the change.
        self._patiently(connection, "pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute("pragma secure_delete = on")
        self._refuse_newer(connection)
        _migrate(connection, self._clock)

    def _begin(self) -> None:
        """Become the one who writes.

        SQLite's own waiting looks less often the longer it has waited, so in a crowd the newest
        wins and the oldest gives up: 7 of the 20,000 writes of twenty processes (November 2026).
        Looking at a steady pace gives all the same chance.
        """
        self._writer.execute("pragma busy_timeout = 0")
        try:
            self._patiently(self._writer, "begin immediate")
        finally:
            self._writer.execute(f"pragma busy_timeout = {self._patience_ms:d}")

    def _patiently(self, connection: sqlite.Connection, statement: str) -> None:
        """Execute it, trying again for as long as any other statement would wait."""
        deadline = time.monotonic() + self._patience_ms / 1000
        while True:
            try:
                connection.execute(statement)
            except sqlite.OperationalError as error:
                if not is_of(error, "BUSY") or time.monotonic() > deadline:
                    raise
                time.sleep(PAUSE)
            else:
                return

    def _refuse_newer(self, connection: sqlite.Connection) -> None:
        version = connection.execute("pragma user_version").fetchone()[0]
        if version > migrate.newest(MIGRATIONS):
            raise StoreTooNew(store_version=version, known_version=migrate.newest(MIGRATIONS))

    def _follow_file(self) -> None:
        """Reopen when the file was replaced: `recollect encrypt` puts a new one in its place.

        Without this, a server that goes on running would commit to a file that nobody can see.
        """
        if inode(self.path) == self._inode:
            return
        self._close_readers()
        self._writer.close()
        self._writer = self._open_writer()

    def _close_readers(self) -> None:
        while self._idle:
            self._idle.pop().close()


def _refuse_foreign(connection: sqlite.Connection) -> None:
    """Published variables may name a file that another product has filled: it stays as it is."""
    version, tables = connection.execute(
        "select user_version, (select count(*) from sqlite_master) from pragma_user_version"
    ).fetchone()
    if tables and not version:
        raise StoreForeign


def _migrate(connection: sqlite.Connection, clock: Clock) -> None:
    if connection.execute("pragma user_version").fetchone()[0] == migrate.newest(MIGRATIONS):
        return
    connection.execute("begin immediate")
    try:
        # Asked again: another process may have migrated while this one waited for its turn.
        version = connection.execute("pragma user_version").fetchone()[0]
        for migration in MIGRATIONS:
            if migration.version > version:
                _apply(connection, migration, clock())
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def _apply(connection: sqlite.Connection, migration: migrate.Migration, now: int) -> None:
    for statement in _split(migration.script):
        connection.execute(statement)
    connection.execute(
        "insert into migrations (version, name, applied_at) values (?, ?, ?)",
        (migration.version, migration.name, now),
    )
    connection.execute(f"pragma user_version = {migration.version:d}")


def _split(script: str) -> Iterator[str]:
    """The statements of a script: `executescript` would commit the migration's transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite.complete_statement(pending):
            yield pending
            pending = ""
