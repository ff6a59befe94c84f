"""placeholder: a marker that says "the rest stays" where the rest is gone.

Only a marker that is new, and only where words were lost beside it: a tutorial that shows such a line passes,
and so does one added with nothing lost. Any comment style; English, Spanish, German, French, Portuguese,
Chinese, Japanese.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern
from firewall.text.units import TAKES_IN
from firewall.text.words import LEAST_LOST
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "placeholder"
STRUCTURAL = False
LEAST_PUT_OFF = 25
"""Words that must be gone, less those that came, where the last line says that the text will go on: who writes in parts
ends one so, and may well reword what stands before it."""

_OPENERS = frozenset("<>/*#-;%([{_`'\".…⋯【（［〔「✂@~=|!:⋮︙‹\\&$—–―─")
_CLOSERS = frozenset("…⋯。]）)}>】］〕」/ ")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_FIRST = frozenset("tTrRdDlLeEoO")
_PLAIN = (
    "the rest",
    "the remain",
    "rest of",
    "remain",
    "der rest",
    "le reste",
    "el resto",
    "o rest",
    "lorem",
    "rest ",
    "rem ",
    "dnl ",
    "everything",
    "lo dem",
    "todo lo",
    "tout le",
)
"""How a line may begin that is a marker with nothing around it."""
_ELISION = Pattern(r"(?i)^\W*(?:(?:snip(?:ped)?|cut|omitted|elided|etc)\W*)?$")
"""What an author puts into an example to shorten it. In code it claims nothing of what was there before."""
_LETTER = Pattern(r"[^\W\d_]")
_END_TAGS = Pattern(r"(?:</\w+>\s*)+$")
LONGEST = 400
"""Characters of the longest line that is looked at: more than any marker that the patterns can match."""


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks, with the marker's line, what it says, and how many words are gone beside it."""
    if facts.proposed is None or facts.disk is None:
        return []
    change = measures.from_disk
    if change.lost < LEAST_LOST:
        return []
    from firewall.text.beside import Beside  # few edits lose words
    from firewall.text.fillers import comment, is_filler
    from firewall.text.squeeze import squeeze
    from firewall.text.touched import code_lines

    window = change.window
    after = measures.new[window.start : window.new_end]
    had: set[str] = set()
    around: Beside | None = None
    code: frozenset[int] | None = None
    first = measures.new.count("\n", 0, window.start)
    lines = after.split("\n")
    last = _puts_off(lines) if window.new_end == len(measures.new) else -1
    for number in [n for n, line in enumerate(lines) if (line and _may_be(line)) or n == last]:
        line = lines[number]
        had = had or _lines_before(measures)
        said = comment(lines, number)
        if had.issuperset(said or (line,)):
            continue
        short = squeeze(f"<!-- {' '.join(said)} -->") if said else squeeze(line)
        filler = not said and is_filler(line)
        if not filler and number != last and not _stands_for_text(facts.path, lines, number, short, had):
            continue
        around = around or Beside(measures.disk[window.start : window.old_end], after)
        if filler and _fillers(measures.new) <= _fillers(measures.disk):
            continue
        if filler or _ELISION.match(short) or around.swapped(number):
            code = code_lines(facts.path, measures.new) if code is None else code
            if first + number in code:
                continue
        if around.lost(number) < LEAST_LOST or (number == last and around.fewer(number) < LEAST_PUT_OFF):
            continue
        gone, short = around.lost(number), " ".join(said) or short
        message = (
            f"{facts.path}, line {first + number + 1}: {short[:100]!r} stands where {gone} words were (from {LEAST_LOST} "
            "on it is an omission). Write the whole text, or change only the sentence meant."
        )
        evidence = {"line": first + number + 1, "marker": short[:200], "lost": gone, "limit": LEAST_LOST}
        return [Finding(NAME, Outcome.BLOCK, message, evidence)]
    return []


