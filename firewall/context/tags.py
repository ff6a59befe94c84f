"""Which `<…>` of a text are HTML tags, by a source-span tokenizer; what only looks like one is no tag.

The tokenizer is turbohtml's (WHATWG, linear time). Its sharp edges live here: it drops an unterminated tag
at the end and a bare `</>`, and it reads anything after `<` and a letter as a tag. So before it runs, each
`<` that opens no real tag is replaced by another character of the same width, and all offsets stay true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter

from firewall.context.code import OPAQUE
from firewall.context.elements import BODY_GOES, FOREIGN, KNOWN, RAW_TEXT, UNSEEN, VOID
from firewall.context.limits import MAX_TAGS, TooMuch
from firewall.context.spoken_tags import BREAKS as BREAKS
from firewall.context.spoken_tags import OPENS, attribute_like, is_prose, is_spoken_comment
from firewall.context.spoken_tags import mentions_break as mentions_break
from firewall.values import NamedTuple

_TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]*)([^<>]*)(>?)")
_CLOSE = re.compile(r"</([A-Za-z][A-Za-z0-9.:-]*)")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_NOT_TAG = "\ufffe"  # stands for a `<` that opens no tag; a noncharacter, so no text has it by right


class Tag(NamedTuple):
    """`text[start:end]` is a tag: `kind` is open, close, comment or cdata; `attrs` as the tokenizer read them.

    The marks of a `<![CDATA[…]]>` are two of kind cdata: a reader of the feed or page sees what is in it.
    """

    kind: str
    name: str
    start: int
    end: int
    attrs: tuple[tuple[str, str], ...] = ()


_SIMPLE = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+=(?:"[^"<>&]*"|'[^'<>&]*'))*)\s*/?>""")
_CLOSED = KNOWN - RAW_TEXT - BODY_GOES - VOID - UNSEEN - frozenset(("svg", "math"))
_TELLING = re.compile(r"style|hidden|popover|color|sr-only|visually|screen-reader|d-none|invisible", re.IGNORECASE)


def simple_tag(source: str) -> tuple[str, int, str] | None:
    """Name, 1 for an opening and -1 for a closing tag, and message, if the tag `source` needs no second look.

    That is: written as the standard wants it, an element that is opened and closed or breaks a line, nothing
    hidden, no raw text, no comment. Where all tags of a text are such, and closed, the tokenizer and a walk over
    the open elements would find just these.
    """
    match = _SIMPLE.fullmatch(source)
    if match is None:
        return None
    slash, name, rest = match.groups()
    name = name.lower()
    if rest and _TELLING.search(rest):
        return None
    if name in BREAKS:
        return name, 0, tag_message(name)
    return (name, -1 if slash else 1, tag_message(name)) if name in _CLOSED else None


@lru_cache(maxsize=512)
def tag_message(name: str) -> str:
    """What the finding of a removed tag says."""
    return f"A <{name}> tag was removed; its text stays."


def tokenize(masked: str) -> tuple[list[Tag], int]:
    """The real tags and comments of `masked` in order, and where an unterminated tag begins or -1."""
    import turbohtml

    view = _only_real_tags(masked)
    tags: list[Tag] = []
    at = max(view.find("<"), 0)
    for token in turbohtml.tokenize(view[at:], capture_source=True, resolve_references=False):
        source = token.source
        if source is None:
            at += len(token.data or "")
            continue
        end = at + len(source)
        kind = token.type.name
        if kind == "START_TAG":
            attrs = tuple((name, value or "") for name, value in token.attrs or ())
            tags.append(Tag("open", token.tag or "", at, end, attrs))
        elif kind == "END_TAG":
            tags.append(Tag("close", token.tag or "", at, end))
        elif _really_comment(view, at, source):
            tags.append(Tag("comment", "", at, end))
        at = end
    marks = _cdata(masked)
    if marks:
        tags += marks
        tags.sort(key=_START)
    if len(tags) > MAX_TAGS:
        raise TooMuch("tags", f"There are more than {MAX_TAGS} HTML tags.", MAX_TAGS)
    tail = at if at < len(view) and _unterminated(view, at) else -1
    return tags, tail


_OWN = re.compile(r"[a-z][a-z0-9]*(?:[-:][a-z0-9.]+)*")
_HIDES = re.compile(r"[\s\"'](?:style|hidden|popover|aria-hidden|color)\b", re.IGNORECASE)
_START = attrgetter("start")
_WITHIN = {
    **dict.fromkeys(("tr", "td", "th", "tbody", "thead", "tfoot"), ("table",)),
    "li": ("ul", "ol", "menu"), "dt": ("dl",), "dd": ("dl",), "option": ("select", "datalist"),
}  # fmt: skip
"""Elements whose end tag may be left out, and what they stand in: before its end they are no placeholders."""
_CDATA = "<![CDATA["


def _cdata(masked: str) -> list[Tag]:
    """The marks of each `<![CDATA[` that `]]>` closes."""
    marks: list[Tag] = []
    at = masked.find(_CDATA)
    while at >= 0:
        end = masked.find("]]>", at)
        if end < 0:
            break
        marks += (Tag("cdata", "", at, at + len(_CDATA)), Tag("cdata", "", end, end + 3))
        at = masked.find(_CDATA, end)
    return marks


