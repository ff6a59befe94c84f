"""The OpenAI-compatible editor against a server of our own: every ending, every refusal, no key let out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_chat_api import Answer, FakeChatApi, Request, refused, says
from stet_kit import Home

from firewall.policy.style import Style
from pipeline.errors import BadModel, ModelError
from pipeline.micropass import FolderRecorder, polish
from pipeline.micropass.answer import SCHEMA, read_answer
from pipeline.models import openai_compatible
from pipeline.models.base import EditTask
from pipeline.models.openai_compatible import OpenAICompatibleModel

TASK = EditTask("We utilize it.", "utilize", ("use",), (), "Before.", "After.", "Replace 'utilize'.")
GOOD = says('{"sentence": "We use it."}')
STYLE = Style(banned=["utilize"], alternatives={"utilize": ["use"]})


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def model(api: FakeChatApi, clock: Clock | None = None, **more: Any) -> OpenAICompatibleModel:
    clock = clock or Clock()
    return OpenAICompatibleModel("openai:small", base_url=api.url, clock=clock, sleep=clock.sleep, **more)


def test_a_sentence_is_asked_for_under_a_schema_at_temperature_0() -> None:
    with FakeChatApi(GOOD) as api:
        reply = model(api).edit(TASK)
    assert (reply.text, reply.stop_reason, reply.model, reply.notes) == ("We use it.", "end_turn", "openai:small", ())
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost_usd) == (120, 9, 0.0)
    (asked,) = api.requests
    assert asked.path == "/v1/chat/completions"
    assert "authorization" not in asked.headers
    assert asked.body["model"] == "small"
    assert asked.body["temperature"] == 0
    assert asked.body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert asked.body["response_format"]["json_schema"]["strict"] is True
    assert "We utilize it." in asked.body["messages"][1]["content"]


def test_it_is_an_editor_like_any_other(tmp_path: Path) -> None:
    source = "# T\n\nWe utilize it. Other words.\n"
    with FakeChatApi(says('{"sentence": "Sure: we use it."}'), GOOD) as api:
        done = polish(source, STYLE, model(api), recorder=FolderRecorder(tmp_path))
        again = polish(source, STYLE, model(api), recorder=FolderRecorder(tmp_path))
    assert done.text == again.text == "# T\n\nWe use it. Other words.\n"
    assert (done.attempts, done.calls, again.calls) == (1, 2, 0)
    assert "Sure" in api.requests[1].body["messages"][1]["content"]


def test_an_empty_sentence_is_a_decline() -> None:
    with FakeChatApi(says('{"sentence": ""}')) as api:
        reply = model(api).edit(TASK)
    assert (reply.text, reply.whole) == ("", True)


@pytest.mark.parametrize(
    "text", ["We use it.", '{"text": "We use it."}', '```json\n{"sentence": "We use it."}\n```', "[]"]
)
def test_an_answer_outside_the_schema_is_handed_on_to_be_rejected(text: str) -> None:
    with FakeChatApi(says(text)) as api:
        reply = model(api).edit(TASK)
        assert reply.text == text
        done = polish("We utilize it.\n", STYLE, model(api))
    if text != "We use it.":  # bare prose is the sentence itself, and is verified as such
        assert done.text == "We utilize it.\n"
        assert done.attempts == 3


@pytest.mark.parametrize(
    ("answer", "stop"),
    [
        (says('{"sentence": "We use', "length"), "max_tokens"),
        (says('{"sentence": "We use it."}', None), None),
        (says('{"sentence": "We use it."}', "tool_calls"), "tool_calls"),
        (says('{"sentence": "We use it."}', "content_filter"), "refusal"),
        (says(None, "stop", refusal="I will not."), "refusal"),
    ],
)
def test_the_stop_reason_is_read_before_the_text(answer: Answer, stop: str | None) -> None:
    with FakeChatApi(answer) as api:
        reply = model(api).edit(TASK)
        assert polish("We utilize it.\n", STYLE, model(api)).text == "We utilize it.\n"
    assert reply.stop_reason == stop
    assert not reply.whole


@pytest.mark.parametrize(
    ("said", "gone", "note"),
    [
        ("Unsupported value: 'temperature' does not support 0", "temperature", "temperature 0 was not sent"),
        ("response_format of type json_schema is not supported", "response_format", "no schema"),
        ("Use 'max_completion_tokens' instead.", "max_tokens", ""),
    ],
)
def test_an_option_that_is_refused_is_taken_back_once_and_for_all(said: str, gone: str, note: str) -> None:
    with FakeChatApi(refused(400, said), GOOD) as api:
        editor = model(api)
        first, second = editor.edit(TASK), editor.edit(TASK)
    assert first.text == second.text == "We use it."
    assert [gone in r.body for r in api.requests] == [True, False, False]
    assert [note in n for n in first.notes] == ([True] if note else [])
    assert second.notes == first.notes


def test_a_request_that_stays_wrong_is_an_error_and_no_loop() -> None:
    always = refused(400, "temperature response_format max_completion_tokens all wrong")
    with FakeChatApi(always) as api, pytest.raises(ModelError) as caught:
        model(api).edit(TASK)
    assert caught.value.kind == "request"
    assert len(api.requests) == 4


@pytest.mark.parametrize(
    ("status", "kind", "tries"),
    [(401, "auth", 1), (403, "auth", 1), (404, "request", 1), (422, "request", 1), (429, "rate", 0), (500, "server", 0),
     (503, "overloaded", 0), (504, "timeout", 0)],
)  # fmt: skip
def test_statuses_are_the_breakers_kinds_and_only_some_are_tried_again(status: int, kind: str, tries: int) -> None:
    clock = Clock()
    with FakeChatApi(refused(status, "told to")) as api, pytest.raises(ModelError) as caught:
        model(api, clock, deadline=30.0).edit(TASK)
    assert caught.value.kind == kind
    assert "told to" in caught.value.message
    assert len(api.requests) == tries if tries else len(api.requests) > 3
    assert clock.now <= 30.0


def test_a_second_try_that_works_is_counted() -> None:
    clock = Clock()
    with FakeChatApi(refused(429, "slow", retry_after="2"), GOOD) as api:
        reply = model(api, clock).edit(TASK)
    assert (reply.text, reply.usage.requests, clock.waits) == ("We use it.", 2, [2.0])


def test_a_wait_past_the_deadline_is_not_waited() -> None:
    clock = Clock()
    with FakeChatApi(refused(429, "slow", retry_after="86400"), GOOD) as api, pytest.raises(ModelError):
        model(api, clock).edit(TASK)
    assert clock.waits == []


@pytest.mark.parametrize(
    "body",
    [b"", b"no json", b"[]", b"null", {}, {"choices": []}, {"choices": [{}]}, {"choices": [{"message": "x"}]},
     {"choices": [{"message": {"content": 5}, "finish_reason": "stop"}]}, b"[" * 100_000,
     {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": "many"}}],
)  # fmt: skip
def test_a_server_that_speaks_something_else_is_an_error(body: Any) -> None:
    with FakeChatApi(Answer(body=body)) as api, pytest.raises(ModelError) as caught:
        model(api, deadline=0.1).edit(TASK)
    assert caught.value.kind == "server"


def test_a_connection_that_is_cut_or_refused_is_an_error() -> None:
    with FakeChatApi(GOOD._replace(cut=True)) as api:
        with pytest.raises(ModelError) as caught:
            model(api, deadline=0.1).edit(TASK)
        url = api.url
    assert caught.value.kind == "connection"
    clock = Clock()
    with pytest.raises(ModelError) as caught:
        OpenAICompatibleModel("openai:x", base_url=url, clock=clock, sleep=clock.sleep, deadline=0.1).edit(TASK)
    assert caught.value.kind == "connection"


def test_a_body_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_compatible, "MOST_BYTES", 1000)
    with FakeChatApi(says("x" * 100_000)) as api, pytest.raises(ModelError) as caught:
        model(api, deadline=0.1).edit(TASK)
    assert "larger" in caught.value.message


def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_compatible, "READ_SECONDS", 0.1)
    with FakeChatApi(GOOD._replace(drip=0.3)) as api, pytest.raises(ModelError) as caught:
        model(api, deadline=0.1).edit(TASK)
    assert caught.value.kind == "timeout"


def test_a_redirect_is_not_followed_and_the_key_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with FakeChatApi(GOOD) as other:
        away = Answer(302, {}, {"Location": other.url})
        with FakeChatApi(away) as api, pytest.raises(ModelError) as caught:
            model(api).edit(TASK)
    assert caught.value.kind == "request"
    assert other.requests == []
    assert api.requests[0].headers["authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in json.dumps(caught.value.to_json())


def test_the_key_does_not_leave_the_machine_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    far = OpenAICompatibleModel("openai:x", base_url="http://models.example/v1")
    assert far._key == ""
    assert any("was not sent" in note for note in far._notes)
    assert OpenAICompatibleModel("openai:x", base_url="https://models.example/v1")._key == "sk-secret"


def test_a_proxy_for_the_world_is_none_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with FakeChatApi(GOOD) as api:
        assert model(api).edit(TASK).text == "We use it."


def test_prices_are_known_for_this_machine_alone() -> None:
    assert OpenAICompatibleModel("x", base_url="http://localhost:1/v1").worst_cost_usd(TASK) == 0.0
    assert OpenAICompatibleModel("x", base_url="https://models.example/v1").worst_cost_usd(TASK) is None


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://x/v1", "localhost:8000", "file:///etc/passwd", "http://", "http://[", "http://[::1", "http://a b/"),
        *("http://x:99999/", "http://x:y/", "http://x:0/", "http://x/\u00e9", "http://x\n/y", "http://\u043f.example/"),
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadModel):
        OpenAICompatibleModel("openai:x", base_url=url)


@pytest.mark.parametrize("key", ["\u043a\u043b\u044e\u0447", "a\nb"])
def test_a_key_that_no_header_can_carry_is_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(BadModel) as caught:
        OpenAICompatibleModel("openai:x", base_url="http://localhost:1/v1")
    assert key not in caught.value.message


def test_a_wait_that_is_no_number_is_none() -> None:
    from pipeline.models import anthropic, openai_compatible

    assert openai_compatible._seconds("nan") is None
    assert openai_compatible._seconds("2.5") == 2.5
    assert anthropic._seconds({"retry-after": "nan"}) is None
    assert anthropic._seconds({"retry-after-ms": "nan", "retry-after": "3"}) == 3.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"sentence": "a"}', "a"), ('"a"', "a"), (' {"sentence": ""} ', ""),
        ('{"sentence": "a", "sentence": "b"}', None),
        ('{"sentence": "a", "why": "b"}', None), ('{"sentence": 1}', None), ('{"sentence": null}', None), ("[]", None),
        ('["a"]', None), ("null", None), ("true", None),
        ('Sure: {"sentence": "a"}', None), ("", None), ("[" * 99_999, None),
        ('[["sentence", "a"]]', None), ('"\\u0041"', "A"),
    ],
)  # fmt: skip
def test_an_answer_is_one_json_string_and_nothing_around_it(text: str, sentence: str | None) -> None:
    assert read_answer(text) == sentence


def test_stet_fix_reaches_it_by_name(user: Home, tmp_path: Path) -> None:
    folder = user.folder / "book"
    folder.mkdir()
    assert user.stet("init", cwd=folder).status == 0
    policy = folder / "stet.toml"
    style = '[style]\nbanned = ["utilize"]\nalternatives = {utilize = ["use"]}\n'
    policy.write_text(policy.read_text().replace("[style]\n", style))
    (folder / "a.md").write_text("We utilize it.\n")

    def answer(request: Request) -> Answer:
        assert request.body["model"] == "small"
        return GOOD

    with FakeChatApi(answer) as api:
        words: list[str] = ["fix", "a.md", "--model", "openai:small", "--base-url", api.url, "--json"]
        dry = user.stet(*words, "--dry-run", cwd=folder)
        done = user.stet(*words, cwd=folder)
    assert (dry.status, done.status) == (0, 0), done.err
    assert (folder / "a.md").read_text() == "We use it.\n"
    assert (dry.json()["model_calls"], done.json()["model_calls"]) == (1, 0)
    assert len(api.requests) == 1
