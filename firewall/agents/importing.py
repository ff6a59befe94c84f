"""Imports the modules of a package in two thirds of the time, for a process that imports eighty and ends.

Python asks the disk thirteen times for a module, since it could be of many kinds. Those of a package that lies in a
folder are of one: its source, and beside it the bytecode, which counts only if it was made of a source of this size
and time, as Python itself has it. Whatever is not just so is left to Python.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from _imp import _fix_co_filename  # type: ignore[attr-defined]
from marshal import loads

from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

_HEAD = 16
"""Bytes before the code: Python's number, what kind of check, time and size of the source."""
_CHECKED_BY_TIME = bytes(4)


class Loader(SourceFileLoader):
    """Loads a module's bytecode where it is that of its source, else as Python does."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code."""
        try:
            source = os.stat(self.path)  # noqa: PTH116 - as below
            file = os.open(bytecode(self.path), os.O_RDONLY | os.O_CLOEXEC)
            try:
                data = os.read(file, os.fstat(file).st_size)
            finally:
                os.close(file)
            made_of = int(source.st_mtime).to_bytes(4, "little") + source.st_size.to_bytes(4, "little")
            if data[:_HEAD] != MAGIC_NUMBER + _CHECKED_BY_TIME + made_of:
                return super().get_code(fullname)
            code: CodeType = loads(memoryview(data)[_HEAD:])  # noqa: S302 - as Python does
        except (OSError, OverflowError, ValueError, EOFError, TypeError):
            return super().get_code(fullname)
        _fix_co_filename(code, self.path)
        return code


class Finder:
    """Finds the modules and packages in one package. What is not there is left to Python."""

    def __init__(self, package: str) -> None:
        self._inside = f"{package}."

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None  # noqa: ARG002
    ) -> ModuleSpec | None:  # fmt: skip
        """As of Python's own finders."""
        if not path or not name.startswith(self._inside):
            return None
        place = f"{path[0]}/{name.rpartition('.')[2]}"
        file, inner = f"{place}.py", f"{place}/__init__.py"
        if os.path.isfile(inner):  # noqa: PTH113 - a hook's first imports; a folder comes before a file, as in Python
            spec = ModuleSpec(name, Loader(name, inner), origin=inner, is_package=True)
            spec.submodule_search_locations = [place]
            file = inner
        elif os.path.isfile(file):  # noqa: PTH113
            spec = ModuleSpec(name, Loader(name, file), origin=file)
        else:
            return None
        spec.has_location = True
        spec.cached = bytecode(file)
        return spec


def bytecode(source: str) -> str:
    """Where Python keeps the bytecode of a source file."""
    folder, _, name = source.rpartition("/")
    cache = f"{sys.pycache_prefix}{folder}" if sys.pycache_prefix else f"{folder}/__pycache__"
    return f"{cache}/{name[:-3]}.{sys.implementation.cache_tag}.pyc"


def install(package: str) -> None:
    """Import the modules of the package so from now on, where Python keeps bytecode as it does by default."""
    if os.name == "posix" and not sys.flags.optimize and sys.implementation.cache_tag:
        sys.meta_path.insert(0, Finder(package))
