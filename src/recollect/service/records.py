"""One memory as a line of JSON: what a line may say, and what it is refused for.

`text` is required, all else optional. What only Recollect knows of a memory stands under
`recollect`, so that an export comes back as it was; other programs need not write it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache

from recollect.model.errors import InvalidArgument
from recollect.model.fact import CATEGORIES, Claim, shown_subject
from recollect.model.memory import Draft, Kind, Memory, Origin, Type
from recollect.model.scope import project_named
from recollect.privacy.clean import Rules, clean_text, clean_value
from recollect.store.port.facts import Claimed

SOURCE_EVENT = "Import"
SORT = "observation"
"""The kind of a line that names none."""
MOST_CHARACTERS = 1_000_000
MOST_LABELS = 1_000
LONGEST_NAME = 200
EARLIEST_IN_MS = 10**11
"""A number below this counts seconds: in milliseconds it would be in 1973."""
LATEST = 253_402_300_799_000
"""The end of the year 9999."""

KINDS: Mapping[str, Kind] = {
    Type.USER_PROMPT: Kind.PROMPT,
    Kind.PROMPT: Kind.PROMPT,
    Type.SESSION_SUMMARY: Kind.SUMMARY,
    Kind.SUMMARY: Kind.SUMMARY,
    Type.AGENT_THINKING: Kind.THOUGHT,
    Kind.THOUGHT: Kind.THOUGHT,
    Type.SESSION_START: Kind.LIFECYCLE,
    Type.SESSION_RESUME: Kind.LIFECYCLE,
    Type.SESSION_CLEAR: Kind.LIFECYCLE,
    Type.SESSION_COMPACT: Kind.LIFECYCLE,
    Type.SESSION_END: Kind.LIFECYCLE,
    Kind.LIFECYCLE: Kind.LIFECYCLE,
    Type.MARKER: Kind.NOTE,
    Kind.NOTE: Kind.NOTE,
    Kind.FACT: Kind.FACT,
    Kind.FRAME: Kind.FRAME,
}
"""What sort of memory a kind that a line names is; every other one is an observation."""

FIELDS = (
    *("kind", "title", "text", "project", "session", "speaker", "created_at", "pinned"),
    *("tags", "concepts", "files", "subject", "category", "confidence", "recollect"),
)
"""All but `id` of what is read; the rest of a line is somebody else's."""


@dataclass(frozen=True, slots=True)
class Record:
    """A line that was understood. Without a `key` of the caller it has none."""

    draft: Draft
    key: str | None = None
    claim: Claim | None = None
    public_id: str | None = None
    retired_at: int | None = None


def read(line: object, *, rules: Rules, project: str, now: int) -> Record:
    """The record in a line; `InvalidArgument` names the field that is wrong, and why."""
    if not isinstance(line, Mapping):
        raise InvalidArgument("the line", "is not a JSON object")
    given = _clean(line, rules)
    own = given.get("recollect", {})
    if not isinstance(own, Mapping):
        raise InvalidArgument("recollect", "must be an object")
    type_ = _name(given, "kind") or _sort_of(given)
    draft = Draft(
        kind=_kind(own, KINDS.get(type_, Kind.OBSERVATION)),
        type=type_,
        text=_text(given),
        title=_string(given, "title"),
        project=project_named(_name(given, "project") or project),
        session_id=_name(given, "session"),
        speaker=_name(given, "speaker"),
        created_at=_time(given, "created_at", now),
        tags=_labels(given, "tags"),
        concepts=_labels(given, "concepts"),
        files=_labels(given, "files"),
        is_pinned=_flag(given, "pinned"),
        origin=Origin.IMPORT,
        source_event=SOURCE_EVENT,
    )
    return Record(
        draft=_as_it_was(draft, own),
        key=_key(line),
        claim=_claim(given, draft),
        public_id=_name(own, "public_id"),
        retired_at=_time(own, "retired_at", None),
    )


def written(memory: Memory, *, key: str, claimed: Claimed | None) -> dict[str, object]:
    """The line of a memory. What it does not have is left out."""
    is_told = KINDS.get(memory.type, Kind.OBSERVATION) is memory.kind
    own = {
        "kind": None if is_told else memory.kind.value,
        "origin": memory.origin.value,
        "source_event": memory.source_event,
        "tool_name": memory.tool_name,
        "file_path": memory.file_path,
        "detail": memory.detail,
        "retired_at": _shown_time(memory.retired_at),
        "public_id": None if claimed is None else claimed.public_id,
    }
    line: dict[str, object] = {
        "id": key,
        "kind": memory.type,
        "title": memory.title,
        "text": memory.text,
        "project": memory.project,
        "session": memory.session_id,
        "speaker": memory.speaker,
        "created_at": _shown_time(memory.created_at),
        "tags": list(memory.tags),
        "concepts": list(memory.concepts),
        "files": list(memory.files),
        "pinned": memory.is_pinned,
        "recollect": {name: value for name, value in own.items() if value is not None},
    }
    if claimed is not None:
        line |= {
            "subject": claimed.claim.subject,
            "category": claimed.claim.category,
            "confidence": claimed.claim.confidence,
        }
    return {name: value for name, value in line.items() if value not in (None, [], False)}


def _clean(line: Mapping[object, object], rules: Rules) -> Mapping[str, object]:
    return {name: _cleaned(line[name], rules) for name in FIELDS if line.get(name) is not None}


