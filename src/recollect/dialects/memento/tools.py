"""Memento's five tools: checked arguments → a verb → Memento's JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json
from recollect.dialects.memento import shapes
from recollect.model.errors import InvalidArgument
from recollect.model.fact import LONGEST_CONTENT, LONGEST_NAME, MOST_TAGS, Claim
from recollect.privacy.clean import clean_text
from recollect.service import facts

if TYPE_CHECKING:
    from recollect.service.facts import Fact

LONGEST_QUOTE = 80
"""Characters of a memory that an advice quotes."""
LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True)
class _Cleaner:
    """Texts as they may be written: without what is private or secret, and of a bearable length."""

    desk: Desk

    def text(self, name: str, given: object, most: int) -> str:
        """Not blank, before and after."""
        text = _text(name, given, most)
        clean = self._clean(text)
        if not clean.strip():
            raise InvalidArgument(name, "holds nothing but what is private")
        return clean

    def optional(self, name: str, given: object, most: int) -> str | None:
        """What is blank says nothing."""
        if given is None:
            return None
        assert isinstance(given, str)
        _check_length(name, given, most)
        return self._clean(given).strip() or None

    def tags(self, given: object) -> list[str]:
        if given is None:
            return []
        assert isinstance(given, list)
        if len(given) > MOST_TAGS:
            raise InvalidArgument("tags", f"has {len(given)} entries; at most {MOST_TAGS}")
        cleaned = (
            self.optional(f"tags[{place}]", tag, LONGEST_NAME) for place, tag in enumerate(given)
        )
        return [tag for tag in cleaned if tag is not None]

    def _clean(self, text: str) -> str:
        return clean_text(text, self.desk.rules(self.desk.project))[0]


def store_memory(desk: Desk, arguments: Arguments) -> Json:
    clean = _Cleaner(desk)
    confidence = arguments.get("confidence", 1.0)
    assert isinstance(confidence, int | float)
    claim = Claim(
        subject=clean.text("subject", arguments["subject"], LONGEST_NAME),
        category=str(arguments["category"]),
        confidence=float(confidence),
    )
    stored = facts.store_fact(
        desk.store,
        clean.text("content", arguments["content"], LONGEST_CONTENT),
        claim,
        tags=clean.tags(arguments.get("tags")),
        project=desk.project,
        at=desk.clock(),
        new_id=desk.new_id,
    )
    fact, similar = stored.fact, list["Fact"]()
    if stored.is_new:
        similar = desk.facts().similar(fact.memory.id, fact.claimed.claim.subject)
    else:
        desk.facts().embed([fact.memory.id])  # other tags mean something else
    return {
        **shapes.item(fact),
        "created": stored.is_new,
        "similar": shapes.items(similar),
        "action_required": _advice(fact, similar),
    }


def search_memories(desk: Desk, arguments: Arguments) -> Json:
    from recollect.service.relevant import Wanted  # numpy, which listing the tools need not load

    threshold, limit = arguments["threshold"], arguments["limit"]
    assert isinstance(threshold, int | float)
    assert isinstance(limit, int)
    query = arguments["query"]
    assert isinstance(query, str)
    category = arguments.get("category_filter")
    wanted = Wanted(
        text=_not_blank("query", query),
        subject=_subject_filter(arguments),
        category=category if isinstance(category, str) else None,
        limit=limit,
        threshold=float(threshold),
    )
    found = desk.facts().find(wanted)
    return {
        "memories": [{**shapes.item(fact), "relevance_score": fact.score} for fact in found],
    }


def list_recent_memories(desk: Desk, arguments: Arguments) -> Json:
    limit = arguments["limit"]
    assert isinstance(limit, int)
    found = facts.recent(desk.store, subject=_subject_filter(arguments), limit=limit)
    return {"memories": shapes.items(found)}


def update_memory(desk: Desk, arguments: Arguments) -> Json:
    clean = _Cleaner(desk)
    memory_id, content = arguments["memory_id"], arguments.get("new_content")
    assert isinstance(memory_id, str)
    memory_id = _not_blank("memory_id", memory_id).strip()
    reason = clean.optional("reason", arguments.get("reason"), LONGEST_REASON)
    if arguments.get("mark_outdated") is True:
        fact = facts.outdate(desk.store, memory_id, at=desk.clock(), reason=reason)
    elif content is not None:
        new = clean.text("new_content", content, LONGEST_CONTENT)
        fact = facts.reword(desk.store, memory_id, new, at=desk.clock(), reason=reason)
        desk.facts().embed([fact.memory.id])
    else:
        raise InvalidArgument("new_content", "is required, unless mark_outdated is true")
    return {"success": True, "memory": shapes.item(fact)}


def get_memory_stats(desk: Desk, arguments: Arguments) -> Json:
    return shapes.stats(facts.stats(desk.store, subject=_subject_filter(arguments)))


def _subject_filter(arguments: Arguments) -> str | None:
    subject = arguments.get("subject_filter")
    return _not_blank("subject_filter", subject) if isinstance(subject, str) else None


def _advice(fact: Fact, similar: list[Fact]) -> str | None:
    """What the agent may want to do: whether one fact replaces the other, only it can tell."""
    category = fact.claimed.claim.category
    rival = next((each for each in similar if each.claimed.claim.category == category), None)
    if rival is None:
        return None
    text = " ".join(rival.memory.text.split())
    quoted = text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 1]}…"
    return (
        f"{rival.claimed.claim.subject} has a similar {category} already: "
        f'{rival.claimed.public_id} ("{quoted}"). If the new one replaces it, call update_memory '
        "with mark_outdated for that id; if both hold, do nothing."
    )


def _text(name: str, given: object, most: int) -> str:
    assert isinstance(given, str)
    _check_length(name, given, most)
    return _not_blank(name, given)


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidArgument(name, f"has {len(text)} characters; at most {most}")


def _not_blank(name: str, text: str) -> str:
    if not text.strip():
        raise InvalidArgument(name, "must not be empty")
    return text
