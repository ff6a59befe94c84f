"""The address and the secret of `stet serve`, kept in the record's folder where only the user reads."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from firewall.errors import StorageError

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

PATH = "/stet/hook"
FIRST_PORT = 20_000
PORTS = 20_000


def token_of(proxy: WriteProxy) -> str:
    """The secret that a hook must show, made at first use. Raises StorageError."""
    path = proxy.state / "serve.token"
    try:
        try:
            return path.read_text("ascii").strip()
        except FileNotFoundError:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "w") as file:
                file.write(secrets.token_urlsafe(32))
                file.flush()
                os.fsync(file.fileno())
            return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(action="read", path=path, reason=str(error)) from None


def port_of(proxy: WriteProxy) -> int:
    """The project's own port: settings name it, so it must stay the same. Made of the project's id."""
    return FIRST_PORT + int.from_bytes(proxy.policy.project.id.encode()[-8:], "big") % PORTS


def address(proxy: WriteProxy) -> str:
    """Where `stet serve` listens for hooks of this project."""
    return f"http://127.0.0.1:{port_of(proxy)}{PATH}"
