"""A variant's folder and the ruleset that it is based on -> what is written of the variant.

A variant is an overlay: its files add, change and remove by id, as options do, and its chapters
replace sections of the base or stand beside them. All that comes of it keeps its place, in the
files of the one or of the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulebook.limits import DEEPEST, beyond
from rulebook.loading.chapters import Cut, cut_chapter
from rulebook.loading.folder import HEADER_FILE, RULESET_ID, find_releases, find_rulesets
from rulebook.loading.loaded import Variants, Written, put_together
from rulebook.loading.nodes import (
    Entry,
    MappingNode,
    Node,
    Scalar,
    circle,
    misshapen,
    shape,
    unknown,
)
from rulebook.loading.overlays import OVERLAYS, Overlay, named_in, overlaid, read_overlay
from rulebook.loading.safe_text import Unreadable
from rulebook.loading.snapshots import load_snapshot
from rulebook.model.prose import Section
from rulebook.model.ruleset import Address
from rulebook.problems import Problem, Report, Span, second_place

#: The key of a header that makes a ruleset a variant.
BASED_ON = "based_on"
#: The folders of variants that lead to a base, the first of them first.
Chain = tuple[Path, ...]
ReadFolder = Callable[[Path, Report, Chain], Written | None]

_EXPECTED = "a ruleset beside this one, such as mygame, or an edition of it, mygame@1.0"
_NAME = re.compile(r"([a-z0-9][a-z0-9-]{0,63})(?:@(\S{1,40}))?")
#: What a variant says for itself: nothing of it is the base's.
_ITS_OWN = ("title", "edition", "date", BASED_ON)
#: Of these it may say a part; the rest is the base's.
_IN_PARTS = ("documents", "scale", "lengths")
#: What of the base a variant may remove, beside its entities.
_SECTIONS, _OPTIONS = "sections", "options"


def find_base(named: Node, folder: Path, chain: Chain, read: ReadFolder) -> Written:
    """Reads the ruleset, or the edition of it, that `folder` is based on; returns what it says.

    `named` is the value of `based_on` in the header of the folder, `chain` the folders of the
    variants that lead to this one, `read` reads the folder of the base. Raises Unreadable if there
    is no base of that name, if the folder is based on itself, or if the base has faults.
    """
    text = named.text if isinstance(named, Scalar) else shape(named)
    match = _NAME.fullmatch(text) if isinstance(named, Scalar) else None
    source = folder.parent / match[1] if match else folder
    if match and match[2]:
        return _released(source, match[2], named.span)
    own = folder.absolute()
    if match and source.absolute() in (*chain, own):
        names = [below.name for below in (*chain, own)]
        names = [*names[names.index(match[1]) :], match[1]]
        raise Unreadable(circle("rulesets", names, named.span, "R315"))
    if not match or not (source / HEADER_FILE).is_file():
        there = [ruleset.name for ruleset in find_rulesets(own.parent)] if match else []
        known = [name for name in there if RULESET_ID.fullmatch(name) and name != folder.name]
        what = "ruleset beside this one"
        raise Unreadable(unknown("R314", what, text, known, named.span, otherwise=_EXPECTED))
    if len(chain) >= DEEPEST:
        tower = beyond(DEEPEST, "rulesets, each based on the next", named.span)
        raise Unreadable(replace(tower, code="R315"))
    below = Report()
    written = read(source, below, (*chain, own))
    if written is not None:
        put_together(written, (), below, folder=Span(source.as_posix()))
    return _sound(written, match[1], below, named.span)


def _released(source: Path, edition: str, span: Span) -> Written:
    releases = find_releases(source)
    if edition not in releases:
        what = f"released edition of '{source.name}'"
        raise Unreadable(unknown("R314", what, edition, list(releases), span, otherwise=_EXPECTED))
    loaded = load_snapshot(releases[edition])
    variants = loaded.ruleset.variants if loaded.ruleset else None
    written = variants.written if isinstance(variants, Variants) else None
    return _sound(written, f"{source.name}@{edition}", loaded.report, span)


def _sound(written: Written | None, name: str, below: Report, span: Span) -> Written:
    """Returns a base that was read (`written`); raises Unreadable if it has faults.

    `name` is its name, `below` the report of its faults, and `span` the place that names it. The
    fault tells only how many faults the base has and the first of them, since checking the base
    itself reports them all.
    """
    errors = below.errors
    if written and not errors:
        return written
    inner = next((error for error in errors if error.code in ("R314", "R315")), None)
    message = f"'{name}', which this ruleset is based on, has faults ({len(errors)})"
    also = second_place(errors[0].span, errors[0].message)
    hint = f"see 'rulebook check {name}'"
    faulty = Problem("R314", message, span, "a ruleset without a fault", hint, also)
    raise Unreadable(inner or faulty)


def read_files(topics: Mapping[str, Node], report: Report) -> list[Overlay]:
    """Reads the YAML files of a variant: what each adds, changes and removes.

    `topics` are the root nodes of the files, by file name. Faults go to `report`.
    """
    overlays = []
    for file, root in topics.items():
        problems: list[Problem] = []
        if not isinstance(root, MappingNode):
            report.add(misshapen(root, "in this file", f"one or more of {', '.join(OVERLAYS)}"))
            continue
        for key, entry in root.entries.items():
            if key not in OVERLAYS:
                what = "part of the file of a variant"
                problems.append(unknown("R201", what, key, OVERLAYS, entry.key.span))
        overlays.append(read_overlay("file", file, root, problems, (_SECTIONS, _OPTIONS)))
        report.extend(problems)
    return overlays


def laid_over(
    base: Written, own: Written, files: list[Overlay], markdown: Mapping[str, str], report: Report
) -> Written:
    """Lays a variant over its base; returns the header, collections, options and chapters.

    `own` is what is written in the folder of the variant, `files` are its YAML files, `markdown`
    the texts of its Markdown files by name. Faults go to `report`.
    """
    options = dict(base.overlays)
    cuts = dict(base.cuts)
    sections_gone = _removed_by(files, _SECTIONS)
    problems = [
        *_without(_removed_by(files, _OPTIONS), options, "option"),
        *_without_sections(sections_gone, cuts),
    ]
    gone = set(base.overlays) - set(options)
    own_header = own.header or MappingNode({}, base.collections.span)
    laid = overlaid(base.collections, files)
    differs: list[Address] = list(laid.changed)
    listed: dict[str, Span] = {}
    for file, text in markdown.items():
        shown = own.own[file]
        cut = cut_chapter(text, file, shown.path, part=file in base.cuts)
        if file in base.cuts:
            cuts[file] = _with_sections(cuts[file], cut)
        else:
            cuts[file] = cut
            listed[file] = shown
        sections = cut.chapter.sections if cut.chapter else ()
        differs += [(_SECTIONS, section.id) for section in sections]
    report.extend([*problems, *laid.problems])
    entries = own_header.entries
    return Written(
        id=own.id,
        header=_header(base.header or MappingNode({}, own_header.span), own_header),
        collections=laid.collections,
        overlays={**options, **own.overlays},
        options=(base.options - gone) | own.options,
        cuts=cuts,
        pictures={
            **{at: picture for at, picture in base.pictures.items() if at[0] not in entries},
            **own.pictures,
        },
        own=listed,
        texts={**base.texts, **own.texts},
        differs=tuple(differs),
        removed={**laid.removed, **{id_: name.span for id_, name in sections_gone}},
        frozen=base.frozen,
    )


def _header(base: MappingNode, own: MappingNode) -> MappingNode:
    """Returns the header of a variant: its own keys, and those of its base that it does not have.

    Documents, scale and lengths are merged key by key. The title, edition, date and base are never
    taken from the base.
    """
    kept = {key: entry for key, entry in base.entries.items() if key not in _ITS_OWN}
    parts = {key: entry for key, entry in kept.items() if key in _IN_PARTS}
    said = {key: entry for key, entry in own.entries.items() if key in parts}
    merged = _merged(MappingNode(parts, base.span), MappingNode(said, own.span))
    return MappingNode({**kept, **own.entries, **merged.entries}, own.span)


def _merged(old: MappingNode, new: MappingNode) -> MappingNode:
    """Merges two mappings key by key, and nested mappings likewise.

    Of two values that are not both mappings, that in `new` is taken. Returns a new mapping.
    """
    entries = {**old.entries, **new.entries}
    for key in old.entries.keys() & new.entries.keys():
        before, now = old.entries[key].value, new.entries[key].value
        if isinstance(before, MappingNode) and isinstance(now, MappingNode):
            entries[key] = Entry(new.entries[key].key, _merged(before, now))
    return MappingNode(entries, new.span)


def _removed_by(files: Iterable[Overlay], kind: str) -> list[tuple[str, Scalar]]:
    """Lists the ids of the sections or options (`kind`) that files remove, each with its node.

    Hyphens in ids become underscores.
    """
    names = (name for file in files for name, _ in named_in(file.removes.get(kind)))
    return [(name.text.replace("-", "_"), name) for name in names if isinstance(name, Scalar)]


def _without(
    names: Iterable[tuple[str, Scalar]], known: dict[str, Any], kind: str
) -> list[Problem]:
    """Deletes names from `known` in place; returns a fault for each name that is not in it.

    `names` are ids with their nodes, `kind` says in reports what they name.
    """
    return [
        unknown("R309", kind, name.text, sorted(known), name.span)
        for id_, name in names
        if known.pop(id_, None) is None
    ]


def _without_sections(names: Sequence[tuple[str, Scalar]], cuts: dict[str, Cut]) -> list[Problem]:
    """Removes sections from their chapters in `cuts`, in place; returns faults for unknown ids.

    A section ends at the next heading. The first section of a chapter, which has its title, cannot
    be removed: a variant leaves out a chapter by a list of chapters of its own.
    """
    known = {
        section.id: file
        for file, cut in cuts.items()
        for section in (cut.chapter.sections[1:] if cut.chapter else ())
    }
    for id_, _ in names:
        if id_ in known:
            cuts[known[id_]] = _replaced(cuts[known[id_]], {id_: None})
    return _without(names, known, "section")


def _replaced(cut: Cut, sections: Mapping[str, Section | None]) -> Cut:
    """Returns a chapter with sections replaced by id, or removed where the new section is None.

    Links in the sections that are replaced or removed are dropped. New sections keep the level of
    the old.
    """
    if cut.chapter is None:
        return cut
    kept: list[Section] = []
    gone: list[range] = []
    old = cut.chapter.sections
    for index, section in enumerate(old):
        if section.id not in sections:
            kept.append(section)
            continue
        last = old[index + 1].span.line if index + 1 < len(old) else 1 << 40
        gone.append(range(section.span.line, last))
        new = sections[section.id]
        if new is not None:
            kept.append(replace(new, level=section.level))
    path = old[0].span.path
    anchors = tuple(
        anchor
        for anchor in cut.anchors
        if anchor.span.path != path or not any(anchor.span.line in lines for lines in gone)
    )
    chapter = replace(cut.chapter, sections=tuple(kept)) if kept else None
    return Cut(chapter, anchors, cut.problems)


def _with_sections(base: Cut, own: Cut) -> Cut:
    """Merges the sections of a variant into a chapter: replaces those of known ids, adds new ones.

    A new section is put after the section that precedes it in the variant, or else at the end.
    """
    if base.chapter is None or own.chapter is None:
        return Cut(base.chapter, base.anchors, (*base.problems, *own.problems))
    known = {section.id for section in base.chapter.sections}
    replaced = {section.id: section for section in own.chapter.sections if section.id in known}
    cut = _replaced(base, replaced)
    sections = list(cut.chapter.sections) if cut.chapter else []
    before: str | None = None
    for section in own.chapter.sections:
        if section.id not in known:
            ids = [section.id for section in sections]
            at = ids.index(before) + 1 if before in ids else len(sections)
            level = min(section.level, sections[at - 1].level + 1 if at else 1)
            sections.insert(at, replace(section, level=max(level, 2 if at else 1)))
        before = section.id
    chapter = replace(base.chapter, sections=tuple(sections))
    return Cut(chapter, (*cut.anchors, *own.anchors), (*base.problems, *own.problems))
