"""Which folders are guarded, noted where no edit of the folder reaches: in the user's configuration folder.

One small JSON file a folder, named by a hash of its path: the project's id, where its state is, and the folder's
device and inode. So a stet.toml that is removed, or that names another project, is noticed, and a folder that
moved is known again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from firewall import jsons
from firewall.digest import sha256
from firewall.errors import StateBroken, StorageError
from firewall.values import NamedTuple


class Known(NamedTuple):
    """A folder that was guarded when Stet last opened it."""

    root: str
    project: str
    state: str
    device: int
    inode: int


def base_folder(variable: str, default: str) -> Path:
    """The folder that an XDG variable names, else `default` below the home folder.

    Raises StateBroken where neither is an absolute path: a record for each working directory would know of no mark.
    """
    value = os.environ.get(variable, "")
    if value and Path(value).is_absolute():  # the XDG specification: a relative path is to be ignored
        return Path(value)
    try:
        home = Path.home()
        said = f"HOME is {str(home)!r}, which is no absolute path"
    except RuntimeError:
        home, said = Path(), "neither HOME nor the user's home folder is known"
    if os.name != "nt" and os.environ.get("HOME") == "":  # Python takes it for the root of the file system
        home, said = Path(), "HOME is empty"
    if not home.is_absolute():
        raise StateBroken(detail=said, fix=f"Set HOME to your home folder, or {variable} to a folder of your own.")
    return home / default


def get(root: Path) -> Known | None:
    """What is noted of the folder at this path. Raises StateBroken where the note cannot be read."""
    return _read(_note(root))


def noted_in(home: Path, root: Path) -> Known | None:
    """What is noted of the folder in another home folder. Raises StateBroken, StorageError."""
    return _read(home / ".config" / "stet" / "guarded" / _name(root))


def moved_here(root: Path) -> Known | None:
    """The note of a folder that stood elsewhere, is gone there, and is this one."""
    return _moved(everything(), root)


def among(notes: Iterable[Known], folder: Path) -> Known | None:
    """Which of the notes is of the folder that stands at this path, or that moved to it."""
    place = str(folder)
    return next((known for known in notes if known.root == place), None) or _moved(notes, folder)


def _moved(notes: Iterable[Known], folder: Path) -> Known | None:
    try:
        info = folder.stat()
    except OSError:
        return None
    for known in notes:
        same = (known.device, known.inode) == (info.st_dev, info.st_ino)
        if same and not os.path.lexists(known.root) and _has_its_files(known, folder):
            return known
    return None


def _has_its_files(known: Known, folder: Path) -> bool:
    """Does anything there say that it is the folder that was guarded, and not a new one that a file system gave the
    number of one that is deleted? Its stet.toml, or any file of the record; yes where that is missing or unreadable."""
    from firewall.writes.database import peek_paths
    from firewall.writes.paths import MOST_POLICY, POLICY_FILE, project_id

    try:
        with (folder / POLICY_FILE).open("rb") as file:
            if project_id(file.read(MOST_POLICY)) == known.project:
                return True
    except OSError:
        pass
    try:
        paths = peek_paths(Path(known.state))
    except (StateBroken, StorageError):
        return True
    return paths is None or any(os.path.lexists(folder / path) for path in paths)


def below(root: Path) -> list[Known]:
    """The guarded folders inside of `root` that are still there."""
    inside = [known for known in everything() if root in Path(known.root).parents]
    return [known for known in inside if Path(known.root).is_dir()]


_notes: tuple[object, tuple[Known, ...]] = (None, ())


def everything() -> tuple[Known, ...]:
    """Every note, read again where the folder of notes has changed: each write to a subfolder asks. Raises StateBroken,
    StorageError."""
    global _notes
    folder = _folder()
    try:
        names = tuple(sorted(note.name for note in folder.iterdir()))
        state = (str(folder), folder.stat().st_mtime_ns, names)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise StorageError(action="read", path=folder, reason=error.strerror or str(error)) from None
    if state != _notes[0]:
        read = (_read(folder / name) for name in names if name.endswith(".json"))
        _notes = (state, tuple(known for known in read if known is not None))
    return _notes[1]


def above(root: Path) -> Known | None:
    """The nearest guarded folder that `root` is inside of."""
    for folder in root.parents:
        known = get(folder)
        if known is not None and folder.is_dir():
            return known
    return None


def put(root: Path, project: str, state: Path) -> None:
    """Note a folder. Raises StorageError."""
    note = _note(root)
    try:
        info = root.stat()
        known = Known(str(root), project, str(state), info.st_dev, info.st_ino)
        if _read(note) == known:
            return
        note.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temp = note.with_name(f"{note.stem}.{os.urandom(4).hex()}.tmp")
        temp.write_text(jsons.dumps(known._asdict()) + "\n", "utf-8", "surrogateescape")
        temp.replace(note)
    except OSError as error:
        raise StorageError(action="write", path=note, reason=error.strerror or str(error)) from None


def forget(root: Path) -> None:
    """Take the note away. Raises StorageError."""
    note = _note(root)
    try:
        note.unlink(missing_ok=True)
        head_file(root).unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(action="remove", path=note, reason=error.strerror or str(error)) from None


def head_file(root: Path) -> Path:
    """Where the head of the folder's journal is noted (firewall/agents/seal.py). Raises StateBroken."""
    return _note(root).with_suffix(".head")


def _folder() -> Path:
    return base_folder("XDG_CONFIG_HOME", ".config") / "stet" / "guarded"


def _note(root: Path) -> Path:
    return _folder() / _name(root)


def _name(root: Path) -> str:
    return sha256(os.fsencode(root))[:32] + ".json"


def _read(note: Path) -> Known | None:
    try:
        if note.exists() and not note.is_file():
            raise ValueError("it is no file")  # a FIFO would hold every command up for ever
        value = jsons.loads(note.read_bytes().decode("utf-8", "surrogateescape"))
        texts = [str(value[name]) for name in ("root", "project", "state")]
        return Known(texts[0], texts[1], texts[2], int(value["device"]), int(value["inode"]))
    except FileNotFoundError:
        return None
    except OSError as error:  # too many open files, no permission: the note itself may be well
        raise StorageError(action="read", path=note, reason=error.strerror or str(error)) from None
    except (ValueError, KeyError, TypeError) as error:
        raise StateBroken(
            detail=f"{note}, the note of what is guarded, cannot be read ({error})", fix=f"Remove {note} as a person."
        ) from None
