"""The list of all editions, and the feed: dates of editions and never of a clock."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from beside import beside
from frozen import put, snapshot_of, write_tiny
from hypothesis import given
from hypothesis import strategies as st

from rulebook.build.archive import (
    ARCHIVE,
    Archive,
    ListedChange,
    ListedEdition,
    read_archive,
    write_archive,
)
from rulebook.build.publish import MANIFEST, Manifest, format_json
from rulebook.build.site import feed_of, ruleset_view, write_site
from rulebook.loading.snapshots import Snapshot, read_snapshot
from rulebook.model.revisions import CLASSES
from rulebook.packaged import templates_folder

ATOM = "{http://www.w3.org/2005/Atom}"
NOTES = beside(__file__, "notes")


def edition(snapshot: Snapshot, number: str, date: str | None, **more: object) -> Snapshot:
    header = {**snapshot.content["header"], "edition": number, **more}  # type: ignore[dict-item]
    if date:
        header["date"] = date
    return replace(snapshot, edition=number, content={**snapshot.content, "header": header})


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A ruleset with three released editions, one without a date, one withdrawn."""
    folder = write_tiny(tmp_path / "content")
    credits = [{"role": "Rules", "name": "A. Writer"}, {"role": "Maps", "name": "A. Writer"}]
    snapshot = snapshot_of(folder)
    put(tmp_path / "content", edition(snapshot, "1.0", None))
    put(tmp_path / "content", edition(snapshot, "1.9", "2009-06-01"))
    put(tmp_path / "content", edition(snapshot, "1.10", "2010-07-16", credits=credits))
    (folder / "revisions.yaml").write_text(NOTES, "utf-8")
    return folder


def printed(out: Path, number: str, status: str = "working copy", folder: str = "") -> None:
    manifest = Manifest(
        ruleset="tiny", title="Tiny", edition=number, date=None, status=status, files=()
    )  # type: ignore[arg-type]
    at = out / "tiny" / (folder or number)
    at.mkdir(parents=True)
    (at / MANIFEST).write_bytes(format_json(manifest))


def pages(out: Path) -> tuple[str, str]:
    write_site(out, (), templates_folder())
    return (out / "index.html").read_text("utf-8"), (out / "tiny/index.html").read_text("utf-8")


