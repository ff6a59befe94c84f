"""Who is told, of what, and that a notification that fails changes nothing else."""

from __future__ import annotations

import errno
import http.server
import json
import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stet_kit import STUB, Book, Home, chapter, quick_terminal, reword

from firewall.verdict import Finding, Outcome
from firewall.writes import answers, cases, operator, person
from firewall.writes.alerts import Alert
from firewall.writes.notify import without_text
from firewall.writes.proposal import Proposal
from firewall.writes.proxy import WriteProxy

HOUR = 3600.0
SECRET = "s3cret-token"
STUBS = [STUB.replace(b"continued", word) for word in (b"continued", b"told", b"written")]


@pytest.fixture
def sees(tmp_path: Path) -> Path:
    """A program that appends what it is given to `told.jsonl` beside it."""
    program = tmp_path / "tell"
    program.write_text(f'#!/bin/sh\ncat >> "{tmp_path}/told.jsonl"\n')
    program.chmod(0o755)
    return program


def told(program: Path) -> list[dict[str, Any]]:
    file = program.with_name("told.jsonl")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def set_alerts(root: Path, **keys: object) -> None:
    """Set keys of [alerts] in a fresh stet.toml."""
    path = root / "stet.toml"
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
    path.write_text(path.read_text("utf-8").replace("[alerts]\n", f"[alerts]\n{lines}", 1), "utf-8")


def accept_policy(book: Book, monkeypatch: pytest.MonkeyPatch, **keys: object) -> None:
    """Set keys of [alerts]; a person accepts them."""
    with book.open():
        pass
    set_alerts(book.root, **keys)
    with monkeypatch.context() as patch, book.open() as proxy:
        patch.setattr(person, "require", lambda ledger, command, what: "terminal")
        operator.accept_policy(proxy)


def proxy_of(book: Book) -> WriteProxy:
    """A proxy with the real way to tell."""
    return WriteProxy(book.found(), session="s1", clock=lambda: book.now)


def trip(book: Book, name: str = "ch.md") -> Alert:
    if not (book.root / name).exists():
        book.put(name, chapter(1200))
    for text in STUBS:
        with proxy_of(book) as proxy:
            result = proxy.write(book.root / name, text)
    assert result.tripped
    assert result.alert is not None
    return result.alert


def failures(book: Book) -> list[dict[str, Any]]:
    with book.open() as proxy:
        return [json.loads(e.data) for e in proxy.ledger.journal() if e.kind == "untold"]