def _cleaned(value: object, rules: Rules) -> object:
    if isinstance(value, str):
        clean = _clean_name if len(value) <= LONGEST_NAME else clean_text
        return clean(value, rules)[0]
    if isinstance(value, list):
        return [_cleaned(item, rules) for item in value]
    return clean_value(value, rules)[0] if isinstance(value, Mapping) else value


@lru_cache(4096)
def _clean_name(text: str, rules: Rules) -> tuple[str, bool]:
    """Projects, sessions and tags come again and again, and cleaning is most of the work."""
    return clean_text(text, rules)


def _key(line: Mapping[object, object]) -> str | None:
    """Not cleaned: an id that looks like a secret must still be known again."""
    value = line.get("id")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InvalidArgument("id", "must be a text or a whole number")
    return clean_text(str(value), Rules(entropy=False))[0][:LONGEST_NAME]


def _sort_of(given: Mapping[str, object]) -> str:
    is_claim = given.get("subject") is not None or given.get("category") is not None
    return Kind.FACT if is_claim else SORT


def _kind(own: Mapping[str, object], told: Kind) -> Kind:
    """What sort it is, where the type does not say: a note of the type `decision`."""
    value = own.get("kind")
    if value is None:
        return told
    if value not in set(Kind):
        raise InvalidArgument("recollect.kind", f"must be one of {', '.join(Kind)}")
    return Kind(str(value))


def _text(given: Mapping[str, object]) -> str:
    value = given.get("text")
    if not isinstance(value, str):
        raise InvalidArgument("text", "must be a text" if "text" in given else "is required")
    if not value.strip():
        raise InvalidArgument("text", "must not be empty")
    if len(value) > MOST_CHARACTERS:
        raise InvalidArgument("text", f"has {len(value)} characters; at most {MOST_CHARACTERS}")
    return value


def _string(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidArgument(name, "must be a text")
    return value.strip() or None


def _name(given: Mapping[str, object], name: str) -> str | None:
    value = given.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # sessions and projects are often numbered
    named = _string(given, name)
    if named is not None and len(named) > LONGEST_NAME:
        raise InvalidArgument(name, f"has {len(named)} characters; at most {LONGEST_NAME}")
    return named


def _labels(given: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = given.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidArgument(name, "must be an array of texts")
    labels = dict.fromkeys(item.strip() for item in value if item.strip())
    if len(labels) > MOST_LABELS:
        raise InvalidArgument(name, f"has {len(labels)} entries; at most {MOST_LABELS}")
    return tuple(labels)


def _flag(given: Mapping[str, object], name: str) -> bool:
    value = given.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise InvalidArgument(name, "must be true or false")
    return value


def _claim(given: Mapping[str, object], draft: Draft) -> Claim | None:
    """Facts claim something; so do notes and frames, about their project."""
    if draft.kind not in (Kind.FACT, Kind.NOTE, Kind.FRAME):
        return None
    subject = shown_subject(_name(given, "subject") or draft.project)
    category = _string(given, "category") or ("fact" if draft.kind is Kind.FACT else "context")
    if category not in CATEGORIES:
        raise InvalidArgument("category", f"must be one of {', '.join(CATEGORIES)}")
    confidence = given.get("confidence", 1.0)
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    if not is_number or not 0 <= confidence <= 1:  # type: ignore[operator]  # told by is_number
        raise InvalidArgument("confidence", "must be a number from 0 to 1")
    return Claim(subject=subject, category=category, confidence=float(confidence))  # type: ignore[arg-type]


def _as_it_was(draft: Draft, own: Mapping[str, object]) -> Draft:
    """The draft with what an export of ours says of it."""
    detail = own.get("detail")
    if detail is not None and not isinstance(detail, Mapping):
        raise InvalidArgument("recollect.detail", "must be an object")
    origin = own.get("origin", draft.origin)
    if origin not in set(Origin):
        raise InvalidArgument("recollect.origin", f"must be one of {', '.join(Origin)}")
    return replace(
        draft,
        origin=Origin(str(origin)),
        source_event=_name(own, "source_event") or draft.source_event,
        tool_name=_name(own, "tool_name"),
        file_path=_string(own, "file_path"),
        detail=detail,
    )


def _time(given: Mapping[str, object], name: str, default: int | None) -> int:
    """Milliseconds: of an ISO 8601 date, or of a number of seconds or milliseconds since 1970."""
    value = given.get(name)
    if value is None:
        return default  # type: ignore[return-value]  # None only where None was asked for
    moment = moment_of(value)
    if moment is None:
        raise InvalidArgument(
            name, "must be an ISO 8601 date, or seconds or milliseconds since 1970"
        )
    return moment


def moment_of(value: object) -> int | None:
    """A time as people and programs write it, in milliseconds; None for what is no such time."""
    moment = _moment(value)
    return moment if moment is not None and -LATEST < moment <= LATEST else None


def _moment(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        if not math.isfinite(value):
            return None
        return int(value) if abs(value) >= EARLIEST_IN_MS else int(value * 1000)
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return round(read.timestamp() * 1000)


def _shown_time(moment: int | None) -> str | None:
    if moment is None:
        return None
    return datetime.fromtimestamp(moment / 1000, UTC).isoformat(timespec="milliseconds")
