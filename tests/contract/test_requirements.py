"""Every promise has a test, and every test that claims one claims a promise that exists."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DIALECTS = sorted(path.parent.name for path in (TESTS / "contract").glob("*/requirements.toml"))
FIELDS = {"source", "promise"}
OPTIONAL = {"divergence"}


def promised(dialect: str) -> dict[str, dict[str, str]]:
    text = (TESTS / "contract" / dialect / "requirements.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def claimed() -> Iterator[str]:
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "promise":
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), f"{path}: a promise is a literal"
                    yield str(argument.value)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_promise_is_proved_by_a_test(dialect: str) -> None:
    assert set(promised(dialect)) - set(claimed()) == set()


def test_every_proof_is_of_a_promise() -> None:
    known = {id_ for dialect in DIALECTS for id_ in promised(dialect)}
    assert set(claimed()) - known == set()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_promise_says_where_it_stands_and_what_it_is(dialect: str) -> None:
    incomplete = {
        id_
        for id_, entry in promised(dialect).items()
        if not FIELDS <= set(entry) <= FIELDS | OPTIONAL or not id_.startswith(f"{dialect}:")
    }
    assert incomplete == set()
