"""A proposal takes over the line ends of the file that it replaces. Pure."""

from __future__ import annotations

from firewall.text.shown import kind
from firewall.verdict import Finding, Outcome

NAME = "line-ends"


def match(path: str, old: bytes | None, new: bytes) -> tuple[bytes, list[Finding]]:
    """The proposal with the line ends that the file has all through, and a finding where that changed it."""
    if not old or not (b"\r" in old or b"\r" in new) or kind(path) == "notebook":
        return new, []
    crlf = old.count(b"\r\n")
    bare = old.count(b"\n") - crlf
    if crlf and not bare:
        matched = new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        ends = "CRLF"
    elif bare and not crlf:
        matched = new.replace(b"\r\n", b"\n")
        ends = "LF"
    else:
        return new, []
    if matched == new:
        return new, []
    message = f"{path}: the line ends of the proposal were brought to the file's own ({ends})."
    return matched, [Finding(NAME, Outcome.ALLOW, message, {"line_ends": ends})]
