"""out/README.md: the book's title and its chapters with their sections, made anew after each run."""

from __future__ import annotations

import hashlib
from pathlib import Path

from firewall.writes.proxy import WriteProxy
from pipeline.plan import Plan

CONTENTS = "README.md"


def contents_of(plan: Plan, folder: Path) -> str:
    """The contents as Markdown: what is on disk now, chapter by chapter."""
    lines = [f"# {plan.spec.title}", ""]
    chapter = 0
    for section in plan.sections:
        if not (folder / section.file).exists():
            continue
        if section.plan.chapter != chapter:
            chapter = section.plan.chapter
            lines += ["", f"{chapter}. [{section.plan.chapter_title}]({Path(section.file).name})"]
        lines.append(f"   - {section.plan.title}")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def write_contents(proxy: WriteProxy, folder: Path, plan: Plan) -> list[dict[str, object]]:
    """Write the contents through the proxy where they changed; what it refused, as problems."""
    path = folder / plan.spec.out / CONTENTS
    content = contents_of(plan, folder).encode()
    try:
        old = path.read_bytes()
    except FileNotFoundError:
        old = None
    if old == content:
        return []
    result = proxy.write(
        path,
        content,
        base=None if old is None else hashlib.sha256(old).hexdigest(),
        stop_reason="end_turn",
        structural=None if old is None else (0, len(old)),
    )
    if result.committed:
        return []
    return [{"code": f.rule, "message": f.message} for f in result.verdict.findings]
