"""`recollect record`: one hook event from stdin, cleaned, into the spool, and gone.

Exit codes are the contract's: 0 stored or nothing to store, 1 the event could not be taken,
2 the store cannot be trusted (the event waits in the spool). Silent on success; SessionStart alone
is answered, after its event is safe. No database, no network, no import that can be spared.
"""

from __future__ import annotations

import os
import sys
import time

from recollect import settings
from recollect.capture import codec, disk, project, scrub, spool
from recollect.capture.platforms import claude_code
from recollect.model.errors import InvalidArgument, InvalidSetting, RecollectError, StoreUntrusted
from recollect.privacy.clean import Rules

USAGE = "usage: recollect record [--db PATH] [--exit-zero] < event.json"
DIALECT = "nmem"  # `record` is one of nmem's commands, so NMEM_DB says where its store is
SQLITE = b"SQLite format 3\0"
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
        _say(f"{problem.message} {problem.hint}")
        code = 2
    except RecollectError as problem:
        _say(f"{problem.message} {problem.hint}")
        code = 1
    except Exception as problem:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        _say(f"the event was not kept: {_place(problem)}")
        code = 1
    return 0 if "--exit-zero" in argv else code


def _record(options: Options) -> int:
    host = codec.parse(_input())
    document = claude_code.document_of(
        host,
        at=time.time_ns() // MILLISECOND,
        fresh_key=lambda: os.urandom(16).hex(),
        size_of=disk.size_of,
    )
    if document is None:
        return 0
    wanted = _settings(options.db)
    event = _cleaned(document, wanted)
    if event is None:
        return 0
    spool.append(wanted.spool_dir, _entry(event, wanted.key))
    _check_header(wanted)
    if event["kind"] == "session_start":
        _answer(wanted, event)
    return 0


def _input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin is not None else b""


def _settings(db: str | None) -> settings.Settings:
    """The settings; a mistyped one does not stop capture, and the built-in rules still protect."""
    try:
        return settings.load(os.environ, db=db, dialect=DIALECT)
    except InvalidSetting as problem:
        essential = settings.essentials(os.environ, db=db, dialect=DIALECT)
        if essential.key is None and _looks_encrypted(essential.store):
            raise  # the key may stand in what cannot be read: nothing may be written in plain
        _say(f"{problem.message}; going on with the built-in settings")
        return essential


def _cleaned(document: dict[str, object], wanted: settings.Settings) -> dict[str, object] | None:
    name, problem = project.project_of(
        str(document["cwd"]),
        named=wanted.project,
        home=wanted.user_home,
        strategy=wanted.project_strategy,
    )
    if problem:
        _say(problem)
    filtering = wanted.filter_for(name)
    rules = Rules(
        extra_patterns=filtering.extra_patterns,
        entropy_threshold=filtering.entropy_threshold,
        entropy_min_length=filtering.entropy_min_length,
        entropy=filtering.entropy,
    )
    return scrub.scrubbed({**document, "project": name}, rules)


def _entry(event: dict[str, object], key: bytes | None) -> bytes:
    blob = codec.compact(event).encode("ascii")
    if key is None:
        return blob
    from recollect.capture import seal  # hashlib and hmac, paid only under a key

    return seal.seal(key, blob)


def _looks_encrypted(store: str) -> bool:
    """Whether a store is there that no door could open without a key."""
    try:
        with open(store, "rb", buffering=0) as file:
            return file.read(len(SQLITE)) not in (b"", SQLITE)
    except OSError:
        return False


def _check_header(wanted: settings.Settings) -> None:
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


def _answer(wanted: settings.Settings, event: dict[str, object]) -> None:
    """What the agent is told when a session starts; whatever fails here, the event is safe."""
    if sys.flags.no_site:
        import site

        site.main()  # the database is an installed package, and `-S` has hidden those
    try:
        from recollect.cli import hook_ask

        text = hook_ask.answer(wanted, event)
    except StoreUntrusted:
        raise
    except Exception as problem:  # noqa: BLE001 - told to the user; a session must start regardless
        why = problem.message if isinstance(problem, RecollectError) else _place(problem)
        _say(f"no context for this session: {why}")
        return
    _print(text)


def _print(text: str) -> None:
    if not text or sys.stdout is None:
        return
    try:
        # Bytes, because a hook's stdout may have any encoding and agents read UTF-8.
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Nobody listens any more. Python flushes again at exit and would complain: give it a sink.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _place(problem: BaseException) -> str:
    """What went wrong and where; without the error's text, which may hold what the event held."""
    step = problem.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    where = f"{step.tb_frame.f_code.co_filename}:{step.tb_lineno}" if step is not None else "?"
    return f"{type(problem).__name__} at {where}"


def _say(text: str) -> None:
    """One line on stderr, which may be gone as well."""
    if sys.stderr is not None:
        line = " ".join(text.split())
        try:
            sys.stderr.write(f"recollect: {line}\n")
        except OSError:
            return  # nobody listens
