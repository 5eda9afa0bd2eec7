"""Frames in a database of the published Lex, read as they stand and never written to.

The product has changed its schema without changing the number of it, so that the columns that are
there are what counts. What a frame means is the dialect's.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote

from sqlcipher3 import dbapi2 as sqlite

from recollect.model.errors import InvalidArgument, StoreError
from recollect.store.sqlite.problems import translated

TEXTS = {
    "id": "id",
    "timestamp": "timestamp",
    "branch": "branch",
    "jira": "jira",
    "summary_caption": "summary_caption",
    "reference_point": "reference_point",
    "atlas_frame_id": "atlas_frame_id",
    "run_id": "runId",
    "plan_hash": "planHash",
    "user_id": "userId",
}
"""Column → the name in the published JSON."""
DOCUMENTS = {
    "module_scope": "module_scope",
    "status_snapshot": "status_snapshot",
    "keywords": "keywords",
    "feature_flags": "feature_flags",
    "permissions": "permissions",
    "spend": "spend",
}
"""Columns that hold JSON."""
NEEDED = ("id", "timestamp", "module_scope", "status_snapshot")


def frames(path: str) -> Iterator[dict[str, object]]:
    """Each frame with its images as the published JSON has it, oldest first."""
    with translated(), closing(_opened(path)) as connection:
        known = _columns(connection, "frames")
        if not set(NEEDED) <= known:
            raise StoreError(f"{path} has no frames of Lex")
        has_images = {"frame_id", "data", "mime_type"} <= _columns(connection, "images")
        named = ", ".join(each for each in (*TEXTS, *DOCUMENTS) if each in known)
        # The names are constants of this file, every one of them found in the table.
        for row in connection.execute(f"select {named} from frames order by timestamp, id"):  # noqa: S608
            frame = _frame(row)
            if has_images:
                frame["images"] = _images(connection, row["id"])
            yield frame


def _opened(path: str) -> sqlite.Connection:
    try:
        connection = sqlite.connect(f"file:{quote(path)}?mode=ro", uri=True)
    except sqlite.Error as error:
        raise InvalidArgument(path, f"cannot be read: {error}") from error
    connection.row_factory = sqlite.Row
    return connection


def _columns(connection: sqlite.Connection, table: str) -> set[str]:
    rows = connection.execute("select name from pragma_table_info(?)", (table,))
    return {str(row["name"]) for row in rows}


def _frame(row: sqlite.Row) -> dict[str, object]:
    frame: dict[str, object] = {}
    for column in row.keys():  # noqa: SIM118 - iterating a row gives its values
        value = row[column]
        if value is None:
            continue
        if column in DOCUMENTS:
            frame[DOCUMENTS[column]] = _document(value)
        else:
            frame[TEXTS[column]] = value
    return frame


def _document(value: object) -> object:
    """What is no JSON is left as it is, and refused by whoever reads the frame."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def _images(connection: sqlite.Connection, frame_id: object) -> list[dict[str, str]]:
    rows = connection.execute(
        "select data, mime_type from images where frame_id = ? order by rowid", (frame_id,)
    )
    return [
        {"data": base64.b64encode(row["data"]).decode("ascii"), "mime_type": str(row["mime_type"])}
        for row in rows
        if isinstance(row["data"], bytes)
    ]
