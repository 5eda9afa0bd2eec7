"""The spool: a folder of events that are safe on disk and wait for a door to store them.

Whoever appends is told only after the entry would survive a power cut. Whoever drains removes an
entry only after the store has it. A crash in between repeats the entry, and its event key drops the
copy, so nothing here needs a lock to be right. What an entry says is not this module's business.
"""

from __future__ import annotations

import errno
import os
import time

from recollect.capture.disk import DISK, Files
from recollect.model.errors import StoreError, StoreFull

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

SUFFIX = ".json"
UNFINISHED = ".tmp"
REASON = ".reason"
QUARANTINE = "quarantine"
LOCK = "drain.lock"
READY = "ready"
LOCK_WAIT = 2.0  # seconds
PAUSE = 0.01
HOUR = 3600

NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})


def append(
    folder: str, blob: bytes, *, files: Files = DISK, clock: Callable[[], int] = time.time_ns
) -> str:
    """Put an entry into the spool, to stay there whatever happens next; its path."""
    name = f"{clock():020d}-{os.getpid()}-{os.urandom(6).hex()}{SUFFIX}"
    return _put(folder, name, blob, files)


def replace(folder: str, name: str, blob: bytes, *, files: Files = DISK) -> None:
    """Put an entry's new form, sealed or opened, in its place: one of the two is always there."""
    path = _inside(folder, name)
    _forget(path + UNFINISHED, files)  # a try that was killed left half of the new form
    _put(folder, name, blob, files)


def rewrite(folder: str, change: Callable[[bytes], bytes], *, files: Files = DISK) -> None:
    """Give every entry, also what was set aside, its new form; abandoned halves are removed."""
    for place in (folder, os.path.join(folder, QUARANTINE)):
        for name in waiting(place):
            try:
                blob = read(place, name)
            except FileNotFoundError:
                continue  # another drain was quicker
            changed = change(blob)
            if changed != blob:
                replace(place, name, changed, files=files)
        for name in stale(place):
            _forget(os.path.join(place, name), files)


def _put(folder: str, name: str, blob: bytes, files: Files) -> str:
    path = os.path.join(folder, name)
    try:
        prepare(folder, files=files)
        _write(path + UNFINISHED, blob, files)
        files.rename(path + UNFINISHED, path)
        files.sync_folder(folder)
    except OSError as problem:
        _forget(path + UNFINISHED, files)
        kind = StoreFull if problem.errno in NO_ROOM else StoreError
        raise kind(
            f"the event could not be kept: {problem.strerror} ({folder})", folder=folder
        ) from problem
    return path


def _write(path: str, blob: bytes, files: Files) -> None:
    descriptor = files.create(path)
    try:
        rest = memoryview(blob)
        while rest:
            rest = rest[files.write(descriptor, rest) :]
        files.sync(descriptor)
    finally:
        files.close(descriptor)


def prepare(folder: str, *, files: Files = DISK) -> None:
    """Make the folder and those above it, for this user only, durable in the ones above.

    A mark says that it was done to the end: a folder that is merely there may have been made by a
    hook that was stopped before it could sync, and a power cut would take it with all its entries.
    """
    mark = os.path.join(folder, READY)
    if os.path.exists(mark):
        return
    above = [folder]
    while (parent := os.path.dirname(above[-1])) != above[-1]:
        above.append(parent)
    for path in reversed(above):
        if not os.path.isdir(path):
            _make(path, files)
    for path in above[1:]:
        try:
            files.sync_folder(path)
        except PermissionError:
            break  # not ours to open, so nothing in it was made by us
    try:
        files.close(files.create(mark))
    except FileExistsError:
        return  # another hook was quicker


def _make(path: str, files: Files) -> None:
    try:
        files.make_folder(path)
    except FileExistsError:
        return  # another hook was quicker


def _forget(path: str, files: Files) -> None:
    try:
        files.remove(path)
    except OSError:
        return  # it was never made, or the disk that refused it refuses this too; `stale` shows it


