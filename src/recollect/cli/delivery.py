"""`recollect hook PLATFORM EVENT`: what a client tells on stdin, to the worker or into the spool.

The worker is asked first and briefly; whatever stands in the way, the event goes into the spool
under the key that the request had. Entries that wait already come first, so that order stays: the
worker takes them within a fifth of a second. Memory never stops anybody's work: once the command
line is understood, the exit code is 0 and one line of JSON is all that the client sees.
"""

from __future__ import annotations

import os
import sys
import time

from recollect.capture import codec, hush, project, spool
from recollect.capture.last_words import last_words
from recollect.capture.post import NotDelivered, post
from recollect.capture.telling import EVENTS, Place, start, telling
from recollect.cli.catching import (
    entry,
    place,
    rules_for,
    say,
    settings_of,
    stdin,
    with_packages,
    write,
)
from recollect.model.errors import (
    InvalidSetting,
    MalformedEvent,
    RecollectError,
    StoreFull,
    StoreUntrusted,
)
from recollect.worker.address import find_address

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from recollect.capture.platforms.fields import Spoken
    from recollect.capture.telling import Telling
    from recollect.settings import Settings

    class Platform(Protocol):
        """What a module of `capture.platforms` has."""

        REPLY: Spoken
        spoken: Callable[[Spoken], Spoken]
        context: Callable[[str], Spoken]


PLATFORMS = {
    "claude-code": "claude_code",
    "cursor": "cursor",
    "codex": "codex",
    "raw": "raw",
    "gemini": "gemini",
    "copilot": "copilot",
    "windsurf": "windsurf",
}
"""As it is typed → its module in `capture.platforms`."""
CONTEXT = "context"
PROMPTED = "session-init"
USAGE = (
    f"usage: recollect hook [--db FILE] {{{','.join(PLATFORMS)}}} "
    f"{{{','.join((*EVENTS, CONTEXT))}}} < event.json"
)
DIALECT = "codexmem,nmem,lex"
"""The command is CodexMem's; where its variables say nothing, the store is the worker's."""
PATIENCE = 0.1
"""Seconds for the worker to answer in. With it and what else a hook does, 300 ms are not reached;
an event that came too late for it is stored a moment later."""
STATUSES = frozenset({"queued", "deduped", "skipped", "completed", "ended"})
MILLISECOND = 1_000_000


class Options:
    """What the command line says; None where it cannot be understood."""

    __slots__ = ("db", "event", "platform")

    def __init__(self, platform: str, event: str, db: str | None) -> None:
        self.platform, self.event, self.db = platform, event, db


def main(argv: list[str]) -> int:
    options = _understood(argv)
    if options is None:
        say(USAGE)
        return 2
    platform = _platform(options.platform)
    reply = platform.REPLY
    try:
        told = _handled(options, platform)
        if told:
            reply = {**reply, **platform.context(told)}
    except RecollectError as problem:
        say(f"{problem.message} {problem.hint}")
    except Exception as problem:  # noqa: BLE001 - a fault of ours must not stop anybody's work
        say(f"the event was not kept: {place(problem)}")
    write(codec.compact(reply) + "\n")
    return 0


def _understood(argv: list[str]) -> Options | None:
    words, db = [], None
    rest = iter(argv)
    for word in rest:
        name, is_joined, value = word.partition("=")
        if name == "--db":
            db = value if is_joined else next(rest, "")
            if not db:
                return None
        else:
            words.append(word)
    match words:
        case [platform, event] if platform in PLATFORMS and event in (*EVENTS, CONTEXT):
            return Options(platform, event, db)
    return None


def _platform(name: str) -> Platform:
    module = f"recollect.capture.platforms.{PLATFORMS[name]}"
    __import__(module)  # `importlib`, without its 2 ms
    return sys.modules[module]


def _handled(options: Options, platform: Platform) -> str:
    """Deliver the event; what the session that starts is told."""
    host = codec.parse(stdin())
    if not isinstance(host, dict):
        raise MalformedEvent("the input is not a JSON object")
    spoken = platform.spoken(host)
    wanted = settings_of(options.db, DIALECT)
    here = _place(options.platform, spoken, wanted)
    if options.event == CONTEXT:
        return _started(start(spoken, here), wanted)
    if options.event == "summarize" and "last_assistant_message" not in spoken:
        transcript = spoken.get("transcript_path")
        if isinstance(transcript, str):
            spoken["last_assistant_message"] = last_words(transcript)
    told = telling(options.event, spoken, here)
    if told is not None:
        _delivered(told, options, wanted)
    return ""


def _delivered(told: Telling, options: Options, wanted: Settings) -> None:
    """To the worker, else into the spool."""
    folder = wanted.spool_dir
    if options.event == PROMPTED and (prompt := told.document()) is not None:
        hush.heard(folder, prompt)
    if _is_delivered(told, options, wanted):
        return
    document = told.document()
    if document is not None and hush.may_wait(folder, document):
        spool.append(folder, entry(document, wanted.key))


def _place(platform: str, spoken: Spoken, wanted: Settings) -> Place:
    cwd = spoken.get("cwd")
    folder = cwd if isinstance(cwd, str) else _here()
    name, problem = project.project_of(
        folder,
        named=wanted.project_for(DIALECT),
        home=wanted.user_home,
        strategy=wanted.project_strategy,
    )
    if problem:
        say(problem)
    return Place(
        platform=platform,
        cwd=folder,
        project=name,
        at=time.time_ns() // MILLISECOND,
        rules=rules_for(wanted, name),
        fresh=lambda: os.urandom(16).hex(),
        skipped=wanted.skip_tools,
    )


def _here() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""  # deleted under us; its project is `unknown`


def _is_delivered(told: Telling, options: Options, wanted: Settings) -> bool:
    """Whether the worker has taken it for sure."""
    address = None if _is_anything_waiting(wanted) else _address(options, wanted)
    if address is None:
        return False
    body = codec.compact(told.body).encode("ascii")
    until = time.monotonic() + PATIENCE
    try:
        answer = codec.parse(post(address, told.path, body, token=wanted.token, until=until))
    except (NotDelivered, MalformedEvent):
        return False
    # Anybody may listen on a port; only who answers like a worker has taken an event.
    return isinstance(answer, dict) and (
        isinstance(answer.get("sessionDbId"), int) or answer.get("status") in STATUSES
    )


def _is_anything_waiting(wanted: Settings) -> bool:
    try:
        return bool(spool.waiting(wanted.spool_dir))
    except StoreFull:
        return False  # what cannot be read cannot be written either: only the worker is left


def _address(options: Options, wanted: Settings) -> tuple[str, int] | None:
    """That of the store's worker; without one, where the settings say that there is one.

    Only an address that somebody has set is asked: on the default one, and for a store that was
    named on the command line, a worker of another store may listen.
    """
    found = find_address(wanted.worker_file)
    if found is not None:
        return found
    is_set = any(wanted.origins[name] != "default" for name in ("host", "port"))
    return (wanted.host, wanted.port) if is_set and wanted.port and options.db is None else None


def _started(document: dict[str, object], wanted: Settings) -> str:
    """Keep that a session has started; what it is told. Its event is safe before anything else."""
    spool.append(wanted.spool_dir, entry(document, wanted.key))
    with_packages()
    try:
        from recollect.cli import hook_ask

        return hook_ask.answer(wanted, document)
    except (StoreUntrusted, InvalidSetting):
        raise
    except Exception as problem:  # noqa: BLE001 - told to the user; a session must start regardless
        why = problem.message if isinstance(problem, RecollectError) else place(problem)
        say(f"no context for this session: {why}")
        return ""
