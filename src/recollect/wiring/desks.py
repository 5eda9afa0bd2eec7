"""The desk of a house's handlers: what of the house they get to answer a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from recollect import __version__
from recollect.dialect.bucket import Room
from recollect.dialect.desk import DEFAULT_PROJECT, Desk, Here
from recollect.dialect.keys import Keys
from recollect.settings import Settings, published
from recollect.store.port.memories import Filter
from recollect.wiring import choosing, premises, telling, workspaces
from recollect.wiring.afar import Afar
from recollect.worker.address import find_address

if TYPE_CHECKING:  # these load numpy, which a search by words does without
    from recollect.embed.port import Chosen
    from recollect.llm.port import Reader
    from recollect.model.clock import Clock
    from recollect.model.workspace import Workspace
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
    reader: Reader
    clock: Clock
    opened_at: int
    folder: str
    afar: Afar

    @property
    def intake(self) -> Accepting: ...
    def chosen(self) -> Chosen: ...
    def finder(self) -> Finder: ...
    def meanings(self) -> Meanings: ...
    def facts(self) -> FactFinder: ...
    def rules_for(self, project: str) -> Rules: ...
    def admit(self, dialect: str, client: str = "") -> Room | None: ...
    def tidy(self, session_number: int) -> Tidied: ...
    def retry(self, session_number: int | None) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Who asks, beyond the project. `is_known`: the project is that of its own folder, and not only
    of ours; `workspace` is around that folder, ours without one."""

    is_known: bool = True
    workspace: Callable[[], Workspace] | None = None
    has_all_frames: bool = False
    """Whether the store is its workspace's own, so that all its frames are meant."""


AT_HOME = Client()


def desk_of_client(house: Owner, project: str, client: Client) -> Desk:
    """For requests about this project, where they name none."""
    is_own_store = client.has_all_frames or house.settings.is_store_of_lex
    return _desk(
        house,
        project,
        saves_to=project if client.is_known else DEFAULT_PROJECT,
        workspace=client.workspace,
        frames_of=None if is_own_store else project,
    )


def desk_of_routes(house: Owner) -> Desk:
    """For requests over HTTP, which name a project or mean none."""
    return _desk(house, DEFAULT_PROJECT, saves_to=DEFAULT_PROJECT, workspace=None, frames_of=None)


def _desk(
    house: Owner,
    project: str,
    *,
    saves_to: str,
    workspace: Callable[[], Workspace] | None,
    frames_of: str | None,
) -> Desk:
    """What is saved on it goes to `saves_to`."""
    return Desk(
        store=house.store,
        clock=house.clock,
        project=project,
        saves_to=saves_to,
        finder=house.finder,
        meanings=house.meanings,
        rules=house.rules_for,
        new_id=choosing.new_id,
        new_frame_id=choosing.new_frame_id,
        workspace=workspace or partial(workspaces.own, house.settings, house.folder),
        frames_of=frames_of,
        facts=house.facts,
        purge=partial(_purge, house),
        told=partial(telling.injected, house),
        premises=partial(premises.premises, house),
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


def _purge(house: Owner, memory_id: int) -> None:
    from recollect.service import retention

    wanted = Filter(id=memory_id)
    retention.purge(house.store, house.reader, wanted, at=house.clock())


def _configure(settings: Settings, changes: Mapping[str, str]) -> None:
    published.change(settings.published_file, changes)


def _here(house: Owner) -> Here:
    address = find_address(house.settings.worker_file)
    return Here(
        version=__version__,
        store=house.settings.store,
        port=address[1] if address else None,
        uptime_ms=max(house.clock() - house.opened_at, 0),
        can_encrypt=house.store.upkeep.can_encrypt(),
    )
