"""Which embedder this machine has, and why that one: the best that was asked for and works.

Only what is chosen is imported: numpy and onnxruntime cost a tenth of a second and more.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recollect.embed import model_file
from recollect.embed.endpoint import Endpoint
from recollect.embed.port import Chosen, Embedder
from recollect.model.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from recollect.embed.weights import Weights

log = logging.getLogger(__name__)

LOCAL = ("minilm", "numpy", "static")
"""From the best to the one that always works."""
WORDS_ONLY = "words only"
TRIAL = "Is anybody there?"


@dataclass(frozen=True, slots=True)
class Wanted:
    """`kind` is one of `LOCAL`, or auto, remote, none; `folders` are where a model may lie."""

    kind: str
    folders: tuple[str, ...]
    endpoint: Endpoint = field(default_factory=Endpoint)
    threads: int = 1


def choose(wanted: Wanted) -> Chosen:
    """Never fails: what does not work is told, and the next one is tried."""
    if wanted.kind == "none":
        return Chosen(None, f"{WORDS_ONLY}, as set")
    if wanted.kind == "remote":
        return _remote(wanted.endpoint)
    found, problems = model_file.find(wanted.folders)
    if not found.is_ready:
        return Chosen(None, WORDS_ONLY, problems)
    # Before numpy is loaded: on two busy cores the threads of its OpenBLAS, which wait busily,
    # made plain numpy five times as slow as one thread.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from recollect.embed import weights  # numpy, which may be missing

        read = weights.read(found.content)
    except (ImportError, ValueError) as problem:
        return Chosen(None, WORDS_ONLY, (*problems, f"the model cannot be read: {problem}"))
    return _local(wanted, read, problems)


def named(wanted: Wanted, names: Collection[str]) -> list[Embedder]:
    """Those of this machine by their names: a search may ask them while another model follows.

    Never a remote one: who has turned it off wants no question sent there.
    """
    found, _ = model_file.find(wanted.folders) if set(names) & set(NAMES.values()) else (None, ())
    if found is None or not found.is_ready:
        return []
    made: dict[str, Embedder] = {}
    for kind in LOCAL:
        if NAMES[kind] not in names or NAMES[kind] in made:
            continue
        try:
            from recollect.embed import weights  # numpy, as above

            made[NAMES[kind]] = MAKERS[kind](weights.read(found.content), wanted.threads)
        except (ImportError, ValueError, EmbedderUnavailable) as problem:
            log.warning("%s, whose vectors are stored, does not work: %s", kind, problem)
    return list(made.values())


def _local(wanted: Wanted, weights: Weights, problems: tuple[str, ...]) -> Chosen:
    start = 0 if wanted.kind == "auto" else LOCAL.index(wanted.kind)
    for kind in LOCAL[start:]:
        try:
            embedder = MAKERS[kind](weights, wanted.threads)
            embedder.embed([TRIAL])
        except (ImportError, EmbedderUnavailable) as problem:
            problems += (f"{kind} does not work: {problem}",)
        else:
            return Chosen(embedder, REASONS[kind], problems)
    return Chosen(None, WORDS_ONLY, problems)


def _remote(endpoint: Endpoint) -> Chosen:
    """Without a trial: it may be asleep now and answer when it is needed."""
    from recollect.embed.remote import Remote

    try:
        return Chosen(Remote(endpoint), f"asks {endpoint.base_url}")
    except (ImportError, EmbedderUnavailable) as problem:
        # No model of this machine stands in: its vectors could not be compared with those stored.
        return Chosen(None, WORDS_ONLY, (f"remote does not work: {problem}",))


def _minilm(weights: Weights, threads: int) -> Embedder:
    from recollect.embed.minilm import MiniLM

    return MiniLM(weights, threads=threads)


def _numpy(weights: Weights, _threads: int) -> Embedder:
    from recollect.embed.forward import Forward

    return Forward(weights)


def _static(weights: Weights, _threads: int) -> Embedder:
    from recollect.embed.static import Static

    return Static(weights)


NAMES = {
    "minilm": f"{model_file.NAME}/int8",
    "numpy": f"{model_file.NAME}/int8",
    "static": f"{model_file.NAME}/static",
}
"""Under which their vectors are stored."""
MAKERS: dict[str, Callable[[Weights, int], Embedder]] = {
    "minilm": _minilm,
    "numpy": _numpy,
    "static": _static,
}
REASONS = {
    "minilm": "runs in onnxruntime",
    "numpy": "runs in numpy, slower",
    "static": "vectors of single words, no model runs",
}
