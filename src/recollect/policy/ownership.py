"""Whose a path is: the module with the most specific of the globs that match it.

`**` stands for any number of folders, `*` and `?` for letters within one name, `[ab]` for one of
them, `{a,b}` for either; a glob without any of these owns what it names and all below it.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from recollect.policy.document import Policy

MOST_ALTERNATIVES = 64
"""Globs that one glob with braces may stand for."""
ANY_DEPTH = "**"

_SPECIAL = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class _Glob:
    module: str
    names: tuple[str, ...]
    depth: int
    """Names before the first that is special: they are looked up, not matched."""
    rank: tuple[int, ...]


class Owners:
    """The globs of a policy, found by the folders that they begin with."""

    def __init__(self, policy: Policy) -> None:
        self._globs: dict[tuple[str, ...], dict[str | None, list[_Glob]]] = {}
        """By the folders they begin with, and by a name that a path has to have below these."""
        for position, module in enumerate(policy.modules.values()):
            for glob in (*module.owns_paths, *module.match):
                for plain in _alternatives(glob):
                    self._take(module.id, plain, position)

    def _take(self, module: str, glob: str, position: int) -> None:
        names = _names(glob)
        if names is None:
            return
        special = [at for at, name in enumerate(names) if _SPECIAL.search(name)]
        depth = special[0] if special else len(names)
        # More literal names first, then fewer special ones, then longer, then as the policy has it.
        letters = sum(len(name) for name in names if name != ANY_DEPTH)
        rank = (-depth, len(special), -letters, position)
        needed = next((name for name in names[depth:] if not _SPECIAL.search(name)), None)
        kept = self._globs.setdefault(names[:depth], {}).setdefault(needed, [])
        kept.append(_Glob(module, names, depth, rank))

    def of(self, path: str) -> str | None:
        """The module that owns the path; None when none does."""
        return next(self.all_of(path), None)

    def all_of(self, path: str) -> Iterator[str]:
        """Every module with a glob that matches the path, the most specific first."""
        names = tuple(path.split("/"))
        for depth in range(len(names), -1, -1):
            begun = self._globs.get(names[:depth])
            if begun is None:
                continue
            possible = [begun[name] for name in {None, *names[depth:]} if name in begun]
            for glob in sorted(chain.from_iterable(possible), key=lambda glob: glob.rank):
                rest = glob.names[depth:]
                if not rest or _matches(rest, names[depth:]):
                    yield glob.module


@lru_cache(maxsize=4)
def owners_of(policy: Policy) -> Owners:
    return Owners(policy)


def leads_out(glob: str) -> bool:
    """Whether a glob can match nothing, because it leaves the tree."""
    return _names(glob) is None


def _names(glob: str) -> tuple[str, ...] | None:
    """None for a glob that leads out of the tree: it owns nothing."""
    parts = glob.strip().replace("\\", "/").split("/")
    names = [name for name in parts if name not in {"", "."}]
    if ".." in names:
        return None
    kept = [
        name for at, name in enumerate(names) if at == 0 or (name, names[at - 1]) != ("**",) * 2
    ]
    return tuple(kept)


def _matches(globs: Sequence[str], names: Sequence[str]) -> bool:
    """Back to the last `**` only: more is never needed, so the time does not explode."""
    at = done = 0
    back_to: tuple[int, int] | None = None
    while done < len(names):
        if at < len(globs) and globs[at] == ANY_DEPTH:
            back_to = (at, done)
            at += 1
        elif at < len(globs) and _name(globs[at]).match(names[done]):
            at, done = at + 1, done + 1
        elif back_to is not None:
            back_to = (back_to[0], back_to[1] + 1)
            at, done = back_to[0] + 1, back_to[1]
        else:
            return False
    return all(glob == ANY_DEPTH for glob in globs[at:])


@lru_cache(maxsize=4096)
def _name(glob: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(glob))


def _alternatives(glob: str) -> list[str]:
    """The globs that one with braces stands for; a brace without its end is a letter."""
    done: list[str] = []
    waiting = [glob]
    while waiting:
        one = waiting.pop(0)
        braces = re.search(r"\{([^{}]*,[^{}]*)\}", one)
        if braces is None or len(waiting) + len(done) > MOST_ALTERNATIVES:
            done.append(one)
            continue
        head, tail = one[: braces.start()], one[braces.end() :]
        waiting += [f"{head}{choice}{tail}" for choice in braces[1].split(",")]
    return done[:MOST_ALTERNATIVES]
