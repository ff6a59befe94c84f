"""structure-loss: a whole-file write may not silently lose a part that the words alone would not show.

Headings, fenced blocks, tables, front matter and its keys, definitions still in use, images. Counted, so that
a renamed heading or an edited block is no loss; parts that moved into another artifact with their paragraphs
are none either. An edit whose old text names the part it removes has declared it, once and for all: each write is
counted against the disk, so that no row of writes loses a part silently, and a part that went by a declared edit is
not missed again in the mark. A definition is, as long as it is used.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.shown import outline_of, seen_code
from firewall.text.units import units, without_numbers
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

if TYPE_CHECKING:
    from firewall.text.outline import Outline

NAME = "structure-loss"
STRUCTURAL = True
NAMES_AT_MOST = 0.5
"""Share of the file's bytes that an edit's old text may have and still count as naming what it removes."""


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds, one finding for each kind of part, naming the parts."""
    if facts.proposed is None or facts.disk is None or facts.step_back:
        return []
    if facts.path[-6:].lower() == ".ipynb":
        from firewall.writes import cells  # like all that is imported within: no edit of prose in Markdown needs it

        of_cells = cells.lost(facts)
        if of_cells:
            return [_finding(facts.path, kind, *found) for kind, found in of_cells.items()]
    kind, lost = _flattened(measures)
    if lost:
        return [_finding(facts.path, kind, lost, [])]
    if not measures.touches_structure:
        return []
    new = measures.new_outline
    declared = _declared(facts)
    losses = _losses(measures.disk_outline, new, measures, declared)
    if losses:
        from firewall.writes.accounted import accounted_for

        owed = without_numbers(measures.disk, accounted_for(measures))
        losses = _losses(outline_of(facts.path, owed), new, measures, declared) if owed != measures.disk else losses
    if not measures.mark_is_disk:
        from firewall.writes.undefined import undefined  # needed where the structure changes, and not before

        losses = {**undefined(measures.mark_outline, new, measures), **losses}
    losses |= _broken(measures)
    return [_finding(facts.path, kind, lost, names) for kind, (lost, names) in losses.items()]


def _finding(path: str, kind: str, lost: int, names: list[str]) -> Finding:
    listed = ": " + ", ".join(repr(n) for n in names[:5]) if names else ""
    listed += f" and {len(names) - 5} more" if len(names) > 5 else ""
    message = (
        f"{path}: {lost} {kind.removesuffix('s') if lost == 1 else kind} fewer than before{listed}. Keep "
        "them, or remove them by an edit that names what it removes."
    )
    return Finding(NAME, Outcome.HOLD, message, {"kind": kind, "lost": lost, "names": names[:20]})


def _flattened(measures: Measures) -> tuple[str, int]:
    """Breaks between paragraphs, or items of a list, that are gone while the words are not; how many."""
    start, old_end, new_end = measures.from_disk.window
    lines = measures.disk.count("\n", start, old_end) - measures.new.count("\n", start, new_end)
    if lines <= 0:
        return "", 0
    from firewall.text.layout import LEAST_ITEMS, LEAST_LONG, flattened, lost_items

    if lines < LEAST_ITEMS:
        return "", 0
    old, new = measures.disk[start:old_end], measures.new[start:new_end]
    kind, gone = "list items", lost_items(old, new)
    if gone:
        declared = measures.facts.declared if _declared(measures.facts) else None
        gone -= lost_items(declared.decode("utf-8", "replace"), "") if declared else 0
        gone -= _moved_items(measures)
    elif len(old) >= LEAST_LONG:
        kind, gone = "breaks between paragraphs", flattened(old, new)
    return kind, gone if gone > 0 and measures.from_disk.lost <= 2 * gone else 0


def _moved_items(measures: Measures) -> int:
    """How many items of lists are gone from here and stand in other artifacts."""
    gone = Counter(unit.words for unit in measures.from_disk.lost_units if unit.item)
    return sum(min(count, measures.facts.elsewhere.get(words, 0)) for words, count in gone.items())


def _broken(measures: Measures) -> dict[str, tuple[int, list[str]]]:
    """What came apart with all its words there, by kind: code without its indentation, TeX and MDX that cannot be built
    and could before."""
    from firewall.text.layout import faults, preamble, unindented

    out: dict[str, tuple[int, list[str]]] = {}
    old, new = measures.disk_outline, measures.new_outline
    if old.code != new.code:
        first = unindented(old.code, new.code)
        if first:
            out["levels of indentation"] = (1, first)
    path = measures.facts.path
    for line in sorted(preamble(path, measures.disk) - preamble(path, measures.new)):
        out[line] = (1, [])
    faulty = faults(path, measures.new)
    if faulty and not faults(path, measures.disk):
        out |= {what: (count, []) for what, count in faulty.items()}
    return out


def _declared(facts: Facts) -> Outline | None:
    """The parts that an edit names. One whose old text is most of the file names nothing: it is a whole write."""
    if not facts.declared or facts.disk is None:
        return None
    if len(facts.declared) > NAMES_AT_MOST * len(facts.disk) and not facts.editor:
        return None
    return outline_of(facts.path, facts.declared.decode("utf-8", "replace"))


