"""Which sessions are in a private turn, as far as the hooks know: an empty file for each of them.

The store knows it too, but a hook does not open the store, and what was done in a private turn must
not even wait in the spool. The files' names are fingerprints and tell nobody anything.
"""

from __future__ import annotations

import os

from recollect.capture import spool
from recollect.capture.fingerprint import fingerprint
from recollect.model.errors import StoreError, StoreFull

FOLDER = "private"
DEEDS = frozenset({"tool_use", "turn_end"})
"""What is done in a turn. That a session begins and ends is told whatever was said in it."""


def may_wait(folder: str, document: dict[str, object]) -> bool:
    """Whether this event may be written into the spool."""
    return document["kind"] not in DEEDS or not os.path.exists(_mark(folder, document))


def heard(folder: str, document: dict[str, object]) -> None:
    """Take note of a prompt, before anything is done about it; of other events there is nothing."""
    if document["kind"] != "prompt":
        return
    mark = _mark(folder, document)
    if document.get("is_private") is not True:
        try:
            os.unlink(mark)
        except OSError:
            return  # as a rule there is none; what cannot be removed hides more, never less
        return
    spool.prepare(os.path.dirname(mark))
    try:
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as problem:
        kind = StoreFull if problem.errno in spool.NO_ROOM else StoreError
        raise kind(f"a private turn could not be marked: {problem.strerror} ({mark})") from problem


def _mark(folder: str, document: dict[str, object]) -> str:
    return os.path.join(folder, FOLDER, fingerprint(str(document["session_id"])))