def _lines_before(measures: Measures) -> set[str]:
    """The lines of the disk and of the mark, with '' among them."""
    lines = set(measures.disk.split("\n"))
    if not measures.mark_is_disk:
        lines |= set(measures.mark.split("\n"))
    lines.add("")
    return lines


def _may_be(line: str) -> bool:
    """Does the line begin or end as markers do? Cheap, for all lines of a text."""
    first = line[0]
    if line[-1] in _CLOSERS or line[-2:] in ("..", " ."):
        return len(line) <= LONGEST
    if first in _LETTERS:
        return first in _FIRST and line[:9].lower().startswith(_PLAIN)
    short = line.strip()
    if not short or len(line) > LONGEST:
        return False
    return (
        short.startswith("8<")
        or short[0] in _OPENERS
        or short.lower().startswith(_PLAIN)
        or "\u3040" < short[0] < "\ua000"
    )


def _puts_off(lines: list[str]) -> int:
    """The number of the last line that is not blank, where it says that the rest comes at another time; else -1."""
    from firewall.text.omission import says_continued
    from firewall.text.squeeze import squeeze

    last = next((n for n in range(len(lines) - 1, -1, -1) if lines[n].strip()), -1)
    return last if last >= 0 and says_continued(squeeze(lines[last][:LONGEST])) else -1


def _stands_for_text(path: str, lines: list[str], number: int, short: str, had: set[str]) -> bool:
    """Does this line say so, or print dots by a command, alone or beside a claim?"""
    if len(short) > LONGEST:
        return False
    from firewall.text.omission import says_omitted, says_rest_stays

    if _is_marker(path, lines[number], short, had) or (_is_alone(lines, number) and says_rest_stays(short)):
        return True
    from firewall.text.fillers import with_dots

    dotted = with_dots(short)
    return dotted != short and says_omitted(dotted) and (_is_alone(lines, number) or _LETTER.search(dotted) is not None)


def _fillers(text: str) -> int:
    from firewall.text.fillers import is_filler

    return sum(is_filler(line) for line in text.split("\n"))


def _is_marker(path: str, line: str, short: str, had: set[str]) -> bool:
    """Is it a marker, or an old line with one behind it? Not a directive that brings another file in, nor an end tag
    that only looks like a closer, nor a line of dots that is a delimiter in this format."""
    from firewall.text.formats import is_markdown
    from firewall.text.omission import appended, says_omitted

    if (
        not short
        or TAKES_IN.match(short)
        or (not is_markdown(path) and len(line.strip()) > 3 and not line.strip().strip("."))
    ):
        return False
    if not says_omitted(short):
        found = appended(short) if short[-1] not in "._`" else None
        return found is not None and (found[1] or found[0] in had)
    bare = _END_TAGS.sub("", short)
    return bare == short or says_omitted(bare)


def _is_alone(lines: list[str], number: int) -> bool:
    """Are the lines beside this one blank?"""
    return not "".join(lines[max(0, number - 1) : number] + lines[number + 1 : number + 2]).strip()


_OLD = lorem(280)
_PARTS = _OLD.split("\n\n")
_CODE = f"{_OLD}\n```py\n{lorem(40, 900)}```\n\n{lorem(40, 700)}"
_LISTING = f"{_OLD}\n----\n{lorem(40, 900)}----\n\n{lorem(40, 700)}"


_FILLER = "Lorem ipsum dolor sit amet, consectetur adipiscing elit."


def _elided(mark: str) -> str:
    return "\n\n".join([*_PARTS[:2], mark, *_PARTS[4:]])


