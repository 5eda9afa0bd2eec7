"""Which words of a text and of a question are the same word."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import last
from recollect.search.passage import MOST_READ, Passage
from recollect.search.stop import STOP
from recollect.search.terms import LONGEST, MOST, MOST_ASKED, question_terms, tally, terms

THE_SAME = [
    # one                 other                    because
    ("parse_config", "parseConfig", "snake and camel are one identifier"),
    ("parse_config", "ParseConfig", "and so is a class of that name"),
    ("parse_config", "parse-config", "or a file"),
    ("parse_config", "parse.config", "or an attribute"),
    ("parse_config", "PARSE_CONFIG", "or a constant"),
    ("parse_config", "_parse_config_", "underscores around it are nothing"),
    ("HTTPServer", "http_server", "capitals that follow each other are one part"),
    ("utf-8", "UTF8", "a digit begins a part"),
    ("running", "ran", "irregular verbs have one base"),
    ("tests", "testing", "endings do not keep words apart"),
    ("café", "CAFE", "accents and capitals do not matter"),
    ("cafe\u0301", "café", "nor how an accent is written"),
    ("Emma's", "Emma", "nor whose it is"),
    ("Emma\u2019s", "emma", "with either apostrophe"),
    ("\uff21\uff22\uff23", "abc", "full-width letters are the same letters"),
    ("ﬁle", "file", "and so are ligatures"),
    ("Straße", "strasse", "case is folded, not lowered"),
    ("İstanbul", "istanbul", "a dotted capital has no second letter"),
    ("مُحَمَّد", "محمد", "vowel signs are not written by everybody"),
    ("שָׁלוֹם", "שׁלום", "nor points"),
]


@pytest.mark.parametrize(("one", "other", "because"), THE_SAME, ids=last)
def test_one_thing_has_one_set_of_terms(one: str, other: str, because: str) -> None:
    assert set(terms(one)) == set(terms(other)) != set()


FOUND_BY = [
    # text                              question          because
    ("src/recollect/search/terms.py", "terms.py", "a path is found by its file"),
    ("src/recollect/search/terms.py", "the search folder", "and by its folders"),
    ("src\\recollect\\terms.py", "recollect", "whichever way the slashes lean"),
    ("HttpRetryPolicy gives up", "retry policy", "an identifier is found by its parts"),
    ("the retry policy", "HttpRetryPolicy", "and its parts by it"),
    ("std::vector<int>", "vector", "punctuation of languages parts words"),
    ("user@example.com", "example.com", "an address is found by its host"),
    ("version 1.2.3", "1.2.3", "a version by its numbers"),
    ("sha256 of it", "sha", "letters are found without their digits"),
    ("数据库连接失败", "数据库", "Chinese is found by any two letters"),
    ("ไม่รู้จัก", "รู้จัก", "and so is Thai"),
    ("データベース", "ﾃﾞｰﾀﾍﾞｰｽ", "half-width kana are the same letters"),
    ("हिन्दी में", "हिन्दी", "letters keep their vowels"),
    ("the IT department", "who is in IT?", "IT in capitals is no function word"),
    (
        "to be or not to be",
        "to be or not to be?",
        "function words count when nothing else is there",
    ),
]


@pytest.mark.parametrize(("text", "question", "because"), FOUND_BY, ids=last)
def test_a_question_shares_terms_with_what_it_means(text: str, question: str, because: str) -> None:
    assert set(terms(text)) & set(question_terms(question))


ABOUT = [
    # question                          looked for                because
    ("when did we go to the shop?", ["go", "shop"], "function words are left out"),
    ("what is it?", ["what", "is", "it"], "unless there is nothing else"),
    ("WHO BROKE THE BUILD", ["broke", "build"], "someone who shouts shouts function words too"),
    ("the IT department", ["it", "depart"], "what stands out in capitals is a name"),
    ("shop shop shop", ["shop"], "each word once"),
    (
        "where is and_then used",
        ["andthen", "us"],
        "an identifier is no function word, its parts are",
    ),
    ("don't panic", ["panic"], "contractions are parted, and don is none to look for"),
    ("?!", [], "nothing is asked"),
    ("", [], "nothing at all"),
    ("👍 \ud800", [], "what is no word is not looked for"),
]


@pytest.mark.parametrize(("question", "wanted", "because"), ABOUT, ids=last)
def test_a_question_is_about_its_words(question: str, wanted: list[str], because: str) -> None:
    assert list(question_terms(question)) == [_base(word) for word in wanted]


def _base(word: str) -> str:
    """As a text has it: `broke` is a form of another word."""
    return terms(word)[0] if word not in ("depart", "andthen", "us") else word


PARTS = st.lists(st.from_regex(r"[a-z]{3,8}", fullmatch=True), min_size=2, max_size=4)


@given(PARTS)
def test_every_way_to_join_words_is_the_same_identifier(parts: list[str]) -> None:
    ways = [
        "_".join(parts),
        "-".join(parts),
        ".".join(parts),
        "_".join(parts).upper(),
        parts[0] + "".join(part.capitalize() for part in parts[1:]),
        "".join(part.capitalize() for part in parts),
    ]
    assert len({tuple(sorted(terms(way))) for way in ways}) == 1
    path = set(terms("/".join(parts)))
    assert path <= set(terms(ways[0])), "a path has all parts, and is no word itself"


@given(st.text(max_size=300))
def test_whatever_is_written_is_cut_into_bounded_terms(text: str) -> None:
    found = terms(text)

    assert all(0 < len(term) <= 2 * LONGEST for term in found), "case folding may double a letter"
    assert found == terms(text), "and always the same ones"
    asked = question_terms(text)
    assert set(asked) <= set(found)
    assert len(asked) == len(set(asked)) <= MOST_ASKED
    assert bool(asked) == bool(found), "a text with words can be asked for"


@given(st.text(max_size=100), st.text(max_size=100))
def test_texts_apart_have_their_terms_apart(one: str, other: str) -> None:
    assert sorted(terms(f"{one}\n\n{other}")) == sorted(terms(one) + terms(other))


@given(st.lists(st.sampled_from(sorted(STOP)), min_size=1, max_size=8))
def test_a_question_of_function_words_is_not_empty(words: list[str]) -> None:
    assert question_terms(" ".join(words))
    assert not set(question_terms(" ".join([*words, "zebra"]))) & set(terms(" ".join(words)))


ENDLESS = {
    "one word": "x" * 1_000_000,
    "an identifier": "ab_" * 300_000,
    "camel humps": "aB" * 500_000,
    "dots": "a." * 500_000,
    "Chinese": "数据" * 300_000,
    "marks": "a" + "\u0301" * 1_000_000,
    "Thai marks": "ก" + "\u0e31" * 500_000,
    "digits": "12" * 500_000,
    "apostrophes": "a's" * 300_000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_has_no_end_costs_no_more_than_its_beginning(name: str) -> None:
    begun = time.perf_counter()

    assert len(terms(ENDLESS[name])) <= MOST
    assert len(question_terms(ENDLESS[name])) <= MOST_ASKED
    assert time.perf_counter() - begun < 2, "a pattern that backtracks takes minutes"


def passage(text: str, **more: object) -> Passage:
    given: dict[str, object] = {"kind": "note", "speaker": None, "title": None, "file_path": None}
    return Passage(text=text, **{**given, **more})  # type: ignore[arg-type]


def test_a_passage_has_the_terms_of_all_that_is_searched() -> None:
    found = tally(
        passage(
            "it works", speaker="Ada", title="Deploys", file_path="/a/main.go", labels=("ci", "ops")
        )
    )
    for word in ("ada", "Deploys", "works", "main", "ci", "ops"):
        assert set(terms(word)) <= found.counts.keys()
    assert found.length == sum(found.counts.values())


TALLIES = [
    # passage                                        term    times  because
    (passage("a b a"), "a", 2, "repetitions are counted"),
    (passage("x " * 300), "x", 255, "up to what fits into a byte"),
    (passage("see main.go", file_path="main.go"), "main", 1, "a path in the text counts once"),
    (passage("hello", kind="prompt"), "user", 1, "a prompt is said by the user"),
    (passage("hello", kind="prompt", speaker="Ada"), "user", 0, "unless somebody is named"),
    (
        passage("z" + " y" * (MOST_READ // 2) + " zebra"),
        "zebra",
        0,
        "the end of a huge text is not",
    ),
]


@pytest.mark.parametrize(("said", "term", "times", "because"), TALLIES, ids=last)
def test_a_term_is_counted(said: Passage, term: str, times: int, because: str) -> None:
    assert tally(said).counts.get(term, 0) == times


def test_a_passage_says_whether_it_tells_a_time() -> None:
    assert tally(passage("we met last Tuesday")).has_time
    assert not tally(passage("we met")).has_time
