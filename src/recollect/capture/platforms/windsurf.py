"""Windsurf's hook JSON in Claude Code's names: what happened stands in `tool_info`."""

from __future__ import annotations

from recollect.capture.platforms.fields import Spoken, known, opened, text

REPLY: Spoken = {}


def spoken(host: Spoken) -> Spoken:
    told = host.get("tool_info")
    info: Spoken = told if isinstance(told, dict) else {}
    return known(
        session_id=text(host, "trajectory_id", "execution_id"),
        cwd=text(info, "cwd") or text(host, "cwd"),
        prompt=info.get("user_prompt"),
        prompt_id=text(host, "execution_id") if "user_prompt" in info else None,
        last_assistant_message=text(info, "response"),
        **_tool(info),
    )


def context(told: str) -> Spoken:  # noqa: ARG001 - as every platform answers
    """Windsurf's hooks inject nothing; its users have rules files."""
    return {}


def _tool(info: Spoken) -> Spoken:
    command, called, path = (
        text(info, name) for name in ("command_line", "mcp_tool_name", "file_path")
    )
    if command is not None:
        return {"tool_name": "Bash", "tool_input": {"command": command}}
    if called is not None:
        arguments = opened(info.get("mcp_tool_arguments"))
        return known(tool_name=called, tool_input=arguments, tool_response=info.get("mcp_result"))
    if path is not None:
        edits = info.get("edits")
        is_edit = isinstance(edits, list)
        tool_input = known(file_path=path, edits=edits if is_edit else None)
        return {"tool_name": "Edit" if is_edit else "Read", "tool_input": tool_input}
    return {}
