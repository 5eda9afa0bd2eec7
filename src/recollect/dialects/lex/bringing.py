"""Frames that come back from a file: an export, or a database of the published product.

Their ids stay, and so do modules that the policy does not have any more; what is private is taken
out as from everything that is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from recollect.dialect.desk import Desk
from recollect.dialects.lex.frame_asked import frame_asked
from recollect.dialects.lex.frames import More, refuse
from recollect.model.frame_errors import FrameExists
from recollect.model.memory import Origin
from recollect.service import frames, modules

USER = "userId"


def bring(desk: Desk, record: Mapping[str, object]) -> bool:
    """Keep the frame that a record is; whether it is new. One that is there stays as it is."""
    found = frame_asked(record)
    more = More(record)
    refuse([*found.problems, *more.problems])
    images = found.pictures()
    branch = found.branch or modules.MAIN
    draft = found.draft(desk, found.module_scope, branch=branch, has_policy=False)
    draft = more.added(desk, draft)
    user = record.get(USER)
    try:
        frames.remember(
            desk.store,
            replace(draft, user_id=user if isinstance(user, str) else None),
            project=desk.saves_to,
            origin=Origin.IMPORT,
            frame_id=more.id or desk.new_frame_id(draft.at),
            is_once=False,
            images=images,
        )
    except FrameExists:
        return False
    return True
