"""The hook as a client starts it: a real process, a throw-away home, nothing mocked."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import recollect
from promises import promise
from recollect.capture import seal, spool
from recollect.cli import record
from recollect.model import event as model_event

HOOK = str(Path(recollect.__file__).parent / "cli" / "hook.py")
WIRED = (sys.executable, "-I", "-S", HOOK, "record")
MODULE = (sys.executable, "-m", "recollect.cli.hook", "record")
KEY = "5a" * 32
HEAVY = "re json dataclasses typing enum pathlib hashlib tomllib datetime collections functools"


@dataclass
class Ended:
    code: int
    out: str
    err: str


@dataclass
class Home:
    """A user's home folder and what the hook left in it."""

    path: Path
    environ: dict[str, str] = field(default_factory=dict)

    def record(
        self,
        stdin: bytes | dict[str, Any],
        *flags: str,
        start: tuple[str, ...] = WIRED,
        cwd: Path | None = None,
    ) -> Ended:
        blob = json.dumps(stdin).encode() if isinstance(stdin, dict) else stdin
        environ = {"HOME": str(self.path), "PATH": os.defpath, **self.environ}
        if start is MODULE:
            environ["PYTHONPATH"] = str(Path(recollect.__file__).parents[1])
        done = subprocess.run(
            [*start, *flags],
            input=blob,
            capture_output=True,
            env=environ,
            cwd=cwd,
            timeout=120,
            check=False,
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    @property
    def store(self) -> Path:
        return self.path / ".recollect" / "recollect.db"

    @property
    def spool(self) -> str:
        return f"{self.store}-spool"

    def documents(self) -> list[dict[str, Any]]:
        return [json.loads(spool.read(self.spool, name)) for name in spool.waiting(self.spool)]

    def everything(self) -> bytes:
        """Every byte and every name below the home folder."""
        return b"".join(
            bytes(path) + (path.read_bytes() if path.is_file() else b"")
            for path in sorted(self.path.rglob("*"))
        )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "home").mkdir()
    return Home(tmp_path / "home")


def event(name: str, **fields: Any) -> dict[str, Any]:
    return {"session_id": "d4f8a2b1", "cwd": "/code/shop", "hook_event_name": name, **fields}


