"""A writer that kills itself with SIGKILL at each operation in turn. Run as a program by test_kills.py.

    killed_writer.py ROOT STEP

Writes to ROOT/ch.md in a child process of its own, killed at operation STEP, 2*STEP … of opening, judging
and committing; after each it opens the project as a new process would and says what it found, one JSON line
each. The last line is for the child that came through.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from pathlib import Path

from faults import every_operation

from firewall.writes.operator import verify_journal
from firewall.writes.proxy import WriteProxy


def child(path: Path, content: bytes, number: int, done: bool) -> None:
    """Propose `content`, and die at operation `number`, before or after it is done."""

    def die(now: int, name: str, is_done: bool) -> None:
        if now == number and is_done is done:
            os.kill(os.getpid(), signal.SIGKILL)

    status = 1
    try:
        with every_operation(die), WriteProxy.open(path.parent) as proxy:
            status = 0 if proxy.write(path, content).committed else 1
    finally:
        os._exit(status)


def main(root: Path, step: int) -> None:
    """Kill, look, report: before each operation until a child comes through, then after each."""
    path = root / "ch.md"
    most = sys.maxsize
    for done in (False, True):
        number = 0
        while number < most:
            number += step
            old = path.read_bytes()
            cut = old.rstrip().rfind(b".")
            new = old[:cut] + f" w{number}".encode() + old[cut:]
            pid = os.fork()
            if pid == 0:
                child(path, new, number, done)
            _, status = os.waitpid(pid, 0)
            killed = os.WIFSIGNALED(status)
            at_once = path.read_bytes()
            temps = [n for n in os.listdir(root) if n.startswith(".stet-")]
            with WriteProxy.open(root) as proxy:
                known = proxy.ledger.artifact("ch.md")
                journal = proxy.ledger.journal()
                lost = [e.seq for e in journal if e.new and proxy.ledger.load(e.new) is None]
                report = {
                    "number": number,
                    "killed": killed,
                    "status": status,
                    "disk": "old" if at_once == old else "new" if at_once == new else "neither",
                    "temps_before": len(temps),
                    "unchanged_by_recovery": path.read_bytes() == at_once,
                    "recorded": known is not None and known.disk == hashlib.sha256(at_once).hexdigest(),
                    "attempts": known.attempts if known else -1,
                    "intents": len(proxy.ledger.intents()),
                    "journal_whole": verify_journal(journal) is None,
                    "outside": sum(e.kind in ("outside", "renew") for e in journal),
                    "lost": lost,
                    "left": [n for n in os.listdir(root) if n not in ("ch.md", "stet.toml")],
                }
            print(json.dumps(report), flush=True)
            if not killed and not done:
                most = number


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
