"""What a shell command is about to do to files, as far as its text says so. Pure, apart from the grammar.

Only plain deletes and moves are read here, and calls of Stet itself: nobody can be asked about them afterwards.
Whatever else a command does, and whatever cannot be read (variables, scripts, encodings), is judged once it is done.
Nothing is run.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from firewall.agents import powershell
from firewall.agents.shell_words import Word, as_ascii, joined, parted, unwrapped, word_of
from firewall.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Final

    from tree_sitter import Node

_PYTHONS = ("python", "python3", "pypy", "pypy3")
DELETE: Final = "delete"
MOVE: Final = "move"
STET: Final = "stet"

STET_ALLOWED = frozenset(
    ("check", "write", "log", "show", "pending", "alerts", "clean", "plan", "verify", "lint", "status", "doctor")
)
"""Subcommands of `stet` that an agent's shell may run."""
_MATTERS = tuple("rm mv unlink shred stet firewall pipeline -delete trash -item pwsh powershell".split())
_DEEPEST = 5
"""How many shells inside shells are read."""


class Act(NamedTuple):
    """One plain delete or move, or a call of `stet`.

    `words` are what is deleted or moved, `target` where to; `folder` is where the command stands, relative to where
    the shell began. `recursive`: folders are meant with all that is in them. `names` are globs that the names of
    files must match (`find -name`). `into`: the target is a folder by the time of the move. For `stet`, `words` holds
    the subcommand, or nothing where it cannot be told.
    """

    does: str
    words: tuple[Word, ...] = ()
    target: str = ""
    folder: str = ""
    recursive: bool = False
    names: tuple[str, ...] = ()
    into: bool = False


def recognised(command: str, *, powershell: bool = False) -> list[Act]:
    """The plain deletes, moves and calls of `stet` in a command, in their order."""
    if powershell:  # near enough to read with the same grammar, but for what divides a path
        return _Reader(0, powershell=True).read(command.replace("\\", "/"), "")
    plain = command.replace("\\\n", "").replace("\\", "").replace("'", "").replace('"', "")
    if not any(word in plain.lower() for word in _MATTERS):
        return []
    return _Reader(0).read(command, "")


