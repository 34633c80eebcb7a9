"""HTML text -> its elements with their attributes and words, by the parser of Python itself."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All words in it and below it, as they stand."""
        return "".join(self.words)

    def has_class(self, name: str) -> bool:
        return name in self.attributes.get("class", "").split()


@dataclass
class Page:
    elements: list[Element]
    text: str

    def all(self, *tags: str) -> list[Element]:
        return [element for element in self.elements if element.tag in tags]

    def of_class(self, name: str) -> list[Element]:
        return [element for element in self.elements if element.has_class(name)]

    @property
    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]

    def values(self, *names: str) -> list[str]:
        return [e.attributes[name] for e in self.elements for name in names if name in e.attributes]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = tuple(element.tag for element in self.open)
        element = Element(tag, {name: value or "" for name, value in attrs}, inside)
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1].tag == tag, f"</{tag}> closes nothing"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not any(element.tag in ("style", "script") for element in self.open):
            self.words.append(data)
        for element in self.open:
            element.words.append(data)


def read_html(text: str) -> Page:
    """Fails where elements are not closed in the order in which they were opened."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert not reader.open, f"<{reader.open[-1].tag}> is never closed"
    return Page(reader.elements, "".join(reader.words))
