"""Does a line say that text was left out where it stands? In seven languages, by what it says and what it stands in.

Each word is put into a class (rest, text, state …) and the classes are matched, not the words: a pattern with all these
words in it takes a third of a second to compile. Inside brackets, a block comment or dots a loose claim is enough
("... existing code ...", "[sections 4-9 unchanged]"). In a line comment, emphasis, a heading or nothing at all the line
must be the claim and no more ("// rest of the file unchanged"), since a text may well say such things of something
else. Pure.
"""

from __future__ import annotations

import re

from firewall.text.framing import Frame, frame
from firewall.text.omission_words import PHRASES, STEMS, WORDS
from firewall.text.pattern import Pattern

_WORD = Pattern(r"[^\W_]+(?:['’-][^\W_]+)*")
_MOST = 40
"""Words of a line that are looked at. A marker has few."""
# Classes, by the letters of `omission_words`: d determiner, n "rest", a "existing", e "other" (names less surely), g
# "original", x a part of a text, t a part of anything, s a state, p a state that says it alone, q "unchanged" and b
# "same" (state and adjective), l linking words, c "continues", f "as", k "keep", v "see", h "todo", z "since", o other.
_A, _S, _L = "[aegqb]", "(?:[spq]|b(?![xto]))", "[lc]"
_OF_TEXT = rf"(?:n(?:d*o?[xt])?|{_A}.?[xt]|[xt]d*{_A})"
_WHOLE = rf"{_L}*d?{_S}+(?:f.?){{0,2}}"
_LOOSE = Pattern(
    rf"h?(?:[df]*(?:n|{_A}).{{0,8}}?{_S}.{{0,4}}|[df]*{_OF_TEXT}[od]?{_L}*.?|kd*.?(?:n|[spq]|{_A}(?:.?[xt]|\Z)).{{0,8}}|kd*[xt].{{0,3}}[lcs]"
    rf"|(?:d*[xt].{{0,5}})?[pq][^z]{{0,6}}|d*[xt].{{0,5}}{_S}[^z]{{0,3}}|d*[xt][df]+{_A}.{{0,5}}|vd*g[xt]?|s[xt]?|b|d*[xt]c|c{_S}|{_L}+d*(?:[gn]d*[xt]|[xt]d*g)|kd*xd+)\Z"
)
_DOTTED = Pattern(rf"(?:d*[xt])?c\Z|.{{0,4}}[na].{{0,8}}{_S}.{{0,4}}\Z")
_CLAIM = Pattern(rf"h?d*{_OF_TEXT}{_WHOLE}\Z")
_TEXT_CLAIM = Pattern(rf"d*nd*x{_WHOLE}\Z")
_REST_CLAIM = Pattern(rf"d*n{_L}*d?{_S}+\Z")
_RANGE = Pattern(rf"d*[xt]d{{1,6}}{_L}*[pq]\Z")
_COUNT = Pattern(r"d+e?[xt]\Z")
_NAMED = Pattern(
    rf"h?(?:d*(?:nd*[xt]|[ag][xt]|[xt]d*[ag]){_L}*|kd*{_OF_TEXT}{_L}*|d*[xt](?:o|d{{0,5}}){_WHOLE}|[pq])\Z"
)
_REST = (
    "(?:其余|其餘|其他|其它|剩余|剩餘|余下|餘下|剩下|后续|後續|后面|後面|后文|後文|前文|前面|以下|以上|之前|之后|原有|现有|現有|原文|"
    "原来|已有|既有|未改动|中间|此处|这里|下文|上文|残り|以降|上記|前述|既存|その他|他の|元の|後半|前半|続き|従来|ここから|この後)"
)
_PART = (
    "(?:内容|內容|文本|文字|代码|代碼|部分|章节|章節|段落|文档|文件|正文|条目|函数|方法|实现|小节|コード|文章|テキスト|セクション|章|"
    "記述|処理|実装|項目|関数|コンテンツ|ドキュメント|本文)"
)
_STAYS = (
    "(?:不变|不變|未变|没有变|无变化|無變化|没有改动|未改|不改|未动|未作修改|未修改|无修改|无改动|相同|一样|一致|省略|从略|略|同上|"
    "同前|照旧|照舊|原样|原状|同じ|同様|同文|変更なし|変更はありません|変更ありません|変わらない|変わりません|変わらず|変更しない|"
    "変更せず|のまま|維持|割愛|不変|続く|続きます)"
)
_LOOSE_HAN = Pattern(
    rf".{{0,12}}?(?:{_REST}.{{0,30}}?{_STAYS}|{_REST}.{{0,6}}?{_PART}(?:.{{0,2}}|をここに|はここ|放?在?这里|在此处)\Z"
    rf"|中略|後略|后略|前略|省略|同上|不变|不變|変更なし|保持(?:不变|原样)|{_PART}.{{0,6}}?{_STAYS}).{{0,8}}\Z|.{{0,2}}略\Z|{_REST}\Z"
)
_CLAIM_HAN = Pattern(
    rf"{_REST}.{{0,12}}?{_STAYS}.{{0,4}}\Z|{_REST}[的の]?{_PART}\Z|{_PART}.{{0,4}}{_STAYS}\Z|(?:中|[后後]|以下)略\Z|省略\Z"
)
_TEXT_HAN = Pattern(rf"{_REST}[的の]?{_PART}.{{0,6}}?{_STAYS}(?:です|とします|する)?\Z")
_BARE_HAN = Pattern(
    rf"{_REST}(?:的|の)?{_PART}?[はも、，]?(?:すべて|全て|全部|均|都|保持|维持)?(?:{_STAYS}|変更無し)(?:です)?[。.]?\Z|(?:以下|中|[后後])?略\Z"
)
_HERE_HAN = Pattern(
    r"(?:此处|这里|此處|ここ(?:に|は)?|下面)(?:为|是|放|插入|保留|接)?(?:原文|原来的?(?:内容|文本|文字)|元の(?:文章|テキスト|本文)).{0,4}\Z"
)
_CONTINUED = Pattern(
    r"(?i)(?:(?:to be |is |will be )?continued(?: (?:in|on|at|next|below|later|soon|elsewhere|with|here)\b.{0,40})?"
    r"|more (?:to come|later|soon|to follow)|(?:the )?(?:rest|remainder)(?: is| will)? (?:to )?(?:come|follow)s?"
    r"(?: later| soon)?|(?:die )?fortsetzung (?:folgt|im )\b.{0,40}|wird fortgesetzt|à suivre"
    r"|(?:la )?suite (?:au|dans|plus|à venir)\b.{0,40}|continuará|contin[uú]a(?: (?:en|no|na)\b.{0,40})?"
    r"|未完待[续續]|待[续續]|未完|つづく|続く|次回(?:へ|に)?(?:続く|つづく))\Z"
)
_AROUND = " \t[](){}<>（）【】［］*_`@|/!-"
_ROW = Pattern(r"\|(?: ?(?:\.{3}|…)? ?\|)+\Z")
_SEGMENT = Pattern(r"(.*?\S)\s*((?:\[|\(|<!--|/\*|（|【)[^\[\]()（）【】]{2,120}(?:\]|\)|-->|\*/|）|】)[\s.*_]{0,3})\Z")


