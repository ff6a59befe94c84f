"""truncated: the text was cut off, by its writer's own word or by its look.

Stop reasons are the provider's own words. An unknown word is no proof of a whole answer, so it refuses.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern
from firewall.text.units import units
from firewall.text.words import words
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "truncated"
STRUCTURAL = False

WHOLE = frozenset({"end_turn", "stop_sequence", "stop", "tool_use", "tool_calls", "completed", "STOP"})
"""Stop reasons of the Anthropic, OpenAI and Gemini APIs that mean the model had finished."""

# What a sentence may end with, in any script: its mark, then closing quotes, brackets and emphasis.
_ENDED = Pattern(r"[.!?…:;。！？；：।॥؟۔។።‼⁇⁈⁉][\"'”’»›)\]}*_~`」』）】\s]*$|[)\]}>|`]$")
_CLOSED = Pattern(
    r"\S(?<![*_~$])[*_~$]{1,3}\s*$|[\u203d\u2020\u2021\u203b\u2190-\u2bff\U0001f000-\U0001faff]\ufe0f?\s*$"
)
"""What nobody stops behind by chance: emphasis or math that is closed, a sign, an arrow, an emoji."""
_SIGNED = Pattern(r"(?:©|\(c\)|[Cc]opyright\b|[—–]|--).*$|.*(?:\s(?:[A-Z]|[^\W\d_a-z]|\d)[\w.'’-]*|\s?(?:—|–|--))$")
"""A line of its own: a copyright, or one that ends in a name, a year, or a dash."""
_SIGNATURE = 16
"""Words of the longest such line."""
_CODE_OR_YEAR = Pattern(r"\S(?<!`)`{1,3}\s*$|(?<![^\s(])(?:[12]\d{3}|\d{4}-\d\d-\d\d)\s*$")
"""Code that is closed and a year: few sentences go on there, so they are an end unless the old text goes on."""
_HANGS = Pattern(
    r"(?i)[,(\[{]$|(?<![^\W\d_])(?:and|or|but|nor|the|an|than|because|und|oder|aber|dass|der|das|ein|eine|et|ou|mais|les|"
    r"une|pero|que|los|una|porque|uma)$"
)
"""What no sentence and no line ends with."""
_STOPS = ".!?…:;,。！？；：，।॥؟۔።‼⁇⁈⁉\"'”’»›)]}*_~`」』）】"
"""What a last word may have lost, or got, and still be the old end."""
_HABIT, _LEAST_HABIT = 0.5, 4
"""Share of the paragraphs of a text that end without a stop, and how many, from which such an end is its manner."""
_MARKUP = str.maketrans("", "", "`*_~")
_LAST_WORDS = 5
_FEWEST = 3
"""Words in a row that do not stand in two texts by chance."""
_LINE = 8
"""Words of a line that needs no full stop: a name, a date, a licence."""
_LEAST_VERSE = 3
"""Lines of the shortest verse."""
_END = "\\end{document}"


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks an unfinished answer, a fence left open, and an end in the middle of a paragraph."""
    if facts.proposed is None or facts.loss_only:
        return []
    reason = facts.stop_reason
    if reason is not None and reason not in WHOLE:
        message = (
            f"{facts.path}: the model's answer was not finished (stop reason {reason!r}), so the text may end "
            "in the middle. Write it again in smaller parts."
        )
        return [Finding(NAME, Outcome.BLOCK, message, {"stop_reason": reason})]
    if facts.disk is None or facts.path.lower().endswith(".ipynb"):
        return []
    if not measures.touches_structure and measures.from_disk.window.new_end < len(measures.new):
        return []
    return _open_fence(facts, measures) or _cut_end(facts, measures)


def _open_fence(facts: Facts, measures: Measures) -> list[Finding]:
    """A fence that runs to the end and did not before, or prose of before that is code now."""
    if not measures.touches_structure:
        return []
    if measures.new_outline.unclosed and not measures.disk_outline.unclosed:
        message = f"{facts.path}: a code fence is left open, so all text behind it becomes code. Close it."
        return [Finding(NAME, Outcome.BLOCK, message, {"fence": "open"})]
    swallowed = _prose_now_code(measures)
    if swallowed:
        message = f"{facts.path}: a code fence was lost, so prose becomes code ({swallowed[0][:60]!r}). Put it back."
        return [Finding(NAME, Outcome.BLOCK, message, {"lines": len(swallowed), "first": swallowed[0][:200]})]
    return []


def _prose_now_code(measures: Measures) -> list[str]:
    """Lines that stand in code now, stood in the text before, and did not stand in code then."""
    if "```" not in measures.disk and "~~~" not in measures.disk:
        return []
    code_before = set(measures.disk_outline.code.split("\n"))
    code_now = [line for line in measures.new_outline.code.split("\n") if line not in code_before]
    stood = set(measures.disk.split("\n"))
    return [line for line in code_now if line in stood and len(words(line)) >= _LAST_WORDS]


