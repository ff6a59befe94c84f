"""Models behind a chat-completions API as OpenAI's servers and many local ones speak it. No key is needed
for a server of one's own, and no library: one POST with the standard library.

Sharp edges that live here and nowhere else:

- A redirect would carry the key to another host, and turn the POST into a GET: none is followed.
- The key never leaves the machine unencrypted: over plain http it goes to this machine alone.
- Servers differ in what they accept. Temperature 0 and the schema are sent first, taken back when a 400 names
  them, and the reply says so. Newer models want `max_completion_tokens` in place of `max_tokens`.
- `finish_reason` is read before the text; "length" is a cut answer, a filter or a `refusal` is a refusal.
- `retry-after` is obeyed up to the deadline of the call, and not a second longer.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import IO, Any
from urllib.parse import SplitResult, urlsplit

from pipeline.errors import BadModel, ModelError
from pipeline.micropass.answer import SCHEMA, read_answer
from pipeline.models.base import DraftTask, EditTask, Reply, Usage
from pipeline.prompts import Prompt, draft_prompt, edit_prompt

PREFIX = "openai:"
"""What a model's name begins with on the command line and in book.toml."""
DEFAULT_URL = "https://api.openai.com/v1"
EDIT_TOKENS, DRAFT_TOKENS = 2_000, 16_000
DEADLINE = 90.0
"""Seconds from the first try of a call within which another may begin."""
READ_SECONDS = 60.0
MOST_BYTES = 4_000_000
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0

_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_RETRY = frozenset(("rate", "overloaded", "timeout", "connection", "server"))
_LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))


