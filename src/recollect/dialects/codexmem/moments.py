"""Moments as CodexMem writes and reads them: ISO with a Z out; seconds, milliseconds or ISO in."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from recollect.dialect.validate import LARGEST
from recollect.model.clock import DAY
from recollect.model.errors import InvalidArgument

FIRST_MILLISECONDS = 1e12
"""A number below this is of seconds: as milliseconds it would be before 2001-09-09."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = _EPOCH.replace(tzinfo=None)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,17}(\.[0-9]{1,9})?")


def iso(at: int) -> str:
    moment = _FIRST + timedelta(milliseconds=at)
    return f"{moment.isoformat(timespec='milliseconds')}Z"


def moment(name: str, text: str, *, is_end: bool = False) -> int:
    """In milliseconds. What names no zone is in UTC, as all that we write; a day that ends
    something ends with its last millisecond."""
    if _NUMBER.fullmatch(text):
        number = float(text)
        at = number if abs(number) >= FIRST_MILLISECONDS else number * 1000
        return max(-LARGEST, min(int(at), LARGEST))
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidArgument(
            name, "must be seconds or milliseconds since 1970, or an ISO date"
        ) from error
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    at = (read - _EPOCH) // timedelta(milliseconds=1)
    return at + DAY - 1 if is_end and _DAY.fullmatch(text) else at
