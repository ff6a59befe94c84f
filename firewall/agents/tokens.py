"""The address and the secret of `stet serve`, kept in the record's folder where only the user reads."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from firewall.errors import StorageError
from firewall.writes import disk

if TYPE_CHECKING:
    from firewall.writes.proxy import WriteProxy

PATH = "/stet/hook"
LARGEST = 4096
"""Bytes of the file with the secret."""
FIRST_PORT = 20_000
PORTS = 20_000


_SECRET = re.compile(rb"[A-Za-z0-9_-]{43,}\s*")


def token_of(proxy: WriteProxy) -> str:
    """The secret that a hook must show, made at first use, and anew where the file holds none. Raises StorageError."""
    path = proxy.state / "serve.token"
    data = disk.read(path, LARGEST).data
    if data is None or not _SECRET.fullmatch(data):
        _make(path, anew=data is not None)
        data = disk.read(path, LARGEST).data or b""
    return data.decode("ascii").strip()


def _make(path: Path, *, anew: bool) -> None:
    """Put a new secret there, whole or not at all; one that somebody else put there meanwhile stays."""
    temp = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "wb") as file:
                file.write(secrets.token_urlsafe(32).encode())
                file.flush()
                os.fsync(file.fileno())
            if anew:
                temp.replace(path)
            else:
                with contextlib.suppress(FileExistsError):
                    path.hardlink_to(temp)
        finally:
            temp.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(action="write", path=path, reason=error.strerror or str(error)) from None


def port_of(proxy: WriteProxy) -> int:
    """The project's own port: settings name it, so it must stay the same. Made of the project's id."""
    return FIRST_PORT + int.from_bytes(proxy.policy.project.id.encode()[-8:], "big") % PORTS


def address(proxy: WriteProxy) -> str:
    """Where `stet serve` listens for hooks of this project."""
    return f"http://127.0.0.1:{port_of(proxy)}{PATH}"
