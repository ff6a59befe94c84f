"""What AsciiDoc, reStructuredText and Org show of their source, less comments and code (`live.py`). Pure, linear time.

Lists are of what is shown: the content of a directive that is not known to show it is not seen, nor is a condition's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firewall.text.live import level
from firewall.text.pattern import Pattern
from firewall.text.sight import Sight, is_hidden_by

# -- reStructuredText --------------------------------------------------------------------------------------------

_RST_EXPLICIT = Pattern(r"([ \t]*)\.\.[ \t]+(?!\[).*$")
"""Targets and definitions."""
_RST_DIRECTIVE = Pattern(r"([ \t]*)\.\.[ \t]+([\w:.+-]+?)::(?:[ \t]+(.*)|[ \t]*)$")
_RST_OPTION = Pattern(r"[ \t]+:[\w-]+:(?:[ \t].*)?$")
_RST_FIELD = Pattern(r":[^:\s][^:]*:(?:[ \t]|$)")
_RST_TARGET = Pattern(r"<[^<>`]*>(?=`)")
_RST_ROLE = Pattern(r"(?m)^[ \t]*\.\. role::[ \t]*([\w-]+)[ \t]*\([ \t]*raw[ \t]*\)")
_RST_INTERPRETED = Pattern(r":([\w-]+):`([^`]*)`")
_RST_UNDERLINE = Pattern(r"([^\w\s])\1{2,}[ \t]*$")
_ARGUMENT = frozenset(
    "note warning tip hint important danger error caution attention admonition seealso versionadded versionchanged "
    "deprecated versionremoved topic sidebar rubric centered epigraph highlights pull-quote table list-table csv-table "
    "tab tab-item card grid-item-card dropdown details collapse function method attribute data exception decorator "
    "property staticmethod classmethod option cmdoption envvar describe object confval setting "
    "django-admin django-admin-option parsed-literal line-block flat-table".split()
)
"""Directives whose argument and content are shown."""
_CONTENT = frozenset(
    "figure compound container hlist glossary tab-set tabs tabbed grid grid-item class rst-class table-cell "
    "group-tab code-tab cssclass div".split()
)
"""Directives of which the content is shown, and not the argument."""
_NO_OBJECT = frozenset("module currentmodule default-domain namespace namespace-push namespace-pop".split())


def rst(lines: list[str]) -> str:
    """Less fields about the document, options, targets of links, and directives that show nothing."""
    return _RST_TARGET.sub("", _raw_roles("\n".join(_rst(lines))))


def _raw_roles(text: str) -> str:
    """What roles that pass HTML through leave of a text."""
    names = frozenset(_RST_ROLE.findall(text)) if "role::" in text else frozenset()
    if not names:
        return text
    parts = _RST_INTERPRETED.split(text)  # text, role, content, text …
    out: list[str | None] = [parts[0]]
    for role, content, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if role in names:
            out += [content, rest]
        else:
            out[-1] = f"{out[-1]}:{role}:`{content}`{rest}"
    return _through(out)


def _through(parts: list[str | None]) -> str:
    """Text and HTML by turns, less what the HTML hides."""
    sight = Sight()
    out: list[str] = []
    for number, part in enumerate(parts):
        if number % 2:
            out.append(sight.feed(part or ""))
        elif not sight.hidden:
            out.append(part or "")
    return "".join(out)


def _shows(name: str, argument: str) -> tuple[bool, bool]:
    """(is the argument of this directive shown, is its content)."""
    if name in _ARGUMENT:
        return True, True
    if name in _CONTENT:
        return False, not is_hidden_by({"class": argument})
    if name.startswith("auto") and name != "autosummary":
        return False, True
    domain, _, kind = name.partition(":")
    seen = bool(kind and domain) and kind not in _NO_OBJECT
    return seen, seen


def _rst(lines: list[str]) -> Iterator[str]:
    indent = -1  # of a part that is not seen
    top = True
    options = fields = False
    for number, line in enumerate(lines):
        blank = not line.strip()
        if options and not blank and (_RST_OPTION.match(line) or (fields and line[0] in " \t")):
            fields = True
            yield ""
            continue
        options = fields = False
        if indent >= 0:
            if blank or len(line) - len(line.lstrip()) > indent:
                yield ""
                continue
            indent = -1
        if blank:
            yield line
            continue
        found = _RST_DIRECTIVE.match(line)
        if found:
            argument, content = _shows(found[2].lower(), found[3] or "")
            options = True
            indent = -1 if content else len(found[1])
            if found[2] == "role":
                yield line
            else:
                yield found[1] + (found[3] or "") if argument else ""
            top = top and not content
        elif found := _RST_EXPLICIT.match(line):
            indent = len(found[1])
            yield ""
        elif top and _RST_FIELD.match(line):
            indent = 0
            yield ""
        else:
            below = lines[number + 1] if number + 1 < len(lines) else ""
            top = top and bool(_RST_UNDERLINE.match(line) or _RST_UNDERLINE.match(below))
            yield line


# -- AsciiDoc ----------------------------------------------------------------------------------------------------

_ADOC_IF = Pattern(r"(?:ifdef|ifndef|ifeval)::")
_ADOC_ATTRIBUTE = Pattern(r":!?[\w-]+!?:(?:[ \t]|$)")
_ADOC_UNSEEN = Pattern(
    r"\b(?:image|video|audio|icon|anchor|include|indexterm)::?[^\[\s]{0,500}\[[^\[\]]*\]"
    r"|\(\(\([^()]*(?:\([^()]*\)[^()]*)*\)\)\)|\[\[[^\[\]]*\]\]|\btitle=\"[^\"]*\"|\{[^{}\n]*\}"
    r"|<<[^<>,\n]*,|\b(?:link|xref|mailto):(?:\+\+[^+\n]*\+\+|[^\[\s]{0,500})(?=\[)"
    r"|\[\.(?:hidden|hide|invisible|white|sr-only)\b[^\]\n]{0,200}\]#{1,2}[^#\n]*#{1,2}"
)
"""Texts that stand for images and films, terms of the index, anchors, titles and targets of links, attributes."""
_ADOC_PASS = Pattern(r"\bpass:[a-z,]{0,20}\[|\+\+\+")


def adoc(lines: list[str]) -> str:
    """Less attributes, conditions, lists of attributes, and what passes to HTML that hides it."""
    text = "\n".join(_adoc(lines))
    if "+++" in text or "pass:" in text:
        text = _through(_adoc_passed(text))
    return _ADOC_UNSEEN.sub("", text)


def _adoc_passed(text: str) -> list[str | None]:
    """Text and what passes to HTML, by turns."""
    parts: list[str | None] = []
    start = at = 0
    vain: set[str] = set()
    while found := _ADOC_PASS.made.search(text, at):
        at = found.end()
        closer = "+++" if found.group() == "+++" else "]"
        end = -1 if closer in vain else text.find(closer, at)
        if end < 0:
            vain.add(closer)
            continue
        parts += [text[start : found.start()], text[at:end]]
        start = at = end + len(closer)
    return [*parts, text[start:]]


def _adoc(lines: list[str]) -> Iterator[str]:
    closer = ""
    paragraph = attribute = False
    depth = 0
    for line in lines:
        if closer:
            closer = "" if line.rstrip() == closer else closer
            yield ""
            continue
        if attribute or _ADOC_ATTRIBUTE.match(line):
            attribute = line.rstrip().endswith(" \\")
        elif paragraph and line.rstrip() == "--":
            closer = line.rstrip()
        elif line.startswith("endif::"):
            depth = max(0, depth - 1)
        elif _ADOC_IF.match(line):
            depth += line.startswith("ifeval") or line.rstrip().endswith("[]")
        elif line.startswith("[pass"):
            paragraph = True
        elif line.startswith("[") and line.rstrip().endswith("]"):
            pass
        else:
            paragraph = paragraph and bool(line.strip())
            yield "" if depth or paragraph else line
            continue
        yield ""


# -- Org ---------------------------------------------------------------------------------------------------------

_ORG_TARGET = Pattern(r"\[\[[^\[\]]*\](?=\[)|(?<!<)<<[^<>\n]+>>(?!>)|\{\{\{[^{}]*\}\}\}")
_ORG_SNIPPET = Pattern(r"@@([\w-]+):(.*?)@@")
_ORG_NOTE = Pattern(r"\[fn:([\w-]+)\]")
_LATEX = Pattern(r"\\begin\{([\w*]+)\}")


def org(lines: list[str]) -> str:
    """Less keywords, environments of LaTeX, snippets, and notes that nothing refers to."""
    text = "\n".join(_org(lines))
    if "@@" in text:
        parts = _ORG_SNIPPET.split(text)  # text, backend, snippet, text …
        html = [
            part if n % 3 == 0 else part if parts[n - 1] == "html" else "" for n, part in enumerate(parts) if n % 3 != 1
        ]
        text = _through(html)
    text = _ORG_TARGET.sub("", text)
    return _org_notes(text) if "\n[fn:" in text or text.startswith("[fn:") else text


def _org(lines: list[str]) -> Iterator[str]:
    closer = ""
    for line in lines:
        lower = line.strip().lower()
        if closer:
            closer = "" if lower == closer else closer
            yield ""
        elif lower.startswith("\\begin{") and (found := _LATEX.match(lower)):
            closer = f"\\end{{{found[1]}}}"
            yield ""
        else:
            yield "" if lower.startswith(("#+", "%%(")) else line


def _org_notes(text: str) -> str:
    """Less the notes that nothing shown refers to: each from its label to a heading, another or two blank lines."""
    body: list[str] = []
    notes: dict[str, list[str]] = {}
    order: list[tuple[str, list[str]]] = []
    into = body
    blank = False
    for line in text.split("\n"):
        found = _ORG_NOTE.match(line) if line.startswith("[fn:") else None
        if found:
            into = []
            order.append((found[1], into))
            notes.setdefault(found[1], into)
            line = line[found.end() :]  # the label is no reference
        elif into is not body and (level(line) or (blank and not line.strip())):
            into = body
        blank = not line.strip()
        into.append(line)
    return "\n".join([*body, *_reached(body, notes)])


def _reached(body: list[str], notes: Mapping[str, list[str]]) -> Iterator[str]:
    seen: set[str] = set()
    todo = [body]
    while todo:
        for label in _ORG_NOTE.findall("\n".join(todo.pop())):
            if label in notes and label not in seen:
                seen.add(label)
                todo.append(notes[label])
                yield from notes[label]
