"""Labels that texts of other formats than Markdown define, and those that they use: of notes, works cited, targets,
substitutions, attributes. Pure, linear time.

What is defined under a label that is still used is missed by a reader; a label that nobody uses is nobody's loss.
"""

from __future__ import annotations

from collections.abc import Iterator

from firewall.text.pattern import Pattern
from firewall.values import NamedTuple


class Label(NamedTuple):
    """A kind of label: its name in the plural, and patterns of a definition and of a use, the label as some group."""

    kind: str
    defined: Pattern
    used: Pattern


_WORD = r"[\w.:+-]{1,200}"
_OPTION = r"(?:\[[^\]\n]{0,200}\])"
_KINDS = {
    "rst": (
        Label(
            "footnote definitions",
            Pattern(r"(?m)^[ \t]*\.\. \[(#?[\w.-]{1,200})\](?=\s)"),
            Pattern(r"\[(#?[\w.-]{1,200})\]_(?!\w)"),
        ),
        Label(
            "link targets",
            Pattern(r"(?m)^[ \t]*\.\. _(?:`([^`\n]{1,500})`|((?:[^:`\n\\]|\\.|:(?!\s|$)){1,500})):(?=\s|$)"),
            Pattern(
                r"`(?:[^`<>\n]{1,500}<)?([^`<>]{1,500}?)_?>?`_(?!\w)"
                r"|(?<![\w`])([^\W_](?:[\w.+-]{0,200}[^\W_])?)_(?!\w)"
            ),
        ),
        Label(
            "substitution definitions",
            Pattern(r"(?m)^[ \t]*\.\. \|([^|\n]{1,200})\|[ \t]+\w"),
            Pattern(r"\|([^\s|](?:[^|\n]{0,200}[^\s|])?)\|"),
        ),
    ),
    "org": (
        Label(
            "footnote definitions",
            Pattern(r"(?m)^\[fn:([\w-]{1,200})\]"),
            Pattern(r"(?m)(?<!^)\[fn:([\w-]{1,200})\]"),
        ),
    ),
    "tex": (
        Label(
            "labels",
            Pattern(rf"\\label\{{({_WORD})\}}"),
            Pattern(r"\\(?:[A-Za-z]{0,9}[rR]ef|hyperref)\*?(?:\[([^\]\n]{1,200})\])?(?:\{([^{}\n]{1,300})\})?"),
        ),
        Label(
            "cited works",
            Pattern(rf"\\bibitem{_OPTION}?\{{({_WORD})\}}"),
            Pattern(rf"\\[A-Za-z]{{0,9}}cite[A-Za-z]{{0,9}}\*?{_OPTION}{{0,2}}\{{([^{{}}\n]{{1,500}})\}}"),
        ),
        Label(
            "texts of notes",
            Pattern(r"(\\footnotetext)(?![A-Za-z])"),
            Pattern(r"(\\footnotemark)(?![A-Za-z])"),
        ),
    ),
    "adoc": (
        Label(
            "attribute definitions",
            Pattern(r"(?m)^:([\w-]{1,200}):[ \t]"),
            Pattern(r"(?<!\\)\{([\w-]{1,200})\}"),
        ),
        Label(
            "anchors",
            Pattern(
                rf"\[\[({_WORD})(?:,[^\]\n]{{0,200}})?\]\]|(?m:^)\[(?:\w+)?#({_WORD})[\],.%]|\[id=[\"']({_WORD})[\"']"
            ),
            Pattern(rf"<<({_WORD})[,>]|\bxref:#?({_WORD})\["),
        ),
    ),
    "typ": (
        Label(
            "labels",
            Pattern(r"(?<![\w(\"])<([\w.:-]{1,200})>"),
            Pattern(r"(?<![\w@])@([\w][\w:-]{0,200})"),
        ),
    ),
}
_SAME = {"\\footnotetext": "\\footnote", "\\footnotemark": "\\footnote"}


def defined(made: str, text: str) -> frozenset[str]:
    """What a text of this kind (less comments and code) defines: each as its kind and its label."""
    return frozenset(
        f"{one.kind}\0{label}" for one in _KINDS.get(made, ()) for label in _labels(one.defined, text, one.kind)
    )


def used(made: str, text: str) -> frozenset[str]:
    """What it uses, in the same form."""
    return frozenset(
        f"{one.kind}\0{label}" for one in _KINDS.get(made, ()) for label in _labels(one.used, text, one.kind)
    )


def _labels(pattern: Pattern, text: str, kind: str) -> Iterator[str]:
    for found in pattern.finditer(text):
        for group in found.groups():
            if group:
                parts = group.split(",") if kind in ("labels", "cited works") else [group]
                for part in parts:
                    yield _SAME.get(part, " ".join(part.replace("\\", "").casefold().split()) or part)
