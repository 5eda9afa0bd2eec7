"""The project as people name it: how a filter is read.

How a folder gets its project's name is `capture.project`; this is only about comparing names.
"""

from __future__ import annotations

UNKNOWN = "unknown"
HOME = "home"
DEFAULT = "default"
"""Of what came without a folder, over HTTP."""


def project_named(text: str) -> str:
    """The project that a filter means: paths compare by their last component. A name is its own."""
    return text.strip().replace("\\", "/").rstrip("/").rpartition("/")[2].strip() or UNKNOWN
