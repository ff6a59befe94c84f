"""bytes: what is written to a text must be text: valid UTF-8 without NUL."""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts, Texts
from firewall.writes.rules.base import example

NAME = "bytes"
STRUCTURAL = False


def check(facts: Facts, texts: Texts) -> list[Finding]:
    """Blocks invalid UTF-8 and NUL, with the byte and its line."""
    data = facts.proposed
    if data is None:
        return []
    findings = []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        findings.append(
            _finding(facts.path, data, error.start, "is not valid UTF-8", f"0x{data[error.start]:02x}")
        )
    nul = data.find(b"\0")
    if nul >= 0:
        findings.append(_finding(facts.path, data, nul, "has a NUL byte", "0x00"))
    return findings


def _finding(path: str, data: bytes, offset: int, problem: str, byte: str) -> Finding:
    line = data.count(b"\n", 0, offset) + 1
    message = (
        f"{path}: the proposal {problem} (byte {byte} at offset {offset}, line {line}). Send UTF-8 text."
    )
    return Finding(NAME, Outcome.BLOCK, message, {"offset": offset, "line": line, "byte": byte})


EXAMPLES = (
    example("latin-1", "café", "café".encode("latin-1"), True),
    example("a NUL", "one two", "one\0two", True),
    example("half a character", "é", "é".encode()[:1], True),
    example("UTF-16", "hello", "hello".encode("utf-16"), True),
    example("plain", "one", "two", False),
    example("every script", "one", "ein Ü, 一, ไทย, 👩‍🚀", False),
    example("an old file in latin-1 may become UTF-8", "café".encode("latin-1"), "café", False),
)
