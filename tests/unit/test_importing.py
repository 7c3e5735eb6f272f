"""Files of an older system come in with their history: judged by the law of their days, nothing sent, nothing fired for the past."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from caseflow.domain.case import Actor
from caseflow.errors import BadInput, Refused
from tests.conftest import PACK, ROOT
from tests.unit.dockets import Office, act, file_of, older, request
from tests.unit.pack_texts import HOME

SOUND = older("A-1", act("2027-01-06", "ask", reason="the ward", by="jo"), act("2027-01-08", "hear"))


def told(made: dict[str, Any]) -> list[tuple[int, str, str]]:
    return [(one["line"], one["case"], one["text"]) for one in made["faults"]]


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    return tmp_path / "older.jsonl"


def test_a_history_comes_in_as_entries_of_their_days_typed_at_the_import(office: Office, lines: Path) -> None:
    made = office.take_in(file_of(lines, SOUND))

    assert (made["cases"], made["entries"], made["faults"], made["written"]) == (1, 5, [], True)
    rows = office.on("2027-01-12").timeline("A-1", "recorded", None)
    assert [(row["action"], row["effective_on"], row["actor"]["kind"], row["actor"]["id"]) for row in rows] == [
        ("file", "2027-01-04", "import", "older-system"),
        ("letter-sent", "2027-01-04", "import", "older-system"),
        ("ask", "2027-01-06", "import", "jo"),
        ("hear", "2027-01-08", "import", "older-system"),
        ("imported", "2027-01-12", "import", "mo"),
    ]
    assert {row["recorded_on"] for row in rows} == {"2027-01-12"}
    # Ten business days, of which the 7th and 8th are held: Jan 18 and two more office days.
    assert office.on("2027-01-12").why("A-1", "answer")[0]["due"] == "2027-01-20"
    assert office.on("2027-01-12").verify(None)["faults"] == []


def test_nothing_is_sent_and_what_fell_due_before_does_not_fire_but_what_comes_later_does(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, SOUND, older("B-2", filed="2026-12-01T09:00")), "2027-01-12")

    assert office.on("2027-01-12").dispatch(True)["sent"] == 0
    assert office.on("2027-01-12").sweep(None)["fired"] == 0, "the silence of B-2 was long ago"
    assert office.on("2027-01-21").sweep(None)["fired"] == 1, "that of A-1 is not: its last day was January 20"
    assert office.on("2027-01-21").show("A-1")["disposition"] == "granted-by-silence"
    assert office.on("2027-01-21").show("B-2")["state"] == "open"


def test_a_reminder_that_comes_again_goes_on_at_its_next_turn(lines: Path) -> None:
    """Notice on December 3: the site is looked at again every fourteen days, on the 17th and the 31st."""
    office = Office(str(PACK.parent))
    sample = office.on("2026-12-20").read_yaml(str(PACK / "samples" / "navigability-determination" / "complete.yaml"))
    notice = act("2026-12-03", "give-weather-notice", inspection_needed=True, condition="ice", expected_window="spring")
    line = {"request": {**sample, "aliases": ["B-9"], "filed": "2026-11-02T09:00"}, "history": [notice]}
    made = office.take_in(file_of(lines, line), "2026-12-20")
    assert made["faults"] == [] and made["past"] == {"remind": 1}

    office.on("2026-12-30").sweep(None)
    assert fired(office, "2026-12-30") == []
    office.on("2026-12-31").sweep(None)
    assert fired(office, "2026-12-31") == [("recheck-weather", "2026-12-31")]


def fired(office: Office, day: str) -> list[tuple[str, str]]:
    """What the scheduler has done in the one case."""
    return [(row["action"], row["effective_on"]) for row in office.on(day).timeline("B-9", "recorded", None) if row["actor"]["kind"] == "scheduler"]


def test_an_outcome_that_silence_had_produced_is_told_and_is_a_supervisors_task(office: Office, lines: Path) -> None:
    made = office.take_in(file_of(lines, older("B-2", filed="2026-12-01T09:00")), "2027-01-12")

    told = {"line": 1, "case": "B-2", "clock": "answer", "title": "Time to answer", "due": "2026-12-15", "outcome": "Granted by silence"}
    assert made["silence"] == [told] and made["past"] == {"silence": 1}
    [task] = office.on("2027-01-12").show("B-2", "supervisor")["tasks"]
    assert task["id"] == "silence:answer" and "void entry 3" in task["text"]


def test_the_act_that_was_done_in_time_settles_the_task(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, older("B-2", filed="2026-12-01T09:00")), "2027-01-12")
    app = office.on("2027-01-12")

    shown = app.act("B-2", "decide", {"answer": "yes"}, "2026-12-10", "ann:staff", None, None, False)

    assert (shown["state"], shown["disposition"], shown["tasks"]) == ("closed", "granted", [])
    assert app.verify(None)["faults"] == []


def test_without_an_act_in_time_a_supervisor_lets_the_outcome_follow_and_nobody_else(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, older("B-2", filed="2026-12-01T09:00")), "2027-01-12")
    app = office.on("2027-01-12")

    with pytest.raises(Refused, match="can't be voided"):
        app.void("B-2", 3, "nobody answered", "ann:staff")
    with pytest.raises(Refused, match="can't be amended"):
        app.amend("B-2", 3, "2027-01-11", "a slip", "odell:supervisor")
    shown = app.void("B-2", 3, "nobody answered", "odell:supervisor")

    assert (shown["state"], shown["disposition"]) == ("closed", "granted-by-silence")
    assert [letter["id"] for letter in shown["letters"]] == ["receipt", "granted-by-silence"]
    assert app.verify(None)["faults"] == []


def test_an_outcome_that_the_history_tells_is_on_record_and_no_task(office: Office, lines: Path) -> None:
    made = office.take_in(file_of(lines, older("B-2", act("2026-12-16", "fall-silent"), filed="2026-12-01T09:00")), "2027-01-12")

    shown = office.on("2027-01-12").show("B-2", "supervisor")
    assert (made["silence"], shown["disposition"], shown["tasks"]) == ([], "granted-by-silence", [])


def test_letters_of_the_older_system_are_on_the_register_as_sent_without_their_words(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, older("A-1", act("2027-01-06", "decide", answer="yes", sent="2027-01-07"))))

    [receipt, answer] = office.on("2027-01-12").show("A-1")["letters"]
    assert (receipt["status"], receipt["sent_on"]) == ("handed-over", "2027-01-04")
    assert (answer["status"], answer["sent_on"], answer["recipients"]) == ("handed-over", "2027-01-07", [])


def test_a_letter_that_never_went_is_none(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, older("A-1", act("2027-01-06", "decide", answer="yes", sent="never"))))

    assert [letter["id"] for letter in office.on("2027-01-12").show("A-1")["letters"]] == ["receipt"]


def test_importing_twice_is_importing_once(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, SOUND, older("B-2")))
    before = office.docket(lines.with_name("before"), "2027-01-13")

    made = office.take_in(lines, "2027-01-13")

    assert (made["cases"], made["known"], made["faults"]) == (0, 2, [])
    assert office.docket(lines.with_name("after"), "2027-01-13") == before


def test_the_order_of_names_and_blanks_makes_no_other_line(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, SOUND))
    turned = json.dumps({"history": SOUND["history"], "request": dict(reversed(SOUND["request"].items()))}, indent=None, separators=(", ", " : "))

    assert office.take_in(file_of(lines, turned.encode()))["known"] == 1


def test_a_changed_line_for_a_known_case_is_a_fault_and_no_second_case(office: Office, lines: Path) -> None:
    office.take_in(file_of(lines, SOUND))

    made = office.take_in(file_of(lines, older("B-2"), older("A-1")))

    [fault] = made["faults"]
    assert (fault["line"], fault["case"]) == (2, "A-1") and "'A-1' is OAK-2027-00001-1 already" in fault["text"]
    assert len(list(office.store.numbers())) == 1, "and B-2 did not come in either"


def test_every_fault_of_every_line_is_told_and_nothing_is_written(office: Office, lines: Path) -> None:
    bad = [
        older("A-1", act("2027-01-06", "ask", reason="r"), act("2027-01-07", "ask", reason="r")),
        older("A-2", act("2027-01-06", "decline")),
        older("A-3", act("2027-02-06", "decide", answer="yes")),
        older("A-4", facts={"girth_cm": 20}),
        older("A-5", services=["tree-permits"]),
        SOUND | {"request": {**request("A-6"), "aliases": []}},
        older("A-7", act("2027-01-06", "decide", answer="yes", sent="2027-01-05")),
        older("A-8", act("6 January", "decide", answer="yes")),
        older("A-9", act("2027-01-06", "decide")),
        older("A-10"),
        older("A-10"),
    ]
    made = office.take_in(file_of(lines, *bad))

    texts = told(made)
    assert [(line, case) for line, case, _ in texts] == [
        *[(1, "A-1")] * 2, (2, "A-2"), (3, "A-3"), (4, "A-4"), (5, "A-5"), (6, ""), (7, "A-7"), (8, "A-8"), (9, "A-9"), (11, "A-10")
    ]  # fmt: skip
    assert "act 2: 'ask' on 2027-01-07 was not possible" in texts[0][2] and "The owner may be asked once" in texts[1][2]
    for part, (_, _, text) in zip(
        ("no action 'decline'", "lies after today", "40 cm", "no workflow 'tree-permits'", "'aliases'", "'sent'", "'6 January'", "not stated", "line 10"),
        texts[2:],
        strict=True,
    ):
        assert part in text
    assert not made["written"] and list(office.store.numbers()) == []


def test_trying_only_says_what_would_come_in(office: Office, lines: Path) -> None:
    made = office.take_in(file_of(lines, SOUND), try_only=True)

    assert (made["cases"], made["written"], list(office.store.numbers())) == (1, False, [])


def test_an_empty_file_and_one_that_is_not_there_are_refused_in_a_sentence(office: Office, lines: Path) -> None:
    for path, words in ((file_of(lines), "is empty"), (lines.with_name("none"), "can't be read"), (lines.parent, "no file")):
        with pytest.raises(BadInput, match=words):
            office.take_in(path)


DEEP = b'{"request":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
HOSTILE = {
    "is not UTF-8": b'{"request": "\xff"}',
    "nested more than": DEEP,
    "'request' stands twice": b'{"request": {}, "request": {}}',
    "0.1 is not a whole number": b'{"request": {"x": 0.1}}',
    "NaN is not a whole number": b'{"request": {"x": NaN}}',
    "more than 15 digits": b'{"request": {"x": 12345678901234567890}}',
    "ends with CR LF": b'{"request": {}}\r',
    "byte order mark": b'\xef\xbb\xbf{"request": {}}',
    "NUL byte": b'{"request": "\0"}',
    "character NUL": b'{"request": "\\u0000"}',
    "surrogate": b'{"request": "\\ud800"}',
    "is empty": b"",
    "not JSON": b"B-114;2027-01-04",
    "not a JSON object": b"[1]",
    "'request' is missing": b'{"history": []}',
    "'history' is no list": b'{"request": {}, "history": 1}',
    "has a part 'histories'": b'{"request": {}, "histories": []}',
    "of kind 'docket' and format 9": b'{"caseflow": "docket", "format": 9}',
    "letters that can't be sorted": '{"request": {"\U0001f333": 1}}'.encode(),
}


@pytest.mark.parametrize("words", HOSTILE)
def test_a_hostile_line_is_one_clear_sentence_by_its_line(office: Office, lines: Path, words: str) -> None:
    made = office.take_in(file_of(lines, older("B-2"), HOSTILE[words]))

    [fault] = made["faults"]
    assert fault["line"] == 2 and words in fault["text"] and fault["instead"].endswith(".")
    assert list(office.store.numbers()) == []


def test_a_line_without_end_costs_no_more_than_the_longest_that_is_read(office: Office, lines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caseflow.adapters.docketfile.text.LONGEST", 4096)
    monkeypatch.setattr("caseflow.adapters.docketfile.files.LONGEST", 4096)

    made = office.take_in(file_of(lines, b'{"request": "' + b"x" * 20_000 + b'"}', older("B-2")))

    assert [fault["line"] for fault in made["faults"]] == [1] and "longer than" in made["faults"][0]["text"]
    assert made["lines"] == 2, "and the line after it is the second"


@pytest.mark.parametrize("value", [None, True, 7, "x", [], [[]], {}, {"x": []}, [None]])
@pytest.mark.parametrize("part", [*request(""), "expedite", "payment", "boundary", "submitted", "exclusions"])
def test_whatever_stands_in_a_request_nothing_but_a_sentence_comes_of_it(office: Office, lines: Path, part: str, value: Any) -> None:
    made = office.take_in(file_of(lines, older("A-1", **{part: value})), try_only=True)

    assert made["cases"] == 1 or made["faults"]


@pytest.mark.parametrize("value", [None, True, 7, "x", [], [[]], {}, {"x": []}])
@pytest.mark.parametrize("part", ["on", "do", "facts", "by", "as", "because", "sent", "served"])
def test_whatever_stands_in_an_act_nothing_but_a_sentence_comes_of_it(office: Office, lines: Path, part: str, value: Any) -> None:
    made = office.take_in(file_of(lines, older("A-1", {**act("2027-01-06", "decide", answer="yes"), part: value})), try_only=True)

    assert made["cases"] == 1 or made["faults"]


def test_the_script_of_the_page_makes_of_its_spreadsheet_the_lines_that_it_shows(office: Office, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "import-and-rehearse.md").read_text()
    script, sheet, shown = (re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("python", "csv", "json"))
    assert script and sheet and shown
    (tmp_path / "older.csv").write_text(sheet[1])

    made = subprocess.run([sys.executable, "-c", script[1], str(tmp_path / "older.csv")], capture_output=True, text=True, timeout=60, check=True)

    assert [json.loads(line) for line in made.stdout.splitlines()] == [json.loads(line) for line in shown[1].splitlines()]


# --- what was disposed of -----------------------------------------------------------------------------------------

RETENTION = "retention: {schedules: {short: {title: Short, keep: {days: 30}, cite: Oakville order 9}}}\n"


def disposed(folder: Path) -> tuple[Office, Path]:
    """An office that has imported a decided case of an older system, exported it, and disposed of it."""
    shutil.copytree(HOME, folder / "packs", ignore=shutil.ignore_patterns("scenarios", "*.py", "__pycache__"))
    with (folder / "packs" / "workflows" / "oakville" / "pack.yaml").open("a") as pack:
        pack.write(RETENTION)
    office = Office(str(folder / "packs" / "workflows"))
    office.take_in(file_of(folder / "older.jsonl", older("A-1", act("2027-01-06", "decide", answer="yes"))))
    office.docket(folder / "docket.jsonl", "2027-01-13")
    made = office.on("2027-06-01").retention.disposal.dispose(Actor("person", "odell", "supervisor"), "its time is over")
    assert [one["case"] for one in made["disposed"]] == ["OAK-2027-00001-1"]
    return office, folder


def test_what_was_disposed_of_never_comes_back_by_an_import(tmp_path: Path) -> None:
    office, folder = disposed(tmp_path)

    again = office.take_in(folder / "older.jsonl", "2027-06-01")
    [fault] = office.take_in(folder / "docket.jsonl", "2027-06-01")["faults"]

    assert (again["cases"], again["known"]) == (0, 1), "its line is known, though its case is gone"
    assert (fault["case"], "was disposed of" in fault["text"]) == ("OAK-2027-00001-1", True)
    assert list(office.store.numbers()) == []


def test_a_docket_leaves_without_what_was_disposed_of(tmp_path: Path) -> None:
    office, folder = disposed(tmp_path)
    office.file("2027-06-01", "B")

    cases = [json.loads(line).get("case") for line in office.docket(folder / "later.jsonl", "2027-06-01").splitlines()]

    assert [case for case in cases if case] == ["OAK-2027-00002-1"]
