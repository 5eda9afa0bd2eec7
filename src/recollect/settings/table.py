"""The table of settings: for each its names, its default, a sentence, and what a valid value is.

Nothing is read here: the package itself does that.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable

SENSITIVITIES = ("default", "strict", "relaxed")
PROVIDERS = ("openai", "rule-based")
MOST_REPAIRS = 3
BACKENDS = ("sqlite", "chroma", "hybrid")
EMBEDDERS = ("auto", "minilm", "numpy", "static", "remote", "none")
SKIP_TOOLS = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
RETENTION_DAYS = {
    **dict.fromkeys(("git_commit", "git_push", "user_prompt", "command_error"), 730),
    **dict.fromkeys(("file_write", "file_edit", "session_start", "session_end"), 365),
    **dict.fromkeys(("session_compact", "session_resume", "session_clear"), 365),
    **dict.fromkeys(("command", "github"), 180),
    **dict.fromkeys(("file_read", "search", "mcp_call", "web_fetch", "web_search"), 90),
    **dict.fromkeys(("task_spawn", "tool_other"), 90),
}

_UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("is not a text")
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("is not a whole number from 0 up")
    return value


def _port(value: object) -> int:
    if _whole(value) > 65535:
        raise ValueError("is not a port (0 to 65535)")
    return _whole(value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("is not a number")
    return float(value)


def _yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("is neither true nor false")
    return value


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("is not a list of texts")
    return tuple(value)


def _strategy(value: object) -> str:
    if value not in {"git", "cwd"}:
        raise ValueError('is neither "git" nor "cwd"')
    return str(value)


def _log_level(value: object) -> str:
    # NMEM_LOG may be a filter such as "warn,nmem=debug": its first word is the general level.
    word = _text(value).partition(",")[0].strip().lower()
    level = {"warn": "warning", "trace": "debug", "off": "error", "silent": "error"}.get(word, word)
    if level not in {"error", "warning", "info", "debug"}:
        raise ValueError("is not one of error, warning, info, debug")
    return level


def _sensitivity(value: object) -> str:
    if value not in SENSITIVITIES:
        raise ValueError(f"is not one of {', '.join(SENSITIVITIES)}")
    return str(value)


def _provider(value: object) -> str:
    """What is not known is the default, as published."""
    return _text(value) if value in PROVIDERS else PROVIDERS[0]


def _repairs(value: object) -> int:
    return min(_whole(value), MOST_REPAIRS)


def _budget(value: object) -> int | None:
    return None if value == "none" else _whole(value)


def _embedder(value: object) -> str:
    if value not in EMBEDDERS:
        raise ValueError(f"is not one of {', '.join(EMBEDDERS)}")
    return str(value)


def _backend(value: object) -> str:
    if value not in BACKENDS:
        raise ValueError(f"is not one of {', '.join(BACKENDS)}")
    return str(value)


def _server(value: object) -> str:
    from urllib.parse import urlsplit  # 6 ms, paid only by those who name a server

    parts = urlsplit(_text(value))
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("is not an http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("may hold a host, a port and a path only")
    _ = parts.port  # `ValueError` when it is none
    return str(value)


def _collection(value: object) -> str:
    name = _text(value)
    if not all(letter.isascii() and (letter.isalnum() or letter in "._-") for letter in name):
        raise ValueError("holds more than letters, digits, dots, dashes and underscores")
    if not 3 <= len(name) <= 512:
        raise ValueError("is not of 3 to 512 characters")
    return name


def rate_of(text: str) -> tuple[int, int]:
    """Requests, and the milliseconds in which so many are allowed: "100/15m" is (100, 900000)."""
    count, slash, span = text.strip().partition("/")
    number, unit = span[:-1] or "1", span[-1:]
    if not (slash and count.isdecimal() and number.isdecimal() and unit in _UNITS):
        raise ValueError('is not a rate such as "100/15m" (s, m, h or d)')
    if not int(count) or not int(number):
        raise ValueError("allows nothing at all")
    return int(count), int(number) * _UNITS[unit]


def _rate(value: object) -> str:
    rate_of(_text(value))
    return str(value)


def _patterns(value: object) -> tuple[str, ...]:
    patterns = _names(value)
    if patterns:
        import re  # 7 ms, paid only by those who have patterns of their own

        for item in patterns:
            try:
                re.compile(item)
            except re.error as problem:
                raise ValueError(f"holds {item!r}, which is no pattern: {problem}") from None
    return patterns


def _days(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise TypeError("is not a table of days")
    return {name: _whole(days) for name, days in value.items()}


class Setting:
    """One row: what it is called everywhere, how it is read, and a sentence about it."""

    __slots__ = ("about", "default", "flag", "is_secret", "key", "name", "read", "variables")

    def __init__(
        self,
        name: str,
        about: str,
        *,
        default: object = None,
        variables: tuple[str, ...] = (),
        key: str | None = None,
        flag: str | None = None,
        read: Callable[[object], object] = _text,
        is_secret: bool = False,
    ) -> None:
        self.name, self.about, self.default = name, about, default
        self.variables, self.key, self.flag = variables, key, flag
        self.read, self.is_secret = read, is_secret

    @property
    def attribute(self) -> str:
        return self.name.replace(".", "_")


# fmt: off
SETTINGS = (
    Setting("home", "The data folder.", default="~/.recollect", variables=("RECOLLECT_HOME",)),
    Setting("store", "The database file; by default recollect.db in the data folder.",
            variables=("RECOLLECT_DB",), flag="--db"),
    Setting("project", "The project of everything captured, instead of the folder's.", default="",
            variables=("RECOLLECT_PROJECT",)),
    Setting("project.strategy", "Whether a folder's project is its git checkout or the folder.",
            default="git", key="project.strategy", read=_strategy),
    Setting("key", "What encrypts the store and the spool: 64 hexadecimal digits.",
            variables=("RECOLLECT_KEY", "NMEM_KEY"), is_secret=True),
    Setting("key_file", "A file with the key; by default the store's name and .key, if it exists.",
            variables=("RECOLLECT_KEY_FILE",), key="encryption.key_file"),
    Setting("host", "The address on which the worker listens.", default="127.0.0.1",
            variables=("RECOLLECT_HOST", "CODEXMEM_WORKER_HOST"), flag="--host"),
    Setting("port", "The port on which the worker listens.", default=37777,
            variables=("RECOLLECT_PORT", "CODEXMEM_WORKER_PORT"), flag="--port", read=_port),
    Setting("token", "What clients of the worker must present; needed beyond loopback.",
            variables=("RECOLLECT_TOKEN",), is_secret=True),
    Setting("token_file", "A file with the token, readable by its owner only.",
            variables=("RECOLLECT_TOKEN_FILE",)),
    Setting("log", "How much the programs say on stderr: error, warning, info or debug.",
            default="warning", variables=("RECOLLECT_LOG", "NMEM_LOG", "CODEXMEM_LOG_LEVEL"),
            read=_log_level),
    Setting("skip_tools", "Tools whose use `recollect hook` and the worker's HTTP door leave out.",
            default=SKIP_TOOLS, variables=("CODEXMEM_SKIP_TOOLS",), key="worker.skip_tools",
            read=_names),
    Setting("stale_processing_ms", "Milliseconds after which work that was begun and never ended "
            "is begun again.",
            default=300_000, variables=("CODEXMEM_STALE_PROCESSING_MS",),
            key="worker.stale_processing_ms", read=_whole),
    Setting("filter.extra_patterns", "Regular expressions for secrets of your own.",
            default=(), key="filter.extra_patterns", read=_patterns),
    Setting("filter.entropy_threshold", "Bits per byte from which a long token counts as a secret.",
            default=4.0, key="filter.entropy_threshold", read=_number),
    Setting("filter.entropy_min_length", "Bytes from which a token is long.",
            default=20, key="filter.entropy_min_length", read=_whole),
    Setting("filter.disable_entropy", "Look for secrets by pattern only.",
            default=False, key="filter.disable_entropy", read=_yes),
    Setting("ledger.most", "How many answered questions are kept with their reasons; 0 keeps none.",
            default=1000, key="ledger.most", read=_whole),
    Setting("memento.rate_limit", "Requests that Memento's tools answer, such as 100/15m; "
            "by default any number.",
            variables=("RECOLLECT_MEMENTO_RATE_LIMIT",), key="memento.rate_limit", read=_rate),
    Setting("embedder", "What makes vectors: the best on this machine (auto), minilm, numpy, "
            "static, an endpoint elsewhere (remote), or none.",
            default="auto", variables=("RECOLLECT_EMBEDDER",), key="embedding.embedder",
            read=_embedder),
    Setting("model_dir", "Where the model lies; by default models in the data folder.",
            variables=("RECOLLECT_MODEL_DIR",), key="embedding.model_dir"),
    Setting("embedding.base_url", "The remote embedder's OpenAI-compatible API, up to /embeddings.",
            default="", key="embedding.base_url",
            variables=("RECOLLECT_EMBEDDING_BASE_URL", "CODEXMEM_OPENAI_EMBEDDING_BASE_URL")),
    Setting("embedding.model", "The model that the remote embedder is asked for.",
            default="", variables=("RECOLLECT_EMBEDDING_MODEL", "CODEXMEM_OPENAI_EMBEDDING_MODEL"),
            key="embedding.model"),
    Setting("embedding.api_key", "What the remote embedder's API wants to see.",
            variables=("RECOLLECT_EMBEDDING_API_KEY", "CODEXMEM_OPENAI_EMBEDDING_API_KEY"),
            is_secret=True),
    Setting("embedding.dimensions", "Numbers in each of its vectors; 0 is as many as it gives.",
            default=0, variables=("RECOLLECT_EMBEDDING_DIMENSIONS",), key="embedding.dimensions",
            read=_whole),
    # -- the language model that may read events after the rules
    Setting("provider", "Who reads events after the rules have: openai, which is any compatible "
            "API and needs a key, or rule-based.",
            default="openai", variables=("CODEXMEM_PROVIDER",), key="provider.kind",
            read=_provider),
    Setting("provider.model", "The model that the provider is asked for.",
            default="gpt-4o-mini", variables=("CODEXMEM_OPENAI_MODEL",), key="provider.model"),
    Setting("provider.base_url", "The provider's OpenAI-compatible API, up to /chat/completions.",
            default="https://api.openai.com/v1",
            variables=("OPENAI_BASE_URL", "CODEXMEM_OPENAI_BASE_URL"), key="provider.base_url"),
    Setting("provider.api_key", "The provider's key; without one, rules alone read events.",
            variables=("OPENAI_API_KEY", "CODEXMEM_OPENAI_API_KEY"), is_secret=True),
    Setting("provider.repair", "Whether the provider is asked to mend an answer that is not valid.",
            default=True, variables=("CODEXMEM_OPENAI_REPAIR_ENABLED",), key="provider.repair",
            read=_yes),
    Setting("provider.max_repairs", "How often it is asked to, 3 at most.",
            default=1, variables=("CODEXMEM_OPENAI_MAX_REPAIRS",), key="provider.max_repairs",
            read=_repairs),
    Setting("provider.daily_token_budget", "Tokens that it may cost in a day (UTC); none is any "
            "number. Capture never stops.",
            default=1_000_000, variables=("RECOLLECT_DAILY_TOKEN_BUDGET",),
            key="provider.daily_token_budget", read=_budget),
    # vectors elsewhere
    Setting("vectors.backend", "Which vectors a search asks: those of the store (sqlite), of a "
            "Chroma server (chroma), or both (hybrid).",
            default="sqlite", variables=("RECOLLECT_VECTOR_BACKEND", "CODEXMEM_VECTOR_BACKEND"),
            key="vectors.backend", read=_backend),
    Setting("chroma.url", "Where the Chroma server listens.", default="http://127.0.0.1:8000",
            variables=("CODEXMEM_CHROMA_URL",), key="chroma.url", read=_server),
    Setting("chroma.collection", "The collection that holds copies of this store's vectors.",
            default="codexmem_memory", variables=("CODEXMEM_CHROMA_COLLECTION",),
            key="chroma.collection", read=_collection),
    Setting("retention.enabled", "Whether old memories are deleted by themselves.",
            default=False, key="retention.enabled", read=_yes),
    Setting("retention.days", "Days that each type is kept; a table of your own replaces this one.",
            default=RETENTION_DAYS, key="retention.days", read=_days),
)
PROJECT_SETTINGS = (
    Setting("sensitivity", "How eagerly tokens are taken for secrets: default, strict or relaxed.",
            default="default", read=_sensitivity),
    Setting("context_local_limit", "Rows of this project in the injected context.", read=_whole),
    Setting("context_cross_limit", "Rows of other projects in the injected context.", read=_whole),
    Setting("suppress_cross_project", "Leave other projects out of the injected context.",
            default=False, read=_yes),
)
"""Under `[projects.NAME]` in config.toml."""
# fmt: on
