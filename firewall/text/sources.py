"""What AsciiDoc, reStructuredText and Org show of their source. Pure, linear time.

Lists are of what is shown: the content of a directive that is not known to show it is not seen, nor is a condition's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firewall.text.pattern import Pattern
from firewall.text.sight import Sight, is_hidden_by

# -- reStructuredText --------------------------------------------------------------------------------------------

_RST_COMMENT = Pattern(r"([ \t]*)\.\.(?:[ \t]+(?!\[).*|[ \t]*)$")
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
    """Less comments, fields about the document, options, targets of links, and directives that show nothing."""
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
    bare = top = True
    options = fields = False
    for number, line in enumerate(lines):
        blank = not line.strip()
        if options and not blank and (_RST_OPTION.match(line) or (fields and line[0] in " \t")):
            fields = True
            yield ""
            continue
        options = fields = False
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
        elif found := _RST_COMMENT.match(line):
            indent, bare = len(found[1]), line.strip() == ".."
            yield ""
        elif top and _RST_FIELD.match(line):
            indent = 0
            yield ""
        else:
            below = lines[number + 1] if number + 1 < len(lines) else ""
            top = top and bool(_RST_UNDERLINE.match(line) or _RST_UNDERLINE.match(below))
            yield line


# -- AsciiDoc ----------------------------------------------------------------------------------------------------

_ADOC_BLOCK = Pattern(r"/{4,}[ \t]*$")
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
    """Less comments, attributes, conditions, lists of attributes, and what passes to HTML that hides it."""
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
        elif _ADOC_BLOCK.match(line) or (paragraph and line.rstrip() == "--"):
            closer = line.rstrip()
        elif line.startswith("endif::"):
            depth = max(0, depth - 1)
        elif _ADOC_IF.match(line):
            depth += line.startswith("ifeval") or line.rstrip().endswith("[]")
        elif line.startswith(("[comment", "[pass")) or (line.startswith("[") and _adoc_hides(line)):
            paragraph = True
        elif line.startswith("[") and line.rstrip().endswith("]"):
            pass
        else:
            paragraph = paragraph and bool(line.strip())
            hidden = depth or paragraph or (line.startswith("//") and not line.startswith("///"))
            yield "" if hidden else line
            continue
        yield ""


def _adoc_hides(line: str) -> bool:
    roles = line.strip("[] \t").replace("role=", ".").replace('"', "")
    return "." in roles and line.rstrip().endswith("]") and is_hidden_by({"class": roles.replace(".", " ")})


# -- Org ---------------------------------------------------------------------------------------------------------

_ORG_TARGET = Pattern(r"\[\[[^\[\]]*\](?=\[)|(?<!<)<<[^<>\n]+>>(?!>)|\{\{\{[^{}]*\}\}\}")
_ORG_DRAWER = Pattern(r":[\w-]+:")
_ORG_COMMENT = Pattern(r"\*+[ \t]+(?:[A-Z]+[ \t]+)?COMMENT\b")
_ORG_TAGS = Pattern(r"(:[\w@#%:]+:)[ \t]*$")
_ORG_KEYWORD = Pattern(r"(?i)#\+(exclude|select)_tags:(.*)")
_ORG_SNIPPET = Pattern(r"@@([\w-]+):(.*?)@@")
_ORG_NOTE = Pattern(r"\[fn:([\w-]+)\]")
_LATEX = Pattern(r"\\begin\{([\w*]+)\}")


def org(lines: list[str]) -> str:
    """Less comments, keywords, drawers, subtrees that are not exported, snippets, and notes that nothing refers to."""
    text = "\n".join(_org(lines))
    if "@@" in text:
        parts = _ORG_SNIPPET.split(text)  # text, backend, snippet, text …
        html = [
            part if n % 3 == 0 else part if parts[n - 1] == "html" else "" for n, part in enumerate(parts) if n % 3 != 1
        ]
        text = _through(html)
    text = _ORG_TARGET.sub("", text)
    return _org_notes(text) if "\n[fn:" in text or text.startswith("[fn:") else text


def _org_tags(lines: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The tags that keep a subtree out of what is exported, and those that keep all others out."""
    tags: dict[str, set[str]] = {"exclude": {"noexport"}, "select": {"export"}}
    for line in lines:
        if line[:2] == "#+" and (found := _ORG_KEYWORD.match(line.strip())):
            tags[found[1].lower()] |= set(found[2].split())
    return frozenset(tags["exclude"]) | {"ARCHIVE"}, frozenset(tags["select"])


def _level(line: str) -> int:
    rest = line.lstrip("*")
    return len(line) - len(rest) if line[:1] == "*" and rest[:1] in (" ", "\t") else 0


def _has_tag(line: str, tags: frozenset[str]) -> bool:
    found = _ORG_TAGS.search(line) if line.rstrip().endswith(":") else None
    return found is not None and not tags.isdisjoint(found[1].split(":"))


def _org(lines: list[str]) -> Iterator[str]:
    exclude, select = _org_tags(lines)
    selects = any(line[:1] == "*" and _level(line) and _has_tag(line, select) for line in lines)
    hidden_level = chosen_level = 0
    closer = ""
    for line in lines:
        stripped = line.strip()
        heading = _level(line)
        if heading and not closer:
            if hidden_level and heading <= hidden_level:
                hidden_level = 0
            if not hidden_level and (_ORG_COMMENT.match(line) or _has_tag(line, exclude)):
                hidden_level = heading
            if chosen_level and heading <= chosen_level:
                chosen_level = 0
            if not chosen_level and selects and _has_tag(line, select):
                chosen_level = heading
        lower = stripped.lower()
        if closer:
            closer = "" if lower == closer else closer
            yield ""
        elif lower.startswith(("#+begin_comment", "#+begin_export")):
            closer = lower.split()[0].replace("begin", "end")
            yield ""
        elif lower.startswith("\\begin{") and (found := _LATEX.match(lower)):
            closer = f"\\end{{{found[1]}}}"
            yield ""
        elif _ORG_DRAWER.fullmatch(stripped) and lower != ":end:":
            closer = ":end:"
            yield ""
        else:
            gone = hidden_level or (selects and not chosen_level) or stripped == "#"
            yield "" if gone or stripped.startswith(("# ", "#+", "%%(")) else line


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
        elif into is not body and (_level(line) or (blank and not line.strip())):
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
