"""Cleaning a text on its way to a prompt: take out what is noise, hidden or secret, say what went, keep the rest.

The result is the raw text less the removed spans, so it never grows and nothing in it is rewritten. A pass
looks at the text as it stands, and passes repeat until one finds nothing, so what a removal puts together
is looked at again and cleaning twice is cleaning once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress

from firewall.context import (
    citations,
    definitions,
    disguised,
    gate,
    html,
    hunks,
    invisible,
    latex,
    limits,
    notes,
    quick,
)
from firewall.context.code import OPAQUE, Code
from firewall.context.found import Gathered
from firewall.context.screen import DEFAULT, Screen
from firewall.context.shown import both_seams, glued, seams, shown_view
from firewall.context.spans import Kept, gone, merged, stays
from firewall.context.views import View
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome

_BLANKS = re.compile(r"\n[ \t\r]*\n((?:[ \t\r]*\n)+)")
_LOOSE = re.compile(r"\n[ \t]+\r?\n")
_MATH = re.compile(r"\\(?:[(\[]|begin|documentclass)")
_STRUCTURE = frozenset("<[\\^&【\ue200:")


class Cleaned(NamedTuple):
    """`text` is the raw text less what was removed; each finding's offsets point into the raw text.

    `findings` is equal to a tuple, and may be made when it is first looked at (found.py).
    """

    text: str
    findings: Sequence[Finding]


class Result(NamedTuple):
    """What `clean` found out: with `kept`, the map from the clean text's offsets to the raw ones.

    `shown` is a view of the clean text where that reads otherwise than it stands (shown.py).
    """

    text: str
    findings: Sequence[Finding]
    kept: Kept
    shown: View | None = None


def sanitize(text: str, screen: Screen = DEFAULT) -> Cleaned:
    """`text` without what is noise, hidden or secret, and what was found in it. `screen` says what to do with what.

    Code is left alone but for invisible characters and secrets. Text that passes a limit (limits.py) comes out
    empty, with a finding that blocks. A finding of outcome hold or block means: do not use the text.

    Cleaning the result again removes nothing more. Its verdict may be milder than this one, since an order may have
    stood at a seam that only the raw text shows: what was held or blocked is not asked about again.
    """
    result = clean(text, screen)
    return Cleaned(result.text, result.findings)


def clean(text: str, screen: Screen = DEFAULT) -> Result:
    """As `sanitize`, with the map back to the raw text."""
    if len(text) > limits.MAX_CHARACTERS:
        message = f"The text has {len(text)} characters; the limit is {limits.MAX_CHARACTERS}."
        return _refused(text, limits.TooMuch("size", message, limits.MAX_CHARACTERS), Gathered())
    special = gate.special(text)
    if not special:
        quiet = gate.quiet(text)
        if quiet or not gate.loud(text):
            found = notes.orders(text, Code(text), screen, plain=True, even=quiet)
            return Result(text, tuple(found), Kept(len(text)))
    return _with_shown(text, *_clean(text, special, screen), screen)


def _with_shown(raw: str, result: Result, code: Code | None, screen: Screen) -> Result:
    """`result` with what is found only as a reader would see it."""
    apart = seams(raw, result.findings) if result.kept.glued else []
    seen = shown_view(result.text, apart, code)
    if seen is None:
        return result
    known = {(f.rule, f.evidence.get("id")) for f in result.findings if f.outcome >= Outcome.HOLD}
    more = [
        f._replace(start=span[0], end=span[1])
        for f in notes.orders(seen.text, None, screen, plain=False)
        if f.outcome >= Outcome.HOLD and (f.rule, f.evidence.get("id")) not in known
        for span in [result.kept.raw(*seen.place(f.start, f.end))]
    ]
    if not more:
        return result._replace(shown=seen)
    found = Gathered()
    found.add((*result.findings, *more))
    return result._replace(findings=found.ordered(), shown=seen)


def _clean(text: str, special: frozenset[str], screen: Screen) -> tuple[Result, Code | None]:
    """What is found in `text`, and the code of what is left."""
    kept = Kept(len(text))
    found = Gathered()
    current = text
    told = False
    tidy = True  # has the text, as it stands, no run of blank lines to shorten?
    try:
        for _ in range(limits.MAX_PASSES):
            code = Code(current)
            removals, faint, short = _structure(current, special, code)
            if short is not None:
                current = _cut_short(current, short, code, found, kept)
                tidy = not code.in_blocks
                special = gate.special(current)
                continue
            if faint:
                found.add(notes.placed(faint, kept))
                told = True
            if not removals and not tidy:
                shorter = _shortened(current, code, found, kept)
                tidy = True
                if len(shorter) < len(current):
                    current, special = shorter, gate.special(shorter)
                    continue
            data = None
            if not removals:
                loud = "@" in special or gate.loud(current) or disguised.loud(current, special)
                apart = both_seams(text, found.by_place()) if loud and not kept.whole else ()
                data = notes.data_of(current, apart) if loud else None
                if data is not None:
                    removals, blocks = notes.redactions(current, screen, data, apart)
                    found.add(notes.placed(blocks, kept))
            if not removals:
                cut = found.count
                found.add(notes.last_look(current, special, code, screen, kept, data))
                return Result(current, found.ordered(told=told or found.count > cut), kept), code
            current = _cut(current, removals, found, kept)
            tidy = not code.in_blocks
            if tidy:  # what the next pass would do; this saves one
                current = _shortened(current, None, found, kept)
            special = gate.special(current)
        message = (
            f"After {limits.MAX_PASSES} passes there was still something to remove. Text that is not nested on "
            "purpose needs two or three."
        )
        raise limits.TooMuch("passes", message, limits.MAX_PASSES)
    except limits.TooMuch as error:
        return _refused(text, error, found), None


def _cut(text: str, removals: list[Finding], found: Gathered, kept: Kept) -> str:
    """`text` less `removals`, which are added to `found` with their raw places."""
    found.room(len(removals))
    found.add(notes.placed(removals, kept))
    spans = merged([(r[4], r[5]) for r in removals])
    starts, ends = [a for a, _ in spans], [b for _, b in spans]
    kept.cut(starts, ends)
    parts = stays(text, starts, ends)
    kept.glued = kept.glued or glued("\0".join(parts))
    return "".join(parts)


def _cut_short(text: str, short: quick.Short, code: Code, found: Gathered, kept: Kept) -> str:
    """`text` less what the short way takes out, and where it has no blocks of code, less the blank lines that makes."""
    found.room(short.count)
    first = kept.whole
    if first:
        found.later(short.count, short.findings)
        kept.cut_later(short.spans)
    else:
        found.add(notes.placed(short.findings(), kept))
        kept.cut(*short.spans())
    gapped = short.stays
    if gapped:
        current = gapped.replace(quick.GAP, "")
    else:  # of code the short way knows nothing
        parts = stays(text, *short.spans())
        gapped, current = quick.GAP.join(parts), "".join(parts)
        first = first and quick.GAP not in current
    kept.glued = kept.glued or glued(gapped)
    if code.in_blocks or not _has_blanks(current):
        return current
    if not first:
        return _shortened(current, None, found, kept)
    return _without_blanks(current, *quick.blank_runs(gapped), found, kept)


def _refused(text: str, error: limits.TooMuch, found: Gathered) -> Result:
    """Nothing of a text that passes a limit may be used."""
    kept = Kept(len(text))
    if text:
        kept.cut([0], [len(text)])
    evidence = {"limit": error.what, "most": error.limit}
    return Result("", (*found.ordered(), Finding("limit", Outcome.BLOCK, error.message, evidence)), kept)


def _structure(
    text: str, special: frozenset[str], code: Code
) -> tuple[list[Finding], list[Finding], quick.Short | None]:
    """What goes out of `text` now, what some readers do not see, and the short way to the first, if there was one."""
    removals: list[Finding] = []
    faint: list[Finding] = []
    if "&" in special or not gate.plain(special):
        removals += invisible.find(text, code, special)
    if not (special & _STRUCTURE or ":content" in text):
        return removals, faint, None
    if "<" not in special and not any(one.maybe(text) for one in (citations, latex, definitions)):
        return removals, faint, None
    masked = code.mask(text)
    if hunks.maybe(masked):
        masked = hunks.mask(masked)
    if not removals and not code.indented and "$" not in special and not _MATH.search(text):
        short = quick.find(masked)
        if short is not None:
            if masked is not text:
                short.stays = ""  # there is code in it, which the short way does not see
            return removals, faint, short
    if "<" in special:
        found = html.find(masked, text)
        if code.indented and found.inside:
            masked = hunks.mask(code.mask(text, found.inside))
            found = html.find(masked, text)
        removals += found.removals
        faint = found.faint
    prose = _mask(masked, latex.math_spans(masked))
    removals += citations.find(prose)
    removals += latex.find(prose)
    comments, unseen = definitions.find(prose)
    return [*removals, *comments], [*faint, *unseen], None


def _has_blanks(text: str) -> bool:
    """May `text` have runs of two blank lines and more?"""
    return "\n\n\n" in text or "\n\r\n\r\n" in text or _LOOSE.search(text) is not None


def _shortened(text: str, code: Code | None, found: Gathered, kept: Kept) -> str:
    """`text` with runs of two blank lines and more made one where something was removed; others are the author's."""
    if kept.whole or not _has_blanks(text):
        return text
    runs = list(_BLANKS.finditer(code.mask(text) if code else text))
    runs = list(compress(runs, kept.were_cut([run.start() for run in runs], [run.end() for run in runs])))
    return _without_blanks(text, [run.start(1) for run in runs], [run.end() for run in runs], found, kept)


def _without_blanks(text: str, starts: list[int], ends: list[int], found: Gathered, kept: Kept) -> str:
    """`text` without the blank lines from `starts` to `ends`."""
    if not starts:
        return text
    found.room(len(starts))
    depth = kept.depth
    found.later(
        len(starts),
        lambda: [gone(a, b, "blank-lines", _SHORTENED) for a, b in kept.raw_all(starts, ends, depth)],
    )
    kept.cut(starts, ends)
    return "".join(stays(text, starts, ends))


_SHORTENED = "A run of blank lines was shortened to one."


def _mask(text: str, spans: list[tuple[int, int]]) -> str:
    parts = []
    at = 0
    for start, end in spans:
        parts += [text[at:start], OPAQUE * (end - start)]
        at = end
    return "".join([*parts, text[at:]]) if spans else text
