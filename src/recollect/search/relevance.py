"""How relevant a fact about someone is to a question, from 0 to 1; 0.7 tells yes from no.

A name makes two texts similar whatever they are about. So names become "someone" in both, and what
is compared is the matter; whose matter it is, is judged by words. No model is called here: the
caller embeds `Asked.matter` once a query and `matter_text` once a fact, and brings the cosine.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from recollect.search.subjects import Subjects, is_anybodys, key_of, without_subject, word_set
from recollect.search.words import CLUSTER, RUN

# Chosen on the half `choose` of benchmarks/retrieval/memento/pairs.jsonl with all-MiniLM-L6-v2;
# benchmarks/retrieval/memento/calibration.py shows what they do to the half `judge`.
SEPARATES = 0.7
"""The published default threshold."""
MATTER_SEPARATES = 0.305
"""The cosine of two matters at which a pair counts as relevant: the lowest, in steps of 0.005,
whose precision on `choose` is 0.9."""
CURVE = ((-1.0, 0.0), (0.0, 0.2), (MATTER_SEPARATES, SEPARATES), (0.6, 0.9), (1.0, 1.0))
"""Cosine of the matters to relevance, straight between the points."""
WHEN_COVERED = 0.4
"""A fact that holds every word of the matter counts as if its cosine were at least this."""
OF_WORDS = 0.62
"""A fact without a vector counts as if its cosine were the share of the matter's words that it
holds, times this: half of them are enough."""
OTHER_PERSON = 0.5
"""What is left of the relevance when the question is about somebody else."""

READ = 2_000
"""Characters of a text that are looked at for names and words; a model reads no more either."""

CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "preference": "likes, prefers, favourite",
        "restriction": "must not, cannot, avoids, not allowed",
        "fact": "fact",
        "skill": "can do, knows, good at",
        "relationship": "related to, knows, close to",
        "goal": "wants, plans, aims",
        "history": "in the past, happened before",
        "context": "at present, right now",
    }
)
"""What the words of a fact rarely say: what kind of thing they are."""

_STOP_WORDS = word_set(
    "a an the is are was were am be been being do does did done has have had can could may might "
    "must should shall will would what which who whom whose when where why how of for to in on at "
    "by with from and or not no any some all i me my mine you your it its we us our he she his her "
    "him they them their this that these those there here about s t"
)
_BROAD_WORDS = word_set(
    "anything everything something know known tell remember recall remind memory memories "
    "information info details say said talk someone"
)
"""Words of asking as such: "tell me everything you know about Emma" has no matter but Emma."""
_ASIDE = word_set("where when why how can could may must should which whose")
"""Words that ask for one thing: "where is Emma" has no matter in words either, and is not broad."""
_ENDINGS = (
    *("ations", "ation", "ions", "ion", "ings", "ing", "ies", "ied"),
    *("ary", "ers", "er", "ed", "es", "ic", "ly", "al", "s", "y", "e"),
)
"""The first that fits goes: rough, but the same on both sides."""
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['\u2019]s\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, read once: `matter` is what to embed, `people` the subjects that it names."""

    text: str
    matter: str
    people: frozenset[str]
    stems: frozenset[str]
    is_broad: bool
    """All that is known about somebody is asked for."""


@dataclass(frozen=True, slots=True)
class Signals:
    """What relevance is made of; also what explains it."""

    matter: float
    """Cosine of the vectors of the two matters."""
    is_covered: bool = False
    """The fact holds every word of the matter; or the question has none and names the subject."""
    is_other_person: bool = False
    """The question names people, and the fact is about none of them."""
    is_same_text: bool = False


def relevance(signals: Signals) -> float:
    """From 0 to 1; rises with the cosine and with each thing that speaks for the fact."""
    if signals.is_same_text:
        return 1.0
    matter = max(signals.matter, WHEN_COVERED) if signals.is_covered else signals.matter
    return _on_curve(matter) * (OTHER_PERSON if signals.is_other_person else 1.0)


