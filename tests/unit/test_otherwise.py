"""A docket under changed rules: exactly the cases that would have gone otherwise, with what would have changed in each."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.docketfile.files import DocketFile
from caseflow.bootstrap import App
from caseflow.demo import seed
from caseflow.domain.changes import due_days
from caseflow.domain.otherwise import both
from caseflow.domain.replay import fold
from caseflow.errors import BadInput
from caseflow.services.arriving import bare
from caseflow.services.carrying import Carried, PackFiles
from tests.conftest import PACK
from tests.unit.dockets import Office, file_of, older
from tests.unit.pack_texts import HOME

FLOW, CALENDAR = "tree-permit.yaml", "calendar.yaml"
HOLIDAY = (CALENDAR, "      - {name: Good Friday,", "      - {name: Storm Day, once: 2027-01-13, source: order of the council}\n      - {name: Good Friday,")


def changed(folder: Path, *changes: tuple[str, str, str], pack: Path = HOME / "workflows" / "oakville") -> Path:
    """A copy of a pack with some texts put for others, each there once."""
    made = folder / "workflows" / pack.name
    shutil.copytree(pack, made, ignore=shutil.ignore_patterns("scenarios"))
    shutil.copytree(pack.parent.parent / "templates", folder / "templates")
    for file, old, new in changes:
        text = (made / file).read_text()
        assert text.count(old) == 1, f"{old!r} in {file}"
        (made / file).write_text(text.replace(old, new))
    return made


@pytest.fixture(scope="module")
def docket(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four cases. 1: due January 18, decided on the 14th. 2: due on the 19th, and silence granted it on the 20th. 3: filed in
    February, due on the 15th. 4: asked on January 7, heard on the 8th, so that it was due on the 19th, and decided on the 11th."""
    office = Office()
    first, second = office.file("2027-01-04", "A"), office.file("2027-01-05", "B")
    fourth = office.file("2027-01-04", "D")
    office.act("2027-01-07", fourth, "ask", reason="the ward")
    office.act("2027-01-08", fourth, "hear")
    office.act("2027-01-11", fourth, "decide", answer="yes")
    office.act("2027-01-14", first, "decide", answer="yes")
    office.on("2027-01-25").sweep(None)
    office.file("2027-02-01", "C")
    assert second == "OAK-2027-00002-1"
    path = tmp_path_factory.mktemp("docket") / "docket.jsonl"
    office.docket(path, "2027-02-02")
    return path


