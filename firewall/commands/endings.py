"""The signals that end a command which runs until it is ended."""

from __future__ import annotations

import signal


def signals() -> list[signal.Signals]:
    """Ctrl-C, a service manager, and a terminal that closes, unless the command was told not to heed that (nohup)."""
    found = [signal.SIGINT, signal.SIGTERM]
    closed: signal.Signals | None = getattr(signal, "SIGHUP", None)
    if closed is not None and signal.getsignal(closed) is not signal.SIG_IGN:
        found.append(closed)
    return found
