"""What a reader sees of a text, by the kind of its file: the one answer for every rule that asks. Pure, linear time.

Hidden are comments, markup, front matter, elements that are not painted, and what nothing shown refers to; code is
seen, but not as prose, and is given apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from firewall.text.diff import Window, compare
from firewall.text.formats import parts
from firewall.text.outline import Outline, may_touch_structure, outline
from firewall.text.pattern import Pattern
from firewall.text.sight import Sight
from firewall.text.typeset import printed, typeset
from firewall.text.units import Unit

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
PARSED = ("markdown", "mdx", "notebook")
"""Kinds that the Markdown parser reads."""


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
        return Sight(text).feed(text)
    found = parts(path, text)
    code = found.code_lines if found else frozenset()
    lines = [("" if n in code else line) for n, line in enumerate(text.split("\n"))]
    if made == "tex":
        return printed(typeset("\n".join(lines)))
    if made == "typ":
        return _TYPST.sub("", "\n".join(lines))
    if made == "rst":
        return _RST_TARGET.sub("", "\n".join(_rst(lines)))
    if made == "adoc":
        return _ADOC_UNSEEN.sub("", "\n".join(_adoc(lines)))
    return _ORG_TARGET.sub("", "\n".join(_org(lines)))


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
        for sign in signs:
            if sign in sides[0] or sign in sides[1]:
                return True
        return may_touch_structure(old, new, window.start, window.old_end, window.new_end)
    return old != new


def came(path: str, old: str, new: str) -> tuple[Unit, ...]:
    """The units that a text got by a change: of the source, and of what is shown where that is not the same."""
    change = compare(old, new)
    if kind(path) == "plain" or not may_hide(path, old, new, change.window):
        return change.added_units
    return (*change.added_units, *compare(shown(path, old), shown(path, new)).added_units)


def outline_of(path: str, text: str) -> Outline:
    """The parts of a text by its format; what only Markdown has is nobody's loss in another."""
    safe = text if text.isascii() else text.encode("utf-8", "replace").decode()  # the parser takes UTF-8 only
    is_mdx = kind(path) == "mdx"
    if ("!!!" in safe or "???" in safe or "===" in safe) and _TAB.search(safe):
        safe = _opened(safe)
    safe = _TEMPLATE.sub("", safe) if "{%" in safe or "%%" in safe else safe
    safe = _MODULE.sub("", safe) if is_mdx else safe
    made = outline(_without_expressions(safe) if is_mdx else safe, jsx=is_mdx)
    if kind(path) == "plain":
        return made._replace(shown=text, hides=())
    found = parts(path, text)
    if found is None:
        return made
    return made._replace(
        headings=found.headings,
        fences=found.blocks,
        tables=found.tables,
        images=found.images,
        keys=None,
        notes=frozenset(),
        links=frozenset(),
        unclosed=found.unclosed,
        last_prose=found.last,
        ends="paragraph" if found.ends_in_it else "other",
        code="\n".join(found.code),
        shown="",
        hides=(),
    )


# -- admonitions and tabs of Python-Markdown: what is indented below them is no code -----------------------------

_TEMPLATE = Pattern(
    r"\{%-?[ \t]*comment\b[^{}%]*%\}(?s:.)*?\{%-?[ \t]*endcomment[ \t]*-?%\}|(?m:^)%%[ \t]*\n(?s:.)*?\n%%[ \t]*(?m:$)"
)
"""Comments of Liquid and of Obsidian."""
_SIGNS = ("{%", "%%", "!!!", "???")
_MDX_SIGNS = (*_SIGNS, "{", "}", "*/", "export", "import")
"""One of these is in whatever the patterns here find in Markdown."""
_MODULE = Pattern(r"(?m)^(?:export|import)\b(?:[^`\n]|`[^`]*(?:`|\Z)|\n(?![ \t]*\n))*")
"""Statements of a module in MDX, to the next blank line that stands in no text of theirs."""
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


# -- MDX: what stands in braces is code, comments most of all ----------------------------------------------------

_COMMENT = Pattern(r"\{\s*/\*(?s:.)*?(?:\*/\s*\}|\Z)")
_BRACES = Pattern(r"(?m)^[ \t>]*(?P<fence>`{3,}|~{3,}).*$|(?P<code>`[^`\n]*`)|/\*(?s:.)*?(?:\*/|\Z)|[{}]")


def _without_expressions(text: str) -> str:
    """A text of MDX less its expressions in braces, line breaks and the values of attributes kept; a brace that is
    never closed hides nothing."""
    text = _COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
    out: list[str] = []
    start = depth = opened = 0
    fence = ""
    at = 0
    while found := _BRACES.made.search(text, at):
        at = found.end()
        mark = found["fence"]
        if mark and not depth:
            if not fence:
                fence = mark
            elif mark[0] == fence[0] and len(mark) >= len(fence):
                fence = ""
            continue
        if fence:
            continue
        sign = found.group()
        before = text[found.start() - 1 : found.start()]
        if sign == "{" and before != "\\":
            if not depth:
                opened = -1 if before == "=" else found.start()
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if not depth and opened >= 0:
                out += [text[start:opened], "\n" * text.count("\n", opened, at)]
                start = at
        elif not depth and sign.startswith("/*"):
            at = found.start() + 2
    out.append(text[start:])
    return "".join(out)


