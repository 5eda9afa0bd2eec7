"""A throw-away home for a benchmark: its own store, its own environment, no user's settings."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from recollect import settings as configuration
from recollect.settings import Settings

MODELS = "RECOLLECT_MODEL_DIR"


@dataclass(frozen=True)
class Wiring:
    """The commands that a client is given."""

    hook: list[str]
    serve: list[str]

    @property
    def plain_hook(self) -> list[str]:
        """The hook, but its exit code tells the truth: 0 means that the event is kept."""
        return [word for word in self.hook if word != "--exit-zero"]


@dataclass(frozen=True)
class Home:
    folder: Path
    extra: dict[str, str] = field(default_factory=dict)

    @cached_property
    def environ(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            **self.extra,
        }

    @property
    def settings(self) -> Settings:
        return configuration.load(self.environ, port=0)

    @cached_property
    def wired(self) -> Wiring:
        """What `recollect wiring claude-code` prints, to the letter."""
        said = subprocess.run(
            self.command("wiring", "claude-code"),
            env=self.environ,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        hooks = json.loads(said[said.index("{") : said.rindex("}") + 1])["hooks"]
        hook = hooks["PostToolUse"][0]["hooks"][0]
        serve = shlex.split(said.rpartition(" -- ")[2])
        return Wiring([hook["command"], *hook["args"]], serve)

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "recollect.cli.main", *words]

    def empty(self) -> None:
        """No store, no spool: as on the first day."""
        shutil.rmtree(self.settings.home, ignore_errors=True)

    def adopt(self) -> None:
        """Let this very process live here, and those that it forks."""
        environ = self.environ  # made from the old one
        os.environ.clear()
        os.environ.update(environ)


def model_here() -> dict[str, str]:
    """For `throwaway`, where vectors are wanted: the folder of models that this process was given.

    Other benchmarks go without, or each of their workers would begin to embed.
    """
    folder = os.environ.get(MODELS)
    return {} if folder is None else {MODELS: folder}


@contextlib.contextmanager
def throwaway(**extra: str) -> Iterator[Home]:
    folder = tempfile.mkdtemp(prefix="recollect-bench-")
    try:
        yield Home(Path(folder), extra)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