def _cut_end(facts: Facts, measures: Measures) -> list[Finding]:
    """The last words of before are gone and the new text ends inside a paragraph.

    A list, a table, a link line, code or a heading at the end is an end, and so is what `_is_an_end` tells, where it does
    not end with words that stood in the middle of a paragraph, or with one that nothing ends with.
    """
    window = measures.from_disk.window
    if window.new_end < len(measures.new):
        return []  # the end is as it was
    if facts.path.lower().endswith(".tex") and _END in measures.disk and _END not in measures.new:
        message = f"{facts.path}: the text ends without the {_END} that it had. Write it to its end."
        return [Finding(NAME, Outcome.BLOCK, message, {"ends": measures.new[-200:]})]
    now = measures.new_outline
    last = now.last_prose
    if (
        now.ends != "paragraph"
        or not last
        or _ENDED.search(last)
        or _is_link_line(last)
        or _CLOSED.search(measures.new[-40:])
    ):
        return []
    tail = " ".join(words(measures.mark_outline.last_prose)[-_LAST_WORDS:]).rstrip(_STOPS)
    if not tail or _times(tail, measures.new) >= _times(tail, measures.mark):
        return []
    if not _HANGS.search(last) and _is_an_end(measures, last):
        return []
    message = (
        f"{facts.path}: the text ends in the middle of a sentence ({last[-60:]!r}) and its old end is gone. "
        "Write it to its end."
    )
    return [Finding(NAME, Outcome.BLOCK, message, {"ends": last[-200:]})]


def _is_an_end(measures: Measures, last: str) -> bool:
    """Is a last paragraph without a stop an end all the same? By what it is (a line that took the old one's place, verse,
    a sentence that ends in code or a year) and by what the text does (its paragraphs end so too)."""
    before = measures.mark_outline
    had_stop = before.ends != "paragraph" or bool(_ENDED.search(before.last_prose))
    all_but_last = measures.disk.rstrip().rpartition("\n\n")[0]
    length = len(words(last))
    is_line = measures.new.startswith(all_but_last) and (
        length <= _LINE or (length <= _SIGNATURE and "\n" not in last and _SIGNED.match(last) is not None)
    )
    if is_line and not had_stop:
        return True
    is_kind = (
        is_line
        or not had_stop
        or _is_verse(measures.new)
        or _CODE_OR_YEAR.search(measures.new[-40:]) is not None
        or _ends_without_stops(measures.mark)
    )
    return is_kind and not _is_cut_from(measures.mark, last)


def _is_verse(text: str) -> bool:
    """Is the last paragraph made of short lines, as no editor breaks prose?"""
    lines = text.rstrip().rpartition("\n\n")[2].split("\n")
    return len(lines) >= _LEAST_VERSE and max(len(words(line)) for line in lines) <= _LINE


def _ends_without_stops(text: str) -> bool:
    """Does the text end its paragraphs without a stop as a rule, lists and headings left out?"""
    ends = [piece.rstrip()[-3:] for piece in text.split("\n\n") if len(words(piece)) > _LINE and piece[0].isalpha()]
    without = sum(end[-1:].isalnum() for end in ends)
    return without >= _LEAST_HABIT and without > _HABIT * len(ends)


def _times(tail: str, text: str) -> int:
    """How often these words stand in a text, whatever its layout."""
    return " ".join(words(text)).count(tail)


def _is_cut_from(old: str, last: str) -> bool:
    """Do the last words of a paragraph, the last of them perhaps in part, stand in the middle of one of the old text?"""
    tail = words(last.translate(_MARKUP))[-_LAST_WORDS:]
    if len(tail) < _FEWEST:
        return False
    wanted = " ".join(tail)
    texts = (" ".join(unit.words).translate(_MARKUP) for unit in units(old))
    return any(wanted in text and not text.endswith(wanted) for text in texts)


def _is_link_line(text: str) -> bool:
    line = text.rsplit("\n", 1)[-1]
    return "://" in line or line.startswith(("@", "#"))


_TALE = lorem(60) + "\nThe lamps are lit at dusk and put out at dawn.\n"
_CODE = "# Code\n\nFirst a word about it all.\n\n```py\nx = 1\n```\n\nThen the prose goes on for a while here.\n\n```py\ny\n```\n"

_LONG = "The lamps of the hall are lit at dusk and put out at dawn by the one who keeps the watch."
_LAST = "The lamps are lit at dusk and put out at dawn."
_BARE = "\n\n".join(f"The lamps of house {n} are kept by the people in it for the whole night" for n in range(9)) + (
    "\n\nAll the other lamps of the town are lit at dusk by those who stay up\n"
)


