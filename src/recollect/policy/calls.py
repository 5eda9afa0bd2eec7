"""Who may call whom: a policy's callers as verdicts and as edges from the caller to the called."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from recollect.policy.document import Module, Policy

FORBIDDEN = "forbidden_caller"
NOT_LISTED = "missing_allowed_caller"


@dataclass(frozen=True, slots=True)
class Edge:
    """One module calls another. `is_allowed` is None where no policy says anything about it."""

    caller: str
    called: str
    is_allowed: bool | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Callers:
    """The callers of one list; an entry with a `*` stands for every id that it matches."""

    names: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, entries: Iterable[str]) -> Callers:
        distinct = dict.fromkeys(entries)
        return cls(
            frozenset(entry for entry in distinct if "*" not in entry),
            tuple(_pattern(entry) for entry in distinct if "*" in entry),
        )

    def __contains__(self, caller: str) -> bool:
        return caller in self.names or any(pattern.match(caller) for pattern in self.patterns)


class Calls:
    """The edges of one policy."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._positions = {id_: position for position, id_ in enumerate(policy.ids)}
        self._allowed: dict[str, Callers | None] = {}
        self._forbidden: dict[str, Callers] = {}
        self._named: dict[str, set[str]] = {}
        self._globbed: dict[str, set[str]] = {}
        for module in policy.modules.values():
            self._take(module)

    def _take(self, module: Module) -> None:
        allowed = module.allowed_callers
        self._allowed[module.id] = None if allowed is None else Callers.of(allowed)
        self._forbidden[module.id] = Callers.of(module.forbidden_callers)
        for entry in (*(allowed or ()), *module.forbidden_callers):
            kept = self._globbed if "*" in entry else self._named
            kept.setdefault(entry, set()).add(module.id)

    def verdict(self, caller: str, called: str) -> Edge:
        """What the policy says of one call; forbidden beats allowed."""
        if caller not in self.policy.modules or called not in self.policy.modules:
            return Edge(caller, called, None)
        if caller in self._forbidden[called]:
            return Edge(caller, called, is_allowed=False, reason=FORBIDDEN)
        allowed = self._allowed[called]
        if allowed is None or caller in allowed:
            return Edge(caller, called, is_allowed=True)
        return Edge(caller, called, is_allowed=False, reason=NOT_LISTED)

    def into(self, called: str, *, among: Collection[str] | None = None) -> Iterator[Edge]:
        """The calls of this module that the policy names; callers in the order of the file."""
        lists = [self._forbidden[called]]
        if (allowed := self._allowed[called]) is not None:
            lists.append(allowed)
        if among is not None or any(callers.patterns for callers in lists):
            possible = self.policy.ids if among is None else among
            callers = {id_ for id_ in possible if any(id_ in listed for listed in lists)}
        else:
            names = frozenset[str]().union(*(listed.names for listed in lists))
            callers = {name for name in names if name in self.policy.modules}
        for caller in sorted(callers - {called}, key=self.position):
            yield self.verdict(caller, called)

    def near(self, id_: str) -> set[str]:
        """The modules that the policy joins to this one, whichever of the two calls."""
        callers = {edge.caller for edge in self.into(id_)}
        called = set(self._named.get(id_, ()))
        for entry, modules in self._globbed.items():
            if _pattern(entry).match(id_):
                called |= modules
        return (callers | called) - {id_}

    def position(self, id_: str) -> int:
        """Where the module stands in the file."""
        return self._positions[id_]


@lru_cache(maxsize=4)
def calls_of(policy: Policy) -> Calls:
    return Calls(policy)


@lru_cache(maxsize=4096)
def _pattern(entry: str) -> re.Pattern[str]:
    # Only the star is special; fnmatch makes a pattern whose time does not explode.
    literal = entry.replace("[", "[[]").replace("?", "[?]")
    return re.compile(fnmatch.translate(literal))
