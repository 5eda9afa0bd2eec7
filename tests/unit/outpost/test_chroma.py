"""The client of Chroma against a server that misbehaves in every way; well it is met elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from endpoints import Answer, Server, ok, serving
from promises import last
from recollect.model.errors import InvalidSetting, OutpostMisfit, OutpostUnavailable
from recollect.model.memory import Kind
from recollect.outpost import wire
from recollect.outpost.chroma import BATCH, REST, Chroma
from recollect.outpost.port import Copy, Within

MODEL = "small"
UNIT = np.array([1.0, 0.0], np.float32)
COLLECTION = {"id": "c1", "dimension": 2, "configuration_json": {"hnsw": {"space": "cosine"}}}
Fault = Callable[[dict[str, Any]], Answer | None]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as known:
        known.script = [lambda _: ok(COLLECTION)]
        yield known


def client(server: Server, **values: Any) -> Chroma:
    timeouts = {"timeout": 2.0, "question_timeout": 1.0, **values}
    return Chroma(f"http://127.0.0.1:{server.port}", "memory", **timeouts)


def answering(server: Server, answer: Fault) -> Chroma:
    """One whose collection is known, and who then answers like this."""
    chroma = client(server)
    chroma.connect(is_hurried=True)
    server.script = [answer]
    return chroma


def told(body: object) -> Fault:
    return lambda _: ok(body)


def about(id_: int, **more: object) -> dict[str, object]:
    return {"kind": "observation", "item_id": id_, "model": MODEL, **more}


FAULTS: list[tuple[Fault, str, str]] = [
    # what the server does                                  what is told            because
    (lambda _: (500, b"out of order", {}), "status 500: out of order", "it says that it cannot"),
    (lambda _: (429, b"enough", {}), "status 429: enough", "it has had enough"),
    (lambda _: None, "no answer (RemoteDisconnected", "it hangs up"),
    (lambda _: (200, b"{", {}), "its answer is not JSON", "it sends half an answer"),
    (lambda _: (200, b"<html>", {}), "its answer is not JSON", "it is another server"),
    (
        lambda _: (200, b"{", {"Content-Length": "99", "Connection": "close"}),
        "no answer (IncompleteRead",
        "it is cut off",
    ),
    (told([]), "not a list of", "a list is no answer"),
    (told(None), "not a list of", "null is none"),
    (told("yes"), "not a list of", "a text is none"),
    (told({}), "not a list of", "nothing is in it"),
    (told({"ids": 7, "distances": 7, "metadatas": 7, "embeddings": 7}), "not a list", "numbers"),
    (
        told({"ids": [[7]], "distances": [[0]], "metadatas": [[{}]], "embeddings": [[1, 0]]}),
        "not a list",
        "an id is a number",
    ),
    (
        told({"ids": [["observation:1"]], "distances": [[]], "metadatas": [[]], "embeddings": []}),
        "not a list",
        "lists of different lengths",
    ),
]


@pytest.mark.parametrize(("fault", "what", "because"), FAULTS, ids=last)
@pytest.mark.parametrize("asked", ["nearest", "vectors", "held"])
def test_what_is_no_answer_is_told_in_one_way(
    server: Server, asked: str, fault: Fault, what: str, because: str
) -> None:
    chroma = answering(server, fault)
    with pytest.raises(OutpostUnavailable, match="does not answer") as problem:
        ask(chroma, asked)
    assert what in str(problem.value)


def ask(chroma: Chroma, what: str) -> None:
    if what == "nearest":
        chroma.nearest(MODEL, UNIT, Within(), 20)
    elif what == "vectors":
        chroma.vectors(MODEL, {1: "observation"})
    else:
        list(chroma.held())


COLLECTIONS: list[tuple[object, str]] = [
    # what it says its collection is                    because
    ({"id": 7, "dimension": 2}, "an id is a text"),
    ({"id": "c", "dimension": "two"}, "a dimension is a number"),
    ({"dimension": 2}, "it has no id"),
    ([], "a list is no collection"),
    (
        {"id": "c", "dimension": 2, "configuration_json": {"hnsw": {"space": "far"}}},
        "nobody knows how it measures",
    ),
]


@pytest.mark.parametrize(("said", "because"), COLLECTIONS, ids=last)
def test_what_is_no_collection_is_told(server: Server, said: object, because: str) -> None:
    server.script = [told(said)]
    with pytest.raises(OutpostUnavailable, match="its answer is not a collection"):
        client(server).connect(is_hurried=True)


SPACES = [
    # space     distance  cosine  because
    ("cosine", 0.25, 0.75, "one less the cosine"),
    ("ip", 0.25, 0.75, "the same for vectors of length 1"),
    ("l2", 0.5, 0.75, "the square of the distance"),
    ("cosine", 2.5, -1.0, "no cosine is below -1, whatever it says"),
]


@pytest.mark.parametrize(("space", "distance", "cosine", "because"), SPACES, ids=last)
def test_a_distance_is_read_as_the_collection_measures_it(
    server: Server, space: str, distance: float, cosine: float, because: str
) -> None:
    server.script = [told(COLLECTION | {"configuration_json": {"hnsw": {"space": space}}})]
    chroma = client(server)
    chroma.connect(is_hurried=True)
    ids = ["observation:4", "summary:5", "prompt:6", "observation:7", "observation:8", "note:9"]
    known = [about(4), about(5), about(6), about(7, model="other"), None, about(9)]
    server.script = [told({"ids": [ids], "distances": [[distance] * 6], "metadatas": [known]})]

    near = chroma.nearest(MODEL, UNIT, Within(("alpha", "beta")), 6)

    assert near.ids.tolist() == [4, 5, 6], "others brought the rest"
    assert near.cosines.tolist() == pytest.approx([cosine] * 3)
    assert not near.is_all
    assert server.asked[-1] == {
        "query_embeddings": [[1.0, 0.0]],
        "n_results": 6,
        "include": ["metadatas", "distances"],
        "where": {"project": {"$in": ["alpha", "beta"]}},
    }
    assert server.paths[-1].endswith("/default_database/collections/c1/query")


FILTERS: list[tuple[Within, object, str]] = [
    # within, where, because
    (Within(), None, "anything"),
    (Within(projects=("a",)), {"project": {"$in": ["a"]}}, "of a project"),
    (Within(sorts=("prompt",)), {"kind": {"$in": ["prompt"]}}, "of a sort"),
    (
        Within(("a", "b"), ("prompt", "summary")),
        {"$and": [{"project": {"$in": ["a", "b"]}}, {"kind": {"$in": ["prompt", "summary"]}}]},
        "of both",
    ),
]


@pytest.mark.parametrize(("within", "where", "because"), FILTERS, ids=last)
def test_what_may_be_near_is_asked_for(
    server: Server, within: Within, where: object, because: str
) -> None:
    nothing: dict[str, object] = {"ids": [[]], "distances": [[]], "metadatas": [[]]}
    near = answering(server, told(nothing)).nearest(MODEL, UNIT, within, 20)
    assert (near.is_all, len(near.ids)) == (True, 0)
    assert server.asked[-1].get("where") == where


def test_distances_that_are_no_numbers_are_refused(server: Server) -> None:
    answer = {"ids": [["prompt:1"]], "distances": [["NaN"]], "metadatas": [[about(1)]]}
    chroma = answering(server, told(answer))
    with pytest.raises(OutpostUnavailable, match="its distances are no numbers"):
        chroma.nearest(MODEL, UNIT, Within(), 20)


VECTORS = [
    # vectors              found  because
    ([[1, 0], [0, 1]], [1, 2], "both are of length 1"),
    ([[1, 0], [3, 4]], [1], "one is of another length"),
    ([[0, 0], [0, 1]], [2], "one is nothing"),
    ([[1, 0], [None, 1]], [1], "one holds no number"),
]


@pytest.mark.parametrize(("vectors", "found", "because"), VECTORS, ids=last)
def test_only_sound_vectors_are_believed(
    server: Server, vectors: list[object], found: list[int], because: str
) -> None:
    ids = ["observation:1", "observation:2"]
    answer = {"ids": ids, "embeddings": vectors, "metadatas": [about(1), about(2)]}
    got, rows = answering(server, told(answer)).vectors(MODEL, {1: None, 2: "observation"})
    assert got.tolist() == found
    assert len(rows) == len(found)
    assert server.asked[-1]["ids"] == ["observation:1", "summary:1", "prompt:1", "observation:2"]


def test_vectors_of_several_sizes_are_refused(server: Server) -> None:
    ids = ["observation:1", "observation:2"]
    answer = {"ids": ids, "embeddings": [[1, 0], [1]], "metadatas": [about(1), about(2)]}
    with pytest.raises(OutpostUnavailable, match="not of one size"):
        answering(server, told(answer)).vectors(MODEL, {1: None, 2: None})


def test_a_wrong_dimension_is_no_failure_of_the_server(server: Server) -> None:
    body = b'{"error":"InvalidArgumentError","message":"expecting embedding with dimension of 3"}'
    chroma = answering(server, lambda _: (400, body, {}))
    for _ in range(2):
        with pytest.raises(OutpostMisfit, match="dimension of 3"):
            chroma.nearest(MODEL, UNIT, Within(), 20)
    assert len(server.asked) == 3, "it has no rest"


def test_much_is_brought_in_batches(server: Server) -> None:
    chroma = answering(server, told({}))
    chroma.put(MODEL, [Copy(n, Kind.PROMPT, "alpha", 5, UNIT) for n in range(BATCH + 1)])
    chroma.remove(range(BATCH + 1))
    sizes = [len(asked["ids"]) for asked in server.asked[1:]]
    assert sizes == [BATCH, 1, 3 * BATCH, 3]
    assert server.asked[2] == {
        "ids": [f"prompt:{BATCH}"],
        "embeddings": [[1.0, 0.0]],
        "metadatas": [
            {"kind": "prompt", "item_id": BATCH, "project": "alpha", "created_at_epoch": 5}
            | {"model": MODEL}
        ],
    }


def test_a_server_that_hangs_is_waited_for_once(server: Server) -> None:
    chroma = client(server, question_timeout=0.1)
    chroma.connect(is_hurried=True)

    def hang(_: object) -> None:
        server.released.wait(20)

    server.script = [hang]
    for _ in range(5):
        with pytest.raises(OutpostUnavailable, match="no answer"):
            chroma.nearest(MODEL, UNIT, Within(), 20)
    assert len(server.asked) == 2


def test_an_answer_that_never_ends_is_left(server: Server, monkeypatch: Any) -> None:
    monkeypatch.setattr(wire, "LARGEST", 1_000)
    chroma = answering(server, told({"ids": ["x" * 5_000]}))
    with pytest.raises(OutpostUnavailable, match="more than 1000 bytes"):
        chroma.nearest(MODEL, UNIT, Within(), 20)


def test_bytes_that_come_one_by_one_take_no_longer(server: Server) -> None:
    chroma = client(server, question_timeout=0.2)
    chroma.connect(is_hurried=True)
    server.script, server.trickle = [told({"ids": ["x" * 1_000]})], 0.02
    with pytest.raises(OutpostUnavailable, match=r"not complete after 0\.2 s"):
        chroma.nearest(MODEL, UNIT, Within(), 20)


def test_after_its_rest_it_is_asked_again(server: Server) -> None:
    now = [0.0]
    server.script = [lambda _: (500, b"", {}), told(COLLECTION)]
    chroma = client(server, now=lambda: now[0])
    for _ in range(3):
        with pytest.raises(OutpostUnavailable):
            chroma.connect(is_hurried=True)
    now[0] += REST
    assert chroma.connect(is_hurried=True) == ("c1", 2)


ADDRESSES = [
    # url                           place                         because
    ("http://127.0.0.1:8000", "http://127.0.0.1:8000/memory", "as it is published"),
    ("http://chroma:8000/base/", "http://chroma:8000/base/memory", "behind a path"),
    ("https://[::1]:8000", "https://[::1]:8000/memory", "an address of numbers"),
    ("127.0.0.1:8000", None, "it does not say how"),
    ("ftp://127.0.0.1", None, "nobody speaks that here"),
    ("http://127.0.0.1:many", None, "a port is a number"),
    ("http://me:secret@127.0.0.1", None, "a secret would be shown"),
    ("http://127.0.0.1?tenant=1", None, "a question is no address"),
    ("", None, "nothing is none"),
]


@pytest.mark.parametrize(("url", "place", "because"), ADDRESSES, ids=last)
def test_an_address_that_cannot_be_asked_is_told_at_once(
    url: str, place: str | None, because: str
) -> None:
    if place is not None:
        assert Chroma(url, "memory").place == place
        return
    with pytest.raises(InvalidSetting, match=r"chroma\.url"):
        Chroma(url, "memory")
