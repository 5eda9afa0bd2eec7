"""One thread for numpy, set before any test module loads it, as `choose` does."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
