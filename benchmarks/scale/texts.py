"""Made-up coding observations: as many as wanted, the same for the same seed.

Their words follow Zipf's law, as those of real texts do: a few are in every other text, most are
hardly anywhere. What a word costs to search depends on that and on little else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, product
from random import Random

from recollect.model.memory import Type

VOCABULARY = 30_000
COMMON = range(64)
MIDDLING = range(150, 1_500)
RARE = range(5_000, VOCABULARY)
BANDS = {"common": COMMON, "middling": MIDDLING, "rare": RARE}
"""Places in the order of frequency. A query is of the band of its rarest word."""

PROJECTS = ("shop", "billing", "search-ui", "infra")
PER_SESSION = 200
PER_PROMPT = 10
LAST = 1_000_000
PACE = 31_000
"""Milliseconds between two texts: a million of them take a year."""

_KINDS = {
    Type.FILE_READ: 35,
    Type.COMMAND: 25,
    Type.FILE_EDIT: 20,
    Type.SEARCH: 12,
    Type.MCP_CALL: 5,
    Type.COMMAND_ERROR: 3,
}
_SYLLABLES = [a + b for a, b in product("bcdfglmnprstv", ("a", "e", "i", "o", "u"))]


def _words() -> list[str]:
    """Most frequent first; without endings that a stemmer would take off."""
    made = (a + b + c + "k" for a, b, c in product(_SYLLABLES, repeat=3))
    chosen = [word for word, _ in zip(made, range(4 * VOCABULARY), strict=False)]
    return Random("vocabulary").sample(chosen, VOCABULARY)


WORDS = _words()
PLACE = {word: place for place, word in enumerate(WORDS)}
_WEIGHTS = list(accumulate(1 / (place + 1) for place in range(VOCABULARY)))


@dataclass(frozen=True, slots=True)
class Text:
    number: int
    """From 1, as its row in a store that holds nothing else."""
    type: Type
    text: str
    file_path: str | None
    project: str
    session_id: str
    at: int
    prompt_number: int | None
    """The prompt that it follows."""


def texts(first: int, last: int, *, now: int, seed: str = "texts") -> Iterator[Text]:
    """Numbers `first` to `last`, in order of time; the millionth is of now."""
    dice = Random(f"{seed} {first}")
    kinds, weights = list(_KINDS), list(accumulate(_KINDS.values()))
    for number in range(first, last + 1):
        session = number // PER_SESSION
        type_ = dice.choices(kinds, cum_weights=weights)[0]
        if number % PER_PROMPT == 0:
            type_ = Type.USER_PROMPT
        words = dice.choices(WORDS, cum_weights=_WEIGHTS, k=dice.randint(6, 16))
        path = f"/work/{words[0]}/{words[1]}.py"
        has_path = type_ in (Type.FILE_READ, Type.FILE_EDIT, Type.SEARCH)
        prompt = number - number % PER_PROMPT
        yield Text(
            number=number,
            type=type_,
            text=" ".join(words),
            file_path=path if has_path else None,
            # Half of all sessions belong to the first project.
            project=PROJECTS[0] if session % 2 else PROJECTS[1 + session // 2 % 3],
            session_id=f"session-{session}",
            at=now - (LAST - number) * PACE,
            prompt_number=prompt if PER_PROMPT <= prompt < number else None,
        )


def queries(found: list[Text], words: int, band: str, count: int, *, seed: str) -> list[str]:
    """Queries of so many words, each taken from one of the texts, so that each finds something."""
    dice = Random(f"{seed} {words} {band}")
    chosen: list[str] = []
    for text in dice.sample(found, len(found)):
        within = [word for word in dict.fromkeys(text.text.split()) if word in PLACE]
        rarest = [word for word in within if PLACE[word] in BANDS[band]]
        others = [word for word in within if PLACE[word] < BANDS[band].stop and word not in rarest]
        if rarest and len(rarest) + len(others) >= words:
            lead = dice.choice(rarest)
            rest = [word for word in rarest + others if word != lead]
            chosen.append(" ".join([lead, *dice.sample(rest, words - 1)]))
        if len(chosen) == count:
            break
    return chosen
