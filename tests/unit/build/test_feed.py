"""What RFC 4287 demands of a feed holds of every feed, and what is new moves its times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from beside import beside
from hypothesis import given
from hypothesis import strategies as st

from rulebook.build.archive import Archive, ListedChange, ListedEdition
from rulebook.build.index import feed_of
from rulebook.model.revisions import CLASSES
from rulebook.typeset.markup import inline

ATOM = "{http://www.w3.org/2005/Atom}"
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


def edition(number: str, day: str | None = "2010-06-17", **more: object) -> ListedEdition:
    return ListedEdition(
        **{"edition": number, "title": "Tiny", "date": day, "status": "released", **more}  # type: ignore[arg-type]
    )


def archive(*editions: ListedEdition, authors: tuple[str, ...] = ("A. Writer",)) -> Archive:
    return Archive(ruleset="tiny", title="Tiny", authors=authors, editions=editions)


def times(*editions: ListedEdition) -> tuple[str, dict[str, str]]:
    """When the feed was last changed, and each of its entries."""
    data = feed_of(archive(*editions), {}, inline)
    assert data is not None and faults_of(data) == []
    feed = ElementTree.fromstring(data)
    told = {
        (one.findtext(f"{ATOM}id") or "").rpartition("/")[2]: one.findtext(f"{ATOM}updated") or ""
        for one in feed.findall(f"{ATOM}entry")
    }
    return feed.findtext(f"{ATOM}updated") or "", told


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
            st.sampled_from(CLASSES),
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
    pages = {one.edition: f"{one.edition}/changes.html" for one in editions}
    data = feed_of(made, pages, inline)
    told = [one for one in editions if one.status != "working copy" and one.date]
    assert (data is None) == (not told)
    if data is not None:
        assert faults_of(data) == []
        assert len(ElementTree.fromstring(data).findall(f"{ATOM}entry")) == len(told)
        assert feed_of(made, pages, inline) == data


@pytest.mark.parametrize(("before", "after"), beside(__file__, "what_is_not_valid_is_seen"))
def test_what_is_not_valid_is_seen(before: str, after: str) -> None:
    data = (feed_of(archive(edition("1.0")), {}, inline) or b"").decode()
    assert faults_of(data.encode()) == []
    assert before in data
    assert faults_of(data.replace(before, after, 1).encode())


def test_withdrawing_moves_the_times() -> None:
    released, _ = times(edition("1.0"))
    withdrawn = {"status": "withdrawn", "reason": "A slip.", "withdrawn": "2010-07-01"}
    assert released == "2010-06-17T00:00:00Z"
    assert times(edition("1.0", **withdrawn)) == (
        "2010-07-01T12:00:00Z",
        {"1.0": "2010-07-01T12:00:00Z"},
    )
    newest, told = times(edition("1.0", **withdrawn), edition("1.1", "2010-06-30"))
    assert newest == told["1.0"] == "2010-07-01T12:00:00Z"
    assert told["1.1"] == "2010-06-30T00:00:00Z"


@pytest.mark.parametrize("day", [None, "2010-06-17", "2001-01-01"])
def test_so_does_withdrawing_on_the_same_day_or_on_none(day: str | None) -> None:
    told = {"status": "withdrawn", "reason": "A slip.", "withdrawn": day}
    assert times(edition("1.0", **told))[1] == {"1.0": "2010-06-17T12:00:00Z"}


def test_one_that_is_withdrawn_is_not_told_as_released() -> None:
    one = edition("1.0", status="withdrawn", reason="A slip.")
    data = (feed_of(archive(one), {}, inline) or b"").decode()
    assert "is withdrawn" in data and "is released" not in data
