"""The one door of the room: text and JSON as they may be written to disk.

Deliberate writes and the hook pass everything through here before its first byte is kept.
"""

from __future__ import annotations

from recollect.privacy.names import is_secret_field
from recollect.privacy.readable import PLACEHOLDER
from recollect.privacy.secrets import Rules, redact
from recollect.privacy.tags import strip_private

__all__ = ["Rules", "clean_text", "clean_value", "mended"]


def clean_text(text: str, rules: Rules) -> tuple[str, bool]:
    """The text without NUL, broken characters, private blocks and secrets.

    The second value says whether a secret was replaced by `[REDACTED]`.
    """
    public, _ = strip_private(mended(text))
    return redact(public, rules)


def clean_value(value: object, rules: Rules) -> tuple[object, bool]:
    """The same for every string inside a JSON value, names included.

    A text under a telling name (`{"password": "hunter2"}`) is a secret whatever it looks like.
    Without recursion: JSON nested 100,000 deep is cleaned like any other.
    """
    cleaner = _Cleaner(rules)
    root: list[object] = [value]
    cleaner.pending.append(root)
    while cleaner.pending:
        cleaner.clean_container(cleaner.pending.pop())
    return root[0], cleaner.is_redacted


def mended(text: str) -> str:
    """Without NUL, which SQLite and C cut at, and without halves of surrogate pairs."""
    text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= mark <= "\udfff" else mark for mark in text)
    return text


class _Cleaner:
    """The containers still to be cleaned, each a copy already in its place."""

    __slots__ = ("is_redacted", "pending", "rules")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pending: list[list[object] | dict[object, object]] = []
        self.is_redacted = False

    def clean_container(self, container: list[object] | dict[object, object]) -> None:
        if isinstance(container, list):
            container[:] = [self._cleaned(item) for item in container]
            return
        items = list(container.items())
        container.clear()
        for name, item in items:
            cleaned = self._cleaned(item)
            if (
                isinstance(name, str)
                and isinstance(cleaned, str)
                and is_secret_field(name, cleaned)
            ):
                cleaned, self.is_redacted = PLACEHOLDER, True
            container[self._cleaned(name)] = cleaned

    def _cleaned(self, item: object) -> object:
        if isinstance(item, str):
            text, was_redacted = clean_text(item, self.rules)
            self.is_redacted |= was_redacted
            return text
        if isinstance(item, (list, tuple, dict)):
            copy = dict(item) if isinstance(item, dict) else list(item)
            self.pending.append(copy)
            return copy
        return item
