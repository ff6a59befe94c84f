"""The files that words of a shell command name, by looking at the disk; never for longer than a hook has time.

What is not looked at any more is judged once the command has run, as whatever no command says is.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from firewall.agents.shell_words import Word
from firewall.agents.walk import walk
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

MOST = 50_000
"""Names that are looked at for one command: those in its words, and those in folders that its patterns reach."""
LONGEST = 4_096
"""Characters of a word that can name a file on the systems that we know."""
_MAGIC = frozenset("*?[")


class Names:
    """Of one command. Looks at MOST names, and knows the project's files from one walk."""

    def __init__(self, proxy: WriteProxy) -> None:
        self._proxy = proxy
        self._left = MOST
        self._files: list[str] | None = None

    def paths(self, word: Word, here: Path) -> list[Path]:
        """The places that a word names where the shell stands in `here`, absolute."""
        self._left -= 1
        if self._left < 0 or len(word.text) > LONGEST:
            return []
        text = os.path.expanduser(word.text)  # noqa: PTH111 - pathlib raises where there is no such user
        if not word.pattern:
            return [Path(os.path.normpath(here / text))]
        return [here / name for name in self._matching(text, str(here))]

    def below(self, folder: Path) -> list[str]:
        """Guarded files in a folder, sorted. Of a folder above the project, all of the project's."""
        if self._files is None:
            self._files = sorted(walk(str(self._proxy.root), self._proxy.protection).paths())
        real = Path(os.path.realpath(folder))
        if self._proxy.root.is_relative_to(real):
            return self._counted(self._files)
        if not real.is_relative_to(self._proxy.root):
            return []
        prefix = real.relative_to(self._proxy.root).as_posix() + "/"
        start = bisect_left(self._files, prefix)
        end = bisect_left(self._files, prefix[:-1] + chr(ord("/") + 1), start)
        return self._counted(self._files[start:end])

    def _counted(self, names: list[str]) -> list[str]:
        """All of them, or none where too much was looked at before."""
        if self._left < 0:
            return []
        self._left -= len(names)
        return names

    def _matching(self, pattern: str, here: str) -> list[str]:
        """The names that are there and match, as the pattern has them: relative, or absolute."""
        found = ["/"] if pattern.startswith("/") else [""]
        for part in pattern.split("/"):
            if _MAGIC.isdisjoint(part):
                found = [os.path.join(base, part) for base in found]  # noqa: PTH118 - as the pattern has it
            else:
                found = [name for base in found for name in self._in(base, here, part)]
        return [name for name in found if os.path.lexists(os.path.join(here, name))]  # noqa: PTH118 - as above

    def _in(self, base: str, here: str, part: str) -> Iterator[str]:
        """Names in one folder that match; those with a dot in front only where the pattern has one."""
        try:
            with os.scandir(os.path.join(here, base)) as entries:  # noqa: PTH118 - as above
                for entry in entries:
                    self._left -= 1
                    if self._left < 0:
                        return
                    if (part[0] == "." or entry.name[0] != ".") and fnmatchcase(entry.name, part):
                        yield os.path.join(base, entry.name)  # noqa: PTH118 - as above
        except (OSError, ValueError):  # no folder, or no name that the system takes
            return
