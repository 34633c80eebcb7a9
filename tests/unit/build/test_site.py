"""The way in: every file, in the order in which players ask, under relative addresses."""

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rulebook.build.archive import EditionFolder, read_archive
from rulebook.build.publish import MANIFEST, Manifest, PrintedFile, format_json
from rulebook.build.site import groups_of, ruleset_view, write_site
from rulebook.packaged import templates_folder


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
    return PrintedFile(
        path=path, kind=kind, title=title, format=form, paper=paper, ink=ink, pages=pages,
        imposition=imposition, sha256="", fingerprint="", bytes=81_234,
    )  # fmt: skip


def an_edition(out: Path, ruleset: str, edition: str, title: str, *entries: PrintedFile) -> None:
    folder = out / ruleset / edition
    for one in entries:
        (folder / one.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / one.path).touch()
    date = None if edition == "1.0" else "2010-07-16"
    manifest = Manifest(ruleset=ruleset, title=title, edition=edition, date=date, files=entries)
    (folder / MANIFEST).write_bytes(format_json(manifest))


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
    write_site(out, (), templates_folder())
    return (out / ruleset / "index.html").read_text("utf-8")


def says_of(folder: Path) -> dict[str, Any]:
    archive = read_archive(folder)
    assert archive is not None
    return ruleset_view(folder, archive)


def test_order(tmp_path):
    some_rulesets(tmp_path)
    page = page_of(tmp_path)
    assert page.index("An early game") < page.index("The last game")
    assert says_of(tmp_path / "zzz")["edition"]["edition"] == "2.10"
    assert says_of(tmp_path / "acw")["groups"][0]["title"] == "Oddity"
    says = says_of(tmp_path / "zzz")
    assert [edition["edition"] for edition in says["editions"]] == ["2.10", "2.9"]
    assert says["editions"][0]["printings"][0]["groups"] == [], "they are listed above"
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
    groups = says_of(tmp_path / "one")["groups"]
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
    page = " ".join(page_of(tmp_path, "one").split())
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
    listed = {one for one in addresses_in(pages["zzz"]) if one.startswith("2.")}
    assert len(listed) == 6 + 2
    assert addresses_in(pages["."]) == ["zzz/index.html", "acw/index.html"]
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
    assert "The last game" not in page_of(tmp_path)
    page = page_of(tmp_path, "zzz")
    assert "qrs-a4.pdf" not in page and "qrs-a4-low.pdf" in page


def test_nothing_printed(tmp_path):
    page = page_of(tmp_path)
    assert "Nothing has been printed yet." in page


def test_an_edition_stands_with_its_date_or_alone(tmp_path):
    some_rulesets(tmp_path)
    assert "Edition 2.9, 16 July 2010 <" in page_of(tmp_path, "zzz")
    assert "Edition 1.0 <" in page_of(tmp_path, "acw") and "Edition 1.0<" in page_of(tmp_path)


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
    groups = groups_of(EditionFolder(folder, manifest))
    found = {g["title"]: [one["title"] for one in g["documents"]] for g in groups}
    assert found == {
        "Quick reference": ["Quick reference"],
        "Cutouts": ["Cone"],
        f"Scenario: {bridge}": ["Booklet", "Unit cards"],
        f"Scenario: {mill}": ["Map"],
    }


def a_game(out: Path) -> dict[str, Any]:
    """A ruleset with all that players print first, in two papers, and some of it in two inks."""
    entries = [
        entry("thumbnails/qrs-a4.png", "qrs", "Quick reference"),
        entry("thumbnails/booklet-a5.png", "booklet", "Booklet"),
        entry("thumbnails/scenarios/mill-a5.png", "scenario", "The Mill: Booklet"),
        entry("booklet-a5.pdf", "booklet", "Booklet", "a5", "full"),
        entry("booklet.html", "booklet-screen", "Booklet"),
        entry("odds.html", "odds", "Odds"),
        entry("qrs.html", "qrs-screen", "Quick reference"),
        entry("cards-unit-cards-singles.pdf", "cards", "Unit cards", None, "full"),
        entry("cutouts/cone-a4.pdf", "cutout", "Cone", "a4", "full"),
        entry("scenarios/mill.html", "scenario-screen", "The Mill: Booklet"),
        entry("scenarios/mill-cards-a4.pdf", "cards", "The Mill: Unit cards", "a4", "full"),
        entry("changes-from-1.9.html", "changes", "Notes on changes"),
    ]
    for paper in ("a4", "letter"):
        for ink in ("full", "low"):
            end = f"{paper}{'-low' if ink == 'low' else ''}.pdf"
            entries += [
                entry(f"qrs-2-{end}", "qrs", "Quick reference, second sheet", paper, ink),
                entry(f"qrs-{end}", "qrs", "Quick reference", paper, ink),
                entry(
                    f"cards-unit-cards-{end}", "cards", "Unit cards", paper, ink, imposition="n-up"
                ),
            ]
        folded = entry(
            f"booklet-{paper}-imposed.pdf", "booklet", "Booklet", paper, "full",
            imposition="saddle stitch",
        )  # fmt: skip
        cutouts = entry(f"cutouts/all-{paper}.pdf", "cutout", "All cutouts", paper, "full")
        entries += [folded, cutouts]
    an_edition(out, "game", "2.0", "A game", *entries)
    return says_of(out / "game")


