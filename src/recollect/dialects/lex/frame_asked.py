"""The frame that a call describes, read and checked in the published order.

First what is missing, then wrong types, an empty scope, the status, modules that are not of the
policy, and images last. `FrameAsked.draft` is what may be written: without what is private.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments
from recollect.dialects.lex import refusals
from recollect.dialects.lex.asked import Asked
from recollect.model import picture
from recollect.model.errors import InvalidRequest
from recollect.model.frame import FrameDraft, Image, Status, text_of
from recollect.model.frame_errors import InvalidImage
from recollect.privacy.clean import clean_text
from recollect.service import fields, modules

REQUIRED = ("reference_point", "summary_caption", "status_snapshot", "module_scope")
LONGEST = fields.MOST_CHARACTERS
"""Characters of all that a frame says: what is exported can be imported again."""
LISTS = ("blockers", "merge_blockers", "tests_failing")


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameAsked:
    """What was asked for; `problems` in the order in which they count."""

    reference_point: str
    summary_caption: str
    status: Status
    module_scope: tuple[str, ...]
    branch: str | None
    jira: str | None
    keywords: tuple[str, ...]
    atlas_frame_id: str | None
    images: tuple[Mapping[str, object], ...]
    problems: list[InvalidRequest] = field(default_factory=list)

    def refuse(self) -> None:
        for problem in self.problems:
            raise problem

    def pictures(self) -> tuple[Image, ...]:
        """The images, or `InvalidImage` for the first that is none."""
        return tuple(self.picture(place) for place in range(len(self.images)))

    def picture(self, place: int) -> Image:
        return _image(place, self.images[place])

    def draft(
        self, desk: Desk, scope: tuple[str, ...], *, branch: str, has_policy: bool
    ) -> FrameDraft:
        """As it may be written. `scope`: the modules as the policy has them."""
        clean = _cleaner(desk)
        status = self.status
        draft = FrameDraft(
            reference_point=_kept("reference_point", clean(self.reference_point)),
            summary_caption=_kept("summary_caption", clean(self.summary_caption)),
            status=Status(
                next_action=_kept("status_snapshot.next_action", clean(status.next_action)),
                blockers=_all(clean, status.blockers),
                merge_blockers=_all(clean, status.merge_blockers),
                tests_failing=_all(clean, status.tests_failing),
            ),
            # The ids of a policy stand in a file of the user's; free ones may hold anything.
            module_scope=scope
            if has_policy
            else tuple(_kept("module_scope", clean(each)) for each in scope),
            branch=clean(branch).strip() or modules.MAIN,
            at=desk.clock(),
            jira=_optional(clean, self.jira),
            keywords=_all(clean, self.keywords),
            atlas_frame_id=_optional(clean, self.atlas_frame_id),
        )
        length = len(text_of(draft))
        if length > LONGEST:
            told = f"has {length} characters in all; at most {LONGEST}"
            raise refusals.malformed("status_snapshot", told)
        return draft


def frame_asked(arguments: Arguments) -> FrameAsked:
    """All that is wrong is gathered, but modules and images: these are not looked at yet."""
    asked = Asked(arguments)
    given = {name for name in REQUIRED if asked.needed(name)}
    reference_point = asked.text("reference_point")
    summary_caption = asked.text("summary_caption")
    scope = asked.texts("module_scope")
    branch, jira = asked.optional("branch"), asked.optional("jira")
    keywords, atlas_frame_id = asked.texts("keywords"), asked.optional("atlas_frame_id")
    images = asked.objects("images")
    problems: list[InvalidRequest] = list(asked.wrong())
    if arguments.get("module_scope") == []:
        problems.append(refusals.empty_scope())
    status = (
        _status(arguments.get("status_snapshot"), problems) if "status_snapshot" in given else None
    )
    return FrameAsked(
        reference_point=reference_point,
        summary_caption=summary_caption,
        status=status or Status(next_action=""),
        module_scope=scope,
        branch=branch,
        jira=jira,
        keywords=keywords,
        atlas_frame_id=atlas_frame_id,
        images=images,
        problems=problems,
    )


def _status(given: object, problems: list[InvalidRequest]) -> Status | None:
    if not isinstance(given, Mapping):
        problems.append(refusals.bad_status("status_snapshot", "must be an object"))
        return None
    asked = Asked(given, "status_snapshot.")
    next_action = asked.text("next_action") if asked.needed("next_action") else ""
    lists = {name: asked.texts(name) for name in LISTS}
    problems += [refusals.bad_status(name, "is required") for name in asked.missing]
    problems += [
        refusals.bad_status(each.field, each.message.removeprefix(f"{each.field} "))
        for each in asked.problems
    ]
    return Status(next_action=next_action, **lists)


def _image(place: int, given: Mapping[str, object]) -> Image:
    """What it is, its content tells; so a type that is missing or wrong changes nothing."""
    data, label = given.get("data"), given.get("mime_type")
    if not isinstance(data, str) or not data:
        raise _bad_image(place, "data", InvalidImage("the data must be a base64 string"))
    if label is not None and not isinstance(label, str):
        raise _bad_image(place, "mime_type", InvalidImage("the mime_type must be a string"))
    try:
        return picture.decoded(data)
    except InvalidImage as error:
        raise _bad_image(place, "data", error) from error


def _bad_image(place: int, name: str, error: InvalidImage) -> InvalidImage:
    """The error with the place of the image that it is about."""
    field = f"images[{place}].{name}"
    return InvalidImage(f"{field}: {error.message}", **{**error.context, "field": field})


def _cleaner(desk: Desk) -> Callable[[str], str]:
    rules = desk.rules(desk.project)
    return lambda text: clean_text(text, rules)[0]


def _kept(name: str, clean: str) -> str:
    if not clean.strip():
        raise refusals.malformed(name, "holds nothing but what is private")
    return clean


def _all(clean: Callable[[str], str], texts: tuple[str, ...]) -> tuple[str, ...]:
    """What is blank says nothing."""
    return tuple(kept for kept in (clean(text) for text in texts) if kept.strip())


def _optional(clean: Callable[[str], str], text: str | None) -> str | None:
    return None if text is None else clean(text).strip() or None
