"""What a workspace says about modules and branches, for those who write and ask for frames."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.model.workspace import Workspace
from recollect.policy import modules
from recollect.policy.document import Policy
from recollect.workspace import policy_file
from recollect.workspace.branch import branch_of

MAIN = "main"
"""The branch where none is known."""


def policy_for(workspace: Workspace, named: str | None = None) -> Policy | None:
    """The policy in force now; None where there is none, and any module id goes.

    `PolicyNotFound` and `PolicyInvalid` refuse one that was meant and cannot be had.
    """
    return policy_file.known(workspace, named).policy


def scope_for(workspace: Workspace, ids: Sequence[str]) -> tuple[str, ...]:
    """The ids as the policy has them, aliases resolved; `UnknownModules` names those it has not."""
    known = policy_file.known(workspace)
    return modules.resolved(known.policy, known.aliases, ids, is_strict=workspace.is_strict)


def branch_for(workspace: Workspace, asked: str | None) -> str:
    """The branch that was asked for, else the configured one, else the checkout's, else `main`."""
    told = asked or workspace.default_branch
    if told:
        return told
    found = branch_of(workspace.root) if workspace.root is not None else None
    return found or MAIN
