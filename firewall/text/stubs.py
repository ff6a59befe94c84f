"""Does a block of code say anything, or only that something was there or is to come? Pure.

A block that is emptied down to `# TODO` is as gone as one that is taken away.
"""

from __future__ import annotations

from collections.abc import Iterable

from firewall.text.pattern import Pattern

_WORD = Pattern(r"\w")
_SIGN = r"(?:#+|//+|--+|;+|%+|'+|/\*+|\*+|<!--+|\{/?\*+|rem\b|\.\.(?=\s))"
_STUB = Pattern(
    rf"(?i)\s*(?:{_SIGN}\s*(?:(?:to-?do|fixme|tb[dac]|xxx|hack)\b.*|(?:your|the|some|more|insert|add|put|write|any)?\s*"
    r"(?:own |rest of (?:the |your )?)?(?:code|implementation|example|logic|config(?:uration)?|commands?|body|content)"
    r"(?: (?:goes|comes|is|to|be|added|here|there|follows|omitted|removed|elided|unchanged|as|before|tbd))*\W*"
    r"|(?:to be (?:done|added|written|defined|continued)|not (?:yet )?implemented|coming soon|placeholder|omitted"
    r"|removed|implement(?: this| me)?|same as before|unchanged|existing code|see above|snip(?:ped)?)\W*)"
    r"|(?:to-?do|fixme|tbd|pass|\.{3}|…|raise NotImplementedError(?:\(.{0,80}\))?|unimplemented!\(\)|todo!\(.{0,80}\)"
    r"|placeholder|\[?(?:omitted|snip(?:ped)?|removed|code here|your code here)\]?)\s*[;.:]?\s*)$"
)
_LONGEST = 300
"""Characters of the longest block that is looked at: one that only says so is short."""
_OPTION = Pattern(r"\s+:[\w-]+:")


def says(block: str) -> bool:
    """Does this code have more than blanks, signs, and lines that stand for code?"""
    if len(block) > _LONGEST:
        return _WORD.search(block) is not None
    return any(_WORD.search(line) and not _STUB.match(line) for line in block.split("\n"))


def full_blocks(blocks: Iterable[tuple[str, list[str]]]) -> int:
    """How many blocks of code say anything: of each the line that opens it and the lines inside. One that has no lines
    may say all in the line that opens it, as reStructuredText's `.. literalinclude:: a.py` does."""
    full = 0
    for opener, inside in blocks:
        lines = [line for line in inside if not _OPTION.match(line)]
        full += says("\n".join(lines)) if any(line.strip() for line in lines) else _is_whole(opener)
    return full


def _is_whole(opener: str) -> bool:
    directive, found, argument = opener.lstrip().partition("::")
    return bool(found) and directive[:2] == ".." and bool(argument.strip()) and "code" not in directive
