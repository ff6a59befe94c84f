"""The plan of a book: what each section is to be, and from which passages. Made once, locked, compared later.

What a run began with is written down beside its state. A later run that would work from something else says
what differs and touches nothing, because half a book from one plan and half from another is no book.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from firewall.context.passage import Passage
from firewall.policy.lanes import Lane
from firewall.policy.model import Policy
from firewall.verdict import Finding
from latches.blueprint import Blueprint, SectionPlan, from_json, lock, to_json
from latches.errors import PlanRefused
from latches.shapes import EVERYDAY, SHAPES, Shape
from latches.structure import ChapterSpec, SectionSpec, StructureSpec, assign, pinned_to
from latches.vocabulary import checked
from pipeline.book import BookSpec
from pipeline.chapter import file_name
from pipeline.errors import BookError
from pipeline.index import build_index
from pipeline.kept import FORMAT
from pipeline.material import Shortfall, fills, fitted, shortfall, starved
from pipeline.models.base import DraftTask
from pipeline.origins import RULE, traced, vetting
from pipeline.retrieval import Retriever
from pipeline.sources import Sources, read_sources


class Section(NamedTuple):
    """One section to be written. `ident` names its work in the durable record, `file` its chapter's file, and `starved`
    says why it has no passages, '' where it has some."""

    ident: str
    plan: SectionPlan
    query: str
    passages: tuple[Passage, ...]
    file: str
    starved: str = ""

    def task(self, spec: BookSpec) -> DraftTask:
        """What the model is asked first."""
        shapes = structure_of(spec)
        about = next((s.about for s in (*shapes.shapes, *shapes.spare) if s.name == self.plan.shape), "")
        return DraftTask(spec.title, spec.lane, self.plan, self.passages, about=about)


class Plan(NamedTuple):
    """The whole plan. `record` is its JSON form, as it is kept; `findings` are the context firewall's."""

    spec: BookSpec
    blueprint: Blueprint
    sections: tuple[Section, ...]
    findings: tuple[Finding, ...]
    record: dict[str, Any]

    @property
    def tainted(self) -> tuple[Finding, ...]:
        """Notes that were written from lanes which the book's may not read."""
        return tuple(finding for finding in self.findings if finding.rule == RULE)

    def shortfalls(self, writer: str) -> tuple[Shortfall, ...]:
        """What the notes of each section lack for it, when `writer` drafts; in the order of sections."""
        return tuple(shortfall(s.plan, s.passages, writer, s.starved) for s in self.sections)

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


