"""Python's imports: relative ones from the file's package, absolute ones from a source root.

Roots are the tree, folders named `src`, `lib` or `python`, and the folder above a package.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterable, Iterator

ROOTS = {"src", "lib", "python"}
_INIT = ("__init__.py", "__init__.pyi")


class PythonRoads:
    def __init__(self, files: Iterable[str]) -> None:
        self._files = set(files)
        self._packages = {
            posixpath.dirname(file) for file in self._files if posixpath.basename(file) in _INIT
        }
        self._named: dict[str, dict[str, str]] = {}
        # Stubs first, so that source stands in their place where there are both.
        for file in sorted(self._files, key=lambda file: (not file.endswith(".pyi"), file)):
            for root in self._roots(file):
                self._named.setdefault(_dotted(file, root), {})[root] = file

    def targets(self, file: str, text: str) -> Iterator[str]:
        name = text.lstrip(".")
        level = len(text) - len(name)
        target = self._relative(file, name, level) if level else self._absolute(file, name)
        if target is not None:
            yield target

    def _relative(self, file: str, name: str, level: int) -> str | None:
        folder = posixpath.dirname(file)
        for _ in range(level - 1):
            if not folder:
                return None  # above the tree
            folder = posixpath.dirname(folder)
        parts = name.split(".") if name else []
        for length in range(len(parts), -1, -1):
            path = "/".join((*filter(None, (folder,)), *parts[:length]))
            candidates = [f"{path}/{init}".lstrip("/") for init in _INIT]
            candidates += [f"{path}.py", f"{path}.pyi"] if length else []
            found = next((one for one in candidates if one in self._files), None)
            if found is not None:
                return found
        return None

    def _absolute(self, file: str, name: str) -> str | None:
        parts = name.split(".")
        own = self._root_of(file)
        for length in range(len(parts), 0, -1):
            by_root = self._named.get(".".join(parts[:length]), {})
            found = self._nearest(by_root, file, own, is_standard=parts[0] in _STANDARD)
            if found is not None:
                return found
        return None

    def _nearest(
        self, by_root: dict[str, str], file: str, own: str, *, is_standard: bool
    ) -> str | None:
        """The file under the importer's own root, else under the root that it shares most with."""
        if own in by_root:
            return by_root[own]
        if is_standard:  # somewhere else a file may bear the name of a standard module by chance
            return by_root.get("")
        others = {
            root: found
            for root, found in by_root.items()
            # A script's folder is on nobody's path but its own.
            if posixpath.dirname(found) != root
            or root == ""
            or _is_root(root)
            or posixpath.basename(found) in _INIT
        }
        if not others:
            return None
        shared = {root: _shared(root, file) for root in others}
        best = max(shared.values())
        nearest = {others[root] for root, length in shared.items() if length == best}
        return nearest.pop() if len(nearest) == 1 else None  # who can tell which is meant

    def _roots(self, file: str) -> set[str]:
        parts = posixpath.dirname(file).split("/")
        above = {"/".join(parts[: at + 1]) for at, name in enumerate(parts) if name in ROOTS}
        return {"", self._root_of(file), *above}

    def _root_of(self, file: str) -> str:
        """The folder that a file's own package stands in; for what is in none, its folder."""
        folder = posixpath.dirname(file)
        while folder in self._packages and folder:
            folder = posixpath.dirname(folder)
        return folder


_STANDARD = sys.stdlib_module_names


def _shared(root: str, file: str) -> int:
    """How many folders the two have in common, from the top."""
    pairs = zip(root.split("/"), file.split("/"), strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), root.count("/") + 1)


def _is_root(folder: str) -> bool:
    return posixpath.basename(folder) in ROOTS


def _dotted(file: str, root: str) -> str:
    below = file[len(root) + 1 :] if root else file
    stem = below.rpartition(".")[0]
    return stem.removesuffix("/__init__").replace("/", ".")
