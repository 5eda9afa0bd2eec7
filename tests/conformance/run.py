"""Run the MCP conformance suite: `run.py [--node-modules FOLDER] [fixture|product]`.

The fixture server must pass every server scenario. The product is run beside it; the scenarios
in `expected-failures.yml` must fail there and all others pass, so that the list stays true.
Without the suite installed, `npm ci` puts it into `node_modules` here.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "src"), str(HERE.parent), str(HERE)]
SUITE = Path("@modelcontextprotocol") / "conformance" / "dist" / "index.js"
PATIENCE = 90


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--node-modules", type=Path, default=HERE / "node_modules")
    parser.add_argument("target", nargs="?", choices=TARGETS)
    args = parser.parse_args()
    modules: Path = args.node_modules
    if not (modules / SUITE).exists():
        subprocess.run(["npm", "ci", "--prefix", str(HERE), "--no-audit", "--no-fund"], check=True)
    suite = Suite(modules)
    targets = [args.target] if args.target else list(TARGETS)
    unexpected = [problem for target in targets for problem in TARGETS[target](suite)]
    for problem in unexpected:
        print(f"UNEXPECTED {problem}")
    return 1 if unexpected else 0


class Suite:
    """The installed suite, run one scenario at a time."""

    def __init__(self, modules: Path) -> None:
        self._command = [_node(modules), str(modules / SUITE)]

    def scenarios(self) -> list[str]:
        listed = self._run("list").split("Client scenarios")[0]
        return re.findall(r"^\s+- (\S+)", listed, re.MULTILINE)

    def passes(self, url: str, scenario: str) -> bool:
        """Whether no check of a scenario failed."""
        with tempfile.TemporaryDirectory() as folder:
            self._run("server", "--url", url, "--scenario", scenario, "-o", folder)
            reports = list(Path(folder).rglob("checks.json"))
            checks = [check for report in reports for check in json.loads(report.read_text())]
        return bool(checks) and all(check["status"] != "FAILURE" for check in checks)

    def _run(self, *arguments: str) -> str:
        return subprocess.run(
            [*self._command, *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        ).stdout


def _node(modules: Path) -> str:
    own = modules / "node" / "bin" / "node"
    return str(own) if own.exists() else "node"


def fixture(suite: Suite) -> list[str]:
    from fixture_server import fixture_application

    from listening import listening

    with listening(fixture_application()) as port:
        return _compared(suite, "fixture", f"http://127.0.0.1:{port}/mcp", frozenset())


def product(suite: Suite) -> list[str]:
    from commands import Home

    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        with home.worker():
            return _compared(suite, "product", f"{home.here().url}/mcp", _expected_failures())


TARGETS = {"fixture": fixture, "product": product}


def _compared(suite: Suite, target: str, url: str, failing: frozenset[str]) -> list[str]:
    unexpected = []
    for scenario in suite.scenarios():
        did_pass = suite.passes(url, scenario)
        is_expected = did_pass == (scenario not in failing)
        outcome = "pass" if did_pass else "fail"
        print(f"{target:8} {scenario:34} {outcome}{'' if is_expected else '  <-'}", flush=True)
        if not is_expected:
            unexpected.append(f"{target} {scenario}: {outcome}")
    return unexpected


def _expected_failures() -> frozenset[str]:
    listed = (HERE / "expected-failures.yml").read_text()
    return frozenset(re.findall(r"^\s+- (\S+)", listed, re.MULTILINE))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    sys.exit(main())
