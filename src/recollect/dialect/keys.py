"""The keys that let a request in over HTTP, where a route asks for one itself.

What a request must show before it comes to any route is `web.guard`'s.
"""

from __future__ import annotations

import hmac

SCHEME = "bearer"


class Keys:
    """Any of these opens; they are compared in constant time, and shown nowhere."""

    def __init__(self, *known: str | None) -> None:
        self._known = tuple(key.encode() for key in known if key)

    def __bool__(self) -> bool:
        """Whether there is one at all."""
        return bool(self._known)

    def open(self, authorization: str) -> bool:
        """Whether this header shows one of them: the bare key, without its scheme, does not."""
        scheme, _, given = authorization.partition(" ")
        shown = given.strip().encode("latin-1", "replace")
        matches = [hmac.compare_digest(shown, key) for key in self._known]
        return any(matches) and scheme.lower() == SCHEME
