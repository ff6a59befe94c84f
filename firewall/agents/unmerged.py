"""A file that git left with both sides of a conflict in it stays as git left it: put back, it would look as if it had
been resolved for one side, and all that the other brought would be gone with the next commit.

It is told of once, counts as no attempt, and is nobody's baseline: once no marker is left it is judged by what was
there before the merge. So that markers are no way past the rules, one of its sides alone must pass them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING
from firewall.verdict import Outcome

if TYPE_CHECKING:
    from firewall.agents.sweep import Item, Swept
    from firewall.writes.bench import Assessed
    from firewall.writes.paths import Target
    from firewall.writes.proposal import Proposal
    from firewall.writes.proxy import WriteProxy

MARK = b"<<<<<<<"
_CONFLICT = re.compile(
    rb"^<{7}[^\n]*\n(?P<ours>.*?)(?:^\|{7}[^\n]*\n.*?)?^={7}\r?\n(?P<theirs>.*?)^>{7}[^\n]*(?:\n|\Z)", re.M | re.S
)
_MOST_MARKS = 500
"""Conflicts of a file; of more, that may all be open, each would be looked for to the end of the file."""
_MOST = 200
"""Files that are remembered so; a merge of more leaves some to be judged again."""


def is_noted(proxy: WriteProxy, item: Item) -> bool:
    """Was it left as it is now, and told of?"""
    if item.data is None or item.reading is None or MARK not in item.data:
        return False
    return _noted(proxy).get(item.path) == item.reading.sha256


def stay(proxy: WriteProxy, bad: Sequence[tuple[Item, Assessed]]) -> list[Swept]:
    """Those of the refused that stay as git left them; noted, and what is said of each. The locks are held."""
    asked = [item for item, _ in bad if item.data is not None and _has_conflict(item.data) and not item.moved_to]
    if not asked:
        return []
    from firewall.agents.judging import wanted
    from firewall.agents.sweep import LEFT, Swept

    theirs = _of_git(proxy)
    stays = [i for i in asked if i.path in theirs and _passes(proxy, wanted(proxy, i), i.data or b"")]
    if stays:
        noted = {**_noted(proxy), **{item.path: item.reading.sha256 for item in stays if item.reading}}
        with proxy.ledger.transaction(durable=False):
            proxy.ledger.set_meta(_key(proxy), json.dumps(dict(list(noted.items())[-_MOST:])))
    return [Swept(item.path, LEFT, None, _message(item)) for item in stays]


def stands(proxy: WriteProxy, path: str, sha: str) -> bool:
    """Are these the bytes in which git left the file?"""
    return _noted(proxy).get(path) == sha


def lets(proxy: WriteProxy, a: Assessed) -> bool:
    """May this be written where git left conflicts, though some are still in it? One after the other is resolved."""
    data = a.proposal.content
    if data is None or a.verdict.allowed or not _has_conflict(data) or a.target.relative not in _noted(proxy):
        return False
    if any(f.rule == "unread" and f.outcome >= Outcome.HOLD for f in a.verdict.findings):
        return False
    return a.target.relative in _of_git(proxy) and _passes(proxy, (a.proposal, a.target, a.new_target), data)


def cut_off(proxy: WriteProxy, items: Sequence[Item]) -> set[str]:
    """The paths of files, put back as they were before a merge, that git still has in several versions: what the other
    side brought is in none of them now, and nothing shows it."""
    noted = _noted(proxy)
    asked = {item.path for item in items if item.path in noted or MARK in (item.data or b"")}
    return asked & _of_git(proxy) if asked else set()


def again(path: str) -> str:
    """How to have both sides again."""
    from firewall.writes.alerts import quoted

    return (
        " That was before git's merge, so all that the other side brought is out of the file too:"
        f" `git checkout --merge {quoted(path)}` brings back the conflict with both sides."
    )


def _has_conflict(data: bytes) -> bool:
    return 0 < data.count(MARK) <= _MOST_MARKS and _CONFLICT.search(data) is not None


def _of_git(proxy: WriteProxy) -> set[str]:
    """The files that git's index has in more than one version."""
    from firewall.writes.git import find_repository

    try:
        repository = find_repository(proxy.root)
        out = repository.run("ls-files", "--unmerged", "-z", action="list conflicts") if repository else b""
    except (StetError, ValueError, OSError):
        return set()
    names = [line.partition(b"\t")[2].decode("utf-8", "surrogateescape") for line in out.split(b"\0") if line]
    return {name for name, versions in Counter(names).items() if versions > 1}


def _passes(proxy: WriteProxy, wanted: tuple[Proposal, Target, Target | None], data: bytes) -> bool:
    """Would it pass with one side of each conflict? In a rebase it is theirs that was there before."""
    from firewall.writes.assess import assess

    for side in (rb"\g<ours>", rb"\g<theirs>"):
        resolved = wanted[0]._replace(content=_CONFLICT.sub(side, data), declared=None)
        if assess(proxy.bench(), [(resolved, *wanted[1:])])[0].verdict.allowed:
            return True
    return False


def _message(item: Item) -> str:
    count = len(_CONFLICT.findall(item.data or b""))
    what = "a conflict" if count == 1 else f"{count} conflicts"
    return (
        f"{item.path} has {what} of a merge in it. It stays as git left it and is accepted once no marker is left:"
        " write what is right in place of each conflict, and keep what both sides brought elsewhere. It counts as no"
        " attempt."
    )


def _key(proxy: WriteProxy) -> str:
    return f"unmerged-{proxy.ledger.root_id}"


def _noted(proxy: WriteProxy) -> dict[str, str]:
    try:
        value = json.loads(proxy.ledger.meta(_key(proxy)) or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
