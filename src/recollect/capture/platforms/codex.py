"""Codex's hook JSON in Claude Code's names: nearly the same, with turns instead of prompts."""

from __future__ import annotations

from recollect.capture.platforms.fields import Spoken, given, known, opened, text

REPLY: Spoken = {"continue": True, "suppressOutput": True}
SHELL = "exec_command"


def spoken(host: Spoken) -> Spoken:
    tool = _tool(host)
    said = text(host, "output", "last_assistant_message", "last-assistant-message")
    return known(
        session_id=text(host, "session_id", "sessionId", "conversation_id", "thread-id"),
        cwd=text(host, "cwd"),
        prompt=host.get("prompt"),
        prompt_id=text(host, "turn_id", "prompt_id", "turn-id"),
        tool_use_id=text(host, "tool_use_id", "call_id"),
        last_assistant_message=None if tool else said,
        transcript_path=text(host, "transcriptPath", "transcript_path"),
        reason=text(host, "reason"),
        **tool,
    )


def context(told: str) -> Spoken:
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": told}}


def _tool(host: Spoken) -> Spoken:
    named = text(host, "tool_name", "toolName")
    response = given(host, "tool_response", "toolResponse", "result_json")
    if named is not None:
        arguments = opened(given(host, "tool_input", "toolInput"))
        return known(tool_name=named, tool_input=arguments, tool_response=response)
    command = given(host, "command")
    if command is None:
        return {}
    output = given(host, "output")
    answer = {"output": output} if output is not None else response
    return known(tool_name=SHELL, tool_input={"command": command}, tool_response=answer)
