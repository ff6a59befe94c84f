"""placeholder: a marker that says "the rest stays" where the rest is gone.

Only a marker that is new, and only where words were lost beside it: a tutorial that shows such a line passes,
and so does one added with nothing lost. Any comment style; English, Spanish, German, French, Portuguese,
Chinese, Japanese.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern
from firewall.text.touched import code_lines
from firewall.text.words import count_words
from firewall.verdict import Finding, Outcome
from firewall.writes.facts import Facts
from firewall.writes.measures import Measures
from firewall.writes.rules.base import Example, example, lorem

NAME = "placeholder"
STRUCTURAL = False
LEAST_LOST = 5
"""Words that must be gone beside a marker before it is one."""

_DOTS = r"(?:\.{2,}|…+|⋯|。{2,}|\[\s*(?:\.{2,}|…)\s*\])"
_OPEN = r"^[ \t>]*(?:(?:<!--|//+|/\*+|\{/\*|#+|--+|;+|%+|\*+|\(|\[|\{|_+|<|【|（|［|〔|-[ \t])[ \t]*){0,3}"
_WHAT = (
    # English
    r"(?:the\s+)?(?:rest|remainder|remaining|previous|prior|existing|original|other|above|following|same|earlier|everything)"
    r"\b[^\n]{0,80}?\b(?:unchanged|unmodified|the same|as before|as is|as-is|omitted|elided|remains?|stays?|intact)\b"
    r"|(?:the\s+)?(?:rest|remainder|remaining|previous|prior|existing|original)\b[^\n]{0,80}?\b(?:here|continues?|above|below)\b"
    r"|(?:keep|leave|insert|retain|include)\b[^\n]{0,60}?\b(?:rest|existing|previous|original|remaining|unchanged|as is)\b"
    r"|(?:keep|leave|insert|retain|include)\s+(?:(?:the|all|this|your)\s+){0,2}(?:content|text|code|sections?)\b[^\n]{0,40}?\b(?:above|before|here)\b"
    r"|(?:same|unchanged|omitted|truncated|snip(?:ped)?)\b[^\n]{0,60}?"
    r"\b(?:rest|existing|previous|original|remaining|content|text|code|section|sections|above|before|brevity|here|unchanged)\b"
    r"|(?:content|text|section|sections|code|lines|paragraphs?)\b[^\n]{0,40}?\b(?:unchanged|omitted|remain(?:s)? the same|elided|"
    r"stays? the same)\b"
    r"|no changes? (?:here|below|above|to the rest)|for brevity|unchanged|snip(?:ped)?|rest of (?:the )?\w+|etc\.? etc"
    # Spanish, Portuguese
    r"|(?:el|los|las|la|o|a|os|as)?\s*(?:resto|dem[aá]s|restante|otras?|outras?|outros?|mismo|mesmo|existente|anterior)\b[^\n]{0,80}?"
    r"(?:igual(?:es)?|iguais|sin cambios|sem altera\w+|sem mudan\w+|permanece\w*|inalterad\w+|aqu[ií]|mant[eé]m|omitid\w+|se mantiene\w*|existente)"
    r"|(?:mantener|manter|conservar|contin[uú]a)\b[^\n]{0,60}?(?:resto|existente|anterior|c[oó]digo|texto|igual)"
    r"|sin cambios|sem altera[cç][oõ]es|(?:contenido|texto|conte[uú]do|c[oó]digo) (?:omitido|anterior|existente)"
    # German
    r"|(?:der\s+)?(?:rest|übrige\w*|restliche\w*|vorherige\w*|bestehende\w*|bisherige\w*|alles andere|weitere\w*)\b[^\n]{0,80}?"
    r"(?:unverändert|gleich|wie (?:bisher|zuvor|vorher|oben)|bleib\w*|hier|ausgelassen|identisch)"
    r"|unverändert|ausgelassen|gekürzt|hier (?:folgt|steht) der rest"
    # French
    r"|(?:le\s+|la\s+)?(?:reste|suite|contenu|texte|code|section)\b[^\n]{0,80}?"
    r"(?:inchang\w+|identique|sans changement|ici|omis\w*|reste (?:le|la) même|comme avant|existant\w*|précédent\w*|demeure\w*)"
    r"|(?:garder|conserver|laisser)\b[^\n]{0,60}?(?:reste|existant|précédent|texte|contenu)|inchang[ée]\w*|sans changement"
    # Chinese, Japanese
    r"|(?:其余|其他|剩余|余下|剩下|后续|以下|以上|之前|前面|后面|原有|现有|保留|保持)[^\n]{0,30}?"
    r"(?:不变|相同|一样|省略|略|保持|保留|同上|内容|文本|代码|部分)|(?:此处|这里|中间)?(?:内容)?省略|同上|不变"
    r"|(?:残り|以下|以降|上記|前述|既存|その他|他|元)[^\n]{0,30}?(?:省略|同じ|同様|変更なし|変更ありません|そのまま|略|維持)"
    r"|(?:中略|後略|前略|以下略|以下省略|変更なし|省略)"
)  # fmt: skip
_CLOSE = r"[^\n\w]{0,8}\s*(?:\w+\W*){0,3}$"
MARKER = Pattern(
    rf"(?im){_OPEN}(?:{_DOTS}[^\n]{{0,20}}?(?:{_WHAT})[^\n]{{0,60}}$|(?:{_WHAT})[^\n]{{0,40}}?(?:{_DOTS}|[\])}}>】）］〕]|\*/|-->)[^\n]{{0,12}}$)"
)
_BARE = Pattern(r"(?m)^[ \t>]*(?:[\[(<{（［【][ \t]*)?(?:\.{3,}|…+|⋯+)(?:[ \t]*[\])>}）］】])?[ \t]*$")
_ELISION = Pattern(r"(?i)^\W*(?:(?:snip(?:ped)?|cut|omitted|elided|etc)\W*)?$")
"""What an author puts into an example to shorten it. In code it claims nothing of what was there before."""
_DIRECTIVE = Pattern(r"^[ \t]*(?:include::|\\(?:include|input)\b|#include\b|\{\{#|\.\. include::)")
_END_TAGS = Pattern(r"(?:</\w+>\s*)+$")


def check(facts: Facts, measures: Measures) -> list[Finding]:
    """Blocks, with the marker's line."""
    if facts.proposed is None or facts.disk is None:
        return []
    change = measures.from_disk
    if change.lost < LEAST_LOST:
        return []
    window = change.window
    after = measures.new[window.start : window.new_end]
    had = set(measures.disk.split("\n"))
    if not measures.mark_is_disk:
        had |= set(measures.mark.split("\n"))
    for pattern in (MARKER, _BARE):
        for match in pattern.finditer(after):
            line = match.group().strip("\n")
            if line in had or _is_example(measures, line, window.start + match.start()):
                continue
            if not _lost_beside(measures, match.start(), match.end()):
                continue
            number = measures.new.count("\n", 0, window.start + match.start()) + 1
            message = (
                f"{facts.path}, line {number}: {line.strip()[:100]!r} stands where text was. "
                "Write the whole text, or change only the sentence meant."
            )
            return [Finding(NAME, Outcome.BLOCK, message, {"line": number, "marker": line.strip()[:200]})]
    return []


