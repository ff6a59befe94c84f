"""What stands between untrusted text and your prompts and files. `guard` is the way in for Python programs."""

from __future__ import annotations

TYPE_CHECKING = False  # an agent's hook imports this for every call: nothing is imported here
if TYPE_CHECKING:
    from firewall.draft import Draft, Refused, guard

__all__ = ["Draft", "Refused", "guard"]


def __getattr__(name: str) -> object:
    if name in __all__:
        from firewall import draft

        return getattr(draft, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
