"""The booklets of the American Civil War Game, read back from their PDFs."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pikepdf
import pytest
from printed import acw, blocks, dice_of, document_of, drawn_title, printed
from read_pdf import Link, Printed
from read_sheets import Sheets

from rulebook.documents.parts.binding import plain_text
from rulebook.model.not_in_source import unstated
from rulebook.model.prose import Block, Chart, rule_numbers
from rulebook.paper_and_ink import paper_size

PAPERS = {name: paper_size(name) for name in ("a5", "a4", "letter")}
END = ["Agree before play", "Designer’s notes", "Glossary", "Index"]
ANCHORS = ["agree-before-play", "designers-notes", "the-glossary", "the-index"]
#: The headings of the page on what to agree on.
AGREED = [
    "Optional rules",
    "Where the source is silent or unclear, this book plays",
]


@pytest.fixture(scope="module", params=PAPERS)
def any_paper(request: pytest.FixtureRequest) -> tuple[str, Printed]:
    return request.param, Printed(printed(f"booklet-{request.param}.pdf"))


@pytest.fixture(scope="module", params=["a5", "a4"])
def booklet(request: pytest.FixtureRequest) -> Printed:
    """One of each layout."""
    return Printed(printed(f"booklet-{request.param}.pdf"))


def numbered() -> list[tuple[str, int, str]]:
    """Id, depth and words of every heading of the rules, in order."""
    numbers = rule_numbers(acw().chapters)
    return [
        (section.id, section.level, f"{numbers[section.id]} {section.title}")
        for chapter in acw().chapters
        for section in chapter.sections
    ]


def page_of(booklet: Printed, title: str) -> int:
    """The page of a bookmark of the first level."""
    return next(page for level, words, page in booklet.bookmarks() if words == title and not level)


def links_between(booklet: Printed, first: int, last: int) -> list[Link]:
    return [link for number in range(first, last) for link in booklet.links(number)]


def test_a4_and_letter_agree_page_for_page() -> None:
    a4, letter = (Printed(printed(f"booklet-{paper}.pdf")) for paper in ("a4", "letter"))
    assert a4.texts == letter.texts
    assert a4.anchors == letter.anchors
    assert a4.bookmarks() == letter.bookmarks()


def test_bookmarks_name_every_rule_in_order(booklet: Printed) -> None:
    expected = [(level - 1, words) for _, level, words in numbered() if level <= 2]
    end = [(0, END[0]), *((1, title) for title in AGREED), *((0, title) for title in END[1:])]
    expected = [(0, "Contents"), *expected, *end]
    marks = [(level, words) for level, words, _ in booklet.bookmarks() if level <= 1]
    assert marks == expected
    pages = [page for _, _, page in booklet.bookmarks()]
    assert pages == sorted(pages)


def test_contents_lead_to_the_page_whose_number_they_print(booklet: Printed) -> None:
    first = page_of(booklet, "Contents")
    last = page_of(booklet, numbered()[0][2])
    links = links_between(booklet, first, last)
    by_target: dict[str, list[str]] = {}
    for link in links:
        by_target.setdefault(link.target, []).append(link.words)
    listed = [name for name, level, _ in numbered() if level <= 2]
    assert list(by_target) == [*listed, *ANCHORS]
    text = " ".join(booklet.texts[first:last])
    titles = {name: words for name, level, words in numbered() if level <= 2}
    titles |= dict(zip(ANCHORS, END, strict=True))
    for name, words in titles.items():
        entry = re.search(rf"(?<![\w.]){re.escape(words)} ?\.{{4,}} ?(\d+)\b", text)
        assert entry, words
        assert int(entry[1]) == booklet.anchors[name] + 1
        number = rf"(^|\D){entry[1]}$"
        assert any(re.search(number, part) for part in by_target[name]), words


def test_pages_are_numbered_from_the_cover(booklet: Printed) -> None:
    """But for the covers themselves."""
    for number, text in enumerate(booklet.texts[1:-1], start=2):
        edition = "Edition 2.1, 23 November 2026"
        foot = f"{number} {edition}" if number % 2 == 0 else str(number)
        assert text.endswith(f" {foot}"), foot
        assert edition not in text if number % 2 else True


def test_running_heads_name_the_game_and_the_chapter(booklet: Printed) -> None:
    """On the left the title of the game, on the right the chapter that stands or begins there."""
    opened = [(page, words) for level, words, page in booklet.bookmarks() if level == 0]
    to_write_on = sum(booklet.anchors.get(f"filler-{one}", 0) > 0 for one in (1, 2, 3))
    for number in range(2, len(booklet.texts) - 1 - to_write_on):
        top = min(letter.top for letter in booklet.letters(number))
        head = "".join(
            letter.text for letter in booklet.letters(number) if letter.bottom < top + 4.5
        )
        if number % 2:  # counted from nothing, a left page
            assert head == "TheAmericanCivilWarGame"
        else:
            here = [words for page, words in opened if page == number]
            before = [words for page, words in opened if page < number]
            assert head == (here[0] if here else before[-1]).replace(" ", "")


def test_every_table_and_figure_has_its_caption_once(booklet: Printed) -> None:
    text = " ".join(booklet.texts)
    tables = acw().all_tables
    titles = [tables[block.target].title for block in blocks() if block.kind == "table"]
    assert len(titles) == sum(table.booklet for table in tables.values()) > 10
    figures = [drawn_title(block) for block in blocks() if block.kind in ("cutout", "figure")]
    for word, named in (("Table", titles), ("Figure", figures)):
        for position, title in enumerate(named, start=1):
            assert text.count(f"{word} {position} {title}") == 1, title
        found = [int(n) for n in re.findall(rf"\b{word} (\d+) [A-Z]", text)]
        assert found == list(range(1, len(named) + 1)), "in the order of the text"


def test_figures_are_told_to_those_who_cannot_see_them(booklet: Printed) -> None:
    cover, *told = (str(one.get("/Alt", "")) for one in booklet.tags("/Figure"))
    assert (cover, told[0]) == (acw().header.cover.alt, "Ornament")
    figures = [one for one in told if one != "Ornament"]
    parts = [part for ch in acw().chapters for section in ch.sections for part in section.parts]
    drawn: list[str] = []
    for part in parts:
        if isinstance(part, Block) and part.kind in ("cutout", "figure"):
            drawn.append(drawn_title(part))
        elif isinstance(part, Block) and part.kind == "example":
            drawn += dice_of(part.target)
    charts = [told for told in figures if re.match("(Bar|Column|Line) chart[.]|Bars cut", told)]
    assert [told for told in figures if told not in charts] == drawn
    assert len(charts) == sum(isinstance(part, Chart) for part in parts)


def test_tags_tell_headings_tables_and_links(booklet: Printed) -> None:
    depths = Counter(level for _, level, _ in numbered())
    assert len(booklet.tags("/H1")) == 1
    assert len(booklet.tags("/H2")) == depths[1] + 1 + len(END)
    assert len(booklet.tags("/H3")) == depths[2] + len(AGREED)
    tables = sum(table.booklet for table in acw().all_tables.values())
    assert len(booklet.tags("/Table")) == tables
    cells = [cell for body in booklet.tags("/TBody") for cell in below(body) if cell.S == "/TD"]
    heads = {str(head.ID) for head in booklet.tags("/TH")}
    assert len(cells) > 100
    for cell in cells:
        named = {str(name) for name in cell.A.Headers}
        assert named and named <= heads, "a cell is read out under its heads"


def below(element: Any) -> Iterator[Any]:
    """The elements of the structure inside one."""
    inside = element.get("/K", [])
    for one in inside if isinstance(inside, pikepdf.Array) else [inside]:
        if isinstance(one, pikepdf.Dictionary) and "/S" in one:
            yield one
            yield from below(one)


def test_the_file_says_what_it_is(any_paper: tuple[str, Printed]) -> None:
    _, booklet = any_paper
    root = booklet.pdf.Root
    assert str(root.Lang) == "en-GB"
    assert str(booklet.pdf.docinfo["/Title"]) == "The American Civil War Game, edition 2.1"
    assert str(booklet.pdf.docinfo["/Author"]) == "Charles Grant, Greg Horne, Ross, Ion"
    assert not {"/CreationDate", "/ModDate"} & set(booklet.pdf.docinfo.keys())
    assert bool(root.MarkInfo.Marked)
    assert str(root.StructTreeRoot.Type) == "/StructTreeRoot"
    assert bool(root.ViewerPreferences.DisplayDocTitle)
    meta = root.Metadata.read_bytes().decode()
    assert re.search(r'pdfuaid:part(="|>)1\b', meta)
    assert "The American Civil War Game, edition 2.1" in meta


def test_only_our_fonts_are_used_and_all_of_them_are_inside(any_paper: tuple[str, Printed]) -> None:
    _, booklet = any_paper
    assert {inside for _, inside in booklet.fonts} == {True}
    for name, _ in booklet.fonts:
        assert re.match(r"[A-Z]{6}\+(IBM-Plex-Sans-Condensed|Spectral)\b", name), name
    assert len(booklet.fonts) >= 4


def notes_of(booklet: Printed) -> list[Any]:
    view = document_of("booklet-a5.pdf").view
    notes: list[Any] = view.notes
    return notes


def test_there_is_a_note_for_all_that_is_not_stated(booklet: Printed) -> None:
    expected = unstated(acw())
    assert len(expected) > 20
    first, last = page_of(booklet, "Designer’s notes"), page_of(booklet, "Glossary") + 1
    names = [name for name in booklet.anchors if re.fullmatch(r"note-\d+", name)]
    assert sorted(int(name[5:]) for name in names) == list(range(1, len(expected) + 1))
    assert all(first <= booklet.anchors[name] < last for name in names)
    text = " ".join(booklet.texts[first:last])
    squeezed = re.sub(r"\W", "", text).casefold()
    for note, item in zip(notes_of(booklet), expected, strict=True):
        words = f"{note.title} {item.status}"
        assert re.sub(r"\W", "", words).casefold() in squeezed, note.title


def test_every_note_on_a_rule_is_marked_in_the_text(booklet: Printed) -> None:
    notes = page_of(booklet, "Designer’s notes") + 1
    marks = [
        link for link in links_between(booklet, 0, notes) if re.fullmatch(r"note-\d+", link.target)
    ]
    marked = Counter(link.target for link in marks)
    for number, item in enumerate(unstated(acw()), start=1):
        if item.section_id is not None:
            assert marked[f"note-{number}"] >= 1, item.title
    assert all(link.words == link.target[5:] for link in marks), "each mark can be clicked"
    assert set(marked.values()) == {1}
    pages = [link.page for link in sorted(marks, key=lambda link: int(link.target[5:]))]
    # But a table may have changed places with the text beside it, to fill a page.
    late = [page for page, after in pairwise(pages) if page > after + 1]
    assert not late, "notes are numbered in the order in which they are met"


def test_notes_lead_back_to_their_rules(booklet: Printed) -> None:
    first, last = page_of(booklet, "Designer’s notes"), page_of(booklet, "Glossary") + 1
    numbers = rule_numbers(acw().chapters)
    back = [link for link in links_between(booklet, first, last) if link.words.startswith("§")]
    assert len(back) == sum(item.section_id is not None for item in unstated(acw()))
    for link in back:
        assert link.words == f"§ {numbers[link.target]}"


def test_the_index_names_rules_and_leads_into_them(booklet: Printed) -> None:
    numbers = rule_numbers(acw().chapters)
    begins = {numbers[name]: booklet.anchors[name] for name in numbers}
    order = [numbers[name] for name, _, _ in numbered()]
    ends = {one: begins[other] for one, other in pairwise(order)}
    ends[order[-1]] = page_of(booklet, "Designer’s notes")
    links = links_between(booklet, page_of(booklet, "Index"), len(booklet.texts))
    found = [link for link in links if re.fullmatch(r"[A-Z\d][.\d]*,?", link.words)]
    assert len(found) > len(acw().terms)
    for link in found:
        number = link.words.strip(" ,")
        assert number in begins, link.words
        assert begins[number] <= link.to <= ends[number], link
    text = booklet.texts[page_of(booklet, "Index")]
    assert text.index("Advantage") < text.index("Battery")


def test_every_word_of_the_rules_is_printed(booklet: Printed) -> None:
    """Paragraph by paragraph, as they were composed: nothing is cut off."""
    text = re.sub(r"[\W\d]", "", " ".join(booklet.texts))
    for chapter in document_of("booklet-a5.pdf").view.chapters:
        for section in chapter.sections:
            for part in section.parts:
                if part.kind != "text":
                    continue
                for sentence in re.split(r"\n+|(?<=[a-z])\. ", part.markdown):
                    plain = re.sub(r"\]\([^)]*\)|[\W\d]", "", sentence)[:60]
                    # The foot and the head of a page may stand within a sentence.
                    torn = (plain[:at] in text and plain[at:] in text for at in range(2, 59))
                    assert plain in text or any(torn), sentence


@pytest.mark.parametrize("paper", ["a5", "a4"])
def test_an_example_is_torn_between_its_steps_if_at_all(paper: str) -> None:
    pages = [closed_up(text) for text in Printed(printed(f"booklet-{paper}.pdf")).texts]
    chapters = document_of(f"booklet-{paper}.pdf").view.chapters
    parts = [part for one in chapters for section in one.sections for part in section.parts]
    examples = [part for part in parts if part.kind == "example"]
    assert len(examples) == len(acw().examples)
    for example in examples:
        texts = [example.situation, *(step.markdown for step in example.steps)]
        begins = [closed_up(plain_text(text))[:16] for text in (*texts, example.outcome)]
        first = next(n for n, text in enumerate(pages) if begins[0] in text)
        on = [next(n for n in (first, first + 1) if one in pages[n]) for one in begins]
        assert on[0] == on[1], "the first step stands with what led to it"
        assert on[-1] == on[-2], "what came of it stands with the last step"
        if len(example.steps) <= 2:
            assert set(on) == {first}, example.title


def closed_up(text: str) -> str:
    return "".join(text.split())


def test_marks_of_notes_stay_with_the_word_before_them(booklet: Printed) -> None:
    """No mark is the first of its line, unless it stands in a table."""
    for number, text in enumerate(booklet.texts):
        for line in text.splitlines():
            assert not re.fullmatch(r"\d+( \d+)+", line.strip()), f"page {number + 1}: {line}"


# The booklets to fold of the American Civil War Game, read back from their sheets.

#: Paper -> the sides of its sheets, and the pages that are folded from them.
SIDES = {name: paper_size(name, landscape=True) for name in ("a4", "letter")}
FOLDED_PAPERS = {
    "a4": (SIDES["a4"], paper_size("a5")),
    "letter": (SIDES["letter"], (SIDES["letter"][0] / 2, SIDES["letter"][1])),
}
CREEP = 0.1


@pytest.fixture(scope="module", params=FOLDED_PAPERS)
def folded(request: pytest.FixtureRequest) -> tuple[str, Sheets]:
    return request.param, Sheets(printed(f"booklet-{request.param}-imposed.pdf"))


@pytest.fixture(scope="module")
def pages() -> Printed:
    return Printed(printed("booklet-a5.pdf"))


def order(count: int) -> list[tuple[int, int]]:
    """Left and right of each side, as a folder of paper numbers them: written out on its own."""
    end = -(-count // 4) * 4
    sides = []
    for first in range(0, end // 2, 2):
        sides += [(end - 1 - first, first), (first + 1, end - 2 - first)]
    return sides


def words(read: Any, number: int, left: float = 0, right: float = 1) -> list[str]:
    """The letters between two parts of the width of a page, in any order."""
    if number >= len(read.viewed):
        return []
    page = read.viewed[number]
    width, height = page.get_size()
    text = page.get_textpage().get_text_bounded(
        left=left * width, right=right * width, bottom=0, top=height
    )
    return sorted(re.sub(r"[\s\ufffe\x02]", "", text))


def test_sides_have_the_pages_in_the_order_of_folding(
    folded: tuple[str, Sheets], pages: Printed
) -> None:
    _, read = folded
    expected = order(len(pages.viewed))
    assert len(read.sizes) == len(expected)
    for side, (left, right) in enumerate(expected):
        assert words(read, side, 0, 1 / 2) == words(pages, left)
        assert words(read, side, 1 / 2, 1) == words(pages, right)


def test_every_page_stands_once_at_scale_1_on_its_half(
    folded: tuple[str, Sheets], pages: Printed
) -> None:
    paper, read = folded
    (width, height), (page_width, page_height) = FOLDED_PAPERS[paper]
    drawn: list[tuple[int, int]] = []
    for side, size in enumerate(read.sizes):
        assert size == pytest.approx((width, height), abs=0.001)
        for form in read.forms(side):
            drawn.append(read.pdf.pages[side].Resources.XObject[form.name].objgen)
            assert form.scale == (1, 0, 0, 1)
            left, bottom, wide, high = form.window
            assert bottom == pytest.approx((height - page_height) / 2, abs=0.01)
            assert high == pytest.approx(page_height, abs=0.01)
            assert wide == pytest.approx(page_width - CREEP * (side // 2), abs=0.01)
            fold = width / 2
            assert left == pytest.approx(fold, abs=0.01) or left + wide == pytest.approx(
                fold, abs=0.01
            )
    assert len(drawn) == len(set(drawn)) == len(pages.viewed)


def test_nothing_that_is_printed_comes_near_an_edge_or_the_fold(folded: tuple[str, Sheets]) -> None:
    """Also where half a Letter sheet is narrower than A5, and where pages have crept."""
    paper, read = folded
    (width, height), _ = FOLDED_PAPERS[paper]
    printed_letters = Printed(read.data)
    for side in range(len(read.sizes)):
        for letter in printed_letters.letters(side):
            assert 6 <= letter.left < letter.right <= width - 6
            assert 6 <= letter.top < letter.bottom <= height - 6
            assert letter.right <= width / 2 - 6 or letter.left >= width / 2 + 6, letter


def test_printers_are_told(folded: tuple[str, Sheets]) -> None:
    _, read = folded
    hints = read.pdf.Root.ViewerPreferences
    assert str(hints.Duplex) == "/DuplexFlipShortEdge"
    assert str(hints.PrintScaling) == "/None"
    assert bool(hints.PickTrayByPDFSize)
    assert "flipped on the short edge" in str(read.pdf.docinfo["/Title"])
    assert str(read.pdf.Root.Lang) == "en-GB"
