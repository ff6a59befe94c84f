"""What HTML takes out of a text: real tags, the bodies that nobody reads, and elements that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Sequence

from firewall.context.css import Sheet
from firewall.context.elements import BODY_GOES, FOREIGN, KNOWN, UNSEEN, VOID
from firewall.context.hidden import SVG_STYLED, look
from firewall.context.lettering import OWN, PLAIN, Letters, unseen
from firewall.context.limits import MAX_DEPTH, TooMuch
from firewall.context.media import OTHERS, USUAL, in_force
from firewall.context.nesting import FORMATTING, MARKERS, Stack
from firewall.context.spans import gone
from firewall.context.tags import Tag, real_attributes, tag_message, tokenize
from firewall.context.tree import places
from firewall.values import NamedTuple
from firewall.verdict import Finding, Outcome

_STYLED = frozenset(("style", "hidden", "popover", "aria-hidden", "color", "bgcolor", "background", "text"))
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
    """An element that is open: where it began, why it is not seen, how many removals there were.

    `hidden` is by what all that it holds goes, `veil` by what its letters are not seen; `own`: that began with it.
    `silent`: its tags stay where it is seen.
    """

    name: str
    start: int
    content: int
    hidden: str
    veil: str
    faint: str
    letters: Letters
    before: int
    marks: tuple[str, ...] = ()
    silent: bool = False
    own: bool = False


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


def _sheets(tags: Sequence[Tag], masked: str) -> list[str]:
    """The page's own style sheets that are in force: of CSS, for a screen, of the first title, in no template."""
    sheets: list[str] = []
    inert = 0
    title = ""
    checked = any(key == "checked" for tag in tags for key, _ in tag.attrs)
    marked = [tag for tag in tags if tag.kind != "cdata"]
    for index, tag in enumerate(marked):
        if tag.name == "template":
            inert = max(inert + (1 if tag.kind == "open" else -1), 0)
        if tag.name != "style" or tag.kind != "open" or inert:
            continue
        given = {key.lower(): value.strip().lower() for key, value in reversed(tag.attrs)}
        title = title or given.get("title", "")
        if given.get("type", "") not in ("", "text/css") or given.get("title", title) not in ("", title):
            continue
        css = masked[tag.end : marked[index + 1].start if index + 1 < len(marked) else len(masked)]
        media = given.get("media", "")
        if media and not any(in_force(media, one) for one in (USUAL, *OTHERS)):
            continue
        # nothing is checked until the reader does something
        sheets.append(css.replace(":checked", ":hover") if ":checked" in css and not checked else css)
    return sheets


