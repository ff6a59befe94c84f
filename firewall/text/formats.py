"""The parts of texts that are not Markdown: AsciiDoc, reStructuredText, LaTeX, Typst, Org.

Read as Markdown, the line of dashes around an AsciiDoc listing makes a heading of what stands above it. Here are the
few marks that tell a heading, a block of code, a table and an image in each, line by line; a file of any other name
is read as Markdown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from firewall.text.live import Line


class Format(NamedTuple):
    """The kind of a format, as `live` has it, and patterns of one line: a heading (its words as group 1), the opener of
    a table, an image and the name of a file that is taken in (as group 1)."""

    kind: str
    heading: Pattern
    table: Pattern
    image: Pattern
    include: Pattern


class Parts(NamedTuple):
    """What a text has: headings by their words, blocks of code, tables, images and files taken in by target, displayed
    formulas, and the lines of code. What is in a comment is not there.

    `unclosed`: a block of code runs to the end of the text. `last` is the last paragraph of running text; `ends_in_it`
    says that nothing else follows. `lines` are all lines, those of comments empty; `labels` are those that are defined.
    """

    headings: tuple[str, ...]
    blocks: int
    tables: int
    images: Counter[str]
    includes: Counter[str]
    formulas: tuple[str, ...]
    code: tuple[str, ...]
    code_lines: frozenset[int]
    unclosed: bool
    last: str
    ends_in_it: bool
    lines: tuple[Line, ...]
    labels: frozenset[str]


_NEVER = Pattern(r"(?!)")
_ADOC = Format(
    "adoc",
    Pattern(r"(?:={1,6}|#{1,6})[ \t]+(\S.*)"),
    Pattern(r"[|,:!]={3,}[ \t]*$"),
    Pattern(r"image::?([^\[\s]{1,500})\["),
    Pattern(r"^include::([^\[\n]{1,500})\["),
)
_FORMATS = {
    "adoc": _ADOC,
    "asc": _ADOC,
    "asciidoc": _ADOC,
    "rst": Format(
        "rst",
        _NEVER,
        Pattern(r"[ \t]*\.\. (?:list-|csv-|flat-)table::"),
        Pattern(r"\.\. (?:\|[^|]{1,200}\| )?(?:image|figure)::[ \t]*(\S+)"),
        Pattern(r"^[ \t]*\.\. include::[ \t]*(\S+)"),
    ),
    "tex": Format(
        "tex",
        Pattern(r"\\(?:part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?\{(.*)"),
        Pattern(r"[ \t]*\\begin\{(?:tabular[xy]?|longtable|xltabular|supertabular|(?:long)?tblr)\*?\}"),
        Pattern(r"\\include(?:graphics|svg)\*?(?:\[[^\]]{0,500}\])?\{([^}]*)"),
        Pattern(
            r"\\(?:input|include|subfile|subfileinclude|includepdf|lstinputlisting|inputminted(?:\{\w+\})?"
            r"|verbatiminput|(?:sub)?(?:import|includefrom|inputfrom)\*?\{[^{}]{0,500}\})"
            r"(?:\[[^\]]{0,500}\])?\{([^{}]{1,500})\}"
        ),
    ),
    "typ": Format(
        "typ",
        Pattern(r"={1,6}[ \t]+(\S.*)"),
        Pattern(r"[^\w]*#?table\("),
        Pattern(r"image\(\s*\"([^\"]*)"),
        Pattern(r"\binclude[ \t]+\"([^\"\n]{1,500})"),
    ),
    "org": Format(
        "org",
        Pattern(r"\*+[ \t]+(\S.*)"),
        _NEVER,
        Pattern(r"\[\[(?:file:)?([^\[\]]{1,500}\.(?:png|jpe?g|gif|svg|webp))\]"),
        Pattern(r"(?i)^[ \t]*#\+include:[ \t]*\"?([^\"\s]{1,500})"),
    ),
}
_UNDERLINE = Pattern(r"([=\-`:'\"~^_*+#<>.])\1{2,}[ \t]*$")
_GRID_RULE, _GRID_ROW = Pattern(r"[ \t]*\+[-=+]{3,}[ \t]*$"), Pattern(r"[ \t]*(?:\+[-=+]{3,}|\|.*[|+])[ \t]*$")
_TYP_RAW = Pattern(r"(`{1,20})(?!`)[^`]{1,2000}\1(?!`)")
"""What Typst prints to the letter within a line."""
_ORG_ROW = Pattern(r"[ \t]*\|")
_RULE = Pattern(r"[ \t]*={2,}(?:[ \t]+={2,})+[ \t]*$")
_TOCTREE = Pattern(r"([ \t]*)\.\. toctree::")
_TARGET = Pattern(r".*<([^<>]+)>$")


def is_markdown(path: str) -> bool:
    """Is a file of this name read as Markdown?"""
    return _format(path) is None


def parts(path: str, text: str) -> Parts | None:
    """The parts of a text in another format, None for Markdown. Linear time."""
    form = _format(path)
    if form is None:
        return None
    from firewall.text.formulas import formulas  # which most edits, of Markdown, do not need
    from firewall.text.labels import defined
    from firewall.text.live import live
    from firewall.text.stubs import full_blocks

    lines = live(form.kind, text)
    texts = ["" if line.inside or line.fence else line.text for line in lines]
    if form.kind == "typ":
        texts = [_TYP_RAW.sub("", line) if "`" in line else line for line in texts]
    headings: list[str] = []
    images: Counter[str] = Counter()
    includes: Counter[str] = Counter(_toctree(texts)) if form.kind == "rst" and "toctree::" in text else Counter()
    tables = 0
    drawn = _Drawn(form.kind, texts) if form.kind in ("rst", "org") else None
    for number, line in enumerate(texts):
        if not line:
            continue
        found = form.heading.match(line)
        if found:
            headings.append(" ".join(found.group(1).split()))
        elif form.kind == "rst" and _is_underlined(texts, number):
            headings.append(" ".join(line.split()))
        tables += form.table.match(line) is not None or (drawn is not None and drawn.opens(number, line))
        images.update(form.image.findall(line))
        includes.update(map(_plain, form.include.findall(line)))
        if form.kind == "tex" and "\\begin{document}" in line:
            includes.clear()  # what a preamble takes in is seen in whatever it is for
    halves = 2 if form is _ADOC else 1  # `|===` opens a table and closes it
    code_lines = frozenset(number for number, line in enumerate(lines) if line.inside)
    last, ends_in_it = _last_paragraph(texts, text.split("\n"), code_lines)
    return Parts(
        tuple(headings),
        full_blocks(_blocks(lines)),
        tables // halves,
        images,
        includes,
        formulas(form.kind, "\n".join(texts)) if form.kind in ("tex", "org", "typ") else (),
        tuple(line.text for line in lines if line.inside),
        code_lines,
        lines[-1].fenced,
        last,
        ends_in_it,
        tuple(lines),
        defined(form.kind, "\n".join(texts)),
    )


class _Drawn:
    """Tables that are drawn with signs, told from their rules and rows: a grid is a run of lines, and a simple table
    of reStructuredText ends with its third rule, or with one that a blank line follows (docutils)."""

    def __init__(self, kind: str, lines: Sequence[str]) -> None:
        self._lines = lines
        self._opener, self._row = (_ORG_ROW, _ORG_ROW) if kind == "org" else (_GRID_RULE, _GRID_ROW)
        self._rules = 0  # of the simple table that is open

    def opens(self, number: int, line: str) -> bool:
        """Does a table begin in this line? Asked of each line in order."""
        if self._opener.match(line):
            return number == 0 or not self._row.match(self._lines[number - 1])
        if self._opener is _ORG_ROW or not _RULE.match(line):
            return False
        self._rules += 1
        first = self._rules == 1
        below = self._lines[number + 1] if number + 1 < len(self._lines) else ""
        if not first and (self._rules == 3 or not below.strip()):
            self._rules = 0
        return first


def _blocks(lines: Sequence[Line]) -> list[tuple[str, list[str]]]:
    """The blocks of code: of each the line that opens it, and those inside."""
    out: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.opens:
            out.append(("" if line.fence else line.text, [line.text] if line.inside else []))
        elif line.inside and out:
            out[-1][1].append(line.text)
    return out


def _plain(target: str) -> str:
    """The name of a file that is taken in, however it is written."""
    return target.strip().removeprefix("./").removesuffix(".tex")


def _toctree(lines: Sequence[str]) -> list[str]:
    """The files that reStructuredText's tables of contents name, and so take in."""
    out: list[str] = []
    inside = -1
    for line in lines:
        bare = line.strip()
        if not bare:
            continue
        if inside >= 0 and len(line) - len(line.lstrip()) > inside:
            titled = _TARGET.match(bare)
            out += [] if bare[0] == ":" else [titled[1] if titled else bare]
            continue
        found = _TOCTREE.match(line)
        inside = len(found[1]) if found else -1
    return out


