"""My work: what needs a person by urgency, whose work a case is, handing over, saved filters; who may not; and how few questions it asks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import event

from caseflow.errors import BadInput, NotFound, Refused
from caseflow.services import assigning as rules
from caseflow.web.pages.work import told
from caseflow.web.smallclock import patterns, small_clock
from tests.web.conftest import PASSWORD, SCRIPT, House, token, words
from tests.web.visiting import PDF, send, visitor

NOW = "2027-01-05T09:00"
ASK = "request-information"


def give(house: House, case: str, to: str, by: str = "wren", moment: str = NOW) -> dict[str, Any]:
    app = house.app(moment)
    return dict(app.assigning.assign(app.people.person(by), [case], to))


def post(client: Any, path: str, **data: Any) -> Any:
    return client.post(path, data={"form_token": token(client.get("/me").text), **data})


def groups(page: str) -> dict[str, list[str]]:
    """The cases of a page of work by group, in order."""
    found: dict[str, list[str]] = {}
    for name, part in re.findall(r'<section class="work is-(\w+)"(.*?)</section>', page, re.S):
        found[name] = re.findall(r'name="case" value="([^"]+)"', part)
    return found


@pytest.fixture
def desk(house: House) -> dict[str, str]:
    """Cases of wren's: late, due tomorrow, near, and held; one of odell's and one of nobody's."""
    made = {
        "late": house.file(moment="2026-11-23T09:00"),
        "soon": house.file(moment="2026-12-07T09:00"),
        "near": house.file(moment="2026-12-18T09:00"),
        "held": house.file("ohwm-confirmation", moment="2026-12-14T09:00"),
        "other": house.file(moment="2026-12-15T09:00"),
        "free": house.file(moment="2026-12-16T09:00"),
    }
    house.act(made["held"], ASK, "2026-12-21T09:00", items=["OHWM-c"])
    for name in ("late", "soon", "near", "held"):
        give(house, made[name], "wren", moment="2026-12-22T09:00")
    give(house, made["other"], "odell", "odell", moment="2026-12-22T09:00")
    return made


# --- the list ---


def test_my_work_shows_what_needs_me_by_urgency_and_nothing_of_others(house: House, desk: dict[str, str]) -> None:
    page = house.client("wren", NOW).get("/my-work").text
    assert groups(page) == {"late": [desk["late"]], "soon": [desk["soon"]], "near": [desk["near"]], "waiting": [desk["held"]]}
    said = words(page)
    assert "Tuesday, January 5, 2027 3 cases need you. 1 is past the law’s date. 1 is due by tomorrow." in said
    assert "Wed, Dec 23 13 days late" in said and "Wed, Jan 6 tomorrow" in said
    assert '<span class="awaits">3<' in page


def test_each_row_says_what_to_do_first_and_links_to_it(house: House, desk: dict[str, str]) -> None:
    page = house.client("wren", NOW).get("/my-work").text
    row = page[page.index(f'value="{desk["near"]}"') :].partition("</li>")[0]
    assert f'class="row-link" href="/cases/{desk["near"]}"' in row and "Concur" in words(row)
    assert f'data-why="/cases/{desk["near"]}/why/determination"' in row and "Submitted" in words(row)


