"""A named pipe is no document: nobody may ever write to it, and a command that reads it would wait."""

from __future__ import annotations

import os
from pathlib import Path

from latches.documents import read


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "p.md"
    os.mkfifo(pipe)
    text, problem = read(pipe)
    assert text == ""
    assert "pipe" in problem
