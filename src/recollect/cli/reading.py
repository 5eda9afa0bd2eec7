"""Commands that read: `search`, `status`, `context`."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from recollect import wiring
from recollect.capture import spool
from recollect.cli import here
from recollect.cli.embedding import progress_of
from recollect.cli.front import command, parser, say, settings_of
from recollect.cli.jobs import failed_lines, queue_line
from recollect.dialect.spec import Json
from recollect.dialects.nmem import shapes, wording
from recollect.model.memory import Memory
from recollect.model.scope import project_named
from recollect.service import health, recall
from recollect.settings import Settings
from recollect.store.port.words import Preview
from recollect.wiring.telling import injected
from recollect.worker.presence import find

MOST = 100


@command
def search(argv: list[str]) -> int:
    flags = parser("search", "Search memories; the best match comes first.")
    flags.add_argument("query", help='words, "phrases", prefix*, AND, OR, NOT')
    flags.add_argument("--project", type=project_named, help="only this project")
    flags.add_argument("--type", help="only this type of observation")
    flags.add_argument("--limit", type=int, default=20, help="at most this many (1 to 100)")
    form = flags.add_mutually_exclusive_group()
    form.add_argument("--full", action="store_true", help="whole observations")
    form.add_argument("--ids", action="store_true", help="ids only, one per line")
    args = flags.parse_args(argv)
    settings = settings_of(args)
    found: list[Preview] = []
    whole: list[Memory] = []
    if wiring.has_store(settings):
        house = wiring.open_house(settings)
        house.try_to_catch_up()
        limit = min(max(args.limit, 1), MOST)
        found = recall.search(
            house.store,
            args.query,
            project=args.project,
            type_=args.type,
            limit=limit,
            preview=shapes.PREVIEW,
        )
        if args.full:
            whole = recall.read(house.store, [preview.id for preview in found])
        house.close()
    if args.ids:
        for preview in found:
            print(preview.id)
    elif args.full:
        print(_json([shapes.observation(memory) for memory in whole]))
    else:
        print(_json([shapes.hit(preview) for preview in found]))
    say(f"{len(found)} results for {json.dumps(args.query, ensure_ascii=False)}")
    return 0


@command
def status(argv: list[str]) -> int:
    args = parser("status", "What the store holds, and what still waits.").parse_args(argv)
    settings = settings_of(args)
    if not wiring.has_store(settings):
        print(f"no database at {settings.store}")
        return 0
    house = wiring.open_house(settings)
    house.try_to_catch_up()
    more = [queue_line(house.store), *failed_lines(house.store), *_meaning(house)]
    for line in _status_lines(settings, health.status(house.store), more):
        print(line)
    house.close()
    return 0


@command
def context(argv: list[str]) -> int:
    flags = parser("context", "What a new session in this folder would be told.")
    flags.add_argument("--project", type=project_named, help="instead of this folder's project")
    args = flags.parse_args(argv)
    settings = settings_of(args)
    project = args.project or here.current_project(settings)
    house = wiring.open_existing(settings)
    house.try_to_catch_up()
    text = injected(house, project, source="startup")
    print(text or wording.no_context(project), end="" if text else "\n")
    house.close()
    return 0


def _meaning(house: wiring.House) -> list[str]:
    told = house.reading.told(house.store, now=house.clock())
    return [*progress_of(house), f"read by — {told}"]


def _json(entries: list[dict[str, Json]]) -> str:
    return json.dumps(entries, ensure_ascii=False)


def _status_lines(settings: Settings, found: health.Status, more: Sequence[str]) -> list[str]:
    counts = found.counts
    observations = sum(n for _, n in counts.by_type)
    types = ", ".join(f"{type_}: {n}" for type_, n in counts.by_type[:5])
    lines = [
        f"database — {_size(found.bytes)} (+{_size(found.log_bytes)} WAL)",
        f"observations — {observations}" + (f" ({types})" if types else ""),
    ]
    if counts.pinned:
        lines.append(f"pinned — {counts.pinned}")
    lines += [f"prompts — {counts.prompts}", f"sessions — {counts.sessions}"]
    if found.last_session is not None:
        day = time.strftime("%Y-%m-%d", time.localtime(found.last_session.started_at / 1000))
        lines.append(f"last session — {day} (project: {found.last_session.project})")
    lines.append(f"encryption — {'enabled' if settings.key else 'disabled'}")
    lines.append(f"spool — {len(spool.waiting(settings.spool_dir))} waiting")
    lines += [
        f"put aside — {name}: {reason}" for name, reason in spool.quarantined(settings.spool_dir)
    ]
    lines += more
    worker = find(settings.worker_file)
    where = (
        "not running"
        if worker is None
        else f"http://{worker.host}:{worker.port} (pid {worker.pid})"
    )
    return [*lines, f"worker — {where}"]


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"
