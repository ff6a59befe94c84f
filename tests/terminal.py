"""Runs a command at a pseudo-terminal and answers what it asks. A program of its own: see `stet_kit.at_terminal`.

    terminal.py SPEC      SPEC: {"argv", "env", "cwd", "answer", "passphrase", "apart"}

Types `answer` (null: the word asked for) at a confirmation and `passphrase` where one is asked for. With `apart`
the command runs below process 1, so that an agent which runs the tests is not above it. Prints one JSON object:
the exit status and all that the terminal showed. In a fork of a process that has the program, `run` takes the place
of `argv`.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import sys
import time
from collections.abc import Callable

ASKED = re.compile(r"Type '(\w+)' to go on: |(passphrase[^\n:]*: |Again: )")


def main(spec: dict[str, object], run: Callable[[], int] | None = None) -> dict[str, object]:
    """Run it; what came of it."""
    if spec["apart"] and os.fork():
        os._exit(0)  # the rest belongs to process 1
    deadline = time.monotonic() + 60
    while spec["apart"] and os.getppid() != 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    pid, fd = pty.fork()
    if pid == 0:
        if run is not None:
            status = 70
            try:
                status = run()
            finally:
                os._exit(status)
        os.chdir(str(spec["cwd"]))
        argv, env = spec["argv"], spec["env"]
        assert isinstance(argv, list)
        assert isinstance(env, dict)
        os.execvpe(argv[0], argv, env)
    out, answered = "", 0
    while time.monotonic() < deadline:
        if not select.select([fd], [], [], 0.5)[0]:
            continue
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        out += data.decode("utf-8", "replace")
        asked = list(ASKED.finditer(out))
        if len(asked) > answered:
            word = asked[-1].group(1)
            reply = spec["passphrase"] if word is None else word if spec["answer"] is None else spec["answer"]
            os.write(fd, f"{reply}\n".encode())
            answered = len(asked)
    _, status = os.waitpid(pid, 0)
    return {"status": os.waitstatus_to_exitcode(status), "out": out}


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))), flush=True)
