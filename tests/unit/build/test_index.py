"""The way in: every file, in the order in which players ask, under relative addresses."""

import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rulebook.build.archive import read_archive
from rulebook.build.index import archive_view, groups_of, view, write_index
from rulebook.build.ledger import MANIFEST, Entry, Manifest, format_manifest
from rulebook.packaged import templates_folder
from rulebook.typeset.environment import render_template


def entry(
    path: str,
    kind: str,
    title: str,
    paper: str | None = None,
    ink: str | None = None,
    *,
    imposition: str | None = None,
):
    form = path.rsplit(".", 1)[1]
    pages = 2 if form == "pdf" else None
    return Entry(
        path=path, kind=kind, title=title, format=form, paper=paper, ink=ink, pages=pages,
        imposition=imposition, sha256="", fingerprint="", bytes=81_234,
    )  # fmt: skip


def an_edition(out: Path, ruleset: str, edition: str, title: str, *entries: Entry) -> None:
    folder = out / ruleset / edition
    for one in entries:
        (folder / one.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / one.path).touch()
    date = None if edition == "1.0" else "2010-07-16"
    manifest = Manifest(ruleset=ruleset, title=title, edition=edition, date=date, files=entries)
    (folder / MANIFEST).write_bytes(format_manifest(manifest))


def some_rulesets(out: Path) -> None:
    an_edition(
        out, "zzz", "2.9", "An early <game> & more",
        entry("Schützen “½”.svg", "cutout", "Cone"),
        entry("booklet.html", "booklet-screen", "Booklet"),
        entry("qrs-letter.pdf", "qrs", "Quick reference", "letter", "full"),
        entry("qrs-a4-low.pdf", "qrs", "Quick reference", "a4", "low"),
        entry("qrs-a4.pdf", "qrs", "Quick reference", "a4", "full"),
    )  # fmt: skip
    an_edition(out, "zzz", "2.10", "An early game", entry("qrs.html", "qrs-screen", "Reference"))
    an_edition(out, "acw", "1.0", "The last game", entry("odd.html", "oddity", "Odd"))


def page_of(out: Path, ruleset: str = ".") -> str:
    write_index(out, templates_folder(), render_template, None)
    return (out / ruleset / "index.html").read_text("utf-8")


def archive_of(folder: Path) -> dict[str, Any]:
    archive = read_archive(folder)
    return archive_view(folder, archive)


def test_order(tmp_path):
    some_rulesets(tmp_path)
    rulesets = view(tmp_path)["rulesets"]
    assert [ruleset["title"] for ruleset in rulesets] == ["An early game", "The last game"]
    assert rulesets[0]["edition"]["edition"] == "2.10"
    assert [other["edition"] for other in rulesets[0]["others"]] == ["2.9"]
    assert rulesets[1]["groups"][0]["title"] == "Oddity"
    says = archive_of(tmp_path / "zzz")
    assert [edition["edition"] for edition in says["editions"]] == ["2.10", "2.9"]
    groups = says["editions"][1]["printings"][0]["groups"]
    assert [group["title"] for group in groups] == ["Quick reference", "Booklet", "Cutouts"]
    (sheet,) = groups[0]["documents"]
    assert [(file["paper"], file["ink"]) for file in sheet["files"]] == [
        ("A4", "full colour"),
        ("A4", "low ink"),
        ("Letter", "full colour"),
    ]


def test_sheets_to_fold_come_after_the_pages_to_read_and_say_how_they_are_printed(tmp_path):
    an_edition(
        tmp_path, "one", "1.0", "One",
        entry("b-a4-imposed.pdf", "booklet", "Booklet", "a4", "full", imposition="saddle stitch"),
        entry("b-letter.pdf", "booklet", "Booklet", "letter", "full"),
        entry("c-a4.pdf", "cards", "Cards", "a4", "full", imposition="n-up"),
        entry("c-singles.pdf", "cards", "Cards", None, "full"),
    )  # fmt: skip
    groups = view(tmp_path)["rulesets"][0]["groups"]
    files = [
        file for group in groups for document in group["documents"] for file in document["files"]
    ]
    assert [file["name"] for file in files] == [
        "b-letter.pdf",
        "b-a4-imposed.pdf",
        "c-singles.pdf",
        "c-a4.pdf",
    ]
    assert [file["to"] for file in files] == [None, "to fold", None, "to cut"]
    assert [file["print"] for file in files][2:] == ["each side of a card by itself", "actual size"]
    page = " ".join(page_of(tmp_path).split())
    assert "PDF A4 to fold" in page
    assert "2 pages, 81 kB; both sides, flipped on the short edge" in page


