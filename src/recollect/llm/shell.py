"""A shell command read word by word: which commands it runs, and what sort of action that is.

No shell: nothing is expanded, and text that is not valid shell is read as far as it goes. What is
quoted is one word, so `echo "git push"` pushes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.memory import Type

if TYPE_CHECKING:
    from collections.abc import Iterator

SAYING = frozenset({"echo", "printf", "man", "type", "which", "whatis", "alias"})
"""Commands that talk about other commands: `echo git push` is talk."""

_GIT_OPTIONS_WITH_VALUE = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"}
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PIECE = re.compile(
    r"""
      (?P<space>(?:[^\S\n] | \\\n | (?<![^\s;&|(])\#[^\n]*)+)
    | <<-?[ ]?(?P<quote>['"]?)(?P<heredoc>[A-Za-z_]\w*)(?P=quote)
    | (?P<separator>&&|\|\||[;|&()`\n])
    | (?P<text><<< | '[^']*+'? | "(?:[^"\\]|\\.)*+"? | \\. | [^\s'"\\;&|()`<]+ | .)
    """,
    re.VERBOSE | re.DOTALL,
)


def action(command: str) -> Type:
    """What the command is remembered as: a push before a commit, a commit before GitHub."""
    found = {_action(words) for words in commands(command)}
    for type_ in (Type.GIT_PUSH, Type.GIT_COMMIT, Type.GITHUB):
        if type_ in found:
            return type_
    return Type.COMMAND


def commands(text: str) -> Iterator[list[str]]:
    """The words of each simple command, without the variables set in front of it."""
    words: list[str] = []
    for word in _words(text):
        if word is None:
            if words:
                yield words
            words = []
        elif words or not _ASSIGNMENT.match(word):
            words.append(word)


def _action(words: list[str]) -> Type:
    first = words[0].rpartition("/")[2]
    if first == "gh":
        return Type.GITHUB
    if first not in SAYING:
        subcommand = _git_subcommand(words)
        if subcommand == "push":
            return Type.GIT_PUSH
        if subcommand == "commit":
            return Type.GIT_COMMIT
    return Type.COMMAND


def _git_subcommand(words: list[str]) -> str | None:
    """The first word after `git` that is not an option: `git -C there push`, `sudo git commit`."""
    rest = iter(words)
    if not any(word == "git" or word.endswith("/bin/git") for word in rest):
        return None
    for word in rest:
        if word in _GIT_OPTIONS_WITH_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return None


def _words(text: str) -> Iterator[str | None]:
    """Each word, and None where a command ends."""
    word: str | None = None
    heredocs: list[str] = []
    at = 0
    while piece := _PIECE.match(text, at):
        at = piece.end()
        if piece["text"] is not None:
            word = (word or "") + _plain(piece["text"])
            continue
        if word is not None:
            yield word
            word = None
        if piece["heredoc"]:
            heredocs.append(piece["heredoc"])
        elif piece["separator"]:
            yield None
        if piece["separator"] == "\n":
            while heredocs:
                at = _after_heredoc(text, at, heredocs.pop(0))
    if word is not None:
        yield word
    yield None


def _plain(piece: str) -> str:
    if piece[0] in "'\"":
        return piece[1:].removesuffix(piece[0])
    return piece[1:] if piece[0] == "\\" else piece


def _after_heredoc(text: str, at: int, delimiter: str) -> int:
    """Where the lines end that are a heredoc's text and no commands."""
    end = re.compile(rf"^[ \t]*{delimiter}[ \t]*$", re.MULTILINE).search(text, at)
    return end.end() if end else len(text)
