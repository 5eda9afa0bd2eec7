"""Facts about names: where things are, what they were called before, what is known about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from benchmarks.retrieval.coding import tables
from benchmarks.retrieval.coding.projects import PROJECTS, pascal
from benchmarks.retrieval.coding.scene import AGENT, Event, Fact, Scene
from benchmarks.retrieval.coding.tables import Known, Place, Renamed


def facts(scenes: Mapping[str, Scene], dice: Random) -> Iterator[Fact]:
    places, renamed, known = tables.places(), tables.renamed(), tables.known()
    for number, place in enumerate(places, 1):
        yield _place(place, _dealt(scenes, dice, number), f"places/{number}")
    for number, change in enumerate(renamed, 1):
        yield _renaming(change, _dealt(scenes, dice, number), f"renamed/{number}")
    for number, one in enumerate(known, 1):
        yield _knowledge(one, _dealt(scenes, dice, number), f"known/{number}")


def _dealt(scenes: Mapping[str, Scene], dice: Random, number: int) -> Scene:
    """Every project in turn, with a step to the side now and then."""
    return scenes[PROJECTS[(number + (dice.random() < 0.3)) % len(PROJECTS)].name]


def _place(place: Place, scene: Scene, key: str) -> Fact:
    folder, _, file = place.path.partition("/")
    path, name = scene.project.path(folder, file), scene.project.named(place.name)
    told = scene.event("place_told", AGENT, key=key, what=place.what, path=path, name=name)
    asked = scene.fill(scene.pick("place_asked"), what=place.what)[0]
    near = [scene.event("place_near", AGENT, what=place.what) for _ in range(3)]
    return Fact(
        project=scene.project.name,
        about=place.what,
        carrier=told,
        asked=[("where-is", asked), ("paraphrase", place.turned)],
        earlier=near[:1],
        near=near[1:],
        later=scene.reading_up(place.what),
    )


def _renaming(change: Renamed, scene: Scene, key: str) -> Fact:
    """Of a file or of a class: the old name is everywhere before, the new one everywhere after."""
    if scene.dice.random() < 0.5:
        folder = scene.dice.choice(scene.folders)
        old, new = scene.project.path(folder, change.old), scene.project.path(folder, change.new)
    else:
        old, new = pascal(change.old), pascal(change.new)
    said = {"old": old, "new": new, "because": change.because}
    table = "renamed_asked" if scene.dice.random() < 0.65 else "renamed_back"
    return Fact(
        project=scene.project.name,
        about=new,
        carrier=scene.event("renamed_told", AGENT, key=key, **said),
        asked=[("renamed", scene.fill(scene.pick(table), **said)[0])],
        earlier=[scene.event("renamed_near", "tool", **said) for _ in range(4)],
        near=[scene.event("renamed_near", "tool", **said) for _ in range(2)],
        later=[scene.event("renamed_after", "tool", **said) for _ in range(6)],
    )


def _knowledge(one: Known, scene: Scene, key: str) -> Fact:
    """Asked for by the parts of the identifier, which stand apart in the question only."""
    name = scene.project.named(one.name)
    first, *rest = one.name.split()
    spoken = f"{' '.join(rest)} {first}" if scene.dice.random() < 0.3 else one.name
    near = [
        scene.event("known_near", "tool", part=part)
        for part in (*one.name.split(), " ".join(rest), *rest)
    ]
    scene.dice.shuffle(near)
    told = scene.event("known_told", AGENT, key=key, name=name, known=one.known)
    seen = Event(text=scene.fill("Read {path} around {name}", name=name)[0], speaker="tool")
    return Fact(
        project=scene.project.name,
        about=" ".join(rest),
        carrier=told,
        asked=[("identifier-part", scene.fill(scene.pick("known_asked"), words=spoken)[0])],
        earlier=near[:2],
        near=[*near[2:4], seen],
        later=near[4:],
    )
