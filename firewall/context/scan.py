"""A first look at text in linear time and at memory speed: where could something stand that `re` must judge?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=2048)
def compiled(pattern: str) -> Any:
    """`pattern` in RE2, which says nothing on stderr; compiled once."""
    import re2

    options = re2.Options()
    options.max_mem = 16 << 20
    options.log_errors = False
    return re2.compile(pattern, options)


@lru_cache(maxsize=64)
def octets(pattern: str) -> Any:
    """As `compiled`, for bytes."""
    import re2

    options = re2.Options()
    options.max_mem = 16 << 20
    options.log_errors = False
    return re2.compile(pattern.encode(), options)


def has(pattern: str, text: str) -> bool:
    """Does `pattern` match in `text`? Every character but those of ASCII counts as a question mark."""
    return octets(pattern).search(text.encode("ascii", "replace")) is not None


def places(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Where `pattern` matches in `text`, in order and apart. Characters as in `has`."""
    for match in octets(pattern).finditer(text.encode("ascii", "replace")):
        yield match.span()