def structure_of(spec: BookSpec, fills: Sequence[frozenset[str]] | None = None) -> StructureSpec:
    """What the structure latch sees of a book. Raises BadShape for a shape that cannot be used.

    `fills` are the shapes that the notes of each section can fill, in the order of sections.
    """
    known = iter(fills) if fills is not None else itertools.repeat(None)
    own = tuple(
        checked(
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
        )
        for shape in spec.shapes
    )
    chapters = tuple(
        ChapterSpec(
            chapter.title,
            tuple(SectionSpec(s.title, s.words, s.shape, tuple(s.exclude), next(known)) for s in chapter.sections),
        )
        for chapter in spec.chapters
    )
    return StructureSpec(
        book=spec.title,
        chapters=chapters,
        shapes=(*SHAPES, *own),
        spare=tuple(shape for shape in EVERYDAY if shape.name not in {s.name for s in own}),
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

    `kept` is the record of an earlier plan. Its blueprint stands as long as spec, notes and lanes are the same,
    whatever this version of Stet would make of them; where they changed, the sections in `standing`, as (chapter
    title, title), keep the shape and length they have. Raises SourceError, BookError, PlanRefused.
    """
    lanes = lanes_of(spec, policy)
    structure_of(spec)  # a wrong shape is told before the notes are read
    sources = traced(folder, read_sources(folder, spec), spec.lane, lanes)
    index, findings = build_index(sources, lanes[spec.lane])
    queries = [one.query or f"{one.title} {chapter.title}" for chapter in spec.chapters for one in chapter.sections]
    try:
        retriever = Retriever(index, queries, reader=spec.lane, lanes=lanes)
    finally:
        index.close()
    now = {"spec": _spec_json(spec), "notes": _notes_json(sources), "lanes": _lanes_json(policy)}
    if kept is not None and all(kept[key] == value for key, value in now.items()):
        blueprint = from_json(kept["blueprint"])
    else:
        blueprint = _new_blueprint(spec, retriever, models.draft, kept, standing)
    retrieved = [retriever.passages(place, plan) for place, plan in enumerate(blueprint.sections)]
    sections = tuple(
        Section(
            _ident(spec, plan, found.passages, models, policy),
            plan,
            query,
            found.passages,
            f"{spec.out}/{file_name(plan.chapter, plan.chapter_title)}",
            starved(found, spec.lane),
        )
        for plan, query, found in zip(blueprint.sections, queries, retrieved, strict=True)
    )
    refused = tuple(finding for found in retrieved for finding in found.findings)
    record = {
        "format": FORMAT,
        **now,
        "blueprint": to_json(blueprint),
        "sections": [[section.ident, section.query] for section in sections],
        "left_out": sorted({str(finding.evidence["source"]) for finding in sources.findings}),
        "models": models._asdict(),
        "style": policy.style.model_dump(),
        "index_version": index.version,
        "vetted": vetting(sources, lanes[spec.lane]),
    }
    return Plan(spec, blueprint, sections, (*findings, *refused), record)


def _new_blueprint(
    spec: BookSpec,
    retriever: Retriever,
    writer: str,
    kept: Mapping[str, Any] | None,
    standing: frozenset[tuple[str, str]],
) -> Blueprint:
    """A layout for what the notes hold, around the sections that stand."""
    bare = structure_of(spec)
    shapes = (*bare.shapes, *bare.spare)
    titles = [section.title for chapter in spec.chapters for section in chapter.sections]
    wide = [retriever.wide(place) for place in range(len(titles))]
    structure = structure_of(
        spec, [fills(w.passages, title, shapes, writer) for w, title in zip(wide, titles, strict=True)]
    )
    old = from_json(kept["blueprint"]) if kept is not None else None
    blueprint = assign(structure) if old is None else _around(structure, old, standing)
    pinned = [section.words is not None for chapter in spec.chapters for section in chapter.sections]
    # what stands keeps its opener and length too: dealt anew by place, it would make a moved section another one
    kept_as = {} if old is None else {(s.chapter_title, s.title): s for s in old.sections}
    sections = []
    for place, plan in enumerate(blueprint.sections):
        was = kept_as.get((plan.chapter_title, plan.title))
        if was is not None and (plan.chapter_title, plan.title) in standing:
            plan = plan._replace(opener=was.opener)
        elif not pinned[place]:
            plan = plan._replace(target_words=fitted(plan, retriever.passages(place, plan).passages, writer))
        sections.append(plan)
    return lock(blueprint.book, tuple(sections), blueprint.relaxed)


def _around(structure: StructureSpec, old: Blueprint, standing: frozenset[tuple[str, str]]) -> Blueprint:
    """The layout that keeps as many of the standing sections as they are as the rules allow.

    A section taken out can bring two of one shape together; then the later one is laid out anew.
    """
    try:
        return assign(pinned_to(structure, old, standing))
    except PlanRefused:
        blueprint = assign(structure)
    kept: set[tuple[str, str]] = set()
    for section in old.sections:
        name = (section.chapter_title, section.title)
        if name not in standing:
            continue
        try:
            blueprint = assign(pinned_to(structure, old, frozenset({*kept, name})))
        except PlanRefused:
            continue
        kept.add(name)
    return blueprint


def _spec_json(spec: BookSpec) -> dict[str, Any]:
    """The spec without who writes it, which is recorded as what was really used."""
    return spec.model_dump(exclude={"models"})


def _notes_json(sources: Sources) -> dict[str, Any]:
    """Which notes there are, with their lanes and hashes."""
    return {note.path: [note.lane, note.sha256] for note in sources.notes}


def _lanes_json(policy: Policy) -> dict[str, Any]:
    """The lanes without the files that a person cleared: what these change is among the notes."""
    return {name: lane.model_dump(exclude={"cleared"}) for name, lane in sorted(policy.lanes.items())}


def _ident(spec: BookSpec, plan: SectionPlan, passages: tuple[Passage, ...], models: Models, policy: Policy) -> str:
    """A name for the section's work: a hash of all it is written from, but not of its place in the book."""
    body = {
        "book": spec.title,
        "lane": spec.lane,
        "plan": [v for k, v in plan._asdict().items() if k not in ("number", "chapter", "position")],
        "passages": [[p.source, hashlib.sha256(p.text.encode("utf-8", "replace")).hexdigest()] for p in passages],
        "models": list(models),
        "style": policy.style.model_dump(),
    }
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:24]
