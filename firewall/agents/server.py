"""stet serve: the hooks' questions answered over HTTP on loopback, for people who want milliseconds.

One project a server, one question at a time. Only the holder of the token is answered, only on 127.0.0.1, and only
where the request names this host: a page in a browser can do neither. Whatever goes wrong is answered with a refusal.
"""

from __future__ import annotations

import hmac
import http.client
import json
import re
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from firewall.agents.tokens import PATH
from firewall.errors import StetError

MAX_BYTES = 64 * 1024 * 1024
"""A question larger than this is refused unread; a tool call holds one file at most."""

SECONDS = 30
"""How long a client may take to say the rest of its question, and the server to end with the questions it has."""

Answering = Callable[[str, bytes, Mapping[str, str], int], bytes]
"""Runtime, question, what is known of the runtime's environment and the port from which it asks, to the answer; both
JSON bytes."""

ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT"
HEADER = "x-stet-entrypoint"
"""The header in which the runtime says how it runs: a process of its own would read that from its environment."""


def answering(root: str, state: str) -> Answering:
    """Answers for one project, as its hook's process would. Whatever cannot be answered is refused."""
    from firewall.agents import hook, living
    from firewall.agents.keeping import Kept

    kept = Kept()

    def answer(runtime: str, question: bytes, environment: Mapping[str, str], port: int) -> bytes:
        with living.asked_from(port):
            reply = hook.respond(runtime, question, state=state, root=root, environment=environment, kept=kept)
        if not reply.status:
            return reply.out.encode() or b"{}"
        refused = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reply.err}
        return json.dumps({"hookSpecificOutput": refused}).encode()

    return answer


class PortTaken(StetError):
    """Somebody listens on the project's port already."""

    code = "port-taken"
    template = "Port {port} of this machine is taken ({reason})."
    next_step = "Another `stet serve` may run for this folder: end it. Else install the hooks without --http."


class _UnderWay:
    """The questions that are being answered. Once it ends, no more are taken."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._ending = False

    def begin(self) -> bool:
        """One more; False where it is not taken."""
        with self._changed:
            self._count += not self._ending
            return not self._ending

    def done(self) -> None:
        """One is answered."""
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def close(self) -> None:
        """Take no more from now on."""
        with self._changed:
            self._ending = True

    def end(self, seconds: float) -> bool:
        """Take no more, and wait for those there are. Are all answered?"""
        with self._changed:
            self._ending = True
            return self._changed.wait_for(lambda: not self._count, seconds)


class Server:
    """Listens on loopback from the start; `run` answers until `stop`. Raises PortTaken."""

    def __init__(self, port: int, token: str, reply: Answering) -> None:
        lock = threading.Lock()
        under_way = self._under_way = _UnderWay()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = SECONDS
            disable_nagle_algorithm = True
            wbufsize = -1  # head and body of an answer in one packet

            def log_message(self, *_: Any) -> None:
                """Questions hold people's texts; none of them is logged."""

            def do_POST(self) -> None:
                if not under_way.begin():
                    self._say(503, _error("this server ends"))
                    return
                try:
                    self._say(*self._answer())
                    self.wfile.flush()
                finally:
                    under_way.done()

            def _say(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                if status != 200:
                    self.close_connection = True
                    self.send_header("connection", "close")
                self.end_headers()
                self.wfile.write(body)

            def _answer(self) -> tuple[int, bytes]:
                try:
                    where = urlsplit(self.path)
                except ValueError:
                    return 400, _error("this is no address")
                if where.path != PATH:
                    return 404, _error("no hook has this address")
                hosts = [*self.headers.get_all("host", ()), *([where.netloc] if where.netloc else ())]
                if not hosts or any(h.rsplit(":", 1)[0] not in ("127.0.0.1", "localhost") for h in hosts):
                    return 403, _error("only this machine is answered")
                given = (self.headers.get("authorization") or "").removeprefix("Bearer ")
                if not token or not hmac.compare_digest(given.encode("utf-8", "replace"), token.encode()):
                    return 401, _error("the token is not this project's")
                sizes = self.headers.get_all("content-length", ())
                if "transfer-encoding" in self.headers or len(sizes) != 1 or not re.fullmatch("[0-9]{1,20}", sizes[0]):
                    return 411, _error("the length is missing")
                size = int(sizes[0])
                if size > MAX_BYTES:
                    return 413, _error(f"more than {MAX_BYTES} bytes")
                question = self.rfile.read(size)
                if len(question) != size:
                    return 400, _error("the question was cut short")
                environment = {ENTRYPOINT: self.headers.get(HEADER) or ""}
                with lock:
                    return 200, reply(where.query or "claude", question, environment, int(self.client_address[1]))

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that went away is nobody's error; what it asked for is not done."""

        try:
            self._server = Quiet(("127.0.0.1", port), Handler)
        except OSError as error:
            raise PortTaken(port=port, reason=error.strerror or str(error)) from None
        self.host = str(self._server.server_address[0])
        self.port = int(self._server.server_address[1])

    def run(self) -> bool:
        """Answer until stopped, and what was asked by then. Is all of it answered?"""
        try:
            self._server.serve_forever(poll_interval=0.2)
        finally:
            self._server.server_close()
            answered = self._under_way.end(SECONDS)
        return answered

    def stop(self) -> None:
        """End `run`, from another thread. What is asked from now on is not answered."""
        self._under_way.close()
        self._server.shutdown()


def _error(problem: str) -> bytes:
    return json.dumps({"error": f"Stet: {problem}."}).encode()


def post(url: str, data: bytes, token: str, seconds: float = 60.0) -> bytes:
    """Ask a server as a hook would; what it answered, b'' where it refused to. Raises OSError."""
    where = urlsplit(url)
    client = http.client.HTTPConnection(where.hostname or "127.0.0.1", where.port, timeout=seconds)
    try:
        target = where.path + (f"?{where.query}" if where.query else "")
        client.request("POST", target, data, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        answer = client.getresponse()
        body = answer.read()
        return body if answer.status == 200 else b""
    except http.client.HTTPException as error:
        raise OSError(str(error) or type(error).__name__) from None
    finally:
        client.close()
