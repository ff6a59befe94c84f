"""Plain deletes and moves in PowerShell's own words, as far as they can be told from a command's words. Pure.

Names of commands and parameters are told apart by no case, and parameters may be cut short. What `Set-Content`,
`Out-File` and the like write is judged when it is on the disk, as with a redirection of any shell.
"""

from __future__ import annotations

from collections.abc import Sequence

from firewall.agents.shell_words import Word

DELETES = frozenset(("remove-item", "ri", "rm", "del", "erase", "rd", "rmdir"))
MOVES = frozenset(("move-item", "mi", "mv", "move"))
RENAMES = frozenset(("rename-item", "rni", "ren"))
OWN = DELETES | MOVES | RENAMES
_PATHS, _TARGETS, _NAMES = ("path", "literalpath", "pspath", "lp"), ("destination", "newname"), ("include", "filter")
_OTHERS = ("erroraction", "ea", "stream", "credential", "warningaction", "outvariable")


def read(name: str, given: Sequence[Word | None]) -> tuple[list[Word], str, tuple[str, ...], bool] | None:
    """The files that a command names, where to, the globs that their names must match, and whether folders are meant
    with all that is in them; None where that cannot be told."""
    names: list[Word] = []
    plain: list[Word] = []
    globs: list[str] = []
    target, deep = "", False
    i = 0
    while i < len(given):
        word = given[i]
        i += 1
        if word is None and name in DELETES:
            continue  # `-Confirm:$false`, or a file that nobody can tell
        if word is None:
            return None
        if not word.text.startswith("-"):
            plain += _listed(word)
            while word is not None and word.text.endswith(",") and i < len(given):
                word = given[i]
                plain += [] if word is None else _listed(word)
                i += 1
            continue
        flag, colon, _ = word.text[1:].lower().partition(":")
        if flag and ("whatif".startswith(flag) or "exclude".startswith(flag)):
            return None  # it only tells, or not these
        deep = deep or (len(flag) > 0 and "recurse".startswith(flag))
        kind = next((k for k in (_PATHS, _TARGETS, _NAMES, _OTHERS) if flag and any(n.startswith(flag) for n in k)), ())
        if not kind or (deep and "recurse".startswith(flag)):
            continue
        after = Word(word.text.partition(":")[2]) if colon else given[i] if i < len(given) else None
        i += 0 if colon else 1
        if after is None:
            return None
        if kind is _PATHS:
            names += _listed(after)
        elif kind is _TARGETS:
            target = after.text
        elif kind is _NAMES:
            globs.append(after.text)
    if name in DELETES:
        return names + plain, "", tuple(globs), deep
    if not target and plain:
        target = plain.pop().text
    if name in RENAMES and target and (names + plain):
        above = (names + plain)[0].text.replace("\\", "/").rpartition("/")
        target = "".join(above[:2]) + target
    return (names + plain, target, (), True) if target else None


def _listed(word: Word) -> list[Word]:
    """The parts of `a.md,b.md`; none of a brace, which ends a block there."""
    return [Word(part, word.pattern) for part in word.text.split(",") if part.strip("{}")]
