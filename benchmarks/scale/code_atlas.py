"""`code_atlas` over a large real tree: Python's installed standard library, or any folder.

Each run is a process of its own, so that memory is that of one atlas. Beside it stands the least
that any such tool does: the same files, read and given to the same parser, and nothing kept.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from statistics import median

from benchmarks.report import Report, run

ROUNDS = 3

PROGRAM = """
import json, resource, sys, time, warnings
way, root = sys.argv[1:]
warnings.simplefilter("ignore")
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
from recollect.model.workspace import Workspace
from recollect.service import code_atlas
from recollect.workspace import tree
before, begun = peak(), time.perf_counter()
if way.startswith("code_atlas"):
    if way != "code_atlas":
        code_atlas.code_atlas(Workspace(root=root), None, [], 1)
        begun = time.perf_counter()
    drawn = code_atlas.code_atlas(Workspace(root=root), None, [], 1)
    told = {"files": drawn.file_count, "parsed": drawn.parsed_count, "units": drawn.unit_count,
            "edges": len(drawn.edges), "is_cut": drawn.is_cut}
elif way == "walk alone":
    told = {"files": len(tree.walk(root).files)}
else:
    import ast
    walked = tree.walk(root)
    told = {"files": len(walked.files), "parsed": 0}
    for file in walked.sources():
        try:
            with open(f"{root}/{file.path}", "rb") as opened:
                ast.parse(opened.read())
        except (SyntaxError, ValueError):
            pass
        told["parsed"] += 1
print(json.dumps({**told, "seconds": time.perf_counter() - begun, "MB": peak() - before,
                  "peak_MB": peak()}))
"""
WAYS = ("code_atlas", "code_atlas, asked again", "parsing alone", "walk alone")


def measure(report: Report, args: argparse.Namespace) -> None:
    if args.root is not None:
        _measure(report, args.root, "a folder that was named")
        return
    with tempfile.TemporaryDirectory() as folder:  # without what is installed beside it
        root = f"{folder}/lib"
        left_out = shutil.ignore_patterns("site-packages", "__pycache__")
        shutil.copytree(sysconfig.get_path("stdlib"), root, ignore=left_out)
        _measure(report, root, "the standard library of this Python, its tests included")


def _measure(report: Report, root: str, which: str) -> None:
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for number in range(ROUNDS):
        turn = number % len(WAYS)
        for way in WAYS[turn:] + WAYS[:turn]:
            runs[way].append(_run(way, root))
    for way, taken in runs.items():
        seconds = median(one["seconds"] for one in taken)
        counted = taken[0].get("parsed", taken[0]["files"])
        report.add(
            "a tree",
            {
                "way": way,
                "files": taken[0]["files"],
                "parsed": taken[0].get("parsed"),
                "units": taken[0].get("units"),
                "edges": taken[0].get("edges"),
                "is_cut": taken[0].get("is_cut"),
                "seconds": round(seconds, 2),
                "files_a_second": round(counted / seconds),
                "MB": round(median(one["MB"] for one in taken), 1),
                "peak_MB": round(median(one["peak_MB"] for one in taken), 1),
            },
        )
    report.notes.append(
        f"{ROUNDS} runs each, in turns, each in a process of its own; medians; MB is what the run "
        f"added at its peak; without a policy, folders are the modules; the tree is {which}"
    )


def _run(way: str, root: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, way, root], capture_output=True, text=True, check=True
    )
    told: dict[str, float] = json.loads(done.stdout)
    return told


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", help="another tree than the standard library")
    return run("code_atlas", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
