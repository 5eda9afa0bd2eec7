"""What `recollect lex` does with files: a policy proposed, frames exported, modules drawn."""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO

from recollect import wiring
from recollect.cli import here
from recollect.dialect.spec import Json
from recollect.dialects.lex import shapes
from recollect.dialects.lex.asked import Asked
from recollect.model.errors import InvalidArgument
from recollect.model.frame import Frame, ImageNote
from recollect.model.policy_errors import PathNotFound, PolicyNotFound
from recollect.service import frames, modules
from recollect.settings import Settings
from recollect.settings.lex import FOLDER, STORE
from recollect.store.port.store import Store
from recollect.wiring import workspaces

if TYPE_CHECKING:
    from recollect.model.workspace import Workspace

PAGE = 500
"""Frames that are read at a time."""
POLICY = os.path.join(FOLDER, "lexmap.policy.json")


def export(args: argparse.Namespace, settings: Settings) -> int:
    """Newest first, all as they were at one moment."""
    house = wiring.open_existing(settings)
    mine = None if settings.is_store_of_lex else here.current_project(settings, "lex")
    count = 0
    try:
        house.try_to_catch_up()
        with _output(args.output) as out, house.store.reading():
            found = _chosen(house.store, args, args.project or mine)
            shown = (_whole(house.store, frame) for frame in found)
            count = _write_frames(out, shown, is_array=args.format == "json")
    finally:
        house.close()
    print(f"recollect: exported {count} frames", file=sys.stderr)
    return 0


def draw(args: argparse.Namespace, settings: Settings) -> int:
    """The policy's modules as a picture: all of them, or the neighbourhood of some."""
    from recollect.policy import picture  # for those who want to look
    from recollect.policy.atlas import neighbourhood

    workspace = _workspace(settings)
    policy = modules.policy_for(workspace)
    if policy is None:
        raise PolicyNotFound(os.path.join(workspace.root or "", POLICY))
    asked = args.seedModules or ()
    seeds = modules.scope_for(workspace, asked) if asked else policy.ids
    radius = 1 if args.foldRadius is None else args.foldRadius
    with _output(args.svg) as out:
        out.write(picture.svg(neighbourhood(policy, seeds, max(radius, 0))))
    print(f"recollect: written: {args.svg}", file=sys.stderr)
    return 0


def init(args: argparse.Namespace, settings: Settings) -> int:
    """A policy as the folders of the source propose it; written only when somebody says so."""
    from recollect.service.proposing import proposed  # reads the whole tree

    workspace = _workspace(settings)
    if workspace.root is None:
        raise PathNotFound(here.folder())
    path = os.path.join(workspace.root, args.output or POLICY)
    if os.path.lexists(path):
        raise InvalidArgument(path, "is there already, and stays as it is")
    text = json.dumps(proposed(workspace), ensure_ascii=False, indent=2) + "\n"
    print(text, end="", flush=True)
    if not (args.yes or _is_confirmed(path)):
        print(f"recollect: nothing was written; --yes writes it to {path}", file=sys.stderr)
        return 0
    _create(path, text)
    print(f"recollect: written: {path}", file=sys.stderr)
    store = os.path.join(workspace.root, STORE)
    if os.path.dirname(path) == os.path.dirname(store) and settings.origins["store"] == "default":
        told = f"from now on, frames of this workspace are kept in {store}"
        print(f"recollect: {told}; older ones stay in {settings.store}", file=sys.stderr)
        over = f"recollect lex --db {shlex.quote(settings.store)} export --output frames.json"
        print(f"recollect: to bring them over: {over}", file=sys.stderr)
        print("recollect: and then: recollect lex import frames.json", file=sys.stderr)
    return 0


def _chosen(store: Store, args: argparse.Namespace, project: str | None) -> Iterator[Frame]:
    asked = Asked({"since": args.since})
    since = asked.moment("since")
    asked.refuse()
    offset = 0
    while some := frames.newest(
        store, branch=args.branch, since=since, project=project, limit=PAGE, offset=offset
    ):
        yield from (frame for frame in some if args.jira in (None, frame.jira))
        offset += len(some)


def _whole(store: Store, frame: Frame) -> dict[str, Json]:
    """With the bytes of its images: what is exported can be imported again."""
    shown = shapes.frame(frame)
    if frame.images:
        shown["images"] = [_image(store, frame.id, note) for note in frame.images]
    return shown


def _image(store: Store, frame_id: str, note: ImageNote) -> dict[str, Json]:
    data = frames.image(store, frame_id, note.number).data
    told: dict[str, Json] = {"mime_type": note.mime_type, "size": note.size}
    return {"number": note.number, **told, "data": base64.b64encode(data).decode("ascii")}


def _write_frames(out: TextIO, found: Iterable[dict[str, Json]], *, is_array: bool) -> int:
    """As an array, or a line each; how many there were."""
    count = 0
    for count, frame in enumerate(found, 1):
        if is_array:
            out.write("[\n" if count == 1 else ",\n")
        out.write(json.dumps(frame, ensure_ascii=False))
        out.write("" if is_array else "\n")
    if is_array:
        out.write("\n]\n" if count else "[]\n")
    return count


def _workspace(settings: Settings) -> Workspace:
    return workspaces.own(settings, here.folder())


def _is_confirmed(path: str) -> bool:
    """A person is asked; a program says `--yes`."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"Write this to {path}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _create(path: str, text: str) -> None:
    """Never over what is there, also when it came this very moment."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise InvalidArgument(path, f"cannot be written: {error.strerror}") from error


def _output(path: str | None) -> contextlib.AbstractContextManager[TextIO]:
    if path is None:
        return contextlib.nullcontext(sys.stdout)
    try:
        return open(path, "w", encoding="utf-8")
    except OSError as error:
        raise InvalidArgument(path, f"cannot be written: {error.strerror}") from error
