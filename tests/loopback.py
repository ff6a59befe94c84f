"""A scripted API on loopback: one server, one lock, one function from a request to an answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

JSON, STREAM = "application/json", "text/event-stream"


class Said(NamedTuple):
    """An answer: its body, its content type, its status."""

    body: str
    kind: str = JSON
    status: int = 200


class Loopback:
    """The server. `answer` is asked for one POST at a time: its path without the query, and its JSON."""

    def __init__(self, answer: Callable[[str, dict[str, Any]], Said]) -> None:
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Say nothing: the test's output is the test's."""

            def do_HEAD(self) -> None:
                self._send(Said(""))

            def do_GET(self) -> None:
                self._send(Said('{"object":"list","data":[{"id":"fake-model","object":"model"}]}'))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                with lock:
                    said = answer(self.path.split("?")[0], body)
                self._send(said)

            def _send(self, said: Said) -> None:
                data = said.body.encode()
                self.send_response(said.status)
                self.send_header("content-type", said.kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
