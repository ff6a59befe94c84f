"""stet serve answers the holder of its token on this machine, and nobody else."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from stet_kit import STET, NewBook, chapter

from firewall.agents import turns
from firewall.agents.server import PortTaken, Server, answering, post
from firewall.agents.tokens import PATH, address, port_of, token_of
from firewall.errors import StorageError

TOKEN = "the-secret"


def echo(runtime: str, question: bytes, environment: Mapping[str, str], port: int) -> bytes:
    """Answers with what it was asked."""
    return json.dumps({"runtime": runtime, "size": len(question), **environment}).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    """A server on a free port."""
    made = Server(0, TOKEN, echo)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    yield made
    made.stop()
    thread.join(10)
    assert not thread.is_alive()


def ask(port: int, path: str = PATH, body: bytes = b"{}", **headers: str) -> tuple[int, bytes]:
    """One request; status and body."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    given = {"Authorization": f"Bearer {TOKEN}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    client.request("POST", path, body, given)
    answer = client.getresponse()
    result = answer.status, answer.read()
    client.close()
    return result


def test_the_holder_of_the_token_is_answered(server: Server) -> None:
    status, body = ask(server.port, X_Stet_Entrypoint="cli")
    assert (status, json.loads(body)) == (200, {"runtime": "claude", "size": 2, "CLAUDE_CODE_ENTRYPOINT": "cli"})
    assert json.loads(ask(server.port, PATH + "?qwen")[1])["runtime"] == "qwen"
    assert json.loads(post(f"http://127.0.0.1:{server.port}{PATH}", b"xyz", TOKEN))["size"] == 3


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer the-secre", "Bearer the-secret2", "the secret", "Bearer é"])
def test_nobody_else_is(server: Server, given: str) -> None:
    assert ask(server.port, Authorization=given)[0] == 401
    assert post(f"http://127.0.0.1:{server.port}{PATH}", b"{}", "wrong") == b""


def test_a_page_that_names_another_host_is_not(server: Server) -> None:
    assert ask(server.port, Host="evil.example")[0] == 403
    assert ask(server.port, Host=f"localhost:{server.port}")[0] == 200


def test_other_addresses_and_sizes_are_not(server: Server) -> None:
    assert ask(server.port, "/")[0] == 404
    assert ask(server.port, Content_Length="99999999999")[0] == 413


def test_an_address_that_is_none_is_answered(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
        client.sendall(b"POST http://[ HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 400 ")


def test_it_listens_on_loopback_only(server: Server) -> None:
    assert server.host == "127.0.0.1"


def test_a_client_that_goes_away_harms_nobody(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as one:
        head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 50\r\n\r\n"
        one.sendall(head.encode() + b"half")
    assert ask(server.port)[0] == 200


def test_many_at_once_are_answered_one_by_one() -> None:
    inside: list[int] = []
    most: list[int] = []

    def slow(runtime: str, question: bytes, environment: Mapping[str, str], port: int) -> bytes:
        inside.append(1)
        most.append(len(inside))
        threading.Event().wait(0.01)
        inside.pop()
        return b"{}"

    server = Server(0, TOKEN, slow)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    said: list[int] = []
    clients = [threading.Thread(target=lambda: said.append(ask(server.port)[0])) for _ in range(12)]
    for one in clients:
        one.start()
    for one in clients:
        one.join(20)
    server.stop()
    thread.join(10)
    assert said == [200] * 12
    assert max(most) == 1


REQUEST = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"


def raw(port: int, text: str) -> bytes:
    """The status lines of what comes back to these bytes, until the server closes or says nothing for a while."""
    with socket.create_connection(("127.0.0.1", port), timeout=2) as client:
        client.sendall(text.encode())
        out = b""
        with contextlib.suppress(TimeoutError):
            while data := client.recv(4096):
                out += data
    return b"\n".join(re.findall(rb"HTTP/1\.1 \d+ [^\r]*", out))


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 411),
        ("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}", 411),
        ("Content-Length: 0_2\r\n\r\n{}", 411),
        ("Content-Length: -2\r\n\r\n{}", 411),
        ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 411),
        ("Host: evil.example\r\nContent-Length: 2\r\n\r\n{}", 403),
    ],
)
def test_one_length_and_one_host_or_nothing(server: Server, head: str, status: int) -> None:
    """Whoever reads them otherwise than the program before would take one question for another."""
    assert raw(server.port, REQUEST + head).startswith(f"HTTP/1.1 {status} ".encode())


