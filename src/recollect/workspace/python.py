"""Python source, read by Python's own parser: what it defines, and what it imports."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence

from recollect.model.source import Mention, Parsed, Unit

_NAME = "<source of a checkout>"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parsed(blob: bytes, file: str) -> Parsed:
    """Nothing of a file that is not Python, as far as this Python knows, except that it is not."""
    # Of what is doubtful in somebody's source; each time, because filters may be reset, and not
    # for a while only: that would undo what another thread sets meanwhile.
    warnings.filterwarnings("ignore", category=Warning, module=re.escape(_NAME))
    try:
        tree = ast.parse(blob, _NAME)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Parsed(is_whole=False)
    return Parsed(tuple(_units(tree.body, file)), tuple(_mentions(tree.body)))


def _units(body: Sequence[ast.stmt], file: str, owner: str = "") -> Iterator[Unit]:
    """What a module and its classes define, at any depth of classes, also under `if` and `try`."""
    for statement in _flat(body):
        if isinstance(statement, _FUNCTIONS):
            kind = "method" if owner else "function"
            yield _unit(kind, f"{owner}{statement.name}", statement, file)
        elif isinstance(statement, ast.ClassDef):
            name = f"{owner}{statement.name}"
            yield _unit("class", name, statement, file)
            yield from _units(statement.body, file, f"{name}.")


def _unit(kind: str, name: str, statement: ast.stmt, file: str) -> Unit:
    return Unit(kind, name, file, statement.lineno, statement.end_lineno or statement.lineno)


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        yield statement
        if not isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            waiting += reversed(_inner(statement))


def _mentions(body: Sequence[ast.stmt]) -> Iterator[Mention]:
    """Every import, wherever it stands: `.a.b` for what is relative, names of modules included."""
    waiting = list(reversed(body))
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield Mention(alias.name, statement.lineno)
        elif isinstance(statement, ast.ImportFrom):
            base = "." * statement.level + (statement.module or "")
            for alias in statement.names:
                joint = "" if not base or base.endswith(".") else "."
                name = base if alias.name == "*" else f"{base}{joint}{alias.name}"
                yield Mention(name, statement.lineno)
        else:
            waiting += reversed(_inner(statement))


def _inner(statement: ast.AST) -> list[ast.stmt]:
    """The statements within a statement. Not `ast.walk`: expressions are most of a tree."""
    inner: list[ast.stmt] = list(getattr(statement, "body", ()))
    for branch in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        inner += branch.body
    inner += getattr(statement, "orelse", ())
    inner += getattr(statement, "finalbody", ())
    return inner
