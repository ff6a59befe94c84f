"""Three more APIs on loopback that answer from a script: OpenAI's Responses and chat completions, and Gemini's.

A script is a list of turns, a turn a list of blocks from fake_messages (`say`, `tool`); the last turn is repeated.
Requests that offer no tools get a short text and take no turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from fake_messages import Block, Turn, say
from loopback import JSON, STREAM, Loopback, Said

Json = dict[str, Any]


class Api(NamedTuple):
    """How one API speaks: the end of its path, whether a request offers tools, an answer's text (a stream or one JSON
    object), and what a request tells anew."""

    path: str
    tools: Callable[[Json], bool]
    answer: Callable[[Sequence[Block], int, Json, str], str]
    news: Callable[[Json], Any]


def _responses(turn: Sequence[Block], number: int, body: Json, path: str) -> str:
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


def _chat(turn: Sequence[Block], number: int, body: Json, path: str) -> str:
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


def _gemini(turn: Sequence[Block], number: int, body: Json, path: str) -> str:
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


RESPONSES = Api(
    "/responses", lambda b: bool(b.get("tools")), _responses,
    lambda b: _since_the_model(b.get("input") or [], "assistant"),
)  # fmt: skip
CHAT = Api(
    "/chat/completions", lambda b: bool(b.get("tools")), _chat,
    lambda b: _since_the_model(b.get("messages") or [], "assistant"),
)  # fmt: skip
GEMINI = Api(
    "ontent", lambda b: any(t.get("functionDeclarations") for t in b.get("tools") or []), _gemini,
    lambda b: _since_the_model(b.get("contents") or [], "model"),
)  # fmt: skip


class FakeModel(Loopback):
    """The server, and a record of what it was asked."""

    def __init__(self, api: Api, script: Sequence[Turn]) -> None:
        super().__init__(self._answer)
        self._api, self._script = api, script
        self.requests: list[Json] = []
        """Bodies of the requests that took a turn, in order."""

    def _answer(self, path: str, body: Json) -> Said:
        if ":countTokens" in path:
            return Said('{"totalTokens": 10}')
        if not path.endswith(self._api.path):
            return Said("{}", status=404)
        turn: Sequence[Block] = [say("{}")]
        number = 0
        if self._api.tools(body):
            given = self._script[min(len(self.requests), len(self._script) - 1)]
            turn = given() if callable(given) else given
            self.requests.append(body)
            number = len(self.requests)
        text = self._api.answer(turn, number, body, path)
        return Said(text, JSON if text.startswith("{") else STREAM)

    def told(self) -> list[str]:
        """What the model was told after each of its answers, as JSON text."""
        return [json.dumps(self._api.news(body), ensure_ascii=False) for body in self.requests[1:]]
