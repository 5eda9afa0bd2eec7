"""Whatever is killed and whenever: short, seeded rounds of `benchmarks/durability`.

They run in a process of their own, because they fork, which a test runner's threads would not bear.
The same seed plays the same rounds; `make bench` plays thousands.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from promises import promise

ROOT = Path(__file__).resolve().parents[2]
SEED = "7"


def played(tmp_path: Path, name: str, *options: str) -> dict[str, Any]:
    """The result of a benchmark of durability, after it ended well."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.durability.{name}", "--results", tmp_path, *options],
        cwd=ROOT,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    result = Path(tmp_path, f"{name}.json")
    assert result.exists(), done.stderr
    document: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return document


@promise("nmem:spool:crash")
def test_what_was_acknowledged_is_stored_once_whoever_is_killed(tmp_path: Path) -> None:
    result = played(tmp_path, "kill", "--seed", SEED, "--kills", "400", "--spawned-kills", "20")

    assert result["failures"] == []
    forked, spawned = result["tables"]["kills"]
    for row, least in ((forked, 400), (spawned, 20)):
        assert row["kills"] >= least
        assert (row["lost"], row["doubled"], row["unsound"]) == (0, 0, 0)
        assert 0 < row["acknowledged"] <= row["memories"]


@pytest.mark.parametrize(
    ("way", "because"),
    [
        (0, "hooks never wait for one another, and drainers take turns"),
        (1, "a writer waits for its turn and is never told that the store is locked"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_many_processes_write_at_once_and_every_row_is_there(
    crowd: dict[str, Any], way: int, because: str
) -> None:
    row = crowd["tables"]["writes at once"][way]

    assert crowd["failures"] == []
    assert (row["rows"], row["failed_processes"]) == (row["processes"] * row["writes_each"], 0)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return played(tmp_path_factory.mktemp("crowd"), "crowd", "--writes", "50")


def test_a_kill_while_the_store_is_made_or_encrypted_leaves_one_whole_store(
    tmp_path: Path,
) -> None:
    result = played(tmp_path, "opening", "--seed", SEED, "--kills", "20")

    assert result["failures"] == []
    assert [(row["during"], row["stores_not_whole"]) for row in result["tables"]["kills"]] == [
        ("first opening", 0),
        ("recollect encrypt", 0),
    ]
