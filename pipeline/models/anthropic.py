"""Anthropic's models through the official SDK, against any base URL. The only importer of `anthropic`.

Sharp edges of SDK 2.x that live here and nowhere else:

- A stream that is cut raises nothing and ends with `stop_reason` None. It is handed on as it is, and
  `Reply.whole` is False.
- A refusal can carry text. The stop reason is read first, and the text of a refusal is dropped.
- `temperature` is no argument any more. Models up to 4.6 take it in the body under the 2023-06-01 version
  of the API; newer ones answer 400. So sampling is a capability by model, it is taken back when the
  API refuses it, and the reply says when it was not sent.
- The SDK obeys any `retry-after`, days included. Its retries are off; ours end at a deadline.
- `messages.parse` raises on truncation and on refusals, so structured answers are asked for as a schema and
  read here, after the stop reason.
- Thinking is billed as output and counts against `max_tokens`, so the ceiling is far above the text wanted.
"""

from __future__ import annotations

import math
import re
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipeline.errors import ModelError
from pipeline.micropass.answer import SCHEMA, read_answer
from pipeline.models.base import DraftTask, EditTask, Reply, Usage
from pipeline.models.prices import cost_usd, most_tokens
from pipeline.prompts import Prompt, draft_prompt, edit_prompt

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message

