"""survival: most words of a text must still be there, in order or in paragraphs found again whole.

Catches what sizes cannot: a rewrite of the same length, a shuffle, padding, growth followed by a cut, and
slices over many writes. 70% from 1,000 words and 40% from 50; a split, a merge, and paragraphs or list items
in another order lose nothing. The same for the words that a reader sees as prose, however much code, comments and
copies out of sight the file has.
"""

from __future__ import annotations

from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "survival"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds below the share that must survive, blocks below 30%."""
    if facts.proposed is None or facts.disk is None or facts.step_back:
        return []
    limits = facts.limits
    if measures.before < limits.small_from:
        return []
    found = []
    for reference in measures.all_references:
        need = limits.survival if measures.is_long_text(reference) else limits.small_survival
        share = reference.share_kept(need) if reference.words >= limits.small_from else 1.0
        if share < need:
            found.append((share, reference.name, need))
            continue
        seen = reference.share_seen(need)
        if seen >= need or reference.is_hiding:
            continue
        need = limits.survival if reference.is_seen_long else limits.small_survival
        if seen < need:
            found.append((seen, reference.name, need))
    if not found:
        return []
    worst, name, need = min(found)
    outcome = Outcome.BLOCK if worst < limits.survival_block_below else Outcome.HOLD
    what = _WHAT[name]
    message = (
        f"{facts.path}: {worst:.0%} of {what} survives; at least {need:.0%} must. "
        "Keep the sentences that stand and change only those meant."
    )
    return [Finding(NAME, outcome, message, {"survives": round(worst, 4), "limit": need, "of": name})]


_WHAT = {
    "disk": "the text as it was",
    "mark": "the text accepted before",
    "high": "the text accepted before",
    "baseline": "the text that a person accepted",
}


def _shuffled(text: str) -> str:
    words = text.split()
    return " ".join(words[i * 7919 % len(words)] for i in range(len(words)))


def _turned(text: str) -> str:
    return "\n\n".join(reversed(text.strip().split("\n\n")))


_ITEMS = "Things to pack:\n\n" + "\n".join(f"- thing{i} in bag{i}" for i in range(60)) + "\n"


_KOREAN = "".join(f"등대지기{i}는 기름{i}을 들고 벽{i}을 걸었다{i}.\n\n" for i in range(60))


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    from unicodedata import normalize  # no edit of ASCII needs it

    apart = normalize("NFD", _KOREAN)
    forms = (("NFC", apart, _KOREAN), ("NFD", _KOREAN, apart))
    return (
        example("other words, same length", lorem(1200), lorem(1200, 5000), True),
        example("every word, shuffled", lorem(1201), _shuffled(lorem(1201)), True),
        example("padding", lorem(1200), lorem(300) + "and so on\n" * 300, True),
        example("half rewritten", lorem(1200), lorem(600) + lorem(600, 9000), True),
        example("slices since the mark", lorem(900) + lorem(300, 8000), lorem(800) + lorem(400, 8000), True,
                mark=lorem(1200)),
        example("grown, then the old text rewritten", lorem(1200) + lorem(6000, 20_000),
                lorem(1200, 8000) + lorem(6000, 20_000), True, baseline=lorem(1200)),
        example("grown, then a sentence changed", lorem(1200) + lorem(6000, 20_000),
                lorem(1200).replace("word7 ", "word-7 ") + lorem(6000, 20_000), False, baseline=lorem(1200)),
        example("other prose beside much code", f"{lorem(900)}\n```\n{lorem(3000, 20_000)}```\n",
                f"{lorem(900, 8000)}\n```\n{lorem(3000, 20_000)}```\n- one\n", True),
        example("other prose before much code", f"{lorem(900)}\n```\n{lorem(3000, 20_000)}```\n",
                f"{lorem(900, 8000)}\n```\n{lorem(3000, 20_000)}```\n", True),
        example("code gone, the prose as it was", f"{lorem(900)}\n```\n{lorem(100, 20_000)}```\n",
                f"{lorem(900)}\n```\none\n```\n", False),
        example("a small file rewritten", lorem(60), lorem(60, 900), True),
        example("paragraphs in another order", lorem(1200), _turned(lorem(1200)), False),
        example("list items in another order", _ITEMS, "Things to pack:\n\n"
                + "\n".join(f"- thing{i} in bag{i}" for i in reversed(range(60))) + "\n", False),
        example("a paragraph split in two", lorem(1200), lorem(1200).replace("word5 ", "word5\n\n"), False),
        example("paragraphs merged", lorem(1200), lorem(1200).replace("\n\n", "\n"), False),
        example("a paragraph rewritten", lorem(1200), lorem(1160) + lorem(40, 7000), False),
        *(example(f"{name} brought to UTF-8", f"\ufeff{lorem(1200)}".replace("\n", "\r\n").encode(name), lorem(1200), False)
                for name in ("utf-16-le", "utf-16-be", "utf-32-le")),
        example("UTF-16 brought to UTF-8, half of it gone", lorem(1200).encode("utf-16"), lorem(600), True),
        *(example(f"brought to {form}", old, new, False) for form, old, new in forms),
        *(example(f"brought to {form}, and the baseline is not", new, new + "\n끝났다.\n", False, baseline=old, mark=old)
                for form, old, new in forms),
        *(example(f"brought to {form}, most of it gone", old, new[: len(new) // 4], True) for form, old, new in forms),
        example("other Korean, as decomposed", _KOREAN, normalize("NFD", _KOREAN.replace("지", "고").replace("기", "나")
                .replace("고", "마").replace("은", "는").replace("다", "요").replace("을", "가")), True),
        example("40 words are nobody's", lorem(40), lorem(40, 900), False),
    )  # fmt: skip
