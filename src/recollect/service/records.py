"""One memory as a line of JSON: what a line may say, and what it is refused for.

`text` is required, all else optional. What only Recollect knows of a memory stands under
`recollect`, so that an export comes back as it was; other programs need not write it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from recollect.model.errors import InvalidArgument
from recollect.model.fact import CATEGORIES, Claim, shown_subject
from recollect.model.memory import CLAIMING, Draft, Kind, Memory, Origin, Type
from recollect.model.scope import project_named
from recollect.privacy.clean import Rules, clean_text, clean_value
from recollect.service import fields, frame_records
from recollect.service.fields import LONGEST_NAME
from recollect.service.frame_records import FrameRecord
from recollect.store.port.facts import Claimed

SOURCE_EVENT = "Import"
SORT = "observation"
"""The kind of a line that names none."""

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
_ABOUT = ("subject", "category")
_CLAIMING = (*_ABOUT, "confidence")


@dataclass(frozen=True, slots=True)
class Record:
    """A line that was understood, and the `key` that it is known by."""

    draft: Draft
    key: str
    claim: Claim | None = None
    public_id: str | None = None
    retired_at: int | None = None
    frame: FrameRecord | None = None


def read(line: object, *, rules: Rules, project: str, now: int) -> Record:
    """The record in a line; `InvalidArgument` names the field that is wrong, and why."""
    if not isinstance(line, Mapping):
        raise InvalidArgument("the line", "is not a JSON object")
    given = _clean(line, rules)
    inside = fields.mapping(given, "recollect") or {}
    own = {f"recollect.{name}": value for name, value in inside.items()}
    created_at = fields.time(given, "created_at")
    type_ = fields.name(given, "kind") or _sort_of(given)
    kind = _kind(own, KINDS.get(type_, Kind.OBSERVATION))
    if kind is Kind.OBSERVATION and _says(given, _ABOUT):
        kind = Kind.NOTE  # a preference or a decision of somebody's, whatever the line calls it
    draft = Draft(
        kind=kind,
        type=type_,
        text=fields.required_text(given, "text"),
        title=fields.string(given, "title"),
        project=project_named(fields.name(given, "project") or project),
        session_id=fields.name(given, "session"),
        speaker=fields.name(given, "speaker"),
        created_at=now if created_at is None else created_at,
        tags=fields.labels(given, "tags"),
        concepts=fields.labels(given, "concepts"),
        files=fields.labels(given, "files"),
        is_pinned=fields.flag(given, "pinned"),
        origin=Origin.IMPORT,
        source_event=SOURCE_EVENT,
    )
    draft = _as_it_was(draft, own)
    told = _told(given)
    if draft.kind not in CLAIMING and told:
        draft = replace(draft, detail={**(draft.detail or {}), **told})
    return Record(
        draft=draft,
        key=_key(line) or _key_of(given, draft.project),
        claim=_claim(told, draft) if draft.kind in CLAIMING else None,
        public_id=fields.name(own, "recollect.public_id"),
        retired_at=fields.time(own, "recollect.retired_at"),
        frame=_frame(line, own, draft),
    )


def written(
    memory: Memory,
    *,
    key: str,
    claimed: Claimed | None,
    more: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """The line of a memory. What it does not have is left out; `more` is what its kind adds."""
    is_told = KINDS.get(memory.type, Kind.OBSERVATION) is memory.kind
    own = {
        "kind": None if is_told else memory.kind.value,
        "origin": memory.origin.value,
        "source_event": memory.source_event,
        "tool_name": memory.tool_name,
        "file_path": memory.file_path,
        "detail": memory.detail,
        "retired_at": fields.shown_time(memory.retired_at),
        "public_id": None if claimed is None else claimed.public_id,
        **(more or {}),
    }
    line: dict[str, object] = {
        "id": key,
        "kind": memory.type,
        "title": memory.title,
        "text": memory.text,
        "project": memory.project,
        "session": memory.session_id,
        "speaker": memory.speaker,
        "created_at": fields.shown_time(memory.created_at),
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
    return {name: value for name, value in line.items() if not _is_nothing(value)}


def _is_nothing(value: object) -> bool:
    """A confidence of 0 is something."""
    return value is None or value is False or value == []


def _clean(line: Mapping[object, object], rules: Rules) -> Mapping[str, object]:
    return {
        name: _cleaned(_without_images(line[name]), rules)
        for name in FIELDS
        if line.get(name) is not None
    }


def _without_images(value: object) -> object:
    """Bytes look like secrets, and are none."""
    if not isinstance(value, Mapping) or frame_records.IMAGES not in value:
        return value
    return {name: value[name] for name in value if name != frame_records.IMAGES}


def _cleaned(value: object, rules: Rules) -> object:
    if isinstance(value, str):
        clean = _clean_name if len(value) <= LONGEST_NAME else clean_text
        return clean(value, rules)[0]
    if isinstance(value, list):  # of labels, or it is refused
        return [_cleaned(item, rules) if isinstance(item, str) else item for item in value]
    return clean_value(value, rules)[0] if isinstance(value, Mapping) else value


@lru_cache(4096)
def _clean_name(text: str, rules: Rules) -> tuple[str, bool]:
    """Projects, sessions and tags come again and again, and cleaning is most of the work."""
    return clean_text(text, rules)


def _key(line: Mapping[object, object]) -> str | None:
    """An id in which something had to be cleaned must still be known, and not be another one's."""
    value = line.get("id")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise InvalidArgument("id", "must be a text or a whole number")
    id_ = str(value)
    if len(id_) > LONGEST_NAME:
        raise InvalidArgument("id", f"has {len(id_)} characters; at most {LONGEST_NAME}")
    return id_ if clean_text(id_, Rules(entropy=False))[0] == id_ else "id-" + _digest(id_)


