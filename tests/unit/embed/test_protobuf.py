"""Graphs as bytes, read back by onnxruntime itself."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

from recollect.embed.protobuf import Graph, _varint

VARINTS = [
    (0, "00"),
    (1, "01"),
    (127, "7f"),
    (128, "8001"),
    (300, "ac02"),
    (-1, "ffffffffffffffffff01"),
    (2**63 - 1, "ffffffffffffffff7f"),
]


@pytest.mark.parametrize(("number", "digits"), VARINTS)
def test_a_number_is_written_seven_bits_at_a_time(number: int, digits: str) -> None:
    assert _varint(number).hex() == digits


def grown() -> bytes:
    """A tensor of each type, and an attribute of each kind."""
    graph = Graph()
    rows = graph.input("rows", np.int64, ("count",))
    table = graph.tensor(np.array([[-1, 2, 3], [4, 5, -6]], np.int8))
    found = graph.add("Cast", graph.add("Gather", table, rows, axis=0), to=1)
    first, second = graph.add_many("Split", 2, found, graph.tensor(np.array([1, 2])), axis=-1)
    leaky = graph.add("LeakyRelu", second, alpha=0.5)
    turned = graph.add("Transpose", leaky, perm=[1, 0])
    scaled = graph.add("Mul", turned, graph.tensor(np.array(10, np.float32)))
    whole = graph.add("Cast", graph.tensor(np.array([[7], [8]], np.uint8)), to=1)
    added = graph.add("Add", scaled, whole)
    graph.output(graph.add("Gelu", first, domain="com.microsoft"), np.float32, ("count", 1))
    graph.output(added, np.float32, (2, "count"))
    return graph.model()


def test_a_graph_runs_in_onnxruntime_as_it_was_meant() -> None:
    session = onnxruntime.InferenceSession(grown(), providers=["CPUExecutionProvider"])
    assert [entry.name for entry in session.get_inputs()] == ["rows"]
    assert session.get_inputs()[0].shape == ["count"]
    gelu, added = session.run(None, {"rows": np.array([1, 0])})
    assert gelu[:, 0] == pytest.approx([3.99987, -0.158655], abs=1e-5)
    assert added.tolist() == [[57.0, 27.0], [-22.0, 38.0]]


def test_the_same_graph_is_the_same_bytes() -> None:
    assert grown() == grown()
