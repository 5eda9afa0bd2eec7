"""Asks a running worker whatever its `/api/openapi.json` says it answers, by schemathesis."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = 4
"""Of each operation, besides those that cover its schemas."""


def asked(
    address: tuple[str, int],
    folder: Path,
    *options: str,
    configuration: str,
    phases: str = "examples,coverage,fuzzing",
) -> str:
    """What it printed; everything must have been answered as described."""
    host, port = address
    (folder / "schemathesis.toml").write_text(configuration, encoding="utf-8")
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("schemathesis")),
            *("run", f"http://{host}:{port}/api/openapi.json", *options),
            *("--phases", phases),
            *("--max-examples", str(EXAMPLES), "--generation-deterministic", "--no-color"),
        ],
        cwd=folder,
        env={"HOME": str(folder), "NO_PROXY": "*", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
    return done.stdout
