"""The weights of the model by name, as `build` arranged them and as the embedders read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.embed.tensors import Tensor, unpack

WIDTH = 384
HEADS = 12
LAYERS = 6
EPSILON = 1e-12
"""What BERT adds to a variance before it divides by it."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers in one byte each, and what to multiply them with."""

    values: Tensor
    scale: Floats

    def real(self) -> Floats:
        return np.asarray(self.values * self.scale, np.float32)


@dataclass(frozen=True, slots=True)
class Linear:
    weight: Table
    bias: Floats


@dataclass(frozen=True, slots=True)
class Norm:
    weight: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    attend: Linear
    """Queries, keys and values side by side."""
    mix: Linear
    mixed: Norm
    widen: Linear
    narrow: Linear
    narrowed: Norm


@dataclass(frozen=True, slots=True)
class Weights:
    vocabulary: tuple[str, ...]
    words: Table
    positions: Floats
    embedded: Norm
    layers: tuple[Layer, ...]


def read(blob: bytes) -> Weights:
    return arranged(unpack(blob))


def arranged(tensors: Mapping[str, Tensor]) -> Weights:
    def table(name: str) -> Table:
        # Without a scale the numbers are what they are: weights that were not quantised yet.
        return Table(tensors[name], tensors.get(f"{name}.scale", np.ones(1, np.float32)))

    def linear(name: str) -> Linear:
        return Linear(table(f"{name}.weight"), tensors[f"{name}.bias"])

    def norm(name: str) -> Norm:
        return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    return Weights(
        vocabulary=tuple(bytes(tensors["vocabulary"]).decode().splitlines()),
        words=table("words"),
        positions=tensors["positions"],
        embedded=norm("embedded"),
        layers=tuple(
            Layer(
                attend=linear(f"{index}.attend"),
                mix=linear(f"{index}.mix"),
                mixed=norm(f"{index}.mixed"),
                widen=linear(f"{index}.widen"),
                narrow=linear(f"{index}.narrow"),
                narrowed=norm(f"{index}.narrowed"),
            )
            for index in range(LAYERS)
        ),
    )
