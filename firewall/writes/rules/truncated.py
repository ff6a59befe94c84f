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
_LAST_WORDS = 5
_FEWEST = 3
"""Words in a row that do not stand in two texts by chance."""
_LINE = 8
"""Words of a line that needs no full stop: a name, a date, a licence."""
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

    A list, a table, a link line, code or a heading at the end is an end. So is a paragraph without a full stop, where
    the last one had none before, and a line that takes the place of the last paragraph; neither is, where it ends with
    words that stood in the middle of a paragraph.
    """
    window = measures.from_disk.window
    if window.new_end < len(measures.new):
        return []  # the end is as it was
    if facts.path.lower().endswith(".tex") and _END in measures.disk and _END not in measures.new:
        message = f"{facts.path}: the text ends without the {_END} that it had. Write it to its end."
        return [Finding(NAME, Outcome.BLOCK, message, {"ends": measures.new[-200:]})]
    before = measures.mark_outline
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
    tail = " ".join(words(before.last_prose)[-_LAST_WORDS:])
    if not tail or _times(tail, measures.new) >= _times(tail, measures.mark):
        return []
    had_stop = before.ends != "paragraph" or bool(_ENDED.search(before.last_prose))
    all_but_last = measures.disk.rstrip().rpartition("\n\n")[0]
    length = len(words(last))
    is_line = measures.new.startswith(all_but_last) and (
        length <= _LINE or (length <= _SIGNATURE and "\n" not in last and _SIGNED.match(last) is not None)
    )
    kinds = (is_line, not had_stop)
    if all(kinds) or (any(kinds) and not _is_cut_from(measures.mark, last)):
        return []
    message = (
        f"{facts.path}: the text ends in the middle of a sentence ({last[-60:]!r}) and its old end is gone. "
        "Write it to its end."
    )
    return [Finding(NAME, Outcome.BLOCK, message, {"ends": last[-200:]})]


def _times(tail: str, text: str) -> int:
    """How often these words stand in a text, whatever its layout."""
    return " ".join(words(text)).count(tail)


def _is_cut_from(old: str, last: str) -> bool:
    """Do the last words of a paragraph, the last of them perhaps in part, stand in the middle of one of the old text?"""
    tail = words(last)[-_LAST_WORDS:]
    if len(tail) < _FEWEST:
        return False
    wanted = " ".join(tail)
    texts = (" ".join(unit.words) for unit in units(old))
    return any(wanted in text and not text.endswith(wanted) for text in texts)


def _is_link_line(text: str) -> bool:
    line = text.rsplit("\n", 1)[-1]
    return "://" in line or line.startswith(("@", "#"))


_TALE = lorem(60) + "\nThe lamps are lit at dusk and put out at dawn.\n"
_CODE = "# Code\n\nFirst a word about it all.\n\n```py\nx = 1\n```\n\nThen the prose goes on for a while here.\n\n```py\ny\n```\n"

_LONG = "The lamps of the hall are lit at dusk and put out at dawn by the one who keeps the watch."


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
        example("it never had a full stop", "Buy lamps and oil for the night", "Buy oil for the night and wicks", False),
        example("a fence that is shown", _CODE, _CODE.replace("y\n", "y = 2\n"), False),
    )  # fmt: skip
