"""MDX less its statements and expressions, which are code and not text. Pure, linear time."""

from __future__ import annotations

from firewall.text.pattern import Pattern

SIGNS = ("{", "}", "*/", "export", "import")
"""One of these is in whatever is found here."""
_STARTS = Pattern(r"(?m)^(?:export|import)\b")
_IN_MODULE = Pattern(
    r"\"(?:[^\"\\\n]|\\.)*\"?"  # strings, then regular expressions
    r"|(?:(?<=[=(,:\[!&|?{};])|(?<=return))[ \t]*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"
    r"|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*(?:`|\Z)|//.*|/\*|[\[({]|[\])}]|\n(?=[ \t]*(?:\n|\Z))",
)
_COMMENT = Pattern(r"\{\s*/\*(?s:.)*?(?:\*/\s*\}|\Z)")
_BRACES = Pattern(r"(?m)^[ \t>]*(?P<fence>`{3,}|~{3,}).*$|(?P<code>`[^`\n]*`)|/\*|[{}]")
_PLAIN_VALUE = 300
"""Characters of the longest value of an attribute that may be looked at for what it does to the element."""


def without_code(text: str) -> str:
    """A text of MDX (LF line ends) less its module's statements and its expressions."""
    if "export" in text or "import" in text:
        text = _without_module(text)
    return _without_expressions(text) if "{" in text else text


def _without_module(text: str) -> str:
    """Less `import` and `export` statements: to the next blank line at which all brackets are closed, or where none
    is, to the end, since nothing of it can be built."""
    out: list[str] = []
    at = 0
    while found := _STARTS.made.search(text, at):
        out.append(text[at : found.start()])
        at = _statement_end(text, found.end())
    out.append(text[at:])
    return "".join(out)


def _statement_end(text: str, at: int) -> int:
    depth = 0
    while found := _IN_MODULE.made.search(text, at):
        sign = found.group()
        at = found.end()
        if sign == "/*":
            closer = text.find("*/", at)
            at = len(text) if closer < 0 else closer + 2
        elif sign in ("(", "[", "{"):
            depth += 1
        elif sign in (")", "]", "}"):
            depth -= 1
        elif sign == "\n" and depth <= 0:
            return found.start()
    return len(text)


def open_braces(text: str) -> int:
    """How many braces of a text of MDX are never closed, or closed and never opened: with one it cannot be built."""
    if "{" not in text and "}" not in text:
        return 0
    text = _COMMENT.sub("", _without_module(text))
    depth = stray = at = 0
    fence = ""
    while found := (_IN_MODULE if depth else _BRACES).made.search(text, at):
        at = found.end()
        sign = found.group()
        mark = None if depth else found["fence"]
        if mark:
            fence = mark if not fence else "" if mark[0] == fence[0] and len(mark) >= len(fence) else fence
        elif fence or text[found.start() - 1 : found.start()] == "\\":
            continue
        elif sign == "/*" and depth:
            closer = text.find("*/", at)
            at = len(text) if closer < 0 else closer + 2
        elif sign == "{":
            depth += 1
        elif sign == "}":
            stray += not depth
            depth -= depth > 0
    return depth + stray


def _without_expressions(text: str) -> str:
    """A text of MDX less its expressions in braces, line breaks kept; the value of an attribute is kept where it may
    say how the element looks. A brace that is never closed hides nothing."""
    text = _COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)
    out: list[str] = []
    start = depth = opened = 0
    is_value = False
    fence = ""
    at = 0
    while found := _BRACES.made.search(text, at):
        at = found.end()
        mark = found["fence"]
        if mark and not depth:
            if not fence:
                fence = mark
            elif mark[0] == fence[0] and len(mark) >= len(fence):
                fence = ""
            continue
        if fence:
            continue
        sign = found.group()
        before = text[found.start() - 1 : found.start()]
        if sign == "{" and before != "\\":
            if not depth:
                opened, is_value = found.start(), before == "="
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth:
                continue
            value = text[opened:at]
            if not is_value:
                out += [text[start:opened], "\n" * value.count("\n")]
                start = at
            elif "`" in value or "\n\n" in value or len(value) > _PLAIN_VALUE:
                inside = " ".join(value[1:-1].translate(_UNQUOTED).split())
                out += [text[start:opened], f'"{inside}"']
                start = at
        elif depth and sign == "/*":
            closer = text.find("*/", at)
            at = len(text) if closer < 0 else closer + 2
    out.append(text[start:])
    return "".join(out)


_UNQUOTED = str.maketrans("", "", "`\"'{}<>")