def real_attributes(tag: Tag, raw: str) -> Sequence[tuple[str, str]]:
    """The attributes of `tag` as `raw` has them, character references and all."""
    source = raw[tag.start : tag.end]
    if "&" not in source:
        return tag.attrs
    import turbohtml

    for token in turbohtml.tokenize(source, resolve_references=False):
        return tuple((name, value or "") for name, value in token.attrs or ())
    return tag.attrs


# A program's source, which a reader of the text sees; and a pattern, such as `<![A-Za-z][^>]*>`.
_SOURCE = re.compile(r"<\?(?:php\b|=)|<!\[(?!\s*(?:(?:if|else|endif)\b|CDATA\[))", re.IGNORECASE)
_DTD = re.compile(r"<!(?:ELEMENT|ATTLIST|ENTITY|NOTATION)\s")
# What is glued to a word or a bracket, as in `(?<!c)d` and `a<!b and c>d`, or of one word, as `<!nocheck>`.
_GLUED = frozenset("_)](?[{&|=!")
_ONE_WORD = re.compile(r"<![a-z][a-z0-9._-]{0,40}>")


# Whom a message of Slack is for.
_CALLED = re.compile(r"<!(?:here|channel|everyone|(?:subteam|date)\^[^<>|]{1,80})(?:\|[^<>]{0,80})?>")


def _really_comment(view: str, start: int, source: str) -> bool:
    """Is it a comment, and not the `<?` of somebody's prose?

    What is no `<!--` counts as a browser takes it (up to the next `>`, or the end) only where markup
    stands, at the start of a line or behind a tag; elsewhere it must look like a declaration or an
    instruction, stand apart, and be of more than one word. One that nothing closes must not swallow a document.
    """
    if source.startswith("<!--"):
        return True
    if source.startswith("</3") and source[3:4] in ("", " ", "\n", ",", "."):  # a broken heart
        return False
    if _SOURCE.match(source) or _CALLED.match(source):
        return False
    if _DTD.match(source) and not _is_page(view):  # a document type that somebody tells of
        return False
    if source[-1] != ">" and _BLANK_LINE.search(source.rstrip()):
        return False
    if start == 0 or view[start - 1] in "\n>":
        return True
    before = view[start - 1]
    if source[1] == "!" and (before.isalnum() or before in _GLUED or _ONE_WORD.fullmatch(source)):
        return False
    return source[-1] == ">" and source[1] in "!?" and (source[2].isalpha() or source[2] == "[")


@lru_cache(maxsize=1)
def _is_page(text: str) -> bool:
    """Is some tag of HTML closed in it?"""
    return any(m.group(1).lower() in KNOWN for m in _CLOSE.finditer(text))


def _unterminated(view: str, at: int) -> bool:
    """Is there a tag, or at the start of a line an instruction, that never ends? It goes only in its paragraph."""
    line_start = at == 0 or view[at - 1] in "\n>"
    opens = OPENS.match(view, at) or (line_start and view[at + 1 : at + 2] in ("?", "!"))
    opens = opens and not _SOURCE.match(view, at)
    return bool(opens) and not _BLANK_LINE.search(view[at:].rstrip())


def _only_real_tags(masked: str) -> str:
    """`masked` with every `<` that opens no real tag replaced, same length; `&`, CR and NUL made harmless.

    The two characters that may end a line become a blank and a line feed, so that they make no blank line.
    """
    text = masked.replace("\r\n", " \n").replace("\r", "\n").replace("&", "+").replace("\0", OPAQUE)
    text = text.replace("</>", _NOT_TAG + "/>")
    if _CDATA in text:
        text = text.replace(_CDATA, _NOT_TAG + _CDATA[1:])
    opened = text.rfind("<!--")
    if opened > 0 and text[opened - 1] in " \t(\"'" and is_spoken_comment(text, opened):
        text = text[:opened] + _NOT_TAG + text[opened + 1 :]
    last_close = {m.group(1).lower(): m.start() for m in _CLOSE.finditer(text)}
    foreign = False
    own = set[str]()  # the page's own elements, which count where something may hide them
    sheets = "<style" in text.lower()
    page = not KNOWN.isdisjoint(last_close)

    def judge(match: re.Match[str]) -> str:
        nonlocal foreign
        slash, raw_name, rest, closed = match.groups()
        name = raw_name.lower()
        whole: str = match.group()
        if name not in KNOWN and not (foreign and name in FOREIGN):
            if not _OWN.fullmatch(name):
                return _NOT_TAG + whole[1:]
            if not (slash and name in own):
                hides = (sheets and "-" in name) or _HIDES.search(rest)
                if not closed or not hides or last_close.get(name, -1) < match.start():
                    return _NOT_TAG + whole[1:]
                if "-" not in name and not attribute_like(rest):
                    return _NOT_TAG + whole[1:]
                own.add(name)
            return whole
        if name in ("svg", "math"):
            foreign = not slash
        if slash:
            return whole
        start = match.start()
        if last_close.get(name, -1) > start:
            return whole
        if any(last_close.get(one, -1) > start for one in _WITHIN.get(name, ())):
            return whole
        if is_prose(text, match.start(), match.end(), raw_name, name, rest, bool(closed), page):
            return _NOT_TAG + whole[1:]
        return whole

    return _TAG.sub(judge, text)
