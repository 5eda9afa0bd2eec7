"""The writer: many writes in one transaction, each answered for itself."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from recollect.model.errors import EntryRefused, StoreBusy
from recollect.store.port.store import Store
from recollect.worker.writer import Writer

WAIT = 5.0


@dataclass
class Book:
    """As much of a store as a writer needs: what was written in each transaction that held."""

    transactions: list[list[str]] = field(default_factory=list)
    open_: list[str] | None = None
    may_begin: threading.Event = field(default_factory=threading.Event)
    began: threading.Event = field(default_factory=threading.Event)
    trouble: Exception | None = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.began.set()
        assert self.may_begin.wait(WAIT)
        if self.trouble is not None:
            raise self.trouble
        self.open_ = []
        try:
            yield
        except BaseException:
            self.open_ = None
            raise
        self.transactions.append(self.open_)
        self.open_ = None

    def write(self, text: str) -> str:
        assert self.open_ is not None, "outside a transaction"
        if text.startswith("bad"):
            raise EntryRefused(text)
        self.open_.append(text)
        return text.upper()


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def writer(book: Book) -> Iterator[Writer]:
    writer = Writer(lambda: cast("Store", book))
    writer.start()
    yield writer
    book.may_begin.set()
    assert writer.stop(WAIT)


def handed_in(writer: Writer, book: Book, *texts: str) -> dict[str, Any]:
    """All at once, each from a thread of its own; what each was answered."""
    answers: dict[str, Any] = {}

    def hand_in(text: str) -> None:
        try:
            answers[text] = writer.commit(lambda: book.write(text))
        except Exception as error:  # noqa: BLE001 - it is the answer
            answers[text] = error

    threads = [threading.Thread(target=hand_in, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    book.may_begin.set()
    for thread in threads:
        thread.join(WAIT)
    return answers


def test_who_hands_something_in_is_answered_with_what_it_gave(writer: Writer, book: Book) -> None:
    assert handed_in(writer, book, "a", "b", "c") == {"a": "A", "b": "B", "c": "C"}
    assert sorted(itertools.chain(*book.transactions)) == ["a", "b", "c"]


def test_what_waits_is_written_together(book: Book) -> None:
    writer = Writer(lambda: cast("Store", book))
    book.may_begin.set()
    threads = [
        threading.Thread(target=writer.commit, args=(lambda text=text: book.write(text),))
        for text in "abcde"
    ]
    for thread in threads:
        thread.start()
    while writer.waiting() < len(threads):
        assert any(thread.is_alive() for thread in threads)
    writer.start()
    for thread in threads:
        thread.join(WAIT)
    assert [len(transaction) for transaction in book.transactions] == [5]
    assert writer.stop(WAIT)


def test_one_that_fails_takes_no_other_with_it(writer: Writer, book: Book) -> None:
    answers = handed_in(writer, book, "a", "bad", "b", "bad too", "c")
    told = {text: str(answer) for text, answer in answers.items()}
    assert told == {"a": "A", "b": "B", "c": "C", "bad": "bad", "bad too": "bad too"}
    assert sorted(itertools.chain(*book.transactions)) == ["a", "b", "c"], "each once"


def test_what_the_store_cannot_do_now_is_told_to_all_at_once(writer: Writer, book: Book) -> None:
    book.trouble = StoreBusy("held by somebody")
    answers = handed_in(writer, book, "a", "b", "c")
    assert {str(answer) for answer in answers.values()} == {"held by somebody"}

    book.trouble = None
    assert writer.commit(lambda: book.write("d")) == "D", "it goes on"


def test_a_stop_writes_what_waits_and_takes_no_more(writer: Writer, book: Book) -> None:
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.append(writer.commit(lambda: book.write("a"))))
    thread.start()
    assert book.began.wait(WAIT)
    assert not writer.stop(0.0), "the one under way takes its time"

    with pytest.raises(StoreBusy, match="stopping"):
        writer.commit(lambda: book.write("late"))
    book.may_begin.set()
    assert writer.stop(WAIT)
    thread.join(WAIT)

    assert (answers, book.transactions) == (["A"], [["a"]])
