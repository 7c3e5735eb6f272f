"""Letters as PDF/UA-1: the Markdown of a letter and a few particulars in, the bytes of a tagged PDF out, always the same.

The page is a Typst file of the pack version (templates/page.typ), else the house's (templates/shared/page.typ). It is
compiled in a worker process (press.py) that sees one folder: the page, and the pictures and fonts of that pack version.
"""

from __future__ import annotations

import base64
import binascii
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

from caseflow.adapters.letters.press import Press
from caseflow.adapters.packs.library import PICTURES_AND_FONTS, default_folders
from caseflow.domain.calendar import say
from caseflow.errors import LetterFault

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter

_LANGUAGE = re.compile(r"^language:[ \t]*[\"']?([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)", re.M)

Files = Callable[[str], Mapping[str, str]]
"""The files of a pack version: templates as text, pictures and fonts in base64, all under `templates/`."""

PAGE, HOUSE_PAGE = "templates/page.typ", "templates/shared/page.typ"


class PdfMaker:
    """Makes PDF files and page images. Threads may share it."""

    def __init__(self, files: Files, press: Press | None = None) -> None:
        self._files = files
        self._press = press or Press()
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._pages: dict[str, Path] = {}

    def make(self, markdown: str, title: str, language: str, meta: Mapping[str, str]) -> bytes:
        """A PDF/UA-1 file: a pure function of what is given. Raises LetterFault with one sentence.

        `meta`, each of them where it is known: `pack` (version, by content hash), `date` (ISO day of the letter, which is
        also when the file says it was made), `docket`, `letter` (its number), `agency`, `window` (lines of name and address that stand in the window instead of the first addressee), `code`
        (what the recipient types on the status page).
        """
        return self._made(markdown, title, language, meta, 0)[0]

    def pages(self, markdown: str, title: str, language: str, meta: Mapping[str, str], ppi: int = 96) -> tuple[bytes, list[bytes]]:
        """The file, and each page as a PNG image. Raises LetterFault."""
        made = self._made(markdown, title, language, meta, ppi)
        return made[0], made[1:]

    def _made(self, markdown: str, title: str, language: str, meta: Mapping[str, str], ppi: int) -> list[bytes]:
        on = _day(meta.get("date"))
        about: dict[str, Any] = {name: value for name, value in meta.items() if name not in ("pack", "date") and value}
        if on is not None:
            about["day"] = say(on.toordinal())
        if str(about.get("code", "")) in markdown:
            about.pop("code", None)  # the letter's own words have it
        window = [line for line in str(about.pop("window", "")).splitlines() if line.strip()]
        asked = {
            "folder": str(self._page(meta.get("pack", ""))),
            "markdown": markdown,
            "window": window,
            "letter": {"title": title, "language": language, "about": about},
            "moment": int(datetime.combine(on or date(1970, 1, 1), time(), UTC).timestamp()),
            "ppi": ppi,
        }
        return _whole(self._press.make(asked))

    def _page(self, version: str) -> Path:
        """The folder of a pack version's page, made once."""
        with self._lock:
            if version not in self._pages:
                if self._folder is None:
                    self._folder = Path(tempfile.mkdtemp(prefix="caseflow-pages-"))
                    finalize(self, shutil.rmtree, self._folder, True)
                folder = self._folder / f"{len(self._pages)}"
                folder.mkdir()
                for name, data in _page_files(self._files(version) if version else {}).items():
                    (folder / name).write_bytes(data)
                self._pages[version] = folder
            return self._pages[version]

    @property
    def workers(self) -> int:
        """How many letters are made at the same time."""
        return self._press.workers

    def close(self) -> None:
        """Ends the workers."""
        self._press.close()


def _whole(made: list[bytes]) -> list[bytes]:
    """What was set, where it is all there: half a letter must not leave."""
    if not made or not made[0].startswith(b"%PDF-") or b"%%EOF" not in made[0][-32:]:
        raise LetterFault("The letter can't be made as PDF: the renderer gave only a part of it. Try again; if it stays so, restart the program.")
    return made


def _page_files(files: Mapping[str, str]) -> dict[str, bytes]:
    """The page of a pack version with its pictures and fonts. A version from before there were pages has the house's of today."""
    page = files.get(PAGE) or files.get(HOUSE_PAGE) or house_page()
    made = {"page.typ": page.encode()}
    for path, text in files.items():
        name = path.rpartition("/")[2]
        if path.startswith("templates/") and path.endswith(PICTURES_AND_FONTS):
            try:
                made.setdefault(name, base64.b64decode(text, validate=True))
            except binascii.Error:
                raise LetterFault(f"The pack's file {name} is damaged in the record.") from None
    return made


def house_page() -> str:
    """The page that letters have where their pack brings none."""
    return (default_folders()[1] / "shared" / "page.typ").read_text(encoding="utf-8")


def particulars(letter: RegisteredLetter) -> dict[str, str]:
    """What a page says of a letter of the register besides its words."""
    agency = letter.view.get("agency") or {}
    return {
        "pack": letter.pack_version,
        "date": letter.owed_on.isoformat(),
        "docket": letter.case,
        "letter": letter.number,
        "agency": str(agency.get("name") or ""),
    }


def language_of(files: Mapping[str, str]) -> str:
    """The language that a pack's letters are in."""
    found = _LANGUAGE.search(files.get("pack.yaml", ""))
    return found[1] if found is not None else "en-US"


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text[:10]) if text else None
