"""`recollect doctor`: is everything sound, and if not, what to do."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence

from recollect import wiring
from recollect.capture import spool
from recollect.cli.embedding import embed_all, progress_of
from recollect.cli.front import command, parser, settings_of
from recollect.cli.jobs import failed_problems, queue_line
from recollect.model.errors import RecollectError, StoreError, StoreMissing, StoreUntrusted
from recollect.service import health
from recollect.settings import Settings
from recollect.wiring.premises import embedder_problems, permission_problems, spool_problems

DAMAGED = (
    "If a key is missing, set it. Otherwise try `recollect doctor --rebuild`; if that does not "
    "help, keep the file elsewhere and put a backup, or nothing, in its place: "
    "what waits in the spool is stored then."
)


@command
def doctor(argv: list[str]) -> int:
    flags = parser("doctor", "Check the store, its indexes, the spool and the permissions.")
    flags.add_argument(
        "--rebuild", action="store_true", help="make the derived indexes again from the rows"
    )
    args = flags.parse_args(argv)
    settings = settings_of(args)
    problems = permission_problems(settings)
    print(f"store — {settings.store}")
    if not wiring.has_store(settings):
        raise StoreMissing(f"database not found: {settings.store}")
    if args.rebuild and os.path.exists(settings.store):
        print(f"backup — {_back_up(settings)}")
    try:
        house = wiring.open_house(settings)
    except RecollectError as error:
        return _concluded([*problems, *spool_problems(settings), _told(error)])
    try:
        problems += _examined(house, must_rebuild=args.rebuild)
    except StoreError as error:
        problems += [*_damage(house), _told(error)]
    house.close()
    return _concluded(problems + spool_problems(settings))


def _examined(house: wiring.House, *, must_rebuild: bool) -> list[str]:
    """Every problem that is left when all was done that was asked for."""
    hindrance = _caught_up(house)
    if must_rebuild:
        health.rebuild(house.store)
        print("indexes — rebuilt")
        hindrance = _caught_up(house)
        _embed_again(house)
    diagnosis = health.diagnose(house.store)
    _show(house.settings, diagnosis, [queue_line(house.store), *progress_of(house)])
    return [
        *diagnosis.problems,
        *_vector_problems(house),
        *embedder_problems(house.settings, house.chosen()),
        *failed_problems(house.store),
        *([_told(hindrance)] if hindrance is not None else []),
    ]


def _caught_up(house: wiring.House) -> StoreError | None:
    """What keeps events in the spool: with a broken index none is stored before it is rebuilt."""
    try:
        house.catch_up()
    except StoreError as error:
        return error
    return None


def _damage(house: wiring.House) -> list[str]:
    """What SQLite finds damaged, as far as it can still look."""
    try:
        return house.store.upkeep.problems()
    except StoreError:
        return []  # that nothing can be read is told by the error which brought us here


def _told(error: RecollectError) -> str:
    hint = DAMAGED if isinstance(error, StoreUntrusted) else error.hint
    return f"{str(error).rstrip('.')}. {hint}".strip()


def _embed_again(house: wiring.House) -> None:
    """Damaged vectors go, and what has none is embedded, if there is a model."""
    from recollect.service import coverage  # numpy, which most commands do not need

    embedder = house.chosen().embedder
    if embedder is None:
        return
    coverage.repair(house.store, embedder.name)
    came_to = embed_all(house)
    assert came_to is not None
    print(f"vectors — {came_to[0]} made anew")


def _vector_problems(house: wiring.House) -> tuple[str, ...]:
    from recollect.service import coverage  # numpy, as above

    embedder = house.chosen().embedder
    if embedder is None:
        return ()
    found = coverage.examine(house.store, embedder.name)
    for memory_id in found.unreadable:
        print(f"cannot be embedded — #{memory_id}; it is found by words only")
    return found.problems


def _show(settings: Settings, diagnosis: health.Diagnosis, more: Sequence[str]) -> None:
    counts = diagnosis.counts
    print(f"engine — {diagnosis.engine}")
    print(f"encryption — {'enabled' if settings.key else 'disabled'}")
    print(f"memories — {counts.memories}")
    print(f"word index — {counts.words} rows")
    print(
        f"ranking index — {diagnosis.ranked} memories in {diagnosis.segments} segments, "
        f"{diagnosis.waiting} changes waiting"
    )
    for line in more:
        print(line)
    print(f"events — {counts.events}")
    print(f"spool — {len(spool.waiting(settings.spool_dir))} waiting")


def _concluded(problems: list[str]) -> int:
    for problem in problems:
        print(f"problem — {problem}")
    print("all is well" if not problems else f"{len(problems)} problems found")
    return 1 if problems else 0


def _back_up(settings: Settings) -> str:
    """A copy of the store as it is, its log beside it, before anything is written to it."""
    copy = f"{settings.store}.backup-{time.strftime('%Y%m%d-%H%M%S')}"
    for end in ("", "-wal"):
        if os.path.exists(settings.store + end):
            target = os.open(copy + end, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            with open(settings.store + end, "rb") as source, open(target, "wb") as file:
                shutil.copyfileobj(source, file)
    return copy