def test_a_program_is_given_the_alert_as_json(
    book: Book, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], sees: Path
) -> None:
    accept_policy(book, monkeypatch, command=[str(sees), "--argument", "with $HOME and 'quotes'"])
    alert = trip(book)
    (value,) = told(sees)
    assert (value["id"], value["kind"], value["state"], value["path"]) == (alert.id, "trip", "open", "ch.md")
    assert value["commands"]["approve"] == f"stet approve {alert.id}"
    assert {"word-floor", "survival"} <= {f["rule"] for f in value["findings"]}
    assert "STET ALERT" in capfd.readouterr().err
    lines = (book.state_folder / "alerts.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [alert.id]
    assert failures(book) == []
    with proxy_of(book) as proxy:
        assert proxy.write(book.root / "ch.md", reword(chapter(1200))).tripped
    assert len(told(sees)) == 1, "once"


def test_no_text_of_the_file_leaves_unless_the_policy_says_so(
    book: Book, monkeypatch: pytest.MonkeyPatch, sees: Path
) -> None:
    body = b"# Plans for the bridge\n\nThe engineer's name stays in this house.\n\n" + chapter(1200)
    book.put("ch.md", body)
    stubs = [b"# Other\n\nThe vault opens at nine\n" + text + b"and then the" for text in STUBS]
    accept_policy(book, monkeypatch, command=[str(sees)])
    for text in stubs:
        with proxy_of(book) as proxy:
            result = proxy.write(book.root / "ch.md", text)
    assert result.alert
    assert any("Plans for the bridge" in f.message or "and then the" in f.message for f in result.alert.findings)
    sent = json.dumps(told(sees), ensure_ascii=False)
    for words in ("Plans for the bridge", "engineer", "vault", "and then the", "Field notes"):
        assert words not in sent, words
    assert "1020" in sent or "-> " in sent, "the measures are there"

    with monkeypatch.context() as patch, book.open() as proxy:
        patch.setattr(person, "require", lambda ledger, command, what: "terminal")
        operator.reset(proxy, book.root / "ch.md")
    text = (book.root / "stet.toml").read_text("utf-8").replace("[alerts]\n", "[alerts]\ninclude_text = true\n", 1)
    (book.root / "stet.toml").write_text(text, "utf-8")
    with monkeypatch.context() as patch, book.open() as proxy:
        patch.setattr(person, "require", lambda ledger, command, what: "terminal")
        operator.accept_policy(proxy)
    for stub in stubs:
        with proxy_of(book) as proxy:
            proxy.write(book.root / "ch.md", stub + b" end.")
    assert "-# Plans for the bridge" in told(sees)[-1]["diff"]


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("ch.md: 1200 -> 3 words; the floor is 1020.", "ch.md: 1200 -> 3 words; the floor is 1020."),
        ("ch.md: 2 headings fewer: 'One', \"It's two\".", "ch.md: 2 headings fewer: '…', '…'."),
        ("the model's answer stopped (reason 'max_tokens')", "the model's answer stopped (reason '…')"),
        (f"ends in the middle ({'she said it' + chr(39) + 's all'!r}) and", "ends in the middle ('…') and"),
        (f"stands ({'a ' + chr(39) + ' b ' + chr(34) + ' c'!r}) here", "stands ('…') here"),
        (f"stands ({chr(92) + chr(39) + chr(34) + ' secret'!r}) here", "stands ('…') here"),
    ],
)
def test_what_a_message_quotes_is_left_out(message: str, left: str) -> None:
    value = Finding("r", Outcome.HOLD, message, {"before": 1200, "share": 0.5, "names": ["x"], "ends": "x"}).to_json()
    out = without_text(value)
    assert out["message"] == left
    assert out["evidence"] == {"before": 1200, "share": 0.5}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["/no/such/program"], "could not be run"),
        (["false"], "status 1"),
        ([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], "status -9"),
        (["sh", "-c", "sleep 60 & sleep 60"], "took longer than 0.3 s"),
    ],
)
def test_a_program_that_fails_is_noted_and_un_refuses_nothing(
    book: Book, monkeypatch: pytest.MonkeyPatch, command: list[str], why: str
) -> None:
    accept_policy(book, monkeypatch, command=command, command_seconds=0.3)
    began = time.monotonic()
    alert = trip(book)
    assert time.monotonic() - began < 20
    (failure,) = failures(book)
    assert failure["alert"] == alert.id
    assert why in failure["why"]
    assert (book.root / "ch.md").read_bytes() == chapter(1200)
    with proxy_of(book) as proxy:
        assert proxy.write(book.root / "ch.md", reword(chapter(1200))).tripped


