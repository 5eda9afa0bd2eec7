"""What people type, as a tree: the published query language.

Words are joined by AND. `AND`, `OR` and `NOT` in capitals, "quoted phrases", `prefix*` and (groups)
mean what they do in SQLite's FTS5, in its precedence: side by side binds tightest, then NOT, AND,
OR. Everything else people type is text to be found, never syntax: `foo-bar`, `a:b`, `main()`.

How an engine asks for a tree is the engine's.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from recollect.model.errors import InvalidQuery
from recollect.search.words import is_searchable, word_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_TERMS = 1_000
DEEPEST_GROUP = 50


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this order, side by side; also a word with punctuation in it, such as `foo-bar`."""

    text: str
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """`wanted` without `unwanted`."""

    wanted: Tree
    unwanted: Tree


Tree = Word | Phrase | And | Or | Not


def parse(text: str) -> Tree | None:
    """The tree of a query; None when there is nothing in it that could be found.

    `InvalidQuery` says what is wrong and where. What has no letter or digit (emoji) is left out.
    """
    tokens = list(_tokens(_UNSTORABLE.sub(" ", text)))
    if all(token.kind is not _Kind.TERM for token in tokens):  # nobody asks for nothing but syntax
        tokens = [token.as_term() if token.kind is _Kind.OPERATOR else token for token in tokens]
    _check_terms(tokens)
    return _Parser(_with_groups(tokens)).query()


def all_of(parts: Iterable[Tree | None]) -> Tree | None:
    """What has every part; parts that cannot be found are left out."""
    return _joined(And, parts)


def any_of(parts: Iterable[Tree | None]) -> Tree | None:
    """What has any of the parts."""
    return _joined(Or, parts)


def without(wanted: Tree | None, unwanted: Tree | None) -> Tree | None:
    """What has the one and not the other. A chain of these is one Not: trees stay shallow."""
    if wanted is None or unwanted is None:
        return wanted
    if isinstance(wanted, Not):
        unwanted = any_of((wanted.unwanted, unwanted)) or unwanted
        wanted = wanted.wanted
    return Not(wanted, unwanted)


def _joined(node: type[And | Or], parts: Iterable[Tree | None]) -> Tree | None:
    flat: list[Tree] = []
    for part in parts:
        if isinstance(part, node):
            flat.extend(part.parts)
        elif part is not None:
            flat.append(part)
    if len(flat) > 1:
        return node(tuple(flat))
    return flat[0] if flat else None


class _Kind(Enum):
    TERM = auto()
    OPERATOR = auto()
    OPEN = auto()
    CLOSE = auto()
    END = auto()


