"""Whether a file may take a name under which it is judged in another way. Pure.

What is a comment in one format is text in another: a name may change what a reader sees of the same bytes, and what the
rules see. So the file is judged anew, as what it will be, against every version that counts.
"""

from __future__ import annotations

from firewall.text.diff import compare
from firewall.text.shown import kind, shown
from firewall.text.words import count_words
from firewall.writes.facts import Facts
from firewall.writes.limits import Limits
from firewall.writes.measures import Measures
from firewall.writes.prose import text_of
from firewall.writes.reference import SLACK
from firewall.writes.rules import hidden, survival


def what_hinders(
    old: str, new: str, data: bytes, versions: tuple[bytes | None, bytes | None, bytes | None], limits: Limits
) -> str:
    """Why the file `old` with these bytes may not be named `new`, or ''. `versions` are its mark, high version and
    baseline."""
    was, will = kind(old), kind(new)
    if was == will:
        return ""
    as_what = f"is judged as {_NAMES[was]} and would be judged as {_NAMES[will]} under the name {new}"
    if "notebook" in (was, will):
        return as_what
    seen = shown(old, text_of(old, data))
    change = compare(seen, shown(new, text_of(new, data)))
    words = count_words(seen)
    if change.lost > SLACK * words:
        return f"{as_what}, where {change.lost} of the {words} words that a reader sees would be out of sight"
    mark, high, baseline = versions
    facts = Facts(new, data, data, mark, "", limits, high=high, baseline=baseline)
    measures = Measures(facts)
    found = [*hidden.check(facts, measures), *survival.check(facts, measures)]
    return f"{as_what}, by whose rules it has lost text: {found[0].message}" if found else ""


_NAMES = {
    "markdown": "Markdown",
    "mdx": "MDX",
    "notebook": "a notebook",
    "tex": "TeX",
    "rst": "reStructuredText",
    "adoc": "AsciiDoc",
    "typ": "Typst",
    "org": "Org",
    "html": "HTML",
    "plain": "plain text",
}
