"""What of a typeset source of TeX a reader sees as text: no preamble, no definitions, messages, keys, values; nothing
that only takes its space, has no size or the paper's colour. Pure, linear time.
"""

from __future__ import annotations

from firewall.text import verbatim
from firewall.text.pattern import Pattern
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    import re

_NAME = Pattern(r"\\([A-Za-z@]+)\*?")
_SPACE = Pattern(r"\s*")
_TARGET = Pattern(r"\s*(?:\\csname[^\\{}]{0,200}\\endcsname|\{\s*\\[A-Za-z@]+\s*\}|\\[A-Za-z@]+|\{[^{}]{0,100}\})")
_OPTIONS = Pattern(r"(?:\s*\[[^\]]{0,500}\]|\s*#\d)*")
_TO_FILE = Pattern(r"\s*(?:\d+|\\[A-Za-z@]+)(?=\s*\{)")
_BOX = Pattern(r"[^{}\n]{0,60}(?=\{)")
_GOBBLE = Pattern(r"\s*\\([A-Za-z@]+)\s*=?\s*\\@gobble(two|three|four)?(?![A-Za-z@])")
_REGISTER = Pattern(r"\s*(?:\{\s*\\[A-Za-z@]+\s*\}|\\[A-Za-z@]+|\d+)\s*(?:\([^()\n]{0,60}\))?(?=\s*[\[{])")
_TOKENS = Pattern(r"\s*\d*\s*=?(?=\s*\{)")
_CSNAME = Pattern(r"\s*([A-Za-z@]+)\s*\\endcsname(?![A-Za-z@])")
_NO_SLIDE = Pattern(r"\s*<\s*0\s*>")
_TERMS = Pattern(r"\\(?:[gG]ls|GLS|print\w*(?:glossar|acronym|abbreviation)|[aA]c[sl]?p?\b)")
"""What prints the terms of a glossary."""
_SLIDES = ("{beamer}", "\\begin{frame}", "\\frame{")
_SHEETS = Pattern(
    r"\\(?:AtBeginShipoutDiscard|DiscardShipoutBox)(?![A-Za-z@])"
    r"|\\(?:setlength\s*\{?\s*\\)?(?:textwidth|textheight|paperwidth|paperheight|pdfpagewidth|pdfpageheight)\s*\}?"
    r"\s*[={]?\s*(?:0*\.\d+|0+|1)\s*(?:pt|mm|sp|bp)"
    r"|\\[hv]offset\s*=?\s*-?(?:[3-9]\d|\d{3,})(?:\.\d+)?\s*(?:cm|in)|\\everypar\s*=?\s*\{[^{}]{0,200}box"
    r"|\\catcode\s*`\\?[^\s%^]\s*=?\s*(?:14|9)(?!\d)|\\pdfliteral[^{}\n]{0,20}\{[^{}]{0,40}\b3 Tr\b"
    r"|\\pagecolor\s*(?:\[[^\]]{0,20}\])?\s*\{\s*(?:black|0{6}|0(?:\.0*)?(?:,\s*0(?:\.0*)?){0,2})\s*\}"
)
"""Pages that are thrown away, have no size or the colour of their letters, and letters that begin comments."""
_SHEET_SIGNS = ("Shipout", "textwidth", "textheight", "paperwidth", "paperheight", "pdfpage", "offset", "everypar",
                "catcode", "pagecolor", "3 Tr")  # fmt: skip
