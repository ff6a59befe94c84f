"""hidden: prose may not leave a reader's sight while its words stay in the file.

A comment around a chapter, a fence, an indent of four, front matter, a hidden element, a note that nothing refers to:
every word survives, and nobody reads one. Measured like survival, on what a reader sees as prose, against the disk, the
mark, the high version and the baseline; what moved to another artifact is seen where it is shown there. Code and
displayed formulas, which many pages are most of, are measured beside it by their words.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.shown import PARSED, kind, seen_code
from firewall.text.units import units
from firewall.text.words import words
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "hidden"
STRUCTURAL = True


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Holds below the share that must survive, blocks below 30%; holds new markup that hides what was seen."""
    if facts.proposed is None or facts.disk is None or facts.step_back:
        return []
    limits = facts.limits
    found = []
    for reference in measures.all_references:
        need = limits.survival if measures.is_long else limits.small_survival
        if reference.cannot_hide or reference.is_surely_seen(need) or reference.hides_little:
            continue
        share = reference.share_seen(need)
        if share < need and reference.is_hiding:
            found.append((share, need))
    if found:
        worst, need = min(found)
        outcome = Outcome.BLOCK if worst < limits.survival_block_below else Outcome.HOLD
        message = (
            f"{facts.path}: {worst:.0%} of what a reader saw as text is still seen as text; at least {need:.0%} must "
            "be. Do not put text into comments, code, front matter or hidden elements."
        )
        return [Finding(NAME, outcome, message, {"seen": round(worst, 4), "limit": need})]
    if not measures.may_hide:
        return []
    if code := _code_out_of_sight(measures):
        return code
    if kind(facts.path) in ("plain", "html"):
        return []
    old = set(measures.disk_outline.hides)
    added = [piece for piece in measures.new_outline.hides if piece not in old]
    by_style = [piece for piece in added if piece.startswith("{")]  # which may hide any part of the text
    if by_style or (added and measures.on_disk.hidden):
        what = "what it names" if by_style else f"{measures.on_disk.hidden} words that a reader saw"
        message = f"{facts.path}: {(by_style or added)[0][:80]!r} is new and hides {what}. Leave it out."
        evidence = {"markup": added[0][:200], "count": len(added), "words": measures.on_disk.hidden}
        return [Finding(NAME, Outcome.HOLD, message, evidence)]
    return []


def _code_out_of_sight(measures: Measures) -> list[Finding]:
    """Holds where too much of a page is code or formulas that went out of sight and not out of the file."""
    facts = measures.facts
    now: Counter[str] | None = None
    worst, need = 1.0, 0.0
    for one in measures.all_references:
        was = Counter(words(_seen_code(measures, one.text)))
        total = was.total() + one.shown_words if was else 0
        if total < facts.limits.small_from:
            continue
        if now is None:
            now = Counter(words(_seen_code(measures, measures.new))) + Counter(words(measures.new_shown))
            unseen = Counter(words(measures.new)) - now
        hidden = ((was - now) & unseen).total()
        least = facts.limits.survival if measures.is_long else facts.limits.small_survival
        if 1 - hidden / total < min(least, worst):
            worst, need = 1 - hidden / total, least
    if not need:
        return []
    message = (
        f"{facts.path}: {worst:.0%} of the text, code and formulas that a reader saw are still seen; at least {need:.0%} "
        "must be. Do not put them into comments or hidden elements."
    )
    return [Finding(NAME, Outcome.HOLD, message, {"seen": round(worst, 4), "limit": need})]


def _seen_code(measures: Measures, text: str) -> str:
    path = measures.facts.path
    return measures.outline(text).seen_code if kind(path) in PARSED else seen_code(path, text)


def _units(text: str) -> dict[tuple[str, ...], int]:
    return {unit.words: 1 for unit in units(text)}


def _seen(words: int) -> str:
    """A text of 1,200 words of which so many are seen."""
    return f"{lorem(words)}\n<!--\n{lorem(1200 - words, words)}-->\n"


def _line(number: int) -> str:
    return " ".join(lorem(40, number * 40).split())


_TEXT = lorem(1200)
_HALF = f"# One\n\n{lorem(600)}\n## Two\n\n"


