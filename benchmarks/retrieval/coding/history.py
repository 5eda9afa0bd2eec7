"""Months of sessions in which the facts come up, among everything else that happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import accumulate
from random import Random

from benchmarks.retrieval.coding import tables
from benchmarks.retrieval.coding.projects import DEVELOPERS, Developer
from benchmarks.retrieval.coding.scene import AGENT, Event, Fact, Scene

FIRST_DAY = datetime(2025, 2, 3)
DAYS = 178
SESSIONS_EACH = 21
NOISE_EACH = (16, 28)
"""Sessions of a project, and events of a session that carry nothing and are near to nothing."""


@dataclass(slots=True)
class Session:
    scene: Scene
    developer: Developer
    begins: datetime
    planned: list[list[Event]] = field(default_factory=list)
    """Runs of events that stay in their order."""
    abouts: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Happened:
    event: Event
    at: datetime


def sessions(scene: Scene, facts: Sequence[Fact]) -> list[Session]:
    """A project's sessions with its facts placed, in order of time."""
    dice = scene.dice
    days = sorted(dice.sample([day for day in range(DAYS) if day % 7 < 5], SESSIONS_EACH))
    made = []
    for day in days:
        minutes = dice.randint(8 * 60, 17 * 60)
        begins = FIRST_DAY + timedelta(days=day, minutes=minutes)
        made.append(Session(scene, dice.choice(DEVELOPERS), begins))
    for fact in facts:
        _place(fact, made, dice)
    return made


def _place(fact: Fact, made: list[Session], dice: Random) -> None:
    own = dice.randint(4, len(made) - 3)
    if fact.carrier.kind == "prompt":
        # Whoever said it is whose session it is.
        own = min(
            range(3, len(made)),
            key=lambda place: (
                made[place].developer.name != fact.carrier.speaker,
                abs(place - own),
            ),
        )
    made[own].planned.append([*fact.near, fact.carrier])
    made[own].abouts.append(fact.about)
    for event in fact.earlier:
        made[dice.randrange(own)].planned.append([event])
    for event in fact.later:
        after = dice.randrange(own + 1, len(made)) if own + 1 < len(made) else own
        made[after].planned.append([event])


def happens(session: Session) -> Iterator[Happened]:
    """The session from its first prompt to its summary."""
    scene, dice = session.scene, session.scene.dice
    runs = [[_noise(session)] for _ in range(dice.randint(*NOISE_EACH))] + session.planned
    dice.shuffle(runs)
    at = session.begins
    for run in runs:
        for event in run:
            at += timedelta(seconds=dice.randint(15, 260))
            yield Happened(_spoken(event, session), at)
    summary = scene.event("summaries", AGENT, about=_about(session), who=session.developer.name)
    yield Happened(replace(summary, kind="summary"), at + timedelta(seconds=40))


def _noise(session: Session) -> Event:
    scene, table = session.scene, tables.noise()
    weights = list(accumulate(each.weight for each in table))
    chosen = scene.dice.choices(table, cum_weights=weights)[0]
    template = scene.dice.choice(chosen.texts)
    text, files = scene.fill(template, about=_about(session))
    if chosen.speaker == "user":
        text = session.developer.says(text)
    return Event(text=text, kind=chosen.kind, speaker=chosen.speaker, files=files)


def _about(session: Session) -> str:
    """Something that comes up in this session, or something of no account."""
    dice = session.scene.dice
    if session.abouts and dice.random() < 0.6:
        return dice.choice(session.abouts)
    return "the " + session.scene.fill("{q1} {n1}")[0]


def _spoken(event: Event, session: Session) -> Event:
    """A prompt without a speaker is the developer's whose session it is."""
    if event.kind == "prompt" and event.speaker in (None, "user"):
        return replace(event, speaker=session.developer.name)
    return event
