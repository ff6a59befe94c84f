"""What tools put around a text: notices that lines were left out, an agent's own tags, wrappings of a whole text. Pure.

A notice counts where it stands alone on its line in brackets, behind dots or between marks; without any of these it
must be a paragraph of its own and no sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from firewall.text.pattern import Pattern

_UNIT = r"(?:lines?|characters|chars|words|bytes|tokens|rows)"
_TAKEN = r"(?:omitted|truncated|hidden|elided|skipped|collapsed|not shown|remaining)"
_FRAMED = Pattern(
    rf"(?i)(?:\d[\d,.]* (?:more {_UNIT}|{_UNIT} {_TAKEN}|(?:more|additional|remaining) {_UNIT} {_TAKEN}|"
    rf"{_UNIT} more)\b.*"
    rf"|\d[\d,.]* {_UNIT} \(ctrl.*"
    r"|(?:the )?(?:output|content|file(?: content)?|result|text|response|tool result|document)?\s*(?:was |"
    r"has been |is )?"
    r"truncated(?:\s+(?:after|to|at|due|because|by|for|from)\b.*|\W.*)?"
    r"|(?:note|warning|only)?\W*(?:showing|displaying|viewing) (?:only )?(?:the )?(?:first|last|lines?|rows?) \d.*"
    rf"|lines? \d[\d,]*\s*(?:-|–|to|through)\s*\d[\d,]* (?:(?:of|/) \d.*|{_TAKEN})"
    r"|continued (?:in|on|with) (?:the |my )?next (?:message|response|reply)\b.*"
    r"|file has more lines\b.*|end of file\b.*|.*\bctrl\W[a-z] to expand.*)\Z"
)
_PLAIN = Pattern(
    r"(?i)(?:--More--(?:\(\d+%\))?|(?-i:\(END\))|lines \d+-\d+/\d+ .*"
    r"|(?:output|content|file|result|text|response|tool result) (?:was |has been )?truncated"
    r"(?: (?:after|to|at|due|because|by|for)\b.*| ?\.{3}.*| ?\(.*\).*)?"
    r"|(?:warning|note): (?:the )?(?:file|output) (?:is |was )?(?:too large|truncated)\b.*)\Z"
)
_TAG = Pattern(
    r"(?i)</?(?:antml:)?(?:system-reminder|tool_result|tool_use|tool_call|function_results|function_calls|file_content|"
    r"document_content|invoke)\b[^>]*>.*\Z|.*<\|[a-z_]{2,30}\|>(?:system|user|assistant)?\Z"
)
_LAST_TAG = Pattern(r"</(?:antml:)?(content|parameter|file|document|answer|result|output|artifact|text|response)>\Z")
_SIGNS = (
    "truncated", "--more--", "(end", "[end", "line", "char", "omitted", "hidden", "elided", "skipped", "not shown",
    "remaining",
    "showing", "displaying", "viewing", "ctrl", "continued", "more ", "too large", "<|", "|>", "system-reminder",
    "tool_",
    "function_", "file_content", "document_content", "invoke", "</",
)  # fmt: skip
_MARKS = frozenset("-([<.…*+_>`~")
_STARTS = frozenset(("out", "con", "fil", "res", "tex", "too", "war", "not", "lin"))
"""How a notice begins that has nothing around it."""
_FIRST = frozenset("ocfrtwnlOCFRTWNL")
_WORDS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_FIRST_TAG = Pattern(r"<(?:antml:)?(?:thinking|reasoning|scratchpad)>")
_WRAP = Pattern(
    r"<(file|document|markdown|content|output|answer|result|artifact|text|response|updated_\w+|new_\w+)(?: [^<>]*)?>\Z"
)
_HEREDOC = Pattern(r"(?:\$ )?(?:cat|tee)\b[^\n]*<<-?\s*\\?['\"]?(\w+)['\"]?[^\n]*\Z")
_KNOWN = 3
_LAST = 8
"""Lines at the end in which a tag is looked for that nothing opens."""
LONGEST = 300
"""Characters of the longest line that is a notice."""


def notices(text: str, whole_end: bool) -> Iterator[tuple[int, str]]:
    """(number, line squeezed) of each line that is a notice or an agent's tag. `whole_end`: the file ends with it."""
    from firewall.text.squeeze import squeeze

    tagged = "|>" in text
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line[:1] in _WORDS and not tagged and (line[0] not in _FIRST or line[:3].lower() not in _STARTS):
            continue
        short = line.strip()
        if not short or len(short) > LONGEST:
            continue
        first = short[0].lower()
        if first in _MARKS:
            if _marked(lines, number, short, whole_end):
                yield number, squeeze(short)
        elif short.endswith("|>"):
            if _TAG.match(squeeze(short)):
                yield number, squeeze(short)
        elif short[:3].lower() in _STARTS and short[-1] not in ".。" and _stands_alone(lines, number):
            plain = short.lower()
            may = "truncated" in plain or "too large" in plain or plain.startswith("lines ")
            if may and _PLAIN.match(squeeze(short)):
                yield number, squeeze(short)


