"""The hooks as clients start them: `python -I -S …/recollect/cli/hook.py record --exit-zero`.

Only the way in. `-I -S` skips what makes Python slow to start and with it the search path, so the
package's parent is added here. Python keeps no bytecode of a script: what the hooks do is in
`record` and, after the word `hook`, in `delivery`, which have their own.
"""

from __future__ import annotations

import os
import sys


def main(argv: list[str]) -> int:
    """`argv` as the shell gives it, with or without the word `record` in front."""
    if argv[:1] == ["hook"]:
        from recollect.cli.delivery import main as hook

        return hook(argv[1:])
    from recollect.cli.record import main as record

    return record(argv[1:] if argv[:1] == ["record"] else argv)


if __name__ == "__main__":
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, os.path.dirname(package))
    code = main(sys.argv[1:])
    # Everything durable is on disk and everything said is flushed; taking the interpreter apart in
    # good order would be a tenth of the hook's whole life (1.8 of 16 ms, November 2026).
    os._exit(code)
