"""Questions as people put them, about the made-up texts: five to twelve words, most of them small.

What a question is about is taken from one text, by chance, so the words are as common as in texts:
the commonest ones are in every other text, and few are rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from benchmarks.scale.texts import Text

_FRAMES = (
    "why does {} {} {}",
    "where is the {} of {} {}",
    "when did we change {} and {} in {}",
    "what was decided about {} and {} for the {}",
    "why did {} stop after the {} of {} and {}",
    "which of {} {} {} is what we wanted for {}",
    "how can it be that {} has {} when {} is {}",
    "what did you tell me about {} {} {} and {}",
)


def questions(found: Sequence[Text], count: int, *, seed: str) -> list[str]:
    """So many, all different, each about one of the texts."""
    dice = Random(f"questions {seed}")
    asked: dict[str, None] = {}
    while len(asked) < count:
        words = list(dict.fromkeys(dice.choice(found).text.split()))
        frame = dice.choice(_FRAMES)
        wanted = frame.count("{}")
        if len(words) >= wanted:
            asked[frame.format(*dice.sample(words, wanted))] = None
    return list(asked)
