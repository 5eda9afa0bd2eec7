"""Every setting, where its value comes from, and the one reader of the environment.

An explicit flag beats the environment, the environment beats `config.toml`, that beats
`settings.json`, and that the default.
Values are passed down from here; only `cli` and `wiring` may import this room. A new setting is
one row in `table` and one annotation in `Settings`; `config show` and the reference follow.
The hook reads the settings for every tool call, so that nothing here is imported that can wait.
"""

from __future__ import annotations

from recollect.model.errors import InvalidSetting
from recollect.settings import lex, published
from recollect.settings.sources import Sources
from recollect.settings.table import PROJECT_SETTINGS, SETTINGS, Setting

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["PROJECT_SETTINGS", "SETTINGS", "Filter", "ProjectSettings", "Setting", "Settings"]
__all__ += ["essentials", "load"]

ESSENTIAL = frozenset({"home", "store", "project", "key", "key_file"})
STRICT_THRESHOLD = 3.5
STRICT_MIN_LENGTH = 16


def load(
    environ: Mapping[str, str],
    *,
    db: str | None = None,
    host: str | None = None,
    port: int | None = None,
    dialect: str | None = None,
    folder: str | None = None,
) -> Settings:
    """All settings; `InvalidSetting` names the variable, or the file and the key, that is wrong.

    `folder`: the one that Lex is asked for, whose workspace may have a store of its own.
    """
    flags = {"store": db, "host": host, "port": port}
    sources = Sources(environ, flags, dialect, folder=folder)
    sources.open_files()
    return Settings(sources.values())


def essentials(
    environ: Mapping[str, str], *, db: str | None = None, dialect: str | None = None
) -> Settings:
    """What capture cannot do without, all else as built in: it goes on when a setting is mistyped.

    Only a key that is set and unreadable is still an error: nothing may be written in plain then.
    """
    sources = Sources(environ, {"store": db}, dialect, only=ESSENTIAL)
    try:
        sources.open_files()
    except InvalidSetting:
        sources.config, sources.published = (
            {},
            {},
        )  # `load`, which was tried first, has told what is wrong with it
    return Settings(sources.values())


class ProjectSettings:
    """What is set for one project."""

    __slots__ = tuple(row.name for row in PROJECT_SETTINGS)
    sensitivity: str
    context_local_limit: int | None
    context_cross_limit: int | None
    suppress_cross_project: bool

    def __init__(self, values: Mapping[str, Any]) -> None:
        for row in PROJECT_SETTINGS:
            object.__setattr__(self, row.name, values.get(row.name, row.default))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings do not change ({name})")


class Filter:
    """How secrets are looked for in one project; the values of `privacy.clean.Rules`."""

    __slots__ = ("entropy", "entropy_min_length", "entropy_threshold", "extra_patterns")

    def __init__(
        self, patterns: tuple[str, ...], threshold: float, length: int, *, on: bool
    ) -> None:
        self.extra_patterns, self.entropy = patterns, on
        self.entropy_threshold, self.entropy_min_length = threshold, length


