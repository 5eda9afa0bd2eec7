"""Gemini CLI's hook JSON in Claude Code's names; its stdout may hold JSON only."""

from __future__ import annotations

from recollect.capture.platforms.fields import Spoken, failed, known, text

REPLY: Spoken = {"continue": True, "suppressOutput": True}
EXIT_CODE = "\nExit Code: "
DIGITS = 12


def spoken(host: Spoken) -> Spoken:
    return known(
        session_id=text(host, "session_id"),
        cwd=text(host, "cwd"),
        prompt=host.get("prompt"),
        prompt_id=text(host, "prompt_id"),
        tool_name=text(host, "tool_name"),
        tool_input=host.get("tool_input"),
        tool_response=_answer(host.get("tool_response")),
        tool_use_id=text(host, "tool_use_id"),
        last_assistant_message=text(host, "prompt_response", "last_assistant_message"),
        transcript_path=text(host, "transcript_path"),
        reason=text(host, "reason"),
    )


def context(told: str) -> Spoken:
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": told}}


def _answer(response: object) -> object:
    """What the model was given to read; a shell tells its exit code inside of it."""
    if not isinstance(response, dict):
        return response
    error, said = response.get("error"), response.get("llmContent")
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return failed(said if isinstance(said, str) else None, message)
    if not isinstance(said, str):
        return response if said is None else {"content": said}
    answer: Spoken = {"content": said}
    _, found, rest = said.rpartition(EXIT_CODE)
    digits = rest[:DIGITS].partition("\n")[0].strip()
    return answer | ({"exit_code": int(digits)} if found and digits.isdecimal() else {})
