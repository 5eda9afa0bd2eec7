"""Retention: what is removed for good, because somebody asked or because its time is over."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.llm.port import Reader
from recollect.model.clock import DAY, SECOND
from recollect.model.errors import InvalidArgument, StoreBusy
from recollect.service import sessions
from recollect.store.port.memories import Filter, Purged
from recollect.store.port.store import Store


def would_purge(store: Store, wanted: Filter) -> Purged:
    _refuse_everything(wanted)
    return store.memories.count_for_purge(wanted)


def purge(store: Store, reader: Reader, wanted: Filter, *, at: int) -> Purged:
    """Remove what the filter means, pinned or not, and every trace of it in the file.

    A summary may quote what was removed, so the summaries of the sessions concerned are made anew
    and leave no history. Work that is still queued goes with its event; what was searched for and
    what failed goes by the same filter.
    """
    # Loads numpy, which a session start, whose sweep this module is as well, can do without.
    from recollect.service import segments

    _refuse_everything(wanted)
    with store.transaction():
        store.jobs.forget_failures(wanted)  # while it is known whose sessions they were of
        outcome = store.memories.purge(wanted)
        store.operations.forget_searches(wanted)
        store.ledger.forget_asked(wanted)
        if wanted.words is not None:
            for event_id in store.events.mentioning(wanted.words):
                store.events.blank(event_id)
            store.portraits.forget(wanted.words)
            store.memories.forget_former(wanted.words)
        for session_id in outcome.touched:
            _summarise_anew(store, reader, session_id, at, is_lost=wanted.words is not None)
        store.words.fold()
        store.frames.fold()
        segments.fold(store)
    if not store.upkeep.compact():
        raise StoreBusy(
            "it is removed, but the log still holds it, because another process is reading: "
            "run `recollect maintain` when that has ended"
        )
    return outcome


def sweep(store: Store, days: Mapping[str, float], *, now: int) -> Purged:
    """Remove what is older than its type's days allow; never what is pinned.

    The second added to the cutoff makes 0 days mean everything, this moment included.
    """
    cutoffs = {type_: int(now + SECOND - kept * DAY) for type_, kept in days.items()}
    with store.transaction():
        outcome = store.memories.sweep(cutoffs)
    if outcome.observations or outcome.prompts:
        store.upkeep.compact()
    return outcome


def _summarise_anew(
    store: Store, reader: Reader, session_id: str, at: int, *, is_lost: bool
) -> None:
    """`is_lost`: the summary may have been among what was purged, because it held the words."""
    session = store.sessions.find(session_id)
    if session is None:
        return
    if sessions.forget_orphans(store, session_id):
        is_lost = True
    former = sessions.made_summary(store, session_id)
    if former is not None:
        store.memories.remove(former.id)
    if former is not None or (is_lost and session.ended_at is not None):
        sessions.summarise(store, reader, session_id, at=at)


def _refuse_everything(wanted: Filter) -> None:
    if wanted.is_empty():
        raise InvalidArgument("purge", "needs at least one filter")