def _marked(lines: Sequence[str], number: int, short: str, whole_end: bool) -> bool:
    plain = short.lower()
    if not any(sign in plain for sign in _SIGNS):
        return False
    from firewall.text.squeeze import squeeze

    short = squeeze(short)
    if _is_framed(short) or _TAG.match(short) or _PLAIN.match(short):
        return True
    return (
        whole_end
        and number >= len(lines) - _LAST
        and _LAST_TAG.match(short) is not None
        and _is_left_over(lines, number, short)
    )


def _stands_alone(lines: Sequence[str], number: int) -> bool:
    beside = (*lines[max(0, number - 1) : number], *lines[number + 1 : number + 2])
    return not any(other.strip() for other in beside)


def _is_framed(short: str) -> bool:
    from firewall.text.framing import frame

    found = frame(short)
    if found.closed or short[:3] in ("***", "---", "___") or short[0] in "…+":
        return _FRAMED.match(found.core) is not None
    if not found.dots or not short.startswith((".", "`.", "*.", "_.")):
        return False
    return not re.search(r"\w\.\Z", short) and _FRAMED.match(found.core) is not None


def _is_left_over(lines: Sequence[str], number: int, short: str) -> bool:
    """An end tag among the last lines of a text, that nothing in it opens."""
    if any(line.strip() and not line.strip().startswith("</") for line in lines[number + 1 :]):
        return False
    opener = "<" + short.strip("</> ")
    return not any(opener in line for line in lines)


def wrapping(text: str) -> str:
    """What a whole text is wrapped in: quotation marks, a heredoc, a patch, a tag, a model's thinking; or ''."""
    text = text.strip()
    first, last = text.split("\n", 1)[0].strip(), text.rsplit("\n", 1)[-1].strip()
    if first.startswith("<"):
        if _FIRST_TAG.match(first):
            return "a model's thinking"
        tag = _WRAP.match(first)
        return "a tag" if tag and last == f"</{tag.group(1)}>" else ""
    if first in ('"""', "'''"):
        return "quotation marks" if last == first and "\n" in text else ""
    if first.startswith("*** Begin Patch"):
        return "a patch"
    if first.startswith("--- "):
        second, third, *_ = [*text.split("\n", 3)[1:3], "", ""]
        return "a patch" if second.startswith("+++ ") and third.startswith("@@ ") else ""
    if "<<" in first:
        opened = _HEREDOC.match(first)
        return "a heredoc" if opened and (last == opened.group(1) or ">" in first) else ""
    return ""


def prefixed(text: str, old: str) -> bool:
    """Does every line begin with the `+` of a diff or the `>` of a mail, and most of the old text's stand behind it?"""
    mark = text[:1]
    if mark not in ("+", ">"):
        return False
    lines = [line for line in text.split("\n") if line]
    stood = {line.strip() for line in old.split("\n")} - {""}
    if not all(line[0] == mark for line in lines):
        return False
    known = sum(1 for line in lines if line[1:].strip() in stood and line.strip() not in stood)
    return known >= _KNOWN and known * 2 >= len(stood)


def speaker(text: str) -> bool:
    """Does the last line begin a person's turn (`Human: …`), in a text that has no other turns?"""
    last = text.rstrip().rsplit("\n", 1)[-1]
    return last.startswith("Human:") and text.count("\nHuman:") == 1 and "\nAssistant:" not in text
