"""Where things happen: a project's files and identifiers, and sentences about them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from string import Formatter

from benchmarks.retrieval.coding.projects import DEVELOPERS, Project, pascal
from benchmarks.retrieval.coding.tables import sources, words

AGENT = "assistant"
IDENTIFIERS = 70
PATHS = 60
NUMBERS = {
    "small": (2, 9),
    "count": (11, 240),
    "more": (241, 900),
    "port": (3_000, 9_999),
    "adr": (10, 99),
}
SOURCES = {"error": "errors", "line": "lines", "library": "libraries"}
PICKED = {
    "n": "nouns",
    "q": "qualities",
    "mood": "moods",
    "clause": "clauses",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that will be remembered; `key` names the fact that it carries, if it does."""

    text: str
    kind: str = "observation"
    speaker: str | None = None
    title: str | None = None
    files: tuple[str, ...] = ()
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What will be asked for, and what happens around it that only sounds like it."""

    project: str
    about: str
    carrier: Event
    asked: list[tuple[str, str]]
    """Categories and questions."""
    earlier: list[Event]
    """In sessions before; `near` is just before the carrier, `later` in sessions after."""
    near: list[Event]
    later: list[Event]

    @property
    def key(self) -> str:
        assert self.carrier.key is not None
        return self.carrier.key


class Scene:
    def __init__(self, project: Project, dice: Random) -> None:
        self.project = project
        self.dice = dice
        self.folders = dice.sample(words("folders"), 7)
        self.identifiers = [project.named(self._two_or_three()) for _ in range(IDENTIFIERS)]
        self.paths = [
            project.path(dice.choice(self.folders), self._one_or_two()) for _ in range(PATHS)
        ]

    def fill(self, template: str, **given: str) -> tuple[str, tuple[str, ...]]:
        """The sentence, and the files that it names."""
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        known = dict(given)
        for name in names:
            if name not in known:
                known[name] = self._word(name)
        files = (known[name] for name in names if "/" in known[name] and "." in known[name])
        return " ".join(template.format(**known).split(" ")).strip(), tuple(dict.fromkeys(files))

    def event(
        self, table: str, speaker: str | None, *, key: str | None = None, **given: str
    ) -> Event:
        """One of the phrases of a table."""
        text, files = self.fill(self.pick(table), **given)
        return Event(text=text, speaker=speaker, files=files, key=key)

    def reading_up(self, about: str) -> list[Event]:
        """Something near, once or twice, that does not say what was found."""
        times = self.dice.randint(1, 2)
        return [self.event("reads_up", AGENT, about=about) for _ in range(times)]

    def pick(self, table: str) -> str:
        return self.dice.choice(words(table))

    def _word(self, name: str) -> str:
        """What stands for `{name}`; a number after it asks for another one of the same sort."""
        sort = name.rstrip("0123456789")
        low, high = NUMBERS.get(sort, (0, 0))
        if high:
            return str(self.dice.randint(low, high))
        if sort in PICKED:
            return self.fill(self.pick(PICKED[sort]))[0]
        if sort in ("test", "build", "lint"):
            return str(getattr(self.project.tools, sort))
        if sort in SOURCES:
            found = sources(self.project.tools.extension, SOURCES[sort])
            return self.fill(self.dice.choice(found))[0]
        return self._own(sort)

    def _own(self, sort: str) -> str:
        match sort:
            case "path":
                return self.dice.choice(self.paths)
            case "ident":
                return self.dice.choice(self.identifiers)
            case "folder":
                return self.dice.choice(self.folders)
            case "N":
                return pascal(self.pick("nouns"))
            case "who":
                return self.dice.choice(DEVELOPERS).name
            case "sibling":
                return self.project.sibling
            case "hash":
                return f"{self.dice.getrandbits(28):07x}"
        raise KeyError(sort)

    def _one_or_two(self) -> str:
        nouns = self.dice.sample(words("nouns"), 2)
        return nouns[0] if self.dice.random() < 0.4 else " ".join(nouns)

    def _two_or_three(self) -> str:
        parts = [self.dice.choice(words("verbs"))]
        if self.dice.random() < 0.5:
            parts.append(self.dice.choice(words("qualities")))
        return " ".join([*parts, self.dice.choice(words("nouns"))])