def matter_text(content: str, subject: str, category: str, tags: Iterable[str]) -> str:
    """What a fact is about, without whom, for embedding beside the fact's own text."""
    matter = without_subject(content[:READ], subject).rstrip(". ")
    kind = CATEGORIES.get(category, category)
    return ": ".join(part for part in (f"{matter}. {kind}", ", ".join(tags)) if part)


def query_matter(query: str, subjects: Subjects) -> str:
    """What a question is about, without whom, for embedding."""
    return subjects.replaced(query[:READ])


def asked(query: str, subjects: Subjects) -> Asked:
    """What a question says before any fact is looked at."""
    nameless = subjects.replaced(query[:READ], "")
    words, carried = _words(nameless), stems(nameless)
    is_broad = not carried and (not _BROAD_WORDS.isdisjoint(words) or _ASIDE.isdisjoint(words))
    people = subjects.named(query[:READ])
    return Asked(query, query_matter(query, subjects), people, carried, is_broad)


def signals(
    question: Asked,
    cosine: float,
    *,
    content: str,
    subject: str,
    category: str,
    tags: Iterable[str],
    subjects: Subjects,
) -> Signals:
    """What speaks for and against a fact; `cosine` is that of the two matters."""
    people, beginning = question.people, content[:READ]
    is_about_them = key_of(subject) in people
    if people and not is_about_them and _may_name(beginning, people):
        is_about_them = not people.isdisjoint(subjects.named(beginning))
    is_other = bool(people) and not is_about_them and not is_anybodys(people | {key_of(subject)})
    if question.stems:
        is_covered = _holds(question.stems, beginning, category, tags)
    else:
        is_covered = question.is_broad and is_about_them
    return Signals(cosine, is_covered, is_other, _is_same(question.text, content))


def matter_by_words(question: Asked, content: str, category: str, tags: Iterable[str]) -> float:
    """In the place of a cosine that is not there: how much of the matter is in the fact."""
    if not question.stems:
        return 0.0
    held = question.stems & stems(_said(content[:READ], category, tags))
    return OF_WORDS * len(held) / len(question.stems)


def _said(content: str, category: str, tags: Iterable[str]) -> str:
    return " ".join((content, category, CATEGORIES.get(category, ""), *tags))[: 2 * READ]


def _holds(wanted: frozenset[str], content: str, category: str, tags: Iterable[str]) -> bool:
    """Whether every word is in the fact, in any of its forms."""
    text = _said(content, category, tags)
    folded = _folded(text)
    # A stem is how its word begins: looking for it as text answers most candidates, at a twentieth.
    return all(stem in folded for stem in wanted) and wanted <= stems(text)


def _may_name(text: str, people: frozenset[str]) -> bool:
    """A quick look, which rules out most."""
    folded = _folded(text)
    return any(word in folded for key in people for word in _words(key))


def _is_same(one: str, other: str) -> bool:
    if max(len(one), len(other)) > READ:
        return one == other
    return _plain(one) == _plain(other)


def stems(text: str) -> frozenset[str]:
    """The words that carry the matter, without their endings."""
    return frozenset(_stem(word) for word in _words(text) - _STOP_WORDS - _BROAD_WORDS)


def _words(text: str) -> frozenset[str]:
    """Where no spaces are written, each pair of neighbouring letters is a word."""
    folded = _folded(text)
    if folded.isascii():
        return frozenset(_WORD.findall(folded))
    found = set(_WORD.findall(RUN.sub(" ", folded)))
    for run in RUN.finditer(folded):
        letters = CLUSTER.findall(run[0])
        found |= {"".join(pair) for pair in pairwise(letters)} or set(letters)
    return frozenset(found)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", _POSSESSIVE.sub("", text)).casefold()


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _on_curve(cosine: float) -> float:
    if not cosine > CURVE[0][0]:  # NaN as well
        return CURVE[0][1]
    if cosine >= CURVE[-1][0]:
        return CURVE[-1][1]
    place = bisect_right(CURVE, cosine, key=lambda point: point[0])
    (left, low), (right, high) = CURVE[place - 1], CURVE[place]
    return low + (high - low) * (cosine - left) / (right - left)
