"""The keys that front matter has, by its lines. Pure."""

from __future__ import annotations

from firewall.text.pattern import Pattern

_KEY = Pattern(r"[A-Za-z0-9_\"'][\w\"' .-]*")
_END = Pattern(r"[:=]")
_WORD = Pattern(r"[\w.-]+")


def front_keys(text: str) -> frozenset[str]:
    """The top-level keys of YAML or TOML front matter: what stands before the first `:` or `=` of a line that does
    not begin with a blank. Linear."""
    found = set()
    for line in text.split("\n"):
        end = _END.search(line)
        key = line[: end.start()].rstrip() if end else ""
        if _KEY.fullmatch(key):
            found.add(key.strip("\"' "))
    return frozenset(found)


def named_keys(text: str) -> frozenset[str]:
    """What a piece of front matter, cut at any place, may name as a key: its keys and its words. Linear."""
    return front_keys(text) | frozenset(_WORD.findall(text))
