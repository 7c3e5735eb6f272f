"""The docket leaves as one file and comes in again: the same bytes, nothing faked, nothing half."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.packs.content import content_hash
from caseflow.domain.case import Entry
from caseflow.domain.journal import canonical, sealed
from caseflow.errors import BadInput
from caseflow.services.carrying import carried
from tests.unit.dockets import PACKS, Office, file_of, older


def office_with_cases() -> Office:
    """A decided case with a letter on its way, one that was asked, corrected and answered by silence, and one from an older system."""
    office = Office()
    first = office.file("2027-01-04", "A")
    office.on("2027-01-04").dispatch(True)
    office.act("2027-01-11", first, "decide", answer="yes")
    second = office.file("2027-01-05", "B")
    office.act("2027-01-06", second, "ask", reason="the ward")
    office.on("2027-01-07").amend(second, 2, "2027-01-05", "a slip of the pen", "odell:supervisor")
    office.act("2027-01-08", second, "hear")
    office.on("2027-02-01").sweep(None)
    return office


@pytest.fixture(scope="module")
def office() -> Office:
    return office_with_cases()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "docket.jsonl"


DAY = "2027-02-02"


def lines_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.splitlines()]


def rewritten(lines: list[dict[str, Any]]) -> bytes:
    """The lines as a docket whose end fits them again: what somebody would write who wants a change to pass."""
    body = b"".join(canonical(line) + b"\n" for line in lines[1:-1])
    end = {"end": True, "cases": sum("case" in line for line in lines), "sha256": sha256(body).hexdigest()}
    return canonical(lines[0]) + b"\n" + body + canonical(end) + b"\n"


def test_a_docket_has_a_header_every_pack_every_case_in_order_and_an_end(office: Office, path: Path) -> None:
    head, pack, first, second, end = lines_of(office.docket(path, DAY))

    assert (head["caseflow"], head["format"], head["agency"], head["made_at"]) == ("docket", 1, "Oakville Tree Office", "2027-02-02T10:00:00+00:00")
    assert [one["hash"] for one in head["packs"]] == [pack["pack"]] and "tree-permit.yaml" in pack["files"]
    assert [first["case"], second["case"]] == ["OAK-2027-00001-1", "OAK-2027-00002-1"]
    assert [entry["action"] for entry in first["entries"]] == ["file", "letter-sent", "decide"]
    [receipt, answer] = first["letters"]
    assert receipt["copies"][0]["status"] == "handed-over" and len(receipt["attempts"]) == 1 and answer["copies"][0]["status"] == "owed"
    assert end["cases"] == 2


def test_export_import_export_is_the_same_file_byte_for_byte(office: Office, path: Path) -> None:
    there = office.docket(path, DAY)
    other = Office()

    made = other.take_in(path, DAY)

    assert (made["cases"], made["faults"], made["waiting"]) == (2, [], 3)
    assert other.docket(path.with_name("again"), DAY) == there
    assert other.on(DAY).verify(None)["faults"] == []


def test_what_comes_in_goes_on_as_if_it_had_been_here(office: Office, path: Path) -> None:
    fresh = office_with_cases()
    fresh.file("2027-02-01", "C")
    fresh.docket(path, DAY)
    other = Office()
    other.take_in(path, DAY)

    for one in (fresh, other):
        one.on("2027-03-01").sweep(None)
        assert one.on("2027-03-01").show("C")["disposition"] == "granted-by-silence"
    assert other.file("2027-03-02", "D") == fresh.file("2027-03-02", "D") == "OAK-2027-00004-1", "and no number is given twice"


def test_letters_that_wait_rest_until_somebody_says_so(office: Office, path: Path) -> None:
    office.docket(path, DAY)
    other = Office()
    other.take_in(path, DAY)

    assert other.on(DAY).dispatch(True) | {"resting": None} == {**other.on(DAY).dispatch(True), "resting": None}
    assert other.on(DAY).dispatch(True)["sent"] == 0
    other.on(DAY).resume(False)
    assert other.on(DAY).dispatch(True)["sent"] > 0


def test_importing_a_docket_twice_or_where_it_came_from_changes_nothing(office: Office, path: Path) -> None:
    there = office.docket(path, DAY)
    other = Office()
    other.take_in(path, DAY)

    assert {name: other.take_in(path, DAY)[name] for name in ("cases", "known", "faults")} == {"cases": 0, "known": 2, "faults": []}
    assert {name: office.take_in(path, DAY)[name] for name in ("cases", "known", "faults")} == {"cases": 0, "known": 2, "faults": []}
    assert other.docket(path.with_name("again"), DAY) == office.docket(path.with_name("there"), DAY) == there


def test_a_known_line_is_passed_over_also_when_its_case_has_gone_on(office: Office, path: Path) -> None:
    fresh = office_with_cases()
    fresh.file("2027-02-01", "C")
    fresh.docket(path, DAY)
    other = Office()
    other.take_in(path, DAY)
    other.on("2027-03-01").sweep(None)

    assert other.take_in(path, "2027-03-01")["known"] == 3


def test_a_case_that_has_gone_on_elsewhere_is_a_fault_and_never_changed(office: Office, path: Path) -> None:
    fresh = office_with_cases()
    fresh.file("2027-02-01", "C")
    fresh.docket(path, DAY)
    other = Office()
    other.take_in(path, DAY)
    fresh.on("2027-03-01").sweep(None)
    fresh.docket(path, "2027-03-01")

    [fault] = other.take_in(path, "2027-03-01")["faults"]
    assert fault["case"] == "OAK-2027-00003-1" and "has gone on: 1 entries here, 2 in the file" in fault["text"]


def test_a_number_that_another_case_has_here_is_refused(office: Office, path: Path) -> None:
    office.docket(path, DAY)
    other = Office()
    other.file("2027-01-20", "Z")

    [fault] = other.take_in(path, DAY)["faults"]
    assert (fault["line"], fault["case"]) == (3, "OAK-2027-00001-1") and "another case has this number" in fault["text"]
    assert len(list(other.store.numbers())) == 1


def test_a_case_never_joins_a_request_of_somebody_else(office: Office, path: Path) -> None:
    office.docket(path, DAY)
    other = Office()
    other.file("2027-01-20", "Z", waterbodies=[{"name": "one"}, {"name": "two"}])
    lines = lines_of(path.read_bytes())
    third = json.loads(json.dumps(lines[2]).replace("OAK-2027-00001-1", "OAK-2027-00001-3"))
    chained(third)
    path.write_bytes(rewritten([*lines[:2], third, lines[-1]]))

    [fault] = other.take_in(path, DAY)["faults"]
    assert "the request OAK-2027-00001 is another one here" in fault["text"]


def test_cases_of_an_older_system_leave_and_come_in_as_any_other(path: Path) -> None:
    office = Office()
    office.take_in(file_of(path, older("B-1", filed="2026-12-01T09:00")), "2027-01-12")
    there = office.docket(path, DAY)
    other = Office()

    assert other.take_in(path, DAY)["faults"] == []
    assert other.docket(path.with_name("again"), DAY) == there
    assert other.on(DAY).sweep(None)["fired"] == 0, "the past stays quiet there too"


def test_a_filter_leaves_whole_cases(office: Office, path: Path) -> None:
    fresh = office_with_cases()
    fresh.file("2027-02-01", "C")

    lines = lines_of(fresh.docket(path, DAY, open_only=True))

    assert [line["case"] for line in lines if "case" in line] == ["OAK-2027-00003-1"]
    assert Office().take_in(path, DAY)["cases"] == 1


def test_no_older_export_is_written_over(office: Office, path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(BadInput, match="exists; name a new one"):
        office.on(DAY).export_docket(str(path), {})
    assert path.read_text() == "mine" and [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_docket_is_for_its_owner_alone(office: Office, path: Path) -> None:
    office.docket(path, DAY)
    assert path.stat().st_mode & 0o077 == 0


# --- what somebody changed ----------------------------------------------------------------------------------------


def chained(case: dict[str, Any], change: Callable[[int, Entry], Entry] = lambda _, entry: entry) -> None:
    """Writes a case's chain anew after a change, as whoever fakes an entry would."""
    from caseflow.adapters.docketfile.lines import said, written
    from caseflow.domain.case import NO_HASH
    from caseflow.services.carrying import Carried

    made = said(canonical(case), 3, True).value
    assert isinstance(made, Carried), made
    entries: list[Entry] = []
    for place, entry in enumerate(made.entries):
        entries.append(sealed(replace(change(place, entry), prev_hash=entries[-1].hash if entries else NO_HASH)))
    case["entries"] = json.loads(written(replace(made, entries=tuple(entries))))["entries"]


