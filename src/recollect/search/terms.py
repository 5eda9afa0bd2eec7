"""Text as terms of the ranking index: what counts as the same word, for texts and for questions.

Words are folded and stemmed. An identifier gives its parts and itself, however it is written:
`parse_config`, `parseConfig` and `parse-config` share all their terms. Scripts without spaces give
each pair of neighbouring letters, so any two or more of them are found.
The published query language (`search.grammar`) has its own index and does not come here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise

import Stemmer

from recollect.search.passage import MOST_READ, Passage
from recollect.search.stop import STOP
from recollect.search.times import has_time
from recollect.search.verbs import BASES
from recollect.search.words import CLUSTER, RUN, with_bounded_marks

VERSION = 1
"""Of everything that decides which terms a text has. An index of another version is made anew."""

MOST = 20_000
"""Terms of one text, repetitions counted; what comes after them is not ranked."""
MOST_ASKED = 256
"""Terms of a question."""
_SHORTEST_STEMMED = 3
"""Porter's `is` would be the same word as `i`."""
LONGEST = 48
"""Letters of a term; more are cut off, in a text as in a question."""
_MOST_JOINED = 6
"""Parts of an identifier that is kept as a whole. A path is found by its parts."""
_LARGEST_COUNT = 255
_LONGEST_CHUNK = 200
"""Letters of an identifier; what is longer is a chain of words, or no word at all."""

_CHUNK = re.compile(r"[^\W_]+(?:[_.-][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+")
_SEPARATOR = re.compile(r"[_.-]")
_CONTRACTED = re.compile(r"(?<=[^\W\d_])['\u2019](?:s|t|m|d|re|ve|ll)\b", re.IGNORECASE)
_SEAM = re.compile(
    r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])"
)
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670]")


@dataclass(frozen=True, slots=True)
class Tally:
    """The terms of a passage, how often each is there, and how many they are together."""

    counts: dict[str, int]
    length: int
    has_time: bool


def tally(passage: Passage) -> Tally:
    counts = Counter(islice(_all_terms(passage), MOST))
    if passage.portrait and len(counts) < MOST:
        # A portrait tells the same again in other words: it brings in what is new, once, so that
        # what has one is no longer and no better than what has none.
        counts.update(set(islice(_terms(passage.portrait), MOST)) - counts.keys())
    for term, count in counts.items():
        if count > _LARGEST_COUNT:
            counts[term] = _LARGEST_COUNT
    return Tally(dict(counts), sum(counts.values()), has_time(passage.text))


def terms(text: str) -> list[str]:
    """All terms of a text, with repetitions; in order, but for scripts without spaces."""
    return list(islice(_terms(text), MOST))


def question_terms(question: str) -> tuple[str, ...]:
    """What a question is about, each term once: function words only when there is nothing else."""
    chunks = list(islice(_chunks(question), MOST))
    is_shouting = question.isupper()
    wanted = [each for each in chunks if is_shouting or not _is_function_word(each)]
    if is_shouting:
        wanted = [each for each in chunks if each.lower() not in STOP]
    found = dict.fromkeys(term for each in wanted or chunks for term in _question_terms(each))
    return tuple(islice(found, MOST_ASKED))


def _question_terms(chunk: str) -> tuple[str, ...]:
    found = _terms_of(chunk)
    return tuple(term for term in found if term not in STOP) or found if len(found) > 1 else found


def _is_function_word(chunk: str) -> bool:
    """`it` is one, `IT` in a question that is not all capitals is not."""
    return chunk.lower() in STOP and not (len(chunk) > 1 and chunk.isupper())


def _all_terms(passage: Passage) -> Iterator[str]:
    if passage.speaker is not None:
        yield from _terms(passage.speaker)
    elif passage.kind == "prompt":
        yield "user"
    if passage.title is not None:
        yield from _terms(passage.title)
    yield from _terms(passage.text)
    if passage.file_path is not None and passage.file_path not in passage.text:
        yield from _terms(passage.file_path)
    for label in passage.labels:
        yield from _terms(label)


def _terms(text: str) -> Iterator[str]:
    for chunk in _chunks(text):
        yield from _terms_of(chunk)


def _chunks(text: str) -> Iterator[str]:
    """Words and identifiers, and pairs of letters where no spaces are written."""
    text = _CONTRACTED.sub("", text[:MOST_READ])
    if text.isascii():
        yield from _pieces(text, _CHUNK)
        return
    # Compatibility forms as well: full-width letters and half-width kana are the same letters.
    composed = unicodedata.normalize("NFKC", with_bounded_marks(text))
    for run in RUN.finditer(composed):
        letters = CLUSTER.findall(run[0])
        if len(letters) == 1:
            yield letters[0]
        else:
            yield from (first + second for first, second in pairwise(letters))
    yield from _pieces(RUN.sub(" ", composed), _chunk_with_marks())


def _pieces(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    for found in pattern.finditer(text):
        start, end = found.span()
        if end - start <= _LONGEST_CHUNK:
            yield found[0]
        else:
            for word in _WORD.finditer(text, start, end):
                yield word[0][:_LONGEST_CHUNK]


@cache
def _chunk_with_marks() -> re.Pattern[str]:
    """As `_CHUNK`, for scripts that put vowels on their letters as marks.

    Made when the first text needs it: asking Unicode for every mark takes some milliseconds.
    """
    marks = "".join(
        chr(point) for point in range(0x300, 0x1F000) if unicodedata.category(chr(point))[0] == "M"
    )
    word = rf"[^\W_](?:[^\W_]|[{marks}])*+"
    return re.compile(f"{word}(?:[_.-]{word})*+")


@lru_cache(maxsize=4_096)
def _terms_of(chunk: str) -> tuple[str, ...]:
    """The parts of an identifier, then the whole; of a plain word, the word."""
    words = _SEPARATOR.split(chunk)
    found: list[str] = []
    for word in words:
        parts = _SEAM.split(word) if len(word) <= LONGEST else [word]
        if len(parts) > 1:
            # A single letter says nothing beside the whole: the i of iPhone, the s of URLs.
            found += [_term(part) for part in parts if len(part) > 1 or part.isdigit()]
        found.append(_term(word))
    if 1 < len(words) <= _MOST_JOINED:
        found.append(_term("".join(words)))
    return tuple(term for term in found if term)


def _term(word: str) -> str:
    if not word.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFD", word[: 2 * LONGEST]))
        word = unicodedata.normalize("NFC", plain)
    word = word[:LONGEST].casefold()
    if not word.isalpha() or len(word) < _SHORTEST_STEMMED:
        return word
    return _stem(BASES.get(word, word))


def _stem(word: str) -> str:
    # A stemmer for each word, and words are remembered: one object is not safe across threads.
    return str(Stemmer.Stemmer("porter", 0).stemWord(word)) if word.isascii() else word
