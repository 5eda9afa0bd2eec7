"""Writes the pages that look things up, from the code that they are about.

`reference.py` writes `docs/reference/`, `docs/dialects/` and the table of commands in README.md;
`reference.py --check` changes nothing and fails when one of them is not what it would write.
What a page says beyond its tables belongs into the docstrings and tables of the source.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import pkgutil
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import recollect
from recollect.cli.delivery import USAGE as HOOK_USAGE
from recollect.cli.main import COMMANDS, GLOBAL_OPTIONS
from recollect.cli.record import USAGE
from recollect.dialect import published, registry
from recollect.dialect.spec import Dialect, Json
from recollect.dialect.validate import checked
from recollect.model import errors
from recollect.model.errors import RecollectError
from recollect.model.memory import Type
from recollect.settings import PROJECT_SETTINGS, SETTINGS, Setting
from recollect.settings.sources import DIALECT_PROJECTS, DIALECT_STORES
from recollect.web import openapi

OURS = "recollect.model"
"""Where errors stand that are anybody's; a dialect may have words of its own for some."""
ROOT = Path(__file__).parents[1]
GENERATED = "<!-- Written by `make docs`; change the source that it is made from. -->"
COMMON = frozenset({"400", "401", "403", "413", "500", "503"})
"""Answers that every route may give."""
BEGIN, END = "<!-- commands: written by `make docs` -->", "<!-- end of commands -->"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="reference.py", description="Write the generated pages.")
    parser.add_argument("--check", action="store_true", help="only tell which ones are outdated")
    pages = {ROOT / name: text for name, text in written().items()}
    outdated = [path for path, text in pages.items() if _text(path) != text]
    if parser.parse_args(argv).check:
        for path in outdated:
            print(f"outdated: {path.relative_to(ROOT)} (run `make docs`)", file=sys.stderr)
        return 1 if outdated else 0
    for path in outdated:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(pages[path], encoding="utf-8")
        print(f"written: {path.relative_to(ROOT)}")
    return 0


def written() -> dict[str, str]:
    """Every generated page: its path below the root, and what belongs into it."""
    pages = {
        "docs/reference/settings.md": settings_page(),
        "docs/reference/commands.md": commands_page(),
        "docs/reference/errors.md": errors_page(),
        "docs/reference/routes.md": routes_page(),
        "README.md": readme(_text(ROOT / "README.md")),
    }
    for dialect in registry.names():
        pages[f"docs/reference/{dialect}-tools.md"] = tools_page(dialect)
        pages[f"docs/dialects/{dialect}.md"] = dialect_page(dialect)
    return pages


def settings_page() -> str:
    names = [row.name for row in (*SETTINGS, *PROJECT_SETTINGS)]
    assert len(names) == len(set(names)), "a setting's name is its anchor"
    return _page(
        "Settings",
        "An explicit flag beats the environment, the environment beats `config.toml`, that beats "
        "`settings.json`, and that the default.",
        "`config.toml` stands in the data folder; `RECOLLECT_CONFIG` names another one.",
        "`settings.json` stands in `CODEXMEM_DATA_DIR`, or in the data folder: an object with the "
        "`CODEXMEM_` names below, every value a text; other names in it mean nothing.",
        "`recollect config show` prints every value and where it came from, secrets masked.",
        "",
        *(line for row in SETTINGS for line in _setting(row, row.key)),
        "## Settings of one project",
        "",
        "These stand in `config.toml` under `[projects.NAME]`.",
        "",
        *(line for row in PROJECT_SETTINGS for line in _setting(row, row.name, level=3)),
    )


def _setting(row: Setting, key: str | None, *, level: int = 2) -> Iterator[str]:
    yield from (f"{'#' * level} `{row.name}`", "", row.about, "")
    yield f"- default: {_default(row.default)}"
    if row.flag:
        yield f"- flag: `{row.flag}`"
    if row.variables:
        yield f"- environment: {', '.join(f'`{name}`' for name in row.variables)}"
    if key:
        yield f"- in `config.toml`: `{key}`"
    yield ""


