"""Raw HTML in text: real tags go, and the bodies that no reader sees; what only looks like a tag stays.

The tokenizer is turbohtml's (WHATWG, linear time). Its sharp edges live here: it drops an unterminated tag
at the end and a bare `</>`, and it reads anything after `<` and a letter as a tag. So before it runs, each
`<` that opens no real tag is replaced by another character of the same width, and all offsets stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from firewall.context.elements import BODY_GOES, BOOLEAN, FOREIGN, KNOWN, PLACEHOLDERS, RAW_TEXT
from firewall.context.spans import Removal

_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)([^<>]*)(>?)")
_ATTRIBUTES = re.compile(
    r"""(?:[\s/]+(?:[\w:@.#*()\[\]-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|(?P<bare>[\w:-]+)))*[\s/]*""",
)
_BARE = re.compile(r"""[\s/]([\w:-]+)(?=[\s/]|$)(?!\s*=)""")
_NOT_TAG = "\ufffe"  # stands for a `<` that opens no tag; a noncharacter, so no text has it by right


class Tag(NamedTuple):
    """`text[start:end]` is a tag: `kind` is open, close or comment; `attrs` as the tokenizer read them."""

    kind: str
    name: str
    start: int
    end: int
    attrs: tuple[tuple[str, str], ...] = ()


def find(masked: str) -> Iterator[Removal]:
    """What goes out of `masked`, a text whose code is masked."""
    if "<" not in masked:
        return
    tags, tail = tokenize(masked)
    at = 0
    while at < len(tags):
        tag = tags[at]
        at += 1
        if tag.kind == "comment":
            yield Removal(tag.start, tag.end, "html-comment", "An HTML comment was removed.")
            continue
        if tag.kind == "open" and tag.name in BODY_GOES:
            depth, end = 1, len(masked)
            while at < len(tags) and depth:
                inner = tags[at]
                at += 1
                if inner.name == tag.name and inner.kind != "comment":
                    depth += 1 if inner.kind == "open" else -1
                    if not depth:
                        end = inner.end
            yield Removal(
                tag.start, end, "html-body", f"A <{tag.name}> element was removed with what it holds."
            )
            if depth:
                return
            continue
        yield Removal(tag.start, tag.end, "html-tag", f"A <{tag.name}> tag was removed; its text stays.")
    if tail >= 0:
        yield Removal(tail, len(masked), "html-tag", "A tag that nothing closes was removed from the end.")


def tokenize(masked: str) -> tuple[list[Tag], int]:
    """The real tags and comments of `masked` in order, and where an unterminated tag begins or -1."""
    import turbohtml

    view = _only_real_tags(masked)
    tags: list[Tag] = []
    at = 0
    for token in turbohtml.tokenize(view, capture_source=True, resolve_references=False):
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
        elif _really_comment(source):
            tags.append(Tag("comment", "", at, end))
        at = end
    tail = at if at < len(view) and view[at] == "<" and _drops(view, at) else -1
    return tags, tail


def _really_comment(source: str) -> bool:
    """Is it a comment, a declaration or an instruction, and not `</3` or `<!>` of somebody's prose?"""
    if source.startswith("<!--"):
        return True
    return not source.startswith("</") and len(source) > 3 and (source[-1] == ">" or "\n\n" not in source)


def _drops(view: str, at: int) -> bool:
    """Does an unterminated tag go? Only within its paragraph: a stray quote must not swallow a document."""
    return "\n\n" not in view[at:]


def _only_real_tags(masked: str) -> str:
    """`masked` with every `<` that opens no real tag replaced, same length; `&`, CR and NUL made harmless."""
    text = masked.replace("\r", "\n").replace("&", "+").replace("\0", "?").replace("</>", _NOT_TAG + "/>")
    lowered = text.lower() if text.isascii() else "".join(c.lower() if c < "\x80" else c for c in text)
    last_close: dict[str, int] = {}
    foreign = False

    def judge(match: re.Match[str]) -> str:
        nonlocal foreign
        slash, raw_name, rest, closed = match.groups()
        name = raw_name.lower()
        whole: str = match.group()
        if name not in KNOWN and not (foreign and name in FOREIGN):
            return _NOT_TAG + whole[1:]
        if name in ("svg", "math"):
            foreign = not slash
        if slash:
            return whole
        start = match.start()
        if name not in last_close:
            last_close[name] = lowered.rfind(f"</{name}")
        if last_close[name] > start:
            return whole
        if _is_prose(text, match.start(), match.end(), raw_name, name, rest, bool(closed)):
            return _NOT_TAG + whole[1:]
        return whole

    return _TAG.sub(judge, text)


def _is_prose(text: str, start: int, end: int, raw_name: str, name: str, rest: str, closed: bool) -> bool:
    """Is an open tag that nothing closes a generic, a comparison or a placeholder?"""
    before = text[start - 1] if start else "\n"
    glued = before.isalnum() or before in "_)]"
    spaced = before in " \t" and start > 1 and (text[start - 2].isalnum() or text[start - 2] in "_)]=,")
    bare = not rest.strip(" /\n\t")
    after = text[end] if end < len(text) else " "
    if not closed:
        return glued or spaced
    if bare and name in ("br", "hr", "wbr"):
        return False
    if bare and glued:  # `Array<Object>` stays; `x<div>hello` and a lower-case script are tags
        return raw_name != name or not (name in RAW_TEXT or after.isalnum())
    if bare:
        return "/" not in rest and name in PLACEHOLDERS and name not in BODY_GOES
    return (glued or spaced) and not _attribute_like(rest)


def _attribute_like(rest: str) -> bool:
    """Could `rest`, what stands between a tag's name and its `>`, be attributes?"""
    if not _ATTRIBUTES.fullmatch(rest):
        return False
    return all(bare.lower() in BOOLEAN for bare in _BARE.findall(rest))
