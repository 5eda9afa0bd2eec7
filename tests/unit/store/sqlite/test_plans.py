"""Statements that must use an index: the plan says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.store.sqlite.connection import STATEMENTS
from recollect.store.sqlite.store import SqliteStore

PLANS = [
    # statement                     must be searched with
    ("repeats", "memories_by_sort"),
    ("has_type", "memories_by_sort"),
    ("has_text", "memories_by_sort"),
    ("session_memories", "memories_by_session"),
    ("neighbours_before", "memories_by_session"),
    ("neighbours_after", "memories_by_session"),
    ("newest_of_type", "memories_by_s"),
    ("newest_of_kind", "memories_by_kind"),
    ("newest_of_kind_in_project", "memories_by_project"),
    ("newest_actions_of_project", "COVERING INDEX actions_by_type"),
    ("newest_actions_elsewhere", "COVERING INDEX actions_by_type"),
    ("action_types", "COVERING INDEX actions_by_type"),
    ("intents", "memories_by_prompt"),
    ("intents", "memories_by_project"),
    ("file_touches", "memories_by_file"),
    ("find_session", "sqlite_autoindex_sessions_1"),
    ("newest_session_of_project", "sessions_by_project"),
    ("same_fact", "facts_once"),
    ("newest_facts_about", "COVERING INDEX facts_by_subject"),
    ("count_facts", "COVERING INDEX facts_by_subject"),
    ("span_of_facts", "memories_by_kind"),
    ("span_of_facts_about", "facts_by_subject"),
    ("memory_of_event", "memories_by_event"),
    ("prompt_of", "memories_by_sort"),
    ("has_job", "jobs_once"),
    ("due_unread_job", "jobs_unread"),
    ("due_read_job", "jobs_read"),
    ("claim_unread_jobs", "jobs_unread"),
    ("claim_read_jobs", "jobs_read"),
    ("stale_job", "jobs_open"),
    ("release_jobs", "jobs_open"),
    ("retry_jobs", "jobs_open"),
    ("job_depth", "jobs_open"),
    ("frame_with_content", "frames_by_content"),
    ("search_frames", "COVERING INDEX frames_brief"),
    ("newest_frames", "COVERING INDEX frames_by_time"),
    ("newest_frames_of_projects", "COVERING INDEX frames_by_project"),
    ("newest_frames_of_branch", "frames_by_branch"),
    ("newest_frames_of_ticket", "frames_by_ticket"),
    ("newest_frames_of_module", "PRIMARY KEY"),
    ("browsed", "memories_by_kind"),
    ("browsed_in_project", "memories_by_project"),
    ("pinned_ids", "COVERING INDEX memories_pinned"),
    ("retired_ids", "INDEX memories_retired"),
    ("count_kinds", "COVERING INDEX memories_by_kind"),
    ("count_kinds_in_project", "COVERING INDEX memories_by_project"),
    ("count_retired", "INDEX memories_retired"),
    ("count_by_time", "COVERING INDEX memories_by_kind"),
    ("count_by_time_in_project", "COVERING INDEX memories_by_project"),
    ("count_retired_by_time", "INDEX memories_retired"),
    ("browsed_sessions", "COVERING INDEX memories_by_s"),
    ("busy_sessions", "COVERING INDEX jobs_open"),
]


@pytest.mark.parametrize(("name", "index"), PLANS)
def test_the_statement_uses_its_index(tmp_path: Path, name: str, index: str) -> None:
    store = SqliteStore(str(tmp_path / "r.db"), key=None, clock=lambda: 0)
    writer = store._connections._writer

    plan = writer.execute(f"explain query plan {STATEMENTS[name]}", _Anything()).fetchall()

    assert any(index in row["detail"] for row in plan), [row["detail"] for row in plan]


class _Anything(dict[str, object]):
    """A value for every parameter."""

    def __missing__(self, name: str) -> object:
        return 1 if name in ("limit", "offset", "most") else "1"
