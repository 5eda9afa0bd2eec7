"""Whether a policy is what it should be, and whether code keeps to it: errors and warnings.

What cannot be read at all never comes here. What source there is, others tell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from recollect.policy.calls import calls_of
from recollect.policy.document import Module, Policy, Problem
from recollect.policy.ownership import leads_out, owners_of

ID = re.compile(r"[a-z0-9/_-]+")
SHARED = "src"
"""The folder that the published warning names."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A file of one module imports a file of another that does not let it."""

    caller: str
    called: str
    from_file: str
    to_file: str
    line: int
    reason: str


def errors_in(policy: Policy) -> Iterator[Problem]:
    """What makes a policy that can be read an invalid one."""
    for module in policy.modules.values():
        place = _place(module)
        if not ID.fullmatch(module.id):
            yield Problem(place, "A module id has lower-case letters, digits, / _ and - only")
        if not module.has_ownership:
            yield Problem(place, "Missing required field 'owns_paths'")


def warnings_in(policy: Policy) -> Iterator[Problem]:
    """What is allowed, and is hardly what was meant."""
    for module in policy.modules.values():
        place = _place(module)
        allowed, forbidden = module.allowed_callers or (), module.forbidden_callers
        yield from _doubtful(policy, module, f"{place}.allowed_callers", allowed)
        yield from _doubtful(policy, module, f"{place}.forbidden_callers", forbidden)
        for caller in dict.fromkeys(allowed):
            if caller in set(forbidden):
                message = f"'{caller}' is forbidden as well, which is what counts"
                yield Problem(f"{place}.allowed_callers", message)
        for field, globs in (("owns_paths", module.owns_paths), ("match", module.match)):
            for glob in globs:
                if leads_out(glob):
                    yield Problem(f"{place}.{field}", f"'{glob}' leads out of the tree")


def without_files(policy: Policy, paths: Collection[str]) -> Iterator[Problem]:
    """Modules that own no path; those that own namespaces only are known by no path."""
    owners = owners_of(policy)
    found = {id_ for path in paths for id_ in owners.all_of(path)}
    has_shared = any(path.startswith(f"{SHARED}/") for path in paths)
    where = f" in {SHARED}/" if has_shared else ""
    for module in policy.modules.values():
        if (module.owns_paths or module.match) and module.id not in found:
            yield Problem(_place(module), f"Module has no matching files{where}")


def violations_of(policy: Policy, imports: Iterable[tuple[str, str, int]]) -> Iterator[Violation]:
    """The imports, as pairs of files and a line, that the policy does not let be."""
    owners, calls = owners_of(policy), calls_of(policy)
    known: dict[str, str | None] = {}
    for from_file, to_file, line in imports:
        for path in (from_file, to_file):
            if path not in known:
                known[path] = owners.of(path)
        caller, called = known[from_file], known[to_file]
        if caller is None or called is None or caller == called:
            continue
        verdict = calls.verdict(caller, called)
        if verdict.is_allowed is False:
            yield Violation(caller, called, from_file, to_file, line, verdict.reason or "")


def _doubtful(
    policy: Policy, module: Module, place: str, callers: tuple[str, ...]
) -> Iterator[Problem]:
    for caller in dict.fromkeys(callers):
        if caller == module.id:
            yield Problem(place, "The module names itself, which its files need not")
        elif "*" not in caller and caller not in policy.modules:
            yield Problem(place, f"Unknown module '{caller}'")


def _place(module: Module) -> str:
    return f"modules.{module.id}"