def _is_example(measures: Measures, line: str, offset: int) -> bool:
    """A directive that brings another file in, an end tag that only looks like a closer, or an author's own
    shortening of a block of code."""
    if _DIRECTIVE.match(line):
        return True
    bare = _END_TAGS.sub("", line)
    if bare != line and not MARKER.match(bare) and not _BARE.match(bare):
        return True
    if not _ELISION.match(line):
        return False
    number = measures.new.count("\n", 0, offset)
    return number in code_lines(measures.facts.path, measures.new)


def _lost_beside(measures: Measures, start: int, end: int) -> bool:
    """Are words of the disk gone between the lines that still stand around the marker?

    Around it means up to the nearest line, before and behind, that the disk has as well.
    """
    window = measures.from_disk.window
    after = measures.new[window.start : window.new_end]
    before = measures.disk[window.start : window.old_end]
    old_lines = before.split("\n")
    places = {line: i for i, line in reversed(list(enumerate(old_lines))) if line.strip()}
    above = _nearest(after[:start].split("\n")[::-1], places)
    below = _nearest(after[end:].split("\n"), places)
    first = 0 if above is None else above + 1
    last = len(old_lines) if below is None else below
    if last < first:
        first, last = 0, len(old_lines)
    gone = count_words("\n".join(old_lines[first:last]))
    kept_lines = {line for line in after.split("\n") if line.strip()}
    standing = sum(count_words(line) for line in old_lines[first:last] if line in kept_lines)
    return gone - standing >= LEAST_LOST


