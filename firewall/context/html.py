"""What HTML takes out of a text: real tags, the bodies that nobody reads, and elements that nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from firewall.context.css import Sheet
from firewall.context.elements import BODY_GOES, CLOSES, UNSEEN, VOID
from firewall.context.hidden import SVG_STYLED, WHITE, Colour, look
from firewall.context.limits import MAX_DEPTH, TooMuch
from firewall.context.media import OTHERS
from firewall.context.spans import gone
from firewall.context.tags import Tag, real_attributes, tag_message, tokenize
from firewall.context.tree import places
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome

_STYLED = frozenset(("style", "hidden", "popover", "aria-hidden", "color", "bgcolor", "text"))
_FAINT_CLASSES = ("hidden", "d-none", "invisible", "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text")


class Found(NamedTuple):
    """`removals` go. `faint` are stretches that some readers do not see; a person decides on them.

    `inside` are the stretches between a tag and the one that closes it, for `<details>` only if nothing
    else is around it.
    """

    removals: list[Finding]
    faint: list[Finding]
    inside: list[tuple[int, int]]


class _Open(NamedTuple):
    """An element that is open: where it began, why it is not seen, how many removals there were."""

    name: str
    start: int
    content: int
    hidden: str
    faint: str
    ground: Colour
    before: int
    marks: tuple[str, ...] = ()


def find(masked: str, raw: str) -> Found:
    """What goes out of `masked`, the text `raw` with its code masked. Raises TooMuch."""
    found = Found([], [], [])
    if "<" not in masked:
        return found
    tags, tail = tokenize(masked)
    walk = _Walk(found, masked, raw, tags)
    at = 0
    while at < len(tags):
        tag = tags[at]
        at += 1
        if tag.kind == "comment":
            found.removals.append(gone(tag.start, tag.end, "html-comment", "An HTML comment was removed."))
        elif tag.kind == "cdata":
            found.removals.append(gone(tag.start, tag.end, "html-tag", "A CDATA mark was removed; its text stays."))
        elif tag.kind == "open" and tag.name in BODY_GOES:
            at, end = _body(tags, at, tag.name, len(masked))
            message = f"A <{tag.name}> element was removed with what it holds."
            found.removals.append(gone(tag.start, end, "html-body", message))
        else:
            walk.step(tag)
    if tail >= 0:
        message = "A tag that nothing closes was removed from the end."
        found.removals.append(gone(tail, len(masked), "html-tag", message))
    walk.finish()
    return found


def _body(tags: Sequence[Tag], at: int, name: str, length: int) -> tuple[int, int]:
    """The index behind the tag that closes `name`, opened just before `at`, and where that tag ends."""
    depth = 1
    while at < len(tags):
        tag = tags[at]
        at += 1
        if tag.name == name:
            depth += 1 if tag.kind == "open" else -1
            if not depth:
                return at, tag.end
    return at, length


def _css(tags: Sequence[Tag], masked: str) -> str:
    """The page's own style sheets in one."""
    css = "\n".join(
        masked[tag.end : following.start]
        for tag, following in pairwise(tag for tag in tags if tag.kind != "cdata")
        if tag.name == "style" and tag.kind == "open"
    )
    if ":checked" in css and not any(key == "checked" for tag in tags for key, _ in tag.attrs):
        css = css.replace(":checked", ":hover")  # nothing is, until the reader does something
    return css


