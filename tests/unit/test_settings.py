"""Every setting: which source wins, what is refused and how, what is shown."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from promises import last
from recollect import settings
from recollect.model.errors import InvalidSetting
from recollect.settings import published

KEY = "ab" * 32
OTHER_KEY = "CD" * 32


def world(home: Path, config: str | None = None) -> dict[str, str]:
    """The environment of a user whose home is `home`, with that config.toml."""
    if config is not None:
        (home / ".recollect").mkdir(exist_ok=True)
        (home / ".recollect/config.toml").write_text(config)
    return {"HOME": str(home)}


def origin(found: settings.Settings, name: str) -> str:
    return {row: where for row, _, where in found.shown()}[name]


def test_without_anything_set_every_value_is_the_documented_default(tmp_path: Path) -> None:
    found = settings.load(world(tmp_path))
    assert {row.attribute: getattr(found, row.attribute) for row in settings.SETTINGS} == {
        "home": f"{tmp_path}/.recollect",
        "store": f"{tmp_path}/.recollect/recollect.db",
        "project": "",
        "project_strategy": "git",
        "key": None,
        "key_file": None,
        "host": "127.0.0.1",
        "port": 37777,
        "token": None,
        "token_file": None,
        "log": "warning",
        "skip_tools": (
            *("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion"),
        ),
        "stale_processing_ms": 300_000,
        "filter_extra_patterns": (),
        "filter_entropy_threshold": 4.0,
        "filter_entropy_min_length": 20,
        "filter_disable_entropy": False,
        "embedder": "auto",
        "model_dir": f"{tmp_path}/.recollect/models",
        "embedding_base_url": "",
        "embedding_model": "",
        "embedding_api_key": None,
        "embedding_dimensions": 0,
        "vectors_backend": "sqlite",
        "chroma_url": "http://127.0.0.1:8000",
        "chroma_collection": "codexmem_memory",
        "ledger_most": 1000,
        "memento_rate_limit": None,
        "provider": "openai",
        "provider_model": "gpt-4o-mini",
        "provider_base_url": "https://api.openai.com/v1",
        "provider_api_key": None,
        "provider_repair": True,
        "provider_max_repairs": 1,
        "provider_daily_token_budget": 1_000_000,
        "lex_workspace_root": None,
        "lex_policy_path": None,
        "lex_default_branch": None,
        "lex_strict": False,
        "lex_tool_names": "dotted",
        "lex_api_key": None,
        "lex_rate_limit": None,
        "retention_enabled": False,
        "retention_days": {
            "git_commit": 730,
            "git_push": 730,
            "user_prompt": 730,
            "command_error": 730,
            "file_write": 365,
            "file_edit": 365,
            "session_start": 365,
            "session_end": 365,
            "session_compact": 365,
            "session_resume": 365,
            "session_clear": 365,
            "command": 180,
            "github": 180,
            "file_read": 90,
            "search": 90,
            "mcp_call": 90,
            "web_fetch": 90,
            "web_search": 90,
            "task_spawn": 90,
            "tool_other": 90,
        },
    }
    assert {where for _, _, where in found.shown()} == {"default"}
    assert found.spool_dir == f"{tmp_path}/.recollect/recollect.db-spool"
    assert found.worker_file == f"{tmp_path}/.recollect/recollect.db-worker.json"
    assert found.user_home == str(tmp_path)


STORES = [
    # flag     environment                                      dialect  store       origin
    ("/f.db", {"RECOLLECT_DB": "/e.db", "NMEM_DB": "/n.db"}, "nmem", "/f.db", "--db"),
    (None, {"RECOLLECT_DB": "/e.db", "NMEM_DB": "/n.db"}, "nmem", "/e.db", "RECOLLECT_DB"),
    (None, {"NMEM_DB": "/n.db"}, "nmem", "/n.db", "NMEM_DB"),
    (None, {"NMEM_DB": "/n.db"}, None, "{home}/.recollect/recollect.db", "default"),
    (None, {"NMEM_DB": "/n.db"}, "lex", "{home}/.recollect/recollect.db", "default"),
    (None, {"CODEMEM_DB": "/c.db"}, "codemem", "/c.db", "CODEMEM_DB"),
    (None, {"CODEMEM_DB": "/c.db"}, "nmem,codemem", "/c.db", "CODEMEM_DB"),
    (None, {"CODEMEM_DB": "/c.db"}, "nmem", "{home}/.recollect/recollect.db", "default"),
    (None, {"CODEXMEM_DB_PATH": "/x.db"}, "codexmem", "/x.db", "CODEXMEM_DB_PATH"),
    (None, {"CODEXMEM_DATA_DIR": "/x"}, "codexmem", "/x/recollect.db", "CODEXMEM_DATA_DIR"),
    (
        None,
        {"CODEXMEM_DATA_DIR": "/x", "CODEXMEM_DB_PATH": "/y.db"},
        "codexmem",
        "/y.db",
        "CODEXMEM_DB_PATH",
    ),
    (None, {"CODEXMEM_DATA_DIR": "/x"}, "nmem", "{home}/.recollect/recollect.db", "default"),
    (None, {"RECOLLECT_DB": ""}, "nmem", "{home}/.recollect/recollect.db", "default"),
    (None, {"RECOLLECT_HOME": "/data"}, None, "/data/recollect.db", "default"),
    ("~/x.db", {}, None, "{home}/x.db", "--db"),
]


@pytest.mark.parametrize(("flag", "environ", "dialect", "store", "where"), STORES)
def test_the_store_is_where_the_strongest_source_says(
    tmp_path: Path,
    flag: str | None,
    environ: dict[str, str],
    dialect: str | None,
    store: str,
    where: str,
) -> None:
    found = settings.load({**world(tmp_path), **environ}, db=flag, dialect=dialect)
    assert found.store == store.format(home=tmp_path)
    assert origin(found, "store") == where


PROJECTS = [
    # environment                                          dialects        project
    ({}, "codemem", ""),
    ({"CODEMEM_PROJECT": " spice "}, "codemem", "spice"),
    ({"CODEMEM_PROJECT": "spice"}, "nmem,codemem", "spice"),
    ({"CODEMEM_PROJECT": "spice"}, "nmem", ""),
    ({"CODEMEM_PROJECT": "  "}, "codemem", ""),
    ({"CODEMEM_PROJECT": "spice", "RECOLLECT_PROJECT": "ours"}, "codemem", "ours"),
]


@pytest.mark.parametrize(("environ", "dialects", "project"), PROJECTS)
def test_a_dialect_may_name_the_project(
    tmp_path: Path, environ: dict[str, str], dialects: str, project: str
) -> None:
    found = settings.load({**world(tmp_path), **environ}, dialect=dialects)
    assert found.project_for(dialects) == project


def test_a_relative_store_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings.load(world(tmp_path), db="x.db").store == f"{tmp_path}/x.db"


def test_flags_beat_the_environment(tmp_path: Path) -> None:
    environ = {**world(tmp_path), "RECOLLECT_HOST": "::1", "RECOLLECT_PORT": "4000"}
    found = settings.load(environ)
    assert (found.host, found.port) == ("::1", 4000)
    found = settings.load(environ, host="localhost", port=0)
    assert (found.host, found.port, origin(found, "port")) == ("localhost", 0, "--port")


CONFIG = """
unknown = 1
[filter]
extra_patterns = ["corp-[0-9]+"]
entropy_threshold = 5
entropy_min_length = 30
disable_entropy = true
unknown = "ignored"
[project]
strategy = "cwd"
[retention]
enabled = true
[retention.days]
command = 7
[projects.shop]
sensitivity = "strict"
context_local_limit = 5
context_cross_limit = 0
suppress_cross_project = true
context_episode_window_hours = 48
"""


def test_the_file_gives_what_flags_and_environment_leave_open(tmp_path: Path) -> None:
    found = settings.load(world(tmp_path, CONFIG))
    assert found.filter_extra_patterns == ("corp-[0-9]+",)
    assert found.filter_entropy_threshold == 5.0
    assert found.filter_entropy_min_length == 30
    assert found.filter_disable_entropy is True
    assert found.project_strategy == "cwd"
    assert found.retention_enabled is True
    assert found.retention_days == {"command": 7}, "a given map replaces the default one"
    shop = found.for_project("shop")
    assert (shop.sensitivity, shop.context_local_limit) == ("strict", 5)
    assert (shop.context_cross_limit, shop.suppress_cross_project) == (0, True)
    other = found.for_project("other")
    assert (other.sensitivity, other.context_local_limit) == ("default", None)
    assert (other.context_cross_limit, other.suppress_cross_project) == (None, False)
    assert origin(found, "filter.entropy_threshold") == "config.toml"
    assert origin(found, "projects.shop.sensitivity") == "config.toml"


PUBLISHED = """{
    "CODEXMEM_WORKER_PORT": "4001",
    "CODEXMEM_WORKER_HOST": "",
    "CODEXMEM_SKIP_TOOLS": "Read, Glob,",
    "CODEXMEM_STALE_PROCESSING_MS": 5000,
    "CODEXMEM_LOG_LEVEL": "DEBUG",
    "CODEXMEM_RETENTION_ENABLED": "true",
    "RECOLLECT_TOKEN": "not a published name"
}"""


def publish(folder: Path, text: str = PUBLISHED) -> Path:
    """A settings.json in that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "settings.json"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("is_named", [True, False], ids=["named", "in the data folder"])
