"""`@promise("dialect:area:name")` says which promise of a contract a test proves.

The promises stand in `contract/<dialect>/requirements.toml`; `contract/test_requirements.py`
holds both lists against each other.
"""

from __future__ import annotations

import pytest


def promise(*ids: str) -> pytest.MarkDecorator:
    return pytest.mark.promise(*ids)


def last(value: object) -> str | None:
    """For `ids=last` over a table: only the last column, the reason, names the row."""
    return value if isinstance(value, str) and " " in value else ""
