"""The coding set: the history of nine projects as memories, and what is asked about it."""

from __future__ import annotations

from random import Random

from benchmarks.retrieval.coding import history, plan
from benchmarks.retrieval.coding.projects import PROJECTS
from benchmarks.retrieval.coding.scene import Event, Scene
from benchmarks.retrieval.corpus import Corpus, Item, Question, checked, iso

SEED = "recollect"


def corpus(seed: str = SEED) -> Corpus:
    return keyed(seed)[0]


def keyed(seed: str = SEED) -> tuple[Corpus, dict[str, str]]:
    """The set, and the keys of the items that carry a fact, by id; no item tells its own."""
    dice = Random(f"{seed} plan")
    scenes = {each.name: Scene(each, Random(f"{seed} {each.name}")) for each in PROJECTS}
    facts = plan.facts(scenes, dice)
    sessions = [
        session
        for project in PROJECTS
        for session in history.sessions(
            scenes[project.name], [fact for fact in facts if fact.project == project.name]
        )
    ]
    sessions.sort(key=lambda session: (session.begins, session.scene.project.name))
    items: list[Item] = []
    keys: dict[str, str] = {}
    for number, session in enumerate(sessions, 1):
        for happened in history.happens(session):
            item = _item(happened, f"e{len(items) + 1:05}", f"s{number:03}", session)
            items.append(item)
            if happened.event.key is not None:
                keys[item.id] = happened.event.key
    carriers = {key: id_ for id_, key in keys.items()}
    session_of = {item.id: item.session or "" for item in items}
    asked = [(fact, category, text) for fact in facts for category, text in fact.asked]
    questions = [
        Question(
            id=f"q{number:03}",
            text=text,
            category=category,
            gold=frozenset({carriers[fact.key]}),
            scope=fact.project,
            gold_sessions=frozenset({session_of[carriers[fact.key]]}),
        )
        for number, (fact, category, text) in enumerate(asked, 1)
    ]
    return checked(Corpus(name="coding", items=items, questions=questions)), keys


def _item(happened: history.Happened, id_: str, name: str, session: history.Session) -> Item:
    event: Event = happened.event
    return Item(
        id=id_,
        text=event.text,
        session=name,
        speaker=event.speaker,
        created_at=iso(happened.at),
        title=event.title,
        project=session.scene.project.name,
        kind=event.kind,
        files=event.files,
    )
