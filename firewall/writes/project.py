"""Finding a project, its policy and its state folder; making a new one.

The state folder is `$XDG_STATE_HOME/stet/<project id>`, 0700, outside the tree an agent can delete. Where it
is was recorded when it was made, in the user's configuration folder: a state that was recorded and is
missing or elsewhere is broken, and then everything is refused, because a fresh ledger would forget
marks, attempts and latches.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from firewall.errors import (
    NoProject,
    PolicyError,
    ProjectExists,
    StateBroken,
    StetError,
    StorageError,
    UsageError,
)
from firewall.values import TYPE_CHECKING, NamedTuple
from firewall.writes import known
from firewall.writes.known import Known
from firewall.writes.paths import POLICY_FILE, project_id

if TYPE_CHECKING:
    from firewall.policy import Policy
    from firewall.writes.limits import Limits
    from firewall.writes.protection import Protection
else:
    Policy = object


WAIT_SECONDS = 10.0
"""How long the ledger of a project may be busy before its policy is known."""
_LARGEST = 1_000_000
"""Bytes of a stet.toml; no more is read as TOML either (firewall/tomls.py, whose import a hook need not pay for)."""


class NotAFolder(UsageError):
    """init on something that is no folder."""

    code = "not-a-folder"
    template = "{path} is not a folder."
    next_step = "Name the folder whose files you want guarded."


class Project(NamedTuple):
    """A guarded folder. `text` is stet.toml as it stands on disk; `recorded` says that it was guarded before.

    `known` is the policy that the text says, None where nobody has read it yet.
    """

    root: Path
    text: str
    state: Path
    recorded: bool = False
    known: Policy | None = None

    @property
    def policy(self) -> Policy:
        """The policy that the text says. Raises PolicyError."""
        return self.known or parse(self.text)


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` with a stet.toml. Raises NoProject.

    Raises StateBroken where a guarded folder on the way has lost its own: the next one up is not its policy.
    """
    folder = Path(os.path.realpath(start))
    if folder.is_file():
        folder = folder.parent
    for candidate in (folder, *folder.parents):
        if (candidate / POLICY_FILE).is_file():
            return candidate
        noted = known.get(candidate)
        if noted:
            raise _gone(noted)
    raise NoProject(start=folder)


def _gone(noted: Known) -> StateBroken:
    return StateBroken(
        detail=f"{noted.root} is guarded as project {noted.project}, and its stet.toml is gone",
        fix=f'Put stet.toml back, with `id = "{noted.project}"` under [project], or, {_ADOPT}.',
    )


def load(start: Path, *, by_a_person: bool = False, made_now: bool = False) -> Project:
    """The project that `start` is in. Raises NoProject, PolicyError, StateBroken or StorageError.

    With `by_a_person`, what was noted of the folder before does not count; with `made_now`, its stet.toml is new.
    """
    root = find_root(start)
    text = _read_policy(root / POLICY_FILE)
    if not by_a_person and (folder := _as_noted(root, text)) is not None:
        return Project(root, text, folder, recorded=True)
    policy = _parse_here(text, root)
    recorded = not by_a_person and _was_recorded(policy.project.id, root, made_now=made_now)
    return Project(root, text, _state_folder(policy.project.id), recorded, policy)


def _as_noted(root: Path, text: str) -> Path | None:
    """The state folder, where nothing differs from what was noted of this folder: then the policy need not be read in
    full before its record is open, which has it compiled (force.py). None where somebody has to look closer."""
    ident = project_id(text.encode())
    noted = known.get(root)
    if noted is None or noted.project != ident:
        return None
    if any("lock_seconds" in line for line in text.split("\n") if not line.lstrip().startswith("#")):
        return None  # that is how long to wait for the record
    folder = state_home() / ident
    try:
        info = root.stat()
        same = (noted.device, noted.inode) == (info.st_dev, info.st_ino) and (folder / "ledger.db").is_file()
    except OSError:
        return None
    return _state_folder(ident) if same and noted.state == str(folder) else None


