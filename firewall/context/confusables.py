"""Letters that look like a Latin one, after Unicode's confusables.txt (UTS 39) and the small capitals.

Only letters that compatibility decomposition and case folding leave alone are listed: full-width and
mathematical letters are folded by Unicode itself. A letter that looks like two Latin ones is under the likelier.
"""

from __future__ import annotations

_LIKE = {
    "a": "ɑαаᎪᗅ⍺ꓮ𐊠𖽀ᴀ", "b": "ƅβвьᏏᏴᑲᖯᗷꓐꞵ𐊂𐊡𐌁ʙɓ", "c": "сᏟᴄⲥꓚ𐊢𐌂𐐽𐔜𑣩𑣲🝌ƈ", "d": "ԁᎠᏧᑯᗞᗪꓒꓓᴅđɖɗ",
    "e": "εеҽᎬ℮⋿ⴹꓰꬲ𐊆𑣎ᴇ𑣆", "f": "ϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂𝈓ꜰ", "g": "ƍɡԍցᏀᏳᶃꓖɢɠ", "h": "ηнһհᎻᏂᕼⲏꓧ𐋏ʜħɦ",
    "i": "ıɩɪιіӏᎥ⍳ꙇ𑣃ⲓᛁ𐌉", "j": "ʝϳјᎫᒍꓙᴊȷ", "k": "κкᏦᛕⲕꓗ𐔘ᴋƙ", "l": "ǀᏞᒪⳑⵏꓡꓲ𐊊𐑃𐔦𖼖𖼨ʟł𝈪∣⏽￨۱𐌠𑣒ʅƚ",
    "m": "μϻмᎷᗰᛖⲙꓟ𐊰𐌑ᴍɱ", "n": "νոռⲛꓠ𐔓ɴɲɳ", "o": "οσоօᴏᴑⲟⵔꓳꬽ𐊒𐊫𐐬𐓪𐔖𑣈𑣗𑣠ø০୦〇𑓐०੦૦௦౦೦൦๐໐၀۵ჿഠဝଠዐ𑣕ంಂംං", "p": "ρрᏢᑭ⍴ⲣꓑ𐊕ᴘƥ",
    "q": "ԛգզⵕꞯɋ", "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ𐓜𖼵𝈖ɼɽɾ", "s": "ƽѕտᏕᏚꓢꜱ𐊖𐑈𑣁𖼺ʂ", "t": "τтᎢ⊤ⲧꓔ𐊗𐊱𐌕𑣜𖼊ᴛŧ⟙🝨ƭʈȶ",
    "u": "ʋυսሀᑌᴜ∪⋃ꓴꞟꭎꭒ𐓶𑣘𖽂", "v": "ѵᏙᐯᴠ∨⋁ⴸꓦꛟ𐔝𑣀𖼈𝈍۷𑜆", "w": "ɯѡԝաᎳᏔᴡꓪ𑣯𑣦𑜊𑜎𑜏ⱳ", "x": "хχᕁᕽ᙭ⲭⵝꓫꭓ𐊐𐊴𐌗╳𐌢𑣬ᚷ𐔧᙮×⤫⤬⨯",
    "y": "ɣʏγуүყᎩᎽᶌỿⲩꓬꭚ𐊲𑣄𖽃ƴ", "z": "ζᏃᴢꓜ𐋵𑣥𑣉ʐʑȥ",
}  # fmt: skip

LATIN: dict[str, str] = {char: latin for latin, chars in _LIKE.items() for char in chars}
"""Look-alike to Latin letter, both lower case."""
for _first, _last in (
    (0x1F130, 0x1F149),
    (0x1F150, 0x1F169),
    (0x1F170, 0x1F189),
):  # letters in squares and rings
    LATIN.update({chr(code): chr(code - _first + 97) for code in range(_first, _last + 1)})
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
BEFORE_CASE: dict[str, str] = dict.fromkeys("ϲϹ", "c")
"""Look-alikes that case folding would take for another letter."""