def _key_of(given: Mapping[str, object], project: str) -> str:
    """A line without an id is known by all that it says: what differs in anything is another."""
    return "line-" + _digest(json.dumps({**given, "project": project}, sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _sort_of(given: Mapping[str, object]) -> str:
    return Kind.FACT if _says(given, _CLAIMING) else SORT


def _says(given: Mapping[str, object], names: Iterable[str]) -> bool:
    """Whether one of these is there and not blank; of what type it must be, others check."""
    return any(str(given.get(name, "")).strip() for name in names)


def _kind(own: Mapping[str, object], told: Kind) -> Kind:
    """What sort it is, where the type does not say: a note of the type `decision`."""
    value = own.get("recollect.kind")
    if value is None:
        return told
    if not isinstance(value, str) or value not in set(Kind):
        raise InvalidArgument("recollect.kind", f"must be one of {', '.join(Kind)}")
    return Kind(value)


def _told(given: Mapping[str, object]) -> dict[str, str | float]:
    """What a line says of about whom it is, of which category and how sure."""
    category = fields.string(given, "category")
    if category is not None and category not in CATEGORIES:
        raise InvalidArgument("category", f"must be one of {', '.join(CATEGORIES)}")
    told = {
        "subject": fields.name(given, "subject"),
        "category": category,
        "confidence": fields.share(given, "confidence"),
    }
    return {name: value for name, value in told.items() if value is not None}


def _claim(told: Mapping[str, str | float], draft: Draft) -> Claim:
    """Facts, notes and frames claim something, about their project if a line does not say more.

    All others only know what they were told, as a detail.
    """
    usual = "fact" if draft.kind is Kind.FACT else "context"
    return Claim(
        subject=shown_subject(str(told.get("subject", draft.project))),
        category=str(told.get("category", usual)),
        confidence=float(told.get("confidence", 1.0)),
    )


def _frame(
    line: Mapping[object, object], own: Mapping[str, object], draft: Draft
) -> FrameRecord | None:
    """A line may call itself a frame and be none of Lex's: then it is a memory like others."""
    told, inside = own.get("recollect.frame"), line.get("recollect")
    if draft.kind is not Kind.FRAME or told is None or not isinstance(inside, Mapping):
        return None
    return frame_records.read(told, inside.get(frame_records.IMAGES), at=draft.created_at)


def _as_it_was(draft: Draft, own: Mapping[str, object]) -> Draft:
    """The draft with what an export of ours says of it."""
    origin = own.get("recollect.origin", draft.origin)
    if not isinstance(origin, str) or origin not in set(Origin):
        raise InvalidArgument("recollect.origin", f"must be one of {', '.join(Origin)}")
    return replace(
        draft,
        origin=Origin(origin),
        source_event=fields.name(own, "recollect.source_event") or draft.source_event,
        tool_name=fields.name(own, "recollect.tool_name"),
        file_path=fields.string(own, "recollect.file_path"),
        detail=fields.mapping(own, "recollect.detail"),
    )
