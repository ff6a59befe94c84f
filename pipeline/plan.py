"""The plan of a book: what each section is to be, and from which passages. Made once, locked, compared later.

What a run began with is written down beside its state. A later run that would work from something else says
what differs and touches nothing, because half a book from one plan and half from another is no book.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firewall.context.passage import Passage
from firewall.policy.lanes import Lane
from firewall.policy.model import Policy
from firewall.verdict import Finding
from latches.blueprint import Blueprint, SectionPlan, differences, from_json, to_json
from latches.shapes import SHAPES, Shape
from latches.structure import ChapterSpec, SectionSpec, StructureSpec, assign, pinned_to
from pipeline.book import BookSpec
from pipeline.chapter import file_name
from pipeline.errors import BookError, RunStateBroken
from pipeline.models.base import DraftTask
from pipeline.retrieval import build_index, retrieve
from pipeline.sources import Sources, read_sources

FORMAT = 1


class Section(NamedTuple):
    """One section to be written. `ident` names its work in the durable record, `file` its chapter's file."""

    ident: str
    plan: SectionPlan
    query: str
    passages: tuple[Passage, ...]
    file: str

    def task(self, spec: BookSpec) -> DraftTask:
        """What the model is asked first."""
        return DraftTask(spec.title, spec.lane, self.plan, self.passages)


class Plan(NamedTuple):
    """The whole plan. `record` is its JSON form, as it is kept; `findings` are the context firewall's."""

    spec: BookSpec
    blueprint: Blueprint
    sections: tuple[Section, ...]
    findings: tuple[Finding, ...]
    record: dict[str, Any]

    def as_kept(self, kept: Mapping[str, Any]) -> Plan:
        """The same plan under the names that its sections' work was kept by.

        Another version of Stet may cut notes or build prompts in another way; that is no reason to pay for a
        book's sections again, so an unchanged book keeps the names it began with.
        """
        return self._named([ident for ident, _ in kept["sections"]])

    def tried_anew(self, again: Callable[[str], bool]) -> Plan:
        """The plan with a fresh name for the work of each section for which `again(ident)` holds."""
        idents = []
        for section in self.sections:
            ident, turn = section.ident, 1
            while again(ident):
                turn += 1
                ident = f"{section.ident}-{turn}"
            idents.append(ident)
        return self._named(idents)

    def _named(self, idents: Sequence[str]) -> Plan:
        sections = tuple(s._replace(ident=i) for s, i in zip(self.sections, idents, strict=True))
        record = {**self.record, "sections": [[s.ident, s.query] for s in sections]}
        return self._replace(sections=sections, record=record)


class Models(NamedTuple):
    """Names of who drafts and who edits."""

    draft: str
    edit: str


def structure_of(spec: BookSpec) -> StructureSpec:
    """What the structure latch sees of a book."""
    own = tuple(
        Shape(
            shape.name,
            tuple(shape.elements),
            shape.about,
            tuple(
                (element, key, value)
                for element, values in sorted(shape.options.items())
                for key, value in sorted(values.items())
            ),
        )
        for shape in spec.shapes
    )
    chapters = tuple(
        ChapterSpec(
            chapter.title,
            tuple(SectionSpec(s.title, s.words, s.shape, tuple(s.exclude)) for s in chapter.sections),
        )
        for chapter in spec.chapters
    )
    return StructureSpec(
        book=spec.title,
        chapters=chapters,
        shapes=(*SHAPES, *own),
        words=spec.structure.words,
        seed=spec.structure.seed,
        balance=spec.structure.balance,
    )


def lanes_of(spec: BookSpec, policy: Policy) -> Mapping[str, Lane]:
    """The lanes in force. A policy without any has one for the book, which reads its own sources alone.

    Raises BookError where the policy has lanes and the book's is not among them.
    """
    if not policy.lanes:
        return {spec.lane: Lane()}
    if spec.lane not in policy.lanes:
        raise BookError(
            path="book.toml",
            line=1,
            problem=f"the lane {spec.lane!r} is not in stet.toml",
            fix=f"Name one of {', '.join(sorted(policy.lanes))}, or add [lanes.{spec.lane}] to stet.toml.",
        )
    return policy.lanes


