"""Does the process whose agent opened a turn still live? A terminal that was closed tells no hook of it."""

from __future__ import annotations

import os
import sys

_FAR = 8
"""Processes above a hook that are looked at: shells and scripts that run it, then its runtime."""
_SETTLED = 2
"""Seconds that a process must have run when its hook starts: what began just before only runs the hook, and its end
says nothing of the agent."""


def runtime() -> str:
    """What tells the runtime that runs this hook apart from every other process; '' where nobody can tell: outside of
    a hook's own process, or on a system without /proc."""
    if not (os.path.basename(sys.argv[0]) == "stet-hook" or sys.argv[1:2] == ["hook"]):  # noqa: PTH119 - a name
        return ""
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