class _Reader:
    """Walks one command's syntax tree. `_folder` is None where nobody can tell."""

    def __init__(self, depth: int, *, powershell: bool = False) -> None:
        self._depth = depth
        self._powershell = powershell
        self._folder: str | None = ""
        self._acts: list[Act] = []
        self._made: set[str] = set()
        """Folders that the command has made by now."""

    def read(self, command: str, folder: str | None) -> list[Act]:
        """The acts of a command that begins in `folder`."""
        import tree_sitter_bash
        from tree_sitter import Language, Parser

        self._folder = folder
        self._text = command
        tree = Parser(Language(tree_sitter_bash.language())).parse(as_ascii(command).encode())
        self._walk(tree.root_node)
        return self._acts

    def _walk(self, node: Node) -> None:
        if node.type == "command":
            for child in node.children:
                if child.type != "command_name" or child.named_child_count:
                    self._inside(child)
            self._command(node)
            return
        if node.type in ("subshell", "command_substitution", "process_substitution"):
            kept = self._folder
            self._children(node)
            self._folder = kept
            return
        self._children(node)

    def _inside(self, node: Node) -> None:
        """Commands that stand in a word: `$(…)`."""
        if node.type in ("command_substitution", "process_substitution"):
            self._walk(node)
            return
        for child in node.children:
            self._inside(child)

    def _children(self, node: Node) -> None:
        for child in node.children:
            self._walk(child)

    def _command(self, node: Node) -> None:
        words: list[Word | None] = []
        for child in node.children:
            if child.type == "command_name":
                words.append(word_of(child.children[0] if child.children else child, self._text))
            elif child.type not in ("variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect"):
                words.append(word_of(child, self._text))
        self._run(words)

    def _run(self, words: Sequence[Word | None]) -> None:
        """One simple command, words that nobody can tell as None."""
        words = unwrapped(words)
        if not words or words[0] is None:
            return
        name = words[0].text.rsplit("/", 1)[-1]
        given = words[1:]
        if self._powershell or name.lower().endswith("-item"):
            name = name.lower()
            if name in powershell.OWN:
                self._cmdlet(name, given)
                return
        if name in ("cd", "set-location"):
            self._cd(given)
        elif name in ("bash", "sh", "dash", "zsh", "ksh", "pwsh", "powershell", "eval"):
            self._shell(name, given)
        elif name in ("stet", "stet-hook"):
            self._stet(name, given)
        elif name in _PYTHONS or name == "python" or name.startswith("python3"):
            if any(w is not None and w.text.split(".")[0] in ("firewall", "pipeline") for w in given[1:2]):
                self._acts.append(Act(STET))
        elif name == "find":
            self._find(given)
        elif name == "git":
            self._git(given)
        elif name == "xargs":
            self._xargs(given)
        elif name in ("rm", "unlink", "shred", "trash", "trash-put", "rmtrash"):
            self._delete(given, recursive=name.startswith("trash"), only_with="-u" if name == "shred" else "")
        elif name == "mv":
            self._move(given)
        elif name == "mkdir" and self._folder is not None:
            for word in given:
                if word is not None and not word.text.startswith("-"):
                    self._made.add(posixpath.normpath(joined(self._folder, word.text)))

    def _cd(self, given: Sequence[Word | None]) -> None:
        names = [w for w in given if w is None or not w.text.startswith("-") or w.text == "-"]
        if len(names) != 1 or names[0] is None or names[0].pattern or names[0].text == "-":
            self._folder = None
        elif self._folder is not None or names[0].text.startswith(("/", "~")):
            self._folder = joined(self._folder or "", names[0].text)

    def _cmdlet(self, name: str, given: Sequence[Word | None]) -> None:
        found = powershell.read(name, given)
        if found is not None and self._folder is not None and found[0]:
            does = DELETE if name in powershell.DELETES else MOVE
            self._acts.append(Act(does, tuple(found[0]), found[1], self._folder, found[3], found[2]))

    def _shell(self, name: str, given: Sequence[Word | None]) -> None:
        at = next((i for i, w in enumerate(given) if w and re.fullmatch(r"-[a-z]*c(ommand)?", w.text.lower())), -1)
        inner: Sequence[Word | None] = given if name == "eval" else given[at + 1 : at + 2] if at >= 0 else ()
        if not inner or any(w is None for w in inner) or self._depth >= _DEEPEST:
            return
        text = " ".join(w.text for w in inner if w is not None)
        inside = _Reader(self._depth + 1, powershell=name in ("pwsh", "powershell"))
        self._acts += inside.read(text, self._folder)

    def _stet(self, name: str, given: Sequence[Word | None]) -> None:
        if name == "stet":
            first = given[0] if given else Word("--help")
            if first is not None and (first.text in STET_ALLOWED or first.text in ("-h", "--help", "--version")):
                return
            self._acts.append(Act(STET, (first,) if first else ()))
        else:
            self._acts.append(Act(STET, (Word("hook"),)))

    def _delete(self, given: Sequence[Word | None], *, recursive: bool = False, only_with: str = "") -> None:
        flags, names = parted(given)
        if self._folder is None:  # nobody can tell which files the others are
            names = [n for n in names if n.text.startswith(("/", "~"))]
        if (
            only_with
            and not any(only_with[1] in f for f in flags if not f.startswith("--"))
            and "--remove" not in flags
        ):
            return
        deep = recursive or any(f == "--recursive" or (f[1:2] != "-" and ("r" in f or "R" in f)) for f in flags)
        if names:
            self._acts.append(Act(DELETE, tuple(names), folder=self._folder or "", recursive=deep))

    def _move(self, given: Sequence[Word | None]) -> None:
        if any(w is None for w in given):
            return
        into = ""
        rest: list[Word] = []
        words = [w for w in given if w is not None]
        i = 0
        while i < len(words):
            text = words[i].text
            if text in ("-t", "--target-directory") and i + 1 < len(words):
                into, i = words[i + 1].text, i + 2
                continue
            if text.startswith("--target-directory="):
                into = text.split("=", 1)[1]
            elif text == "--":
                rest += words[i + 1 :]
                break
            elif not text.startswith("-") or text == "-":
                rest.append(words[i])
            i += 1
        if not into and len(rest) < 2:
            return
        target = into or rest.pop().text
        if self._folder is None and not all(n.text.startswith(("/", "~")) for n in (*rest, Word(target))):
            return
        folder = self._folder or ""
        place = posixpath.normpath(joined(folder, target))
        is_folder = bool(into) or len(rest) > 1 or target.endswith("/") or place in self._made
        self._acts.append(Act(MOVE, tuple(rest), target, folder, recursive=True, into=is_folder))

    def _git(self, given: Sequence[Word | None]) -> None:
        i, kept = 0, self._folder
        while i < len(given):
            word = given[i]
            if word is None:
                return
            if word.text in ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"):
                value = given[i + 1] if i + 1 < len(given) else None
                if word.text == "-C" and value is not None and self._folder is not None:
                    self._folder = joined(self._folder, value.text)
                elif word.text == "-C":
                    self._folder = None
                i += 2
            elif word.text.startswith("-"):
                i += 1
            else:
                break
        rest = given[i + 1 :]
        what = next((w.text for w in given[i : i + 1] if w is not None), "")
        if what == "rm" and not any(w is not None and w.text in ("--cached", "-n", "--dry-run") for w in rest):
            self._delete(rest)
        elif what == "mv" and not any(w is not None and w.text in ("-n", "--dry-run") for w in rest):
            self._move(rest)
        self._folder = kept

    def _xargs(self, given: Sequence[Word | None]) -> None:
        """What comes through the pipe is not known; what stands in the command is, and so is a call of stet."""
        i = 0
        while i < len(given):
            word = given[i]
            if word is None:
                return
            if word.text in ("-I", "-n", "-P", "-L", "-d", "-s", "-a", "-E"):
                i += 2
            elif word.text.startswith("-"):
                i += 1
            else:
                break
        self._run([None if w is not None and "{}" in w.text else w for w in given[i:]])

    def _find(self, given: Sequence[Word | None]) -> None:
        """`find FOLDER… [-type f] [-name GLOB] -delete`, or `-exec rm {}`; with other tests nobody can tell."""
        if self._folder is None or any(w is None for w in given):
            return
        words = [w.text for w in given if w is not None]
        start = next((i for i, w in enumerate(words) if w.startswith(("-", "(", "!"))), len(words))
        roots = words[:start] or ["."]
        names: list[str] = []
        deletes = False
        i = start
        while i < len(words):
            if words[i] in ("-name", "-iname") and i + 1 < len(words):
                names.append(words[i + 1])
                i += 2
            elif words[i] == "-type" and words[i + 1 : i + 2] == ["f"]:
                i += 2
            elif words[i] == "-delete":
                deletes, i = True, i + 1
            elif words[i] in ("-exec", "-execdir") and words[i + 1 : i + 2] and words[i + 1].rsplit("/", 1)[-1] == "rm":
                end = next((j for j in range(i, len(words)) if words[j] in (";", "+", "\\;")), len(words))
                deletes, i = True, end + 1
            elif words[i] in ("-print", "-print0"):
                i += 1
            else:
                return
        if deletes:
            places = tuple(Word(root) for root in roots)
            self._acts.append(Act(DELETE, places, folder=self._folder, recursive=True, names=tuple(names)))
