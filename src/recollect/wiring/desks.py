"""The desk of a house's handlers: what of the house they get to answer a request."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Protocol

from recollect import __version__
from recollect.dialect.bucket import Room
from recollect.dialect.desk import Desk, Here
from recollect.dialect.keys import Keys
from recollect.settings import Settings, published
from recollect.wiring import choosing
from recollect.wiring.afar import Afar
from recollect.worker.address import find_address

if TYPE_CHECKING:  # these load numpy, which a search by words does without
    from recollect.model.clock import Clock
    from recollect.privacy.clean import Rules
    from recollect.service.accepting import Accepting, Tidied
    from recollect.service.find import Finder
    from recollect.service.meanings import Meanings
    from recollect.service.relevant import FactFinder
    from recollect.store.port.store import Store
    from recollect.wiring.afar import Afar


class Owner(Protocol):
    """The house, as far as a desk is made of it."""

    settings: Settings
    store: Store
    clock: Clock
    opened_at: int
    afar: Afar

    @property
    def intake(self) -> Accepting: ...
    def finder(self) -> Finder: ...
    def meanings(self) -> Meanings: ...
    def facts(self) -> FactFinder: ...
    def rules_for(self, project: str) -> Rules: ...
    def admit(self, dialect: str, client: str = "") -> Room | None: ...
    def tidy(self, session_number: int) -> Tidied: ...
    def retry(self, session_number: int | None) -> int: ...


def desk_of(house: Owner, project: str, *, saves_to: str) -> Desk:
    """For requests about this project, where they name none; what they save goes to `saves_to`."""
    return Desk(
        store=house.store,
        clock=house.clock,
        project=project,
        saves_to=saves_to,
        finder=house.finder,
        meanings=house.meanings,
        rules=house.rules_for,
        new_id=choosing.new_id,
        facts=house.facts,
        admit=house.admit,
        accepting=house.intake,
        tidy=house.tidy,
        retry=house.retry,
        backfill=house.afar.backfill,
        index=house.afar.index,
        settings=house.settings.published,
        configure=partial(_configure, house.settings),
        here=partial(_here, house),
        keys=Keys(house.settings.lex_api_key, house.settings.token),
    )


def _configure(settings: Settings, changes: Mapping[str, str]) -> None:
    published.change(settings.published_file, changes)


def _here(house: Owner) -> Here:
    address = find_address(house.settings.worker_file)
    return Here(
        version=__version__,
        store=house.settings.store,
        port=address[1] if address else None,
        uptime_ms=max(house.clock() - house.opened_at, 0),
    )
