"""Imports of TypeScript and JavaScript: relative, by `paths` of a tsconfig, packages of the tree.

What is in `node_modules` is not of the tree, and leads nowhere.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

EXTENSIONS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""What an import names as it will be, and what it is now."""
CONFIGS = ("tsconfig.json", "jsconfig.json")
MOST_PARENTS = 8
"""Configurations that one may extend, one after the other."""


@dataclass(frozen=True, slots=True)
class _Config:
    """Where names count from, and patterns with at most one star each."""

    base: str | None = None
    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()


class WebRoads:
    def __init__(self, paths: frozenset[str], read: Callable[[str], bytes | None]) -> None:
        self._paths = paths
        self._read = read
        self._configs: dict[str, _Config] = {}
        self._packages = self._named_packages()

    def targets(self, file: str, text: str) -> Iterator[str]:
        folder = posixpath.dirname(file)
        bare = text.partition("?")[0]
        if bare.startswith("."):
            candidates = [posixpath.normpath(posixpath.join(folder, bare))]
        else:
            candidates = [*self._by_config(folder, bare), *self._by_package(bare)]
        found = next(filter(None, map(self._file, candidates)), None)
        if found is not None:
            yield found

    def _file(self, path: str) -> str | None:
        if path == ".." or path.startswith(("../", "/")):
            return None
        path = "" if path == "." else path
        stem, extension = posixpath.splitext(path)
        possible = [path, *(f"{stem}{other}" for other in COMPILED.get(extension, ()))]
        possible += [f"{path}{other}" for other in EXTENSIONS]
        possible += [posixpath.join(path, f"index{other}") for other in EXTENSIONS]
        return next((one for one in possible if one and one in self._paths), None)

    def _by_config(self, folder: str, text: str) -> Iterator[str]:
        config = self._config_of(folder)
        for pattern, targets in config.patterns:
            head, star, tail = pattern.partition("*")
            if not star and text == pattern:
                yield from targets
            elif star and text.startswith(head) and text.endswith(tail):
                middle = text[len(head) : len(text) - len(tail)]
                yield from (target.replace("*", middle, 1) for target in targets)
        if config.base is not None:
            yield posixpath.normpath(posixpath.join(config.base, text))

    def _by_package(self, text: str) -> Iterator[str]:
        parts = text.split("/")
        for length in (2, 1) if text.startswith("@") else (1,):
            folder = self._packages.get("/".join(parts[:length]))
            if folder is not None:
                rest = "/".join(parts[length:])
                yield posixpath.normpath(posixpath.join(folder, "src", rest))
                yield posixpath.normpath(posixpath.join(folder, rest))

    def _config_of(self, folder: str) -> _Config:
        if folder not in self._configs:
            here = [posixpath.join(folder, name) for name in CONFIGS]
            path = next((path for path in here if path in self._paths), None)
            if path is not None:
                self._configs[folder] = self._config(path)
            else:
                above = self._config_of(posixpath.dirname(folder)) if folder else _Config()
                self._configs[folder] = above
        return self._configs[folder]

    def _config(self, path: str, depth: int = 0) -> _Config:
        loaded = _loose_json(self._read(path))
        folder = posixpath.dirname(path)
        parent = _Config()
        extended = loaded.get("extends")
        if isinstance(extended, str) and extended.startswith(".") and depth < MOST_PARENTS:
            above = posixpath.normpath(posixpath.join(folder, extended))
            above = above if above in self._paths else f"{above}.json"
            if above in self._paths:
                parent = self._config(above, depth + 1)
        options = loaded.get("compilerOptions")
        told: Mapping[str, object] = options if isinstance(options, dict) else {}
        base_url, listed = told.get("baseUrl"), told.get("paths")
        base = parent.base
        if isinstance(base_url, str):
            base = posixpath.normpath(posixpath.join(folder, base_url))
        if not isinstance(listed, dict):
            return _Config(base, parent.patterns)
        start = folder if base is None else base
        patterns = {
            pattern: tuple(
                posixpath.normpath(posixpath.join(start, one)) for one in _texts(targets)
            )
            for pattern, targets in listed.items()
        }
        # The longest beginning wins, as TypeScript has it.
        longest = sorted(patterns.items(), key=lambda item: -len(item[0].partition("*")[0]))
        return _Config(base, tuple(longest))

    def _named_packages(self) -> dict[str, str]:
        named: dict[str, str] = {}
        for path in sorted(self._paths):
            if posixpath.basename(path) == "package.json":
                name = _loose_json(self._read(path)).get("name")
                if isinstance(name, str) and name:
                    named.setdefault(name, posixpath.dirname(path))
        return named


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


# A text, a comment, or a comma before a bracket: what a text holds is none of the others.
_LOOSE = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def _loose_json(blob: bytes | None) -> dict[str, object]:
    """JSON as such tools take it, with comments and commas at the end; nothing if it is broken."""
    try:
        text = (blob or b"{}").decode("utf-8-sig")
        without_comments = _LOOSE.sub(_kept, text)
        loaded = json.loads(_LOOSE.sub(_kept, without_comments))
    except (ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _kept(found: re.Match[str]) -> str:
    return found[1] or ""
