"""Text from elsewhere, made safe to print: a file's name may hold escapes that move an operator's cursor."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""`text` on one line, with all that Unicode calls unprintable shown as escapes such as `\x1b` or `\u202e`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
