"""Files of named tensors: the safetensors format, as far as a model needs it.

Eight bytes say how long the header is; the header is JSON and says where each tensor's bytes lie;
the rest is those bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = {"F32": "<f4", "I8": "<i1", "U8": "<u1", "I64": "<i8"}
NAMES = {np.dtype(code): name for name, code in KINDS.items()}

Tensor = NDArray[Any]


def unpack(blob: bytes | memoryview) -> dict[str, Tensor]:
    """The tensors, as views of the bytes; `ValueError` when these are no tensors."""
    whole = memoryview(blob)
    try:
        end = 8 + int.from_bytes(whole[:8], "little")
        entries = json.loads(bytes(whole[8:end]))
        entries.pop("__metadata__", None)
        return {name: _tensor(whole[end:], entry) for name, entry in entries.items()}
    except (LookupError, TypeError, AttributeError) as problem:
        raise ValueError(f"its header is wrong: {problem!r}") from problem


def pack(tensors: Mapping[str, Tensor]) -> bytes:
    """The same bytes for the same tensors: in the order of their names, each aligned to eight."""
    header: dict[str, object] = {}
    body = bytearray()
    for name, tensor in sorted(tensors.items()):
        start = len(body)
        body += np.ascontiguousarray(tensor).tobytes()
        header[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [start, len(body)],
        }
        body += bytes(-len(body) % 8)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + bytes(body)


def _tensor(data: memoryview, entry: Mapping[str, Any]) -> Tensor:
    shape, (start, end) = entry["shape"], entry["data_offsets"]
    return np.frombuffer(data[start:end], KINDS[str(entry["dtype"])]).reshape(shape)
