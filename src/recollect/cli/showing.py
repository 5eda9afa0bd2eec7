"""Commands that show: `config show`, `wiring`."""

from __future__ import annotations

import os

from recollect.cli.front import command, parser, settings_of
from recollect.cli.wires import CLIENTS, wires


@command
def config(argv: list[str]) -> int:
    flags = parser("config", "Show every setting, its value and where it comes from.")
    flags.add_argument("what", choices=["show"])
    settings = settings_of(flags.parse_args(argv))
    rows = settings.shown()
    widths = [max(len(row[column]) for row in rows) for column in (0, 2)]
    for name, value, origin in rows:
        print(f"{name:{widths[0]}}  {origin:{widths[1]}}  {value}")
    return 0


@command
def wiring(argv: list[str]) -> int:
    """The lines to paste. Nothing is written: the agent's settings are the user's."""
    flags = parser("wiring", "Print what to put into an agent's settings.")
    flags.add_argument("client", choices=CLIENTS)
    args = flags.parse_args(argv)
    store = ["--db", os.path.abspath(args.db)] if args.db else []
    print("\n\n".join(f"{wire.place}\n\n{wire.lines(store)}" for wire in wires(args.client)))
    return 0
