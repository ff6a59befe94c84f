"""From uses of terms to findings. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from operator import attrgetter

from firewall.policy.style import Style
from firewall.text.markdown import MARKUP, Document, ProseBlock
from firewall.text.words import count_words
from latches.style.hit import Scan, Silenced, StyleHit, Use
from latches.style.silence import Cover, Silence, silences

Rules = dict[str, tuple[str, ...]]
COUNTING = frozenset(("banned", "ceiling"))
"""Rules whose findings hang on nothing but the number and the order of a term's uses."""
PLACE = attrgetter("start", "end", "rule", "term")
"""The order of findings."""


def rules_by_term(style: Style) -> Rules:
    """The rules that speak of each term."""
    out: dict[str, list[str]] = {}
    for rule, names in (
        ("banned", style.banned),
        ("ceiling", style.ceilings),
        ("density", style.per_thousand),
    ):
        for name in names:
            out.setdefault(name, []).append(rule)
    for pair in style.apart:
        for name in pair.words:
            out.setdefault(name, []).append("apart")
    return {name: tuple(dict.fromkeys(rules)) for name, rules in out.items()}


def suspects(style: Style, found: dict[str, int]) -> tuple[set[str], bool]:
    """(terms that may break a rule when they stand `found` times at most, must the whole text be parsed).

    Only a rule that measures words between or in all needs the whole text.
    """
    names = {name for name in style.banned if found.get(name)}
    names |= {name for name, limit in style.ceilings.items() if found.get(name, 0) > limit}
    whole = False
    dense = {name for name, rate in style.per_thousand.items() if found.get(name, 0) > (1 if rate > 0 else 0)}
    if dense:
        names |= dense
        whole = True
    for pair in style.apart:
        if all(found.get(word) for word in pair.words):
            names.update(pair.words)
            whole = True
    return names, whole


def judged(
    style: Style, rules: Rules, doc: Document, blocks: list[ProseBlock], uses: list[Use], *, honour_off: bool
) -> Scan:
    """The findings. A silenced use counts for nothing."""
    comments = silences(doc) if honour_off else None
    active = comments.active if comments else ()
    kept, silenced, unused = _silenced(rules, active, uses)
    total = _prose_words(blocks) if any(rule == "density" for rule, _ in kept) else 0
    hits: list[StyleHit] = []
    for (rule, term), found in kept.items():
        if rule in COUNTING:
            hits += counted(style, rule, term, found, len(found))
        elif rule == "density":
            names = _instead(style, term)
            rate = style.per_thousand[term]
            limit = allowed(rate, total)
            message = (
                f'"{term}" is used {_times(len(found))} in {total} words; at {rate:g} in 1,000 words at most '
                f"{limit} may stand."
            )
            hits += _beyond(limit, rule, found, message, names)
    hits += _apart(style, blocks, kept)
    if comments:
        hits += _about_comments(doc, comments.faulty, [silence.place for silence in unused])
    return Scan(sorted(hits, key=PLACE), silenced)


def counted(style: Style, rule: str, term: str, uses: list[Use], total: int, before: int = 0) -> list[StyleHit]:
    """Findings of a rule that counts, among `uses` of its term; of `total` in the document `before` came earlier."""
    names = _instead(style, term)
    if rule == "banned":
        instead = f" Write {_or(names)}." if names else ""
        message = f'"{term}" may not stand in prose.{instead}'
        return [StyleHit(rule, term, use.start, use.end, message, names, total) for use in uses]
    limit = style.ceilings[term]
    message = f'"{term}" is used {_times(total)}; at most {limit} may stand.'
    over = uses[max(0, limit - before) :]
    return [StyleHit(rule, term, use.start, use.end, message, names, total, limit) for use in over]


def only_counts(style: Style, totals: Mapping[str, int]) -> bool:
    """Can a text with so many uses of each term break no rule but those that count them, whatever else stands there?"""
    for name, rate in style.per_thousand.items():
        if totals.get(name, 0) > (1 if rate > 0 else 0):
            return False
    return not any(all(totals.get(word) for word in pair.words) for pair in style.apart)


