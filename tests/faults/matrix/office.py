"""F16, F17, F18: a timer that always fails, a backup of an hour ago, a disposal under legal hold."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from caseflow.adapters.store.work import SqlWork
from caseflow.domain import replay
from caseflow.errors import CaseflowError, RecordBroken
from caseflow.services import disposal, sweeping
from tests.faults.matrix.apart import LONGEST, apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import KEEPING, LEAD, WHY, office, packed_up, prepared
from tests.unit.pack_texts import sound

# --- F16: a timer that always fails -----------------------------------------------------------------------------------

FAULTS = (None, RecordBroken("The record contradicts itself."), TypeError("unsupported operand"), KeyError("girth_cm"), ZeroDivisionError("division by zero"))
"""None: the stored case is damaged, so that it can't even be read."""


FEW, MANY = 10, 10_000


def poisoned(cases: int, folder: Path, trials: int, seed: int) -> Result:
    """Of many overdue cases one fails whenever it is touched: the others are fired in the same sweep, and it is parked."""
    result, luck, new = Result(), random.Random(seed), folder / "new"
    _ = forked(lambda: packed_up(prepared(new, sound(), cases, together=50)))
    for trial in range(trials):
        own = folder / "trial"
        shutil.copytree(new, own)
        fault = FAULTS[(trial + seed) % len(FAULTS)]
        made = forked(partial(_swept, own, luck.randrange(cases), fault), seconds=LONGEST)
        if made.answer is None:
            raise RuntimeError(made.said or made.broke or "it hangs")
        result.add(1, [f"{type(fault).__name__}: {text}" for text in made.answer])
        shutil.rmtree(own)
    return result


def _swept(own: Path, place: int, fault: Exception | None) -> list[str]:
    app, found = office(own, "2026-03-20"), list[str]()
    numbers = list(app.store.numbers())
    bad, real = numbers[place], replay.fire

    def fire(book: Any, case: Any, *given: Any) -> Any:
        if case.number == bad and fault is not None:
            raise fault
        return real(book, case, *given)

    if fault is None:
        with closing(sqlite3.connect(own / "case.db")) as connection, connection:
            connection.execute("UPDATE case_file SET body = substr(body, 1, 60) WHERE number = ?", (bad,))
    replay.fire = fire
    for _ in range(3):
        try:
            sweeping.sweep(app.office, pause=lambda _: None, batch=4 if len(numbers) == FEW else None)
        except Exception as broke:  # noqa: BLE001 - it is judged
            found.append(f"it ended the sweep: {type(broke).__name__}")
    now = picture(own)
    found += [f"{number} is {now[number]['case'][0][0]}" for number in numbers if (now[number]["case"][0][0] == "closed") == (number == bad)]
    return found if any(line[-1] == "parked" for line in now[bad]["timer"]) else [*found, "it is not parked"]


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


STANDS = "a batch stands or falls together"
ROWS = (
    apart("F16-poison", "a timer that always fails among ten", "P21", partial(poisoned, FEW), together, STANDS, 5, 20),
    apart("F16-among", "a timer that always fails among ten thousand", "P21", partial(poisoned, MANY), together, STANDS, 0, 20),
    apart("F17-backup", "a backup of an hour ago comes back", "P24 P15", restored, awake, "what waited then leaves", 1, 10),
    apart("F18-hold", "a disposal under legal hold, placed before and meanwhile", "P22", held, hold_forgotten, "holds are not asked for", 1, 20),
)
