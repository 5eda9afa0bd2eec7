"""What an import says becomes the file of the tree that it means; what is elsewhere, nothing.

Each language has its own way to look: `imports_python`, `imports_web`, `imports_compiled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from recollect.model.source import Import, Parsed
from recollect.workspace.imports_compiled import GoRoads, JavaRoads, RustRoads
from recollect.workspace.imports_python import PythonRoads
from recollect.workspace.imports_web import WebRoads

Read = Callable[[str], bytes | None]
"""A small file of the tree, such as `tsconfig.json`; None when there is none."""


class Roads(Protocol):
    """From a file, and what it says, to files of the tree."""

    def targets(self, file: str, text: str) -> Iterator[str]:
        """None when it means nothing within the tree; several when it names several."""


@dataclass(frozen=True)
class Resolver:
    """`languages` has every file of the tree that is parsed; `packages` where some say they are."""

    paths: frozenset[str]
    languages: Mapping[str, str]
    packages: Mapping[str, str]
    read: Read

    def imports(self, file: str, parsed: Parsed) -> Iterator[Import]:
        """Each file that this one imports, with the first line that does."""
        roads = self._roads(self.languages[file])
        seen = {file}
        for mention in parsed.mentions:
            for target in roads.targets(file, mention.text):
                if target not in seen:
                    seen.add(target)
                    yield Import(file, target, mention.line)

    def _roads(self, language: str) -> Roads:
        if language == "python":
            return self._python
        if language == "go":
            return self._go
        if language == "rust":
            return self._rust
        return self._java if language == "java" else self._web

    def _of(self, *languages: str) -> list[str]:
        return [path for path, language in self.languages.items() if language in languages]

    @cached_property
    def _python(self) -> Roads:
        return PythonRoads(self._of("python"))

    @cached_property
    def _web(self) -> Roads:
        return WebRoads(self.paths, self.read)

    @cached_property
    def _go(self) -> Roads:
        return GoRoads(self._of("go"), self.paths, self.read)

    @cached_property
    def _rust(self) -> Roads:
        return RustRoads(self._of("rust"), self.paths, self.read)

    @cached_property
    def _java(self) -> Roads:
        return JavaRoads({path: self.packages.get(path, "") for path in self._of("java")})
