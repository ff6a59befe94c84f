"""Words of a shell command as its text says them, and the command that wrappers such as sudo run. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node


class Word(NamedTuple):
    """A word of a command: its text with quotes taken off. `pattern`: the shell replaces it by names that match it."""

    text: str
    pattern: bool = False


_TAKES_NONE = frozenset(("command", "builtin", "exec", "nohup", "time", "setsid", "doas", "then", "do"))
_VALUES = {
    "sudo": ("-u", "-g", "-h", "-p", "-C", "-T", "--user", "--group"),
    "env": ("-u", "--unset", "-C", "--chdir", "-S"),
    "nice": ("-n", "--adjustment"),
    "ionice": ("-c", "-n"),
    "timeout": ("-s", "-k", "--signal", "--kill-after"),
    "stdbuf": ("-i", "-o", "-e"),
    "uv": (),
    "uvx": (),
    "pipx": (),
    "poetry": (),
}
_RUNNERS = ("uv", "pipx", "poetry")


def unwrapped(words: Sequence[Word | None]) -> Sequence[Word | None]:
    """The command that wrappers such as sudo, env and timeout run."""
    at = 0
    while at < len(words):
        wrapper = words[at]
        name = wrapper.text.rsplit("/", 1)[-1] if wrapper is not None else ""
        if name not in _TAKES_NONE and name not in _VALUES:
            return words[at:]
        at += 1
        while at < len(words):
            word = words[at]
            if word is None:
                return ()
            if word.text in _VALUES.get(name, ()):
                at += 2
            elif word.text.startswith("-") or (name in ("env", "sudo") and "=" in word.text):
                at += 1
            else:
                break
        if name == "timeout":
            at += 1
        if name in _RUNNERS and at < len(words):
            run = words[at]
            if run is None or run.text != "run":
                return ()
            at += 1
    return ()


def parted(given: Sequence[Word | None]) -> tuple[list[str], list[Word]]:
    """Flags, and the names that can be told."""
    flags: list[str] = []
    names: list[Word] = []
    for i, word in enumerate(given):
        if word is None:
            continue
        if word.text == "--":
            names += [w for w in given[i + 1 :] if w is not None]
            break
        if word.text.startswith("-") and len(word.text) > 1:
            flags.append(word.text)
        else:
            names.append(word)
    return flags, names


def joined(folder: str, name: str) -> str:
    """A name as seen from where the folder is relative to."""
    if name.startswith(("/", "~")) or not folder:
        return name
    return f"{folder}/{name}"


_GLOB = Pattern(r"[*?\[]")
_ESCAPE = Pattern(r"\\(.)", re.DOTALL)


def as_ascii(command: str) -> str:
    """The command with every other letter as `_`, place for place. The grammar's scanner asks C's tables about
    letters that are not in them, and takes the whole process down with it."""
    return command if command.isascii() else re.sub(r"[^\x00-\x7f]", "_", command)


def word_of(node: Node, command: str) -> Word | None:
    """The word that a node is, None where the shell would put in what nobody knows here."""
    text = command[node.start_byte : node.end_byte]
    if node.type in ("word", "number"):
        if text.startswith("$") or "`" in text:
            return None
        plain = _ESCAPE.sub(r"\1", text)
        return Word(plain, bool(_GLOB.search(_ESCAPE.sub("", text))))
    if node.type == "raw_string":
        return Word(text[1:-1])
    if node.type == "string":
        parts = [c for c in node.named_children if c.type != "string_content"]
        if parts:
            return None
        return Word(re.sub(r"\\([\\\"$`\n])", r"\1", text[1:-1]))
    if node.type == "concatenation":
        words = [word_of(child, command) for child in node.children]
        if any(w is None for w in words) or any(c.type == "brace_expression" for c in node.children):
            return None
        joined = "".join(w.text for w in words if w is not None)
        if re.search(r"\{[^{}]*(?:,|\.\.)[^{}]*\}", text):
            return None
        return Word(joined, any(w.pattern for w in words if w is not None))
    return None
