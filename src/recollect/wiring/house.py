"""The house: a store with everything that answers for it, each part made when it is first needed.

What it is made of is chosen in `choosing`; who opens one is the front of this room.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from recollect.capture import spool
from recollect.dialect import registry
from recollect.dialect.bucket import Room
from recollect.dialect.reply import Ask, Reply, answer, let_in, served
from recollect.dialect.spec import Dialect, Request, Response, Route
from recollect.embed import choose
from recollect.embed.port import Chosen
from recollect.llm.port import Reader
from recollect.model.clock import Clock
from recollect.model.errors import StoreBusy, StoreError, StoreFull
from recollect.privacy.clean import Rules
from recollect.service import operations, processing
from recollect.service.accepting import Tidied
from recollect.service.intake import Intake
from recollect.service.notices import Notices
from recollect.service.processing import Workbench
from recollect.settings import Settings
from recollect.store.port.store import Store
from recollect.store.sqlite.connection import PATIENCE_MS
from recollect.store.turns import Turns
from recollect.wiring import choosing
from recollect.wiring.afar import Afar
from recollect.wiring.desks import AT_HOME, Client, desk_of_client, desk_of_routes
from recollect.wiring.provider import ModelReading
from recollect.wiring.tending import tend
from recollect.worker.drain import Source, drain
from recollect.worker.writer import Writer

if TYPE_CHECKING:
    from recollect.model.question import Found, Question
    from recollect.search.profile import RankingProfile
    from recollect.service.find import Finder
    from recollect.service.lexicon import StoredLexicon
    from recollect.service.meanings import Meanings
    from recollect.service.relevant import FactFinder

log = logging.getLogger(__name__)

HURRY = 1.0
"""Seconds that whoever has no patience gives to the spool; a session start must not wait for a
month of events."""


class House:
    """A store with everything that answers for it. Safe to use from several threads."""

    def __init__(
        self, settings: Settings, store: Store, reader: Reader, clock: Clock, *, patience_ms: int
    ) -> None:
        self.settings = settings
        self.store = store
        self.reader = reader
        self.clock = clock
        self.folder = choosing.here()
        self.notices = Notices(clock)
        self.reading = ModelReading(settings)
        self.bench = Workbench(
            store=store,
            reader=reader,
            clock=clock,
            notices=self.notices,
            wants_model=True,
            agent=self.reading.agent,
            stale_ms=settings.stale_processing_ms,
        )
        self.intake = Intake(
            store=store,
            reader=reader,
            clock=clock,
            rules=self.rules_for,
            project_of=lambda cwd: choosing.project_of(settings, cwd),
            fresh_key=choosing.new_key,
            commit=self._commit,
            notices=self.notices,
            skipped_tools=frozenset(settings.skip_tools),
        )
        self._writer: Writer | None = None
        self._on_accepted: Callable[[], None] = lambda: None
        self.opened_at, self._tidied_at = clock(), 0
        self._dialects: dict[str, Dialect] = {}
        self._catching_up = Turns()
        self._is_patient = patience_ms >= PATIENCE_MS
        self._choosing = threading.Lock()
        self._chosen: Chosen | None = None
        self._meanings: Meanings | None = None
        self._lexicon: StoredLexicon | None = None
        self._finder: Finder | None = None
        self._facts: FactFinder | None = None
        self.afar = Afar(settings, store, lambda: self.chosen().embedder)
        self._buckets = choosing.buckets(settings)
        self._source = Source(
            settings.spool_dir,
            settings.key,
            lru_cache(64)(self.rules_for),
            patience=min(patience_ms / 1000, spool.LOCK_WAIT),
            limit=math.inf if self._is_patient else HURRY,
        )

    def take_over(self, on_accepted: Callable[[], None]) -> None:
        """Be the house of the store's worker: writes are gathered, what a former worker had
        claimed is waiting again, and jobs are ended here. `on_accepted` must not block."""
        self._on_accepted = on_accepted
        self.notices.number_from(operations.first_notice(self.store))
        self.bench = replace(self.bench, wants_model=self.reading.begin())
        processing.release(self.bench, older_than=None)
        self._writer = Writer(lambda: self.store)
        self._writer.start()

    def catch_up(self) -> int:
        """Drain the spool and read what was accepted; how many events were stored or read."""
        stored = self._bring_in()
        if stored and self._is_patient:
            tend(self.store)
        return stored

    def is_behind(self) -> bool:
        """Whether something that was accepted is due to be read."""
        return processing.is_due(self.bench) or self._is_stale()

    def try_to_catch_up(self) -> StoreError | None:
        """Before a read: what is stored can be told even when nothing can be added just now."""
        try:
            if self._writer is None:
                self.catch_up()
            else:
                self._bring_in()  # the worker's loop tends the index: nobody waits for that
        except (StoreBusy, StoreFull) as error:
            log.warning("events wait: %s", error)
            return error
        return None

    def _bring_in(self) -> int:
        newest = self.store.jobs.newest()  # what comes later is not waited for
        with self._catching_up:
            stored = drain(self.store, self.reader, self._source).stored
            if stored:
                processing.tell_depth(self.bench)  # who watches sees that there is more
            self._release_stale()
            return stored + processing.process_waiting(self.bench, upto=newest)

    def _commit(self, write: Callable[[], object]) -> object:
        if self._writer is None:
            with self.store.transaction():
                done = write()
        else:
            done = self._writer.commit(write)
        self._on_accepted()
        return done

    def tidy(self, session_number: int) -> Tidied:
        with self._catching_up:
            return processing.tidy(self.bench, session_number)

    def retry(self, session_number: int | None) -> int:
        """Let what was given up be tried anew, of a session or of all; how much that was."""
        retried = processing.retry(self.bench, session_number)
        self._on_accepted()
        return retried

    def _is_stale(self) -> bool:
        """Asked now and then: a claim grows stale slowly."""
        return self.clock() - self._tidied_at >= self.bench.stale_ms // 4 and processing.is_stale(
            self.bench
        )

    def _release_stale(self) -> None:
        if self._is_stale():
            given_back = processing.release(self.bench, older_than=self.bench.stale_ms)
            log.warning("%s claimed jobs had gone stale and wait again", given_back)
            self._tidied_at = self.clock()

    def dialect(self, name: str) -> Dialect:
        if name not in self._dialects:
            self._dialects[name] = registry.load(name)
        return self._dialects[name]

    def asker(self, dialect_name: str, project: str, client: Client = AT_HOME) -> Ask:
        """A door of a dialect: it catches up before it answers."""
        dialect = self.dialect(dialect_name)
        desk = desk_of_client(self, project, client)

        def ask(name: str, arguments: Mapping[str, object]) -> Reply:
            self.try_to_catch_up()
            return answer(dialect, desk, name, arguments)

        return ask

    def serve(self, route: Route, request: Request) -> Response:
        """The door of the dialects' routes."""
        if route.catches_up:
            self.try_to_catch_up()
        return served(route, desk_of_routes(self), request)

    def let_in(self, route: Route, request: Request) -> Mapping[str, str] | Response:
        """The gate in front of that door, where a route has one."""
        return let_in(route, desk_of_routes(self), request)

    def chosen(self) -> Chosen:
        """The embedder, chosen when it is first asked for: it takes a fifth of a second."""
        with self._choosing:
            if self._chosen is None:
                self._chosen = choosing.chosen(self.settings)
            return self._chosen

    def meanings(self) -> Meanings:
        """Where searches by meaning look; one for the house, so that it is loaded once."""
        from recollect.service.meanings import Meanings  # numpy, which a session start need not pay

        embedder = self.chosen().embedder
        with self._choosing:
            if self._meanings is None:
                self._meanings = Meanings(
                    self.store,
                    [embedder] if embedder else [],
                    former=lambda names: choose.named(choosing.wanted(self.settings), names),
                )
            return self._meanings

    def finder(self) -> Finder:
        """What answers questions; one for the house, so that it is loaded once."""
        from recollect.service.find import Finder  # numpy, as above

        meanings, lexicon = self.meanings(), self.lexicon()
        with self._choosing:
            if self._finder is None:
                self._finder = Finder(
                    self.store,
                    lexicon,
                    self.clock,
                    meaning=self.afar.meaning(meanings),
                    keep=self._keep_answer if self.settings.ledger_most else None,
                )
            return self._finder

    def lexicon(self) -> StoredLexicon:
        """The words of all memories; one for the house, so that it is loaded once."""
        from recollect.service.lexicon import StoredLexicon  # numpy, as above

        with self._choosing:
            if self._lexicon is None:
                self._lexicon = StoredLexicon(self.store)
            return self._lexicon

    def facts(self) -> FactFinder:
        """What finds facts; one for the house, so that it is loaded once."""
        from recollect.search.meaning import MATTER
        from recollect.service.relevant import FactFinder  # numpy, as above

        meanings, lexicon = self.meanings(), self.lexicon()
        with self._choosing:
            if self._facts is None:
                self._facts = FactFinder(self.store, lexicon, lambda: meanings.of(MATTER))
            return self._facts

    def admit(self, dialect: str, client: str = "") -> Room | None:
        buckets = self._buckets.get(dialect)
        return buckets.take(client, self.clock()) if buckets is not None else None

    def _keep_answer(self, question: Question, profile: RankingProfile, found: Found) -> None:
        from recollect.service import ledger  # numpy, as above

        rules = self.rules_for(question.project or "")
        answer = ledger.cleaned(ledger.answer_of(question, profile, found), rules)
        ledger.keep(self.store, answer, most=self.settings.ledger_most)

    def embed_some(self) -> bool:
        """One batch of what has no vector yet; whether more may be missing."""
        from recollect.service.embedding import embed_some  # numpy, as above

        embedder = self.chosen().embedder
        return embedder is not None and not embed_some(self.store, embedder).is_done

    def rules_for(self, project: str) -> Rules:
        return choosing.rules_for(self.settings, project)

    def finish(self, patience: float = 1.0) -> bool:
        """Write what was handed in and take no more; whether that was done in time."""
        return self._writer is None or self._writer.stop(patience)

    def close(self) -> None:
        self.finish()
        self.store.close()
