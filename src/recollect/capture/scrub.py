"""An event document → the same event as it may be written to disk: cut, without what is private.

The last stop before the first byte is written. What is kept at all is `gate`'s decision, what is
secret is `privacy`'s; here every text of a document passes through both, in the right order.
"""

from __future__ import annotations

from recollect.capture import gate
from recollect.capture.codec import readable
from recollect.capture.fingerprint import fingerprint, sha256
from recollect.privacy.clean import clean_text, clean_value, mended
from recollect.privacy.tags import strip_private

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from recollect.privacy.clean import Rules

LONGEST_PROMPT = 1_000_000
"""Of a longer prompt the rest is not even searched for the end of a private block."""
ID_MARKS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:@/")


def scrubbed(document: dict[str, object], rules: Rules) -> dict[str, object] | None:
    """The document as it may be kept; None if it turns out to hold nothing worth it."""
    cleaner = _Cleaner(rules)
    body = _BODIES[str(document["kind"])](document, cleaner)
    if body is None:
        return None
    kept = {**document, **body}
    kept["session_id"] = cleaner.identity(str(document["session_id"]))
    kept["cwd"] = cleaner.text(str(document["cwd"]), gate.PATH)
    kept["project"] = cleaner.text(str(document["project"]), gate.NAME)
    if "transcript_path" in document and not cleaner.passes(str(document["transcript_path"])):
        # It holds a secret: not to be written, and useless in part.
        del kept["transcript_path"], kept["transcript_size"]
    if cleaner.is_redacted:
        kept["is_redacted"] = True
    return kept


def session_named(text: str, rules: Rules) -> str:
    """The session id as `scrubbed` keeps it."""
    return _Cleaner(rules).identity(text)


def cleaned(value: object, rules: Rules) -> object:
    """A value without secrets and private text, within bounds; not yet what of it is kept."""
    return _Cleaner(rules).value(value)


def cleaned_text(text: str, limit: int, rules: Rules) -> str:
    return _Cleaner(rules).text(text, limit)


def marks_of(tool: str, given: dict[str, object]) -> dict[str, object] | None:
    """The fingerprint of what a tool writes into a file; None if it writes none."""
    written = gate.new_text(tool, given)
    return None if written is None else _marks(written)


class _Cleaner:
    """Cleans the texts of one event and remembers whether it found anything."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.is_redacted = False

    def text(self, text: str, limit: int) -> str:
        return self._clean(gate.head(text, max(gate.WINDOW, 4 * limit)))[:limit]

    def value(self, value: object) -> object:
        clean, was_redacted = clean_value(gate.windowed(value), self.rules)
        self.is_redacted |= was_redacted
        return gate.trimmed(clean)

    def gist(self, text: str) -> str:
        """A first line is only judged after cleaning: it may stand inside a private block."""
        start, _ = strip_private(mended(gate.head(text, gate.TEXT)))
        gist = gate.gist(clean_text(start, self.rules)[0])
        self.is_redacted |= gist != gate.gist(start)
        return gist

    def identity(self, text: str) -> str:
        """A session is looked up by its id, so an ordinary id stays, however random it looks."""
        text = mended(text.replace("\0", "\ufffd"))  # leaving it out could make two ids one
        if len(text) <= gate.NAME and ID_MARKS.issuperset(text):
            return text
        clean, was_redacted = clean_text(gate.head(text, gate.NAME), self.rules)
        return text if clean == text and not was_redacted else f"session-{fingerprint(text)}"

    def passes(self, path: str) -> bool:
        clean, was_redacted = clean_text(path[: gate.PATH], self.rules)
        return clean == path and not was_redacted

    def _clean(self, text: str) -> str:
        clean, was_redacted = clean_text(text, self.rules)
        self.is_redacted |= was_redacted
        return clean


def _prompt(document: dict[str, object], cleaner: _Cleaner) -> dict[str, object] | None:
    said = mended(str(document["text"])[:LONGEST_PROMPT])
    if not gate.is_prompt_kept(said):
        return None
    public, was_removed = strip_private(said)
    if not public.strip():
        # Only what the user marked makes a turn private; a block that a host injected does not.
        is_private = was_removed and "<private" in said.lower()
        return {"text": "", "is_private": True} if is_private else None
    return {"text": cleaner.text(public.strip() if was_removed else public, gate.PROMPT)}


def _tool_use(document: dict[str, object], cleaner: _Cleaner) -> dict[str, object]:
    tool, given = str(document["tool"]), document["input"]
    assert isinstance(given, dict)  # as every platform makes it
    body: dict[str, object] = {"tool": cleaner.text(tool, gate.NAME), "response": ""}
    written = gate.new_text(tool, given)
    if written is None:
        body["input"] = cleaner.value(given)
    else:
        body["input"] = cleaner.value(
            {**gate.without_content(tool, given), "gist": cleaner.gist(written)}
        )
        body["marks"] = _marks(written)
    command = given.get("command")
    if gate.is_answer_kept(tool, str(command), is_failed=document["is_failed"] is True):
        body["response"] = _answer(tool, document["response"], cleaner)
    return body


def _marks(written: str) -> dict[str, object]:
    blob = written.encode("utf-8", "surrogatepass")
    return {"content_sha256": sha256(blob), "content_length": len(blob)}


def _answer(tool: str, response: object, cleaner: _Cleaner) -> str:
    if not isinstance(response, str):
        # Cleaned as values first: once quoted, a secret is harder to tell from what is around it.
        response = readable(cleaner.value(response))
    return cleaner.text(gate.answer_kept(tool, response), gate.RESPONSE)


def _session_start(document: dict[str, object], _: _Cleaner) -> dict[str, object]:
    return {"source": document["source"]}


def _turn_end(document: dict[str, object], cleaner: _Cleaner) -> dict[str, object]:
    return {"text": cleaner.text(str(document["text"]), gate.PROMPT)}


def _session_stop(document: dict[str, object], cleaner: _Cleaner) -> dict[str, object]:
    return {"reason": cleaner.text(str(document["reason"]), gate.NAME)}


_BODIES = {
    "prompt": _prompt,
    "tool_use": _tool_use,
    "session_start": _session_start,
    "turn_end": _turn_end,
    "session_stop": _session_stop,
}