def test_a_slow_program_holds_up_no_other_writer(book: Book, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fifo = tmp_path / "go"
    program = tmp_path / "slow"
    program.write_text(f"#!/bin/sh\ncat '{fifo}' > /dev/null\n")
    program.chmod(0o755)
    os.mkfifo(fifo)
    accept_policy(book, monkeypatch, command=[str(program)], command_seconds=20)
    book.put("ch.md", chapter(1200))
    worker = threading.Thread(target=trip, args=(book,), daemon=True)
    worker.start()
    writer = opened_for_writing(fifo, 15)  # opens once the program reads: it is being told now
    try:
        with book.open() as proxy:
            assert proxy.write(book.root / "ch.md", reword(chapter(1200))).tripped, "judged, not locked out"
        assert worker.is_alive(), "the program is still at it"
    finally:
        os.close(writer)
    worker.join(30)
    assert not worker.is_alive()
    assert failures(book) == []


def opened_for_writing(fifo: Path, seconds: float) -> int:
    """A descriptor of a FIFO that somebody reads by then; never waits longer."""
    end = time.monotonic() + seconds
    while True:
        try:
            return os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:  # ENXIO: nobody reads it yet
            assert error.errno == errno.ENXIO and time.monotonic() < end, error
            time.sleep(0.01)


def test_an_agent_s_stet_toml_starts_no_program(book: Book, monkeypatch: pytest.MonkeyPatch, sees: Path) -> None:
    accept_policy(book, monkeypatch)
    set_alerts(book.root, command=[str(sees)], urls=["json://127.0.0.1:9/"])
    trip(book)
    assert told(sees) == []
    assert failures(book) == []


def test_a_clone_s_stet_toml_starts_no_program_until_a_person_accepts_it(
    user: Home, tmp_path: Path, sees: Path
) -> None:
    root = tmp_path / "w"
    assert user.quick("init", str(root), cwd=tmp_path).status == 0
    set_alerts(root, command=[str(sees)])
    here = Home(tmp_path / "somebody else's")  # the same folder, seen for the first time by another user

    def trips(name: str) -> None:
        (root / name).write_bytes(chapter(1200))
        for text in STUBS:
            last = here.quick("write", name, cwd=root, data=text)
        assert last.status == 4
        assert "STET ALERT" in last.err

    trips("a.md")
    assert told(sees) == []
    noted = [e["data"] for e in here.quick("log", "--json", cwd=root).json() if e["kind"] == "untold"]
    assert [("accept stet.toml" in n["why"]) for n in noted] == [True]
    status, out = quick_terminal(here, root, "accept", "stet.toml")
    assert status == 0, out
    assert str(sees) in out, "what it lets run is said"
    trips("b.md")
    assert [value["path"] for value in told(sees)] == ["b.md"]


# -- apprise -------------------------------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[http.server.ThreadingHTTPServer]:
    """A web hook on loopback: keeps what is posted; answers 500 below /broken."""

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.posted.append(json.loads(body))  # type: ignore[attr-defined]
            self.send_response(500 if self.path.startswith("/broken") else 200)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook) as running:
        running.posted = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield running
        running.shutdown()
        thread.join(10)


def test_apprise_reaches_what_it_can_and_its_failures_are_noted_without_urls(
    book: Book,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    server: http.server.ThreadingHTTPServer,
) -> None:
    port = server.server_address[1]
    urls = [
        f"json://user:{SECRET}@127.0.0.1:{port}/ok",
        f"json://user:{SECRET}@127.0.0.1:{port}/broken",
        f"nosuch://{SECRET}@host",
        f"json://user:{SECRET}@127.0.0.1:1/closed",
    ]
    accept_policy(book, monkeypatch, urls=urls)
    alert = trip(book)
    posted = server.posted  # type: ignore[attr-defined]
    assert [alert.id in json.dumps(one) for one in posted] == [True, True]
    assert "Field notes" not in json.dumps(posted), "no text of the file"
    noted = failures(book)
    assert [n["by"] for n in noted] == ["url 2", "url 3", "url 4"]
    assert SECRET not in json.dumps(noted)
    out = capfd.readouterr()
    assert "STET ALERT" in out.err
    assert SECRET not in out.err + out.out
    for file in (p for p in book.state_folder.rglob("*") if p.is_file() and p.suffix == ".jsonl"):
        assert SECRET not in file.read_text("utf-8")


