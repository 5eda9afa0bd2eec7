"""What is to be known: facts, each with the event that carries it, and questions about them.

Every fact has a key of its own, and so has the event that carries it. What surrounds a fact shares
its words and carries nothing: the answer to a question is known by making.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random

from benchmarks.retrieval.coding import names, settings, tables
from benchmarks.retrieval.coding.projects import DEVELOPERS, PROJECTS
from benchmarks.retrieval.coding.scene import AGENT, Event, Fact, Scene
from benchmarks.retrieval.coding.tables import Matter, words

Maker = Callable[[Matter, Scene, str], Fact]


def facts(scenes: Mapping[str, Scene], dice: Random) -> list[Fact]:
    """All there is to know, in no order."""
    return [*_authored(scenes, dice), *settings.facts(scenes, dice), *names.facts(scenes, dice)]


def _authored(scenes: Mapping[str, Scene], dice: Random) -> Iterator[Fact]:
    makers: dict[str, Maker] = {
        "decisions": _decision,
        "errors": _cure,
        "findings": _finding,
        "reversals": _reversal,
        "prompts": _prompt,
    }
    taken: Counter[str] = Counter()
    for table, make in makers.items():
        for number, matter in enumerate(tables.matters(table), 1):
            fitting = [each.name for each in PROJECTS if matter.fit in (each.fit, "any")]
            weighed = [(taken[name], dice.random(), name) for name in fitting]
            project = min(weighed)[2]
            taken[project] += 1
            yield make(matter, scenes[project], f"{table}/{number}")


def _decision(matter: Matter, scene: Scene, key: str) -> Fact:
    return _told(matter, scene, key, leads="decision_leads", category="decision-why", kind="note")


def _finding(matter: Matter, scene: Scene, key: str) -> Fact:
    return _told(matter, scene, key, leads="finding_leads", category="finding", kind="note")


def _cure(matter: Matter, scene: Scene, key: str) -> Fact:
    times = scene.dice.randint(2, 4)
    seen = [scene.event("seen_again", "tool", seen=matter.seen) for _ in range(times)]
    return _told(
        matter,
        scene,
        key,
        leads="fix_leads",
        category="error-fix",
        earlier=seen[1:],
        near=seen[:1],
    )


def _reversal(matter: Matter, scene: Scene, key: str) -> Fact:
    lead = scene.fill(scene.dice.choice(words("decision_leads")))[0]
    old = Event(text=f"{lead} {matter.old}".strip(), speaker=AGENT, key=f"{key}/old")
    return _told(
        matter,
        scene,
        key,
        leads="decision_leads",
        category="reversed-decision",
        kind="note",
        earlier=[old],
    )


def _told(
    matter: Matter,
    scene: Scene,
    key: str,
    *,
    leads: str,
    category: str,
    kind: str = "observation",
    earlier: list[Event] | None = None,
    near: list[Event] | None = None,
) -> Fact:
    dice = scene.dice
    lead = scene.fill(dice.choice(words(leads)))[0]
    tail = scene.fill(dice.choice(words("tails")))[0]
    is_titled, is_of_kind = dice.random() < 0.5, dice.random() < 0.5
    carrier = Event(
        text=" ".join(part for part in (lead, matter.told, tail) if part),
        kind=kind if is_of_kind else "observation",
        speaker=AGENT,
        title=matter.about[0].upper() + matter.about[1:] if is_titled else None,
        key=key,
    )
    opener = scene.fill(dice.choice(words("openers")), about=matter.about)[0]
    return Fact(
        project=scene.project.name,
        about=matter.about,
        carrier=carrier,
        asked=[(category, matter.asks), ("paraphrase", matter.turned)],
        earlier=[*(earlier or []), *scene.reading_up(matter.about)],
        near=[Event(text=opener, kind="prompt"), *(near or []), *scene.reading_up(matter.about)],
        later=scene.reading_up(matter.about),
    )


def _prompt(matter: Matter, scene: Scene, key: str) -> Fact:
    who, other = scene.dice.sample([each.name for each in DEVELOPERS], 2)
    return Fact(
        project=scene.project.name,
        about=matter.about,
        carrier=Event(text=matter.told, kind="prompt", speaker=who, key=key),
        asked=[("who-said", matter.asks.format(who=who)), ("paraphrase", matter.turned)],
        earlier=[Event(text=matter.other, kind="prompt", speaker=other)],
        near=scene.reading_up(matter.about),
        later=scene.reading_up(matter.about),
    )