_SHORTENED = _CODE.replace("\nword905", "\n# ... the rest of this code stays as it was ...\nword905")


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    from firewall.text.omission_lines import CONTINUED, ELSEWHERE, ELSEWHERE_TEXT, MARKERS, TEXT

    return (
        *(example(f"{mark} for two paragraphs", _OLD, _elided(mark), True) for mark in MARKERS),
        *(example(f"{line} for two paragraphs, which is text", _OLD, _elided(line), False) for line in TEXT),
        *(example(f"{line} for two paragraphs in {path}", _OLD, _elided(line), True, path=path) for path, line in ELSEWHERE),
        *(example(f"{line} for two paragraphs in {path}, which is text", _OLD, _elided(line), False, path=path)
                for path, line in ELSEWHERE_TEXT),
        example("filler in an example", _CODE, _CODE.replace(lorem(40, 900), "<p>\nLorem ipsum dolor sit amet.\n</p>\n"), False),
        example("filler that was there", _elided(_FILLER), _elided(_FILLER.replace(", consectetur", ",\nconsectetur"))
                .replace(_PARTS[1], lorem(40, 700)), False),
        example("dots of a formula", _OLD, _elided("\\begin{align}\nx_1 &= y_1 \\\\\n\\vdots \\\\\nx_n &= y_n\n\\end{align}"), False,
                path="a.tex"),
        example("the old line with a claim behind it", _OLD, _OLD.replace("\n\n".join(_PARTS[2:4]), _PARTS[2].split("\n")[0] +
                " (rest unchanged)"), True),
        example("a marker of an example in other words", _SHORTENED, _SHORTENED.replace(
                "# ... the rest of this code stays as it was ...", "// ... existing code ..."), False),
        example("at the end", _OLD, "\n\n".join(_PARTS[:3]) + "\n\n[rest of the document unchanged]\n", True),
        example("at the start", _OLD, "[previous sections remain as before]\n\n" + "\n\n".join(_PARTS[2:]), True),
        example("in code, saying that the rest stays", _CODE, _CODE.replace(lorem(40, 900), "# ... rest of the code unchanged\n"),
            True),
    example("an author shortens an example", _CODE, _CODE.replace(lorem(40, 900), "// ...snip...\n"), False),
    example("an author shortens what a program prints", _LISTING, _LISTING.replace(lorem(40, 900), "...\n"), False,
            path="a.adoc"),
    example("a chapter becomes a list of its sections", _OLD,
            "\n\n".join(_PARTS[:3]) + "\n\ninclude::sections/rest-of-the-text.asc[]\n", False, path="a.asc"),
    example("a remark of an editor", _OLD, _elided("<!-- Above - is that what you meant here? -->"), False),
    *(example(f"a chapter ends {end}", _OLD, "\n\n".join([*_PARTS[:-3], end]) + "\n", True) for end in CONTINUED),
    example("a part that ends so, its last paragraph reworded", _OLD, "\n\n".join([*_PARTS[:-1], lorem(40, 900), "To be continued.\n"]),
            False),
    example("a part that ends so, nothing lost", _OLD, f"{_OLD.rstrip()}\n\n*To be continued*\n", False),
    example("nothing lost", _OLD, _OLD + "\nA model writes:\n\n    # ... rest of the code unchanged ...\n", False),
        example("it was there before", _elided("[... unchanged ...]"),
                _elided("[... unchanged ...]").replace(_PARTS[5], lorem(40, 900)), False),
        example("it was there before, and the paragraph beside it is rewritten", _elided("[... unchanged ...]"),
                _elided("[... unchanged ...]").replace(_PARTS[4], lorem(40, 900)).replace(_PARTS[0], lorem(40, 700)), False),
        example("shown in one place, text lost in another", _OLD,
                _OLD.replace(_PARTS[5], lorem(40, 900)).replace(_PARTS[1], _PARTS[1] + "\n\n[... unchanged ...]"), False),
        example("a paragraph rewritten, no marker", _OLD, _OLD.replace(_PARTS[2], lorem(40, 900)), False),
        example("prose about the rest", _OLD, _OLD.replace(_PARTS[2], "The rest of the night is quiet, and all the "
                "lamps remain lit until the day shift comes in at six and reads the log."), False),
        example("lines of blanks", _OLD, _OLD.replace(_PARTS[2], "   \n \nAnother text in its place."), False),
        example("a sentence that trails off", _OLD, _OLD.replace(_PARTS[2], "And then the lamp went out..."), False),
        example("a new file", None, "# Notes\n\n[... unchanged ...]\n", False),
    )  # fmt: skip
