"""Which policy a workspace has, and that a changed file is noticed."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from promises import promise
from recollect.model.policy_errors import PolicyInvalid, PolicyNotFound, UnknownModules
from recollect.model.workspace import Workspace
from recollect.service import modules
from recollect.workspace import policy_file, regular

OWN = ".smartergpt/lex/lexmap.policy.json"
EXAMPLE = "policy/policy_spec/lexmap.policy.json"


def write(path: Path, *ids: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"modules": {id_: {} for id_ in ids}}), encoding="utf-8")
    return path


def ids_in(workspace: Workspace, named: str | None = None) -> tuple[str, ...]:
    policy = modules.policy_for(workspace, named)
    return () if policy is None else policy.ids


@promise("lex:policy:resolution")
def test_a_policy_is_looked_for_in_the_published_order(tmp_path: Path) -> None:
    here = Workspace(root=str(tmp_path))
    configured = Workspace(root=str(tmp_path), policy_path="configured.json")
    assert modules.policy_for(here) is None
    write(tmp_path / EXAMPLE, "example")
    assert ids_in(here) == ("example",)
    write(tmp_path / OWN, "own")
    assert ids_in(here) == ("own",)
    write(tmp_path / "configured.json", "configured")
    assert ids_in(configured) == ("configured",)
    write(tmp_path / "named.json", "named")
    assert ids_in(configured, "named.json") == ("named",)
    assert ids_in(configured, str(tmp_path / "named.json")) == ("named",)


@promise("lex:policy:named")
def test_a_named_policy_that_is_not_there_or_broken_is_refused(tmp_path: Path) -> None:
    write(tmp_path / OWN, "own")
    for gone in ("gone.json", "../gone", ".", "x\0y"):
        with pytest.raises(PolicyNotFound):
            modules.policy_for(Workspace(root=str(tmp_path), policy_path=gone))
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    with pytest.raises(PolicyInvalid, match="not JSON"):
        modules.policy_for(Workspace(root=str(tmp_path)), "broken.json")
    with pytest.raises(PolicyNotFound):
        modules.policy_for(Workspace(root=None), "relative.json")


@promise("lex:policy:found-broken")
def test_a_found_policy_that_is_broken_is_refused_as_well(tmp_path: Path) -> None:
    own = write(tmp_path / OWN)
    own.write_text("[]", encoding="utf-8")
    with pytest.raises(PolicyInvalid):
        modules.policy_for(Workspace(root=str(tmp_path)))


@promise("lex:policy:changes")
def test_a_changed_policy_is_noticed_at_once(tmp_path: Path) -> None:
    here = Workspace(root=str(tmp_path))
    own = write(tmp_path / OWN, "aaa")
    for id_ in ("bbb", "ccc", "ddd"):  # of one size, in one tick of the clock
        write(own, id_)
        assert ids_in(here) == (id_,)
    swapped = write(tmp_path / "other.json", "eee")
    stamps = own.stat()
    os.utime(swapped, ns=(stamps.st_atime_ns, stamps.st_mtime_ns))
    swapped.replace(own)
    assert ids_in(here) == ("eee",)
    own.unlink()
    assert modules.policy_for(here) is None


def test_a_policy_that_does_not_change_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Workspace(root=str(tmp_path))
    own = write(tmp_path / OWN, "aaa")
    assert modules.policy_for(here) is not modules.policy_for(here)  # it is young
    monkeypatch.setattr(regular, "FRESH_NS", 0)
    kept = modules.policy_for(here)
    assert modules.policy_for(here) is kept
    write(own, "bbbb")
    assert ids_in(here) == ("bbbb",)


@promise("lex:policy:changes")
def test_a_policy_that_is_swapped_all_the_time_is_never_half_read(tmp_path: Path) -> None:
    here = Workspace(root=str(tmp_path))
    states = [tuple(f"{letter}{number}" for number in range(3_000)) for letter in "ab"]
    own, other = write(tmp_path / OWN, *states[0]), tmp_path / "other.json"
    stop = threading.Event()

    def swap() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            write(other, *states[turn % 2]).replace(own)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        seen = {ids_in(here) for _ in range(40)}
    finally:
        stop.set()
        swapping.join()
    assert seen <= set(states)


def test_a_pipe_is_no_policy_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PolicyNotFound):
        modules.policy_for(Workspace(root=str(tmp_path)), "pipe")


def test_a_policy_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(10 * 1024**3)
    with pytest.raises(PolicyInvalid, match="larger"):
        modules.policy_for(Workspace(root=str(tmp_path)), "large.json")


ALIASES = [
    # aliases.json, typed, resolved, because
    ({"aliases": {"a": {"canonical": "auth"}}}, "a", ("auth",), "an alias"),
    ({"aliases": {"a": {"canonical": "auth", "confidence": 1.0}}}, "a", ("auth",), "certain"),
    ({"aliases": {"a": {"canonical": "auth", "confidence": 0.9}}}, "a", None, "not certain"),
    ({"aliases": {"a": {"canonical": "gone"}}}, "a", None, "of nothing in the policy"),
    ({"aliases": {"a": {"canonical": "b"}, "b": {"canonical": "auth"}}}, "a", None, "one step"),
    ({}, "a", None, "no aliases"),
]


@promise("lex:modules:aliases")
@pytest.mark.parametrize(
    ("aliases", "typed", "found", "because"), ALIASES, ids=[str(row[-1]) for row in ALIASES]
)
def test_aliases_stand_beside_the_policy(
    tmp_path: Path, aliases: object, typed: str, found: tuple[str, ...] | None, because: str
) -> None:
    own = write(tmp_path / OWN, "auth")
    (own.parent / "aliases.json").write_text(json.dumps(aliases), encoding="utf-8")
    here = Workspace(root=str(tmp_path))
    if found is None:
        with pytest.raises(UnknownModules):
            modules.scope_for(here, [typed])
    else:
        assert modules.scope_for(here, [typed]) == found, because


@pytest.mark.parametrize("text", ["{", "[]", '{"aliases": 1}', '{"aliases": {"a": "auth"}}'])
def test_aliases_that_cannot_be_understood_are_refused(tmp_path: Path, text: str) -> None:
    own = write(tmp_path / OWN, "auth")
    (own.parent / policy_file.ALIASES).write_text(text, encoding="utf-8")
    with pytest.raises(PolicyInvalid, match="aliases"):
        modules.scope_for(Workspace(root=str(tmp_path)), ["auth"])
