"""Which lines of AsciiDoc, reStructuredText, TeX, Typst and Org are comments or never come out, and which are code.
Pure, linear time.

The one place that knows what a comment is in these formats: what counts the parts of a text and what tells how much of
it a reader sees both ask here. A comment sign in code is code, and a block of code in a comment is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firewall.text.pattern import Pattern
from firewall.text.sight import is_hidden_by
from firewall.values import NamedTuple


class Line(NamedTuple):
    """A line: does a block of code open here, is it inside one, does it only open or close one, and is that one open
    until a closer comes? `text` is '' for what never comes out; where a block begins that passes to the output of Org
    as it is, `fence` is true beside it."""

    text: str
    opens: bool = False
    inside: bool = False
    fence: bool = False
    fenced: bool = False


_GONE = Line("")
_ADOC_CODE = Pattern(r"(-{4,}|\.{4,}|`{3,}|\+{4,})[\w,]*[ \t]*$")
_ADOC_TITLE = Pattern(r"(={2,6}|#{2,6})[ \t]+\S")
_ADOC_BLOCK = Pattern(r"/{4,}[ \t]*$")
_ADOC_DELIMITER = Pattern(r"(?:--|-{4,}|\.{4,}|\+{4,}|={4,}|\*{4,}|_{4,}|`{3,}\w*|[|,:!]={3,})[ \t]*$")
_RST_CODE = Pattern(
    r"[ \t]*\.\. (?:code-block|code|sourcecode|literalinclude|testcode|prompt|ipython|code-cell|jupyter-execute"
    r"|math|graphviz|digraph|graph|uml|plantuml|mermaid)::|(?![ \t]*\.\. ).*::[ \t]*$"
)
_RST_COMMENT = Pattern(r"([ \t]*)\.\.(?:[ \t]+(?![\[|_]).*|[ \t]*)$")
_RST_DIRECTIVE = Pattern(r"[ \t]*\.\.[ \t]+[\w:.+-]+?::(?:[ \t]|$)")
_ORG_CODE = Pattern(r"(?i)[ \t]*#\+begin_(src|example)\b")
_ORG_NOT_EXPORTED = Pattern(r":exports[ \t]+none\b")
_ORG_DRAWER = Pattern(r":[\w-]+:")
_ORG_COMMENT = Pattern(r"\*+[ \t]+(?:[A-Z]+[ \t]+)?COMMENT\b")
_ORG_TAGS = Pattern(r"(:[\w@#%:]+:)[ \t]*$")
_ORG_KEYWORD = Pattern(r"(?i)#\+(exclude_|select_|file)tags:(.*)")
_TEX_CODE = Pattern(r"[ \t]*\\begin\{([A-Za-z]+)\*?\}")
_TYP_CODE = Pattern(r"[ \t]*(`{3,})[^`]*$")


def live(made: str, text: str) -> list[Line]:
    """The lines of a text (LF line ends) of this kind: adoc, rst, org, tex or typ."""
    if made == "tex":
        from firewall.text.typeset import typeset
        from firewall.text.verbatim import code_environments

        return list(_tex(typeset(text).split("\n"), code_environments(text)))
    if made == "typ":
        from firewall.text.typst import without_comments

        return list(_typ(without_comments(text).split("\n")))
    return list({"adoc": _adoc, "rst": _rst, "org": _org}[made](text.split("\n")))


# -- AsciiDoc ----------------------------------------------------------------------------------------------------


def _adoc(lines: Sequence[str]) -> Iterator[Line]:
    closer = gone = ""
    literal = hides = paragraph = False
    blank = True
    section = 0  # the level of a section that is hidden
    for line in lines:
        was_blank, blank = blank, not line.strip()
        if section:
            titled = _ADOC_TITLE.match(line)
            if titled is None or len(titled[1]) > section:
                yield _GONE
                continue
            section = 0
        if gone:
            gone = "" if line.rstrip() == gone else gone
            yield _GONE
            continue
        if closer:
            closed = line.strip() == closer
            yield Line(line, fence=True) if closed else Line(line, inside=True, fenced=True)
            closer = "" if closed else closer
            continue
        if paragraph or hides:  # of what a list of attributes before it hides
            if blank:
                paragraph = False
            elif not paragraph and _ADOC_DELIMITER.match(line):
                gone, hides = line.rstrip(), False
            elif not paragraph and line[0] in "[.":
                pass
            elif not paragraph and (titled := _ADOC_TITLE.match(line)):
                section, hides = len(titled[1]), False
            else:
                hides, paragraph = False, True
            yield _GONE
            continue
        literal = not blank and (literal or (was_blank and line[0] in " \t"))
        if literal:
            yield Line(line, opens=was_blank, inside=True)
        elif line.startswith("//") and (_ADOC_BLOCK.match(line) or line[2:3] != "/"):
            gone = line.rstrip() if _ADOC_BLOCK.match(line) else ""
            yield _GONE
        elif line.startswith("[") and (line.startswith("[comment") or _adoc_hides(line)):
            hides = True
            yield _GONE
        elif opener := _ADOC_CODE.match(line):
            closer = opener[1]
            yield Line(line, opens=True, fence=True, fenced=True)
        else:
            yield Line(line)


def _adoc_hides(line: str) -> bool:
    """Does this list of attributes give a role that hides?"""
    roles = line.strip("[] \t").replace("role=", ".").replace('"', "")
    return "." in roles and line.rstrip().endswith("]") and is_hidden_by({"class": roles.replace(".", " ")})


# -- reStructuredText --------------------------------------------------------------------------------------------


def _rst(lines: Sequence[str]) -> Iterator[Line]:
    code = gone = -1  # the indentation of what opened it
    bare = False
    for line in lines:
        blank = not line.strip()
        indent = len(line) - len(line.lstrip())
        if code >= 0:
            if blank or indent > code:
                yield Line(line, inside=True)
                continue
            code = -1
        if gone >= 0:
            if not (bare and blank) and (blank or indent > gone):  # an empty comment ends with its line
                bare = False
                yield _GONE
                continue
            gone = -1
        bare = False
        if not blank and _RST_CODE.match(line):
            code = indent
            yield Line(line, opens=True)
        elif not blank and not _RST_DIRECTIVE.match(line) and (found := _RST_COMMENT.match(line)):
            gone, bare = len(found[1]), line.strip() == ".."
            yield _GONE
        else:
            yield Line(line)


# -- Org ---------------------------------------------------------------------------------------------------------


def _org(lines: Sequence[str]) -> Iterator[Line]:
    exclude, select, inherited = _org_tags(lines)
    selects = any(line[:1] == "*" and level(line) and _has_tag(line, select) for line in lines)
    hidden_level = chosen_level = 0
    gone = closer = ""
    for line in lines:
        stripped = line.strip()
        lower = stripped.lower()
        if closer:
            closed = lower.split(" ", 1)[0] == closer
            shows = not hidden_level and (chosen_level or not selects)
            yield _GONE if not shows else Line(line, fence=True) if closed else Line(line, inside=True, fenced=True)
            closer = "" if closed else closer
            continue
        if gone:
            gone = "" if lower == gone else gone
            yield _GONE
            continue
        heading = level(line)
        if heading:
            if hidden_level and heading <= hidden_level:
                hidden_level = 0
            if not hidden_level and (inherited or _ORG_COMMENT.match(line) or _has_tag(line, exclude)):
                hidden_level = heading
            if chosen_level and heading <= chosen_level:
                chosen_level = 0
            if not chosen_level and selects and _has_tag(line, select):
                chosen_level = heading
        hidden = bool(hidden_level or (selects and not chosen_level))
        if opener := _ORG_CODE.match(line):
            if _ORG_NOT_EXPORTED.search(lower):
                gone = f"#+end_{opener[1].lower()}"
                yield _GONE
                continue
            closer = f"#+end_{opener[1].lower()}"
            yield _GONE if hidden else Line(line, opens=True, fence=True, fenced=True)
        elif lower.startswith(("#+begin_comment", "#+begin_export")):
            gone = lower.split()[0].replace("begin", "end")
            yield _GONE if hidden or lower.startswith("#+begin_c") else Line("", fence=True)
        elif lower.startswith("\\begin{comment}"):
            gone = "\\end{comment}"
            yield _GONE
        elif _ORG_DRAWER.fullmatch(stripped) and lower != ":end:":
            gone = ":end:"
            yield _GONE
        else:
            yield _GONE if hidden or stripped == "#" or stripped.startswith("# ") else Line(line)


def _org_tags(lines: Sequence[str]) -> tuple[frozenset[str], frozenset[str], bool]:
    """The tags that keep a subtree out of what is exported, those that keep all others out, and whether every headline
    has one of the first from the file."""
    tags: dict[str, set[str]] = {"exclude_": {"noexport"}, "select_": {"export"}, "file": set()}
    for line in lines:
        if line[:2] == "#+" and (found := _ORG_KEYWORD.match(line.strip())):
            tags[found[1].lower()] |= set(found[2].replace(":", " ").split())
    exclude = tags["exclude_"] | {"ARCHIVE"}
    return frozenset(exclude), frozenset(tags["select_"]), not exclude.isdisjoint(tags["file"])


def level(line: str) -> int:
    """The level of a heading of Org, 0 for any other line."""
    rest = line.lstrip("*")
    return len(line) - len(rest) if line[:1] == "*" and rest[:1] in (" ", "\t") else 0


def _has_tag(line: str, tags: frozenset[str]) -> bool:
    found = _ORG_TAGS.search(line) if line.rstrip().endswith(":") else None
    return found is not None and not tags.isdisjoint(found[1].split(":"))


# -- TeX and Typst, less their comments --------------------------------------------------------------------------


def _tex(lines: Sequence[str], environments: frozenset[str]) -> Iterator[Line]:
    closer = ""
    for line in lines:
        if closer:
            closed = line.lstrip(" \t").startswith((f"\\end{{{closer}}}", f"\\end{{{closer}*}}"))
            yield Line(line, fence=True) if closed else Line(line, inside=True, fenced=True)
            closer = "" if closed else closer
        elif (opener := _TEX_CODE.match(line)) and opener[1] in environments:
            closer = opener[1]
            yield Line(line, opens=True, fence=True, fenced=True)
        else:
            yield Line(line)


def _typ(lines: Sequence[str]) -> Iterator[Line]:
    closer = ""
    for line in lines:
        if closer:
            closed = line.strip() == closer
            yield Line(line, fence=True) if closed else Line(line, inside=True, fenced=True)
            closer = "" if closed else closer
        elif opener := _TYP_CODE.match(line):
            closer = opener[1]
            yield Line(line, opens=True, fence=True, fenced=True)
        else:
            yield Line(line)
