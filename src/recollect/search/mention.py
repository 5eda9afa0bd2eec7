"""Whether a text holds what a query asks for, told from the text alone.

Coarser than the index on purpose: a word is found inside other words and without its stem, so
that whoever looks for something to remove it finds rather too much than too little.
"""

from __future__ import annotations

from typing import assert_never

from recollect.search.grammar import And, Not, Or, Phrase, Tree, Word


def mentions(tree: Tree, text: str) -> bool:
    return _mentions(tree, text.casefold())


def _mentions(tree: Tree, folded: str) -> bool:
    match tree:
        case Word() | Phrase():
            return tree.text.casefold() in folded
        case And():
            return all(_mentions(part, folded) for part in tree.parts)
        case Or():
            return any(_mentions(part, folded) for part in tree.parts)
        case Not():
            return _mentions(tree.wanted, folded) and not _mentions(tree.unwanted, folded)
        case _:
            assert_never(tree)
