"""Files of named tensors: what goes in comes out, in the same bytes each time."""

from __future__ import annotations

import json

import numpy as np
import pytest

from recollect.embed.tensors import Tensor, pack, unpack

TENSORS: dict[str, Tensor] = {
    "b": np.arange(6, dtype=np.float32).reshape(2, 3),
    "a": np.array([[-128, 127]], np.int8).T,
    "text": np.frombuffer("naïve".encode(), np.uint8),
    "none": np.empty((0, 4), np.int64),
}


def test_what_was_packed_is_unpacked() -> None:
    found = unpack(pack(TENSORS))
    assert sorted(found) == sorted(TENSORS)
    for name, tensor in TENSORS.items():
        assert found[name].dtype == tensor.dtype
        assert np.array_equal(found[name], tensor)


def test_the_order_in_which_tensors_were_made_does_not_matter() -> None:
    assert pack(TENSORS) == pack(dict(reversed(TENSORS.items())))


def _with_header(header: object) -> bytes:
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(16)


WRONG = [
    (b"", "no bytes"),
    (b"\xff" * 40, "a header longer than the file"),
    (_with_header([]), "a header that is a list"),
    (_with_header({"a": {"dtype": "F32", "shape": [2]}}), "no offsets"),
    (_with_header({"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}), "another type"),
    (_with_header({"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}}), "cut short"),
    (_with_header({"a": {"dtype": "F32", "shape": [3], "data_offsets": [0, 8]}}), "another shape"),
]


@pytest.mark.parametrize(("blob", "because"), WRONG, ids=[because for _, because in WRONG])
def test_what_is_no_file_of_tensors_is_refused(blob: bytes, because: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(blob)
