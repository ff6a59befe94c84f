"""bytes: what is written to a text must be text, and no worse than it was.

Blocks NUL, invalid UTF-8, more replacement characters than before, a lost byte-order mark, and what
`firewall.text.damage` tells: mojibake, letters that became `?`, nothing, or escapes, line ends written out.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.diff import common_ends
from firewall.text.pattern import Pattern
from firewall.text.words import LEAST_STOPS
from firewall.values import TYPE_CHECKING
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.prose import BOM
from firewall.writes.rules.base import Example, example

if TYPE_CHECKING:
    from firewall.text.damage import Damage

NAME = "bytes"
STRUCTURAL = False
_MARKUP = (".html", ".htm", ".xhtml", ".xml", ".svg")
"""Where an entity is as good as its letter."""
_FFFD = "\ufffd".encode()


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks, with the byte and its line where there is one."""
    data = facts.proposed
    if data is None or facts.loss_only:
        return []
    findings = []
    plain = data.isascii()
    if not plain:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"0x{data[error.start]:02x}"
            findings.append(_at(facts.path, data, error.start, f"is not valid UTF-8 (byte {byte})", byte))
    nul = data.find(b"\0")
    if nul >= 0:
        findings.append(_at(facts.path, data, nul, "has a NUL byte", "0x00"))
    if facts.disk is None:
        return findings
    after = 0 if plain else data.count(_FFFD)
    before = facts.disk.count(_FFFD) if after else 0
    if after > before:
        message = (
            f"{facts.path}: {after} replacement characters (U+FFFD) where there were {before}: "
            "characters were lost in reading. Read the file as UTF-8 and write the letters themselves."
        )
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"before": before, "after": after}))
    if facts.disk.startswith(BOM) and not data.startswith(BOM) and not facts.path.lower().endswith(".ipynb"):
        message = f"{facts.path} begins with a byte-order mark and the proposal does not. Begin it with U+FEFF."
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"lost": "byte-order mark"}))
    odd = _new_controls(facts, measures)
    if odd:
        message = f"{facts.path}: {odd} is new in it, which a reader cannot see and a screen may obey. Leave it out."
        findings.append(Finding(NAME, Outcome.BLOCK, message, {"character": odd}))
    return findings + [_spoilt(facts, measures, damage) for damage in _damage(facts, measures)]


def _spoilt(facts: Facts, measures: Measures, found: Damage) -> Finding:
    at = measures.new.find(found.sample, measures.from_disk.window.start) if found.sample else -1
    line = measures.new.count("\n", 0, at) + 1 if at >= 0 else 0
    where = f", line {line}" if line else ""
    shown = "".join(f", {example!r}" for example in found.examples)
    message = (
        f"{facts.path}{where}: {found.what}: {found.times} times{shown} (refused from {found.limit} on). {found.mend}."
    )
    evidence = {"line": line, "what": found.what, "count": found.times, "limit": found.limit}
    return Finding(NAME, Outcome.BLOCK, message, {**evidence, "examples": list(found.examples)})


def _damage(facts: Facts, measures: Measures) -> list[Damage]:
    """What was done to the letters and line ends of the stretch that the proposal changes. Its code is looked at only
    for what was lost there."""
    window = measures.from_disk.window
    before, after = measures.disk[window.start : window.old_end], measures.new[window.start : window.new_end]
    may_run_on = measures.from_disk.lost >= LEAST_STOPS  # a word is lost with each
    plain = after.isascii() and (not before or ("\\" not in after and before.isascii()))
    if plain and not may_run_on:
        return []
    from firewall.text.damage import letters, line_ends, may_be_shown, mojibake, stops, without_spans

    run_on = stops(before, after) if may_run_on else None
    if run_on:
        return [run_on]
    if plain:
        return []
    prose = after
    if may_be_shown(after):
        from firewall.text.touched import code_lines

        code = code_lines(facts.path, measures.new)
        first = measures.new.count("\n", 0, window.start)
        lines = ["" if first + number in code else line for number, line in enumerate(after.split("\n"))]
        prose = without_spans("\n".join(lines))
    found: list[Damage | None] = []
    if not after.isascii():
        found.append(mojibake(before, after, prose))
    if not before.isascii():
        found += letters(before, after, prose if not facts.path.lower().endswith(_MARKUP) else "")
    if "\\n" in prose:
        found.append(line_ends(before, after, prose))
    return [damage for damage in found if damage is not None]


