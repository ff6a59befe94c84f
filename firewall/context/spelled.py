"""What invisible characters spell: tags, variation selectors, two-valued bits."""

from __future__ import annotations


def spelled(chars: str) -> str:
    """What a run of invisible characters spells, or an empty text: tags, variation selectors, two-valued bits."""
    tags = "".join(chr(ord(c) - 0xE0000) for c in chars if 0xE0020 <= ord(c) <= 0xE007E)
    if len(tags) >= 2:
        return tags[:500]
    octets = bytes(
        ord(c) - 0xFE00 if ord(c) < 0xFE10 else ord(c) - 0xE0100 + 16
        for c in chars
        if 0xFE00 <= ord(c) <= 0xFE0F or 0xE0100 <= ord(c) <= 0xE01EF
    )
    if len(octets) >= 2:
        said = _readable(octets)
        if said:
            return said
    kinds = sorted(set(chars))
    if len(kinds) == 2 and len(chars) >= 16:
        for zero in kinds:
            bits = "".join("0" if c == zero else "1" for c in chars)
            for width in (8, 7):
                whole = len(bits) // width * width
                said = _readable(bytes(int(bits[i : i + width], 2) for i in range(0, whole, width)))
                if said:
                    return said
    return ""


def _readable(octets: bytes) -> str:
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        return ""
    return text[:500] if text.isprintable() else ""
