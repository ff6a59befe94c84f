"""MDX less its statements and expressions, which are code and not text. Pure, linear time."""

from __future__ import annotations

from firewall.text.pattern import Pattern

SIGNS = ("{", "}", "*/", "export", "import")
"""One of these is in whatever is found here."""
_STARTS = Pattern(r"(?m)^(?:(?:export|import)\b|[ \t>]*(?P<fence>`{3,}|~{3,})(?!.*`))")
_IN_MODULE = Pattern(
    r"\"(?:[^\"\\\n]|\\.)*\"?"  # strings, then regular expressions
    r"|(?:(?<=[=(,:\[!&|?{};])|(?<=return))[ \t]*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"
    r"|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*(?:`|\Z)|//.*|/\*|[\[({]|[\])}]|\n(?=[ \t\r]*(?:\n|\Z))",
)
_COMMENT = Pattern(r"\{\s*/\*(?s:.)*?(?:\*/\s*\}|\Z)")
_BRACES = Pattern(r"(?m)^[ \t>]*(?P<fence>`{3,}|~{3,}).*$|(?P<code>`[^`\n]*`)|/\*|[{}]")
_STYLE = Pattern(r"<s(?:tyle|cript)\b[^<>]{0,300}>\s*\Z")
_INNER = Pattern(r"__html\s*:\s*([\"'`])")
_BLANKS = Pattern(
    r"(?:\bexport\s+default\s+(?:function\s*\w*\s*)?|\b(?:p|h[1-6]|li|[uo]l|wrapper|table|blockquote|strong|em|a)[\"']?"
    r"\s*:\s*(?:function\s*)?)\([^()\n]{0,200}\)\s*(?:=>\s*)?(?:\{\s*return\s*)?\(?\s*"
    r"(?:null\b|undefined\b|false\b|<>\s*</>|<\w+(?:\s[^<>{}]{0,100})?/>|\"\"|''|\{\s*\})"
)
"""A layout, or what stands for an element, that shows nothing of what it gets."""
_PLAIN_VALUE = 300
"""Characters of the longest value of an attribute that may be looked at for what it does to the element."""


def blanks(text: str) -> tuple[str, ...]:
    """The statements of a text of MDX by which paragraphs, headings or all of it come to nothing."""
    if "export" not in text or not _BLANKS.search(text):
        return ()
    from firewall.text.code_spans import Code

    code = Code(text)
    return tuple("{" + found.group() for found in _BLANKS.finditer(text) if not code.has(found.start()))


def without_code(text: str) -> str:
    """A text of MDX (LF line ends) less its module's statements and its expressions."""
    if "export" in text or "import" in text:
        text = _without_module(text)
    return _without_expressions(text) if "{" in text else text


def _without_module(text: str) -> str:
    """Less `import` and `export` statements outside of code: to the next blank line at which all brackets are closed,
    or where none is, to the end, since nothing of it can be built."""
    out: list[str] = []
    start = at = 0
    fence = ""
    while found := _STARTS.made.search(text, at):
        at = found.end()
        if mark := found["fence"]:
            fence = mark if not fence else "" if mark[0] == fence[0] and len(mark) >= len(fence) else fence
        elif not fence:
            out.append(text[start : found.start()])
            start = at = statement_end(text, at)[0]
    out.append(text[start:])
    return "".join(out)


def statement_end(text: str, at: int) -> tuple[int, bool]:
    """Where the statement that `at` is in ends: at the blank line at which all brackets are closed, else with the text;
    and whether they are closed there."""
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
            return found.start(), True
    return len(text), depth <= 0


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
    inner: list[str] = []
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
                before = text[max(0, opened - 320) : opened]
                sheet = value[1:-1].strip(_QUOTES) if "<s" in before and _STYLE.search(before) else ""
                out += [text[start:opened], sheet or "\n" * value.count("\n")]
                start = at
            elif text.endswith("dangerouslySetInnerHTML=", 0, opened):
                out += [text[start:opened], '""']
                start = at
                inner.append(_inner(value, text[max(0, opened - 320) : opened]))
            elif "`" in value or "\n\n" in value or len(value) > _PLAIN_VALUE:
                inside = " ".join(value[1:-1].translate(_UNQUOTED).split())
                out += [text[start:opened], f'"{inside}"']
                start = at
        elif depth and sign == "/*":
            closer = text.find("*/", at)
            at = len(text) if closer < 0 else closer + 2
    return "".join([*out, text[start:], *inner])


def _inner(value: str, before: str) -> str:
    """What of the HTML that an element is given as a value may hide more than is in it: sheets, scripts."""
    found = _INNER.search(value)
    html = value[found.end() :].strip(_QUOTES + "}") if found else ""
    if found and before.rpartition("<")[2].startswith("style"):
        html = f"<style>{html}}}</style>"
    return f"\n\n{html}\n" if any(sign in html for sign in ("<style", "<script", "<link", "<meta")) else ""


_QUOTES = " \t\n`\"'"
_UNQUOTED = str.maketrans("", "", "`\"'{}<>")
