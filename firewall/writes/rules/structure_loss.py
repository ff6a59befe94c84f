"""structure-loss: a whole-file write may not silently lose a part that the words alone would not show.

Headings, fenced blocks, tables, front matter and its keys, definitions still in use, images. Counted, so that
a renamed heading or an edited block is no loss; parts that moved into another artifact with their paragraphs
are none either. An edit whose old text names the part it removes has declared it, once and for all: each write is
counted against the disk, so that no row of writes loses a part silently, and a part that went by a declared edit is
not missed again in the mark. A definition is, as long as it is used.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.frontmatter import named_keys
from firewall.text.outline import Outline
from firewall.text.pattern import Pattern
from firewall.text.shown import outline_of
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.reference import Reference
from firewall.writes.rules.base import Example, example

NAME = "structure-loss"
STRUCTURAL = True
NAMES_AT_MOST = 0.5
"""Share of the file's bytes that an edit's old text may have and still count as naming what it removes."""
_REFERENCE = Pattern(r"\[((?:[^\[\]\\]|\\.){1,1000})\]")
"""What stands between a pair of brackets; a label has at most 999 characters (CommonMark 6.3)."""


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds, one finding for each kind of part, naming the parts."""
    if facts.proposed is None or facts.disk is None or facts.step_back or facts.path.lower().endswith(".ipynb"):
        return []
    if not measures.touches_structure:
        return []
    new = measures.new_outline
    declared = _declared(facts)
    losses = _losses(measures.disk_outline, new, measures, measures.on_disk, declared)
    if not measures.mark_is_disk:
        losses = {**_undefined(measures.mark_outline, new, measures.new), **losses}
    findings = []
    for kind, (lost, names) in losses.items():
        listed = ": " + ", ".join(repr(n) for n in names[:5]) if names else ""
        message = (
            f"{facts.path}: {lost} {kind} fewer than before{listed}. Keep them, or remove them by an edit that "
            "names what it removes."
        )
        findings.append(Finding(NAME, Outcome.HOLD, message, {"kind": kind, "lost": lost, "names": names[:20]}))
    return findings


def _declared(facts: Facts) -> Outline | None:
    """The parts that an edit names. One whose old text is most of the file names nothing: it is a whole write."""
    if not facts.declared or facts.disk is None:
        return None
    if len(facts.declared) > NAMES_AT_MOST * len(facts.disk) and not facts.editor:
        return None
    return outline_of(facts.path, facts.declared.decode("utf-8", "replace"))


def _losses(
    old: Outline, new: Outline, measures: Measures, reference: Reference, declared: Outline | None
) -> dict[str, tuple[int, list[str]]]:
    """What `new` has fewer of than `old`, by kind: how many, and the names of what is missing."""
    out: dict[str, tuple[int, list[str]]] = {}
    gone = _missing(list(old.headings), list(new.headings))
    moved = sum(1 for title in gone if _moved_heading(title, measures))
    allowed = moved + (len(declared.headings) if declared else 0)
    fewer = len(old.headings) - len(new.headings) - allowed
    if fewer > 0 and gone:
        out["headings"] = (fewer, gone)
    for kind, was, now, told in (
        ("fenced blocks", old.fences, new.fences, declared.fences if declared else 0),
        ("tables", old.tables, new.tables, declared.tables if declared else 0),
    ):
        fewer = was - now - told
        if fewer > 0 and _moved_away(kind, reference) < fewer:
            out[kind] = (fewer, [])
    images = old.images - new.images
    told_images = sum(declared.images.values()) if declared else 0
    fewer = old.images.total() - new.images.total() - told_images
    if fewer > 0 and _moved_away("images", reference) < fewer:
        out["images"] = (fewer, sorted(images))
    if old.keys is not None:
        if new.keys is None:
            if not (declared and declared.keys is not None):
                out["front matter block"] = (1, sorted(old.keys))
        else:
            keys = old.keys - new.keys
            told_keys = _declared_keys(measures, keys)
            if keys - told_keys and len(new.keys) < len(old.keys):
                out["front matter keys"] = (len(keys - told_keys), sorted(keys - told_keys))
    return {**out, **_undefined(old, new, measures.new)}


