"""Claude Code's hook JSON → one event document, still uncleaned.

What the host's words mean is decided here, and only here: which of its events are kept, what makes
two deliveries one event, where a tool's answer and its failure stand. Codex speaks it too.
What may be kept of it is the business of `capture.gate` and `capture.scrub`.
"""

from __future__ import annotations

from recollect.capture.fingerprint import fingerprint
from recollect.capture.gate import RESPONSE, WINDOW, head
from recollect.capture.platforms.fields import Spoken, failed, known, text
from recollect.model.errors import MalformedEvent

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable

PLATFORM = "claude-code"
REQUIRED = ("session_id", "cwd", "hook_event_name")
SOURCES = ("startup", "resume", "clear", "compact")
VERSION = 1  # as in `model.event`, whose import would cost `dataclasses`

EXIT_CODE_NAMES = ("exit_code", "exitCode", "returncode")
EXIT_CODE_WORDS = "Exit code "
BLOCKS = 50
LARGEST_EXIT_CODE = 2**32  # Windows counts unsigned


REPLY: Spoken = {"continue": True, "suppressOutput": True}


def spoken(host: Spoken) -> Spoken:
    """The host's own names, a failure told in the answer."""
    response, error = host.get("tool_response"), host.get("error")
    is_failed = bool(error) or host.get("hook_event_name") == "PostToolUseFailure"
    return known(
        session_id=text(host, "session_id"),
        cwd=text(host, "cwd"),
        prompt=host.get("prompt"),
        prompt_id=text(host, "prompt_id", "turn_id"),
        tool_name=text(host, "tool_name"),
        tool_input=host.get("tool_input"),
        tool_response=failed(response, error) if is_failed else response,
        tool_use_id=text(host, "tool_use_id"),
        last_assistant_message=text(host, "output", "last_assistant_message"),
        transcript_path=text(host, "transcript_path"),
        reason=text(host, "reason"),
        source=text(host, "source"),
    )


def context(told: str) -> Spoken:
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": told}}


def document_of(
    host: object,
    *,
    at: int,
    fresh_key: Callable[[], str],
    size_of: Callable[[str], int | None],
) -> dict[str, object] | None:
    """The event that `host` tells of, without its project; None if there is nothing to keep.

    `fresh_key` names an event that the host gave no identity: a user may say "yes" twice.
    `size_of` tells how long a transcript is now; None if there is none to read.
    """
    if not isinstance(host, dict):
        raise MalformedEvent("the input is not a JSON object")
    session_id, cwd, source_event = (_required(host, name) for name in REQUIRED)
    kept = KEPT.get(source_event)
    if kept is None or not session_id:
        return None
    body = kept(host)
    if body is None:
        return None
    document: dict[str, object] = {
        "v": VERSION,
        "key": _key(host, body["kind"]) or fresh_key(),
        "session_id": session_id,
        "cwd": cwd,
        "platform": PLATFORM,
        "at": at,
        "source_event": source_event,
    }
    transcript = host.get("transcript_path")
    if isinstance(transcript, str) and transcript:
        size = size_of(transcript)
        if size is not None:
            document |= {"transcript_path": transcript, "transcript_size": size}
    return {**document, **body}


def _required(host: dict[str, object], name: str) -> str:
    value = host.get(name)
    if isinstance(value, str):
        return value
    raise MalformedEvent(f"{name} is not a text" if name in host else f"{name} is missing")


def _key(host: dict[str, object], kind: object) -> str | None:
    """The same for every delivery of one host event: other clients run Claude Code's hooks too."""
    names = {"tool_use": ("tool_use_id",), "prompt": ("prompt_id", "turn_id")}
    for name in names.get(str(kind), ()):
        identity = host.get(name)
        if isinstance(identity, str) and identity:
            return fingerprint(str(kind), str(host["session_id"]), identity)
    return None


def _session_start(host: dict[str, object]) -> dict[str, object]:
    source = host.get("source")
    return {"kind": "session_start", "source": source if source in SOURCES else "startup"}


