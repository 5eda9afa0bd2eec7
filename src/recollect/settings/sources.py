"""Where values come from: flags, the environment, `config.toml`, `settings.json`, in that order.

What a setting is called and which values it takes stands in `table`.
"""

from __future__ import annotations

import os

from recollect.model.errors import InvalidSetting
from recollect.settings import lex, published
from recollect.settings.table import PROJECT_SETTINGS, SETTINGS, Setting

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

CONFIG_VARIABLES = ("RECOLLECT_CONFIG", "NMEM_CONFIG")
CONFIG_NAME = "config.toml"
SECTIONS = ("projects", *(row.key.partition(".")[0] for row in SETTINGS if row.key))
DIALECT_STORES = {
    "nmem": ("NMEM_DB",),
    "codemem": ("CODEMEM_DB",),
    "codexmem": ("CODEXMEM_DB_PATH", published.FOLDER),
    "lex": lex.STORES,
}
"""Where a dialect's users say the store is; read only when that dialect is asked for."""
STORE_NAME = "recollect.db"
"""Also in a folder of another product, whose own database may stand beside it."""
FOLDERS = {published.FOLDER: STORE_NAME, lex.ROOT: lex.STORE}
"""Variables that name a folder, and what is meant in it."""
DIALECT_PROJECTS = {"codemem": "CODEMEM_PROJECT"}
"""Where a dialect's users say which project is the current one; `RECOLLECT_PROJECT` beats it."""
KEY_DIGITS = 64
EMBEDDING = tuple(f"CODEXMEM_OPENAI_EMBEDDING_{part}" for part in ("MODEL", "BASE_URL", "API_KEY"))
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "text-embedding-3-small"
"""As they are published."""


