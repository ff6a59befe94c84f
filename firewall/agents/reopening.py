"""Opens a project whose policy or record cannot be read as it is: what an agent spoilt in its turn is put back first.

Few calls come here, so it is no part of the hook itself, which is imported for every one.
"""

from __future__ import annotations

from pathlib import Path

from firewall.agents import turns
from firewall.agents.events import Event
from firewall.agents.sweep import Swept, settle
from firewall.errors import StetError
from firewall.writes.paths import POLICY_FILE
from firewall.writes.proxy import WriteProxy


def as_pinned(root: Path, state: Path, event: Event, error: StetError) -> tuple[WriteProxy, list[Swept]]:
    """The project, open under the policy in force, and what was put back so that it could be. Raises `error`, for which
    it could not be opened, where no turn is open, since a person may have changed it then."""
    with WriteProxy.as_pinned(root, state, session=event.session, source=event.runtime) as proxy:
        is_open = turns.current(proxy.ledger, proxy.ledger.root_id, proxy.origin().at) is not None
        done = settle(proxy, event.session) if is_open else []
        if not (root / POLICY_FILE).exists():
            from firewall.agents import git_settings

            if git_settings.is_elsewhere(proxy):
                return WriteProxy.as_pinned(root, state, session=event.session, source=event.runtime), done
        if not is_open:
            raise error
    return WriteProxy.recorded(root, state, session=event.session, source=event.runtime), done
