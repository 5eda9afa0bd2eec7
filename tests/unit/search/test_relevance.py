"""Relevance of a fact to a question: monotone, calibrated, and not fooled by a name."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.search.relevance import (
    CATEGORIES,
    CURVE,
    MATTER_SEPARATES,
    OF_WORDS,
    READ,
    SEPARATES,
    Asked,
    Signals,
    asked,
    matter_by_words,
    matter_text,
    query_matter,
    relevance,
    signals,
    stems,
)
from recollect.search.subjects import Subjects

PAIRS = Path(__file__).parents[3] / "benchmarks" / "retrieval" / "memento" / "pairs.jsonl"
FAMILY = Subjects(["Emma", "Gordon", "Grandma Rosa", "Dr. Patel", "Will", "Mark", "user", "Zoë"])

# Vectors of length 1 as a model might give them: food, work, somebody's name.
FOOD, WORK = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
FOOD_MOSTLY = (0.6, 0.8, 0.0)

SCORES = [
    # signals                                          score  because
    (Signals(-1.0), 0.0, "the opposite"),
    (Signals(0.0), 0.2, "nothing in common"),
    (Signals(MATTER_SEPARATES), SEPARATES, "the default threshold is where the matter separates"),
    (Signals(1.0), 1.0, "the same matter"),
    (Signals(-0.2, is_same_text=True), 1.0, "the same text"),
    (Signals(0.1, is_same_text=True, is_other_person=True), 1.0, "the same text, whatever else"),
    (Signals(1.0, is_other_person=True), 0.5, "somebody else's matter never passes"),
    (Signals(1.0, is_covered=True, is_other_person=True), 0.5, "nor when every word is there"),
    (Signals(math.nan), 0.0, "a broken vector finds nothing"),
    (Signals(2.0), 1.0, "rounding above 1 stays within 1"),
]

WHOM = [
    # text                               names             because
    ("What does Emma eat?", {"emma"}, "a name"),
    ("what does emma eat", {"emma"}, "in any case"),
    ("Emma's allergies", {"emma"}, "possessive"),
    ("Emma\u2019s allergies", {"emma"}, "possessive, typographic"),
    ("dinner for Emma and Gordon", {"emma", "gordon"}, "two names"),
    ("Grandma Rosa's flowers", {"grandma rosa"}, "a name of two words"),
    ("flowers for Rosa", {"grandma rosa"}, "a part of it with a capital"),
    ("rosa flowers", set(), "a part in lower case could be anything"),
    ("is Grandma there", set(), "a title is no name"),
    ("email of Dr. Patel", {"dr. patel"}, "punctuation between the words"),
    ("What will Emma do?", {"emma"}, "will is a word"),
    ("What will Will eat?", {"will"}, "and here a name"),
    ("Will Emma come?", {"emma"}, "at the beginning before a name it is a word"),
    ("Will the train come?", set(), "and before an article"),
    ("Will's phone", {"will"}, "a possessive is a name's"),
    ("Will dietary restrictions", {"will"}, "keywords begin with the name"),
    ("mark all of Mark's operations", {"mark"}, "one word, one name"),
    ("mark the tests as slow", set(), "a word"),
    ("ZOE\u0308's birthday", {"zoë"}, "the same letter, composed or not"),
    ("gluten", set(), "no name"),
    ("emmanuel", set(), "a name inside a word is none"),
    ("what do I like to drink", {"user"}, "the user asks about himself"),
    ("what is my favourite editor", {"user"}, "likewise"),
    ("how do I get Emma to bed", {"emma"}, "I is not what is asked about"),
    ("where is the user", {"user"}, "the user by that name"),
    ("", set(), "nothing"),
]

MATTERS = [
    # content, subject, what it begins with
    ("Emma is lactose intolerant", "Emma", "someone is lactose intolerant. must not"),
    ("Emma's shoes pinch.", "Emma", "someone shoes pinch. must not"),
    ("Grandma Rosa eats no salt", "Grandma Rosa", "someone eats no salt. must not"),
    ("Rosa eats no salt", "Grandma Rosa", "someone eats no salt. must not"),
    ("Will will not fly", "Will", "someone will not fly. must not"),
    ("No flights for Will", "Will", "No flights for someone. must not"),
    ("The user is vegetarian", "user", "someone is vegetarian. must not"),
    ("I am colour-blind", "me", "someone am colour-blind. must not"),
    ("李雷 不吃牛肉", "李雷", "someone 不吃牛肉. must not"),
    ("Zoë avoids nuts", "zoë", "someone avoids nuts. must not"),
]


def cosine(left: tuple[float, ...], right: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def judged(query: str, content: str, subject: str, similarity: float) -> Signals:
    return signals(
        asked(query, FAMILY),
        similarity,
        content=content,
        subject=subject,
        category="restriction",
        tags=["diet"],
        subjects=FAMILY,
    )


@pytest.mark.parametrize(("found", "score", "because"), SCORES)
def test_scores(found: Signals, score: float, because: str) -> None:
    assert relevance(found) == pytest.approx(score, abs=1e-12), because


@given(st.floats(-1, 1), st.floats(-1, 1), st.booleans(), st.booleans(), st.booleans())
def test_relevance_rises_with_every_signal(
    one: float, other: float, is_covered: bool, is_other_person: bool, is_same_text: bool
) -> None:
    low, high = sorted((one, other))
    score = relevance(Signals(low, is_covered, is_other_person, is_same_text))

    assert 0 <= score <= 1
    assert score <= relevance(Signals(high, is_covered, is_other_person, is_same_text))
    assert score <= relevance(Signals(low, True, is_other_person, is_same_text))
    assert score <= relevance(Signals(low, is_covered, False, is_same_text))
    assert score <= relevance(Signals(low, is_covered, is_other_person, True)) == 1.0


def test_the_curve_rises() -> None:
    assert list(CURVE) == sorted(CURVE)
    assert [score for _, score in CURVE] == sorted(score for _, score in CURVE)


@pytest.mark.parametrize(("text", "names", "because"), WHOM)
def test_whom_a_text_names(text: str, names: set[str], because: str) -> None:
    assert FAMILY.named(text) == names, because


@pytest.mark.parametrize(("content", "subject", "beginning"), MATTERS)
def test_the_matter_is_the_fact_without_its_subject(
    content: str, subject: str, beginning: str
) -> None:
    assert matter_text(content, subject, "restriction", []).startswith(beginning)


def test_the_matter_says_what_kind_of_thing_it_is() -> None:
    text = matter_text("Emma is lactose intolerant", "Emma", "restriction", ["dietary", "health"])

    assert text == (
        "someone is lactose intolerant. must not, cannot, avoids, not allowed: dietary, health"
    )


def test_the_right_matter_of_the_right_person_passes() -> None:
    found = judged(
        "What can Emma not eat?", "Emma is lactose intolerant", "Emma", cosine(FOOD, FOOD_MOSTLY)
    )

    assert found == Signals(0.6)
    assert relevance(found) >= SEPARATES


def test_the_wrong_matter_of_the_right_person_does_not() -> None:
    found = judged(
        "Where does Emma work?", "Emma is lactose intolerant", "Emma", cosine(WORK, FOOD)
    )

    assert relevance(found) < SEPARATES


def test_the_right_matter_of_the_wrong_person_does_not() -> None:
    found = judged("Is Gordon lactose intolerant?", "Emma is lactose intolerant", "Emma", 1.0)

    assert found.is_other_person
    assert relevance(found) < SEPARATES


def test_a_person_who_is_mentioned_is_not_somebody_else() -> None:
    assert not judged("Gordon's daughter", "Emma is Gordon's daughter", "Emma", 0.6).is_other_person


def test_a_question_without_a_name_is_about_anybody() -> None:
    assert not judged("who eats no milk", "Emma is lactose intolerant", "Emma", 0.6).is_other_person


def test_the_family_is_everybody() -> None:
    known = Subjects(["Emma", "Family", "Gordon"])
    question = asked("dietary restrictions for the family", known)
    found = signals(
        question, 0.3, content="Emma is lactose intolerant", subject="Emma",
        category="restriction", tags=["dietary"], subjects=known,
    )  # fmt: skip

    assert not found.is_other_person
    assert found.is_covered


def test_every_word_of_the_matter_is_enough() -> None:
    assert relevance(judged("Emma's diet", "Emma eats no pork", "Emma", 0.1)) >= SEPARATES
    assert relevance(judged("Emma's restrictions", "Emma eats no pork", "Emma", 0.1)) >= SEPARATES
    assert relevance(judged("Emma's diet plan", "Emma eats no pork", "Emma", 0.1)) < SEPARATES


def test_a_question_about_somebody_at_large_finds_all_about_them() -> None:
    for query in ("Emma", "tell me about Emma", "What do you know about Emma?"):
        assert relevance(judged(query, "Emma eats no pork", "Emma", 0.1)) >= SEPARATES, query
        assert relevance(judged(query, "Gordon eats no pork", "Gordon", 0.1)) < SEPARATES, query
    assert relevance(judged("Where is Emma?", "Emma eats no pork", "Emma", 0.1)) < SEPARATES


def test_the_identical_text_scores_one() -> None:
    text = "Emma is lactose intolerant"

    assert relevance(judged(text, text, "Emma", 0.8)) == 1.0
    assert relevance(judged("  emma is  LACTOSE intolerant.", text, "Emma", 0.8)) == 1.0


def test_nothing_is_about_nothing() -> None:
    assert asked("", FAMILY) == Asked("", "", frozenset(), frozenset(), is_broad=True)
    assert relevance(judged("", "Emma eats no pork", "Emma", 0.0)) < SEPARATES
    assert matter_text("", "", "fact", []) == ". fact"
    assert Subjects([]).named("Emma") == Subjects(["", " "]).named("Emma") == frozenset()


def test_names_in_a_question_become_someone() -> None:
    assert query_matter("What can Emma not eat?", FAMILY) == "What can someone not eat?"
    assert query_matter("Emma\u2019s and Zoë's food", FAMILY) == "someone and someone food"


def test_endings_do_not_keep_words_apart() -> None:
    assert stems("allergies, the diet of restrictions") == stems("allergic dietary restriction")
    assert stems("tell me everything you know") == frozenset()


SHARES = [
    # question, share of its matter that the fact holds, because
    ("lactose", 1.0, "the word"),
    ("lactose sugar", 0.5, "one of two"),
    ("diets, lactose and cheese", 2 / 3, "two of three, in any form"),
    ("what must Emma avoid", 1.0, "the category's words count"),
    ("stock market", 0.0, "none"),
    ("Emma", 0.0, "a name is no matter"),
]


@pytest.mark.parametrize(("query", "share", "because"), SHARES)
def test_without_a_vector_the_share_of_words_stands_in(
    query: str, share: float, because: str
) -> None:
    matter = matter_by_words(
        asked(query, FAMILY), "Emma is lactose intolerant", "restriction", ["dietary"]
    )

    assert matter == pytest.approx(OF_WORDS * share), because
    assert (relevance(Signals(matter)) >= SEPARATES) == (share >= 0.5), because


def test_scripts_without_spaces_have_pairs_of_letters_as_words() -> None:
    assert stems("不吃牛肉") == {"不吃", "吃牛", "牛肉"}
    assert stems("牛") == {"牛"}
    found = judged("牛肉", "李雷不吃牛肉", "李雷", 0.0)
    assert found.is_covered


def test_a_long_text_is_read_at_its_beginning() -> None:
    assert matter_text("x" * 100_000, "Emma", "fact", []) == "x" * READ + ". fact"


def test_every_published_category_has_words() -> None:
    assert list(CATEGORIES) == [
        *("preference", "restriction", "fact", "skill"),
        *("relationship", "goal", "history", "context"),
    ]


def test_the_labelled_pairs_are_what_they_say() -> None:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    kinds = Counter(pair["kind"] for pair in pairs)
    halves = {
        half: {pair["fact"]["subject"] for pair in pairs if pair["half"] == half}
        for half in ("choose", "judge")
    }

    assert len(pairs) >= 400
    assert {pair["fact"]["category"] for pair in pairs} == set(CATEGORIES)
    assert kinds["near matter"] + kinds["same category"] + kinds["wrong matter"] >= 270
    assert halves["choose"] & halves["judge"] == set()
    assert len({(pair["query"], pair["fact"]["content"]) for pair in pairs}) == len(pairs)
