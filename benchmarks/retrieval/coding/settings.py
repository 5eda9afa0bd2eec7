"""Facts about values: what a setting is set to here, and not in the project of nearly that name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from benchmarks.retrieval.coding import tables
from benchmarks.retrieval.coding.projects import PROJECTS, Project, screaming
from benchmarks.retrieval.coding.scene import AGENT, Fact, Scene
from benchmarks.retrieval.coding.tables import Setting

Values = dict[tuple[str, str], str]
"""What a setting is set to, with its unit, by project and setting."""
OWN = 3
SHARED = 2
"""Settings that are asked for in each project; of the shared ones the sibling's is told as well."""


def facts(scenes: Mapping[str, Scene], dice: Random) -> Iterator[Fact]:
    turned: set[str] = set()
    values = chosen(dice)
    for project in PROJECTS:
        scene = scenes[project.name]
        for place, setting in enumerate(dice.sample(tables.settings(), OWN + SHARED)):
            key = f"settings/{project.name}/{setting.name}"
            if place < OWN:
                fact = _own(setting, project, scene, values, key)
                if setting.name not in turned:
                    turned.add(setting.name)
                    fact.asked.append(("paraphrase", setting.turned))
                yield fact
            else:
                yield _shared(setting, project, scene, values, key)


def chosen(dice: Random) -> Values:
    """Siblings never agree, so that one's value is no answer for the other."""
    values: Values = {}
    for setting in tables.settings():
        for project in PROJECTS:
            related = (
                each.name
                for each in PROJECTS
                if each.name == project.sibling or each.sibling == project.name
            )
            taken = {values.get((name, setting.name)) for name in related}
            free = [value for value in setting.values if f"{value} {setting.unit}" not in taken]
            values[project.name, setting.name] = f"{dice.choice(free)} {setting.unit}"
    return values


def _own(setting: Setting, project: Project, scene: Scene, values: Values, key: str) -> Fact:
    said = {
        "name": project.setting(setting.name),
        "words": setting.name,
        "value": values[project.name, setting.name],
    }
    return _fact(scene, key, said, told="value_told", asked=("value", "value_asked"))


def _shared(setting: Setting, project: Project, scene: Scene, values: Values, key: str) -> Fact:
    said = {
        "name": screaming(setting.name),
        "words": setting.name,
        "value": values[project.name, setting.name],
        "other": values[project.sibling, setting.name],
        "project": project.name,
        "sibling": project.sibling,
    }
    fact = _fact(scene, key, said, told="value_told", asked=("cross-project", "sibling_asked"))
    fact.near.append(scene.event("sibling_told", AGENT, **said))
    fact.later.append(scene.event("sibling_told", AGENT, **said))
    return fact


def _fact(
    scene: Scene, key: str, said: dict[str, str], *, told: str, asked: tuple[str, str]
) -> Fact:
    category, table = asked
    near = [scene.event("value_near", "tool", **said) for _ in range(5)]
    return Fact(
        project=scene.project.name,
        about=f"the {said['words']}",
        carrier=scene.event(told, AGENT, key=key, **said),
        asked=[(category, scene.fill(scene.pick(table), **said)[0])],
        earlier=near[:2],
        near=near[2:3],
        later=near[3:],
    )