_WHITE = Pattern(r"\s*(?:\[[^\]{}]{0,40}\])?\s*\{\s*(?:white|#?[fF]{6}|1(?:\.0*)?(?:,1(?:\.0*)?)*)\s*\}")
_NONE = Pattern(r"\s*\{\s*(?:0+(?:\.0\d*)?|\.0\d*)\s*(?:pt|mm|cm|em|ex|sp)?\s*\}")
_TINY = Pattern(r"\s*\{\s*0*(?:\.\d+|0(?:\.\d+)?)\s*(?:pt|mm|ex)?\s*\}")
_GROUPS = {
    **dict.fromkeys(
        "markright includeonly ignore comment pdfcomment pdfliteral @secondoftwo phantom hphantom vphantom pdfinfo "
        "hypersetup @gobble label index glossary href typeout message "
        "errmessage wlog special nocite cite citep citet ref pageref eqref cref Cref autoref input include "
        "bibliography bibliographystyle hyphenation AtEndDocument AtBeginDocument AtEndDvi usepackage RequirePackage "
        "GenericInfo hypertarget".split(),
        1,
    ),
    **dict.fromkeys("PackageWarning PackageInfo ClassWarning ClassInfo GenericWarning pdfbookmark bookmark @gobbletwo "
                    "PackageWarningNoLine addcontentsline addtocontents markboth PassOptionsToPackage "
                    "PassOptionsToClass".split(), 2),
    **dict.fromkeys(
        "PackageError ClassError ifthenelse ifstrempty ifblank ifnotblank iftoggle ifbool ifboolexpr IfFileExists "
        "ifpackageloaded @ifpackageloaded ifclassloaded ifdefempty @ifundefined".split(),
        3,
    ),
    **dict.fromkeys("ifdefstring ifstrequal ifdefequal ifnumcomp".split(), 4),
}  # fmt: skip
"""How many groups behind a command are no text. `hypertarget` and `href` have another that is."""
_ENTRIES = {"newglossaryentry": 2, "newacronym": 3, "newabbreviation": 3, "longnewglossaryentry": 3}
"""The same of terms, which are printed only where the text uses one."""
_DEFINES = {
    **dict.fromkeys("newcommand renewcommand providecommand DeclareRobustCommand def edef gdef xdef csdef csgdef "
                    "csedef csxdef DeclareMathOperator".split(), 1),
    **dict.fromkeys("newenvironment renewenvironment NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand "
                    "DeclareDocumentCommand NewExpandableDocumentCommand".split(), 2),
    **dict.fromkeys("NewDocumentEnvironment RenewDocumentEnvironment ProvideDocumentEnvironment "
                    "DeclareDocumentEnvironment".split(), 3),
}  # fmt: skip
"""How many groups behind a command and the name that it defines are its definition."""
_SHORT = frozenset("part chapter section subsection subsubsection paragraph subparagraph caption".split())
_TITLES = frozenset("title author date".split())


def printed(text: str) -> str:
    """The text that is printed of `text`, as `typeset` gives it."""
    begin = text.find("\\begin{document}")
    gone: dict[str, int] = {}
    if ("glossaryentry" in text or "newa" in text) and not _TERMS.search(text):
        gone.update(_ENTRIES)
    if any(sign in text for sign in _SLIDES) and "show notes" not in text:
        gone["note"] = 1
    if begin >= 0:
        if "def" in text or "ommand" in text or "gobble" in text:
            _printed(text[:begin], gone)
        text = text[begin + len("\\begin{document}") :]
    return _printed(text, gone)


def sheets(text: str) -> tuple[str, ...]:
    """What `text`, as `typeset` gives it, sets for its pages so that nothing on them can be read."""
    if not any(sign in text for sign in _SHEET_SIGNS):
        return ()
    coloured = "\\color{" in text
    found = (match.group() for match in _SHEETS.finditer(text))
    return tuple("{" + piece for piece in found if not (coloured and piece.startswith("\\pagecolor")))


def _printed(text: str, gone: dict[str, int]) -> str:
    """The same for a part; `gone` are the commands that print nothing of so many groups behind them, and grows."""
    out: list[str] = []
    start = at = 0
    made_title = text.rfind("\\maketitle")
    letters = verbatim.Letters(text)
    while found := _NAME.made.search(text, at):
        at = found.end()
        if found[1] in verbatim.NAMES and found[1] != "href":  # of which the address is not seen
            at = letters.end(found.end(1), found[1])
            continue
        end = _unseen_end(text, found, gone, made_title)
        if end > at:
            out.append(text[start : found.start()])
            start = at = end
    out.append(text[start:])
    return "".join(out)


