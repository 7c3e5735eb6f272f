"""What is interrupted: an act, a sweep, a dispatch, an upload, the adoption of a calendar, a move of cases, an import, a disposal.

Each is prepared once, copied for every trial, and may be repeated: what was done is not done again. The office is the small one of the tests,
whose ten business days from Monday, March 2, 2026 end on March 16.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from caseflow.adapters.documents import FolderBatch
from caseflow.adapters.store.grants import APP, RECORDS
from caseflow.adapters.store.sql import SqlStore
from caseflow.adapters.store.work import SqlWork
from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.services.disposal import Disposal
from caseflow.services.documents import Given
from tests.faults.matrix.picture import address, opened
from tests.faults.sweeper import letters_apart
from tests.unit.dockets import act as acted
from tests.unit.dockets import file_of, older
from tests.unit.pack_texts import CALENDAR, FLOW, PACK, sound, spoiled
from tests.unit.small_office import REQUEST, written

ANN = Actor("person", "ann", "staff")
WHY = "The council says so."
LEAD = "odell:supervisor"
RETENTION = "retention: {disposes: [supervisor], holds: [supervisor], schedules: {short: {title: Short, keep: {days: 30}, cite: Oakville order 9}}}\n"
KEEPING = {**sound(), PACK: sound()[PACK] + RETENTION}


@dataclass(frozen=True)
class Scene:
    """`prepare` makes a folder with a database; `work` is what is interrupted, safe to repeat; `defect` breaks the product on purpose.

    `role`: who may do it on a server. `shows`: the kind of place at which the defect shows when one dies there. `loose`: what is done anew after a death may leave a note of it, so that only what `settled` says must be the same.
    """

    name: str
    title: str
    prepare: Callable[[Path], None]
    work: Callable[[Path], Any]
    defect: Callable[[], None]
    named: str
    settled: Callable[[Path], Any] | None = None
    role: str = APP
    shows: str = "committed"


def office(folder: Path, day: str, url: str = "", **more: Any) -> App:
    """The small office on a day or at a moment, over the database at an address or that of the folder."""
    moment = day if "T" in day else f"{day}T10:00"
    app = App(url or address(folder), packs=str(folder / "workflows"), at=moment, maildrop=str(folder / "mail"), documents=str(folder / "documents"), **more)
    app.office = replace(app.office, with_pdf=False)
    return app


def prepared(folder: Path, files: dict[str, str], cases: int, day: str = "2026-03-02", url: str = "", together: int = 1) -> App:
    """An office of these rules with so many cases, so many of them filed in one request."""
    written(folder, files)
    app = office(folder, day, url)
    for number in range(0, cases, together):
        app.file({**REQUEST, "waterbodies": [{"name": f"the oak {place}"} for place in range(number, min(number + together, cases))]})
    return app


def packed_up(app: App) -> None:
    """Everything in the one file, so that it can be copied."""
    app.store.close()


def first(app: App) -> str:
    """The first case."""
    return str(next(iter(app.store.numbers())))


# --- an act, a sweep, a dispatch ------------------------------------------------------------------------------------


def filed(folder: Path, cases: int = 1) -> None:
    packed_up(prepared(folder, sound(), cases))


def decide(folder: Path) -> None:
    """An act that ends a case and owes a letter."""
    app = office(folder, "2026-03-05")
    app.act(first(app), "decide", {"answer": "It may fall."}, None, "ann:staff", None, "decide-1", False)


def overdue(folder: Path) -> None:
    """A sweep four days after the last day: silence grants, and a letter says so."""
    office(folder, "2026-03-20").sweep(None)


def owing(folder: Path) -> None:
    packed_up(prepared(folder, sound(), 3))


def leave(folder: Path) -> None:
    """A dispatch; a claim of a run that died is over an hour later."""
    for hour in range(10, 13):
        office(folder, f"2026-03-04T{hour}:00").dispatch(True)


def handed(folder: Path) -> Any:
    """How often each letter is said to have gone, and what lies in the drop."""
    with closing(opened(folder)) as connection:
        letters = connection.execute("SELECT number, status FROM letter ORDER BY number").fetchall()
        copies = connection.execute("SELECT id, status FROM letter_copy ORDER BY id").fetchall()
        sent = connection.execute("SELECT \"case\", count(*) FROM entry WHERE action = 'letter-sent' GROUP BY 1 ORDER BY 1").fetchall()
    return json.loads(json.dumps([letters, copies, sent, sorted(path.name for path in (folder / "mail").glob("[!.]*"))]))


def settled_first() -> None:
    """The planted fault: a letter is said to have gone before it is handed over."""
    from caseflow.services import dispatching

    real = dispatching._send

    def send(run: Any, book: Any, letter: Any, held: Any) -> None:
        with run.office.store.begin() as work:
            for copy in held:
                work.copy_changed(_gone(copy, run), run.token)
        real(run, book, letter, [_gone(copy, run) for copy in held])

    dispatching._send = send


def _gone(copy: Any, run: Any) -> Any:
    return replace(copy, status="handed-over", sent_on=run.moment.date())


# --- documents ------------------------------------------------------------------------------------------------------


def upload(folder: Path) -> None:
    """Two files of one case."""
    app = office(folder, "2026-03-05")
    given = [Given(f"plan {n}.txt", io.BytesIO(f"girth {n} cm\n".encode() * 50)) for n in range(2)]
    app.documents.take_in(first(app), given, ANN)


def kept_late() -> None:
    """The planted fault: a document is on the record before its content is in its place."""
    keep, drop = FolderBatch.keep, FolderBatch.drop

    def dropped(self: FolderBatch) -> None:
        if self._taken:
            keep(self)
        drop(self)

    FolderBatch.keep, FolderBatch.drop = lambda self: None, dropped  # type: ignore[method-assign]


# --- rules that change ----------------------------------------------------------------------------------------------

HOLIDAY = "2026-03-10"


def adopting(folder: Path) -> None:
    packed_up(prepared(folder, sound(), 3))
    text = sound()[CALENDAR]
    rows = text.splitlines(keepends=True)
    place = next(n for n, row in enumerate(rows) if row.lstrip().startswith("- {name"))
    indent = rows[place][: len(rows[place]) - len(rows[place].lstrip())]
    rows.insert(place, f"{indent}- {{name: Day of the Oak, once: {HOLIDAY}, source: By-law 12}}\n")
    label = next(row for row in rows if row.startswith("version:"))
    folder.joinpath("changed.yaml").write_text("".join(rows).replace(label, 'version: "changed"\n'))


def adopt(folder: Path) -> None:
    """A holiday more: the last day of every open case moves."""
    from caseflow.services import calendars

    calendars.Calendars.go_on.__wrapped__.__defaults__ = (2,)  # type: ignore[attr-defined]
    app = office(folder, "2026-03-05")
    app.for_long_work = lambda: None  # type: ignore[method-assign]
    app.calendars.adopt(str(folder / "changed.yaml"), WHY, LEAD)


def later_version() -> dict[str, str]:
    files = spoiled(FLOW, "length: {business-days: 10}", "length: {business-days: 7}")
    return {**files, PACK: files[PACK].replace('version: "1"', 'version: "2"')}


def migrating(folder: Path) -> None:
    packed_up(prepared(folder, sound(), 3))
    shutil.rmtree(folder / "workflows")
    written(folder, later_version())


def migrate(folder: Path) -> None:
    """Seven business days instead of ten."""
    app = office(folder, "2026-03-05")
    app.for_long_work = lambda: None  # type: ignore[method-assign]
    app.pack_migrate("1", "2", WHY, LEAD, False, 2)


def apart(name: str) -> None:
    """The planted fault: what one method of a transaction writes is written in a second one."""
    begin, real = SqlStore.begin, getattr(SqlWork, name)

    def later(self: SqlWork, *given: Any, **named: Any) -> None:
        self.__dict__.setdefault("_apart_", []).append((given, named))

    @contextmanager
    def twice(self: SqlStore) -> Iterator[SqlWork]:
        with begin(self) as work:
            yield work
        calls = work.__dict__.pop("_apart_", [])
        if calls:
            with begin(self) as second:
                for given, named in calls:
                    real(second, *given, **named)

    setattr(SqlWork, name, later)
    SqlStore.begin = twice  # type: ignore[method-assign]


# --- imports and disposals ------------------------------------------------------------------------------------------


def importing(folder: Path) -> None:
    app = prepared(folder, sound(), 0)
    app.init(False)
    packed_up(app)
    file_of(folder / "older.jsonl", *(older(f"A-{n}", acted("2027-01-06", "ask", reason="r")) for n in range(4)))


def take_in(folder: Path) -> None:
    """Four cases of an older system."""
    from caseflow.services import importing

    importing.BATCH = 2
    app = office(folder, "2027-01-12")
    app.for_long_work = lambda: None  # type: ignore[method-assign]
    app.take_in(str(folder / "older.jsonl"), "mo:staff", False)


def ended(folder: Path) -> None:
    """Two cases that ended and whose letters went, with a document each."""
    app = prepared(folder, KEEPING, 2)
    for number in list(app.store.numbers()):
        office(folder, "2026-03-03").documents.take_in(number, [Given("plan.txt", io.BytesIO(number.encode() * 9))], ANN)
        office(folder, "2026-03-05").act(number, "decide", {"answer": "It may fall."}, None, "ann:staff", None, None, False)
    office(folder, "2026-03-06").dispatch(True)
    packed_up(app)


def dispose(folder: Path) -> None:
    """The records of both go, each with a stub in its place."""
    app = office(folder, "2026-06-01")
    app.for_long_work = lambda: None  # type: ignore[method-assign]
    app.retention.dispose(None, None, LEAD, WHY, None)


def files_first() -> None:
    """The planted fault: the files of a record go before its disposal stands."""
    real = Disposal._tried

    def tried(self: Disposal, number: str, *given: Any) -> Any:
        with self._office.store.read() as work:
            documents = work.documents(number)
        for document in documents:
            self._vault.remove(document.sha256)
        return real(self, number, *given)

    Disposal._tried = tried  # type: ignore[method-assign]


SCENES = (
    Scene("act", "an act that ends a case", filed, decide, letters_apart, "letters in a transaction of their own"),
    Scene("sweep", "a sweep of overdue cases", partial(filed, cases=3), overdue, letters_apart, "letters in a transaction of their own"),
    Scene("dispatch", "a dispatch of letters", owing, leave, settled_first, "sent is written before the hand-over", handed, shows="mail"),
    Scene("upload", "an upload of documents", filed, upload, kept_late, "the record before the content"),
    Scene("adopt", "the adoption of a calendar", adopting, adopt, partial(apart, "save"), "the place in the list before the cases"),
    Scene("migrate", "a move of cases to other rules", migrating, migrate, partial(apart, "save"), "the place in the list before the cases"),
    Scene("import", "an import of cases", importing, take_in, partial(apart, "bring"), "letters in a transaction of their own"),
    Scene("dispose", "a disposal of records", ended, dispose, files_first, "files go before the stub stands", role=RECORDS, shows="filed"),
)
