"""A shell example in a document may hold any letter: to check it must not take the process down."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = "import sys; from latches.checks import code; print(code._shell(sys.stdin.buffer.read().decode()))"


@pytest.mark.parametrize(
    "text",
    [
        "rm \u00c9\U000eddf9J9\u008d{\U000cd417L\U0008acce",
        "echo {\U0010fffda",
        "echo 'Gr\u00fc\u00dfe' # \u4f60\u597d\nif",
    ],
)
def test_letters_beyond_ascii_do_not_end_the_process(text: str) -> None:
    done = subprocess.run([sys.executable, "-c", CODE], input=text.encode(), capture_output=True, timeout=60)
    assert done.returncode == 0, done
    said = done.stdout.decode().strip()
    assert said == "None" or said.startswith("(")
    assert "_" not in said, "the letters are shown as they are"
