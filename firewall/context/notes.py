"""What is found in a text beyond its structure: orders to the model, secrets, personal data, open fences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from firewall.context import disguised, encoded, injection, personal, scan, secrets
from firewall.context.code import Code
from firewall.context.screen import Screen
from firewall.context.spans import Kept, Taken, gone, moved
from firewall.context.views import WORDS, WORDS_TOO, View, match_view, read_twice
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome


def placed(findings: Iterable[Finding], kept: Kept) -> Iterable[Finding]:
    """`findings` with their places in the raw text."""
    if kept.whole:
        return findings
    return [moved(f, *kept.raw(f.start, f.end)) for f in findings]


class Data(NamedTuple):
    """Personal data of a text: what a checksum vouches for, and contacts that are no part of that."""

    numbers: list[Finding]
    contacts: list[Finding]


Seams = Sequence[Sequence[int]]
"""Lists of offsets where something was taken out of a text that held apart what now meets."""


def data_of(text: str, seams: Seams = ()) -> Data:
    """The personal data in `text`, as findings that it goes; what was taken out at `seams` may end a number."""
    numbers = _datums(text, personal.numbers, seams)
    taken = Taken((d.start, d.end) for d in numbers)
    contacts = [d for d in _datums(text, personal.contacts, seams) if not taken.overlaps(d.start, d.end)]
    return Data(list(_data(numbers, "personal")), list(_data(contacts, "contact")))


def _datums(text: str, find: Callable[[str], Iterable[personal.Datum]], seams: Seams) -> list[personal.Datum]:
    hits = disguised.found(text, find, lambda datum: (datum.start, datum.end), seams)
    return [datum._replace(start=start, end=end) for datum, start, end in hits]


def _secrets(text: str, seams: Seams) -> list[Finding]:
    hits = disguised.found(text, secrets.find, lambda finding: (finding.start, finding.end), seams)
    return [moved(finding, start, end) for finding, start, end in hits]


def redactions(text: str, screen: Screen, data: Data, seams: Seams = ()) -> tuple[list[Finding], list[Finding]]:
    """Secrets in `text` and its personal data: what goes, and what blocks, by the screen."""
    goes: list[Finding] = []
    blocks: list[Finding] = []
    for outcome, found in (
        (screen.secrets, _secrets(text, seams)),
        (screen.personal, data.numbers),
        (screen.contacts, data.contacts),
    ):
        if outcome is Outcome.REDACT:
            taken = Taken((g.start, g.end) for g in goes)
            goes += (r for r in found if not taken.overlaps(r.start, r.end))
        elif outcome is Outcome.BLOCK:
            blocks += (r._replace(outcome=outcome) for r in found)
    goes.sort(key=lambda f: f.start)
    return goes, blocks


def _data(data: Iterable[personal.Datum], rule: str) -> Iterator[Finding]:
    for datum in data:
        message = f"Personal data was found: {datum.kind}, {datum.end - datum.start} characters."
        yield gone(datum.start, datum.end, rule, message, {"kind": datum.kind})


def last_look(
    text: str, special: frozenset[str], code: Code, screen: Screen, kept: Kept, data: Data | None
) -> Iterator[Finding]:
    """What is said of the clean text without changing it. No `data`: the quick look (gate.py) saw none."""
    for start in code.unclosed:
        message = "A code fence opens here and nothing closes it; it was left as it is."
        yield from placed([Finding("open-fence", Outcome.ALLOW, message, {}, start, start + 3)], kept)
    if data is not None:
        if screen.personal is Outcome.ALLOW:
            yield from _kept(data.numbers, kept)
        if screen.contacts is Outcome.ALLOW:
            yield from _kept(data.contacts, kept)
    said: list[Finding] = []
    if data is not None or encoded.maybe(special, text):
        for run in encoded.find(text):
            said += _encoded_orders(run, code, screen, kept)
    yield from said
    taken = Taken((f.start, f.end) for f in said) if said else None
    for finding in orders(text, code, screen, plain=special <= _MARKUP):
        start, end = kept.raw(finding.start, finding.end)
        if taken is None or taken.around(start, end) < 0:  # else it is what an encoded run says, found already
            yield moved(finding, start, end)


def _kept(found: Iterable[Finding], kept: Kept) -> Iterable[Finding]:
    """What is only reported."""
    return placed([f._replace(outcome=Outcome.ALLOW) for f in found], kept)


_MARKUP = frozenset("^$@[")
"""Signs that say nothing of how a text reads; any other, such as `&`, asks for the MATCH view."""


_QUOTED = r"=[2-7][0-9A-F][!-~]{0,40}=[2-7][0-9A-F]|[A-Za-z]=\r?\n[A-Za-z=]"
"""Signs of quoted-printable, which needs the MATCH view too."""


def orders(text: str, code: Code | None, screen: Screen, *, plain: bool, even: bool = False) -> Iterator[Finding]:
    """Instructions aimed at the model in `text`. `plain` says that its folded form is just its lower case, `even` that
    it asks for no other reading (injection.py)."""
    view = None
    if "\r" in text:  # rules look for the ends of lines and paragraphs; places stay what they are
        text = text.replace("\r\n\r\n", "  \n\n").replace("\r\n", " \n")
    plain = plain and text.isascii() and not ("=" in text and scan.has(_QUOTED, text))
    folded = text.lower() if plain else ""
    if not folded:
        view = match_view(text)
        folded = view.text
    found = list(injection.find(folded, even=even and view is None))
    for order in found:
        start, end = view.place(order.start, order.end) if view else (order.start, order.end)
        yield _placed(order, start, end, code, screen)
    for other in chain(_other_views(text) if view is not None else (), _torn_views(text)):
        known = {order.rule for order in found}
        for order in injection.find(other.text):
            if order.rule not in known:
                yield _placed(order, *other.place(order.start, order.end), code, screen)


_STRUNG = r"[A-Za-z][~*][A-Za-z]{2,20}[~*][A-Za-z]{2,20}[~*][A-Za-z]"
_STRING = re.compile(r"(?<=[A-Za-z])[~*](?=[A-Za-z])")


def _other_views(text: str) -> Iterator[View]:
    """Of a text with letters that look like two, and of one with strokes or stars for blanks, the other view."""
    if read_twice(text):
        yield match_view(text, WORDS_TOO)
    if ("~" in text or "*" in text) and scan.has(_STRUNG, text):
        yield match_view(_STRING.sub(" ", text))


_TORN = (
    r"[A-Za-z](?:==[A-Za-z]{1,3}==|\$[A-Za-z]{0,3}\$|\^[A-Za-z]{1,3}\^)[A-Za-z \n]"
    r"[^=$^]{1,60}[A-Za-z](?:==|\$|\^)[A-Za-z$]"
)
_TEARS = re.compile(r"(?<=[A-Za-z])(?:==|\$|\^)([A-Za-z]{0,3})(?:==|\$|\^)")


def _torn_views(text: str) -> Iterator[View]:
    """Of a text whose words are marked, raised or set as formulas by the letter, the view without these signs."""
    if any(sign[0] in text and text.count(sign) >= _SIGNS for sign in ("==", "$", "^")) and scan.has(_TORN, text):
        edits = [(m.start(), m.end(), m[1]) for m in _TEARS.finditer(text)]
        yield View(text, WORDS, edits)


_SIGNS = 4


def _placed(order: injection.Order, start: int, end: int, code: Code | None, screen: Screen) -> Finding:
    in_code = code is not None and code.holds(start, end)
    return _order(order.rule, order.severity, start, end, "in code" if in_code else order.how, screen)


def _order(rule: str, severity: str, start: int, end: int, how: str, screen: Screen) -> Finding:
    evidence: dict[str, object] = {"id": rule, "severity": severity}
    if how:
        evidence["how"] = how
    if how and how != "encoded":
        message = f"An instruction aimed at a model stands here, {how}: {rule}. It was left."
        return Finding("injection", Outcome.ALLOW, message, evidence, start, end)
    message = f"An instruction aimed at the model stands here: {rule}, severity {severity}."
    return Finding("injection", screen.injection, message, evidence, start, end)


def _encoded_orders(run: encoded.Run, code: Code, screen: Screen, kept: Kept) -> Iterator[Finding]:
    """What an encoded run says, judged as if it stood there in the clear."""
    in_code = code.holds(run.start, run.end)
    for order in injection.find(match_view(run.said).text):
        low, high = kept.raw(run.start, run.end)
        how = "in code" if in_code else "encoded"
        finding = _order(order.rule, order.severity, low, high, how, screen)
        yield finding._replace(evidence={**finding.evidence, "encoding": run.how})
        return
