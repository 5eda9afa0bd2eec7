"""The store contract runs over every engine through one fixture. Today there is one engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.store.port.store import Store
from recollect.store.sqlite.store import SqliteStore

NOW = 1_790_000_000_000


@pytest.fixture(params=["sqlite", "sqlite-encrypted"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    key = bytes(range(32)) if request.param == "sqlite-encrypted" else None
    opened = SqliteStore(str(tmp_path / "r.db"), key=key, clock=lambda: NOW)
    yield opened
    opened.close()
