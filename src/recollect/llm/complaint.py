"""What a failed command complained about: the counts of a test run, and its first telling lines.

Reads the words of the usual test runners and compilers; anything else is told by the lines that
look like an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_READ = 4_000
MOST_LINES = 3
MOST_TESTS = 5


@dataclass(frozen=True, slots=True)
class Counts:
    failed: int
    total: int | None
    noun: str = "tests"

    def __str__(self) -> str:
        noun = self.noun if (self.total or self.failed) != 1 else self.noun.removesuffix("s")
        return (
            f"{self.failed} {noun}"
            if self.total is None
            else f"{self.failed} of {self.total} {noun}"
        )


@dataclass(frozen=True, slots=True)
class Complaint:
    """`tests` are those that failed, `files` where, as far as it says so."""

    counts: Counts | None
    tests: tuple[str, ...]
    files: tuple[str, ...]
    lines: tuple[str, ...]


_PYTEST = re.compile(r"(?m)^[= ]*(?P<tally>\d+ \w+(?:, \d+ \w+)*) in [\d.]+s")
_PYTEST_FAILED = re.compile(r"(?m)^(?:FAILED|ERROR) (?P<name>(?P<file>[^\s:]+\.py)(?:::\S+)?)")
_TALLY = re.compile(r"(\d{1,9}) (failed|errors?|passed)")
_JEST = re.compile(
    r"(?m)^[ \t]*Tests:?[ \t]+(?P<failed>\d{1,9}) failed\b.*?"
    r"(?:\((?P<a>\d{1,9})\)|(?P<b>\d{1,9}) total)"
)
_JEST_FAILED = re.compile(r"(?m)^[ \t]*(?:FAIL)\s+(?P<file>\S+\.[jt]sx?)\b")
_CARGO = re.compile(
    r"(?m)^test result: FAILED\. (?P<passed>\d{1,9}) passed; "
    r"(?P<failed>\d{1,9}) failed"
)
_CARGO_FAILED = re.compile(r"(?m)^test (?P<name>\S+) \.\.\. FAILED")
_GO_FAILED = re.compile(r"(?m)^[ \t]*--- FAIL: (?P<name>\S+)")
_UNITTEST = re.compile(r"(?m)^Ran (?P<total>\d{1,9}) tests? in")
_UNITTEST_FAILED = re.compile(r"(?m)^FAILED \((?P<counts>[^)\n]*)\)")
_RSPEC = re.compile(r"(?m)^(?P<total>\d{1,9}) examples?, (?P<failed>[1-9]\d{0,8}) failures?")
_MOCHA = re.compile(r"(?m)^[ \t]*(?P<failed>\d{1,9}) failing\b")
_MOCHA_PASSED = re.compile(r"(?m)^[ \t]*(?P<passed>\d{1,9}) passing\b")
_FOUND = re.compile(r"(?m)^Found (?P<failed>\d{1,9}) (?P<noun>errors?)\b")
_PROBLEMS = re.compile(r"(?m)^[^\w\n]*(?P<failed>\d{1,9}) problems?\b")

_MARGIN = re.compile(r"^E {2,}")
"""Where pytest puts what went wrong."""
_NUMBER = re.compile(r"\d{1,9}")

_LOUD = re.compile(
    r"^(?:E {2,}|[ \t]*[\w.$]*(?:Error|Exception|Panic|Warning)\b"
    r"|.*\b(?:error|fatal|panic(?:ked)?)\b(?:\[\w+\])?:"
    r"|.*\b(?:not found|no such file|permission denied|cannot|could not|failed to"
    r"|refused|undefined|unexpected)\b)",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"^(?:Error:\s*)?Exit code -?\d+$|^[-=_*~#\s]+$|^Traceback \(most recent call last\)"
    r"|^={3,} .* ={3,}$|^(?:FAILED|ERROR) \S+::"
)


def complaint_of(response: str) -> Complaint:
    said = response[:MOST_READ]
    tests, files = _named(said)
    return Complaint(_counts(said), tests, files, _lines(said))


def _counts(said: str) -> Counts | None:
    return next((counts for reader in _COUNTERS if (counts := reader(said))), None)


def _pytest(said: str) -> Counts | None:
    *_, tally = ["", *_PYTEST.findall(said)]
    counts = {noun.rstrip("s"): int(number[:9]) for number, noun in _TALLY.findall(tally)}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    return Counts(failed, failed + counts.get("passed", 0)) if failed else None


def _jest(said: str) -> Counts | None:
    found = _JEST.search(said)
    return Counts(int(found["failed"]), int(found["a"] or found["b"])) if found else None


def _cargo(said: str) -> Counts | None:
    results = list(_CARGO.finditer(said))
    failed = sum(int(each["failed"]) for each in results)
    return Counts(failed, failed + sum(int(each["passed"]) for each in results)) if failed else None


def _unittest(said: str) -> Counts | None:
    total, found = _UNITTEST.search(said), _UNITTEST_FAILED.search(said)
    if total is None or found is None:
        return None
    return Counts(sum(map(int, _NUMBER.findall(found["counts"]))), int(total["total"]))


def _rspec(said: str) -> Counts | None:
    found = _RSPEC.search(said)
    return Counts(int(found["failed"]), int(found["total"]), "examples") if found else None


def _mocha(said: str) -> Counts | None:
    found, passed = _MOCHA.search(said), _MOCHA_PASSED.search(said)
    if found is None:
        return None
    failed = int(found["failed"])
    return Counts(failed, failed + int(passed["passed"]) if passed else None)


def _go(said: str) -> Counts | None:
    names = set(_GO_FAILED.findall(said))
    return Counts(len(names), None) if names else None


def _checker(said: str) -> Counts | None:
    for pattern, noun in ((_FOUND, "errors"), (_PROBLEMS, "problems")):
        if found := pattern.search(said):
            return Counts(int(found["failed"]), None, noun)
    return None


_COUNTERS = (_pytest, _jest, _cargo, _unittest, _rspec, _mocha, _go, _checker)


def _named(said: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    tests = [match["name"] for match in _PYTEST_FAILED.finditer(said)]
    files = [match["file"] for match in _PYTEST_FAILED.finditer(said)]
    files += [match["file"] for match in _JEST_FAILED.finditer(said)]
    for pattern in (_CARGO_FAILED, _GO_FAILED):
        tests += [match["name"] for match in pattern.finditer(said)]
    return tuple(dict.fromkeys(tests))[:MOST_TESTS], tuple(dict.fromkeys(files))[:MOST_TESTS]


def _lines(said: str) -> tuple[str, ...]:
    """The lines that sound like an error; without one, the first that say anything."""
    lines = [line for line in said.splitlines()[:200] if line.strip()]
    lines = [line for line in lines if not _QUIET.match(line.strip())]
    loud = [line for line in lines if len(line) < 400 and _LOUD.match(line)]
    told = (_MARGIN.sub("", line).strip() for line in loud or lines)
    return tuple(dict.fromkeys(told))[:MOST_LINES]
