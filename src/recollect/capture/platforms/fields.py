"""Reading a host's JSON: the first of several names that holds something.

Every platform but Claude Code says the same things under names of its own. Its module turns them
into Claude Code's names, which `claude_code` and `capture.telling` read; what is missing stays out.
"""

from __future__ import annotations

from recollect.capture import codec
from recollect.model.errors import MalformedEvent

Spoken = dict[str, object]
"""What a host told, in Claude Code's names, without an event of its own."""


def text(host: Spoken, *names: str) -> str | None:
    """The first of these that is a text and not empty."""
    for name in names:
        value = host.get(name)
        if isinstance(value, str) and value:
            return value
    return None


def given(host: Spoken, *names: str) -> object:
    """The first of these that is there at all."""
    for name in names:
        value = host.get(name)
        if value is not None:
            return value
    return None


def opened(value: object) -> object:
    """An object that the host has sent as a text of JSON, as hosts do with arguments."""
    if isinstance(value, str) and value[:1] == "{":
        try:
            return codec.parse(value.encode("utf-8", "replace"))
        except MalformedEvent:
            return value
    return value


def failed(response: object, error: object = None) -> object:
    """A tool's answer, marked as a failure with what was said about it."""
    said = error if isinstance(error, str) and error else None
    if isinstance(response, dict) and response:
        return {**response, "is_error": True} | ({"stderr": said} if said else {})
    texts = [each for each in (response, said) if isinstance(each, str) and each]
    return {"is_error": True, "content": "\n".join(texts)}


def known(**fields: object) -> Spoken:
    """Only what the host did say."""
    return {name: value for name, value in fields.items() if value is not None}
