"""A Messages API on loopback that answers from a script, so that real agents run without a model or a network.

    with FakeMessages([[tool("Write", file_path=…, content=…)], [say("done")]]) as api:
        … run the agent against api.url …
    api.told(0)   # what the model was told after its first answer

Each turn is a list of blocks; the last one is repeated. A script may be a dict from a word to turns: the first word
that stands in a conversation's first message picks them, so that a subagent has turns of its own ('' is for the rest).
Requests with fewer than two tools (titles, probes) get a short text and take no turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from loopback import STREAM, Loopback, Said

Block = dict[str, Any]
Turn = Sequence[Block] | Callable[[], Sequence[Block]]
"""What the model says at once, or a function that gives it: called when it is asked, so that a test can look around."""
Turns = Sequence[Turn]


def say(text: str) -> Block:
    """The model says something."""
    return {"type": "text", "text": text}


def tool(name: str, **arguments: Any) -> Block:
    """The model calls a tool."""
    return {"type": "tool_use", "name": name, "input": arguments}


class FakeMessages(Loopback):
    """The server, and a record of what it was asked."""

    def __init__(self, script: Turns | Mapping[str, Turns]) -> None:
        super().__init__(self._answer)
        self._script: dict[str, Turns] = dict(script) if isinstance(script, Mapping) else {"": script}
        self._served: dict[str, int] = {}
        self.requests: list[dict[str, Any]] = []
        """Bodies of the requests that took a turn, in order."""

    def _answer(self, path: str, body: dict[str, Any]) -> Said:
        if "count_tokens" in path or not path.startswith("/v1/messages"):
            return Said('{"input_tokens": 10}')
        number, turn = self._turn(body)
        events = list(_events(number, turn, str(body.get("model"))))
        if not body.get("stream"):
            return Said(json.dumps(_whole(events)))
        return Said("".join(f"event: {n}\ndata: {json.dumps({'type': n, **d})}\n\n" for n, d in events), STREAM)

    def _turn(self, body: dict[str, Any]) -> tuple[int, Sequence[Block]]:
        """The answer to one request, and a number for its ids."""
        if len(body.get("tools") or []) < 2:
            return 0, [say("ok")]
        first = json.dumps((body.get("messages") or [{}])[0])
        key = next((word for word in self._script if word and word in first), "")
        at = self._served.get(key, 0)
        self._served[key] = at + 1
        self.requests.append(body)
        turns = self._script.get(key) or [[say("ok")]]
        turn = turns[min(at, len(turns) - 1)]
        return len(self.requests), turn() if callable(turn) else turn

    def told(self, turn: int) -> str:
        """All that the model was told after its answer number `turn`, counted from 0, as one text."""
        return told(self.requests[turn + 1])


def told(body: Mapping[str, Any]) -> str:
    """What stands after the model's last words in a request: tool results, and what hooks added."""
    tail: list[str] = []
    for message in reversed(body.get("messages") or []):
        if message.get("role") == "assistant":
            break
        tail.insert(0, _text(message.get("content")))
    return "\n".join(tail)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = []
    for block in content or []:
        parts.append(str(block.get("text", "")) if block.get("type") == "text" else _text(block.get("content")))
    return "\n".join(parts)


def _events(number: int, turn: Sequence[Block], model: str) -> Iterator[tuple[str, dict[str, Any]]]:
    calls = any(block["type"] == "tool_use" for block in turn)
    start = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1},
    }  # fmt: skip
    yield "message_start", {"message": start}
    for index, block in enumerate(turn):
        if block["type"] == "text":
            opened: Block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            opened = {"type": "tool_use", "id": f"toolu_{number}_{index}", "name": block["name"], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": index, "content_block": opened}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    reason = "tool_use" if calls else "end_turn"
    yield "message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 20}}
    yield "message_stop", {}


def _whole(events: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The message that a stream of events would build."""
    message: dict[str, Any] = dict(events[0][1]["message"])
    content: list[Block] = []
    for name, data in events:
        if name == "content_block_start":
            content.append(dict(data["content_block"]))
        elif name == "content_block_delta":
            delta = data["delta"]
            if delta["type"] == "text_delta":
                content[-1]["text"] += delta["text"]
            else:
                content[-1]["input"] = json.loads(delta["partial_json"])
        elif name == "message_delta":
            message["stop_reason"] = data["delta"]["stop_reason"]
    return {**message, "content": content}