def _nearest(lines: list[str], places: dict[str, int]) -> int | None:
    return next((places[line] for line in lines if line in places), None)


_OLD = lorem(280)
_PARTS = _OLD.split("\n\n")
_CODE = f"{_OLD}\n```py\n{lorem(40, 900)}```\n\n{lorem(40, 700)}"
_LISTING = f"{_OLD}\n----\n{lorem(40, 900)}----\n\n{lorem(40, 700)}"


def _elided(mark: str) -> str:
    return "\n\n".join([*_PARTS[:2], mark, *_PARTS[4:]])


_MUST = (
    "[... rest of the section remains unchanged ...]",
    "# ... (keep existing text)",
    "// ... (rest of the code remains the same)",
    "{/* ... (keep existing JSX) */}",
    "/* (... keep the previous code ...) */",
    "<!-- remaining content unchanged -->",
    "(... previous paragraphs unchanged ...)",
    "*[The rest of the chapter stays the same]*",
    "[Content omitted for brevity]",
    "...",
    "[…]",
    "// ... (otras funciones permanecen igual)",
    "[... el resto del texto sin cambios ...]",
    "[... Rest unverändert ...]",
    "<!-- der übrige Text bleibt gleich -->",
    "[... le reste du texte est inchangé ...]",
    "(... o restante do texto permanece igual ...)",
    "（其余内容保持不变）",
    "……其余部分不变……",
    "（以下省略）",
    "（残りは変更なし）",
)


def examples() -> tuple[Example, ...]:
    """What the rule must flag and must let pass."""
    return (
        *(example(f"{mark} for two paragraphs", _OLD, _elided(mark), True) for mark in _MUST),
        example("at the end", _OLD, "\n\n".join(_PARTS[:3]) + "\n\n[rest of the document unchanged]\n", True),
        example("at the start", _OLD, "[previous sections remain as before]\n\n" + "\n\n".join(_PARTS[2:]), True),
        example("in code, saying that the rest stays", _CODE, _CODE.replace(lorem(40, 900), "# ... rest of the code unchanged\n"),
            True),
    example("an author shortens an example", _CODE, _CODE.replace(lorem(40, 900), "// ...snip...\n"), False),
    example("an author shortens what a program prints", _LISTING, _LISTING.replace(lorem(40, 900), "...\n"), False,
            path="a.adoc"),
    example("a chapter becomes a list of its sections", _OLD,
            "\n\n".join(_PARTS[:3]) + "\n\ninclude::sections/rest-of-the-text.asc[]\n", False, path="a.asc"),
    example("a remark of an editor", _OLD, _elided("<!-- Above - is that what you meant here? -->"), False),
    example("nothing lost", _OLD, _OLD + "\nA model writes:\n\n    # ... rest of the code unchanged ...\n", False),
        example("it was there before", _elided("[... unchanged ...]"),
                _elided("[... unchanged ...]").replace(_PARTS[5], lorem(40, 900)), False),
        example("it was there before, and the paragraph beside it is rewritten", _elided("[... unchanged ...]"),
                _elided("[... unchanged ...]").replace(_PARTS[4], lorem(40, 900)), False),
        example("shown in one place, text lost in another", _OLD,
                _OLD.replace(_PARTS[5], lorem(40, 900)).replace(_PARTS[1], _PARTS[1] + "\n\n[... unchanged ...]"), False),
        example("a paragraph rewritten, no marker", _OLD, _OLD.replace(_PARTS[2], lorem(40, 900)), False),
        example("prose about the rest", _OLD, _OLD.replace(_PARTS[2], "The rest of the night is quiet, and all the "
                "lamps remain lit until the day shift comes in at six and reads the log."), False),
        example("a sentence that trails off", _OLD, _OLD.replace(_PARTS[2], "And then the lamp went out..."), False),
        example("a new file", None, "# Notes\n\n[... unchanged ...]\n", False),
    )  # fmt: skip
