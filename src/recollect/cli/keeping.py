"""Commands that keep: `mark`, `pin`, `unpin`."""

from __future__ import annotations

from recollect import wiring
from recollect.cli import here
from recollect.cli.front import command, parser, say, settings_of
from recollect.model.scope import project_named
from recollect.privacy.clean import clean_text
from recollect.service import remember


@command
def mark(argv: list[str]) -> int:
    flags = parser("mark", "Remember a remark, beside the newest session of the project.")
    flags.add_argument("text")
    flags.add_argument("--project", type=project_named, help="instead of this folder's project")
    args = flags.parse_args(argv)
    settings = settings_of(args)
    project = args.project or here.current_project(settings)
    text, is_redacted = clean_text(args.text, wiring.rules_for(settings, project))
    house = wiring.open_house(settings)
    house.catch_up()
    kept = remember.mark(
        house.store,
        text,
        project=project,
        at=house.clock(),
        public_id=wiring.new_id(),
        is_redacted=is_redacted,
    )
    house.close()
    if is_redacted:
        say("a secret in the text was replaced by [REDACTED]")
    print(kept.id)
    return 0


@command
def pin(argv: list[str]) -> int:
    return _pin(argv, "pin", is_pinned=True)


@command
def unpin(argv: list[str]) -> int:
    return _pin(argv, "unpin", is_pinned=False)


def _pin(argv: list[str], name: str, *, is_pinned: bool) -> int:
    flags = parser(name, "A pinned memory outlives every sweep; purge removes it all the same.")
    flags.add_argument("id", type=int)
    args = flags.parse_args(argv)
    house = wiring.open_existing(settings_of(args))
    house.catch_up()
    remember.pin(house.store, args.id, is_pinned=is_pinned)
    house.close()
    say(f"{name}ned observation {args.id}")
    return 0
