"""Intake: what a client tells over HTTP is accepted: cleaned, kept, and queued to be read.

Accepted means committed. What makes two deliveries one is the host event's key, as at every door,
and this door's own rule: the same tool, input and answer within one prompt. How what was accepted
becomes a memory is `processing`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from recollect.capture import codec, scrub
from recollect.capture.fingerprint import fingerprint
from recollect.capture.platforms import claude_code
from recollect.llm.port import Reader
from recollect.model import event
from recollect.model.clock import Clock
from recollect.model.event import Prompt, TurnEnd
from recollect.model.job import Task
from recollect.model.scope import project_named
from recollect.model.session import Session
from recollect.privacy.clean import Rules
from recollect.service import observe
from recollect.service.accepting import Outcome, Turn
from recollect.service.notices import Notices, Topic
from recollect.service.observe import Arrival
from recollect.store.port.store import Store

PLATFORM = "http"

T = TypeVar("T")
Commit = Callable[[Callable[[], T]], T]
"""Runs some writes as one transaction, perhaps together with those of others, and answers when
they are on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Answers `accepting.Accepting`."""

    store: Store
    reader: Reader
    clock: Clock
    rules: Callable[[str], Rules]
    """The privacy rules of a project."""
    project_of: Callable[[str], str]
    """The project that a folder belongs to."""
    fresh_key: Callable[[], str]
    commit: Callable[[Callable[[], object]], object]
    notices: Notices
    skipped_tools: frozenset[str] = frozenset()
    """Tools whose uses nobody wants to remember."""

    def begin_turn(
        self, *, session_id: str, project: str, prompt: str, platform: str, identity: str | None
    ) -> Turn:
        """The user said something. A session that had ended goes on."""
        project = project_named(project)
        # As the host's own hook names it: of the id as it came.
        key = None if identity is None else fingerprint("prompt", session_id, identity)
        session_id = scrub.session_named(session_id, self.rules(project))
        document = self._document(
            {"kind": "prompt", "text": prompt, "source_event": "UserPromptSubmit"},
            session_id=session_id,
            cwd="",
            project=project,
            platform=platform,
            key=key,
        )
        happened = _event(document) if document is not None else None

        def write() -> Turn:
            if happened is not None:
                observe.keep_within(self.store, self.reader, _arrival(happened, document))
            else:  # nothing but what a host or a tag has put there
                session = self._session(session_id, project, platform)
                if self._is_new(key, session):
                    self.store.sessions.turn(session.id, prompt_id=None, is_private=True)
            session = self._known(session_id)
            return Turn(session.number, session.prompts, session.is_private_turn)

        turn = self._committed(write)
        self._tell(turn.session_number, "active")
        return turn

    def tool_use(
        self,
        *,
        session_id: str,
        tool: str,
        input_: object,
        response: object,
        cwd: str,
        platform: str,
        identity: str | None,
        is_failed: bool = False,
        marks: Mapping[str, object] | None = None,
    ) -> Outcome:
        """The agent used a tool."""
        if tool in self.skipped_tools:
            return Outcome.EXCLUDED
        host: dict[str, object] = {
            "session_id": session_id,
            "cwd": cwd,
            "hook_event_name": "PostToolUseFailure" if is_failed else "PostToolUse",
            "tool_name": tool,
            "tool_input": input_,
            "tool_response": response,
        }
        if identity is not None:
            host["tool_use_id"] = identity
        given = claude_code.document_of(
            host, at=self.clock(), fresh_key=self.fresh_key, size_of=lambda _: None
        )
        if given is None:
            return Outcome.PRIVATE
        said = fingerprint("tool", tool, _plain(input_), _plain(response), cwd)
        return self._offer(given, Task.OBSERVATION, said, platform, marks=marks)

    def turn_end(
        self,
        *,
        session_id: str,
        text: str,
        cwd: str,
        platform: str,
        project: str | None = None,
        identity: str | None = None,
    ) -> Outcome:
        """The agent stopped, and this is what it said last."""
        key = None if identity is None else fingerprint("turn_end", session_id, identity)
        given: dict[str, object] = {
            "kind": "turn_end",
            "text": text,
            "source_event": "Stop",
            "key": key or self.fresh_key(),
            "session_id": session_id,
            "cwd": cwd,
            "at": self.clock(),
            "v": event.VERSION,
        }
        return self._offer(given, Task.SUMMARIZE, fingerprint("end", text), platform, project)

    def active(self, session_id: str) -> Session | None:
        """The session, if it is there and has not ended."""
        session = self._found(session_id)
        return None if session is None or session.ended_at is not None else session

    def complete(self, session_id: str) -> Session | None:
        """End an active session; None when there is none."""

        def write() -> Session | None:
            session = self.active(session_id)
            if session is None:
                return None
            document = self._stop(session)
            arrival = Arrival(event.of(document), _text(document))
            observe.keep_within(self.store, self.reader, arrival)
            return self._known(session.id)

        ended = self._committed(write)
        if ended is not None:
            self._tell(ended.number, "completed")
        return ended

    def _offer(
        self,
        given: Mapping[str, object],
        task: Task,
        said: str,
        platform: str,
        project: str | None = None,
        marks: Mapping[str, object] | None = None,
    ) -> Outcome:
        session_id, cwd = str(given["session_id"]), str(given["cwd"])
        known = self._found(session_id)
        if known is not None:
            project = known.project
        project = project_named(project) if project else self.project_of(cwd)
        document = scrub.scrubbed(
            {**given, "platform": platform, "project": project}, self.rules(project)
        )
        if document is None:
            return Outcome.PRIVATE
        document |= {"marks": dict(marks)} if marks else {}
        happened = _event(document)

        def write() -> Outcome:
            session = self._session(happened.head.session_id, project, platform)
            if session.is_private_turn:
                return Outcome.PRIVATE
            dedupe_key = fingerprint(str(session.prompts), said)
            if self.store.jobs.has(session.id, task, dedupe_key):
                return Outcome.DEDUPED
            event_id = self.store.events.add(
                key=happened.head.key,
                session_id=session.id,
                project=project,
                kind=type(happened).__name__,
                at=happened.head.at,
                document=_text(document),
            )
            if event_id is None:
                return Outcome.DEDUPED  # it came through another door
            self.store.jobs.add(
                session_id=session.id,
                event_id=event_id,
                task=task,
                prompt_number=session.prompts,
                dedupe_key=dedupe_key,
                at=happened.head.at,
            )
            return Outcome.QUEUED

        return self._committed(write)

    def _document(
        self,
        body: Mapping[str, object],
        *,
        session_id: str,
        cwd: str,
        project: str,
        platform: str,
        key: str | None,
    ) -> dict[str, object] | None:
        given = {
            **body,
            "v": event.VERSION,
            "key": key or self.fresh_key(),
            "session_id": session_id,
            "cwd": cwd,
            "platform": platform,
            "at": self.clock(),
            "project": project,
        }
        return scrub.scrubbed(given, self.rules(project))

    def _session(self, session_id: str, project: str, platform: str) -> Session:
        """Inside the transaction; made if it is not there."""
        session = self.store.sessions.find(session_id)
        if session is not None:
            return session
        self.store.sessions.begin(
            Session(id=session_id, project=project, platform=platform, started_at=self.clock())
        )
        return self._known(session_id)

    def _found(self, session_id: str) -> Session | None:
        """By the id as a client says it, whatever of it may be kept."""
        found = self.store.sessions.find(session_id)
        return found or self.store.sessions.find(scrub.session_named(session_id, self.rules("")))

    def _is_new(self, key: str | None, session: Session) -> bool:
        """Whether a prompt of which nothing is kept was not delivered before."""
        if key is None:
            return True
        event_id = self.store.events.add(
            key=key,
            session_id=session.id,
            project=session.project,
            kind=Prompt.__name__,
            at=self.clock(),
            document="",
        )
        return event_id is not None

    def _tell(self, session_number: int, status: str) -> None:
        self.notices.tell(Topic.SESSION_STATUS, sessionDbId=session_number, status=status)

    def _known(self, session_id: str) -> Session:
        session = self.store.sessions.find(session_id)
        assert session is not None, "it was just made"
        return session

    def _stop(self, session: Session) -> dict[str, object]:
        return {
            "v": event.VERSION,
            "key": self.fresh_key(),
            "session_id": session.id,
            "project": session.project,
            "cwd": "",
            "platform": session.platform,
            "at": self.clock(),
            "source_event": "SessionEnd",
            "kind": "session_stop",
            "reason": "complete",
        }

    def _committed(self, write: Callable[[], T]) -> T:
        return self.commit(write)  # type: ignore[return-value]  # it answers what `write` does


def _arrival(happened: event.Event, document: Mapping[str, object] | None) -> Arrival:
    assert document is not None
    return Arrival(happened, _text(document))


def _event(document: Mapping[str, object]) -> Prompt | event.ToolUse | TurnEnd:
    happened = event.of(document)
    assert isinstance(happened, Prompt | event.ToolUse | TurnEnd)
    return happened


def _text(document: Mapping[str, object]) -> str:
    return codec.compact(dict(document))


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
