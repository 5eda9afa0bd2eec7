"""The table of settings: for each its names, its default, a sentence, and what a valid value is.

Nothing is read here: the package itself does that. What a valid value is stands in `values`.
"""

from __future__ import annotations

from recollect.settings import lex, values

TYPE_CHECKING = False  # `typing` costs the hook 11 ms; type checkers read this name the same way
if TYPE_CHECKING:
    from collections.abc import Callable

SKIP_TOOLS = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
RETENTION_DAYS = {
    **dict.fromkeys(("git_commit", "git_push", "user_prompt", "command_error"), 730),
    **dict.fromkeys(("file_write", "file_edit", "session_start", "session_end"), 365),
    **dict.fromkeys(("session_compact", "session_resume", "session_clear"), 365),
    **dict.fromkeys(("command", "github"), 180),
    **dict.fromkeys(("file_read", "search", "mcp_call", "web_fetch", "web_search"), 90),
    **dict.fromkeys(("task_spawn", "tool_other"), 90),
}


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
        read: Callable[[object], object] = values.text,
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
            default="git", key="project.strategy", read=values.strategy),
    Setting("key", "What encrypts the store and the spool: 64 hexadecimal digits, or in "
            "LEX_DB_KEY a passphrase of 12 characters or more, from which they are derived.",
            variables=("RECOLLECT_KEY", "NMEM_KEY", lex.KEY), is_secret=True),
    Setting("key_file", "A file with the key; by default the store's name and .key, if it exists.",
            variables=("RECOLLECT_KEY_FILE",), key="encryption.key_file"),
    Setting("host", "The address on which the worker listens.", default="127.0.0.1",
            variables=("RECOLLECT_HOST", "CODEXMEM_WORKER_HOST"), flag="--host"),
    Setting("port", "The port on which the worker listens.", default=37777,
            variables=("RECOLLECT_PORT", "CODEXMEM_WORKER_PORT", lex.API_PORT), flag="--port",
            read=values.port),
    Setting("token", "What clients of the worker must present; needed beyond loopback.",
            variables=("RECOLLECT_TOKEN",), is_secret=True),
    Setting("token_file", "A file with the token, readable by its owner only.",
            variables=("RECOLLECT_TOKEN_FILE",)),
    Setting("log", "How much the programs say on stderr: error, warning, info or debug.",
            default="warning", read=values.log_level,
            variables=("RECOLLECT_LOG", "NMEM_LOG", "CODEXMEM_LOG_LEVEL", lex.DEBUG)),
    Setting("skip_tools", "Tools whose use `recollect hook` and the worker's HTTP door leave out.",
            default=SKIP_TOOLS, variables=("CODEXMEM_SKIP_TOOLS",), key="worker.skip_tools",
            read=values.names),
    Setting("stale_processing_ms", "Milliseconds after which work that was begun and never ended "
            "is begun again.",
            default=300_000, variables=("CODEXMEM_STALE_PROCESSING_MS",),
            key="worker.stale_processing_ms", read=values.whole),
    Setting("filter.extra_patterns", "Regular expressions for secrets of your own.",
            default=(), key="filter.extra_patterns", read=values.patterns),
    Setting("filter.entropy_threshold", "Bits per byte from which a long token counts as a secret.",
            default=4.0, key="filter.entropy_threshold", read=values.number),
    Setting("filter.entropy_min_length", "Bytes from which a token is long.",
            default=20, key="filter.entropy_min_length", read=values.whole),
    Setting("filter.disable_entropy", "Look for secrets by pattern only.",
            default=False, key="filter.disable_entropy", read=values.yes),
    Setting("ledger.most", "How many answered questions are kept with their reasons; 0 keeps none.",
            default=1000, key="ledger.most", read=values.whole),
    Setting("memento.rate_limit", "Requests that Memento's tools answer, such as 100/15m; "
            "by default any number.",
            variables=("RECOLLECT_MEMENTO_RATE_LIMIT",), key="memento.rate_limit",
            read=values.rate),
    Setting("embedder", "What makes vectors: the best on this machine (auto), minilm, numpy, "
            "static, an endpoint elsewhere (remote), or none.",
            default="auto", variables=("RECOLLECT_EMBEDDER",), key="embedding.embedder",
            read=values.embedder),
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
            read=values.whole),
    # -- the language model that may read events after the rules
    Setting("provider", "Who reads events after the rules have: openai, which is any compatible "
            "API and needs a key, or rule-based.",
            default="openai", variables=("CODEXMEM_PROVIDER",), key="provider.kind",
            read=values.provider),
    Setting("provider.model", "The model that the provider is asked for.",
            default="gpt-4o-mini", variables=("CODEXMEM_OPENAI_MODEL",), key="provider.model"),
    Setting("provider.base_url", "The provider's OpenAI-compatible API, up to /chat/completions.",
            default="https://api.openai.com/v1",
            variables=("OPENAI_BASE_URL", "CODEXMEM_OPENAI_BASE_URL"), key="provider.base_url"),
    Setting("provider.api_key", "The provider's key; without one, rules alone read events.",
            variables=("OPENAI_API_KEY", "CODEXMEM_OPENAI_API_KEY"), is_secret=True),
    Setting("provider.repair", "Whether the provider is asked to mend an answer that is not valid.",
            default=True, variables=("CODEXMEM_OPENAI_REPAIR_ENABLED",), key="provider.repair",
            read=values.yes),
    Setting("provider.max_repairs", "How often it is asked to, 3 at most.",
            default=1, variables=("CODEXMEM_OPENAI_MAX_REPAIRS",), key="provider.max_repairs",
            read=values.repairs),
    Setting("provider.daily_token_budget", "Tokens that it may cost in a day (UTC); none is any "
            "number. Capture never stops.",
            default=1_000_000, variables=("RECOLLECT_DAILY_TOKEN_BUDGET",),
            key="provider.daily_token_budget", read=values.budget),
    # vectors elsewhere
    Setting("vectors.backend", "Which vectors a search asks: those of the store (sqlite), of a "
            "Chroma server (chroma), or both (hybrid).",
            default="sqlite", variables=("RECOLLECT_VECTOR_BACKEND", "CODEXMEM_VECTOR_BACKEND"),
            key="vectors.backend", read=values.backend),
    Setting("chroma.url", "Where the Chroma server listens.", default="http://127.0.0.1:8000",
            variables=("CODEXMEM_CHROMA_URL",), key="chroma.url", read=values.server),
    Setting("chroma.collection", "The collection that holds copies of this store's vectors.",
            default="codexmem_memory", variables=("CODEXMEM_CHROMA_COLLECTION",),
            key="chroma.collection", read=values.collection),
    # -- frames and their modules
    Setting("lex.workspace_root", "The workspace whose modules frames name, instead of the one "
            "around the folder.",
            variables=(lex.ROOT,)),
    Setting("lex.policy_path", "The policy, instead of the workspace's own.",
            variables=("LEX_POLICY_PATH",)),
    Setting("lex.default_branch", "The branch of a frame that names none, instead of the one that "
            "is checked out.",
            variables=("LEX_DEFAULT_BRANCH",)),
    Setting("lex.strict", "Whether a module must be named exactly, and nothing is suggested.",
            default=False, variables=("LEX_STRICT_MODE",), key="lex.strict", read=values.yes),
    Setting("lex.tool_names", "How Lex's tools are listed: lex.remember (dotted), or lex_remember "
            "(underscore) for clients that take no dots.",
            default="dotted", variables=("RECOLLECT_LEX_TOOL_NAMES",), key="lex.tool_names",
            read=values.tool_names),
    Setting("lex.api_key", "What clients of the routes for frames present; without it they need "
            "the worker's token.",
            variables=("LEX_API_KEY",), read=values.secret, is_secret=True),
    Setting("lex.rate_limit", "Requests to the routes for frames that each client may send, such "
            "as 100/15m; by default any number.",
            variables=("RECOLLECT_RATE_LIMIT",), key="lex.rate_limit", read=values.rate),
    Setting("retention.enabled", "Whether old memories are deleted by themselves.",
            default=False, key="retention.enabled", read=values.yes),
    Setting("retention.days", "Days that each type is kept; a table of your own replaces this one.",
            default=RETENTION_DAYS, key="retention.days", read=values.days),
)
PROJECT_SETTINGS = (
    Setting("sensitivity", "How eagerly tokens are taken for secrets: default, strict or relaxed.",
            default="default", read=values.sensitivity),
    Setting("context_local_limit", "Rows of this project in the injected context.",
            read=values.whole),
    Setting("context_cross_limit", "Rows of other projects in the injected context.",
            read=values.whole),
    Setting("suppress_cross_project", "Leave other projects out of the injected context.",
            default=False, read=values.yes),
)
"""Under `[projects.NAME]` in config.toml."""
# fmt: on
