"""F11, F16, F17, F18: a renderer that fails, a timer that always fails, a backup of an hour ago, a disposal under legal hold."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import threading
import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Limits, Press
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.store.work import SqlWork
from caseflow.domain import replay
from caseflow.errors import CaseflowError, RecordBroken
from caseflow.services import disposal, sweeping
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import KEEPING, LEAD, WHY, office, packed_up, prepared
from tests.letters.making import META
from tests.unit.pack_texts import sound

# --- F11: letters whose renderer fails --------------------------------------------------------------------------------

PAGE = (
    "#let it = json(bytes(sys.inputs.letter))\n#set document(title: it.title)\n#if OAK { for a in range(100000) { for b in range(100000) { } } }\n#it.title\n"
)
KINDS = ("crash", "hang", "half", "nothing")


def rendered(folder: Path, trials: int, seed: int) -> Result:
    """Of three letters one is set by a renderer that dies, hangs, writes half a page, or none: the others go, and it waits with its reason."""
    del seed
    result = Result()
    real = LetterWriter.pdf
    for trial in range(trials):
        own = folder / f"trial{trial}"
        packed_up(prepared(own, sound(), 3))
        app = office(own, "2026-03-04")
        bad, kind = f"{next(iter(app.store.numbers()))}-L1", KINDS[trial % len(KINDS)]
        press = Press(1, Limits(seconds=0.5))
        LetterWriter.pdf = _breaks(real, bad, kind, press)  # type: ignore[method-assign]
        object.__setattr__(app.office, "with_pdf", True)
        _tried(app, result, kind)
        LetterWriter.pdf = real  # type: ignore[method-assign]
        press.close()
        now = {line[0]: line[2] for parts in picture(own).values() for line in parts["letter"]}
        result.add(1, [f"{kind}: {number} is {status}" for number, status in now.items() if (status == "handed-over") == (number == bad)])
        for file in (own / "mail").glob("[!.]*.pdf"):
            data = file.read_bytes()
            if not data.startswith(b"%PDF") or b"%%EOF" not in data[-32:]:
                result.violations.append(f"{kind}: {file.name} left with half a page")
        again = office(own, "2026-03-06")
        _tried(again, result, f"{kind}, when it works again")
        left = [line for parts in picture(own).values() for line in parts["letter"] if line[2] != "handed-over"]
        result.violations += [f"{kind}: {line[0]} never left" for line in left]
    return result


def _tried(app: Any, result: Result, kind: str) -> None:
    try:
        app.dispatch(True)
    except CaseflowError as fault:
        result.violations.append(f"{kind}: the dispatch ended: {fault}")


def _breaks(real: Any, bad: str, kind: str, press: Press) -> Any:
    def pdf(self: LetterWriter, letter: Any, *given: Any) -> bytes:
        if letter.number != bad:
            return b"%PDF-1.7\nof the tests\n%%EOF\n"
        maker = PdfMaker(lambda _: {"templates/page.typ": PAGE.replace("OAK", "true" if kind in ("crash", "hang") else "false")}, press)
        if kind == "crash":
            threading.Thread(target=_kill_soon, args=(press,)).start()
        if kind in ("half", "nothing"):
            press.make = lambda _: [b"%PDF-1.7\n1 0 obj" if kind == "half" else b""]  # type: ignore[method-assign]
        return maker.make("Words.", "t", "en-US", META)

    del real
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


# --- F16: a timer that always fails -----------------------------------------------------------------------------------

FAULTS = (None, RecordBroken("The record contradicts itself."), TypeError("unsupported operand"), KeyError("girth_cm"), ZeroDivisionError("division by zero"))
"""None: the stored case is damaged, so that it can't even be read."""


def poisoned(folder: Path, trials: int, seed: int) -> Result:
    """Of many overdue cases one fails whenever it is touched: the others are fired in the same sweep, and it is parked."""
    result, luck = Result(), random.Random(seed)
    for trial in range(trials):
        own = folder / f"trial{trial}"
        packed_up(prepared(own, sound(), 10))
        app = office(own, "2026-03-20")
        numbers = list(app.store.numbers())
        bad, fault, real = luck.choice(numbers), FAULTS[(trial + seed) % len(FAULTS)], replay.fire

        def fire(book: Any, case: Any, *given: Any, bad: str = bad, fault: Any = fault, real: Any = real) -> Any:
            if case.number == bad:
                raise fault
            return real(book, case, *given)

        if fault is None:
            with closing(sqlite3.connect(own / "case.db")) as connection, connection:
                connection.execute("UPDATE case_file SET body = substr(body, 1, 60) WHERE number = ?", (bad,))
        else:
            replay.fire = fire
        for _ in range(3):
            try:
                sweeping.sweep(app.office, pause=lambda _: None, batch=4)
            except Exception as broke:  # noqa: BLE001 - it is judged
                result.violations.append(f"{type(fault).__name__} ended the sweep: {type(broke).__name__}")
        replay.fire = real
        now = picture(own)
        result.add(
            1,
            [
                f"{type(fault).__name__}: {number} is {now[number]['case'][0][0]}"
                for number in numbers
                if (now[number]["case"][0][0] == "closed") == (number == bad)
            ],
        )
        if not any(line[-1] == "parked" for line in now[bad]["timer"]):
            result.violations.append(f"{type(fault).__name__}: it is not parked")
    return result