_NO_PROSE = Pattern(r"[ \t]*(?:[-*+|.#\[\\:/=~^\"']|(?:\d+|[a-zA-Z])[.)][ \t]|\W*$|\w+::|\{|<|@|%)")
"""A line that is no running text in one of these formats: an item, a row, a directive, a mark."""


def _last_paragraph(lines: list[str], source: list[str], code_lines: frozenset[int]) -> tuple[str, bool]:
    """The last paragraph of running text, and whether it ends the text: not where a comment follows."""
    end = len(lines)
    ends_in_it = True
    while end and (not lines[end - 1].strip() or _NO_PROSE.match(lines[end - 1]) or end - 1 in code_lines):
        end -= 1
        ends_in_it = ends_in_it and not source[end].strip()
    start = end
    while start and lines[start - 1].strip() and not _NO_PROSE.match(lines[start - 1]) and start - 1 not in code_lines:
        start -= 1
    return "\n".join(line.strip() for line in lines[start:end]), ends_in_it


def _format(path: str) -> Format | None:
    return _FORMATS.get(path.rsplit(".", 1)[-1].lower()) if "." in path else None


def _is_underlined(lines: list[str], number: int) -> bool:
    line = lines[number]
    if not line.strip() or line[0].isspace() or _UNDERLINE.match(line) or number + 1 >= len(lines):
        return False
    below = _UNDERLINE.match(lines[number + 1])
    return below is not None and len(below.group().rstrip()) >= len(line.rstrip())
