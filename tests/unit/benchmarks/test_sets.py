"""Published question sets are read with their faults; anything else is refused clearly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.retrieval import sets, written
from benchmarks.retrieval.corpus import Corpus, Item, Question, UnreadableSet, lines
from benchmarks.retrieval.fts5 import content_words, fts5

TALK = {
    "sample_id": "talk-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Ben",
        "session_2_date_time": "12:05 am on 1 March, 2024",
        "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Later."}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "Hello."},
            {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red boat"},
        ],
        "session_3_date_time": "1:00 pm on 2 March, 2024",
    },
    "qa": [
        {"question": "What boat?", "answer": "red", "evidence": ["D1:2"], "category": 4},
        {"question": "Who?", "answer": 2, "evidence": ["D1:1; D2:1"], "category": 1},
        {"question": "When?", "answer": "?", "evidence": ["D:1:02", "D9:9", "D"], "category": 2},
        {"question": "Nothing?", "answer": "?", "evidence": [], "category": 3},
        {"question": "Not so?", "adversarial_answer": "x", "evidence": ["D2:1"], "category": 5},
    ],
}
CHAT = {
    "question_id": "q1",
    "question_type": "single-session-user",
    "question": "Which tea?",
    "answer": "green",
    "question_date": "2023/05/30 (Tue) 23:40",
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
    "haystack_session_ids": ["s1", "s2"],
    "haystack_sessions": [
        [{"role": "user", "content": "Rain again."}],
        [
            {"role": "user", "content": "I drink green tea.", "has_answer": True},
            {"role": "assistant", "content": "Noted."},
        ],
    ],
    "answer_session_ids": ["s2"],
}


def saved(folder: Path, name: str, document: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_locomo_is_read_turn_by_turn(tmp_path: Path) -> None:
    corpus = sets.read(saved(tmp_path, "talks.json", [TALK]))
    assert corpus.items == [
        Item(
            id=f"talk-1/{id_}",
            text=text,
            session=f"talk-1/{session}",
            speaker=speaker,
            created_at=at,
            project="talk-1",
        )
        for id_, text, session, speaker, at in (
            ("D1:1", "Hello.", "session_1", "Ada", "2023-05-08T13:56:00Z"),
            ("D1:2", "Look! [shared: a red boat]", "session_1", "Ben", "2023-05-08T13:56:01Z"),
            ("D2:1", "Later.", "session_2", "Ben", "2024-03-01T00:05:00Z"),
        )
    ]


def test_locomo_gold_is_mended_where_it_can_be(tmp_path: Path) -> None:
    corpus = sets.read(saved(tmp_path, "talks.json", [TALK]))
    assert [(each.category, sorted(each.gold)) for each in corpus.questions] == [
        ("4 single-hop", ["talk-1/D1:2"]),
        ("1 multi-hop", ["talk-1/D1:1", "talk-1/D2:1"]),
        ("2 temporal", ["talk-1/D1:2"]),
        ("5 adversarial", ["talk-1/D2:1"]),
    ]
    assert corpus.questions[1].gold_sessions == {"talk-1/session_1", "talk-1/session_2"}
    assert corpus.notes == ("1 of 5 questions name no turn that exists",)


def test_parts_can_be_left_out(tmp_path: Path) -> None:
    corpus = sets.read(saved(tmp_path, "talks.json", [TALK, {**TALK, "sample_id": "talk-2"}]))
    assert corpus.scopes == ["talk-1", "talk-2"]
    assert corpus.narrowed(only=["talk-2"]).scopes == ["talk-2"]
    rest = corpus.narrowed(without=["talk-2"])
    assert (rest.scopes, {each.scope for each in rest.questions}) == (["talk-1"], {"talk-1"})
    with pytest.raises(UnreadableSet, match="no part 'talk-3'"):
        corpus.narrowed(only=["talk-3"])


def test_longmemeval_has_a_haystack_for_each_question(tmp_path: Path) -> None:
    unanswerable = {**CHAT, "question_id": "q2_abs"}
    unmarked = {
        **CHAT,
        "question_id": "q3",
        "haystack_sessions": [
            [{"role": "user", "content": "Rain."}],
            [{"role": "user", "content": "Green."}, {"role": "assistant", "content": "Yes."}],
        ],
    }
    corpus = sets.read(saved(tmp_path, "chats.json", [CHAT, unanswerable, unmarked]))
    assert corpus.scopes == ["q1", "q3"]
    assert corpus.items[1] == Item(
        id="q1/1/s2/0",
        text="I drink green tea.",
        session="q1/1/s2",
        speaker="user",
        created_at="2023-05-21T10:00:00Z",
        project="q1",
    )
    assert [(each.id, each.scope, sorted(each.gold)) for each in corpus.questions] == [
        ("q1", "q1", ["q1/1/s2/0"]),
        ("q3", "q3", ["q3/1/s2/0", "q3/1/s2/1"]),
    ]
    assert corpus.questions[0].gold_sessions == {"q1/1/s2"}


def beir_folder(folder: Path, qrels: str) -> Path:
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(qrels, encoding="utf-8")
    documents = [{"_id": "d1", "title": "Tea", "text": "Green."}, {"_id": "d2", "text": "Red."}]
    for name, rows in (
        ("corpus", documents),
        ("queries", [{"_id": 1, "text": "tea?"}, {"_id": 2, "text": "unjudged?"}]),
    ):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_beir_folder_is_one_scope(tmp_path: Path) -> None:
    qrels = "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td2\t0\n"
    corpus = sets.read(beir_folder(tmp_path, qrels))
    assert [(item.id, item.title) for item in corpus.items] == [("d1", "Tea"), ("d2", None)]
    assert [(each.id, set(each.gold)) for each in corpus.questions] == [("1", {"d1"})]
    assert corpus.scopes == [tmp_path.name]


WRONG = [
    # document                                       said
    ({}, "wrong.json is no question set"),
    ([], "wrong.json is no question set"),
    ([{"haystack_sessions": []}], "question 1 has no "),
    ([{**CHAT, "haystack_dates": []}], "are not as many"),
    ([{**CHAT, "haystack_dates": ["soon", "later"]}], "'soon'"),
    ([{**TALK, "qa": [{**TALK["qa"][0], "category": 9}]}], "there is no category 9"),  # type: ignore[index]
    ([{**TALK, "qa": []}], "no question has gold"),
    ([TALK, TALK], "two items have the same id"),
    ([{**TALK, "conversation": 3}], "talk-1: an object is expected"),
]


@pytest.mark.parametrize(("document", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_wrong_file_is_refused(tmp_path: Path, document: object, said: str) -> None:
    with pytest.raises(UnreadableSet, match=said):
        sets.read(saved(tmp_path, "wrong.json", document))


def test_a_wrong_path_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text("{", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("", encoding="utf-8")
    for path, said in (
        (tmp_path / "nowhere", "there is no "),
        (tmp_path / "no.json", "no.json cannot be read as JSON"),
        (tmp_path / "notes.txt", "notes.txt is no question set"),
    ):
        with pytest.raises(UnreadableSet, match=said):
            sets.read(path)
    with pytest.raises(UnreadableSet, match="'query-id"):
        sets.read(beir_folder(tmp_path, "1 d1 1\n"))


def test_our_own_sets_are_read_as_they_were_written(tmp_path: Path) -> None:
    item = Item(
        id="m1", text="Kept.", session="s1", title="T", project="p", kind="note", files=("a.py",)
    )
    question = Question(
        id="q1",
        text="Kept?",
        category="why",
        gold=frozenset({"m1"}),
        scope="p",
        gold_sessions=frozenset({"s1"}),
    )
    corpus = Corpus(name=tmp_path.name, items=[item], questions=[question])
    written.write(corpus, tmp_path)
    assert sets.read(tmp_path) == corpus


def test_an_import_line_leaves_out_what_is_not_said() -> None:
    assert list(lines([Item(id="m1", text="é", tags=("a",))])) == [
        '{"id": "m1", "text": "é", "tags": ["a"]}\n'
    ]


def test_the_baseline_searches_content_words_within_the_scope() -> None:
    items = [
        Item(id="1", text="The cache is warm", project="a"),
        Item(id="2", text="A warm cache, and nothing else to say about it", project="b"),
        Item(id="3", text="The and of", project="a"),
    ]
    with fts5() as search:
        search.index(items)
        assert list(search.ask("Is the cache warm?", "a", 10)) == ["1"]
        assert list(search.ask("caches", None, 10)) == ["1", "2"]
        assert list(search.ask("?!", None, 10)) == []
    assert content_words("The and of") == ["the", "and", "of"]
