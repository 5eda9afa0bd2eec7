"""Write the coding set as files: python -m benchmarks.retrieval.coding FOLDER [--seed TEXT]."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.retrieval import written
from benchmarks.retrieval.coding.make import SEED, corpus


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="coding", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--seed", default=SEED)
    args = parser.parse_args(argv)
    made = corpus(args.seed)
    written.write(made, args.folder)
    print(f"{len(made.items)} memories and {len(made.questions)} questions in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
