"""A blueprint as values for a table, and as a picture of its rhythm. Pure: strings only."""

from __future__ import annotations

from latches.blueprint import Blueprint

HEADERS = ("#", "place", "section", "shape", "words", "opener", "elements")
_BARS = "▁▂▃▄▅▆▇█"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def plan_rows(blueprint: Blueprint) -> list[tuple[str, ...]]:
    """A row for each section, in the columns of HEADERS."""
    return [
        (
            str(s.number),
            f"{s.chapter}.{s.position}",
            s.title,
            s.shape,
            str(s.target_words),
            s.opener,
            ", ".join(s.elements),
        )
        for s in blueprint.sections
    ]


def letters(blueprint: Blueprint) -> dict[str, str]:
    """A letter for each shape, in the order of first use; after Z they go on as A1, B1 …"""
    shapes = list(dict.fromkeys(s.shape for s in blueprint.sections))
    return {shape: _LETTERS[i % 26] + (str(i // 26) if i >= 26 else "") for i, shape in enumerate(shapes)}


def rhythm(blueprint: Blueprint) -> str:
    """A line for each chapter: a bar as high as each section is long, under the letter of its shape.

    1 Watching   A▃ B▇ C▅ A▂
    2 Waking     D▅ C▁ B█
      A deep_code · B post_mortem · …
    """
    if not blueprint.sections:
        return ""
    names = letters(blueprint)
    least = min(s.target_words for s in blueprint.sections)
    most = max(s.target_words for s in blueprint.sections)
    chapters: dict[int, list[str]] = {}
    titles: dict[int, str] = {}
    for s in blueprint.sections:
        step = (s.target_words - least) * (len(_BARS) - 1) // (most - least) if most > least else 3
        chapters.setdefault(s.chapter, []).append(f"{names[s.shape]}{_BARS[step]}")
        titles[s.chapter] = s.chapter_title
    width = min(32, max(len(title) for title in titles.values()))
    lines = [
        f"{number:>3} {_cut(titles[number], width):<{width}}  {' '.join(marks)}" for number, marks in chapters.items()
    ]
    lines.append("    " + " · ".join(f"{letter} {shape}" for shape, letter in names.items()))
    return "\n".join(lines)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
