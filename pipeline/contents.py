"""out/README.md: the book's title and its chapters with their sections, made anew after each run."""

from __future__ import annotations

import hashlib
from pathlib import Path

from firewall.writes.proxy import WriteProxy
from pipeline.chapter import find_section
from pipeline.errors import FileUnread
from pipeline.place import bytes_at
from pipeline.plan import Plan, Section
from pipeline.shelf import Shelf

CONTENTS = "README.md"


def contents_of(plan: Plan, folder: Path) -> str:
    """The contents as Markdown: what is on disk now, chapter by chapter."""
    lines = [f"# {plan.spec.title}", ""]
    chapter = 0
    for section in plan.sections:
        if not stands(folder, section):
            continue
        if section.plan.chapter != chapter:
            chapter = section.plan.chapter
            lines += ["", f"{chapter}. [{section.plan.chapter_title}]({Path(section.file).name})"]
        lines.append(f"   - {section.plan.title}")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def stands(folder: Path, section: Section) -> bool:
    """Is the section in its chapter on the disk?"""
    try:
        text = (folder / section.file).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return find_section(text, section.plan.title) is not None


def write_contents(proxy: WriteProxy, shelf: Shelf, folder: Path, plan: Plan) -> list[dict[str, object]]:
    """Write the contents through the proxy where they are not on disk as they should be.

    A person's own contents stay. What the proxy refused comes back as problems.
    """
    if not any((folder / section.file).exists() for section in plan.sections):
        return []
    path = folder / plan.spec.out / CONTENTS
    content = contents_of(plan, folder).encode()
    try:
        old = bytes_at(path)
    except FileUnread as error:
        return [{"code": error.code, "message": error.message}]
    name = f"{plan.spec.out}/{CONTENTS}"
    if old == content:
        shelf.put_file(name, _sha(content))
        return []
    if old is not None and _sha(old) not in shelf.our_files(name):
        return []
    result = proxy.write(
        path,
        content,
        base=None if old is None else _sha(old),
        stop_reason="end_turn",
        structural=None if old is None else (0, len(old)),
    )
    if result.committed:
        shelf.put_file(name, _sha(content))
        return []
    return [{"code": f.rule, "message": f.message} for f in result.verdict.findings]


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
