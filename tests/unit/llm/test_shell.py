"""A shell command read word by word: what it is remembered as."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.llm.shell import action, commands

ACTIONS = [
    # command                                         type          because
    ("ls -la", "command", "anything"),
    ("git status", "command", "git, but neither push nor commit"),
    ("git commit -m x", "git_commit", "a commit"),
    ("git push origin main", "git_push", "a push"),
    ("gh pr create", "github", "GitHub's command line"),
    ("git add . && git commit -m x", "git_commit", "in any part"),
    ("git commit -m x && git push", "git_push", "a push beats a commit"),
    ("gh pr view; git commit -m x", "git_commit", "a commit beats GitHub"),
    ("git push || echo failed", "git_push", "split at ||"),
    ("true | git push", "git_push", "split at |"),
    ("cd app\ngit push", "git_push", "split at line breaks"),
    ("sleep 1 & git push", "git_push", "split at &"),
    ("(cd app; git push)", "git_push", "in a subshell"),
    ("out=$(git push 2>&1)", "git_push", "in a substitution"),
    ("git -C app -c a.b=c push", "git_push", "options before the subcommand"),
    ("git --no-pager push", "git_push", "options without a value"),
    ("GIT_SSH_COMMAND='ssh -v' git push", "git_push", "variables in front"),
    ("sudo /usr/bin/git push", "git_push", "wrapped, with a path"),
    ("timeout 60 git push", "git_push", "wrapped"),
    ("GH_TOKEN=x gh api /user", "github", "variables in front of gh"),
    ("git \\\n  push", "git_push", "a line that goes on"),
    ("echo git; echo push", "command", "in different parts"),
    ('echo "git push"', "command", "quoted text is text"),
    ("echo git push", "command", "talk about a command is not the command"),
    ('git commit -m "push the fix"', "git_commit", "a word of the message"),
    ('git commit -m "a && git push"', "git_commit", "separators in quotes separate nothing"),
    ("git log --grep push", "command", "the subcommand decides"),
    ("git stash push", "command", "nothing leaves the machine"),
    ("ls git push", "git_push", "the word git, then push: the published rule"),
    ("cat ~/git push.txt", "command", "a folder called git"),
    ("# git push\nls", "command", "a comment"),
    ("ls #git push", "command", "a comment behind a command"),
    ("make docs#git push", "command", "no comment within a word, and no git either"),
    ("cat > n <<EOF\ngit push\nEOF", "command", "a heredoc's text"),
    ("cat > n <<'EOF'\nit's\nEOF\ngit push", "git_push", "but not what follows it"),
    ("cat <<< x\ngit push", "git_push", "a here-string has no lines of its own"),
    ("echo 'never closed; git push", "command", "an open quote runs to the end"),
    ("git", "command", "git alone"),
    ("git -C", "command", "an option without its value"),
    ("legit push", "command", "another word"),
    ("ghost run", "command", "another word"),
    ("", "command", "nothing"),
    (" ;; && ", "command", "nothing in several parts"),
]


@pytest.mark.parametrize(("command", "type_", "because"), ACTIONS)
def test_a_command_is_remembered_as_what_it_does(command: str, type_: str, because: str) -> None:
    assert action(command) == type_, because


def test_a_command_line_has_its_commands_and_their_words() -> None:
    line = """A=1 B='2 3' run "a b"'c'\\ d && (x|y) # done"""
    assert list(commands(line)) == [["run", "a bc d"], ["x"], ["y"]]


@given(st.text(alphabet="git pushgh;&|\n\"'\\#<EOF()`$= ", max_size=80))
@settings(deadline=None, max_examples=400)
def test_no_text_is_too_odd_to_read(text: str) -> None:
    assert action(text) in {"command", "git_push", "git_commit", "github"}
    assert all(words for words in commands(text))


@pytest.mark.parametrize("piece", ["'", '"', "<<A\n", "\\", "(", "a=", "#", "git ", "<<  "])
def test_long_commands_are_read_in_one_pass(piece: str) -> None:
    assert action(piece * 20_000) == "command"
