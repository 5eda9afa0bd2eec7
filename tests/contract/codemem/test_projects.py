"""Which project a request is about, and where the store is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from contract.codemem.past import DECISION, ELSEWHERE, Call
from contract.world import INITIALIZE, NOW, World
from promises import last, promise

SCOPES = [
    # project            told      decision  elsewhere  because
    (None, "alpha", True, False, "absent is the current project"),
    ("", "alpha", True, False, "blank counts as absent"),
    ("  ", "alpha", True, False, "so do spaces"),
    ("alpha", "alpha", True, False, "a name is a name"),
    ("/code/alpha", "alpha", True, False, "a path compares by its last component"),
    ("/code/alpha/", "alpha", True, False, "with a slash at its end as well"),
    ("C:\\code\\beta", "beta", False, True, "a path of Windows is a path"),
    ("beta", "beta", False, True, "another project"),
    ("alph_", "alph_", False, False, "nothing stands for any letter"),
    ("%", "%", False, False, "nor for any text"),
    ("Alpha", "Alpha", False, False, "case matters"),
    ("*", None, True, True, "a star is all projects"),
    (" * ", None, True, True, "with spaces around it as well"),
]


@promise("codemem:project:scope")
@pytest.mark.parametrize(("project", "told", "decision", "elsewhere", "because"), SCOPES, ids=last)
def test_the_project_of_a_request(
    still: Call,
    project: str | None,
    told: str | None,
    decision: bool,
    elsewhere: bool,
    because: str,
) -> None:
    explained = still("memory_explain", query="sqlite", project=project).json
    everywhere = [
        {item["id"] for item in explained["items"]},
        *(
            {item["id"] for item in still(tool, project=project, **asked).json["items"]}
            for tool, asked in (
                ("memory_search", {"query": "sqlite", "limit": 50}),
                ("memory_recent", {"limit": 50}),
                ("memory_pack", {"context": "sqlite"}),
            )
        ),
    ]

    assert explained["metadata"]["project"] == told
    assert all(item["matches"]["project_match"] for item in explained["items"])
    for ids in everywhere:
        assert (DECISION in ids, ELSEWHERE in ids) == (decision, elsewhere)


@promise("codemem:project:scope")
def test_ids_of_all_projects_are_explained_under_a_star(still: Call) -> None:
    answer = still("memory_explain", ids=[DECISION, ELSEWHERE], project="*").json

    assert [item["project"] for item in answer["items"]] == ["alpha", "beta"]
    assert answer["errors"] == []


@promise("codemem:project:writes")
def test_what_is_remembered_belongs_to_one_project(fresh: Call) -> None:
    told = {"kind": "note", "title": "a", "body": "b"}
    error = fresh("memory_remember", **told, project="*").error
    assert error == '{"error":"project must name one project, not \\"*\\""}'

    for project, named in ((None, "alpha"), ("/x/delta", "delta")):
        id_ = fresh("memory_remember", **told, project=project).json["id"]
        assert fresh("memory_get", memory_id=id_).json["project"] == named


def served(home: Path, kind: str, **environ: str) -> str:
    """What a door says is the current project."""
    world = World(home, NOW, environ)
    door = world.door(kind, cwd=str(home / "folder"), dialect="codemem")
    project: str = door.call("memory_explain", query="x").json["metadata"]["project"]
    door.close()
    return project


@promise("codemem:project:environment")
@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_codemem_project_is_the_default_project(tmp_path: Path, kind: str) -> None:
    assert served(tmp_path, kind, CODEMEM_PROJECT=" /code/spice ") == "spice"


@promise("codemem:project:environment")
def test_codemem_project_yields_to_ours_and_blank_is_none(tmp_path: Path) -> None:
    both = {"CODEMEM_PROJECT": "spice", "RECOLLECT_PROJECT": "ours"}
    assert served(tmp_path, "stdio", **both) == "ours"
    assert served(tmp_path, "stdio", CODEMEM_PROJECT="  ") == "folder"


@promise("codemem:project:environment")
def test_through_a_worker_it_is_the_server_s_project_that_counts(tmp_path: Path) -> None:
    worker = World(tmp_path, NOW, {"CODEMEM_PROJECT": "workers"})
    running = worker.door("http", cwd=str(tmp_path / "folder"), dialect="codemem")

    assert served(tmp_path, "stdio", CODEMEM_PROJECT="mine") == "mine"
    running.close()


@promise("codemem:store:environment")
@pytest.mark.parametrize("dialects", ["codemem", "nmem,codemem"])
def test_codemem_db_is_where_the_store_is(tmp_path: Path, dialects: str) -> None:
    other = tmp_path / "elsewhere" / "mem.db"
    other.parent.mkdir()
    world = World(tmp_path, NOW, {"CODEMEM_DB": str(other)})
    told = {"kind": "note", "title": "cloves", "body": "dry", "project": "spice"}
    call = {"name": "memory_remember", "arguments": told}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "recollect.cli.main", "serve", "--dialect", dialects],
        input="".join(json.dumps(line) + "\n" for line in lines),
        env=world.environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answer = json.loads(done.stdout.splitlines()[-1])["result"]
    assert answer["structuredContent"] == {"id": 1}

    found = world.run("search", "cloves", "--db", str(other))
    assert len(json.loads(found.stdout)) == 1
    assert not Path(world.settings.store).exists()
