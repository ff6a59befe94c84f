"""Which elements are open at a place, by the rules of HTML's tree construction (WHATWG, sections 13.2.4 and 13.2.6).

An end tag that is written in the wrong place often closes nothing: a `</span>` behind a `<div>` within it is ignored,
and what is hidden stays hidden. The rules for quirks, forms and templates are left out. Each question takes the time
of a few look-ups, however deep the page is nested.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """An open element."""

    @property
    def name(self) -> str:
        """Of the element, in lower case."""


Entry = TypeVar("Entry", bound=Named)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FORMATTING = _words("a b big code em font i nobr s small strike strong tt u")
"""Elements that go on behind the end of the block that they stand in, until their own end tag."""
MARKERS = _words("applet marquee object template td th caption")
"""Elements whose end also ends the formatting that began in them."""
_INTEGRATION = _words("mi mo mn ms mtext annotation-xml foreignobject desc")
_SCOPE = _words("applet caption html table td th marquee object template") | _INTEGRATION
_HEADINGS = _words("h1 h2 h3 h4 h5 h6")
_SPECIAL = _INTEGRATION | _HEADINGS | _words(
    "address applet article aside blockquote body button caption center colgroup dd details dir div dl dt fieldset "
    "figcaption figure footer form frameset head header hgroup html iframe li listing main marquee menu nav noembed "
    "noframes noscript object ol p plaintext pre script search section select style summary table tbody td template "
    "textarea tfoot th thead title tr ul xmp"
)  # fmt: skip
_LOOSE = _words("address div p")  # a list item looks through these for the one before it
_BARRIERS: dict[str, frozenset[str]] = {
    "special": _SPECIAL,
    "scope": _SCOPE,
    "button": _SCOPE | {"button"},
    "list": _SCOPE | {"ol", "ul"},
    "table": _words("html table template"),
    "li": _SPECIAL - _LOOSE - {"li"},
    "dd": _SPECIAL - _LOOSE - {"dd", "dt"},
    "foreign": _INTEGRATION,
    "marker": MARKERS,
}
_STOPS = {
    name: tuple(kind for kind, names in _BARRIERS.items() if name in names)
    for name in frozenset().union(*_BARRIERS.values())
}

_CLOSE_P = _words(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp li dd dt"
)
_ROWS = ("td", "th", "tr", "tbody", "thead", "tfoot", "caption", "colgroup")
_INNERMOST: dict[str, frozenset[str]] = {
    **dict.fromkeys(_HEADINGS, _HEADINGS),
    "option": _words("option"),
    "optgroup": _words("option optgroup"),
    **dict.fromkeys(("rt", "rp", "rb", "rtc"), _words("rt rp rb")),
}
_TABLED: dict[str, tuple[str, ...]] = {
    "td": _ROWS[:2], "th": _ROWS[:2], "tr": _ROWS[:3],
    **dict.fromkeys(_ROWS[3:], _ROWS),
}  # fmt: skip
_BREAK_OUT = _words(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)  # of HTML, which end an `<svg>` that they stand in
_SCOPED = {
    **dict.fromkeys(_SPECIAL - {"template", "body", "html", "head", "p", "li", "title"}, "scope"),
    **dict.fromkeys((*_ROWS, "table"), "table"),
    "p": "button", "li": "list", "dialog": "scope",
}  # fmt: skip
"""How far an end tag looks for its element; of every other the next special element stops it."""


_BEGINS = _BREAK_OUT | _CLOSE_P | _TABLED.keys() | _INNERMOST.keys() | {"button"}


class Stack(Generic[Entry]):
    """The open elements. What is taken out of the middle leaves a None, so that no place changes."""

    def __init__(self) -> None:
        self.entries: list[Entry | None] = []
        self._at: defaultdict[str, list[int]] = defaultdict(list)
        self._stops: defaultdict[str, list[int]] = defaultdict(list)

    def push(self, entry: Entry) -> None:
        """Open an element."""
        at = len(self.entries)
        self.entries.append(entry)
        self._at[entry.name].append(at)
        for kind in _STOPS.get(entry.name, ()):
            self._stops[kind].append(at)

    def top(self) -> Entry | None:
        """The innermost open element."""
        while self.entries and self.entries[-1] is None:
            self.entries.pop()
        return self.entries[-1] if self.entries else None

    def take(self, at: int) -> Entry | None:
        """Close the element at `at`, which is the innermost of its name."""
        entry = self.entries[at]
        self.entries[at] = None
        if entry is not None:
            self._at[entry.name].pop()
            for kind in _STOPS.get(entry.name, ()):
                self._stops[kind].pop()
        return entry

    def count(self, name: str) -> int:
        """Open elements of a name."""
        return len(self._at[name])

    def is_foreign(self) -> bool:
        """Is the innermost element one of an SVG picture or a formula?"""
        svg, math = self._at["svg"], self._at["math"]
        return bool(svg or math) and max([*svg[-1:], *math[-1:]]) > self._last("foreign")

    def _last(self, kind: str) -> int:
        return self._stops[kind][-1] if self._stops[kind] else -1

    def _within(self, names: tuple[str, ...], kind: str) -> list[int]:
        """Where the innermost of each of `names` is open, as far as nothing of `kind` stands before it."""
        stop = self._last(kind)
        return [self._at[name][-1] for name in names if self._at[name] and self._at[name][-1] >= stop]

    def begun(self, name: str) -> int:
        """From where on the elements are that a start tag closes; as many as there are: none."""
        none = len(self.entries)
        if name not in _BEGINS:
            return none
        if name in _BREAK_OUT and self.is_foreign():
            stop = self._last("foreign")
            outer = [self._at[one][bisect_right(self._at[one], stop) :][:1] for one in ("svg", "math")]
            return min(at for found in outer for at in found)
        found: list[int] = []
        if name in _TABLED:
            found = self._within(_TABLED[name], "table")
        elif name == "li":
            found = self._within(("li",), "li")
        elif name in ("dd", "dt"):
            found = self._within(("dd", "dt"), "dd")[:2]
        elif name == "button":
            found = self._within(("button",), "scope")
        if name in _CLOSE_P:
            found += self._within(("p",), "button")
        least = min(found, default=none)
        inner = self.top()
        if least == none and inner is not None and inner.name in _INNERMOST.get(name, ()):
            return len(self.entries) - 1
        return least

    def ended(self, name: str) -> int:
        """Where the element is that an end tag closes, or -1: the tag is ignored."""
        names = tuple(_HEADINGS) if name in _HEADINGS else (name,)
        kind = "scope" if name in FORMATTING else _SCOPED.get(name, "special")
        return max(self._within(names, kind), default=-1)

    def block_above(self, at: int) -> int:
        """Where the first special element within the one at `at` is open, or -1."""
        specials = self._stops["special"]
        behind = bisect_right(specials, at)
        return specials[behind] if behind < len(specials) else -1

    def link(self) -> int:
        """Where an `<a>` is open that another one would close, or -1."""
        links, stop = self._at["a"], self._last("marker")
        return links[-1] if links and links[-1] > stop else -1
