"""What a tool is for, and what it was given, whichever agent it belongs to.

Agents call the same work by different names: `Bash`, `exec_command`, `run_shell_command`. Here a
name becomes a trade, and the fields of an input are found under any of the names they have. What
is made of them is the business of `rules` and `portrait`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from recollect.model.event import ToolUse


class Trade(StrEnum):
    RUN = "run"
    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    PATCH = "patch"
    SEARCH = "search"
    FIND = "find"
    """By name, where `SEARCH` looks at what is inside."""
    LIST = "list"
    FETCH = "fetch"
    WEB_SEARCH = "web_search"
    TASK = "task"
    QUESTION = "question"
    PLAN = "plan"
    MCP = "mcp"
    OTHER = "other"


_NAMES: Mapping[Trade, str] = {
    Trade.RUN: "bash shell exec exec_command local_shell local_shell_call container.exec"
    " run_shell_command run_terminal_cmd run_terminal_command run_command execute_command"
    " terminal powershell unified_exec",
    Trade.READ: "read read_file read_many_files view view_file view_image notebookread"
    " readfile open_file cat_file",
    Trade.WRITE: "write write_file create_file create write_to_file save_file",
    Trade.EDIT: "edit edit_file multiedit notebookedit replace replace_in_file str_replace"
    " str_replace_editor str_replace_based_edit_tool search_replace insert_edit_into_file"
    " apply_diff edit_notebook afterfileedit",
    Trade.PATCH: "apply_patch applypatch patch",
    Trade.SEARCH: "grep search_file_content grep_search codebase_search search_files"
    " search_code ripgrep rg",
    Trade.FIND: "glob file_search find_files find_by_name glob_file_search",
    Trade.LIST: "ls list_directory list_dir list_files folder_list",
    Trade.FETCH: "webfetch web_fetch fetch fetch_url browser_navigate open_url",
    Trade.WEB_SEARCH: "websearch web_search google_web_search search_web",
    Trade.TASK: "task agent spawn_agent new_task delegate",
    Trade.QUESTION: "askuserquestion ask_user ask_followup_question request_user_input",
    Trade.PLAN: "todowrite update_plan write_todos todo_write exitplanmode update_todo_list",
}
_TRADES = {name: trade for trade, names in _NAMES.items() for name in names.split()}

MODIFYING = frozenset({Trade.WRITE, Trade.EDIT, Trade.PATCH})
PATH_NAMES = (
    *("file_path", "notebook_path", "absolute_path", "target_file", "path", "filename"),
    *("file_name", "relative_path", "target_notebook", "uri"),
)
FOLDER_NAMES = (
    *("path", "dir_path", "directory", "dir", "folder", "relative_workspace_path"),
    *("target_directory", "absolute_path", "uri"),
)
COMMAND_NAMES = ("command", "cmd", "CommandLine", "script", "value")
PATTERN_NAMES = ("pattern", "query", "regex", "glob_pattern", "search", "value")
URL_NAMES = ("url", "uri", "value")

_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/usr/bin/env", "pwsh"})
_WRAPPED = re.compile(
    r"^(?:/bin/|/usr/bin/)?(?:bash|sh|zsh) -l?c (['\"])(?P<inner>.*)\1$", re.DOTALL
)
_PATCHED = re.compile(
    r"^\*\*\* (?P<verb>Add|Update|Delete) File: (?P<path>\S.*?)\s*$", re.MULTILINE
)
_MOVED = re.compile(r"^\*\*\* Move to: (?P<path>\S.*?)\s*$", re.MULTILINE)
_DIFFED = re.compile(r"^\+\+\+ (?:b/)?(?P<path>\S+)", re.MULTILINE)
_ADDED = re.compile(r"^\+(?!\+\+)[ \t]*(?P<line>\S.*?)\s*$", re.MULTILINE)


def trade_of(tool: str) -> Trade:
    if trade := _TRADES.get(tool.strip().lower()):
        return trade
    return Trade.MCP if "__" in tool else Trade.OTHER


def is_failed(use: ToolUse) -> bool:
    return use.is_failed or use.exit_code not in {None, 0}


def text(use: ToolUse, *names: str) -> str:
    """The first of these inputs that says anything."""
    return text_of(use.input, *names)


def text_of(given: Mapping[str, object], *names: str) -> str:
    return next((said for name in names if (said := plain(given.get(name)))), "")


def plain(value: object) -> str:
    """Text as it is; numbers and lists of words as people would write them; else nothing."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return ""
    if isinstance(value, (int, float)):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, list):
        return " ".join(word for word in value if isinstance(word, str)).strip()
    return ""


def command(use: ToolUse) -> str:
    """What was run, without the shell that was only there to run it."""
    for name in COMMAND_NAMES:
        given = use.input.get(name)
        if isinstance(given, list) and len(given) > 2 and str(given[0]) in _SHELLS:
            last = given[-1]
            if isinstance(last, str) and last.strip():
                return last.strip()
        if said := plain(given):
            wrapped = _WRAPPED.match(said)
            return wrapped["inner"].strip() if wrapped else said
    return ""


def patch(use: ToolUse) -> str:
    return text(use, "patch", "input", "diff", "command", "value")


def patched(written: str) -> list[tuple[str, str]]:
    """What a patch does to which file: `Add`, `Update` or `Delete`, or `Move` to where it went."""
    found = [(match["verb"], match["path"]) for match in _PATCHED.finditer(written)]
    found += [("Move", match["path"]) for match in _MOVED.finditer(written)]
    if not found:
        found = [("Update", match["path"]) for match in _DIFFED.finditer(written)]
    return list(dict.fromkeys(found))


def added(written: str) -> str:
    """The first line that a patch adds and that says something."""
    for match in _ADDED.finditer(written):
        if any(map(str.isalnum, match["line"])):
            return match["line"]
    return ""


def paths(use: ToolUse) -> list[str]:
    """The files that the input names, in its order."""
    found = [plain(use.input.get(name)) for name in PATH_NAMES]
    several = use.input.get("paths") or use.input.get("file_paths") or use.input.get("files")
    if isinstance(several, list):
        found += [
            plain(each.get("path")) if isinstance(each, Mapping) else plain(each)
            for each in several
        ]
    return [path for path in dict.fromkeys(found) if path]


def server_and_name(tool: str) -> tuple[str, str]:
    """`mcp__github__create_issue` → github, create_issue."""
    parts = [part for part in tool.split("__") if part]
    if len(parts) > 1 and parts[0].lower() == "mcp":
        parts = parts[1:]
    return (parts[0], "__".join(parts[1:])) if len(parts) > 1 else ("", tool)
