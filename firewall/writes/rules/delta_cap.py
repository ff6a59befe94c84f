"""delta-cap: a write that is not structural may change a long text by 300 words net, no more.

The article's number, against the disk and against the mark. Growth that keeps nearly every word of the mark, or takes
none away, is the growth cap's business; once accepted, it is no part of what later edits change.
"""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Counts, Facts
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.reference import Reference
from firewall.writes.rules.base import Example, example, lorem

NAME = "delta-cap"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds when the net change from the disk or from the mark is over the cap."""
    if facts.proposed is None or facts.disk is None or facts.step_back or not measures.is_long:
        return []
    cap = facts.limits.delta_cap
    deltas = {reference.name: _net(reference, measures) for reference in measures.references}
    over = [delta for delta in deltas.values() if abs(delta) > cap]
    if any(delta > 0 for delta in over) and is_growth(facts, measures):
        over = [delta for delta in over if delta < 0]
    if not over:
        return []
    worst = max(over, key=abs)
    since = "" if worst == deltas["disk"] else " since the version that was accepted before"
    message = (
        f"{facts.path}: {worst:+d} words{since} against a cap of {cap}. "
        f"Change at most {cap} words net; a larger piece goes into a file of its own."
    )
    evidence = {**deltas, "cap": cap}
    return [Finding(NAME, Outcome.HOLD, message, evidence)]


def _net(reference: Reference, measures: Measures) -> int:
    """Words more or fewer than a reference had. What moved to other artifacts makes up for a loss, and no more: a
    section that went elsewhere and one that came are no growth."""
    net = measures.new_words - reference.words
    if net < 0:
        return min(0, net + reference.moved)
    return max(0, net - measures.facts.counts.grown) if reference is measures.at_mark else net


def is_growth(facts: Facts, measures: Measures) -> bool:
    """Does what the proposal has more of only add, so that 97% of the mark's words are kept, or all that is there now?
    Never under the article's preset, which knows no such thing."""
    if facts.limits.preset == "article":
        return False
    if not measures.from_disk.lost and not measures.lost_or_hidden:
        return True
    return measures.at_mark.share_kept(facts.limits.growth_keeps) >= facts.limits.growth_keeps


def _grew(words: int) -> Counts:
    return Counts(grown=words)


_ARTICLE = Limits(preset="article")


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    from firewall.text.units import units

    return (
        example("a cut of 301", lorem(2500), lorem(2199), True),
        example("slices since the mark", lorem(2300), lorem(2150), True, mark=lorem(2500)),
        example("other words, and more of them", lorem(1200), lorem(1200, 5000) + lorem(400, 9000), True),
        example("growth of 301 under the article's rules", lorem(2500), lorem(2801), True, limits=_ARTICLE),
        example("growth of 301 that keeps every word", lorem(2500), lorem(2801), False),
        example("a sentence less in what grew since the mark", lorem(1400).replace("word7 ", "word-7 "),
                lorem(1388).replace("word7 ", "word-7 "), False, mark=lorem(1000)),
        example("a cut of 301 that still has more than the mark", lorem(2400), lorem(2099), True, mark=lorem(1000)),
        example("a section that went and another that came", lorem(3000), lorem(2400) + lorem(800, 9000), False,
                elsewhere={unit.words: 1 for unit in units(lorem(600, 2400))}),
        example("a sentence in what grew since the mark lost one", lorem(1550).replace("word7 ", "word-7 "),
                lorem(1550).replace("word7 ", "word-7 ").replace("word9 word10 ", "word-9 word-10 "), False,
                mark=lorem(1200), counts=_grew(350)),
        example("as much more, of which nothing was growth", lorem(1140, 60) + lorem(350, 9000),
                lorem(1130, 70) + lorem(385, 9000), True, mark=lorem(1200)),
        example("a note that was filled with a chapter", lorem(1200), lorem(1200).replace("word7 ", "word-7 "), False,
                mark="TODO: write this.", counts=_grew(1197)),
        example("more than was accepted", lorem(1200) + lorem(550, 9000),
                lorem(1140, 60) + lorem(720, 9000), True, mark=lorem(1200), counts=_grew(350)),
        example("only more", lorem(1500).replace("word", "other", 120), lorem(1500).replace("word", "other", 120)
                + lorem(350, 9000), False, mark=lorem(1500)),
        example("exactly 300", lorem(2500), lorem(2200), False),
        example("a short file may grow", lorem(400), lorem(900), False),
        example("a new file", None, lorem(5000), False),
    )  # fmt: skip
