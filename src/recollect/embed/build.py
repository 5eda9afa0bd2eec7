"""Builds the model file from the published weights, without torch: the same bytes everywhere.

What a matrix multiplies is kept in one byte a number, with a scale for each column. Seven bits of
it are used: processors without VNNI add two products in 16 bits, and eight would overflow there.
A row of the word table has a scale of its own. All is exact arithmetic, element by element, so
that no library and no processor changes a bit of the outcome.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from hashlib import sha256

import numpy as np

from recollect.embed import model_file, tensors
from recollect.embed.package import fetched
from recollect.embed.tensors import Tensor
from recollect.embed.weights import LAYERS
from recollect.embed.wordpiece import MOST_PIECES
from recollect.model.errors import ModelNotBuilt

WEIGHTS = "model.safetensors"
WEIGHTS_CHECKSUM = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY = "vocab.txt"
VOCABULARY_CHECKSUM = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

SEVEN_BITS = np.float32(63)
EIGHT_BITS = np.float32(127)

Say = Callable[[str], None]


def into(folder: str, *, package: str | None, say: Say) -> None:
    """Have the model in this folder; nothing is done when it is there and sound.

    The package is unpacked into `package` and stays there, or into a folder that is removed.
    """
    path = os.path.join(folder, model_file.FILE)
    before = model_file.look(path)
    if before.is_ready:
        return
    if before.is_there:
        say(f"{path} {before.problem}; it is built anew")
    with tempfile.TemporaryDirectory(prefix="recollect-model-") as temporary:
        say("fetching the published weights (83 MB, once)")
        build(fetched(package or temporary), path, say)


def build(source: str, path: str, say: Say) -> None:
    """From the folder with the published files; the file appears whole or not at all."""
    say(f"checking {WEIGHTS}")
    raw = tensors.unpack(_checked(os.path.join(source, WEIGHTS), WEIGHTS_CHECKSUM))
    vocabulary = _checked(os.path.join(source, VOCABULARY), VOCABULARY_CHECKSUM)
    say("quantising")
    content = tensors.pack(quantised(arranged(raw, vocabulary)))
    found = sha256(content).hexdigest()
    if found != model_file.CHECKSUM:
        raise ModelNotBuilt(f"the built model has the checksum {found}, which is not the known one")
    _write(path, content)


def arranged(raw: Mapping[str, Tensor], vocabulary: bytes) -> dict[str, Tensor]:
    """The published tensors under our names, those that are used together put together."""
    made = {
        "vocabulary": np.frombuffer(vocabulary, np.uint8),
        "words": raw["embeddings.word_embeddings.weight"],
        # Every piece is of the first of the two kinds that BERT knows.
        "positions": raw["embeddings.position_embeddings.weight"][:MOST_PIECES]
        + raw["embeddings.token_type_embeddings.weight"][0],
    }
    _take(made, raw, "embedded", "embeddings.LayerNorm")
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        made[f"{index}.attend.weight"] = np.concatenate([raw[f"{name}.weight"] for name in parts]).T
        made[f"{index}.attend.bias"] = np.concatenate([raw[f"{name}.bias"] for name in parts])
        _take(made, raw, f"{index}.mix", f"{layer}.attention.output.dense", turned=True)
        _take(made, raw, f"{index}.mixed", f"{layer}.attention.output.LayerNorm")
        _take(made, raw, f"{index}.widen", f"{layer}.intermediate.dense", turned=True)
        _take(made, raw, f"{index}.narrow", f"{layer}.output.dense", turned=True)
        _take(made, raw, f"{index}.narrowed", f"{layer}.output.LayerNorm")
    return made


def _take(
    made: dict[str, Tensor],
    raw: Mapping[str, Tensor],
    ours: str,
    theirs: str,
    *,
    turned: bool = False,
) -> None:
    weight = raw[f"{theirs}.weight"]
    made[f"{ours}.weight"] = weight.T if turned else weight
    made[f"{ours}.bias"] = raw[f"{theirs}.bias"]


def quantised(arrangement: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The same with every matrix in bytes; vectors and positions are few and stay as they are."""
    made: dict[str, Tensor] = {}
    for name, tensor in arrangement.items():
        if name == "words":
            made[name], made[f"{name}.scale"] = _in_bytes(tensor, EIGHT_BITS, axis=1)
        elif name.endswith(".weight") and tensor.ndim == 2:
            made[name], made[f"{name}.scale"] = _in_bytes(tensor, SEVEN_BITS, axis=0)
        else:
            made[name] = tensor
    return made


def _in_bytes(tensor: Tensor, largest: np.float32, axis: int) -> tuple[Tensor, Tensor]:
    scale = np.abs(tensor).max(axis, keepdims=True) / largest
    scale[scale == 0] = 1
    return np.rint(tensor / scale).astype(np.int8), scale


def _checked(path: str, checksum: str) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as problem:
        raise ModelNotBuilt(f"{path} cannot be read: {problem.strerror}") from problem
    found = sha256(content).hexdigest()
    if found != checksum:
        raise ModelNotBuilt(f"{path} is not what was published: its checksum is {found}")
    return content


def _write(path: str, content: bytes) -> None:
    """Through a file beside it: a reader sees the old one or the new one, whole."""
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.isdir(path):
            os.rmdir(path)  # an empty one; nobody put it there on purpose
        with open(beside, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as problem:
        if os.path.exists(beside):
            os.remove(beside)
        raise ModelNotBuilt(f"{path} cannot be written: {problem.strerror}") from problem
