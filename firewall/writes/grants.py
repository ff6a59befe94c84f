"""What a person permits ahead of time: named rules are lifted for a path or glob, N times, until a moment."""

from __future__ import annotations

import difflib
import re
import secrets
from collections.abc import Sequence
from pathlib import Path

from firewall.errors import NotFound, UsageError
from firewall.text.printable import printable
from firewall.writes import cases, paths, person
from firewall.writes.holding import LIFTED
from firewall.writes.proxy import WriteProxy
from firewall.writes.records import Grant
from firewall.writes.rules import ALL

STRUCTURAL = "structural"
"""Stands for every rule that a grant may lift."""
LONGEST = 366 * 86_400.0
"""Seconds that a grant may last at most."""
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


class UnknownRule(UsageError):
    """A rule that does not exist."""

    code = "unknown-rule"
    template = "There is no rule {name!r}{nearest}."
    next_step = "A grant can lift: {known}."


class NeverLifted(UsageError):
    """A rule that no grant lifts."""

    code = "never-lifted"
    template = "The rule {name} guards bytes or paths, and no grant lifts it."
    next_step = "A grant can lift: {known}. If the rule is wrong about a text, write the file yourself."


class BadGrant(UsageError):
    """A grant with a path, a number or a time that cannot be."""

    code = "bad-grant"
    template = "{detail}."
    next_step = "For example: stet allow docs/old.md --rule delete --uses 1 --for 2h"


def allow(proxy: WriteProxy, where: str, rules: Sequence[str], uses: int, seconds: float) -> Grant:
    """Issue a grant. Raises UnknownRule, NeverLifted, BadGrant, NeedsPerson."""
    named = checked(rules)
    if uses < 1:
        raise BadGrant(detail=f"A grant for {uses} writes permits nothing")
    if not 0 < seconds <= LONGEST:
        raise BadGrant(detail="A grant lasts more than no time and at most 366 days")
    pattern = _pattern(proxy, where)
    many = "1 write" if uses == 1 else f"{uses} writes"
    what = f"This lifts {', '.join(named)} for {many} of {printable(pattern)} within {in_words(seconds)}."
    how = person.require(proxy.ledger, "allow", what)
    origin = proxy.origin()
    given = Grant(f"G{secrets.token_hex(4)}", origin.at, pattern, named, uses, origin.at + seconds)
    with proxy.ledger.transaction():
        cases.grant(proxy.ledger, given)
        proxy.ledger.append("grant", origin.at, source="operator", data={**given._asdict(), "by": how})
    return given


def revoke(proxy: WriteProxy, ident: str) -> None:
    """Take what is left of a grant back. Raises NotFound, NeedsPerson."""
    if ident not in {g.id for g in cases.grants(proxy.ledger, proxy.origin().at)}:
        raise NotFound(what="grant in force", name=ident, fix="`stet allow --list` shows them.")
    how = person.require(proxy.ledger, "allow --revoke", f"This takes the grant {ident} back.")
    origin = proxy.origin()
    with proxy.ledger.transaction():
        cases.revoke_grant(proxy.ledger, ident)
        proxy.ledger.append("revoke", origin.at, source="operator", data={"grant": ident, "by": how})


def checked(rules: Sequence[str]) -> tuple[str, ...]:
    """The rules by name, each once; `structural` stands for all that a grant may lift."""
    known = {rule.name for rule in ALL}
    can = sorted(LIFTED)
    out: list[str] = []
    for name in rules:
        if name == STRUCTURAL:
            out += can
        elif name in LIFTED:
            out.append(name)
        elif name in known:
            raise NeverLifted(name=name, known=", ".join(can))
        else:
            close = difflib.get_close_matches(name, [*can, STRUCTURAL, *known], 1, 0.5)
            raise UnknownRule(name=name, nearest=f"; did you mean {close[0]}" if close else "", known=", ".join(can))
    return tuple(dict.fromkeys(out))


def parse_time(text: str) -> float:
    """Seconds of `90s`, `30m`, `2h` or `3d`. Raises BadGrant."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?)\s*([smhd])", text.strip().lower())
    if found is None:
        raise BadGrant(detail=f"{text!r} is no length of time; say 30m, 2h or 3d")
    return float(found.group(1)) * _UNITS[found.group(2)]


def in_words(seconds: float) -> str:
    """A length of time in its largest whole unit: 2 h, 3 d."""
    for unit, size in reversed(_UNITS.items()):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:g} s"


def _pattern(proxy: WriteProxy, where: str) -> str:
    """The path below the project, or the glob below it, that the person means from where they stand."""
    if not any(c in where for c in "*?"):
        target = paths.resolve(Path(where), proxy.root, proxy.state)
        if target.problem:
            raise BadGrant(detail=f"{printable(where)} {target.problem}")
        return target.relative
    here = Path.cwd().resolve()
    glob = Path(where)
    if ".." in glob.parts:
        raise BadGrant(detail=f"The glob {printable(where)} has `..` in it")
    if glob.is_absolute():
        if not glob.is_relative_to(proxy.root):
            raise BadGrant(detail=f"The glob {printable(where)} is outside the project")
        return glob.relative_to(proxy.root).as_posix()
    if here == proxy.root or not here.is_relative_to(proxy.root):
        return where
    return (here.relative_to(proxy.root) / glob).as_posix()
