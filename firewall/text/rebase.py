"""Bringing a change that was made from an older text to the text as it is now. Pure.

For changes in one place: lines put in, or a run of lines replaced. What cannot be placed without a guess is not placed.
"""

from __future__ import annotations

from collections.abc import Sequence


def rebase(base: bytes, proposed: bytes, now: bytes, later: Sequence[bytes] = ()) -> bytes | None:
    """`now` with what `proposed` changed in `base`; None where its place there is not certain.

    Lines put in go to where their neighbours stand. Of several changes put in at one place, those in `later` (texts
    that were proposed after this one) stay behind it. Nothing in `now` is lost but what `proposed` itself replaced.
    """
    old, new, there = (data.splitlines(keepends=True) for data in (base, proposed, now))
    if not old:  # made from nothing: what both begin with is no part of the change
        old = new[: _common(new, there)]
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    gone, put = old[head : len(old) - tail], new[head : len(new) - tail]
    if gone:
        found = _places(gone, there)
        return _joined(there, found[0], found[0] + len(gone), put) if len(found) == 1 else None
    place = _place(old[:head], old[head:], there)
    if place is None:
        return None
    start, end = place
    for text in later:
        chunk = [line for line in text.splitlines(keepends=True) if line.strip() and line not in old]
        at = next((i for i in range(start, end) if chunk and there[i] == chunk[0]), end)
        end = min(end, at)
    return _joined(there, end, end, put)


def inserted(base: bytes, proposed: bytes) -> bytes:
    """The lines that a change puts in, b'' where it replaces some."""
    old, new = base.splitlines(keepends=True), proposed.splitlines(keepends=True)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    return b"".join(new[head : len(new) - tail]) if head + tail == len(old) else b""


def _common(first: Sequence[bytes], second: Sequence[bytes]) -> int:
    """How many lines two texts begin with alike."""
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count


def _place(before: Sequence[bytes], after: Sequence[bytes], there: Sequence[bytes]) -> tuple[int, int] | None:
    """Between which lines of `there` the change belongs: behind its last neighbour above, before its first below."""
    start = _after(before, there)
    end = _before(after, there)
    if start is None or end is None or start > end:
        return None
    return start, end


def _after(before: Sequence[bytes], there: Sequence[bytes]) -> int | None:
    """The line behind the text above, known by as many of its last lines as make it the only such place."""
    if not any(line.strip() for line in before):
        return min(len(before), _common(before, there))
    for size in range(1, len(before) + 1):
        found = _places(before[-size:], there)
        if len(found) == 1 and any(line.strip() for line in before[-size:]):
            return found[0] + size
        if not found:
            return None
    return None


def _before(after: Sequence[bytes], there: Sequence[bytes]) -> int | None:
    """The line where the text below begins, known in the same way."""
    if not any(line.strip() for line in after):
        return len(there)
    for size in range(1, len(after) + 1):
        found = _places(after[:size], there)
        if len(found) == 1 and any(line.strip() for line in after[:size]):
            return found[0]
        if not found:
            return None
    return None


def _places(part: Sequence[bytes], there: Sequence[bytes]) -> list[int]:
    size = len(part)
    return [i for i in range(len(there) - size + 1) if there[i] == part[0] and list(there[i : i + size]) == list(part)]


def _joined(there: Sequence[bytes], start: int, end: int, put: Sequence[bytes]) -> bytes:
    """The text with lines put in, a blank line on each side of them where prose would run together."""
    above, below = b"".join(there[:start]), b"".join(there[end:])
    middle = b"".join(put)
    if above and not above.endswith(b"\n"):
        above += b"\n"
    if above.strip() and middle.strip() and not above.endswith((b"\n\n", b"\r\n\r\n")) and not middle.startswith(b"\n"):
        above += b"\n"
    if below.strip() and middle.strip():
        if not middle.endswith(b"\n"):
            middle += b"\n"
        if not middle.endswith((b"\n\n", b"\r\n\r\n")) and not below.startswith((b"\n", b"\r\n")):
            middle += b"\n"
    return above + middle + below
