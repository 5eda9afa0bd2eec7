"""The published query language: what is syntax, what is text, what is refused."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.model.errors import InvalidQuery
from recollect.search.grammar import And, Not, Or, Phrase, Tree, Word, parse

AUTH, LOGIN, TOKEN = Word("auth"), Word("login"), Word("token")

UNDERSTOOD = [
    # query                        tree                                    because
    ("auth", AUTH, "one word"),
    ("  auth \n token ", And((AUTH, TOKEN)), "words are joined by AND, whatever space there is"),
    ("auth AND token", And((AUTH, TOKEN)), "AND can be written"),
    ("auth OR token", Or((AUTH, TOKEN)), "OR takes either"),
    ("auth NOT token", Not(AUTH, TOKEN), "NOT removes"),
    ("auth and token", And((AUTH, Word("and"), TOKEN)), "only capitals are operators"),
    ('"auth token"', Phrase("auth token"), "quotes ask for the phrase"),
    ('"auth"', Phrase("auth"), "a quoted word"),
    ('"AND" auth', And((Phrase("AND"), AUTH)), "a quoted operator is a word"),
    ('"say ""hi"""', Phrase('say "hi"'), "a doubled quote is one quote inside, as in FTS5"),
    ('login"auth token"', And((LOGIN, Phrase("auth token"))), "a quote ends the word before it"),
    ("“auth token”", Phrase("auth token"), "quotes of a phone or chat window"),
    ("„auth token“ login", And((Phrase("auth token"), LOGIN)), "German ones"),
    ("\uff02auth token\uff02*", Phrase("auth token", is_prefix=True), "full-width ones"),
    ("“auth token", And((AUTH, TOKEN)), "a lone typographic quote is punctuation"),
    ("auth*", Word("auth", is_prefix=True), "a prefix"),
    ('"auth tok"*', Phrase("auth tok", is_prefix=True), "the last word of a phrase as a prefix"),
    ("foo-bar*", Phrase("foo-bar", is_prefix=True), "punctuation does not cost the prefix"),
    ("a*b", Phrase("a*b"), "a star inside is punctuation"),
    ("*auth", Phrase("*auth"), "so is one in front"),
    ("auth *", AUTH, "a star alone is nothing to find"),
    ("foo-bar", Phrase("foo-bar"), "never the column `foo` without `bar`"),
    ("user:name", Phrase("user:name"), "never a column"),
    ("-token", Phrase("-token"), "never a NOT"),
    ("+auth ^auth", And((Phrase("+auth"), Phrase("^auth"))), "never FTS5's own signs"),
    ("{auth}: token", And((Phrase("{auth}:"), TOKEN)), "never a column set"),
    ("NEAR auth", And((Word("NEAR"), AUTH)), "NEAR is a word"),
    ("NEAR(auth token)", And((Phrase("NEAR(auth"), TOKEN)), "also with a parenthesis"),
    ("main()", Phrase("main()"), "its parentheses are the word's own"),
    ("f(x)", Phrase("f(x)"), "the same with something inside"),
    ("(f(x) OR auth)", Or((Phrase("f(x)"), AUTH)), "and within a group"),
    ("(auth OR login) AND token", And((Or((AUTH, LOGIN)), TOKEN)), "a group"),
    ("(auth OR login) token", And((Or((AUTH, LOGIN)), TOKEN)), "a group beside a word"),
    ("token NOT (auth OR login)", Not(TOKEN, Or((AUTH, LOGIN))), "a group to remove"),
    ('("auth token" OR login)', Or((Phrase("auth token"), LOGIN)), "a group around a phrase"),
    ("( auth )", AUTH, "spaces within a group"),
    ("((auth))", AUTH, "groups within groups"),
    ("(auth", AUTH, "a parenthesis without a partner is text"),
    ("auth) OR login", Or((AUTH, LOGIN)), "on either side"),
    ("auth ()", AUTH, "an empty group asks for nothing"),
    ("auth 😀", AUTH, "what cannot be found is left out"),
    ("auth AND 😀", AUTH, "also beside an operator"),
    ("auth NOT 😀", AUTH, "also when it was not wanted"),
    ("auth\0token", And((AUTH, TOKEN)), "NUL separates"),
    ("auth \ud800", AUTH, "half a surrogate pair is nothing"),
    ("日本語", Word("日本語"), "a word in any script"),
    ("AND", Word("AND"), "a query of only operators searches for these words"),
    ("OR NOT", And((Word("OR"), Word("NOT"))), "several of them too"),
    ("(AND)", Word("AND"), "also in parentheses"),
]

