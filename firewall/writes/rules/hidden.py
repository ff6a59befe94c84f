"""hidden: prose may not leave a reader's sight while its words stay in the file.

A comment around a chapter, a fence, an indent of four, front matter, a hidden element: every word survives, and
nobody reads one. Measured like survival, on the text that a reader sees as prose, against the disk and the mark; what
moved to another artifact is seen there.
"""

from __future__ import annotations

from firewall.text.diff import compare
from firewall.text.outline import Outline
from firewall.text.units import units
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "hidden"
STRUCTURAL = True
MARKDOWN = (".md", ".markdown", ".mdx", ".ipynb")
SLACK = 0.05
"""Share of the words that may leave the reader's view before it is looked at closely."""


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds below the share that must survive, blocks below 30%; holds new markup that hides what it holds."""
    if facts.proposed is None or facts.disk is None or facts.step_back or not facts.path.lower().endswith(MARKDOWN):
        return []
    if not measures.touches_structure:
        return []
    new = measures.new_outline
    olds = [(measures.disk_outline, measures.on_disk)]
    if not measures.mark_is_disk:
        olds.append((measures.mark_outline, measures.at_mark))
    worst = min(_share(old, new, measures.new, facts, reference.moved) for old, reference in olds)
    limits = facts.limits
    need = limits.survival if measures.is_long else limits.small_survival
    if worst < need:
        outcome = Outcome.BLOCK if worst < limits.survival_block_below else Outcome.HOLD
        message = (
            f"{facts.path}: {worst:.0%} of what a reader saw as text is still seen as text; at least {need:.0%} must "
            "be. Do not put text into comments, code, front matter or hidden elements."
        )
        return [Finding(NAME, outcome, message, {"seen": round(worst, 4), "limit": need})]
    added = [piece for piece in new.hides if piece not in measures.disk_outline.hides]
    if added:
        message = f"{facts.path}: {added[0][:80]!r} is new and hides what it holds from a reader. Leave it out."
        return [Finding(NAME, Outcome.HOLD, message, {"markup": added[0][:200], "count": len(added)})]
    return []


def _share(old: Outline, new: Outline, text: str, facts: Facts, moved: int) -> float:
    """Share of the old text's visible words that are visible now; 1.0 where hardly any word changed sides. `text` is
    the new text whole; `moved` of the words stand in other artifacts."""
    before, after = count_words(old.shown), count_words(new.shown)
    if before < facts.limits.small_from:
        return 1.0
    if after + moved >= before * (1 - SLACK):
        return 1.0  # as much is seen as before: whether it is the same is survival's question
    lost = compare(old.shown, new.shown).lost
    if lost - compare(old.shown, text).lost <= before * SLACK:
        return 1.0  # what is seen no more is not in the file either: that is for sizes and survival
    return 1.0 - max(0, lost - moved) / before


def _units(text: str) -> dict[tuple[str, ...], int]:
    return {unit.words: 1 for unit in units(text)}


_TEXT = lorem(1200)
_HALF = f"# One\n\n{lorem(600)}\n## Two\n\n"


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("in a comment", _TEXT, f"<!--\n{_TEXT}-->\n", True),
        example("in a comment behind a word", _TEXT, f"Gone.\n\n<!--\n{_TEXT}-->\n", True),
        example("in a fence", _TEXT, f"Gone.\n\n```text\n{_TEXT}```\n", True),
        example("indented", _TEXT, "".join(f"    {line}\n" for line in _TEXT.split("\n")), True),
        example("in front matter", _TEXT, f"---\n{_TEXT.replace(chr(10) * 2, chr(10))}---\n", True),
        example("in a hidden element", _TEXT, f"<div hidden>\n\n{_TEXT}\n</div>\n", True),
        example("by a style", _TEXT, f"<style>*{{display:none}}</style>\n\n{_TEXT}", True),
        example("by an attribute", _TEXT, f'<section style="color: red; display: none">\n\n{_TEXT}\n</section>\n', True),
        example("a small note in a comment", lorem(80), f"<!--\n{lorem(80)}-->\n", True),
        example("slices since the mark", lorem(900), lorem(800) + "\n<!--\n" + lorem(400, 800) + "-->\n", True,
                mark=lorem(1200)),
        example("half of it moved, most of the rest hidden", _HALF + lorem(1800, 600),
                f"# One\n\n{lorem(300)}\n<!--\n{lorem(900, 300)}-->\n", True, elsewhere=_units(lorem(1200, 1200))),
        example("three quarters moved", _HALF + lorem(1800, 600), _HALF, False, elsewhere=_units(lorem(1800, 600))),
        example("a third cut, a third hidden", _TEXT, f"{lorem(400)}\n<!--\n{lorem(400, 400)}-->\n", True),
    example("code cut, prose hidden", f"```\n{lorem(900, 5000)}```\n\n{_TEXT}", f"{lorem(600)}\n<!--\n{lorem(600, 600)}-->\n", True),
    example("a cut hides nothing", f"# One\n\n{_TEXT}", f"# One\n\n{lorem(300)}", False),
    example("a third cut, a third hidden", _TEXT, f"{lorem(400)}\n<!--\n{lorem(400, 400)}-->\n", True),
    example("code cut, prose hidden", f"```\n{lorem(900, 5000)}```\n\n{_TEXT}",
            f"{lorem(600)}\n<!--\n{lorem(600, 600)}-->\n", True),
    example("a cut hides nothing", f"# One\n\n{_TEXT}", f"# One\n\n{lorem(300)}", False),
    example("a comment added", _TEXT, _TEXT + "\n<!-- to do: the oil -->\n", False),
        example("a code block added", _TEXT, _TEXT + "\n```sh\nls\n```\n", False),
        example("one paragraph made a block", _TEXT, _TEXT.replace(lorem(40).strip(), f"```\n{lorem(40)}```"), False),
        example("details that open", _TEXT, _TEXT + "\n<details>\n<summary>More</summary>\n\nText.\n\n</details>\n", False),
        example("it was hidden before", f"<div hidden>\n\n{_TEXT}\n</div>\n", f"<div hidden>\n\n{_TEXT}\nMore.\n</div>\n", False),
        example("a code file's comment is its own", _TEXT, f"..\n {_TEXT}", False, path="a.rst"),
    )  # fmt: skip
