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


def filled_keys(text: str) -> frozenset[str]:
    """Those keys of front matter that have a value, behind them or on the lines below; none where a quotation mark
    opens a value and nothing closes it, since nobody can read the whole then. Linear."""
    found = set()
    last = ""
    lines = text.split("\n")
    final_quote = text.rfind('"')
    at = 0
    for line in lines:
        end = _END.search(line)
        key = line[: end.start()].rstrip() if end else ""
        if end and _KEY.fullmatch(key):
            last = key.strip("\"' ")
            value = line[end.end() :].strip()
            if value.startswith('"') and final_quote == at + line.find('"', end.end()):
                return frozenset()
            if value and value not in ('""', "''", "null", "~"):
                found.add(last)
        elif last and line.strip():
            found.add(last)
        at += len(line) + 1
    return frozenset(found)


def named_keys(text: str) -> frozenset[str]:
    """What a piece of front matter, cut at any place, may name as a key: its keys and its words. Linear."""
    return front_keys(text) | frozenset(_WORD.findall(text))
