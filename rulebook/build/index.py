"""The manifests of an output folder -> the pages that lead to every file, and the feeds.

output/index.html shows each ruleset in its edition of today, output/<ruleset>/index.html all its
editions with their files and checksums, and output/<ruleset>/feed.atom tells of each as it comes.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from rulebook.build.archive import Archive, ListedEdition, manifests_in, read_archive
from rulebook.build.checksums import sha256, sha256_of
from rulebook.build.feed import FEED, by_class, feed_of
from rulebook.build.fingerprints import program_digest
from rulebook.build.ledger import MANIFEST, Manifest
from rulebook.build.printed_files import groups_of
from rulebook.build.publish import write_if_changed
from rulebook.build.shelf import INDEX
from rulebook.quantities import format_date
from rulebook.views import canonical

#: What the page was made of, so that it is not made again.
LEDGER = ".ledger.json"
TEMPLATE = "index.html.j2"
ARCHIVE_TEMPLATE = "archive.html.j2"
#: All that the pages are made of.
SOURCES = (TEMPLATE, ARCHIVE_TEMPLATE, "parts/files.html.j2", "parts/endmatter.html.j2")
#: Kinds of documents that tell what has changed, as pages for a screen.
_OF_CHANGES = ("changes-screen", "changes")

RenderTemplate = Callable[[str, Mapping[str, Any], Path], str]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes pages from templates; what they say and are made of decides whether it is done."""

    templates: Path
    render_template: RenderTemplate
    ingredients: Mapping[str, str] | None

    def write(self, folder: Path, template: str, says: Mapping[str, Any]) -> None:
        """Write the page of a folder, unless it is there as it should be."""
        page, ledger = folder / INDEX, folder / LEDGER
        parts = [*sorted((self.ingredients or {}).items()), *self._sources()]
        now = sha256(canonical([program_digest(), says, parts]))
        if self.ingredients is not None and _known(ledger) == (now, sha256_of(page)):
            return
        data = self.render_template(template, says, self.templates).encode()
        write_if_changed(page, data)
        write_if_changed(ledger, canonical({"fingerprint": now, "sha256": sha256(data)}))

    def _sources(self) -> list[tuple[str, str | None]]:
        return [(name, sha256_of(self.templates / name)) for name in SOURCES]


def write_index(
    out: Path,
    templates: Path,
    render_template: RenderTemplate,
    ingredients: Mapping[str, str] | None,
) -> None:
    """Write the pages; each holds its own styles and leads to files by relative addresses.

    Where what one says and its `ingredients` are as they were it is left alone; with None it is
    always made, since nothing is known of them. Raises OSError, and whatever a faulty template
    raises.
    """
    from rulebook.typeset.markup import inline

    maker = _Maker(templates, render_template, ingredients)
    for folder in _rulesets(out):
        archive = read_archive(folder)
        if archive is None:
            continue
        says = archive_view(folder, archive)
        notes = {one["edition"]: one["notes"] for one in says["editions"] if one["notes"]}
        feed = feed_of(archive, notes, inline)
        if feed is not None:
            write_if_changed(folder / FEED, feed)
        else:
            (folder / FEED).unlink(missing_ok=True)
        maker.write(folder, ARCHIVE_TEMPLATE, says)
    maker.write(out, TEMPLATE, view(out))


def _rulesets(out: Path) -> list[Path]:
    """The folders of the output folder in which editions are printed."""
    return sorted({path.parent.parent for path in out.glob(f"*/*/{MANIFEST}")})


def _known(ledger: Path) -> tuple[str, str] | None:
    try:
        found = TypeAdapter(dict[str, str]).validate_json(ledger.read_bytes())
        return found["fingerprint"], found["sha256"]
    except (OSError, ValidationError, KeyError):
        return None


