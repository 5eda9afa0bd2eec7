"""Which files are opened, which are refused, and how processes share one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2 as sqlite

from recollect.model.errors import (
    RecollectError,
    StoreBusy,
    StoreForeign,
    StoreFull,
    StoreIsPlain,
    StoreTooNew,
    StoreUntrusted,
)
from recollect.store.sqlite import connection as connections
from recollect.store.sqlite.store import SqliteStore
from store.drafts import draft, put


def opened(path: Path, key: bytes | None = None) -> SqliteStore:
    return SqliteStore(str(path), key=key, clock=lambda: 0)


UNTRUSTED = {
    "text": b"this is no database, but quite a lot of text" * 200,
    "another header": b"SQLite format 2\0" + bytes(4080),
    "header, then noise": b"SQLite format 3\0" + os.urandom(8176),
    "a truncated page": None,
}


@pytest.mark.parametrize("name", UNTRUSTED)
def test_what_is_not_a_database_is_not_trusted(tmp_path: Path, name: str) -> None:
    path = tmp_path / "r.db"
    content = UNTRUSTED[name]
    if content is None:
        store = opened(path)
        put(store, *(draft(f"make {number}") for number in range(500)))
        store.upkeep.compact()
        store.close()
        content = path.read_bytes()[: path.stat().st_size // 2]
    path.write_bytes(content)

    with pytest.raises(StoreUntrusted):
        opened(path).upkeep.problems()

    assert path.read_bytes()[: len(content)][:100] == content[:100]


def test_an_encrypted_store_is_refused_without_its_key(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    opened(path, b"k" * 32).close()

    with pytest.raises(StoreUntrusted):
        opened(path)
    with pytest.raises(StoreUntrusted):
        opened(path, b"x" * 32)


def test_a_plain_store_is_refused_with_a_key(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    opened(path).close()

    with pytest.raises(StoreIsPlain):
        opened(path, b"k" * 32)


def test_a_newer_store_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    opened(path).close()
    raise_version(path)
    before = path.read_bytes()

    with pytest.raises(StoreTooNew):
        opened(path)
    assert path.read_bytes() == before


def test_an_older_program_stops_writing_when_a_newer_one_migrates(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    store = opened(path)
    raise_version(path)

    with pytest.raises(StoreTooNew):
        put(store, draft("make"))


def test_an_old_sqlite_library_is_not_written_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "OLDEST_SAFE_SQLITE", (99, 0, 0))

    with pytest.raises(RecollectError, match="too old"):
        opened(tmp_path / "r.db")


def test_a_store_that_somebody_holds_is_busy_and_not_lost(tmp_path: Path) -> None:
    store = SqliteStore(str(tmp_path / "r.db"), key=None, clock=lambda: 0, patience_ms=50)
    holder = sqlite.connect(str(tmp_path / "r.db"), isolation_level=None)
    holder.execute("begin immediate")

    with pytest.raises(StoreBusy):
        put(store, draft("make"))
    holder.execute("rollback")
    put(store, draft("make"))
    holder.close()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(StoreFull):
        opened(tmp_path / "file" / "below" / "r.db")


def test_a_full_disk_is_told_and_the_store_stays_sound(tmp_path: Path) -> None:
    store = opened(tmp_path / "r.db")
    put(store, draft("make"))
    pages = store._connections.pragma("page_count")[0][0]
    store._connections.pragma(f"max_page_count = {pages}")

    with pytest.raises(StoreFull):
        put(store, *(draft("long " * 500) for _ in range(200)))

    store._connections.pragma("max_page_count = 1000000")
    put(store, draft("again"))
    assert store.upkeep.counts().memories == 2
    assert store.upkeep.problems() == []


def test_a_file_that_was_replaced_is_followed(tmp_path: Path) -> None:
    store, other = opened(tmp_path / "r.db"), opened(tmp_path / "other.db")
    put(store, draft("old"))
    put(other, draft("new"))
    other.upkeep.compact()
    other.close()
    (tmp_path / "r.db-wal").unlink()
    (tmp_path / "r.db-shm").unlink()
    (tmp_path / "other.db").rename(tmp_path / "r.db")

    put(store, draft("newer"))

    assert [memory.text for memory in store.memories.get([1, 2])] == ["new", "newer"]


def test_threads_write_and_read_at_once(tmp_path: Path) -> None:
    store = opened(tmp_path / "r.db")
    put(store, draft("start"))
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(50):
                put(store, draft(f"{name} {number}"))
                assert store.memories.get([1])
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must show it
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert store.upkeep.counts().memories == 401
    assert store.upkeep.strays() == (0, 0)


WRITER = """
import sys
from store.drafts import draft, put
from recollect.store.sqlite.store import SqliteStore
store = SqliteStore(sys.argv[1], key=None, clock=lambda: 0)
for number in range(int(sys.argv[2])):
    put(store, draft(f"{sys.argv[3]} {number}"))
"""


def test_processes_open_a_new_store_and_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), "50", f"w{n}"], env=environ)
        for n in range(6)
    ]

    assert [writer.wait(timeout=120) for writer in writers] == [0] * 6
    store = opened(path)
    assert store.upkeep.counts().memories == 300
    assert store.upkeep.problems() == []


def raise_version(path: Path) -> None:
    newer = sqlite.connect(str(path))
    newer.execute("pragma user_version = 9999")
    newer.commit()
    newer.execute("pragma wal_checkpoint(truncate)")
    newer.close()


def test_a_commit_survives_a_power_cut_unless_it_was_said_that_it_need_not(tmp_path: Path) -> None:
    full, normal = 2, 1
    store = opened(tmp_path / "r.db")

    def waits_for_the_disk() -> int:
        found: int = store._connections._writer.execute("pragma synchronous").fetchone()[0]
        return found

    with store.transaction(is_lasting=False):
        assert waits_for_the_disk() == normal
    with store.transaction():
        assert waits_for_the_disk() == full
    store.close()


def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    theirs = sqlite.connect(path)
    theirs.execute("create table frames (id text primary key)")
    theirs.execute("insert into frames values ('frame-1')")
    theirs.commit()
    theirs.close()
    before = path.read_bytes()

    with pytest.raises(StoreForeign) as refusal:
        opened(path)

    assert refusal.value.message == (
        "The file is a database of another program; nothing was changed in it."
    )
    assert "--db" in refusal.value.hint
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["memory.db"]


def test_a_key_that_is_another_one_is_told_as_that(tmp_path: Path) -> None:
    opened(tmp_path / "r.db", key=bytes(32)).close()

    with pytest.raises(StoreUntrusted, match="the key does not open the store"):
        opened(tmp_path / "r.db", key=bytes([1]) * 32)
