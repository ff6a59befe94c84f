"""Three more APIs on loopback that answer from a script: OpenAI's Responses and chat completions, and Gemini's.

A script is a list of turns, a turn a list of blocks from fake_messages (`say`, `tool`); the last turn is repeated.
Requests that offer no tools get a short text and take no turn.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

from fake_messages import Block, say

Turn = Sequence[Block]
Json = dict[str, Any]


class Api(NamedTuple):
    """How one API speaks: the end of its path, whether a request offers tools, an answer's content type and text,
    and the text of what a request tells anew."""

    path: str
    tools: Callable[[Json], bool]
    kind: str
    answer: Callable[[Turn, int, Json, str], str]
    news: Callable[[Json], Any]


def _responses(turn: Turn, number: int, body: Json, path: str) -> str:
    items: list[Json] = []
    for at, block in enumerate(turn):
        ident = f"{number}_{at}"
        if block["type"] == "text":
            text = [{"type": "output_text", "text": block["text"]}]
            items.append({"type": "message", "id": f"msg_{ident}", "role": "assistant", "content": text})
        elif block["name"] == "apply_patch":
            items.append(
                {"type": "custom_tool_call", "id": f"ctc_{ident}", "call_id": f"call_{ident}", "name": "apply_patch",
                 "input": block["input"]["input"]}
            )  # fmt: skip
        else:
            items.append(
                {"type": "function_call", "id": f"fc_{ident}", "call_id": f"call_{ident}", "name": block["name"],
                 "arguments": json.dumps(block["input"])}
            )  # fmt: skip
    usage = {
        "input_tokens": 9,
        "input_tokens_details": None,
        "output_tokens": 5,
        "output_tokens_details": None,
        "total_tokens": 14,
    }
    events = [{"type": "response.created", "response": {"id": f"r{number}"}}]
    events += [{"type": "response.output_item.done", "item": item} for item in items]
    events += [{"type": "response.completed", "response": {"id": f"r{number}", "usage": usage}}]
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)


def _chat(turn: Turn, number: int, body: Json, path: str) -> str:
    text = "".join(block.get("text", "") for block in turn)
    calls = [
        {"index": at, "id": f"call_{number}_{at}", "type": "function",
         "function": {"name": block["name"], "arguments": json.dumps(block["input"])}}
        for at, block in enumerate(b for b in turn if b["type"] == "tool_use")
    ]  # fmt: skip
    base = {"id": f"c{number}", "created": 1, "model": body.get("model"), "object": "chat.completion.chunk"}
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    said = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    end = "tool_calls" if calls else "stop"
    if not body.get("stream"):
        choice = {"index": 0, "finish_reason": end, "message": said}
        return json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage})
    chunks = [
        {**base, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]},
        {**base, "choices": [], "usage": usage},
    ]
    return "".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n"


def _gemini(turn: Turn, number: int, body: Json, path: str) -> str:
    parts: list[Json] = []
    for at, block in enumerate(turn):
        if block["type"] == "text":
            parts.append({"text": block["text"]})
        else:
            call = {"name": block["name"], "args": block["input"], "id": f"call_{number}_{at}"}
            parts.append({"functionCall": call, "thoughtSignature": "c2ln"})
    answer = {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14},
        "modelVersion": "fake",
        "responseId": f"r{number}",
    }
    text = json.dumps(answer)
    return f"data: {text}\r\n\r\n" if ":stream" in path else text


def _since_the_model(messages: Sequence[Json], role: str) -> list[Json]:
    tail: list[Json] = []
    for message in reversed(messages):
        if message.get("role") == role or message.get("type") in ("function_call", "custom_tool_call"):
            break
        tail.insert(0, message)
    return tail


STREAM = "text/event-stream"
RESPONSES = Api(
    "/responses", lambda b: bool(b.get("tools")), STREAM, _responses,
    lambda b: _since_the_model(b.get("input") or [], "assistant"),
)  # fmt: skip
CHAT = Api(
    "/chat/completions", lambda b: bool(b.get("tools")), STREAM, _chat,
    lambda b: _since_the_model(b.get("messages") or [], "assistant"),
)  # fmt: skip
GEMINI = Api(
    "ontent", lambda b: any(t.get("functionDeclarations") for t in b.get("tools") or []), STREAM, _gemini,
    lambda b: _since_the_model(b.get("contents") or [], "model"),
)  # fmt: skip


class FakeModel:
    """The server, and a record of what it was asked."""

    def __init__(self, api: Api, script: Sequence[Turn]) -> None:
        self.requests: list[Json] = []
        """Bodies of the requests that took a turn, in order."""
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Say nothing: the test's output is the test's."""

            def do_HEAD(self) -> None:
                self._send(200, b"", "application/json")

            def do_GET(self) -> None:
                self._send(200, b'{"object":"list","data":[{"id":"fake-model","object":"model"}]}', "application/json")

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                path = self.path.split("?")[0]
                if ":countTokens" in path:
                    self._send(200, b'{"totalTokens": 10}', "application/json")
                    return
                if not path.endswith(api.path):
                    self._send(404, b"{}", "application/json")
                    return
                with lock:
                    turn: Turn = [say("{}")]
                    number = 0
                    if api.tools(body):
                        turn = script[min(len(outer.requests), len(script) - 1)]
                        outer.requests.append(body)
                        number = len(outer.requests)
                text = api.answer(turn, number, body, path)
                plain = text.startswith("{")
                self._send(200, text.encode(), "application/json" if plain else api.kind)

            def _send(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._api = api
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

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

    def told(self) -> list[str]:
        """What the model was told after each of its answers, as JSON text."""
        return [json.dumps(self._api.news(body), ensure_ascii=False) for body in self.requests[1:]]