def together() -> None:
    """The planted fault: a batch stands or falls together."""

    def one(office: Any, work: Any, due: Any, moment: Any, total: Any) -> None:
        with nullcontext():
            sweeping._fire(office, work, due, moment)
        total.fired += 1

    sweeping._one = one


# --- F17: a backup of an hour ago -------------------------------------------------------------------------------------


def restored(folder: Path, trials: int, seed: int) -> Result:
    """A backup at nine, letters and acts until ten, the disk dies: what left meanwhile does not leave again by itself, and the gap shows."""
    del seed
    result = Result()
    for trial in range(trials):
        own = folder / f"trial{trial}"
        packed_up(prepared(own, sound(), 3))
        office(own, "2026-03-04T09:00").backup(str(own / "nine.backup"))
        app = office(own, "2026-03-04T10:00")
        app.dispatch(True)
        number = next(iter(app.store.numbers()))
        app.act(number, "decide", {"answer": "It may fall."}, None, "ann:staff", None, None, False)
        app.make_checkpoint(str(own / "checkpoint.txt"))
        gone = {path.name for path in (own / "mail").iterdir()}
        app.store.close()
        for path in own.glob("case.db*"):
            path.unlink()
        back = office(own, "2026-03-04T11:00")
        back.restore(str(own / "nine.backup"))
        before = {path: path.stat().st_mtime_ns for path in (own / "mail").iterdir()}
        made = back.dispatch(True)
        sent = sum(line[1] == "handed-over" for parts in picture(own).values() for line in parts["copy"])
        found = [f"{sent} letters were sent again"] if sent or {path: path.stat().st_mtime_ns for path in (own / "mail").iterdir()} != before else []
        found += [] if made["resting"] else ["nobody is told that it rests"]
        gap = back.verify(None, checkpoint=str(own / "checkpoint.txt"))["faults"]
        found += [] if any(fault["case"] == number for fault in gap) else ["the hour that is missing does not show"]
        waits = back.resume(True)["copies"]
        found += [] if len(waits) == 3 and gone else [f"{len(waits)} copies are listed for a person, not 3"]
        result.add(1, found)
        back.store.close()
    return result


def awake() -> None:
    """The planted fault: what waited then leaves at once."""
    SqlWork.resting = lambda _: None  # type: ignore[method-assign]


# --- F18: a disposal under legal hold ---------------------------------------------------------------------------------


def held(folder: Path, trials: int, seed: int) -> Result:
    """Of three records whose time is over, some are under legal hold, one of them placed while the disposal runs: those stay whole."""
    result, luck = Result(), random.Random(seed)
    for trial in range(trials):
        own = folder / f"trial{trial}"
        app = prepared(own, KEEPING, 3)
        numbers = list(app.store.numbers())
        for number in numbers:
            office(own, "2026-03-05").act(number, "decide", {"answer": "It may fall."}, None, "ann:staff", None, None, False)
        office(own, "2026-03-06").dispatch(True)
        app = office(own, "2026-06-01")
        app.for_long_work = lambda: None  # type: ignore[method-assign]
        early, late = luck.sample(numbers, 2)
        app.retention.hold([early], None, {}, "A lawsuit.", "2026CV0042", LEAD)
        real = disposal.Disposal._one

        def one(self: Any, number: str, *given: Any, late: str = late, real: Any = real, own: Path = own) -> Any:
            if number == late:
                office(own, "2026-06-01").retention.hold([late], None, {}, "A lawsuit.", "2026CV0043", LEAD)
            return real(self, number, *given)

        disposal.Disposal._one = one  # type: ignore[method-assign]
        try:
            app.retention.dispose(None, None, LEAD, WHY, None)
        except CaseflowError as fault:
            result.violations.append(f"the disposal ended: {fault}")
        disposal.Disposal._one = real  # type: ignore[method-assign]
        now = picture(own)
        whole = {number for number in numbers if now[number].get("entry") and not now[number].get("stub")}
        result.add(2, [] if whole == {early, late} else [f"under hold: {early}, {late}; whole: {sorted(whole)}"])
        for fault in office(own, "2026-06-02").verify(None)["faults"]:
            result.violations.append(f"verify: {fault['case']}: {fault['text']}")
        app.store.close()
    return result


def hold_forgotten() -> None:
    """The planted fault: holds are not asked for when a record goes."""
    from caseflow.domain import retention

    real = retention.kept_back

    def kept(case: Any, *given: Any) -> Any:
        return tuple(one for one in real(case, *given) if "hold" not in f"{one.id} {one.text}")

    disposal.kept_back = kept


ROWS = (
    apart("F11-renderer", "renderer dies, hangs, sets half a page or none", "P1 P7", rendered, anything_goes, "a letter leaves without its page", 4, 80),
    apart("F16-poison", "a timer that always fails among ten", "P21", poisoned, together, "a batch stands or falls together", 5, 20),
    apart("F17-backup", "a backup of an hour ago comes back", "P24 P15", restored, awake, "what waited then leaves", 1, 10),
    apart("F18-hold", "a disposal under legal hold, placed before and meanwhile", "P22", held, hold_forgotten, "holds are not asked for", 1, 20),
)
