"""What each client's hooks send, in Claude Code's names; payloads by their documented fields."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from promises import last, promise
from recollect.capture import codec
from recollect.cli.delivery import PLATFORMS

CURSOR = {
    "conversation_id": "c-668320d2",
    "generation_id": "g-490b90b7",
    "model": "gpt-5",
    "cursor_version": "2.1.0",
    "workspace_roots": ["/code/shop", "/code/lib"],
    "user_email": None,
}
CURSOR_IS = {"session_id": "c-668320d2", "cwd": "/code/shop", "prompt_id": "g-490b90b7"}
CODEX = {
    "session_id": "0199a213",
    "transcript_path": None,
    "cwd": "/code/shop",
    "model": "gpt-5-codex",
    "permission_mode": "default",
    "turn_id": "5",
}
CODEX_IS = {"session_id": "0199a213", "cwd": "/code/shop", "prompt_id": "5"}
GEMINI = {
    "session_id": "gem-1",
    "transcript_path": "/tmp/gem.json",
    "cwd": "/code/shop",
    "timestamp": "2026-11-19T10:00:00.000Z",
}
GEMINI_IS = {"session_id": "gem-1", "cwd": "/code/shop", "transcript_path": "/tmp/gem.json"}
CLAUDE = {
    "session_id": "d4f8a2b1",
    "prompt_id": "p-1",
    "transcript_path": "/tmp/t.jsonl",
    "cwd": "/code/shop",
    "permission_mode": "default",
}
CLAUDE_IS = {
    "session_id": "d4f8a2b1",
    "prompt_id": "p-1",
    "transcript_path": "/tmp/t.jsonl",
    "cwd": "/code/shop",
}
COPILOT = {"timestamp": 1704614600000, "cwd": "/code/shop", "sessionId": "cop-1"}
COPILOT_IS = {"session_id": "cop-1", "cwd": "/code/shop"}
WINDSURF = {"trajectory_id": "w-1", "execution_id": "e-1", "timestamp": "2026-11-19T10:00:00Z"}

SPOKEN: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # platform, payload, what it says in Claude Code's names, because
    (
        "claude-code",
        {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "Fix it"},
        {**CLAUDE_IS, "prompt": "Fix it"},
        "a prompt of Claude Code",
    ),
    (
        "claude-code",
        {
            **CLAUDE,
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": "/code/shop/a.py"},
            "tool_response": {"file": {"numLines": 3}},
            "tool_use_id": "toolu_01",
        },
        {
            **CLAUDE_IS,
            "tool_name": "Read",
            "tool_input": {"file_path": "/code/shop/a.py"},
            "tool_response": {"file": {"numLines": 3}},
            "tool_use_id": "toolu_01",
        },
        "a tool use of Claude Code",
    ),
    (
        "claude-code",
        {
            **CLAUDE,
            "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "error": "Exit code 2\nmake: *** no rule",
        },
        {
            **CLAUDE_IS,
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
            "tool_response": {"is_error": True, "content": "Exit code 2\nmake: *** no rule"},
        },
        "a failure of Claude Code is told in the answer",
    ),
    (
        "claude-code",
        {**CLAUDE, "hook_event_name": "Stop", "last_assistant_message": "Done."},
        {**CLAUDE_IS, "last_assistant_message": "Done."},
        "newer Stop payloads carry the last message",
    ),
    (
        "claude-code",
        {**CLAUDE, "output": "Done so.", "last_assistant_message": "Done."},
        {**CLAUDE_IS, "last_assistant_message": "Done so."},
        "output comes first, as published",
    ),
    (
        "cursor",
        {**CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": "Fix", "attachments": []},
        {**CURSOR_IS, "prompt": "Fix"},
        "a prompt of Cursor",
    ),
    (
        "cursor",
        {
            **CURSOR,
            "hook_event_name": "afterShellExecution",
            "command": "git status",
            "output": "clean",
            "duration": 12,
        },
        {
            **CURSOR_IS,
            "tool_name": "Bash",
            "tool_input": {"command": "git status"},
            "tool_response": {"output": "clean"},
        },
        "a shell command of Cursor is Bash",
    ),
    (
        "cursor",
        {
            **CURSOR,
            "hook_event_name": "afterMCPExecution",
            "tool_name": "search_issues",
            "tool_input": '{"query": "refresh"}',
            "result_json": '{"items": []}',
        },
        {
            **CURSOR_IS,
            "tool_name": "search_issues",
            "tool_input": {"query": "refresh"},
            "tool_response": '{"items": []}',
        },
        "arguments that Cursor sends as a text are opened",
    ),
    (
        "cursor",
        {
            **CURSOR,
            "hook_event_name": "afterFileEdit",
            "file_path": "/code/shop/a.py",
            "edits": [{"old_string": "a", "new_string": "b"}],
        },
        {
            **CURSOR_IS,
            "tool_name": "Edit",
            "tool_input": {
                "file_path": "/code/shop/a.py",
                "edits": [{"old_string": "a", "new_string": "b"}],
            },
        },
        "an edit of Cursor",
    ),
    (
        "cursor",
        {"generation_id": "g-1", "workspace_roots": []},
        {"session_id": "g-1", "prompt_id": "g-1"},
        "without a conversation, the generation is the session",
    ),
    (
        "codex",
        {**CODEX, "hook_event_name": "UserPromptSubmit", "prompt": "Fix"},
        {**CODEX_IS, "prompt": "Fix"},
        "a prompt of Codex",
    ),
    (
        "codex",
        {
            **CODEX,
            "hook_event_name": "PostToolUse",
            "tool_name": "apply_patch",
            "tool_input": {"command": "*** Begin Patch"},
            "tool_response": "ok",
            "tool_use_id": "call_9",
        },
        {
            **CODEX_IS,
            "tool_name": "apply_patch",
            "tool_input": {"command": "*** Begin Patch"},
            "tool_response": "ok",
            "tool_use_id": "call_9",
        },
        "a tool use of Codex",
    ),
    (
        "codex",
        {"conversation_id": "c-1", "cwd": "/x", "command": "ls", "output": "a"},
        {
            "session_id": "c-1",
            "cwd": "/x",
            "tool_name": "exec_command",
            "tool_input": {"command": "ls"},
            "tool_response": {"output": "a"},
        },
        "a bare command of Codex is exec_command",
    ),
    (
        "codex",
        {**CODEX, "hook_event_name": "Stop", "last_assistant_message": "Done."},
        {**CODEX_IS, "last_assistant_message": "Done."},
        "the end of a turn of Codex",
    ),
    (
        "raw",
        {"sessionId": "r", "cwd": "/x", "toolName": "T", "toolInput": {"a": 1}, "toolResponse": 2},
        {
            "session_id": "r",
            "cwd": "/x",
            "tool_name": "T",
            "tool_input": {"a": 1},
            "tool_response": 2,
        },
        "raw in camel case",
    ),
    (
        "raw",
        {"session_id": "r", "tool_name": "T", "tool_input": {}, "tool_response": {"b": 2}},
        {"session_id": "r", "tool_name": "T", "tool_input": {}, "tool_response": {"b": 2}},
        "raw in snake case",
    ),
    (
        "gemini",
        {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": "Fix"},
        {**GEMINI_IS, "prompt": "Fix"},
        "a prompt of Gemini",
    ),
    (
        "gemini",
        {
            **GEMINI,
            "hook_event_name": "AfterTool",
            "tool_name": "run_shell_command",
            "tool_input": {"command": "make"},
            "tool_response": {
                "llmContent": "Command: make\nStdout: x\nExit Code: 2\nSignal: (none)",
                "returnDisplay": "x",
            },
        },
        {
            **GEMINI_IS,
            "tool_name": "run_shell_command",
            "tool_input": {"command": "make"},
            "tool_response": {
                "content": "Command: make\nStdout: x\nExit Code: 2\nSignal: (none)",
                "exit_code": 2,
            },
        },
        "Gemini's shell tells its exit code in what the model reads",
    ),
    (
        "gemini",
        {**GEMINI, "tool_name": "read_file", "tool_response": {"error": {"message": "no file"}}},
        {
            **GEMINI_IS,
            "tool_name": "read_file",
            "tool_response": {"is_error": True, "content": "no file"},
        },
        "a failure of Gemini",
    ),
    (
        "gemini",
        {**GEMINI, "hook_event_name": "AfterAgent", "prompt": "Fix", "prompt_response": "Done."},
        {**GEMINI_IS, "prompt": "Fix", "last_assistant_message": "Done."},
        "the end of a turn of Gemini",
    ),
    (
        "copilot",
        {
            **COPILOT,
            "toolName": "bash",
            "toolArgs": '{"command": "npm test"}',
            "toolResult": {"resultType": "success", "textResultForLlm": "12 passed"},
        },
        {
            **COPILOT_IS,
            "tool_name": "bash",
            "tool_input": {"command": "npm test"},
            "tool_response": {"content": "12 passed"},
        },
        "a tool use of Copilot's command line",
    ),
    (
        "copilot",
        {
            **COPILOT,
            "toolName": "bash",
            "toolArgs": "not json",
            "toolResult": {"resultType": "failure", "textResultForLlm": "1 failed"},
        },
        {
            **COPILOT_IS,
            "tool_name": "bash",
            "tool_input": "not json",
            "tool_response": {"is_error": True, "content": "1 failed"},
        },
        "a failure of Copilot's command line",
    ),
    (
        "copilot",
        {"session_id": "cop-2", "cwd": "/x", "hook_event_name": "UserPromptSubmit", "prompt": "Go"},
        {"session_id": "cop-2", "cwd": "/x", "prompt": "Go"},
        "its events in Pascal case speak as Claude Code does",
    ),
    (
        "windsurf",
        {
            **WINDSURF,
            "agent_action_name": "pre_user_prompt",
            "tool_info": {"user_prompt": "Fix"},
        },
        {"session_id": "w-1", "prompt": "Fix", "prompt_id": "e-1"},
        "a prompt of Windsurf",
    ),
    (
        "windsurf",
        {
            **WINDSURF,
            "agent_action_name": "post_run_command",
            "tool_info": {"command_line": "make", "cwd": "/code/shop"},
        },
        {
            "session_id": "w-1",
            "cwd": "/code/shop",
            "tool_name": "Bash",
            "tool_input": {"command": "make"},
        },
        "a command of Windsurf",
    ),
    (
        "windsurf",
        {
            **WINDSURF,
            "agent_action_name": "post_write_code",
            "tool_info": {"file_path": "/a.py", "edits": [{"new_string": "b"}]},
        },
        {
            "session_id": "w-1",
            "tool_name": "Edit",
            "tool_input": {"file_path": "/a.py", "edits": [{"new_string": "b"}]},
        },
        "an edit of Windsurf",
    ),
    (
        "windsurf",
        {
            **WINDSURF,
            "agent_action_name": "post_mcp_tool_use",
            "tool_info": {
                "mcp_tool_name": "search",
                "mcp_tool_arguments": {"q": "x"},
                "mcp_result": "[]",
            },
        },
        {
            "session_id": "w-1",
            "tool_name": "search",
            "tool_input": {"q": "x"},
            "tool_response": "[]",
        },
        "a call of an MCP server by Windsurf",
    ),
    (
        "windsurf",
        {
            **WINDSURF,
            "agent_action_name": "post_cascade_response",
            "tool_info": {"response": "Done."},
        },
        {"session_id": "w-1", "last_assistant_message": "Done."},
        "the end of a turn of Windsurf",
    ),
]


def platform(name: str) -> Any:
    return importlib.import_module(f"recollect.capture.platforms.{PLATFORMS[name]}")


@promise("codexmem:hook:fields")
@pytest.mark.parametrize(("name", "host", "spoken", "because"), SPOKEN, ids=last)
def test_a_clients_words_become_claude_codes(
    name: str, host: dict[str, Any], spoken: dict[str, Any], because: str
) -> None:
    assert platform(name).spoken(host) == spoken


WRONG: list[Any] = [None, 3, "", [], {}, ["x"], {"a": 1}, True, 1.5]
NAMES = sorted({name for _, host, _, _ in SPOKEN for name in host})


@pytest.mark.parametrize("name", PLATFORMS)
def test_no_field_of_another_type_stops_a_hook(name: str) -> None:
    for value in WRONG:
        spoken = platform(name).spoken(dict.fromkeys(NAMES, value))
        assert isinstance(spoken.get("session_id", ""), str)
        assert isinstance(spoken.get("cwd", ""), str)
        assert isinstance(spoken.get("tool_name", ""), str)


REPLIES = [
    ("claude-code", '{"continue":true,"suppressOutput":true}'),
    ("codex", '{"continue":true,"suppressOutput":true}'),
    ("cursor", '{"continue":true}'),
    ("raw", '{"continue":true,"suppressOutput":true,"exitCode":0}'),
    ("gemini", '{"continue":true,"suppressOutput":true}'),
    ("copilot", "{}"),
    ("windsurf", "{}"),
]


@promise("codexmem:hook:reply")
@pytest.mark.parametrize(("name", "line"), REPLIES)
def test_each_client_is_answered_in_its_own_form(name: str, line: str) -> None:
    assert codec.compact(platform(name).REPLY) == line