def test_published_settings_are_read_from_their_own_file(tmp_path: Path, is_named: bool) -> None:
    folder = tmp_path / ("codexmem" if is_named else ".recollect")
    publish(folder)
    environ = world(tmp_path) | ({"CODEXMEM_DATA_DIR": str(folder)} if is_named else {})
    found = settings.load(environ)
    assert (found.port, origin(found, "port")) == (4001, "settings.json")
    assert (found.host, origin(found, "host")) == ("127.0.0.1", "default"), "empty is not set"
    assert found.skip_tools == ("Read", "Glob")
    assert (found.stale_processing_ms, found.log) == (5000, "debug")
    assert found.token is None
    assert found.retention_enabled is False, "its rules are not ours: nothing is deleted by it"


STRONGER = [
    # environment                                               config.toml   port   where from
    ({"RECOLLECT_PORT": "1", "CODEXMEM_WORKER_PORT": "2"}, "", 1, "RECOLLECT_PORT"),
    ({"CODEXMEM_WORKER_PORT": "2"}, "", 2, "CODEXMEM_WORKER_PORT"),
    ({"CODEXMEM_SKIP_TOOLS": "Bash"}, "", 4001, "settings.json"),
]


@pytest.mark.parametrize(("environ", "config", "port", "where"), STRONGER)
def test_the_environment_beats_the_published_file(
    tmp_path: Path, environ: dict[str, str], config: str, port: int, where: str
) -> None:
    publish(tmp_path / ".recollect")
    found = settings.load({**world(tmp_path, config), **environ})
    assert (found.port, origin(found, "port")) == (port, where)