def _default(value: object) -> str:
    if value is None or value in ("", ()):
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"`{name}` {item}" for name, item in value.items())
    return f"`{json.dumps(value)}`" if isinstance(value, bool) else f"`{value}`"


def commands_page() -> str:
    return _page(
        "Commands",
        f"`{GLOBAL_OPTIONS[0]} FILE` may stand before a command or after it.",
        "Answers go to stdout, remarks to stderr; the exit code is 0 when all went well, 1 when "
        "something known went wrong, and 2 when the command line is not understood.",
        "",
        *(line for name in COMMANDS for line in _command(name)),
    )


def _command(name: str) -> Iterator[str]:
    module, function, about = COMMANDS[name]
    yield from (f"## `recollect {name}`", "", f"{_sentence(about)}.", "")
    if name == "record":
        yield from ("```text", USAGE, "```", "")
        yield "`--exit-zero` is for what is wired into an agent: some take exit 2 as a veto."
        yield "Without it, 0 is stored or nothing to store, 1 an event that cannot be taken, and 2"
        yield "a store that cannot be trusted, while the event waits in the spool."
        yield ""
        return
    if name == "hook":
        yield from ("```text", HOOK_USAGE, "```", "")
        yield "`context` tells a session that starts what happened before."
        yield "The other events are told to the worker, or wait in the spool while none answers."
        yield "The exit code is 0, and 2 for a command line that is not understood."
        yield ""
        return
    if (module, function) == ("main", "main"):
        yield from (f"`recollect {name} search …` is `recollect search …`, and so on.", "")
        return
    yield from _usage(_parser_of(module, function))


def _usage(parser: argparse.ArgumentParser) -> Iterator[str]:
    """How a command is called; of one that has commands of its own, each of those."""
    actions = [each for each in parser._actions if not isinstance(each, argparse._HelpAction)]
    inner = [each for each in actions if isinstance(each, argparse._SubParsersAction)]
    if inner:
        for name, each in inner[0].choices.items():
            about = [action.help for action in inner[0]._choices_actions if action.dest == name]
            yield from (f"### `{each.prog}`", "", f"{_sentence(about[0] or name)}.", "")
            yield from _usage(each)
        return
    words = (_written(each) if each.required else f"[{_written(each)}]" for each in actions)
    yield from ("```text", f"{parser.prog} {' '.join(words)}", "```", "")
    for action in actions:
        yield f"- `{_written(action)}`" + (f": {action.help}" if action.help else "")
    yield ""


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}"


class _ParserMadeError(BaseException):
    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def _parser_of(module: str, function: str) -> argparse.ArgumentParser:
    """The parser that a command makes for itself, caught at the moment when it is used."""

    def caught(parser: argparse.ArgumentParser, *_: object) -> None:
        raise _ParserMadeError(parser)

    run = getattr(importlib.import_module(f"recollect.cli.{module}"), function)
    with patch.object(argparse.ArgumentParser, "parse_args", caught):
        try:
            run(["--help"])
        except _ParserMadeError as made:
            return made.parser
    raise AssertionError(f"recollect.cli.{module}.{function} does not parse its arguments")


def _written(action: argparse.Action) -> str:
    choices = "|".join(map(str, action.choices)) if action.choices else None
    value = action.metavar or choices or action.dest.upper().replace("_", "-")
    if not action.option_strings:
        return choices or str(action.metavar or action.dest)
    named = action.option_strings[-1]
    return named if action.nargs == 0 else f"{named} {value}"


def errors_page() -> str:
    for module in pkgutil.walk_packages(recollect.__path__, "recollect."):
        importlib.import_module(module.name)  # an error that belongs to one room is defined there
    tree = (errors.__doc__ or "").partition("\n\n")[2].rpartition("\n\n")[0]
    return _page(
        "Errors",
        "Every error that Recollect can name has a code for programs, a message and, where there "
        "is something to do, a hint.",
        "",
        "```text",
        inspect.cleandoc(tree),
        "```",
        "",
        *(line for error in _errors(RecollectError) for line in _error(error)),
    )


