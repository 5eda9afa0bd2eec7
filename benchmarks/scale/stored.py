"""The made-up texts as memories of a store, in sessions, the way that draining leaves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.scale.texts import Text, texts
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.session import Session
from recollect.store.port.store import Store

BATCH = 1_000


def batches(first: int, last: int, *, now: int) -> Iterator[list[Text]]:
    for start in range(first, last + 1, BATCH):
        yield list(texts(start, min(start + BATCH - 1, last), now=now))


def add(store: Store, batch: Sequence[Text]) -> list[Memory]:
    """In one transaction."""
    added = []
    with store.transaction():
        for each in batch:
            if store.sessions.find(each.session_id) is None:
                store.sessions.begin(
                    Session(
                        id=each.session_id,
                        project=each.project,
                        platform="claude-code",
                        started_at=each.at,
                    )
                )
            added.append(store.memories.add(draft(each)))
    return added


def draft(each: Text) -> Draft:
    is_prompt = each.type is Type.USER_PROMPT
    return Draft(
        kind=Kind.PROMPT if is_prompt else Kind.OBSERVATION,
        type=each.type,
        text=each.text,
        project=each.project,
        session_id=each.session_id,
        created_at=each.at,
        origin=Origin.USER if is_prompt else Origin.TOOL,
        source_event="UserPromptSubmit" if is_prompt else "PostToolUse",
        prompt_id=each.prompt_number,
        file_path=each.file_path,
    )
