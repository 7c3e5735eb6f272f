"""A disposal killed at each statement, commit and file: every case is whole or a stub, and the next run ends the work.

A child process is forked for each point, so that a kill costs no start of the program. The harness is shown to go red on a disposal that
commits half way (the planted fault of row 18).
"""

from __future__ import annotations

import io
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from caseflow.adapters.documents import Folder
from caseflow.adapters.store import disposing
from caseflow.bootstrap import App
from caseflow.domain.case import Actor
from caseflow.domain.replay import replay_faults
from caseflow.services.documents import Given
from tests.unit.pack_texts import PACK, sound, spoiled
from tests.unit.small_office import Desk

SCHEDULES = "retention: {schedules: {trees: {title: Trees, keep: {years: 7}, cite: Oakville by-law 12}}}\nagency:"
NOW = "2034-01-05T10:00"
FULL = os.environ.get("CASEFLOW_FULL") == "1"
FEWEST = 50
"""Points of one disposal, below which the harness would have lost its eyes."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two decided trees with a plan each, all sent."""
    folder = tmp_path_factory.mktemp("office")
    desk = Desk(folder, spoiled(PACK, "agency:", SCHEDULES, sound()))
    for place in (1, 2):
        number = desk.file("2026-11-30")["cases"][0]["case"]
        plan = Given("plan.pdf", io.BytesIO(b"%PDF-1.7\nplan " + str(place).encode() + b"\n%%EOF\n"))
        app = desk.app("2026-12-01")
        app.documents.take_in(number, [plan], Actor("person", "ann", "staff"), None, app.now())
        desk.act("2026-12-01", number, "decide", answer="Yes.")
    app = desk.app("2026-12-02")
    app.dispatch(True)
    app.store.close()
    opened(folder).office  # noqa: B018 - so that no child reads the packs anew
    return folder


LIBRARY: list[Any] = []
"""The packs, read once for all processes."""


def opened(folder: Path) -> App:
    """The office as it lies there."""
    app = App(database=f"sqlite:///{folder / 'case.db'}", packs=str(folder / "workflows"), at=NOW, maildrop=str(folder / "mail"))
    if not LIBRARY:
        app.library.all()
        LIBRARY.append(app.library)
    app.__dict__["library"] = LIBRARY[0]
    return app


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder in memory where there is one: a process is killed, not the machine, and a disk would be waited for at each commit."""
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a folder of its own is made in it
    made = Path(tempfile.mkdtemp(prefix="caseflow-killed-", dir=home))
    yield made
    shutil.rmtree(made, ignore_errors=True)


def run(folder: Path, dies_at: int, defect: bool = False) -> bool:
    """Disposes in a process that dies at a point; whether it lived to the end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    try:
        _child(folder, dies_at, defect)
        os._exit(0)
    except BaseException:
        os._exit(9)


def _child(folder: Path, dies_at: int, defect: bool) -> None:
    app, passed = opened(folder), [0]

    def point(*_: Any, **__: Any) -> None:
        passed[0] += 1
        if passed[0] == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    remove, words = Folder.remove, disposing._drop_words

    def watched(self: Folder, name: str) -> None:
        point()
        remove(self, name)
        point()

    def committed_half_way(connection: Any, number: str, lite: bool) -> None:
        words(connection, number, lite)
        driver = connection.connection.driver_connection
        driver.execute('DELETE FROM letter_attempt WHERE copy IN (SELECT id FROM letter_copy WHERE "case" = ?)', (number,))
        driver.execute("COMMIT")
        driver.execute("BEGIN IMMEDIATE")

    Folder.remove = watched  # type: ignore[method-assign]
    if defect:
        disposing._drop_words = committed_half_way
    for name in ("before_cursor_execute", "commit"):  # dying before a statement is dying after the one before it
        event.listen(app.store.engine, name, point)
    app.retention.dispose(None, None, "ann:supervisor", "Yearly disposal.", None)


def wrong(folder: Path) -> list[str]:
    """What does not hold: each case is whole or a stub, the chain and replay of the whole ones fit, and no content of one is missing."""
    app = opened(folder)
    found: list[str] = []
    whole, stubs = list(app.store.numbers()), [stub.number for stub in app.store.disposals.stubs()]
    if sorted(whole + stubs) != ["OAK-2026-00001-1", "OAK-2026-00002-1"]:
        found.append(f"whole {whole}, stubs {stubs}")
    for number in whole:
        with app.store.read() as work:
            case, entries, documents = work.case(number), work.entries(number), work.documents(number)
        found += [fault.text for fault in replay_faults(app.library.of(case), case, entries)]
        found += [one.id for one in documents if app.retention.disposal._vault.fault(one.sha256) is not None]
    found += [fault.text for fault in app.retention.disposal.faults()[1]]
    app.store.engine.dispose()
    return found


def test_killed_anywhere_each_case_is_whole_or_a_stub_and_the_next_run_ends_the_work(office: Path, room: Path) -> None:
    points, lived, at = 0, False, 0
    while not lived:
        points += 1
        at += 1 if FULL else 3  # with CASEFLOW_FULL=1, and in row F1-dispose of `make faults`, it dies at each
        folder = room / str(at)
        shutil.copytree(office, folder)
        lived = run(folder, at)
        assert wrong(folder) == [], f"killed at point {at}"
        if not lived and points % 3 == 0:  # the rest of the work is done by whoever comes next
            assert run(folder, 0), f"after a kill at point {at}"
        if not lived and points % 3 == 0 or lived:
            assert wrong(folder) == []
            app = opened(folder)
            assert list(app.store.numbers()) == [] and list(app.store.disposals.contents()) == [] and not app.store.disposals.residue()
            assert [path for path in (folder / "documents").rglob("*") if path.is_file()] == [], "no file of a document is left"
            app.store.engine.dispose()
        shutil.rmtree(folder)
    assert at >= FEWEST and points >= FEWEST // 3


def test_the_harness_goes_red_on_a_disposal_that_commits_half_way(office: Path, room: Path) -> None:
    found: list[str] = []
    for point in range(10, 120, 4):
        folder = room / str(point)
        shutil.copytree(office, folder)
        lived = run(folder, point, defect=True)
        found += wrong(folder)
        shutil.rmtree(folder)
        if found or lived:
            break
    assert any("still holds something of it" in text for text in found)
