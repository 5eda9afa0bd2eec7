"""Looking in people's words: reading, searching, listing, fetching."""

from __future__ import annotations

from recollect.llm import tool
from recollect.llm.calling import other
from recollect.llm.sketch import DISCOVERY, Sketch, names, short, shown
from recollect.model.event import ToolUse


def read(use: ToolUse) -> Sketch:
    paths = tool.paths(use)
    if not paths:
        return other(use)
    named = names(paths)
    start, limit = tool.text(use, "offset", "start_line"), tool.text(use, "limit", "end_line")
    facts = [f"from line {start}"] if start else []
    facts += [f"{limit} lines"] if limit and "limit" in use.input else []
    return Sketch(
        type=DISCOVERY,
        title=f"Read {named}",
        told=[f"Read {', '.join(paths)}"],
        facts=facts,
        read=paths,
    )


def search(use: ToolUse) -> Sketch:
    return _searched(use, "Searched for")


def find(use: ToolUse) -> Sketch:
    return _searched(use, "Looked for files named")


def list_(use: ToolUse) -> Sketch:
    folder = tool.text(use, *tool.FOLDER_NAMES) or "."
    return Sketch(
        type=DISCOVERY,
        title=f"Listed {short(folder)}",
        told=[f"Listed {folder}"],
        facts=[f"path: {folder}"],
    )


def fetch(use: ToolUse) -> Sketch:
    url, purpose = tool.text(use, *tool.URL_NAMES), tool.text(use, "prompt", "question")
    if not (url or purpose):
        return other(use)
    host = url.partition("://")[2].partition("/")[0] if "://" in url else ""
    return Sketch(
        type=DISCOVERY,
        title=f"Fetched {shown(url)}" if url else f"Looked on the web: {shown(purpose)}",
        subtitle=purpose or None if url else None,
        told=[f"Fetched {url}" if url else "Looked on the web", purpose],
        facts=[f"url: {url}"] if url else [],
        concepts=["web", *([host] if host else [])],
    )


def web_search(use: ToolUse) -> Sketch:
    query = tool.text(use, "query", "search_term", "q", "value")
    if not query:
        return other(use)
    return Sketch(
        type=DISCOVERY,
        title=f"Searched the web for “{shown(query)}”",
        told=[f"Searched the web for {query}"],
        facts=[f"query: {query}"],
        concepts=["web", "search"],
    )


def _searched(use: ToolUse, verb: str) -> Sketch:
    pattern = tool.text(use, *tool.PATTERN_NAMES)
    folder = tool.text(use, *tool.FOLDER_NAMES)
    kinds = tool.text(use, "glob", "include", "include_pattern", "file_pattern", "type")
    if not pattern:
        return other(use)
    where = f" in {folder}" if folder else ""
    within = f" in {short(folder)}" if folder else ""
    facts = [
        f"pattern: {pattern}",
        *([f"path: {folder}"] if folder else []),
        *([f"files: {kinds}"] if kinds else []),
    ]
    return Sketch(
        type=DISCOVERY,
        title=f"{verb} `{shown(pattern)}`{within}",
        told=[f"{verb} `{pattern}`{where}" + (f" ({kinds})" if kinds else "")],
        facts=facts,
        concepts=["search"],
    )
