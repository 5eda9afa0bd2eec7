"""`recollect record`: one hook event from stdin, cleaned, into the spool, and gone.

Exit codes are the contract's: 0 stored or nothing to store, 1 the event could not be taken,
2 the store cannot be trusted (the event waits in the spool). Silent on success; SessionStart alone
is answered, after its event is safe. No database, no network, no import that can be spared.
"""

from __future__ import annotations

import os
import time

from recollect.capture import codec, disk, hush, project, scrub, spool
from recollect.capture.platforms import claude_code
from recollect.cli.catching import (
    SQLITE,
    entry,
    place,
    rules_for,
    say,
    settings_of,
    stdin,
    with_packages,
    write,
)
from recollect.model.errors import InvalidArgument, RecollectError, StoreUntrusted

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from recollect.settings import Settings

USAGE = "usage: recollect record [--db PATH] [--exit-zero] < event.json"
DIALECT = "nmem,lex"
"""`record` is one of nmem's commands, so NMEM_DB says where its store is. A store named for Lex is
the worker's too, and what is captured must not wait beside another one."""
MILLISECOND = 1_000_000


class Options:
    """What the command line says."""

    __slots__ = ("db",)

    def __init__(self, argv: list[str]) -> None:
        self.db: str | None = None
        words = iter(argv)
        for word in words:
            name, is_joined, value = word.partition("=")
            if word == "--exit-zero":
                continue
            if name != "--db":
                raise InvalidArgument(word, f"is not understood; {USAGE}")
            if not is_joined:
                value = next(words, "")
            if not value:
                raise InvalidArgument(name, f"needs a value; {USAGE}")
            self.db = value


def main(argv: list[str]) -> int:
    """Run the command. What is wired into a client has `--exit-zero`: exit 2 erases prompts."""
    try:
        options = Options(argv)
        code = _record(options)
    except StoreUntrusted as problem:
        say(f"{problem.message} {problem.hint}")
        code = 2
    except RecollectError as problem:
        say(f"{problem.message} {problem.hint}")
        code = 1
    except Exception as problem:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        say(f"the event was not kept: {place(problem)}")
        code = 1
    return 0 if "--exit-zero" in argv else code


def _record(options: Options) -> int:
    host = codec.parse(stdin())
    document = claude_code.document_of(
        host,
        at=time.time_ns() // MILLISECOND,
        fresh_key=lambda: os.urandom(16).hex(),
        size_of=disk.size_of,
    )
    if document is None:
        return 0
    wanted = settings_of(options.db, DIALECT)
    event = _cleaned(document, wanted)
    if event is None:
        return 0
    hush.heard(wanted.spool_dir, event)
    if not hush.may_wait(wanted.spool_dir, event):
        return 0
    spool.append(wanted.spool_dir, entry(event, wanted.key))
    _check_header(wanted)
    if event["kind"] == "session_start":
        _answer(wanted, event)
    return 0


def _cleaned(document: dict[str, object], wanted: Settings) -> dict[str, object] | None:
    name, problem = project.project_of(
        str(document["cwd"]),
        named=wanted.project,
        home=wanted.user_home,
        strategy=wanted.project_strategy,
    )
    if problem:
        say(problem)
    return scrub.scrubbed({**document, "project": name}, rules_for(wanted, name))


def _check_header(wanted: Settings) -> None:
    """The contract's look at the store: its first bytes only, and none where a key hides them."""
    if wanted.key is not None or not os.path.lexists(wanted.store):
        return
    is_file = os.path.isfile(wanted.store)  # a FIFO would keep us waiting
    if is_file:
        try:
            with open(wanted.store, "rb", buffering=0) as file:
                header = file.read(len(SQLITE))
        except PermissionError:
            return  # not ours to read is not damaged; the door that opens it will tell
    if not is_file or (header and header != SQLITE):
        raise StoreUntrusted(f"{wanted.store} is not a database.")


def _answer(wanted: Settings, event: dict[str, object]) -> None:
    """What the agent is told when a session starts; whatever fails here, the event is safe."""
    with_packages()
    try:
        from recollect.cli import hook_ask

        text = hook_ask.answer(wanted, event)
    except StoreUntrusted:
        raise
    except Exception as problem:  # noqa: BLE001 - told to the user; a session must start regardless
        why = problem.message if isinstance(problem, RecollectError) else place(problem)
        say(f"no context for this session: {why}")
        return
    write(text)