def test_what_most_want_is_printed_first(tmp_path: Path) -> None:
    says = a_game(tmp_path)
    found = {one["title"]: [file["name"] for file in one["files"]] for one in says["print"]}
    assert found == {
        "Quick reference": [
            *("qrs-a4.pdf", "qrs-a4-low.pdf", "qrs-letter.pdf", "qrs-letter-low.pdf"),
        ],
        "Quick reference, second sheet": [
            *("qrs-2-a4.pdf", "qrs-2-a4-low.pdf", "qrs-2-letter.pdf", "qrs-2-letter-low.pdf"),
        ],
        "Booklet to fold": ["booklet-a4-imposed.pdf", "booklet-letter-imposed.pdf"],
        "All cutouts": ["cutouts/all-a4.pdf", "cutouts/all-letter.pdf"],
        "Unit cards": [
            f"cards-unit-cards-{end}.pdf" for end in ("a4", "a4-low", "letter", "letter-low")
        ],
        "Booklet to read": ["booklet-a5.pdf"],
    }
    assert [*found][0::2] == ["Quick reference", "Booklet to fold", "Unit cards"]
    assert [one["picture"] for one in says["print"][:3]] == [
        *("2.0/thumbnails/qrs-a4.png", None, "2.0/thumbnails/booklet-a5.png"),
    ]
    assert says["papers"] == [("a4", "A4"), ("letter", "Letter")], "A5 is that of booklets alone"
    assert says["inks"] == [("full", "full colour"), ("low", "low ink")]


def test_pages_are_offered_that_are_there_and_battles_with_their_maps(tmp_path: Path) -> None:
    says = a_game(tmp_path)
    assert [(one["is"], one["href"]) for one in says["pages"]] == [
        ("booklet", "2.0/booklet.html"),
        ("qrs", "2.0/qrs.html"),
        ("odds", "2.0/odds.html"),
    ]
    (battle,) = says["scenarios"]
    assert (battle["title"], battle["page"]) == ("The Mill", "2.0/scenarios/mill.html")
    assert battle["map"] == "2.0/thumbnails/scenarios/mill-a5.png"
    assert {one["title"] for one in battle["documents"]} == {"Booklet", "Unit cards"}
    assert not [group for group in says["groups"] if "Mill" in group["title"]]
    listed = [f["name"] for g in says["groups"] for d in g["documents"] for f in d["files"]]
    assert not [name for name in listed if name.endswith(".png")]
    assert (says["cover"], says["new"]) == (
        "2.0/thumbnails/booklet-a5.png",
        "2.0/changes-from-1.9.html",
    )


def test_the_shelf_says_what_each_ruleset_is(tmp_path: Path) -> None:
    a_game(tmp_path)
    manifest = tmp_path / "game/2.0/manifest.json"
    told = json.loads(manifest.read_text("utf-8"))
    told |= {
        "players": "2 <or> 3",
        "summary": "It is short. It is & was good.",
        "accent": "#123456",
    }
    manifest.write_text(json.dumps(told), "utf-8")
    page = " ".join(page_of(tmp_path).split("</head>")[1].split())
    assert "Players: 2 &lt;or&gt; 3" in page and 'style="--spine:#123456"' in page
    assert "It is short." in page and "was good" not in page, "the first sentence is enough"
    assert 'src="game/2.0/thumbnails/booklet-a5.png"' in page
    assert '<a class="new" href="game/2.0/changes-from-1.9.html">New in 2.0</a>' in page
    assert "It is short. It is &amp; was good." in page_of(tmp_path, "game")


def test_a_colour_that_is_none_costs_nothing_else(tmp_path: Path) -> None:
    """A manifest may be anybody's: what it says stays what it is on a page."""
    a_game(tmp_path)
    manifest = tmp_path / "game/2.0/manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace("#3a3a3a", "red}</style>"), "utf-8")
    assert "A game" not in page_of(tmp_path)
