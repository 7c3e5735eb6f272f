"""Workflow pages: every rule in words with its law, the diagram and an equal table, letters with a sample, a case's own state marked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.test_diagram import NAMES
from tests.web.conftest import SCRIPT, House, words


def section(page: str, name: str) -> str:
    """The words of a section."""
    return words(page.partition(f'aria-labelledby="{name}"')[2].partition("</section>")[0])


def test_every_workflow_is_listed_with_its_law_and_its_open_cases(house: House) -> None:
    house.file()
    page = house.client().get("/workflows").text
    listed = re.findall(r'class="row-link" href="/workflows/([^"]+)"', page)
    assert sorted(listed) == sorted(NAMES)
    row = words(page.partition('href="/workflows/navigability-confirmation"')[2].partition("</tr>")[0])
    assert "NR 300.17 (1) (c)" in row and "from Sat, Jul 1, 2023" in row and "8 states, 42 actions" in row and "1 case" in row and "tested" in row


@pytest.mark.parametrize("name", NAMES)
def test_every_action_clock_limit_letter_fee_and_exclusion_is_on_the_page(house: House, name: str) -> None:
    app = house.app()
    flow = app.library.rulebook(name, app.today()).workflow
    page = house.client().get(f"/workflows/{name}").text
    for action in flow.actions:
        assert page.count(f'<tr id="act-{action}"') == 1
    for clock in flow.clocks:
        assert page.count(f'id="clock-{clock}"') == 1
    shown = words(page)
    for one in (*flow.limits.values(), *flow.exclusions.values(), *flow.items.values()):
        assert (getattr(one, "text", None) or one.title).rstrip(".") in shown
    for one in (*flow.actions.values(), *flow.clocks.values(), *flow.limits.values(), *flow.conditions.values()):
        assert one.cite is None or one.cite in shown
    assert page.count("<svg xmlns") == 1 and "Solid: a person acts" in shown


def test_the_table_says_what_the_diagram_draws(house: House) -> None:
    page = house.client().get("/workflows/navigability-confirmation").text
    table = words(page.partition("Show the diagram as a table")[2].partition("</table>")[0])
    assert "Submitted Information requested (once) Request additional information (once)" in table
    assert "Information requested (once) On hold No answer within the suggested time (time acts)" in table
    assert "Record the withdrawal" in words(page.partition("Not drawn")[2].partition("<details")[0])


def test_an_action_stands_with_what_it_needs_what_follows_and_its_law(house: House) -> None:
    page = house.client().get("/workflows/navigability-confirmation").text
    row = words(page.partition('<tr id="act-request-information"')[2].partition("</tr>")[0])
    assert "Submitted, Incomplete to Information requested (once)" in row
    assert "The items asked for are listed. NR 300.17 (7) (d)" in row and "Limit: The one request for information" in row
    assert "Letter: The one request for information" in row and "Holds “Time to provide the confirmation”" in row


def test_a_clock_stands_with_its_start_hold_end_target_and_warnings(house: House) -> None:
    page = house.client().get("/workflows/navigability-confirmation").text
    clock = section(page, "clock-determination-title")
    assert "30 days, against the department." in clock and "NR 300.17 (7) (a) 2." in clock
    assert "Starts after “File the request”" in clock and "Is held after “Request additional information (once)”" in clock
    assert "Has no last day after “Give notice that weather or site conditions prevent the inspection”" in clock
    assert "When the last day is over Record that the last day has passed" in clock and "14, 7, 3, 1 office days before the target" in clock
    silent = section(house.client().get("/workflows/general-permit").text, "clock-decision-title")
    assert "If nobody acts by the last day" in silent


def test_a_setting_stands_with_the_reading_taken_the_other_and_the_reason(house: House) -> None:
    found = section(house.client().get("/workflows/navigability-confirmation").text, "settings")
    assert "Which clock does the request for information hold? NR 300.17 (7) (a) 1., (d) Taken: own clock" in found
    assert "Otherwise literal a1 only: Only the 60 days of par. (a) 1., as printed." in found
    assert "permit" not in found.partition("For what is the fee")[0], "settings of other workflows are not shown"


def test_a_reading_that_names_a_setting_says_its_question(house: House) -> None:
    found = section(house.client().get("/workflows/navigability-confirmation").text, "readings")
    assert "_" not in found and "“Does the clock need the fee?”" in found


def test_rule_sets_stand_with_every_rule(house: House) -> None:
    app = house.app()
    book = app.library.rulebook("general-permit", app.today())
    found = section(house.client().get("/workflows/general-permit").text, "rules")
    shown = [rule for rule in book.rules.values() if rule.text]
    assert len(shown) > 50 and all(rule.text.rstrip(".?!") in found for rule in shown)


def test_a_letter_opens_with_a_sample(house: House) -> None:
    page = house.client().get("/workflows/navigability-confirmation").text
    letters = re.findall(r'href="(/workflows/navigability-confirmation/samples/[^"]+)"', page)
    assert len(set(letters)) > 15
    shown = house.client().get("/workflows/navigability-confirmation/samples/information-request").text
    assert 'class="document' in shown and "Mill Creek" in shown and "people, places and facts are invented" in words(shown)
    assert house.client().get("/workflows/navigability-confirmation/samples/nonsense").status_code == 404


def test_a_case_leads_to_its_workflow_with_its_state_marked(house: House) -> None:
    case = house.file()
    client = house.client()
    path = f"/workflows/navigability-confirmation?case={case}"
    assert f'href="{path}"' in client.get(f"/cases/{case}").text
    page = client.get(path).text
    assert "the case is here" in page and f"Black: where {case} stands, Submitted." in words(page)
    assert "the case is here" not in client.get("/workflows/navigability-confirmation").text
    client.app._site.desk.reads.flush()  # type: ignore[attr-defined]
    assert [one.what for _, one in client.app._site.desk.store.accounts.readings(case=case)][0] == "workflow"  # type: ignore[attr-defined]


def test_a_case_of_another_workflow_or_none_is_not_shown(house: House) -> None:
    case, client = house.file(), house.client()
    assert client.get(f"/workflows/general-permit?case={case}").status_code == 404
    assert client.get("/workflows/navigability-confirmation?case=NONE").status_code == 404


@pytest.mark.parametrize("path", ["nonsense", "%3Cscript%3E", "navigability-confirmation?since=1999-01-01", "navigability-confirmation?since=x"])
def test_a_workflow_that_is_none_is_told_in_one_sentence(house: House, path: str) -> None:
    answer = house.client().get(f"/workflows/{path}")
    assert answer.status_code == 404 and "There is no workflow" in words(answer.text) and SCRIPT not in answer.text and "<script>" not in answer.text


@pytest.mark.parametrize("path", ["/workflows", "/workflows/general-permit", "/workflows/general-permit/samples/receipt"])
def test_nobody_reads_them_without_signing_in(house: House, path: str) -> None:
    assert house.client(None).get(path).status_code == 303


def test_the_page_of_a_workflow_shows_what_is_proved(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    unwalked = words(house.client().get("/workflows/navigability-in-fact").text)
    house.app().pack_prove("navigability-in-fact")
    walked = words(house.client().get("/workflows/navigability-in-fact").text)

    assert "Not walked yet." in unwalked
    assert "Whatever happens, a request can still be decided." in unwalked
    assert "All 13 claims hold on every path" in walked
    assert "Holds Whoever gets a result is told of the right to have it reviewed." in walked
