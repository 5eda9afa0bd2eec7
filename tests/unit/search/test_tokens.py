"""The estimate of tokens: what counts as how much, and that it lies above what a tokenizer says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.examples import ROOT
from models import PUBLISHED, needs_package
from promises import last
from recollect.embed.wordpiece import WordPiece
from recollect.search.tokens import longest_prefix, tokens

TEXTS = st.text(st.characters(exclude_categories=()), max_size=80)
"""Of every character there is, halves of surrogate pairs included."""

COSTS = [
    # text                 tokens   because
    ("", 0, "nothing costs nothing"),
    ("read", 1, "four letters are a token"),
    ("reading", 2, "four more are another"),
    ("read the file", 3, "a space belongs to its word"),
    ("parseConfig", 4, "an identifier is made of words"),
    ("HTTP", 1, "capitals are letters"),
    ("a  b", 3, "two spaces are seen"),
    ("2026", 4, "each digit counts"),
    ("x = {}", 4, "so does each sign"),
    ("a\nb", 3, "and the end of a line"),
    ("é", 1, "a letter of two bytes"),
    ("記憶", 4, "a letter of three bytes counts twice"),
    ("🙂", 3, "an emoji counts three times"),
]


@pytest.mark.parametrize(("text", "cost", "because"), COSTS, ids=last)
def test_what_a_text_costs(text: str, cost: int, because: str) -> None:
    assert tokens(text) == cost


@given(st.lists(TEXTS.map(lambda text: text.replace("\n", " "))))
def test_lines_cost_what_each_costs_and_one_for_each_end(lines: list[str]) -> None:
    assert tokens("".join(f"{line}\n" for line in lines)) == sum(tokens(e) + 1 for e in lines)


@given(TEXTS, st.integers(0, 60))
def test_a_prefix_is_as_long_as_it_can_be(text: str, most: int) -> None:
    length = longest_prefix(text, most)

    assert tokens(text[:length]) <= most
    assert length == len(text) or tokens(text[: length + 1]) > most


@needs_package
@pytest.mark.parametrize("shelf", ["docs/explain/*.md", "src/recollect/search/*.py"])
def test_prose_and_code_cost_no_less_than_a_tokenizer_says(shelf: str) -> None:
    """The only one at hand is BERT's; its 30,000 pieces are a third of what newer ones know."""
    pieces = WordPiece((PUBLISHED / "vocab.txt").read_text(encoding="utf-8").splitlines())
    lines = [
        line for page in ROOT.glob(shelf) for line in page.read_text(encoding="utf-8").splitlines()
    ]

    counted = sum(len(pieces.pieces(line)) - 2 for line in lines)

    assert len(lines) > 100
    assert counted < sum(map(tokens, lines)) < 2 * counted
