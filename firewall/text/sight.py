"""What HTML in a text takes out of a reader's sight: comments, elements that are not painted, styles. Pure.

Fed with the pieces of HTML as they stand between the prose of a Markdown text, since an element, a comment or a
tag that is open hides the prose behind it too. Where a browser would repair broken markup, the text counts as hidden.
"""

from __future__ import annotations

import re
from collections import Counter

from firewall.text.pattern import Pattern

_TOKEN = Pattern(
    r"(?P<comment><!--(?:>|->|(?s:.)*?(?:--!?>|(?P<open>\Z))))"
    r"|<[!?][^>]*+(?:>|(?P<bogus>\Z))"
    r"|<(?P<end>/?)(?P<name>[A-Za-z][^\s/>]*+)(?P<attrs>(?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+)(?:>|(?P<cut>(?s:.)*\Z))"
)
_ATTRIBUTE = Pattern(r"([^\s=/>\"']+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|\{[^<>]*?\}+|[^\s>]+))?")
_BODY = Pattern(r"\{([^{}]*)\}")
_CSS_COMMENT = Pattern(r"/\*(?s:.)*?(?:\*/|\Z)")
_CAMEL = Pattern(r"(?<=[a-z])([A-Z])")

_RAW = frozenset("script style textarea title iframe noembed noframes xmp".split())
"""Elements whose content is no markup (WHATWG HTML, 13.2.5)."""
_HOLDS = frozenset("template noscript script textarea title iframe object svg".split())
"""Elements that are named to a person when they are new, whatever they hold."""
_UNSEEN = _HOLDS | frozenset(
    "style datalist select option optgroup noframes noembed canvas video audio head applet meter progress rp embed "
    "frameset annotation annotation-xml mphantom".split()
)
"""Elements whose content is not shown, or only where the element itself cannot be."""
_FIRST_ONLY = frozenset(("semantics", "maction"))
"""Elements of which the first child alone is shown (MathML Core, 5.1 and 5.2)."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time "
    "tt u var wbr img ruby rt rb".split()
)
_CLASSES = frozenset(
    "hidden d-none is-hidden hide invisible sr-only visually-hidden visuallyhidden screen-reader-text".split()
)
"""Names by which well-known style sheets hide what has them."""


_RUN = frozenset("v-if v-else-if v-show v-cloak x-if x-show x-cloak ng-if ng-show ng-hide ng-cloak *ngif".split())
"""Attributes of frameworks: whether the element is there is known when its page runs."""
_IMPORT = Pattern(r"(?i)@import\b[^;{}]{0,200}")
_EVENT = Pattern(r"(?i)(?<![^\s\"'/])on[a-z]{3,30}\s*=")
_ACTS = Pattern(
    r"(?i)innerHTML|outerHTML|textContent|innerText|\.remove\(|replace(?:With|Children)|document\.(?:write|open)|"
    r"display\b|visibility|hidden|location\b"
)
"""What a script calls that takes text from a page."""


_LONGEST_CUT = 500
"""Characters of the longest tag that is put together of several pieces."""


def _unescaped(text: str) -> str:
    """The text that character references stand for. Their table is loaded for the first text that has one."""
    if "&" not in text:
        return text
    from html import unescape

    return unescape(text)


class Sight:
    """The elements that are open at a place of a text. `hides` are the tags, and pieces of style sheets, that hide
    something and are worth a person's look when they are new."""

    def __init__(self, text: str = "", *, jsx: bool = False) -> None:
        self._jsx = jsx
        self._stack: list[tuple[str, bool]] = []
        self._open: Counter[str] = Counter()
        self._had_first: set[int] = set()  # depths of elements of `_FIRST_ONLY` whose first child was there
        self._hiding = 0
        self._inside = ""
        self._cut = ""  # the tag that a piece of HTML ended in
        self._styled = False
        css = _styles(text) if "<" in text and "<style" in text.lower() else ""
        self._rules = _Rules(css) if css else None
        self.hides: list[str] = []

    @property
    def hidden(self) -> bool:
        """Is what follows out of sight?"""
        return bool(self._hiding or self._inside)

    def feed(self, html: str) -> str:
        """Take in a piece of HTML; the text in it that a reader sees, blank lines where a block begins or ends."""
        out: list[str] = []
        at = 0
        if self._inside:
            closer = re.search(r"--!?>" if self._inside == "comment" else ">", html)
            if closer is None:
                self._cut = self._cut and self._cut[:_LONGEST_CUT] + html
                return ""
            if self._cut and len(self._cut) + closer.end() < _LONGEST_CUT:
                html = f"{self._cut}\n{html}"
            else:
                at = closer.end()
            self._inside = self._cut = ""
        while at < len(html):
            top = self._stack[-1][0] if self._stack else ""
            if top in _RAW:
                closer = Pattern(rf"</{top}", re.IGNORECASE).search(html, at)
                if top == "script" and _ACTS.search(html, at, closer.start() if closer else len(html)):
                    self.hides.append("{<script>" + html[at : at + 100])
                if closer is None:
                    break
                at = closer.start()
            found = _TOKEN.made.search(html, at)
            if not self._hiding:
                out.append(_unescaped(html[at : found.start() if found else len(html)]))
            if found is None:
                break
            at = found.end()
            if found["name"] is None:
                if found["open"] is not None or found["bogus"] is not None:
                    self._inside = "comment" if found["open"] is not None else "tag"
                    break
                continue
            if found["cut"] is not None:
                self._inside, self._cut = "tag", html[found.start() : found.start() + _LONGEST_CUT]
                break
            name = found["name"].lower()
            if name not in _INLINE:
                out.append("\n\n" if name != "br" else "\n")
            if found["end"]:
                self._close(name)
            else:
                self._start(name, found["attrs"], found.group())
        return "".join(out)

    def _start(self, name: str, attrs: str, tag: str) -> None:
        hidden, named = self._is_hidden(name, attrs)
        if named:
            self.hides.append(tag)
        elif "=" in attrs:
            self._whole_page(name, attrs, tag)
        if self._stack and self._stack[-1][0] in _FIRST_ONLY:
            depth = len(self._stack)
            hidden = hidden or depth in self._had_first
            self._had_first.add(depth)
        if name in _VOID or ((self._jsx or self._open["math"]) and attrs.endswith("/")):
            return
        if name in _FIRST_ONLY:
            self._had_first.discard(len(self._stack) + 1)
        self._stack.append((name, hidden))
        self._open[name] += 1
        self._hiding += hidden
        if name == "style" and self._rules and self._rules.hides and not self._styled:
            self._styled = True
            self.hides.append(self._rules.hides)

    def _whole_page(self, name: str, attrs: str, tag: str) -> None:
        """Note a tag that can take any part of the page from sight: a style sheet, a refresh, a script of an event."""
        plain = attrs.lower()
        sheet = name == "link" and "stylesheet" in plain
        refresh = name == "meta" and "refresh" in plain
        if sheet or refresh or (_EVENT.search(attrs) and _ACTS.search(attrs)):
            self.hides.append("{" + tag)

    def _close(self, name: str) -> None:
        if not self._open[name]:
            return
        while self._stack:
            top, hidden = self._stack.pop()
            self._open[top] -= 1
            self._hiding -= hidden
            if top == name:
                return

    def _is_hidden(self, name: str, attrs: str) -> tuple[bool, bool]:
        """(is what the element holds out of sight, is that worth a person's look)."""
        if name in _UNSEEN:
            return True, name in _HOLDS
        if not attrs.strip(" \t\n/") and not self._rules:
            return name == "dialog", False
        given: dict[str, str] = {}
        for found in _ATTRIBUTE.finditer(attrs):
            given.setdefault(found[1].lower(), _unescaped((found[2] or "").strip("\"'")))
        if not _RUN.isdisjoint(given):
            return True, True
        if "hidden" in given or given.get("aria-hidden", "").strip("{} \"'").lower() == "true":
            return True, True
        if "style" in given or "color" in given:
            style = given.get("style", "")
            if style.startswith("{"):
                style = _CAMEL.sub(lambda m: "-" + m[1].lower(), style.strip("{} ").replace(",", ";"))
                given["style"] = re.sub(r"[\"']", "", style)
            if _look(name, given):
                return True, True
        if self._rules and self._rules.hide(name, given):
            return True, True
        classes = (given.get("class") or given.get("classname") or "").lower().split()
        unopened = name == "dialog" and "open" not in given
        return unopened or "popover" in given or not _CLASSES.isdisjoint(classes), False


