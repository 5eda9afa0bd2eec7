"""A question, read against the store: where its answer is looked for, and how it is called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import numpy as np

from recollect.model.clock import DAY
from recollect.model.question import Question
from recollect.model.scope import project_named
from recollect.search.catalogue import of_kinds
from recollect.search.profile import RankingProfile
from recollect.service.sources import Booleans, Catalogue

_LARGEST = 2**63 - 1
"""No memory has a larger id."""


def scope_of(catalogue: Catalogue, question: Question) -> Booleans:
    """Where the answer is looked for."""
    scope = catalogue.is_live.copy()
    if question.project is not None:
        scope &= catalogue.project == _code(catalogue, project_named(question.project))
    if question.session_id is not None:
        scope &= catalogue.session == _code(catalogue, question.session_id)
    if question.kinds is not None:
        scope &= np.isin(catalogue.kind, of_kinds(question.kinds))
    if question.types is not None:
        scope &= np.isin(catalogue.type, [_code(catalogue, type_) for type_ in question.types])
    if question.since is not None:
        scope &= catalogue.created_at >= question.since
    if question.until is not None:
        scope &= catalogue.created_at <= question.until
    if question.ids:
        ids = [id_ for id_ in question.ids if abs(id_) <= _LARGEST]
        places = catalogue.places(np.array(ids, np.int64))
        chosen = np.zeros(len(scope), np.bool_)
        chosen[places[places >= 0]] = True
        scope &= chosen
    return scope


def query_id(
    question: Question,
    profile: RankingProfile,
    model: str | None,
    state: Sequence[int],
    now: int,
) -> str:
    """The same for the same question to the same store on the same day."""
    asked = {
        "text": question.text,
        "project": None if question.project is None else project_named(question.project),
        "kinds": None if question.kinds is None else sorted(question.kinds),
        "types": None if question.types is None else sorted(question.types),
        "session": question.session_id,
        "since": question.since,
        "until": question.until,
        "limit": question.limit,
        "ids": list(question.ids),
    }
    known = json.dumps([asked, profile.name, model, list(state), now // DAY], sort_keys=True)
    return "q_" + hashlib.sha256(known.encode()).hexdigest()[:16]


def _code(catalogue: Catalogue, name: str) -> int:
    """-2, which nothing has, for a name that is not known."""
    code = catalogue.code(name)
    return -2 if code is None else code
