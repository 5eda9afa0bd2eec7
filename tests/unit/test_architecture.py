"""The plan of the house, held against the house."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2 as sqlite

import recollect
from recollect.store import migrate
from recollect.store.named_sql import Statements
from recollect.store.sqlite.connection import PACKAGE
from recollect.store.sqlite.store import SqliteStore

HOUSE = Path(recollect.__file__).parent
ROOT = HOUSE.parents[1]
MODULES = sorted(HOUSE.rglob("*.py"))
LONGEST = 320
"""Lines. A module that needs more has two subjects."""
ROOMS_WITH_A_FRONT = {"settings", "wiring"}
"""Rooms whose `__init__` is the room's front: the others hold a docstring only."""


def name_of(module: Path) -> str:
    return str(module.relative_to(HOUSE))


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def test_imports_follow_the_plan() -> None:
    checked = subprocess.run(
        [
            *(
                sys.executable,
                "-c",
                "from importlinter.cli import lint_imports_command as run; run()",
            ),
            *("--config", str(ROOT / ".importlinter"), "--no-cache"),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_module_says_what_lives_in_it(module: Path) -> None:
    assert (ast.get_docstring(tree_of(module)) or "").rstrip().endswith((".", ":", "`"))


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_module_has_one_subject(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize(
    "room", [path for path in MODULES if path.name == "__init__.py"][1:], ids=name_of
)
def test_a_room_introduces_itself_and_nothing_else(room: Path) -> None:
    if room.parent.name not in ROOMS_WITH_A_FRONT:
        assert len(tree_of(room).body) == 1


def test_every_room_is_drawn_in_the_plan() -> None:
    plan = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in HOUSE.glob("*/__init__.py")}
    assert {room for room in rooms if f"`{room}/" not in plan} == set()


def test_every_statement_has_a_user_and_every_user_a_statement() -> None:
    # Connections.rows("name", …), .row, .run, .run_many and STATEMENTS["name"]; a name that is
    # chosen at run time stands there as a literal too, so literals are what is compared.
    known = Statements(PACKAGE).names()
    literals, asked = set(), set()
    for module in (HOUSE / "store").rglob("*.py"):
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                asked |= _statement_asked_for(node.func, node.args)
    assert known - literals == set(), "statements without a user"
    assert asked - known == set(), "users without a statement"


def _statement_asked_for(function: ast.Attribute, arguments: list[ast.expr]) -> set[str]:
    is_connection = isinstance(function.value, ast.Attribute) and (
        function.value.attr == "_connections"
    )
    if not is_connection or function.attr not in {"rows", "row", "run", "run_many"}:
        return set()
    first = arguments[0]
    return (
        {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()
    )


def test_statements_say_their_names_once() -> None:
    headers = Counter(
        line
        for file in (HOUSE / "store" / "sqlite" / "queries").glob("*.sql")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("-- ") and line.endswith(" --")
    )
    assert [name for name, count in headers.items() if count > 1] == []


def test_migrations_from_nothing_end_at_the_schema_of_today(tmp_path: Path) -> None:
    SqliteStore(str(tmp_path / "grown.db"), key=None, clock=lambda: 0).close()
    grown = sqlite.connect(str(tmp_path / "grown.db"))
    drawn = sqlite.connect(":memory:")
    drawn.executescript((HOUSE / "store" / "sqlite" / "schema.sql").read_text(encoding="utf-8"))
    assert _structure(grown) == _structure(drawn)
    grown.close()
    drawn.close()


def test_migrations_are_numbered_without_a_gap() -> None:
    versions = [migration.version for migration in migrate.migrations(PACKAGE)]
    assert versions == list(range(1, len(versions) + 1))


def _structure(connection: sqlite.Connection) -> list[tuple[str, str, str]]:
    """Every table and index by name, without comments and layout."""
    rows = connection.execute("select type, name, coalesce(sql, '') from sqlite_master order by 2")
    return [(kind, name, _bare(sql)) for kind, name, sql in rows]


def _bare(sql: str) -> str:
    bare = " ".join(" ".join(line.partition("--")[0] for line in sql.splitlines()).split())
    return bare.replace(" ,", ",").replace(" )", ")")  # as `alter table` puts its columns in