def recorded(root: Path, state: Path) -> Project:
    """A project whose folders are given, as an agent's hook has them: whatever the environment says now.

    Raises StateBroken where its record or its stet.toml is gone, StorageError where one cannot be read.
    """
    _has_record(state)
    path = root / POLICY_FILE
    if not path.is_file():
        raise StateBroken(
            detail=f"{path} is gone",
            fix=f"Put stet.toml back; in a folder that moved, run `stet install` again; or, {_ADOPT}.",
        )
    return Project(root, _read_policy(path), state, recorded=True)


def as_pinned(root: Path, state: Path) -> Project:
    """A project by its accepted policy, whatever stet.toml says now. Raises StateBroken or StorageError."""
    from firewall.writes import pinned
    from firewall.writes.ledger import Ledger

    _has_record(state)
    ledger = Ledger(state, root, WAIT_SECONDS, expected=True)
    try:
        text = pinned.read(ledger)
    finally:
        ledger.close()
    if text is None:
        raise StateBroken(detail="its record holds no accepted policy", fix=f"As said before, {_ADOPT}.")
    return Project(root, text, state, recorded=True)


def _has_record(state: Path) -> None:
    if not (state / "ledger.db").is_file():
        raise StateBroken(
            detail=f"its state folder {state} was there and is gone",
            fix=f"Put it back from a backup, or, {_ADOPT}.",
        )


def parse(text: str) -> Policy:
    """The policy that a stet.toml says. Raises PolicyError."""
    from firewall.policy import parse_policy

    return parse_policy(text, POLICY_FILE)


def _parse_here(text: str, root: Path) -> Policy:
    """As `parse`; where the file says no id, the error has the one that is noted of its folder."""
    try:
        return parse(text)
    except PolicyError as error:
        noted = known.get(root)
        if noted is None or project_id(text.encode()):
            raise
        fix = f'Put `id = "{noted.project}"` back under [project]: as that project {root} is guarded.'
        raise PolicyError(**{**error.fields, "fix": fix}) from None


