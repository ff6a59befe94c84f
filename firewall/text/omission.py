"""Does a line say that text was left out where it stands? In seven languages, by what it says and what it stands in.

Inside brackets, a block comment or dots a loose claim is enough ("... existing code ...", "[sections 4-9 unchanged]").
In a line comment, emphasis, a heading or nothing at all the line must be the claim and no more ("// rest of the file
unchanged"), since a text may well say such things of something else. Pure.
"""

from __future__ import annotations

from firewall.text.framing import Frame, frame
from firewall.text.pattern import Pattern

_DETERMINER = (
    r"(?:(?:the|all|of|this|these|those|your|my|any|our|from|in|to|and|der|die|das|des|dem|den|vom|von|dieses|dieser|"
    r"alle[ns]?|le|la|les|du|de|ce|cette|tout|toute|tous|toutes|et|el|los|las|lo|del|este|esta|todo|toda|todos|todas|"
    r"y|o|a|os|as|do|da|dos|das|deste|desta|e)\s+|[ld]['’])"
)
_NOUN = (
    r"(?:rest|remainder|everything(?: else)?|all else|reste|suite|resto|restante|lo demás|demás|demais|"
    r"übrige[sn]?|alles (?:andere|weitere|übrige))"
)
_ADJECTIVE = (
    r"(?:remaining|existing|previous|prior|original|other|preceding|following|subsequent|earlier|same|unchanged|omitted|"
    r"restliche\w*|übrige\w*|vorherige\w*|bestehende\w*|bisherige\w*|vorhandene\w*|weitere\w*|ursprüngliche\w*|"
    r"unveränderte\w*|existante?s?|précédente?s?|restante?s?|originale?s?|originaux|inchangée?s?|autres|suivante?s?|"
    r"existentes?|anterior(?:es)?|siguientes?|seguintes?|otr[ao]s?|outr[ao]s?|mism[ao]s?|mesm[ao]s?)"
)
_TEXT = (
    r"(?:contents?|texts?|sections?|documents?|documentation|files?|chapters?|paragraphs?|pages?|articles?|inhalte?s?|textes?|"
    r"abschnitte?[sn]?|kapitels?|datei(?:en)?|dokumente?s?|absatz(?:es)?|absätze|seiten?|contenus?|chapitres?|fichiers?|"
    r"paragraphes?|contenidos?|textos?|secci[oó]n(?:es)?|cap[ií]tulos?|archivos?|documentos?|p[aá]rrafos?|p[aá]ginas?|"
    r"conteúdos?|seç(?:ão|ões)|arquivos?|ficheiros?|par[aá]grafos?)"
)
_THING = (
    rf"(?:{_TEXT}|codes?|docs?|parts?|lines?|lists?|items?|entry|entries|rows?|steps?|functions?|methods?|class(?:es)?|"
    r"implementations?|logic|imports?|bod(?:y|ies)|tables?|story|script|notes?|material|details|data|examples?|headings?|"
    r"bullets?|points?|fields?|keys?|propert(?:y|ies)|props|components?|jsx|html|css|markup|markdown|config(?:uration)?|"
    r"settings|tests?|cases?|prose|poem|verses?|stanzas?|manuscript|guide|readme|modules?|blocks?|definitions?|rules|"
    r"options|commands|routes|styles|references|footnotes?|quelltext|teile?s?|zeilen|punkte|einträge|funktionen|methoden|"
    r"parties?|lignes?|fonctions?|méthodes?|éléments?|código|partes?|líneas?|linhas?|funci[oó]n(?:es)?|funç(?:ão|ões)|"
    r"m[eé]todos?|elementos?|itens)"
)
_STATE = (
    r"(?:unchanged|unmodified|untouched|unaltered|omitted|elided|skipped|truncated|snip(?:ped)?|abridged|abbreviated|"
    r"left out|not (?:shown|changed|modified|altered|touched|repeated|included)|identical|intact|(?:the )?same|"
    r"as (?:before|is|above|it (?:is|was)|they (?:are|were)|previously|in the original)|as-is|"
    r"preserved|retained|verbatim|"
    r"(?:no|without) (?:further |other |any )?changes?|for brevity|(?:does|do) not change|(?:doesn|don)['’]t change|"
    r"unverändert\w*|gleich|wie (?:bisher|zuvor|vorher|oben|gehabt|im original)|(?:aus|weg)gelassen|gekürzt|identisch|"
    r"(?:keine|ohne) änderung(?:en)?|nicht (?:geändert|verändert)|inchang\w+|identiques?|"
    r"(?:sans|aucun|pas de) (?:changement|modification)s?|omis\w*|comme (?:avant|ci-dessus|précédemment)|"
    r"ne change(?:nt)? pas|non modifié\w*|(?:le|la|les) mêmes?|iguale?s?|iguais|"
    r"sin (?:cambios?|modificar|modificaciones)|no (?:se )?(?:cambian?|modifican?)|inalterad\w+|(?:se )?mantienen?|"
    r"como (?:antes|estaba|acima)|idéntic\w+|sem (?:altera|mudan|modifica)\w+|não (?:se )?(?:mudam?|altera(?:m|d\w+)?)"
    r"|mantid\w+|mantém)"
)
_ALONE = (
    r"(?:unchanged|unmodified|omitted|elided|truncated|snip(?:ped)?|no changes?|unverändert|ausgelassen|gekürzt|"
    r"(?:keine|ohne) änderung(?:en)?|inchangé\w*|sans (?:changement|modification)s?|sin cambios|sem altera\w+)"
)
_LINK = (
    r"(?:is|are|was|were|be|been|being|has|have|will|should|must|to|it|that|which|still|exactly|just|all|for|now|on|at|"
    r"here|below|above|before|follows?|follow|continues?|goes|go|remains?|stays?|keeps?|kept|ist|sind|wird|werden|"
    r"bleib(?:t|en)|hier|folgt|folgen|unten|oben|est|sont|restent?|demeurent?|ici|suit|suivent|ci-dessous|es|son|está|"
    r"están|sigue[n]?|quedan?|permanecen?|permanece[m]?|se|aqu[ií]|aquí|va|vai|é|são|fica[m]?|continua[m]?|exactamente)"
)
_KEEP = (
    r"(?:keep|leave|insert|retain|include|add|restore|copy|paste|fill in|re-?add|put|preserve|mantener|manter|"
    r"conservar|garder|conserver|laisser|insérer|insertar|inserir|behalten|beibehalten|einfügen)"
)
_NOTED = r"(?:(?:todo|fixme|note|hinweis|nota)\W+)?"
_D = rf"(?:{_DETERMINER})*"
_OF_TEXT = (
    rf"(?:{_NOUN}(?:\s+{_D}(?:\w+\s+)?{_THING})?|{_ADJECTIVE}\s+(?:[\w-]+\s+)?{_THING}|{_THING}\s+{_D}{_ADJECTIVE})"
)
_LOOSE = Pattern(
    rf"(?i){_NOTED}(?:"
    rf"{_D}(?:{_NOUN}|{_ADJECTIVE})\b.{{0,60}}?\b{_STATE}(?:\W+\w+){{0,4}}"
    rf"|{_D}{_OF_TEXT}(?:\W+{_LINK})*(?:\W+[\w.-]+)?"
    rf"|{_KEEP}\s+{_D}(?:\w+\s+)?(?:{_NOUN}|{_ADJECTIVE}|as is|unchanged)\b.{{0,50}}"
    rf"|{_KEEP}\s+{_D}(?:{_TEXT}|code)(?:\W+\w+){{0,3}}?\W+(?:above|before|here|as is)"
    rf"|(?:{_D}{_THING}\b.{{0,30}}?\W)?{_ALONE}(?:\W+\w+){{0,6}}"
    rf"|{_D}{_THING}\s+(?:from|aus|du|del|do)\s+{_D}{_ADJECTIVE}\b.{{0,30}}"
    rf"|{_D}{_THING}\b.{{0,30}}?\W{_STATE}(?:\W+\w+){{0,3}}"
    r"|(?:see|as in|per|siehe|voir|ver|véase)\s+(?:the |das |l['’]|el |o )?original(?: (?:text|document|file|version))?"
    r"|(?:as|same as|identical to|wie|comme|como)\s+(?:in |the |im |dans |en |no |l['’])*"
    r"(?:original|before|above|previous(?:ly)?|earlier|existing|zuvor|vorher|avant|antes)(?:\W+\w+){0,2}"
    r")\W*\Z"
)
_INSIDE = Pattern(
    rf"(?i)(?:{_D}{_THING}\W+)?(?:continues?|goes here|follows|continúa|continua|geht weiter|suit)\W*\Z"
    rf"|.{{0,20}}?\b(?:{_NOUN}|remaining|existing)\b.{{0,60}}?\b{_STATE}(?:\W+\w+){{0,4}}\W*\Z"
)
_WHOLE = rf"(?:\W+{_LINK})*\W+{_STATE}(?: (?:as|here|from|in|for) ?\w*){{0,2}}\W*\Z"
_CLAIM = Pattern(rf"(?i){_NOTED}{_D}{_OF_TEXT}{_WHOLE}")
_TEXT_CLAIM = Pattern(rf"(?i){_D}{_NOUN}\s+{_D}{_TEXT}{_WHOLE}")
_NAMED = Pattern(
    rf"(?i){_NOTED}(?:{_D}(?:{_NOUN}\s+{_D}{_THING}|(?!following|same|other|unchanged|omitted){_ADJECTIVE}\s+{_THING}|"
    rf"{_THING}\s+{_D}(?:existant|existente|anterior|original|précédent)\w*)(?:\W+{_LINK})*"
    rf"|{_KEEP}\s+{_D}{_OF_TEXT}(?:\W+{_LINK})*|{_D}{_THING}(?:\W+[\d\W]+)?{_WHOLE}|{_ALONE})\W*\Z"
)
_HAN_KANA = Pattern("[\u3041-\u30ff\u3400-\u9fff]")
_REST = (
    "(?:其余|其餘|其他|其它|剩余|剩餘|余下|餘下|剩下|后续|後續|后面|後面|后文|後文|前文|前面|以下|以上|之前|之后|原有|现有|現有|原文|原来|"
    "已有|既有|未改动|中间|此处|这里|下文|上文|残り|以降|上記|前述|既存|その他|他の|元の|後半|前半|続き|従来)"
)
_PART = (
    "(?:内容|內容|文本|文字|代码|代碼|部分|章节|章節|段落|文档|文件|正文|条目|函数|方法|实现|小节|コード|文章|テキスト|セクション|章|記述|"
    "処理|実装|項目|関数|コンテンツ|ドキュメント|本文)"
)
_STAYS = (
    "(?:不变|不變|未变|没有变|无变化|無變化|没有改动|未改|不改|未动|未作修改|未修改|无修改|无改动|相同|一样|一致|省略|从略|略|同上|同前|"
    "照旧|照舊|原样|原状|同じ|同様|同文|変更なし|変更はありません|変更ありません|変わらない|変わりません|変わらず|変更しない|変更せず|"
    "のまま|維持|割愛|不変|続く|続きます)"
)
_LOOSE_HAN = Pattern(
    rf".{{0,12}}?(?:{_REST}.{{0,30}}?{_STAYS}|{_REST}.{{0,6}}?{_PART}(?:.{{0,2}}|をここに|はここ|放?在?这里|在此处)\Z|中略|後略|后略|前略|省略|同上|不变|不變|変更なし|"
    rf"保持(?:不变|原样)|{_PART}.{{0,6}}?{_STAYS}).{{0,8}}\Z|.{{0,2}}略\Z|{_REST}\Z"
)
_CLAIM_HAN = Pattern(rf"{_REST}.{{0,12}}?{_STAYS}.{{0,4}}\Z")
_TEXT_HAN = Pattern(rf"{_REST}[的の]?{_PART}.{{0,6}}?{_STAYS}(?:です|とします|する)?\Z")
_NAMED_HAN = Pattern(rf"{_REST}[的の]?{_PART}\Z|{_PART}.{{0,4}}{_STAYS}\Z|中略\Z|[后後]略\Z|以下略\Z|省略\Z")
_BARE = Pattern(r"[\s>\[\](){}<>（）【】［］*_`@|/#;%✂!-]*(?:\.{3,}|…+|⋯+)[\s\[\](){}<>（）【】［］*_`@|/✂!-]*\Z")
_ROW = Pattern(r"\|(?: ?(?:\.{3}|…)? ?\|)+\Z")
_SCISSORS = Pattern(r"(?:[-=\s✂✄]|8<|>8){2,}\Z")
_SEGMENT = Pattern(r"(.*?\S)\s*((?:\[|\(|<!--|/\*|（|【)[^\[\]()（）【】]{2,120}(?:\]|\)|-->|\*/|）|】)[\s.*_]{0,3})\Z")


