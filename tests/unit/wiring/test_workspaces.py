"""Which folder is the workspace of a request."""

from __future__ import annotations

from pathlib import Path

import pytest

from promises import last
from recollect.model.policy_errors import PathNotFound
from recollect.wiring.workspaces import workspace

# marks below the home, the folder, the named root → the root
ROOTS: list[tuple[list[str], str, str | None, str | None, str]] = [
    (["code/.git"], "code/src", None, "code", "the checkout around the folder"),
    (["code/.smartergpt"], "code", None, "code", "Lex's own folder makes one as well"),
    ([], "code/src", None, "code/src", "without any mark the folder itself"),
    ([".git"], "code/src", None, None, "a home under version control is no workspace"),
    ([], ".", None, None, "nor is a home"),
    ([".git"], ".", ".", ".", "unless it is named"),
    (["code/.git"], "code", "code/src", "code/src", "what is named beats what is found"),
]


@pytest.mark.parametrize(("marks", "folder", "named", "root", "because"), ROOTS, ids=last)
def test_the_root_of_a_workspace(
    tmp_path: Path,
    marks: list[str],
    folder: str,
    named: str | None,
    root: str | None,
    because: str,
) -> None:
    for path in ("code/src", *marks):
        (tmp_path / path).mkdir(parents=True, exist_ok=True)

    found = workspace(
        str(tmp_path / folder),
        home=str(tmp_path),
        root=None if named is None else str(tmp_path / named),
        policy_path=None,
        default_branch=None,
        is_strict=False,
    )

    assert found.root == (None if root is None else str(tmp_path / root)), because


@pytest.mark.parametrize("folder", ["relative", "/no/such", "/etc/passwd", "/a\0b"])
def test_a_folder_that_is_none_is_refused(folder: str) -> None:
    with pytest.raises(PathNotFound):
        workspace(
            folder,
            home="/root",
            root=None,
            policy_path=None,
            default_branch=None,
            is_strict=False,
        )


def test_the_whole_machine_is_no_workspace() -> None:
    found = workspace(
        "/", home="/root", root=None, policy_path=None, default_branch=None, is_strict=False
    )

    assert found.root is None
