"""Letters that look like a Latin one, after Unicode's confusables.txt (UTS 39) and the small capitals.

Only letters that compatibility decomposition and case folding leave alone are listed: full-width and
mathematical letters are folded by Unicode itself. A letter that looks like two Latin ones is under the likelier.
"""

from __future__ import annotations

import re
import unicodedata

_LIKE = {
    "a": "ɑαаᎪᗅ⍺ꓮ𐊠𖽀ᴀ", "b": "ƅβвьᏏᏴᑲᖯᗷꓐꞵ𐊂𐊡𐌁ʙɓ", "c": "сᏟᴄⲥꓚ𐊢𐌂𐐽𐔜𑣩𑣲🝌ƈ", "d": "ԁᎠᏧᑯᗞᗪꓒꓓᴅđɖɗ",
    "e": "εеҽᎬ℮⋿ⴹꓰꬲ𐊆𑣎ᴇ𑣆", "f": "ϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂𝈓ꜰ", "g": "ƍɡԍցᏀᏳᶃꓖɢɠ", "h": "ηнһհᎻᏂᕼⲏꓧ𐋏ʜħɦ",
    "i": "ıɩɪιіӏᎥ⍳ꙇ𑣃ⲓᛁ𐌉", "j": "ʝϳјᎫᒍꓙᴊȷ", "k": "κкᏦᛕⲕꓗ𐔘ᴋƙ", "l": "ǀᏞᒪⳑⵏꓡꓲ𐊊𐑃𐔦𖼖𖼨ʟł𝈪∣⏽￨۱𐌠𑣒ʅƚ",
    "m": "μϻмᎷᗰᛖⲙꓟ𐊰𐌑ᴍɱ", "n": "νոռⲛꓠ𐔓ɴɲɳ", "o": "οσоօᴏᴑⲟⵔꓳꬽ𐊒𐊫𐐬𐓪𐔖𑣈𑣗𑣠ø০୦〇𑓐०੦૦௦౦೦൦๐໐၀۵ჿഠဝଠዐ𑣕ంಂംං", "p": "ρрᏢᑭ⍴ⲣꓑ𐊕ᴘƥ",
    "q": "ԛգզⵕꞯɋ", "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ𐓜𖼵𝈖ɼɽɾ", "s": "ƽѕտᏕᏚꓢꜱ𐊖𐑈𑣁𖼺ʂ", "t": "τтᎢ⊤ⲧꓔ𐊗𐊱𐌕𑣜𖼊ᴛŧ⟙🝨ƭʈȶ",
    "u": "ʋυսሀᑌᴜ∪⋃ꓴꞟꭎꭒ𐓶𑣘𖽂", "v": "ѵᏙᐯᴠ∨⋁ⴸꓦꛟ𐔝𑣀𖼈𝈍۷𑜆", "w": "ɯѡԝաᎳᏔᴡꓪ𑣯𑣦𑜊𑜎𑜏ⱳ", "x": "хχᕁᕽ᙭ⲭⵝꓫꭓ𐊐𐊴𐌗╳𐌢𑣬ᚷ𐔧᙮×⤫⤬⨯",
    "y": "ɣʏγуүყᎩᎽᶌỿⲩꓬꭚ𐊲𑣄𖽃ƴ", "z": "ζᏃᴢꓜ𐋵𑣥𑣉ʐʑȥ",
}  # fmt: skip

# Letters that confusables.txt (of 2025) takes for a Latin one with a stroke, a bar, a hook or a tail.
_CHANGED = {
    "a": "⍶", "b": "ҍѣᑳ", "c": "ҫင", "d": "ð", "e": "ҿ", "h": "ћңӈӊꚕⱨ", "i": "ւᵼ⍸", "k": "қҟⱪ",
    "l": "𑷚𑷡𖺪", "m": "ӎ", "n": "ŋղ", "o": "ɵөѳϭꬾꝋⲑⵁ០", "p": "ƿϸⳏ", "r": "ғ", "s": "ട", "t": "ҭ", "u": "џᵾʉ",
    "w": "ⲽꝡ", "x": "ҳ", "y": "ұ",
}  # fmt: skip
# The many Latin letters with a stroke and the like that Unicode neither decomposes nor folds, by their names.
_WITH = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL|SMALL CAPITAL LETTER) (?:CAPITAL )?([A-Z]) WITH .*")
_LATIN_BLOCKS = (
    (0x80, 0x2B0),
    (0x1D00, 0x1DC0),
    (0x2C60, 0x2C80),
    (0xA720, 0xA800),
    (0xAB30, 0xAB70),
    (0x1DF00, 0x1DF2B),
)


def _with_strokes() -> dict[str, str]:
    out: dict[str, str] = {}
    for low, high in _LATIN_BLOCKS:
        for char in map(chr, range(low, high)):
            match = _WITH.fullmatch(unicodedata.name(char, ""))
            if match and unicodedata.normalize("NFKD", char) == char:
                out[char] = match.group(1).lower()
    return out


LATIN: dict[str, str] = {char: latin for latin, chars in _LIKE.items() for char in chars}
"""Look-alike to Latin letter, both lower case."""
for _first, _last in (
    (0x1F130, 0x1F149),
    (0x1F150, 0x1F169),
    (0x1F170, 0x1F189),
):  # letters in squares and rings
    LATIN.update({chr(code): chr(code - _first + 97) for code in range(_first, _last + 1)})
LATIN.update({chr(code): chr(code - 0x1CCD6 + 97) for code in range(0x1CCD6, 0x1CCF0)})  # letters in outline
for _char, _latin in (*_with_strokes().items(), *((c, a) for a, chars in _CHANGED.items() for c in chars)):
    LATIN.setdefault(_char, _latin)
# Cherokee folds to upper case under Unicode's case folding, other scripts to lower: list both.
LATIN.update({char.casefold(): latin for char, latin in list(LATIN.items()) if len(char.casefold()) == 1})

ALTERNATE: dict[str, str] = {
    **dict.fromkeys("ꓲ𐊊𖼨ⵏǀ∣⏽￨۱𐌠", "i"),  # a plain stroke is a small L or a large I
    **dict.fromkeys("ІӀӏΙᎥⲒᛁ𐌉", "l"),
    **dict.fromkeys("νɴ", "v"),  # small nu; the large one is N
    **dict.fromkeys("Υϒϓϔ", "y"),
    **dict.fromkeys("ηƞ", "n"),
    "ƚ": "t",
}
"""Letters that look like a second Latin one as well; a text that has any is read both ways."""
BEFORE_CASE: dict[str, str] = {"ϲ": "c", "Ϲ": "c", "İ": "i"}
"""Letters that case folding would take for another one: two look-alikes, and the capital of the Turkish i."""
SAME: dict[str, str] = {
    "\u06a9": "\u0643", "\u06cc": "\u064a", "\u0649": "\u064a",
    "\u06c1": "\u0647", "\u06be": "\u0647", "\u06d5": "\u0647",
    "ё": "е", "Ё": "Е",
}  # fmt: skip
"""Letters that stand for one another in spelling: kaf, yeh and heh of Arabic, Persian and Urdu; Russian io."""
