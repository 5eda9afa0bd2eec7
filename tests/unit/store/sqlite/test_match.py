"""The MATCH expression, asked of a real FTS5 index: what is found, and that nothing is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlcipher3 import dbapi2 as sqlite3

from recollect.model.errors import InvalidQuery
from recollect.search.grammar import And, Not, Or, Phrase, Tree, Word, parse
from recollect.search.words import is_searchable, spaced
from recollect.store.sqlite.match import fts5

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PARTS = st.text(alphabet="ab ()\"“”*-+^:{}.,'ANDORTE語日の한ท่😀\u0301\0", max_size=60)


class Index:
    """The full-text index as the store makes it."""

    def __init__(self, documents: Mapping[int, str] | None = None) -> None:
        self._database: Any = sqlite3.connect(":memory:")
        self._database.execute(
            "create virtual table words using fts5("
            "text, content='', contentless_delete=1, tokenize='porter unicode61')"
        )
        for number, text in (documents or {}).items():
            self.add(number, text)

    def add(self, number: int, text: str) -> None:
        self._database.execute(
            "insert into words(rowid, text) values (?, ?)", (number, spaced(text))
        )

    def found(self, query: str) -> list[int]:
        tree = parse(query)
        expression = None if tree is None else fts5(tree)
        return [] if expression is None else self.matching(expression)

    def matching(self, expression: str) -> list[int]:
        rows = self._database.execute(
            "select rowid from words where words match ? order by rowid", (expression,)
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        self._database.close()


LIBRARY = {
    1: "auth token expired",
    2: "auth only",
    3: "login token",
    4: "login page",
    5: "renamed foo-bar in path/to/x.py",
    6: "bar foo",
    7: "OPS-1234: call main() of C:\\x",
    8: "認証エラーを修正しました",
    9: "แก้ไขข้อผิดพลาดในการเข้าสู่ระบบ",
    10: "로그인 오류를 수정했습니다",
    11: "the tokens are refreshed AND stored",
    12: "c++ and #42 by jo@bar.org",
    13: 'he said "hello world" twice',
}

FOUND = [
    # query                       found          because
    ("auth", [1, 2], "every document with the word"),
    ("auth token", [1], "every word must occur"),
    ("auth AND token", [1], "the same in capitals"),
    ("auth OR login", [1, 2, 3, 4], "either"),
    ("auth NOT token", [2], "NOT removes"),
    ("token NOT auth NOT login", [11], "several times"),
    ("(auth OR login) AND token", [1, 3], "groups"),
    ("(auth OR login) token", [1, 3], "groups side by side"),
    ("auth OR login NOT token", [1, 2, 4], "NOT before OR"),
    ('"auth token"', [1], "a phrase"),
    ('"token auth"', [], "in its order"),
    ("token", [1, 3, 11], "porter: tokens are found by token"),
    ("tok*", [1, 3, 11], "a prefix"),
    ("foo-bar", [5], "a dash joins, and says in which order"),
    ("foo-ba*", [5], "a prefix behind a dash"),
    ("path/to/x", [5], "paths"),
    ("OPS-1234", [7], "tickets"),
    ("main()", [7], "calls"),
    ("C:\\x", [7], "Windows paths"),
    ("#42", [12], "numbers"),
    ("jo@bar", [12], "addresses"),
    ("c++", [7, 12], "signs are not in the index: C++ is found wherever a c stands"),
    ("text:auth", [], "a column's name is text"),
    ('"said ""hello"', [13], "quotes in quotes"),
    ("auth 😀", [1, 2], "an emoji asks for nothing"),
    ("😀", [], "alone, it finds nothing"),
    ("AND", [11, 12], "an operator alone is a word"),
    ("認証", [8], "two Han letters from the middle of nowhere"),
    ("エラー", [8], "Katakana"),
    ("ました", [8], "Hiragana at the end"),
    ("証認", [], "but in their order"),
    ("ผิดพลาด", [9], "Thai"),
    ("เข้าสู่", [9], "Thai with marks"),
    ("그인", [10], "a part of a Korean word"),
    ("수정*", [10], "a prefix of letters"),
    ("認証 OR 오류", [8, 10], "operators between scripts"),
    ("zebra", [], "no match is an empty list"),
]

EXPRESSIONS = [
    # tree                                                     expression               because
    (Word("auth"), '"auth"', "every word is quoted"),
    (Phrase('say "hi"'), '"say ""hi"""', "inner quotes are doubled"),
    (Word("auth", is_prefix=True), '"auth"*', "a prefix stays one"),
    (And((Word("a"), Word("b"))), '"a" "b"', "words side by side are FTS5's flattest AND"),
    (And((Or((Word("a"), Word("b"))), Word("c"))), '("a" OR "b") AND "c"', "OR within AND"),
    (Or((Word("a"), And((Word("b"), Word("c"))))), '"a" OR "b" "c"', "no needless parentheses"),
    (Not(Or((Word("a"), Word("b"))), Word("c")), '("a" OR "b") NOT "c"', "NOT binds tighter"),
    (
        Not(Word("a"), Not(Word("b"), Word("c"))),
        '"a" NOT ("b" NOT "c")',
        "NOT reads from the left, so the right one needs its parentheses",
    ),
    (Word("日本"), '"日 本"', "spaced as in the index"),
    (Word("😀"), None, "nothing to find"),
    (Or((Word("😀"), Word("a"))), '"a"', "what cannot be found is left out of lists"),
    (Not(Word("😀"), Word("a")), None, "nothing was wanted"),
    (Not(Word("a"), Word("😀")), '"a"', "nothing was unwanted"),
]