class Settings:
    """All settings, immutable. A plain class: the hook reads it, and `dataclasses` costs 17 ms."""

    __slots__ = (
        *(row.attribute for row in SETTINGS),
        *("dialect_projects", "origins", "projects", "published_file", "user_home"),
    )
    home: str
    store: str
    project: str
    project_strategy: str
    key: bytes | None
    key_file: str | None
    host: str
    port: int
    token: str | None
    token_file: str | None
    log: str
    skip_tools: tuple[str, ...]
    stale_processing_ms: int
    filter_extra_patterns: tuple[str, ...]
    filter_entropy_threshold: float
    filter_entropy_min_length: int
    filter_disable_entropy: bool
    ledger_most: int
    memento_rate_limit: str | None
    embedder: str
    model_dir: str
    embedding_base_url: str
    embedding_model: str
    embedding_api_key: str | None
    embedding_dimensions: int
    provider: str
    provider_model: str
    provider_base_url: str
    provider_api_key: str | None
    provider_repair: bool
    provider_max_repairs: int
    provider_daily_token_budget: int | None
    vectors_backend: str
    chroma_url: str
    chroma_collection: str
    lex_workspace_root: str | None
    lex_policy_path: str | None
    lex_default_branch: str | None
    lex_strict: bool
    lex_tool_names: str
    lex_api_key: str | None
    lex_rate_limit: str | None
    retention_enabled: bool
    retention_days: Mapping[str, int]
    projects: Mapping[str, ProjectSettings]
    dialect_projects: Mapping[str, str]
    """What a dialect's own variable says is the current project, by dialect."""
    user_home: str
    published_file: str
    """`settings.json`, whether it is there or not."""
    origins: Mapping[str, str]
    """Where each value comes from, in words, by the setting's name."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        for name in self.__slots__:
            object.__setattr__(self, name, values[name])
        projects = {name: ProjectSettings(own) for name, own in values["projects"].items()}
        object.__setattr__(self, "projects", projects)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings do not change ({name})")

    @property
    def spool_dir(self) -> str:
        return f"{self.store}-spool"

    @property
    def worker_file(self) -> str:
        return f"{self.store}-worker.json"

    @property
    def is_store_of_lex(self) -> bool:
        """Whether the store was chosen for Lex alone: its frames are all of this workspace."""
        return self.origins["store"] in (*lex.STORES, lex.FOLDER)

    def project_for(self, dialects: str) -> str:
        """The project that was named for these dialects, or for everything; or nothing at all."""
        own = (self.dialect_projects.get(name.strip(), "") for name in dialects.split(","))
        return self.project or next(filter(None, own), "")

    def published(self) -> dict[str, str]:
        """What every setting with a published name is at the next start, secrets masked."""
        told = published.read(self.published_file)
        return {name: self._published(name, row, told) for name, row in published.names().items()}

    def _published(self, name: str, row: Setting, told: Mapping[str, str]) -> str:
        if self.origins[row.name] not in ("default", published.NAME):
            return published.written(row, getattr(self, row.attribute))
        text = told.get(name)
        value = published.meant(row, text) if text else row.default
        return published.written(row, tuple(value) if isinstance(value, list) else value)

    def for_project(self, project: str) -> ProjectSettings:
        return self.projects.get(project) or ProjectSettings({})

    def filter_for(self, project: str) -> Filter:
        """The filter at the project's sensitivity, which yields to what `[filter]` itself says."""
        sensitivity = self.for_project(project).sensitivity
        threshold, length = self.filter_entropy_threshold, self.filter_entropy_min_length
        is_off = self.filter_disable_entropy
        if sensitivity == "strict":
            if self._is_default("filter.entropy_threshold"):
                threshold = STRICT_THRESHOLD
            if self._is_default("filter.entropy_min_length"):
                length = STRICT_MIN_LENGTH
        elif sensitivity == "relaxed":
            is_off = is_off or self._is_default("filter.disable_entropy")
        return Filter(self.filter_extra_patterns, threshold, length, on=not is_off)

    def shown(self) -> list[tuple[str, str, str]]:
        """(name, value, origin) of every setting, secrets masked."""
        rows = [
            (row.name, _shown(row, getattr(self, row.attribute)), self.origins[row.name])
            for row in SETTINGS
        ]
        for project, settings in sorted(self.projects.items()):
            for row in PROJECT_SETTINGS:
                name = f"projects.{project}.{row.name}"
                rows.append((name, _shown(row, getattr(settings, row.name)), self.origins[name]))
        return rows

    def _is_default(self, name: str) -> bool:
        return self.origins[name] == "default"


def _shown(row: Setting, value: object) -> str:
    if value is None or value == ():
        return "-"
    if row.is_secret:
        return "********"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {item}" for name, item in value.items())
    return ", ".join(value) if isinstance(value, tuple) else str(value)