def addresses_in(page: str) -> list[str]:
    return [unquote(one.split("#")[0]) for one in re.findall(r'href="([^"]*)"', page)]


def test_the_pages_lead_to_every_file(tmp_path):
    some_rulesets(tmp_path)
    pages = {name: page_of(tmp_path, name) for name in (".", "zzz", "acw")}
    for name, page in pages.items():
        found = [tmp_path / name / address for address in addresses_in(page) if address]
        assert found and all(one.is_file() for one in found)
        outside = page.replace("http://www.w3.org/2000/svg", "")  # a name, not an address
        assert not re.search(r"(src=|@import|https?:|url\((?!data:))", outside)
        assert 'name="viewport"' in page
    assert len([one for one in addresses_in(pages["zzz"]) if one.startswith("2.")]) == 6 + 2
    assert [one for one in addresses_in(pages["."]) if not one.endswith("/index.html")] == [
        "zzz/2.10/qrs.html",
        "acw/1.0/odd.html",
    ]
    assert "2 pages, 81 kB" in pages["zzz"]


def test_words_are_escaped(tmp_path):
    some_rulesets(tmp_path)
    shutil.rmtree(tmp_path / "zzz" / "2.10")
    for page in (page_of(tmp_path), page_of(tmp_path, "zzz")):
        assert "An early &lt;game&gt; &amp; more" in page


def test_files_that_are_gone_and_broken_manifests_are_passed_over(tmp_path):
    some_rulesets(tmp_path)
    (tmp_path / "zzz/2.9/qrs-a4.pdf").unlink()
    (tmp_path / "acw/1.0/manifest.json").write_text("{")
    page = page_of(tmp_path)
    assert "qrs-a4.pdf" not in page
    assert "The last game" not in page


def test_nothing_printed(tmp_path):
    page = page_of(tmp_path)
    assert "Nothing has been printed yet." in page


def test_the_page_is_made_again_only_when_something_changed(tmp_path):
    made = []

    def render(name, view, templates):
        if name == "index.html.j2":
            made.append(view)
        return f"{name} {len(view)}"

    def write(**ingredients: str) -> int:
        write_index(tmp_path, tmp_path, render, ingredients)
        return len(made)

    some_rulesets(tmp_path)
    assert [write(a="1"), write(a="1")] == [1, 1]
    assert write(a="2") == 2
    (tmp_path / "acw/1.0/odd.html").unlink()
    assert [write(a="2"), write(a="2")] == [3, 3]
    (tmp_path / "index.html").write_text("scribbled")
    assert write(a="2") == 4
    (tmp_path / "index.html").unlink()
    assert write(a="2") == 5
    (tmp_path / ".ledger.json").write_text("garbage")
    assert [write(a="2"), write(a="2")] == [6, 6]


def test_an_edition_stands_with_its_date_or_alone(tmp_path):
    some_rulesets(tmp_path)
    assert "Edition 2.9, 16 July 2010 <" in page_of(tmp_path, "zzz")
    assert "Edition 1.0 <" in page_of(tmp_path)


def test_each_scenario_has_a_group_of_its_own(tmp_path: Path) -> None:
    """Whatever the kinds of its files are, and whatever stands in its title."""
    bridge, mill = "The Bridge: A Rearguard", "The Mill"
    entries = (
        entry("qrs.html", "qrs-screen", "Quick reference"),
        entry("scenarios/bridge-a5.pdf", "scenario", f"{bridge}: Booklet", "a5"),
        entry("scenarios/bridge.html", "scenario-screen", f"{bridge}: Booklet"),
        entry("scenarios/bridge-cards-a4.pdf", "cards", f"{bridge}: Unit cards", "a4"),
        entry("scenarios/mill-map.svg", "map", f"{mill}: Map"),
        entry("cutouts/cone.svg", "drawing", "Cone"),
    )
    an_edition(tmp_path, "acw", "1.0", "A game", *entries)
    folder = tmp_path / "acw" / "1.0"
    manifest = Manifest(ruleset="acw", title="A game", edition="1.0", date=None, files=entries)
    groups = groups_of(folder, manifest, "1.0")
    found = {g["title"]: [one["title"] for one in g["documents"]] for g in groups}
    assert found == {
        "Quick reference": ["Quick reference"],
        "Cutouts": ["Cone"],
        f"Scenario: {bridge}": ["Booklet", "Unit cards"],
        f"Scenario: {mill}": ["Map"],
    }
