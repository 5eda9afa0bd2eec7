"""A policy proposed from a tree: a module for each part of the code, as its folders show it.

Nothing is written here, and nobody is forbidden anything: that is for people to say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from recollect.model.policy_errors import PathNotFound
from recollect.model.workspace import Workspace
from recollect.policy.document import Module, Policy
from recollect.workspace.tree import Tree, walk

HOLDERS = {"packages", "apps", "services", "crates", "cmd", "plugins"}
"""Folders of a monorepo: each folder in them is a part, whatever is in it."""
CONTAINERS = {"src", "lib", "internal", "pkg", *HOLDERS}
"""Folders that hold parts and are none."""
DEEPEST = 4
FEWEST_PARTS = 2
SCHEMA_VERSION = "1.0.0"


def proposed(workspace: Workspace) -> Mapping[str, object]:
    """The proposal as a policy file has it, ready to be written as JSON."""
    if workspace.root is None:
        raise PathNotFound
    layout = layout_of(walk(workspace.root))
    return {
        "schemaVersion": SCHEMA_VERSION,
        "modules": {
            module.id: {
                "coords": [int(at) for at in module.coords or (0, 0)],
                "owns_paths": list(module.owns_paths),
            }
            for module in layout.modules.values()
        },
    }


def layout_of(tree: Tree) -> Policy:
    """The parts of a tree, each with what it owns; by name."""
    folders = [tuple(file.path.split("/")[:-1]) for file in tree.files if file.language is not None]
    counted = Counter(folders)
    parts: dict[str, tuple[str, ...]] = {}
    for part in sorted(_parts((), counted)):
        parts.setdefault(_id_of(part), part)
    modules = {}
    for place, (id_, part) in enumerate(parts.items()):
        coords = (float(place % 8), float(place // 8))
        modules[id_] = Module(id=id_, owns_paths=("/".join((*part, "**")),), coords=coords)
    return Policy(modules, SCHEMA_VERSION)


def _parts(above: tuple[str, ...], counted: Counter[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The folders below one that are parts; a folder that only holds parts is opened."""
    depth = len(above)
    children = {folder[: depth + 1] for folder in counted if len(folder) > depth}
    found: set[tuple[str, ...]] = set()
    for child in children:
        inner = {folder: count for folder, count in counted.items() if folder[: depth + 1] == child}
        grandchildren = {folder[: depth + 2] for folder in inner if len(folder) > depth + 1}
        is_held = bool(above) and above[-1].lower() in HOLDERS
        is_container = child[-1].lower() in CONTAINERS
        # What has no files of its own, or no folder beside it, may still hold parts.
        holds = child not in inner or len(children) == 1
        is_opened = is_container or (holds and len(grandchildren) >= FEWEST_PARTS)
        if grandchildren and is_opened and not is_held and depth < DEEPEST:
            found |= _parts(child, Counter(inner))
            if child in inner:  # what lies beside its parts is nobody's but its own
                found.add(child)
        else:
            found.add(child)
    return found


def _id_of(part: tuple[str, ...]) -> str:
    """An id in the letters that ids may have; `src` and the like say nothing and are left out."""
    names = part[1:] if len(part) > 1 and part[0].lower() in {"src", "lib"} else part
    kept = [re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-") or "part" for name in names]
    return "/".join(kept)
