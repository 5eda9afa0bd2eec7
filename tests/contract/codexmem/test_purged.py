"""What is purged is gone from portraits and recaps as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract.codexmem.told import told_of
from contract.world import NOW, World
from promises import promise
from recollect.model.memory import Kind
from recollect.search import grammar
from recollect.service import retention
from recollect.store.port.memories import Filter


def _holds(path: Path, word: bytes) -> bool:
    return path.is_file() and word in path.read_bytes()


@promise("nmem:cli:purge-for-good")
@pytest.mark.parametrize("is_by_words", [True, False])
def test_a_purged_prompt_is_in_no_recap_and_no_portrait(tmp_path: Path, is_by_words: bool) -> None:
    told = told_of(World(tmp_path, NOW))
    store = told.house.store
    told.prompt("Plant the parsnip")
    told.bash("make beds")
    told.said("It is planted.")
    told.prompt("Water it")
    told.bash("make rain")
    told.said("It is wet.")
    told.house.catch_up()
    (prompt, _) = told.memories(kind=Kind.PROMPT)
    assert any(_holds(path, b"parsnip") for path in tmp_path.rglob("*"))

    words = grammar.parse("parsnip") if is_by_words else None
    wanted = Filter(words=words) if words else Filter(id=prompt.id)
    retention.purge(store, told.house.reader, wanted, at=NOW)

    assert told.texts() == ["make beds", "make rain"]
    assert [text.splitlines()[0] for text in told.texts(kind=Kind.SUMMARY)] == ["Water it"]
    told.house.close()
    assert [path for path in tmp_path.rglob("*") if _holds(path, b"parsnip")] == []
