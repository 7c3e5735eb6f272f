"""What the tests of PDF letters share: files of a small pack, a picture, and what a PDF file says."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import pikepdf

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pymupdf

META = {"pack": "p", "date": "2026-12-20", "docket": "WD-2026-00001-1", "letter": "WD-2026-00001-1-L2", "agency": "The Agency"}
INCH = 72.0
Box = tuple[float, float, float, float]


def picture(width: int = 8, height: int = 4) -> bytes:
    """A small PNG file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x20\x60\xa0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def pages(pdf: bytes) -> list[str]:
    """The words of each page, with plain spaces and nothing invisible."""
    with pymupdf.open(stream=pdf) as made:
        return [" ".join(page.get_text().replace("\u200b", "").replace("\u00a0", " ").split()) for page in made]


def text(pdf: bytes) -> str:
    """All words of a file."""
    return " ".join(pages(pdf))


def words(pdf: bytes, page: int = 0) -> list[tuple[Box, str]]:
    """Each word of a page with its place in inches from the upper left: left, top, right, bottom."""
    with pymupdf.open(stream=pdf) as made:
        return [((x / INCH, y / INCH, right / INCH, bottom / INCH), word) for x, y, right, bottom, word, *_ in made[page].get_text("words")]


def structure(pdf: bytes) -> list[str]:
    """The structure elements of a file, in the order of reading."""

    def walk(node: Any) -> Iterator[str]:
        if isinstance(node, pikepdf.Array):
            for one in node:
                yield from walk(one)
        elif isinstance(node, pikepdf.Dictionary):
            if "/S" in node:
                yield str(node["/S"])[1:]
            if "/K" in node:
                yield from walk(node["/K"])

    with pikepdf.open(io.BytesIO(pdf)) as made:
        return list(walk(made.Root.StructTreeRoot))


def facts(pdf: bytes) -> Mapping[str, Any]:
    """What a file says of itself: language, title, conformance, when it was made, and its fonts (name -> embedded)."""
    with pikepdf.open(io.BytesIO(pdf)) as made, made.open_metadata() as about:
        fonts = {}
        for page in made.pages:
            for font in page.Resources.get("/Font", {}).values():
                descriptor = font.DescendantFonts[0].FontDescriptor if "/DescendantFonts" in font else font.FontDescriptor
                fonts[str(font.BaseFont)] = any(name in descriptor for name in ("/FontFile", "/FontFile2", "/FontFile3")) and "/ToUnicode" in font
        return {
            "language": str(made.Root.Lang),
            "marked": bool(made.Root.MarkInfo.Marked),
            "shows_title": bool(made.Root.ViewerPreferences.DisplayDocTitle),
            "title": about.get("dc:title"),
            "part": about.get("pdfuaid:part"),
            "made": str(made.docinfo.get("/CreationDate")),
            "fonts": fonts,
            "pages": len(made.pages),
        }
