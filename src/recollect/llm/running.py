"""Commands in people's words: what was run, how it ended, what git said."""

from __future__ import annotations

from recollect.llm import bounds, concepts, git, tool
from recollect.llm.calling import other
from recollect.llm.complaint import complaint_of
from recollect.llm.errand import Errand, errand
from recollect.llm.sketch import EXECUTION, Sketch, short, shown
from recollect.model.event import ToolUse

MOST_COMMAND = 1_500


def run(use: ToolUse) -> Sketch:
    command = tool.command(use)
    if not command:
        sketch = other(use)
        sketch.type = EXECUTION  # it was run all the same
        return sketch
    done = errand(command)
    sketch = Sketch(
        type=EXECUTION,
        title=done.said,
        told=[f"Ran `{bounds.line(command, MOST_COMMAND)}`"],
        concepts=[*done.about, *concepts.of_program(done.program)],
    )
    if purpose := tool.text(use, "description", "justification"):
        sketch.subtitle = purpose
        sketch.told.append(purpose)
    if tool.is_failed(use):
        _tell_failed_run(use, done, command, sketch)
    elif done.program == "git" or "git" in command:
        _tell_git(use, sketch)
    return sketch


def _tell_failed_run(use: ToolUse, done: Errand, command: str, sketch: Sketch) -> None:
    complaint = complaint_of(use.response)
    if use.exit_code is not None:
        sketch.facts.append(f"exit code {use.exit_code}")
    name = done.test or f"`{shown(command, 60)}`"
    if complaint.counts is not None:
        counted = f"{complaint.counts}"
        where = _where(complaint.files)
        sketch.title = f"{name} failed: {counted}{where}"
        sketch.facts.append(f"{counted} failed" if done.test else counted)
    elif complaint.lines:
        sketch.title = f"{name} failed: {shown(complaint.lines[0])}"
    elif use.exit_code is not None:
        sketch.title = f"{name} failed with exit code {use.exit_code}"
    else:
        sketch.title = f"{name} failed"
    sketch.facts += [f"failed: {test}" for test in complaint.tests]
    sketch.facts += [f"error: {line}" for line in complaint.lines]
    sketch.concepts.insert(0, "error")
    code = "" if use.exit_code is None else f" with exit code {use.exit_code}"
    sketch.told.append(
        f"It failed{code}: {'; '.join(complaint.lines)}" if complaint.lines else f"It failed{code}"
    )
    if complaint.tests:
        sketch.told.append(f"Failed tests: {', '.join(complaint.tests)}")


def _tell_git(use: ToolUse, sketch: Sketch) -> None:
    told = git.commit(use.response)
    if told:
        message, branch = told["commit_message"], told["branch"]
        sketch.title = f"Committed: {message}"
        sketch.subtitle = f"{told['commit_hash']} on {branch}"
        sketch.facts += [f"commit {told['commit_hash']}", f"branch {branch}", f"message: {message}"]
        if "files_changed" in told:
            sketch.facts.append(
                f"{told['files_changed']} files changed, {told['insertions']} insertions, "
                f"{told['deletions']} deletions"
            )
        sketch.told.append(f"Commit {told['commit_hash']} on {branch}: {message}")
        sketch.concepts.insert(0, concepts.WHAT_CHANGED)
    if pushed := git.push(use.response):
        where = str(pushed.get("remote_url", ""))
        sketch.facts += [f"branch {pushed['branch']}", *([f"remote {where}"] if where else [])]
        sketch.told.append(f"Pushed {pushed['branch']}" + (f" to {where}" if where else ""))
        if not told:
            sketch.title = f"Pushed {pushed['branch']}" + (f" to {where}" if where else "")


def _where(files: tuple[str, ...]) -> str:
    if not files:
        return ""
    return f" in {short(files[0])}" if len(files) == 1 else f" in {len(files)} files"
