"""F11: a renderer that dies, hangs, wants more memory than it may have, or sets half a page or none. The letter waits with its reason; the others go."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Limits, Press
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.errors import CaseflowError
from tests.faults.matrix.apart import apart
from tests.faults.matrix.dockets import Told, dockets
from tests.faults.matrix.picture import picture
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office
from tests.letters.making import META

ENDLESS = "for a in range(100000) { for b in range(100000) { } }"
PAGE = "#let it = json(bytes(sys.inputs.letter))\n#set document(title: it.title)\n#{ BODY }\n#it.title\n"
KINDS = {"crash": ENDLESS, "hang": ENDLESS, "half": "", "nothing": "", "memory": 'let oak = "girth 60" * 268435456'}
"""What the page does: the last wants two gigabytes."""
QUICK = Limits(seconds=0.5)


def rendered(folder: Path, trials: int, seed: int) -> Result:
    """Of three letters one is set by a renderer that fails in each of these ways in turn."""
    del seed
    return dockets(folder, False, trials, 3, 4, _rendered)


def _rendered(trial: int, own: Path) -> Told:
    kind, real, app = [*KINDS][trial % len(KINDS)], LetterWriter.pdf, office(own, "2026-03-04")
    bad = f"{next(iter(app.store.numbers()))}-L1"
    press = Press(1, Limits() if kind == "memory" else QUICK)
    LetterWriter.pdf = _breaks(bad, kind, press)  # type: ignore[method-assign]
    object.__setattr__(app.office, "with_pdf", True)
    found = _tried(app, kind)
    LetterWriter.pdf = real  # type: ignore[method-assign]
    press.close()
    now = {line[0]: line[2] for parts in picture(own).values() for line in parts["letter"]}
    found += [f"{kind}: {number} is {status}" for number, status in now.items() if (status == "handed-over") == (number == bad)]
    for file in (own / "mail").glob("[!.]*.pdf"):
        data = file.read_bytes()
        if not data.startswith(b"%PDF") or b"%%EOF" not in data[-32:]:
            found.append(f"{kind}: {file.name} left with half a page")
    found += _tried(office(own, "2026-03-06"), f"{kind}, when it works again")
    left = [line for parts in picture(own).values() for line in parts["letter"] if line[2] != "handed-over"]
    return 1, found + [f"{kind}: {line[0]} never left" for line in left]


def _tried(app: Any, kind: str) -> list[str]:
    try:
        app.dispatch(True)
    except CaseflowError as fault:
        return [f"{kind}: the dispatch ended: {fault}"]
    return []


def _breaks(bad: str, kind: str, press: Press) -> Callable[..., bytes]:
    def pdf(self: LetterWriter, letter: Any, *given: Any) -> bytes:
        if letter.number != bad:
            return b"%PDF-1.7\nof the tests\n%%EOF\n"
        maker = PdfMaker(lambda _: {"templates/page.typ": PAGE.replace("BODY", KINDS[kind])}, press)
        if kind == "crash":
            threading.Thread(target=_kill_soon, args=(press,)).start()
        if kind in ("half", "nothing"):
            press.make = lambda _: [b"%PDF-1.7\n1 0 obj" if kind == "half" else b""]  # type: ignore[method-assign]
        return maker.make("Words.", "t", "en-US", META)

    return pdf


def _kill_soon(press: Press) -> None:
    until = time.monotonic() + 5
    while time.monotonic() < until:
        for worker in list(press._started):
            if worker._process is not None:
                time.sleep(0.1)
                os.kill(worker._process.pid, signal.SIGKILL)
                return
        time.sleep(0.02)


def anything_goes() -> None:
    """The planted fault: a letter without its page leaves all the same."""
    real = PdfMaker.make

    def make(self: PdfMaker, *given: Any) -> bytes:
        try:
            return real(self, *given)
        except CaseflowError:
            return b""

    PdfMaker.make = make  # type: ignore[method-assign]


TITLE = "renderer dies, hangs, wants 2 GB, half a page, none"
ROWS = (apart("F11-renderer", TITLE, "P1 P7", rendered, anything_goes, "a letter leaves without its page", 4, 200),)
