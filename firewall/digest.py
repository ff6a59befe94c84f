"""sha256 without OpenSSL where there is little to hash.

hashlib loads OpenSSL, which takes longer than everything that an agent's hook hashes for one call. Python's own sha256,
which hashlib itself falls back on, is there at once and slower by the byte: past a size hashlib takes over.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing's own costs an import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MUCH = 500_000
"""Bytes after which OpenSSL is worth its loading."""


def _built_in() -> Callable[[bytes], Any]:
    for name in ("_sha2", "_sha256"):  # since Python 3.12, and before
        try:
            return import_module(name).sha256  # type: ignore[no-any-return]
        except (ImportError, AttributeError):
            continue
    import hashlib

    return hashlib.sha256


_left = MUCH
_own = _built_in()


def sha256(data: bytes) -> str:
    """Hex sha256 of the bytes."""
    global _left
    _left -= len(data)
    if _left >= 0:
        return str(_own(data).hexdigest())
    import hashlib

    return hashlib.sha256(data).hexdigest()


class Hashed:
    """Bytes whose hash is taken when somebody first asks for it; of None it is the empty string."""

    def __init__(self, data: bytes | None, known: str | None = None) -> None:
        self._data = data
        self._hex = known

    @property
    def hex(self) -> str:
        """Hex sha256."""
        if self._hex is None:
            self._hex = "" if self._data is None else sha256(self._data)
        return self._hex


def by_hash(hex_digest: str) -> Hashed:
    """What is known by its hash alone."""
    return Hashed(None, hex_digest)
