"""What of an event is worth keeping, and how much of it. Pure; nothing here knows a secret.

The contents of files are never kept: a writing tool leaves its path, the first meaningful line of
the new text and a fingerprint. Everything else has a size, so that the cost of an event is bounded
whatever a host sends: texts are first cut to a generous window, then cleaned, then cut to their
limit, because a limit drawn before cleaning would let half a secret pass unrecognised.
"""

from __future__ import annotations

from recollect.capture.codec import quoted

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable

PROMPT = 2_000
TEXT = 4_000
RESPONSE = 4_000
NAME = 200
PATH = 4_096
GIST = 80
FAILURE = 400
"""A failed edit's answer: its first line. The next ones quote the text that was not found."""
INPUT = 32 * 1024
"""Bytes of JSON that a whole cleaned input may take."""
WINDOW = 4 * TEXT
INPUT_WINDOW = 4 * INPUT
DEPTH = 12
"""Levels of an input that are kept; hosts have no more than four, attackers have thousands."""

REMINDER = "<system-reminder>"
PATH_NAMES = ("file_path", "notebook_path")
OTHER_PATH_NAMES = (*PATH_NAMES, "path", "filename", "file_name", "relative_path", "uri")
NEW_TEXT_NAMES = (
    *("content", "contents", "file_text", "replacement"),
    *("new_text", "new_string", "new_str", "new_source", "insert_text", "body"),
)
CONTENT_NAMES = frozenset(
    (*NEW_TEXT_NAMES, "old_text", "old_string", "old_str", "old_source", "edits", "patch", "diff")
)
WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit"})
SILENT = WRITERS | {"Read", "NotebookRead"}
"""Tools whose answer is file content, or an echo of it."""

NOISE = ("import ", "from ", "#!", "#include", "use ", "using ", "package ", "require", "export *")
COMMENT_MARKS = "#/*-<!;%\"' \t"


def is_prompt_kept(text: str) -> bool:
    """Whether somebody said something: what a host slips in as a prompt is no prompt."""
    said = text[:WINDOW].lstrip() or text.lstrip()[:WINDOW]
    return bool(said) and not said.startswith(REMINDER)


def new_text(tool: str, given: dict[str, object]) -> str | None:
    """The file content in a tool's input; None if the tool writes no file."""
    if not _writes(tool, given):
        return None
    edits = given.get("edits")
    sources = [given, *(edits if isinstance(edits, list) else ())]
    texts = [
        value
        for source in sources
        if isinstance(source, dict)
        for value in map(source.get, NEW_TEXT_NAMES)
        if isinstance(value, str)
    ]
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def without_content(tool: str, given: dict[str, object]) -> dict[str, object]:
    """The input of a writing tool that may be kept: which file, and nothing that was in it."""
    if tool in WRITERS:
        return {name: given[name] for name in PATH_NAMES if isinstance(given.get(name), str)}
    return {name: value for name, value in given.items() if name not in CONTENT_NAMES}


def _writes(tool: str, given: dict[str, object]) -> bool:
    """Claude Code's own writers, and any tool that names a file together with content for it."""
    return tool in WRITERS or (
        any(isinstance(given.get(name), str) for name in OTHER_PATH_NAMES)
        and not CONTENT_NAMES.isdisjoint(given)
    )


def is_answer_kept(tool: str, command: str, *, is_failed: bool) -> bool:
    """Whether something reads the answer: why a tool failed, and what git said it did.

    Every other answer may be the content of a file, whichever tool printed it.
    """
    return is_failed or (tool == "Bash" and "git" in command)


def answer_kept(tool: str, text: str) -> str:
    """What of the answer may go on to be cleaned."""
    if tool in SILENT:
        return head(text.lstrip()[:TEXT].partition("\n")[0], FAILURE)
    return text


def gist(text: str) -> str:
    """The first line that says something, at most 80 characters."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    for line in lines:
        said = line.lstrip(COMMENT_MARKS)
        if not line.startswith(NOISE) and any(map(str.isalnum, said)):
            return line[:GIST].rstrip()
    return lines[0][:GIST].rstrip() if lines else ""


def head(text: str, limit: int) -> str:
    """At most `limit` characters, not ending within a word: half a secret cannot be recognised."""
    if len(text) <= limit:
        return text
    cut = limit
    while cut > limit // 2 and not _ends_word(text[cut]):
        cut -= 1
    return text[:cut] if cut > limit // 2 else text[:limit]


def _ends_word(mark: str) -> bool:
    return mark.isspace() or mark in "\"'`,;"


def windowed(value: object) -> object:
    """`value` cut to what may be looked at; what does not fit is left out whole."""
    return _Cut(INPUT_WINDOW, _whole).kept(value, DEPTH)


def trimmed(value: object) -> object:
    """A cleaned `value` cut to what is kept."""
    return _Cut(INPUT, _fitting).kept(value, DEPTH)


def _whole(text: str, room: int) -> str:
    start = head(text, WINDOW)
    return start if len(quoted(start)) <= room else ""


def _fitting(text: str, room: int) -> str:
    text = text[:TEXT]
    while text and len(quoted(text)) > room:
        text = text[: len(text) // 2]
    return text


class _Cut:
    """One walk through a JSON value, with so many bytes left to spend."""

    def __init__(self, room: int, piece: Callable[[str, int], str]) -> None:
        self.room = room
        self.piece = piece

    def kept(self, value: object, depth: int) -> object:
        if isinstance(value, str):
            text = self.piece(value, self.room)
            self.room -= len(quoted(text))
            return text
        if isinstance(value, dict):
            return self._object(value, depth - 1) if depth else {}
        if isinstance(value, list | tuple):
            return self._array(value, depth - 1) if depth else []
        cost = max(len(str(value)), len("false"))
        if cost > self.room:  # a number of thousands of digits is nobody's memory
            self.room -= len("null")
            return None
        self.room -= cost
        return value

    def _object(self, value: dict[str, object], depth: int) -> dict[str, object]:
        kept: dict[str, object] = {}
        self.room -= 2
        for name, item in value.items():
            short = name[:NAME]
            cost = len(quoted(short)) + 2
            if self.room < cost + 4:  # the shortest value, with room to say null
                break
            self.room -= cost
            kept[short] = self.kept(item, depth)
        return kept

    def _array(self, value: list[object] | tuple[object, ...], depth: int) -> list[object]:
        kept: list[object] = []
        self.room -= 2
        for item in value:
            if self.room < 5:
                break
            self.room -= 1
            kept.append(self.kept(item, depth))
        return kept
