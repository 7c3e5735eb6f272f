"""What a file is, by its content; and the name that it may carry. Nothing is unpacked, drawn or run.

Only the kinds of KINDS are taken. A name is data: it is shown and given back with a download, and leads to no file.
"""

from __future__ import annotations

import codecs
import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from caseflow.errors import BadInput

HEAD = 1 << 12
MOST_PARTS, MOST_UNPACKED = 5_000, 512 << 20
LONGEST_NAME = 120
_END, _PART = b"PK\x05\x06", b"PK\x01\x02"
_PAGES = (b"<!doctype", b"<html", b"<head", b"<body", b"<script", b"<svg", b"<?xml", b"<?php", b"<iframe", b"#!")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that is taken: what people call it, how it is served, and the endings that its name may have."""

    title: str
    media: str
    endings: tuple[str, ...]


KINDS: Mapping[str, Kind] = {
    "pdf": Kind("PDF", "application/pdf", ("pdf",)),
    "png": Kind("PNG picture", "image/png", ("png",)),
    "jpeg": Kind("JPEG picture", "image/jpeg", ("jpg", "jpeg", "jpe", "jfif")),
    "tiff": Kind("TIFF picture", "image/tiff", ("tif", "tiff")),
    "text": Kind("plain text", "text/plain; charset=utf-8", ("txt", "csv", "log", "md")),
    "docx": Kind("Word document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ("docx",)),
    "xlsx": Kind("Excel workbook", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ("xlsx",)),
}
TAKEN = "PDF, PNG, JPEG or TIFF pictures, plain text, DOCX and XLSX"
ENDINGS = ",".join(f".{ending}" for kind in KINDS.values() for ending in kind.endings)


def kind_of(file: BinaryIO, size: int, name: str) -> Kind:
    """The kind of a file. Raises BadInput where it is none that is taken, or another than its name says."""
    if size == 0:
        raise BadInput(f"{name} is empty; nothing was recorded. Choose the file again.")
    found = _by_content(file, size, name)
    if found is None:
        raise BadInput(f"{name} is no file of a kind that is taken; nothing was recorded. Send {TAKEN}.")
    ending = name.rpartition(".")[2].casefold() if "." in name else ""
    if ending and ending not in found.endings:
        raise BadInput(f"{name} does not hold what its name says: it is {found.title}. Give it the ending .{found.endings[0]} and send it again.")
    return found


def _by_content(file: BinaryIO, size: int, name: str) -> Kind | None:
    file.seek(0)
    head = file.read(HEAD)
    if head.startswith(b"%PDF-"):
        return KINDS["pdf"]
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return KINDS["png"]
    if head.startswith(b"\xff\xd8\xff") and len(head) > 20:
        return KINDS["jpeg"]
    if head[:4] in (b"II*\x00", b"MM\x00*") and len(head) > 8:
        return KINDS["tiff"]
    if head.startswith(b"PK\x03\x04"):
        return _office(file, size, name)
    return KINDS["text"] if _is_text(file, head) else None


def _is_text(file: BinaryIO, head: bytes) -> bool:
    """Text in UTF-8 without control characters, and no page that a browser would run."""
    begins = head.removeprefix(codecs.BOM_UTF8).lstrip()[:32].lower()
    if begins.startswith(_PAGES):
        return False
    file.seek(0)
    read = codecs.getincrementaldecoder("utf-8")()
    try:
        while data := file.read(1 << 16):
            if any(sign < " " and sign not in "\t\n\r\f" or sign == "\x7f" for sign in read.decode(data)):
                return False
        read.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _office(file: BinaryIO, size: int, name: str) -> Kind | None:
    """A document of an office program, by the list of its parts, which stands at the end of it; no part is unpacked."""
    parts = _parts(file, size)
    if parts is None or "[Content_Types].xml" not in parts:
        return None
    if sum(parts.values()) > MOST_UNPACKED:
        raise BadInput(f"{name} would be far larger once it is opened; nothing was recorded. Send it as PDF.")
    if any(part.casefold().endswith("vbaproject.bin") for part in parts):
        raise BadInput(f"{name} holds macros; nothing was recorded. Save it without them, or as PDF, and send it again.")
    for inner, kind in (("word/", "docx"), ("xl/", "xlsx")):
        if any(part.startswith(inner) for part in parts):
            return KINDS[kind]
    return None


def _parts(file: BinaryIO, size: int) -> dict[str, int] | None:
    """The names in a zip file with their sizes once unpacked; nothing where its list is broken or too long."""
    file.seek(max(0, size - 65_557))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < 22:
        return None
    many, length, start = struct.unpack("<HII", tail[at + 10 : at + 20])
    if many > MOST_PARTS or length > (1 << 20) or start + length > size:
        return None
    file.seek(start)
    listed, found, place = file.read(length), dict[str, int](), 0
    for _ in range(many):
        if listed[place : place + 4] != _PART or len(listed) < place + 46:
            return None
        unpacked, named, extra, comment = *struct.unpack("<I", listed[place + 24 : place + 28]), *struct.unpack("<HHH", listed[place + 28 : place + 34])
        found[listed[place + 46 : place + 46 + named].decode("utf-8", "replace")] = unpacked
        place += 46 + named + extra + comment
    return found


def plain_name(given: str | None) -> str:
    """The name of a file as it may be shown: its last part, without signs that are not seen or turn the line around."""
    name = (given or "").replace("\\", "/").rpartition("/")[2]
    name = unicodedata.normalize("NFC", "".join(sign if sign.isprintable() else " " for sign in name.encode("utf-8", "ignore").decode()))
    name = " ".join(name.split()).strip(". ")
    if len(name) > LONGEST_NAME:
        stem, dot, ending = name.rpartition(".")
        name = f"{stem[: LONGEST_NAME - 12]}...{dot}{ending}" if dot and len(ending) < 6 else name[:LONGEST_NAME]
    return name or "document"


def download_name(name: str, kind: str) -> str:
    """The name with which a download is saved: with an ending of its kind."""
    endings = next((one.endings for one in KINDS.values() if one.media == kind), ("bin",))
    return name if name.rpartition(".")[2].casefold() in endings and "." in name else f"{name}.{endings[0]}"