def create(folder: Path, *, by_a_person: bool = False) -> Project:
    """Write a new stet.toml into `folder` and make its state folder.

    Raises ProjectExists, NotAFolder, StorageError; StateBroken where the folder is guarded already and its
    stet.toml is gone, is inside a guarded one, or has one inside whose stet.toml is gone, unless a person asks.
    """
    root = Path(os.path.realpath(folder))
    path = root / POLICY_FILE
    if root.exists() and not root.is_dir():
        raise NotAFolder(path=folder)
    if not by_a_person and not path.exists():
        noted = known.get(root)
        if noted:
            raise _gone(noted)
        _not_taken_out_of_a_guard("", root)
        for inner in known.below(root):
            if not (Path(inner.root) / POLICY_FILE).exists():
                raise _gone(inner)
    from firewall.policy import policy_text

    text = policy_text(os.urandom(8).hex()).encode()
    try:
        root.mkdir(parents=True, exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        with contextlib.suppress(UsageError):
            load(root)  # where its record is gone, to edit it would help nobody
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
    try:
        return load(root, by_a_person=by_a_person, made_now=True)
    except StetError:
        with contextlib.suppress(OSError):
            path.unlink()  # a policy without a record guards nothing, and stands in the way of the next init
        raise


def take_back(made: Project) -> None:
    """Undo `create` where its record could not be begun: a policy without a record guards nothing, and stands in the
    way of the next init. It stays where the folder is noted as guarded and the note cannot be taken away."""
    with contextlib.suppress(StetError, OSError):
        known.forget(made.root)
        (made.root / POLICY_FILE).unlink()


def limits(policy: Policy) -> Limits:
    """The policy's numbers as the plain value that rules read."""
    from firewall.policy.compiled import compile_policy

    return compile_policy(policy).limits


def protection(policy: Policy) -> Protection:
    """The policy's [protect] as the plain value that the pure core reads."""
    from firewall.policy.compiled import compile_policy

    return compile_policy(policy).protection


def state_home() -> Path:
    """Where state folders are: $XDG_STATE_HOME/stet, else ~/.local/state/stet."""
    return known.base_folder("XDG_STATE_HOME", ".local/state") / "stet"


def _read_policy(path: Path) -> str:
    """The text of a stet.toml. Decoded here: the codec that knows the mark at a file's head is one more to load."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1).removeprefix(b"\xef\xbb\xbf")
        if len(data) > _LARGEST:
            problem = f"larger than {_LARGEST:,} bytes"
            raise PolicyError(path=path.name, line=1, problem=problem, fix="Take out what is no part of a policy.")
        return data.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise PolicyError(path=path.name, line=line, problem="not UTF-8", fix="Save it as UTF-8.") from None
    except OSError as error:
        raise StorageError(action="read", path=path, reason=error.strerror or str(error)) from None


def _state_folder(ident: str) -> Path:
    """The state folder, made at first sight. Raises StorageError or StateBroken."""
    folder = state_home() / ident
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "locks").mkdir(exist_ok=True, mode=0o700)
        if os.name != "nt":
            _private(folder)
    except OSError as error:
        raise StorageError(action="make", path=folder, reason=error.strerror or str(error)) from None
    return folder


def _was_recorded(ident: str, root: Path, *, made_now: bool) -> bool:
    """Was this folder guarded before? Raises StateBroken where what was noted and what is found disagree."""
    folder = state_home() / ident
    noted = known.get(root) or known.moved_here(root)
    if noted is None:
        from firewall.writes import homes

        _not_taken_out_of_a_guard(ident, root)
        homes.must_be_first(root, ident, folder, made_now=made_now)
    elif noted.project != ident:
        raise StateBroken(
            detail=f"{root} is guarded as project {noted.project}, and its stet.toml names {ident}",
            fix=f'Put `id = "{noted.project}"` back into stet.toml, or, {_ADOPT}.',
        )
    elif noted.state != str(folder):
        raise StateBroken(
            detail=f"it was recorded in {noted.state}, and the environment now says {folder}",
            fix="Unset XDG_STATE_HOME or set it as it was; nothing is written meanwhile.",
        )
    elif not (folder / "ledger.db").exists():
        raise StateBroken(
            detail=f"its state folder {folder} was there and is gone",
            fix=f"Put it back from a backup, or, {_ADOPT}.",
        )
    return noted is not None


_ADOPT = "as a person, run `stet init --adopt` to start a new record"


def _not_taken_out_of_a_guard(ident: str, root: Path) -> None:
    """A stet.toml put inside a guarded folder would be a fresh record for files that have one already."""
    outer = known.above(root)
    if outer is not None and outer.project != ident:
        raise StateBroken(
            detail=f"{root} is inside {outer.root}, which is guarded, and no person has set it up as another project",
            fix=f"Remove {root / POLICY_FILE}, or, {_ADOPT}.",
        )


def guarded_above(folder: Path) -> str:
    """The guarded folder that `folder` is inside of, or ''."""
    outer = known.above(Path(os.path.realpath(folder)))
    return outer.root if outer else ""


def remember(project: Project) -> None:
    """Record where the project's state is, once its ledger stands."""
    known.put(project.root, project.policy.project.id, project.state)


def adopt(start: Path) -> Project:
    """A person's answer to a broken record: set the old state aside and begin a new one. Nothing is deleted.

    Where stet.toml is gone, a new one is written. Folders inside whose own is gone are taken into this guard.
    """
    folder = Path(os.path.realpath(start))
    root = next((f for f in (folder, *folder.parents) if (f / POLICY_FILE).is_file() or known.get(f)), None)
    if root is None:
        raise NoProject(start=folder)
    noted = known.get(root)
    path = root / POLICY_FILE
    ident = parse(_read_policy(path)).project.id if path.is_file() else noted and noted.project
    state = state_home() / str(ident)
    try:
        if state.exists():
            state.rename(state.with_name(f"{ident}.set-aside-{os.urandom(4).hex()}"))
    except OSError as error:
        raise StorageError(action="set aside", path=state, reason=error.strerror or str(error)) from None
    known.forget(root)
    for inner in known.below(root):
        if not (Path(inner.root) / POLICY_FILE).exists():
            known.forget(Path(inner.root))
    return load(root, by_a_person=True) if path.is_file() else create(root, by_a_person=True)


def _private(folder: Path) -> None:
    info = folder.stat()
    if info.st_uid != os.getuid():
        raise StateBroken(
            detail=f"{folder} belongs to user {info.st_uid}, not to you", fix="Use the account that owns it."
        )
    if stat.S_IMODE(info.st_mode) & 0o077:
        folder.chmod(0o700)
