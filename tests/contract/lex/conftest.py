"""Lex's worlds: a checkout with a policy, a clock that a test moves, and every door."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from contract.world import NOW, World
from recollect.dialect.reply import Reply
from recollect.model.workspace import Workspace
from recollect.wiring import House, open_house
from recollect.wiring.desks import Client
from recollect.wiring.workspaces import workspace

POLICY = {
    "schemaVersion": "1.0.0",
    "modules": {
        "ui/panel": {"coords": [0, 0], "owns_paths": ["ui/**"], "allowed_callers": []},
        "services/auth-core": {
            "coords": [1, 0],
            "owns_paths": ["services/auth/**"],
            "allowed_callers": ["ui/panel", "services/orders"],
        },
        "services/orders": {
            "coords": [1, 1],
            "owns_paths": ["services/orders/**"],
            "allowed_callers": ["ui/*"],
        },
        "services/ledger": {
            "coords": [2, 0],
            "owns_paths": ["services/ledger/**"],
            "allowed_callers": ["services/orders"],
            "forbidden_callers": ["ui/panel"],
            "notes": "only orders may post entries",
        },
    },
}
SOURCE = {
    "ui/panel.py": "from services.auth.core import login\n\n\ndef show():\n    return login()\n",
    "ui/__init__.py": "",
    "services/__init__.py": "",
    "services/auth/__init__.py": "",
    "services/auth/core.py": "def login():\n    return True\n",
    "services/orders/__init__.py": "",
    "services/orders/book.py": "class Book:\n    def add(self):\n        return 1\n",
    "services/ledger/__init__.py": "from services.orders.book import Book\n",
}
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
FRAME: dict[str, Any] = {
    "reference_point": "that auth deadlock",
    "summary_caption": "Auth handshake timeout; Add User button disabled",
    "status_snapshot": {
        "next_action": "Reroute user-admin-panel to call user-access-api",
        "merge_blockers": ["Direct call to auth-core forbidden by policy"],
        "tests_failing": ["test_add_user_button_enabled"],
    },
    "module_scope": ["ui/panel", "services/auth-core"],
    "jira": "TICKET-123",
    "keywords": ["auth", "timeout", "policy-violation"],
}
"""The contract's example, with modules of the policy above."""


def checkout(folder: Path, *, policy: object = POLICY, branch: str = "feature/auth") -> Path:
    """A folder as git leaves it, with a policy and code of its modules."""
    for path, text in SOURCE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / ".git").mkdir(exist_ok=True)
    (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
    if policy is not None:
        place = folder / "policy" / "policy_spec" / "lexmap.policy.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(policy))
    return folder


@dataclass
class Lex:
    """Lex's tools in this process."""

    world: World
    folder: Path
    now: int = NOW
    around: dict[str, Any] = field(default_factory=dict)
    """What was configured about the workspace."""
    project: str = "alpha"
    has_all_frames: bool = False
    house: House = field(init=False)

    def __post_init__(self) -> None:
        self.house = open_house(self.world.settings, clock=lambda: self.now)

    def _workspace(self) -> Workspace:
        told: dict[str, Any] = {
            "root": None,
            "policy_path": None,
            "default_branch": None,
            "is_strict": False,
        }
        return workspace(str(self.folder), home=str(self.world.home), **(told | self.around))

    def reply(self, tool: str, /, **arguments: object) -> Reply:
        client = Client(workspace=self._workspace, has_all_frames=self.has_all_frames)
        return self.house.asker("lex", self.project, client)(tool, arguments)

    def call(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """The data of a result."""
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        assert reply.has_data
        assert reply.structured is not None
        return reply.structured

    def text(self, tool: str, /, **arguments: object) -> str:
        reply = self.reply(tool, **arguments)
        assert not reply.is_error, reply.text
        return reply.text

    def refused(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """The error object."""
        reply = self.reply(tool, **arguments)
        assert reply.is_error, reply.text
        error: dict[str, Any] = json.loads(reply.text)["error"]
        assert reply.structured == {"error": error}
        assert list(error) == ["code", "message", "metadata"]
        return error

    def remember(self, **changes: object) -> str:
        """The id of a frame that differs from the contract's example in this."""
        frame_id = self.call("lex.remember", **(FRAME | changes))["frame_id"]
        assert isinstance(frame_id, str)
        return frame_id

    def recalled(self, **asked: object) -> list[dict[str, Any]]:
        frames: list[dict[str, Any]] = self.call("lex.recall", **asked)["frames"]
        return frames


@pytest.fixture
def lex(tmp_path: Path) -> Iterator[Lex]:
    made = Lex(World(tmp_path, NOW), checkout(tmp_path / "alpha"))
    yield made
    made.house.close()


@pytest.fixture
def bare_lex(tmp_path: Path) -> Iterator[Lex]:
    """In a folder without a policy and without git."""
    home = tmp_path / "bare"
    (home / "alpha").mkdir(parents=True)
    made = Lex(World(home, NOW), home / "alpha")
    yield made
    made.house.close()
