"""The code of a workspace by its modules: files, units, and who imports whom, near some seeds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from recollect.model.policy_errors import PathNotFound
from recollect.model.source import Unit
from recollect.model.workspace import Workspace
from recollect.policy import modules as rule
from recollect.policy.calls import Calls, Edge, calls_of
from recollect.policy.document import Policy
from recollect.policy.ownership import owners_of
from recollect.service.proposing import layout_of
from recollect.workspace import policy_file
from recollect.workspace.reading import Source, read
from recollect.workspace.tree import Limits

MOST_MODULES = 500
MOST_FILES = 5_000
MOST_UNITS = 5_000
MOST_EDGES = 5_000
"""What one atlas tells; what is more is cut, and said to be."""
POLICY, IMPORT = "policy", "import"


@dataclass(frozen=True, slots=True)
class CodeModule:
    id: str
    files: tuple[str, ...]
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class CodeEdge:
    """`count` is how many imports of a file by a file there are; one for what a policy says."""

    caller: str
    called: str
    kind: str
    is_allowed: bool | None
    reason: str | None
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeAtlas:
    """`left_out` counts what was passed over, by reason; `limits` are those that were in force."""

    root: str
    modules: tuple[CodeModule, ...]
    edges: tuple[CodeEdge, ...]
    seeds: tuple[str, ...]
    radius: int
    is_cut: bool
    limits: Mapping[str, int]
    file_count: int
    parsed_count: int
    unit_count: int
    unowned_count: int
    left_out: Mapping[str, int]
    has_policy: bool


def code_atlas(
    workspace: Workspace,
    policy: Policy | None,
    seeds: Sequence[str],
    radius: int,
    *,
    limits: Limits | None = None,
) -> CodeAtlas:
    """Without seeds, all modules. Without a policy, folders are the modules, and nothing is
    allowed or forbidden. `UnknownModules` names seeds that the policy does not have."""
    if workspace.root is None:
        raise PathNotFound
    asked = _seeds(workspace, policy, seeds)
    source = read(workspace.root, limits or Limits())
    layout = policy or layout_of(source.tree)
    calls = calls_of(policy) if policy is not None else None
    owned = _owned(layout, source)
    imports = _imports(owned, source)
    found = list(layout.ids) if not asked else _near(asked, radius, calls, imports)
    kept = found[:MOST_MODULES]
    edges = list(_edges(kept, calls, imports))
    by_module: dict[str, list[str]] = defaultdict(list)
    for path, owner in owned.items():
        by_module[owner].append(path)
    told, is_cut = _told(kept, by_module, source)
    return CodeAtlas(
        root=source.tree.root,
        modules=told,
        edges=tuple(edges[:MOST_EDGES]),
        seeds=asked,
        radius=radius,
        is_cut=is_cut or source.tree.is_cut or len(found) > len(kept) or len(edges) > MOST_EDGES,
        limits={
            **asdict(source.tree.limits),
            "modules": MOST_MODULES,
            "told_files": MOST_FILES,
            "units": MOST_UNITS,
            "edges": MOST_EDGES,
        },
        file_count=len(source.tree.files),
        parsed_count=len(source.parsed),
        unit_count=sum(len(one.units) for one in source.parsed.values()),
        unowned_count=sum(path not in owned for path in source.parsed),
        left_out=dict(source.tree.left_out),
        has_policy=policy is not None,
    )


def _seeds(workspace: Workspace, policy: Policy | None, seeds: Sequence[str]) -> tuple[str, ...]:
    aliases = policy_file.known(workspace).aliases if policy is not None and seeds else {}
    found = rule.resolved(
        policy, aliases, seeds, is_strict=workspace.is_strict, argument="seedModules"
    )
    return tuple(dict.fromkeys(found))


def _owned(layout: Policy, source: Source) -> dict[str, str]:
    """The owner of each file that has one."""
    owners = owners_of(layout)
    found = ((file.path, owners.of(file.path)) for file in source.tree.files)
    return {path: owner for path, owner in found if owner is not None}


def _imports(owned: Mapping[str, str], source: Source) -> Counter[tuple[str, str]]:
    """How often a file of one module imports a file of another."""
    pairs = ((owned.get(one.from_file), owned.get(one.to_file)) for one in source.imports)
    return Counter(
        (caller, called)
        for caller, called in pairs
        if caller is not None and called is not None and caller != called
    )


def _near(
    seeds: Iterable[str], radius: int, calls: Calls | None, imports: Iterable[tuple[str, str]]
) -> list[str]:
    """The seeds, and what policy and imports join to them: nearest first, then by name."""
    joined: dict[str, set[str]] = defaultdict(set)
    for caller, called in imports:
        joined[caller].add(called)
        joined[called].add(caller)
    found = dict.fromkeys(seeds)
    rim = list(found)
    for _ in range(radius):
        near: set[str] = set()
        for id_ in rim:
            near |= joined[id_] | (calls.near(id_) if calls is not None else set())
            if len(near) + len(found) > 2 * MOST_MODULES:  # enough to know that it will be cut
                break
        rim = sorted(near - found.keys())
        found.update(dict.fromkeys(rim))
        if not rim or len(found) > MOST_MODULES:
            break
    return list(found)


def _edges(
    kept: Sequence[str], calls: Calls | None, imports: Mapping[tuple[str, str], int]
) -> Iterator[CodeEdge]:
    inside = set(kept)
    for (caller, called), count in sorted(imports.items()):
        if caller in inside and called in inside:
            verdict = Edge(caller, called, None) if calls is None else calls.verdict(caller, called)
            yield CodeEdge(caller, called, IMPORT, verdict.is_allowed, verdict.reason, count)
    if calls is not None:
        for called in kept:
            for edge in calls.into(called, among=inside):
                yield CodeEdge(edge.caller, called, POLICY, edge.is_allowed, edge.reason, 1)


def _told(
    kept: Sequence[str], by_module: Mapping[str, Sequence[str]], source: Source
) -> tuple[tuple[CodeModule, ...], bool]:
    told = []
    room_for_files, room_for_units, is_cut = MOST_FILES, MOST_UNITS, False
    for id_ in kept:
        files = by_module.get(id_, ())
        units = [
            unit for path in files if path in source.parsed for unit in source.parsed[path].units
        ]
        is_cut = is_cut or len(files) > room_for_files or len(units) > room_for_units
        one = CodeModule(id_, tuple(files[:room_for_files]), tuple(units[:room_for_units]))
        room_for_files -= len(one.files)
        room_for_units -= len(one.units)
        told.append(one)
    return tuple(told), is_cut
