"""How the mark moves. Pure.

An accepted version in which every word of the mark survives in order becomes the mark, so that new text
is protected as soon as it lands, and a version that lost a word does not lower what is measured against.
"""

from __future__ import annotations

from firewall.text.diff import keeps_every_word


def after(
    mark: bytes | None, disk: bytes | None, new: bytes | None, structural: tuple[int, int] | None
) -> bytes | None:
    """The mark once `new` is accepted over `disk`; None for no file.

    A structural replacement is the pipeline's own: its range of the mark is replaced as well, where the
    mark still holds that range once and unchanged.
    """
    if mark is None or new is None:
        return new
    if structural is not None and disk is not None:
        start, end = structural
        if mark == disk:
            return new
        old_piece = disk[start:end]
        new_piece = new[start : len(new) - (len(disk) - end)]
        if old_piece and mark.count(old_piece) == 1:
            mark = mark.replace(old_piece, new_piece, 1)
    if keeps_every_word(mark.decode("utf-8", "replace"), new.decode("utf-8", "replace")):
        return new
    return mark