def test_the_lists_of_the_team_show_nobodys_and_everybodys_cases(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    free = groups(client.get("/my-work?view=unassigned").text)
    assert [case for cases in free.values() for case in cases] == [desk["free"]]
    everybody = groups(client.get("/my-work?view=all").text)
    assert sorted(case for cases in everybody.values() for case in cases) == sorted(desk.values())


def test_one_part_of_the_list_is_read_alone_page_by_page(house: House, desk: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        give(house, house.file(moment="2026-12-18T10:00"), "wren", moment="2026-12-18T11:00")
    client, seen, path = house.client("wren", NOW), [], "/my-work?group=near"
    monkeypatch.setattr("caseflow.services.agenda.Agenda.group.__defaults__", (None, 2))
    while path:
        page = client.get(path).text
        assert list(groups(page)) == ["near"]
        seen += groups(page)["near"]
        more = re.search(r'href="(/my-work[^"]*)" rel="next"', page)
        path = more[1].replace("&amp;", "&") if more else ""
    assert len(seen) == len(set(seen)) == 4


def test_what_only_a_supervisor_may_decide_is_in_every_supervisors_list_even_of_an_ended_case(house: House) -> None:
    case = house.file(moment="2026-12-14T09:00")
    give(house, case, "wren", moment="2026-12-15T09:00")
    house.act(case, "exclude", "2026-12-16T09:00", exclusion="X-a5", evidence="Bulkhead line ordinance of 1956")
    client = house.client("odell", "2026-12-16T11:00")
    page = client.get("/my-work").text
    assert groups(page)["word"] == [case] and "nothing was inspected: a refund" in words(page) and '<span class="awaits">1<' in page
    theirs = groups(house.client("wren", "2026-12-16T11:00").get("/my-work").text)
    assert "word" not in theirs and theirs["waiting"] == [case]
    house.app("2026-12-16T12:00").act(
        case, "approve-refund", {"amount": "100.00", "refund_ground": "Nothing was inspected"}, None, "odell:supervisor", None, None, False
    )
    assert groups(house.client("odell", "2026-12-16T13:00").get("/my-work").text) == {}, "what is settled needs nobody any more"


def test_a_letter_that_came_back_makes_its_case_stuck_until_it_goes_another_way(house: House, desk: dict[str, str]) -> None:
    app = house.app(NOW)
    app.dispatch(True)
    letter = next(one for one in app.letters(desk["near"], None) if one["sent_on"])
    copy = app.letter(letter["number"])["copies"][0]
    app.letter_event(letter["number"], "bounced", copy["id"], "No such mailbox", None, "wren:staff")
    page = house.client("wren", NOW).get("/my-work").text
    assert groups(page)["stuck"] == [desk["near"]] and "Send the letter another way" in words(page) and "No such mailbox" in words(page)


def test_an_answer_that_has_arrived_ends_the_waiting_and_needs_a_person(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    assert groups(client.get("/my-work").text)["waiting"] == [desk["held"]]
    send(visitor(house, desk["held"]), ("file.OHWM-c", "plants.pdf", PDF))
    page = client.get("/my-work").text
    assert groups(page)["arrived"] == [desk["held"]] and "waiting" not in groups(page)
    assert "A document has arrived from Ann Larsen" in words(page)


ROW = {"case": "D-1", "parked": None, "act": "Concur", "say": "It waits for you.", "tasks": []}


@pytest.mark.parametrize(
    ("tasks", "do", "href", "others"),
    [
        ([], "Concur", "/cases/D-1", 0),
        ([("letter-approval", "L1", None, True)], "Approve the letter", "/letters/L1", 0),
        ([("letter-approval", "L1", None, False)], "Concur", "/cases/D-1", 0),
        ([("letter-blocked", "L2", None, True)], "Write the letter that is blocked", "/letters/L2", 0),
        ([(None, None, "Read what arrived", True), ("letter-failed", "L1-2", None, True)], "Send the letter another way", "/cases/D-1", 1),
        ([("deadline", "decision", None, True), (None, None, "Read what arrived", True)], "Read what arrived", "/cases/D-1", 1),
        ([("deadline", "decision", None, True)], "Concur", "/cases/D-1", 0),
        ([("refused", "decision:2027-01-04", None, True)], "Decide what follows", "/cases/D-1", 0),
        ([(None, None, None, True)], "See to it", "/cases/D-1", 0),
    ],
)
def test_a_row_names_the_most_urgent_task_that_the_person_may_do(tasks: list[Any], do: str, href: str, others: int) -> None:
    made = [{"kind": kind, "about": about, "does": does, "mine": mine, "text": "Do it."} for kind, about, does, mine in tasks]
    said = told({**ROW, "tasks": made})
    assert (said["do"], said["href"], said["others"]) == (do, href, others)


def test_a_case_that_the_scheduler_gave_up_on_is_stuck_and_says_why(house: House, desk: dict[str, str]) -> None:
    app = house.app(NOW)
    app.store.engine.connect().close()
    with app.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE timer SET status = 'parked', note = 'The pack is not loaded.' WHERE \"case\" = ?", (desk["near"],))
    page = house.client("wren", NOW).get("/my-work").text
    assert groups(page)["stuck"] == [desk["near"]]
    assert "Put right what stopped by itself The pack is not loaded." in words(page)


def test_an_auditor_has_no_list_of_work_and_begins_with_the_docket(house: House) -> None:
    client = house.client("ada", NOW)
    assert client.get("/").headers["location"] == "/docket" and house.client("wren", NOW).get("/").headers["location"] == "/my-work"
    page = client.get("/my-work")
    assert page.status_code == 403 and "does not open this page" in page.text and 'href="/my-work"' not in client.get("/docket").text
    assert house.client(None).get("/my-work").headers["location"] == "/sign-in?next=/my-work"


def test_an_empty_list_says_what_comes_next(house: House) -> None:
    said = words(house.client("wren", NOW).get("/my-work").text)
    assert "Nothing needs you now." in said and "it appears here" in said


@pytest.mark.parametrize(
    "path", ["/my-work?view=theirs", "/my-work?group=nothing", "/my-work?group=word", "/my-work?group=late&after=x:y", f"/my-work?view={SCRIPT}"]
)
def test_an_address_that_names_no_list_is_told_so_in_one_sentence(house: House, path: str) -> None:
    page = house.client("wren", NOW).get(path)
    assert page.status_code == 400 and SCRIPT not in page.text and "Traceback" not in page.text


def test_the_list_asks_as_few_questions_for_many_cases_as_for_one(house: House) -> None:
    client = house.client("wren", NOW)

    def questions() -> int:
        asked: list[str] = []
        engine = client.app._site.desk.store.engine  # type: ignore[attr-defined]
        note = lambda *given: asked.append(given[2])  # noqa: E731
        event.listen(engine, "before_cursor_execute", note)
        assert client.get("/my-work").status_code == 200
        event.remove(engine, "before_cursor_execute", note)
        return len([one for one in asked if one.lstrip().upper().startswith(("SELECT", "WITH"))])

    give(house, house.file(moment="2026-12-18T10:00"), "wren", moment="2026-12-18T11:00")
    client.get("/my-work")
    one = questions()
    for _ in range(7):
        give(house, house.file(moment="2026-12-18T10:00"), "wren", moment="2026-12-18T11:00")
    assert questions() == one <= 16


# --- whose work it is ---


def test_ticked_cases_become_somebodys_work_and_the_next_page_says_so(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    sent = post(client, "/my-work/assign", case=[desk["free"], desk["near"]], to="odell", back="/my-work?view=unassigned")
    assert sent.status_code == 303 and sent.headers["location"] == "/my-work?view=unassigned&assigned=2&whom=odell"
    assert "2 cases are the work of Odell Halloway now." in words(client.get(sent.headers["location"]).text)
    assert {house.app(NOW).show(desk[name])["assigned_to"] for name in ("free", "near")} == {"odell"}


def test_an_assignment_is_on_the_record_with_who_and_why_and_changes_no_date_state_or_letter(house: House, desk: dict[str, str]) -> None:
    house.app(NOW).sweep(None)
    before = house.app(NOW).show(desk["near"])
    client = house.client("odell", NOW)
    post(client, "/my-work/assign", case=[desk["near"]], to="odell", because="Wren is away", back=f"/cases/{desk['near']}")
    after, entry = house.app(NOW).show(desk["near"]), house.app(NOW).timeline(desk["near"], "recorded", None)[-1]
    assert (entry["action"], entry["actor"]["id"], entry["actor"]["role"], entry["because"]) == ("assign", "odell", "supervisor", "Wren is away")
    assert entry["facts"] == {"assignee": "odell"} and entry["recorded_on"] == "2027-01-05"
    for same in ("state", "clocks", "letters", "timers", "tasks", "limits", "fees"):
        assert after[same] == before[same], same
    assert house.app(NOW).verify(desk["near"])["faults"] == [], "replaying the record gives the same case"


def test_work_is_taken_back_to_nobody(house: House, desk: dict[str, str]) -> None:
    assert give(house, desk["near"], "nobody") == {"to": "nobody", "name": "nobody", "assigned": 1, "already": 0}
    assert house.app(NOW).show(desk["near"])["assigned_to"] is None
    assert house.app(NOW).verify(desk["near"])["faults"] == []
    assert desk["near"] in house.client("wren", NOW).get("/my-work?view=unassigned").text
    with pytest.raises(BadInput, match="another name"):
        house.app(NOW).people.add("nobody", "No Body", "staff", PASSWORD)


def test_giving_a_case_to_whom_it_belongs_adds_nothing_to_the_record(house: House, desk: dict[str, str]) -> None:
    house.app(NOW).sweep(None)
    version = house.app(NOW).show(desk["near"])["version"]
    assert give(house, desk["near"], "WREN ")["already"] == 1 and house.app(NOW).show(desk["near"])["version"] == version


@pytest.mark.parametrize("to", ["ada", "max", "nowhere", "", SCRIPT])
def test_work_is_given_only_to_an_open_account_whose_role_acts_on_cases(house: House, desk: dict[str, str], to: str) -> None:
    client = house.client("wren", NOW)
    sent = post(client, "/my-work/assign", case=[desk["free"]], to=to)
    assert sent.status_code == 400 and SCRIPT not in sent.text and house.app(NOW).show(desk["free"])["assigned_to"] is None


def test_a_closed_account_gets_no_more_work(house: House, desk: dict[str, str]) -> None:
    house.app(NOW).people.disable("odell")
    with pytest.raises(BadInput, match="no open account"):
        give(house, desk["free"], "odell")


def test_many_are_assigned_all_or_none(house: House, desk: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    client = house.client("wren", NOW)
    for bad in ("NOT-A-CASE", SCRIPT):
        sent = post(client, "/my-work/assign", case=[desk["free"], bad], to="wren")
        assert sent.status_code == 404 and SCRIPT not in sent.text and house.app(NOW).show(desk["free"])["assigned_to"] is None
    real, calls = rules.attempt, []

    def refusing(*given: Any) -> Any:
        calls.append(given[2])
        if given[2] == desk["other"]:
            raise Refused([rules.Reason("wrong-state", "x", "it is closed")], "Refused")
        return real(*given)

    monkeypatch.setattr(rules, "attempt", refusing)
    sent = post(client, "/my-work/assign", case=[desk["free"], desk["other"]], to="wren")
    assert sent.status_code == 409 and "Nothing was assigned" in sent.text and f"{desk['other']}: it is closed" in sent.text
    assert calls == [desk["free"], desk["other"]] and house.app(NOW).show(desk["free"])["assigned_to"] is None


def test_too_many_at_once_and_none_at_all_are_told(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    none = post(client, "/my-work/assign", to="wren")
    assert none.status_code == 400 and "No case was chosen" in none.text
    many = post(client, "/my-work/assign", case=[f"X-{number}" for number in range(rules.MOST + 1)], to="wren")
    assert many.status_code == 400 and "at most 200" in many.text


def test_who_only_reads_assigns_nothing(house: House, desk: dict[str, str]) -> None:
    for who in ("ada", "max"):
        client = house.client(who, NOW)
        assert post(client, "/my-work/assign", case=[desk["free"]], to="wren").status_code == 403
        assert client.get(f"/cases/{desk['free']}/assign").status_code == 403
        assert "(assign)" not in words(client.get(f"/cases/{desk['free']}").text)
    assert house.app(NOW).show(desk["free"])["assigned_to"] is None


def test_a_form_without_its_token_assigns_nothing(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    for path in ("/my-work/assign", "/my-work/hand-over", "/views", "/views/drop"):
        assert (
            client.post(path, data={"case": desk["free"], "to": "wren", "from": "wren", "counted": "4", "name": "x", "address": "/my-work"}).status_code == 403
        )
    assert house.app(NOW).show(desk["free"])["assigned_to"] is None


def test_the_case_page_says_whose_work_it_is_and_leads_to_a_form_that_changes_it(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    page = client.get(f"/cases/{desk['free']}")
    assert "Whose work: nobody" in words(page.text) and f'href="/cases/{desk["free"]}/assign"' in page.text
    form = client.get(f"/cases/{desk['free']}/assign").text
    assert "Now nobody’s." in words(form)
    sent = post(client, "/my-work/assign", case=desk["free"], to="wren", back=f"/cases/{desk['free']}")
    assert sent.headers["location"].startswith(f"/cases/{desk['free']}?") and "Whose work: wren" in words(client.get(sent.headers["location"]).text)


def test_nobody_is_sent_elsewhere_after_assigning(house: House, desk: dict[str, str]) -> None:
    sent = post(house.client("wren", NOW), "/my-work/assign", case=desk["free"], to="wren", back="//evil.example/x")
    assert sent.headers["location"] == "/my-work?assigned=1&whom=wren"


# --- handing over ---


def test_a_supervisor_sees_what_somebody_would_leave_and_hands_it_all_over(house: House, desk: dict[str, str]) -> None:
    client = house.client("odell", NOW)
    page = words(client.get("/my-work/hand-over?from=wren&to=odell").text)
    assert "4 open cases of Wren Halloway" in page and "1 past the law’s date" in page and "Hand 4 cases over to Odell Halloway" in page
    assert house.app(NOW).show(desk["near"])["assigned_to"] == "wren", "looking changes nothing"
    sent = post(client, "/my-work/hand-over", **{"from": "wren", "to": "odell", "counted": "4"})
    assert "4 cases are the work of Odell Halloway now." in words(client.get(sent.headers["location"]).text)
    assert {house.app(NOW).show(desk[name])["assigned_to"] for name in ("late", "soon", "near", "held", "other")} == {"odell"}
    assert house.app(NOW).show(desk["free"])["assigned_to"] is None
    assert house.app(NOW).timeline(desk["near"], "recorded", None)[-1]["because"] == "Handed over from wren"


def test_work_of_a_closed_account_is_handed_over_too(house: House, desk: dict[str, str]) -> None:
    house.app(NOW).people.disable("wren")
    client = house.client("odell", NOW)
    assert "Wren Halloway (4 open), account closed" in words(client.get("/my-work/hand-over").text)
    assert post(client, "/my-work/hand-over", **{"from": "wren", "to": "nobody", "counted": "4"}).status_code == 303
    assert house.app(NOW).show(desk["near"])["assigned_to"] is None


def test_only_a_supervisor_hands_over(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    assert (
        client.get("/my-work/hand-over").status_code == 409
        and "Only somebody in the role Supervisor" in client.get("/my-work/hand-over?from=odell&to=wren").text
    )
    assert post(client, "/my-work/hand-over", **{"from": "odell", "to": "wren", "counted": "1"}).status_code == 409
    assert post(house.client("ada", NOW), "/my-work/hand-over", **{"from": "odell", "to": "wren", "counted": "1"}).status_code == 403
    assert house.app(NOW).show(desk["other"])["assigned_to"] == "odell" and "Hand over" not in words(client.get("/my-work").text)


def test_nothing_is_handed_over_when_it_is_no_longer_what_was_shown(house: House, desk: dict[str, str]) -> None:
    client = house.client("odell", NOW)
    sent = post(client, "/my-work/hand-over", **{"from": "wren", "to": "odell", "counted": "3"})
    assert sent.status_code == 400 and "There are 4 open cases by now, not 3; nothing was handed over." in words(sent.text)
    for wrong in ({"counted": "x"}, {"counted": ""}, {"counted": "4", "to": "wren"}, {"counted": "4", "to": "ada"}):
        assert post(client, "/my-work/hand-over", **{"from": "wren", "to": "odell", **wrong}).status_code == 400
    with pytest.raises(NotFound, match="no open case"):
        house.app(NOW).assigning.hand_over(house.app(NOW).people.person("odell"), "t.ruiz", "odell")
    assert house.app(NOW).show(desk["near"])["assigned_to"] == "wren"


def test_what_is_more_than_one_transaction_takes_is_handed_over_in_turns(house: House, desk: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "MOST_HANDED", 3)
    client = house.client("odell", NOW)
    sent = post(client, "/my-work/hand-over", **{"from": "wren", "to": "odell", "counted": "4"})
    page = words(client.get(sent.headers["location"]).text)
    assert "3 cases are the work of Odell Halloway now. 1 are left" in page and "Hand 1 case over to Odell Halloway" in page
    post(client, "/my-work/hand-over", **{"from": "wren", "to": "odell", "counted": "1"})
    assert house.app(NOW).assigning.left_by(house.app(NOW).people.person("odell"), "wren")["open"] == 0


def test_whoever_closes_an_account_is_told_of_the_work_that_it_leaves(house: House, desk: dict[str, str]) -> None:
    page = house.client("max", NOW).get("/accounts")
    assert page.status_code == 200 and "4 cases are their work: a supervisor hands them over before the account is closed" in words(page.text)
    assert "1 case is their work" in words(page.text) and words(page.text).count("their work") == 2


# --- saved filters ---


def test_a_filter_is_saved_under_a_name_opened_and_deleted_by_its_owner_alone(house: House, desk: dict[str, str]) -> None:
    client = house.client("wren", NOW)
    sent = post(client, "/views", name="  Late  ones ", address="/my-work?view=all&group=late&evil=1")
    assert sent.headers["location"] == "/my-work?view=all&group=late"
    post(client, "/views", name="Held in Dane", address="/docket?county=Dane&show=hold")
    page = client.get("/my-work").text
    assert 'href="/my-work?view=all&amp;group=late"><span>Late ones' in page and "Held in Dane" in page
    assert groups(client.get("/my-work?view=all&group=late").text) == {"late": [desk["late"]]}
    other = house.client("odell", NOW)
    assert "Late ones" not in other.get("/my-work").text and post(other, "/views/drop", name="Late ones").status_code == 404
    assert post(client, "/views/drop", name="Late ones", back="/my-work").status_code == 303 and "Late ones" not in client.get("/my-work").text


@pytest.mark.parametrize(
    ("name", "address"),
    [("", "/my-work"), ("x" * 61, "/my-work"), ("a\x00b", "/my-work"), ("Good", "/me"), ("Good", "//evil.example/work"), ("Good", "https://evil.example/work")],
)
def test_a_filter_without_a_name_or_of_another_page_is_not_saved(house: House, name: str, address: str) -> None:
    client = house.client("wren", NOW)
    assert post(client, "/views", name=name, address=address).status_code == 400
    assert house.app(NOW).agenda.views(house.app(NOW).people.person("wren")) == []


def test_a_name_that_is_markup_stays_a_name_and_saved_filters_are_bounded(house: House) -> None:
    client = house.client("wren", NOW)
    post(client, "/views", name=SCRIPT, address="/my-work?view=all")
    page = client.get("/my-work").text
    assert SCRIPT not in page and "&lt;script&gt;" in page
    app = house.app(NOW)
    wren = app.people.person("wren")
    for number in range(39):
        app.agenda.keep(wren, f"Filter {number}", "/my-work")
    with pytest.raises(BadInput, match="40 filters"):
        app.agenda.keep(wren, "One more", "/my-work")
    app.agenda.keep(wren, "Filter 1", "/docket")


# --- the small clock ---


def test_the_small_clock_draws_what_is_used_held_and_late_once_and_the_same_each_time() -> None:
    piece = {"kind": "used", "from": "2026-12-01", "to": "2026-12-10", "days": 10, "open": False, "cite": None}
    held = {**piece, "kind": "held", "from": "2026-12-11", "to": "2026-12-20"}
    late = {**piece, "kind": "late", "from": "2026-12-31", "to": "2027-01-05"}
    lane = {"pieces": [piece, held, late], "due": "2026-12-30", "status": "missed"}
    made = small_clock(lane, "2027-01-05")
    assert made == small_clock(lane, "2027-01-05") and all(made.count(f'class="sc-{name}"') == 1 for name in ("used", "held", "late", "now", "pole"))
    assert "style=" not in made + patterns() and "id=" not in made, "a pattern is named once for the page"
    widths = [float(one) for one in re.findall(r'class="sc-(?:used|held)"[^>]*width="([\d.]+)"', made)]
    assert abs(widths[0] - widths[1]) < 0.2 and all(float(x) <= 176 for x in re.findall(r'd="M([\d.]+)', made))
    assert small_clock(None, "2027-01-05") == "" and small_clock({"pieces": [], "due": None}, "2027-01-05") == ""


def test_an_assignment_or_a_note_does_not_begin_the_waiting_anew(house: House, desk: dict[str, str]) -> None:
    house.act(desk["held"], "add-note", NOW, note="Called the requester")
    give(house, desk["held"], "odell")
    give(house, desk["held"], "wren")
    page = house.client("wren", NOW).get("/my-work").text
    row = page[page.index(f'value="{desk["held"]}"') :].partition("</tr>")[0]
    assert "Mon, Dec 21" in words(row) and "Jan 5" not in words(row)
