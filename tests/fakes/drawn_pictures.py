"""Small pictures for rulesets of tests: bytes of PNG files, and SVG around some elements."""

import struct
import zlib


def png(width: int, height: int, colour: tuple[int, int, int] = (122, 43, 29)) -> bytes:
    """A picture of one colour."""
    rows = (b"\0" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + check


def drawing(inside: str, attributes: str = 'viewBox="0 0 148 210"') -> bytes:
    """An SVG file with these elements in it."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{inside}</svg>'.encode()
