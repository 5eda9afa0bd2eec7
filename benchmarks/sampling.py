"""Times taken in turns (A B C A B C …), so that a busy moment of the machine meets all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Action = Callable[[], object]


@dataclass
class Sample:
    """Seconds."""

    seconds: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def percentile(self, percent: int) -> float:
        """The smallest time that at least so many percent of the runs did not exceed."""
        ordered = sorted(self.seconds)
        place = -(-len(ordered) * percent // 100)
        return ordered[max(place, 1) - 1]


def interleaved(
    actions: Mapping[str, Action],
    rounds: int,
    *,
    warm: int = 2,
    budget: float = float("inf"),
    least: int = 5,
) -> dict[str, Sample]:
    """Every action once per round, each time another one first.

    Rounds end early, but not before `least` of them, when `budget` seconds are used up.
    """
    samples = {name: Sample() for name in actions}
    for _ in range(warm):
        for action in actions.values():
            action()
    names = list(actions)
    began = time.perf_counter()
    for number in range(rounds):
        if number >= least and time.perf_counter() - began > budget:
            break
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            start = time.perf_counter()
            actions[name]()
            samples[name].seconds.append(time.perf_counter() - start)
    return samples


def milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
