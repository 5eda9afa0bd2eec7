"""Where the model is looked for, and what is said about one that is not what it should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from models import FILE, FOLDER, needs_model
from recollect.embed import model_file
from recollect.embed.model_file import find, look


def placed(folder: Path, content: bytes) -> Path:
    path = folder / model_file.FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    return path


WRONG = [
    # content                                   state
    (b"", "corrupt: is empty"),
    (b"short", f"corrupt: is cut short (5 of {model_file.SIZE} bytes)"),
    (bytes(model_file.SIZE), "corrupt: has another checksum"),
    (bytes(model_file.SIZE + 1), "corrupt: has another checksum"),
]


@pytest.mark.parametrize(("content", "state"), WRONG, ids=[state for _, state in WRONG])
def test_a_file_that_is_not_the_model_says_what_it_is(
    tmp_path: Path, content: bytes, state: str
) -> None:
    found = look(str(placed(tmp_path, content)))
    assert found.state.startswith(state)
    assert not found.is_ready
    assert found.content == b""


def test_a_folder_is_no_model_and_nothing_is_none(tmp_path: Path) -> None:
    assert look(str(tmp_path)).state == "corrupt: is a folder"
    assert look(str(tmp_path / "none")).state == "missing"


@needs_model
def test_one_flipped_bit_is_noticed(tmp_path: Path) -> None:
    content = bytearray(FILE.read_bytes())
    content[-1000] ^= 1
    assert "another checksum" in look(str(placed(tmp_path, bytes(content)))).state
    assert look(str(FILE)).state == "ready"


@needs_model
def test_the_next_folder_is_tried_when_one_holds_nothing_sound(tmp_path: Path) -> None:
    corrupt = placed(tmp_path, b"x")
    found, problems = find((str(tmp_path), str(FOLDER)))
    assert (found.path, found.is_ready) == (str(FILE), True)
    assert problems == (
        f"{corrupt} is cut short (1 of {model_file.SIZE} bytes); run `recollect model build`",
    )
    found, problems = find((str(tmp_path / "none"), str(FOLDER)))
    assert (found.path, problems) == (str(FILE), ())


def test_what_is_nowhere_is_told_with_what_to_do(tmp_path: Path) -> None:
    found, problems = find((str(tmp_path / "a"), str(tmp_path / "b")))
    assert found.state == "missing"
    place = tmp_path / "a" / model_file.FILE
    assert problems == (f"there is no model at {place}; run `recollect model build`",)
