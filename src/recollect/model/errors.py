"""Every error that Recollect can name.

    RecollectError
    ├── InvalidRequest        the caller can mend it
    │   ├── InvalidArgument   one argument is wrong, and is named
    │   ├── InvalidQuery      a search text that is not in the query language
    │   ├── MalformedEvent    a hook event that is not what a hook event is
    │   └── InvalidSetting    a setting that cannot be read
    ├── NotFound              what was asked for is not there
    │   ├── MemoryNotFound
    │   ├── AnchorNotFound
    │   ├── SessionNotFound
    │   ├── AnswerNotFound    the ledger has no such answer, or none any more
    │   ├── ModelNotFound     no vectors of a model with this name
    │   ├── UnknownTool
    │   ├── UnknownDialect
    │   └── StoreMissing
    ├── StoreError            the store cannot do it now
    │   ├── StoreUntrusted    not a database, damaged, or another key
    │   │   └── StoreForeign  a database of another program
    │   ├── StoreTooNew       written by a newer version of Recollect
    │   ├── StoreIsPlain      a key is set, and the store is not encrypted yet
    │   ├── StoreBusy         another process holds it for too long
    │   ├── StoreFull         no space, or read-only
    │   ├── VectorMisfit      a vector of another dimension than its model's
    │   └── EntryRefused      this one thing can never be stored
    ├── ModelError            meaning cannot be had now; words still can
    │   ├── EmbedderUnavailable   what makes vectors does not
    │   ├── OutpostUnavailable    the server with the copies of vectors does not answer
    │   │   └── OutpostMisfit     it holds vectors that cannot be compared with ours
    │   ├── ModelNotBuilt     the model file could not be made
    │   └── ProviderFailed    a language model gave nothing that can be used
    ├── Unauthorized          a key is missing or another one
    └── RateLimited           too many requests; it says when there is room again

Branches of their own are `policy_errors` (policies, modules and source), `frame_errors` (frames
and their images), `call_errors` (calls) and `worker_errors` (the worker as a process).
The first paragraph of a class's docstring is its message; `hint` says what to do next;
`context` carries the facts for a program. Raise where it is noticed, translate once, at the edge.
"""

from __future__ import annotations


class RecollectError(Exception):
    """Something went wrong in Recollect."""

    code = "error"
    hint = ""

    def __init__(self, message: str | None = None, **context: object) -> None:
        self.message = message or _first_paragraph(type(self).__doc__)
        self.context = context
        super().__init__(self.message)


class InvalidRequest(RecollectError):
    """The request is not valid."""

    code = "invalid_request"


class InvalidArgument(InvalidRequest):
    """An argument is not valid."""

    code = "invalid_argument"

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}", name=name)


class InvalidQuery(InvalidRequest):
    """The search text cannot be understood."""

    code = "invalid_query"
    hint = 'Use words, "quoted phrases", prefix*, AND, OR and NOT.'


class MalformedEvent(InvalidRequest):
    """The event is not one JSON object with the fields of a hook event."""

    code = "malformed_event"


class EntryTooNew(RecollectError):
    """The spool entry was written by a newer version of Recollect."""

    code = "entry_too_new"
    hint = "Restart the worker and the agents: an older version still runs. The entry waits."


class InvalidSetting(InvalidRequest):
    """A setting cannot be read."""

    code = "invalid_setting"


class NotFound(RecollectError):
    """There is no such thing."""

    code = "not_found"


class MemoryNotFound(NotFound):
    """There is no memory with this id."""

    code = "memory_not_found"


class AnchorNotFound(NotFound):
    """The memory to look around is not there."""

    code = "anchor_not_found"


class SessionNotFound(NotFound):
    """There is no session with this id."""

    code = "session_not_found"


class AnswerNotFound(NotFound):
    """The ledger has no answer with this id."""

    code = "answer_not_found"
    hint = "`recollect explain` without an id lists the newest; old ones make room for new ones."


class ModelNotFound(NotFound):
    """There are no vectors of a model with this name."""

    code = "model_not_found"
    hint = "`recollect status` names the models."


class UnknownTool(NotFound):
    """There is no tool with this name."""

    code = "unknown_tool"


class UnknownDialect(NotFound):
    """There is no dialect with this name."""

    code = "unknown_dialect"


class StoreMissing(NotFound):
    """There is no store at this place yet."""

    code = "store_missing"
    hint = "It is made by the first captured event, by `recollect up` and by `recollect serve`."


class StoreError(RecollectError):
    """The store cannot do this now."""

    code = "store_error"


class StoreUntrusted(StoreError):
    """The store cannot be trusted: it is damaged, no database, or locked with another key."""

    code = "store_untrusted"
    hint = "Run `recollect doctor`. New events wait in the spool until the store is well again."


class StoreForeign(StoreUntrusted):
    """The file is a database of another program; nothing was changed in it."""

    code = "store_foreign"
    hint = "Name another file with --db or RECOLLECT_DB, or move this one away."


class StoreTooNew(StoreError):
    """The store was written by a newer version of Recollect."""

    code = "store_too_new"
    hint = "Update Recollect on this machine; nothing was changed."


class StoreIsPlain(StoreError):
    """A key is set, but the store is not encrypted yet."""

    code = "store_is_plain"
    hint = "Run `recollect encrypt` once, or unset the key."


class StoreBusy(StoreError):
    """Another process has held the store for too long."""

    code = "store_busy"
    hint = "Try again; `recollect status` shows whether a worker is running."


class StoreFull(StoreError):
    """The store cannot be written: the disk is full or the file is read-only."""

    code = "store_full"
    hint = "Make room or give write permission. New events wait in the spool while it can grow."


class EntryRefused(StoreError):
    """This cannot be stored, now or later."""

    code = "entry_refused"


class VectorMisfit(StoreError):
    """A vector does not have the dimension of its model."""

    code = "vector_misfit"
    hint = "A model that makes other vectors needs another name."


class ModelError(RecollectError):
    """Meaning cannot be had now; search goes on by words."""

    code = "model_error"


class EmbedderUnavailable(ModelError):
    """The embedder gives no vectors now; search goes on by words."""

    code = "embedder_unavailable"
    hint = "`recollect model status` shows which embedder is in use, and why."


class OutpostUnavailable(ModelError):
    """The vector server does not answer now; search goes on without it."""

    code = "outpost_unavailable"
    hint = "Is it running at chroma.url? What was missed meanwhile is brought there afterwards."


class OutpostMisfit(OutpostUnavailable):
    """The collection holds vectors that cannot be compared with those of the model in use."""

    code = "outpost_misfit"
    hint = "Name another collection with chroma.collection, or remove this one."


class ModelNotBuilt(ModelError):
    """The model could not be built; search goes on by words."""

    code = "model_not_built"
    hint = (
        "Try `recollect model build` again where the package index can be reached, or unpack the "
        "package into a folder and name it with --package."
    )


class ProviderFailed(ModelError):
    """The language model gave nothing that can be used; what rules have read stays.

    `error_class` in the context is its published class, such as `timeout` or `auth`.
    """

    code = "provider_failed"
    hint = "`recollect status` shows which provider is asked, and what it has cost today."


class Unauthorized(RecollectError):
    """A key is needed, and it is missing or another one."""

    code = "unauthorized"
    hint = "Send the header `Authorization: Bearer KEY`; LEX_API_KEY says which key."


class RateLimited(RecollectError):
    """Too many requests."""

    code = "rate_limited"
    hint = "Wait as long as it says; the settings say how many requests are allowed."


def _first_paragraph(text: str | None) -> str:
    return (text or "").strip().split("\n\n")[0].replace("\n    ", " ")
