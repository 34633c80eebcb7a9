"""Pages with their numbers on them; imposed sheets -> where each page stands, read back."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name
from read_pdf import MM, Printed


def numbered_pages(count: int, width: float, height: float, *, bleed: float = 0) -> bytes:
    """A PDF whose pages bear their numbers from 1, upright at the lower left of their trims."""
    pdf = pikepdf.new()
    font = pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    )
    edge = bleed / MM
    for number in range(1, count + 1):
        page = Dictionary(
            Type=Name.Page,
            MediaBox=Array([0, 0, width / MM + 2 * edge, height / MM + 2 * edge]),
            TrimBox=Array([edge, edge, width / MM + edge, height / MM + edge]),
            Resources=Dictionary(Font=Dictionary(F=font)),
            Contents=pdf.make_stream(
                f"BT /F 12 Tf {edge + 20} {edge + 20} Td ({number}) Tj ET".encode()
            ),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    out = BytesIO()
    pdf.save(out)
    return out.getvalue()


@dataclass(frozen=True)
class Drawn:
    """A form on a page: its numbers of the transformation, and its window, in mm."""

    name: str
    scale: tuple[float, float, float, float]
    move: tuple[float, float]
    window: tuple[float, float, float, float]


class Sheets(Printed):
    """An imposed PDF that has been read."""

    def forms(self, page: int) -> list[Drawn]:
        """The forms of a page but its marks, in the order in which they are drawn."""
        found, window, matrix = [], (0.0,) * 4, (0.0,) * 6
        for one in pikepdf.parse_content_stream(self.pdf.pages[page]):
            name = str(one.operator)
            numbers = [float(x) for x in one.operands] if name in ("re", "cm") else []
            if name == "re":
                window = tuple(number * MM for number in numbers)
            elif name == "cm":
                matrix = tuple(numbers)
            elif name == "Do" and str(one.operands[0]) != "/Marks":
                move = (matrix[4] * MM, matrix[5] * MM)
                found.append(Drawn(str(one.operands[0]), matrix[:4], move, window))
        return found

    def lines(self, page: int) -> list[tuple[float, float, float, float]]:
        """The straight lines of the marks of a page, in mm from its lower left."""
        found, start = [], (0.0, 0.0)
        height = self.sizes[page][1]
        for one in pikepdf.parse_content_stream(self.pdf.pages[page].Resources.XObject.Marks):
            if str(one.operator) in ("m", "l"):
                x, y = map(float, one.operands)
                point = (x, height - y)
                if str(one.operator) == "l":
                    found.append((*start, *point))
                start = point
        return found

    def numbers(self, page: int) -> list[tuple[int, float, float]]:
        """The numbers that stand on a side, and the lower left corner of their ink, in mm."""
        text = self.viewed[page].get_textpage()
        found: list[tuple[int, float, float]] = []
        for index in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(index)
            word = text.get_text_bounded(left, bottom, right, top).strip()
            if word.isdecimal():
                found.append((int(word), left * MM, bottom * MM))
        return found

    def object_count(self, subtype: str) -> int:
        return sum(
            isinstance(one, pikepdf.Stream) and one.get("/Subtype") == subtype
            for one in self.pdf.objects
        )


def pages_of(sides: Sequence[Any]) -> list[int | None]:
    """The pages of sides in order."""
    return [one.page for side in sides for one in side.placements]