_LINES = "".join(f"light_{n}(a) -> {n}\n" for n in range(60))
_MATH = "".join(f"$$\nx_{{{n}}} = {n} + y\n$$\n\n" for n in range(30))


def _code(opener: str, closer: str, depth: int = 0) -> str:
    """A block of code of 180 words."""
    text = f"{opener}\n{_LINES}{closer}\n" if closer else f"{opener}\n\n" + _LINES.replace("light", "   light")
    return "".join(f"{' ' * depth}{line}".rstrip() + "\n" for line in text.split("\n"))


_ORG_CODE = ("#+begin_src c", "#+end_src")
_CODE_PAGES = (
    ("a.md", "a division", ("```sh", "```"), ":::{.hidden}\n", ":::\n", 0),
    ("a.md", "a condition", ("```sh", "```"), "{% if false %}\n", "{% endif %}\n", 0),
    ("a.org", "a comment", _ORG_CODE, "#+begin_comment\n", "#+end_comment\n", 0),
    ("a.org", "a tree that is not exported", _ORG_CODE, "* Old :noexport:\n", "* New\n", 0),
    ("a.org", "a commented tree", _ORG_CODE, "* COMMENT Old\n", "* New\n", 0),
    ("a.rst", "a comment", (".. code-block:: sh", ""), "..\n", "", 3),
    ("a.rst", "a condition", ("::", ""), ".. only:: never\n\n", "", 3),
    ("a.adoc", "a condition", ("----", "----"), "ifdef::never[]\n", "endif::[]\n", 0),
    ("a.adoc", "a comment", ("----", "----"), "////\n", "////\n", 0),
    ("a.tex", "a branch", ("\\begin{lstlisting}", "\\end{lstlisting}"), "\\iffalse\n", "\\fi\n", 0),
    ("a.typ", "a value", ("```c", "```"), "#let old = [\n", "]\n", 0),
)
"""Ways to put code out of sight: the file, what it is, the marks around code, what comes before and after, and how deep
the code is indented then."""


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    from firewall.text import hidden_cases as cases

    return (
        example("in a comment", _TEXT, f"<!--\n{_TEXT}-->\n", True),
        example("in a comment behind a word", _TEXT, f"Gone.\n\n<!--\n{_TEXT}-->\n", True),
        example("in a fence", _TEXT, f"Gone.\n\n```text\n{_TEXT}```\n", True),
        example("indented", _TEXT, "".join(f"    {line}\n" for line in _TEXT.split("\n")), True),
        example("in front matter", _TEXT, f"---\n{_TEXT.replace(chr(10) * 2, chr(10))}---\n", True),
        example("in a hidden element", _TEXT, f"<div hidden>\n\n{_TEXT}\n</div>\n", True),
        example("by a style", _TEXT, f"<style>*{{display:none}}</style>\n\n{_TEXT}", True),
        example("by an attribute", _TEXT, f'<section style="color: red; display: none">\n\n{_TEXT}\n</section>\n', True),
        example("a small note in a comment", lorem(80), f"<!--\n{lorem(80)}-->\n", True),
        example("slices since the mark", lorem(900), lorem(800) + "\n<!--\n" + lorem(400, 800) + "-->\n", True,
                mark=lorem(1200)),
        example("half of it moved, most of the rest hidden", _HALF + lorem(1800, 600),
                f"# One\n\n{lorem(300)}\n<!--\n{lorem(900, 300)}-->\n", True, elsewhere=_units(lorem(1200, 1200))),
        example("three quarters moved", _HALF + lorem(1800, 600), _HALF, False, elsewhere=_units(lorem(1800, 600))),
        example("a third cut, a third hidden", _TEXT, f"{lorem(400)}\n<!--\n{lorem(400, 400)}-->\n", True),
        example("code cut, prose hidden", f"```\n{lorem(900, 5000)}```\n\n{_TEXT}",
                f"{lorem(600)}\n<!--\n{lorem(600, 600)}-->\n", True),
        example("other prose, and the old in a comment", _TEXT, f"{lorem(1200, 7000)}\n<!--\n{_TEXT}-->\n", True),
        example("a copy of it out of sight before", f"{lorem(1200)}\n<!--\n{lorem(1200)}-->\n",
                f"{lorem(600)}{lorem(600, 8000)}\n<!--\n{lorem(1200)}-->\n", True, baseline=lorem(1200)),
        example("hidden by slices since the baseline", _seen(800), _seen(700), True, baseline=_seen(1200)),
        example("moved, and out of sight there", _HALF + lorem(1800, 600), _HALF, True,
                elsewhere=_units(lorem(1800, 600)), shown_elsewhere={}),
        example("in notes that nothing refers to", _TEXT, "Gone.\n\n" + "".join(
                f"[^{n}]: {lorem(40, n * 40)}\n" for n in range(30)), True),
        example("in an image's text", _TEXT, "".join(f"![{lorem(40, n * 40).strip()}](x.png)\n\n" for n in range(30)),
                True),
        example("an expression of MDX", _TEXT, f"Gone.\n\n{{/*\n{_TEXT}*/}}\n", True, path="a.mdx"),
        example("a comment of reStructuredText", _TEXT, "..\n" + "".join(f"  {line}\n" for line in _TEXT.split("\n")), True,
                path="a.rst"),
        example("space of TeX", _TEXT, f"Gone.\n\n\\phantom{{{_TEXT}}}\n", True, path="a.tex"),
        example("a comment of Liquid", _TEXT, f"Gone.\n\n{{% comment %}}\n{_TEXT}{{% endcomment %}}\n", True),
        example("a comment of Obsidian", _TEXT, f"Gone.\n\n%%\n{_TEXT}%%\n", True),
        example("a value of MDX", _TEXT, "".join(f"export const x = `{line}`\n\n" for line in _TEXT.split("\n\n")), True,
                path="a.mdx"),
        example("attributes of AsciiDoc", _TEXT, "".join(f":x{n}: {_line(n)}\n" for n in range(30)), True, path="a.adoc"),
        example("a comment's open block", _TEXT, f"Gone.\n\n[comment]\n--\n{_TEXT}--\n", True, path="a.adoc"),
        example("terms of the index", _TEXT, "".join(f"((({lorem(40, n * 40).strip()})))\n\n" for n in range(30)), True, path="a.adoc"),
        example("options of a directive", _TEXT, "".join(f".. image:: a.png\n   :alt: {_line(n)}\n" for n in range(30)), True,
                path="a.rst"),
        example("raw export", _TEXT, f"#+BEGIN_EXPORT html\n<!--\n{_TEXT}-->\n#+END_EXPORT\n", True, path="a.org"),
        example("addresses of links", _TEXT, "".join(f"\\href{{{lorem(40, n * 40).strip()}}}{{x}}\n\n" for n in range(30)), True,
                path="a.tex"),
        *(example(f"each paragraph as {how.strip()[:40]}", _TEXT, "Gone.\n\n" + "".join(
                how.replace("P", _line(n)) + "\n\n" for n in range(30)), True, path=path) for path, how in cases.EACH),
        *(example(f"all of it as {how.strip()[:40]}", _TEXT, f"Gone.\n\n{how.replace('P', _TEXT)}\n", True, path=path)
                for path, how in cases.WHOLE),
        *(example(f"a text behind {before.strip()[:40]}", _TEXT, f"{before}{_TEXT}{after}", True, path=path)
                for path, before, after in cases.AROUND),
        *(example(f"added {added.strip()[:40]}", _TEXT, added + _TEXT + added, False, path=path) for path, added in cases.BESIDE),
        *(example(f"a page under {tag}", _TEXT, f"{tag}\n\n{_TEXT}", True) for tag in cases.PAGE),
        example("a picture with a script that counts", _TEXT, f"{_TEXT}\n<img src='x.png' onclick='count()'>\n", False),
        example("code of templates shown", _TEXT, _TEXT + "\nBegin with `{% if %}` and end with `{% endif %}`.\n", False),
        example("code of templates shown at both ends", _TEXT, f"Begin with `{{% if %}}`.\n\n{_TEXT}\nAnd `{{% endif %}}`.\n",
                False),
        example("a note of MyST added", _TEXT, f":::{{note}}\nRead this.\n:::\n\n{_TEXT}", False),
        example("tips and raw text added, and shown", _TEXT, _TEXT.replace("word7 ", '[word7]{title="the seventh word of all"} ')
                .replace("word9", "word9`\\\\newline`{=latex}", 1) + '\nWrite `[x]{title="a tip"}` or `` `x`{=html} `` here.\n', False),
        example("a formula in MathML", _TEXT, f"{_TEXT}\n<math><semantics><mrow/><annotation>x</annotation></semantics></math> seen.\n",
                False),
        example("text for all of MathML", _TEXT, f"<math><semantics><mtext>{_TEXT}</mtext></semantics></math>\n", False),
        example("headings get names", f"# One\n\n{_TEXT}", f"# One {{#one}}\n\n{_TEXT}", False),
        example("in a condition before", f"{{% if a %}}\n{_TEXT}{{% endif %}}\n", f"{{% if a %}}\n{_TEXT}More.\n{{% endif %}}\n",
                False),
        example("a definition of TeX added", _TEXT, f"\\newcommand{{\\lamp}}[1]{{\\emph{{#1}}}}\n{_TEXT}", False, path="a.tex"),
        example("a note of Typst added", _TEXT, f'#import "@preview/x:1.0": note\n\n#note[Read this.]\n\n{_TEXT}', False, path="a.typ"),
        *(example(f"code put into {about}", f"Lamps.\n\n{_code(*fence)}", f"Lamps.\n\n{before}{_code(*fence, depth)}{after}", True,
                path=path) for path, about, fence, before, after, depth in _CODE_PAGES),
        *(example(f"a quarter of the code put into {about}", f"Lamps.\n\n{_code(*fence) * 4}",
                f"Lamps.\n\n{_code(*fence) * 3}{before}{_code(*fence, depth)}{after}", False, path=path)
                for path, about, fence, before, after, depth in _CODE_PAGES),
        example("formulas put into a comment", f"Lamps.\n\n{_MATH}", f"Lamps.\n\n<!--\n{_MATH}-->\n", True),
        example("a diagram whose lines are comments", f"Lamps.\n\n```mermaid\ngraph TD\n{_LINES}```\n",
                "Lamps.\n\n```mermaid\ngraph TD\n%% " + _LINES.replace("\n", "\n%% ").removesuffix("%% ") + "```\n", True),
        example("code whose lines are comments", f"Lamps.\n\n```sh\n{_LINES}```\n",
                "Lamps.\n\n```sh\n# " + _LINES.replace("\n", "\n# ").removesuffix("# ") + "```\n", False),
        example("code gone", f"Lamps.\n\n{_code('```sh', '```')}", "Lamps.\n", False),
        example("fields that are shown", _TEXT, f"{_TEXT}\n.. function:: light\n\n   :returns: nothing\n", False, path="a.rst"),
        example("a cut hides nothing", f"# One\n\n{_TEXT}", f"# One\n\n{lorem(300)}", False),
        example("a comment added", _TEXT, _TEXT + "\n<!-- to do: the oil -->\n", False),
        example("a code block added", _TEXT, _TEXT + "\n```sh\nls\n```\n", False),
        example("one paragraph made a block", _TEXT, _TEXT.replace(lorem(40).strip(), f"```\n{lorem(40)}```"), False),
        example("details that open", _TEXT, _TEXT + "\n<details>\n<summary>More</summary>\n\nText.\n\n</details>\n", False),
        example("it was hidden before", f"<div hidden>\n\n{_TEXT}\n</div>\n", f"<div hidden>\n\n{_TEXT}\nMore.\n</div>\n", False),
        example("one paragraph in a hidden element", _TEXT, _TEXT.replace(lorem(40), f"<div hidden>\n\n{lorem(40)}\n</div>\n"), True),
        example("a film shown", _TEXT, f'{_TEXT}\n<iframe src="https://films.example/x"></iframe>\n\nMore.\n', False),
        example("a drawing shown", _TEXT, f'{_TEXT}\n<svg width="10"><circle r="4"/></svg>\n\nMore.\n', False),
        example("in tabs", _TEXT, '=== "Linux"\n\n' + "".join(f"    {line}\n" for line in _TEXT.split("\n")), False),
        example("a plain file has no comments", _TEXT, f"<!--\n{_TEXT}-->\n", False, path="a.txt"),
        example("an image's text changed", _TEXT + "\n![the lamp](x.png)\n", _TEXT + "\n![a lamp at dusk](x.png)\n", False),
    )  # fmt: skip
