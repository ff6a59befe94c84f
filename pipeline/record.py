"""The plan as it is kept beside a book's state: read back, and compared with what would be run now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from latches.blueprint import differences, from_json
from pipeline.book import BookSpec
from pipeline.chapter import file_name
from pipeline.plan import Plan, Section


def kept_plan(spec: BookSpec, record: Mapping[str, Any]) -> Plan:
    """The plan that a record tells of, without its passages: enough to say how far a book is."""
    blueprint = from_json(record["blueprint"])
    out = str(record["spec"]["out"])
    sections = tuple(
        Section(ident, plan, query, (), f"{out}/{file_name(plan.chapter, plan.chapter_title)}")
        for plan, (ident, query) in zip(blueprint.sections, record["sections"], strict=True)
    )
    return Plan(spec, blueprint, sections, (), dict(record))


def what_differs(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What a plan would change against the one that was kept, in words; empty when nothing."""
    out = [
        f"{key}: {old['spec'][key]} -> {new['spec'][key]}"
        for key in ("title", "lane", "out")
        if old["spec"][key] != new["spec"][key]
    ]
    before, after = from_json(old["blueprint"]), from_json(new["blueprint"])
    out += [str(difference) for difference in differences(before, after)]
    asked = {(s.chapter_title, s.title): q for s, (_, q) in zip(before.sections, old["sections"], strict=True)}
    for section, (_, query) in zip(after.sections, new["sections"], strict=True):
        was = asked.get((section.chapter_title, section.title), query)
        if was != query:
            out.append(f"{section.chapter_title} / {section.title}: query {was!r} -> {query!r}")
    told = {"title": True, "lane": True, "out": True, "chapters": bool(out)}
    for key in sorted({*old["spec"], *new["spec"]}):
        if not told.get(key) and old["spec"].get(key) != new["spec"].get(key):
            out.append(f"{key} in book.toml: changed")
    left_out = (frozenset(old.get("left_out", ())), frozenset(new.get("left_out", ())))
    for path in sorted({*old["notes"], *new["notes"]}):
        was, now = old["notes"].get(path), new["notes"].get(path)
        if was is None:
            out.append(f"{path}: {'may be used now' if path in left_out[0] else 'added'}")
        elif now is None:
            out.append(f"{path}: {'may not be used any more' if path in left_out[1] else 'removed'}")
        elif was[0] != now[0]:
            out.append(f"{path}: lane {was[0]} -> {now[0]}")
        elif was[1] != now[1]:
            out.append(f"{path}: changed")
    out += [
        f"model for {role}: {old['models'][role]} -> {new['models'][role]}"
        for role in ("draft", "edit")
        if old["models"][role] != new["models"][role]
    ]
    out += [f"[{key}] in stet.toml: changed" for key in ("lanes", "style") if old[key] != new[key]]
    return out
