"""read-artifact: something a tool or a chat put around the text was written back as text.

Line numbers, pager and truncation notices, the whole document in a fence, a greeting before it or an offer
behind it, conflict markers. Only what is new: a document about them may keep its own.
"""

from __future__ import annotations

import re

from firewall.text.notices import notices, prefixed, speaker, wrapping
from firewall.text.pattern import Pattern
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "read-artifact"
STRUCTURAL = False

_SHOWN = Pattern(r"(?m)^[ \t]+(?=[<=>|]{7})")
_CONFLICT = Pattern(r"(?m)^(?:<{7}(?: .*)?|={7}|>{7}(?: .*)?|\|{7}(?: .*)?)$")
_OPENER = Pattern(r"(`{3,}|~{3,})[^\n`]*\Z")
_FENCED = Pattern(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:`{3}|~{3})")
_NUMERALS = frozenset("0123456789Ll")
_PATCHES = (".diff", ".patch")


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks, with the line, what it was taken for and what would pass."""
    if facts.proposed is None or facts.path.lower().endswith(".ipynb"):
        return []
    window = measures.from_disk.window
    after = measures.new[window.start : window.new_end]
    before = measures.disk[window.start : window.old_end]
    found = [
        ("line numbers", _line_numbers(after, measures), "Take the numbers away, or show the lines in a fence,"),
        ("a pager's or a tool's notice", _notice(after, before, measures), "Write what it stands for,"),
        ("conflict markers", _conflict(after, before, measures), "Resolve the conflict"),
    ]
    is_new = not measures.disk or measures.disk.isspace()
    if window.start == 0:
        from firewall.text.chat import opening

        if _wrapped(measures.new) and not _wrapped(measures.disk) and not is_new:
            found.append(("the whole document inside a fence", 0, "Take the fence away"))
        wrap = "" if facts.path.endswith(_PATCHES) else wrapping(measures.new)
        if wrap and not wrapping(measures.disk) and not (is_new and wrap == "a tag"):
            found.append((f"{wrap} around the text", 0, "Send the text alone"))
        if prefixed(measures.new, measures.disk):
            found.append(("a mark before every line", 0, "Take the marks away"))
        if opening(measures.new) and not opening(measures.disk):
            found.append(("a chat's opening words", 0, "Send the text alone"))
    if window.new_end == len(measures.new):
        from firewall.text.chat import closing

        last = measures.new.rstrip().count("\n")
        if closing(measures.new, is_new) and not closing(measures.disk, is_new):
            height = closing(measures.new, is_new).count("\n")
            found.append(("a chat's closing words", last - height, "Send the text alone"))
        if speaker(measures.new) and not speaker(measures.disk):
            found.append(("a person's turn in a chat", last, "Send the text alone"))
    return [_finding(facts.path, measures, at, what, advice) for what, at, advice in found if at is not None]


def _finding(path: str, measures: Measures, number: int, what: str, advice: str) -> Finding:
    line = measures.new.split("\n")[number].strip()[:100]
    message = f"{path}, line {number + 1}: {what} ({line!r}) would be saved as text. {advice} and write it again."
    return Finding(NAME, Outcome.BLOCK, message, {"line": number + 1, "what": what, "text": line})


def _first(measures: Measures) -> int:
    """The number of the line where the stretch that the proposal changes begins."""
    return measures.new.count("\n", 0, measures.from_disk.window.start)


def _line_numbers(after: str, measures: Measures) -> int | None:
    """The line of the text where a run of lines begins that a tool numbered."""
    for digit in "0123456789":
        if digit in after:
            break
    else:
        return None
    from firewall.text.numbered import KNOWN, NUMBERED, first_numbered

    lines = after.split("\n")
    if sum(1 for line in lines if line[:9].lstrip()[:1] in _NUMERALS and NUMBERED.match(line)) < KNOWN:
        return None
    first = _first(measures)
    stood = {line.strip() for line in measures.disk.split("\n")}
    whole = measures.new.split("\n")
    at = first_numbered(lines, stood, whole, lambda place: _is_fenced(measures, first + place))
    return None if at is None else first + at


def _notice(after: str, before: str, measures: Measures) -> int | None:
    """The line of the text of the first notice that is new; one in a block of code that is new all of it is shown."""
    stood: set[str] | None = None
    for at, short in notices(after, measures.from_disk.window.new_end == len(measures.new)):
        from firewall.text.squeeze import squeeze

        stood = {squeeze(line) for line in before.split("\n")} if stood is None else stood
        if short not in stood and not _is_in_new_block(measures, _first(measures) + at):
            return _first(measures) + at
    return None


def _is_in_new_block(measures: Measures, number: int) -> bool:
    """Does this line stand in a block of code with no line of the text as it was in it?"""
    if not _is_fenced(measures, number):
        return False
    from firewall.text.touched import code_lines

    lines, code = measures.new.split("\n"), code_lines(measures.facts.path, measures.new)
    start = end = number
    while start - 1 in code:
        start -= 1
    while end + 1 in code:
        end += 1
    stood = {line.strip() for line in measures.disk.split("\n")}
    return not any(line.strip() in stood and len(line.split()) > 1 for line in lines[start : end + 1])


def _is_fenced(measures: Measures, number: int) -> bool:
    """Does this line stand in a block of code, for Markdown in a fenced one? What a tool numbered has its fences numbered
    too, and what it indented is no fence."""
    from firewall.text.formats import is_markdown
    from firewall.text.numbered import NUMBERED
    from firewall.text.touched import code_lines

    lines, code = measures.new.split("\n"), code_lines(measures.facts.path, measures.new)
    inside = number in code
    while number in code and number - 1 in code:
        number -= 1
    if not is_markdown(measures.facts.path):
        above = next((line for line in reversed(lines[:number]) if line.strip()), "")
        return inside and not (NUMBERED.match(lines[number]) and (not above or NUMBERED.match(above)))
    return number in code and _FENCED.match(lines[number]) is not None


def _conflict(after: str, before: str, measures: Measures) -> int | None:
    """The line of a whole conflict, opener and closer, that is new; one that was shown indented is not."""
    if "<<<<<<<" not in after or ">>>>>>>" not in after:
        return None
    before = _SHOWN.sub("", before)
    if _is_shown(measures):
        return None
    marks = [m.group()[0] for m in _CONFLICT.finditer(after)]
    had = [m.group()[0] for m in _CONFLICT.finditer(before)]
    if marks.count("<") > had.count("<") and marks.count(">") > had.count(">"):
        start = measures.from_disk.window.start + next(m.start() for m in _CONFLICT.finditer(after))
        return measures.new.count("\n", 0, start)
    return None


def _is_shown(measures: Measures) -> bool:
    """Do all conflicts stand in blocks of code, with no line of the text as it was in them? Then a text about merging
    shows them; a merge leaves the lines of both sides."""
    from firewall.text.touched import code_lines

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
    text = text.strip()
    if not text.startswith(("```", "~~~")):
        return False
    lines = text.split("\n")
    opener = _OPENER.match(lines[0])
    if not opener or len(lines) < 3:
        return False
    mark = opener.group(1)
    closer = re.compile(rf" {{0,3}}{mark}[`~]*[ \t]*\Z")
    if not closer.match(lines[-1]):
        return False
    return not any(map(closer.match, lines[1:-1])) or any(line.startswith("#") for line in lines[1:-1])


_AT_THE_END = (
    "… +312 lines (ctrl+o to expand)",
    "[File content truncated: showing first 2000 lines]",
    "(Showing lines 1-200. Use offset to read more.)",
    "[Lines 1-200 of 512]",
    "... (312 more lines)",
    "*** 312 lines skipped ***",
    "Output truncated (312 lines)",
    "</content>\n</invoke>",
    "<|im_end|>",
    "Human: thanks",
    "Please let me know if this meets your needs.",
    "Ich hoffe, das hilft! Sag Bescheid, wenn ich noch etwas ändern soll.",
    "N'hésitez pas à me dire si vous souhaitez d'autres modifications.",
    "Avísame si quieres que cambie algo más.",
    "Espero que isso ajude! Me avise se precisar de algo.",
    "如果您需要进一步修改，请告诉我。",
    "他に変更が必要な場合はお知らせください。",
)
_IN_FRONT = (
    "<thinking>\nThe user wants the typo fixed.\n</thinking>",
    "*** Begin Patch\n*** Update File: a.md",
    "Done! The typos are fixed:",
    "I'll update the file now.",
    "As requested, I have corrected the spelling throughout.",
    "Hier ist die überarbeitete Datei:",
    "Voici le document mis à jour :",
    "Aquí tienes el documento actualizado:",
    "Claro, aqui está o arquivo atualizado:",
    "以下是修改后的文档：",
    "更新された文書は次のとおりです：",
)
_LISTS = ("{0:02}:00 Doors", "{1}: lamp bought", "{0}: error", "{0}-{2} lamps", "{0}:1 In the beginning", "{0}→1 home")
_TEXT = (
    "Here is the full list of lamps:",
    "I've made a list of all lamps.",
    "OK, here we go.",
    "Output truncated after 20 lines (see the full log).",
    "Let me know in the comments which lamp is yours!",
    "Feel free to reach out to us at the forum.",
    "N'hésitez pas à contribuer !",
    "(lines 12-20)",
)
_DOC = "# Agent\n\nKeep the lamps lit.\n\nWrite every change down.\n\nAsk before you leave.\n"


def _numbered(text: str, form: str) -> str:
    return "\n".join(form.format(i, line) for i, line in enumerate(text.split("\n"), 1))


def _counted(form: str) -> str:
    return "".join(form.format(i, 1980 + i, i + 3) + "\n" for i in range(1, 14))


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
        *(example(line, _DOC, f"{line}\n\n{_DOC}", False) for line in ("I've rewritten this chapter three times.",
                "Here is the chapter my father never finished.")),
        *(example(line, _DOC, f"{_DOC}\n{line}\n", False) for line in ("I hope this helps you to find the wall.",
                "Let me know if you need anything else, he wrote, and closed the letter.")),
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
        *(example(f"at the end: {x}", _DOC, f"{_DOC}\n{x}\n", True) for x in _AT_THE_END),
        *(example(f"in front: {x}", _DOC, f"{x}\n\n{_DOC}", True) for x in _IN_FRONT),
        *(example(f"a list of its own: {form}", None, f"# Plan\n\n{_counted(form)}\nThat is all.\n", False) for form in _LISTS),
        *(example(f"text: {x}", _DOC, f"{x}\n\n{_DOC}\n{x}\n", False) for x in _TEXT),
        example("a chapter copied with its numbers into another", _DOC,
                _DOC + "\n" + _numbered(lorem(400), "{:6}\t{}"), True),
        example("a diff's marks", _DOC, "".join(f"+{line}\n" for line in _DOC.splitlines()), True),
        example("one paragraph quoted", _DOC, _DOC.replace("Keep", "> Keep"), False),
        example("a heredoc", _DOC, f"cat > a.md <<'EOF'\n{_DOC}EOF\n", True),
        example("a tag around all of it", _DOC, f'<file path="a.md">\n{_DOC}</file>\n', True),
        example("a notice shown in a fence", _DOC, _DOC + "\n```\n[output truncated]\n```\n", False),
        example("a reminder shown in a fence", _DOC, _DOC + "\n```xml\n<system-reminder>be brief</system-reminder>\n```\n", False),
        example("a notice within code that was there", _DOC + "\n```\nlight the lamp\nmind the oil\n```\n",
                _DOC + "\n```\nlight the lamp\n[312 lines not shown]\n```\n", True),
        example("numbers that an author gives to a listing", None,
                "# Plan\n\n```c\n" + "".join(f"{i:>3} | x = {i};\n" for i in range(1, 14)) + "```\n", False),
        example("a table of tabs", None, "".join(f"{i}\tlamp\t{i * 3}\n" for i in range(1, 14)), False, path="a.txt"),
        example("a letter that says let me know", None, "Dear team,\n\nLet me know if you can come.\n\nYours, Ada\n", False),
    )  # fmt: skip