# Controls that no text needs, line separators that hide a line's end, and marks that turn a line's direction.
# A form feed stands at the start of a line; within one it is no blank.
_CONTROLS = Pattern("[\x01-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029\u202b\u202d\u202e\u2067]|(?<=[^\n\x0c])\x0c")
_TURNS = ("\u202b", "\u2067")
"""Marks that begin text from right to left, which only a text with letters of such a script needs."""
_FROM_THE_RIGHT = Pattern("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\U00010800-\U00010fff]")
_PLAIN = bytes((9, 10, 13, *range(32, 127)))


def _new_controls(facts: Facts, measures: Measures) -> str:
    """The first control character that the proposal has more of than the disk, as its code point, or ''.

    Only the stretch where the two differ is looked at; of a text that is judged by a part of it, all that differs.
    """
    assert facts.disk is not None
    assert facts.proposed is not None
    if facts.path.lower().endswith((".tex", ".ipynb")):
        start, end = common_ends(facts.disk, facts.proposed)
        start, end = max(0, start - 2), max(0, end - 2)  # a character may stand across the border
        before, after = (
            data[start : len(data) - end].decode("utf-8", "replace") for data in (facts.disk, facts.proposed)
        )
    else:
        window = measures.from_disk.window
        before, after = measures.disk[window.start : window.old_end], measures.new[window.start : window.new_end]
    if _is_plain(after) or _CONTROLS.search(after) is None:
        return ""
    had = Counter(_CONTROLS.findall(before))
    for found in _CONTROLS.findall(after):
        had[found] -= 1
        if had[found] < 0 and not (found in _TURNS and _FROM_THE_RIGHT.search(measures.new)):
            return f"U+{ord(found):04X}"
    return ""


def _is_plain(text: str) -> bool:
    """Is it nothing but the printable characters of ASCII, tabs and line ends? Much cheaper to know than to search."""
    return text.isascii() and not text.encode().translate(None, _PLAIN)


def _at(path: str, data: bytes, offset: int, problem: str, byte: str) -> Finding:
    line = data.count(b"\n", 0, offset) + 1
    message = f"{path}: the proposal {problem} at offset {offset}, line {line}. Send UTF-8 text."
    return Finding(NAME, Outcome.BLOCK, message, {"offset": offset, "line": line, "byte": byte})


