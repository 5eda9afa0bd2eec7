"""The workspace of a request: the checkout that is worked in, and what was configured about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """`root` is an absolute path; without one there is no checkout, so nothing is found in it."""

    root: str | None
    policy_path: str | None = None
    """The policy that was named; a relative path counts from the root."""
    default_branch: str | None = None
    is_strict: bool = False
    """Exact module ids only, and no suggestions."""
