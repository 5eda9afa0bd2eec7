"""A remote embedder behind the product's own search: well, and in every way it can fail."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Home
from endpoints import Answer, Server, entries, ok, serving
from models import FOLDER, needs_model
from promises import last, promise
from recollect import settings as configuration
from recollect import wiring
from recollect.cli.embedding import embed_for_a_moment
from recollect.embed import remote
from recollect.model.question import Found, Question
from recollect.search.profile import DEFAULT
from recollect.wiring import House
from store.drafts import draft, put

KEY = "sk-very-secret-0123456789"
CONCEPTS = {"containers": 0, "docker": 0, "bicycle": 1}


def meaning(text: str, width: int = 8) -> list[float]:
    """By the concepts of its words; a text of none means something else."""
    vector = [0.0] * width
    for word in text.lower().split():
        if word in CONCEPTS:
            vector[CONCEPTS[word]] += 1.0
    return vector if any(vector) else [0.0] * (width - 1) + [1.0]


def wise(asked: dict[str, Any], width: int = 8) -> Answer:
    return ok(
        {
            "data": [
                {"index": number, "embedding": meaning(text, width)}
                for number, text in enumerate(asked["input"])
            ]
        }
    )


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as known:
        known.script = [wise]
        yield known


def settings(server: Server) -> dict[str, str]:
    return {
        "RECOLLECT_EMBEDDER": "remote",
        "RECOLLECT_EMBEDDING_BASE_URL": f"http://127.0.0.1:{server.port}/v1",
        "RECOLLECT_EMBEDDING_MODEL": "small",
        "RECOLLECT_EMBEDDING_API_KEY": KEY,
    }


def opened(folder: Path, server: Server) -> House:
    home = Home(folder)
    return wiring.open_house(
        configuration.load(home.environment(**settings(server)), db=home.store)
    )


@pytest.fixture
def house(tmp_path: Path, server: Server) -> Iterator[House]:
    house = opened(tmp_path, server)
    put(
        house.store,
        draft("docker compose up", session_id=None),
        draft("bicycle repair", session_id=None),
    )
    yield house
    house.close()


def find(house: House, text: str) -> Found:
    return house.finder().find(Question(text=text, project=None), DEFAULT)


def test_it_finds_by_the_meaning_that_the_endpoint_gives(house: House) -> None:
    embed_for_a_moment(house)

    found = find(house, "containers")

    assert [hit.memory.text for hit in found.hits] == ["docker compose up"]
    assert (found.model, found.problem) == ("small/remote", None)


def test_the_command_line_says_what_it_asks(tmp_path: Path, house: House, server: Server) -> None:
    home = Home(tmp_path)
    done = home.run(
        "find", "containers", "--json", "--db", home.store, stdin=b"", **settings(server)
    )

    assert [hit["gist"] for hit in json.loads(done.stdout)["hits"]] == ["docker compose up"]
    assert server.headers[-1]["Authorization"] == f"Bearer {KEY}"

    server.script = [lambda _: (500, b"out of order", {})]
    worse = home.run(
        "find", "bicycle bells", "--json", "--db", home.store, stdin=b"", **settings(server)
    )
    answer = json.loads(worse.stdout)
    assert worse.status == 0
    assert [hit["gist"] for hit in answer["hits"]] == ["bicycle repair"]
    assert answer["problem"] == (
        "searched by words only: the endpoint gives no vectors: status 500: out of order"
    )
    assert answer["problem"] in worse.stderr


def told(status: int, body: bytes = b"no") -> Callable[[dict[str, Any]], Answer]:
    return lambda _: (status, body, {})


FAULTS: list[tuple[Callable[[dict[str, Any]], Answer | None], str, str]] = [
    # what the endpoint does                          what is told               because
    (told(429), "status 429: no", "it has had enough"),
    (told(500), "status 500: no", "it is out of order"),
    (told(401, KEY.encode()), "status 401: ********", "the key is wrong, and is not shown"),
    (lambda _: None, "no answer (RemoteDisconnected", "it hangs up"),
    (told(200, b"{"), "not a list of vectors", "it sends no JSON"),
    (told(200, b'{"data": []}'), "not one vector for each", "it sends nothing"),
    (
        lambda _: (200, b"{", {"Content-Length": "99", "Connection": "close"}),
        "no answer (IncompleteRead",
        "it is cut off",
    ),
    (lambda asked: wise(asked, 9), "sent 9 numbers a text, not 8", "it makes other vectors"),
    (lambda asked: ok({"data": entries(asked["input"], 8)[:0]}), "not one vector", "it forgets"),
]


@promise("search:model:fails")
@pytest.mark.parametrize(("fault", "what", "because"), FAULTS, ids=last)
def test_whatever_an_endpoint_does_words_are_found(
    house: House,
    server: Server,
    fault: Callable[[dict[str, Any]], Answer | None],
    what: str,
    because: str,
) -> None:
    embed_for_a_moment(house)
    server.script = [fault]

    found = find(house, "docker")

    assert [hit.memory.text for hit in found.hits] == ["docker compose up"]
    assert found.problem is not None
    assert what in found.problem
    assert KEY not in found.problem
    assert not found.used_vectors


def test_an_endpoint_that_hangs_is_waited_for_once(
    house: House, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "QUESTION_TIMEOUT", 0.1)

    def hang(_: object) -> None:
        server.released.wait(20)

    server.script = [hang]
    embed_for_a_moment(house)
    for question in ("docker", "bicycle"):
        found = find(house, question)
        assert len(found.hits) == 1
        assert found.problem is not None
        assert "no answer (TimeoutError" in found.problem

    assert len(server.asked) == 1, "it has a rest"


def test_an_endpoint_that_became_another_one_is_told(tmp_path: Path, server: Server) -> None:
    """Its vectors are of another size than those in the store."""
    former = opened(tmp_path, server)
    put(former.store, draft("docker compose up", session_id=None))
    embed_for_a_moment(former)
    former.close()
    server.script = [lambda asked: wise(asked, 16)]
    house = opened(tmp_path, server)

    found = find(house, "docker")

    assert [hit.memory.text for hit in found.hits] == ["docker compose up"]
    assert found.problem == (
        "searched by words only: small/remote makes vectors of 16 numbers; those stored have 8"
    )
    house.close()


def test_a_search_goes_on_when_nothing_can_be_embedded(
    house: House, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [lambda _: (503, b"busy", {})]

    embed_for_a_moment(house)

    told_lines = capsys.readouterr().err.splitlines()
    assert told_lines[0].startswith(
        "recollect: nothing was embedded: the endpoint gives no vectors"
    )
    assert told_lines[1].startswith("recollect: 2 memories are found by words only until")
    assert len(find(house, "docker").hits) == 1


@needs_model
@promise("search:model:change")
def test_until_the_endpoint_has_read_everything_the_former_model_is_asked(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    home, model = Home(tmp_path), {"RECOLLECT_MODEL_DIR": str(FOLDER)}
    local = wiring.open_house(configuration.load(home.environment(**model), db=home.store))
    put(local.store, *(draft(f"note {number}", session_id=None) for number in range(20)))
    put(local.store, draft("docker compose up", session_id=None))
    while local.embed_some():
        pass
    local.close()
    remote_settings = home.environment(**settings(server), **model)
    house = wiring.open_house(configuration.load(remote_settings, db=home.store))

    during = find(house, "start the containers")
    assert during.model == "all-MiniLM-L6-v2/int8"
    assert during.hits[0].memory.text == "docker compose up"
    assert server.asked == [], "no question has left the machine"

    while house.embed_some():
        pass
    after = find(house, "start the containers")
    assert after.model == "small/remote"
    assert [hit.memory.text for hit in after.hits] == ["docker compose up"]
    house.close()