PRECEDENCE = [
    # query                          means                              because
    ("auth login OR token", "(auth login) OR token", "side by side binds tighter than OR"),
    ("auth login NOT token", "(auth login) NOT token", "and tighter than NOT"),
    ("auth NOT login token", "auth NOT (login token)", "on both sides"),
    ("auth AND login NOT token", "auth AND (login NOT token)", "NOT binds tighter than AND"),
    ("auth NOT login AND token", "(auth NOT login) AND token", "on both sides"),
    ("auth OR login AND token", "auth OR (login AND token)", "AND binds tighter than OR"),
    ("auth NOT login NOT token", "auth NOT (login OR token)", "NOT reads from the left"),
]

NOTHING = ["", "   ", "😀", "😀 OR 🎉", '""', "()", "* - /", "😀 NOT auth", "\0"]

REFUSED = [
    # query                message                                         because
    ('the "auth', "unbalanced quote at character 5", "the contract's example"),
    ('"auth', "unbalanced quote at character 1", "places count from one"),
    ('"auth" "', "unbalanced quote at character 8", "it is the last one that has no partner"),
    ('"""', "unbalanced quote at character 1", "a doubled quote does not close"),
    ("auth AND", "AND at character 6 has nothing after it", "an operator needs two sides"),
    ("NOT token", "NOT at character 1 has nothing before it", "NOT too"),
    ("auth OR OR token", "OR at character 6 has nothing after it", "an operator is no side"),
    ("(auth OR) token", "OR at character 7 has nothing after it", "a group is a query of its own"),
    ("auth (AND token)", "AND at character 7 has nothing before it", "on both sides"),
    (
        "auth AND NOT token",
        "AND at character 6 has nothing after it: NOT alone means without",
        "a habit from other search boxes is told how to say it here",
    ),
    ("😀 AND", "AND at character 3 has nothing after it", "what cannot be found is a side, too"),
    ("a " * 1_001, "the query has 1001 terms; at most 1000", "bounded work"),
    ('"' + "a " * 1_001 + '"', "the query has 1001 terms; at most 1000", "within phrases too"),
    ("語" * 1_001, "the query has 1001 terms; at most 1000", "each letter is a word there"),
    ("AND " * 1_001, "the query has 1001 terms; at most 1000", "operators as words too"),
    ("(" * 51 + "a" + ")" * 51, "groups are nested 51 deep; at most 50", "bounded depth"),
]


@pytest.mark.parametrize(("query", "tree", "because"), UNDERSTOOD)
def test_a_query_means_what_the_published_language_says(
    query: str, tree: Tree, because: str
) -> None:
    assert parse(query) == tree, because


@pytest.mark.parametrize(("query", "means", "because"), PRECEDENCE)
def test_operators_bind_as_in_fts5(query: str, means: str, because: str) -> None:
    assert parse(query) == parse(means), because


@pytest.mark.parametrize("query", NOTHING)
def test_a_query_without_anything_to_find_has_no_tree(query: str) -> None:
    assert parse(query) is None


@pytest.mark.parametrize(("query", "message", "because"), REFUSED)
def test_what_cannot_be_understood_is_refused_with_its_place(
    query: str, message: str, because: str
) -> None:
    with pytest.raises(InvalidQuery) as refused:
        parse(query)
    assert refused.value.message == message, because


def test_the_limits_themselves_are_allowed() -> None:
    assert parse("a " * 1_000) == And((Word("a"),) * 1_000)
    assert parse("(" * 50 + "auth" + ")" * 50) == AUTH


HUGE = {
    "ORs": "auth OR " * 10_000 + "auth",
    "open": "(" * 100_000,
    "pairs": "()" * 50_000,
    "nest": "(" * 50_000 + ")" * 50_000,
    "quotes": '"' * 100_000,
    "curly quotes": "“" * 100_001,
    "one word": "a" * 1_000_000,
    "one phrase": '"' + "a" * 1_000_000 + '"',
    "glued": "foo(" * 25_000,
    "emoji": "😀 OR " * 20_000 + "auth",
    "stars": "*" * 1_000_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_query_is_read_in_linear_time(name: str) -> None:
    """Quadratic work on these takes minutes; this allows a slow machine its seconds."""
    started = time.process_time()
    _read(HUGE[name])
    assert time.process_time() - started < 10


@given(st.text(alphabet='ab ()"“”*-:ANDORT語😀', max_size=60))
@settings(deadline=None, max_examples=400)
def test_any_text_is_understood_or_refused_with_a_place(text: str) -> None:
    outcome = _read(text)
    if isinstance(outcome, InvalidQuery):
        assert 1 <= int(str(outcome.context["position"])) <= len(text)


def _read(query: str) -> Tree | InvalidQuery | None:
    try:
        return parse(query)
    except InvalidQuery as refused:
        return refused