def _errors(error: type[RecollectError]) -> Iterator[type[RecollectError]]:
    yield error
    ours = (kind for kind in error.__subclasses__() if kind.__module__.startswith(OURS))
    for kind in sorted(ours, key=lambda kind: kind.code):
        yield from _errors(kind)


def _error(error: type[RecollectError]) -> Iterator[str]:
    yield from (f"## `{error.code}`", "", f"`{error.__name__}`: {_first_line(error)}", "")
    if error.hint:
        yield from (f"What to do: {error.hint}", "")


def tools_page(dialect: str) -> str:
    document = published.tools_of(f"{registry.PACKAGE}.{dialect}")
    return _page(
        f"Tools of {dialect}",
        f"Served by `recollect serve --dialect {dialect}` and, with a worker, at `/mcp/{dialect}`.",
        document.instructions,
        *_variables(dialect),
        "",
        *(line for tool in document.tools for line in _tool(tool)),
    )


def routes_page() -> str:
    loaded = [registry.load(name) for name in registry.names()]
    routes = [route for dialect in loaded for route in dialect.routes]
    schemas = {name: schema for dialect in loaded for name, schema in dialect.schemas.items()}
    described = openapi.document(routes, schemas, has_token=False)["paths"]
    assert isinstance(described, dict)
    return _page(
        "Routes",
        "What the worker answers over HTTP, at `http://127.0.0.1:37777` unless it is told another "
        "address. The worker serves the same, with every schema, as OpenAPI at "
        "`/api/openapi.json`.",
        "A parameter that is empty counts as absent, and so does null in a body. A problem is "
        '`{"error": "<text>"}` with its status.',
        "",
        *(line for path in sorted(described) for line in _path(path, described[path])),
    )


def _path(path: str, operations: Json) -> Iterator[str]:
    assert isinstance(operations, dict)
    for method, told in operations.items():
        operation: Any = told
        yield from (f"## `{method.upper()} {path}`", "", operation["summary"], "")
        rows = list(_inputs(operation))
        if rows:
            yield from ("| input | where | type | meaning |", "|---|---|---|---|", *rows, "")
        for status, answer in operation["responses"].items():
            if status == "200" or status not in COMMON:
                yield f"- {status}: {answer['description']}"
        yield ""


def _inputs(operation: Mapping[str, Any]) -> Iterator[str]:
    for each in operation.get("parameters", []):
        yield _input(each["name"], each["in"], each["schema"], each.get("description", ""))
    body = operation.get("requestBody")
    if body:
        schema = body["content"]["application/json"]["schema"]
        for name, rule in schema["properties"].items():
            is_needed = name in schema.get("required", [])
            where = "body, required" if is_needed else "body"
            yield _input(name, where, rule, rule.get("description", ""))


def _input(name: str, where: str, rule: Mapping[str, Any], about: str) -> str:
    plain = next(iter(rule["anyOf"]), rule) if "anyOf" in rule else rule
    if "enum" in plain:
        shown = " ".join(f"`{choice}`" for choice in plain["enum"])
    elif "$ref" in plain:
        shown = plain["$ref"].rpartition("/")[2].lower()
    else:
        shown = _type(plain) if "type" in plain else "anything"
    default = f" ({json.dumps(plain['default'])} without it)" if "default" in plain else ""
    return f"| `{name}` | {where} | {shown} | {_cell(about)}{default} |"


def _variables(dialect: str) -> Iterator[str]:
    """The variables that users of the published product have set, where it has some."""
    stores = ", ".join(f"`{name}`" for name in DIALECT_STORES.get(dialect, ()))
    if stores:
        yield f"Besides [our own settings](settings.md), {stores} may name the store."
    if dialect in DIALECT_PROJECTS:
        yield f"`{DIALECT_PROJECTS[dialect]}` may name the current project."


