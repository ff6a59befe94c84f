"""What a reader sees of a text, by the kind of its file: the one answer for every rule that asks. Pure, linear time.

Hidden are comments, markup, front matter, elements that are not painted, and what nothing shown refers to; code is
seen, but not as prose, and is given apart.
"""

from __future__ import annotations

from functools import lru_cache

from firewall.text.diff import Window, compare
from firewall.text.pattern import Pattern
from firewall.text.units import Unit
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:  # an edit of plain prose needs none of the parsers: those who do import them
    from firewall.text.formats import Parts
    from firewall.text.outline import Outline

_KINDS = {
    "md": "markdown",
    "markdown": "markdown",
    "mdx": "mdx",
    "ipynb": "notebook",
    "tex": "tex",
    "rst": "rst",
    "adoc": "adoc",
    "asc": "adoc",
    "asciidoc": "adoc",
    "typ": "typ",
    "org": "org",
    "html": "html",
    "htm": "html",
}
_MARKED = Pattern(r"\ue000(\d+)\ue001")
PARSED = ("markdown", "mdx", "notebook")
"""Kinds that the Markdown parser reads."""


@lru_cache(maxsize=4096)  # asked several times of each file that is judged
def kind(path: str) -> str:
    """The kind of a file by its name: one name may become another of the same kind without being judged anew."""
    name = path.rsplit("/", 1)[-1]
    return _KINDS.get(name.rsplit(".", 1)[-1].lower(), "plain") if "." in name else "plain"


def shown(path: str, text: str) -> str:
    """The prose of `text` (LF line ends, as rules read it) that a reader of the file sees."""
    made = kind(path)
    if made in PARSED:
        return outline_of(path, text).shown
    if made == "plain":
        return text
    if made == "html":
        from firewall.text.sight import Sight

        return Sight(text).feed(text)
    from firewall.text.formats import parts

    found = parts(path, text)
    return _prose(made, text, found)[0] if found else text


def _prose(made: str, text: str, found: Parts) -> tuple[str, tuple[str, ...]]:
    """What is shown of a text with these parts, and the markup that hides something of it."""
    return _shown(made, text, found, ["" if line.inside else line.text for line in found.lines])


def _shown(made: str, text: str, found: Parts, lines: list[str]) -> tuple[str, tuple[str, ...]]:
    """The same of its lines as they are to be read."""
    if made == "tex":
        from firewall.text.printed import printed, sheets

        text = "\n".join(lines)
        return printed(text), sheets(text)
    if made == "typ":
        from firewall.text.typst import typst

        return typst("\n".join(lines)), ()
    from firewall.text import sources
    from firewall.text.passed import marked

    lines, passed = marked(made, text, found.lines, lines)
    seen = {"rst": sources.rst, "adoc": sources.adoc}.get(made, sources.org)(lines, passed)
    return seen, passed.hides


def seen_code(path: str, text: str) -> str:
    """The code of `text` that a reader sees, and formulas that are displayed where they are no prose: not what a
    condition, an element or a function hides."""
    made = kind(path)
    if made in PARSED:
        return outline_of(path, text).seen_code
    from firewall.text.formats import parts

    found = parts(path, text)
    if found is None or not found.code_lines:
        return ""
    lines = []
    for number, line in enumerate(found.lines):  # a mark for each line of code: those that come out are seen
        indent = line.text[: len(line.text) - len(line.text.lstrip())]
        if line.inside:
            lines.append(f"{indent}\ue000{number}\ue001" if line.text.strip() else "")
        elif line.opens and made == "rst" and line.text.lstrip().startswith(".."):
            lines.append(f"{indent}.. compound::")
        else:
            lines.append(line.text.replace("\ue000", ""))
    seen = {int(number) for number in _MARKED.findall(_shown(made, text, found, lines)[0])}
    return "\n".join(line.text for number, line in enumerate(found.lines) if number in seen)


def code(path: str, text: str) -> str:
    """The lines of `text` that are code, all others blank."""
    if kind(path) == "plain":
        return ""
    from firewall.text.touched import code_lines  # which needs more of the parser than most edits do

    inside = code_lines(path, text)
    return "\n".join(line if n in inside else "" for n, line in enumerate(text.split("\n"))) if inside else ""


def may_hide(path: str, old: str, new: str, window: Window) -> bool:
    """Can the change of this window alter what is shown, or any other part that `Outline` has, by more than the words
    of the window? False only where that is sure."""
    made = kind(path)
    if made == "plain" or made in PARSED:
        sides = (old[window.start : window.old_end], new[window.start : window.new_end])
        signs = _MDX_SIGNS if made == "mdx" else _SIGNS if made != "plain" else ()
        both = "\n".join(sides)
        for sign in signs:
            if sign in both and (sign != "%" or any(_PERCENT.search(side) for side in sides)):
                return True
        return may_touch_structure(old, new, window.start, window.old_end, window.new_end)
    return old != new


_STRUCTURAL = Pattern(
    r"(?m)^[ \t>]*(?:#{1,6}(?:[ \t]|$)|```|~~~|---|===|\+\+\+)|^(?: {4}|\t)|\||\[|</?[A-Za-z!?]|[^\s>]>|^>[ \t]*$|\$\$"
)


