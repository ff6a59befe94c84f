"""sha256 is sha256, whoever computes it, and OpenSSL is loaded for much alone."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firewall import digest


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_it_is_that_of_hashlib_before_and_after_the_change_of_hands(texts: list[bytes]) -> None:
    for left in (digest.MUCH, 100, 0):
        digest._left = left
        assert [digest.sha256(text) for text in texts] == [hashlib.sha256(text).hexdigest() for text in texts]


def test_a_python_without_its_own_has_that_of_hashlib(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(digest, "import_module", missing)
    assert digest._built_in() is hashlib.sha256


@pytest.mark.parametrize(("size", "loaded"), [(1000, False), (digest.MUCH + 1, True)])
def test_openssl_is_loaded_for_much_only(size: int, loaded: bool) -> None:
    program = f"import sys; from firewall.digest import sha256; sha256(bytes({size})); print('_hashlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(loaded)
