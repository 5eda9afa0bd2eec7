"""What an exported line says of a frame, beyond what it says of every memory.

The frame's own fields stand under `recollect.frame`, its images under `recollect.images`: bytes are
no text, so nothing in them is cleaned.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from recollect.model.errors import InvalidArgument
from recollect.model.frame import LONGEST_ID, Frame, FrameDraft, Image, Status
from recollect.model.frame_errors import InvalidImage
from recollect.model.picture import decoded
from recollect.service import fields

FRAME = "frame"
IMAGES = "images"

_LISTS = ("keywords", "feature_flags", "permissions")
_TEXTS = ("jira", "atlas_frame_id", "run_id", "plan_hash", "user_id")


@dataclass(frozen=True, slots=True)
class FrameRecord:
    """The frame in a line that was understood."""

    id: str
    draft: FrameDraft
    images: tuple[Image, ...]


def read(frame: object, images: object, *, at: int) -> FrameRecord:
    """The frame in a line; `InvalidArgument` names the field that is wrong, and why."""
    given = _inside(frame, "recollect.frame")
    status = _inside(given["recollect.frame.status"], "recollect.frame.status")
    spend = fields.mapping(given, "recollect.frame.spend")
    id_ = fields.required_text(given, "recollect.frame.id")
    if len(id_) > LONGEST_ID:
        raise InvalidArgument("recollect.frame.id", f"has more than {LONGEST_ID} characters")
    draft = FrameDraft(
        at=at,
        reference_point=fields.required_text(given, "recollect.frame.reference_point"),
        summary_caption=fields.required_text(given, "recollect.frame.summary_caption"),
        branch=fields.required_text(given, "recollect.frame.branch"),
        module_scope=_list(given, "recollect.frame.module_scope"),
        status=Status(
            next_action=fields.required_text(status, "recollect.frame.status.next_action"),
            blockers=_list(status, "recollect.frame.status.blockers"),
            merge_blockers=_list(status, "recollect.frame.status.merge_blockers"),
            tests_failing=_list(status, "recollect.frame.status.tests_failing"),
        ),
        keywords=_list(given, "recollect.frame.keywords"),
        feature_flags=_list(given, "recollect.frame.feature_flags"),
        permissions=_list(given, "recollect.frame.permissions"),
        jira=_text(given, "recollect.frame.jira"),
        atlas_frame_id=_text(given, "recollect.frame.atlas_frame_id"),
        run_id=_text(given, "recollect.frame.run_id"),
        plan_hash=_text(given, "recollect.frame.plan_hash"),
        user_id=_text(given, "recollect.frame.user_id"),
        spend=None if spend is None else {name: _amount(name, spend[name]) for name in spend},
    )
    return FrameRecord(id_, draft, _images(images))


def written(frame: Frame, images: Iterable[Image]) -> dict[str, object]:
    """Both entries; what the frame does not have is left out."""
    status: dict[str, object] = {
        "next_action": frame.status.next_action,
        "blockers": list(frame.status.blockers),
        "merge_blockers": list(frame.status.merge_blockers),
        "tests_failing": list(frame.status.tests_failing),
    }
    told: dict[str, object] = {
        "id": frame.id,
        "reference_point": frame.reference_point,
        "summary_caption": frame.summary_caption,
        "status": {name: value for name, value in status.items() if value},
        "module_scope": list(frame.module_scope),
        "branch": frame.branch,
        "spend": None if frame.spend is None else dict(frame.spend),
        **{name: getattr(frame, name) for name in _TEXTS},
        **{name: list(getattr(frame, name)) or None for name in _LISTS},
    }
    shown = [
        {"mime_type": each.mime_type, "data": base64.b64encode(each.data).decode("ascii")}
        for each in images
    ]
    entries: dict[str, object] = {
        FRAME: {name: value for name, value in told.items() if value is not None}
    }
    return {**entries, IMAGES: shown} if shown else entries


def _inside(value: object, name: str) -> Mapping[str, object]:
    """An object's entries, by the names under which they are refused."""
    found = fields.mapping({name: value}, name)
    if found is None:
        raise InvalidArgument(name, "must be an object")
    entries = {f"{name}.{key}": found[key] for key in found}
    return {f"{name}.status": None, **entries}


def _list(given: fields.Given, name: str) -> tuple[str, ...]:
    """As it was written: what is in it twice stays so."""
    value = given.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidArgument(name, "must be an array of texts")
    return tuple(value)


def _text(given: fields.Given, name: str) -> str | None:
    return None if fields.string(given, name) is None else str(given[name])


def _amount(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidArgument(f"recollect.frame.spend.{name}", "must be a whole number, 0 or more")
    return value


def _images(value: object) -> tuple[Image, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InvalidArgument("recollect.images", "must be an array")
    return tuple(_image(each, f"recollect.images[{place}]") for place, each in enumerate(value))


def _image(value: object, name: str) -> Image:
    data = value.get("data") if isinstance(value, Mapping) else None
    if not isinstance(data, str):
        raise InvalidArgument(name, "must be an object with the data as base64 text")
    try:
        return decoded(data)
    except InvalidImage as error:
        raise InvalidArgument(name, f"cannot be kept: {error}") from error
