"""Changed calendars with the Wisconsin pack: a report of another system replayed, a process killed in the middle, a record that leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from caseflow.bootstrap import App
from caseflow.errors import Refused
from tests.conftest import PACK, ROOT
from tests.web.test_calendars import changed

WHY = "Executive Order 12 makes the day a holiday."


def app(folder: Path, at: str) -> App:
    return App(f"sqlite:///{folder / 'case.db'}", at=at, maildrop=str(folder / "mail"))


def filed(folder: Path, at: str = "2026-11-30T09:00", sample: str = "navigability-confirmation") -> str:
    one = app(folder, at)
    return str(one.file(one.read_yaml(str(PACK / "samples" / sample / "complete.yaml")))["cases"][0]["case"])


def due(folder: Path, number: str, clock: str = "determination") -> Any:
    return next(one["due"] for one in app(folder, "2026-12-02").show(number)["clocks"] if one["id"] == clock)


def moves(folder: Path, number: str) -> list[dict[str, Any]]:
    return [one for one in app(folder, "2026-12-02").timeline(number, "recorded", None) if one["action"] == "calendar-adopted"]


def test_alaveteli_7292_a_holiday_announced_later_moves_open_cases_by_one_entry_and_leaves_closed_ones(tmp_path: Path) -> None:
    """mysociety/alaveteli#7292: a new holiday left the dates of open requests alone.

    A holiday on an open case's last day, Wednesday, December 30, 2026: the case moves by the pack's roll to Thursday, one
    entry names the calendar version; a case that is over keeps its date."""
    case, over = filed(tmp_path), filed(tmp_path)
    app(tmp_path, "2026-12-01T09:00").act(over, "withdraw", {"writing_received_on": "2026-12-01"}, None, "requester:requester", None, None, False)
    file = str(changed(tmp_path, "2026.2", "2026-12-30"))
    before = app(tmp_path, "2026-12-02").show(over)

    for _ in range(2):
        made = app(tmp_path, "2026-12-02T09:00").calendars.adopt(file, WHY, "odell:supervisor")

    assert due(tmp_path, case) == "2026-12-31"
    [entry] = moves(tmp_path, case)
    assert (entry["calendar_version"].split("@")[0], entry["because"], made["moved"]) == ("2026.2", WHY, 1)
    assert app(tmp_path, "2026-12-02").show(over) == before
    assert app(tmp_path, "2026-12-02").verify(None)["faults"] == []


def test_an_adoption_whose_process_is_killed_goes_on_and_moves_each_case_once(tmp_path: Path) -> None:
    cases = [filed(tmp_path) for _ in range(4)]
    file = str(changed(tmp_path, "2026.2", "2026-12-30"))
    dies = (
        "import os, signal, sys\n"
        "from caseflow.bootstrap import App\n"
        "from caseflow.services import calendars\n"
        "calendars.BATCH = 2\n"
        "real, seen = calendars.Calendars._one, []\n"
        "def one(self, *given):\n"
        "    made = real(self, *given)\n"
        "    seen.append(1)\n"
        "    if len(seen) == 3: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return made\n"
        "calendars.Calendars._one = one\n"
        "calendars.Calendars.go_on.__wrapped__.__defaults__ = (2,)\n"
        f"App({f'sqlite:///{tmp_path}/case.db'!r}, at='2026-12-02T09:00').calendars.adopt({file!r}, {WHY!r}, 'odell:supervisor')\n"
    )

    ended = subprocess.run([sys.executable, "-c", dies], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=120)

    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert [len(moves(tmp_path, case)) for case in cases] == [1, 1, 0, 0], "the batch that was under way is not there at all"
    made = app(tmp_path, "2026-12-02T09:00").calendars.adopt(file, WHY, "odell:supervisor")
    assert (made["moved"], made["looked"], made["ended"]) == (4, 4, True)
    assert [len(moves(tmp_path, case)) for case in cases] == [1, 1, 1, 1]
    assert [due(tmp_path, case) for case in cases] == ["2026-12-31"] * 4
    assert app(tmp_path, "2026-12-02").verify(None)["faults"] == []


def test_a_record_that_went_under_a_changed_calendar_is_exported_and_checked_by_a_stranger(tmp_path: Path) -> None:
    case = filed(tmp_path)
    app(tmp_path, "2026-12-01T09:00").dispatch(False)
    app(tmp_path, "2026-12-02T09:00").calendars.adopt(str(changed(tmp_path, "2026.2", "2026-12-30")), WHY, "odell:supervisor")
    app(tmp_path, "2026-12-03T09:00").dispatch(False)
    app(tmp_path, "2026-12-04T09:00").calendars.undo("Vetoed.", "odell:supervisor")

    app(tmp_path, "2026-12-05T09:00").export(case, str(tmp_path / "bundle"), {})

    told = subprocess.run([sys.executable, "-I", str(tmp_path / "bundle" / "verify.py")], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stdout + told.stderr
    [wrong] = [task["id"] for task in app(tmp_path, "2026-12-05").show(case)["tasks"] if task["id"].startswith("correct-letter")]
    assert wrong == f"correct-letter:{case}-L2", "the letter about the new date went out, and is wrong now"


def test_only_a_supervisor_adopts_in_this_office(tmp_path: Path) -> None:
    filed(tmp_path)
    for who in ("wren:staff", "ada:auditor", "max:administrator", "scheduler:scheduler"):
        with pytest.raises(Refused, match="is adopted by supervisor, not by"):
            app(tmp_path, "2026-12-02T09:00").calendars.adopt(str(changed(tmp_path, "2026.2", "2026-12-30")), WHY, who)
