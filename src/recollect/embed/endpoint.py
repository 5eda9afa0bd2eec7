"""Where an OpenAI-compatible API is, and what it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.model.errors import EmbedderUnavailable


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint. `dimensions` 0 means as many as its model gives."""

    base_url: str = ""
    model: str = ""
    api_key: str = field(default="", repr=False)
    dimensions: int = 0


def place(endpoint: Endpoint) -> tuple[str, str, int | None, str]:
    """Scheme, host, port and path; what cannot be asked is told before anybody waits for it."""
    if not endpoint.model:
        raise EmbedderUnavailable("embedding.model is not set")
    if not all("!" <= letter <= "~" for letter in endpoint.api_key):
        raise EmbedderUnavailable("embedding.api_key holds what cannot be in a key")
    from urllib.parse import urlsplit  # only those who have an endpoint pay for it

    try:
        parts = urlsplit(endpoint.base_url)
        port = parts.port
    except ValueError:
        raise EmbedderUnavailable("embedding.base_url is not a URL") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise EmbedderUnavailable("embedding.base_url is not an http or https URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise EmbedderUnavailable("embedding.base_url may hold a host, a port and a path only")
    return parts.scheme, parts.hostname, port, f"{parts.path.rstrip('/')}/embeddings"
