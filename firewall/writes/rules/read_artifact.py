"""read-artifact: something a tool or a chat put around the text was written back as text.

Line numbers, pager and truncation notices, the whole document in a fence, a greeting before it or an offer
behind it, conflict markers. Only what is new: a document about them may keep its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from firewall.text.formats import is_markdown
from firewall.text.pattern import Pattern
from firewall.text.squeeze import squeeze
from firewall.text.touched import code_lines
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "read-artifact"
STRUCTURAL = False

_NUMBERED = Pattern(r"^[ \t]*(?:L|line )?(\d{1,6})(?:[ \t]*[|│→:]|\t|[ \t]*-(?=\S))[ \t]?(.*)$")
_NOTICES = Pattern(
    r"(?im)^[ \t]*(?:--More--(?:\(\d+%\))?|\(END\)|lines \d+-\d+/\d+ .*|"
    r"[\[(<]?\.{0,3}\s*(?:output|content|file|result|text|response|tool result)?\s*(?:was |has been )?truncated"
    r"(?:\s+(?:after|to|at|due|because|by|for)\b.*|\s*[\])>].*|\s*\.{3}.*|\s*\(.*\).*)|"
    r"[\[(<]\.{0,3}\s*\d[\d,]* (?:more )?(?:lines?|characters|chars|words|bytes|tokens) (?:omitted|truncated|hidden|elided|not shown|remaining).*|"
    r"\.{3}\s*\d[\d,]* (?:more )?(?:lines?|characters|chars) (?:omitted|truncated|hidden)?.*|"
    r"</?(?:system-reminder|tool_result|function_results|file_content|document_content)\b.*>|"
    r"\(file has more lines\b.*|\(End of file\b.*)[ \t]*$"
)
_SHOWN = Pattern(r"(?m)^[ \t]+(?=[<=>|]{7})")
_CONFLICT = Pattern(r"(?m)^(?:<{7}(?: .*)?|={7}|>{7}(?: .*)?|\|{7}(?: .*)?)$")
_PREAMBLE = Pattern(
    r"(?i)\A\s*(?:(?:sure|certainly|of course|absolutely|okay|ok|great|alright|got it|understood)\b[^\n]{0,20}?[,.!:—-]\s*"
    r"(?:here|i['’]ve|i have|below|this is|let me|i['’]ll|the (?:updated|revised))[^\n]{0,160}"
    r"|here(?:['’]s| is| are) (?:the|your|an?|my) (?:\w+[ -]){0,3}?(?:updated|revised|edited|corrected|complete|full|improved|"
    r"rewritten|new|final|modified|polished|translated|cleaned)\b[^\n]{0,120}[:.]"
    r"|i['’](?:ve| have) (?:updated|revised|edited|corrected|rewritten|made|fixed|improved)\b[^\n]{0,160}[:.]"
    r"|possible answer:|as an ai\b[^\n]{0,120}|below is the (?:updated|revised|full|complete)\b[^\n]{0,120})[ \t]*(?:\n|\Z)"
)
_SIGNOFF = Pattern(
    r"(?i)(?:^|\n)[ \t>*_]*(?:let me know (?:if|whether|what|how)\b[^\n]{0,160}|(?:i )?hope this helps\b[^\n]{0,80}|"
    r"(?:please )?feel free to (?:ask|reach|let)\b[^\n]{0,120}|would you like me to\b[^\n]{0,160}|"
    r"is there anything else\b[^\n]{0,120}|i(?:['’]ve| have) (?:made|kept|updated|preserved)\b[^\n]{0,160}|"
    r"(?:do you want me|shall i|should i)\b[^\n]{0,120}\?)[\s*_]*\Z"
)
_OPENER = Pattern(r"(`{3,}|~{3,})[^\n`]*\Z")
_NOTICE_SIGNS = (
    "truncated", "--more--", "(end", "line", "char", "omitted", "hidden", "elided", "not shown", "remaining",
    "system-reminder", "tool_result", "function_results", "file_content", "document_content", "(file has",
)  # fmt: skip
_NOTICE_MARKS = frozenset("-([<.")
_NOTICE_LETTERS = frozenset("locfrtwh")
_SIGNOFF_SIGNS = (
    "let me know", "hope this helps", "feel free", "would you like", "anything else", "i've ", "i have", "do you want",
    "shall i", "should i",
)  # fmt: skip
_FENCED = Pattern(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:`{3}|~{3})")
_RUN = 3
_ALONE = 10


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks, with the line and what to take away."""
    if facts.proposed is None or facts.path.lower().endswith(".ipynb"):
        return []
    window = measures.from_disk.window
    after = measures.new[window.start : window.new_end]
    before = measures.disk[window.start : window.old_end]
    findings = []
    for what, offset, advice in (
        ("line numbers", _line_numbers(after, measures), "Take the numbers away"),
        ("a pager's or a tool's notice", _notice(after, before), "Take the notice away"),
        ("conflict markers", _conflict(after, before, measures), "Resolve the conflict"),
    ):
        if offset is not None:
            findings.append(_finding(facts.path, measures, window.start + offset, what, advice))
    if window.start == 0 and _wrapped(measures.new) and not _wrapped(measures.disk) and not _is_code(measures.disk):
        findings.append(_finding(facts.path, measures, 0, "the whole document inside a fence", "Take the fence away"))
    preamble = _PREAMBLE.match(measures.new) if window.start == 0 else None
    if preamble and not _PREAMBLE.match(measures.disk):
        findings.append(_finding(facts.path, measures, 0, "a chat's opening words", "Send the text alone"))
    at_end = window.new_end == len(measures.new) and _may_match(_SIGNOFF_SIGNS, measures.new[-400:])
    signoff = _SIGNOFF.search(measures.new[-400:]) if at_end else None
    if signoff and not _SIGNOFF.search(measures.disk[-400:]) and _looks_chatty(signoff.group()):
        at = len(measures.new) - len(signoff.group().lstrip("\n"))
        findings.append(_finding(facts.path, measures, at, "a chat's closing words", "Send the text alone"))
    return findings


