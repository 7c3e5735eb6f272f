"""The table of goals: what counts as met, what is kept of a run, which parts are chosen, and that a part that fails leaves the others be."""

from __future__ import annotations

import re
import sqlite3
import threading
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from benchmarks import results
from benchmarks.barepage import BarePage
from benchmarks.measure import Line, in_turns, least, most, over, table, tally, within
from benchmarks.parts import PARTS, Asked, Part, chosen, measured, tidy

LETTERS = {"A": 5, "S": 6, "L": 3, "Q": 4, "D": 1, "W": 1, "B": 3, "M": 1}
GOALS = [f"{letter}{number}" for letter, last in LETTERS.items() for number in range(1, last + 1)]
"""The goals of the reference."""
FACTS = {"processors": "2", "processor": "Some(R) CPU @ 2.00GHz", "kernel": "Linux 6.1.0"}


def test_every_goal_of_the_reference_is_answered_by_one_part_and_in_its_order() -> None:
    answered = [goal for part in PARTS for goal in part.goals]
    assert sorted(answered) == sorted([*GOALS, "I2", "I3"])
    assert len({part.name for part in PARTS}) == len(PARTS)


def test_a_floor_is_met_by_the_median_of_the_rounds_and_not_by_the_best() -> None:
    assert least("act", 0.5, "of raw", "-", (0.4, 0.5, 0.9)).met is True
    assert least("act", 0.5, "of raw", "-", (0.4, 0.49, 0.9)).met is False
    assert most("page", 1.5, "times", "-", (1.0, 1.5, 9.0)).met is True
    assert most("page", 1.5, "times", "-", (1.0, 1.6, 1.7)).met is False


def test_a_ratio_is_taken_round_by_round() -> None:
    assert over([2.0, 4.0], [1.0, 4.0]) == (0.5, 1.0)
    with pytest.raises(ValueError, match="shorter|longer"):
        over([1.0], [1.0, 2.0])


def test_sides_take_turns_and_every_second_round_begins_with_the_other() -> None:
    said: list[str] = []

    def side(name: str, value: float) -> float:
        said.append(name)
        return value

    found = in_turns([lambda: side("a", 1), lambda: side("b", 2)], 3)
    assert found == [(1, 2)] * 3
    assert "".join(said) == "abbaab"


def test_a_share_of_the_answers_lies_within_a_value() -> None:
    hundred = [float(number) for number in range(100, 0, -1)]
    assert (within(hundred, 0.5), within(hundred, 0.95), within(hundred, 0.99), within([7.0], 0.99)) == (51, 96, 100, 7)
    with pytest.raises(ValueError, match="nothing was measured"):
        within([], 0.5)


def test_a_goal_is_met_only_where_every_line_of_it_is() -> None:
    lines = [
        Line("sweep", ">= 1", "2", True, id="S1"),
        Line("  of raw", ">= 0.3", "0.2", False),
        Line("idle", "<= 1", "1", True, id="S3"),
        Line("  rest", "for comparison", "3", None),
        Line("peers", ">= 1", "not run", None, id="A2"),
    ]
    assert tally(lines) == "1 of 3 goals met; missed: S1; without an answer: A2"
    assert "MISSED" in table(lines).splitlines()[2] and table(lines).splitlines()[3].endswith("met")


def test_a_run_is_kept_under_its_day_and_kind_of_machine_and_names_no_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.node", lambda: "secret-host")
    line = Line("a | b", "<= 1", "1 ms", True, (1.0, 3.0), "S3")
    text = results.page("Goals", [line], {**results.machine(), **FACTS}, ["", "Five rounds."])
    path = results.keep(text, date(2026, 12, 1), FACTS, tmp_path / "results")
    assert path.name == "2026-12-01-2-processors-some-cpu-2-00ghz.md"
    assert "| S3 | a \\| b | <= 1 | 1 ms | 1.00 / 2.00 | met |" in path.read_text().splitlines()
    assert "Five rounds." in text and "1 of 1 goals met." in text and "secret-host" not in text
    assert set(results.machine()) == {"processors", "processor", "memory", "kernel", "Python", "SQLite"}


def test_goals_their_letters_and_parts_are_chosen_and_an_unknown_one_is_refused_by_name() -> None:
    assert [part.name for part in chosen("s4, A3")] == ["postgres", "kills"]
    assert {goal for part in chosen("Q") for goal in part.goals} == {"Q1", "Q2", "Q3", "Q4"}
    assert [part.name for part in chosen("dates")] == ["dates"]
    assert chosen(None) == list(PARTS)
    with pytest.raises(ValueError, match=r"no goal or part is called x9"):
        chosen("A1,X9")


def test_a_part_that_fails_says_so_under_each_of_its_goals_and_the_next_one_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(asked: Asked) -> list[Line]:
        raise RuntimeError("no server")

    parts = [Part("broken", ("A3", "A4"), broken), Part("well", ("S3",), lambda asked: [Line("idle", "<= 1", str(asked.rounds), True, id="S3")])]
    lines = [line for part in parts for line in measured(part, Asked(tmp_path, rounds=4))]
    assert [(line.id, line.met) for line in lines] == [("A3", False), ("A4", False), ("S3", True)]
    assert lines[0].figure == "not measured: RuntimeError: no server" and lines[2].figure == "4"
    assert re.search(r"Traceback.*no server", capsys.readouterr().err, re.S)


def test_a_part_that_never_answers_is_given_up(tmp_path: Path) -> None:
    def stuck(asked: Asked) -> list[Line]:
        while True:
            threading.Event().wait(0.01)

    lines = measured(Part("stuck", ("S4",), stuck), Asked(tmp_path, patience=1))
    assert (lines[0].id, lines[0].met, lines[0].figure) == ("S4", False, "not measured: TimeoutError: not done within 1 s")


def test_scratch_of_a_part_goes_and_dockets_that_others_share_stay(tmp_path: Path) -> None:
    tmp_path.joinpath("kills.mail").mkdir()
    for name in ("kills.db", "whole-300.db", "kills.mail/letter"):
        tmp_path.joinpath(name).write_text("x")
    tidy(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["whole-300.db"]


def test_the_bare_page_is_the_page_of_the_site_made_from_what_the_database_holds_now(tmp_path: Path) -> None:
    file, row = tmp_path / "docket.db", '  <tr>\n  <a href="/{0}">{0}</a> {1} <time datetime="{2}">{3}</time> {{kept}}\n  </tr>\n'
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE case_file (number, title, next_target, received_on, ends)")
        connection.execute("INSERT INTO case_file VALUES ('WD-1', 'Mill Creek', '2026-12-10', '2026-11-03', 0)")
    rows = [row.format("WD-1", "Mill Creek", "2026-12-10", "Thu, Dec 10"), row.format("WD-2", "A &lt;b&gt;", "2026-12-11", "Fri, Dec 11")]
    page = BarePage(str(file), f"<tbody>\n{rows[0]}  </tbody>end")
    assert page.body().decode() == f"<tbody>\n{rows[0]}  </tbody>end"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO case_file VALUES ('WD-2', 'A <b>', '2026-12-11', '2026-11-03', 0), ('WD-3', 'Over', '2026-12-11', '2026-11-03', 1)")
    assert page.body().decode() == f"<tbody>\n{''.join(rows)}  </tbody>end"
