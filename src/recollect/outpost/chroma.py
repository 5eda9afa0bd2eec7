"""A collection of a Chroma server as an outpost, over the second version of its HTTP interface.

Ids and metadata are those that CodexMem publishes; beside them each entry names the model that
made its vector, so that entries of others and of former models are told apart. What the server
says its version is does not matter: answers are believed when they have the right form.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import quote

import numpy as np
import orjson

from recollect.model.errors import OutpostMisfit, OutpostUnavailable
from recollect.outpost import wire
from recollect.outpost.port import SORTS, Copy, Near, Within, sort_of
from recollect.search.halves import Floats, Ids, are_unit

log = logging.getLogger(__name__)

TENANT, DATABASE = "default_tenant", "default_database"
COLLECTIONS = f"/api/v2/tenants/{TENANT}/databases/{DATABASE}/collections"
QUESTION_TIMEOUT = 1.0
"""Seconds for an answer that a search waits for."""
TIMEOUT = 30.0
"""Seconds for one that nobody waits for."""
REST = 5.0
"""Seconds for which a server that gave nothing is not asked by searches again."""
BATCH = 250
"""Entries that go there at once."""
PAGE = 500
"""Entries that are asked for at once."""
MOST_NAMED = 1_000
"""Memories whose distances are asked for at once."""
GONE = 404
FROM_DISTANCE: Mapping[str, Callable[[float], float]] = {
    "cosine": lambda distance: 1.0 - distance,
    "ip": lambda distance: 1.0 - distance,
    "l2": lambda distance: 1.0 - distance / 2.0,  # it is squared, and the vectors have length 1
}
"""The cosine, by how a collection measures."""


@dataclass(frozen=True, slots=True)
class _Collection:
    id: str
    dimension: int | None
    space: str


class Chroma:
    """Answers `outpost.port.Outpost` for one collection, which is made when it is missing."""

    def __init__(
        self,
        url: str,
        collection: str,
        *,
        timeout: float = TIMEOUT,
        question_timeout: float = QUESTION_TIMEOUT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._there = wire.address(url)
        self._name = collection
        self._timeout, self._question_timeout, self._now = timeout, question_timeout, now
        self._lock = threading.Lock()
        self._known: _Collection | None = None
        self._resting_until = -math.inf
        self._why = ""

    @property
    def place(self) -> str:
        return f"{self._there}/{self._name}"

    def connect(self, *, is_hurried: bool) -> tuple[str, int | None]:
        known = self._collection(self._question_timeout if is_hurried else self._timeout)
        return known.id, known.dimension

    def put(self, model: str, copies: Sequence[Copy]) -> None:
        for start in range(0, len(copies), BATCH):
            batch = copies[start : start + BATCH]
            entries = {
                "ids": [f"{sort_of(each.kind)}:{each.memory_id}" for each in batch],
                "embeddings": [each.vector for each in batch],
                "metadatas": [_metadata(each, model) for each in batch],
            }
            self._of_collection("upsert", entries, self._timeout)
            with self._lock:
                # The first vectors have made it as wide as they are: to be asked for anew.
                if self._known is not None and self._known.dimension is None:
                    self._known = None

    def remove(self, ids: Sequence[int]) -> None:
        for start in range(0, len(ids), BATCH):
            names = [f"{sort}:{id_}" for id_ in ids[start : start + BATCH] for sort in SORTS]
            self._of_collection("delete", {"ids": names}, self._timeout)

    def nearest(self, model: str, query: Floats, within: Within, most: int) -> Near:
        asked = [("project", within.projects), ("kind", within.sorts)]
        chosen = [{name: {"$in": list(names)}} for name, names in asked if names is not None]
        where = {"$and": chosen} if len(chosen) > 1 else next(iter(chosen), None)
        return self._near(model, query, where, most)

    def cosines(
        self, model: str, query: Floats, sorts: Mapping[int, str | None]
    ) -> tuple[Ids, Floats]:
        """Asked for as neighbours, which spares the server to send the vectors. Those that its
        graph has missed are asked for as vectors."""
        found: dict[int, float] = {}
        ids = list(sorts)
        for start in range(0, len(ids), MOST_NAMED):
            page = ids[start : start + MOST_NAMED]
            near = self._near(model, query, {"item_id": {"$in": page}}, len(page))
            found |= dict(zip(near.ids.tolist(), near.cosines.tolist(), strict=True))
        missed = {id_: sort for id_, sort in sorts.items() if id_ not in found}
        if missed:
            known, rows = self.vectors(model, missed)
            if len(known) and rows.shape[1] == len(query):
                found |= dict(zip(known.tolist(), (rows @ query).tolist(), strict=True))
        return np.array(list(found), np.int64), np.array(list(found.values()), np.float32)

    def _near(
        self, model: str, query: Floats, where: Mapping[str, object] | None, most: int
    ) -> Near:
        asked: dict[str, object] = {
            "query_embeddings": [query],
            "n_results": most,
            "include": ["metadatas", "distances"],
        }
        if where is not None:
            asked["where"] = where
        answer = self._of_collection("query", asked, self._question_timeout)
        cosine_of = FROM_DISTANCE[self._collection(self._question_timeout).space]
        try:
            (names,), (distances,), (about,) = (
                answer[part] for part in ("ids", "distances", "metadatas")
            )
            found = [
                (id_, cosine_of(float(distance)))
                for name, distance, each in zip(names, distances, about, strict=True)
                if (id_ := _ours(name, each, model)) is not None
            ]
        except (AttributeError, LookupError, TypeError, ValueError):
            raise self._failed("its answer is not a list of neighbours") from None
        if not all(math.isfinite(cosine) for _, cosine in found):
            raise self._failed("its distances are no numbers")
        return Near(
            np.array([id_ for id_, _ in found], np.int64),
            np.clip(np.array([cosine for _, cosine in found], np.float32), -1.0, 1.0),
            is_all=len(names) < most,
        )

    def vectors(self, model: str, sorts: Mapping[int, str | None]) -> tuple[Ids, Floats]:
        """The copies themselves."""
        names = [
            f"{sort}:{id_}"
            for id_, known in sorts.items()
            for sort in ([known] if known else SORTS)
        ]
        ids: list[int] = []
        rows: list[Floats] = []
        for start in range(0, len(names), PAGE):
            asked = {"ids": names[start : start + PAGE], "include": ["embeddings", "metadatas"]}
            answer = self._of_collection("get", asked, self._question_timeout)
            try:
                parts = (answer[part] for part in ("ids", "embeddings", "metadatas"))
                for name, vector, each in zip(*parts, strict=True):
                    id_ = _ours(name, each, model)
                    if id_ is not None:
                        ids.append(id_)
                        rows.append(np.array(vector, np.float32))
            except (AttributeError, LookupError, TypeError, ValueError):
                raise self._failed("its answer is not a list of vectors") from None
        if not rows:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        if len({row.shape for row in rows}) != 1 or rows[0].ndim != 1:
            raise self._failed("its vectors are not of one size")
        found = np.stack(rows)
        sound = are_unit(found)
        return np.array(ids, np.int64)[sound], found[sound]

    def held(self) -> Iterator[list[int]]:
        start = 0
        while True:
            asked = {"limit": PAGE, "offset": start, "include": ["metadatas"]}
            answer = self._of_collection("get", asked, self._timeout)
            try:
                entries = list(zip(answer["ids"], answer["metadatas"], strict=True))
                page = [_ours(name, about) for name, about in entries]
            except (AttributeError, LookupError, TypeError, ValueError):
                raise self._failed("its answer is not a list of entries") from None
            if not entries:
                return
            yield [id_ for id_ in page if id_ is not None]
            start += len(entries)

    def _of_collection(self, verb: str, asked: object, timeout: float) -> Any:
        """One that somebody has removed is made anew, once, and found empty then."""
        for is_last in (False, True):
            path = f"{COLLECTIONS}/{self._collection(timeout).id}/{verb}"
            status, answer = self._ask(path, asked, timeout)
            if status != GONE or is_last:
                break
            with self._lock:
                self._known = None
        return self._read(status, answer)

    def _collection(self, timeout: float) -> _Collection:
        with self._lock:
            known = self._known
        if known is not None:
            return known
        wanted = {
            "name": self._name,
            "get_or_create": True,
            "configuration": {"hnsw": {"space": "cosine"}},
        }
        answer = self._read(*self._ask(COLLECTIONS, wanted, timeout))
        try:
            known = _read_collection(answer)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise self._failed("its answer is not a collection") from None
        with self._lock:
            self._known = known
        return known

    def _ask(self, path: str, asked: object, timeout: float) -> tuple[int, bytes]:
        """Searches do not ask while the server has its rest; what nobody waits for does, and so
        finds out first that it is back."""
        is_hurried = timeout <= self._question_timeout
        with self._lock:
            if is_hurried and self._now() < self._resting_until:
                raise OutpostUnavailable(self._why)
        body = orjson.dumps(asked, option=orjson.OPT_SERIALIZE_NUMPY)
        try:
            return wire.ask(self._there, "POST", quote(path), body, timeout)
        except (OSError, HTTPException) as error:
            raise self._failed(f"no answer ({type(error).__name__}: {error})") from None

    def _read(self, status: int, answer: bytes) -> Any:
        text = answer[:200].decode(errors="replace")
        if status == 400 and "dimension" in text:
            # It works, but for others: asking it again soon would be told the same.
            raise OutpostMisfit(f"{self.place} holds vectors of another model: {text}")
        if status not in (200, 201):
            raise self._failed(f"status {status}: {text}")
        try:
            read = orjson.loads(answer)
        except ValueError:
            raise self._failed("its answer is not JSON") from None
        with self._lock:
            self._resting_until = -math.inf
        return read

    def _failed(self, problem: str) -> OutpostUnavailable:
        with self._lock:
            self._why = f"{self.place} does not answer: {problem}"
            self._resting_until = self._now() + REST
            self._known = None  # whoever comes back may be another one
        return OutpostUnavailable(self._why)


def _read_collection(answer: Any) -> _Collection:
    dimension, about = answer["dimension"], answer.get("configuration_json") or {}
    space = ((about.get("hnsw") or about.get("spann")) or {}).get("space", "l2")
    if not isinstance(answer["id"], str) or not (dimension is None or isinstance(dimension, int)):
        raise TypeError
    if space not in FROM_DISTANCE:
        raise ValueError
    return _Collection(answer["id"], dimension, space)


def _metadata(copy: Copy, model: str) -> dict[str, object]:
    return {
        "kind": sort_of(copy.kind),
        "item_id": copy.memory_id,
        "project": copy.project,
        "created_at_epoch": copy.created_at,
        "model": model,
    }


def _ours(name: str, about: Mapping[str, object] | None, model: str | None = None) -> int | None:
    """The memory, if Recollect brought the entry, and this model has made its vector."""
    sort, _, number = name.partition(":")
    made_by = None if about is None else about.get("model")
    if made_by is None or model not in (None, made_by):
        return None
    return int(number) if sort in SORTS and number.isascii() and number.isdecimal() else None