def _finding(path: str, measures: Measures, offset: int, what: str, advice: str) -> Finding:
    number = measures.new.count("\n", 0, offset) + 1
    line = measures.new.split("\n")[number - 1].strip()[:100]
    message = f"{path}, line {number}: {what} ({line!r}) would be saved as text. {advice} and write it again."
    return Finding(NAME, Outcome.BLOCK, message, {"line": number, "what": what, "text": line})


def _line_numbers(after: str, measures: Measures) -> int | None:
    """Offset of the first of a run of numbered lines: three whose rest stood in the text before without the
    number, or ten in a row that count up by one where the text had none, and no listing in a fence shows them."""
    start = measures.from_disk.window.start
    digits = any(d in after for d in "0123456789") if after.isascii() else any(map(str.isdecimal, after))
    if not digits:
        return None
    lines = after.split("\n")
    if sum(1 for line in lines if _NUMBERED.match(line)) < _RUN:
        return None
    stood = {line.strip() for line in measures.disk.split("\n")}
    run = known = 0
    previous = first = offset = 0
    shown = False
    for line in lines:
        match = _NUMBERED.match(line)
        if match and line.strip() not in stood:
            number = int(match.group(1))
            if run and number != previous + 1:
                run = known = 0
            if not run:
                first, shown = offset, False
            run += 1
            known += bool(match.group(2).strip()) and match.group(2).strip() in stood
            previous = number
            if known >= _RUN:
                return first
            if run >= _ALONE and not shown and match.group(0).lstrip()[0].isdigit() and not _table(line):
                shown = _is_fenced(measures, measures.new.count("\n", 0, start + offset))
                if not shown:
                    return first
        elif line.strip():
            run = known = 0
        offset += len(line) + 1
    return None


def _is_fenced(measures: Measures, number: int) -> bool:
    """Does this line of a Markdown text stand in a fenced block? What a tool numbered has its fences numbered too."""
    if not is_markdown(measures.facts.path):
        return False
    lines, code = measures.new.split("\n"), code_lines(measures.facts.path, measures.new)
    while number in code and number - 1 in code:
        number -= 1
    return number in code and _FENCED.match(lines[number]) is not None


def _table(line: str) -> bool:
    return line.rstrip().endswith("|")


def _may_match(signs: tuple[str, ...], text: str) -> bool:
    """Could a pattern of which one of these signs is a part match? To look for them is cheaper than to compile it."""
    if not text.isascii():
        return True
    plain = text.lower()
    return any(sign in plain for sign in signs)


def _notice(after: str, before: str) -> int | None:
    found = [(at, short) for at, short in _likely_notices(after) if _NOTICES.match(short)]
    had = {line for _, line in _likely_notices(before)} if found else set()
    return next((at for at, line in found if line not in had), None)


def _likely_notices(text: str) -> Iterator[tuple[int, str]]:
    """(offset, line, squeezed) of each line that `_NOTICES` may match, by what it begins with and what it must hold."""
    offset = 0
    for line in text.split("\n"):
        first = line.lstrip()[:1].lower()
        if first in _NOTICE_MARKS:
            if _may_match(_NOTICE_SIGNS, line):
                yield offset, squeeze(line)
        elif first in _NOTICE_LETTERS:
            plain = line.lower()
            if "truncated" in plain or plain.lstrip().startswith("lines "):
                yield offset, squeeze(line)
        offset += len(line) + 1


def _new_match(pattern: Pattern, after: str, before: str) -> int | None:
    had = {m.group().strip() for m in pattern.finditer(before)}
    return next((m.start() for m in pattern.finditer(after) if m.group().strip() not in had), None)


