"""Commands that ask by words and by meaning: `find`, and `explain` for what was answered before."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict

from recollect import wiring
from recollect.cli.embedding import embed_for_a_moment
from recollect.cli.front import command, parser, settings_of
from recollect.dialect.spec import Json, as_json
from recollect.model.answer import Answer, Told
from recollect.model.clock import DAY
from recollect.model.question import Question
from recollect.model.scope import project_named
from recollect.privacy.clean import mended

MOST = 100
MOST_LISTED = 20
MOST_SHOWN = 200
"""Characters of a question in a list."""


@command
def find(argv: list[str]) -> int:
    flags = parser("find", "Find memories by words and by meaning; the best answer comes first.")
    flags.add_argument("question", help="as you would ask a colleague")
    flags.add_argument("--project", type=project_named, help="only this project")
    flags.add_argument("--session", help="only this session")
    flags.add_argument("--type", action="append", help="only this type; may be given several times")
    flags.add_argument("--limit", type=int, default=10, help="at most this many (1 to 100)")
    flags.add_argument("--why", action="store_true", help="with the numbers behind the order")
    flags.add_argument("--json", action="store_true", help="for programs, numbers included")
    # What a terminal sends that is not UTF-8 could neither be kept nor shown again.
    args = flags.parse_args([mended(each) for each in argv])
    house = wiring.open_existing(settings_of(args))
    from recollect.search.profile import DEFAULT  # numpy, which bad arguments need not load
    from recollect.service import ledger

    try:
        house.try_to_catch_up()
        embed_for_a_moment(house)
        question = Question(
            text=args.question,
            project=args.project,
            session_id=args.session,
            types=frozenset(args.type) if args.type else None,
            limit=min(max(args.limit, 1), MOST),
        )
        answer = ledger.answer_of(question, DEFAULT, house.finder().find(question, DEFAULT))
    finally:
        house.close()
    _show(answer, house.clock(), is_why=args.why, as_document=args.json)
    if house.settings.ledger_most and not args.why and answer.hits:
        print(f"recollect: why these? recollect explain {answer.id}", file=sys.stderr)
    return 0


@command
def explain(argv: list[str]) -> int:
    flags = parser("explain", "Why an earlier answer was what it was, with what was true then.")
    flags.add_argument("id", nargs="?", help="of the answer; without one the newest are listed")
    flags.add_argument("--json", action="store_true", help="for programs")
    args = flags.parse_args(argv)
    house = wiring.open_existing(settings_of(args))
    from recollect.service import ledger  # numpy, as above

    try:
        if args.id is not None:
            answer = ledger.read(house.store, args.id)
            _show(answer, house.clock(), is_why=True, as_document=args.json)
            return 0
        answers = ledger.newest(house.store, MOST_LISTED)
    finally:
        house.close()
    if args.json:
        print(json.dumps([_document(answer) for answer in answers], ensure_ascii=False))
        return 0
    for answer in answers:
        found = f"{len(answer.hits)} found"
        asked = _quoted(answer.question)[:MOST_SHOWN]
        print(f"{answer.id}  {_moment(answer.asked_at)}  {found:>9}  {asked}")
    if not answers:
        print("recollect: no question was asked yet", file=sys.stderr)
    return 0


def _show(answer: Answer, now: int, *, is_why: bool, as_document: bool) -> None:
    if as_document:
        print(json.dumps(_document(answer), ensure_ascii=False))
        return
    if is_why:
        print("\n".join(_circumstances(answer)))
    for hit in answer.hits:
        print("\n".join(_told(hit, now, is_why=is_why)))
    if is_why and answer.dropped:
        print("considered, and not among the answers:")
        for each in answer.dropped:
            print(f"    #{each.id}  {each.total:.3f}  {_sum(each.components)}  ({each.because})")
    if answer.problem is not None:
        print(f"recollect: {answer.problem}", file=sys.stderr)
    if not answer.hits:
        print("recollect: nothing was found", file=sys.stderr)


def _circumstances(answer: Answer) -> list[str]:
    looked_at = ", ".join(
        f"{name} {value}"
        for name, value in (
            ("project", answer.question.project),
            ("session", answer.question.session_id),
            ("types", ", ".join(sorted(answer.question.types or ())) or None),
        )
        if value is not None
    )
    return [
        f"{_quoted(answer.question)}, asked {_moment(answer.asked_at)}",
        f"in {looked_at or 'all projects'}; ranked by the profile {answer.profile}, "
        + (f"meaning by {answer.model}" if answer.model else "by words only"),
        f"words looked for: {', '.join(answer.terms) or 'none'}",
        "",
    ]


def _told(hit: Told, now: int, *, is_why: bool) -> list[str]:
    age = _age(now - hit.created_at)
    lines = [f"{hit.rank:>3}. #{hit.id}  {hit.type}  {hit.project}  {age}", f"     {_line(hit)}"]
    if is_why:
        terms = f"; has {', '.join(hit.terms)}" if hit.terms else ""
        lines.append(f"     {hit.total:.3f} = {_sum(hit.components)}{terms}")
    return lines


def _line(hit: Told) -> str:
    if not hit.title or hit.title in hit.gist:
        return hit.gist
    return hit.title if hit.gist in hit.title else f"{hit.title}: {hit.gist}"


def _sum(components: Mapping[str, float | None]) -> str:
    known = [(name, value) for name, value in components.items() if value]
    return " + ".join(f"{name} {value:.3f}" for name, value in known) or "0"


def _quoted(question: Question) -> str:
    return json.dumps(question.text, ensure_ascii=False)


def _moment(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at / 1000))


def _age(milliseconds: int) -> str:
    days = milliseconds // DAY
    return "today" if days <= 0 else f"{days} day{'' if days == 1 else 's'} ago"


def _document(answer: Answer) -> Json:
    question = asdict(answer.question)
    for name in ("kinds", "types"):
        question[name] = None if question[name] is None else sorted(question[name])
    return as_json({**asdict(answer), "question": question})