def _losses(
    old: Outline, new: Outline, measures: Measures, declared: Outline | None
) -> dict[str, tuple[int, list[str]]]:
    """What `new` has fewer of than `old`, by kind: how many, and the names of what is missing."""
    from firewall.writes.undefined import undefined

    out: dict[str, tuple[int, list[str]]] = {}
    gone = _missing(list(old.headings), list(new.headings))
    fewer = len(old.headings) - len(new.headings) - (len(declared.headings) if declared else 0)
    if fewer > 0 and gone:
        out["headings"] = (fewer, gone)
    for kind, was, now, told in (
        ("fenced blocks", old.fences, new.fences, declared.fences if declared else 0),
        ("tables", old.tables, new.tables, declared.tables if declared else 0),
    ):
        fewer = was - now - told
        if fewer > 0 and kind == "fenced blocks":
            fewer = _fewer_blocks(old, measures, fewer)
        if fewer > 0:
            out[kind] = (fewer, [])
    had, has = old.images, new.images
    if had - has:
        from firewall.text.embeds import in_all_forms

        had, has = in_all_forms(measures.facts.path, had, has, measures.disk, measures.new)
    images = had - has
    told_images = sum(declared.images.values()) if declared else 0
    fresh = sum(count for name, count in (has - had).items() if name not in had)
    fewer = images.total() - fresh - told_images  # a second copy of one stands for no other
    if fewer > 0:
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
            empty = (old.filled - new.filled) & new.keys
            empty -= _declared_keys(measures, empty)
            if empty:
                out["front matter values"] = (len(empty), sorted(empty))
    if (old.formulas, old.includes) != (new.formulas, new.includes):
        from firewall.text.unseen_parts import taken_out

        grown = measures.from_disk.added - measures.from_disk.removed
        named = (measures.facts.declared or b"").decode("utf-8", "replace") if declared else ""
        out |= taken_out(old, new, declared, named, f"{measures.new_shown}\n{new.seen_code}", measures.new, grown)
    return {**out, **undefined(old, new, measures)}


def _fewer_blocks(old: Outline, measures: Measures, fewer: int) -> int:
    """How many of `fewer` blocks of code are gone, and not only in another form or in fewer blocks: blank lines part
    literal text into several, and none that is fenced."""
    from firewall.text.embeds import code_forms, stands

    path = measures.facts.path
    if not stands(old.code, measures.new):
        return fewer
    if stands(old.code, seen_code(path, measures.new)):
        return 0
    return fewer - max(0, code_forms(path, measures.new) - code_forms(path, measures.disk))


def _missing(old: list[str], new: list[str]) -> list[str]:
    left = Counter(new)
    gone = []
    for title in old:
        if left[title]:
            left[title] -= 1
        else:
            gone.append(title)
    return gone


def _declared_keys(measures: Measures, keys: frozenset[str]) -> frozenset[str]:
    if not measures.facts.declared or _declared(measures.facts) is None:
        return frozenset()
    from firewall.text.frontmatter import named_keys

    return keys & named_keys(measures.facts.declared.decode("utf-8", "replace"))


