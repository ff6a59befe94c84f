"""Which paragraphs can stand where their surroundings are left out, and how a paragraph begins."""

from __future__ import annotations

import re

from firewall.text.markdown import parse
from firewall.text.sentences import sentences
from pipeline.compose.notes import Block, Unit

FIGURES = frozenset(("table", "code", "steps", "bullets"))
LEAD_WORDS = 60
"""A paragraph before a table or fence that is no longer than this does nothing but lead into it."""

_POINTS_BACK = re.compile(
    r"^\W*(?:(?:this|that|these|those|it|its|they|them|their|he|she|his|her|here|there|both|such|neither|either|"
    r"so|but|and|or|then|also|still|hence|therefore|thus|however|instead|otherwise|nor|"
    r"(?:half|none|each|one|all|some|most|either) of|"
    r"the (?:others?|same|latter|former|rest|first|second|third|fourth|last))\b)",
    re.IGNORECASE,
)
_POINTS_AT_FIGURE = re.compile(
    r"\b(?:tables?|columns?|rows?|lines?|sheet|listing|figures?|script|function|below|above|recipe|"
    r"the following|comparison|readings|numbers|times|measured|timed|counted|taken|statement|comments)\b"
    r"|\bstep \w+|:\s*$",
    re.IGNORECASE,
)


def _cues(*cues: tuple[str, float]) -> tuple[tuple[re.Pattern[str], float], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), weight) for pattern, weight in cues)


_STYLES = {
    "question": _cues((r"\?", 3.0)),
    "number": _cues(
        (r"\b\d[\d,.]*\s?(?:%|per cent|[a-z]+)", 2.0),
        (r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|hundred|thousand)\b", 1.0),
    ),
    "scene": _cues(
        (r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b\d{1,2}:\d\d\b", 1.5),
        (r"\b(?:19|20)\d\d\b|\bnight\b|\bmorning\b|\bhours\b", 0.5),
        (r"^\W*(?:On|In|At|One)\b", 0.5),
    ),
    "contrast": _cues(
        (r"\b(?:two|both|not|never|while|whereas|but|instead|rather|different|unlike)\b", 1.0),
        (r"\b(?:and the other|one is|not a|nobody .* what)\b|;", 1.0),
    ),
    "problem": _cues(
        (r"\b(?:fail\w*|wrong|broken?|lost|loses?|trouble|fault\w*|dies?|crash\w*|trap|worse|costs?)\b", 1.5),
    ),
    "claim": _cues(
        (r"^\W*(?:An?|The|Every|No|Nobody)?\s?[\w-]+(?: \w+){0,2} (?:is|are|has|protects?|means?)\b", 2.0),
    ),
}


def stands_alone(unit: Unit, block: Block, shown: frozenset[int] | set[int]) -> bool:
    """Does a paragraph make sense when of its unit only the blocks at the places `shown` are printed?

    A paragraph that ends in a colon needs what follows. One that points back needs what stands before it;
    one behind a table, fence or list needs that; and one before it may stay if it does not speak of it.
    """
    if block.kind != "paragraph":
        return False
    before = unit.blocks[block.place - 1] if block.place else None
    after = unit.blocks[block.place + 1] if block.place + 1 < len(unit.blocks) else None
    if block.text.rstrip().endswith((":", "：")):
        return after is not None and after.place in shown
    if before is None and unit.torn:
        return False
    if names_hidden(unit, block, shown):
        return False
    hidden = before is not None and before.place not in shown
    if before is not None and hidden and (before.kind in FIGURES or _POINTS_BACK.match(block.text)):
        return False
    if after is not None and after.kind in ("table", "code") and after.place not in shown:
        return block.words > LEAD_WORDS and not _POINTS_AT_FIGURE.search(block.text)
    return not (before is None and _POINTS_BACK.match(block.text))


_NAMES = re.compile(r"`[^`\n]+`|\b[A-Z]{4,}\b|\b\w+_\w+\b")


def names_hidden(unit: Unit, block: Block, shown: frozenset[int] | set[int]) -> bool:
    """Does a block speak of a name that stands in a fence or table of its unit that is not printed?"""
    names = {name.strip("`") for name in _NAMES.findall(block.text)}
    hidden = [b.text for b in unit.blocks if b.kind in ("code", "table") and b.place not in shown]
    return any(name in text for name in names for text in hidden)


def leads_in(unit: Unit, place: int) -> Block | None:
    """The paragraph that introduces the block at `place`, if the one before it does."""
    if not place or unit.blocks[place - 1].kind != "paragraph":
        return None
    return unit.blocks[place - 1]


def remark_stands_alone(unit: Unit, block: Block, shown: frozenset[int] | set[int]) -> bool:
    """Does a box make sense without what stands before it? It may speak of a figure that is printed."""
    text = re.sub(r"^[>\s]*(?:\[!\w+\]\s*)?(?:\w+:\s*)?", "", block.text)
    if _POINTS_BACK.match(text) or names_hidden(unit, block, shown):
        return False
    figures = [b.place for b in unit.blocks[: block.place] if b.kind in FIGURES]
    return not _POINTS_AT_FIGURE.search(text) or all(place in shown for place in figures[-1:])


def speaks_of_figure(block: Block) -> bool:
    """Does a paragraph speak of the table, fence or list beside it?"""
    return bool(_POINTS_AT_FIGURE.search(block.text))


def opening(style: str, block: Block) -> float:
    """How well the first sentence of a paragraph fits a way to begin, 0 where it does not."""
    doc = parse(block.text)
    found = sentences(doc)
    first = doc.source[found[0].start : found[0].end] if found else block.text
    if style == "question":  # it may be asked a sentence later
        first = block.text[: len(first) + 160]
    if _POINTS_BACK.match(block.text) or block.text.rstrip().endswith(":"):
        return 0.0
    return sum(weight for cue, weight in _STYLES.get(style, ()) if cue.search(first))
