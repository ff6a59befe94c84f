"""Standard streams whose state changes no verdict: a reader that went away, a full disk, a closed descriptor,
a narrow encoding.

The exit status of `stet write` is what an agent's hook acts on, so it is that of the decision, whoever reads the
words.
"""

from __future__ import annotations

import codecs
import io
import os
import select
import sys
from typing import Any, TextIO

ESCAPE = "stet-escape"
"""What cannot be encoded (a lone surrogate, any letter under ASCII) is written as JSON escapes it."""


class _Patient(io.FileIO):
    """A descriptor whose writes never raise: after the first failure they are dropped, and `failure` says why."""

    failure = ""
    gone = False

    def write(self, data: Any) -> int:
        """All of `data`, or none of it and of what follows."""
        size = memoryview(data).nbytes
        while not self.gone:
            try:
                done = super().write(data)
            except BrokenPipeError:
                self.gone = True
            except OSError as error:
                self.gone, self.failure = True, error.strerror or str(error)
            else:
                if done is not None:
                    return done
                select.select([], [self], [])  # a pipe that does not block is full: wait for its reader
        return size


def make_patient() -> None:
    """Replace standard output and error, and give closed descriptors somewhere to lead."""
    if os.name != "posix":
        return
    codecs.register_error(ESCAPE, _escaped)
    for fd in (0, 1, 2):  # else the next file opened gets the number, and what is printed goes into it
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _stream(1, sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _stream(2, sys.stderr)


def failure() -> str:
    """Why standard output could not take all that was said, '' where it could or nobody was there to read."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.failure if isinstance(raw, _Patient) else ""


def _stream(fd: int, like: TextIO | None) -> TextIO:
    raw = _Patient(fd, "w", closefd=False)
    encoding = like.encoding if like is not None else "utf-8"
    terminal = raw.isatty()
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=encoding, errors=ESCAPE, line_buffering=terminal or fd == 2
    )


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[i : i + 2] for i in range(0, len(units), 2))
    return "".join(f"\\u{int.from_bytes(pair, 'big'):04x}" for pair in pairs), error.end
