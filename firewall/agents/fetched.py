"""What git fetched in the turn and put into the work tree: people's work of elsewhere, that nobody here has seen.

It is judged like any other change, and counts as nobody's attempt: it is no agent's text. Where it is put back, HEAD
has it all the same, so that a commit of the work tree as it is now would take it back for everybody: the agent is told
that, and a person gets all of it as one change set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firewall.errors import StetError
from firewall.values import TYPE_CHECKING

if TYPE_CHECKING:
    from firewall.agents.restoring import Restored
    from firewall.agents.sweep import Item, Swept
    from firewall.agents.turns import Turn
    from firewall.writes.git import Repository
    from firewall.writes.proxy import WriteProxy

MOST = 12
"""Files of which git is asked each for itself whether something fetched changed them."""


def find(proxy: WriteProxy, turn: Turn, items: Sequence[Item]) -> dict[str, str]:
    """Those of the files that are as HEAD has them, by something that was fetched since the turn began; by their
    paths, the last commit that changed each. Where git cannot be asked, none."""
    from firewall.agents import adopting, provenance
    from firewall.writes.git import find_repository

    items = [i for i in items if not i.moved_to and i.reading is not None and adopting.is_after_git(proxy, turn, i)]
    if not items:
        return {}
    try:
        repository = find_repository(proxy.root)
        then = provenance.commits_then(proxy, turn)
        head = repository.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") if repository else ""
        if repository is None or not head or not provenance.missing_from(repository, then, [head]):
            return {}
        hasher = provenance.hash_name(repository)
        at = {i.path: repository.prefix + i.path for i in items}
        there = provenance.blobs_at(repository, head, at.values())
        items = [i for i in items if there.get(at[i.path], "-") in (provenance.blobs(hasher, i.data) or [""])]
        return _fetched(repository, then, head, {i.path: (at[i.path], there[at[i.path]]) for i in items})
    except (StetError, ValueError):
        return {}


def _fetched(
    repository: Repository, then: Sequence[str], head: str, paths: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    from firewall.agents import provenance

    remote = repository.run("for-each-ref", "--format=%(objectname)", "refs/remotes", action="list the refs")
    tips = remote.decode("ascii").split()
    tips += filter(None, [repository.ask("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}")])
    if not paths or not tips:
        return {}
    if not provenance.missing_from(repository, tips, [head]):
        return {path: _last(repository, then, (), at) for path, (at, _) in paths.items()}
    there = set(provenance.reachable(repository, tips, [pair for pair in paths.values() if pair[1]]))
    gone = [at for at, blob in paths.values() if not blob]
    for tip in (one for one in dict.fromkeys(tips) if gone and provenance.missing_from(repository, then, [one])):
        there |= {(at, blob) for at, blob in provenance.blobs_at(repository, tip, gone).items() if not blob}
    out = {}
    for number, (path, pair) in enumerate(paths.items()):
        alone = _last(repository, then, tips, pair[0]) if number < MOST else ""
        last = _last(repository, then, (), pair[0]) if number < MOST else ""
        if pair in there or (last and last != alone):
            out[path] = last
    return out


def _last(repository: Repository, then: Sequence[str], others: Sequence[str], at: str) -> str:
    """The last commit of HEAD's that is new since then, none of the others' and changed a path, as people name it."""
    lines = "".join(f"^{one}\n" for one in (*then, *others) if one)
    words = ("log", "-1", "--no-merges", "--format=%h (%s)", "HEAD", "--stdin")
    data = f"{lines}--\n{at}\n".encode("utf-8", "surrogateescape")
    return repository.run(*words, data=data, action="list the commits").decode("utf-8", "replace").strip()


def together(proxy: WriteProxy, restored: Restored, of_head: Mapping[str, str]) -> None:
    """Let what was fetched, put back and offered wait for a person as one change set, whatever refused it. The locks
    are held."""
    held = [result.held for (item, _, result), _, _ in restored.done if item.path in of_head and result.held]
    if not held:
        return
    from firewall.writes import holding

    holding.together(proxy, held)
    if proxy.force.alerts.held:
        from firewall.writes.notify import held_alerts

        proxy.tell_later(held_alerts(proxy.ledger, held))


def told(one: Swept, of_head: Mapping[str, str]) -> Swept:
    """What is said of a file that was put back, with what that means for the next commit."""
    if one.path not in of_head or one.result is None:
        return one
    commit = of_head[one.path]
    ident = one.result.held or (one.result.alert.id if one.result.alert else "")
    lands = f" with `stet approve {ident}`" if ident else ""
    said = (
        f"HEAD has it as it was fetched{f', in {commit}' if commit else ''}: the work tree is not HEAD's here, and"
        f" committing {one.path} as it is now reverts that. Leave it out of commits until a person lands it{lands}."
    )
    return one._replace(message=f"{one.message} {said}")
