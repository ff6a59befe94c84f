"""What AsciiDoc, reStructuredText, Org and Pandoc pass to the output as it is, HTML or LaTeX, between what a reader
sees. Pure, linear time.

An element, a comment or a style sheet there hides the text behind it as it does in Markdown. Each piece stands in the
lines of the text as a mark, so that what hides a line hides what passes there too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firewall.text.live import Line
from firewall.text.pattern import Pattern
from firewall.text.printed import sheets
from firewall.text.sight import Sight, is_hidden_by
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.text.seen import Seen

_SIGNS = {
    "adoc": ("++++", "[pass", "pass:"),
    "rst": ("raw::",),
    "org": ("#+html", "#+latex", "#+begin_", "#+attr_html", "#+macro"),
}
_MARK = Pattern(r"\ue002(\d+)\ue003")
_RST_RAW = Pattern(r"(?i)([ \t]*)\.\.[ \t]+(?:\|[^|]{1,200}\|[ \t]+)?raw::[ \t]*(.*)$")
_RST_OPTION = Pattern(r"[ \t]*:[\w-]+:(?:[ \t]|$)")
_ADOC_VALUE = Pattern(r":[\w-]{1,60}:[ \t].*?\bpass:[a-z,]{0,20}\[(.*)\]")
_ADOC_MATH = ("[stem", "[latexmath", "[asciimath")
_ORG_LINE = Pattern(r"(?i)[ \t]*#\+(html|latex)(_head(?:er)?(?:_extra)?)?:[ \t]*(.*)$")
_ORG_SNIPPET = Pattern(r"(?i)@@html:(.*?)@@")
_ORG_SPECIAL = Pattern(r"(?i)[ \t]*#\+(begin|end)_([\w-]+)")
_ORG_ATTRIBUTES = Pattern(r"(?i)[ \t]*#\+attr_html:[ \t]*(.*)$")
_ORG_ATTRIBUTE = Pattern(r":([\w-]+)[ \t]+([^:\n]*(?::[^\s:][^:\n]*)*)")
_ORG_BLOCK = Pattern(r"(?i)[ \t]*#\+begin_export[ \t]+(\w+)")
_TEX_HIDES = Pattern(
    r"\\(?:iffalse|endinput|enddocument|stop|bye|setbox|sbox|savebox|nullfont|color\{white)(?![A-Za-z@])"
    r"|\\(?:begin\{(?:comment|lrbox)|end\{document|[hv]?phantom\{)"
)
"""What begins in a piece of LaTeX and takes text from sight."""


class Passed:
    """The pieces that pass in a text. `hides` are those, once `through` has run, that hide something and are worth a
    person's look when they are new, as `Sight` tells them."""

    def __init__(self) -> None:
        self._pieces: list[tuple[str, str]] = []
        self.hides: tuple[str, ...] = ()

    def mark(self, form: str, piece: str) -> str:
        """The mark of a piece for output of this form: `html`, `latex` or any other, of which nothing is read."""
        form = "html" if "html" in form else "latex" if "latex" in form else ""
        self._pieces.append((form, piece))
        return f"\ue002{len(self._pieces) - 1}\ue003"

    def through(self, text: str, inline: Sequence[str | None] = ()) -> str:
        """The text less what the pieces hide; what they show is in their place. `inline`: the text again, by turns
        with HTML that passes within its lines."""
        parts = inline or (text,)
        if len(parts) == 1 and not self._pieces:
            return text
        html = [piece for form, piece in self._pieces if form == "html"]
        sight = Sight("\n".join([*html, *(part or "" for part in parts[1::2])]))
        out: list[str] = []
        hides: list[str] = []
        for number, part in enumerate(parts):
            if number % 2:
                out.append(sight.feed(part or ""))
                continue
            for turn, text in enumerate(map(str, _MARK.split(part or ""))):
                if turn % 2:
                    form, piece = self._pieces[int(text)]
                    if form == "html":
                        out.append(sight.feed(piece))
                    elif form == "latex" and (_TEX_HIDES.search(piece) or sheets(piece)):
                        hides.append("{" + piece)
                elif not sight.hidden:
                    out.append(text)
        self.hides = (*sight.hides, *hides)
        return "".join(out)


def marked(made: str, text: str, lines: Sequence[Line], texts: list[str]) -> tuple[list[str], Passed]:
    """`texts`, which are `lines` as they are to be read, with marks where something of `text` passes to the output."""
    passed = Passed()
    if "\ue002" in text:
        texts = [line.replace("\ue002", "") for line in texts]
    signs, lower = _SIGNS.get(made, ()), text.lower()
    if signs and any(sign in lower for sign in signs):
        texts = list(texts)
        found = {"adoc": _adoc, "rst": _rst, "org": _org}[made](text.split("\n"), lines)
        for start, end, form, piece in found:
            indent = texts[start][: len(texts[start]) - len(texts[start].lstrip())]
            texts[start:end] = [indent + passed.mark(form, piece), *[""] * (end - start - 1)]
    return texts, passed


