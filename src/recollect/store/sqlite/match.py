"""A query tree as SQLite asks for it: an FTS5 MATCH expression.

Every word is quoted, so nothing that people type is ever FTS5 syntax.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from recollect.model.errors import InvalidQuery
from recollect.search.grammar import And, Not, Or, Phrase, Word
from recollect.search.words import is_searchable, spaced

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.search.grammar import Tree

# How tightly an expression holds together, loosest first.
_OR, _AND, _NOT, _LITERALS = range(4)

# FTS5's parser has a stack of a hundred entries, about six of them used by the innermost phrases
# (measured with SQLite 3.53). Expressions are arranged to need little of it: the deepest part comes
# first, where each group costs one entry instead of three. Only NOT cannot be turned around.
_STACK = 90


@dataclass(frozen=True, slots=True)
class _Expression:
    text: str
    strength: int
    stack: int = 0

    def at_least(self, strength: int) -> _Expression:
        """The expression in a form that holds together beside an operator of this strength."""
        if self.strength >= strength:
            return self
        return _Expression(f"({self.text})", _LITERALS, self.stack + 1)


def fts5(tree: Tree) -> str | None:
    """The MATCH expression; None when nothing in the tree can be found."""
    expression = _expression(tree)
    if expression is None:
        return None
    if expression.stack > _STACK:
        raise InvalidQuery("groups behind NOT are nested too deeply")
    return expression.text


def _expression(tree: Tree) -> _Expression | None:
    match tree:
        case Word(text, is_prefix) | Phrase(text, is_prefix):
            return _literal(text, is_prefix=is_prefix)
        case And(parts):
            return _conjunction(parts)
        case Or(parts):
            return _chain(" OR ", _OR, _found(parts))
        case Not(wanted, unwanted):
            return _difference(_expression(wanted), _expression(unwanted))
        case _:
            assert_never(tree)


def _literal(text: str, *, is_prefix: bool) -> _Expression | None:
    if not is_searchable(text):
        return None
    quoted = spaced(text).replace('"', '""')
    return _Expression(f'"{quoted}"*' if is_prefix else f'"{quoted}"', _LITERALS)


def _conjunction(parts: Iterable[Tree]) -> _Expression | None:
    """Literals side by side, which is FTS5's flattest AND; the rest joined to them by AND."""
    found = _found(parts)
    literals = [part for part in found if part.strength == _LITERALS]
    others = [part for part in found if part.strength != _LITERALS]
    if literals:
        others.append(_Expression(" ".join(part.text for part in literals), _LITERALS))
    return _chain(" AND ", _AND, others)


def _difference(wanted: _Expression | None, unwanted: _Expression | None) -> _Expression | None:
    if wanted is None or unwanted is None:
        return wanted
    return _join(" NOT ", _NOT, [wanted.at_least(_NOT), unwanted.at_least(_LITERALS)])


def _chain(operator: str, strength: int, parts: list[_Expression]) -> _Expression | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    grouped = [part.at_least(strength) for part in parts]
    return _join(operator, strength, sorted(grouped, key=lambda part: -part.stack))


def _join(operator: str, strength: int, parts: list[_Expression]) -> _Expression:
    first, *rest = parts
    stack = max(first.stack, *(part.stack + 2 for part in rest))
    return _Expression(operator.join(part.text for part in parts), strength, stack)


def _found(parts: Iterable[Tree]) -> list[_Expression]:
    return [found for part in parts if (found := _expression(part)) is not None]
