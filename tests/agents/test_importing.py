"""A hook's own way to import finds what Python's finds: the same code, never that of another source."""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from firewall.agents import importing

TEXT = "VALUE = {}\n\n\ndef where():\n    return where.__code__.co_filename\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package `probed` with a module, a package in it, and the finder before all others."""
    made = tmp_path / "probed"
    (made / "inner").mkdir(parents=True)
    for file in (made / "__init__.py", made / "inner" / "__init__.py"):
        file.write_text("")
    (made / "one.py").write_text(TEXT.format(1))
    (made / "inner" / "two.py").write_text(TEXT.format(2))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "meta_path", [importing.Finder("probed"), *sys.meta_path])
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    yield made
    forget()


def forget() -> None:
    for name in [n for n in sys.modules if n.partition(".")[0] == "probed"]:
        del sys.modules[name]


def one(name: str = "probed.one") -> ModuleType:
    """The module, imported anew."""
    forget()
    return importlib.import_module(name)


def test_a_module_is_the_same_as_by_python(folder: Path) -> None:
    ours = one()
    assert isinstance(ours.__loader__, importing.Loader)
    assert ours.VALUE == 1
    assert one("probed.inner.two").VALUE == 2
    plain = importlib.util.spec_from_file_location("probed.one", folder / "one.py")
    assert plain is not None
    for at in (1, 2):  # with the bytecode that was written, and again
        ours = one()
        assert (ours.__file__, ours.__cached__, ours.__package__) == (plain.origin, plain.cached, "probed"), at
        assert ours.where() == str(folder / "one.py")
    assert Path(ours.__cached__).is_file()


def test_bytecode_of_another_source_is_not_taken(folder: Path) -> None:
    source = folder / "one.py"
    assert one().VALUE == 1
    kept = source.stat()
    source.write_text(TEXT.format(12))
    os.utime(source, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    assert one().VALUE == 12, "another size"
    source.write_text(TEXT.format(34))
    os.utime(source, (kept.st_atime + 5, kept.st_mtime + 5))
    assert one().VALUE == 34, "another time"


@pytest.mark.parametrize("spoilt", [b"", b"short", bytes(4), None], ids=["empty", "short", "number", "gone"])
def test_bytecode_that_is_spoilt_is_left_to_python(folder: Path, spoilt: bytes | None) -> None:
    cached = Path(one().__cached__)
    data = cached.read_bytes()
    if spoilt is None:
        cached.unlink()
    else:
        cached.write_bytes(spoilt + data[4:] if len(spoilt) == 4 else spoilt)
    assert one().VALUE == 1


def test_bytecode_checked_by_hash_is_left_to_python(folder: Path) -> None:
    py_compile.compile(str(folder / "one.py"), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    assert one().VALUE == 1
    (folder / "one.py").write_text(TEXT.format(2))
    assert one().VALUE == 2


def test_bytecode_kept_elsewhere_is_found_there(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    assert one().VALUE == 1
    assert one().__cached__ == importlib.util.cache_from_source(str(folder / "one.py"))
    assert Path(one().__cached__).is_file()


def test_a_package_comes_before_a_module_of_its_name_as_in_python(folder: Path) -> None:
    (folder / "inner.py").write_text(TEXT.format(3))
    inner = one("probed.inner")
    assert (inner.__file__, inner.__package__) == (str(folder / "inner" / "__init__.py"), "probed.inner")
    assert list(inner.__path__) == [str(folder / "inner")]
    (folder / "bare").mkdir()
    (folder / "bare.py").write_text(TEXT.format(4))
    assert one("probed.bare").VALUE == 4


def test_what_is_not_there_or_not_of_the_package_is_not_found(folder: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        one("probed.nothing")
    finder = importing.Finder("probed")
    for name in ("probed", "probedly.one", "json.decoder", "probed.nowhere"):
        assert finder.find_spec(name, [str(folder)]) is None
    assert finder.find_spec("probed.one") is None


USED = """import json, os, sys, firewall.agents.hook as h
os._exit = lambda status: None
sys.argv = ["stet-hook", "claude"]
h.main()
wrong = []
for name, module in list(sys.modules.items()):
    if name.startswith("firewall.") and not hasattr(module, "__path__"):
        cached = module.__spec__.cached
        if not os.path.samefile(module.__file__, module.__spec__.origin) or not cached.endswith(".pyc"):
            wrong.append(name)
ours = [n for n, m in sys.modules.items() if type(m.__loader__).__module__ == "firewall.agents.importing"]
print(json.dumps([len(ours), wrong]), file=sys.stderr)
"""


def test_a_hook_imports_so(tmp_path: Path) -> None:
    event = json.dumps({"hook_event_name": "Stop", "session_id": "s", "cwd": str(tmp_path)}).encode()
    done = subprocess.run([sys.executable, "-c", USED], input=event, cwd=tmp_path, capture_output=True, timeout=60)
    count, wrong = json.loads(done.stderr.splitlines()[-1])
    assert count > 5
    assert wrong == []
