"""The policy of a workspace: which file it is, read again as soon as it changes.

What is in the file is read by `policy.document`; an `aliases.json` beside it belongs to it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from recollect.model.policy_errors import PolicyInvalid, PolicyNotFound
from recollect.model.workspace import Workspace
from recollect.policy import document
from recollect.policy.document import Document, Policy
from recollect.workspace.remembered import Remembered

PLACES = (".smartergpt/lex/lexmap.policy.json", "policy/policy_spec/lexmap.policy.json")
"""Within the workspace, first come first."""
ALIASES = "aliases.json"
MOST_KEPT = 8
"""Files whose contents are remembered while they do not change."""


@dataclass(frozen=True, slots=True)
class Known:
    """A policy, the aliases beside it, and where it was; a workspace may have none of them."""

    policy: Policy | None
    aliases: Mapping[str, str]
    path: str | None


@dataclass(frozen=True, slots=True)
class Checked:
    """A policy's file and all that is wrong with it."""

    path: str
    document: Document


def known(workspace: Workspace, named: str | None = None) -> Known:
    """The policy by name, else the configured one, else the workspace's own, else none.

    One that is there and cannot be understood is refused: going on without it would let through
    what it forbids.
    """
    path = path_of(workspace, named)
    if path is None:
        return Known(None, {}, None)
    read = checked(path).document
    if read.policy is None:
        raise PolicyInvalid(path, [(found.place, found.message) for found in read.problems])
    return Known(read.policy, _aliases(os.path.join(os.path.dirname(path), ALIASES)), path)


def path_of(workspace: Workspace, named: str | None = None) -> str | None:
    """Which file it is; `PolicyNotFound` for one that was named and is not there."""
    told = named or workspace.policy_path
    if told is not None:
        path = os.path.normpath(os.path.join(workspace.root or "", os.path.expanduser(told)))
        if not os.path.isabs(path) or "\0" in path or not os.path.isfile(path):
            raise PolicyNotFound(told)
        return path
    for place in PLACES if workspace.root is not None else ():
        path = os.path.join(workspace.root or "", *place.split("/"))
        if os.path.isfile(path):
            return path
    return None


def checked(path: str) -> Checked:
    """`PolicyNotFound` when it has gone, `PolicyInvalid` when it cannot be read at all."""
    try:
        return Checked(path, _DOCUMENTS.of(path, document.read, at_most=document.LARGEST))
    except FileNotFoundError:
        raise PolicyNotFound(path) from None
    except OSError as problem:
        told = f"It cannot be read: {problem.strerror or problem}"
        raise PolicyInvalid(path, [(document.WHOLE, told)]) from None


def _aliases(path: str) -> Mapping[str, str]:
    try:
        return _ALIASES.of(path, _read_aliases, at_most=document.LARGEST)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        raise PolicyInvalid(path, [("aliases", str(problem))]) from None


def _read_aliases(blob: bytes) -> Mapping[str, str]:
    """`{"aliases": {"<alias>": {"canonical": "<id>"}}}`; one that is not certain does not count."""
    listed = document.entries(blob).get("aliases", {})
    if not isinstance(listed, dict):
        raise ValueError("'aliases' must be an object")  # noqa: TRY004  the one error of a reader
    targets: dict[str, str] = {}
    for alias, entry in listed.items():
        target = entry.get("canonical") if isinstance(entry, dict) else None
        if not isinstance(target, str) or not target.strip():
            raise ValueError(f"'{alias[:100]}' must have a string 'canonical'")
        if entry.get("confidence", 1) == 1:
            targets[alias] = target
    return targets


_DOCUMENTS: Remembered[Document] = Remembered(MOST_KEPT)
_ALIASES: Remembered[Mapping[str, str]] = Remembered(MOST_KEPT)
