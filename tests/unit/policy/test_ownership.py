"""Whose a path is."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promises import last, promise
from recollect.policy import document
from recollect.policy.document import Policy
from recollect.policy.ownership import leads_out, owners_of


def policy_of(**globs: list[str]) -> Policy:
    body = {"modules": {id_: {"owns_paths": paths} for id_, paths in globs.items()}}
    read = document.read(json.dumps(body).encode())
    assert read.policy is not None
    return read.policy


MATCHES = [
    # glob, path, is owned, because
    ("web/**", "web/a/b.ts", True, "any depth below"),
    ("web/**", "webs/a.ts", False, "a name is a whole name"),
    ("web", "web/a/b.ts", True, "a folder owns what is in it"),
    ("web/", "web/a.ts", True, "with a slash at its end as well"),
    ("./web/a.ts", "web/a.ts", True, "a dot leads nowhere"),
    ("/web/a.ts", "web/a.ts", True, "the root is the tree's"),
    ("web\\a.ts", "web/a.ts", True, "as Windows writes it"),
    ("web/*", "web/a.ts", True, "one name"),
    ("web/*", "web/a/b.ts", False, "a star stays within a name"),
    ("web/*.ts", "web/a.tsx", False, "the whole name"),
    ("web/?.ts", "web/a.ts", True, "one letter"),
    ("web/[ab].ts", "web/b.ts", True, "one of some"),
    ("web/[!ab].ts", "web/b.ts", False, "none of some"),
    ("web/{a,b}.{ts,js}", "web/b.js", True, "either"),
    ("web/{a}.ts", "web/{a}.ts", True, "one alternative is none"),
    ("**/test/**", "a/b/test/c", True, "folders before and behind"),
    ("**/test/**", "test/c", True, "no folder before"),
    ("**/*.py", "a.py", True, "at the top"),
    ("a/**/z", "a/z", True, "none between"),
    ("a/**/z", "a/b/z/c/z", True, "the last one"),
    ("a/**/**/z", "a/b/z", True, "twice is once"),
    ("**", "anything/at/all", True, "everything"),
    ("", "a", True, "the tree"),
    ("../web/**", "web/a", False, "out of the tree"),
    ("web/../../**", "a", False, "out of the tree by a detour"),
    ("WEB/**", "web/a", False, "letters as they are"),
]


@promise("lex:ownership:globs")
@pytest.mark.parametrize(("glob", "path", "is_owned", "because"), MATCHES, ids=last)
def test_a_glob_owns_paths(glob: str, path: str, is_owned: bool, because: str) -> None:
    assert owners_of(policy_of(m=[glob])).of(path) == ("m" if is_owned else None), because


SPECIFIC = [
    # globs by module, owner of src/web/cart/a.ts, because
    ({"a": ["src/**"], "b": ["src/web/**"]}, "b", "the deeper folder"),
    ({"a": ["src/web/**"], "b": ["**/cart/**"]}, "a", "a folder that is named before a star"),
    ({"a": ["src/web/cart/*"], "b": ["src/web/cart/a.ts"]}, "b", "the file itself"),
    ({"a": ["src/web/cart/**"], "b": ["src/web/cart/*.ts"]}, "b", "what says more"),
    ({"a": ["src/web/**"], "b": ["src/web/**"]}, "a", "the first of equals"),
    ({"a": ["other/**"]}, None, "nobody"),
]


@promise("lex:ownership:most-specific")
@pytest.mark.parametrize(("globs", "owner", "because"), SPECIFIC, ids=last)
def test_the_most_specific_glob_wins(
    globs: dict[str, list[str]], owner: str | None, because: str
) -> None:
    assert owners_of(policy_of(**globs)).of("src/web/cart/a.ts") == owner, because


def test_match_counts_like_owns_paths() -> None:
    read = document.read(b'{"modules": {"m": {"match": ["src/m/**"]}}}')
    assert read.policy is not None
    assert owners_of(read.policy).of("src/m/a") == "m"


def test_a_glob_of_stars_and_braces_takes_no_time() -> None:
    begun = time.perf_counter()
    bombs = ["*a" * 60 + "b", "/".join(["**", "*a*"] * 40), "{a,b}" * 60, "[" * 300]
    owners = owners_of(policy_of(m=bombs))
    assert owners.of("a" * 250) is None
    assert owners.of("/".join(["a" * 50] * 60) + "/z") is None
    assert time.perf_counter() - begun < 5


@pytest.mark.parametrize("glob", ["src/m{}/**", "**/m{}/**"])
def test_a_hundred_thousand_modules_are_looked_up_not_tried(glob: str) -> None:
    owners = owners_of(policy_of(**{f"m{at}": [glob.format(at)] for at in range(100_000)}))
    begun = time.perf_counter()
    assert [owners.of(f"src/m{at}/deep/a.ts") for at in range(0, 100_000, 100)] == [
        f"m{at}" for at in range(0, 100_000, 100)
    ]
    assert time.perf_counter() - begun < 2


NAMES = st.text("ab.", min_size=1, max_size=3).filter(lambda name: name not in {".", ".."})
GLOBS = st.lists(NAMES | st.sampled_from(["**", "*", "a*", "?b"]), min_size=1, max_size=5)


def plainly(globs: list[str], names: list[str]) -> bool:
    """What a glob matches, by its definition: every way to read each `**` is tried."""
    import fnmatch

    if not globs:
        return not names
    if globs[0] == "**":
        return any(plainly(globs[1:], names[skipped:]) for skipped in range(len(names) + 1))
    return bool(names) and fnmatch.fnmatchcase(names[0], globs[0]) and plainly(globs[1:], names[1:])


@given(GLOBS, st.lists(NAMES, min_size=1, max_size=6))
def test_a_glob_matches_what_its_definition_says(globs: list[str], names: list[str]) -> None:
    has_star = any("*" in glob or "?" in glob for glob in globs)
    expected = plainly(globs, names) if has_star else names[: len(globs)] == globs
    owner = owners_of(policy_of(m=["/".join(globs)])).of("/".join(names))
    assert (owner == "m") == expected


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_glob_is_too_odd(glob: str, path: str) -> None:
    read = document.read(json.dumps({"modules": {"m": {"owns_paths": [glob]}}}).encode())
    if read.policy is not None:
        assert owners_of(read.policy).of(path) in {"m", None}
        assert leads_out(glob) == (".." in glob.strip().replace("\\", "/").split("/"))
