"""Embedding that is killed, stopped or raced: nothing is made twice, and nothing stays missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import Home
from embedders import BagOfWords
from recollect import settings as configuration
from recollect import wiring
from recollect.cli import embedding as cli
from recollect.cli import main
from recollect.embed.port import Chosen
from recollect.search.meaning import TEXT
from recollect.service import coverage, embedding
from recollect.wiring import House
from recollect.worker.embedding import Embedding
from store.drafts import draft, put

COUNT = 600
PATIENCE = 60

CHILD = """
import sys
from embedders import BagOfWords
from recollect import settings, wiring
from recollect.service.embedding import embed_some
house = wiring.open_house(settings.load({}, db=sys.argv[1]))
embedder = BagOfWords(before=lambda texts: print(len(texts), flush=True))
while not embed_some(house.store, embedder, 8).is_done:
    pass
print("done", flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def opened(home: Home) -> House:
    return wiring.open_house(configuration.load(home.environment(), db=home.store))


def stored(home: Home, count: int) -> None:
    house = opened(home)
    put(house.store, *(draft(f"text {number}") for number in range(count)))
    house.close()


def embedder_process(home: Home) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, home.store],
        stdout=subprocess.PIPE,
        env=home.environment(),
    )


def covered(house: House) -> tuple[int, int]:
    (found, _) = coverage.of(house.store, BagOfWords().name)
    return found.covered, found.wanted


def test_a_killed_embedder_goes_on_where_it_was(home: Home) -> None:
    stored(home, COUNT)
    for _ in range(3):
        with embedder_process(home) as process:
            assert process.stdout is not None
            for _ in range(20):
                assert process.stdout.readline() == b"8\n"
            os.kill(process.pid, signal.SIGKILL)
    house = opened(home)
    before, _ = covered(house)
    assert 3 * 19 * 8 <= before < COUNT

    with embedder_process(home) as process:
        said, _ = process.communicate(timeout=PATIENCE)

    *batches, last = said.split()
    assert last == b"done"
    assert sum(map(int, batches)) == COUNT - before, "only what was missing is made"
    assert covered(house) == (COUNT, COUNT)
    _, ids, _ = house.store.vectors.since(1, TEXT, 0, 2 * COUNT)
    assert len(set(ids)) == len(ids) == COUNT
    assert coverage.examine(house.store, BagOfWords().name).problems == ()
    house.close()


def test_processes_that_embed_at_once_make_no_doubles(home: Home) -> None:
    stored(home, COUNT)
    processes = [embedder_process(home) for _ in range(4)]
    for process in processes:
        with process:
            said, _ = process.communicate(timeout=PATIENCE)
            assert said.endswith(b"done\n")
    house = opened(home)
    assert covered(house) == (COUNT, COUNT)
    _, ids, _ = house.store.vectors.since(1, TEXT, 0, 2 * COUNT)
    assert len(set(ids)) == len(ids) == COUNT
    house.close()


def test_a_drain_does_not_wait_for_a_model_and_a_model_ends_when_told(home: Home) -> None:
    house = opened(home)
    begun = []

    def think(_: object) -> None:
        begun.append(time.monotonic())
        time.sleep(0.3)

    house._chosen = Chosen(BagOfWords(before=think), "for this test")
    put(house.store, *(draft(f"text {number}") for number in range(1_000)))
    thread = Embedding(house.embed_some)
    thread.start()
    while not begun:
        time.sleep(0.001)

    start = time.monotonic()
    put(house.store, draft("written while the model thinks"))
    assert time.monotonic() - start < 0.2
    assert thread.stop(1.0)
    house.close()


@pytest.fixture
def with_model(home: Home, monkeypatch: pytest.MonkeyPatch) -> BagOfWords:
    """The commands of this process have a model."""
    embedder = BagOfWords()
    for name, value in home.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(wiring.choosing, "chosen", lambda _: Chosen(embedder, "for this test"))
    return embedder


