"""The parts of texts that are not Markdown: AsciiDoc, reStructuredText, LaTeX, Typst, Org.

Read as Markdown, the line of dashes around an AsciiDoc listing makes a heading of what stands above it. Here are the
few marks that tell a heading, a block of code, a table and an image in each, line by line; a file of any other name
is read as Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from firewall.text.pattern import Pattern
from firewall.values import NamedTuple


class Format(NamedTuple):
    """Patterns of one line: a heading (its words as group 1), the opener of a block of code (`closes` gives the
    pattern of its closer), the opener of a table, an image (its target as group 1)."""

    heading: Pattern
    code: Pattern
    table: Pattern
    image: Pattern


class Parts(NamedTuple):
    """What a text has: headings by their words, blocks of code, tables, images by target, and the lines of code.

    `unclosed`: a block of code runs to the end of the text. `last` is the last paragraph of running text; `ends_in_it`
    says that nothing else follows.
    """

    headings: tuple[str, ...]
    blocks: int
    tables: int
    images: Counter[str]
    code: tuple[str, ...]
    code_lines: frozenset[int]
    unclosed: bool
    last: str
    ends_in_it: bool


_NEVER = Pattern(r"(?!)")
_ADOC = Format(
    Pattern(r"={1,6}[ \t]+(\S.*)"),
    Pattern(r"(-{4,}|\.{4,}|`{3,}|\+{4,})[\w,]*[ \t]*$"),
    Pattern(r"\|={3,}[ \t]*$"),
    Pattern(r"image::?([^\[\s]{1,500})\["),
)
_FORMATS = {
    "adoc": _ADOC,
    "asc": _ADOC,
    "asciidoc": _ADOC,
    "rst": Format(
        _NEVER,
        Pattern(r"[ \t]*\.\. (?:code-block|code|sourcecode|literalinclude)::|(?![ \t]*\.\. ).*::[ \t]*$"),
        Pattern(r"[ \t]*(?:\+[-=+]{3,}|={3,}(?:[ \t]+={3,})+)[ \t]*$|[ \t]*\.\. (?:list-|csv-)?table::"),
        Pattern(r"\.\. (?:image|figure)::[ \t]*(\S+)"),
    ),
    "tex": Format(
        Pattern(r"\\(?:part|chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?\{(.*)"),
        Pattern(r"[ \t]*\\begin\{(verbatim|lstlisting|minted|Verbatim)\*?\}"),
        Pattern(r"[ \t]*\\begin\{(?:tabular|longtable|tabularx)\*?\}"),
        Pattern(r"\\includegraphics\*?(?:\[[^\]]{0,500}\])?\{([^}]*)"),
    ),
    "typ": Format(
        Pattern(r"={1,6}[ \t]+(\S.*)"),
        Pattern(r"[ \t]*(`{3,})[^`]*$"),
        Pattern(r"[^\w]*#?table\("),
        Pattern(r"image\(\s*\"([^\"]*)"),
    ),
    "org": Format(
        Pattern(r"\*+[ \t]+(\S.*)"),
        Pattern(r"(?i)[ \t]*#\+begin_(src|example)\b"),
        Pattern(r"[ \t]*\|[-+]+\|?[ \t]*$"),
        Pattern(r"\[\[(?:file:)?([^\[\]]{1,500}\.(?:png|jpe?g|gif|svg|webp))\]"),
    ),
}
_UNDERLINE = Pattern(r"([=\-`:'\"~^_*+#<>.])\1{2,}[ \t]*$")


def is_markdown(path: str) -> bool:
    """Is a file of this name read as Markdown?"""
    return _format(path) is None


def parts(path: str, text: str) -> Parts | None:
    """The parts of a text in another format, None for Markdown. Linear time."""
    form = _format(path)
    if form is None:
        return None
    lines = text.split("\n")
    headings: list[str] = []
    images: Counter[str] = Counter()
    code: list[str] = []
    code_lines: set[int] = set()
    blocks = tables = 0
    unclosed = False
    for number, (line, opens, inside, fenced) in enumerate(_walk(lines, form)):
        unclosed = fenced
        blocks += opens
        if inside:
            code.append(line)
            code_lines.add(number)
            continue
        found = form.heading.match(line)
        if found:
            headings.append(" ".join(found.group(1).split()))
        elif form is _FORMATS["rst"] and _is_underlined(lines, number):
            headings.append(" ".join(line.split()))
        tables += form.table.match(line) is not None
        images.update(form.image.findall(line))
    halves = 2 if form is _ADOC else 1  # `|===` opens a table and closes it
    last, ends_in_it = _last_paragraph(lines, code_lines)
    return Parts(
        tuple(headings),
        blocks,
        tables // halves,
        images,
        tuple(code),
        frozenset(code_lines),
        unclosed,
        last,
        ends_in_it,
    )


_NO_PROSE = Pattern(r"[ \t]*(?:[-*+|.#\[\\:/=~^\"']|(?:\d+|[a-zA-Z])[.)][ \t]|\W*$|\w+::|\{|<|@|%)")
"""A line that is no running text in one of these formats: an item, a row, a directive, a mark."""


def _last_paragraph(lines: list[str], code_lines: set[int]) -> tuple[str, bool]:
    """The last paragraph of running text, and whether it ends the text."""
    end = len(lines)
    ends_in_it = True
    while end and (not lines[end - 1].strip() or _NO_PROSE.match(lines[end - 1]) or end - 1 in code_lines):
        end -= 1
        ends_in_it = ends_in_it and not lines[end].strip()
    start = end
    while start and lines[start - 1].strip() and not _NO_PROSE.match(lines[start - 1]) and start - 1 not in code_lines:
        start -= 1
    return "\n".join(line.strip() for line in lines[start:end]), ends_in_it


def _format(path: str) -> Format | None:
    return _FORMATS.get(path.rsplit(".", 1)[-1].lower()) if "." in path else None


class _Line(NamedTuple):
    """A line: does a block of code open here, is it inside one, and is that one open until a closer comes?"""

    text: str
    opens: bool = False
    inside: bool = False
    fenced: bool = False


def _walk(lines: list[str], form: Format) -> Iterator[_Line]:
    """The lines, openers and closers of blocks left empty."""
    closer: re.Pattern[str] | None = None
    indent = -1
    literal = False
    blank = True
    for line in lines:
        was_blank, blank = blank, not line.strip()
        if closer is not None:
            if closer.match(line):
                closer = None
                yield _Line("")
            else:
                yield _Line(line, inside=True, fenced=True)
            continue
        if indent >= 0:
            if blank or len(line) - len(line.lstrip()) > indent:
                yield _Line(line, inside=True)
                continue
            indent = -1
        literal = form is _ADOC and not blank and (literal or (was_blank and line[0] in " \t"))
        if literal:
            yield _Line(line, opens=was_blank, inside=True)
            continue
        opener = form.code.match(line)
        if opener is None:
            yield _Line(line)
        elif form is _FORMATS["rst"]:
            indent = len(line) - len(line.lstrip())
            yield _Line(line, opens=True)
        else:
            closer = _closer(opener.group(1), form)
            yield _Line("", opens=True, fenced=True)


def _closer(mark: str, form: Format) -> re.Pattern[str]:
    if form is _FORMATS["tex"]:
        return re.compile(rf"[ \t]*\\end\{{{mark}\*?\}}")
    if form is _FORMATS["org"]:
        return re.compile(rf"(?i)[ \t]*#\+end_{mark}\b")
    return re.compile(rf"[ \t]*{re.escape(mark)}[ \t]*$")


def _is_underlined(lines: list[str], number: int) -> bool:
    line = lines[number]
    if not line.strip() or line[0].isspace() or _UNDERLINE.match(line) or number + 1 >= len(lines):
        return False
    below = _UNDERLINE.match(lines[number + 1])
    return below is not None and len(below.group().rstrip()) >= len(line.rstrip())
