"""A chat-completions API on loopback that answers as it is told and remembers what it was asked.

    with FakeChatApi(says("We use it.")) as api:
        ...  # base_url=api.url
        api.requests[0].body

An answer is (status, headers, body); body is bytes or a JSON value. Answers are used in turn and the last is
repeated. A function from the request to an answer is called.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self


class Request(NamedTuple):
    """What arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Answer(NamedTuple):
    """What goes back. `drip` seconds pass before each piece of the body; `cut` drops the connection half way."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 - a NamedTuple's default, never changed
    drip: float = 0.0
    cut: bool = False


def says(text: str | None, finish: str | None = "stop", **more: Any) -> Answer:
    """A whole chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **more}, "finish_reason": finish}
    return Answer(body={"choices": [choice], "usage": {"prompt_tokens": 120, "completion_tokens": 9}})


def refused(status: int, message: str, **headers: str) -> Answer:
    """An HTTP error in the API's form."""
    return Answer(status, {"error": {"message": message, "type": "x"}}, headers)


class FakeChatApi:
    """The server. `url` is what a client takes for base_url."""

    def __init__(self, *answers: Answer | Callable[[Request], Answer]) -> None:
        self.answers = answers
        self.requests: list[Request] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                asked = Request(self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(raw))
                with api._lock:
                    answer = api.answers[min(len(api.requests), len(api.answers) - 1)]
                    api.requests.append(asked)
                if callable(answer):
                    answer = answer(asked)
                self._send(answer)

            def do_GET(self) -> None:
                with api._lock:
                    api.requests.append(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, {}))
                self._send(Answer(200, {}))

            def _send(self, answer: Answer) -> None:
                body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                if answer.cut:
                    self.wfile.write(body[: len(body) // 2])
                    self.close_connection = True
                    return
                for piece in [body[n : n + 20] for n in range(0, len(body), 20)] if answer.drip else [body]:
                    time.sleep(answer.drip)
                    try:
                        self.wfile.write(piece)
                    except OSError:
                        return

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