class _Rules:
    """What the style sheets of a text hide, by the last part of their selectors. `hides` is a rule that hides
    something, or ''."""

    def __init__(self, css: str) -> None:
        from firewall.context.css import Sheet

        bodies = _BODY.findall(_CSS_COMMENT.sub("", css))
        self.hides = next((f"{{{body}}}"[:200] for body in bodies if _look("div", {"style": body})), "")
        brought = _IMPORT.search(css)
        self.hides = self.hides or ("{" + brought.group() if brought else "")
        self._by_key: dict[str, set[tuple[str, frozenset[str]]]] = {}
        for tag, names, style in Sheet(css).rules if self.hides else ():
            if _look("div", {"style": ";".join(f"{key}:{value}" for key, value in style.items())}):
                self._by_key.setdefault(min(names) if names else tag, set()).add((tag, names))

    def hide(self, name: str, given: dict[str, str]) -> bool:
        """Is an element of this name and these attributes hidden?"""
        own = {"." + c for c in (given.get("class") or given.get("classname") or "").lower().split()}
        own |= {"#" + given["id"].lower()} if "id" in given else set()
        return any(
            tag in ("", name) and names <= own for key in (*own, name) for tag, names in self._by_key.get(key, ())
        )


def is_hidden_by(given: dict[str, str]) -> bool:
    """Do these attributes (names in lower case) hide the element that has them?"""
    if "hidden" in given or not _CLASSES.isdisjoint(given.get("class", "").lower().split()):
        return True
    return ("style" in given or "color" in given) and _look("div", given)


def _look(name: str, given: dict[str, str]) -> bool:
    # Needed by few texts, and the one place that knows how CSS hides.
    from firewall.context.css import Sheet
    from firewall.context.hidden import WHITE, look

    name = "div" if name == "details" else name
    return bool(look(name, list(given.items()), WHITE, Sheet()).hidden)


def _styles(text: str) -> str:
    """The style sheets of a text, one after the other."""
    lower = text.lower()
    out = []
    at = lower.find("<style")
    while at >= 0:
        start = lower.find(">", at)
        end = lower.find("</style", start)
        if start < 0 or end < 0:
            out.append(text[start + 1 :] if start >= 0 else "")
            break
        out.append(text[start + 1 : end])
        at = lower.find("<style", end)
    return "\n".join(out)