def _conflict(after: str, before: str, measures: Measures) -> int | None:
    """A whole conflict, opener and closer, that is new; one that was shown indented is not."""
    if "<<<<<<<" not in after or ">>>>>>>" not in after:
        return None
    before = _SHOWN.sub("", before)
    if _is_shown(measures):
        return None
    marks = [m.group()[0] for m in _CONFLICT.finditer(after)]
    had = [m.group()[0] for m in _CONFLICT.finditer(before)]
    if marks.count("<") > had.count("<") and marks.count(">") > had.count(">"):
        return next(m.start() for m in _CONFLICT.finditer(after))
    return None


def _is_shown(measures: Measures) -> bool:
    """Do all conflicts stand in blocks of code, with no line of the text as it was in them? Then a text about merging
    shows them; a merge leaves the lines of both sides."""
    code = code_lines(measures.facts.path, measures.new)
    stood = {line.strip() for line in measures.disk.split("\n")}
    inside = False
    for number, line in enumerate(measures.new.split("\n")):
        if line.startswith("<<<<<<<"):
            inside = True
        if inside and (number not in code or (line.strip() in stood and len(line.split()) > 1)):
            return False
        if line.startswith(">>>>>>>"):
            inside = False
    return not inside


def _wrapped(text: str) -> bool:
    """Is all of it in one fence: opened by its first line, closed by its last and by none before, or with a heading in
    it, which is what a whole document has?"""
    lines = text.strip().split("\n")
    opener = _OPENER.match(lines[0])
    if not opener or len(lines) < 3:
        return False
    mark = opener.group(1)
    closer = re.compile(rf" {{0,3}}{mark}[`~]*[ \t]*\Z")
    if not closer.match(lines[-1]):
        return False
    return not any(map(closer.match, lines[1:-1])) or any(line.startswith("#") for line in lines[1:-1])


def _is_code(text: str) -> bool:
    return not text.strip()


def _looks_chatty(text: str) -> bool:
    words = text.split()
    return 3 <= len(words) <= 40


_DOC = "# Agent\n\nKeep the lamps lit.\n\nWrite every change down.\n\nAsk before you leave.\n"


def _numbered(text: str, form: str) -> str:
    return "\n".join(form.format(i, line) for i, line in enumerate(text.split("\n"), 1))


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("numbers and a bar", _DOC, _numbered(_DOC, "{}|{}"), True),
        example("cat -n", _DOC, _numbered(_DOC, "{:6d}\t{}"), True),
        example("an arrow", _DOC, _numbered(_DOC, "{:5d}→{}"), True),
        example("grep -n", _DOC, _numbered(_DOC, "{}:{}"), True),
        example("numbers in a new file", None, _numbered(lorem(400).replace("\n\n", "\n"), "{}\t{}"), True),
        example("a pager", _DOC, _DOC + "--More--(40%)\n", True),
        example("truncated output", _DOC, _DOC + "[output truncated after 2000 lines]\n", True),
        example("lines omitted", _DOC, _DOC.replace("Write every", "[... 120 lines omitted ...]\n\nWrite every"), True),
        example("a reminder", _DOC, _DOC + "<system-reminder>be brief</system-reminder>\n", True),
        example("in a fence", _DOC, "```markdown\n" + _DOC + "```\n", True),
        example("a greeting", _DOC, "Sure, here's the updated file:\n\n" + _DOC, True),
        example("a translation announced", _DOC, "sure, I've written a translation:\n\n" + _DOC, True),
        example("an offer", _DOC, _DOC + "\nLet me know if you'd like any other changes!\n", True),
        example("a conflict", _DOC, _DOC.replace("Keep", "<<<<<<< HEAD\nKeep\n=======\nHold\n>>>>>>> mine\n"), True),
        example("a conflict that was shown before", _DOC + "\n    <<<<<<< HEAD\n    a\n    =======\n    b\n    >>>>>>> mine\n",
            _DOC + "\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> mine\n```\n", False),
    example("a numbered list", _DOC, _DOC + "\n" + "\n".join(f"{i}. step" for i in range(1, 15)) + "\n", False),
        example("numbers, each line of a fence too", _DOC, _numbered(f"```\n{lorem(400)}```\n", "{:6}\t{}"), True),
        example("a trace of calls in a fence", _DOC, _DOC + "\n```text\n" + _numbered(lorem(400), "{:4}:  0x7f {}") + "```\n",
                False),
        example("a table of numbers", _DOC, _DOC + "\n| n | v |\n|---|---|\n" + "".join(f"| {i} | x |\n" for i in range(1, 15)), False),
        example("a text about truncation", _DOC, _DOC + "\nThe log is truncated at midnight, and that is fine.\n", False),
        example("a setext heading", _DOC, _DOC + "\nMore\n=======\n\nText.\n", False),
        example("code at the end", _DOC, _DOC + "\n```sh\nls\n```\n", False),
        example("it was fenced before", "```md\none\n```\n", "```md\ntwo\n```\n", False),
        example("times of a log", _DOC, _DOC + "\n" + "\n".join(f"0{i}:1{i} lamp {i} lit" for i in range(1, 9)) + "\n", False),
        example("a letter that says let me know", None, "Dear team,\n\nLet me know if you can come.\n\nYours, Ada\n", False),
    )  # fmt: skip