def changed_fact(lines: list[dict[str, Any]]) -> None:
    lines[3]["entries"][0]["facts"]["girth_cm"] = "500"


def faked_entry(lines: list[dict[str, Any]]) -> None:
    lines[3]["entries"][1]["action"] = "decide"


def removed_entry(lines: list[dict[str, Any]]) -> None:
    del lines[3]["entries"][1]


def swapped_entries(lines: list[dict[str, Any]]) -> None:
    entries = lines[3]["entries"]
    entries[1], entries[2] = entries[2], entries[1]


def illegal_but_chained(lines: list[dict[str, Any]]) -> None:
    chained(lines[3], lambda place, entry: replace(entry, action="hear", facts={}) if place == 1 else entry)


def senseless_but_chained(lines: list[dict[str, Any]]) -> None:
    chained(lines[3], lambda place, entry: replace(entry, facts={**entry.facts, "received_on": "soon"}) if place == 0 else entry)


def other_case(lines: list[dict[str, Any]]) -> None:
    lines[3]["case"] = "OAK-2027-00009-1"


def other_words(lines: list[dict[str, Any]]) -> None:
    lines[2]["letters"][0]["markdown"] += "We owe you 100."


def lost_letter(lines: list[dict[str, Any]]) -> None:
    del lines[2]["letters"][0]