def rehearsed(docket: Path, folder: Path, as_of: str | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a rehearsal says, and its cases by the end of their numbers."""
    made = App().rehearse_docket(str(docket), str(folder), as_of)
    return made, {one["case"][10:-2]: one for one in made["changed"]}


def restated(case: Mapping[str, Any]) -> dict[str, list[str]]:
    """The letters that would have been owed on the same days, and have said other words."""
    return {one["letter"]: one["restated"] for one in case["letters"] if one["restated"]}


def owed_otherwise(case: Mapping[str, Any]) -> dict[str, tuple[list[str], list[str]]]:
    """The letters that would have been owed on other days."""
    return {one["letter"]: (one["before"], one["after"]) for one in case["letters"] if one["before"] != one["after"]}


def totals(made: Mapping[str, Any]) -> list[int]:
    return [made[name] for name in ("cases", "differ", "same", "dates", "outcomes", "refusals", "letters")]


def test_the_same_rules_change_nothing(docket: Path, tmp_path: Path) -> None:
    made, _ = rehearsed(docket, changed(tmp_path))
    assert totals(made) == [4, 0, 4, 0, 0, 0, 0] and made["as_of"] == "2027-02-02"


def test_an_added_holiday_lists_exactly_the_cases_whose_days_it_lies_within(docket: Path, tmp_path: Path) -> None:
    made, cases = rehearsed(docket, changed(tmp_path, HOLIDAY))

    # January 13 lies within the ten days of 1, 2 and 4; that of 3 began in February.
    assert sorted(cases) == ["0001", "0002", "0003"] and totals(made) == [4, 3, 1, 3, 1, 0, 3]
    assert [(one["before"][-1]["due"], one["after"][-1]["due"]) for one in cases["0001"]["dates"]] == [("2027-01-18", "2027-01-19")]
    assert cases["0001"]["outcome"] is None, "it was decided on the same day"
    assert restated(cases["0001"]) == {"receipt": ["2027-01-04"]}, "the receipt says the last day; the answer does not"
    silent = cases["0002"]
    assert (silent["outcome"]["before"]["closed_on"], silent["outcome"]["after"]["closed_on"]) == ("2027-01-20", "2027-01-21")
    assert owed_otherwise(silent) == {"granted-by-silence": (["2027-01-20"], ["2027-01-21"])}
    days = [[pair["due"] for pair in side] for side in (cases["0003"]["dates"][0]["before"], cases["0003"]["dates"][0]["after"])]
    assert days == [["2027-01-18", None, "2027-01-19"], ["2027-01-19", None, "2027-01-20"]], "each last day that it had, with the hold between them"


def test_a_shorter_time_would_have_refused_what_came_after_silence(docket: Path, tmp_path: Path) -> None:
    made, cases = rehearsed(docket, changed(tmp_path, (FLOW, "length: {business-days: 10}", "length: {business-days: 6}")))

    # Six days of case 1 end on January 12, and silence granted it on the 13th: the decision of the 14th came too late.
    [refused] = cases["0001"]["refused"]
    assert (refused["entry"], refused["action"], refused["on"]) == (2, "decide", "2027-01-14")
    assert "not possible while the case is Closed" in refused["because"][0]["text"]
    assert cases["0001"]["outcome"]["after"]["disposition"] == "Granted by silence"
    assert owed_otherwise(cases["0001"]) == {"answer": (["2027-01-14"], []), "granted-by-silence": ([], ["2027-01-13"])}
    # That of case 4 was held for a day, to the 13th, and it was decided on the 11th.
    assert cases["0003"]["kinds"] == ["dates", "letters"] and made["refusals"] == 1


def test_a_letter_that_another_act_owes_is_named_with_its_days(docket: Path, tmp_path: Path) -> None:
    moved = [(FLOW, "    to: open\n    letters: receipt\n", "    to: open\n"), (FLOW, "takes: [reason], cite", "takes: [reason], letters: receipt, cite")]
    made, cases = rehearsed(docket, changed(tmp_path, *moved))

    assert totals(made) == [4, 4, 0, 0, 0, 0, 4]
    assert [owed_otherwise(cases[case]) for case in ("0001", "0003")] == [{"receipt": (["2027-01-04"], [])}, {"receipt": (["2027-01-04"], ["2027-01-07"])}]


def test_a_request_that_would_not_have_been_filed_has_no_outcome(docket: Path, tmp_path: Path) -> None:
    made, cases = rehearsed(docket, changed(tmp_path, (FLOW, "at-least: 40", "at-least: 400")))

    assert made["refusals"] == 4 and cases["0001"]["outcome"]["after"] is None
    assert cases["0001"]["refused"][0]["action"] == "file"


def test_a_workflow_that_is_gone_has_no_outcome(docket: Path, tmp_path: Path) -> None:
    made, cases = rehearsed(docket, changed(tmp_path, (FLOW, "workflow: tree-permit", "workflow: hedge-permit")))
    assert made["outcomes"] == 4 and cases["0003"]["outcome"]["after"] is None


def test_what_a_day_does_not_reach_is_not_played(docket: Path, tmp_path: Path) -> None:
    _, cases = rehearsed(docket, changed(tmp_path, HOLIDAY), "2027-01-19")
    assert cases["0002"]["kinds"] == ["dates", "letters"] and not owed_otherwise(cases["0002"]), (
        "on January 19 silence has granted nothing yet, by either rules"
    )


def test_cases_of_another_pack_are_counted_and_not_played(docket: Path) -> None:
    made = App().rehearse_docket(str(docket), str(PACK), None)
    assert (made["elsewhere"], made["cases"]) == (4, 0)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda raw: raw[:-1], "was cut"),
        (lambda raw: [], "was cut"),
        (
            lambda raw: [*raw[:2], raw[2].replace(b'"capacity":"owner"', b'"capacity":"other"'), *raw[3:]],
            "Line 3 can't be rehearsed: OAK-2027-00001-1, entry 1",
        ),
        (lambda raw: [raw[0], raw[1].replace(b"Oakville tree office", b"Oakville"), *raw[2:]], "Line 2 can't be rehearsed"),
        (lambda raw: [b'{"request": {}}'], "is no docket"),
    ],
)
def test_a_docket_that_is_not_whole_is_refused_in_a_sentence(docket: Path, tmp_path: Path, spoil: Any, words: str) -> None:
    path = tmp_path / "spoiled.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in spoil(docket.read_bytes().splitlines())))
    with pytest.raises(BadInput, match=words):
        App().rehearse_docket(str(path), str(changed(tmp_path)), None)


# --- the sample docket ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[App, Path]:
    """Thirty requests from January to the end of February 2027, as the site's sample has them."""
    folder = tmp_path_factory.mktemp("sample")
    seed(App(database=str(folder / "case.db"), maildrop=str(folder / "mail")), date(2027, 3, 1), days=60, requests=30)
    app = App(database=str(folder / "case.db"), at="2027-03-01T10:00")
    app.export_docket(str(folder / "docket.jsonl"), {})
    return app, folder / "docket.jsonl"


def test_played_under_its_own_rules_a_case_goes_as_the_record_says(sample: tuple[App, Path]) -> None:
    app, path = sample
    played = 0
    for line in DocketFile(path).lines():
        if isinstance(line.value, PackFiles):
            app.library.learn(line.value.hash, line.value.files)
        if isinstance(line.value, Carried):
            book = app.library.of(bare(line.value))
            stands = fold(book, line.value.entries).case
            case = both(book, None, line.value.entries, date(2027, 2, 28))[0].case
            assert case is not None
            letters = [(one.id, one.owed_on, one.sent_on) for one in stands.letters if one.status != "canceled"]
            assert (case.state, case.dispositions, case.closed_on, case.flags) == (stands.state, stands.dispositions, stands.closed_on, stands.flags)
            assert due_days(book, case) == due_days(book, stands) and [(one.id, one.owed_on, one.sent_on) for one in case.letters] == letters
            played += 1
    assert played > 30


def test_a_holiday_and_another_target_change_exactly_the_cases_that_the_record_points_to(sample: tuple[App, Path], tmp_path: Path) -> None:
    """The holiday is Monday, March 1; the target for an answer goes from 30 days to 45."""
    app, path = sample
    target = (
        "pack.yaml",
        "default: 30\n    policy: true\n    why: The rule sets none (compare NR 300.06",
        "default: 45\n    policy: true\n    why: The rule sets none (compare NR 300.06",
    )
    day = (CALENDAR, "      - {name: Veterans Day,", "      - {name: Day of the snow, once: 2027-03-01, source: proclamation}\n      - {name: Veterans Day,")
    folder = changed(tmp_path, target, day, pack=PACK)
    pointed = set()
    for number in app.store.numbers():
        for row in app.timeline(number, "effective", None):
            # What was asked has another target; a last day on the holiday moves off it.
            if row["due_after"].get("response-target") or "2027-03-01" in row["due_after"].values():
                pointed.add(number)

    made = app.rehearse_docket(str(path), str(folder), None)

    assert {one["case"] for one in made["changed"]} == pointed and 3 < len(pointed) < made["cases"]
    assert made["outcomes"] == made["refusals"] == 0
    assert all(one["after"][-1]["due"] != "2027-03-01" for case in made["changed"] for one in case["dates"])


def test_cases_of_an_older_system_are_played_too(tmp_path: Path) -> None:
    office = Office()
    office.take_in(file_of(tmp_path / "older.jsonl", older("B-1", filed="2027-01-05T09:00")), "2027-01-12")
    office.on("2027-01-25").sweep(None)
    office.docket(tmp_path / "docket.jsonl", "2027-02-02")

    made, cases = rehearsed(tmp_path / "docket.jsonl", changed(tmp_path, HOLIDAY))

    assert cases["0001"]["acts"] == {
        "before": [{"action": "fall-silent", "title": "Granted by silence", "on": "2027-01-20"}],
        "after": [{"action": "fall-silent", "title": "Granted by silence", "on": "2027-01-21"}],
    }
    assert made["differ"] == 1
