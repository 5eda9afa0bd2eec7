"""Copilot's hook JSON in Claude Code's names: that of VS Code, and the command line's.

The latter spells its fields in one way for events in camelCase and in Claude Code's for the others.
"""

from __future__ import annotations

from recollect.capture.platforms.fields import Spoken, failed, given, known, opened, text

REPLY: Spoken = {}
WELL = "success"


def spoken(host: Spoken) -> Spoken:
    return known(
        session_id=text(host, "sessionId", "session_id"),
        cwd=text(host, "cwd"),
        prompt=host.get("prompt"),
        prompt_id=text(host, "prompt_id", "promptId"),
        tool_name=text(host, "toolName", "tool_name"),
        tool_input=opened(given(host, "toolArgs", "toolInput", "tool_input")),
        tool_response=_answer(host),
        tool_use_id=text(host, "toolUseId", "tool_use_id", "toolCallId"),
        last_assistant_message=text(host, "lastAssistantMessage", "last_assistant_message"),
        transcript_path=text(host, "transcriptPath", "transcript_path"),
        reason=text(host, "reason", "stopReason"),
    )


def context(told: str) -> Spoken:
    return {
        "additionalContext": told,
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": told},
    }


def _answer(host: Spoken) -> object:
    result = given(host, "toolResult", "toolResponse", "tool_response", "tool_result")
    error = host.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    if isinstance(result, dict):
        said = given(result, "textResultForLlm", "text_result_for_llm")
        how = text(result, "resultType", "result_type")
        if isinstance(said, str):
            return {"content": said} if how in (None, WELL) else failed(said, message)
    return failed(result, message) if message else result
