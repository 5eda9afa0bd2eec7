"""ONNX models as bytes: as much of protobuf as a graph needs, so that nobody has to install onnx.

The numbers are field numbers of onnx.proto, which ONNX promises never to reuse. A message is its
fields one after the other; each begins with its number and how it is laid out.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from recollect.embed.tensors import Tensor

ELEMENT = {
    np.dtype(np.float32): 1,
    np.dtype(np.uint8): 2,
    np.dtype(np.int8): 3,
    np.dtype(np.int32): 6,
    np.dtype(np.int64): 7,
}
FLOAT, INT, TEXT, INTS = 1, 2, 3, 7
IR_VERSION = 8
OPSETS = {"": 17, "com.microsoft": 1}

Attribute = int | float | str | Sequence[int]


@dataclass
class Graph:
    """A graph while it grows: an operation is added by name and answers with its output's name."""

    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)
    tensors: list[bytes] = field(default_factory=list)
    nodes: list[bytes] = field(default_factory=list)

    def input(self, name: str, kind: type[np.generic], shape: Sequence[str | int]) -> str:
        self.inputs.append(_value(name, kind, shape))
        return name

    def output(self, name: str, kind: type[np.generic], shape: Sequence[str | int]) -> None:
        self.outputs.append(_value(name, kind, shape))

    def tensor(self, value: Tensor) -> str:
        name = f"t{len(self.tensors)}"
        dims = b"".join(_number(1, size) for size in value.shape)
        self.tensors.append(
            dims
            + _number(2, ELEMENT[value.dtype])
            + _text(8, name)
            + _bytes(9, np.ascontiguousarray(value).tobytes())
        )
        return name

    def add(self, operation: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        return self.add_many(operation, 1, *inputs, domain=domain, **attributes)[0]

    def add_many(
        self, operation: str, count: int, *inputs: str, domain: str = "", **attributes: Attribute
    ) -> list[str]:
        outputs = [f"n{len(self.nodes)}_{index}" for index in range(count)]
        self.nodes.append(
            b"".join(_text(1, name) for name in inputs)
            + b"".join(_text(2, name) for name in outputs)
            + _text(4, operation)
            + b"".join(_bytes(5, _attribute(*pair)) for pair in sorted(attributes.items()))
            + _text(7, domain)
        )
        return outputs

    def model(self) -> bytes:
        graph = (
            b"".join(_bytes(1, node) for node in self.nodes)
            + _text(2, "graph")
            + b"".join(_bytes(5, tensor) for tensor in self.tensors)
            + b"".join(_bytes(11, value) for value in self.inputs)
            + b"".join(_bytes(12, value) for value in self.outputs)
        )
        opsets = (_text(1, domain) + _number(2, version) for domain, version in OPSETS.items())
        return (
            _number(1, IR_VERSION)
            + _bytes(7, graph)
            + b"".join(_bytes(8, opset) for opset in opsets)
        )


def _attribute(name: str, value: Attribute) -> bytes:
    start = _text(1, name)
    if isinstance(value, int):
        return start + _number(3, value) + _number(20, INT)
    if isinstance(value, float):
        return start + _varint(2 << 3 | 5) + struct.pack("<f", value) + _number(20, FLOAT)
    if isinstance(value, str):
        return start + _text(4, value) + _number(20, TEXT)
    return start + b"".join(_number(8, item) for item in value) + _number(20, INTS)


def _value(name: str, kind: type[np.generic], shape: Sequence[str | int]) -> bytes:
    dims = (
        _bytes(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape
    )
    tensor = _number(1, ELEMENT[np.dtype(kind)]) + _bytes(2, b"".join(dims))
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _number(field_number: int, value: int) -> bytes:
    return _varint(field_number << 3) + _varint(value)


def _text(field_number: int, value: str) -> bytes:
    return _bytes(field_number, value.encode())


def _bytes(field_number: int, value: bytes) -> bytes:
    return _varint(field_number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; a negative number as its two's complement of 64 bits."""
    value &= (1 << 64) - 1
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(groups + bytes([value]))