_MARKS_OF_STRUCTURE = ("#", "```", "~~~", "---", "===", "+++", "|", "[", "<", ">", "$$", "    ", "\t")
"""One of these is in any text that `_STRUCTURAL` finds something in; looking for them is ten times faster."""


def may_touch_structure(old: str, new: str, start: int, old_end: int, new_end: int) -> bool:
    """Can the change of this window (whole paragraphs) alter anything that `Outline` holds?

    False only where neither side of the window has a mark of structure and the window keeps its borders.
    """
    before, after = old[start:old_end], new[start:new_end]
    both = f"{before}\n{after}"
    for sign in _MARKS_OF_STRUCTURE:
        if sign in both:
            if _STRUCTURAL.search(before) or _STRUCTURAL.search(after):
                return True
            break
    if (old_end == len(old)) != (new_end == len(new)):
        return True
    # What follows must still begin a block of its own: a setext underline or an indented line must not
    # come to stand right behind other text.
    return not after.endswith("\n\n") and new_end < len(new)


def came(path: str, old: str, new: str) -> tuple[Unit, ...]:
    """The units that a text got by a change: of the source, and of what is shown where that is not the same."""
    change = compare(old, new)
    if kind(path) == "plain" or not may_hide(path, old, new, change.window):
        return change.added_units
    return (*change.added_units, *compare(shown(path, old), shown(path, new)).added_units)


def outline_of(path: str, text: str) -> Outline:
    """The parts of a text by its format; what only Markdown has is nobody's loss in another."""
    from firewall.text.formats import parts
    from firewall.text.outline import outline

    found = parts(path, text)
    if found is not None:
        seen, hides = _prose(kind(path), text, found)
        return _of_parts(found)._replace(shown=seen, hides=hides)
    safe = text if text.isascii() else text.encode("utf-8", "replace").decode()  # the parser takes UTF-8 only
    if any(sign in safe and sign * 3 in safe for sign in "!?=") and _TAB.search(safe):
        safe = _opened(safe)
    if kind(path) == "mdx":
        from firewall.text.mdx import blanks, without_code

        hides = blanks(safe)
        made = _without_templates(without_code(safe), is_mdx=True)
        return made._replace(hides=(*made.hides, *hides)) if hides else made
    if kind(path) == "plain":
        return outline(safe)._replace(shown=text, hides=())
    return _without_templates(safe, is_mdx=False)


def _of_parts(found: Parts) -> Outline:
    from firewall.text.outline import Outline

    return Outline(
        headings=found.headings,
        fences=found.blocks,
        tables=found.tables,
        images=found.images,
        keys=None,
        filled=frozenset(),
        notes=frozenset(),
        links=found.labels,
        unclosed=found.unclosed,
        code="\n".join(found.code),
        formulas=found.formulas,
        includes=found.includes,
        seen_code="",
        shown="",
        hides=(),
        last_prose=found.last,
        ends="paragraph" if found.ends_in_it else "other",
    )


def _without_templates(text: str, *, is_mdx: bool) -> Outline:
    """The outline of a text less its comments; what is shown of it is less what is seen only by running something."""
    from firewall.text.outline import outline

    if not any(sign in text for sign in _OF_TEMPLATES):
        return outline(text, jsx=is_mdx)
    from firewall.text import templates

    if not templates.may_have(text):
        return outline(text, jsx=is_mdx)
    text = templates.without_comments(text)
    made = outline(text, jsx=is_mdx)
    seen = templates.without_unseen(text, braces=not is_mdx)
    if seen == text:
        return made
    of_seen = outline(seen, jsx=is_mdx)
    if not any(sign in text for sign in _CONDITIONS):  # what is unseen then is so for everybody
        made = made._replace(
            headings=of_seen.headings,
            fences=of_seen.fences,
            tables=of_seen.tables,
            images=of_seen.images,
            formulas=of_seen.formulas,
        )
    hides = (*made.hides, *(piece for piece in of_seen.hides if piece.startswith("{")))
    return made._replace(shown=of_seen.shown, seen_code=of_seen.seen_code, hides=hides)


# -- admonitions and tabs of Python-Markdown: what is indented below them is no code -----------------------------

_SIGNS = ("{", "}", ":::", "%", "!!!", "???")
_MDX_SIGNS = (*_SIGNS, "*/", "export", "import")
"""One of these is in whatever is taken out of Markdown here, but marks that `may_touch_structure` knows; of a percent
sign alone see `_PERCENT`."""
_PERCENT = Pattern(r"%[%>}]|[<{]%|(?m:^) {0,3}%")
_CONDITIONS = ("{%", "{{", "<%", "{::")
"""One of these is in any text of which a part is seen by some readers only."""
_OF_TEMPLATES = ("{", "%", "[[", "*[", ":::")
"""One of these is in any text that `templates.may_have` finds something in, which is a module that few texts need."""
_TAB = Pattern(r"(?m)^(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+[\w\"]")


def _opened(text: str) -> str:
    """The text with what is indented below an admonition or a tab brought to the margin."""
    out: list[str] = []
    inside = False
    for line in text.split("\n"):
        if _TAB.match(line):
            inside = True
            out += ["", line, ""]
            continue
        inside = inside and (not line.strip() or line.startswith(("    ", "\t")))
        out.append(line.removeprefix("\t").removeprefix("    ") if inside else line)
    return "\n".join(out)
