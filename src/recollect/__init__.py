"""Recollect: one memory for every coding agent.

Start reading at `ARCHITECTURE.md`; each room's own `__init__.py` says what lives there.
"""

__version__ = "0.1.0"