def test_another_hosts_address_is_not_ours(server: Server) -> None:
    line = REQUEST.replace(PATH, f"http://evil.example{PATH}", 1)
    assert raw(server.port, f"{line}Content-Length: 2\r\n\r\n{{}}").startswith(b"HTTP/1.1 403 ")
    line = REQUEST.replace(PATH, f"http://127.0.0.1:{server.port}{PATH}", 1)
    assert raw(server.port, f"{line}Content-Length: 2\r\n\r\n{{}}").startswith(b"HTTP/1.1 200 ")
    assert raw(server.port, REQUEST.replace("Host: 127.0.0.1\r\n", "") + "\r\n").startswith(b"HTTP/1.1 403 ")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_a_hook_posts(server: Server, method: str) -> None:
    assert raw(server.port, REQUEST.replace("POST", method, 1) + "\r\n").startswith(b"HTTP/1.1 501 ")


def test_a_connection_is_used_again_and_questions_in_one_breath_are_all_answered(server: Server) -> None:
    one = f"{REQUEST}Content-Length: 2\r\n\r\n{{}}"
    assert raw(server.port, one * 3) == b"\n".join([b"HTTP/1.1 200 OK"] * 3)


def test_without_a_token_nobody_is_answered() -> None:
    server = Server(0, "", echo)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert ask(server.port, Authorization="Bearer ")[0] == 401
    assert ask(server.port, Authorization="")[0] == 401
    server.stop()
    thread.join(10)


def test_what_was_asked_before_its_end_is_answered() -> None:
    """A question that is judged may be putting files back."""
    asked, go = threading.Event(), threading.Event()

    def slow(runtime: str, question: bytes, environment: Mapping[str, str], port: int) -> bytes:
        if question != b"first":
            asked.set()
            assert go.wait(30)
        return b"{}"

    server = Server(0, TOKEN, slow)
    ended: list[bool] = []
    runs = threading.Thread(target=lambda: ended.append(server.run()), daemon=True)
    runs.start()
    said: list[tuple[int, bytes]] = []
    idle = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    idle.request("POST", PATH, b"first", {"Authorization": f"Bearer {TOKEN}"})
    assert idle.getresponse().read() == b"{}"
    asks = threading.Thread(target=lambda: said.append(ask(server.port)), daemon=True)
    asks.start()
    assert asked.wait(10)
    server.stop()
    idle.request("POST", PATH, b"{}", {"Authorization": f"Bearer {TOKEN}"})
    assert idle.getresponse().status == 503
    idle.close()
    assert ended == []
    go.set()
    runs.join(10)
    asks.join(10)
    assert (ended, said) == ([True], [(200, b"{}")])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["int", "term", "hup"])
def test_the_command_ends_in_order_however_it_is_ended(new_book: NewBook, number: int) -> None:
    book = new_book()
    with subprocess.Popen(
        [STET, "serve"], cwd=book.root, env=book.user.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert b"Ctrl-C ends it" in process.stdout.readline()
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, b"Ended; nothing was left half done.\n")
    assert b"Traceback" not in err


def test_a_taken_port_is_said(server: Server) -> None:
    with pytest.raises(PortTaken):
        Server(server.port, TOKEN, echo)


def test_token_and_port_stay_the_same_and_are_the_users(new_book: NewBook, tmp_path: Path) -> None:
    book, other = new_book(), None
    with book.open() as proxy:
        token, where = token_of(proxy), address(proxy)
        assert (proxy.state / "serve.token").stat().st_mode & 0o777 == 0o600
    with book.open() as proxy:
        assert token_of(proxy) == token
        assert address(proxy) == where
        assert 20_000 <= port_of(proxy) < 40_000
    other = new_book("other")
    with other.open() as proxy:
        assert token_of(proxy) != token