def _tool(tool: Mapping[str, Json]) -> Iterator[str]:
    schema = tool["inputSchema"]
    assert isinstance(schema, dict)
    properties, required = schema["properties"], schema.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    yield from (f"## `{tool['name']}`", "", str(tool["description"]), "")
    yield from ("| argument | type | default | meaning |", "|---|---|---|---|")
    defaults = checked({**schema, "required": []}, {})
    for name, rule in properties.items():
        assert isinstance(rule, dict)
        default = "required" if name in required else json.dumps(defaults.get(name))
        shown = "" if default == "null" else default
        about = _cell(str(rule.get("description", "")))
        yield f"| `{name}` | {_type(rule)} | {shown} | {about} |"
    yield ""


def _type(rule: Mapping[str, Json]) -> str:
    names = rule.get("type")
    if isinstance(names, list):
        return " or ".join(map(str, names))
    items = rule.get("items")
    return f"array of {_type(items)}" if isinstance(items, dict) else str(names)


def dialect_page(name: str) -> str:
    dialect = registry.load(name)
    promises = ROOT / "tests" / "contract" / name / "requirements.toml"
    return _page(
        f"The dialect {name}",
        _docstring(f"{registry.PACKAGE}.{name}"),
        "",
        "## Tools",
        "",
        *(
            f"- [`{tool.name}`](../reference/{name}-tools.md#{_anchor(tool.name)}): "
            f"{tool.description.partition('. ')[0].rstrip('.')}."
            for tool in dialect.tools
        ),
        "",
        *_routes_of(dialect),
        "## How problems are worded",
        "",
        "A problem is a tool result with `isError`, in these words; what depends on the request "
        "is more precise.",
        "",
        "| error | words |",
        "|---|---|",
        *_wordings(name),
        "",
        *(_types() if _filters_types(dialect) else ()),
        *(_promises(promises) if promises.is_file() else ()),
    )


def _anchor(heading: str) -> str:
    return heading.lower().replace(".", "")


def _routes_of(dialect: Dialect) -> Iterator[str]:
    if dialect.routes:
        yield from ("## Routes", "", "Over HTTP the worker answers, without a dialect named:", "")
        for route in sorted(dialect.routes, key=lambda route: (route.path, route.method)):
            anchor = re.sub(r"[^a-z -]", "", f"{route.method} {route.path}".lower())
            link = f"../reference/routes.md#{anchor.replace(' ', '-')}"
            yield f"- [`{route.method} {route.path}`]({link}): {route.summary}"
        yield ""


def _filters_types(dialect: Dialect) -> bool:
    return any("obs_type" in json.dumps(tool.input_schema) for tool in dialect.tools)


def _types() -> Iterator[str]:
    yield from ("## Types that Recollect makes", "")
    yield ", ".join(f"`{type_}`" for type_ in Type) + "."
    yield from ("A filter accepts any other as well: an importer may bring its own.", "")


def _wordings(name: str) -> Iterator[str]:
    wording = registry.load(name).wording
    for error in _errors(RecollectError):
        if not issubclass(error, errors.InvalidArgument):  # words are about the argument only
            code = f"[`{error.code}`](../reference/errors.md#{error.code})"
            told = wording(error())
            words = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
            yield f"| {code} | {_cell(words)} |"


def _promises(path: Path) -> Iterator[str]:
    entries = tomllib.loads(path.read_text(encoding="utf-8"))
    yield from ("## What is promised", "", "Each of these has a test that bears its name.", "")
    for name, entry in entries.items():
        yield f"- `{name}`: {entry['promise']}"
        if "divergence" in entry:
            yield f"  Knowingly different: {entry['divergence']}"
    yield ""


def readme(text: str) -> str:
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    assert begin, f"README.md has no {BEGIN}"
    assert end, f"README.md has no {END}"
    rows = (f"| `recollect {name}` | {about} |" for name, (_, _, about) in COMMANDS.items())
    return "\n".join(
        (f"{head}{BEGIN}", "", "| command | |", "|---|---|", *rows, "", f"{END}{tail}")
    )


def _page(title: str, *lines: str) -> str:
    return "\n".join((f"# {title}", "", GENERATED, "", *lines)).rstrip("\n") + "\n"


def _docstring(module: str) -> str:
    return inspect.getdoc(importlib.import_module(module)) or ""


def _first_line(error: type[RecollectError]) -> str:
    return (inspect.getdoc(error) or "").partition("\n")[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