def waiting(folder: str) -> list[str]:
    """The names of the entries that wait, oldest first."""
    return sorted(name for name in _names(folder) if name.endswith(SUFFIX))


def accepted_at(name: str) -> int | None:
    """When an entry was put here, in milliseconds, as its name says."""
    digits = name.partition("-")[0]
    return int(digits) // 1_000_000 if digits.isdigit() else None


def stale(folder: str, *, now: float | None = None) -> list[str]:
    """Entries begun over an hour ago and never finished: nobody was told that they were kept."""
    limit = (time.time() if now is None else now) - HOUR
    return sorted(
        name
        for name in _names(folder)
        if name.endswith(UNFINISHED) and _changed(os.path.join(folder, name)) < limit
    )


def read(folder: str, name: str) -> bytes:
    """An entry; FileNotFoundError when another drain was quicker."""
    with open(_inside(folder, name), "rb") as file:
        return file.read()


def done(folder: str, name: str, *, files: Files = DISK) -> None:
    """The store has it. A power cut may bring the entry back: its event key drops the copy."""
    try:
        files.remove(_inside(folder, name))
    except FileNotFoundError:
        return  # another drain was quicker


def quarantine(folder: str, name: str, reason: str, *, files: Files = DISK) -> None:
    """Set aside an entry that can never be stored, the reason beside it. Nothing is deleted."""
    source = _inside(folder, name)
    aside = os.path.join(folder, QUARANTINE)
    prepare(aside, files=files)
    target = os.path.join(aside, name)
    try:
        files.rename(source, target)
    except FileNotFoundError:
        return  # another drain was quicker
    _forget(target + REASON, files)
    _write(target + REASON, reason.encode("utf-8", "replace"), files)
    files.sync_folder(aside)
    files.sync_folder(folder)


def quarantined(folder: str) -> list[tuple[str, str]]:
    """What was set aside, oldest first, each with its reason."""
    aside = os.path.join(folder, QUARANTINE)
    return [(name, _reason(os.path.join(aside, name))) for name in waiting(aside)]


def requeue(folder: str, *, files: Files = DISK) -> int:
    """Let everything that was set aside wait again; how many entries that is."""
    aside = os.path.join(folder, QUARANTINE)
    names = waiting(aside)
    for name in names:
        files.rename(os.path.join(aside, name), os.path.join(folder, name))
        _forget(os.path.join(aside, name + REASON), files)
    if names:
        files.sync_folder(folder)
        files.sync_folder(aside)
    return len(names)


def _reason(path: str) -> str:
    try:
        with open(path + REASON, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""  # a crash came between the two


def _inside(folder: str, name: str) -> str:
    if os.path.basename(name) != name or not name.endswith(SUFFIX):
        raise ValueError(f"{name!r} is not the name of a spool entry")
    return os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []  # nothing was captured yet
    except OSError as problem:  # made by another user, as `sudo` does
        raise StoreFull(f"the spool cannot be read: {problem.strerror} ({folder})") from problem


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except FileNotFoundError:
        return float("inf")  # finished meanwhile


class drain_lock:  # noqa: N801 - used as `with drain_lock(folder):`; contextlib would cost 6 ms
    """One drain at a time, as a courtesy: the second would only repeat the first's work.

    After a bounded wait the second goes on without the lock. That is safe: the drain is idempotent
    by event key. `is_held` says how it came out.
    """

    def __init__(self, folder: str, *, wait: float = LOCK_WAIT) -> None:
        self.folder = folder
        self.wait = wait
        self.is_held = False
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        try:
            import fcntl
        except ImportError:  # Windows
            return self
        try:
            path = os.path.join(self.folder, LOCK)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return self  # no spool yet, or a read-only one: there is nothing to share
        until = time.monotonic() + self.wait
        while not self.is_held:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.is_held = True
            except OSError:
                if time.monotonic() >= until:
                    break
                time.sleep(PAUSE)
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)  # and with it the lock
            self._descriptor = None
        self.is_held = False