def used(tool: str, given: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return event("PostToolUse", tool_name=tool, tool_input=given, **fields)


BASH = used("Bash", {"command": "make test"}, tool_response={"stdout": "ok", "stderr": ""})
SILENT = ("", "")

KEPT = [
    # event                                                      kind             because
    (BASH, "tool_use", "a tool was used"),
    (event("PostToolUseFailure", tool_name="Bash", error="Exit code 2"), "tool_use", "it failed"),
    (event("UserPromptSubmit", prompt="Fix it"), "prompt", "the user spoke"),
    (event("Stop"), "session_stop", "the agent stopped"),
    (event("SessionEnd", reason="logout"), "session_stop", "the session ended"),
    ({**BASH, "unheard_of": {"a": [1]}}, "tool_use", "unknown fields are ignored"),
    (used("Bash", {"command": "echo \ud800\0"}), "tool_use", "half a character is mended"),
    ({**BASH, "cwd": "/no/such/folder"}, "tool_use", "the folder need not exist"),
    ({**BASH, "cwd": ""}, "tool_use", "nor be named"),
]


@promise("nmem:record:one-object", "nmem:record:silent", "nmem:record:unknown-fields")
@pytest.mark.parametrize(("host", "kind", "because"), KEPT, ids=[row[-1] for row in KEPT])
def test_what_happened_is_kept_in_silence(
    home: Home, host: dict[str, Any], kind: str, because: str
) -> None:
    ended = home.record(host)
    assert (ended.code, ended.out, ended.err) == (0, *SILENT)
    [document] = home.documents()
    assert document["kind"] == kind
    assert model_event.of(document).head.session_id == "d4f8a2b1"


NOTHING = [
    (event("PreToolUse", tool_name="Bash"), "nothing has happened yet"),
    (event("PreCompact"), "not ours"),
    (event("SomethingNew"), "an unknown event"),
    (event("UserPromptSubmit", prompt=""), "an empty prompt"),
    (event("UserPromptSubmit", prompt="<system-reminder>x</system-reminder>"), "the host's words"),
    (event("PostToolUse"), "no tool"),
    ({**BASH, "session_id": ""}, "an empty session id is accepted and ignored"),
]


@promise("nmem:record:empty-session", "nmem:record:unknown-fields")
@pytest.mark.parametrize(("host", "because"), NOTHING, ids=[row[-1] for row in NOTHING])
def test_what_is_not_kept_leaves_nothing_not_even_a_folder(
    home: Home, host: dict[str, Any], because: str
) -> None:
    ended = home.record(host)
    assert (ended.code, ended.out, ended.err) == (0, *SILENT)
    assert list(home.path.iterdir()) == []


REFUSED = [
    # stdin                             what stderr says                  because
    (b"", "the input is empty", "nothing"),
    (b"{", "the input is not JSON", "malformed"),
    (json.dumps(BASH).encode()[:-5], "the input is not JSON", "truncated"),
    (b'{"a": "\xff\xfe"}', "the input is not UTF-8", "not UTF-8"),
    (json.dumps(BASH).encode() + b"\x00", "the input goes on", "a NUL behind"),
    (b'{"session_id": "a\x00b"}', "the input is not JSON", "a NUL within"),
    (b'{"a": NaN}', "NaN is not JSON", "NaN"),
    (b'{"a": -Infinity}', "-Infinity is not JSON", "infinity"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply", "100,000 levels"),
    (b"[" * 100_000, "nested too deeply", "100,000 levels, truncated"),
    (b"[]", "not a JSON object", "a list"),
    (b'"text"', "not a JSON object", "a text"),
    (b'{"cwd": "/", "hook_event_name": "Stop"}', "session_id is missing", "no session"),
    (b'{"session_id": "s", "hook_event_name": "Stop"}', "cwd is missing", "no folder"),
    (b'{"session_id": "s", "cwd": "/"}', "hook_event_name is missing", "no event"),
    (b'{"session_id": 7, "cwd": "/", "hook_event_name": "Stop"}', "session_id is not", "a number"),
]


@promise("nmem:record:malformed", "nmem:record:required-fields", "nmem:record:wired")
@pytest.mark.parametrize(("stdin", "words", "because"), REFUSED, ids=[row[-1] for row in REFUSED])
def test_what_is_no_event_exits_1_with_one_readable_line(
    home: Home, stdin: bytes, words: str, because: str
) -> None:
    ended = home.record(stdin)
    assert (ended.code, ended.out) == (1, "")
    assert words in ended.err
    assert ended.err.count("\n") == 1
    assert ended.err.startswith("recollect: ")
    assert list(home.path.iterdir()) == []
    assert home.record(stdin, "--exit-zero").code == 0


USAGE = [["--unknown"], ["--db"], ["--db="], ["extra"], ["--exit-zero=1"]]


@promise("nmem:record:usage-errors", "nmem:record:wired")
@pytest.mark.parametrize("flags", USAGE)
def test_a_wrong_command_line_exits_1_and_shows_the_usage(home: Home, flags: list[str]) -> None:
    ended = home.record(BASH, *flags)
    assert (ended.code, ended.out) == (1, "")
    assert "usage: recollect record" in ended.err
    assert home.record(BASH, "--exit-zero", *flags).code == 0
    assert list(home.path.iterdir()) == []


UNTRUSTED = [
    # the store's bytes                         exit  because
    (b"this is not a database, certainly", 2, "another kind of file"),
    (b"SQLite", 2, "shorter than a header"),
    (b"SQLite format 3\0" + b"x" * 100, 0, "the header is all that is looked at"),
    (b"", 0, "an empty file becomes a store"),
]


@promise("nmem:record:exit-2", "nmem:record:wired")
@pytest.mark.parametrize(("header", "code", "because"), UNTRUSTED, ids=[r[-1] for r in UNTRUSTED])
@pytest.mark.parametrize("name", ["PostToolUse", "UserPromptSubmit"])
def test_a_store_that_cannot_be_trusted_exits_2_and_the_event_waits(
    home: Home, header: bytes, code: int, because: str, name: str
) -> None:
    home.store.parent.mkdir()
    home.store.write_bytes(header)
    host = event(name, tool_name="Bash", prompt="hello")
    ended = home.record(host)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err.count("\n") == (1 if code else 0)
    assert ("is not a database" in ended.err) is bool(code)
    assert len(home.documents()) == 1
    assert home.store.read_bytes() == header
    assert home.record(host, "--exit-zero").code == 0


def test_under_a_key_the_header_is_not_judged(home: Home) -> None:
    home.store.parent.mkdir()
    home.store.write_bytes(os.urandom(4096))
    home.environ["RECOLLECT_KEY"] = KEY
    assert home.record(BASH) == Ended(0, "", "")


def test_a_session_start_on_a_store_that_cannot_be_trusted_is_not_asked(home: Home) -> None:
    home.store.parent.mkdir()
    home.store.write_bytes(b"this is not a database, certainly")
    ended = home.record(event("SessionStart", source="startup"))
    assert (ended.code, ended.out) == (2, "")
    assert [document["kind"] for document in home.documents()] == ["session_start"]


START = event("SessionStart", source="startup")


def test_a_session_start_is_answered_with_what_happened_before(home: Home) -> None:
    assert home.record(START) == Ended(0, "", ""), "a first start in an empty store says nothing"
    home.record(event("UserPromptSubmit", prompt="Ship the order"))
    home.record(used("Edit", {"file_path": "/code/shop/ship.py", "new_string": "total = 1"}))
    ended = home.record(START)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("# nmem context\n")
    assert "Ship the order" in ended.out
    assert home.documents() == [], "the answer took everything that waited into the store"


def test_a_session_start_whose_answer_nobody_reads_ends_quietly(home: Home) -> None:
    home.record(event("UserPromptSubmit", prompt="Ship the order"))
    home.record(used("Edit", {"file_path": "/code/shop/ship.py", "new_string": "total = 1"}))
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as stdout:
        done = subprocess.run(
            WIRED,
            input=json.dumps(START).encode(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={"HOME": str(home.path), "PATH": os.defpath},
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_session_start_on_a_damaged_store_exits_2_and_the_event_waits(home: Home) -> None:
    home.store.parent.mkdir()
    home.store.write_bytes(b"SQLite format 3\0" + b"damage" * 1_000)
    ended = home.record(START)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert [document["kind"] for document in home.documents()] == ["session_start"]
    assert home.record(START, "--exit-zero").code == 0


def test_a_session_start_that_cannot_be_answered_says_why_and_exits_0(home: Home) -> None:
    home.store.parent.mkdir()
    home.environ["RECOLLECT_KEY"] = KEY
    home.store.write_bytes(b"SQLite format 3\0" + bytes(4080))
    ended = home.record(START)
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.startswith("recollect: no context for this session: ")
    assert ended.err.count("\n") == 1
    assert len(spool.waiting(home.spool)) == 1


def test_a_spool_that_cannot_be_written_exits_1_and_says_so(home: Home) -> None:
    (home.path / ".recollect").write_text("a file where the folder should be")
    ended = home.record(BASH)
    assert (ended.code, ended.out) == (1, "")
    assert "the event could not be kept" in ended.err
    assert ended.err.count("\n") == 1
    assert home.record(BASH, "--exit-zero").code == 0


STORES = [
    # flags                   environment                              store
    (["--db", "{top}/f.db"], {"RECOLLECT_DB": "{top}/e.db"}, "f.db"),
    (["--db={top}/f.db"], {}, "f.db"),
    ([], {"RECOLLECT_DB": "{top}/e.db", "NMEM_DB": "{top}/n.db"}, "e.db"),
    ([], {"NMEM_DB": "{top}/n.db"}, "n.db"),
    ([], {"NMEM_DB": "{top}/n.db", "LEX_MEMORY_DB": "{top}/l.db"}, "n.db"),
    ([], {"LEX_MEMORY_DB": "{top}/l.db"}, "l.db"),  # the worker's store is there too
]


@pytest.mark.parametrize(("flags", "environ", "store"), STORES)
def test_the_spool_is_beside_the_store_that_was_named(
    home: Home, tmp_path: Path, flags: list[str], environ: dict[str, str], store: str
) -> None:
    home.environ = {name: value.format(top=tmp_path) for name, value in environ.items()}
    assert home.record(BASH, *(flag.format(top=tmp_path) for flag in flags)) == Ended(0, "", "")
    assert len(spool.waiting(f"{tmp_path / store}-spool")) == 1
    assert list(home.path.iterdir()) == []


def test_it_runs_as_a_module_and_as_the_console_command_too(home: Home) -> None:
    assert home.record(BASH, start=MODULE) == Ended(0, "", "")
    console = (
        sys.executable,
        "-c",
        "from recollect.cli.main import main; raise SystemExit(main())",
    )
    home.environ["PYTHONPATH"] = str(Path(recollect.__file__).parents[1])
    assert home.record(BASH, start=(*console, "record")) == Ended(0, "", "")
    assert len(home.documents()) == 2


def test_it_finds_its_package_from_a_relative_path(home: Home) -> None:
    start = (sys.executable, "-I", "-S", "hook.py", "record")
    assert home.record(BASH, start=start, cwd=Path(HOOK).parent) == Ended(0, "", "")
    assert len(home.documents()) == 1


def test_a_fault_of_ours_is_told_without_a_traceback_and_without_the_event(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> bytes:
        raise ZeroDivisionError("my-diary-says")

    monkeypatch.setattr(record, "stdin", fail)
    assert record.main([]) == 1
    assert record.main(["--exit-zero"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 2
    assert told.err.startswith("recollect: the event was not kept: ZeroDivisionError at ")
    assert "diary" not in told.err


def test_a_deleted_working_directory_stops_nobody(home: Home, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    start = ("/bin/sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *WIRED)
    ended = home.record({**BASH, "cwd": str(gone)}, start=start, cwd=gone)
    assert ended == Ended(0, "", "")
    assert home.documents()[0]["project"] == "gone"


@promise("nmem:record:any-size", "nmem:record:never-stores-contents")
def test_a_hundred_megabytes_leave_only_their_gist(home: Home) -> None:
    content = "def ship(order):\n" + "x = 'filling'\n" * (100 * 1024 * 1024 // 14)
    assert home.record(used("Write", {"file_path": "/f.py", "content": content})) == Ended(
        0, "", ""
    )
    [document] = home.documents()
    assert document["input"] == {"file_path": "/f.py", "gist": "def ship(order):"}
    assert document["marks"] == {
        "content_sha256": hashlib.sha256(content.encode()).hexdigest(),
        "content_length": len(content),
    }
    assert b"filling" not in home.everything()


def test_a_huge_answer_is_cut(home: Home) -> None:
    answer = {"stdout": "word " * 2_000_000, "rows": ["x" * 1000] * 10_000}
    assert home.record(used("Bash", {"command": "git log"}, tool_response=answer)) == Ended(
        0, "", ""
    )
    [document] = home.documents()
    assert len(document["response"]) == 4_000


def test_a_mistyped_setting_is_told_and_stops_no_capture(home: Home) -> None:
    (home.path / ".recollect").mkdir()
    (home.path / ".recollect/config.toml").write_text("[filter\n")
    ended = home.record(used("Bash", {"command": "export K=AKIAIOSFODNN7EXAMPLE"}))
    assert (ended.code, ended.out) == (0, "")
    assert "config.toml" in ended.err
    assert ended.err.count("\n") == 1
    assert "AKIA" not in json.dumps(home.documents())


def test_a_key_that_cannot_be_read_lets_nothing_be_written_in_plain(home: Home) -> None:
    home.environ["RECOLLECT_KEY"] = "no key"
    ended = home.record(BASH)
    assert (ended.code, ended.out) == (1, "")
    assert "RECOLLECT_KEY is not a key" in ended.err
    assert list(home.path.iterdir()) == []


GITHUB = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
SECRETS = [GITHUB, "AKIAIOSFODNN7EXAMPLE", "hunter2-is-long", "my-diary-says"]


def planted() -> list[dict[str, Any]]:
    text = f"token {GITHUB} AKIAIOSFODNN7EXAMPLE password=hunter2-is-long "
    text += "<private>my-diary-says</private>"
    content = f"x = 1\n{text}\nsecret-file-line\n"
    return [
        event("UserPromptSubmit", prompt=text),
        event("SessionEnd", reason=text),
        used("Bash", {"command": f"echo '{text}'"}, tool_response={"stdout": text, "stderr": text}),
        used("Write", {"file_path": "/f", "content": content}, tool_response={"content": content}),
        used("Edit", {"file_path": "/f", "old_string": content, "new_string": content}),
        used("MultiEdit", {"file_path": "/f", "edits": [{"new_string": content}]}),
        used("NotebookEdit", {"notebook_path": "/n", "new_source": content}),
        used("Read", {"file_path": "/f"}, tool_response={"file": {"content": content}}),
        used(f"mcp__{GITHUB}", {"password": "hunter2-is-long", text: text}, tool_response=[text]),
        event("PostToolUseFailure", tool_name="Bash", error=f"Exit code 1\n{text}"),
        event("Stop", cwd=f"/code/{GITHUB}", transcript_path=f"/t/{GITHUB}.jsonl"),
        event("UserPromptSubmit", prompt="<private>my-diary-says</private>"),
    ]


def test_no_secret_and_no_private_word_ever_reaches_the_disk(home: Home) -> None:
    for host in planted():
        assert home.record(host) == Ended(0, "", "")
    assert len(home.documents()) == len(planted())
    everything = home.everything()
    for secret in [*SECRETS, "secret-file-line"]:
        assert secret.encode() not in everything
    assert home.documents()[-1]["is_private"] is True


def test_what_is_done_in_a_private_turn_does_not_wait(home: Home) -> None:
    home.record(event("UserPromptSubmit", prompt="<private>my-diary-says</private>"))
    home.record(used("Bash", {"command": "cat my-diary-says"}))
    home.record(event("UserPromptSubmit", prompt="Fix the login bug"))
    home.record(used("Bash", {"command": "make test"}))
    assert [each["kind"] for each in home.documents()] == ["prompt", "prompt", "tool_use"]
    assert b"my-diary-says" not in home.everything()


def test_under_a_key_the_spool_holds_no_plaintext(home: Home) -> None:
    home.environ["RECOLLECT_KEY"] = KEY
    assert home.record(event("UserPromptSubmit", prompt="Fix the login bug")) == Ended(0, "", "")
    for word in (b"login", b"shop", b"d4f8a2b1", b"prompt"):
        assert word not in home.everything()
    [name] = spool.waiting(home.spool)
    opened = json.loads(seal.unseal(bytes.fromhex(KEY), spool.read(home.spool, name)))
    assert opened["text"] == "Fix the login bug"


def test_twenty_hooks_at_once_lose_and_double_nothing(home: Home) -> None:
    environ = {"HOME": str(home.path), "PATH": os.defpath}
    running = []
    for number in range(20):
        process = subprocess.Popen(
            WIRED,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(used("Bash", {"command": f"echo {number}"})).encode())
        running.append(process)
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err) == (0, b"", b"")
    commands = [document["input"]["command"] for document in home.documents()]
    assert sorted(commands) == sorted(f"echo {number}" for number in range(20))


def test_one_host_event_delivered_twice_has_one_key(home: Home) -> None:
    for _ in range(2):
        assert home.record({**BASH, "tool_use_id": "toolu_1"}) == Ended(0, "", "")
    first, second = home.documents()
    assert first["key"] == second["key"]


ORDINARY = [BASH, event("UserPromptSubmit", prompt="Ship the order twice"), event("Stop")]


@pytest.mark.parametrize("host", ORDINARY, ids=["tool", "prompt", "stop"])
def test_an_ordinary_event_loads_nothing_heavy(home: Home, host: dict[str, Any]) -> None:
    loaded = (sys.executable, "-I", "-S", "-X", "importtime", HOOK, "record")
    ended = home.record(host, start=loaded)
    names = {line.rpartition("|")[2].strip() for line in ended.err.splitlines()}
    assert "recollect.cli.record" in names
    assert names & set(HEAVY.split()) == set()
    assert len(home.documents()) == 1


def test_only_its_user_can_read_what_the_hook_wrote(home: Home) -> None:
    home.record(BASH)
    modes = {path.stat().st_mode & 0o777 for path in home.path.rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert {path.stat().st_mode & 0o777 for path in home.path.rglob("*") if path.is_dir()} == {
        0o700
    }