def feed(seen: Seen, form: str, block: str) -> None:
    """Take in a block of Pandoc that passes to output of this form."""
    if "html" in form:
        seen.html(block)
    elif ("tex" in form or "beamer" in form) and _TEX_HIDES.search(block):
        seen.sight.hides.append("{" + block)


_Pieces = Iterator[tuple[int, int, str, str]]
"""Of each piece its first line, the line behind it, what it is for, and the piece."""


def _rst(source: Sequence[str], lines: Sequence[Line]) -> _Pieces:
    end = 0
    for start, line in enumerate(lines):
        found = _RST_RAW.match(line.text) if start >= end and "::" in line.text and not line.inside else None
        if found is None:
            continue
        end, indent = start + 1, len(found[1])
        while end < len(source) and _is_deeper(source[end], indent):
            end += 1
        piece = [line for line in source[start + 1 : end] if not _RST_OPTION.match(line)]
        yield start, end, found[2].lower(), "\n".join(piece)


def _is_deeper(line: str, indent: int) -> bool:
    bare = line.lstrip()
    return not bare or len(line) - len(bare) > indent


def _adoc(source: Sequence[str], lines: Sequence[Line]) -> _Pieces:
    """Blocks between lines of four or more plus signs, and those that a list of attributes makes such ones."""
    end = 0
    before = ""
    for start, line in enumerate(lines):
        if start < end:
            continue
        if line.opens and line.text.startswith("++++"):
            end = next((n for n in range(start + 1, len(lines)) if not lines[n].inside), len(lines))
            if not before.startswith(_ADOC_MATH):
                yield start, min(end + 1, len(lines)), "html", "\n".join(source[start + 1 : end])
            end += 1
        elif line.text.startswith(":") and "pass:" in line.text and (value := _ADOC_VALUE.match(line.text)):
            yield start, start + 1, "html", value[1]  # wherever the attribute is used
        elif before.startswith("[pass") and not line.inside and line.text.strip():
            closer = line.text.rstrip() if line.text.rstrip() == "--" else ""
            end = start + 1
            while end < len(source) and source[end].strip() != closer:
                end += 1
            yield start, min(end + 1, len(source)), "html", "\n".join(source[start + bool(closer) : end])
            end += 1
        before = line.text or (before if not source[start].strip() else "")


def _org_hides(attributes: str) -> bool:
    """Do these attributes (`:class x :style y`) hide what stands below them?"""
    return is_hidden_by({found[1].lower(): found[2].strip() for found in _ORG_ATTRIBUTE.finditer(attributes)})


def _org(source: Sequence[str], lines: Sequence[Line]) -> _Pieces:
    end = 0
    for start, line in enumerate(lines):
        if start < end:
            continue
        if "#+" in line.text and not line.inside:
            if found := _ORG_LINE.match(line.text):
                if (
                    not found[2] or found[1].lower() == "latex" or "<style" in found[3]
                ):  # sheets have files of their own
                    yield start, start + 1, found[1].lower(), found[3]
            elif line.text.lstrip().lower().startswith("#+macro") and "@@" in line.text:
                yield start, start + 1, "html", " ".join(map(str, _ORG_SNIPPET.findall(line.text)))
            elif (found := _ORG_SPECIAL.match(line.text)) and is_hidden_by({"class": found[2].lower()}):
                yield start, start + 1, "html", "<div hidden>" if found[1].lower() == "begin" else "</div>"
            elif (found := _ORG_ATTRIBUTES.match(line.text)) and _org_hides(found[1]):
                end = start + 1
                while end < len(source) and source[end].strip()[:2] == "#+" and not _ORG_SPECIAL.match(source[end]):
                    end += 1
                block = _ORG_SPECIAL.match(source[end]) if end < len(source) else None
                closer = f"#+end_{block[2].lower()}" if block else ""
                while end < len(source) and source[end].strip().lower() != closer:
                    end += 1
                end += bool(block)
                yield start, min(end, len(source)), "html", ""
        elif line.fence and not line.text and (found := _ORG_BLOCK.match(source[start])):
            end = start + 1
            while end < len(source) and source[end].strip().lower() != "#+end_export":
                end += 1
            yield start, end, found[1].lower(), "\n".join(source[start + 1 : end])
