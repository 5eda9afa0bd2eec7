"""The model as `make test` has built it, and the published files that it was built from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recollect.embed import model_file
from recollect.embed.package import INSIDE

BUILD = Path(__file__).parents[1] / "build"
FOLDER = Path(os.environ.get("RECOLLECT_MODEL_DIR") or BUILD / "models")
FILE = FOLDER / model_file.FILE
PACKAGE = BUILD / "model-package"
PUBLISHED = PACKAGE / INSIDE

needs_model = pytest.mark.skipif(not FILE.is_file(), reason="no model here; make test builds one")
needs_package = pytest.mark.skipif(
    not PUBLISHED.is_dir(), reason="no published weights here; make test fetches them"
)
