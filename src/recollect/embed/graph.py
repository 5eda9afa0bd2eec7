"""MiniLM as an ONNX graph: the pieces of one text go in, its vector of length 1 comes out.

One text at a time: the activations of a run share one scale, so that in a batch a text's vector
would depend on its neighbours (ADR 0011). It is written anew at each start, which takes
milliseconds, and nothing but the weights has to be kept.
"""

from __future__ import annotations

import numpy as np

from recollect.embed.protobuf import Graph
from recollect.embed.weights import EPSILON, HEADS, WIDTH, Layer, Linear, Norm, Weights

INPUT = "pieces"
FLOAT, BYTE = 1, 2
"""What ONNX calls float32 and uint8 where it asks for a type by number."""
MIDDLE, REACH = 128, 127
"""The byte that stands for zero, and how far others go from it."""
MICROSOFT = "com.microsoft"
"""onnxruntime's own operations: one step where the standard has four."""


def written(weights: Weights) -> bytes:
    graph = Graph()
    found = _normed(graph, _embedded(graph, weights), weights.embedded)
    for layer in weights.layers:
        found = _through(graph, found, layer)
    total = graph.add("ReduceSum", found, _whole(graph, 1), keepdims=0)
    length = graph.add("ReduceL2", total, axes=[1], keepdims=1)
    graph.output(graph.add("Div", total, length), np.float32, (1, WIDTH))
    return graph.model()


def _embedded(graph: Graph, weights: Weights) -> str:
    pieces = graph.input(INPUT, np.int64, (1, "length"))
    row = graph.add(
        "Cast", graph.add("Gather", graph.tensor(weights.words.values), pieces), to=FLOAT
    )
    scale = graph.add("Gather", graph.tensor(weights.words.scale), pieces)
    length = graph.add("Slice", graph.add("Shape", pieces), _whole(graph, 1), _whole(graph, 2))
    place = graph.add("Slice", graph.tensor(weights.positions), _whole(graph, 0), length)
    return graph.add("Add", graph.add("Mul", row, scale), place)


def _through(graph: Graph, inward: str, layer: Layer) -> str:
    together = _linear(graph, inward, layer.attend)
    parts = graph.add_many("Split", 3, together, _whole(graph, WIDTH, WIDTH, WIDTH), axis=2)
    attended = _linear(graph, _attention(graph, *parts), layer.mix)
    mixed = _normed(graph, graph.add("Add", inward, attended), layer.mixed)
    wide = graph.add("Gelu", _linear_by_piece(graph, mixed, layer.widen), domain=MICROSOFT)
    narrow = _linear_by_piece(graph, wide, layer.narrow)
    return _normed(graph, graph.add("Add", mixed, narrow), layer.narrowed)


def _attention(graph: Graph, query: str, key: str, value: str) -> str:
    heads = _whole(graph, 0, 0, HEADS, WIDTH // HEADS)

    def by_head(part: str, *order: int) -> str:
        return graph.add("Transpose", graph.add("Reshape", part, heads), perm=order)

    alike = graph.add("MatMul", by_head(query, 0, 2, 1, 3), by_head(key, 0, 2, 3, 1))
    root = graph.tensor(np.array((WIDTH // HEADS) ** -0.5, np.float32))
    share = graph.add("Softmax", graph.add("Mul", alike, root), axis=-1)
    heard = graph.add("MatMul", share, by_head(value, 0, 2, 1, 3))
    side_by_side = graph.add("Transpose", heard, perm=(0, 2, 1, 3))
    return graph.add("Reshape", side_by_side, _whole(graph, 0, 0, WIDTH))


def _linear(graph: Graph, inward: str, linear: Linear) -> str:
    scale = linear.weight.scale.reshape(-1)
    return graph.add(
        "DynamicQuantizeMatMul",
        inward,
        graph.tensor(linear.weight.values),
        graph.tensor(scale),
        graph.tensor(np.zeros(len(scale), np.int8)),
        graph.tensor(linear.bias),
        domain=MICROSOFT,
    )


def _linear_by_piece(graph: Graph, inward: str, linear: Linear) -> str:
    """The same with a scale for each piece: one for all would be lost on most of them here."""
    highest = graph.add("ReduceMax", graph.add("Abs", inward), axes=[-1], keepdims=1)
    scale = graph.add("Div", highest, graph.tensor(np.array(REACH, np.float32)))
    steps = graph.add("Round", graph.add("Div", inward, scale))
    raised = graph.add("Add", steps, graph.tensor(np.array(MIDDLE, np.float32)))
    product = graph.add(
        "MatMulInteger",
        graph.add("Cast", raised, to=BYTE),
        graph.tensor(linear.weight.values),
        graph.tensor(np.array(MIDDLE, np.uint8)),
    )
    columns = graph.tensor(linear.weight.scale.reshape(-1))
    real = graph.add("Mul", graph.add("Cast", product, to=FLOAT), columns)
    return graph.add("Add", graph.add("Mul", real, scale), graph.tensor(linear.bias))


def _normed(graph: Graph, inward: str, norm: Norm) -> str:
    weight, bias = graph.tensor(norm.weight), graph.tensor(norm.bias)
    return graph.add("LayerNormalization", inward, weight, bias, axis=-1, epsilon=EPSILON)


def _whole(graph: Graph, *numbers: int) -> str:
    return graph.tensor(np.array(numbers, np.int64))
