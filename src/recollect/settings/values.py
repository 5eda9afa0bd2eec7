"""What a valid value of each sort is: read here or refused, in words that follow its name.

`TypeError` and `ValueError` say what is wrong; the reader of the settings puts the name before it.
"""

from __future__ import annotations

SENSITIVITIES = ("default", "strict", "relaxed")
PROVIDERS = ("openai", "rule-based")
MOST_REPAIRS = 3
BACKENDS = ("sqlite", "chroma", "hybrid")
EMBEDDERS = ("auto", "minilm", "numpy", "static", "remote", "none")
TOOL_NAMES = ("dotted", "underscore")

_UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("is not a text")
    return value


def whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("is not a whole number from 0 up")
    return value


def port(value: object) -> int:
    if whole(value) > 65535:
        raise ValueError("is not a port (0 to 65535)")
    return whole(value)


def number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("is not a number")
    return float(value)


def yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("is neither true nor false")
    return value


def names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("is not a list of texts")
    return tuple(value)


def strategy(value: object) -> str:
    if value not in {"git", "cwd"}:
        raise ValueError('is neither "git" nor "cwd"')
    return str(value)


def log_level(value: object) -> str:
    # NMEM_LOG may be a filter such as "warn,nmem=debug": its first word is the general level.
    word = text(value).partition(",")[0].strip().lower()
    level = {"warn": "warning", "trace": "debug", "off": "error", "silent": "error"}.get(word, word)
    if level not in {"error", "warning", "info", "debug"}:
        raise ValueError("is not one of error, warning, info, debug")
    return level


def sensitivity(value: object) -> str:
    if value not in SENSITIVITIES:
        raise ValueError(f"is not one of {', '.join(SENSITIVITIES)}")
    return str(value)


def provider(value: object) -> str:
    """What is not known is the default, as published."""
    return text(value) if value in PROVIDERS else PROVIDERS[0]


def repairs(value: object) -> int:
    return min(whole(value), MOST_REPAIRS)


def budget(value: object) -> int | None:
    return None if value == "none" else whole(value)


def embedder(value: object) -> str:
    if value not in EMBEDDERS:
        raise ValueError(f"is not one of {', '.join(EMBEDDERS)}")
    return str(value)


def backend(value: object) -> str:
    if value not in BACKENDS:
        raise ValueError(f"is not one of {', '.join(BACKENDS)}")
    return str(value)


def server(value: object) -> str:
    from urllib.parse import urlsplit  # 6 ms, paid only by those who name a server

    parts = urlsplit(text(value))
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("is not an http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("may hold a host, a port and a path only")
    _ = parts.port  # `ValueError` when it is none
    return str(value)


def collection(value: object) -> str:
    name = text(value)
    if not all(letter.isascii() and (letter.isalnum() or letter in "._-") for letter in name):
        raise ValueError("holds more than letters, digits, dots, dashes and underscores")
    if not 3 <= len(name) <= 512:
        raise ValueError("is not of 3 to 512 characters")
    return name


def rate_of(text: str) -> tuple[int, int]:
    """Requests, and the milliseconds in which so many are allowed: "100/15m" is (100, 900000)."""
    count, slash, span = text.strip().partition("/")
    number, unit = span[:-1] or "1", span[-1:]
    if not (slash and count.isdecimal() and number.isdecimal() and unit in _UNITS):
        raise ValueError('is not a rate such as "100/15m" (s, m, h or d)')
    if not int(count) or not int(number):
        raise ValueError("allows nothing at all")
    return int(count), int(number) * _UNITS[unit]


def rate(value: object) -> str:
    rate_of(text(value))
    return str(value)


def tool_names(value: object) -> str:
    if value not in TOOL_NAMES:
        raise ValueError(f"is not one of {', '.join(TOOL_NAMES)}")
    return str(value)


def secret(value: object) -> str | None:
    """No client can send the blanks around a key."""
    return text(value).strip() or None


def patterns(value: object) -> tuple[str, ...]:
    patterns = names(value)
    if patterns:
        import re  # 7 ms, paid only by those who have patterns of their own

        for item in patterns:
            try:
                re.compile(item)
            except re.error as problem:
                raise ValueError(f"holds {item!r}, which is no pattern: {problem}") from None
    return patterns


def days(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise TypeError("is not a table of days")
    return {name: whole(days) for name, days in value.items()}
