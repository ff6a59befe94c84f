"""What AsciiDoc, reStructuredText and Org show of their source, less comments and code (`live.py`). Pure, linear time.

Lists are of what is shown: the content of a directive that is not known to show it is not seen, nor is a condition's.
What passes to the output stands in the lines as marks (`passed.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firewall.text.live import level
from firewall.text.pattern import Pattern
from firewall.text.sight import is_hidden_by
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.text.passed import Passed

# -- reStructuredText --------------------------------------------------------------------------------------------

_RST_EXPLICIT = Pattern(r"([ \t]*)(?:\.\.|__)[ \t]+(?!\[).*$")
"""Targets and definitions."""
_RST_DIRECTIVE = Pattern(r"([ \t]*)\.\.[ \t]+([\w:.+-]+?)::(?:[ \t]+(.*)|[ \t]*)$")
_RST_OPTION = Pattern(r"[ \t]+:[\w-]+:(?:[ \t].*)?$")
_RST_FIELD = Pattern(r":[^:\s][^:]*:(?:[ \t]|$)")
_RST_TARGET = Pattern(r"<[^<>`]*>(?=`)")
_RST_TIP = Pattern(r"(:abbr(?:eviation)?:`[^`(]{0,200})\([^`]*\)`")
"""An abbreviation, which is seen, and what it stands for, which is not."""
_RST_ROLE = Pattern(r"(?m)^[ \t]*\.\. role::[ \t]*([\w-]+)[ \t]*\([ \t]*raw[ \t]*\)")
_RST_CLASSED = Pattern(r"(?m)^[ \t]*\.\. role::[ \t]*([\w-]+)[^\n]*(?:\n[ \t]+:class:[ \t]*([^\n]+))?")
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


def rst(lines: list[str], passed: Passed) -> str:
    """Less fields about the document, options, targets of links, tips, and directives that show nothing."""
    text = "\n".join(_rst(lines))
    text = _without_hidden_roles(text, "\n".join(lines)) if "role::" in text else text
    text = _RST_TARGET.sub("", _raw_roles(text, passed))
    return _RST_TIP.sub(r"\1", text) if ":abbr" in text else text


def _without_hidden_roles(text: str, source: str) -> str:
    """Less what stands in roles that hide it: the class of a role is its name where it is given no other."""
    names = {found[1] for found in _RST_CLASSED.finditer(source) if is_hidden_by({"class": found[2] or found[1]})}
    return _RST_INTERPRETED.sub(lambda m: "" if m[1] in names else m.group(), text) if names else text


def _raw_roles(text: str, passed: Passed) -> str:
    """What roles and directives that pass HTML through leave of a text."""
    names = frozenset(_RST_ROLE.findall(text)) if "role::" in text else frozenset()
    if not names:
        return passed.through(text)
    parts = _RST_INTERPRETED.split(text)  # text, role, content, text …
    out: list[str | None] = [parts[0]]
    for role, content, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        if role in names:
            out += [content, rest]
        else:
            out[-1] = f"{out[-1]}:{role}:`{content}`{rest}"
    return passed.through(text, out)


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
    options = fields = block = False
    hider = -1  # the indentation of a class that hides what comes next
    section = ""  # what underlines the titles of the section that is hidden so
    for number, line in enumerate(lines):
        blank = not line.strip()
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if section:
            if not (_RST_UNDERLINE.match(below) and below[0] == section and line[:1].isalnum()):
                yield ""
                continue
            section = ""
        if options and not blank and (_RST_OPTION.match(line) or (fields and line[0] in " \t")):
            fields = True
            yield ""
            continue
        options = fields = False
        if indent >= 0:
            if blank or block or len(line) - len(line.lstrip()) > indent:
                block = block and not blank
                hider = hider if blank else -1  # it was for what it holds
                yield ""
                continue
            indent = -1
        if blank:
            yield line
            continue
        if hider >= 0:
            hider, indent, block = -1, len(line) - len(line.lstrip()), True
            titled = _RST_UNDERLINE.match(line) or _RST_UNDERLINE.match(below)
            section = titled[1] if titled else ""
            yield ""
            continue
        found = _RST_DIRECTIVE.match(line)
        if found:
            argument, content = _shows(found[2].lower(), found[3] or "")
            options = True
            indent = -1 if content else len(found[1])
            if not content and found[2].lower() in ("class", "rst-class", "cssclass"):
                hider = indent
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


def adoc(lines: list[str], passed: Passed) -> str:
    """Less attributes, conditions, lists of attributes, and what passes to HTML that hides it."""
    text = "\n".join(_adoc(lines))
    text = passed.through(text, _adoc_passed(text) if "+++" in text or "pass:" in text else ())
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
    attribute = False
    depth = 0
    for line in lines:
        if attribute or _ADOC_ATTRIBUTE.match(line):
            attribute = line.rstrip().endswith(" \\")
        elif line.startswith("endif::"):
            depth = max(0, depth - 1)
        elif _ADOC_IF.match(line):
            depth += line.startswith("ifeval") or line.rstrip().endswith("[]")
        elif line.startswith("[") and line.rstrip().endswith("]"):
            pass
        else:
            yield "" if depth else line
            continue
        yield ""


# -- Org ---------------------------------------------------------------------------------------------------------

_ORG_TARGET = Pattern(r"\[\[[^\[\]]*\](?=\[)|(?<!<)<<[^<>\n]+>>(?!>)|\{\{\{[^{}]*\}\}\}")
_ORG_SNIPPET = Pattern(r"@@([\w-]+):(.*?)@@")
_ORG_CODE = Pattern(
    r"(?<!\w)src_[\w-]{1,40}(?:\[(?![^\]\n]{0,300}:exports[ \t]+(?:code|both))[^\]\n]{0,400}\])?\{[^{}\n]*\}"
)
"""Code within a line, of which its result alone is seen."""
_ORG_NOTE = Pattern(r"\[fn:([\w-]+)\]")
_LATEX = Pattern(r"\\begin\{([\w*]+)\}")


def org(lines: list[str], passed: Passed) -> str:
    """Less keywords, environments of LaTeX, snippets, code in a line, and notes that nothing refers to."""
    text = "\n".join(_org(lines))
    html: list[str | None] = []
    if "@@" in text:
        parts = _ORG_SNIPPET.split(text)  # text, backend, snippet, text …
        html += [
            part if n % 3 == 0 else part if parts[n - 1] == "html" else "" for n, part in enumerate(parts) if n % 3 != 1
        ]
    text = passed.through(text, html)
    if "src_" in text:
        text = _ORG_CODE.sub("", text)
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