@pytest.fixture(scope="module")
def library() -> Iterator[Index]:
    index = Index(LIBRARY)
    yield index
    index.close()


@pytest.fixture(scope="module")
def empty() -> Iterator[Index]:
    index = Index()
    yield index
    index.close()


@pytest.mark.parametrize(("query", "found", "because"), FOUND)
def test_a_query_finds_what_it_says(
    library: Index, query: str, found: list[int], because: str
) -> None:
    assert library.found(query) == found, because


@pytest.mark.parametrize(("tree", "expression", "because"), EXPRESSIONS)
def test_a_tree_is_one_expression(tree: Tree, expression: str | None, because: str) -> None:
    assert fts5(tree) == expression, because


@given(PARTS)
@settings(deadline=None, max_examples=500)
def test_whatever_is_understood_is_accepted_by_the_engine(empty: Index, text: str) -> None:
    try:
        empty.found(text)
    except InvalidQuery:
        return


WORDS = st.sampled_from(["auth", "login", "token", '"auth token"', "tok*", "page"])
OPERATORS = st.sampled_from([" ", " AND ", " OR ", " NOT "])


@given(WORDS, st.lists(st.tuples(OPERATORS, WORDS), max_size=7))
@settings(deadline=None, max_examples=400)
def test_plain_queries_find_exactly_what_fts5_itself_finds(
    library: Index, first: str, rest: list[tuple[str, str]]
) -> None:
    query = first + "".join(operator + word for operator, word in rest)
    assert library.found(query) == library.matching(query)


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=300)
def test_a_document_is_found_by_each_of_its_words(document: str) -> None:
    stored = document.encode("utf-8", "replace").decode().replace("\0", " ")
    index = Index({1: stored})
    try:
        for word in stored.split():
            literal = '"' + word.replace('"', '""') + '"'
            assert index.found(literal) == ([1] if is_searchable(word) else []), word
    finally:
        index.close()


RUNS = st.text(alphabet="漢字日本語かなカナーｶﾅ한국어กขคลวພາສខមြန", min_size=2, max_size=30)


@given(RUNS, st.data())
@settings(deadline=None, max_examples=200)
def test_text_without_spaces_is_found_by_any_run_of_two_letters(
    text: str, data: st.DataObject
) -> None:
    index = Index({1: f"prefix{text}suffix"})
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start + 2, len(text)))
    try:
        if is_searchable(text[start:end]):
            assert index.found(text[start:end]) == [1]
    finally:
        index.close()


@given(st.lists(st.sampled_from(["auth", "main()", "a.b", "日本", "C++"]), min_size=1), st.data())
@settings(deadline=None, max_examples=150)
def test_a_document_is_found_by_quoting_a_part_of_it(words: list[str], data: st.DataObject) -> None:
    index = Index({1: " ".join(words)})
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    try:
        assert index.found(f'"{" ".join(words[start:end])}"') == [1]
    finally:
        index.close()


@pytest.mark.parametrize("operator", [" ", " AND ", " OR ", " NOT "])
def test_a_thousand_terms_do_not_exceed_the_engine(empty: Index, operator: str) -> None:
    assert empty.found(operator.join(f"word{n}" for n in range(1_000))) == []


DEEP = [
    # each level, and the next one around it            because
    ("{} a", "{} OR b", "AND and OR in turn"),
    ("a {}", "b OR {}", "the deep part last"),
    ("{} NOT a", "{} OR b", "NOT on the left"),
    ("a NOT {}", "b OR {}", "NOT on the right, every other time"),
]


@pytest.mark.parametrize(("odd", "even", "because"), DEEP)
def test_groups_as_deep_as_allowed_do_not_exceed_the_engine(
    empty: Index, odd: str, even: str, because: str
) -> None:
    query = "auth"
    for _ in range(25):
        query = f"({even.format(f'({odd.format(query)})')})"
    assert empty.found(query) == [], because


def test_not_inside_not_is_refused_before_it_exceeds_the_engine(empty: Index) -> None:
    """FTS5's parser takes three entries of its stack for each of them, and has a hundred."""
    for depth in range(1, 50):
        query = "a NOT (" * depth + "b" + ")" * depth
        if depth <= 30:
            assert empty.found(query) == []
        else:
            with pytest.raises(InvalidQuery, match="groups behind NOT are nested too deeply"):
                empty.found(query)


LEVELS = st.sampled_from(
    ["{} a", "a OR {}", "a NOT {}", "{} NOT a b", "a OR b AND c NOT {}", "(a OR b) {} OR c NOT d*"]
)


@given(st.lists(LEVELS, min_size=20, max_size=49))
@settings(deadline=None, max_examples=300)
def test_no_nesting_is_an_error_of_the_engine(empty: Index, levels: list[str]) -> None:
    query = "auth"
    for level in levels:
        query = f"({level.format(query)})"
    try:
        assert empty.found(query) == []
    except InvalidQuery as refused:
        assert refused.message == "groups behind NOT are nested too deeply"  # noqa: PT017 - either
