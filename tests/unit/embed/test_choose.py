"""The embedder that settings come to, and what is said when it is not the one asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from models import FOLDER, needs_model
from recollect.embed import choose, model_file
from recollect.embed.choose import Wanted
from recollect.embed.endpoint import Endpoint
from recollect.embed.port import Chosen
from recollect.model.errors import EmbedderUnavailable

INT8, STATIC = "all-MiniLM-L6-v2/int8", "all-MiniLM-L6-v2/static"


def chosen(kind: str, *folders: Path) -> Chosen:
    return choose.choose(Wanted(kind, tuple(map(str, folders or (FOLDER,)))))


CHOICES = [
    # asked for    missing                   embedder and why
    ("auto", (), f"{INT8} (runs in onnxruntime)"),
    ("minilm", (), f"{INT8} (runs in onnxruntime)"),
    ("numpy", (), f"{INT8} (runs in numpy, slower)"),
    ("static", (), f"{STATIC} (vectors of single words, no model runs)"),
    ("none", (), "none (words only, as set)"),
    ("auto", ("minilm",), f"{INT8} (runs in numpy, slower)"),
    ("auto", ("minilm", "numpy"), f"{STATIC} (vectors of single words, no model runs)"),
    ("numpy", ("numpy",), f"{STATIC} (vectors of single words, no model runs)"),
    ("auto", ("minilm", "numpy", "static"), "none (words only)"),
]


@needs_model
@pytest.mark.parametrize(("kind", "missing", "outcome"), CHOICES)
def test_the_best_that_works_is_chosen(
    kind: str, missing: tuple[str, ...], outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise EmbedderUnavailable("out of order")

    for name in missing:
        monkeypatch.setitem(choose.MAKERS, name, broken)
    found = chosen(kind)
    assert str(found) == outcome
    assert found.problems == tuple(f"{name} does not work: out of order" for name in missing)


@needs_model
def test_without_onnxruntime_numpy_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.delitem(sys.modules, "recollect.embed.minilm", raising=False)
    found = chosen("auto")
    assert str(found) == f"{INT8} (runs in numpy, slower)"
    assert found.problems[0].startswith("minilm does not work: import of onnxruntime halted")


@needs_model
def test_without_numpy_there_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in ("weights", "tensors"):
        monkeypatch.delitem(sys.modules, f"recollect.embed.{name}", raising=False)
    monkeypatch.delattr("recollect.embed.weights", raising=False)
    found = chosen("auto")
    assert found.embedder is None
    assert found.problems[0].startswith("the model cannot be read: ")


@pytest.mark.parametrize("kind", ["auto", "minilm", "numpy", "static"])
def test_without_a_model_there_are_words(kind: str, tmp_path: Path) -> None:
    found = chosen(kind, tmp_path)
    assert str(found) == "none (words only)"
    place = tmp_path / model_file.FILE
    assert found.problems == (f"there is no model at {place}; run `recollect model build`",)


def test_a_corrupt_model_is_told_and_not_used(tmp_path: Path) -> None:
    (tmp_path / model_file.FILE).mkdir(parents=True)
    found = chosen("auto", tmp_path)
    assert found.embedder is None
    place = tmp_path / model_file.FILE
    assert found.problems == (f"{place} is a folder; run `recollect model build`",)


@needs_model
def test_the_packaged_model_stands_in_for_a_corrupt_one(tmp_path: Path) -> None:
    (tmp_path / model_file.FILE).mkdir(parents=True)
    found = chosen("auto", tmp_path, FOLDER)
    assert str(found) == f"{INT8} (runs in onnxruntime)"
    assert len(found.problems) == 1


def test_a_remote_embedder_is_chosen_without_being_asked() -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", "small", "k", 256)
    found = choose.choose(Wanted("remote", (), endpoint))
    assert str(found) == "small/remote-256 (asks http://127.0.0.1:9/v1)"


def test_a_remote_embedder_that_is_not_set_up_leaves_words() -> None:
    found = choose.choose(Wanted("remote", (str(FOLDER),), Endpoint("ftp://x", "small")))
    assert str(found) == "none (words only)"
    assert found.problems == (
        "remote does not work: embedding.base_url is not an http or https URL",
    )


def test_to_pass_an_embedder_on_loads_no_numpy() -> None:
    program = "import sys, recollect.wiring, recollect.cli.reading; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "onnxruntime"} & set(loaded)


NAMED = [
    # stored                              loaded              because
    ({INT8}, [INT8], "by onnxruntime, which is the better of the two"),
    ({STATIC, INT8, "small/remote"}, [INT8, STATIC], "a remote one is never asked"),
    ({"small/remote"}, [], "nor is anything loaded for it"),
    (set[str](), [], "nothing is stored"),
]


@needs_model
@pytest.mark.parametrize(("stored", "loaded", "because"), NAMED)
def test_who_made_the_vectors_that_are_stored_is_found_by_name(
    stored: set[str], loaded: list[str], because: str
) -> None:
    found = choose.named(Wanted("remote", (str(FOLDER),)), stored)

    assert [embedder.name for embedder in found] == loaded, because
    for embedder in found:
        assert embedder.embed(["a"]).shape == (1, embedder.dimension)


def test_without_its_file_nobody_is_found_by_name(tmp_path: Path) -> None:
    assert choose.named(Wanted("remote", (str(tmp_path),)), {INT8}) == []


@needs_model
def test_who_does_not_work_any_more_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise EmbedderUnavailable("out of order")

    monkeypatch.setitem(choose.MAKERS, "static", broken)
    assert choose.named(Wanted("auto", (str(FOLDER),)), {STATIC}) == []
    assert "static, whose vectors are stored, does not work: out of order" in caplog.text
    monkeypatch.setitem(choose.MAKERS, "minilm", broken)
    (found,) = choose.named(Wanted("auto", (str(FOLDER),)), {STATIC, INT8})
    assert type(found).__name__ == "Forward", "numpy makes the same vectors"


@needs_model
def test_names_are_those_that_embedders_have() -> None:
    for kind in choose.LOCAL:
        assert getattr(chosen(kind).embedder, "name", None) == choose.NAMES[kind]
