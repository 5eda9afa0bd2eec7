"""What a hook has to tell, in the two forms in which it can be delivered, under one event key.

A request to the worker, as CodexMem has published it, and an entry of the spool. Both are cleaned.
The key is made from an identity that goes along with the request, so that a request of which nobody
knows whether it arrived may be followed by the entry: the store keeps the first of the two.
"""

from __future__ import annotations

from recollect.capture import gate, scrub
from recollect.capture.fingerprint import fingerprint
from recollect.capture.platforms import claude_code

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.capture.platforms.fields import Spoken
    from recollect.privacy.clean import Rules

MEDIA_PROMPT = "[media prompt]"
"""What a prompt without words is kept as: somebody has shown something."""
NOBODY = "unknown"


class Place:
    """Where and when a hook runs, and what makes an identity where the host gave none."""

    __slots__ = ("at", "cwd", "fresh", "platform", "project", "rules", "skipped")

    def __init__(
        self,
        *,
        platform: str,
        cwd: str,
        project: str,
        at: int,
        rules: Rules,
        fresh: Callable[[], str],
        skipped: tuple[str, ...] = (),
    ) -> None:
        self.platform, self.cwd, self.project, self.at = platform, cwd, project, at
        self.rules, self.fresh, self.skipped = rules, fresh, skipped


class Telling:
    """`document` makes the entry, which is needed only where the request does not arrive."""

    __slots__ = ("body", "document", "path")

    def __init__(
        self,
        path: str,
        body: dict[str, object],
        document: Callable[[], dict[str, object] | None],
    ) -> None:
        self.path, self.body, self.document = path, body, document


def telling(event: str, spoken: Spoken, place: Place) -> Telling | None:
    """What this event has to tell; None when there is nothing to keep."""
    return EVENTS[event](spoken, place)


def session_of(spoken: Spoken, place: Place) -> str:
    """The session's id. Without one, all that happens in a folder is one session of its own."""
    named = spoken.get("session_id")
    if isinstance(named, str):
        return scrub.session_named(named, place.rules)
    return f"{NOBODY}-{fingerprint(place.platform, place.cwd)}"


def _prompt(spoken: Spoken, place: Place) -> Telling | None:
    session_id, identity = session_of(spoken, place), _identity(spoken, "prompt_id", place)
    said = spoken.get("prompt")
    text = said if isinstance(said, str) and said.strip() else MEDIA_PROMPT
    document = _kept(
        {"kind": "prompt", "text": text, "source_event": "UserPromptSubmit"},
        session_id,
        fingerprint("prompt", session_id, identity),
        place,
    )
    if document is None:
        return None  # a host's words, not the user's
    body = {
        "contentSessionId": session_id,
        "project": document["project"],
        "prompt": document["text"],
        "prompt_id": identity,
        "platform": place.platform,
    }
    return Telling("/api/sessions/init", body, lambda: document)


def _tool_use(spoken: Spoken, place: Place) -> Telling | None:
    tool = spoken.get("tool_name")
    if not isinstance(tool, str) or tool in place.skipped:
        return None
    session_id, identity = session_of(spoken, place), _identity(spoken, "tool_use_id", place)
    given, response = spoken.get("tool_input"), spoken.get("tool_response")
    host = {
        "session_id": session_id,
        "cwd": place.cwd,
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": given,
        "tool_response": response,
        "tool_use_id": identity,
    }

    def document() -> dict[str, object] | None:
        made = claude_code.document_of(
            host, at=place.at, fresh_key=place.fresh, size_of=lambda _: None
        )
        return None if made is None else _placed(made, place)

    body: dict[str, object] = {
        "contentSessionId": session_id,
        "tool_name": scrub.cleaned_text(tool, gate.NAME, place.rules),
        "tool_input": {} if given is None else scrub.cleaned(given, place.rules),
        "tool_response": {} if response is None else scrub.cleaned(response, place.rules),
        "cwd": scrub.cleaned_text(place.cwd, gate.PATH, place.rules),
        "tool_use_id": identity,
        "platform": place.platform,
    }
    marks = scrub.marks_of(tool, given) if isinstance(given, dict) else None
    if marks is not None:
        body["marks"] = marks  # of the whole text, which is not sent
    return Telling("/api/sessions/observations", body, document)


def _turn_end(spoken: Spoken, place: Place) -> Telling | None:
    session_id = session_of(spoken, place)
    said = spoken.get("last_assistant_message")
    text = said if isinstance(said, str) else ""
    # A turn may end more than once, when another hook sends the agent back to work.
    identity = fingerprint(_identity(spoken, "prompt_id", place), text)
    document = _kept(
        {"kind": "turn_end", "text": text, "source_event": "Stop"},
        session_id,
        fingerprint("turn_end", session_id, identity),
        place,
    )
    if document is None:
        return None
    body = {
        "contentSessionId": session_id,
        "last_assistant_message": document["text"],
        "turn_id": identity,
        "cwd": document["cwd"],
        "project": document["project"],
        "platform": place.platform,
    }
    return Telling("/api/sessions/summarize", body, lambda: document)


def _complete(spoken: Spoken, place: Place) -> Telling:
    return _stop("/api/sessions/complete", "complete", {}, spoken, place)


def _end(spoken: Spoken, place: Place) -> Telling:
    reason = spoken.get("reason")
    said = reason if isinstance(reason, str) else "other"
    return _stop("/api/sessions/end", said, {"cleanup": True}, spoken, place)


def _stop(path: str, reason: str, more: dict[str, object], spoken: Spoken, place: Place) -> Telling:
    session_id = session_of(spoken, place)
    document = _kept(
        {"kind": "session_stop", "reason": reason, "source_event": "SessionEnd"},
        session_id,
        place.fresh(),  # told twice, a session has ended once
        place,
    )
    return Telling(path, {"contentSessionId": session_id, **more}, lambda: document)


def start(spoken: Spoken, place: Place) -> dict[str, object]:
    """The entry of a session that begins; there is no request for it."""
    source = spoken.get("source")
    document = _kept(
        {
            "kind": "session_start",
            "source": source if source in claude_code.SOURCES else "startup",
            "source_event": "SessionStart",
        },
        session_of(spoken, place),
        place.fresh(),
        place,
    )
    assert document is not None, "a start is always kept"
    return document


EVENTS: dict[str, Callable[[Spoken, Place], Telling | None]] = {
    "session-init": _prompt,
    "observation": _tool_use,
    "summarize": _turn_end,
    "session-complete": _complete,
    "session-end": _end,
}


def _identity(spoken: Spoken, name: str, place: Place) -> str:
    told = spoken.get(name)
    return told if isinstance(told, str) else place.fresh()


def _kept(
    body: dict[str, object], session_id: str, key: str, place: Place
) -> dict[str, object] | None:
    head: dict[str, object] = {
        "v": claude_code.VERSION,
        "key": key,
        "session_id": session_id,
        "cwd": place.cwd,
        "at": place.at,
    }
    return _placed({**head, **body}, place)


def _placed(document: dict[str, object], place: Place) -> dict[str, object] | None:
    whole = {**document, "platform": place.platform, "project": place.project}
    return scrub.scrubbed(whole, place.rules)
