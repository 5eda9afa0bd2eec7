"""An endpoint that speaks the embeddings protocol of OpenAI, and misbehaves as a test needs it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from recollect.embed.endpoint import Endpoint

Answer = tuple[int, bytes, dict[str, str]]


def vector(text: str, width: int = 4) -> list[float]:
    return [float(len(text)), 1.0, *[0.5] * (width - 2)]


def entries(texts: list[str], width: int = 4) -> list[dict[str, Any]]:
    return [{"index": i, "embedding": vector(text, width)} for i, text in enumerate(texts)]


def well(asked: dict[str, Any]) -> Answer:
    """Out of order, as the protocol allows."""
    return ok({"data": entries(asked["input"], asked.get("dimensions", 4))[::-1]})


def ok(body: object) -> Answer:
    return 200, json.dumps(body).encode(), {}


@dataclass
class Server:
    port: int = 0
    script: list[Callable[[dict[str, Any]], Answer | None]] = field(default_factory=list)
    """What to answer, in turn; the last one stays."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    trickle: float = 0.0
    """Seconds between two bytes of an answer."""
    released: threading.Event = field(default_factory=threading.Event)

    def endpoint(self, **values: Any) -> Endpoint:
        settings = {"base_url": f"http://127.0.0.1:{self.port}/v1/", "model": "small", **values}
        return Endpoint(**settings)


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    known = Server(script=[well])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known.asked.append(asked)
            known.headers.append(dict(self.headers))
            known.paths.append(self.path)
            answer = (known.script.pop(0) if len(known.script) > 1 else known.script[0])(asked)
            if answer is None:
                self.close_connection = True
                return
            status, body, headers = answer
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if not known.trickle:
                self.wfile.write(body)
                return
            for byte in body:
                with contextlib.suppress(OSError):  # whoever asked has gone
                    self.wfile.write(bytes([byte]))
                if known.released.wait(known.trickle):
                    return

        def log_message(self, *_: object) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.port = listening.server_address[1]
    thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield known
    finally:
        known.released.set()
        listening.shutdown()
        thread.join()
        listening.server_close()