def test_without_apprise_it_says_so(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    accept_policy(book, monkeypatch, urls=[f"json://{SECRET}@127.0.0.1:1/"])
    monkeypatch.setitem(sys.modules, "apprise", None)
    trip(book)
    (noted,) = failures(book)
    assert "install '.[notify]'" in noted["why"]


# -- held proposals, escalation, expiry ------------------------------------------------------------------------


def test_held_proposals_are_told_only_if_the_policy_says_so(
    book: Book, monkeypatch: pytest.MonkeyPatch, sees: Path
) -> None:
    accept_policy(book, monkeypatch, command=[str(sees)])
    book.put("a.md", chapter(1200))
    book.put("b.md", chapter(1200))
    with proxy_of(book) as proxy:
        assert proxy.write(book.root / "a.md", chapter(800)).held
    assert told(sees) == []
    text = (book.root / "stet.toml").read_text("utf-8").replace("[alerts]\n", "[alerts]\nheld = true\n", 1)
    (book.root / "stet.toml").write_text(text, "utf-8")
    with monkeypatch.context() as patch, book.open() as proxy:
        patch.setattr(person, "require", lambda ledger, command, what: "terminal")
        operator.accept_policy(proxy)
    with proxy_of(book) as proxy:
        proxy.write_set([Proposal(book.root / "a.md", chapter(810)), Proposal(book.root / "b.md", chapter(810))])
    (value,) = told(sees)
    assert (value["kind"], value["path"]) == ("hold", "a.md")
    assert "1 more of the same change set" in value["reason"]


def test_an_unanswered_alert_escalates_by_itself_once(book: Book, monkeypatch: pytest.MonkeyPatch, sees: Path) -> None:
    accept_policy(book, monkeypatch, command=[str(sees)], escalate_after_hours=2)
    alert = trip(book)
    book.now += 2 * HOUR - 1
    with proxy_of(book):
        pass
    assert len(told(sees)) == 1
    book.now += 1
    for _ in range(3):
        with proxy_of(book) as proxy:  # any command looks
            case = cases.get(proxy.ledger, alert.id)
        assert case is not None
        assert case.state == "escalated"
        book.now += 30 * HOUR
    assert [(value["id"], value["state"]) for value in told(sees)] == [(alert.id, "open"), (alert.id, "escalated")]
    with book.open() as proxy:
        assert [e.kind for e in proxy.ledger.journal()].count("escalate") == 1
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    with book.open() as proxy:
        assert answers.reject(proxy, alert.id).opened == ("ch.md",), "it can still be answered"


def test_zero_hours_mean_never_and_an_answer_ends_it(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    accept_policy(book, monkeypatch, escalate_after_hours=0)
    book.put("ch.md", chapter(1200))
    for text in STUBS:
        book.write("ch.md", text)
    book.now += 1000 * HOUR
    with book.open():
        pass
    assert [a.state for a in book.alerts] == ["open"]


def test_many_that_look_at_once_escalate_once(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    for text in STUBS:
        book.write("ch.md", text)
    book.now += 25 * HOUR
    seen: list[Alert] = []
    start = threading.Barrier(6)

    def look() -> None:
        start.wait(30)
        with WriteProxy(book.found(), clock=lambda: book.now, notify=seen.append):
            pass

    workers = [threading.Thread(target=look, daemon=True) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [alert.state for alert in seen] == ["escalated"]


def test_a_person_escalates_by_hand(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    book.put("ch.md", chapter(1200))
    ident = book.write("ch.md", chapter(800)).held
    with book.open() as proxy:
        assert answers.escalate(proxy, ident).state == "escalated"
    assert [(a.id, a.kind, a.state) for a in book.alerts] == [(ident, "hold", "escalated")]
    with book.open() as proxy, pytest.raises(answers.AlreadyEscalated):
        answers.escalate(proxy, ident)
    with book.open() as proxy:
        assert answers.approve(proxy, ident).done


def test_an_old_held_proposal_expires_and_cannot_be_approved_any_more(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "require", lambda ledger, command, what: "terminal")
    book.put("ch.md", chapter(1200))
    ident = book.write("ch.md", chapter(800)).held
    book.now += 31 * 24 * HOUR
    with book.open() as proxy, pytest.raises(answers.claims.LateAnswer, match="expired"):
        answers.approve(proxy, ident)
    assert (book.root / "ch.md").read_bytes() == chapter(1200)


def test_the_state_folder_keeps_alerts_to_their_owner(book: Book) -> None:
    book.put("ch.md", chapter(1200))
    for text in STUBS:
        book.write("ch.md", text)
    mode = stat.S_IMODE((book.state_folder / "alerts.jsonl").stat().st_mode)
    assert mode == 0o600