@pytest.mark.parametrize("data", [b"", b"short", b"\xff" * 50, b"a" * 5000 + b"\n!"])
def test_a_file_that_holds_no_secret_is_none(new_book: NewBook, data: bytes) -> None:
    """What a full disk left, say: an empty secret would let everybody in."""
    with new_book().open() as proxy:
        path = proxy.state / "serve.token"
        path.write_bytes(data)
        if len(data) > 4096:
            with pytest.raises(StorageError):
                token_of(proxy)
            return
        token = token_of(proxy)
        assert len(token) >= 43
        assert token_of(proxy) == token
        assert path.stat().st_mode & 0o777 == 0o600
        assert not list(proxy.state.glob("*.tmp"))


def test_many_who_are_first_get_one_secret(new_book: NewBook) -> None:
    with new_book().open() as proxy:
        got: list[str] = []
        together = threading.Barrier(8)

        def first() -> None:
            together.wait(10)
            got.append(token_of(proxy))

        threads = [threading.Thread(target=first) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join(20)
        assert len(got) == 8
        assert len(set(got)) == 1


def test_a_pipe_for_a_secret_is_not_waited_for(new_book: NewBook) -> None:
    with new_book().open() as proxy:
        os.mkfifo(proxy.state / "serve.token")
        with pytest.raises(StorageError, match="not a regular file"):
            token_of(proxy)


def test_a_project_is_answered_as_by_its_hook(new_book: NewBook) -> None:
    book = new_book()
    path = book.put("ch.md", chapter(1200))
    with book.open() as proxy:
        proxy.adopt([path])
        answer = answering(str(proxy.root), str(proxy.state))
    call = {"file_path": str(path), "content": "gone"}
    common = {"session_id": "s", "cwd": str(book.root), "permission_mode": "acceptEdits", "tool_use_id": "t"}
    event = {**common, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": call}
    said = json.loads(answer("claude", json.dumps(event).encode(), {}, 0))["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "1200 -> 1" in said["permissionDecisionReason"]
    assert json.loads(answer("claude", b"null", {}, 0))["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert json.loads(answer("nobody", b"{}", {}, 0))["hookSpecificOutput"]["permissionDecision"] == "deny"
    event = {**event, "tool_name": "Read", "tool_input": {"file_path": str(path)}}
    assert answer("claude", json.dumps(event).encode(), {}, 0) == b"{}"


CLIENT = """
import http.client, json, sys, time
port, root, token = int(sys.argv[1]), sys.argv[2], sys.argv[3]
client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
event = {"session_id": "first", "cwd": root, "hook_event_name": "UserPromptSubmit", "prompt": "do it"}
client.request("POST", "/hook", json.dumps(event), {"Authorization": f"Bearer {token}"})
assert client.getresponse().read() == b"{}"
print("asked", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="tells who asks by /proc")
def test_the_turn_of_a_runtime_that_died_is_closed(new_book: NewBook) -> None:
    """Nobody tells a server that a terminal was closed; the process that asked is gone."""
    book = new_book()
    path = book.put("ch.md", chapter(1200))
    with book.open() as proxy:
        proxy.adopt([path])
    server = Server(0, TOKEN, answering(str(book.root), str(book.state_folder)))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()

    def starts() -> bytes:
        event = {"session_id": "second", "cwd": str(book.root), "hook_event_name": "SessionStart", "source": "startup"}
        return post(f"http://127.0.0.1:{server.port}{PATH}", json.dumps(event).encode(), TOKEN)

    def opened() -> bool:
        with book.open() as proxy:
            return turns.is_open(proxy, "first")

    words = [sys.executable, "-c", CLIENT.replace("/hook", PATH), str(server.port), str(book.root), TOKEN]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as runtime:
        assert runtime.stdout is not None
        assert runtime.stdout.readline() == b"asked\n"
        assert starts() == b"{}"
        assert opened(), "it lives"
        runtime.kill()
    path.write_bytes(b"Rewritten by hand.\n")
    assert b"stet approve P" in starts(), "it may be the dead one's"
    assert not opened()
    assert path.read_bytes() == chapter(1200)
    server.stop()
    thread.join(10)
