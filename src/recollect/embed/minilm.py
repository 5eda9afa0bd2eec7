"""all-MiniLM-L6-v2 in onnxruntime: a millisecond a text, on one thread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime

from recollect.embed.graph import INPUT, written
from recollect.embed.model_file import NAME
from recollect.embed.weights import WIDTH, Floats, Weights
from recollect.embed.wordpiece import WordPiece
from recollect.model.errors import EmbedderUnavailable

REFUSALS = (
    runtime.Fail,
    runtime.InvalidArgument,
    runtime.InvalidGraph,
    runtime.InvalidProtobuf,
    runtime.NotImplemented,
    runtime.RuntimeException,
)
"""What a runtime says that is too old for the graph, or has no memory left."""


class MiniLM:
    name = f"{NAME}/int8"
    dimension = WIDTH

    def __init__(self, weights: Weights, *, threads: int = 1) -> None:
        self._wordpiece = WordPiece(weights.vocabulary)
        try:
            self._session = onnxruntime.InferenceSession(
                written(weights), _options(threads), providers=["CPUExecutionProvider"]
            )
        except REFUSALS as problem:
            raise EmbedderUnavailable(f"onnxruntime refuses the model: {problem}") from problem

    def embed(self, texts: Sequence[str]) -> Floats:
        rows = np.empty((len(texts), WIDTH), np.float32)
        for row, text in zip(rows, texts, strict=True):
            pieces = np.array([self._wordpiece.pieces(text)], np.int64)
            try:
                (row[:],) = self._session.run(None, {INPUT: pieces})[0]
            except REFUSALS as problem:
                raise EmbedderUnavailable(f"onnxruntime failed: {problem}") from problem
        return rows


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that wait for the next text busily would take the cores from the agent's own work.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options
