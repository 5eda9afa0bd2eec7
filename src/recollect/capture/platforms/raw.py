"""What anybody may send who has no client of their own: each name in both spellings."""

from __future__ import annotations

from recollect.capture.platforms.fields import Spoken, failed, given, known, text

REPLY: Spoken = {"continue": True, "suppressOutput": True, "exitCode": 0}


def spoken(host: Spoken) -> Spoken:
    response = given(host, "toolResponse", "tool_response")
    error = text(host, "error")
    return known(
        session_id=text(host, "sessionId", "session_id"),
        cwd=text(host, "cwd"),
        prompt=host.get("prompt"),
        prompt_id=text(host, "promptId", "prompt_id"),
        tool_name=text(host, "toolName", "tool_name"),
        tool_input=given(host, "toolInput", "tool_input"),
        tool_response=failed(response, error) if error else response,
        tool_use_id=text(host, "toolUseId", "tool_use_id"),
        last_assistant_message=text(
            host, "output", "lastAssistantMessage", "last_assistant_message"
        ),
        transcript_path=text(host, "transcriptPath", "transcript_path"),
        reason=text(host, "reason"),
    )


def context(told: str) -> Spoken:
    return {"additionalContext": told}