def allowed(rate: float, words: int) -> int:
    """Uses that a rate in 1,000 words allows a text of `words` words: one at least, unless the rate is 0."""
    return max(1, int(min(rate, 1000) * words / 1000)) if rate > 0 else 0  # TOML knows `inf`; all words are enough


def _silenced(
    rules: Rules, active: tuple[Silence, ...], uses: list[Use]
) -> tuple[dict[tuple[str, str], list[Use]], list[Silenced], list[Silence]]:
    """(uses left by rule and term, those silenced, comments that silence nothing)."""
    kept: dict[tuple[str, str], list[Use]] = {}
    if not active:
        by_term: dict[str, list[Use]] = {}
        for use in uses:
            by_term.setdefault(use.term, []).append(use)
        for term, found in by_term.items():
            kept.update(((rule, term), found) for rule in rules.get(term, ()))
        return kept, [], []
    cover = Cover(active)
    silenced: list[Silenced] = []
    for use in uses:
        for rule in rules.get(use.term, ()):
            by = cover.first(rule, use.term, use.start)
            if by is not None:
                silenced.append(Silenced(rule, use.term, use.start, use.end, by.reason))
            else:
                kept.setdefault((rule, use.term), []).append(use)
    unused = cover.unused((rule, use.term, use.start) for use in uses for rule in rules.get(use.term, ()))
    return kept, silenced, unused


def _beyond(limit: int, rule: str, found: list[Use], message: str, names: tuple[str, ...]) -> list[StyleHit]:
    """The uses after the first `limit`, in order of place."""
    return [StyleHit(rule, use.term, use.start, use.end, message, names, len(found), limit) for use in found[limit:]]


def _instead(style: Style, term: str) -> tuple[str, ...]:
    """What may replace a term; "=state" takes what is said of "state"."""
    return tuple(style.alternatives.get(term, style.alternatives.get(term.removeprefix("="), [])))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _or(names: tuple[str, ...]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _apart(style: Style, blocks: list[ProseBlock], kept: dict[tuple[str, str], list[Use]]) -> list[StyleHit]:
    """Uses of one of a pair that stand too near the last use of the other."""
    out: list[StyleHit] = []
    starts = [block.start for block in blocks]
    for pair in style.apart:
        one, two = pair.words
        both = sorted({*kept.get(("apart", one), ()), *kept.get(("apart", two), ())})  # a pair may be one word twice
        last: dict[str, Use] = {}
        for use in both:
            other = last.get(two if use.term == one else one)
            if other is not None:
                between = _words_between(blocks, starts, other.end, use.start, pair.within)
                if between < pair.within:
                    message = (
                        f'"{use.term}" stands {between} words after "{other.term}"; '
                        f"{pair.within} or more must be between them."
                    )
                    names = _instead(style, use.term)
                    out.append(StyleHit("apart", use.term, use.start, use.end, message, names, between, pair.within))
            last[use.term] = use
    return out


def _words_between(blocks: list[ProseBlock], starts: list[int], start: int, end: int, enough: int) -> int:
    """Words of prose between two offsets, counted up to `enough`."""
    count = 0
    for block in blocks[bisect_right(starts, start) - 1 :]:
        if block.start >= end or count >= enough:
            break
        count += count_words(block.text[max(0, start - block.start) : end - block.start].replace(MARKUP, ""))
    return count


def _prose_words(blocks: list[ProseBlock]) -> int:
    return sum(count_words(block.text.replace(MARKUP, "")) for block in blocks)


def _about_comments(
    doc: Document, faulty: tuple[tuple[int, int, str, str], ...], unused: list[tuple[int, int]]
) -> list[StyleHit]:
    out = []
    for start, end, rule, message in faulty:
        out.append(StyleHit(rule, doc.source[start:end], start, end, message))
    said = {start for start, _, _, _ in faulty}
    for start, end in unused:
        if start in said:
            continue
        message = "This comment silences nothing. Take it out."
        out.append(StyleHit("off-unused", doc.source[start:end], start, end, message))
    return out
