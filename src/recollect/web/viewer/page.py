"""The page itself: `/viewer`, and under `/viewer/assets/` what it is made of.

A file is read whenever it is asked for; a browser keeps it and asks whether it is still the same,
so that a page never mixes modules of two versions. There is no data in any of them.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

PAGE = "/viewer"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2",
}
"""By the ending of a name; whatever ends otherwise is no part of the page."""
WORTH_PACKING = 512
"""Bytes; what is smaller hardly gets any smaller."""
PACKED = 6
_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def page_routes(folder: Traversable | None = None) -> list[BaseRoute]:
    """`folder` is where the files are: beside this module, unless told otherwise."""
    assets = files(__package__) / "assets" if folder is None else folder

    def page(asked: Request) -> Response:
        return _answer(asked, assets, "index.html")

    def asset(asked: Request) -> Response:
        return _answer(asked, assets, asked.path_params["name"])

    return [
        Route(PAGE, page),
        Route(f"{PAGE}/", page),
        Route(f"{PAGE}/assets/{{name:path}}", asset),
    ]


def is_page(path: str) -> bool:
    """Whether it is the page's, which holds no data and needs no token."""
    return path == PAGE or path.startswith(f"{PAGE}/")


def _answer(asked: Request, assets: Traversable, name: str) -> Response:
    content = _content(assets, name)
    kind = TYPES.get(name.rpartition(".")[2])
    if content is None or kind is None:
        raise HTTPException(404)
    digest = hashlib.sha256(content).hexdigest()[:32]
    is_packed = "gzip" in asked.headers.get("accept-encoding", "") and len(content) >= WORTH_PACKING
    tag = f'"{digest}-gzip"' if is_packed else f'"{digest}"'
    headers = {**HEADERS, "ETag": tag, "Vary": "Accept-Encoding"}
    if tag in asked.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if is_packed:
        content = gzip.compress(content, PACKED, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=kind)


def _content(assets: Traversable, name: str) -> bytes | None:
    """Looked for name by name, none of which leads upwards."""
    place = assets
    for part in name.split("/"):
        if not _NAME.fullmatch(part):
            return None
        place = place / part
    return place.read_bytes() if place.is_file() else None
