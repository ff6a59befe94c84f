"""Does the process whose agent opened a turn still live, and does what the agent started? No hook is told of either: of
a terminal that was closed, of a command that runs on behind `nohup … &`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

_FAR = 8
"""Processes above a hook that are looked at: shells and scripts that run it, then its runtime."""
_SETTLED = 2
"""Seconds that a process must have run when its hook starts: what began just before only runs the hook, and its end
says nothing of the agent."""


_port = 0
"""From which port of this machine a server is asked just now; one question at a time."""


@contextlib.contextmanager
def asked_from(port: int) -> Iterator[None]:
    """Meanwhile a server answers a runtime that asks from this port of loopback."""
    global _port
    _port = port
    try:
        yield
    finally:
        _port = 0


def runtime() -> str:
    """What tells the runtime that runs this hook, or asks this server, apart from every other process; '' where nobody
    can tell: elsewhere, or on a system without /proc."""
    if not _is_hook():
        pid = _owner(_port) if _port else 0
        return mark(pid) if pid else ""
    pid, began = os.getppid(), _status(os.getpid())[1]
    for _ in range(_FAR):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123 - a hook's path: no pathlib
                command = file.read()
        except OSError:
            return ""
        above, start = _status(pid)
        if not began or not start:
            return ""
        is_settled = int(began) - int(start) >= _SETTLED * os.sysconf("SC_CLK_TCK")
        if is_settled and b"stet-hook" not in command and b"\0hook\0" not in command:
            return mark(pid)
        pid = above
    return ""


def _owner(port: int) -> int:
    """The process that holds the other end of a connection from this port of loopback; 0 for none that can be told."""
    try:
        with open("/proc/net/tcp", "rb") as file:  # noqa: PTH123 - as above
            rows = [line.split() for line in file.read().split(b"\n")[1:]]
    except OSError:
        return 0
    here = b"0100007F:%04X" % port
    sockets = {b"socket:[%s]" % row[9] for row in rows if len(row) > 9 and row[1] == here and row[9] != b"0"}
    if not sockets:
        return 0
    for name in os.listdir("/proc"):  # noqa: PTH208 - as above
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with os.scandir(f"/proc/{name}/fd") as entries:
                if any(os.readlink(os.fsencode(entry.path)) in sockets for entry in entries):  # noqa: PTH115 - as above
                    return int(name)
        except OSError:
            continue  # another user's, or gone
    return 0


def _is_hook() -> bool:
    return os.path.basename(sys.argv[0]) == "stet-hook" or sys.argv[1:2] == ["hook"]  # noqa: PTH119 - a name


HOOKS = (b"CLAUDE_PROJECT_DIR=", b"GEMINI_PROJECT_DIR=", b"QWEN_PROJECT_DIR=", b"CURSOR_PROJECT_DIR=")
"""What runtimes put into the environment of hooks and servers of tools, which a person has set up. That of what their
agents start has none of these, and one of AGENT_VARIABLES."""
_EVERYWHERE = b"OPENCODE"
"""opencode gives its word to all that it starts, servers of languages too: of what bears no other, only what was cut
loose from it counts."""
_PERSONS = (b"HOME=", b"USER=", b"LOGNAME=", b"INVOCATION_ID=")
"""What everything has that a person's session, or the system's own, has started; `env -i` takes it away."""
_BESIDE = 0.3
"""Seconds: what began so shortly before a hook is another hook, of the same event."""
_ROUGH = 0.15
"""Seconds by which the start of a process may seem too early: the system counts it in hundredths, and the two clocks
that it is reckoned by are read one after the other."""


def at_work(root: str, since: float, now: float) -> list[str]:
    """Processes that an agent in the folder started since then and that still run, as `mark` names them: those with a
    runtime's word in their environment, or with a swept one, and the folder for their place. Times are seconds since
    1970; none where the system does not tell."""
    from firewall.writes.person import AGENT_VARIABLES

    words = tuple(f"{name}=".encode() for name in AGENT_VARIABLES)
    started = _status(os.getpid())[1] if _is_hook() else ""
    booted = _booted(now)
    if not booted:
        return []
    ticks = os.sysconf("SC_CLK_TCK")
    latest = (booted + int(started) / ticks if started else now) - _BESIDE
    out = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - as above
        start = _status(int(name))[1] if name.isdigit() else ""
        if start and since - _ROUGH <= booted + int(start) / ticks < latest and _is_an_agents(name, root, words):
            out.append(mark(int(name)))
    return [one for one in out if one]


def _is_an_agents(pid: str, root: str, agents: tuple[bytes, ...]) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - as above
            given = file.read().split(b"\0")
        place = os.readlink(f"/proc/{pid}/cwd")  # noqa: PTH115 - as above
    except OSError:
        return False  # another user's, or gone
    if not (place == root or place.startswith(root.rstrip("/") + "/")):
        return False
    marks = {word.partition(b"=")[0] for word in given if word.startswith(agents)}
    if any(word.startswith(HOOKS) for word in given):
        return False
    if not marks:
        return not any(word.startswith(_PERSONS) for word in given)
    return marks != {_EVERYWHERE} or not _is_below(int(pid), _EVERYWHERE.lower())


def _is_below(pid: int, name: bytes) -> bool:
    """Is a program of this name among those above?"""
    for _ in range(_FAR):
        pid = _status(pid)[0]
        if pid <= 1:
            return False
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123 - as above
                if name in file.read():
                    return True
        except OSError:
            return False
    return True


def _booted(now: float) -> float:
    """When the machine was started; 0.0 where nobody can tell."""
    try:
        with open("/proc/uptime", "rb") as file:  # noqa: PTH123 - as above
            return now - float(file.read().split()[0])
    except (OSError, ValueError, IndexError):
        return 0.0


def mark(pid: int) -> str:
    """A process in words that no other has: machine, boot, namespace of its number, number, start. '' for none."""
    place = _place()
    start = _status(pid)[1]
    return f"{' '.join(place)} {pid} {start}" if place and start else ""


def is_gone(marked: str) -> bool:
    """Has the process surely ended? False wherever that is not sure."""
    words = marked.split(" ")
    place = _place()
    if len(words) != 5 or not place or words[0] != place[0]:
        return False
    if words[1] != place[1]:
        return True  # this machine was started anew since
    return words[2] == place[2] and _status(int(words[3]))[1] != words[4]


def _place() -> tuple[str, str, str] | None:
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:  # noqa: PTH123 - as above
            boot = file.read().decode("ascii").strip()
        return os.uname().nodename.replace(" ", "_"), boot, os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    except (OSError, ValueError):
        return None


def _status(pid: int) -> tuple[int, str]:
    """The parent's number and the start of a process; (0, '') where there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - as above
            words = file.read().rpartition(b")")[2].split()
        if words[0] in (b"Z", b"X"):
            return 0, ""
        return int(words[1]), words[19].decode("ascii")
    except (OSError, ValueError, IndexError):
        return 0, ""