def unknown_workflow(lines: list[dict[str, Any]]) -> None:
    lines[3]["workflow"] = "tree-permits"


def changed_pack(lines: list[dict[str, Any]]) -> None:
    lines[1]["files"]["tree-permit.yaml"] += "# once more\n"


def no_pack(lines: list[dict[str, Any]]) -> None:
    del lines[1]


def unknown_part(lines: list[dict[str, Any]]) -> None:
    lines[3]["notes"] = []


def unknown_status(lines: list[dict[str, Any]]) -> None:
    lines[2]["letters"][0]["copies"][0]["status"] = "lost"


def wrong_type(lines: list[dict[str, Any]]) -> None:
    lines[3]["entries"][0]["seq"] = "1"


def twice(lines: list[dict[str, Any]]) -> None:
    lines.insert(3, lines[2])


def other_order(lines: list[dict[str, Any]]) -> None:
    lines[2], lines[3] = lines[3], lines[2]


CHANGES = {
    changed_fact: "entry 1: the entry was changed after it was written",
    faked_entry: "entry 2: the entry was changed after it was written",
    removed_entry: "entry 2 is missing",
    swapped_entries: "entry 2 is missing",
    illegal_but_chained: "'hear' was not legal",
    senseless_but_chained: "what it says can't be taken in",
    other_case: "the entry was changed|of another case",
    other_words: "the words of the letter OAK-2027-00001-1-L1 are not those of its hash",
    lost_letter: "the letter OAK-2027-00001-1-L1 is missing",
    unknown_workflow: "no workflow 'tree-permits'",
    changed_pack: "are not those that it had",
    no_pack: "the packs and calendars above are not those that the first line names",
    unknown_part: "has a part 'notes'",
    unknown_status: "status 'lost'",
    wrong_type: "Expected `int`, got `str`",
    twice: "each once",
    other_order: "in the order of their numbers",
}


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_changes_a_line_is_told_where_though_the_end_fits(office: Office, path: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    lines = lines_of(office.docket(path, DAY))
    change(lines)
    path.write_bytes(rewritten(lines))
    other = Office()

    faults = other.take_in(path, DAY)["faults"]

    texts = [fault["text"] for fault in faults]
    assert any(words in text for text in texts for words in CHANGES[change].split("|")), texts
    assert all(fault["line"] and fault["text"] and "\n" not in fault["text"] for fault in faults)
    assert list(other.store.numbers()) == []


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (lambda raw: raw[:-1], "the end of the docket is missing"),
        (lambda raw: [*raw[:2], raw[3], raw[4]], "a line was added, removed or moved"),
        (lambda raw: [*raw, raw[3]], "stands after the end"),
        (lambda raw: [*raw[:3], raw[3].replace(b'"', b' "', 1), raw[4]], "not as caseflow writes it"),
        (lambda raw: [*raw[:3], raw[3] + b"\r", raw[4]], "CR LF"),
        (lambda raw: raw[1:], "has a part 'files'"),
        (lambda raw: [*raw[:3], json.dumps(older("B-1")).encode(), *raw[3:]], "no line of a docket"),
    ],
    ids=["cut", "removed", "after", "blank", "crlf", "headless", "mixed"],
)
def test_a_file_that_was_cut_or_mended_is_refused(office: Office, path: Path, cut: Callable[[list[bytes]], list[bytes]], words: str) -> None:
    raw = office.docket(path, DAY).splitlines()
    path.write_bytes(b"".join(line + b"\n" for line in cut(raw)))
    other = Office()

    faults = other.take_in(path, DAY)["faults"]

    assert any(words in fault["text"] for fault in faults), faults
    assert list(other.store.numbers()) == []


