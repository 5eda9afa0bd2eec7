"""The vector server of a house, if its settings name one: what follows it, what asks it.

Nothing is loaded, and nobody outside asked, before it is needed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.embed.port import Embedder
from recollect.settings import Settings
from recollect.store.port.store import Store

if TYPE_CHECKING:  # these load numpy, which a session start need not pay
    from recollect.service.meanings import Meanings
    from recollect.service.outpost import Backfilled, Following, Index
    from recollect.service.sources import Meaning


class Afar:
    """Safe to use from several threads."""

    def __init__(
        self, settings: Settings, store: Store, embedder: Callable[[], Embedder | None]
    ) -> None:
        self._settings, self._store, self._embedder = settings, store, embedder
        self._making = threading.Lock()
        self._following: Following | None = None

    @property
    def is_wanted(self) -> bool:
        return self._settings.vectors_backend != "sqlite"

    def meaning(self, meanings: Meanings) -> Callable[[], Meaning | None]:
        """What searches ask: the vectors of the store, unless others are wanted."""
        from recollect.service import backends

        following = self._followed()
        if following is None:
            return meanings.of
        is_hybrid = self._settings.vectors_backend == "hybrid"
        return backends.meaning(meanings, following.outpost, is_hybrid=is_hybrid)

    def step(self) -> bool:
        """Bring some of what is missing there; whether there may be more."""
        following = self._followed()
        return following is not None and following.step()

    def backfill(self, project: str | None, limit: int) -> Backfilled:
        from recollect.service.outpost import Backfilled

        following = self._followed()
        if following is None:
            return Backfilled(is_skipped=True)
        return following.backfill(project, limit)

    def index(self) -> Index:
        """Which vectors there are, and where. Asks the server whether it is there."""
        from recollect.service import outpost

        return outpost.index(
            self._store,
            self._embedder(),
            self._followed(),
            backend=self._settings.vectors_backend,
            is_configured=self.is_wanted or self._settings.origins["chroma.url"] != "default",
        )

    def _followed(self) -> Following | None:
        if not self.is_wanted:
            return None
        from recollect.outpost.chroma import Chroma
        from recollect.service.outpost import Following

        with self._making:
            if self._following is None:
                outpost = Chroma(self._settings.chroma_url, self._settings.chroma_collection)
                self._following = Following(self._store, outpost, self._embedder)
            return self._following
