"""What the two hooks, `record` and `hook`, do alike: settings, rules, a spool entry, a remark.

On the hot path: no import that can be spared.
"""

from __future__ import annotations

import os
import sys

from recollect import settings
from recollect.capture import codec
from recollect.model.errors import InvalidSetting
from recollect.privacy.clean import Rules

SQLITE = b"SQLite format 3\0"


def stdin() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin is not None else b""


def settings_of(db: str | None, dialect: str) -> settings.Settings:
    """The settings; a mistyped one does not stop capture, and the built-in rules still protect."""
    try:
        return settings.load(os.environ, db=db, dialect=dialect)
    except InvalidSetting as problem:
        essential = settings.essentials(os.environ, db=db, dialect=dialect)
        if essential.key is None and _looks_encrypted(essential.store):
            raise  # the key may stand in what cannot be read: nothing may be written in plain
        say(f"{problem.message}; going on with the built-in settings")
        return essential


def rules_for(wanted: settings.Settings, project: str) -> Rules:
    filtering = wanted.filter_for(project)
    return Rules(
        extra_patterns=filtering.extra_patterns,
        entropy_threshold=filtering.entropy_threshold,
        entropy_min_length=filtering.entropy_min_length,
        entropy=filtering.entropy,
    )


def entry(event: dict[str, object], key: bytes | None) -> bytes:
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


def with_packages() -> None:
    """Bring back what `-S` has hidden: the database is an installed package."""
    if sys.flags.no_site:
        import site

        site.main()


def write(text: str) -> None:
    """On stdout, as bytes: a hook's stdout may have any encoding, and agents read UTF-8."""
    if not text or sys.stdout is None:
        return
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Nobody listens any more. Python flushes again at exit and would complain: give it a sink.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def place(problem: BaseException) -> str:
    """What went wrong and where; without the error's text, which may hold what the event held."""
    step = problem.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    where = f"{step.tb_frame.f_code.co_filename}:{step.tb_lineno}" if step is not None else "?"
    return f"{type(problem).__name__} at {where}"


def say(text: str) -> None:
    """One line on stderr, which may be gone as well."""
    if sys.stderr is not None:
        line = " ".join(text.split())
        try:
            sys.stderr.write(f"recollect: {line}\n")
        except OSError:
            return  # nobody listens
