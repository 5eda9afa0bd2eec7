"""Whether a text holds what a purge is about: rather too much than too little."""

from __future__ import annotations

import pytest

from promises import last
from recollect.search import grammar
from recollect.search.mention import mentions

TEXT = "the Passphrase of the deploy-bot is in the vault"

HELD = [
    ("passphrase", True, "whatever its case"),
    ("phrase", True, "inside another word"),
    ('"deploy-bot is"', True, "a phrase as it stands"),
    ('"bot deploy"', False, "not in another order"),
    ("vault passphrase", True, "every word"),
    ("vault zebra", False, "not some of them"),
    ("zebra OR vault", True, "any of them"),
    ("vault NOT zebra", True, "what must not be there is not"),
    ("vault NOT bot", False, "what must not be there is"),
]


@pytest.mark.parametrize(("query", "held", "because"), HELD, ids=last)
def test_a_text_mentions(query: str, held: bool, because: str) -> None:
    tree = grammar.parse(query)
    assert tree is not None
    assert mentions(tree, TEXT) is held