# -- comments of the other formats -------------------------------------------------------------------------------

_TYPST = Pattern(r"/\*(?s:.)*?(?:\*/|\Z)|(?<!:)//.*|#hide\[[^\[\]]*\]|#if false [{\[][^{}\[\]]*[}\]]")
_RST = Pattern(
    r"([ \t]*)\.\.(?:[ \t]+(?:(?:only|ifconfig|raw|meta|index|comment|todo)::|(?!\[|[\w:.+-]+::)).*|[ \t]*)$"
)
_RST_DIRECTIVE = Pattern(r"[ \t]*\.\. [\w:.+-]+::")
_RST_OPTION = Pattern(r"[ \t]+:[\w-]+:(?:[ \t].*)?$")
_RST_TARGET = Pattern(r"<[^<>`]*>(?=`_)")
_ADOC_BLOCK = Pattern(r"/{4,}[ \t]*$")
_ADOC_IF = Pattern(r"(?:ifdef|ifndef|ifeval)::[^\s\[]*\[[ \t]*[^\s\]]*[ \t]*\]$")
_ADOC_UNSEEN = Pattern(
    r"(?m)^:!?[\w-]+!?:(?:[ \t].*)?$|\bimage::?[^\[\s]{1,500}\[[^\[\]]*\]|\(\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)\)"
    r"|\[\[[^\[\]]*\]\]|\btitle=\"[^\"]*\""
)
"""Attributes, texts that stand for images, terms of the index, anchors, titles of links."""
_ORG_TARGET = Pattern(r"\[\[[^\[\]]*\](?=\[)")
_ORG_DRAWER = Pattern(r":[\w-]+:")
_ORG_HIDDEN = Pattern(r"(\*+)[ \t]+(?:(?:[A-Z]+[ \t]+)?COMMENT\b|.*:(?:noexport|ARCHIVE):)")


def _rst(lines: list[str]) -> Iterator[str]:
    """Less comments and the directives whose content is not shown, with what is indented below them."""
    indent = -1
    bare = options = False
    for line in lines:
        blank = not line.strip()
        if options and _RST_OPTION.match(line):
            yield ""
            continue
        options = _RST_DIRECTIVE.match(line) is not None
        if indent >= 0:
            if bare and blank:
                indent = -1  # an empty comment ends with its line
            elif blank or len(line) - len(line.lstrip()) > indent:
                bare = False
                yield ""
                continue
            else:
                indent = -1
        bare = False
        found = _RST.match(line)
        if found:
            indent, bare = len(found[1]), line.strip() == ".."
            yield ""
        else:
            yield line


def _adoc(lines: list[str]) -> Iterator[str]:
    """Less comment lines, comment blocks and `[comment]` paragraphs; conditional parts count as hidden."""
    closer = ""
    paragraph = False
    depth = 0
    for line in lines:
        if closer:
            closer = "" if line.rstrip() == closer else closer
            yield ""
            continue
        if _ADOC_BLOCK.match(line) or (paragraph and line.rstrip() == "--"):
            closer = line.rstrip()
        elif line.startswith("endif::"):
            depth = max(0, depth - 1)
        elif _ADOC_IF.match(line):
            depth += 1
        elif line.startswith("[comment"):
            paragraph = True
        else:
            paragraph = paragraph and bool(line.strip())
            hidden = depth or paragraph or (line.startswith("//") and not line.startswith("///"))
            yield "" if hidden else line
            continue
        yield ""


def _org(lines: list[str]) -> Iterator[str]:
    """Less comments, keywords, drawers, and subtrees that are not exported."""
    hidden_level = 0
    closer = ""
    for line in lines:
        stripped = line.strip()
        heading = len(line) - len(line.lstrip("*")) if line.startswith("*") and line.lstrip("*")[:1] in " \t" else 0
        if heading and not closer:
            if hidden_level and heading <= hidden_level:
                hidden_level = 0
            if not hidden_level and _ORG_HIDDEN.match(line):
                hidden_level = heading
        lower = stripped.lower()
        if closer:
            closer = "" if lower == closer else closer
            yield ""
        elif lower.startswith(("#+begin_comment", "#+begin_export")):
            closer = lower.split()[0].replace("begin", "end")
            yield ""
        elif _ORG_DRAWER.fullmatch(stripped) and lower != ":end:":
            closer = ":end:"
            yield ""
        else:
            yield "" if hidden_level or stripped == "#" or stripped.startswith(("# ", "#+")) else line
