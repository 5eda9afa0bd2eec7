"""Whose words a question asks for."""

from __future__ import annotations

import pytest

from promises import last
from recollect.search.speakers import meant

TALKERS = ["Caroline", "Melanie Reed"]
CHAT = ["user", "assistant"]

MEANT = [
    # question                                     speakers   meant            because
    ("What did Caroline paint?", TALKERS, "Caroline", "who is named is meant"),
    ("what did caroline paint?", TALKERS, "Caroline", "however the name is written"),
    ("Which book did Melanie read?", TALKERS, "Melanie Reed", "a first name is enough"),
    ("Which book did Reed like?", TALKERS, None, "a last name alone is not"),
    ("Did Caroline and Melanie meet?", TALKERS, None, "of two none is meant"),
    ("Caroline's painting", TALKERS, "Caroline", "a name may own something"),
    ("Carolines in the text", TALKERS, None, "a longer word is no name"),
    ("What happened?", TALKERS, None, "nobody is named"),
    ("What did you recommend?", CHAT, "assistant", "you is the assistant, where it said something"),
    ("what was your suggestion?", CHAT, "assistant", "and so is your"),
    ("Did you say that?", CHAT, "assistant", "also in a question about it"),
    ("Can you help?", CHAT, None, "you that said nothing is politeness"),
    ("Where do I live?", CHAT, "user", "the first person is the user"),
    ("my favourite colour", CHAT, "user", "and so is my"),
    ("the user asked for tests", CHAT, None, "a question about a user is not about this one"),
    ("Where do I live?", TALKERS, None, "among named people nobody is I"),
    ("Where do I live?", ["user", "human"], None, "of two users none is meant"),
    ("i live here", CHAT, None, "a small i is a variable"),
    ("Where do I live?", [], None, "without speakers nobody is meant"),
    ("Where?", ["", "!!"], None, "a name without letters is never named"),
]


@pytest.mark.parametrize(("question", "speakers", "who", "because"), MEANT, ids=last)
def test_whose_words_are_asked_for(
    question: str, speakers: list[str], who: str | None, because: str
) -> None:
    assert meant(question, speakers) == who
