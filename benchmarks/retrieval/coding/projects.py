"""Who works on what: projects with their tools and spellings, developers with their voices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Spelling = Callable[[str], str]


def camel(words: str) -> str:
    first, *rest = words.split()
    return first + "".join(word.capitalize() for word in rest)


def pascal(words: str) -> str:
    return "".join(word.capitalize() for word in words.split())


def snake(words: str) -> str:
    return "_".join(words.split())


def kebab(words: str) -> str:
    return "-".join(words.split())


def screaming(words: str) -> str:
    return snake(words).upper()


def dotted(words: str) -> str:
    return ".".join(words.split())


@dataclass(frozen=True, slots=True)
class Tools:
    extension: str
    test: str
    build: str
    lint: str
    function: Spelling
    file: Spelling


NODE = Tools(".ts", "pnpm vitest run", "pnpm build", "pnpm eslint .", camel, kebab)
REACT = Tools(".tsx", "npm test --", "npm run build", "npx biome check", camel, pascal)
PYTHON = Tools(".py", "pytest -q", "docker build .", "ruff check", snake, snake)
GO = Tools(".go", "go test ./...", "go build ./cmd/...", "golangci-lint run", camel, snake)
RUST = Tools(".rs", "cargo test", "cargo build --release", "cargo clippy", snake, snake)
KOTLIN = Tools(".kt", "./gradlew test", "./gradlew assembleDebug", "./gradlew lint", camel, pascal)


@dataclass(frozen=True, slots=True)
class Project:
    name: str
    fit: str
    """What sort it is; matters of this sort can be its own."""
    sibling: str
    """A project whose name and matters are much alike."""
    root: str
    tools: Tools
    setting: Spelling

    def path(self, folder: str, words: str) -> str:
        return f"{self.root}/{folder}/{self.tools.file(words)}{self.tools.extension}"

    def named(self, words: str) -> str:
        return self.tools.function(words)


PROJECTS = (
    Project("lantern-api", "api", "lantern-web", "src", NODE, camel),
    Project("lantern-web", "web", "lantern-api", "app", REACT, camel),
    Project("lantern-worker", "jobs", "lantern-api", "internal", GO, screaming),
    Project("harbor-api", "api", "harbor-web", "harbor", PYTHON, screaming),
    Project("harbor-web", "web", "harbor-api", "src", REACT, camel),
    Project("harbor-cli", "cli", "harbor-api", "src", RUST, snake),
    Project("tidepool-ingest", "jobs", "tidepool-view", "tidepool", PYTHON, dotted),
    Project("tidepool-view", "web", "tidepool-ingest", "src", NODE, camel),
    Project("fern-app", "mobile", "harbor-web", "app/src/main", KOTLIN, camel),
)


@dataclass(frozen=True, slots=True)
class Developer:
    name: str
    voice: Spelling

    def says(self, text: str) -> str:
        return self.voice(text)


def _lower(text: str) -> str:
    return text.lower().rstrip(".")


def _plain(text: str) -> str:
    return text[0].upper() + text[1:]


def _polite(text: str) -> str:
    return f"{_plain(text).rstrip('.?')}, if you would. Thank you."


def _hurried(text: str) -> str:
    short = text.replace("please", "pls").replace("you ", "u ").replace("because", "bc")
    return short.rstrip(".?") + "??" * text.endswith("?")


def _thinking(text: str) -> str:
    return f"Hm, {text} … or is that a bad idea?" if len(text) > 20 else f"hm, {text}"


def _spoken(text: str) -> str:
    return f"so, {text.rstrip('.?')}, right?" if len(text) > 40 else f"ok {text}"


DEVELOPERS = (
    Developer("Mirela", _lower),
    Developer("Jonas", _plain),
    Developer("Priya", _polite),
    Developer("Tomás", _hurried),
    Developer("Aiko", _spoken),
    Developer("Henrik", _thinking),
)