def make_plan(
    folder: Path,
    spec: BookSpec,
    policy: Policy,
    models: Models,
    *,
    kept: Mapping[str, Any] | None = None,
    standing: frozenset[tuple[str, str]] = frozenset(),
) -> Plan:
    """The plan of the book in `folder`.

    `kept` is the record of an earlier plan. Its blueprint stands as long as the spec is the same, whatever
    this version of Stet would make of it; where the spec changed, the sections in `standing`, as (chapter
    title, title), keep the shape and length they have. Raises SourceError, BookError, PlanRefused.
    """
    lanes = lanes_of(spec, policy)
    blueprint = _blueprint(spec, kept, standing)
    sources = read_sources(folder, spec)
    index, findings = build_index(sources)
    queries = [
        section.query or f"{section.title} {chapter.title}"
        for chapter in spec.chapters
        for section in chapter.sections
    ]
    try:
        retrieved = retrieve(index, blueprint.sections, queries, reader=spec.lane, lanes=lanes)
    finally:
        index.close()
    sections = tuple(
        Section(
            _ident(spec, plan, found.passages, models, policy),
            plan,
            query,
            found.passages,
            f"{spec.out}/{file_name(plan.chapter, plan.chapter_title)}",
        )
        for plan, query, found in zip(blueprint.sections, queries, retrieved, strict=True)
    )
    refused = tuple(finding for found in retrieved for finding in found.findings)
    record = _record(spec, blueprint, sections, sources, models, policy)
    return Plan(spec, blueprint, sections, (*findings, *refused), record)


def _blueprint(
    spec: BookSpec, kept: Mapping[str, Any] | None, standing: frozenset[tuple[str, str]]
) -> Blueprint:
    structure = structure_of(spec)
    if kept is None:
        return assign(structure)
    old = from_json(kept["blueprint"])
    if kept["spec"] == _spec_json(spec):
        return old
    return assign(pinned_to(structure, old, standing))


def _spec_json(spec: BookSpec) -> dict[str, Any]:
    """The spec without who writes it, which is recorded as what was really used."""
    return spec.model_dump(exclude={"models"})


def _ident(
    spec: BookSpec, plan: SectionPlan, passages: tuple[Passage, ...], models: Models, policy: Policy
) -> str:
    """A name for the section's work: a hash of all it is written from, but not of its place in the book."""
    body = {
        "book": spec.title,
        "lane": spec.lane,
        "plan": [v for k, v in plan._asdict().items() if k not in ("number", "chapter", "position")],
        "passages": [
            [p.source, hashlib.sha256(p.text.encode("utf-8", "replace")).hexdigest()] for p in passages
        ],
        "models": list(models),
        "style": policy.style.model_dump(),
    }
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:24]


def _record(
    spec: BookSpec,
    blueprint: Blueprint,
    sections: tuple[Section, ...],
    sources: Sources,
    models: Models,
    policy: Policy,
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "spec": _spec_json(spec),
        "blueprint": to_json(blueprint),
        "sections": [[section.ident, section.query] for section in sections],
        "notes": {note.path: [note.lane, note.sha256] for note in sources.notes},
        "models": models._asdict(),
        "lanes": {name: lane.model_dump() for name, lane in sorted(policy.lanes.items())},
        "style": policy.style.model_dump(),
    }


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
    asked = {
        (s.chapter_title, s.title): q for s, (_, q) in zip(before.sections, old["sections"], strict=True)
    }
    for section, (_, query) in zip(after.sections, new["sections"], strict=True):
        was = asked.get((section.chapter_title, section.title), query)
        if was != query:
            out.append(f"{section.chapter_title} / {section.title}: query {was!r} -> {query!r}")
    told = {"title": True, "lane": True, "out": True, "chapters": bool(out)}
    for key in sorted({*old["spec"], *new["spec"]}):
        if not told.get(key) and old["spec"].get(key) != new["spec"].get(key):
            out.append(f"{key} in book.toml: changed")
    for path in sorted({*old["notes"], *new["notes"]}):
        was, now = old["notes"].get(path), new["notes"].get(path)
        if was is None:
            out.append(f"{path}: added")
        elif now is None:
            out.append(f"{path}: removed")
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


def load_record(path: Path) -> dict[str, Any] | None:
    """The plan that was kept at `path`, or None. Raises RunStateBroken for anything else."""
    try:
        raw = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise RunStateBroken(detail=f"its plan cannot be read ({error})", path=path) from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise RunStateBroken(detail=f"its plan is not of format {FORMAT}", path=path)
    return raw


def keep_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write the plan down, whole or not at all. Raises RunStateBroken."""
    temp = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with temp.open("x", encoding="utf-8") as file:
            json.dump(record, file, ensure_ascii=False, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        temp.replace(path)
    except OSError as error:
        temp.unlink(missing_ok=True)
        raise RunStateBroken(detail=f"its plan cannot be kept ({error.strerror})", path=path) from None