class TestList:
    def test_all_that_was_released_and_all_that_is_printed(
        self, tiny: Path, tmp_path: Path
    ) -> None:
        header = tiny / "ruleset.yaml"
        header.write_text(re.sub(r"(?m)^edition:.*$", "edition: '2.0'", header.read_text("utf-8")))
        printed(tmp_path / "out", "2.0")
        printed(tmp_path / "out", "0.1")  # the working copy as it was once
        write_archive(tiny, tmp_path / "out")
        found = json.loads((tmp_path / "out" / "tiny" / ARCHIVE).read_text("utf-8"))
        assert list(found) == ["ruleset", "title", "authors", "editions"]
        assert (found["ruleset"], found["authors"]) == ("tiny", ["A. Writer"])
        listed = found["editions"]
        assert list(listed[0]) == [
            "edition", "title", "date", "status", "reason", "withdrawn", "after", "summary",
            "changes", "sha256",
        ]  # fmt: skip
        assert [(one["edition"], one["status"], one["date"]) for one in listed] == [
            ("1.0", "released", None),
            ("1.9", "withdrawn", "2009-06-01"),
            ("1.10", "released", "2010-07-16"),
            ("2.0", "working copy", None),
        ]
        assert listed[1]["reason"] == "It was printed from the wrong file."
        assert (listed[2]["after"], listed[2]["summary"]) == ("1.9", "The *second*, & better.")
        assert listed[2]["changes"] == [
            {"title": "A hit is harder", "class": "rule change"},
            {"title": "A slip & a slide", "class": "correction"},
        ]
        snapshot, _ = read_snapshot(tiny / "releases" / "1.10.json")
        assert snapshot is not None and listed[2]["sha256"] == snapshot.sha256
        assert listed[3]["sha256"] is None

    def test_a_broken_list_is_made_of_what_is_printed(self, tiny: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        printed(out, "2.0", "released")
        (out / "tiny" / ARCHIVE).write_text('{"ruleset": "tiny"}')
        archive = read_archive(out / "tiny")
        assert [(one.edition, one.status) for one in archive.editions] == [("2.0", "released")]

    def test_while_the_notes_are_faulty_the_list_stays(self, tiny: Path, tmp_path: Path) -> None:
        """A slip must not make an edition that was withdrawn look like any other."""
        write_archive(tiny, tmp_path)
        before = (tmp_path / "tiny" / ARCHIVE).read_bytes()
        (tiny / "revisions.yaml").write_text("withdrawn: [")
        write_archive(tiny, tmp_path)
        assert (tmp_path / "tiny" / ARCHIVE).read_bytes() == before

    def test_a_damaged_release_costs_the_others_nothing(self, tiny: Path, tmp_path: Path) -> None:
        (tiny / "releases" / "1.9.json").write_text("{")
        write_archive(tiny, tmp_path)
        archive = read_archive(tmp_path / "tiny")
        assert [(one.edition, one.status) for one in archive.editions] == [
            ("1.0", "released"),
            ("1.10", "released"),
        ]


class TestPages:
    def test_what_stands_on_them(self, tiny: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        printed(out, "1.9", "withdrawn")
        printed(out, "1.10", "released")
        write_archive(tiny, out)
        index, archive = (" ".join(page.split()) for page in pages(out))
        assert "Edition 1.10<" in index
        assert '<a href="tiny/index.html">Tiny</a>' in index
        assert "1.9" not in index.split("</head>")[1]
        assert 'href="tiny/feed.atom"' in index and 'href="feed.atom"' in archive
        assert archive.index("edition-1.10") < archive.index("edition-1.9")
        assert '<span class="status withdrawn">withdrawn</span>' in archive
        assert "It was printed from the wrong file." in archive
        assert "The <em>second</em>, &amp; better." in archive
        assert "Changes since 1.9" in archive and "<li>A slip &amp; a slide</li>" in archive
        assert "Not printed here." in archive

    def test_one_that_is_withdrawn_is_not_offered(self, tiny: Path, tmp_path: Path) -> None:
        printed(tmp_path / "out", "1.9", "withdrawn")
        write_archive(tiny, tmp_path / "out")
        index, archive = pages(tmp_path / "out")
        # The newest of all is not printed here, and of the other nothing is to be read or printed.
        assert "Edition 1.10" in index and "<img" not in index
        assert 'id="print"' not in archive and '<span class="status withdrawn">' in archive

    def test_files_of_a_working_copy_under_a_released_number(
        self, tiny: Path, tmp_path: Path
    ) -> None:
        printed(tmp_path / "out", "1.10", "working copy")
        write_archive(tiny, tmp_path / "out")
        _, archive = pages(tmp_path / "out")
        assert "no longer what was released" in archive

    def test_an_old_feed_goes(self, tiny: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        printed(out, "1.10", "released")
        write_archive(tiny, out)
        pages(out)
        shutil.rmtree(tiny / "releases")
        write_archive(tiny, out)
        index, _ = pages(out)
        assert not (out / "tiny" / "feed.atom").exists() and "feed.atom" not in index


class TestFeed:
    def feed(self, tiny: Path, out: Path) -> ElementTree.Element:
        printed(out, "1.10", "released")
        write_archive(tiny, out)
        pages(out)
        return ElementTree.parse(out / "tiny" / "feed.atom").getroot()

    def test_the_newest_first_by_the_dates_of_editions(self, tiny: Path, tmp_path: Path) -> None:
        feed = self.feed(tiny, tmp_path / "out")
        assert feed.findtext(f"{ATOM}updated") == "2010-07-16T00:00:00Z"
        told = [
            (one.findtext(f"{ATOM}title"), one.findtext(f"{ATOM}updated"))
            for one in feed.findall(f"{ATOM}entry")
        ]
        assert told == [
            ("Tiny, edition 1.10", "2010-07-16T00:00:00Z"),
            ("Tiny, edition 1.9 (withdrawn)", "2009-06-01T12:00:00Z"),
        ]

    def test_days_that_stand_in_the_notes(self, tiny: Path, tmp_path: Path) -> None:
        """Of an edition without a date, and of one that was withdrawn."""
        notes = NOTES.replace("editions:", 'editions:\n  "1.0": {released: 2008-02-29}')
        before = '"1.9": It was printed from the wrong file.'
        assert before in notes
        after = '"1.9": {date: 2010-08-01, reason: It was printed from the wrong file.}'
        (tiny / "revisions.yaml").write_text(notes.replace(before, after), "utf-8")
        feed = self.feed(tiny, tmp_path / "out")
        assert feed.findtext(f"{ATOM}updated") == "2010-08-01T12:00:00Z"
        updated = [one.findtext(f"{ATOM}updated") for one in feed.findall(f"{ATOM}entry")]
        assert updated == ["2010-07-16T00:00:00Z", "2010-08-01T12:00:00Z", "2008-02-29T00:00:00Z"]
        archive = read_archive(tmp_path / "out" / "tiny")
        assert [(one.date, one.withdrawn) for one in archive.editions] == [
            ("2008-02-29", None),
            ("2009-06-01", "2010-08-01"),
            ("2010-07-16", None),
        ]
        page = (tmp_path / "out" / "tiny" / "index.html").read_text("utf-8")
        assert "This edition was withdrawn on 1 August 2010." in page

    def test_a_date_written_by_hand_that_is_none(self, tiny: Path, tmp_path: Path) -> None:
        snapshot, _ = read_snapshot(tiny / "releases" / "1.10.json")
        put(tiny.parent, edition(snapshot, "1.10", "soon"))
        feed = self.feed(tiny, tmp_path / "out")
        assert feed.findtext(f"{ATOM}updated") == "2009-06-01T12:00:00Z"

    def test_the_summary_of_changes(self, tiny: Path, tmp_path: Path) -> None:
        feed = self.feed(tiny, tmp_path / "out")
        second, first = (one.find(f"{ATOM}content") for one in feed.findall(f"{ATOM}entry"))
        assert second.get("type") == "html"
        assert second.text == (
            "<p>The <em>second</em>, &amp; better.</p>"
            "<p>Rule change</p><ul><li>A hit is harder</li></ul>"
            "<p>Correction</p><ul><li>A slip &amp; a slide</li></ul>"
        )
        assert (first.text or "").startswith(
            "<p><b>This edition is withdrawn.</b> It was printed from the wrong file.</p>"
        )
        assert "is released" not in first.text

    def test_nothing_hostile_comes_through(self) -> None:
        listed = ListedEdition(
            edition="1.0",
            title="Bells \x07 & <whistles>",
            date="2010-07-16",
            status="released",
            summary="<script>alert(1)</script> [x](javascript:alert)",
            changes=(ListedChange(title="<b>\x00", class_="rule change"),),
        )
        archive = Archive(ruleset="bells", title=listed.title, authors=(), editions=(listed,))
        data = fed(archive) or b""
        feed = ElementTree.fromstring(data)
        content = feed.findtext(f"{ATOM}entry/{ATOM}content") or ""
        assert "<script" not in content and "javascript:" not in content and "<b>" not in content


# What RFC 4287 demands of a feed holds of every feed, and what is new moves its times.

#: Section 4.1 of RFC 4287: what may stand in a feed and in an entry, and how often.
ONCE = ("id", "title", "updated")
OF_FEED = {*ONCE, "author", "link", "entry"}
OF_ENTRY = {*ONCE, "author", "link", "content"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")  # section 3.3: RFC 3339, T and Z large
IRI = re.compile(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


def faults_of(data: bytes) -> list[str]:
    """What a feed has otherwise than RFC 4287 demands."""
    feed = ElementTree.fromstring(data)
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    faults = [*_part(feed, OF_FEED), *(fault for one in entries for fault in _part(one, OF_ENTRY))]
    if not any(one.get("rel") == "self" for one in feed.findall(f"{ATOM}link")):
        faults.append("no link to itself")
    ids = Counter(one.findtext(f"{ATOM}id") for one in (feed, *entries))
    faults += [f"{id_} is the id of two" for id_, count in ids.items() if count > 1]
    for entry in entries:
        if feed.find(f"{ATOM}author") is None and entry.find(f"{ATOM}author") is None:
            faults.append("an entry without an author")
        if not _alternates(entry) and entry.find(f"{ATOM}content") is None:
            faults.append("an entry with neither content nor a page")
        if (entry.findtext(f"{ATOM}updated") or "") > (feed.findtext(f"{ATOM}updated") or ""):
            faults.append("an entry newer than its feed")
    return faults


def _part(part: Element, known: set[str]) -> Iterator[str]:
    found = Counter(one.tag.removeprefix(ATOM) for one in part)
    yield from (f"no or two {name}" for name in ONCE if found[name] != 1)
    yield from (f"{name} is none of Atom's" for name in found.keys() - known)
    if not TIME.fullmatch(part.findtext(f"{ATOM}updated") or ""):
        yield f"{part.findtext(f'{ATOM}updated')} is no time"
    else:
        datetime.fromisoformat(part.findtext(f"{ATOM}updated") or "")
    if not IRI.fullmatch(part.findtext(f"{ATOM}id") or ""):
        yield f"{part.findtext(f'{ATOM}id')} is no IRI"
    if not (part.findtext(f"{ATOM}title") or ""):
        yield "an empty title"
    for author in part.findall(f"{ATOM}author"):
        if [one.tag for one in author] != [f"{ATOM}name"] or not author[0].text:
            yield "an author without a name"
    for link in part.findall(f"{ATOM}link"):
        if not link.get("href") or not re.fullmatch(r"[a-z]+/[a-z+]+", link.get("type", "")):
            yield "a link that leads nowhere"
    if any(count > 1 for count in Counter(_alternates(part)).values()):
        yield "two pages of one type"
    for content in part.findall(f"{ATOM}content"):
        if content.get("type") != "html" or len(content):
            yield "content that is not as its type says"


def _alternates(part: Element) -> list[str | None]:
    links = part.findall(f"{ATOM}link")
    return [one.get("type") for one in links if one.get("rel") in (None, "alternate")]


def fed(made: Archive) -> bytes | None:
    """The feed of a ruleset of which nothing is printed; None if there is none."""
    if not made.editions:
        return None
    view = ruleset_view(Path("nowhere"), made)
    return feed_of(made, view["editions"], templates_folder()) if view["feed"] else None


def an_edition(**more: object) -> ListedEdition:
    known = {"edition": "1.0", "title": "Tiny", "date": "2010-06-17", "status": "released"}
    return ListedEdition(**{**known, **more})  # type: ignore[arg-type]


def archive(*editions: ListedEdition, authors: tuple[str, ...] = ("A. Writer",)) -> Archive:
    return Archive(ruleset="tiny", title="Tiny", authors=authors, editions=editions)


WORDS = st.text(min_size=1, max_size=30)
DAYS = st.dates(date(1900, 1, 1)).map(date.isoformat)
LISTED = st.builds(
    ListedEdition,
    edition=st.integers(0, 99).map(lambda number: f"{number / 10}"),
    title=WORDS,
    date=st.none() | DAYS,
    status=st.sampled_from(["working copy", "released", "withdrawn"]),
    reason=st.none() | WORDS,
    withdrawn=st.none() | DAYS,
    summary=st.none() | WORDS,
    changes=st.lists(
        st.builds(
            lambda title, class_: ListedChange(title=title, class_=class_),
            WORDS,
            st.sampled_from(list(CLASSES)),
        ),
        max_size=3,
    ).map(tuple),
)


@given(
    st.lists(LISTED, max_size=5, unique_by=lambda one: one.edition),
    st.lists(WORDS, max_size=3).map(tuple),
    WORDS,
)
def test_every_feed_is_valid(
    editions: list[ListedEdition], authors: tuple[str, ...], title: str
) -> None:
    made = archive(*editions, authors=authors).model_copy(update={"title": title})
    data = fed(made)
    told = [one for one in editions if one.status != "working copy" and one.date]
    assert (data is None) == (not told)
    if data is not None:
        assert faults_of(data) == []
        assert len(ElementTree.fromstring(data).findall(f"{ATOM}entry")) == len(told)
        assert fed(made) == data


@pytest.mark.parametrize("day", [None, "2010-06-17", "2001-01-01"])
def test_withdrawing_on_the_same_day_or_on_none_moves_the_time(day: str | None) -> None:
    made = archive(an_edition(status="withdrawn", reason="A slip.", withdrawn=day))
    data = fed(made)
    assert data is not None and faults_of(data) == []
    feed = ElementTree.fromstring(data)
    assert [one.text for one in feed.iter(f"{ATOM}updated")] == ["2010-06-17T12:00:00Z"] * 2
