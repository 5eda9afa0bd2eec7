"""`recollect encrypt`: a plain store becomes an encrypted one."""

from __future__ import annotations

import os
import secrets

from recollect import wiring
from recollect.cli.front import command, parser, say, settings_of
from recollect.model.errors import StoreMissing, WorkerRunning
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
    key, key_file = settings.key, None
    if key is None:
        key_file = f"{settings.store}.key"
        key = _new_key(key_file)
    try:
        wiring.encrypt(settings, key, backup=args.keep_backup)
    except BaseException:
        if key_file is not None:
            os.remove(key_file)
        raise
    say("the store is encrypted — ok")
    if key_file is not None:
        say(f"its key is in {key_file}; without it nobody can read the store, so keep a copy")
    return 0


def _new_key(path: str) -> bytes:
    key = secrets.token_bytes(32)
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key.hex())
        file.flush()
        os.fsync(descriptor)
    return key
