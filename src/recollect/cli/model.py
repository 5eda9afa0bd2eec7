"""`recollect model`: the model that finds by meaning is built, and its state is shown."""

from __future__ import annotations

import sys

from recollect import wiring
from recollect.cli.front import command, parser, settings_of


@command
def model(argv: list[str]) -> int:
    flags = parser("model", "Build the model that finds by meaning, or show its state.")
    flags.add_argument("what", choices=["build", "status"])
    flags.add_argument(
        "--package",
        metavar="FOLDER",
        help="where the package with the weights is unpacked; it is fetched if it is not there",
    )
    args = flags.parse_args(argv)
    settings = settings_of(args)
    if args.what == "build":
        wiring.build_model(settings, package=args.package, say=_progress)
    file, chosen = wiring.model(settings), wiring.chosen(settings)
    print(f"model — {wiring.MODEL_NAME}")
    print(f"file — {file.path}")
    print(f"checksum — {wiring.MODEL_CHECKSUM}")
    print(f"state — {file.state}")
    print(f"embedder — {chosen}")
    for problem in chosen.problems:
        print(f"problem — {problem}")
    return 0


def _progress(step: str) -> None:
    print(f"recollect: {step} ...", file=sys.stderr, flush=True)
