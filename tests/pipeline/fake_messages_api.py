"""A Messages API on loopback that answers as it is told and remembers what it was asked.

    with FakeMessagesApi(Text("Hello.")) as api:
        ...  # base_url=api.url
        api.requests[0].body["messages"]

An answer is one of the values below, or a function from the request to one of them. Answers are used in turn
and the last one is repeated.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self


class Request(NamedTuple):
    """What arrived: the path, the headers with lower-case names, the body as JSON."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything in the body that a model would read."""
        return json.dumps([self.body.get("system"), self.body.get("messages")], ensure_ascii=False)


class Text(NamedTuple):
    """A whole answer, in pieces of a few characters."""

    text: str
    stop_reason: str | None = "end_turn"
    input_tokens: int = 100
    output_tokens: int = 50
    stop_details: dict[str, Any] | None = None


class Cut(NamedTuple):
    """An answer whose stream ends early: after the text block, or within it with the connection dropped."""

    text: str
    within: bool = False


class Status(NamedTuple):
    """An HTTP error."""

    code: int
    kind: str
    message: str = "told to"
    headers: Mapping[str, str] = MappingProxyType({})


class StreamError(NamedTuple):
    """An error event after the stream has begun."""

    kind: str


class Raw(NamedTuple):
    """A 200 with a body that is no event stream."""

    body: bytes
    content_type: str = "text/event-stream"


class Drop(NamedTuple):
    """The connection is closed without an answer."""


Answer = Text | Cut | Status | StreamError | Raw | Drop
Answers = Answer | Callable[[Request], Answer]


def refusal(text: str = "", category: str = "cyber") -> Text:
    """A refusal, with or without words in it."""
    details = {"type": "refusal", "category": category, "explanation": "told to"}
    return Text(text, "refusal", stop_details=details)


class FakeMessagesApi:
    """The server. `requests` are those that arrived, in order."""

    def __init__(self, *answers: Answers) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []
        self.errors: list[BaseException | None] = []
        self._lock = threading.Lock()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: object) -> None:
                pass

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.path, headers, json.loads(raw or b"{}"))
                fake._answer(self, request)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *args: object) -> None:
                """A client that was killed is part of the test; anything else fails it."""
                error = sys.exc_info()[1]
                if not isinstance(error, OSError):
                    fake.errors.append(error)

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """What to give as the base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        assert not self.errors, self.errors

    def _answer(self, handler: BaseHTTPRequestHandler, request: Request) -> None:
        with self._lock:
            answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
            self.requests.append(request)
        if callable(answer):
            answer = answer(request)
        if isinstance(answer, Drop):
            _abort(handler)
        elif isinstance(answer, Status):
            body = {"type": "error", "error": {"type": answer.kind, "message": answer.message}}
            _send(handler, answer.code, json.dumps(body).encode(), "application/json", answer.headers)
        elif isinstance(answer, Raw):
            _send(handler, 200, answer.body, answer.content_type, {})
        elif not request.body.get("stream"):
            raise AssertionError("the project streams every answer")
        else:
            _stream(handler, _events(answer, str(request.body["model"])), answer)


def _events(answer: Text | Cut | StreamError, model: str) -> Iterator[tuple[str, dict[str, Any]]]:
    usage = {"input_tokens": 100, "output_tokens": 1}
    if isinstance(answer, Text):
        usage["input_tokens"] = answer.input_tokens
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield "message_start", {"message": message}
    yield "ping", {}
    if isinstance(answer, StreamError):
        yield "error", {"error": {"type": answer.kind, "message": "told to"}}
        return
    yield "content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}
    for at in range(0, len(answer.text), 40):
        piece = answer.text[at : at + 40]
        yield "content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": piece}}
    if isinstance(answer, Cut):
        if not answer.within:
            yield "content_block_stop", {"index": 0}
        return
    yield "content_block_stop", {"index": 0}
    delta: dict[str, Any] = {"stop_reason": answer.stop_reason, "stop_sequence": None}
    if answer.stop_details:
        delta["stop_details"] = answer.stop_details
    yield "message_delta", {"delta": delta, "usage": {"output_tokens": answer.output_tokens}}
    yield "message_stop", {}


def _stream(handler: BaseHTTPRequestHandler, events: Iterator[tuple[str, dict[str, Any]]], answer: Answer) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    for name, data in events:
        line = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        handler.wfile.flush()
    if isinstance(answer, Cut) and answer.within:
        _abort(handler)
        return
    handler.wfile.write(b"0\r\n\r\n")
    handler.wfile.flush()


def _send(
    handler: BaseHTTPRequestHandler, code: int, body: bytes, content_type: str, headers: Mapping[str, str]
) -> None:
    handler.send_response(code)
    handler.send_header("content-type", content_type)
    handler.send_header("content-length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def _abort(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection at once, in whatever state it is."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)
