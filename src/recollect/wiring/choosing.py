"""What the settings come to: privacy rules, rate limits, the embedder and its model, fresh ids."""

from __future__ import annotations

import os
from collections.abc import Callable

from recollect.capture import project
from recollect.dialect.bucket import Buckets
from recollect.embed import choose, model_file
from recollect.embed.endpoint import Endpoint
from recollect.embed.model_file import ModelFile
from recollect.embed.port import Chosen
from recollect.model import frame
from recollect.model.fact import ID_BYTES, public_id
from recollect.privacy.clean import Rules
from recollect.settings import Settings
from recollect.settings.values import rate_of

MODEL_NAME, MODEL_CHECKSUM = model_file.NAME, model_file.CHECKSUM
KEY_BYTES = 16


def buckets(settings: Settings) -> dict[str, Buckets]:
    """By the dialect that each one is for."""
    limits = {"memento": settings.memento_rate_limit, "lex": settings.lex_rate_limit}
    return {name: Buckets(*rate_of(limit)) for name, limit in limits.items() if limit is not None}


def new_id() -> str:
    """An id as it is published; long enough never to come twice."""
    return public_id(os.urandom(ID_BYTES))


def new_frame_id(at: int) -> str:
    return frame.frame_id(at, os.urandom(frame.ID_BYTES))


def new_key() -> str:
    """Names an event that nobody else can tell of."""
    return os.urandom(KEY_BYTES).hex()


def project_of(settings: Settings, cwd: str) -> str:
    """The project of a folder, as the hooks name it."""
    return project.project_of(
        cwd,
        named=settings.project,
        home=settings.user_home,
        strategy=settings.project_strategy,
    )[0]


def here() -> str:
    """The folder that this process was started in; empty when it is gone."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def rules_for(settings: Settings, project: str) -> Rules:
    """The privacy rules of a project."""
    chosen = settings.filter_for(project)
    return Rules(
        chosen.extra_patterns,
        chosen.entropy_threshold,
        chosen.entropy_min_length,
        entropy=chosen.entropy,
    )


def chosen(settings: Settings) -> Chosen:
    """The embedder that these settings come to on this machine, and why that one."""
    return choose.choose(wanted(settings))


def wanted(settings: Settings) -> choose.Wanted:
    endpoint = Endpoint(
        settings.embedding_base_url,
        settings.embedding_model,
        settings.embedding_api_key or "",
        settings.embedding_dimensions,
    )
    return choose.Wanted(settings.embedder, _model_folders(settings), endpoint)


def model(settings: Settings) -> ModelFile:
    """The model file that is used, or the place where it is missing."""
    return model_file.find(_model_folders(settings))[0]


def build_model(settings: Settings, *, package: str | None, say: Callable[[str], None]) -> None:
    """Into the folder of models. `package` is where the published files are, or are to be kept."""
    from recollect.embed import build  # numpy, which no other command needs

    build.into(settings.model_dir, package=package, say=say)


def _model_folders(settings: Settings) -> tuple[str, ...]:
    return (settings.model_dir, model_file.PACKAGED)
