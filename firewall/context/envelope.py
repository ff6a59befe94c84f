"""The envelope in which untrusted text enters a prompt: it cannot close it, and it cannot know its name."""

from __future__ import annotations

import re
import secrets


def as_data(text: str, name: str) -> str:
    """`text` between two tags that nothing inside can end.

    `&` is escaped first, then the brackets, so the escape itself cannot be forged; the name stands in an
    attribute with quotes and line ends escaped too. The tag holds a nonce of 64 random bits, new for every
    call, so text written beforehand cannot guess it.
    """
    tag = f"data-{secrets.token_hex(8)}"
    return f'<{tag} name="{_attribute(name)}">\n{_escaped(text)}\n</{tag}>'


def as_fenced_data(text: str, name: str) -> str:
    """`text` word for word in a Markdown fence longer than any run of backticks inside; for code and logs.

    The info string carries the name, cut to letters, digits and `._/-`, and a nonce.
    """
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(4, longest + 1)
    nonce = secrets.token_hex(8)
    label = re.sub(r"[^\w./-]", "_", name)[:100]
    return f"{fence}data-{nonce} {label}\n{text}\n{fence}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    out = _escaped(text).replace('"', "&quot;").replace("'", "&#39;")
    return "".join(c if c.isprintable() else f"&#{ord(c)};" for c in out)
