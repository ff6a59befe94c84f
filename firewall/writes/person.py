"""Is there a person? Asked before anything that changes what Stet enforces.

Strong: the operator passphrase, of which only a scrypt hash is kept; typed at the terminal or piped in,
never taken from the environment. Weak, where none is set: a terminal, a typed confirmation, and no
agent among the processes above us. A process of the same user can still fake a terminal; the README says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import TextIO

from firewall.errors import NeedsPerson, UsageError
from firewall.writes.ledger import Ledger

KEY = "operator"
_N, _R, _P = 2**15, 8, 1  # scrypt cost: about 100 ms and 32 MiB

AGENTS = (
    "claude", "codex", "gemini", "opencode", "qwen", "cursor", "cline", "aider", "windsurf", "copilot",
    "kimi",
)  # fmt: skip
"""Program names of agents; a process above us whose program has one of these names is an agent's shell."""
AGENT_VARIABLES = (
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "GEMINI_CLI",
    "OPENCODE",
    "QWEN_CODE",
    "CURSOR_AGENT",
    "CLINE_ACTIVE",
)


class NotConfirmed(NeedsPerson):
    """A person was asked and did not say yes."""

    code = "not-confirmed"
    template = "`stet {command}` was not confirmed: {detail}. Nothing was done."
    next_step = "Run it again and type the word that it shows."


class WrongPassphrase(NotConfirmed):
    """Another passphrase than the operator's."""

    code = "wrong-passphrase"
    next_step = "Run it again and type this project's operator passphrase."


class NoPassphrase(NeedsPerson):
    """A passphrase is set for the project, and none was given."""

    code = "no-passphrase"
    next_step = "A person runs `stet {command}` at a terminal, or pipes this project's operator passphrase in."


class BadPassphrase(UsageError):
    """A new passphrase that cannot be taken."""

    code = "bad-passphrase"
    template = "No passphrase was set: {detail}."
    next_step = "Run `stet operator init` again and type the same 8 characters or more twice."


def require(ledger: Ledger, command: str, what: str) -> str:
    """Returns how the person was known ("passphrase" or "terminal"). Raises NeedsPerson.

    `what` is one line saying what will happen; at a terminal it is shown before a person is asked.
    """
    stored = ledger.meta(KEY)
    if stored is not None:
        if not matches(stored, _ask_passphrase(command, what)):
            with ledger.transaction():  # a person sees what was tried: `stet log`
                ledger.append("operator-wrong", time.time(), source="operator", data={"command": command})
            raise WrongPassphrase(command=command, detail="that is not the operator passphrase")
        return "passphrase"
    confirm(command, what)
    return "terminal"


def confirm(command: str, what: str) -> None:
    """A typed yes at a terminal that no agent holds."""
    agent = agent_above()
    if agent:
        raise NeedsPerson(command=command, detail=f"this shell belongs to an agent ({agent})")
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        raise NeedsPerson(command=command, detail="there is no terminal")
    import secrets  # here and below: an agent's hook imports this module, and asks nobody

    word = secrets.choice(("amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron"))
    print(f"{what}\nType {word!r} to go on: ", end="", file=sys.stderr, flush=True)  # noqa: T201 - a prompt
    if sys.stdin.readline().strip() != word:
        raise NotConfirmed(command=command, detail="another word was typed")


def _is_terminal(stream: TextIO | None) -> bool:
    """A closed descriptor leaves Python without the stream."""
    return stream is not None and not stream.closed and stream.isatty()


def set_passphrase(ledger: Ledger, at: float) -> None:
    """Ask for a new operator passphrase twice and keep its hash, once a person has been shown."""
    require(ledger, "operator init", "This sets the passphrase that answers alerts and lifts rules.")
    import getpass

    first = getpass.getpass("New operator passphrase (8 characters or more): ")
    if len(first) < 8:
        raise BadPassphrase(detail="it is shorter than 8 characters")
    if getpass.getpass("Again: ") != first:
        raise BadPassphrase(detail="the two that were typed differ")
    with ledger.transaction():
        ledger.set_meta(KEY, hashed(first))
        ledger.append("operator", at)


def hashed(passphrase: str) -> str:
    """What is stored of a passphrase."""
    salt = os.urandom(16)
    return json.dumps(
        {"n": _N, "r": _R, "p": _P, "salt": salt.hex(), "hash": _scrypt(passphrase, salt, _N, _R, _P).hex()}
    )


def matches(stored: str, passphrase: str) -> bool:
    """Is this the passphrase? Compared in constant time."""
    import hmac

    value = json.loads(stored)
    got = _scrypt(passphrase, bytes.fromhex(value["salt"]), value["n"], value["r"], value["p"])
    return hmac.compare_digest(got, bytes.fromhex(value["hash"]))


def _scrypt(passphrase: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(passphrase.encode(), salt=salt, n=n, r=r, p=p, maxmem=256 * n * r, dklen=32)


def _ask_passphrase(command: str, what: str) -> str:
    if _is_terminal(sys.stdin):
        import getpass

        if sys.stderr is not None:
            print(what, file=sys.stderr, flush=True)  # noqa: T201 - what the passphrase is asked for
        return getpass.getpass("Operator passphrase: ")
    line = "" if sys.stdin is None else sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise NoPassphrase(command=command, detail="no passphrase was given")
    return line


def agent_above() -> str:
    """The agent whose shell this is, or ''. Looks at this process's environment and the processes above."""
    for variable in AGENT_VARIABLES:
        if os.environ.get(variable):
            return variable
    pid = os.getppid()
    for _ in range(64):
        if pid <= 1:
            return ""
        name, parent = _process(pid)
        if name in AGENTS:
            return name
        pid = parent
    return ""


def _process(pid: int) -> tuple[str, int]:
    """(program name, parent's id) of a process; ("", 0) where the system does not show it."""
    folder = Path("/proc") / str(pid)
    try:
        command = (folder / "cmdline").read_bytes().split(b"\0")
        status = (folder / "stat").read_text("utf-8", "replace")
        parent = int(status.rsplit(")", 1)[1].split()[1])
    except (OSError, ValueError, IndexError):
        return "", 0
    for word in command[:3]:  # `node /…/claude` and `python -m aider` name the agent second or third
        name = Path(word.decode("utf-8", "replace")).name.lower().removesuffix(".js").removesuffix(".exe")
        if name in AGENTS:
            return name, parent
    return "", parent