class OpenAICompatibleModel:
    """A writer and editor behind `POST {base_url}/chat/completions`.

    `name` is `openai:` and the server's name for the model. The key is OPENAI_API_KEY, the base URL
    OPENAI_BASE_URL where none is given. Raises BadModel for a URL that cannot be used.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        deadline: float = DEADLINE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name if name.startswith(PREFIX) else PREFIX + name
        self._url = (base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
        self._deadline, self._clock, self._sleep = deadline, clock, sleep
        self._temperature = self._schema = True
        self._cap = "max_tokens"
        self._notes: list[str] = []
        parts = _parts(self._url)
        if parts is None:
            raise BadModel(
                name=self.name,
                detail=f"{self._url!r} is no http address",
                fix="Give --base-url with http:// or https://, as in http://localhost:8000/v1.",
            )
        self._local = parts.hostname in _LOCAL
        self._key = os.environ.get("OPENAI_API_KEY") or ""
        if not (self._key.isascii() and self._key.isprintable()):
            raise BadModel(
                name=self.name, detail="OPENAI_API_KEY is no key: it has letters that none has", fix="Set it anew."
            )
        if self._key and parts.scheme == "http" and not self._local:
            self._key = ""
            self._notes.append(f"{self.name}: the key was not sent, because {parts.hostname} is reached over http.")

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:  # noqa: ARG002 (no prices here)
        """0.0 for a server on this machine; None elsewhere: no price is known for what a server may call a model."""
        return 0.0 if self._local else None

    def draft(self, task: DraftTask) -> Reply:
        """A section in Markdown, its heading left out. Raises ModelError."""
        return self._call(draft_prompt(task), DRAFT_TOKENS, None)

    def edit(self, task: EditTask) -> Reply:
        """The rewritten sentence; no text when the model declines. Raises ModelError.

        An answer that breaks the schema is handed on as it came, to be rejected by the same checks as any.
        """
        reply = self._call(edit_prompt(task), EDIT_TOKENS, SCHEMA)
        sentence = read_answer(reply.text) if reply.whole else None
        return reply if sentence is None else reply._replace(text=sentence)

    def _call(self, prompt: Prompt, most: int, schema: dict[str, Any] | None) -> Reply:
        started, tries = self._clock(), 0
        while True:
            tries += 1
            try:
                return self._reply(self._post(self._body(prompt, most, schema)), tries)
            except ModelError as error:
                if self._take_back(error):
                    continue
                if error.kind not in _RETRY:
                    raise
                asked = error.fields.get("retry_after")
                wait = min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT)
                if isinstance(asked, float):
                    wait = max(asked, 0.0)
                if wait > started + self._deadline - self._clock():
                    raise
                self._sleep(wait)

    def _body(self, prompt: Prompt, most: int, schema: dict[str, Any] | None) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.name.removeprefix(PREFIX),
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            self._cap: most,
            "stream": False,
        }
        if self._temperature:
            body["temperature"] = 0
        if schema is not None and self._schema:
            shape = {"name": "edit", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        return body

    def _take_back(self, error: ModelError) -> bool:
        """After a refusal that names an option we sent: send it no more, say so, and try again."""
        said = str(error.fields["detail"]).lower()
        if error.kind != "request":
            return False
        if self._cap == "max_tokens" and "max_completion_tokens" in said:
            self._cap = "max_completion_tokens"
            return True
        if self._temperature and "temperature" in said:
            self._temperature = False
            self._notes.append(f"{self.name}: temperature 0 was not sent, because the server refused it.")
            return True
        if self._schema and ("response_format" in said or "json_schema" in said or "schema" in said):
            self._schema = False
            self._notes.append(f"{self.name}: edits were asked for in words, because the server took no schema.")
            return True
        return False

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        """The JSON object that the server answers with. Raises ModelError."""
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "stet"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(  # noqa: S310 - the scheme was checked
            f"{self._url}/chat/completions", data=json.dumps(body).encode(), headers=headers, method="POST"
        )
        direct = [urllib.request.ProxyHandler({})] if self._local else []  # a proxy cannot reach this machine
        opener = urllib.request.build_opener(_NoRedirect, *direct)
        try:
            with opener.open(request, timeout=READ_SECONDS) as response:
                answer = json.loads(self._read(response))
        except urllib.error.HTTPError as error:
            raise self._status(error) from None
        except TimeoutError:
            raise self._failed("timeout", "no answer in time") from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            kind = "timeout" if isinstance(reason, TimeoutError) else "connection"
            raise self._failed(kind, f"no answer from {self._url} ({reason})") from None
        except (ValueError, RecursionError):
            raise self._failed("server", "the answer is no JSON") from None
        if not isinstance(answer, dict):
            raise self._failed("server", "the answer is no JSON object")
        return answer

    def _read(self, response: IO[bytes]) -> bytes:
        """The whole body, within its bounds of size and time: a server that drips is cut off."""
        until = self._clock() + READ_SECONDS
        parts: list[bytes] = []
        size = 0
        while chunk := response.read(65_536):
            parts.append(chunk)
            size += len(chunk)
            if size > MOST_BYTES:
                raise self._failed("server", f"the answer is larger than {MOST_BYTES} bytes")
            if self._clock() > until:
                raise self._failed("timeout", f"the answer took more than {READ_SECONDS:.0f} s")
        if getattr(response, "length", None):  # a read by pieces does not say that the rest never came
            raise self._failed("connection", "the connection ended within the answer")
        return b"".join(parts)

    def _status(self, error: urllib.error.HTTPError) -> ModelError:
        """What an HTTP status other than success means, by the breaker's kinds."""
        status = error.code
        try:
            said = error.read(10_000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            said = ""
        detail = f"{status} {_message(said)}".strip()[:300]
        after = _seconds(error.headers.get("retry-after"))
        if status == 429:
            return self._failed("rate", detail, after=after)
        if status in (503, 529):
            return self._failed("overloaded", detail, after=after)
        if status in (401, 402, 403):
            return self._failed("auth", detail, fix="Set OPENAI_API_KEY to a key for this server.")
        if status in (408, 504):
            return self._failed("timeout", detail, after=after)
        if status >= 500:
            return self._failed("server", detail, after=after)
        return self._failed("request", detail, fix="Check the model's name and --base-url.")

    def _reply(self, answer: dict[str, Any], tries: int) -> Reply:
        """The stop reason first; then, unless the model refused, the text."""
        try:
            choice = answer["choices"][0]
            message, finish = choice["message"], choice.get("finish_reason")
            text, refusal = message.get("content") or "", message.get("refusal")
            counted = answer.get("usage") or {}
            read, wrote = counted.get("prompt_tokens") or 0, counted.get("completion_tokens") or 0
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._failed("server", "no answer of a chat-completions API") from None
        if not isinstance(text, str) or not isinstance(read, int) or not isinstance(wrote, int):
            raise self._failed("server", "no answer of a chat-completions API")
        usage = Usage(read, wrote, 0.0 if self._local else None, tries)
        stop = _STOPS.get(finish, finish) if isinstance(finish, str) else None
        if refusal or stop == "refusal":
            return Reply("", "refusal", self.name, usage, (*self._notes, f"{self.name} refused."))
        return Reply(text, stop, self.name, usage, tuple(self._notes))

    def _failed(
        self, kind: str, detail: str, *, after: float | None = None, fix: str = "Run again later."
    ) -> ModelError:
        return ModelError(model=self.name, kind=kind, detail=detail, fix=fix, retry_after=after)


def _parts(url: str) -> SplitResult | None:
    """The parts of an address that a request can be sent to, or None."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a bracket or a port that is none
        return None
    return parts if whole and url.isascii() and url.isprintable() and " " not in url else None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Every redirect is an HTTPError."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        """No new request."""


def _message(body: str) -> str:
    """What an error's body says, in the forms that servers use."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return " ".join(body.split())
    for key in ("error", "message", "detail"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    return value if isinstance(value, str) else json.dumps(value)


def _seconds(value: str | None) -> float | None:
    """`retry-after` in seconds, or None where it is a date or nothing."""
    try:
        seconds = float(value) if value is not None else None
    except ValueError:
        return None
    return None if seconds is not None and math.isnan(seconds) else seconds