def _unseen_end(text: str, found: re.Match[str], gone: dict[str, int], made_title: int) -> int:
    """Where the text behind a command goes on; the command's own end where all of it is text."""
    name, at = found[1], found.end()
    if name in _DEFINES:
        return _definition(text, name, at, gone)
    if name in ("color", "textcolor", "transparent", "fontsize", "scalebox", "texttransparent", "resizebox"):
        return _faint(text, name, at)
    if name in ("write", "write@"):
        to = _TO_FILE.made.match(text, at)
        return _groups(text, to.end(), 1) if to else at
    if name in ("setbox", "sbox", "savebox", "toks", "toks@", "everypar", "errhelp"):
        kept = {"setbox": _BOX, "sbox": _REGISTER, "savebox": _REGISTER}.get(name, _TOKENS).made.match(text, at)
        return _groups(text, kept.end(), 1) if kept else at
    if name == "csname" and (called := _CSNAME.made.match(text, at)):
        name, at = called[1], called.end()
    if name in ("only", "visible", "uncover", "onslide") and (slide := _NO_SLIDE.made.match(text, at)):
        return _groups(text, slide.end(), 1)
    if name == "let":
        gobbled = _GOBBLE.made.match(text, at)
        if gobbled:
            gone[gobbled[1]] = {"two": 2, "three": 3, "four": 4}.get(gobbled[2] or "", 1)
        return at
    if name == "nullfont":
        return _group_end(text, at, 1)
    if name == "todo":
        options = _OPTIONS.made.match(text, at)
        return _groups(text, at, 1) if options and "disable" in options.group() else at
    if name in ("pdftooltip", "@firstoftwo"):
        first = _groups(text, at, 1)
        return _groups(text, first, 1) if first > at else at
    if name in _SHORT:
        options = _OPTIONS.made.match(text, at)
        return options.end() if options else at
    if name in _TITLES:
        return _groups(text, at, 1) if at > made_title else at
    count = gone.get(name) or _GROUPS.get(name, 0)
    return _groups(text, at, count) if count else at


def _definition(text: str, name: str, at: int, gone: dict[str, int]) -> int:
    """The end of a definition. One that takes arguments and prints none is noted in `gone`."""
    target = _TARGET.made.match(text, at)
    if target is None:
        return at
    first = target.end()
    options = _OPTIONS.made.match(text, first)
    body = options.end() if options else first
    end = _groups(text, body, _DEFINES[name])
    if end == body:
        return at
    definition = text[body:end]
    count = 0
    if name.endswith("ocumentCommand"):
        spec, _, definition = definition.partition("}")
        count = sum(spec.count(letter) for letter in "mv")
    elif "nvironment" not in name:
        declared = text[first:body]
        digits = [char for char in declared if char.isdigit()]
        count = int(digits[-1 if "#" in declared else 0]) if digits else 0
    if count and "#" not in definition:
        gone[target.group().strip("{} \t\n\\")] = count
    return end


def _faint(text: str, name: str, at: int) -> int:
    """The end of what has the paper's colour or no size."""
    value = (_WHITE if "color" in name else _TINY if name == "fontsize" else _NONE).made.match(text, at)
    if value is None:
        return at
    if name in ("color", "transparent", "fontsize"):
        return _group_end(text, value.end(), 1)
    return _groups(text, value.end(), 2 if name == "resizebox" else 1)


def _groups(text: str, at: int, count: int) -> int:
    """The end of so many groups, or as many as there are, with options before and between; `at` where there is none."""
    end = at
    for _ in range(count):
        options = _OPTIONS.made.match(text, end)
        opens = options.end() if options else end
        space = _SPACE.made.match(text, opens)
        opens = space.end() if space else opens
        if text[opens : opens + 1] != "{":
            break
        end = _group_end(text, opens, 0)
    return end


def _group_end(text: str, at: int, depth: int) -> int:
    """Where the group ends that is open at `at` (`depth` 1), or that opens there."""
    for found in _BRACE.made.finditer(text, at):
        if found.group() == "{":
            depth += 1
        elif found.group() == "}":
            depth -= 1
            if depth <= 0:
                return found.end()
    return len(text)


_BRACE = Pattern(r"(?s)\\string[{}]|\\.|[{}]")
