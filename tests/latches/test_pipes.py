"""A named pipe is no document, nor is a file of another kind of markup: read as Markdown, code would be prose."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from latches.documents import read


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "p.md"
    os.mkfifo(pipe)
    text, problem = read(pipe)
    assert text == ""
    assert "pipe" in problem


@pytest.mark.parametrize(
    ("name", "kind"), [("a.rst", "reStructuredText"), ("a.ADOC", "AsciiDoc"), ("a.tex", "TeX"), ("a.html", "HTML")]
)
def test_other_markup_is_not_read_as_markdown(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text("utilize::\n\n    utilize()\n")
    text, problem = read(tmp_path / name)
    assert text == ""
    assert kind in problem
    (tmp_path / "a.txt").write_text("words\n")
    assert read(tmp_path / "a.txt").text == "words\n"
