"""Whether a text says when something was, or how long it took, and whether a question asks."""

from __future__ import annotations

import re

_MONTH = (
    "january|february|march|april|june|july|august|september|october|november|december"
    "|jan|feb|apr|aug|sept?|oct|nov|dec"
)
_DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_UNIT = "(?:second|minute|hour|day|night|week|weekend|fortnight|month|quarter|year|decade)s?"
_NUMBER = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|few|couple(?: of)?|several|many|half(?: an?)?)"
)
_PERIOD = (
    "week|weekend|month|year|summer|winter|spring|autumn|fall|night|morning|evening|afternoon"
    "|quarter|semester|decade|century|christmas|easter|birthday"
)
_TIME = re.compile(
    rf"""\b(?:
    (?:19|20)\d\d | \d{{1,2}}:\d\d | \d{{1,2}}\s?[ap]\.?m\b
    | {_MONTH} | may\s\d | \d\s+may | in\s+may | {_DAY}
    | yesterday | today | tomorrow | tonight | nowadays | midnight | noon
    | (?:last|next|past|this|previous|coming|following|every|each)\s+(?:few\s+)?
      (?:{_PERIOD}|{_DAY}|{_UNIT})
    | {_NUMBER}[\s-]+{_UNIT} | ago | recently | lately | earlier | since\s+(?:\w+\s+)?(?:19|20)\d\d
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKS = re.compile(
    rf"""\b(?:
    when(?!\s?ever) | how\s+long | how\s+(?:recently|often|old) | since\s+when | until\s+when
    | how\s+many\s+{_UNIT} | (?:what|which|on\s+what|in\s+which)\s+(?:exact\s+)?
      (?:date|time|day|night|week|weekend|month|year|season|decade|century|hour)s?
    | (?:what|which)\s+(?:was|is|were)\s+the\s+(?:date|time|day|year|month)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
MOST = 20_000
"""Characters that are looked at: what a text is about stands at its beginning."""


def has_time(text: str) -> bool:
    """Whether it holds a date, a time of day, a duration, or a word such as `yesterday`."""
    return _TIME.search(text, 0, MOST) is not None


def asks_for_time(question: str) -> bool:
    return _ASKS.search(question, 0, MOST) is not None
