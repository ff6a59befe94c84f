"""Finding a project, its policy and its state folder; making a new one.

The state folder is `$XDG_STATE_HOME/stet/<project id>`, 0700, outside the tree an agent can delete. Where it
is was recorded when it was made, in the user's configuration folder: a state that was recorded and is
missing or elsewhere is broken, and then everything is refused, because a fresh ledger would forget
marks, attempts and latches.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from pathlib import Path
from typing import NamedTuple

from firewall.errors import NoProject, PolicyError, ProjectExists, StateBroken, StorageError
from firewall.policy import Policy, parse_policy, policy_text
from firewall.writes.limits import Limits
from firewall.writes.paths import POLICY_FILE
from firewall.writes.protection import Protection


class Project(NamedTuple):
    """A guarded folder. `text` is stet.toml as it stands on disk."""

    root: Path
    policy: Policy
    text: str
    state: Path


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` with a stet.toml. Raises NoProject."""
    folder = Path(os.path.realpath(start))
    if folder.is_file():
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        if (candidate / POLICY_FILE).is_file():
            return candidate
    raise NoProject(start=start)


def load(start: Path) -> Project:
    """The project that `start` is in. Raises NoProject, PolicyError, StateBroken or StorageError."""
    root = find_root(start)
    text = _read_policy(root / POLICY_FILE)
    policy = parse_policy(text, POLICY_FILE)
    return Project(root, policy, text, _state_folder(policy.project.id, root))


def create(folder: Path) -> Project:
    """Write a new stet.toml into `folder` and make its state folder. Raises ProjectExists."""
    path = folder / POLICY_FILE
    text = policy_text(secrets.token_hex(8)).encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        raise ProjectExists(path=path) from None
    except OSError as error:
        raise StorageError(action="make", path=path, reason=error.strerror or str(error)) from None
    try:
        try:
            while text:
                text = text[os.write(fd, text) :]
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink()  # half a policy would be no policy at all
        raise StorageError(action="write", path=path, reason=error.strerror or str(error)) from None
    return load(folder)


def limits(policy: Policy) -> Limits:
    """The policy's numbers as the plain value that rules read."""
    return Limits(**{name: getattr(policy.rules, name) for name in Limits._fields})


def protection(policy: Policy) -> Protection:
    """The policy's [protect] as the plain value that the pure core reads."""
    p = policy.protect
    extensions = tuple(e.lower().lstrip(".") for e in p.extensions)
    return Protection(extensions, tuple(p.include), tuple(p.exclude), tuple(p.delete_only))


def state_home() -> Path:
    """Where state folders are: $XDG_STATE_HOME/stet, else ~/.local/state/stet."""
    return _base("XDG_STATE_HOME", ".local/state") / "stet"


def _base(variable: str, default: str) -> Path:
    value = os.environ.get(variable, "")
    if value and Path(value).is_absolute():  # the XDG specification: a relative path is to be ignored
        return Path(value)
    try:
        return Path.home() / default
    except RuntimeError:
        raise StateBroken(
            detail="neither HOME nor the user's home folder is known",
            fix=f"Set HOME, or set {variable} to a folder of your own.",
        ) from None


def _read_policy(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise PolicyError(path=path.name, line=line, problem="not UTF-8", fix="Save it as UTF-8.") from None
    except OSError as error:
        raise StorageError(action="read", path=path, reason=error.strerror or str(error)) from None


def _state_folder(ident: str, root: Path) -> Path:
    """The state folder, made at first sight. Raises StateBroken where the record and the disk disagree."""
    folder = state_home() / ident
    note = _note(ident)
    recorded = _known(note).get(str(root))
    ready = (folder / "ledger.db").exists()
    if recorded is not None and recorded != str(folder):
        raise StateBroken(
            detail=f"it was recorded in {recorded}, and the environment now says {folder}",
            fix="Unset XDG_STATE_HOME or set it as it was; nothing is written meanwhile.",
        )
    if recorded is not None and not ready:
        raise StateBroken(
            detail=f"its state folder {folder} was there and is gone",
            fix="Put it back from a backup, or, as a person, run `stet init --adopt` to start a new record.",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "locks").mkdir(exist_ok=True, mode=0o700)
        if os.name != "nt":
            _private(folder)
    except OSError as error:
        raise StorageError(action="make", path=folder, reason=error.strerror or str(error)) from None
    return folder


def remember(project: Project) -> None:
    """Record where the project's state is, once its ledger stands."""
    note = _note(project.policy.project.id)
    known = _known(note)
    if known.get(str(project.root)) == str(project.state):
        return
    try:
        note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_known(note, {**known, str(project.root): str(project.state)})
    except OSError as error:
        raise StorageError(action="write", path=note, reason=error.strerror or str(error)) from None


def forget_state(start: Path) -> Path:
    """A person's answer to a broken state: set the old folder aside, forget its record.

    Returns the project's root; the next `load` makes a new record. Nothing is deleted.
    """
    root = find_root(start)
    ident = parse_policy(_read_policy(root / POLICY_FILE), POLICY_FILE).project.id
    note = _note(ident)
    known = _known(note)
    folder = state_home() / ident
    try:
        if folder.exists():
            folder.rename(folder.with_name(f"{ident}.set-aside-{secrets.token_hex(4)}"))
        if known.pop(str(root), None) is not None:
            _write_known(note, known)
    except OSError as error:
        raise StorageError(action="set aside", path=folder, reason=error.strerror or str(error)) from None
    return root


def _note(ident: str) -> Path:
    return _base("XDG_CONFIG_HOME", ".config") / "stet" / "projects" / f"{ident}.json"


def _private(folder: Path) -> None:
    info = folder.stat()
    if info.st_uid != os.getuid():
        raise StateBroken(
            detail=f"{folder} belongs to user {info.st_uid}, not to you", fix="Use the account that owns it."
        )
    if stat.S_IMODE(info.st_mode) & 0o077:
        folder.chmod(0o700)


def _known(note: Path) -> dict[str, str]:
    try:
        value = json.loads(note.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise StateBroken(detail=f"{note} cannot be read ({error})", fix=f"Remove {note} as a person.") from None
    if not isinstance(value, dict):
        raise StateBroken(detail=f"{note} is not a JSON object", fix=f"Remove {note} as a person.")
    return {str(k): str(v) for k, v in value.items()}


def _write_known(note: Path, known: dict[str, str]) -> None:
    temp = note.with_name(f"{note.name}.{secrets.token_hex(4)}.tmp")
    temp.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")
    temp.replace(note)