def test_embed_makes_what_is_missing_and_status_tells_how_far(
    home: Home, with_model: BagOfWords, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(home, 130)
    assert main.main(["status", "--db", home.store]) == 0
    assert (
        "meaning — bag-of-words, text: 0 of 130 (0 %) memories embedded" in capsys.readouterr().out
    )

    assert main.main(["embed", "--db", home.store]) == 0
    assert "embedded — 130\n" in capsys.readouterr().out

    assert main.main(["doctor", "--db", home.store]) == 0
    told = capsys.readouterr().out
    assert "meaning — bag-of-words, text: 130 of 130 memories embedded" in told
    assert "all is well" in told


def test_ctrl_c_ends_embed_and_it_goes_on_from_there(
    home: Home, with_model: BagOfWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(home, 300)

    def interrupt(_: object) -> None:
        if len(with_model.seen) >= 128:
            raise KeyboardInterrupt

    monkeypatch.setattr(with_model, "_before", interrupt)
    assert main.main(["embed", "--db", home.store]) == 130
    monkeypatch.setattr(with_model, "_before", None)
    assert main.main(["embed", "--db", home.store]) == 0
    assert len(with_model.seen) == len(set(with_model.seen)) == 300


def test_doctor_makes_damaged_vectors_again(
    home: Home, with_model: BagOfWords, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(home, 20)
    main.main(["embed", "--db", home.store])
    house = opened(home)
    with house.store.transaction():
        house.store._connections._writer.execute(  # type: ignore[attr-defined]
            "update vectors set vector = x'00' where memory_id in (3, 4)"
        )
    house.close()
    capsys.readouterr()

    assert main.main(["doctor", "--db", home.store]) == 1
    assert "2 vectors are damaged (text: #3, #4)" in capsys.readouterr().out

    assert main.main(["doctor", "--rebuild", "--db", home.store]) == 0
    told = capsys.readouterr().out
    assert "vectors — 2 made anew" in told
    assert "all is well" in told


def test_a_memory_that_no_model_reads_is_named_by_doctor(
    home: Home,
    with_model: BagOfWords,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stored(home, 3)

    def fail(texts: object) -> None:
        if "text 1" in str(texts):
            raise ZeroDivisionError

    monkeypatch.setattr(with_model, "_before", fail)
    assert main.main(["embed", "--db", home.store]) == 0
    assert "embedded — 2, 1 cannot be" in capsys.readouterr().out
    assert main.main(["doctor", "--db", home.store]) == 0
    assert "cannot be embedded — #2; it is found by words only" in capsys.readouterr().out


def test_a_search_embeds_for_a_moment_and_says_how_many_wait(
    home: Home,
    with_model: BagOfWords,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stored(home, 50)
    house = opened(home)
    moments = iter([0.0, 0.3, 0.6, 1.5])
    cli.embed_for_a_moment(house, moments.__next__)
    told = capsys.readouterr().err
    assert told.startswith(
        f"recollect: {50 - 1 - embedding.SMALL_BATCH} memories are found by words"
    )

    cli.embed_for_a_moment(house)
    assert capsys.readouterr().err == ""
    assert covered(house) == (50, 50)
    house.close()


def test_vectors_of_a_model_can_be_let_go(
    home: Home, with_model: BagOfWords, capsys: pytest.CaptureFixture[str]
) -> None:
    stored(home, 5)
    main.main(["embed", "--db", home.store])
    capsys.readouterr()
    assert main.main(["embed", "--forget", "nobody", "--db", home.store]) == 1
    assert "there are: bag-of-words" in capsys.readouterr().err
    assert main.main(["embed", "--forget", "bag-of-words", "--db", home.store]) == 0
    assert "forgotten — 5 vectors" in capsys.readouterr().out


def test_without_a_model_embed_says_so(home: Home) -> None:
    stored(home, 1)
    done = home.run("embed", "--db", home.store)
    assert done.status == 1
    assert done.stderr.startswith("no model: words only")


def test_a_session_starts_without_numpy(home: Home) -> None:
    """A tenth of a second that nobody who types a prompt should wait for."""
    stored(home, 1)
    program = (
        "import sys; from recollect.cli import hook_ask; from recollect import settings; "
        "hook_ask.answer(settings.load({}, db=sys.argv[1]), {'project': 'alpha', "
        "'source': 'startup'}); print([name for name in sys.modules if name == 'numpy'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, home.store],
        env=home.environment(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"[]\n"