OLD_API = "2023-06-01"
DRAFT_TOKENS = 16_000
EDIT_TOKENS = 8_000
DEADLINE = 90.0
"""Seconds from the first try of a call within which another try may begin."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0

_SAMPLING = re.compile(
    r"claude-(?:3(?:-\d)?-(?:opus|sonnet|haiku)|(?:opus|sonnet|haiku)-4(?:-[0-6])?)(?:-\d{8}|-latest)?$"
)
_RETRY = frozenset(("rate", "overloaded", "timeout", "connection", "server"))


def takes_temperature(model: str) -> bool:
    """Does `model` accept a temperature under the old API version? Unknown models are taken not to."""
    return _SAMPLING.search(model) is not None


class AnthropicModel:
    """A writer and editor behind the Messages API. Streams, so that a long draft meets no time-out."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        deadline: float = DEADLINE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = model
        self._base_url = base_url
        self._deadline = deadline
        self._clock = clock
        self._sleep = sleep
        self._client: anthropic.Anthropic | None = None
        self._temperature = takes_temperature(model)
        self._schema = True
        self._notes: list[str] = []
        if not self._temperature:
            self._notes.append(f"{model}: temperature 0 was not sent, because the model takes no sampling values.")

    def draft(self, task: DraftTask) -> Reply:
        """A section in Markdown, its heading left out. Raises ModelError."""
        return self._call(draft_prompt(task), DRAFT_TOKENS, None)

    def edit(self, task: EditTask) -> Reply:
        """The rewritten sentence; no text when the model declines or breaks the schema. Raises ModelError."""
        reply = self._call(edit_prompt(task), EDIT_TOKENS, SCHEMA)
        if not reply.whole:
            return reply._replace(text="")
        sentence = read_answer(reply.text)
        if sentence is None:
            return reply._replace(text="", notes=(*reply.notes, f"{self.name}: an edit broke its schema."))
        return reply._replace(text=sentence)

    def close(self) -> None:
        """Give connections back. The model can be used again after it."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def worst_cost_usd(self, task: DraftTask | EditTask) -> float | None:
        """The price of the longest prompt that these bytes can be and the longest answer allowed."""
        draft = isinstance(task, DraftTask)
        prompt = draft_prompt(task) if isinstance(task, DraftTask) else edit_prompt(task)
        return cost_usd(
            self.name,
            input_tokens=most_tokens(prompt.system, prompt.user),
            output_tokens=DRAFT_TOKENS if draft else EDIT_TOKENS,
        )

    def _call(self, prompt: Prompt, max_tokens: int, schema: dict[str, Any] | None) -> Reply:
        """One answer, tried again until the deadline where another try may help."""
        started = self._clock()
        tries = 0
        while True:
            tries += 1
            try:
                return self._once(prompt, max_tokens, schema, tries)
            except ModelError as error:
                if self._take_back(error):
                    continue
                if error.kind not in _RETRY:
                    raise
                asked = error.fields.get("retry_after")
                wait = min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT)
                if isinstance(asked, float):
                    wait = max(asked, 0.0)
                left = started + self._deadline - self._clock()
                if wait > left:
                    raise ModelError(
                        **{
                            **error.fields,
                            "detail": f"{error.fields['detail']}; {tries} tries, and the next would come in "
                            f"{wait:.0f} s, past the {self._deadline:.0f} s that a call may take",
                        }
                    ) from None
                self._sleep(wait)

    def _take_back(self, error: ModelError) -> bool:
        """After a 400 that names an option we sent: send it no more, say so, and try again."""
        said = str(error.fields["detail"]).lower()
        if error.kind != "request":
            return False
        if self._temperature and ("temperature" in said or "anthropic-version" in said):
            self._temperature = False
            self._notes.append(f"{self.name}: temperature 0 was not sent, because the API refused it.")
            return True
        if self._schema and ("output_config" in said or "output_format" in said or "json_schema" in said):
            self._schema = False
            self._notes.append(f"{self.name}: edits were asked for in words, because the API took no schema.")
            return True
        return False

    def _connect(self) -> anthropic.Anthropic:
        if self._client is None:
            import anthropic

            self._client = anthropic.Anthropic(
                base_url=self._base_url,
                max_retries=0,
                timeout=anthropic.Timeout(600.0, connect=10.0, read=120.0),
            )
        return self._client

    def _options(self, schema: dict[str, Any] | None) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if self._temperature:
            options["extra_body"] = {"temperature": 0}
            options["extra_headers"] = {"anthropic-version": OLD_API}
        if schema is not None and self._schema:
            options["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return options

    def _once(self, prompt: Prompt, max_tokens: int, schema: dict[str, Any] | None, tries: int) -> Reply:
        """One request. Raises ModelError for whatever the SDK raises before the answer begins."""
        import anthropic
        import httpx2

        begun: Message | None = None
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", DeprecationWarning)
            try:
                with self._connect().messages.stream(
                    model=self.name,
                    max_tokens=max_tokens,
                    system=prompt.system,
                    messages=[{"role": "user", "content": prompt.user}],
                    **self._options(schema),
                ) as stream:
                    for _event in stream:
                        begun = stream.current_message_snapshot
            except anthropic.APIError as error:
                raise self._error(error) from None
            except httpx2.HTTPError as error:
                if begun is None:
                    raise self._failed("connection", f"{type(error).__name__}: {error}") from None
                begun.stop_reason = None  # cut in the middle: what came stays an unfinished answer
            except anthropic.AnthropicError as error:
                raise self._failed("auth", str(error), fix="Set ANTHROPIC_API_KEY.") from None
            except (TypeError, ValueError, RuntimeError, AssertionError) as error:
                if "authentication" in str(error):
                    raise self._failed("auth", "no credentials", fix="Set ANTHROPIC_API_KEY.") from None
                raise self._failed("server", f"no message of the Messages API ({error})") from None
        if begun is None:
            raise self._failed("connection", "the stream ended before it began")
        lines = (str(w.message).splitlines()[0] for w in told if issubclass(w.category, DeprecationWarning))
        for line in lines:
            if self.name in line and line not in self._notes:
                self._notes.append(line)
        return self._reply(begun, tries)

    def _reply(self, message: Message, tries: int) -> Reply:
        """The stop reason first; then, unless the model refused, the text."""
        usage = message.usage
        written = usage.cache_creation_input_tokens or 0
        cached = usage.cache_read_input_tokens or 0
        read = usage.input_tokens + written + cached
        billed = Usage(
            input_tokens=read,
            output_tokens=usage.output_tokens,
            cost_usd=cost_usd(
                self.name,
                input_tokens=read,
                output_tokens=usage.output_tokens,
                cache_read=cached,
                cache_write=written,
            ),
            requests=tries,
        )
        notes = tuple(self._notes)
        if message.stop_reason == "refusal":
            details = getattr(message, "stop_details", None)
            category = getattr(details, "category", None) or "no category given"
            return Reply("", "refusal", self.name, billed, (*notes, f"{self.name} refused ({category})."))
        text = "".join(block.text for block in message.content if block.type == "text")
        return Reply(text, message.stop_reason, self.name, billed, notes)

    def _error(self, error: anthropic.APIError) -> ModelError:
        """What the SDK raised, as the breaker's kinds."""
        import anthropic

        if isinstance(error, anthropic.APITimeoutError):
            return self._failed("timeout", "no answer in time")
        if isinstance(error, anthropic.APIConnectionError):
            return self._failed("connection", f"no connection ({error.__cause__ or error})")
        if not isinstance(error, anthropic.APIStatusError):
            return self._failed("server", str(error))
        status, word = error.status_code, str(error.type or "")
        detail = f"{status} {word} {error.api_message or ''}".strip()[:300]
        after = _seconds(error.response.headers)
        if status == 429 or word == "rate_limit_error":
            return self._failed("rate", detail, after=after)
        if status == 529 or word == "overloaded_error":
            return self._failed("overloaded", detail, after=after)
        if status in (401, 402, 403):
            return self._failed("auth", detail, fix="Check the API key and what it may use.")
        if status in (408, 504) or word == "timeout_error":
            return self._failed("timeout", detail, after=after)
        if status == 404:
            return self._failed("request", detail, fix="Check the model's name and the base URL.")
        if status in (409,) or status >= 500 or word == "api_error":
            return self._failed("server", detail, after=after)
        return self._failed("request", detail, fix="Choose another model, or report the message above.")

    def _failed(
        self, kind: str, detail: str, *, after: float | None = None, fix: str = "Run again later."
    ) -> ModelError:
        return ModelError(model=self.name, kind=kind, detail=detail, fix=fix, retry_after=after)


def _seconds(headers: Any) -> float | None:
    """What the server asks for in `retry-after-ms` or `retry-after` (in seconds), or None."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        if not math.isnan(seconds):
            return seconds
    return None
