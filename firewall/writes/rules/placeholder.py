"""placeholder: a marker that says "the rest stays" where the rest is gone.

Only a marker that is new, and only where words were lost beside it: a tutorial that shows such a line passes,
and so does one added with nothing lost. Any comment style; English, Spanish, German, French, Portuguese,
Chinese, Japanese.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern, lines_with
from firewall.text.squeeze import squeeze
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
_SIGNS = ("..", "…", "⋯", "。。", "]", ")", "}", ">", "】", "）", "］", "〕", "*/")
"""No line without one of these is a marker."""
_ELISION = Pattern(r"(?i)^\W*(?:(?:snip(?:ped)?|cut|omitted|elided|etc)\W*)?$")
"""What an author puts into an example to shorten it. In code it claims nothing of what was there before."""
_DIRECTIVE = Pattern(r"^[ \t]*(?:include::|\\(?:include|input)\b|#include\b|\{\{#|\.\. include::)")
_END_TAGS = Pattern(r"(?:</\w+>\s*)+$")
LONGEST = 400
"""Characters of the longest line that is looked at: more than any marker that the patterns can match."""


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
    around: _Around | None = None
    code: frozenset[int] | None = None
    number = seen = 0
    first = measures.new.count("\n", 0, window.start)
    for at, line in lines_with(after, _SIGNS):
        number, seen = number + after.count("\n", seen, at), at
        if line in had:
            continue
        short = squeeze(line)
        if len(short) > LONGEST or not _is_marker(short) or _is_look_alike(short):
            continue
        if _ELISION.match(short):
            code = code_lines(facts.path, measures.new) if code is None else code
            if first + number in code:
                continue
        around = around or _Around(measures.disk[window.start : window.old_end], after)
        if around.lost(number) < LEAST_LOST:
            continue
        message = (
            f"{facts.path}, line {first + number + 1}: {short[:100]!r} stands where text was. "
            "Write the whole text, or change only the sentence meant."
        )
        return [Finding(NAME, Outcome.BLOCK, message, {"line": first + number + 1, "marker": short[:200]})]
    return []


def _is_marker(short: str) -> bool:
    return bool(MARKER.match(short) or _BARE.match(short))


def _is_look_alike(short: str) -> bool:
    """A directive that brings another file in, or an end tag that only looks like a closer."""
    if _DIRECTIVE.match(short):
        return True
    bare = _END_TAGS.sub("", short)
    return bare != short and not _is_marker(bare)


class _Around:
    """How many words of the old lines are gone beside a new line: between the nearest ones, before and behind, that
    stand in both. Made once for all markers of a text, in linear time."""

    def __init__(self, before: str, after: str) -> None:
        old, new = before.split("\n"), after.split("\n")
        places: dict[str, int] = {}
        for i, line in enumerate(old):
            if line.strip():
                places.setdefault(line, i)
        found = [places.get(line) for line in new]
        self._above = _last_known(found)
        self._below = _last_known(found[::-1])[::-1]
        kept = set(new)
        self._gone = [0]
        for line in old:
            self._gone.append(self._gone[-1] + (0 if line in kept else count_words(line)))

    def lost(self, number: int) -> int:
        """Words gone beside the new line of this number."""
        above, below = self._above[number], self._below[number]
        end = len(self._gone) - 1
        first = 0 if above is None else above + 1
        last = end if below is None else below
        if last < first:
            first, last = 0, end
        return self._gone[last] - self._gone[first]


def _last_known(found: list[int | None]) -> list[int | None]:
    """For each place, the last number that stands before it."""
    out: list[int | None] = []
    last: int | None = None
    for place in found:
        out.append(last)
        last = last if place is None else place
    return out


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
                _elided("[... unchanged ...]").replace(_PARTS[4], lorem(40, 900)).replace(_PARTS[0], lorem(40, 700)), False),
        example("shown in one place, text lost in another", _OLD,
                _OLD.replace(_PARTS[5], lorem(40, 900)).replace(_PARTS[1], _PARTS[1] + "\n\n[... unchanged ...]"), False),
        example("a paragraph rewritten, no marker", _OLD, _OLD.replace(_PARTS[2], lorem(40, 900)), False),
        example("prose about the rest", _OLD, _OLD.replace(_PARTS[2], "The rest of the night is quiet, and all the "
                "lamps remain lit until the day shift comes in at six and reads the log."), False),
        example("a sentence that trails off", _OLD, _OLD.replace(_PARTS[2], "And then the lamp went out..."), False),
        example("a new file", None, "# Notes\n\n[... unchanged ...]\n", False),
    )  # fmt: skip
