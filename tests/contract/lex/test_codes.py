"""The sixteen codes: each is reached, and what a failing call leaves behind is nothing."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlcipher3 import dbapi2 as sqlite

from contract.lex.conftest import FRAME, PNG, Lex
from promises import promise
from recollect.dialect.desk import Desk
from recollect.dialect.reply import answer
from recollect.dialect.spec import Arguments, Told
from recollect.dialects.lex.dialect import dialect
from recollect.dialects.lex.refusals import Code
from recollect.dialects.lex.wording import Doing, problem, told, wording
from recollect.mcp.tools import Tools
from recollect.model import call_errors, errors, frame_errors, policy_errors, worker_errors
from recollect.model.errors import RecollectError, StoreBusy
from recollect.wiring.desks import AT_HOME, desk_of_client

IMAGE = {"data": base64.b64encode(PNG).decode(), "mime_type": "image/png"}


def refuse_new(table: str) -> Callable[[Lex], None]:
    """Somebody else's trigger: the store is there, and this one table takes nothing."""

    def prepare(lex: Lex) -> None:
        statement = (
            f"create trigger broken before insert on {table} begin select raise(fail, 'no'); end"
        )
        with sqlite.connect(lex.world.settings.store) as connection:
            connection.execute(statement)
        connection.close()

    return prepare


def lose_frames(lex: Lex) -> None:
    with sqlite.connect(lex.world.settings.store) as connection:
        connection.execute("alter table frames rename to lost")
    connection.close()


def break_policy(lex: Lex) -> None:
    (lex.folder / "policy" / "policy_spec" / "lexmap.policy.json").write_text('{"modules": 7}')


def name_policy(lex: Lex) -> None:
    lex.around["policy_path"] = str(lex.folder / "nowhere.json")


def name_root(lex: Lex) -> None:
    lex.around["root"] = str(lex.folder / "nowhere")


def nothing(_: Lex) -> None:
    pass


# code, what is done before, tool, arguments
REACHED: list[tuple[Code, Callable[[Lex], None], str, dict[str, Any]]] = [
    (Code.REQUIRED_FIELD, nothing, "lex.remember", {}),
    (Code.INVALID_FORMAT, nothing, "lex.recall", {"jira": 7}),
    (Code.INVALID_MODULE_ID, nothing, "lex.remember", FRAME | {"module_scope": ["nobody"]}),
    (Code.EMPTY_MODULE_SCOPE, nothing, "lex.remember", FRAME | {"module_scope": []}),
    (Code.INVALID_STATUS, nothing, "lex.remember", FRAME | {"status_snapshot": {}}),
    (Code.INVALID_IMAGE, nothing, "lex.remember", FRAME | {"images": [{"data": "!"}]}),
    (Code.INVALID_PATH, nothing, "lex.policy_check", {"path": "nowhere"}),
    (Code.INVALID_PATH, name_root, "lex.remember", FRAME),
    (Code.WRITE_FAILED, refuse_new("frames"), "lex.remember", FRAME),
    (Code.READ_FAILED, lose_frames, "lex.recall", {"jira": "TICKET-123"}),
    (Code.IMAGE_FAILED, refuse_new("frame_images"), "lex.remember", FRAME | {"images": [IMAGE]}),
    (Code.POLICY_NOT_FOUND, name_policy, "lex.remember", FRAME),
    (Code.POLICY_INVALID, break_policy, "lex.remember", FRAME),
]
ELSEWHERE = {
    Code.UNKNOWN_TOOL,
    Code.UNKNOWN_METHOD,
    Code.INTERNAL_ERROR,  # these three over the wires, in test_wires
    Code.DELETE_FAILED,  # no tool deletes; below
}


@promise("lex:codes:sixteen")
@pytest.mark.parametrize(("code", "prepare", "tool", "arguments"), REACHED)
def test_each_code_is_reached_and_nothing_is_left_behind(
    lex: Lex,
    code: Code,
    prepare: Callable[[Lex], None],
    tool: str,
    arguments: dict[str, Any],
) -> None:
    prepare(lex)

    error = lex.refused(tool, **arguments)

    assert error["code"] == code
    assert lex.world.settings.store not in error["message"]
    with sqlite.connect(lex.world.settings.store) as connection:
        (count,) = connection.execute("select count(*) from memories").fetchone()
    connection.close()
    assert count == 0


@promise("lex:codes:sixteen")
def test_all_sixteen_are_reached_somewhere() -> None:
    assert {code for code, *_ in REACHED} | ELSEWHERE == set(Code)


