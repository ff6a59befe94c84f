"""The style scanner: house style checked in prose only."""

from latches.style.hit import StyleHit
from latches.style.scan import Scanner, scan

__all__ = ["Scanner", "StyleHit", "scan"]
