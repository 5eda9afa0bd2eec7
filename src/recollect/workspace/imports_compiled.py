"""Imports of Go, Rust and Java: by the module of `go.mod`, by crates, and by packages.

A Go import and a Java import with a star mean a folder; its first file stands for it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

Read = Callable[[str], bytes | None]
MOST_USES = 1_000
"""Paths that one `use` of Rust may stand for."""


class GoRoads:
    def __init__(self, files: Iterable[str], paths: frozenset[str], read: Read) -> None:
        self._first: dict[str, str] = {}
        for file in sorted(files, key=lambda file: (file.endswith("_test.go"), file)):
            self._first.setdefault(posixpath.dirname(file), file)
        self._modules: dict[str, str] = {}
        for path in sorted(paths):
            if posixpath.basename(path) == "go.mod":
                text = (read(path) or b"").decode("utf-8", "replace")
                named = re.search(r"^\s*module\s+\"?([^\s\"]+)", text, re.MULTILINE)
                if named is not None:
                    self._modules[named[1]] = posixpath.dirname(path)

    def targets(self, file: str, text: str) -> Iterator[str]:  # noqa: ARG002  as for the others
        name = text
        while name:
            if name in self._modules:
                folder = posixpath.join(self._modules[name], text[len(name) + 1 :]).rstrip("/")
                if folder in self._first:
                    yield self._first[folder]
                return
            name = name.rpartition("/")[0]


class JavaRoads:
    """A file is known by its package, which it says itself, and its own name."""

    def __init__(self, packages: Mapping[str, str]) -> None:
        self._named: dict[str, str] = {}
        self._first: dict[str, str] = {}
        for file in sorted(packages):
            package = packages[file]
            name = posixpath.basename(file).removesuffix(".java")
            self._named.setdefault(f"{package}.{name}".lstrip("."), file)
            self._first.setdefault(package, file)

    def targets(self, file: str, text: str) -> Iterator[str]:  # noqa: ARG002  as for the others
        words = text.replace(";", " ").split()
        name = words[-1] if words else ""
        if name.endswith(".*") and name[:-2] in self._first:
            yield self._first[name[:-2]]
            return
        name = name.removesuffix(".*")
        while name:  # an inner class, or a static member, is in the file of its class
            if name in self._named:
                yield self._named[name]
                return
            name = name.rpartition(".")[0]


class RustRoads:
    def __init__(self, files: Iterable[str], paths: frozenset[str], read: Read) -> None:
        self._files = set(files)
        self._crates: dict[str, str] = {}
        """The folder of a crate's source, by its name in code."""
        for path in sorted(paths):
            if posixpath.basename(path) == "Cargo.toml":
                name = _crate_named(read(path))
                source = posixpath.join(posixpath.dirname(path), "src")
                if name is not None:
                    self._crates[name.replace("-", "_")] = source

    def targets(self, file: str, text: str) -> Iterator[str]:
        declared = re.fullmatch(r"(?:pub(?:\([^)]*\))?\s+)?mod\s+(?:r#)?(\w+)\s*;", text)
        if declared is not None:
            found = self._module(self._folder_of(file), [declared[1]])
            if found is not None:
                yield found
            return
        for use in _uses(text):
            found = self._used(file, use)
            if found is not None:
                yield found

    def _used(self, file: str, use: list[str]) -> str | None:
        first, rest = use[0], use[1:]
        if first == "crate":
            folder = self._crate_of(file)
        elif first in {"self", "super"}:
            return self._beside(file, use)
        elif first in self._crates:
            return self._module(self._crates[first], rest) or self._root(self._crates[first])
        else:  # a crate from elsewhere, or a name of this file's own modules
            return self._module(self._folder_of(file), use) if len(use) > 1 else None
        return self._module(folder, rest) or self._root(folder)

    def _beside(self, file: str, names: list[str]) -> str | None:
        folder = self._folder_of(file)
        while names and names[0] in {"self", "super"}:
            folder = posixpath.dirname(folder) if names[0] == "super" else folder
            names = names[1:]
        return self._module(folder, names)

    def _module(self, folder: str, names: list[str]) -> str | None:
        """The file of the longest beginning of the names; the rest are names within it."""
        for length in range(len(names), 0, -1):
            path = posixpath.join(folder, *names[:length])
            for possible in (f"{path}.rs", f"{path}/mod.rs"):
                if possible in self._files:
                    return possible
        return None

    def _root(self, folder: str) -> str | None:
        possible = (posixpath.join(folder, name) for name in ("lib.rs", "main.rs"))
        return next((path for path in possible if path in self._files), None)

    def _folder_of(self, file: str) -> str:
        """Where the modules of a file stand: beside it, or in the folder of its name."""
        stem = file.removesuffix(".rs")
        if posixpath.basename(stem) in {"mod", "lib", "main"}:
            return posixpath.dirname(file)
        return stem

    def _crate_of(self, file: str) -> str:
        own = [folder for folder in self._crates.values() if file.startswith(f"{folder}/")]
        if own:
            return max(own, key=len)
        folder = posixpath.dirname(file)
        while folder and self._root(folder) is None:
            folder = posixpath.dirname(folder)
        return folder


def _crate_named(blob: bytes | None) -> str | None:
    import tomllib  # 17 ms, for trees of Rust

    try:
        package = tomllib.loads((blob or b"").decode("utf-8", "replace")).get("package")
    except (ValueError, RecursionError):
        return None
    name = package.get("name") if isinstance(package, dict) else None
    return name if isinstance(name, str) and name else None


def _uses(text: str) -> list[list[str]]:
    """The paths of a `use`: `a::{b, c::d}` is `a::b` and `a::c::d`; what it is renamed to, not."""
    done: list[list[str]] = []
    waiting = [re.sub(r"\s+", " ", text)]
    while waiting and len(done) + len(waiting) <= MOST_USES:
        one = waiting.pop(0)
        head, brace, inner = one.partition("{")
        if brace:
            waiting += [f"{head}{choice}" for choice in _choices(inner)]
            continue
        path = one.partition(" as ")[0].strip().strip(":")
        names = [name.strip().removeprefix("r#") for name in path.split("::")]
        names = [
            name
            for at, name in enumerate(names)
            if name not in {"*", ""} and not (at and name == "self")
        ]
        if names:
            done.append(names)
    return done


def _choices(inner: str) -> Iterator[str]:
    """What stands between the outermost braces, at commas that are in no deeper ones."""
    depth, begun = 0, 0
    for at, letter in enumerate(inner):
        if letter == "{":
            depth += 1
        elif letter == "}":
            if depth == 0:
                yield inner[begun:at]
                return
            depth -= 1
        elif letter == "," and depth == 0:
            yield inner[begun:at]
            begun = at + 1
    yield inner[begun:]
