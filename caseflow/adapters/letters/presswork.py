"""A worker of press.py: takes letters on its standard input and gives PDF files, or page images, on its standard output.

It runs in a process of its own, with limits on memory, time and files that it sets upon itself, without a network, and
reads nothing outside the folder of a page. What is asked and answered: press.py.
"""

from __future__ import annotations

import gc
import json
import os
import re
import struct
import sys
from typing import Any, BinaryIO
from unicodedata import east_asian_width

import typst

from caseflow.adapters.letters.fences import fence, fresh_time
from caseflow.adapters.letters.tree import running_head, tree, window
from caseflow.errors import LetterFault

MAX_UNSHOWN = 64
"""Signs without a shape in any font that are looked for one by one."""
_UNSHOWN = re.compile(r"the text `(\".*?\")` could not be displayed", re.S)
_PLACE = re.compile(r"([\w.-]+\.typ):(\d+)")
_ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}")


class Press:
    """Compiles letters by the pages of folders, each read once."""

    def __init__(self) -> None:
        self._pages: dict[str, typst.Compiler] = {}

    def page(self, folder: str) -> typst.Compiler:
        """The compiler of a page; it reads that folder, uses no font of the system and has no package."""
        if folder not in self._pages:
            nothing = os.path.join(folder, "none")
            self._pages[folder] = typst.Compiler(
                os.path.join(folder, "page.typ"),
                root=folder,
                font_paths=[folder],
                ignore_system_fonts=True,
                package_path=nothing,
                package_cache_path=nothing,
            )
        return self._pages[folder]

    def make(self, asked: dict[str, Any]) -> list[bytes]:
        """The PDF, then page images if they are asked for. Raises typst.TypstError or LetterFault."""
        blocks = tree(asked["markdown"])
        beside = {"blocks": blocks, "window": window(blocks, asked["window"]), "running": running_head(blocks, asked["letter"]["title"])}
        data = json.dumps({**asked["letter"], **beside}, ensure_ascii=False)
        page, inputs, unshown = self.page(asked["folder"]), {"letter": data}, ""
        for chance in range(MAX_UNSHOWN, -1, -1):
            try:
                made = _files(page.compile(format="pdf", sys_inputs=inputs, pdf_standards="ua-1", timestamp=asked["moment"]))
                break
            except typst.TypstError as error:
                more = missing(str(error), data, unshown, own_fonts(asked["folder"]))
                if not more or not chance:
                    raise
                unshown += more
                inputs = {"letter": spelled(data, unshown)}
        if not asked.get("ppi"):
            return made
        return made + _files(page.compile(format="png", sys_inputs=inputs, ppi=asked["ppi"], timestamp=asked["moment"]))


def _files(made: bytes | list[bytes] | None) -> list[bytes]:
    """One page comes alone, several in a list."""
    return made if isinstance(made, list) else [made] if made is not None else []


def spelled(data: str, unshown: str) -> str:
    """Signs that no font has, by their numbers: [U+738B U+5C0F]. A letter goes out with them, and says what it can't show."""
    if not unshown:
        return data
    return re.sub(f"[{re.escape(unshown)}]+", lambda found: f"[{' '.join(f'U+{ord(sign):04X}' for sign in found[0])}]", data)


def own_fonts(folder: str) -> bool:
    """Whether a page has fonts besides the bundled ones."""
    return any(name.endswith((".ttf", ".otf")) for name in os.listdir(folder))


def missing(error: str, data: str, known: str, one_by_one: bool) -> str:
    """The signs of a letter that an error says have no shape; with one of East Asia all of its kind, which no bundled font has."""
    found = _UNSHOWN.search(error)
    if found is None:
        return ""
    text = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), found[1][1:-1])
    signs = {sign for sign in text if not sign.isascii()}
    if not one_by_one and any(east_asian_width(sign) == "W" for sign in signs):
        signs |= {sign for sign in data if east_asian_width(sign) == "W"}
    return "".join(sorted(signs - set(known)))


def answer(press: Press, asked: dict[str, Any]) -> list[bytes]:
    """What goes back: a head in JSON, then the files that it counts."""
    try:
        files = press.make(asked)
    except LetterFault as fault:
        return [json.dumps({"fault": str(fault)}).encode()]
    except typst.TypstError as error:
        found = _PLACE.search(error.diagnostic)
        return [json.dumps({"error": error.message + (f" ({found[1]}, line {found[2]})" if found is not None else "")}).encode()]
    except (MemoryError, RecursionError, ValueError, KeyError, TypeError, OSError) as error:
        return [json.dumps({"error": f"{type(error).__name__}: {error}"}).encode()]
    return [json.dumps({"files": len(files)}).encode(), *files]


def serve(incoming: BinaryIO, outgoing: BinaryIO, memory: int, seconds: int) -> None:
    """Answers until the input ends."""
    press = Press()
    fence(memory)
    gc.freeze()  # what is there by now stays, and need not be looked through with every letter
    outgoing.write(b"ready\n")
    outgoing.flush()
    while len(head := incoming.read(4)) == 4:
        fresh_time(seconds)
        asked = json.loads(incoming.read(struct.unpack(">I", head)[0]))
        for part in answer(press, asked):
            outgoing.write(struct.pack(">I", len(part)) + part)
        outgoing.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]), int(sys.argv[2]))