class _Walk:
    """Keeps which elements are open while the tags go by, as a browser would (in the few rules that matter)."""

    def __init__(self, found: Found, masked: str, raw: str, tags: Sequence[Tag]) -> None:
        self.found = found
        self.masked = masked
        self.raw = raw
        css = _css(tags, masked)
        self.sheet = Sheet(css)
        self.others = [Sheet(css, screening) for screening in OTHERS] if "@media" in css.lower() else []
        self.stack: list[_Open] = []
        self.counts: dict[str, int] = {}  # open elements by name, and where a sheet may ask by class and id
        for one in (self.sheet, *self.others):
            one.around = self.counts
        sheets = (self.sheet, *self.others)
        self.places = places(tags) if any(one.placed for one in sheets) else {}
        if self.sheet.rules:
            self._imply(tags)

    def _imply(self, tags: Sequence[Tag]) -> None:
        """Open what a browser puts around a page that says nothing of it, if a style sheet does."""
        written = {tag.name for tag in tags if tag.kind == "open"}
        for name in ("html", "body"):
            if name not in written and any(tag == name for tag, _, _ in self.sheet.rules):
                self._push(Tag("open", name, 0, 0))

    def step(self, tag: Tag) -> None:
        """Take one tag that is no comment and has a body that stays."""
        name = tag.name
        if tag.kind == "open":
            closes = CLOSES.get(name)
            while closes and self.stack and self.stack[-1].name in closes:
                self._pop(tag.start, tag.start, matched=False)
            self.found.removals.append(gone(tag.start, tag.end, "html-tag", tag_message(name)))
            if name not in VOID:
                self._push(tag)
            return
        self.found.removals.append(gone(tag.start, tag.end, "html-tag", tag_message(name)))
        if self.counts.get(name):
            while self.stack[-1].name != name:
                self._pop(tag.start, tag.start, matched=False)
            self._pop(tag.start, tag.end, matched=True)

    def finish(self) -> None:
        """The end of the text closes whatever is open."""
        end = len(self.masked)
        while self.stack:
            self._pop(end, end, matched=False)

    def _push(self, tag: Tag) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise TooMuch("depth", f"HTML is nested deeper than {MAX_DEPTH} elements.", MAX_DEPTH)
        ground = self.stack[-1].ground if self.stack else WHITE
        hidden = faint = ""
        place = self.places.get(tag.start)
        if tag.name in UNSEEN or (tag.attrs and self._matters(tag)):
            attrs = real_attributes(tag, self.raw)
            hidden, faint, ground = look(tag.name, attrs, ground, self.sheet, place)
        elif self.sheet.by_name:
            hidden, faint, ground = look(tag.name, (), ground, self.sheet, place)
        for other in self.others if hidden else ():
            elsewhere = look(tag.name, real_attributes(tag, self.raw), ground, other, place)
            if not elsewhere.hidden:  # some readers see it, and so it stays
                hidden, faint, ground = elsewhere
                break
        before = max(len(self.found.removals) - 1, 0)
        marks = self._marks(tag) if self.sheet.rules else ()
        if place is not None:
            marks += self.sheet.stand(place)
        self.stack.append(_Open(tag.name, tag.start, tag.end, hidden, faint, ground, before, marks))
        for name in (tag.name, *marks):
            self.counts[name] = self.counts.get(name, 0) + 1

    def _marks(self, tag: Tag) -> tuple[str, ...]:
        """The classes and the id of a tag, as a style sheet asks for them."""
        given = real_attributes(tag, self.raw)
        classes = [f".{name}" for key, value in given if key == "class" for name in value.lower().split()]
        return (*classes, *(f"#{value.lower()}" for key, value in given if key == "id"))

    def _matters(self, tag: Tag) -> bool:
        for key, value in tag.attrs:
            if key in _STYLED or key in SVG_STYLED or key in ("x", "y", "dx", "dy"):
                return True
            if tag.name == "svg" and key in ("width", "height"):
                return True
            if key in self.sheet.attributes or (key == "id" and self.sheet.rules):
                return True
            if key == "class" and (self.sheet.rules or any(c in value for c in _FAINT_CLASSES)):
                return True
        return False

    def _signs(self, start: int, end: int) -> bool:
        """Are there no words between? The brackets of a `<rp>` are written for who sees no small type above."""
        return not any(map(str.isalnum, self.masked[start:end]))

    def _pop(self, content_end: int, end: int, *, matched: bool) -> None:
        element = self.stack.pop()
        for name in (element.name, *element.marks):
            self.counts[name] -= 1
        if element.hidden and not (element.name == "rp" and self._signs(element.content, content_end)):
            del self.found.removals[element.before :]
            message = f"Text that no reader sees was removed: <{element.name}>, {element.hidden}."
            evidence = {"how": element.hidden, "element": element.name}
            self.found.removals.append(gone(element.start, end, "html-hidden", message, evidence))
        elif element.faint and content_end > element.content:
            message = f"Text that some readers do not see was kept: <{element.name}>, {element.faint}."
            evidence = {"how": element.faint, "element": element.name}
            self.found.faint.append(
                Finding("html-faint", Outcome.ALLOW, message, evidence, element.content, content_end)
            )
        if matched and element.name not in ("details", "summary"):
            self.found.inside.append((element.content, content_end))
