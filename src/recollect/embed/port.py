"""What an embedder is: texts in, vectors of length 1 out, all of one dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """What made the vectors. Two embedders of one name make the same ones."""

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row of length 1 for each text."""
