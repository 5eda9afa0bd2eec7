"""`recollect pack`: what an agent would be given on a question, as text within a budget."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect import wiring
from recollect.cli.embedding import embed_for_a_moment
from recollect.cli.front import command, parser, settings_of
from recollect.dialect.spec import Json, as_json
from recollect.model.memory import Memory
from recollect.model.scope import project_named
from recollect.privacy.clean import mended
from recollect.service import pack as packing

if TYPE_CHECKING:
    from recollect.service.pack import Packed


@command
def pack(argv: list[str]) -> int:
    flags = parser("pack", "What helps most with a question, as text within a budget of tokens.")
    flags.add_argument("question", help="what you are about to do, or want to know")
    flags.add_argument("--project", type=project_named, help="only this project")
    flags.add_argument("--limit", type=int, default=packing.LIMIT, help="memories (1 to 50)")
    flags.add_argument("--budget", type=int, default=packing.BUDGET, help="tokens, at most")
    flags.add_argument("--json", action="store_true", help="for programs")
    # What a terminal sends that is not UTF-8 could neither be kept nor shown again.
    args = flags.parse_args([mended(each) for each in argv])
    house = wiring.open_existing(settings_of(args))
    from recollect.search.profile import DEFAULT  # with the finder, numpy; bad arguments need none

    limit, budget = packing.held(args.limit, args.budget)
    try:
        house.try_to_catch_up()
        embed_for_a_moment(house)
        packed = packing.pack(
            house.store,
            house.finder(),
            packing.Wanted(text=args.question, project=args.project, limit=limit, budget=budget),
            profile=DEFAULT,
            named=_type,
            now=house.clock(),
        )
    finally:
        house.close()
    if args.json:
        print(json.dumps(_document(packed), ensure_ascii=False))
    else:
        print(packed.pack.text, end="")
        print("\n".join(_receipt(packed)), file=sys.stderr)
    return 0


def _type(memory: Memory) -> str:
    return memory.type


def _receipt(packed: Packed) -> list[str]:
    told = packed.pack
    lines = [f"recollect: {told.tokens} of {told.budget} tokens, {len(told.lines)} memories"]
    if packed.is_recent:
        lines.append("recollect: nothing answers the question; these are the newest memories")
    lines += [f"recollect: left out #{each.id}: {each.because}" for each in told.left_out]
    return lines


def _document(packed: Packed) -> Json:
    return as_json({**asdict(packed.pack), "query_id": packed.query_id})
