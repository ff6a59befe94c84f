"""A chat's opening and closing words around a text, in seven languages. Pure.

What a model says when it hands a text over ("Here is the revised chapter:", "Let me know if you'd like any changes").
Both kinds name what was done to a text, or offer to do more to it: a letter that hopes for an answer does neither.
"""

from __future__ import annotations

from firewall.text.pattern import Pattern

_LOOK = 400
"""Characters at either end that are looked at."""
_ENGLISH_SIGNS = (
    "sure", "certainly", "of course", "absolutely", "ok", "great", "good ", "alright", "got it", "understood", "here",
    "i'", "i’", "i have", "i will", "below", "possible answer", "as ", "done", "all ", "finished", "updated",
    "revised", "corrected", "edited", "rewritten", "thought for", "let me", "no problem", "happy to", "perfect",
    "assistant:", "now ", "first",
)  # fmt: skip
_OTHER_SIGNS = (
    "ok", "okay", "alles klar", "hier", "gern", "klar", "natürlich", "selbstverständlich",
    "sicher", "ich habe", "anbei", "wie ", "nachfolgend", "fertig", "erledigt", "voici", "bien sûr", "j'ai", "j’ai",
    "d'accord", "d’accord", "certainement", "avec plaisir", "comme ", "aquí", "claro", "por supuesto", "con gusto",
    "he ", "listo", "como ", "aqui", "com certeza", "segue", "pronto", "conforme", "corrigi", "atualizei", "revisei",
    "reescrevi", "当然", "好的", "好，", "没问题", "以下", "下面", "这是", "我已", "我把", "已", "根据", "按照",
    "もちろん", "はい", "承知", "かしこまり", "了解", "こちら", "更新", "修正", "改訂", "ご依頼", "ご要望", "ご指示",
)  # fmt: skip
_DONE = (
    r"(?:updated|revised|edited|corrected|improved|rewritten|modified|polished|translated|cleaned(?:[- ]up)?|fixed|"
    r"reformatted|expanded|shortened|requested)"
)
_TEXT = (
    r"(?:files?|documents?|texts?|versions?|chapters?|sections?|articles?|content|drafts?|translation|pages?|"
    r"paragraphs?|"
    r"markdown|essay|readme|guide|code|spelling|typos?|grammar|formatting|wording|changes?|edits?|corrections?|"
    r"headings?)"
)
_I_DID = r"(?:updated|revised|edited|corrected|rewritten|fixed|improved|reformatted|applied|translated|written|made)"
_ENGLISH_OPENING = Pattern(
    r"(?i)(?:"
    r"(?:sure|certainly|of course|absolutely|okay|ok|great|alright|got it|understood|no problem|happy to help|"
    r"perfect)\b"
    rf".{{0,20}}?[,.!:—-]\s*(?:here|i['’]ve|i have|below|this is|let me|i['’]ll|the {_DONE})\b.{{0,100}}?"
    rf"\b(?:{_DONE}|full|complete|{_TEXT}|for you)\b.*"
    rf"|(?:here(?:['’]s| is| are)|below (?:is|are)) (?:the|your|an?|"
    rf"my) .{{0,40}}?\b{_DONE}\b.{{0,40}}?\b{_TEXT}\b.{{0,80}}[:.!]"
    r"|(?:here(?:['’]s| is)|below is) (?:the|your) (?:full|complete|entire|new|final) (?:updated )?"
    r"(?:file|document|text|version|chapter|section|content)(?: (?:with|including|after)\b.{0,80})?[:.!]"
    r"|(?!.*\b(?:times|twice|years|ever since|when i was)\b)"
    rf"(?:now )?i(?:['’]ve| have) (?:now |also )?{_I_DID}\b.{{0,60}}?\b{_TEXT}\b.{{0,100}}[:.!]"
    rf"|as (?:requested|you asked|you requested|instructed|per your request)\b.{{0,60}}?\b(?:{_I_DID}|{_DONE}|"
    rf"{_TEXT})\b.*"
    rf"|(?:done|all done|finished|all set)[!.:—-].{{0,60}}?\b(?:{_DONE}|{_TEXT})\b.*"
    r"|(?:great|good) (?:question|catch)[!.].*"
    r"|(?:now |first,? )?(?:i['’]ll|i will|let me|i['’]m going to) (?:now )?(?:go ahead and )?"
    rf"(?:(?:update|edit|fix|rewrite|revise|apply)\b.{{0,40}}?\b(?:the|your|this|these|all)\b.{{0,30}}?\b{_TEXT}"
    r"|(?:write|create|make|add) (?:the|your|these|those) .{0,20}?(?:changes|edits|file|corrections))\b.*"
    rf"|{_DONE} {_TEXT} ?:"
    r"|thought for (?:\d+|a few) ?(?:s|sec|seconds?|minutes?)\b.{0,20}"
    r"|(?:possible answer|assistant) ?:.*|as an ai (?:language )?(?:model|assistant)\b.*"
    r")\Z"
)
_OTHER_OPENING = Pattern(
    r"(?i)(?:"
    # German
    r"(?:(?:gerne?|klar|natürlich|selbstverständlich|sicher|okay|ok|alles klar|fertig|erledigt)\b.{0,20}?[,.!:–-]\s*)?"
    r"(?:hier (?:ist|sind|kommt|findest du|finden sie)|anbei|nachfolgend|ich habe|wie (?:gewünscht|besprochen|"
    r"erbeten)|d(?:er|ie|as))\b"
    r".{0,60}?(?:(?:überarbeitet|aktualisiert|korrigiert|verbessert|angepasst|geändert|übersetzt|bearbeitet)\w*.{0,30}?"
    r"(?:datei|dokument|text|fassung|version|kapitel|abschnitt|artikel|inhalt|übersetzung)|(?:vollständige|"
    r"komplette)s? (?:datei|dokument)"
    r"|(?:datei|dokument|text|kapitel|abschnitt|artikel|rechtschreibung|tippfehler|fehler|änderungen)\b.{0,40}?"
    r"(?:überarbeitet|aktualisiert|korrigiert|behoben|angepasst|geändert|verbessert|übersetzt)).{0,80}[:.!]"
    # French
    r"|(?:(?:bien sûr|d['’]accord|certainement|avec plaisir)\b.{0,20}?[,.!:–-]\s*)?(?:voici|j['’]ai|"
    r"comme demandé)\b.{0,50}?"
    r"(?:(?:document|fichier|texte|version|chapitre|section|article|contenu|traduction)\b.{0,20}?"
    r"(?:mise?s? à jour|révisée?|corrigée?|modifiée?|réécrite?|traduite?|améliorée?)|"
    r"(?:mis à jour|révisé|corrigé|modifié|réécrit|traduit|amélioré)e?\b.{0,30}?"
    r"(?:document|fichier|texte|chapitre|section|article|fautes|orthographe|coquilles|erreurs)).{0,80}"
    # Spanish, Portuguese
    r"|(?:(?:claro|por supuesto|con gusto|com certeza|listo|pronto)\b.{0,20}?[,.!:–-]\s*)?"
    r"(?:aquí (?:tienes?|está|te dejo|va)|aqui (?:está|estão|vai)|segue(?: abaixo)?|he|como (?:pediste|"
    r"solicitaste)|conforme "
    r"(?:solicitado|pedido)|(?:eu )?(?=corrigi|atualizei|revisei|reescrevi|traduzi))\b.{0,50}?"
    r"(?:(?:documento|archivo|arquivo|ficheiro|texto|versi[oó]n|versão|cap[ií]tulo|secci[oó]n|seção|artículo|"
    r"artigo|contenido|conteúdo)\b"
    r".{0,20}?(?:actualizad|atualizad|revisad|corregid|corrigid|modificad|reescrit|traducid|traduzid|mejorad|"
    r"melhorad|editad|complet)"
    r"|(?:corregido|actualizado|revisado|reescrito|traducido|modificado|corrigi|atualizei|revisei|reescrevi|"
    r"traduzi)\b.{0,30}?"
    r"(?:documento|archivo|arquivo|texto|cap[ií]tulo|secci[oó]n|seção|errores|erratas|erros|ortografía|"
    r"ortografia)).{0,80}"
    # Chinese, Japanese
    r"|(?:(?:当然|好的|好|没问题|可以)[^\n]{0,10}?[，,。！!：:]\s*)?(?:以下|下面|这是|我已|我把|已|(?:根据|"
    r"按照)[您你]).{0,30}?"
    r"(?:修改|更新|修订|润色|翻译|改写|校对|调整|优化|修正)(?:(?:过|好|完|之)?[后後]?的?.{0,6}?(?:文档|文件|全文|"
    r"文本|章节|版本|译文|稿)|"
    r"(?:过|好|完|之)?[后後]的?.{0,6}?内容|了.{0,12}?(?:错别字|文档|文件|全文|内容)).{0,12}[：:。！]"
    r"|(?:(?:もちろん|はい|承知|かしこまり|了解).{0,15}?[、。！!]\s*)?.{0,12}?(?:更新|修正|改訂|校正|翻訳|編集)"
    r"(?:された|した|後の|済みの|版の?).{0,12}?(?:ドキュメント|ファイル|文書|文章|テキスト|原稿|バージョン|版|"
    r"内容|章).{0,30}[：:。]"
    r")\Z"
)
_CLOSE_SIGNS = (
    "let me know", "hope this", "hope that", "hope it meets", "just let", "just ask", "just say", "just tell",
    "feel free",
    "would you like", "anything else", "i've ", "i’ve ", "i have", "do you want", "shall i", "should i", "i kept",
    "changes made", "changes i made", "what i changed", "wissen", "bescheid", "soll ich", "hilft", "hésitez",
    "dites-moi", "savoir", "j'espère", "j’espère", "souhaitez", "voulez-vous", "avísame", "saber", "espero",
    "quieres", "dudes", "avise", "vontade", "quer que", "gostaria", "告诉我", "告知我", "帮助", "需要我", "お知らせ",
    "お申し付け", "お気軽", "参考になれば", "しましょうか",
)  # fmt: skip
_MORE = (
    r"(?:chang|edit|adjust|revis|rewrit|modif|expand|tweak|refin|shorten|translat|meets|further|format|continue|"
    r"version)"
    r"\w*"
)
_OFFER = (
    rf"(?:please )?let me know (?:if|whether|what|how|when)\b[^\n]{{0,80}}?\b{_MORE}\b[^\n]{{0,100}}"
    r"|(?:i )?hope (?:(?:this|that) (?:helps(?! (?:you|us|him|her|them|me|readers|people) to\b)|works|"
    r"looks)|(?:this|that|it) meets)\b[^\n]{0,120}"
    r"|if you(?:['’]d| would)? (?:like|want|need|prefer|have)\b[^\n]{0,80}?\b(?:let me know|just (?:ask|say|"
    r"tell me))\b[^\n]{0,40}"
    r"|(?:would you like|do you want) me to\b[^\n]{0,160}"
    r"|(?:shall|should) i (?:also |now )?(?:continue|proceed|go on|start|add|make|apply|update|write|fix|change|"
    r"expand|rewrite|"
    r"translate|do the same)\b[^\n]{0,120}\?"
    r"|is there anything else (?:you|i)\b[^\n]{0,120}"
    rf"|i(?:['’]ve| have) (?:also )?(?:made|updated|fixed|corrected|revised)\b[^\n]{{0,60}}?\b{_TEXT}\b[^\n]{{0,120}}"
    r"|(?:note: )?i(?:['’]ve| have)? (?:also )?(?:kept|preserved|left)\b[^\n]{0,60}?\b(?:unchanged|intact|"
    r"as (?:is|it was|they were)|"
    r"structure|formatting|headings|original)\b[^\n]{0,120}"
    r"|(?:changes i made|what i changed|(?<=\*\*)(?:summary of )?changes made) ?:?[*_]*[ \t]*\n(?:[ \t]*(?:[-*+]|"
    r"\d+[.)])[^\n]*\n?|[ \t]*\n)+"
    # German, French
    r"|(?:ich hoffe, (?:das|dies) hilft|(?:sag|gib|geben sie)(?: mir)? (?:gerne )?bescheid|lass(?:en sie)?(?: es)? mich"
    r"(?: bitte)? wissen|soll ich)\b[^\n]{0,160}"
    r"|(?:n['’]hésite[zs]? pas à me|dites?-moi si|faites-moi savoir|j['’]espère que (?:cela|ça)|(?:souhaitez|"
    r"voulez)-vous que je)\b"
    r"[^\n]{0,160}"
    # Spanish, Portuguese
    r"|(?:avísame|avíseme|h[aá](?:z|ga)me saber|d[eé]ja?me saber|espero que (?:esto |isso |isto )?(?:te |le |"
    r"o )?(?:ayude|sirva|ajude)|"
    r"¿?(?:quieres|quiere|quer|gostaria) que (?:eu )?(?:haga|continúe|continue|siga|cambie|faça|altere|añada|adicione)|"
    r"no dudes en (?:decirme|preguntarme|pedirme)|(?:me )?avise(?:-me)?|(?:me )?deixe(?:-me)? saber|"
    r"fique à vontade para (?:me|pedir|perguntar))\b[^\n]{0,160}"
    # Chinese, Japanese
    r"|[^\n]{0,40}?(?:(?:请|可以)?随时?(?:请)?告[诉知]我|请告[诉知]我|需要我[^\n]{1,30}吗|"
    r"希望(?:这|以上)(?:些|个)?(?:修改|信息|回答|版本|内容)?能?够?对[您你]有?所?帮助)[^\n]{0,40}"
    r"|[^\n]{0,50}?(?:お知らせください|お申し付けください|お気軽に(?:お(?:声|知)|ご連絡|ご質問)|参考になれば|"
    r"しましょうか)[^\n]{0,40}"
)
_QUESTIONS = (
    r"(?:please )?let me know (?:if|whether|what|how) (?:you(?:['’]d| would)? (?:like|want|need|prefer|have|"
    r"think)|this|that|it|anything|"
    r"i |there|any)[^\n]{0,140}|(?:please )?feel free to (?:ask|let me know|reach out)(?![^\n]*\b(?:us|our|forum|"
    r"issue|channel|via|at)\b)"
    r"[^\n]{0,120}"
)
_EDGE = r"(?:^|\n)[ \t>*_\[(#-]*(?![^\n]*\b(?:he|she|they) (?:said|says|wrote|writes|asked|asks|replied|added|told)\b)"
_CLOSING = Pattern(rf"(?i){_EDGE}(?:{_OFFER}|{_QUESTIONS})[\s*_\])]*\Z")
_OFFERING = Pattern(rf"(?i){_EDGE}(?:{_OFFER})[\s*_\])]*\Z")


def opening(text: str) -> bool:
    """Is the first line a chat's announcement of the text?"""
    line = text[: 2 * _LOOK].lstrip().split("\n", 1)[0].rstrip()
    if len(line) > _LOOK:
        return False
    line = " ".join(line.strip("*_ ¡¿").split())
    plain = line.lower()
    if plain.startswith(_ENGLISH_SIGNS) and _ENGLISH_OPENING.match(line):
        return True
    return plain.startswith(_OTHER_SIGNS) and _OTHER_OPENING.match(line) is not None


def closing(text: str, fresh: bool) -> str:
    """The last lines, where they are a chat's offer to do more, else ''. In a `fresh` text, which may be a letter, an
    invitation to ask is none."""
    tail = text[-_LOOK:].rstrip()
    plain = tail.lower()
    if not any(sign in plain for sign in _CLOSE_SIGNS):
        return ""
    found = (_OFFERING if fresh else _CLOSING).search(tail)
    return found.group().strip() if found else ""
