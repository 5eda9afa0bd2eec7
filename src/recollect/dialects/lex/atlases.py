"""`lex.code_atlas`: modules with their files and units, and who imports or may call whom."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Told, as_json
from recollect.dialects.lex.asked import Asked
from recollect.model.source import Unit
from recollect.service import code_atlas as code
from recollect.service import modules
from recollect.service.code_atlas import CodeAtlas, CodeEdge, CodeModule

RADIUS = 1
MOST_FILES = 20
"""Files whose units the text tells; the data has all."""
MOST_UNITS = 10
"""Of one file."""
MOST_EDGES = 40
_VERDICT = {True: "✅ Allowed", False: "🚫 Forbidden", None: "no policy"}


def code_atlas(desk: Desk, arguments: Arguments) -> Told:
    asked = Asked(arguments)
    seeds, radius = asked.texts("seedModules"), asked.number("foldRadius", RADIUS)
    asked.refuse()
    workspace = desk.workspace()
    atlas = code.code_atlas(workspace, modules.policy_for(workspace), seeds, radius)
    return Told(_text(atlas), _data(atlas))


def _data(atlas: CodeAtlas) -> dict[str, Json]:
    return {
        "modules": [_module(each) for each in atlas.modules],
        "edges": [_edge(each) for each in atlas.edges],
        "seeds": list(atlas.seeds),
        "fold_radius": atlas.radius,
        "truncated": atlas.is_cut,
        "limits": as_json(atlas.limits),
        "files": atlas.file_count,
        "files_parsed": atlas.parsed_count,
        "units": atlas.unit_count,
        "files_without_module": atlas.unowned_count,
        "left_out": as_json(atlas.left_out),
    }


def _module(given: CodeModule) -> dict[str, Json]:
    return {
        "id": given.id,
        "files": list(given.files),
        "units": [_unit(each) for each in given.units],
    }


def _unit(given: Unit) -> dict[str, Json]:
    return {
        "kind": given.kind,
        "name": given.name,
        "file": given.file,
        "start_line": given.start_line,
        "end_line": given.end_line,
    }


def _edge(given: CodeEdge) -> dict[str, Json]:
    return {
        "from": given.caller,
        "to": given.called,
        "kind": given.kind,
        "allowed": given.is_allowed,
        "reason": given.reason,
        "count": given.count,
    }


def _text(atlas: CodeAtlas) -> str:
    told = [
        "🗺️  Code Atlas Generated",
        "",
        f"Repository: {atlas.root.rstrip('/').rpartition('/')[2]}",
        f"🌱 Seed modules: {', '.join(atlas.seeds) or 'all'} (fold radius: {atlas.radius})",
        f"Files scanned: {atlas.parsed_count}",
        f"Units extracted: {atlas.unit_count}",
        "Strategy: static",
        "",
        f"📦 Modules ({len(atlas.modules)}):",
        *(
            f"  {each.id} ({len(each.files)} files, {len(each.units)} units)"
            for each in atlas.modules
        ),
    ]
    if atlas.edges:
        told += ["", "🔗 Edges:", *(f"  {_edge_text(each)}" for each in atlas.edges[:MOST_EDGES])]
        told += _more(len(atlas.edges) - MOST_EDGES)
    told += _units_text([unit for module in atlas.modules for unit in module.units])
    if not atlas.has_policy:
        told += ["", "📋 No policy: folders stand for modules"]
    if atlas.unowned_count:
        told += ["", f"Files of no module: {atlas.unowned_count}"]
    if atlas.left_out:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(atlas.left_out.items()))
        told += ["", f"Left out: {reasons}"]
    if atlas.is_cut:
        told += ["", "✂️  Truncated: not everything is within the limits; seeds narrow what is told"]
    return "\n".join(told) + "\n"


def _edge_text(edge: CodeEdge) -> str:
    reason = f" - {edge.reason}" if edge.reason else ""
    times = f", {edge.count} imports" if edge.kind == code.IMPORT else ""
    return (
        f"{edge.caller} → {edge.called} ({edge.kind}{times}) [{_VERDICT[edge.is_allowed]}]{reason}"
    )


def _units_text(units: Sequence[Unit]) -> list[str]:
    by_file: dict[str, list[Unit]] = {}
    for unit in units:
        by_file.setdefault(unit.file, []).append(unit)
    if not by_file:
        return []
    told = ["", "📦 Extracted Units:"]
    for path, within in list(by_file.items())[:MOST_FILES]:
        told.append(f"  {path}")
        told += [
            f"    - {unit.kind}: {unit.name} (lines {unit.start_line}-{unit.end_line})"
            for unit in within[:MOST_UNITS]
        ]
        told += _more(len(within) - MOST_UNITS, indent="    ")
    return told + _more(len(by_file) - MOST_FILES, what="files")


def _more(left: int, *, indent: str = "  ", what: str = "") -> list[str]:
    return [f"{indent}… and {left} more{' ' if what else ''}{what}"] if left > 0 else []