def view(out: Path) -> dict[str, Any]:
    """Rulesets by title, each with the files of its edition of today, and its other editions."""
    rulesets = []
    for folder in _rulesets(out):
        archive = read_archive(folder)
        if archive is None:
            continue
        start = folder.relative_to(out).as_posix()
        printed = {one.edition: (at, one) for at, one in reversed(manifests_in(folder))}
        listed = [one for one in reversed(archive.editions) if one.edition in printed]
        shown = next((one for one in listed if one.status != "withdrawn"), None)
        others = [one for one in reversed(archive.editions) if one is not shown]
        at, manifest = printed[shown.edition] if shown else (folder, None)
        same = (one for one_at, one in manifests_in(folder) if one_at != at)
        rulesets.append(
            {
                "title": shown.title if shown else archive.title,
                "archive": quote(f"{start}/{INDEX}"),
                "feed": quote(f"{start}/{FEED}") if (folder / FEED).is_file() else None,
                "edition": _heading(shown, manifest) if shown else None,
                "groups": groups_of(at, manifest, f"{start}/{at.name}") if manifest else [],
                "also": [one.asked for one in same if shown and one.edition == shown.edition],
                "others": [_heading(one, None) for one in others],
            }
        )
    return {"rulesets": sorted(rulesets, key=lambda ruleset: str(ruleset["title"]).casefold())}


def archive_view(folder: Path, archive: Archive) -> dict[str, Any]:
    """All editions of a ruleset, newest first, with their files and checksums."""
    printed = manifests_in(folder)
    return {
        "title": archive.title,
        "feed": FEED if _is_told(archive) else None,
        "editions": [_edition(one, printed) for one in reversed(archive.editions)],
    }


def _is_told(archive: Archive) -> bool:
    return any(one.status != "working copy" and one.date for one in archive.editions)


def _edition(one: ListedEdition, printed: list[tuple[Path, Manifest]]) -> dict[str, Any]:
    printings = [(at, manifest) for at, manifest in printed if manifest.edition == one.edition]
    own = next((manifest for at, manifest in printings if at.name == one.edition), None)
    return {
        **_heading(one, own),
        "title": one.title,
        "summary": one.summary,
        "after": one.after if one.changes else None,
        "changes": [{"class": class_, "titles": titles} for class_, titles in by_class(one)],
        "notes": next((page for at, manifest in printings if (page := _notes(at, manifest))), None),
        "sha256": one.sha256,
        "printings": [
            {
                "name": manifest.asked,
                "manifest": quote(f"{at.name}/{MANIFEST}"),
                "groups": groups_of(at, manifest, at.name),
                "sums": [
                    {"path": f"{at.name}/{entry.path}", "sha256": entry.sha256}
                    for entry in sorted(manifest.files, key=lambda entry: entry.path)
                    if (at / entry.path).is_file()
                ],
            }
            for at, manifest in printings
        ],
    }


def _heading(one: ListedEdition, manifest: Manifest | None) -> dict[str, Any]:
    """What is said of an edition: its number, date and standing.

    What is printed may be a working copy that has moved on under the number of a released edition.
    """
    moved_on = manifest is not None and manifest.status == "working copy"
    return {
        "edition": one.edition,
        "anchor": f"edition-{one.edition}",
        "date": _in_words(one.date or ""),
        "status": one.status,
        "reason": one.reason,
        "withdrawn": _in_words(one.withdrawn or ""),
        "differs": moved_on and one.status != "working copy",
    }


def _notes(at: Path, manifest: Manifest) -> str | None:
    """The address of the page that tells what has changed, if there is one."""
    for kind in _OF_CHANGES:
        for entry in manifest.files:
            if entry.kind == kind and entry.format == "html" and (at / entry.path).is_file():
                return quote(f"{at.name}/{entry.path}")
    return None


def _in_words(date: str) -> str:
    """The date as documents print it; as it stands where it is none."""
    try:
        return format_date(datetime.date.fromisoformat(date))
    except ValueError:
        return date