def _undefined(old: Outline, new: Outline, text: str) -> dict[str, tuple[int, list[str]]]:
    """Definitions that are gone and still used, by kind."""
    out: dict[str, tuple[int, list[str]]] = {}
    used: frozenset[str] | None = None
    for kind, before, after in (
        ("footnote definitions", old.notes, new.notes),
        ("link definitions", old.links, new.links),
    ):
        if before <= after:
            continue
        used = frozenset(" ".join(m.split()) for m in _REFERENCE.findall(text.casefold())) if used is None else used
        lost = [label for label in sorted(before - after) if _uses(label, kind) in used]
        if lost:
            out[kind] = (len(lost), lost)
    return out


def _missing(old: list[str], new: list[str]) -> list[str]:
    left = Counter(new)
    gone = []
    for title in old:
        if left[title]:
            left[title] -= 1
        else:
            gone.append(title)
    return gone


def _moved_heading(title: str, measures: Measures) -> bool:
    """A heading of a moved part: it stands, as a unit, in another artifact (with its `#` marks)."""
    elsewhere = measures.facts.elsewhere
    return any(("#" * level, *title.split()) in elsewhere for level in range(1, 7)) if elsewhere else False


def _moved_away(kind: str, reference: Reference) -> int:
    """How many of these parts went to other artifacts with their units."""
    away = [a.unit for a in reference.fate.away] if reference.moved else []
    if kind == "images":
        return sum(word.count("![") for unit in away for word in unit)
    if kind == "tables":
        return sum(unit[0].startswith("|") for unit in away) // 2  # a table has a head and a row at least
    return sum(unit[0].startswith(("```", "~~~")) for unit in away)


def _declared_keys(measures: Measures, keys: frozenset[str]) -> frozenset[str]:
    if not measures.facts.declared or _declared(measures.facts) is None:
        return frozenset()
    return keys & named_keys(measures.facts.declared.decode("utf-8", "replace"))


def _uses(label: str, kind: str) -> str:
    return ("^" if kind.startswith("footnote") else "") + " ".join(label.split())


_DOC = (
    "---\ntitle: Night\ntags: [a]\n---\n\n# Night\n\nLamps are lit.[^1] See [the plan][p].\n\n## Work\n\n"
    "```sh\nlight\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![lamp](lamp.png)\n\n[^1]: At dusk.\n\n[p]: plan.md\n"
)


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("a heading gone", _DOC, _DOC.replace("## Work\n\n", ""), True),
        example("a block gone", _DOC, _DOC.replace("```sh\nlight\n```\n\n", ""), True),
        example("a table gone", _DOC, _DOC.replace("| a | b |\n|---|---|\n| 1 | 2 |\n\n", ""), True),
        example("front matter gone", _DOC, _DOC[_DOC.index("# Night") :], True),
        example("a key gone", _DOC, _DOC.replace("tags: [a]\n", ""), True),
        example("a definition still used", _DOC, _DOC.replace("[^1]: At dusk.\n\n", ""), True),
        example("a link definition still used", _DOC, _DOC.replace("[p]: plan.md\n", ""), True),
        example("an image gone", _DOC, _DOC.replace("![lamp](lamp.png)\n\n", ""), True),
        example("a definition gone since the mark, and used again", _DOC.replace("[^1]: At dusk.\n\n", "").replace("[^1]", ""),
                _DOC.replace("[^1]: At dusk.\n\n", ""), True, mark=_DOC),
        example("a block declared before is not missed again", _DOC.replace("```sh\nlight\n```\n\n", ""),
                _DOC.replace("```sh\nlight\n```\n\n", "").replace("## Work", "## Done"), False, mark=_DOC),
        example("an edit that breaks a fence it does not name", _DOC, _DOC.replace("```sh\n", "", 1), True, declared="```sh"),
        example("an edit of the whole file", _DOC, _DOC.replace("## Work\n\n", ""), True, declared=_DOC),
        example("a heading renamed", _DOC, _DOC.replace("## Work", "## What is done"), False),
        example("a block edited", _DOC, _DOC.replace("light\n", "light --all\n"), False),
        example("a key renamed", _DOC, _DOC.replace("tags:", "labels:"), False),
        example("a note and its mark gone", _DOC, _DOC.replace("[^1]: At dusk.\n\n", "").replace("[^1]", ""), False),
        example("declared by the edit", _DOC, _DOC.replace("## Work\n\n", ""), False, declared="## Work\n\n"),
        example("a declared block", _DOC, _DOC.replace("```sh\nlight\n```\n\n", ""), False, declared="```sh\nlight\n```\n\n"),
        example("a word changed", _DOC, _DOC.replace("Lamps", "All lamps"), False),
        example("a new file", None, _DOC, False),
    )  # fmt: skip
