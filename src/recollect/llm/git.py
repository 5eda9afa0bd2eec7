"""What git said about a commit or a push, as facts. Nothing said is nothing known: `{}`."""

from __future__ import annotations

import re

MOST_FILES = 100

_COMMIT = re.compile(
    r"^\[(?P<branch>detached HEAD|[^\s\]]+)(?: \(root-commit\))? (?P<hash>[0-9a-f]{4,64})\]"
    r"[ ]?(?P<message>.*)$",
    re.MULTILINE,
)
_STATISTICS = re.compile(
    r"^ ?(?P<files>\d{1,9}) files? changed"
    r"(?:, (?P<insertions>\d{1,9}) insertions?\(\+\))?"
    r"(?:, (?P<deletions>\d{1,9}) deletions?\(-\))?",
    re.MULTILINE,
)
_NEW_FILE = re.compile(r"^ ?create mode \d{6} (?P<path>.+)$", re.MULTILINE)
_REMOTE = re.compile(r"^To (?P<url>\S.*)$", re.MULTILINE)
_UPDATE = re.compile(
    r"^ [ +*] +(?:(?P<range>[0-9a-f]{4,64}\.{2,3}[0-9a-f]{4,64})|\[new branch\])"
    r" +\S+ -> (?P<branch>\S+)",
    re.MULTILINE,
)


def commit(response: str) -> dict[str, object]:
    """The last commit that the response tells of.

    `branch`, `commit_hash` and `commit_message`; with a line of statistics also `files_changed`,
    `insertions` and `deletions`; `new_files` when there are any.
    """
    *_, told = [None, *_COMMIT.finditer(response)]
    if told is None:
        return {}
    facts: dict[str, object] = {
        "branch": told["branch"],
        "commit_hash": told["hash"],
        "commit_message": told["message"].strip(),
    }
    if statistics := _STATISTICS.search(response, told.end()):
        facts["files_changed"] = int(statistics["files"])
        facts["insertions"] = int(statistics["insertions"] or 0)
        facts["deletions"] = int(statistics["deletions"] or 0)
    created = [file["path"].strip('"') for file in _NEW_FILE.finditer(response, told.end())]
    if created:
        facts["new_files"] = created[:MOST_FILES]
    return facts


def push(response: str) -> dict[str, object]:
    """The first branch that was pushed: `remote_url`, `branch` and, unless new, `hash_range`."""
    update = _UPDATE.search(response)
    if update is None:
        return {}
    facts: dict[str, object] = {"branch": update["branch"]}
    if update["range"]:
        facts["hash_range"] = update["range"]
    if remote := _REMOTE.search(response):
        facts["remote_url"] = remote["url"].strip()
    return facts
