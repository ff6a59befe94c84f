"""What Typst sets of its source: markup and the content given to functions that show it. Pure, linear time.

Values, arguments, conditions, loops and code are no text; nor is what is hidden, has no size or the paper's colour.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern
from firewall.values import NamedTuple

_TOKEN = Pattern(
    r"\\.|(?<!:)//.*|/\*|`+|#(?P<name>[A-Za-z_][\w.-]*)|#(?=[({\[])|(?P<gone>\b(?:hide|metadata|state)\b)(?=[(\[])"
    r"|[\[\](){}]|\"|\n"
)
_STATEMENTS = frozenset("let set show import include if for while context return break continue".split())
_GONE = frozenset("hide metadata state counter label bibliography pagebreak".split())
_NOTHING = Pattern(
    r"#let[ \t]+([\w-]+)[ \t]*\([^()\n]*\)[ \t]*=[ \t]*(?:none\b|\[\s*\]|\{\s*(?:none\s*)?\}|\"\"|hide\b)"
)
_FAINT = Pattern(
    r"(?i)size:[ \t]*0*(?:\.\d+|0(?:\.\d+)?)(?:pt|em|cm|mm)|\bwhite\b"
    r"|luma\([ \t]*255|rgb\([ \t]*\"#?(?:f{3,8}|[0-9a-f]{3}0|[0-9a-f]{6}00)\"|transparent(?!ize)|transparentize\(100%"
    r"|rgb\([ \t]*(?:255,[ \t]*255,[ \t]*255\b|(?:\d{1,3}%?,[ \t]*){3}0%?[ \t]*\))"
    r"|(?:height|width|\b[xy]|factor):[ \t]*0(?:pt|em|cm|mm|%)|^\(?[ \t]*0%|text\([ \t]*0?(?:\.\d+)?(?:pt|em|mm|cm)"
    r"|\bd[xy]:[ \t]*-?(?:\d{4,8}(?:\.\d+)?(?:pt|mm|cm|in|em|%)|(?:[5-9]\d|\d{3})(?:\.\d+)?(?:cm|in))"
)
"""No size, the colour of the paper, or a place beyond it."""
_TINY_PAGE = r"\b(?:width|height):[ \t]*(?:[01]|[01]?\.\d+)(?:pt|mm)"
_SMALL = Pattern(_TINY_PAGE)
_DARK = Pattern(rf"\bfill:[ \t]*(?:black\b|luma\([ \t]*\d\b|rgb\([ \t]*\"#?0{{3,6}}\")|{_TINY_PAGE}")
_COLOURED = Pattern(r"#(?:set|show:?)[ \t]+text\([^()\n]{0,200}fill:|text\.with\([^()\n]{0,200}fill:")
_GIVEN = Pattern(r"#show:[ \t]*(?:text|scale|place|move|box|block|rect|rotate)\.with\(")
"""A function that gets all that comes."""
_VALUE = Pattern(r"(?:^|[\s;{(])(?:let[ \t]+)?[\w.-]+[ \t]*(?:\([^()\n]*\))?[ \t]*\+?=[ \t]*\Z")
"""Where a name is given what comes next."""
_BLANKS = Pattern(
    r":[ \t]*(?:none\b|hide\b|\[\s*\]|\"\"|\w+[ \t]*=>[ \t]*(?:none\b|\[\s*\]|\"\"|hide\b|\{\s*(?:none\s*)?\}))"
)
_COMMENT = Pattern(r"/\*|\*/")
_NEVER = Pattern(r"#if[ \t]+false\b")
_STRING = Pattern(r"(?s)(?:[^\"\\]|\\.)*\"?")
_CLOSERS = {"[": "]", "(": ")", "{": "}"}


class _Frame(NamedTuple):
    """What is open: its closer, whether it is markup, whether its markup is seen, and where it begins. `gone`: what the
    function gets is not seen."""

    closer: str
    markup: bool
    seen: bool
    start: int
    gone: bool = False


def typst(text: str) -> str:
    """The markup of `text` (LF line ends) that is set."""
    return _read(text, [])


def without_comments(text: str) -> str:
    """`text` (LF line ends) less comments and what is given to functions and conditions that never show it, each line
    the same line still."""
    gone: list[tuple[int, int]] = []
    _read(text, gone)
    out: list[str] = []
    at = 0
    for start, end in sorted(gone):
        if end > at:
            start = max(at, start)
            out += [text[at:start], "\n" * text.count("\n", start, end)]
            at = end
    return "".join([*out, text[at:]])


def _read(text: str, passed_over: list[tuple[int, int]]) -> str:
    """The markup that is set; where what is `passed_over` stands is noted there."""
    if not any(sign in text for sign in ("#", "//", "/*")):
        return text
    coloured = "#set page" in text and _COLOURED.search(text) is not None
    gone_names = _GONE.union(_NOTHING.findall(text)) if "#let" in text else _GONE
    out: list[str] = []
    stack = [_Frame("", markup=True, seen=True, start=0)]
    at = start = 0

    def emit(end: int) -> None:
        if stack[-1].markup and stack[-1].seen:
            out.append(text[start:end])

    while found := _TOKEN.made.search(text, at):
        sign, at, top = found.group(), found.end(), stack[-1]
        if sign[0] == "\\":
            continue
        if sign == "/*":
            emit(found.start())
            start = at = _comment_end(text, at)
            passed_over.append((found.start(), at))
        elif sign.startswith("//"):
            emit(found.start())
            start = at
            passed_over.append(found.span())
        elif sign[0] == "`":
            closer = text.find(sign, at) if len(sign) != 2 else at
            at = len(text) if closer < 0 else closer + len(sign)
            if closer < 0:
                break
        elif sign[0] == "#" and top.markup:
            emit(found.start())
            start = at
            name = found["name"] or ""
            if name in _STATEMENTS:
                stack.append(_Frame("\n", markup=False, seen=False, start=found.start()))
                if name == "return" and len(stack) == 2:  # nothing of a file is set behind it
                    stack[0] = stack[0]._replace(seen=False)
            else:
                at = start = _opened(text, at, stack, gone=name.split(".")[0] in gone_names)
        elif found["gone"] and not top.markup:
            at = start = _opened(text, at, stack, gone=True)
        elif sign == '"':
            if not top.markup:
                string = _STRING.made.match(text, at)
                at = string.end() if string else at
        elif sign == "\n":
            if top.closer == "\n":
                statement = text[top.start : found.start()]
                stack.pop()
                if _NEVER.match(statement) and "else" not in statement:
                    passed_over.append((top.start, found.start()))
                start = found.start()
                if _hides_rest(statement, coloured=coloured):
                    stack[-1] = stack[-1]._replace(seen=False)
        elif sign in "[({":
            if sign == "[" or not top.markup:
                emit(at)
                start = at
                seen = top.seen and (sign != "[" or top.markup or not _is_kept(text, top.start, found.start()))
                stack.append(_Frame(_CLOSERS[sign], sign == "[", seen, found.start(), top.gone))
        elif sign == top.closer:
            emit(found.start())
            stack.pop()
            start = at
            if top.gone and not stack[-1].gone:
                passed_over.append((top.start, at))
            called = stack[-1].markup and (not top.markup or text[top.start - 1 : top.start] not in (" ", "\n", ""))
            if called and text[at : at + 1] in ("[", "("):
                gone = top.gone or (sign == ")" and _FAINT.search(text[top.start : at]) is not None)
                at = start = _opened(text, at, stack, gone=gone)
            elif text[at : at + 1].isalnum():
                out.append(" ")
    emit(len(text))
    return "".join(out)


def _comment_end(text: str, at: int) -> int:
    """Behind the comment that is open here: comments nest."""
    depth = 1
    for found in _COMMENT.finditer(text, at):
        depth += 1 if found.group() == "/*" else -1
        if not depth:
            return found.end()
    return len(text)


def _opened(text: str, at: int, stack: list[_Frame], *, gone: bool) -> int:
    """Open what a function is given, where anything is; where to go on."""
    sign = text[at : at + 1]
    if sign not in ("[", "(", "{"):
        return at
    seen = stack[-1].seen and not gone
    stack.append(_Frame(_CLOSERS[sign], sign == "[", seen, at, gone))
    return at + 1


def _is_kept(text: str, start: int, at: int) -> bool:
    """Is the content that begins `at`, in code that begins at `start`, the value of a name, or the first thing given to
    a function that hides it?"""
    before = text[max(start, at - 200) : at]
    if text[start] == "(" and start >= at - 200 and not any(sign in before for sign in "[]"):
        return _FAINT.search(before) is not None
    return before.endswith(("= ", "=", "\t")) and _VALUE.search(before) is not None


def _hides_rest(statement: str, *, coloured: bool) -> bool:
    """Does this rule or setting hide the text behind it? `coloured`: letters get a colour somewhere."""
    if statement.startswith("#set page"):
        return (_SMALL if coloured else _DARK).search(statement) is not None
    given = _GIVEN.match(statement)
    if given:
        return _FAINT.search(statement[given.end() :]) is not None
    if statement.startswith("#show"):
        return _BLANKS.search(statement) is not None
    return statement.startswith("#set text") and _FAINT.search(statement) is not None
