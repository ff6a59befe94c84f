"""No rule takes time that grows with the square of a text: four times the text is at most seven times the work.

Work is processor time of this thread, of which only the ratio counts, so that a slow or busy machine changes nothing:
what is quadratic takes sixteen times as long, and what is cubic sixty-four times.
"""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from firewall.text.frontmatter import front_keys, named_keys
from firewall.text.linediff import EXACT_LIMIT, changed_lines
from firewall.text.squeeze import squeeze
from firewall.writes.commits import File, judge_files
from firewall.writes.decide import decide
from firewall.writes.limits import Limits
from firewall.writes.protection import Protection
from firewall.writes.rules.base import example, lorem

TEXT = lorem(1200)
LOST = "\n\none two three four five six seven eight nine ten\n\n"
MOST = 7.0
SLACK = 0.05
"""Seconds of processor time below which nothing can be said of growth."""
AT_MOST = 60.0
"""Seconds of processor time after which a verdict is given up: a hundred times what any of these takes."""

Made = Callable[[int], str]
INPUTS: dict[str, Made] = {
    "blanks": lambda n: " " * n,
    "empty lines": lambda n: "\n" * n,
    "lines of a blank": lambda n: " \n" * n,
    "tabs and a word": lambda n: "\t" * n + "x",
    "a bracket and blanks": lambda n: "[" + " " * n,
    "percent signs": lambda n: "%" * n,
    "hash marks": lambda n: "# " * n,
    "brackets": lambda n: "[" * n + " rest",
    "dots": lambda n: "." * n,
    "lines of dots": lambda n: "...\n" * (n // 4),
    "markers": lambda n: "... rest unchanged\n" * (n // 16),
    "words of markers": lambda n: "rest unchanged " * (n // 8) + "...",
    "a long key": lambda n: "---\na" + " " * n + "\n---\n",
    "many keys": lambda n: "---\n" + "".join(f"k{i}: v\n" for i in range(n // 8)) + "---\n",
    "headings": lambda n: "".join(f"# h{i}\n\n" for i in range(n // 8)),
    "notes": lambda n: "".join(f"[^{i}]: a\n\n" for i in range(n // 12)) + "".join(f"[^{i}] " for i in range(n // 12)),
    "links": lambda n: "".join(f"[r{i}]: x\n" for i in range(n // 12)) + "".join(f"\n[r{i}]" for i in range(n // 12)),
    "a nested list": lambda n: "".join("  " * i + f"- a{i}\n" for i in range(int(n**0.5))),
    "a list in one line": lambda n: "- " * (n // 4) + "a",
    "quotes in quotes": lambda n: "> " * (n // 4) + "a",
    "items": lambda n: "".join(f"- a{i}\n" for i in range(n // 8)),
    "paragraphs": lambda n: "".join(f"p{i} q r s t u\n\n" for i in range(n // 16)),
    "the same paragraph": lambda n: "p q r s t u\n\n" * (n // 16),
    "fences": lambda n: "```\na\n```\n\n" * (n // 16),
    "tildes": lambda n: "~" * n + "\na\n" + "~" * n,
    "tags": lambda n: '<x style="display' * (n // 16),
    "styles": lambda n: "<style>display:" * (n // 16),
    "comments": lambda n: "<!-- a\n\n" * (n // 8),
    "end tags": lambda n: "</a> " * (n // 4) + "x",
    "numbered lines": lambda n: "".join(f"{i}: a\n" for i in range(n // 8)),
    "conflicts": lambda n: "<<<<<<< a\n=======\n>>>>>>> b\n" * (n // 24),
    "notices": lambda n: "[...output" * (n // 8),
    "a greeting": lambda n: "here's the " + "new-" * (n // 4),
    "an offer": lambda n: "\n\n" * (n // 2) + "hope this helps" + " *" * (n // 4),
    "images": lambda n: "".join(f"![a](b{i})\n\n" for i in range(n // 12)),
    "Chinese": lambda n: "其余" * (n // 2),
    "letters": lambda n: "a" * n,
    "comments of Liquid": lambda n: "{% comment %}" * (n // 12),
    "conditions of Liquid": lambda n: "{% if false %}" * (n // 12) + "{% endif %}" * (n // 24),
    "tags of Liquid": lambda n: "{%" * (n // 2),
    "tags in code": lambda n: "`{%` " * (n // 5) + "{% comment %}" * (n // 24),
    "values of attributes": lambda n: '[x]{a="{b=" c=' * (n // 14),
    "raw text of Pandoc": lambda n: "`x`{=l" * (n // 6) + "`{=x}" * (n // 16),
    "HTML of Pandoc": lambda n: "```{=html}\n<!--\n```\n\n`<a`{=html} +++ {" * (n // 36),
    "embeds": lambda n: '![[a {{< "a.png <X a=' * (n // 20) + "![b](c.png)",
    "comments that open": lambda n: '<!--\n/*\n..\n%%\n"""\n' * (n // 18),
    "dots by commands": lambda n: "\\ldots % a\n\n" * (n // 14),
    "filler": lambda n: "Lorem ipsum dolor\n\n" * (n // 18),
    "sentences": lambda n: "A lamp burns. " * (n // 14),
    "elements of MathML": lambda n: "<math><semantics>" * (n // 17),
    "comments of Jinja": lambda n: "{#" * (n // 2),
    "comments of Hugo": lambda n: "{{/*" * (n // 4),
    "comments of Handlebars": lambda n: "{{!--" * (n // 4),
    "conditions of Handlebars": lambda n: "{{#if a}}" * (n // 8),
    "comments of kramdown": lambda n: "{::comment}" * (n // 8),
    "comments of CriticMarkup": lambda n: "{>>" * (n // 3),
    "comments of EJS": lambda n: "<%#" * (n // 3),
    "comments of Obsidian": lambda n: "%% " * (n // 3) + "a",
    "lines of Obsidian": lambda n: "%%\n" * (n // 3) + "a",
    "comments of MyST": lambda n: "% a\n" * (n // 4),
    "comments of Docusaurus": lambda n: "{/*" * (n // 3),
    "attributes": lambda n: "{: .hidden}\n\n" * (n // 12),
    "open attributes": lambda n: "{: .hidden " * (n // 8),
    "divisions": lambda n: "::: {.hidden}\n" * (n // 12),
    "targets of wiki links": lambda n: "[[a" * (n // 3),
    "abbreviations": lambda n: "*[" * (n // 2),
    "braces": lambda n: "{" * n,
    "inline math": lambda n: "$\\phantom{$ " * (n // 8),
    "mojibake": lambda n: "â€™" * (n // 3),
    "events": lambda n: "<a onx=" * (n // 8),
    "imports of styles": lambda n: "<style>@import " * (n // 12),
}


def _changes(text: str) -> Iterator[tuple[str, str, str]]:
    lines = text.split("\n")
    yield "added", TEXT, f"{text}\n{TEXT}"
    yield "around", f"one start of it\n\n{TEXT}\n{text}\n\nand an end\n", f"two begin\n\n{TEXT}\n{text}\n\nno close\n"
    yield "lost between", f"{text}{LOST}{text}", f"{text}\n\none\n\n{text}"
    yield "turned", TEXT + text, TEXT + "\n".join(reversed(lines))


class Endless(AssertionError):
    """It took so much work that nobody waits for its end."""


def _give_up(*_: object) -> None:
    raise Endless


def _work(run: Callable[[], object]) -> float:
    old = signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, AT_MOST)
    try:
        began = time.thread_time()
        run()
        return time.thread_time() - began
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)


def _grows_with_its_size(make: Callable[[int], Callable[[], object]], n: int) -> None:
    run = make(4 * n)
    large = _work(run)
    if large <= SLACK:  # as nearly all: what a smaller text takes decides nothing then
        return
    told = ""
    for _ in range(4):  # what is compiled and imported at first use is in the first; another process may have the cache
        small = _work(make(n))
        if large <= MOST * small + SLACK:
            return
        told = f"{n}: {small:.3f} s, {4 * n}: {large:.3f} s"
        large = _work(make(4 * n))
    raise AssertionError(told)


@pytest.mark.parametrize("name", INPUTS)
def test_a_verdict_takes_work_that_grows_with_the_text(name: str) -> None:
    for number in range(4):

        def judged(n: int, number: int = number) -> Callable[[], object]:
            _, old, new = list(_changes(INPUTS[name](n)))[number]
            facts = example(name, old, new, fires=True).facts
            return lambda: decide(facts)

        _grows_with_its_size(judged, 3000)


ADOC = {
    "image macros": "image::a",
    "link images": "[[a",
    "options": "\\includegraphics[",
    "sections": "\\section[",
    "tables": "|===\n",
    "underlines": "===\n",
    "listings": "----\na\n",
    "conditions": "ifdef::[",
    "blanks": "    ",
    "comments of Liquid": "{% comment %}",
    "comment signs": "/*",
    "dashes": "-- ",
    "percent signs": "%%\n",
    "passes": "pass:[",
    "pluses": "+++a",
    "terms": "(((",
    "roles of AsciiDoc": "[.hidden",
    "attributes": ":x: a \\\n",
    "links": "<<a",
    "raw roles": ".. role:: a(raw)\n\n:a:`b` :a:",
    "fields": ":a: b\n",
    "snippets": "@@a:",
    "notes": "[fn:1] a [fn:2]\n\n",
    "targets": "<<a<",
    "macros of Org": "{{{a",
    "hidden": "#hide[",
    "functions": "#text(white)[a](",
    "values": "#let a(",
    "raw text": "``` `",
    "strings": '#a("',
    "conditions of TeX": "\\ifnum0=1 ",
    "new names": "\\newcommand{\\x}[1]{}\\x",
    "names defined": "\\def\\a#1{",
    "messages": "\\typeout{",
    "titles": "\\title{a}",
    "sizes": "\\fontsize{0pt}",
    "environments": "\\excludecomment{a}\\begin{a}",
    "white": "\\textcolor{white}{",
    "truths": "\\newif\\ifa\\atrue",
    "underlined": "a\n===\n",
    "table rows": "|a|b|\n|-|-|\n",
    "modules": "export const a = {\n\n",
    "modules of text": "import a `",
    "expressions": "{`",
    "values of attributes": "<a b={",
}


OWN = {
    ("what passes", "rst"): ".. raw:: html\n\n   <!--\n++++\n<a\n#+HTML: <b>\n",
    ("what passes", "adoc"): ".. raw:: html\n\n   <!--\n++++\n<a\n#+HTML: <b>\n",
    ("what passes", "org"): ".. raw:: html\n\n   <!--\n++++\n<a\n#+HTML: <b>\n",
    ("blocks that pass", "adoc"): "#+begin_export html\n[pass]\n--\n",
    ("blocks that pass", "org"): "#+begin_export html\n[pass]\n--\n",
    ("code in lines", "org"): "src_a[:abbr:`a (",
    ("code in lines", "rst"): "src_a[:abbr:`a (",
    ("what MDX puts in", "mdx"): "<style>{`a dangerouslySetInnerHTML={",
    ("tags in two", "adoc"): "++++\n<a\n++++\n\n++++\nb='>\n++++\n\n:x: pass:[",
    ("environments of TeX", "tex"): "\\newenvironment{a}[\\NewEnviron{a}\\pdfliteral{3 Tr\\pagecolor[",
    ("hidden sections", "adoc"): "[.hidden]\n== a\n",
    ("hidden roles", "rst"): ".. role:: hidden\n\n:hidden:`a` :hidden:`",
    ("attributes of Org", "org"): "#+ATTR_HTML: :hidden t\n#+begin_hidden\n",
    ("layouts", "mdx"): "export default (p:(",
    ("registers", "tex"): "\\savebox{\\b}(1\\toks0={\\csname a\\catcode`",
    ("sheets", "tex"): "\\setlength{\\textwidth\\everypar{\\enddocument{",
    ("values in code", "typ"): "#{ let x = (a",
    ("first arguments", "typ"): "#text(white, [",
    ("hidden classes", "rst"): ".. class:: hidden\n\na\n\n",
}
"""The same for one format each."""


@pytest.mark.parametrize(
    ("name", "suffix"), [*itertools.product(ADOC, ("adoc", "rst", "tex", "typ", "org", "mdx")), *OWN]
)
def test_so_it_does_in_other_formats(name: str, suffix: str) -> None:
    opener = ADOC.get(name) or OWN[name, suffix]

    def judged(n: int) -> Callable[[], object]:
        text = opener * min(n // 4, 2 * n // len(opener))  # of long ones fewer: they are slow enough to be told apart
        old, new = f"one\n\n{text}\n\ntwo\n", f"One.\n\n{text}\n\nTwo.\n"
        facts = example(name, old, new, fires=True, path=f"a.{suffix}").facts
        return lambda: decide(facts)

    _grows_with_its_size(judged, 5000)


def test_a_commit_of_alternating_lines_takes_work_that_grows_with_them() -> None:
    rules = Protection(("md",))

    def judged(n: int) -> Callable[[], object]:
        old = "# A\n\n" + "x y z\nb c d\n" * n + "# B\n"
        new = "# A\n\n" + "b c d\nx y z\n" * (n - 7)
        file = File("a.md", "modified", old.encode(), new.encode())
        return lambda: judge_files([file], Limits(), rules)

    _grows_with_its_size(judged, 600)


# -- what makes it so ----------------------------------------------------------------------------------------


def test_a_line_is_squeezed_and_says_the_same() -> None:
    assert squeeze("  [   ....... \t rest \u3000\u3000 unchanged ...... ]  ") == "[ ... rest unchanged ... ]"
    assert squeeze("<<<<<<< a--b %%%%") == "<<< a--b %%%"


def test_keys_are_read_line_by_line() -> None:
    text = 'title: Night\n"a b" = 1\n  nested: x\n# no: key\n-x: 1\nempty:\nno key\nurl: http://x\n'
    assert front_keys(text) == {"title", "a b", "empty", "url"}
    assert named_keys("tags") == {"tags"}


def test_lines_that_went_are_found_and_no_others() -> None:
    old = ["a", "b", "c", "d", "e", "f"]
    assert changed_lines(old, old) == []
    assert changed_lines(old, ["a", "c", "d", "X", "f", "g"]) == [(1, 2, 1, 1), (4, 5, 3, 4), (6, 6, 5, 6)]
    assert changed_lines([], ["a"]) == [(0, 0, 0, 1)]
    assert changed_lines(["a", "b"], []) == [(0, 2, 0, 0)]


@pytest.mark.parametrize("alike", [False, True])
def test_very_long_texts_are_compared_line_by_line_too(alike: bool) -> None:
    """More lines than are compared exactly: the stretches still make the new text of the old one."""
    count = int(EXACT_LIMIT**0.5) + 2000
    old = [f"line {i % 50 if alike else i}" for i in range(count)]
    new = ["first", *old[1 : count // 2], "in the middle", *old[count // 2 + 3 : -1], "last"]
    made: list[str] = []
    at = 0
    gone = 0
    for start, end, new_start, new_end in changed_lines(old, new):
        made += old[at:start] + new[new_start:new_end]
        at = end
        gone += end - start
    assert made + old[at:] == new
    assert gone == 5 or (alike and gone < 200)