def test_a_line_says_exactly_what_is_on_record(office: Office, path: Path) -> None:
    from caseflow.adapters.docketfile.lines import said

    raw = office.docket(path, DAY).splitlines()[2]
    with office.store.read() as work:
        assert said(raw, 3, True).value == carried(work, "OAK-2027-00001-1")


def test_a_changed_calendar_comes_with_the_cases_that_run_by_it(path: Path) -> None:
    office = Office()
    case = office.file("2027-01-04", "A")
    changed = path.with_name("calendar.yaml")
    changed.write_text((Path(PACKS) / "oakville" / "calendar.yaml").read_text().replace('version: "1"', 'version: "2"').replace(*STORM))
    office.on("2027-01-05").calendars.adopt(str(changed), "the council's order", "odell:supervisor")
    assert office.on("2027-01-05").why(case, "answer")[0]["due"] == "2027-01-19"
    there = office.docket(path, DAY)
    other = Office()

    assert other.take_in(path, DAY)["faults"] == []
    assert other.on(DAY).why(case, "answer")[0]["due"] == "2027-01-19"
    assert other.docket(path.with_name("again"), DAY) == there and other.on(DAY).verify(None)["faults"] == []
    lines = lines_of(there)
    assert lines[0]["calendars"] == [lines[2]["calendar"]]
    lines[2]["text"] += "# once more\n"
    path.write_bytes(rewritten(lines))
    assert "is not the one that it had" in Office().take_in(path, DAY)["faults"][0]["text"]


STORM = ("      - {name: Good Friday,", "      - {name: Storm Day, once: 2027-01-13, source: order of the council}\n      - {name: Good Friday,")


@pytest.mark.parametrize("name", ["../../evil.txt", "/tmp/evil.txt", "letters/../../evil.md", "a//b.md", "..\\evil.txt", "C:evil.txt"])
def test_a_pack_that_names_a_file_outside_of_itself_does_not_come_in(office: Office, path: Path, name: str) -> None:
    lines = lines_of(office.docket(path, DAY))
    files = {**lines[1]["files"], name: "x"}
    lines.insert(2, {"pack": content_hash(files), "files": files})
    lines[0]["packs"].append({**lines[0]["packs"][0], "hash": content_hash(files)})
    path.write_bytes(rewritten(lines))
    other = Office()

    made = other.take_in(path, DAY)

    assert not made["written"] and [fault["line"] for fault in made["faults"]] == [3]
    assert "names a file outside of itself" in made["faults"][0]["text"]


def test_a_letter_of_rules_that_are_not_there_does_not_come_in(office: Office, path: Path) -> None:
    lines = lines_of(office.docket(path, DAY))
    lines[2]["letters"][0]["pack_version"] = "f" * 64
    path.write_bytes(rewritten(lines))

    made = Office().take_in(path, DAY)

    assert not made["written"] and "The pack version ffffffffffff is neither" in made["faults"][0]["text"]
