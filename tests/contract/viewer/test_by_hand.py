"""What a person has said otherwise is said over by no model that reads it later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import chats
from contract.codexmem.test_provider import KEY, enrich, hurried
from contract.codexmem.told import Told, told_of
from contract.world import NOW, World
from endpoints import serving
from promises import promise
from recollect.service import correcting
from recollect.service.enrichment import Outcome
from recollect.store.port.portraits import BY_HAND


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """A house whose model answers well."""
    with serving() as server:
        server.script = [chats.well]
        environ = {
            "OPENAI_API_KEY": KEY,
            "CODEXMEM_OPENAI_BASE_URL": f"http://127.0.0.1:{server.port}/v1",
            "CODEXMEM_OPENAI_MODEL": "small",
        }
        made = told_of(World(tmp_path, NOW, environ), make=hurried)
        yield made
        made.house.close()


@promise("viewer:edit")
@pytest.mark.parametrize("is_first", [True, False], ids=["the person first", "the model first"])
def test_no_model_says_a_persons_words_over(told: Told, is_first: bool) -> None:
    told.tool("Edit", tool_input={"file_path": "/a/tokens.py", "new_string": "LEEWAY = 60"})
    told.house.catch_up()
    (memory,) = told.memories()
    store = told.house.store
    outcomes = [] if is_first else enrich(told)
    correcting.reword(store, memory.id, text="By hand.", title="Mine", at=NOW, reason=None)
    outcomes += enrich(told)
    assert outcomes == [Outcome.DONE]
    painted = store.portraits.of([memory.id])[memory.id]
    assert (painted.made_by, painted.portrait.title) == (BY_HAND, "Mine")
    assert painted.portrait.narrative == "By hand."