class Sources:
    """One pass over the sources, keeping for each value where it came from."""

    def __init__(
        self,
        environ: Mapping[str, str],
        flags: Mapping[str, object],
        dialect: str | None,
        *,
        folder: str | None = None,
        only: frozenset[str] | None = None,
    ) -> None:
        self.environ = environ
        self.flags = flags
        dialects = [each.partition(":")[0].strip() for each in (dialect or "").split(",")]
        self.dialect_stores = tuple(
            name for each in dialects for name in DIALECT_STORES.get(each, ())
        )
        self.folder = folder if "lex" in dialects else None
        self.only = only
        self.config: dict[str, Any] = {}
        self.config_path = ""
        self.published: dict[str, str] = {}
        self.published_path = ""
        self.origins: dict[str, str] = {}
        self.user_home = environ.get("HOME") or os.path.expanduser("~")

    def open_files(self) -> None:
        """Read `config.toml` and `settings.json`, where they are."""
        self._open_config()
        home = str(self._value(SETTINGS[0]))
        folder = self._absolute(self.environ.get(published.FOLDER) or home)
        self.published_path = os.path.join(folder, published.NAME)
        self.published = {
            name: value
            for name, value in published.read(self.published_path).items()
            if name.startswith(published.PREFIX)
        }

    def _open_config(self) -> None:
        named = next(filter(None, map(self.environ.get, CONFIG_VARIABLES)), None)
        path = self._absolute(named or os.path.join(str(self._value(SETTINGS[0])), CONFIG_NAME))
        if not os.path.exists(path):
            return
        import tomllib  # 17 ms, paid only by those who have a file

        self.config_path = path
        try:
            with open(path, "rb") as file:
                self.config = tomllib.load(file)
        except (OSError, ValueError) as problem:
            raise InvalidSetting(f"{path}: {problem}", file=path) from problem
        for section in SECTIONS:
            if not isinstance(self.config.get(section, {}), dict):
                raise InvalidSetting(f"{path}: {section} is not a table", file=path)

    def values(self) -> dict[str, Any]:
        """What `Settings` is made of, by attribute."""
        values: dict[str, Any] = {row.attribute: self._value(row) for row in SETTINGS}
        values["home"] = self._absolute(values["home"])
        values["store"] = self._absolute(
            values["store"] or self._workspace_store() or os.path.join(values["home"], STORE_NAME)
        )
        for name in ("lex_workspace_root", "lex_policy_path"):
            if values[name]:
                values[name] = self._absolute(values[name])
        values["model_dir"] = self._absolute(
            values["model_dir"] or os.path.join(values["home"], "models")
        )
        self._take_key(values)
        self._take_token(values)
        self._take_embedding(values)
        values["projects"] = self._projects()
        values["dialect_projects"] = {
            name: named
            for name, variable in DIALECT_PROJECTS.items()
            if (named := self.environ.get(variable, "").strip())
        }
        values["user_home"] = self.user_home
        values["published_file"] = self.published_path
        values["origins"] = self.origins
        return values

    def _value(self, row: Setting) -> Any:
        if self.flags.get(row.name) is not None:
            return self._read(row, self.flags[row.name], str(row.flag))
        for variable in self._variables(row):
            text = self._said(row, variable)
            if text:
                return self._read(row, published.meant(row, text), variable)
        found, value = _at(self.config, row.key)
        if found and self._is_asked_for(row):
            return self._read(row, value, CONFIG_NAME, f"{self.config_path}: {row.key}")
        for variable in filter(self.published.get, self._variables(row) if self.published else ()):
            value = published.meant(row, self.published[variable])
            place = f"{self.published_path}: {variable}"
            return self._read(row, value, published.NAME, place)
        self.origins[row.name] = "default"
        return row.default

    def _said(self, row: Setting, variable: str) -> str:
        """What the environment says of a setting, where a variable is also about another one."""
        text = self.environ.get(variable, "")
        if variable == lex.DEBUG:
            return "" if text.strip().lower() in ("", *published.NO) else "debug"
        if not text or row.name != "store" or variable not in FOLDERS:
            return text
        if variable == lex.ROOT and not os.path.isdir(self._absolute(text)):
            if self.only is not None:
                return ""
            raise InvalidSetting(f"{variable} is not a folder", setting=row.name)
        return os.path.join(text, FOLDERS[variable])

    def _variables(self, row: Setting) -> tuple[str, ...]:
        if not self._is_asked_for(row):
            return ()
        return (*row.variables, *self.dialect_stores) if row.name == "store" else row.variables

    def _is_asked_for(self, row: Setting) -> bool:
        return self.only is None or row.name in self.only

    def _read(self, row: Setting, value: object, origin: str, place: str | None = None) -> object:
        try:
            read = row.read(value)
        except (TypeError, ValueError) as problem:
            raise InvalidSetting(f"{place or origin} {problem}", setting=row.name) from None
        self.origins[row.name] = origin
        return read

    def _workspace_store(self) -> str:
        found = lex.workspace_store(self.folder, home=self.user_home) if self.folder else ""
        if found:
            self.origins["store"] = lex.FOLDER
        return found

    def _take_key(self, values: dict[str, Any]) -> None:
        beside = f"{values['store']}.key"
        if values["key_file"]:
            values["key_file"] = self._absolute(values["key_file"])
        elif os.path.exists(beside):
            values["key_file"] = beside
        if values["key"] is None and values["key_file"]:
            path = values["key_file"]
            values["key"] = _contents(path)
            self.origins["key"] = path
        if values["key"] is not None:
            values["key"] = _key(values["key"], self.origins["key"])

    def _take_token(self, values: dict[str, Any]) -> None:
        if not values["token_file"]:
            return
        path = values["token_file"] = self._absolute(values["token_file"])
        if values["token"] is None:
            text = _contents(path)
            if os.name == "posix" and os.stat(path).st_mode & 0o077:
                raise InvalidSetting(f"{path}: others may read the token; run chmod 600 on it")
            values["token"], self.origins["token"] = text, path

    def _take_embedding(self, values: dict[str, Any]) -> None:
        """CodexMem's own variables choose an endpoint, unless an embedder is chosen by name.

        What they leave out is that of the model that reads. A `settings.json` that names the
        published endpoint and no key, as a fresh one does, chooses nothing.
        """
        asked = next((name for name in EMBEDDING if self._told(name)), None)
        is_open = values["embedder"] == "remote" or self.origins["embedder"] == "default"
        if self.only is not None or asked is None or not is_open:
            return
        inherited = {
            "embedding.base_url": self._of_provider("base_url", values),
            "embedding.api_key": self._of_provider("api_key", values),
            "embedding.model": ("default", OPENAI_MODEL),
        }
        found = {
            name: (self.origins[name], value) if (value := values[_attribute(name)]) else other
            for name, other in inherited.items()
        }
        url, key = found["embedding.base_url"], found["embedding.api_key"]
        if key is None and url is not None and url[1].rstrip("/") == OPENAI_URL:
            return
        if self.origins["embedder"] == "default":
            values["embedder"], self.origins["embedder"] = "remote", asked
        for name, each in found.items():
            if each is not None:
                self.origins[name], values[_attribute(name)] = each

    def _of_provider(self, name: str, values: dict[str, Any]) -> tuple[str, Any] | None:
        value = values[f"provider_{name}"]
        return (self.origins[f"provider.{name}"], value) if value else None

    def _told(self, variable: str) -> str:
        """The environment beats `settings.json`."""
        return self.environ.get(variable) or self.published.get(variable, "")

    def _projects(self) -> dict[str, dict[str, object]]:
        projects: dict[str, dict[str, object]] = {}
        if self.only is not None:
            return projects
        for project, table in self.config.get("projects", {}).items():
            if not isinstance(table, dict):
                raise InvalidSetting(f"{self.config_path}: projects.{project} is not a table")
            projects[project] = self._project(project, table)
        return projects

    def _project(self, project: str, table: dict[str, object]) -> dict[str, object]:
        values = {}
        for row in PROJECT_SETTINGS:
            name = f"projects.{project}.{row.name}"
            self.origins[name] = CONFIG_NAME if row.name in table else "default"
            if row.name in table:
                try:
                    values[row.name] = row.read(table[row.name])
                except (TypeError, ValueError) as problem:
                    raise InvalidSetting(f"{self.config_path}: {name} {problem}") from None
        return values

    def _absolute(self, path: str) -> str:
        if path == "~" or path.startswith("~/"):
            path = self.user_home + path[1:]
        try:
            return os.path.abspath(path)
        except FileNotFoundError:
            raise InvalidSetting(f"{path} is relative to a folder that is gone") from None


def _at(config: dict[str, Any], key: str | None) -> tuple[bool, object]:
    """Whether the file has this key, and its value."""
    section, _, name = (key or "").partition(".")
    table = config.get(section, {})
    return name in table, table.get(name)


def _attribute(name: str) -> str:
    return name.replace(".", "_")


def _contents(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(4096).strip()
    except (OSError, ValueError) as problem:
        raise InvalidSetting(f"{path}: {problem}", file=path) from problem


def _key(text: str, origin: str) -> bytes:
    digits = text.strip()
    if origin == lex.KEY:
        try:
            return lex.key_of(text)
        except ValueError as problem:
            raise InvalidSetting(f"{origin} {problem}", setting="key") from None
    try:
        if len(digits) == KEY_DIGITS:
            return bytes.fromhex(digits)
    except ValueError:
        pass  # told below, in words that do not show the key
    raise InvalidSetting(f"{origin} is not a key of {KEY_DIGITS} hexadecimal digits", setting="key")
