"""Several writers, a process each, at work at once. Run as a program by test_many_writers.py.

    busy_writers.py ROOT WRITERS COUNT FILES MODE

MODE `any`: COUNT proposals of whatever bytes. MODE `append`: COUNT lines, each added to what was read, with
its hash as the base, until it lands. MODE `refuse`: COUNT proposals nobody wants. Prints one JSON object a
writer: what the proxy answered.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from firewall.errors import Busy
from firewall.writes import disk
from firewall.writes.proxy import WriteProxy


def work(root: Path, name: str, count: int, files: int, mode: str) -> dict[str, object]:
    """Write `count` times; how it went."""
    landed: dict[str, list[str]] = {}
    refused = tripped = busy = 0
    seed = sum(name.encode())
    # A session is held to what it saw last, so writers of whatever bytes have none.
    with WriteProxy.open(root, session="" if mode == "any" else name) as proxy:
        for n in range(count):
            target = f"f{(n * 7 + seed) % files}.md"
            path = root / target
            while True:
                now = disk.read(path)
                token = f"{name}-{n}"
                if mode == "any":
                    content, base = f"Words of {token} alone.\n".encode(), None
                elif mode == "append":
                    content, base = (now.data or b"") + f"Words of {token} alone.\n".encode(), now.sha256
                else:
                    content, base = b"\0", None
                try:
                    result = proxy.write(path, content, base=base)
                except Busy:
                    busy += 1
                    continue
                if result.committed:
                    landed.setdefault(target, []).append(result.sha256)
                    break
                refused += 1
                tripped += result.alert is not None
                if mode != "append":
                    break
    return {"landed": landed, "refused": refused, "tripped": tripped, "busy": busy}


def main(root: Path, writers: int, count: int, files: int, mode: str) -> None:
    """Fork the writers, let them all begin at once, print what each reports."""
    gate_out, gate_in = os.pipe()
    pipes = []
    for n in range(writers):
        report_out, report_in = os.pipe()
        if os.fork() == 0:
            os.close(gate_in)
            os.read(gate_out, 1)  # returns when the last writer is there and the gate is closed
            status = 1
            try:
                report = json.dumps(work(root, f"w{n}", count, files, mode)).encode()
                with open(report_in, "wb") as file:
                    file.write(report)
                status = 0
            finally:
                traceback = sys.exc_info()[1]
                if traceback:
                    print(repr(traceback), file=sys.stderr, flush=True)
                os._exit(status)
        os.close(report_in)
        pipes.append(report_out)
    os.close(gate_in)
    for report_out in pipes:
        with open(report_out, "rb") as file:
            print(file.read().decode(), flush=True)
    for _ in range(writers):
        _, status = os.wait()
        if status:
            sys.exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