def says_omitted(short: str) -> bool:
    """Is this line (squeezed) a marker that stands for text: dots alone, or a claim that something stays or is gone?"""
    if short.startswith("|"):
        return _ROW.match(short) is not None and ("..." in short or "…" in short)
    if _BARE.match(short):
        return True
    if ("✂" in short or "8<" in short or ">8" in short) and _SCISSORS.match(short):
        return True
    found = frame(short)
    return bool(found.core) and _says(found)


def _says(found: Frame) -> bool:
    core, loose = found.core, found.dots or found.closed
    if _HAN_KANA.search(core):
        core = "".join(core.split())
        if loose:
            return _LOOSE_HAN.match(core) is not None
        if found.comment or found.marked:
            return bool(_CLAIM_HAN.match(core) or _NAMED_HAN.match(core))
        return _TEXT_HAN.match(core) is not None
    if loose:
        return bool(_LOOSE.match(core) or (found.dots and _INSIDE.match(core)))
    if _TEXT_CLAIM.match(core):
        return True
    if not found.comment and not found.marked:
        return False
    return bool(_CLAIM.match(core) or (found.comment not in ("", "#") and _NAMED.match(core))) or (
        found.comment in ("", "--") and found.marked and _ALONE_ONLY.match(core) is not None
    )


_ALONE_ONLY = Pattern(rf"(?i){_ALONE}\Z")


def appended(short: str) -> tuple[str, bool] | None:
    """A line with a marker in brackets at its end: what stands before it, and has the marker dots? Else None."""
    found = _SEGMENT.match(short)
    if not found or not says_omitted(found.group(2)):
        return None
    return found.group(1), frame(found.group(2)).dots