@promise("lex:codes:sixteen")
def test_a_store_that_fails_is_told_by_what_it_was_asked_for() -> None:
    codes = {doing: wording(doing)(StoreBusy()) for doing in Doing}

    assert {doing: told["error"]["code"] for doing, told in codes.items()} == {  # type: ignore[index, call-overload]
        Doing.READING: "STORAGE_READ_FAILED",
        Doing.WRITING: "STORAGE_WRITE_FAILED",
        Doing.DELETING: "STORAGE_DELETE_FAILED",
    }


@promise("lex:codes:sixteen")
@pytest.mark.anyio
async def test_a_fault_of_ours_is_told_without_its_words(lex: Lex) -> None:
    def crash(_: Desk, __: Arguments) -> Told:
        raise RuntimeError("/home/secret/path is broken")

    crashing = replace(dialect(), tools=(replace(dialect().tools[0], handler=crash),))
    desk = desk_of_client(lex.house, "alpha", AT_HOME)
    tools = Tools(crashing, lambda _: lambda name, given: answer(crashing, desk, name, given))

    reply = await tools.call({}, "lex.remember", {})

    assert reply.is_error
    assert json.loads(reply.text)["error"] == {
        "code": "INTERNAL_ERROR",
        "message": "internal error; the server's log has the details",
        "metadata": {},
    }


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@promise("lex:codes:sixteen")
@pytest.mark.parametrize(
    "module", [errors, call_errors, frame_errors, policy_errors, worker_errors]
)
def test_every_problem_has_one_of_the_codes(module: object) -> None:
    kinds = [each for each in vars(module).values() if isinstance(each, type)]
    for kind in kinds:
        if issubclass(kind, RecollectError) and not issubclass(kind, errors.InvalidArgument):
            assert isinstance(told(kind())[0], Code)
            json.dumps(problem(kind()))


NEEDING: list[tuple[str, dict[str, Any]]] = [
    ("lex.remember", FRAME),
    ("lex.validate_remember", FRAME),
    ("lex.recall", {"jira": "TICKET-123"}),
    ("lex.list_frames", {}),
    ("lex.policy_check", {}),
    ("lex.code_atlas", {}),
    ("lex.introspect", {}),
]


@promise("lex:codes:policy-named")
@pytest.mark.parametrize(("tool", "arguments"), NEEDING)
def test_a_named_policy_that_cannot_be_had_is_refused_by_whoever_needs_one(
    lex: Lex, tool: str, arguments: dict[str, Any]
) -> None:
    lex.remember()
    name_policy(lex)
    assert lex.refused(tool, **arguments)["code"] == "POLICY_NOT_FOUND"

    named = Path(lex.around["policy_path"])
    named.write_text("no JSON")
    error = lex.refused(tool, **arguments)
    assert error["code"] == "POLICY_INVALID"
    assert error["metadata"]["policyPath"] == str(named)
    assert error["metadata"]["problems"]


@promise("lex:codes:policy-named")
def test_a_timeline_needs_no_policy(lex: Lex) -> None:
    lex.remember()
    name_policy(lex)

    assert len(lex.call("lex.timeline", ticketOrBranch="TICKET-123")["frames"]) == 1


@promise("lex:codes:workspace")
@pytest.mark.parametrize("root", ["/no/such/folder", "relative/path", "/etc/passwd", "/a\0b"])
@pytest.mark.parametrize(("tool", "arguments"), NEEDING)
def test_a_workspace_that_is_not_there_is_told(
    lex: Lex, tool: str, arguments: dict[str, Any], root: str
) -> None:
    lex.around["root"] = root

    error = lex.refused(tool, **arguments)

    assert (error["code"], error["metadata"]) == ("VALIDATION_INVALID_PATH", {"path": root})


@promise("lex:codes:no-trap")
def test_a_policy_that_changes_changes_no_frame_that_is_stored(lex: Lex) -> None:
    frame_id = lex.remember()
    place = lex.folder / "policy" / "policy_spec" / "lexmap.policy.json"
    place.write_text('{"modules": {}}')
    os.utime(place, ns=(1, 1))

    (frame,) = lex.recalled(jira="TICKET-123")

    assert frame["id"] == frame_id
    assert frame["module_scope"] == FRAME["module_scope"]
    assert frame["atlas"]["modules"] == []
    assert lex.refused("lex.remember", **FRAME)["code"] == "VALIDATION_INVALID_MODULE_ID"
