"""`recollect encrypt`: a plain store becomes an encrypted one."""

from __future__ import annotations

import glob
import os
import secrets

from recollect import wiring
from recollect.cli.front import command, parser, say, settings_of
from recollect.model.errors import StoreMissing
from recollect.model.worker_errors import WorkerRunning
from recollect.worker.address import is_alive


@command
def encrypt(argv: list[str]) -> int:
    flags = parser("encrypt", "Encrypt the store and the spool; no plain copy is left behind.")
    flags.add_argument(
        "--keep-backup", metavar="FILE", help="keep the plain store under this name as well"
    )
    args = flags.parse_args(argv)
    settings = settings_of(args)
    if not wiring.has_store(settings):
        raise StoreMissing(f"database not found: {settings.store}")
    if is_alive(settings.worker_file):
        raise WorkerRunning("a worker has the store open; run `recollect down` first")
    if settings.key is not None:
        wiring.encrypt(settings, settings.key, backup=args.keep_backup, keep_key=lambda: None)
        say("the store is encrypted — ok")
    else:
        key, key_file = secrets.token_bytes(32), f"{settings.store}.key"
        wiring.encrypt(
            settings, key, backup=args.keep_backup, keep_key=lambda: _write_key(key_file, key)
        )
        say("the store is encrypted — ok")
        say(f"its key is in {key_file}; without it nobody can read the store, so keep a copy")
    for copy in sorted(glob.glob(f"{glob.escape(settings.store)}.backup-*")):
        say(f"a plain copy that doctor made is still there: {copy}")
    return 0


def _write_key(path: str, key: bytes) -> None:
    """Whole or not at all: half a key would be refused by every later command, hooks included."""
    unfinished = f"{path}.tmp"
    descriptor = os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key.hex())
        file.flush()
        os.fsync(descriptor)
    os.replace(unfinished, path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        os.fsync(folder)  # the store must never be durable before the name of its key is
    finally:
        os.close(folder)
