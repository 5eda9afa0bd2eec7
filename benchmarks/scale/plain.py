"""The baseline: the same texts in a plain FTS5 table, made and asked as the contract sketches it.

One table, one external-content index kept by a trigger, one statement; same library, same pragmas.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from sqlcipher3 import dbapi2 as sqlite

from benchmarks.scale.texts import Text

SCHEMA = """
create table observations (
    id integer primary key, session_id text not null, project text not null, prompt_id integer,
    timestamp integer not null, obs_type text not null, source_event text not null, tool_name text,
    file_path text, content text not null, metadata text, is_pinned integer not null default 0
);
create index idx_obs_session on observations (session_id, timestamp);
create index idx_obs_project on observations (project, timestamp);
create index idx_obs_file on observations (file_path);
create virtual table observations_fts using fts5 (
    content, content='observations', content_rowid='id', tokenize='porter unicode61'
);
create trigger observations_ai after insert on observations begin
    insert into observations_fts (rowid, content) values (new.id, new.content);
end;
"""
INSERT = """
insert into observations
    (session_id, project, timestamp, obs_type, source_event, file_path, content)
values (?, ?, ?, ?, 'PostToolUse', ?, ?)
"""
SEARCH = """
SELECT o.id, o.timestamp, o.obs_type,
       SUBSTR(o.content, 1, 120) AS content_preview,
       o.file_path, o.session_id
FROM observations o
JOIN observations_fts f ON o.id = f.rowid
WHERE observations_fts MATCH ?1
  AND (?2 IS NULL OR o.project = ?2)
  AND (?3 IS NULL OR o.obs_type = ?3)
ORDER BY f.rank
LIMIT ?4 OFFSET ?5
"""
COLUMNS = ("id", "timestamp", "obs_type", "content_preview", "file_path", "session_id")


class Plain:
    def __init__(self, path: str) -> None:
        self.path = path
        self._connection = sqlite.connect(path, isolation_level=None)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = full")
        self._connection.executescript(SCHEMA)

    def add(self, texts: Sequence[Text]) -> None:
        """All of them in one transaction."""
        rows = [
            (each.session_id, each.project, each.at, each.type, each.file_path, each.text)
            for each in texts
        ]
        self._connection.execute("begin immediate")
        self._connection.executemany(INSERT, rows)
        self._connection.execute("commit")

    def search(self, query: str, project: str | None, limit: int = 20) -> list[tuple[object, ...]]:
        """The statement and its rows, and nothing else."""
        return list(self._connection.execute(SEARCH, (query, project, None, limit, 0)))

    def answer(self, query: str, project: str | None, limit: int = 20) -> str:
        """The same rows as the JSON that the contract asks for: the least that any server does."""
        found = self.search(query, project, limit)
        return json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in found])

    def rows(self, ids: Sequence[int]) -> str:
        """These rows, newest first, as JSON."""
        holes = ",".join("?" * len(ids))
        found = self._connection.execute(
            f"select id, timestamp, obs_type, content, file_path, session_id from observations "
            f"where id in ({holes}) order by timestamp desc",
            tuple(ids),
        )
        return json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in found])

    def matches(self, query: str) -> int:
        statement = "select count(*) from observations_fts where observations_fts match ?"
        return int(self._connection.execute(statement, (query,)).fetchone()[0])

    def size(self) -> int:
        self._connection.execute("pragma wal_checkpoint(truncate)")
        return os.path.getsize(self.path)

    def close(self) -> None:
        self._connection.close()
