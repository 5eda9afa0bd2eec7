"""`lex.remember` keeps a frame; `lex.validate_remember` says what would come of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Told
from recollect.dialects.lex import shapes, texts, wording
from recollect.dialects.lex.around import RADIUS
from recollect.dialects.lex.frame_asked import FrameAsked, frame_asked
from recollect.dialects.lex.refusals import Code, Refused
from recollect.model.errors import InvalidArgument, InvalidRequest
from recollect.model.frame_errors import InvalidImage
from recollect.model.memory import Origin
from recollect.model.picture import TYPES
from recollect.model.policy_errors import UnknownModules
from recollect.model.workspace import Workspace
from recollect.policy.atlas import neighbourhood
from recollect.service import frames, modules

TICKET = re.compile(r"[A-Z][A-Z0-9]+-\d+", re.IGNORECASE)


def remember(desk: Desk, arguments: Arguments) -> Told:
    asked = frame_asked(arguments)
    asked.refuse()
    workspace = desk.workspace()
    policy = modules.policy_for(workspace)
    scope = modules.scope_for(workspace, asked.module_scope)
    images = asked.pictures()
    branch = modules.branch_for(workspace, asked.branch)
    draft = asked.draft(desk, scope, branch=branch, has_policy=policy is not None)
    # Before the frame is stored: nothing that can fail may come after.
    atlas = neighbourhood(policy, draft.module_scope, RADIUS)
    frame = frames.remember(
        desk.store,
        draft,
        project=desk.saves_to,
        origin=Origin.ASSISTANT,
        frame_id=desk.new_frame_id(draft.at),
        is_once=False,
        images=images,
    )
    data: dict[str, Json] = {
        "success": True,
        "frame_id": frame.id,
        "created_at": shapes.time(frame.at),
    }
    if frame.atlas_frame_id:
        data["atlas_frame_id"] = frame.atlas_frame_id
    return Told(texts.stored(frame, atlas), data)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a frame, or that is worth a look."""

    field: str
    code: str
    message: str
    suggestions: tuple[str, ...] = ()

    def shown(self) -> dict[str, Json]:
        shown: dict[str, Json] = {"field": self.field, "code": self.code, "message": self.message}
        return shown | ({"suggestions": list(self.suggestions)} if self.suggestions else {})


def validate_remember(desk: Desk, arguments: Arguments) -> Told:
    """Everything that is wrong at once; nothing is written. A policy that was named and cannot be
    had is no part of the frame, so that is refused as everywhere."""
    asked, workspace = frame_asked(arguments), desk.workspace()
    policy = modules.policy_for(workspace)
    errors = [each for problem in asked.problems for each in _problems(problem)]
    errors += _module_problems(workspace, asked)
    errors += _image_problems(asked)
    if not errors:
        errors = _draft_problems(desk, asked, has_policy=policy is not None)
    warnings = _warnings(asked, has_policy=policy is not None)
    suggestions = tuple(dict.fromkeys(near for each in errors for near in each.suggestions))
    words = texts.validated(_pairs(errors), suggestions, _pairs(warnings))
    return Told(
        words,
        {
            "valid": not errors,
            "errors": [each.shown() for each in errors],
            "warnings": [each.shown() for each in warnings],
        },
    )


def _problems(problem: InvalidRequest) -> list[Problem]:
    if isinstance(problem, Refused) and problem.published == Code.REQUIRED_FIELD:
        names = problem.metadata["missingFields"]
        assert isinstance(names, list)
        return [Problem(str(name), problem.published, f"{name} is required") for name in names]
    code, metadata = wording.told(problem)
    return [Problem(str(metadata.get("field", "")), code, problem.message)]


def _module_problems(workspace: Workspace, asked: FrameAsked) -> list[Problem]:
    try:
        modules.scope_for(workspace, asked.module_scope)
    except UnknownModules as error:
        return [
            Problem(
                "module_scope",
                Code.INVALID_MODULE_ID,
                wording.module_problem(error, id_),
                error.suggestions.get(id_, ()),
            )
            for id_ in error.invalid
        ]
    except InvalidArgument as error:
        return _problems(error)
    return []


def _image_problems(asked: FrameAsked) -> list[Problem]:
    found = []
    for place in range(len(asked.images)):
        try:
            asked.picture(place)
        except InvalidImage as error:
            found.append(Problem(str(error.context["field"]), Code.INVALID_IMAGE, error.message))
    return found


def _draft_problems(desk: Desk, asked: FrameAsked, *, has_policy: bool) -> list[Problem]:
    """What is seen only when it is about to be written."""
    workspace = desk.workspace()
    scope = modules.scope_for(workspace, asked.module_scope)
    branch = modules.branch_for(workspace, asked.branch)
    try:
        asked.draft(desk, scope, branch=branch, has_policy=has_policy)
    except Refused as problem:
        return _problems(problem)
    return []


def _warnings(asked: FrameAsked, *, has_policy: bool) -> list[Problem]:
    warnings = []
    if asked.jira is not None and not TICKET.fullmatch(asked.jira.strip()):
        told = f"'{asked.jira}' does not look like a ticket, such as TICKET-123"
        warnings.append(Problem("jira", "UNCOMMON_FORMAT", told))
    if not has_policy:
        told = "no policy is loaded, so module ids are not checked"
        warnings.append(Problem("module_scope", "NO_POLICY", told))
    for place, given in enumerate(asked.images):
        label = given.get("mime_type")
        if isinstance(label, str) and label.strip().lower() not in (*TYPES, "image/jpg"):
            told = f"'{label}' is uncommon; what an image is, is told by its content"
            warnings.append(Problem(f"images[{place}].mime_type", "UNCOMMON_FORMAT", told))
    return warnings


def _pairs(problems: list[Problem]) -> list[tuple[str, str]]:
    """What is said of each field, without its name once more."""
    return [(each.field, each.message.removeprefix(each.field).lstrip(": ")) for each in problems]
