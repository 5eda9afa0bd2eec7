"""Checking a policy: its document, and, where there is source, whether the code keeps to it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from recollect.model.policy_errors import PathNotFound, PolicyInvalid, PolicyNotFound
from recollect.model.workspace import Workspace
from recollect.policy import check as rules
from recollect.policy.check import Violation
from recollect.policy.document import WHOLE, Policy, Problem
from recollect.workspace import policy_file, reading
from recollect.workspace.reading import Source
from recollect.workspace.tree import Limits

MOST_FINDINGS = 200
"""Of each sort that are told; all are counted."""
DEFAULT_NAME = "lexmap.policy.json"
"""The published default of `policyPath`; only a check looks there."""

Finding = TypeVar("Finding")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The counts are of all; of errors, warnings and violations the first are told.

    `parsed_count` is how many files of source were read; none, when there is no source.
    """

    policy_path: str
    module_count: int
    errors: tuple[Problem, ...]
    error_count: int
    warnings: tuple[Problem, ...] = ()
    warning_count: int = 0
    violations: tuple[Violation, ...] = ()
    violation_count: int = 0
    parsed_count: int = 0
    is_cut: bool = False
    is_strict: bool = False

    @property
    def is_valid(self) -> bool:
        """In strict mode a warning is enough not to be."""
        wrong = self.error_count + self.violation_count
        return not wrong and not (self.is_strict and self.warning_count)


def check(
    workspace: Workspace,
    path: str | None = None,
    policy_path: str | None = None,
    *,
    is_strict: bool = False,
    limits: Limits | None = None,
) -> Report:
    """The file or folder `path`, or the workspace, against its policy.

    `PathNotFound` for a path that is not there, `PolicyNotFound` where there is no policy,
    `PolicyInvalid` for a file that is none.
    """
    place = _place(workspace, path)
    base, policy_name = _base(workspace, place, policy_path)
    checked = policy_file.checked(policy_name)
    policy = checked.document.policy
    if policy is None:
        problems = checked.document.problems
        if problems[0].place in {WHOLE, "modules"}:
            raise PolicyInvalid(policy_name, [(one.place, one.message) for one in problems])
        return Report(
            policy_path=policy_name,
            module_count=0,
            errors=problems,
            error_count=len(problems),
            is_strict=is_strict,
        )
    errors, error_count = _held(rules.errors_in(policy))
    report = Report(
        policy_path=policy_name,
        module_count=len(policy.modules),
        errors=errors,
        error_count=error_count,
        is_strict=is_strict,
    )
    source = reading.read(base, limits)
    return _with_code(report, policy, source, _below(base, place))


def _with_code(report: Report, policy: Policy, source: Source, within: str) -> Report:
    """`within` is the path that violations are told of; a module's files may be anywhere."""
    found = list(rules.warnings_in(policy))
    if source.parsed:
        found += rules.without_files(policy, [file.path for file in source.tree.files])
    warnings, warning_count = _held(found)
    imports = (
        (one.from_file, one.to_file, one.line)
        for one in source.imports
        if not within or one.from_file == within or one.from_file.startswith(f"{within}/")
    )
    violations, violation_count = _held(rules.violations_of(policy, imports))
    return replace(
        report,
        warnings=warnings,
        warning_count=warning_count,
        violations=violations,
        violation_count=violation_count,
        parsed_count=len(source.parsed),
        is_cut=source.tree.is_cut,
    )


def _place(workspace: Workspace, path: str | None) -> str:
    """What is checked, as an absolute path that is there."""
    told = os.path.join(workspace.root or "", os.path.expanduser(path)) if path else workspace.root
    if told is None or not os.path.isabs(told) or "\0" in told or not os.path.exists(told):
        raise PathNotFound(path or "")
    return os.path.normpath(told)


def _base(workspace: Workspace, place: str, policy_path: str | None) -> tuple[str, str]:
    """The folder that a policy's paths count from, and the policy's file.

    A folder with a policy of its own, or outside the workspace, stands for itself.
    """
    folder = place if os.path.isdir(place) else os.path.dirname(place)
    alone = replace(workspace, root=folder, policy_path=None)
    is_inside = workspace.root is not None and (
        folder == workspace.root or folder.startswith(workspace.root.rstrip(os.sep) + os.sep)
    )
    own = policy_file.path_of(alone)
    root = folder if own is not None or not is_inside else (workspace.root or folder)
    if not policy_path:
        is_own = own is not None and not workspace.policy_path
        found = own if is_own else policy_file.path_of(workspace)
        if found is not None:
            return root, found
    named = policy_path or DEFAULT_NAME
    try:  # as it counts from what is checked, else from the workspace
        return root, policy_file.path_of(alone, named) or named
    except PolicyNotFound:
        return root, policy_file.path_of(workspace, named) or named


def _below(base: str, place: str) -> str:
    below = os.path.relpath(place, base).replace(os.sep, "/")
    return "" if below == "." else below


def _held(findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], int]:
    """The first ones, and how many there are."""
    listed = list(findings)
    return tuple(listed[:MOST_FINDINGS]), len(listed)