_GERMAN = (
    "Die Lampen müssen über Nacht glühen.\n\nNiemand löscht sie früher, auch nicht für Gäste.\n\nMit Öl spart man.\n"
)
_PROSE = "".join(f"The keeper of lamp {n} walks out at dusk, lights it, and waits. " for n in range(30))
_HAN = "".join(f"灯塔看守人每天晚上都沿着港口的墙走，带着第{n}桶油。" for n in range(30))


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("latin-1", "café", "café".encode("latin-1"), True),
        example("a NUL", "one two", "one\0two", True),
        example("half a character", "é", "é".encode()[:1], True),
        example("UTF-16", "hello", "hello".encode("utf-16"), True),
        example("letters lost", "Müller", "M\ufffdller", True),
        example("read as Latin-1", "Müller at 5 €", "Müller at 5 €".encode().decode("cp1252"), True),
        example("curly quotes read as Windows-1252", "the “night” shift", "the â€œnightâ€\x9d shift", True),
        example("byte-order mark lost", "\ufeffone", "two", True),
        example("a notebook's byte-order mark, which it may not have", "\ufeff{}", "{}", False, path="a.ipynb"),
        example("the direction turned", "one two", "\u202eone two", True),
        example("an escape for the terminal", "one two", "one \x1b[8mtwo", True),
        example("lines that are none", "one\ntwo", "one\u2028two", True),
        example("form feeds for blanks", "one two three", "one\x0ctwo\x0cthree", True),
        example("next lines for blanks", "one two three", "one\x85two\x85three", True),
        example("from right to left", "one two", "\u202bone two", True),
        example("an isolate from right to left", "one two", "\u2067one two", True),
        example("an isolate around Hebrew", "one two", "one \u2067שלום\u2069 two", False),
        example("pages", "one\n\ntwo", "one\n\x0c\ntwo\n\x0cthree", False),
        example("plain", "one", "two", False),
        example("every script", "one", "ein Ü, 一, ไทย, 👩‍🚀", False),
        example("a broken letter kept as it was", "M\ufffdller was here", "M\ufffdller is here", False),
        example("a text about mojibake", "Ã¼ is ü misread.", "Ã¼ is what ü looks like misread.", False),
        example("French and Portuguese capitals", "one", "AÇÃO À PÂTE, NÃO", False),
        example("an old file in latin-1 may become UTF-8", "café".encode("latin-1"), "café", False),
        *(example(f"an old file in {name} may become UTF-8", "\ufeffcafé, one two".encode(name), "café, one two", False)
                for name in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")),
        *(example(f"written as {name}", "café", "\ufeffcafé".encode(name), True) for name in ("utf-16-le", "utf-32-be")),
        example("UTF-16 stays UTF-16", "\ufeffcafé".encode("utf-16-le"), "\ufeffcafés".encode("utf-16-le"), True),
        example("letters of UTF-16 lost", "\ufeffdrei Bäume".encode("utf-16-le"), "drei B?ume", True),
        example("no stops", _PROSE, _PROSE.replace(".", "").replace(",", ""), True),
        example("no blanks behind stops", _PROSE, _PROSE.replace(". ", ".").replace(", ", ","), True),
        example("no stops in Chinese", _HAN, _HAN.replace("，", "").replace("。", ""), True),
        example("half of the stops", _PROSE, _PROSE.replace(",", ""), False),
        example("a sentence a line", _PROSE, _PROSE.replace(". ", ".\n"), False),
        example("a sentence an item, without its stop", _PROSE, "- " + _PROSE.replace(". ", "\n- ").rstrip("- "), False),
        example("items without their stops", _PROSE.replace(". ", ".\n\n- "), _PROSE.replace(". ", "\n\n- "), False),
        example("no stops, for other text", _PROSE, "The lamps burn on\n" * 60, False),
        example("umlauts as question marks", _GERMAN, _GERMAN.encode("ascii", "replace"), True),
        example("one letter as a question mark", "Müller was here", "M?ller was here", True),
        example("Chinese as question marks", "我们重启了服务", "???????", True),
        example("umlauts dropped", _GERMAN, _GERMAN.encode("ascii", "ignore"), True),
        example("umlauts as escapes", _GERMAN, _GERMAN.encode("ascii", "backslashreplace"), True),
        example("umlauts as entities", _GERMAN, _GERMAN.encode("ascii", "xmlcharrefreplace"), True),
        example("quotes escaped", "He said “no” and that’s all.", 'He said \\u201cno\\u201d and that\\u2019s all.', True),
        example("paragraphs joined by written line ends", _GERMAN, _GERMAN.replace("\n", "\\n"), True),
        example("mojibake in the comments of code", "```py\n# für\n```\n", "```py\n# fÃ¼r\n```\n", True),
        example("mojibake shown in code", "one", "Read as Latin-1, `ü` becomes `Ã¼`, and that is called mojibake.", False),
        example("an escape shown in code", _GERMAN, _GERMAN + "\nIn JSON, `für` may be `f\\u00fcr`.\n", False),
        example("a sentence becomes a question", "Lösch das Licht.", "Wer löscht das Licht?", False),
        example("a question instead of dots", "The lamp… it’s out", "The lamp? It is out", False),
        example("an address with a question", "Über die Lampe", "See https://lamp.example/a?b=c&d=e?f=g", False),
        example("translated into English", _GERMAN, "The lamps burn all night.\n\nWho puts them out? Nobody knows.\n", False),
        example("accents folded in one name", "Zoë lit it", "Zoe lit it", False),
        example("a text about line ends", "one\ntwo\nthree", "A line ends with \\n on Unix and with \\r\\n elsewhere.\ntwo", False),
        example("a star as an entity", "Füße * 2", "Fuß &#42; 2", False),
    )  # fmt: skip
