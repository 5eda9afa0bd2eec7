"""Cursor's hook JSON in Claude Code's names.

A shell command, an edit and a call of an MCP server each come in a form of their own, and none of
them names the event as an id: two deliveries of one are told apart by nothing but `tool_use_id`.
"""

from __future__ import annotations

from recollect.capture.platforms.fields import Spoken, given, known, opened, text

REPLY: Spoken = {"continue": True}


def spoken(host: Spoken) -> Spoken:
    tool = _tool(host)
    said = None if tool else text(host, "output", "text", "last_assistant_message")
    return known(
        session_id=text(host, "conversation_id", "generation_id", "session_id"),
        cwd=_folder(host),
        prompt=host.get("prompt"),
        # One generation answers one prompt.
        prompt_id=text(host, "generation_id"),
        tool_use_id=text(host, "tool_use_id"),
        last_assistant_message=said,
        transcript_path=text(host, "transcript_path"),
        reason=text(host, "reason"),
        **tool,
    )


def context(told: str) -> Spoken:
    return {"additional_context": told}


def _folder(host: Spoken) -> str | None:
    roots = host.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    return first if isinstance(first, str) and first else text(host, "cwd")


def _tool(host: Spoken) -> Spoken:
    named = text(host, "tool_name")
    if named is not None:
        response = given(host, "result_json", "tool_response", "tool_output", "output")
        return known(
            tool_name=named, tool_input=opened(host.get("tool_input")), tool_response=response
        )
    command, edits = text(host, "command"), host.get("edits")
    if command is not None:
        output = given(host, "output", "result_json")
        answer = {"output": output} if output is not None else None
        return known(tool_name="Bash", tool_input={"command": command}, tool_response=answer)
    if isinstance(edits, list):
        path = text(host, "file_path") or ""
        return {"tool_name": "Edit", "tool_input": {"file_path": path, "edits": edits}}
    return {}