class _Walk:
    """Keeps which elements are open while the tags go by, as a browser would (in the few rules that matter)."""

    def __init__(self, found: Found, masked: str, raw: str, tags: Sequence[Tag]) -> None:
        self.found = found
        self.masked = masked
        self.raw = raw
        css = _sheets(tags, masked) if any(tag.name == "style" for tag in tags) else []
        self.sheet = Sheet(css)
        self.others = [Sheet(css, one) for one in OTHERS] if any("@media" in one.lower() for one in css) else []
        self.stack: Stack[_Open] = Stack()
        self.depth = 0
        self.covered = 0  # open elements that hide all they hold
        self.veils = False  # was there an element whose letters are not seen?
        self.run = -1  # where a stretch of letters begins that nobody sees
        self.run_before = 0
        self.veiled: _Open | None = None  # the element that the stretch began with
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
        name, start = tag.name, tag.start
        if tag.kind == "open":
            if name == "a":
                self._unlink(start)
            least = self.stack.begun(name)
            if least < len(self.stack.entries):
                self._pop_to(least, start, start, matched=False)
            odd = name not in KNOWN and name not in FOREIGN and _ODD(name) is not None
            if not odd:
                self.found.removals.append(gone(start, tag.end, "html-tag", tag_message(name)))
            if name not in VOID:
                self._push(tag, silent=odd)
            return
        at = self.stack.ended(name)
        entry = self.stack.entries[at] if at >= 0 else None
        if entry is None or not entry.silent:
            self.found.removals.append(gone(start, tag.end, "html-tag", tag_message(name)))
        if entry is None:
            return
        if name in ("body", "html"):  # what follows is put into the body all the same
            self.found.inside.append((entry.content, start))
        elif name in FORMATTING and self.stack.block_above(at) >= 0:
            self._take_out(at, start, tag.end)
        else:
            self._pop_to(at, start, tag.end, matched=True)

    def _unlink(self, start: int) -> None:
        """A link within a link ends the one around it."""
        at = self.stack.link()
        if at < 0:
            return
        if self.stack.block_above(at) >= 0:
            self._take_out(at, start, start)
        else:
            self._pop_to(at, start, start, matched=True)

    def finish(self) -> None:
        """The end of the text closes whatever is open."""
        end = len(self.masked)
        while self.stack.top() is not None:
            self._pop(end, end, matched=False)

    def _pop_to(self, at: int, content_end: int, end: int, *, matched: bool) -> None:
        """Close all elements from `at` on; formatting that hides goes on behind them, if it began within no cell."""
        again: list[_Open] = []
        if matched and len(self.stack.entries) == at + 1:
            self._pop(content_end, end, matched=True)
            return
        while len(self.stack.entries) > at:
            entry = self.stack.top()
            if entry is None or len(self.stack.entries) <= at:
                break
            last = len(self.stack.entries) == at + 1
            if entry.name in MARKERS:
                self._close_all(again, content_end)
            if entry.name in FORMATTING and not (last and matched) and self._goes_on(entry):
                self.stack.take(len(self.stack.entries) - 1)
                again.append(entry)
                continue
            self._pop(content_end, end if last else content_end, matched=matched and last)
        for entry in reversed(again):
            self.stack.push(entry)
        self._turn(end)

    def _goes_on(self, entry: _Open) -> bool:
        """Does formatting hide, and are there not three of it already, which are all that a browser takes along?"""
        return entry.own and self.stack.count(entry.name) <= _ALONG

    def _close_all(self, entries: list[_Open], end: int) -> None:
        for entry in entries:
            self._closed(entry, end, end, matched=False)
        entries.clear()

    def _take_out(self, at: int, content_end: int, end: int) -> None:
        """Close formatting that blocks within it are still open of, and what is no formatting between the two."""
        for index in range(self.stack.block_above(at) - 1, at - 1, -1):
            entry = self.stack.entries[index]
            if entry is not None and (index == at or entry.name not in FORMATTING):
                self.stack.take(index)
                self._closed(entry, content_end, end, matched=index == at and end > content_end)
        self._turn(end)

    def _push(self, tag: Tag, *, silent: bool = False) -> None:
        if self.depth >= MAX_DEPTH:
            raise TooMuch("depth", f"HTML is nested deeper than {MAX_DEPTH} elements.", MAX_DEPTH)
        inner = self.stack.top()
        letters = inner.letters if inner else PLAIN
        veil = inner.veil if inner else ""
        name = tag.name
        hidden = faint = ""
        place = self.places.get(tag.start) if self.places else None
        if tag.attrs and letters.paper is not None and name not in ("html", "body") and self._unknown_class(tag):
            letters = letters._replace(paper=None)
            veil = unseen(letters, name) if veil else ""
        if (
            name in UNSEEN
            or self.sheet.by_name
            or (tag.attrs and self._matters(tag))
            or self._own_letters(tag, letters)
        ):
            attrs = real_attributes(tag, self.raw) if tag.attrs else ()
            seen = look(name, attrs, letters, self.sheet, place)
            for other in self.others if seen.hidden else ():
                elsewhere = look(name, attrs, letters, other, place)
                if not elsewhere.hidden:  # some readers see it, and so it stays
                    seen = elsewhere
                    break
            letters, faint = seen.letters, seen.faint
            hidden, veil = (seen.hidden, veil) if seen.whole else ("", seen.hidden)
        if name == "title" and self.counts.get("svg"):
            hidden = "never shown"
        before = max(len(self.found.removals) - (0 if silent else 1), 0)
        marks = self._marks(tag) if self.sheet.rules else ()
        if place is not None:
            marks += self.sheet.stand(place)
        own = bool(hidden or (veil and not (inner and inner.veil)))
        entry = _Open(name, tag.start, tag.end, hidden, veil, faint, letters, before, marks, silent, own)
        if hidden and not self.covered:
            self._end_run(tag.start)
        self.stack.push(entry)
        self.depth += 1
        self.covered += bool(hidden)
        self.veils = self.veils or bool(veil)
        if self.veils:
            self._turn(tag.start, entry)
        for one in (name, *marks):
            self.counts[one] = self.counts.get(one, 0) + 1

    def _unknown_class(self, tag: Tag) -> bool:
        """Has the element a class that no style sheet of the page speaks of, so that another one may?"""
        for key, value in tag.attrs:
            if key == "class" and not all("." + one in self.sheet.named for one in value.lower().split()):
                return True
        return False

    def _own_letters(self, tag: Tag, letters: Letters) -> bool:
        """Does a browser write the element otherwise than what is around it, which is not usual itself?"""
        return letters is not PLAIN and (tag.name in OWN or tag.name == "a" or bool(letters.drawn))

    def _turn(self, at: int, entry: _Open | None = None) -> None:
        """Begin a stretch of letters that nobody sees, or end it, as the innermost element has it from `at` on.

        `entry` is the one that begins there, whose tag goes with the stretch.
        """
        if self.covered or not self.veils:
            return
        inner = entry or self.stack.top()
        veil = inner.veil if inner else ""
        if veil and self.run < 0:
            self.run, self.veiled = at, inner
            self.run_before = entry.before if entry else len(self.found.removals)
        elif not veil and self.run >= 0:
            self._end_run(at)

    def _end_run(self, at: int) -> None:
        """End the stretch of letters that nobody sees, and take it out if there are any."""
        start, by, before = self.run, self.veiled, self.run_before
        self.run = -1
        if start < 0 or by is None:
            return
        removals = self.found.removals
        place, words = start, False
        for removal in removals[before:]:
            words = words or bool(self.masked[place : max(removal.start, place)].strip())
            place = max(place, removal.end)
        if words or self.masked[place:at].strip():
            message = f"Text that no reader sees was removed: <{by.name}>, {by.veil}."
            removals[before:] = [one for one in removals[before:] if one.start < start]
            removals.append(gone(start, at, "html-hidden", message, {"how": by.veil, "element": by.name}))

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
        """Close the innermost element."""
        entry = self.stack.top()
        if entry is not None:
            self.stack.take(len(self.stack.entries) - 1)
            self._closed(entry, content_end, end, matched=matched)
            if self.veils:
                self._turn(end)

    def _closed(self, element: _Open, content_end: int, end: int, *, matched: bool) -> None:
        """Say of an element that is out of the stack what goes with it."""
        self.depth -= 1
        for name in (element.name, *element.marks):
            self.counts[name] -= 1
        self.covered -= bool(element.hidden)
        if element.hidden and not (element.name == "rp" and self._signs(element.content, content_end)):
            removals, before = self.found.removals, element.before
            removals[before:] = [one for one in removals[before:] if one.start < element.start]
            message = f"Text that no reader sees was removed: <{element.name}>, {element.hidden}."
            evidence = {"how": element.hidden, "element": element.name}
            removals.append(gone(element.start, end, "html-hidden", message, evidence))
        elif element.faint and content_end > element.content:
            message = f"Text that some readers do not see was kept: <{element.name}>, {element.faint}."
            evidence = {"how": element.faint, "element": element.name}
            self.found.faint.append(
                Finding("html-faint", Outcome.ALLOW, message, evidence, element.content, content_end)
            )
        if matched and element.name not in ("details", "summary"):
            self.found.inside.append((element.content, content_end))


_ALONG = 3
_ODD = re.compile(r"[a-z][a-z0-9]*(?::[a-z0-9.]+)*").fullmatch
"""The name of an element that HTML does not know, and no page's own either."""
