"""What the local embedders make of texts, against the published weights in full precision."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from models import FILE, PUBLISHED, needs_model, needs_package
from recollect.embed import build, minilm, tensors, weights
from recollect.embed.forward import Forward, _erf
from recollect.embed.minilm import MiniLM
from recollect.embed.port import Embedder
from recollect.embed.static import Static
from recollect.embed.weights import Floats, Weights
from recollect.model.errors import EmbedderUnavailable

EXAMPLE = "This is an example sentence"
TEXTS = [
    EXAMPLE,
    "Each sentence is converted",
    "the login page rejects valid tokens after midnight",
    "authentication fails late at night",
    "def claim(spool, key): return sorted(os.listdir(spool))[0]",
    "git push origin main --force-with-lease",
    "Wir haben die Datenbank auf SQLite umgestellt.",
    "短い文章",
    "a",
    " ".join(["a long text with many words in it"] * 60),
]


@cache
def built() -> Weights:
    return weights.read(FILE.read_bytes())


@cache
def embedder(name: str) -> Embedder:
    kinds = {"minilm": MiniLM, "numpy": Forward, "static": Static}
    made: Embedder = kinds[name](built())
    return made


@cache
def exact() -> Floats:
    """The texts through the published weights, which nothing has rounded."""
    raw = tensors.unpack((PUBLISHED / build.WEIGHTS).read_bytes())
    vocabulary = (PUBLISHED / build.VOCABULARY).read_bytes()
    return Forward(weights.arranged(build.arranged(raw, vocabulary))).embed(TEXTS)


LOCAL = pytest.mark.parametrize("name", ["minilm", "numpy", "static"])


@needs_package
def test_the_published_weights_give_the_published_components() -> None:
    assert exact()[0, :3] == pytest.approx([0.0677, 0.0635, 0.0487], abs=1e-4)


@needs_package
@needs_model
@pytest.mark.parametrize("name", ["minilm", "numpy"])
def test_the_built_model_means_the_same(name: str) -> None:
    alike = (embedder(name).embed(TEXTS) * exact()).sum(1)
    assert alike[0] > 0.99, EXAMPLE
    assert alike.min() > 0.975, alike
    assert alike.mean() > 0.99, alike


@needs_model
def test_vectors_of_one_name_can_be_compared() -> None:
    assert embedder("minilm").name == embedder("numpy").name
    alike = (embedder("minilm").embed(TEXTS) * embedder("numpy").embed(TEXTS)).sum(1)
    assert alike.min() > 0.98, alike
    assert embedder("static").name != embedder("numpy").name


@needs_model
@LOCAL
def test_a_row_of_length_one_for_each_text(name: str) -> None:
    odd = ["", " ", "\x00", "[PAD]", "\ud800", "😀", "x" * 100_000, *TEXTS]
    rows = embedder(name).embed(odd)
    assert rows.shape == (len(odd), embedder(name).dimension)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(odd)), abs=1e-5)
    assert embedder(name).embed([]).shape == (0, embedder(name).dimension)


@needs_model
@LOCAL
def test_a_text_has_one_vector_whatever_stands_beside_it(name: str) -> None:
    together = embedder(name).embed(TEXTS)
    alone = np.concatenate([embedder(name).embed([text]) for text in reversed(TEXTS)])[::-1]
    assert np.array_equal(together, alone)


@needs_model
@LOCAL
def test_what_means_the_same_lies_closer(name: str) -> None:
    asked, near, far = embedder(name).embed(
        ["How do I log in?", "The login is on the start page.", "Bananas are yellow and sweet."]
    )
    assert asked @ near > asked @ far + 0.1


@needs_model
@LOCAL
def test_several_threads_may_ask(name: str) -> None:
    expected = embedder(name).embed(TEXTS[:4])
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(lambda _: embedder(name).embed(TEXTS[:4]), range(8)):
            assert np.array_equal(rows, expected)


@needs_model
def test_a_runtime_that_refuses_the_graph_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "written", lambda _: b"no graph")
    with pytest.raises(EmbedderUnavailable, match="onnxruntime refuses the model"):
        MiniLM(built())


def test_the_error_function_is_what_the_standard_library_says() -> None:
    import math

    points = np.linspace(-5, 5, 2001, dtype=np.float32)
    expected = [math.erf(float(point)) for point in points]
    assert _erf(points) == pytest.approx(expected, abs=1e-6)