def test_the_file_written_by_hand_beats_the_published_one(tmp_path: Path) -> None:
    publish(tmp_path / ".recollect")
    found = settings.load(world(tmp_path, "[worker]\nskip_tools = ['Edit']"))
    assert (found.skip_tools, origin(found, "skip_tools")) == (("Edit",), "config.toml")


WRONG_PUBLISHED = [
    # settings.json                               what the error says
    ("{", "Expecting property name"),
    ("[1]", " is not a JSON object"),
    ('{"CODEXMEM_WORKER_PORT": "many"}', "CODEXMEM_WORKER_PORT is not a whole number"),
    ('{"CODEXMEM_WORKER_PORT": 65536}', "CODEXMEM_WORKER_PORT is not a port"),
    ('{"CODEXMEM_LOG_LEVEL": "loud"}', "CODEXMEM_LOG_LEVEL is not one of error"),
]


@pytest.mark.parametrize(("text", "words"), WRONG_PUBLISHED)
def test_a_wrong_published_file_is_named_and_capture_goes_on(
    tmp_path: Path, text: str, words: str
) -> None:
    path = publish(tmp_path / ".recollect", text)
    with pytest.raises(InvalidSetting) as refusal:
        settings.load(world(tmp_path))
    assert refusal.value.message.startswith(str(path))
    assert words in refusal.value.message
    assert settings.essentials(world(tmp_path)).port == 37777


def test_published_settings_are_changed_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.json"
    published.change(str(path), {"CODEXMEM_WORKER_PORT": "4002", "CODEXMEM_LOG_LEVEL": "info"})
    published.change(str(path), {"CODEXMEM_WORKER_PORT": "4003"})
    assert published.read(str(path)) == {
        "CODEXMEM_WORKER_PORT": "4003",
        "CODEXMEM_LOG_LEVEL": "info",
    }
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]


WRONG_CHANGES = [
    ({"CODEXMEM_NONSENSE": "1"}, "CODEXMEM_NONSENSE is not a setting"),
    ({"RECOLLECT_TOKEN": "t"}, "RECOLLECT_TOKEN is not a setting"),
    ({"CODEXMEM_WORKER_PORT": "many"}, "CODEXMEM_WORKER_PORT is not a whole number"),
]


