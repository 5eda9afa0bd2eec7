"""`recollect find` and `recollect explain`, as people type them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from contract.world import DAY, NOW, World
from models import FOLDER, needs_model


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Three sessions in two projects; by words only, as there is no model in this home."""
    world = World(tmp_path, NOW)
    world.bash("pytest tests/test_tokens.py", at=NOW - 3 * DAY)
    world.bash("docker compose up database", session="s2", at=NOW - 2 * DAY)
    world.bash("pytest tests/test_login.py", session="s3", cwd="/code/beta", at=NOW - DAY)
    return world


def asked(world: World, question: str, *flags: str, **environ: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(
        world.run("find", question, "--json", *flags, stdin=b"", **environ).stdout
    )
    return answer


def test_find_shows_the_best_answers_and_where_to_ask_why(world: World) -> None:
    done = world.run("find", "which pytest for the tokens?", "--project", "/x/alpha")

    first, text, *rest = done.stdout.splitlines()
    assert first.startswith("  1. #1  command  alpha  ")
    assert text.strip() == "Ran `pytest tests/test_tokens.py`"
    assert rest == []
    assert "recollect: why these? recollect explain q_" in done.stderr


def test_explain_tells_the_same_answer_again_after_the_store_has_changed(world: World) -> None:
    before = asked(world, "pytest tokens")
    world.bash("pytest tests/test_tokens.py -k tokens", session="s4")
    assert len(asked(world, "pytest tokens")["hits"]) > len(before["hits"])

    again = json.loads(world.run("explain", before["id"], "--json").stdout)

    assert again == before


def test_every_total_is_the_sum_of_its_components(world: World) -> None:
    answer = asked(world, "pytest tests")

    assert len(answer["hits"]) == 2
    for hit in answer["hits"]:
        known = [value for value in hit["components"].values() if value is not None]
        assert math.isclose(hit["total"], sum(known), abs_tol=1e-9)
        assert hit["components"]["meaning"] is None, "no vectors took part"


@needs_model
def test_meaning_takes_part_when_there_is_a_model(world: World) -> None:
    answer = asked(world, "start the containers", RECOLLECT_MODEL_DIR=str(FOLDER))

    assert answer["hits"][0]["gist"] == "docker compose up database"
    assert answer["hits"][0]["components"]["meaning"] > 0
    assert answer["model"].startswith("all-MiniLM-L6-v2")


def test_what_was_considered_and_dropped_is_told(world: World) -> None:
    answer = asked(world, "pytest", "--limit", "1")

    (dropped,) = answer["dropped"]
    assert {answer["hits"][0]["id"], dropped["id"]} == {1, 3}
    assert dropped["because"] == "1 others are better"
    explained = world.run("explain", answer["id"]).stdout
    assert f"#{dropped['id']}  {dropped['total']:.3f}" in explained


def test_the_same_question_gives_the_same_bytes(world: World) -> None:
    first, second = asked(world, "pytest tests"), asked(world, "pytest tests")

    assert first["id"] == second["id"]
    assert {**first, "asked_at": 0} == {**second, "asked_at": 0}


def test_explain_without_an_id_lists_the_newest_answers(world: World) -> None:
    world.run("find", "first question")
    world.run("find", "pytest")

    lines = world.run("explain").stdout.splitlines()

    assert [line.split("  ")[-1] for line in lines] == ['"pytest"', '"first question"']


def test_an_unknown_answer_is_an_error_that_says_where_to_look(world: World) -> None:
    world.run("status")
    done = world.run("explain", "q_0000")

    assert done.returncode == 1
    message, hint = done.stderr.splitlines()
    assert message == "recollect: there is no answer q_0000"
    assert hint.startswith("recollect: `recollect explain` without an id lists the newest;")


def test_the_ledger_is_as_large_as_it_is_set(world: World) -> None:
    folder = world.home / ".recollect"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text("[ledger]\nmost = 2\n")
    for question in ("one", "two", "three"):
        world.run("find", question)

    assert len(json.loads(world.run("explain", "--json").stdout)) == 2

    (folder / "config.toml").write_text("[ledger]\nmost = 0\n")
    quiet = world.run("find", "pytest")
    assert "recollect explain" not in quiet.stderr, "there will be nothing to explain"


def test_a_purged_memory_leaves_no_answer_that_tells_of_it(world: World) -> None:
    answer = asked(world, "pytest tokens")
    other = asked(world, "docker")

    world.run("purge", "--id", str(answer["hits"][0]["id"]), "--confirm")

    kept = [each["id"] for each in json.loads(world.run("explain", "--json").stdout)]
    assert kept == [other["id"]]


def test_a_question_is_answered_when_the_ledger_cannot_be_written(world: World) -> None:
    world.run("status")
    holder = world.house()
    with holder.store.transaction():
        done = world.run("find", "pytest", RECOLLECT_EMBEDDER="none")
    holder.close()

    assert "pytest tests/test_login.py" in done.stdout
    assert world.run("explain").stdout == ""


BAD = [
    # arguments              because
    ([], "a question is needed"),
    (["a", "--limit", "few"], "a limit is a number"),
]


@pytest.mark.parametrize(("arguments", "because"), BAD)
def test_a_command_line_that_is_not_understood_exits_2(
    world: World, arguments: list[str], because: str
) -> None:
    assert world.run("find", *arguments).returncode == 2, because


def test_a_question_without_words_finds_nothing_and_says_so(world: World) -> None:
    done = world.run("find", "?!")

    assert (done.returncode, done.stdout) == (0, "")
    assert "recollect: nothing was found" in done.stderr


@pytest.mark.parametrize(("limit", "count"), [("-5", 1), ("0", 1), ("9" * 20, 3)])
def test_a_limit_is_held_to_what_is_sensible(world: World, limit: str, count: int) -> None:
    assert len(asked(world, "pytest docker", "--limit", limit)["hits"]) == count


def test_what_a_terminal_sends_that_is_no_text_is_mended(world: World) -> None:
    answer = asked(world, "pytest \udcff", "--project", "/x/alpha")

    assert answer["question"]["text"] == "pytest \ufffd"
    assert [hit["gist"] for hit in answer["hits"]][:1] == ["pytest tests/test_tokens.py"]
    assert json.loads(world.run("explain", answer["id"], "--json").stdout) == answer


def test_a_long_question_is_shown_shortly_in_the_list(world: World) -> None:
    world.run("find", "pytest " * 5_000)

    (line,) = world.run("explain").stdout.splitlines()

    assert len(line) < 300


def test_a_store_that_is_missing_is_not_made(tmp_path: Path) -> None:
    world = World(tmp_path, NOW)

    done = world.run("find", "anything")

    assert done.returncode == 1
    assert not Path(world.settings.store).exists()
