"""Which language model reads events after the rules have, if any, and why not if none.

It is made when the first job waits for it: its package takes a third of a second to load.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable

from recollect.llm.port import Provider
from recollect.service import enrichment
from recollect.service.enrichment import Enrichment, Outcome
from recollect.service.processing import BY_RULES, Workbench
from recollect.settings import Settings
from recollect.store.port.store import Store

log = logging.getLogger(__name__)

GENERAL_KEY = "OPENAI_API_KEY"
ASKED_BY = ("provider", "provider.base_url", "provider.model")
"""Whoever sets one of these means Recollect."""
NO_PACKAGE = 'a key is set, but the package openai is not installed: pip install "recollect[llm]"'


class ModelReading:
    """`make` makes the provider; tests have their own."""

    def __init__(
        self, settings: Settings, *, make: Callable[[Settings], Provider] | None = None
    ) -> None:
        self._settings = settings
        self._make = make or provider
        self._provider: Provider | None = None
        self._why_not = _why_not(settings)

    @property
    def is_asked(self) -> bool:
        return not self._why_not

    @property
    def agent(self) -> str:
        """Who reads, as it is published: the provider also where rules must stand in for it."""
        return BY_RULES if self._settings.provider == BY_RULES else enrichment.AGENT

    def enrich_one(self, bench: Workbench) -> Outcome:
        if not self.is_asked:
            return Outcome.IDLE
        if self._provider is None:
            if not bench.store.jobs.is_due(bench.clock(), is_read=True):
                return Outcome.IDLE
            self._provider = self._make(self._settings)
        repairs = self._settings.provider_max_repairs if self._settings.provider_repair else 0
        work = Enrichment(
            bench=bench,
            provider=self._provider,
            repairs=repairs,
            budget=self._settings.provider_daily_token_budget,
        )
        return enrichment.enrich_one(work)

    def begin(self) -> bool:
        """Whether it is asked; what is probably not what the owner wants is said in the log."""
        if self._why_not == NO_PACKAGE:
            log.warning("%s; rules go on", NO_PACKAGE)
        return self.is_asked

    def told(self, store: Store, *, now: int) -> str:
        """For `status`."""
        if self._why_not:
            return f"rules alone ({self._why_not})"
        settings = self._settings
        found = enrichment.standing(store, settings.provider_daily_token_budget, now=now)
        asked = f"rules, then {asked_model(settings)}"
        if found.budget is None:
            return f"{asked}; {found.spent} tokens today"
        spent = f"{found.spent} of {found.budget} tokens today"
        return f"{asked}; {spent}" + (", so rules alone until 0:00 UTC" if found.is_spent else "")


def asked_model(settings: Settings) -> str:
    """The model that events are sent to, and where it is; empty when none is asked."""
    if _why_not(settings):
        return ""
    return f"{settings.provider_model} at {_place(settings.provider_base_url)}"


def provider(settings: Settings) -> Provider:
    # Loads the package, which nobody without a key needs.
    from recollect.llm.openai_compatible import OpenAICompatible

    return OpenAICompatible(
        model=settings.provider_model,
        base_url=settings.provider_base_url,
        api_key=settings.provider_api_key or "",
    )


def _place(base_url: str) -> str:
    """Without what may be a password."""
    scheme, _, rest = base_url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path.partition('?')[0]}"


def _is_meant(settings: Settings) -> bool:
    """Whether the key was set for this. Half of all developers have the general variable set for
    something else, and nothing may leave the machine unless somebody asked for it."""
    if settings.origins["provider.api_key"] != GENERAL_KEY:
        return True
    return any(settings.origins[name] != "default" for name in ASKED_BY)


def _why_not(settings: Settings) -> str:
    if settings.provider == BY_RULES:
        return "as set"
    if not (settings.provider_api_key or "").strip():
        return "no provider has a key"
    if not _is_meant(settings):
        return f"{GENERAL_KEY} is set for others; CODEXMEM_PROVIDER=openai lets it be used here"
    if importlib.util.find_spec("openai") is None:
        return NO_PACKAGE
    return ""