def _ended_by(paragraph: str) -> str:
    return f"{_TALE.rstrip()[: -len(_LAST)].rstrip()}\n\n{paragraph}\n"


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        example("token limit", "one", "one two th", True, stop_reason="max_tokens"),
        example("refusal", "one", "", True, stop_reason="refusal"),
        example("window", "one", "one two", True, stop_reason="model_context_window_exceeded"),
        example("missing from a stream", "one", "one two", True, stop_reason=""),
        example("a word nobody knows", "one", "one two", True, stop_reason="because"),
        example("cut in a sentence", _TALE, _TALE.replace("dusk and put out at dawn.", "dusk and"), True),
        example("a fence left open", _CODE, _CODE.rstrip("`\n") + "\n", True),
        example("a fence lost, the rest turned inside out", _CODE, _CODE.replace("x = 1\n```\n", "x = 1\n", 1), True),
        example("finished", "one", "one two.", False, stop_reason="end_turn"),
        example("not said", "one", "one two.", False),
        example("a new last sentence", _TALE, _TALE.replace("dusk and put out at dawn.", "noon, for once."), False),
        example("a new list at the end", _TALE, _TALE.replace("The lamps are lit at dusk and put out at dawn.",
                "Lit:\n\n- the hall\n- the yard"), False),
        example("a new section", _TALE, _TALE + "\n## Later\n\nMore to say.\n", False),
        example("a link line at the end", _TALE, lorem(60) + "\nSee https://lamps.example/night\n", False),
        example("cut where the old end was a signature", f"{lorem(60)}\nYours,\nKim\n", lorem(60)[:-40], True),
        example("a listing left open", "Text.\n\n----\nls\n----\n\nMore.\n", "Text.\n\n----\nls\n\nMore.\n", True, path="a.adoc"),
        example("cut in an admonition", "Text.\n\n====\nThe lamps are lit at dusk.\n====\n", "Text.\n\n====\nThe lamps are lit", True,
                path="a.adoc"),
        example("cut in an indented part", f"Note\n\n  {_LONG}\n", f"Note\n\n  {_LONG[:-20]}\n", True, path="a.rst"),
        example("the end of TeX gone", f"\\begin{{document}}\n{lorem(60)}\\end{{document}}\n",
                f"\\begin{{document}}\n{lorem(60)}", True, path="a.tex"),
        example("verbatim left open", "\\begin{verbatim}\nls\n\\end{verbatim}\n\\end{document}\n",
                "\\begin{verbatim}\nls\n\\end{document}\n", True, path="a.tex"),
        example("a date as the last line", _TALE + "\nSee the log for more.\n", _TALE + "\nLast updated: 2026-11-30\n", False),
        example("a list shortened", _TALE + "\nBuy lamps, oil and wicks\n", _TALE + "\nBuy lamps, oil\n", False),
        *(example(f"it ends {end[-12:]}", _TALE, f"{_TALE.rpartition(chr(10) * 2)[0]}\n\n{end}\n", False) for end in (
                "And this is what the keeper of them used to say to us all: *light*", "The sum over the lamps of the wall is $n^2$",
                "And thank you all for having read this far with me 🎉", "This proves it for every single lamp on the wall ∎",
                "And so they slept in the cold house by the wall —", "With love from the house and all who live in it, Ada",
                "© 2026 The keepers of the lamps and all who help them", "See the chapters on the oil, the wicks, and Appendix B")),
        *(example(f"cut at {end[-12:]}", _TALE, f"{_TALE.rpartition(chr(10) * 2)[0]}\n\n{end}\n", True) for end in (
                "And this is what the keeper of them used to say to us *light", "The lamps of the wall are all lit by hand at dusk and",
                "The lamps of the wall, the yard, the hall and the house,")),
        *(example(f"a last paragraph {about}", _TALE, _ended_by(end), False) for about, end in (
                ("of verse", "The lamp burns on\nthe sea is dark\nand nobody sleeps"),
                ("that ends in code", "And when it is dark and the watch is set they light the lamps of the hall with `lamp on`"),
                ("that ends in a year", "The lamps of the hall and of the yard were lit by hand for the last time in 1843"),
                ("less its stop", _LAST.rstrip(".")), ("less its stop, and longer", _LAST.rstrip(".") + " in the hall and the yard in 1843"),
                ("in quotes", f"“{_LAST}”"))),
        *(example(f"a last paragraph {about}", _TALE, _ended_by(end), True) for about, end in (
                ("of verse, cut", "The lamp burns on\nthe sea is dark\nand the"),
                ("broken as prose", "The lamps of the hall are lit by hand every night\nand somebody puts them out who\nkeeps the watch of"),
                ("that opens code", "And when it is dark and the watch is set they light the lamps of the hall with `lamp"),
                ("cut before a year", "The lamps of the hall and of the yard were lit by hand for the last time in"))),
        example("cut behind code", f"{_TALE}\nRun `lamp on` when it is dark and then sit down.\n", f"{_TALE}\nRun `lamp on`\n", True),
        example("cut behind a year", f"{_TALE}\nSo it was in 1843 and in all the years that came.\n", f"{_TALE}\nSo it was in 1843\n", True),
        example("paragraphs that never had stops", _BARE, _BARE.replace("lit at dusk by those who stay up", "put out in the morning by the last"),
                False),
        example("cut where paragraphs never had stops", _BARE, _BARE[:-30], True),
        example("it never had a full stop", "Buy lamps and oil for the night", "Buy oil for the night and wicks", False),
        example("a fence that is shown", _CODE, _CODE.replace("y\n", "y = 2\n"), False),
    )  # fmt: skip