class _Token(NamedTuple):
    kind: _Kind
    text: str
    at: int
    is_quoted: bool = False
    is_prefix: bool = False

    def as_term(self) -> _Token:
        return _Token(_Kind.TERM, self.text, self.at)

    def tree(self) -> Tree | None:
        if not is_searchable(self.text):
            return None
        is_plain = self.text.isalnum() and not self.is_quoted
        return (Word if is_plain else Phrase)(self.text, self.is_prefix)

    def __str__(self) -> str:
        return f"{self.text} at character {self.at + 1}"


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""NUL and lone surrogates: no engine takes them, and no stored text has them."""

# Typographic quotes come from phones and chat windows. A pair of them means a phrase; a lone one
# is punctuation, because nobody sees which one is missing. Only a straight quote can be unbalanced.
_CURLY = "\u201c\u201d\u201e\u201f\uff02"
_PIECE = re.compile(
    rf"""
      "(?P<phrase>(?:[^"]|"")*+)"(?P<star>\**)
    | [{_CURLY}](?P<curly>[^{_CURLY}]*+)[{_CURLY}](?P<curly_star>\**)
    | (?P<unbalanced>")
    | (?P<chunk>[^\s"{_CURLY}]+)
    """,
    re.VERBOSE,
)


def _tokens(text: str) -> Iterator[_Token]:
    for piece in _PIECE.finditer(text):
        at = piece.start()
        if piece["unbalanced"]:
            raise InvalidQuery(f"unbalanced quote at character {at + 1}", position=at + 1)
        if piece["chunk"]:
            yield from _chunk(piece["chunk"], at)
        elif piece["phrase"] is not None:
            phrase = piece["phrase"].replace('""', '"')
            yield _Token(_Kind.TERM, phrase, at, is_quoted=True, is_prefix=bool(piece["star"]))
        else:
            star = bool(piece["curly_star"])
            yield _Token(_Kind.TERM, piece["curly"], at, is_quoted=True, is_prefix=star)


def _chunk(text: str, at: int) -> Iterator[_Token]:
    """What stands between two spaces: parentheses at its ends, and a word or operator."""
    body = text.lstrip("(")
    start = len(text) - len(body)
    bare = body.rstrip(")")
    word = body[: len(bare) + _unclosed(bare)]  # the ) of main() is the word's own
    for place in range(start):
        yield _Token(_Kind.OPEN, "(", at + place)
    if word in ("AND", "OR", "NOT"):
        yield _Token(_Kind.OPERATOR, word, at + start)
    elif word:
        stem = word.rstrip("*")
        yield _Token(_Kind.TERM, stem, at + start, is_prefix=stem != word)
    for place in range(start + len(word), len(text)):
        yield _Token(_Kind.CLOSE, ")", at + place)


def _unclosed(word: str) -> int:
    depth = 0
    for letter in word:
        if letter == "(":
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
    return depth


def _check_terms(tokens: list[_Token]) -> None:
    terms = sum(word_count(token.text) for token in tokens if token.kind is _Kind.TERM)
    if terms > MOST_TERMS:
        raise InvalidQuery(f"the query has {terms} terms; at most {MOST_TERMS}", terms=terms)


def _with_groups(tokens: list[_Token]) -> list[_Token]:
    """The tokens with each parenthesis that has no partner as the text that it then is."""
    opened: list[int] = []
    paired: set[int] = set()
    deepest = 0
    for place, token in enumerate(tokens):
        if token.kind is _Kind.OPEN:
            opened.append(place)
        elif token.kind is _Kind.CLOSE and opened:
            paired |= {opened.pop(), place}
    depth = 0
    for place in sorted(paired):
        depth += 1 if tokens[place].kind is _Kind.OPEN else -1
        deepest = max(deepest, depth)
    if deepest > DEEPEST_GROUP:
        problem = f"groups are nested {deepest} deep; at most {DEEPEST_GROUP}"
        raise InvalidQuery(problem, depth=deepest)
    return [
        token.as_term()
        if token.kind in (_Kind.OPEN, _Kind.CLOSE) and place not in paired
        else token
        for place, token in enumerate(tokens)
    ]


_END = _Token(_Kind.END, "", 0)


class _Parser:
    """Reads tokens from the left; one method for each strength of binding, loosest first."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = deque(tokens)
        self._last = _END

    def query(self) -> Tree | None:
        return any_of(self._chain("OR", self._conjunction))

    def _conjunction(self) -> Tree | None:
        return all_of(self._chain("AND", self._difference))

    def _difference(self) -> Tree | None:
        wanted, *unwanted = self._chain("NOT", self._side_by_side)
        return without(wanted, any_of(unwanted))

    def _chain(self, operator: str, operand: Callable[[], Tree | None]) -> list[Tree | None]:
        parts = [operand()]
        while self._next.kind is _Kind.OPERATOR and self._next.text == operator:
            self._take()
            parts.append(operand())
        return parts

    def _side_by_side(self) -> Tree | None:
        parts: list[Tree | None] = []
        before = self._last
        while self._next.kind in (_Kind.TERM, _Kind.OPEN):
            token = self._take()
            if token.kind is _Kind.OPEN:
                parts.append(self.query())
                self._take()
            else:
                parts.append(token.tree())
        if not parts:
            self._check_gap(before)
        return all_of(parts)

    def _check_gap(self, before: _Token) -> None:
        """Nothing stands here: wrong beside an operator, right in an empty group."""
        if before.kind is _Kind.OPERATOR:
            alone = ": NOT alone means without" if self._next.text == "NOT" else ""
            problem = f"{before} has nothing after it{alone}"
            raise InvalidQuery(problem, position=before.at + 1)
        if self._next.kind is _Kind.OPERATOR:
            problem = f"{self._next} has nothing before it"
            raise InvalidQuery(problem, position=self._next.at + 1)

    @property
    def _next(self) -> _Token:
        return self._tokens[0] if self._tokens else _END

    def _take(self) -> _Token:
        self._last = self._tokens.popleft()
        return self._last
