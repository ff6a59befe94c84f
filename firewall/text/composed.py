"""One text in two forms of Unicode: letters with their marks as one character (NFC) or as several (NFD). Pure.

A Mac's file names, some editors and some converters turn one into the other, and a reader sees no difference; of Korean
no word is left the same. Texts are compared in one form where they differ by it, and never written so.
"""

from __future__ import annotations

from firewall.text.diff import changed_window


def alike(old: str, new: str) -> tuple[str, str]:
    """Both texts as they are, or both as NFC where a word of the changed stretch is the same in both but for its form.
    Linear in that stretch; texts of ASCII cost nothing."""
    if old.isascii() or new.isascii():
        return old, new
    window = changed_window(old, new)
    before, after = old[window.start : window.old_end], new[window.start : window.new_end]
    if before.isascii() or after.isascii():
        return old, new
    from unicodedata import is_normalized, normalize

    if is_normalized("NFC", before) and is_normalized("NFC", after):
        return old, new
    had, has = set(before.split()), set(after.split())
    gone = {normalize("NFC", word) for word in had - has}
    if not any(normalize("NFC", word) in gone for word in has - had):
        return old, new
    return normalize("NFC", old), normalize("NFC", new)