def _prompt(host: dict[str, object]) -> dict[str, object] | None:
    text = host.get("prompt")
    return {"kind": "prompt", "text": text} if isinstance(text, str) else None


def _session_stop(host: dict[str, object]) -> dict[str, object]:
    reason = host.get("reason")
    is_end = host["hook_event_name"] == "SessionEnd"
    fallback = "other" if is_end else "stop"
    return {
        "kind": "session_stop",
        "reason": reason if isinstance(reason, str) and reason and is_end else fallback,
    }


def _tool_use(host: dict[str, object]) -> dict[str, object] | None:
    tool = host.get("tool_name")
    if not isinstance(tool, str) or not tool:
        return None
    given = host.get("tool_input")
    response = host.get("tool_response")
    error = host.get("error")
    said = [part for part in map(_said, (response, error)) if part is not None and part != ""]
    exit_code = _exit_code(tool, response, said)
    body: dict[str, object] = {
        "kind": "tool_use",
        "tool": tool,
        "input": given if isinstance(given, dict) else {} if given is None else {"value": given},
        "response": _together(said),
        "is_failed": (
            host["hook_event_name"] == "PostToolUseFailure"
            or exit_code not in {None, 0}
            or _is_flagged(host)
            or _is_flagged(response)
        ),
    }
    if exit_code is not None and abs(exit_code) < LARGEST_EXIT_CODE:
        body["exit_code"] = exit_code
    return body


KEPT: dict[str, Callable[[dict[str, object]], dict[str, object] | None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "PostToolUse": _tool_use,
    "PostToolUseFailure": _tool_use,
    "Stop": _session_stop,
    "SessionEnd": _session_stop,
}


def _together(parts: list[object]) -> object:
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) == len(parts):
        return "\n".join(texts)
    return parts[0] if len(parts) == 1 else parts


def _said(answer: object) -> object:
    """What the tool said as a person would have read it, bounded; other structures as they are."""
    if isinstance(answer, str):
        return answer[: WINDOW + 1]  # one more than the window, so that the scrub sees the cut
    if isinstance(answer, dict):
        if "stdout" in answer or "stderr" in answer:
            return _streams(answer.get("stdout"), answer.get("stderr"))
        if isinstance(answer.get("content"), str | list):
            return _said(answer["content"])
    if isinstance(answer, list) and answer and all(map(_is_block, answer[:BLOCKS])):
        return _joined(*(block.get("text") for block in answer[:BLOCKS]))
    return answer


def _streams(out: object, err: object) -> str:
    if isinstance(out, str) and isinstance(err, str) and err:
        out = head(out, RESPONSE // 2)  # the stderr that explains a long stdout must fit too
    return _joined(out, err)


def _joined(*texts: object) -> str:
    return "\n".join(text[: WINDOW + 1] for text in texts if isinstance(text, str) and text)


def _is_block(item: object) -> bool:
    """An MCP content block: `{"type": "text", "text": …}`; pictures and the like have no text."""
    return isinstance(item, dict) and isinstance(item.get("type"), str)


def _exit_code(tool: str, response: object, said: list[object]) -> int | None:
    if isinstance(response, dict):
        # A web answer's `code` is its HTTP status, and 200 is no failure: only a shell's is ours.
        is_shell = tool == "Bash" or "stdout" in response
        for name in (*EXIT_CODE_NAMES, "code") if is_shell else EXIT_CODE_NAMES:
            value = response.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    for part in said:
        told = part.removeprefix("Error: ") if isinstance(part, str) else ""
        if told.startswith(EXIT_CODE_WORDS):
            digits = told.removeprefix(EXIT_CODE_WORDS)[:12].partition("\n")[0].strip()
            if digits.isdecimal():
                return int(digits)
    return None


def _is_flagged(answer: object) -> bool:
    return isinstance(answer, dict) and (
        answer.get("is_error") is True or answer.get("isError") is True
    )
