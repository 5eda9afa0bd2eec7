"""What files define and import, by a real parser of each language."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import last, promise
from recollect.model.source import Parsed
from recollect.workspace import grammars, python, reading, regular
from recollect.workspace.remembered import Remembered

PYTHON = b"""
import os, a.b as c
from . import x
from ..up import y, z
from pkg import *
if True:
    from guarded import one
    class Shown:
        class Inner:
            async def run(self): ...
        def go(self):
            def hidden(): ...
            import late
try:
    import tried
except ImportError:
    import instead
else:
    pass
match 1:
    case 1:
        import matched
def free(): ...
"""

TYPESCRIPT = b"""
import a, {b} from './b';
import type {T} from "../types";
export * from '../c';
import x = require('./q');
const z = require('./z');
const p = import('./dyn');
notRequire('./no');
export class A extends B { m() {} static async n() {} }
export abstract class Q {}
interface I {x: number}
export type T = string; enum E {A}
export const f = () => 1;
function g() { function inner() {} }
export default function h() {}
"""

GO = b"""package main
import (
  "fmt"
  a "ex.com/x/pkg"
)
type S struct{}
type I interface{}
func (s *S) M() {}
func (s G[T]) K() {}
func main() {}
"""

RUST = b"""mod foo;
pub(crate) mod open;
mod bar { fn inner() {} }
use crate::a::{b, c::d};
struct S<T>(T);
impl<T> S<T> { pub fn m(&self) {} }
trait Tr { fn n(); }
enum E {}
fn main() {}
macro_rules! mm { () => {} }
"""

JAVA = b"""package com.shop.orders;
import com.shop.ledger.Entry;
import static com.shop.util.X.y;
import com.shop.all.*;
public class Order { Order() {} void m() {} class In { void k() {} } }
record R(int a) {}
interface I { void z(); }
enum E { A }
"""

LANGUAGES = [
    # language, source, units, mentions
    (
        "python",
        PYTHON,
        "class Shown, class Shown.Inner, method Shown.Inner.run, method Shown.go, function free",
        "os a.b .x ..up.y ..up.z pkg guarded.one late tried instead matched",
    ),
    (
        "typescript",
        TYPESCRIPT,
        (
            "class A, method A.m, method A.n, class Q, interface I, type T, enum E, function f"
            ", function g, function h"
        ),
        "./b ../types ../c ./q ./z ./dyn",
    ),
    (
        "go",
        GO,
        "struct S, interface I, method S.M, method G.K, function main",
        "fmt ex.com/x/pkg",
    ),
    (
        "rust",
        RUST,
        (
            "function inner, struct S, method S.m, trait Tr, method Tr.n, enum E, function main"
            ", macro mm"
        ),
        "mod foo; pub(crate) mod open; crate::a::{b, c::d}",
    ),
    (
        "java",
        JAVA,
        (
            "class Order, method Order.Order, method Order.m, class Order.In, method Order.In.k"
            ", record R, interface I, method I.z, enum E"
        ),
        "import com.shop.ledger.Entry; import static com.shop.util.X.y; import com.shop.all.*;",
    ),
    ("tsx", b"export function App() { return <div>hi</div>; }", "function App", ""),
    (
        "javascript",
        b"const a = require('./a'); class A { get x() { return 1 } }\nfunction* gen() {}",
        "class A, method A.x, function gen",
        "./a",
    ),
]


def parsed(language: str, blob: bytes) -> Parsed:
    if language == "python":
        return python.parsed(blob, "f")
    return grammars.parsed(blob, "f", language)


@promise("lex:code-atlas:parsers")
@pytest.mark.parametrize(
    ("language", "blob", "units", "mentions"), LANGUAGES, ids=[row[0] for row in LANGUAGES]
)
def test_units_and_imports_are_read_as_the_language_has_them(
    language: str, blob: bytes, units: str, mentions: str
) -> None:
    read = parsed(language, blob)
    assert read.is_whole
    assert ", ".join(f"{unit.kind} {unit.name}" for unit in read.units) == units
    assert sorted(" ".join(one.text for one in read.mentions).split()) == sorted(mentions.split())
    lines = blob.decode().split("\n")
    for unit in read.units:
        assert unit.name.rpartition(".")[2] in lines[unit.start_line - 1], "lines count from 1"
        assert unit.start_line <= unit.end_line <= len(lines)


def test_java_says_where_it_belongs() -> None:
    assert parsed("java", JAVA).package == "com.shop.orders"


BROKEN = [
    ("python", b"def (:\n", "no Python"),
    ("python", b"a = 1\0\n", "a null byte"),
    ("python", b"# -*- coding: no-such -*-\n", "an unknown encoding"),
    ("python", b"\xff\xfe\xfa", "bytes of no text"),
    ("python", b"(" * 100_000, "a bomb of brackets"),
    ("python", b"-" * 100_000 + b"1", "a bomb of signs"),
    ("python", b"a" + b".a" * 100_000, "a bomb of dots"),
    ("typescript", b"class {{{ \xff", "no TypeScript"),
    ("javascript", b"(" * 100_000, "a bomb of brackets for others"),
    ("go", b"package p\nfunc f() {" + b"(" * 100_000, "a bomb within a function"),
    ("java", b"class A {" * 20_000, "a bomb of classes"),
    ("rust", b"mod a { fn f() {} " * 10_000, "a bomb of modules"),
    ("typescript", b"class A { a() {" * 20_000, "a bomb of methods"),
    ("tsx", b"<a>" * 30_000, "a bomb of tags"),
    ("go", b"func func func", "no Go"),
    ("rust", b"fn fn {", "no Rust at all"),
    ("java", b"class class", "no Java at all"),
]


@promise("lex:code-atlas:syntax-errors")
@pytest.mark.parametrize(("language", "blob", "because"), BROKEN, ids=last)
def test_a_file_with_syntax_errors_is_told_to_be_one(
    language: str, blob: bytes, because: str
) -> None:
    begun = time.perf_counter()
    assert not parsed(language, blob).is_whole, because
    assert time.perf_counter() - begun < 5


def test_what_comes_before_a_syntax_error_is_read_where_a_parser_can() -> None:
    read = parsed("go", b"package p\nfunc Good() {}\nfunc Bad( {\n")
    assert [unit.name for unit in read.units] == ["Good"]


def test_a_warning_about_somebodys_source_is_not_ours(recwarn: pytest.WarningsRecorder) -> None:
    assert parsed("python", b"a = '\\d'\nassert (a, 1)\n").is_whole
    assert not recwarn.list


@given(st.sampled_from([row[0] for row in LANGUAGES]), st.binary(max_size=300))
def test_any_bytes_are_read(language: str, blob: bytes) -> None:
    parsed(language, blob)


@given(st.data())
def test_any_piece_of_a_source_is_read(data: st.DataObject) -> None:
    language, blob, _, _ = data.draw(st.sampled_from(LANGUAGES))
    begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(blob))] * 2)))
    for unit in parsed(language, blob[:begin] + blob[end:]).units:
        assert unit.start_line <= unit.end_line


@promise("lex:code-atlas:unreadable")
def test_a_file_that_cannot_be_read_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("open.py", "shut.py"):
        (tmp_path / name).write_text("def f(): ...", encoding="utf-8")
    opening = os.open

    def refused(path: str, flags: int, mode: int = 0o777) -> int:  # root may read everything
        if path.endswith("shut.py"):
            raise PermissionError(13, "Permission denied", path)
        return opening(path, flags, mode)

    monkeypatch.setattr(os, "open", refused)
    source = reading.read(str(tmp_path))
    assert list(source.parsed) == ["open.py"]
    assert source.tree.left_out == {"unreadable": 1}


def test_what_has_not_changed_is_parsed_once_and_what_has_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regular, "FRESH_NS", 0)
    (tmp_path / "a.py").write_text("def one(): ...", encoding="utf-8")
    first = reading.read(str(tmp_path)).parsed["a.py"]
    assert reading.read(str(tmp_path)).parsed["a.py"] is first
    (tmp_path / "a.py").write_text("def other(): ...", encoding="utf-8")
    assert [unit.name for unit in reading.read(str(tmp_path)).parsed["a.py"].units] == ["other"]


def test_what_is_remembered_has_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular, "FRESH_NS", 0)
    remembered: Remembered[bytes] = Remembered(10, len)
    made: list[bytes] = []

    def read(blob: bytes) -> bytes:
        made.append(blob)
        return blob

    for name, size in (("a", 4), ("b", 4), ("a", 4), ("c", 4), ("a", 4), ("b", 4), ("d", 99)):
        if not (tmp_path / name).exists():
            (tmp_path / name).write_bytes(name.encode() * size)
        assert len(remembered.of(str(tmp_path / name), read, at_most=100)) == size
    assert [blob[:1] for blob in made] == [b"a", b"b", b"c", b"b", b"d"]