def says_omitted(short: str) -> bool:
    """Is this line (squeezed) a marker that stands for text: dots alone, or a claim that something stays or is gone?"""
    if short.startswith("|"):
        return ("..." in short or "…" in short) and _ROW.match(short) is not None
    dots = short.lstrip("#;%" + _AROUND).rstrip(_AROUND)
    if dots and dots[0] in ".…⋯⋮︙":
        bare = "".join(dots.split())
        if bare.strip("…⋯⋮︙") == "" or (len(bare) > 2 and bare.strip(".") == ""):
            return True
    if short.strip("-=_ ") in ("8<", ">8", "%<"):
        return True
    found = frame(short)
    if not found.core:
        return "✂" in short
    return _says(found)


def _says(found: Frame) -> bool:
    core, loose = found.core, found.dots or found.closed
    if not core.isascii() and any("\u3041" <= char <= "\u9fff" for char in core):
        core = "".join(core.split())
        if loose:
            return bool(_LOOSE_HAN.match(core) or _HERE_HAN.match(core))
        return (_CLAIM_HAN if found.comment or found.marked else _TEXT_HAN).match(core) is not None
    kinds = classes(core)
    if loose:
        counted = found.dots and _COUNT.match(kinds) and any(char.isdigit() for char in core)
        return bool(counted or _LOOSE.match(kinds) or (found.dots and _DOTTED.match(kinds)))
    if _TEXT_CLAIM.match(kinds):
        return True
    if found.comment not in ("", "#"):
        return bool(_CLAIM.match(kinds) or _NAMED.match(kinds))
    if not found.comment and not found.marked:
        return False
    alone = found.marked and not found.comment
    return bool(_CLAIM.match(kinds)) or (alone and (kinds in ("p", "q") or _RANGE.match(kinds) is not None))


def says_rest_stays(short: str) -> bool:
    """Does a line that stands alone, with nothing around it, say that the rest stays as it was, and no more?"""
    core = short.strip("*_ ")
    if not core.isascii() and any("\u3041" <= char <= "\u9fff" for char in core):
        return _BARE_HAN.match("".join(core.split())) is not None
    return _REST_CLAIM.match(classes(core)) is not None


def says_continued(short: str) -> bool:
    """Does a line say no more than that the text goes on at another time or place?"""
    return len(short) < 80 and _CONTINUED.match(short.strip(_AROUND + "~.…。:>#")) is not None


def classes(core: str) -> str:
    """The class of each word of a line, as letters; '' for one with more words than a marker has."""
    words = []
    for match in _WORD.finditer(core.lower().replace("’", "'")):
        word = match.group()
        if word[:2] in ("l'", "d'"):
            words.append("le")
            word = word[2:]
        words.append(word)
        if len(words) > _MOST:
            return ""
    out = []
    at = 0
    while at < len(words):
        for length in (5, 4, 3, 2):
            kind = PHRASES.get(" ".join(words[at : at + length])) if at + length <= len(words) else None
            if kind:
                out.append(kind)
                at += length
                break
        else:
            out.append(_class(words[at]))
            at += 1
    return "".join(out)


def _class(word: str) -> str:
    found = WORDS.get(word)
    if found:
        return found
    if word[0].isdigit():
        return "d" if word.replace("-", "").replace("–", "").isdigit() else "o"
    return next((kind for stem, kind in STEMS if word.startswith(stem)), "o")


def appended(short: str) -> tuple[str, bool] | None:
    """A line with a marker in brackets at its end: what stands before it, and has the marker dots? Else None."""
    found: re.Match[str] | None = _SEGMENT.match(short)
    if not found:
        return None
    segment = frame(found.group(2))
    return (found.group(1), segment.dots) if segment.core and _says(segment) else None
