"""[store]: how long versions are kept. Pure."""

from __future__ import annotations

from pydantic import Field

from firewall.policy.base import Section


class Store(Section):
    """What `stet gc` lets go. What is in use, waits for an answer, or is newer than this is never let go."""

    keep_days: float = Field(default=90.0, ge=1, description="days that a version is kept after it left the disk")
    keep_versions: int = Field(default=5, ge=1, description="versions of each file that are kept, however old")
