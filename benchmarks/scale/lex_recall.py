"""Lex's frames as the store grows: what remembering, recalling and listing cost, without a door.

Beside it, in turns, the same words in a plain FTS5 table, asked by the same beginnings of words;
and the same rows put into it, each with its own wait for the disk.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence

from sqlcipher3 import dbapi2 as sqlite

from benchmarks.home import throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import interleaved, milliseconds
from benchmarks.scale.texts import LAST, Text, queries, texts
from recollect import wiring
from recollect.model.fact import Claim
from recollect.model.frame import FrameDraft, Status, frame_id, text_of
from recollect.model.memory import Draft, Kind, Origin, Type
from recollect.service import frames
from recollect.store.port.store import Store

SIZES = (1_000, 10_000, 100_000)
BATCH = 1_000
ROUNDS = 200
BUDGET = 45.0
LIMIT = 10
MODULES = 200
"""So many modules; a frame touches three of them."""

PLAIN = """
create table frames (
    id text primary key, timestamp integer not null, branch text not null, jira text,
    module_scope text not null, summary_caption text not null, reference_point text not null,
    next_action text not null, keywords text
);
create virtual table frames_fts using fts5 (
    reference_point, summary_caption, keywords, content='frames', content_rowid='rowid'
);
create trigger frames_ai after insert on frames begin
    insert into frames_fts (rowid, reference_point, summary_caption, keywords)
    values (new.rowid, new.reference_point, new.summary_caption, new.keywords);
end;
"""
SEARCH = """
select f.* from frames f join frames_fts w on f.rowid = w.rowid
where frames_fts match ? order by w.rank limit ?
"""
NEWEST = "select * from frames order by timestamp desc limit ?"


class Plain:
    """The same frames in one table with one index, and nothing else."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite.connect(path, isolation_level=None)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = full")
        self._connection.executescript(PLAIN)

    def add(self, drafts: Sequence[tuple[str, FrameDraft]]) -> None:
        self._connection.execute("begin immediate")
        self._connection.executemany(
            "insert into frames values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(id_, each.at, each.branch, each.jira, " ".join(each.module_scope)),
                    *(each.summary_caption, each.reference_point, each.status.next_action),
                    " ".join(each.keywords),
                )
                for id_, each in drafts
            ],
        )
        self._connection.execute("commit")

    def search(self, text: str) -> list[object]:
        match = " ".join(f'"{word}"*' for word in text.split())
        return list(self._connection.execute(SEARCH, (match, LIMIT)))

    def newest(self) -> list[object]:
        return list(self._connection.execute(NEWEST, (LIMIT,)))


def measure(report: Report, args: argparse.Namespace) -> None:
    with throwaway() as home:
        house = wiring.open_house(home.settings)
        plain = Plain(str(home.folder / "plain.db"))
        fresh = texts(LAST + 1, 2 * LAST, now=house.clock(), seed="fresh")
        done = 0
        for size in args.sizes:
            some = list(texts(done + 1, size, now=house.clock(), seed="frames"))
            for batch in _batches(some):
                _fill(house.store, batch)
                plain.add([(_id(each), _draft(each)) for each in batch])
            done = size
            _time(report, house.store, plain, some, fresh, size)
        house.close()
    report.notes.append(
        f"ten frames a call; a text has six to sixteen words, a frame three of {MODULES} modules; "
        "of the common words the first few are in every other text"
    )


def _batches(some: Sequence[Text]) -> Iterator[Sequence[Text]]:
    for at in range(0, len(some), BATCH):
        yield some[at : at + BATCH]


def _fill(store: Store, batch: Sequence[Text]) -> None:
    """As `frames.remember` does it, but many in one transaction."""
    with store.transaction():
        for each in batch:
            draft = _draft(each)
            memory = store.memories.add(
                Draft(
                    kind=Kind.FRAME,
                    type=Type.FRAME,
                    title=draft.reference_point,
                    text=text_of(draft),
                    project=each.project,
                    session_id=None,
                    created_at=draft.at,
                    origin=Origin.ASSISTANT,
                    source_event="Remember",
                    tags=draft.keywords,
                )
            )
            frames.restore(store, memory.id, draft, _id(each), ())
            claim = Claim(subject=each.project, category="context")
            store.facts.add(memory.id, claim, public_id=wiring.new_id(), content_key=None)


def _time(
    report: Report,
    store: Store,
    plain: Plain,
    some: list[Text],
    fresh: Iterator[Text],
    size: int,
) -> None:
    asked = {
        (words, band): itertools.cycle(queries(some, words, band, 50, seed=f"{size}"))
        for words, band in ((1, "rare"), (1, "middling"), (1, "common"), (3, "common"))
    }
    actions: dict[str, Callable[[], object]] = {}
    for (words, band), texts_ in asked.items():
        ours, theirs = itertools.tee(texts_)
        name = f"{words} {band} word{'s' * (words > 1)}"
        actions[f"recall, {name}"] = _recall(store, ours)
        actions[f"plain FTS5, {name}"] = _plain(plain, theirs)
    actions |= {
        "recall, of a ticket": lambda: frames.recall(store, jira=_ticket(some[7]), limit=LIMIT),
        "recall, of a branch": lambda: frames.recall(store, branch="fix/3", limit=LIMIT),
        "list": lambda: frames.newest(store, limit=LIMIT),
        "list, of a module": lambda: frames.newest(store, module="area/7", limit=LIMIT),
        "list, of a project": lambda: frames.newest(store, project="infra", limit=LIMIT),
        "list, of a project without any": lambda: frames.newest(store, project="no", limit=LIMIT),
        "plain list": plain.newest,
        "count": lambda: frames.count(store),
        "remember": lambda: _remember(store, next(fresh)),
        "plain insert": lambda: plain.add([(_id(text := next(fresh)), _draft(text))]),
    }
    for name, sample in interleaved(actions, ROUNDS, budget=BUDGET).items():
        report.add(
            "frames",
            {
                "frames": size,
                "call": name,
                "runs": len(sample),
                "p50_ms": milliseconds(sample.median),
                "p95_ms": milliseconds(sample.percentile(95)),
            },
        )


def _recall(store: Store, asked: Iterator[str]) -> Callable[[], object]:
    def recall() -> None:
        if not frames.recall(store, text=next(asked), limit=LIMIT):
            raise SystemExit("what was stored was not found")

    return recall


def _plain(plain: Plain, asked: Iterator[str]) -> Callable[[], object]:
    return lambda: plain.search(next(asked))


def _remember(store: Store, text: Text) -> None:
    frames.remember(
        store,
        _draft(text),
        project=text.project,
        origin=Origin.ASSISTANT,
        frame_id=_id(text),
        is_once=True,
    )


def _id(text: Text) -> str:
    return frame_id(text.at, text.number.to_bytes(16, "big"))


def _ticket(text: Text) -> str:
    return f"T-{text.number // 20}"


def _draft(text: Text) -> FrameDraft:
    words = text.text.split()
    return FrameDraft(
        reference_point=" ".join(words[:4]),
        summary_caption=text.text,
        status=Status(next_action=" ".join(words[::-1])),
        module_scope=tuple(f"area/{(text.number * step) % MODULES}" for step in (1, 7, 31)),
        branch=f"fix/{text.number % 50}",
        at=text.at,
        jira=_ticket(text),
        keywords=tuple(words[-2:]),
    )


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    return run("lex-recall", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
