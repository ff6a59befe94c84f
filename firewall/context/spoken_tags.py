"""What looks like a tag and is none: a generic, a comparison, a placeholder, or a name that prose speaks of."""

from __future__ import annotations

import re

from firewall.context.elements import BODY_GOES, BOOLEAN, PLACEHOLDERS, RAW_TEXT

BREAKS = frozenset(("br", "hr", "wbr"))
"""Elements that only break a line."""
_ATTRIBUTES = re.compile(
    r"""(?:[\s/]+(?:[\w:@.#*()\[\]-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+)|(?P<bare>[\w:-]+)))*[\s/]*""",
)
_BARE = re.compile(r"""[\s/]([\w:-]+)(?=[\s/]|$)(?!\s*=)""")
OPENS = re.compile(r"</?[A-Za-z]")


def is_spoken_comment(text: str, opened: int) -> bool:
    """Is the `<!--` at `text[opened]` one that prose speaks of: within a line, with nothing that closes it?

    Markdown shows such a one as it stands. In a page of HTML it hides all the rest, so there may be no tag before it.
    """
    line = text[text.rfind("\n", 0, opened) + 1 : opened]
    closed = (
        text.find("-->", opened) >= 0 or text.find("--!>", opened) >= 0 or text.startswith(("<!-->", "<!--->"), opened)
    )
    return bool(line.strip()) and not closed and OPENS.search(text, 0, opened) is None


def is_prose(text: str, start: int, end: int, raw_name: str, name: str, rest: str, closed: bool, page: bool) -> bool:
    """Is an open tag that nothing closes a generic, a comparison, a placeholder or a name that somebody speaks of?

    `page`: some tag of HTML is closed in the text.
    """
    before = text[start - 1] if start else "\n"
    glued = before.isalnum() or before in "_)]"
    spaced = before in " \t" and start > 1 and (text[start - 2].isalnum() or text[start - 2] in "_)]=,")
    if not closed:
        return glued or spaced
    bare = not rest.strip(" /\n\t")
    after = text[end] if end < len(text) else " "
    if bare and name in BREAKS:
        return (
            raw_name == name
            and "/" not in rest
            and mentions_break(before, after)
            and (
                _spoken_of(text, start, end)
                or _LISTED.search(text[max(start - 8, 0) : start]) is not None
                or after in ",;)"
            )
        )
    if bare and glued:  # `Array<Object>` stays; `x<div>hello` and, in a page, a lower-case script are tags
        if raw_name != name or (name in RAW_TEXT and not page):  # `C<script>s` would take all the rest along
            return True
        return not (name in RAW_TEXT or after.isalnum()) or (name in _LETTERS and _compares(text, start, end))
    if bare and before == "%":  # a place in a format of Ruby
        return True
    if _OBJECT.fullmatch(rest) or (raw_name.istitle() and _NUMBER.fullmatch(rest)):
        return True
    if bare:
        if "/" in rest:
            return False
        if _spoken_of(text, start, end) or (raw_name != name and not raw_name.isupper() and not after.isalnum()):
            return True
        if name in _LETTERS and _is_letter(text, start, end, name):
            return True
        if name in BODY_GOES:  # would take all the rest along
            return (spaced or before in "=:-|,") and not (after.isalnum() or after == "\n")
        return name in PLACEHOLDERS
    if (name in PLACEHOLDERS or name in BODY_GOES) and _PLACE.fullmatch(rest) and not attribute_like(rest):
        return True
    return (glued or spaced) and not attribute_like(rest)


def mentions_break(before: str, after: str) -> bool:
    """May a tag that breaks a line, between the characters `before` and `after`, be one that somebody speaks of?"""
    return before != "" and before in " \t(\"'`" and (not after or after in " \t\n,;.:)\"'`")


_LISTED = re.compile(r"\b(?:and|or|nor|like)[ \t]+$")
_LETTERS = frozenset("abipqsu")
_GOES_ON = re.compile(r"[ \t]+(?:[\[<|=]|-{1,2}[a-z])")


def _is_letter(text: str, start: int, end: int, name: str) -> bool:
    """Is the bare tag of one letter a placeholder: `cp <s> <q>`, `p <q> r`? Old pages end paragraphs with `<p>`."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 1]
    if before[1:] not in (" ", "\t") or not (before[0].isalnum() or before[0] in "_)]=,>"):
        return False
    if after and (after.isalnum() or after in "<\"'"):
        return False
    return name != "p" or _GOES_ON.match(text, end) is not None or (before[0] == ">" and after in ("", "\n"))


def _compares(text: str, start: int, end: int) -> bool:
    """Do names of a letter or two stand on both sides, as in `a<b>c`?"""
    return _SHORT_BEFORE.search(text[max(start - 3, 0) : start]) is not None and _SHORT.match(text, end) is not None


_SHORT_BEFORE, _SHORT = re.compile(r"[\s(=,]\w{1,2}$"), re.compile(r"\w{1,2}(?!\w)")
# How Python writes an object: `<map object at 0x7f>`, `<slot wrapper 'x' of 'object' objects>`, `<Section 3>`.
_OBJECT = re.compile(
    r"(?: [\w.]+| '[^'<>]{0,80}'){0,12} (?:at 0x[0-9A-Fa-f]+(?:, [^<>]*)?|objects?)|(?: [\w.]+){1,4} '[^'<>]{1,80}'"
)
_NUMBER = re.compile(r" \d+")
_PLACE = re.compile(r"(?:[ \t]+[A-Za-z][A-Za-z-]*)+[ \t]*")
_LEAD = re.compile(
    r"\b(?:the|an?|your|this|that|each|every|any|another|no|inside|within|into|of|with|us(?:e|es|ing)|as|like|called|named"
    r"|empty|outer|inner|nested|single|opening|both|multiple)[ \t\n][\"'(]?$",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"[\"')]?[ \t\n](?:(?:html )?(?:tags?|elements?|blocks?|nodes?|attributes?|containers?|wrappers?|arguments?"
    r"|options?|parameters?|keywords?|placeholders?|fields?|values?|sections?|mappings?|components?|boxe?s?)\b"
    r"|(?:is|are|was|means|stands|holds|goes) )"
)
_QUOTES = ('""', "''", "``", "()", "\u201c\u201d", "\u2018\u2019")


def _spoken_of(text: str, start: int, end: int) -> bool:
    """Is the bare tag `text[start:end]` the name of one, as in "the <div> element" or "a '<b>'"?"""
    if text[start - 1 : start] + text[end : end + 1] in _QUOTES:
        return True
    if end < len(text) and text[end].isalnum():
        return False
    return bool(_LEAD.search(text[max(start - 24, 0) : start]) or _NOUN.match(text, end))


def attribute_like(rest: str) -> bool:
    """Could `rest`, what stands between a tag's name and its `>`, be attributes?"""
    if not _ATTRIBUTES.fullmatch(rest):
        return False
    return all(bare.lower() in BOOLEAN for bare in _BARE.findall(rest))
