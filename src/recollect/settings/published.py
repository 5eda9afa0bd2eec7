"""`settings.json`: settings under their published names, every value a text.

It stands in `CODEXMEM_DATA_DIR`, or in the data folder where that is not set. Users of CodexMem
have one, and the worker writes it; whoever writes by hand has `config.toml`, which beats it.
"""

from __future__ import annotations

import os

from recollect.model.errors import InvalidSetting, StoreFull
from recollect.settings.table import SETTINGS, Setting

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "settings.json"
FOLDER = "CODEXMEM_DATA_DIR"
PREFIX = "CODEXMEM_"
MASK = "********"
YES, NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


def names() -> dict[str, Setting]:
    """Every published name that is a setting here."""
    return {name: row for row in SETTINGS for name in row.variables if name.startswith(PREFIX)}


def read(path: str) -> dict[str, str]:
    """What the file says, by name, also where a name means nothing here."""
    if not os.path.exists(path):
        return {}
    import json  # 9 ms, paid only by those who have a file

    try:
        with open(path, encoding="utf-8-sig") as file:
            told = json.load(file)
    except (OSError, ValueError, RecursionError) as problem:
        raise InvalidSetting(f"{path}: {problem}", file=path) from problem
    if not isinstance(told, dict):
        raise InvalidSetting(f"{path} is not a JSON object", file=path)
    return {name: _as_text(value) for name, value in told.items() if value is not None}


def meant(row: Setting, text: str) -> object:
    """What a text means for this setting; as it is where it cannot mean anything."""
    if isinstance(row.default, bool):
        word = text.strip().lower()
        return True if word in YES else False if word in NO else text
    if isinstance(row.default, int) and text.isdecimal():
        return int(text)
    if isinstance(row.default, tuple):
        return [item.strip() for item in text.split(",") if item.strip()]
    return text


def written(row: Setting, value: object) -> str:
    """A value as the file has it, secrets masked."""
    if value is None:
        return ""
    if row.is_secret:
        return MASK
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def change(path: str, changes: Mapping[str, str]) -> None:
    """Write these values into the file, which keeps all else and is for its owner alone.

    `InvalidSetting` names the first one that is unknown or wrong; then nothing is written. A masked
    value is what `written` has shown, and changes nothing.
    """
    known = names()
    wanted = {name: text for name, text in changes.items() if text != MASK}
    for name, text in wanted.items():
        if name not in known:
            raise InvalidSetting(f"{name} is not a setting", setting=name)
        try:
            if text:
                known[name].read(meant(known[name], text))
        except (TypeError, ValueError) as problem:
            raise InvalidSetting(f"{name} {problem}", setting=name) from None
    _write(path, {**read(path), **wanted})


def _write(path: str, told: Mapping[str, str]) -> None:
    import json

    temporary = f"{path}.{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(temporary, flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(told, file, ensure_ascii=False, indent=2)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        raise StoreFull(f"{path} cannot be written: {problem.strerror}") from problem


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)
