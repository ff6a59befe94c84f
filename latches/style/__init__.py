"""The style scanner: house style checked in prose only."""

from latches.style.hit import Scan, Silenced, StyleHit, Use
from latches.style.scan import Scanner, scan

__all__ = ["Scan", "Scanner", "Silenced", "StyleHit", "Use", "scan"]
