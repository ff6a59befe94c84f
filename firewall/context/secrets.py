"""Keys and passwords by their published formats (secrets.toml), in linear time.

An Aho-Corasick pass over the text finds which formats' keywords are there at all; only their patterns run, under
RE2. Where a format is loose, the match must look random too (Shannon entropy) and be no placeholder.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from firewall.context.spans import Taken, gone
from firewall.values import NamedTuple
from firewall.verdict import Finding

# Names that end like a secret's and are none: places in a list, marks of a request, and what a name is made of.
_NO_SECRET = re.compile(
    r"(?i)(?:arn:[\w:./-]{0,120}|(?:next|page|continuation|pagination|client|request|lock|idempotency|sync|cancell?ation|resume"
    r"|change|start|starting|design|upload|delete|page_?|next_?page|previous|prev|cursor|marker|revision|max|min|num|eos|bos"
    r"|pad|unk|mask|sep|cls)[_-]?token(?:s|_?id)?[\"'`*]{0,4}\s{0,3}(?:=>|:=|=|:|\||\sis\s)[*]{0,3}\s{0,3}[\"'`]?"
    r"|tokeni[sz](?:er?s?|ing|ation)[\w-]{0,20}[\"'`*]{0,4}\s{0,3}(?:=>|:=|=|:|\||\sis\s)[*]{0,3}\s{0,3}[\"'`]?)$"
)
# A value that is computed or filled in elsewhere: `$NAME`, `$request.header.x`, `settings.KEY[0]`, `%s`, `{{ x }}`.
_REFERENCE = re.compile(
    r"[$%@&*]?[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_$][\w-]*)+[\[(]?|\$[A-Za-z_][\w.-]*|--?[a-z][a-z-]*=?.*"
)
# A type that is named for what it holds: `private_key: Ed25519PrivateKey`.
_TYPE = re.compile(
    r"(?:[A-Z][a-z]{1,14}\d{0,5}){1,5}(?:Key|Token|Secret|Password|Credential|Provider|Factory|Type|Str|Bytes|Config|Store)s?"
)
_NAMED = ("assigned-secret", "aws-secret-access-key", "tagged-secret", "option-secret")
"""Formats that go by the name before the value."""
_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|your[_-]?|dummy|change[_-]?me|redacted|<|\.\.\.|\*\*\*|xxxx|sample|insert|replace[_-]|todo"
)


class Format(NamedTuple):
    """One published format; `loose` ones are judged by entropy and placeholders too."""

    ident: str
    keywords: tuple[str, ...]
    pattern: Any
    entropy: float
    loose: bool


@lru_cache(maxsize=1)
def formats() -> tuple[Format, ...]:
    """The formats of secrets.toml, compiled."""
    import tomllib
    from importlib.resources import files

    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 32 << 20
    data = tomllib.loads(files("firewall.context").joinpath("secrets.toml").read_text("utf-8"))
    return tuple(
        Format(
            entry["id"],
            tuple(entry["keywords"]),
            re2.compile(entry["pattern"], options),
            float(entry.get("entropy", 2.0)),
            "entropy" in entry,
        )
        for entry in data["format"]
    )


@lru_cache(maxsize=1)
def _keywords() -> tuple[Any, tuple[frozenset[int], ...]]:
    """One automaton of all keywords, and for each the formats it belongs to."""
    import ahocorasick_rs

    owners: dict[str, set[int]] = {}
    for index, entry in enumerate(formats()):
        for keyword in entry.keywords:
            owners.setdefault(keyword, set()).add(index)
    automaton = ahocorasick_rs.AhoCorasick(list(owners))
    return automaton, tuple(frozenset(indexes) for indexes in owners.values())


def find(text: str) -> Iterator[Finding]:
    """The secrets in `text`, which has no lone surrogates. Evidence names the format, never the secret."""
    automaton, owners = _keywords()
    met = {hit[0] for hit in automaton.find_matches_as_indexes(text, overlapping=True)}
    wanted: set[int] = set()
    for keyword in met:
        wanted |= owners[keyword]
    taken = Taken()
    for index in sorted(wanted):
        entry = formats()[index]
        for match in entry.pattern.finditer(text):
            group = 1 if match.re.groups else 0
            start, end = match.span(group)
            secret = text[start:end]
            if taken.overlaps(start, end):
                continue
            if entropy(secret) < entry.entropy or (entry.loose and _ordinary(secret)):
                continue
            if entry.ident in _NAMED and (
                _REFERENCE.fullmatch(secret)
                or _TYPE.fullmatch(secret)
                or _NO_SECRET.search(text, max(start - 160, 0), start)
            ):
                continue
            taken.add(start, end)
            message = f"A secret was found: {entry.ident.replace('-', ' ')}, {end - start} characters."
            yield gone(start, end, "secret", message, {"format": entry.ident})


def entropy(text: str) -> float:
    """Shannon entropy of the characters of `text`, in bits a character."""
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values()) if total else 0.0


def _ordinary(secret: str) -> bool:
    """Is it a placeholder, or words, a path or a name rather than something random?"""
    if _PLACEHOLDER.search(secret):
        return True
    has_digit = any(c.isdigit() for c in secret)
    if not has_digit:
        return not any(c in "!#$%^&*" for c in secret)
    words = re.findall(r"[A-Z]?[a-z]{3,}|[A-Z]{5,}", secret)
    return sum(map(len, words)) > 0.6 * len(secret)
