"""What stands for text that is not there: filler, dots written as commands, comments of several lines. Pure.

Each is brought to a line as `firewall.text.omission` reads it. A filler needs no claim: nobody means `Lorem ipsum`.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.text.pattern import Pattern

_FILLER = Pattern(
    r"(?i)^[\s>*_\"'“„«({\[#|-]*(?:lorem[ ~]ipsum(?:[ ~]dolor|[\W_]*$)|dolor sit amet, consec"
    r"|sed ut perspiciatis unde omnis"
    r"|\\(?:lipsum|blindtext|blinddocument|kant|lorem|ipsum)(?![a-z])|(?:par\(|text\(|\[)*lorem\(\s*\d"
    r"|(?:\{[{%<]|[%<])+\s*(?:lorem|lipsum)\b|<lorem\b)"
)
_DOTS = Pattern(
    r"\\(?:[lcvhd]?dots[cbmio]?|textellipsis|dotfill)(?![A-Za-z])(?:\{\})?|&(?:#8230|#x2026|mldr|hellip);|\{hellip\}|\|hellip\|"
    r"|#?\bsym\.dots(?:\.\w+)?"
)
_COMMAND = Pattern(r"\\(?:begin|end)\{[A-Za-z*]{1,40}\}|\\[A-Za-z]{1,40}\*?|\\[,;:!() \[\]]|[$~]")
_OPENER = Pattern(
    r"(?i)[ \t>]*(?:(?P<html><!--+)|(?P<bars>/{4,})[ \t]*$|(?P<c>/\*+|\{/\*+)|(?P<org>#\+begin_comment\b)"
    r"|(?P<tex>\\begin\{comment\})|(?P<iffalse>\\if(?:false|0)\b)|(?P<liquid>\{%-?[ ]?comment\b[^%\n]{0,99}%\})"
    r"|(?P<block>\[comment\][ \t]*$)|(?P<perl>=begin\b.*)|(?P<quotes>\"{3}|'{3})|(?P<jinja>\{#)|(?P<hugo>\{\{-?[ ]?/\*)"
    r"|(?P<obsidian>%%)|(?P<fence>[`:]{3,}[ \t]*\{comment\}[ \t]*$)|(?P<critic>\{>>)|(?P<rst>\.\.(?=[ \t]*$|[ \t])))"
)
_CLOSER = {
    "html": Pattern(r"-->"),
    "bars": Pattern(r"^[ \t]*/{4,}[ \t]*$"),
    "c": Pattern(r"\*/\}?"),
    "org": Pattern(r"(?i)^[ \t]*#\+end_comment\b"),
    "tex": Pattern(r"\\end\{comment\}"),
    "iffalse": Pattern(r"\\fi\b"),
    "liquid": Pattern(r"\{%-?[ ]?endcomment\b[^%\n]{0,99}%\}"),
    "block": Pattern(r"^[ \t]*(?:--[ \t]*)?$"),
    "perl": Pattern(r"^=end\b.*"),
    "quotes": Pattern(r"\"{3}|'{3}"),
    "jinja": Pattern(r"#\}"),
    "hugo": Pattern(r"\*/[ ]?-?\}\}"),
    "obsidian": Pattern(r"%%"),
    "fence": Pattern(r"^[ \t]*[`:]{3,}[ \t]*$"),
    "critic": Pattern(r"<<\}"),
    "rst": Pattern(r"^(?![ \t]+\S)"),
}
_LINES = 8
"""Lines of the longest comment that is looked at: a marker has few words."""


def is_filler(line: str) -> bool:
    """Does the line begin with filler, or with a command that makes it?"""
    return _FILLER.match(line) is not None


def with_dots(short: str) -> str:
    """The line with dots for the commands that print them, and without other commands; as it is where none does."""
    if not ("\\" in short or "&" in short or "hellip" in short or "sym" in short) or not _DOTS.search(short):
        return short
    return _COMMAND.sub("", _DOTS.sub("…", short)).strip()


def comment(lines: Sequence[str], number: int) -> list[str]:
    """What a comment of several lines says that opens in this one, line by line; nothing where none does."""
    found = _OPENER.match(lines[number])
    if found is None:
        return []
    closer = _CLOSER[found.lastgroup or ""]
    first = lines[number][found.end() :]
    if closer.search(first) and found.lastgroup not in ("block", "rst", "fence", "bars", "org", "perl"):
        return []  # a comment of one line is read as it stands
    inside = [first.strip()]
    for line in lines[number + 1 : number + 1 + _LINES]:
        end = closer.search(line)
        if end and not (found.lastgroup == "block" and len(inside) == 1):
            said = [piece for piece in (*inside, line[: end.start()].strip()) if piece.strip("- ")]
            return said if len(said) > 1 or not first.strip() else []
        inside.append(line.strip())
    return []
