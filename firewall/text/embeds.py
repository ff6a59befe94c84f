"""Images and code of a text in other forms than Markdown's own: shortcodes, embeds, components, indented blocks. Pure.

A theme's `{{< figure >}}`, Obsidian's `![[lamp.png]]` and a component of MDX show an image as `![](lamp.png)` does, and
code that is indented, or stands in `<pre>`, is code still. An image's folder may change with its form, so images are
told apart by their file names. Linear time.
"""

from __future__ import annotations

from collections import Counter

from firewall.text.formats import is_markdown
from firewall.text.pattern import Pattern

_HTML_COMMENT = Pattern(r"(?s)<!--.*?(?:-->|\Z)")
_FORM = Pattern(
    r"!\[\[(?P<wiki>[^\[\]|#\n]{1,500})[^\[\]\n]{0,500}\]\]"
    r"|\{\{(?!/\*|[<%]/\*)(?P<short>[^{}\n]{1,1000})\}\}"
    r"|\{%(?!-?\s{0,9}(?:set|assign|if|unless|capture|for)\b)(?P<tag>[^{}\n]{1,1000})%\}"
    r"|<(?!(?:a|img|link|meta|source|base|form|script)\b)(?P<element>[A-Za-z][^<>]{1,2000})>"
    r"|(?m:^)[ \t>]{0,20}[`~:]{3,9}[ \t]{0,9}\{(?:image|figure)\}(?P<block>[^\n]{1,500})"
    r"|(?m:^)import[ \t][^\n]{0,300}?from[ \t]{1,9}(?P<module>[^\n]{1,300})"
)
_FILE = Pattern(r"(?i).\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?|ico|pdf|mp4|webm|mov)\Z")
_TOKEN = Pattern(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|[^\s\"'`=<>(){}|,]+")
_SIGNS = ("![[", "{{", "{%", "<", "{image}", "{figure}", "import ")


def embeds(path: str, text: str) -> Counter[str]:
    """How often each image is shown by something else than `![]()` or `<img>`, by its file name in lower case."""
    made: Counter[str] = Counter()
    if not is_markdown(path) or not any(sign in text for sign in _SIGNS):
        return made
    from firewall.text.code_spans import Code  # few texts come here, and every edit would load it

    text = _seen(text)
    found = list(_FORM.finditer(text))
    code = Code(text) if found else None
    for form in found:
        kind = form.lastgroup or ""
        if code and code.has(form.start(kind)) and kind != "block":
            continue
        inside = form[kind].strip()
        names = [inside] if kind == "wiki" else [token.strip("\"'`") for token in _TOKEN.findall(inside)]
        made.update({name for name in map(name_of, names) if _FILE.search(name)})
    return made


def in_all_forms(
    path: str, old: Counter[str], new: Counter[str], old_text: str, new_text: str
) -> tuple[Counter[str], Counter[str]]:
    """The images of both texts as given; by their file names where one shows any in another form."""
    other = embeds(path, old_text), embeds(path, new_text)
    if not any(other):
        return old, new
    named = [Counter(name_of(target) for target in images.elements()) for images in (old, new)]
    return named[0] + other[0], named[1] + other[1]


def name_of(target: str) -> str:
    """The file name of an image's target, by which its forms are one."""
    plain = target.split("?", 1)[0].split("#", 1)[0].rstrip("/")
    return plain.rsplit("/", 1)[-1].replace("%20", " ").lower()


_PRE = Pattern(r"(?i)<pre\b|\{%-?[ \t]{0,9}highlight\b|\{\{[<%][ \t]{0,9}highlight\b")
_OTHER_CODE = {
    "org": Pattern(r"(?m)(?<![^\n])(?:[ \t]*: .*(?:\n|\Z))+"),
    "typ": Pattern(r"#?\braw\("),
    "tex": Pattern(r"\\begin\{(?:alltt|lstlisting|minted|[A-Za-z]*[Vv]erbatim|[a-z]*code)\*?\}"),
    "rst": Pattern(r"(?m)^[ \t]*(?:>>> |\.\. (?:parsed-literal|prompt|highlight)::)"),
}


def code_forms(path: str, text: str) -> int:
    """How many blocks of code a text has in another form than the usual fence of its format."""
    if not is_markdown(path):
        pattern = _OTHER_CODE.get(path.rsplit(".", 1)[-1].lower())
        return sum(1 for _ in pattern.finditer(text)) if pattern else 0
    text = _seen(text)
    return sum(1 for _ in _PRE.finditer(text)) + _indented(text)


def _indented(text: str) -> int:
    from firewall.text.markdown import OPTIONS  # which brings the parser: few edits need it here
    from firewall.text.parser import events

    safe = text.encode("utf-8", "replace").decode()
    return sum(1 for event, _ in events(safe, OPTIONS, spans=False) if event == {"Start": {"CodeBlock": "Indented"}})


def stands(code: str, text: str) -> bool:
    """Do all but a few of these lines of code still stand in the text, however it marks them?"""
    from html import unescape

    lines = Counter(line.strip() for line in code.split("\n") if line.strip())
    there = Counter(line.strip().removeprefix(": ") for line in unescape(text).split("\n"))
    return (lines - there).total() * 10 <= lines.total()  # a line that stood twice is to stand twice


def _seen(text: str) -> str:
    from firewall.text.templates import without_comments

    text = _HTML_COMMENT.sub("", text) if "<!--" in text else text
    return without_comments(text)
