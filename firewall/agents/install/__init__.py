"""Putting Stet's hooks into agents' settings, and taking them out again: one file a runtime.

Each module has `install(setup)` and `undo(setup)`, which return what was done, `hooks(setup)`, the commands that are in
the settings now (for doctor's canary), `off(setup)`, what keeps them from running here, and `gaps(setup)`, what that
runtime lets past any hook.
"""

from __future__ import annotations
