"""`recollect lex`: what a person types in a workspace, and sees."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import sqlite3
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from promises import promise
from recollect.cli.main import main

POLICY = {
    "modules": {
        "app": {"owns_paths": ["src/app/**"], "allowed_callers": []},
        "lib": {"owns_paths": ["src/lib/**"], "forbidden_callers": ["app"]},
    }
}
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True)
class Told:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Shell:
    """A home, and a checkout in it where the commands are typed."""

    home: Path

    @property
    def code(self) -> Path:
        return self.home / "code"

    def lex(self, *words: str, stdin: str = "", **environ: str) -> Told:
        """In this process: each test types a dozen of them. Real ones are in the documentation."""
        told = {"HOME": str(self.home), "RECOLLECT_EMBEDDER": "none", **environ}
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, told, clear=True),
            mock.patch.object(sys, "stdin", io.StringIO(stdin)),
            contextlib.chdir(self.code),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                status = main(["lex", *words])
            except SystemExit as ended:  # as argparse does
                status = int(ended.code or 0)
        return Told(status, out.getvalue(), err.getvalue())

    def remember(self, reference: str, *words: str, **environ: str) -> Told:
        return self.lex(
            *("remember", "--reference-point", reference, "--summary-caption", "it hangs"),
            *("--next-action", "look again", "--module-scope", "app", *words),
            **environ,
        )

    def policy(self, policy: object = POLICY) -> None:
        place = self.code / "policy/policy_spec/lexmap.policy.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(policy), encoding="utf-8")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    for name, text in (
        (".git/HEAD", "ref: refs/heads/feature/lock\n"),
        ("src/app/a.py", "from lib import b\n"),
        ("src/lib/b.py", "x = 1\n"),
    ):
        path = tmp_path / "code" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Shell(tmp_path)


@promise("lex:command-line:frames")
def test_a_frame_is_kept_and_found_by_whatever_it_says(shell: Shell) -> None:
    (shell.code / "shot.png").write_bytes(PNG)
    assert "database not found" in shell.lex("recall", "lock").err, "what reads makes no store"
    assert shell.lex("introspect", "--json").json["state"]["frameCount"] == 0
    assert not (shell.home / ".recollect").exists()
    kept = shell.remember(
        *("that auth lock", "lib", "--blockers", "no key", "--blockers", "no time"),
        *("--jira", "T-12", "--keywords", "auth", "lock", "--images", "shot.png"),
    )
    assert (kept.status, kept.err) == (0, "")
    assert kept.out.startswith("✅ Frame stored: frame-")
    for words in (["lock"], ["--reference-point", "auth"], ["--jira", "T-12"]):
        (found,) = shell.lex("recall", *words, "--json").json["frames"]
        assert found["module_scope"] == ["app", "lib"]
        assert found["status_snapshot"] == {
            "next_action": "look again",
            "blockers": ["no key", "no time"],
        }
        assert found["branch"] == "feature/lock", "the one that is checked out"
        assert found["images"] == [{"number": 1, "mime_type": "image/png", "size": len(PNG)}]
    assert "📍 Reference: that auth lock" in shell.lex("recall", "lock").out
    assert "1. that auth lock" in shell.lex("list", "--branch", "feature/lock").out
    assert shell.lex("list", "--module", "ap", "--json").json == {"frames": []}
    assert shell.lex("introspect", "--json").json["state"]["frameCount"] == 1
    assert "no value" not in shell.lex("list", "--limit", "0").err


@promise("lex:command-line:problems")
def test_a_problem_is_a_line_on_stderr_or_an_object(shell: Shell) -> None:
    said = shell.lex("remember", "--reference-point", "a")
    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("recollect: Missing required fields: summary_caption")
    told = shell.lex("remember", "--json")
    assert told.status == 1
    assert told.json["error"]["code"] == "VALIDATION_REQUIRED_FIELD"
    dry = shell.lex("remember", "--dry-run", "--json")
    assert (dry.status, dry.json["valid"]) == (1, False)
    assert shell.lex("recall").status == 1
    assert shell.lex("recall", "a", "--reference-point", "b").status == 1
    assert shell.remember("a", "--images", "none.png").err == (
        "recollect: none.png cannot be read: No such file or directory\n"
    )
    for words in ([], ["fly"], ["policy"], ["list", "--limit", "many"]):
        assert shell.lex(*words).status == 2, "a command line that is not understood"


@promise("lex:command-line:strict")
def test_in_strict_mode_nothing_is_suggested_and_the_exit_is_1(shell: Shell) -> None:
    shell.policy()
    helped = shell.remember("a", "libb")
    assert (helped.status, "Did you mean: lib" in helped.err) == (1, True)
    strict = shell.remember("a", "libb", LEX_STRICT_MODE="1")
    assert (strict.status, "Did you mean" in strict.err) == (1, False)
    assert "Invalid module IDs: libb" in strict.err
    assert shell.remember("a", "lib", LEX_STRICT_MODE="1").status == 0


@promise("lex:command-line:timeline")
def test_a_timeline_is_text_json_or_a_page(shell: Shell) -> None:
    shell.remember("<b>first</b>", "--jira", "T-1", "--blockers", "<script>x</script>")
    shell.remember("second", "lib", "--jira", "T-1")
    assert "T-1: Timeline" in shell.lex("timeline", "T-1").out
    steps = json.loads(shell.lex("timeline", "T-1", "--format", "json").out)
    assert [each["modulesAdded"] for each in steps] == [["app"], ["lib"]]
    assert shell.lex("timeline", "--ticket-or-branch", "T-1", "--json").json["frames"] == steps
    written = shell.lex("timeline", "T-1", "--format", "html", "--output", "t.html")
    page = (shell.code / "t.html").read_text(encoding="utf-8")
    assert (written.out, written.err) == ("", "recollect: written: t.html\n")
    assert page == shell.lex("timeline", "T-1", "--format", "html").out
    assert "&lt;b&gt;first&lt;/b&gt;" in page
    assert "<script>" not in page
    assert shell.lex("timeline").status == 1
    nameless = shell.lex("timeline", "--format", "html")
    assert (nameless.status, nameless.out) == (1, "")
    assert nameless.err == "recollect: Missing required field: ticketOrBranch\n"


@promise("lex:command-line:policy")
def test_policy_and_code_are_checked(shell: Shell) -> None:
    missing = shell.lex("policy", "check")
    assert (missing.status, missing.out) == (1, "")
    shell.policy()
    checked = shell.lex("policy", "check")
    assert checked.status == 1, "app imports lib, and may not"
    assert "❌ Policy invalid" in checked.out
    shell.policy({"modules": {"app": {"owns_paths": ["src/**"]}}})
    assert shell.lex("policy", "check").out.startswith("✅ Policy valid: 1 modules defined")
    shell.policy({"modules": {"app": {"owns_paths": ["src/**"]}, "x": {"owns_paths": ["x/**"]}}})
    assert shell.lex("policy", "check", "src").status == 0
    assert shell.lex("policy", "check", "--strict").status == 1
    assert shell.lex("policy", "check", LEX_STRICT_MODE="1").status == 0, "that is about ids"
    assert shell.lex("policy", "check", "--policy-path", "none.json").status == 1
    assert shell.lex("policy", "check", "--json").json["valid"] is True


@promise("lex:command-line:atlas")
def test_modules_are_told_and_drawn(shell: Shell) -> None:
    assert {each["id"] for each in shell.lex("atlas", "--json").json["modules"]} == {"app", "lib"}
    undrawn = shell.lex("atlas", "--svg", "m.svg")
    assert undrawn.status == 1
    assert "lexmap.policy.json" in undrawn.err
    shell.policy()
    atlas = shell.lex("atlas", "--seed-modules", "app", "--fold-radius", "0", "--json")
    assert [each["id"] for each in atlas.json["modules"]] == ["app"]
    assert shell.lex("atlas", "--seed-modules", "nope").status == 1
    assert shell.lex("atlas", "--svg", "m.svg").status == 0
    drawn = (shell.code / "m.svg").read_text(encoding="utf-8")
    assert ET.fromstring(drawn).tag.endswith("svg")
    assert ">app<" in drawn
    assert ">lib<" in drawn


@promise("lex:command-line:init")
def test_a_policy_is_written_only_when_somebody_says_so(shell: Shell) -> None:
    shell.remember("before")
    place = shell.code / ".smartergpt/lex/lexmap.policy.json"
    shown = shell.lex("init", stdin="y\n")
    assert shown.status == 0
    assert set(shown.json["modules"]) == {"app", "lib"}
    assert not (shell.code / ".smartergpt").exists(), "nobody was there to confirm it"
    elsewhere = shell.lex("init", "--yes", "--output", "proposed.json")
    assert json.loads((shell.code / "proposed.json").read_text()) == elsewhere.json
    written = shell.lex("init", "--yes")
    assert json.loads(place.read_text(encoding="utf-8")) == shown.json
    assert f"{shell.code}/.smartergpt/lex/memory.db" in written.err, "the store changes with it"
    assert f"{shell.home}/.recollect/recollect.db" in written.err, "and what was before stays"
    before = place.read_bytes()
    again = shell.lex("init", "--yes")
    assert (again.status, place.read_bytes()) == (1, before)
    assert shell.lex("policy", "check").out.startswith("✅ Policy valid: 2 modules")


@promise("lex:command-line:export")
def test_frames_are_exported_as_an_array_or_a_line_each(shell: Shell) -> None:
    assert shell.lex("export").status == 1, "there is no store yet"
    shell.remember("first", "--jira", "T-1")
    shell.remember("second", "--branch", "other")
    told = shell.lex("export")
    assert [each["reference_point"] for each in told.json] == ["second", "first"]
    assert told.err == "recollect: exported 2 frames\n"
    lines = shell.lex("export", "--format", "ndjson", "--output", "f.ndjson")
    assert lines.out == ""
    text = (shell.code / "f.ndjson").read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.splitlines()] == told.json
    for words, expected in (
        (["--jira", "T-1"], ["first"]),
        (["--branch", "other"], ["second"]),
        (["--since", "2100-01-01"], []),
        (["--project", "elsewhere"], []),
    ):
        assert [each["reference_point"] for each in shell.lex("export", *words).json] == expected
    assert shell.lex("export", "--since", "yesterday").status == 1


@promise("lex:command-line:store")
def test_a_workspace_with_a_place_for_its_store_has_its_frames_there(shell: Shell) -> None:
    (shell.code / ".smartergpt/lex").mkdir(parents=True)
    shell.remember("mine")
    assert (shell.code / ".smartergpt/lex/memory.db").is_file()
    assert not (shell.home / ".recollect/recollect.db").exists()
    other = str(shell.home / "other.db")
    assert f"not found: {other}" in shell.lex("recall", "mine", LEX_MEMORY_DB=other).err
    assert len(shell.lex("recall", "mine", "--json", RECOLLECT_PROJECT="x").json["frames"]) == 1


@promise("lex:encryption")
def test_a_store_under_a_passphrase_needs_it(shell: Shell) -> None:
    key = "correct horse battery"
    assert shell.remember("the parsnip", LEX_DB_KEY=key).status == 0
    stored = shell.home / ".recollect/recollect.db"
    assert b"parsnip" not in stored.read_bytes()
    assert not stored.read_bytes().startswith(b"SQLite format 3")
    (found,) = shell.lex("recall", "parsnip", "--json", LEX_DB_KEY=key).json["frames"]
    assert found["reference_point"] == "the parsnip"
    for environ, words in (
        ({}, "it is encrypted and no key is set"),
        ({"LEX_DB_KEY": "another passphrase"}, "the key does not open the store"),
        ({"LEX_DB_KEY": "too short"}, "LEX_DB_KEY has fewer than 12 characters"),
    ):
        refused = shell.lex("recall", "parsnip", **environ)
        assert refused.status == 1
        assert words in refused.err
        assert "Traceback" not in refused.err


def published(path: Path, *, images: bool = True) -> None:
    """A database as the published product leaves it, its log not folded in."""
    theirs = sqlite3.connect(path)
    theirs.execute("pragma journal_mode = wal")
    theirs.execute(
        "create table frames (id text primary key, timestamp text, branch text, jira text, "
        "module_scope text, summary_caption text, reference_point text, status_snapshot text, "
        "keywords text, atlas_frame_id text, spend text, user_id text, superseded_by text)"
    )
    status = '{"next_action": "ask", "blockers": ["no key"]}'
    rows = [
        ("f-1", "2025-01-02T03:04:05Z", "main", "T-9", '["gone/module","gone/module"]', "one"),
        ("not-theirs", "2025-01-02T03:04:06.007Z", "dev", None, '["app"]', "two"),
        ("broken", "2025-01-03", "dev", None, "[]", "no module"),
        ("broken-2", "2025-01-04", "dev", None, "{", "no JSON"),
    ]
    for id_, at, branch, jira, scope, caption in rows:
        theirs.execute(
            "insert into frames values (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(id_, at, branch, jira, scope, caption, "the lock", status, '["k"]', None),
                *('{"prompts": 3}', None, None),
            ),
        )
    if images:
        theirs.execute(
            "create table images (image_id text, frame_id text, data blob, mime_type text, "
            "created_at integer)"
        )
        theirs.execute("insert into images values ('img-1', 'f-1', ?, 'image/png', 1)", (PNG,))
    theirs.commit()
    keep.append(theirs)  # or closing it would fold the log in


keep: list[sqlite3.Connection] = []


@promise("lex:command-line:import")
@pytest.mark.parametrize("images", [True, False])
def test_frames_of_the_published_product_are_brought(shell: Shell, images: bool) -> None:
    shell.policy()
    theirs = shell.code / "memory.db"
    published(theirs, images=images)
    before = theirs.read_bytes()
    brought = shell.lex("import", "memory.db")
    assert brought.status == 1, "two of them are no frames"
    assert "recollect: 4 frames: 2 new, 0 known already, 2 refused" in brought.err
    assert theirs.read_bytes() == before
    (found,) = shell.lex("recall", "lock", "--jira", "T-9", "--json").json["frames"]
    assert (found["id"], found["timestamp"]) == ("f-1", "2025-01-02T03:04:05.000Z")
    assert found["module_scope"] == ["gone/module", "gone/module"]
    assert found["spend"] == {"prompts": 3}
    assert ("images" in found) is images
    again = shell.lex("import", "memory.db")
    assert "0 new, 2 known already" in again.err
    keep.pop().close()


@promise("lex:command-line:import")
@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_what_is_exported_comes_back_whole(shell: Shell, form: str) -> None:
    (shell.code / "shot.png").write_bytes(PNG)
    shell.remember("first", "--images", "shot.png", "--keywords", "k")
    shell.remember("second", "--branch", "other")
    shell.lex("export", "--format", form, "--output", "f")
    elsewhere = {"RECOLLECT_DB": str(shell.home / "other.db")}
    assert shell.lex("import", "f", **elsewhere).status == 0
    assert shell.lex("export", **elsewhere).json == shell.lex("export").json


@promise("lex:command-line:import")
def test_what_is_no_file_of_frames_is_told(shell: Shell) -> None:
    for name, content, words in (
        ("none", None, "none cannot be read: No such file"),
        ("text", b"hello\n", "text: line 1 is not JSON"),
        ("array", b"[{", "array is not JSON"),
        ("numbers", b"[1, {}]", "2 frames: 0 new, 0 known already, 2 refused"),
    ):
        if content is not None:
            (shell.code / name).write_bytes(content)
        told = shell.lex("import", name)
        assert (told.status, words in told.err) == (1, True), told.err
    sqlite3.connect(shell.code / "other.db").executescript("create table t (a);").close()
    assert "has no frames of Lex" in shell.lex("import", "other.db").err