@pytest.mark.parametrize(("changes", "words"), WRONG_CHANGES)
def test_a_wrong_change_writes_nothing(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    path = tmp_path / "settings.json"
    with pytest.raises(InvalidSetting, match=words):
        published.change(str(path), {"CODEXMEM_LOG_LEVEL": "info", **changes})
    assert not path.exists()


def test_a_masked_secret_is_shown_and_never_written_back(tmp_path: Path) -> None:
    secret = settings.Setting("key", "A key.", variables=("CODEXMEM_X",), is_secret=True)
    assert published.written(secret, "sk-1") == published.MASK
    path = publish(tmp_path, '{"CODEXMEM_LOG_LEVEL": "info"}')
    published.change(str(path), {"CODEXMEM_LOG_LEVEL": published.MASK[:-1] + "*"})
    assert published.read(str(path)) == {"CODEXMEM_LOG_LEVEL": "info"}


def test_published_settings_are_shown_under_their_names(tmp_path: Path) -> None:
    shown = settings.load({**world(tmp_path), "RECOLLECT_PORT": "1"}).published()
    assert shown["CODEXMEM_WORKER_PORT"] == "1"
    assert shown["CODEXMEM_SKIP_TOOLS"].startswith("ListMcpResourcesTool,SlashCommand")
    assert all(name.startswith("CODEXMEM_") for name in shown)


@pytest.mark.parametrize("variable", ["RECOLLECT_CONFIG", "NMEM_CONFIG"])
def test_another_file_can_be_named_and_need_not_exist(tmp_path: Path, variable: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[filter]\ndisable_entropy = true\n")
    environ = world(tmp_path, CONFIG)
    assert settings.load({**environ, variable: str(own)}).project_strategy == "git"
    assert settings.load({**environ, variable: str(own)}).filter_disable_entropy is True
    assert settings.load({**environ, variable: "/dev/null/none"}).project_strategy == "git"


WRONG_FILES = [
    # config.toml                             what the error says
    ("[filter\n", "at line 1"),
    ("filter = 3", "filter is not a table"),
    ("[filter]\nentropy_threshold = 'high'", "filter.entropy_threshold is not a number"),
    ("[filter]\nentropy_threshold = true", "filter.entropy_threshold is not a number"),
    ("[filter]\nentropy_min_length = 2.5", "filter.entropy_min_length is not a whole number"),
    ("[filter]\nentropy_min_length = -1", "filter.entropy_min_length is not a whole number"),
    ("[filter]\ndisable_entropy = 1", "filter.disable_entropy is neither true nor false"),
    ("[filter]\nextra_patterns = 'x'", "filter.extra_patterns is not a list of texts"),
    ("[filter]\nextra_patterns = ['(']", "filter.extra_patterns holds '(', which is no pattern"),
    ("[project]\nstrategy = 'svn'", 'project.strategy is neither "git" nor "cwd"'),
    ("[retention]\ndays = 3", "retention.days is not a table of days"),
    ("[retention.days]\ncommand = 'x'", "retention.days is not a whole number"),
    ("[embedding]\nembedder = 'best'", "embedding.embedder is not one of auto, minilm, numpy"),
    ("[vectors]\nbackend = 'best'", "vectors.backend is not one of sqlite, chroma, hybrid"),
    ("[chroma]\nurl = 'localhost:8000'", "chroma.url is not an http or https URL"),
    ("[chroma]\nurl = 'http://localhost:many'", "chroma.url Port could not be cast"),
    ("[chroma]\nurl = 'http://me:word@localhost'", "chroma.url may hold a host, a port and a path"),
    ("[chroma]\ncollection = 'a b c'", "chroma.collection holds more than letters, digits"),
    ("[chroma]\ncollection = 'ab'", "chroma.collection is not of 3 to 512 characters"),
    ("[embedding]\ndimensions = -1", "embedding.dimensions is not a whole number"),
    ("[encryption]\nkey_file = 3", "encryption.key_file is not a text"),
    ("projects = 3", "projects is not a table"),
    ("[projects]\nshop = 3", "projects.shop is not a table"),
    ("[projects.shop]\nsensitivity = 'high'", "projects.shop.sensitivity is not one of"),
    ("[projects.shop]\ncontext_local_limit = '5'", "projects.shop.context_local_limit is not a"),
]


@pytest.mark.parametrize(("config", "words"), WRONG_FILES, ids=[row[-1] for row in WRONG_FILES])
def test_a_wrong_file_is_named_with_the_place_that_is_wrong(
    tmp_path: Path, config: str, words: str
) -> None:
    with pytest.raises(InvalidSetting) as refusal:
        settings.load(world(tmp_path, config))
    assert refusal.value.message.startswith(f"{tmp_path}/.recollect/config.toml: ")
    assert words in refusal.value.message


def test_capture_goes_on_with_the_essentials_when_the_file_is_wrong(tmp_path: Path) -> None:
    environ = {**world(tmp_path, "[filter"), "RECOLLECT_PORT": "many", "RECOLLECT_PROJECT": "shop"}
    found = settings.essentials(environ, db="/x.db")
    assert (found.store, found.project, found.port) == ("/x.db", "shop", 37777)
    with pytest.raises(InvalidSetting, match="RECOLLECT_KEY is not a key"):
        settings.essentials({**environ, "RECOLLECT_KEY": "short"})


WRONG_VARIABLES = [
    # variable             value        words
    ("RECOLLECT_PORT", "many", "RECOLLECT_PORT is not a whole number"),
    ("RECOLLECT_PORT", "65536", "RECOLLECT_PORT is not a port"),
    ("RECOLLECT_EMBEDDER", "best", "RECOLLECT_EMBEDDER is not one of auto, minilm, numpy, static"),
    ("RECOLLECT_KEY", "ab" * 31, "RECOLLECT_KEY is not a key of 64 hexadecimal digits"),
    ("RECOLLECT_KEY", "zz" * 32, "RECOLLECT_KEY is not a key of 64 hexadecimal digits"),
    ("NMEM_KEY", "secret", "NMEM_KEY is not a key of 64 hexadecimal digits"),
    ("RECOLLECT_KEY_FILE", "/none/key", "/none/key: "),
    ("RECOLLECT_TOKEN_FILE", "/none/token", "/none/token: "),
]


@pytest.mark.parametrize(("variable", "value", "words"), WRONG_VARIABLES)
def test_a_wrong_variable_is_named_and_no_secret_is_repeated(
    tmp_path: Path, variable: str, value: str, words: str
) -> None:
    with pytest.raises(InvalidSetting) as refusal:
        settings.load({**world(tmp_path), variable: value})
    assert refusal.value.message.startswith(words)
    if "KEY" in variable and "FILE" not in variable:
        assert value not in refusal.value.message


def test_the_key_comes_from_the_environment_then_a_file_then_beside_the_store(
    tmp_path: Path,
) -> None:
    (tmp_path / "x.db.key").write_text(KEY + "\n")
    (tmp_path / "own.key").write_text(OTHER_KEY)
    environ = world(tmp_path)
    store = str(tmp_path / "x.db")
    found = settings.load(environ, db=store)
    assert (found.key, origin(found, "key")) == (bytes.fromhex(KEY), f"{store}.key")
    environ["RECOLLECT_KEY_FILE"] = "~/own.key"
    assert settings.load(environ, db=store).key == bytes.fromhex(OTHER_KEY)
    environ["NMEM_KEY"] = KEY
    found = settings.load(environ, db=store)
    assert (found.key, origin(found, "key")) == (bytes.fromhex(KEY), "NMEM_KEY")
    environ["RECOLLECT_KEY"] = OTHER_KEY
    assert settings.load(environ, db=store).key == bytes.fromhex(OTHER_KEY)


def test_the_config_may_name_the_key_file(tmp_path: Path) -> None:
    (tmp_path / "own.key").write_text(KEY)
    config = '[encryption]\nkey_file = "~/own.key"\n'
    assert settings.load(world(tmp_path, config)).key == bytes.fromhex(KEY)


def test_a_token_file_is_read_only_if_nobody_else_can(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("t0ken\n")
    environ = {**world(tmp_path), "RECOLLECT_TOKEN_FILE": str(token)}
    token.chmod(0o600)
    found = settings.load(environ)
    assert (found.token, origin(found, "token")) == ("t0ken", str(token))
    for mode in (0o640, 0o604, 0o644):
        token.chmod(mode)
        with pytest.raises(InvalidSetting, match="others may read the token; run chmod 600"):
            settings.load(environ)
    assert settings.load({**world(tmp_path), "RECOLLECT_TOKEN": "open"}).token == "open"


FILTERS = [
    # [filter]                      sensitivity  threshold  length  entropy  because
    ("", "default", 4.0, 20, True, "the default"),
    ("", "strict", 3.5, 16, True, "strict looks closer"),
    ("", "relaxed", 4.0, 20, False, "relaxed does not look at entropy"),
    ("entropy_threshold = 4.5", "strict", 4.5, 16, True, "a threshold of one's own stays"),
    ("entropy_min_length = 30", "strict", 3.5, 30, True, "so does a length"),
    ("disable_entropy = false", "relaxed", 4.0, 20, True, "and an explicit no"),
    ("disable_entropy = true", "strict", 3.5, 16, False, "off is off"),
]


@pytest.mark.parametrize(
    ("config", "sensitivity", "threshold", "length", "on", "because"),
    FILTERS,
    ids=[row[-1] for row in FILTERS],
)
def test_a_projects_sensitivity_yields_to_what_the_filter_says(
    tmp_path: Path,
    config: str,
    sensitivity: str,
    threshold: float,
    length: int,
    on: bool,
    because: str,
) -> None:
    text = f'[filter]\n{config}\n[projects.shop]\nsensitivity = "{sensitivity}"\n'
    chosen = settings.load(world(tmp_path, text)).filter_for("shop")
    assert (chosen.entropy_threshold, chosen.entropy_min_length) == (threshold, length)
    assert chosen.entropy is on
    assert chosen.extra_patterns == ()


def test_shown_settings_mask_secrets_and_say_where_each_comes_from(tmp_path: Path) -> None:
    environ = {**world(tmp_path, CONFIG), "RECOLLECT_KEY": KEY, "RECOLLECT_TOKEN": "t0ken"}
    rows = settings.load(environ, db="/x.db").shown()
    assert ("store", "/x.db", "--db") in rows
    assert ("key", "********", "RECOLLECT_KEY") in rows
    assert ("token", "********", "RECOLLECT_TOKEN") in rows
    assert ("filter.extra_patterns", "corp-[0-9]+", "config.toml") in rows
    assert ("filter.disable_entropy", "true", "config.toml") in rows
    assert ("retention.days", "command = 7", "config.toml") in rows
    assert ("projects.shop.context_local_limit", "5", "config.toml") in rows
    assert ("token_file", "-", "default") in rows
    text = str(rows).lower()
    assert KEY not in text
    assert "t0ken" not in text


@pytest.mark.parametrize("build", [settings.load, settings.essentials])
def test_settings_do_not_change(tmp_path: Path, build: Any) -> None:
    found = build(world(tmp_path))
    with pytest.raises(AttributeError, match="settings do not change"):
        found.port = 1
    with pytest.raises(AttributeError, match="settings do not change"):
        found.for_project("x").sensitivity = "relaxed"


def test_every_setting_says_what_it_is_in_a_sentence() -> None:
    for row in (*settings.SETTINGS, *settings.PROJECT_SETTINGS):
        assert row.about.endswith(".")
        assert row.about[0].isupper()


def test_reading_the_settings_without_a_file_imports_nothing_heavy() -> None:
    program = """
import sys
from recollect import settings
settings.load({"HOME": "/nowhere"})
heavy = {"re", "json", "dataclasses", "typing", "enum", "pathlib", "tomllib", "datetime"}
print(sorted(heavy & set(sys.modules)))
"""
    bare = [sys.executable, "-I", "-S", "-c"]
    parent = str(Path(settings.__file__).parents[2])
    done = subprocess.run(
        [*bare, f"import sys; sys.path.insert(0, {parent!r})" + program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "[]\n"


PREFIX = "CODEXMEM_OPENAI_EMBEDDING_"
OPENAI = "https://api.openai.com/v1"
ENDPOINTS: list[tuple[dict[str, str], tuple[str, str, str, str | None], str]] = [
    # environment, embedder, model, URL, key, because
    ({}, ("auto", "", "", None), "nothing is asked for"),
    ({"OPENAI_API_KEY": "k1"}, ("auto", "", "", None), "a key for reading asks for no vectors"),
    ({f"{PREFIX}MODEL": "m"}, ("auto", "m", "", None), "the published endpoint needs a key"),
    (
        {f"{PREFIX}MODEL": "m", "CODEXMEM_OPENAI_API_KEY": "k2"},
        ("remote", "m", OPENAI, "k2"),
        "the key is that of reading",
    ),
    (
        {f"{PREFIX}API_KEY": "k3", "OPENAI_API_KEY": "k1"},
        ("remote", "text-embedding-3-small", OPENAI, "k3"),
        "a key of its own, and the published model",
    ),
    (
        {f"{PREFIX}BASE_URL": "http://127.0.0.1:1/v1"},
        ("remote", "text-embedding-3-small", "http://127.0.0.1:1/v1", None),
        "an endpoint of one's own may need no key",
    ),
    (
        {f"{PREFIX}MODEL": "m", "CODEXMEM_OPENAI_BASE_URL": "http://127.0.0.1:1/v1"},
        ("remote", "m", "http://127.0.0.1:1/v1", None),
        "the endpoint is that of reading",
    ),
    (
        {f"{PREFIX}API_KEY": "k3", "RECOLLECT_EMBEDDER": "minilm"},
        ("minilm", "", "", "k3"),
        "an embedder that was chosen by name stays",
    ),
    (
        {f"{PREFIX}MODEL": "m", "RECOLLECT_EMBEDDING_MODEL": "n", "OPENAI_API_KEY": "k1"},
        ("remote", "n", OPENAI, "k1"),
        "our own name is the stronger one",
    ),
]


@pytest.mark.parametrize(("environ", "wanted", "because"), ENDPOINTS, ids=last)
@pytest.mark.parametrize("is_file", [False, True], ids=["environment", "settings.json"])
def test_published_settings_choose_an_endpoint_for_vectors(
    tmp_path: Path,
    environ: dict[str, str],
    wanted: tuple[str, str, str, str | None],
    because: str,
    is_file: bool,
) -> None:
    told = world(tmp_path) | environ
    if is_file:
        published = {name: text for name, text in environ.items() if name.startswith("CODEXMEM_")}
        (tmp_path / "codexmem").mkdir()
        (tmp_path / "codexmem/settings.json").write_text(json.dumps(published))
        told = {name: text for name, text in told.items() if name not in published}
        told["CODEXMEM_DATA_DIR"] = f"{tmp_path}/codexmem"
    found = settings.load(told)
    assert (
        *(found.embedder, found.embedding_model),
        *(found.embedding_base_url, found.embedding_api_key),
    ) == wanted
    assert "k" not in [value for name, value, _ in found.shown() if "key" in name]


def test_a_fresh_published_file_chooses_no_endpoint(tmp_path: Path) -> None:
    """It names the endpoint and the model, and no key: nothing leaves the machine."""
    (tmp_path / "settings.json").write_text(
        json.dumps(
            {f"{PREFIX}MODEL": "m", f"{PREFIX}BASE_URL": f"{OPENAI}/", f"{PREFIX}API_KEY": ""}
        )
    )
    found = settings.load(world(tmp_path) | {"CODEXMEM_DATA_DIR": str(tmp_path)})
    assert found.embedder == "auto"


# -- Lex's variables

PASSPHRASE = "correct horse battery"
DERIVED = hashlib.pbkdf2_hmac("sha256", PASSPHRASE.encode(), b"lex-sqlcipher-v1-2025", 64_000, 32)
OWN = ".smartergpt/lex/memory.db"

LEX_STORES = [
    # environment           there is          folder   store       origin      because
    ({}, [".git"], "a/b", "", "default", "a checkout without a place of its own"),
    ({}, [".smartergpt/lex"], "", OWN, ".smartergpt/lex", "a place of its own"),
    ({}, [".smartergpt/lex", ".git"], "a/b", OWN, ".smartergpt/lex", "found by walking up"),
    ({}, [".smartergpt/lex", "a/.git"], "a/b", "", "default", "not beyond the checkout"),
    ({}, [".smartergpt/lex", "a/.smartergpt"], "a/b", "", "default", "nor beyond a workspace"),
    ({"LEX_WORKSPACE_ROOT": "{root}"}, [], "", OWN, "LEX_WORKSPACE_ROOT", "said explicitly"),
    (
        {"LEX_WORKSPACE_ROOT": "{root}", "LEX_DB_PATH": "{root}/p.db"},
        *([".smartergpt/lex"], "", "p.db", "LEX_DB_PATH", "a file says more than a folder"),
    ),
    (
        {"LEX_MEMORY_DB": "{root}/m.db", "LEX_DB_PATH": "{root}/p.db"},
        *([".smartergpt/lex"], "", "m.db", "LEX_MEMORY_DB", "the first name is the stronger one"),
    ),
    (
        {"RECOLLECT_DB": "{root}/r.db", "LEX_MEMORY_DB": "{root}/m.db"},
        *([".smartergpt/lex"], "", "r.db", "RECOLLECT_DB", "our own name is the strongest"),
    ),
]


@pytest.mark.parametrize(
    ("environ", "there", "folder", "store", "where", "because"), LEX_STORES, ids=last
)
def test_lex_has_a_store_where_its_contract_says(
    tmp_path: Path,
    environ: dict[str, str],
    there: list[str],
    folder: str,
    store: str,
    where: str,
    because: str,
) -> None:
    root = tmp_path / "code"
    for each in (*there, folder):
        (root / each).mkdir(parents=True, exist_ok=True)
    told = {name: text.format(root=root) for name, text in environ.items()}
    found = settings.load(world(tmp_path) | told, dialect="lex", folder=str(root / folder))
    assert found.store == (f"{root}/{store}" if store else f"{tmp_path}/.recollect/recollect.db")
    assert origin(found, "store") == where
    assert found.is_store_of_lex is (bool(store) and where != "RECOLLECT_DB")


def test_only_who_asks_for_lex_gets_the_store_of_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "code/.smartergpt/lex").mkdir(parents=True)
    environ = {**world(tmp_path), "LEX_MEMORY_DB": "/m.db"}
    default = f"{tmp_path}/.recollect/recollect.db"
    assert settings.load(environ, dialect="nmem", folder=f"{tmp_path}/code").store == default
    assert settings.load(environ, dialect="nmem,lex").store == "/m.db"
    assert settings.load(environ, dialect="lex:lex.recall").store == "/m.db"


def test_a_home_is_no_workspace(tmp_path: Path) -> None:
    """What stands in `~/.smartergpt` belongs to another product."""
    (tmp_path / ".smartergpt/lex").mkdir(parents=True)
    found = settings.load(world(tmp_path), dialect="lex", folder=f"{tmp_path}/notes")
    assert origin(found, "store") == "default"


def test_a_root_that_is_no_folder_is_refused_where_the_store_depends_on_it(tmp_path: Path) -> None:
    environ = {**world(tmp_path), "LEX_WORKSPACE_ROOT": f"{tmp_path}/none"}
    with pytest.raises(InvalidSetting, match="LEX_WORKSPACE_ROOT is not a folder"):
        settings.load(environ, dialect="lex")
    assert settings.load(environ, dialect="nmem").lex_workspace_root == f"{tmp_path}/none"
    captured = settings.essentials(environ, dialect="nmem,lex")
    assert captured.store == f"{tmp_path}/.recollect/recollect.db", "capture goes on"


def test_lex_variables_are_settings(tmp_path: Path) -> None:
    environ = {
        **world(tmp_path),
        "LEX_POLICY_PATH": "~/policy.json",
        "LEX_DEFAULT_BRANCH": "trunk",
        "LEX_STRICT_MODE": "1",
        "LEX_DEBUG": "lex:*",
        "LEX_API_KEY": " k3y\n",
        "LEX_API_PORT": "3000",
        "RECOLLECT_LEX_TOOL_NAMES": "underscore",
        "RECOLLECT_RATE_LIMIT": "100/15m",
    }
    found = settings.load(environ)
    assert (found.lex_policy_path, found.lex_default_branch) == (
        f"{tmp_path}/policy.json",
        "trunk",
    )
    assert (found.lex_strict, found.lex_tool_names) == (True, "underscore")
    assert (found.lex_api_key, found.lex_rate_limit) == ("k3y", "100/15m")
    assert ("lex.api_key", "********", "LEX_API_KEY") in found.shown()
    assert (found.port, found.log) == (3000, "debug")
    assert settings.load({**environ, "RECOLLECT_PORT": "1", "RECOLLECT_LOG": "info"}).port == 1


@pytest.mark.parametrize("text", ["", "0", "false", "No", "off"])
def test_debugging_can_be_said_to_be_off(tmp_path: Path, text: str) -> None:
    assert settings.load({**world(tmp_path), "LEX_DEBUG": text}).log == "warning"


WRONG_LEX = [
    ("LEX_STRICT_MODE", "maybe", "LEX_STRICT_MODE is neither true nor false"),
    ("LEX_API_PORT", "none", "LEX_API_PORT is not a whole number"),
    ("RECOLLECT_LEX_TOOL_NAMES", "camel", "RECOLLECT_LEX_TOOL_NAMES is not one of dotted, under"),
    ("RECOLLECT_RATE_LIMIT", "100", "RECOLLECT_RATE_LIMIT is not a rate such as"),
    ("LEX_DB_KEY", "elevenchars", "LEX_DB_KEY has fewer than 12 characters"),
]


@pytest.mark.parametrize(("variable", "value", "words"), WRONG_LEX)
def test_a_wrong_lex_variable_is_named(
    tmp_path: Path, variable: str, value: str, words: str
) -> None:
    with pytest.raises(InvalidSetting, match=words) as refusal:
        settings.load({**world(tmp_path), variable: value})
    assert variable != "LEX_DB_KEY" or value not in refusal.value.message


def test_a_passphrase_stands_for_the_key_that_its_users_know(tmp_path: Path) -> None:
    environ = {**world(tmp_path), "LEX_DB_KEY": PASSPHRASE}
    found = settings.load(environ)
    assert (found.key, origin(found, "key")) == (DERIVED, "LEX_DB_KEY")
    assert settings.essentials(environ).key == DERIVED, "capture writes nothing in plain either"
    environ["RECOLLECT_KEY"] = KEY
    assert settings.load(environ).key == bytes.fromhex(KEY)