_NOTEBOOK = (
    '{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {}, "source": '
    '"# One\\n\\nThe lamps."}, {"cell_type": "code", "metadata": {}, "outputs": [], "source": "x = 1"}]}'
)
_DOC = (
    "---\ntitle: Night\ntags: [a]\n---\n\n# Night\n\nLamps are lit.[^1] See [the plan][p].\n\n## Work\n\n"
    "```sh\nlight\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![lamp](lamp.png)\n\n[^1]: At dusk.\n\n[p]: plan.md\n"
)
_TOC = ".. toctree::\n   :maxdepth: 2\n\n   lamps\n   oil\n   wicks\n"
_TWICE = "\n## Oil\n\nThe oil is in the shed behind the house.\n\n```sh\nfill lamps from the can\n```\n"


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    from firewall.text import layout_cases as of
    from firewall.text.comment_cases import HIDINGS

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
        example("a block emptied", _DOC, _DOC.replace("light\n", ""), True),
        example("a block that says no more than that something was there", _DOC, _DOC.replace("light\n", "# ...\n"), True),
        example("the source of a cell emptied", _NOTEBOOK, _NOTEBOOK.replace("x = 1", ""), True, path="a.ipynb"),
        example("the source of a cell edited", _NOTEBOOK, _NOTEBOOK.replace("x = 1", "x = 2"), False, path="a.ipynb"),
        example("an image given a width", _DOC, _DOC.replace("![lamp](lamp.png)", '<img src="lamp.png" width="300">'), False),
        example("a heading in HTML", _DOC, _DOC.replace("## Work", "<h2>Work</h2>"), False),
        example("an image in HTML gone", f"{_DOC}\n<img src='a.png'>\n", _DOC, True),
        example("a table in HTML gone", f"{_DOC}\n<table>\n<tr><td>1</td></tr>\n</table>\n", _DOC, True),
        example("an unused definition gone", _DOC + "\nA [b](c.md).\n\n[b]: d.md\n", _DOC + "\nA [b](c.md).\n", False),
        example("a definition under another label", _DOC + "\nSee [`b`].\n\n[`b`]: d.md\n",
                _DOC + "\nSee [`b`][b].\n\n[b]: d.md\n", False),
        example("a definition that became an address", _DOC + "\nSee [b].\n\n[b]: d.md\n", _DOC + "\nSee [b](d.md).\n", False),
        example("a note's definition gone before brackets", _DOC + "\nSee[^2](or not).\n\n[^2]: Note.\n",
                _DOC + "\nSee[^2](or not).\n", True),
        *(example(f"a {what} of {path} gone, still used", f"{lorem(90)}\n{use}\n\n{text}\n", f"{lorem(90)}\n{use}\n", True, path=path)
                for path, what, use, text in of.LABELS),
        *(example(f"a {what} of {path} gone with its use", f"{lorem(90)}\n{use}\n\n{text}\n", lorem(90), False, path=path)
                for path, what, use, text in of.LABELS),
        example("a target that the title still is", f"Oil\n===\n\n{lorem(90)}\nSee Oil_.\n\n.. _Oil:\n", f"Oil\n===\n\n{lorem(90)}\nSee Oil_.\n",
                False, path="a.rst"),
        example("an anchor that was meant as a link", f"{lorem(90)}\nSee [[_oil]].\n", f"{lorem(90)}\nSee <<_oil>>.\n", False, path="a.adoc"),
        example("attributes that another file has now", f":oil: lamp oil\n\n{lorem(90)}\nBuy {{oil}}.\n",
                f"include::names.adoc[]\n\n{lorem(90)}\nBuy {{oil}}.\n", False, path="a.adoc"),
        example("a collapsed link's definition gone", _DOC + "\nSee [b][].\n\n[b]: d.md\n", _DOC + "\nSee [b][].\n", True),
        example("a section that was there twice", _TWICE + _TWICE, _TWICE, False),
        *(example(f"a table gone beside one with the same head, {about}", _DOC + one + text, _DOC + one, True, path=path)
                for path, about, one, text in of.SAME_HEADS),
        example("a table that was there twice", _DOC + of.SAME_HEADS[0][2] * 2, _DOC + of.SAME_HEADS[0][2], False),
        example("a section moved, its heading at another level", _DOC + _TWICE, _DOC, False,
                elsewhere={unit.words: 1 for unit in units(_TWICE.replace("## Oil", "# Oil"))}),
        *(example(f"a page out of a list of pages, named by {told!r}", f"{_TOC}\n{lorem(90)}", _TOC.replace("   oil\n", "") +
                f"\n{lorem(90)}", fires, path="a.rst", declared=told) for told, fires in (
                ("   oil\n", False), ("   lamps\n   oil\n   wicks\n", False), ("   lamps\n", True))),
        example("a heading of AsciiDoc as Markdown has it", "== Oil\n\nOne.\n", "## Oil\n\nOne.\n", False, path="a.adoc"),
        example("a heading renamed", _DOC, _DOC.replace("## Work", "## What is done"), False),
        example("a block edited", _DOC, _DOC.replace("light\n", "light --all\n"), False),
        example("a key renamed", _DOC, _DOC.replace("tags:", "labels:"), False),
        example("a note and its mark gone", _DOC, _DOC.replace("[^1]: At dusk.\n\n", "").replace("[^1]", ""), False),
        example("a notebook's images gone", of.ATTACHED, of.ATTACHED.replace('"a.png": {"image/png": "AAAA"}', ""), True, path="a.ipynb"),
        *(example(f"a notebook {about}", old, new, fires, path="a.ipynb") for about, old, new, fires in of.NOTEBOOKS),
        example("a notebook split in two", of.NOTEBOOK, of.NOTEBOOK.replace(of.RUNS, "").replace("}, ]", "}]"), False, path="a.ipynb",
                elsewhere={unit.words: 1 for unit in units("```\nx = 1\ny = x + 1\n```")}),
        example("a notebook's image renewed", of.ATTACHED, of.ATTACHED.replace("AAAA", "BBBB"), False, path="a.ipynb"),
        *(example(about, lorem(200) + old, lorem(200) + new, fires, path=path)
                for about, old, new, fires, path in (*of.LAYOUTS, *HIDINGS)),
        *(example(about, of.FRONT + lorem(200), new + lorem(200), fires) for about, new, fires in of.FRONTS),
        example("all paragraphs on a line", lorem(600), lorem(600).replace("\n\n", " ").replace("\n", " "), True),
        example("lines of paragraphs joined", lorem(600), lorem(600).replace("\n\n", "\0").replace("\n", " ").replace("\0", "\n\n"), False),
        example("declared by the edit", _DOC, _DOC.replace("## Work\n\n", ""), False, declared="## Work\n\n"),
        example("a declared block", _DOC, _DOC.replace("```sh\nlight\n```\n\n", ""), False, declared="```sh\nlight\n```\n\n"),
        example("a word changed", _DOC, _DOC.replace("Lamps", "All lamps"), False),
        example("a new file", None, _DOC, False),
    )  # fmt: skip
