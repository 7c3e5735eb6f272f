"""The determination letters: each says what the law wants said, from much data or little, and obeys no word of a requester."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.letters.forms import to_html, to_text
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.packs.library import pack_files
from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap import App
from caseflow.domain.case import LetterOwed, Party
from caseflow.domain.letterview import letters_owed
from caseflow.domain.pack import MailWaits, Pack, PackText
from caseflow.errors import LetterFault
from caseflow.services.ports.letters import Written
from tests.conftest import PACK, ROOT

Say = Callable[[str], str]
FILES = pack_files(PACK, ROOT / "templates" / "letters")
WRITER = LetterWriter(lambda _: FILES)
RULES = Pack.model_construct(text=PackText.model_construct(pack="p", mail_waits=MailWaits(minutes=15)), hash="h")
RESULTS = {"navigability-determination", "ohwm-determination", "navigability-confirmation", "ohwm-confirmation"}
WITH_APPEAL = RESULTS | {"dismissal", "not-available", "petition-denied", "declaratory-ruling"}

# What each letter's act states: first what is required, then what may be stated besides.
ACTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "acknowledgement": ({}, {}),
    "not-filed": ({}, {}),
    "information-request": ({}, {"points": "Points", "reason": "Reason", "not_asked": {"NAV-f": "Not needed"}}),
    "partial-response": ({}, {}),
    "information-reminder": ({}, {}),
    "hold-ended": ({}, {}),
    "site-visit": ({}, {"inspect_on": "2026-12-15", "inspector": "Inspector"}),
    "weather-notice": ({"condition": "Ice covers the bed"}, {"expected_window": "in April"}),
    "take-over": ({}, {"reason": "Reason"}),
    "navigability-determination": ({"result": "Navigable"}, {"location": "Location", "indicators": "Indicators", "conclusions": "Conclusions"}),
    "ohwm-determination": ({"result": "The mark"}, {"location": "Brass cap", "elevation": "251.32 m", "indicators": "Shelves", "conclusions": "Conclusions"}),
    "navigability-confirmation": ({"exact_location": "Exact", "information_summary": "Summary"}, {"findings": "Findings"}),
    "ohwm-confirmation": ({"exact_location": "Exact", "information_summary": "Summary"}, {"findings": "Findings"}),
    "dismissal": ({"dismissal_ground": "no-site-indicators"}, {"reasons": "Reasons"}),
    "not-available": ({"exclusion": "X-a5", "evidence": "Evidence"}, {}),
    "withdrawal": ({"writing_received_on": "2026-12-10"}, {}),
    "expedite-accepted": ({"asked_on": "2026-12-01"}, {"agreed_on": "2026-12-21", "verified_by": "The unit leader"}),
    "expedite-declined": ({"asked_on": "2026-12-01"}, {"reasons": "Reasons"}),
    "deadline-passed": ({}, {"reason": "Reason", "new_target_on": "2027-02-15"}),
    "dispute-acknowledgement": ({}, {"route": "in-fact", "petition_received_on": "2027-02-01", "petitioner": "Petitioner"}),
    "decision-rescinded": ({"reasons": "Reasons"}, {}),
    "petition-defect": ({}, {}),
    "petition-denied": ({}, {"reasons": "Reasons"}),
    "ruling-hearing-notice": ({"hearing_on": "2027-03-15"}, {"hearing_place": "Place", "hearing_officer": "Officer", "issues": "Issues"}),
    "declaratory-ruling": ({"ruling": "Ruling"}, {"findings": "Findings", "conclusions": "Conclusions"}),
    "dispute-withdrawn": ({"writing_received_on": "2027-02-20"}, {}),
    "refund": ({"amount": "100.00", "refund_ground": "Ground"}, {"method": "check"}),
    "memorandum": ({"memorandum": "Agreement"}, {}),
}
LETTERS = list(ACTS)
FIXED = re.compile(r"\d{4}-\d\d-\d\d|[\d.]+|no-site-indicators|X-a5|in-fact|check")
HOSTILE = [
    "{{ 7 * 7 }}{% include 'x' %}{# c #}",
    "<script>alert(1)</script><img src=x onerror=y>",
    "[go](javascript:alert(1)) ![i](https://x.example/i.png) <https://x.example> www.x.example",
    "# one\n\n- two\n\n> three\n\n    four\n\n1. five\n\n---\n\n===",
    "**b** __b__ *i* _i_ `c` ~~s~~ \\",
    "&lt;b&gt; &#106; &copy;",
    "| a | b |\n| - | - |\n| c | d |",
    "1. one",
    "- one",
    "~~~\ncode",
    "\u202eesrever\u202c \u2066x\u2069 \u200bz\x00\x1b",
    "José Łukasz 王小明 Αλέξης محمد שרה",
    "N" * 200,
]
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\x00-\x1f]")


def plain(text: str) -> str:
    return text


def party(role: str, say: Say, channel: str = "post") -> dict[str, Any]:
    return {
        "role": role,
        "name": say(f"The {role}"),
        "capacity": "lessee",
        "email": None,
        "address": [say("1 Road"), say("Town")],
        "channel": channel,
        "statement": say("independent by a signed statement"),
    }


def clock(**known: Any) -> dict[str, Any]:
    names = ("start", "length", "unrolled", "due", "target", "used", "left", "missed_by", "displaced_on", "displaced_due", "cite")
    return {
        "title": "Time",
        "status": "not-started",
        "held_days": 0,
        "holds": [],
        "why": [{"text": "Monday, November 30, 2026: the day of the event is not counted.", "cite": None}],
        **dict.fromkeys(names),
        **known,
    }


def item(name: str, say: Say) -> dict[str, Any]:
    return {"id": name, "title": say(f"Title of {name}"), "cite": say("NR 300.17 (2)"), "status": "asked", "note": say("A note")}


THIRTY = {"number": 30, "unit": "days", "text": "30 days"}


def smallest(letter: str, say: Say = plain) -> dict[str, Any]:
    """What is always there: a request by post, without a water's particulars, with clocks that have not begun."""
    stated = {name: said(value, say) for name, value in ACTS[letter][0].items()}
    requester = {**party("requester", say), "address": [], "statement": None, "capacity": None}
    return {
        "letter": {"id": letter, "title": say("Letter title"), "number": "WD-2026-00001-1-L2", "date": "2026-12-20"},
        "agency": dict.fromkeys(("unit", "contact", "telephone", "toll_free", "tty", "email", "web")) | {"name": "Agency", "head": [], "address": []},
        "case": {
            "number": "WD-2026-00001-1",
            "request": "WD-2026-00001",
            "title": say("Mill Creek, Town"),
            "aliases": [],
            "received_on": "2026-11-30",
            "filed_on": None,
            "service": "Navigability confirmation",
            "law": "s. NR 300.17 (1) (c)",
            "state": "submitted",
            "state_title": "Submitted",
            "disposition": None,
            "disposition_title": None,
            "workflow": "navigability-confirmation",
        },
        "place": dict.fromkeys(("water", "county", "wbic", "municipality", "plss", "parcel", "latitude", "longitude", "address")),
        "requester": requester,
        "agent": None,
        "third_party": None,
        "co_applicants": [],
        "interested_persons": [],
        "to": [requester],
        "copies": [],
        "act": {"action": "lapse-hearing-petition", "title": "Act", "on": "2026-12-20", "because": None, "facts": stated, "cite": None},
        # An inspection is on record before a result is possible.
        "facts": {"service": "confirmation", "inspected_on": "2026-12-15", "inspector": say("Inspector"), "findings": say("The bed is there"), **stated},
        "clocks": {
            "determination": clock(length=THIRTY, cite="NR 300.17 (7) (a) 2."),
            **{name: clock() for name in ("response-target", "inspection-target", "hearing-petition")},
            # A decision begins the time to challenge it.
            "judicial-review": clock(length=THIRTY, due="2027-01-19", unrolled="2027-01-19") if letter in WITH_APPEAL else clock(),
        },
        "items": [],
        "asked": [],
        "missing": [],
        "received": [],
        "listed": [],
        "petition_items": [],
        "fees": {"lines": [], "owed_now": [], "total": "0.00", "paid": "0.00", "due": "0.00", "refunded": "0.00", "refunds": []},
        "schedule": {
            "F-FACT": {"title": "Navigability in fact", "amount": "800.00", "cite": "NR 300.17 (5) (f)"},
            "F-IP": {"title": "Individual permit", "amount": "750.00", "cite": "NR 300.11 (3) (a)"},
            "F-CLASS1": {"title": "Newspaper notice published by the department", "amount": "150.00", "cite": "NR 300.11 (4)"},
        },
        "settings": {"weather_recheck_days": 14, "hold_start_event": "sent_date", "hold_target_clock": "own_clock"},
        "done": {"file": {"on": "2026-11-30", "times": 1, "seq": 1}},
        "exclusions": {"X-a5": {"title": "The waterbody has an approved bulkhead line", "cite": "NR 300.17 (8) (a)", "instead": None}},
    }


def full(letter: str, say: Say = plain) -> dict[str, Any]:
    """Everything stated that can be."""
    view = smallest(letter, say)
    third, agent, person = party("third-party", say, "email"), party("agent", say), party("interested-person", say)
    stated = {name: said(value, say) for part in ACTS[letter] for name, value in part.items()}
    line = {"id": "F-NAVC", "title": say("Fee"), "amount": "100.00", "count": 1, "cite": say("NR 300.17 (5)"), "text": say("per waterbody")}
    items = [item(name, say) for name in ("REQ-3", "NAV-c")]
    test = {"tested_on": "2027-03-10", "craft": say("Canoe"), "reach": say("Reach"), "flow": say("Flow"), "obstructions": say("logs"), "crew": say("Crew")}
    running = clock(
        status="tolled", start="2026-11-30", length=THIRTY, unrolled="2027-01-02", due="2027-01-04", used=20, left=10, held_days=18, cite="NR 300.17 (7) (a) 2."
    )
    return {
        **view,
        "agency": {key: say(key) for key in view["agency"]} | {"head": [say("Governor"), say("Secretary")], "address": [say("Street"), say("City")]},
        "case": {**view["case"], "aliases": [say("WP-1"), say("WP-2")], "filed_on": "2026-11-30", "disposition_title": "Confirmation issued"},
        "place": {key: say(key) for key in view["place"]},
        "requester": party("requester", say),
        "agent": agent,
        "third_party": third,
        "co_applicants": [party("co-applicant", say)],
        "interested_persons": [person, person],
        "to": [party("requester", say), agent],
        "copies": [third, person],
        "act": {**view["act"], "action": "act", "facts": stated},
        "facts": {
            **view["facts"],
            "boundary_description": say("Boundary"),
            "disputed_determination": say("The letter of 2021"),
            "exclusions_claimed": [],
            "exclusions_unanswered": [],
            "route": "in-fact",
            "held_on": "2027-03-15",
            **test,
            **stated,
        },
        "clocks": dict.fromkeys(view["clocks"], running),
        **dict.fromkeys(("items", "asked", "missing", "received", "listed", "petition_items"), items),
        "fees": {**view["fees"], "lines": [line], "owed_now": [line], "total": "100.00", "due": "100.00"},
        "done": {
            name: {"on": "2026-12-01", "times": 1, "seq": 2} for name in ("request-information", "record-partial-response", "accept-information", "take-over")
        },
        "exclusions": {"X-a5": {"title": "A bulkhead line", "cite": "NR 300.17 (8) (a)", "instead": say("Ask the zoning office")}},
    }


def said(value: Any, say: Say) -> Any:
    """A fact as somebody may have typed it; days, amounts and choices can't be typed freely."""
    if isinstance(value, dict):
        return {name: say(text) for name, text in value.items()}
    return value if FIXED.fullmatch(value) else say(value)


def write(letter: str, view: dict[str, Any], by_law: bool = False) -> Written:
    owed = LetterOwed("WD-2026-00001-1", 2, letter, "L2", date(2026, 12, 20), view, (Party("requester", "A"),), (), None, by_law)
    return WRITER.write(owed, RULES, datetime(2026, 12, 20, 16, tzinfo=UTC))


def words(letter: str, view: dict[str, Any]) -> str:
    return " ".join(to_text(write(letter, view).markdown).split())


def shown(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html.split("<main>")[1])).split())


def tags(html: str) -> list[str]:
    return re.findall(r"</?[a-z0-9]+[^>]*>", html.split("<main>")[1])


# --- much and little ----------------------------------------------------------------------------------------------


def test_the_pack_has_these_letters_and_no_other() -> None:
    declared = re.findall(r"^  ([a-z-]+):$", FILES["letters.yaml"].split("  # --- Permits.")[0], re.M)

    assert sorted(declared) == sorted([*LETTERS, "dates-changed"])  # that one no act owes, but a changed calendar


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_is_written_from_much_and_from_little_without_a_word_left_over(letter: str) -> None:
    for view in (full(letter), smallest(letter)):
        said = words(letter, view)

        assert "WD-2026-00001-1" in said
        assert "Sunday, December 20, 2026" in said
        assert "RE: Letter title - Navigability confirmation, Mill Creek, Town" in said
        assert not re.search(r"None|undefined|\{\{|\}\}|\{%|\(\)|\.\.|\s[.,;:](\s|$)|\\", said), said


@pytest.mark.parametrize("letter", LETTERS)
def test_every_letter_names_the_common_facts(letter: str) -> None:
    said = words(letter, full(letter))

    for common in (
        "The requester, by The agent",
        "s. NR 300.17 (1) (c)",
        "water, WBIC wbic, county County",
        "plss",
        "parcel",
        "Boundary",
        "latitude, longitude",
    ):
        assert common in said
    for contact in ("Governor - Secretary", "Telephone telephone - toll free toll_free - TTY: tty", "Ask the contact", "WP-1 and WP-2"):
        assert contact in said
    assert "Filed Monday, November 30, 2026" in said
    assert said.endswith("Copies: The third-party, by e-mail; The interested-person, by post")


@pytest.mark.parametrize("letter", [name for name in LETTERS if ACTS[name][0]])
def test_a_required_fact_that_is_not_stated_stops_the_letter_and_is_named(letter: str) -> None:
    for name in ACTS[letter][0]:
        view = full(letter)
        view["act"] = {**view["act"], "facts": {key: value for key, value in view["act"]["facts"].items() if key != name}}
        with pytest.raises(LetterFault, match=name) as caught:
            write(letter, view)
        assert caught.value.missing == (name,)
        assert write(letter, view, by_law=True).status == "blocked"


# --- what is typed is shown and not obeyed ------------------------------------------------------------------------


@pytest.mark.parametrize("letter", LETTERS)
def test_whatever_stands_in_any_text_the_letter_keeps_its_shape_and_shows_it(letter: str) -> None:
    plainly = to_html(write(letter, full(letter, lambda _: "Zword")).markdown, "t")
    for text in HOSTILE:
        written = write(letter, full(letter, lambda _, text=text: text))
        html, plain_text = to_html(written.markdown, "t"), to_text(written.markdown)
        seen = " ".join(HIDDEN.sub("", " ".join(text.split())).split())

        assert tags(html) == tags(plainly), text
        assert shown(html).count(seen) == shown(plainly).count("Zword") > 10, text
        assert seen.replace(" ", "") in "".join(plain_text.split())
        assert not HIDDEN.search(html.replace("\n", "")), text


# --- what the law wants said --------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", sorted(WITH_APPEAL))
def test_a_decision_carries_its_notice_of_appeal_rights_with_the_unrolled_day_and_until_when_filings_count(letter: str) -> None:
    said = words(letter, full(letter))

    assert "within 30 days after this decision is mailed or personally served: no later than Saturday, January 2, 2027" in said
    assert "filings are accepted through Monday, January 4, 2027" in said
    assert "ss. 227.52 and 227.53" in said


def test_a_rescission_carries_its_notice_of_appeal_rights_and_never_the_day_of_the_decision_that_it_takes_back() -> None:
    said = words("decision-rescinded", full("decision-rescinded"))

    assert "Notice of appeal rights" in said
    assert "within 30 days after this decision is mailed or personally served. - Hearing. " in said
    assert "January" not in said.split("Notice of appeal rights")[1]


def test_only_one_day_is_printed_where_the_last_day_did_not_roll() -> None:
    view = full("dismissal")
    view["clocks"]["judicial-review"] = clock(unrolled="2027-01-04", due="2027-01-04")

    assert "filings are accepted through" not in words("dismissal", view)


@pytest.mark.parametrize("letter", sorted(set(LETTERS) - WITH_APPEAL - {"decision-rescinded"}))
def test_what_is_no_decision_carries_no_notice_of_appeal_rights(letter: str) -> None:
    assert "Notice of appeal rights" not in words(letter, full(letter))


@pytest.mark.parametrize("letter", sorted(RESULTS))
def test_the_determination_in_fact_is_offered_for_navigability_alone(letter: str) -> None:
    said = words(letter, full(letter))

    assert ("The fee is $800" in said) == letter.startswith("navigability")
    assert ("state's legal determination" in said) == (letter == "navigability-confirmation")


@pytest.mark.parametrize("letter", sorted(RESULTS))
def test_each_finding_of_a_result_has_its_own_because(letter: str) -> None:
    found = to_text(write(letter, full(letter)).markdown).split("Findings of fact")[1].split("Conclusions of law")[0]
    findings = re.split(r"\n *\d+\. ", found)[1:]

    assert len(findings) >= 5
    assert all("because" in " ".join(finding.split()) for finding in findings)


def test_a_bulkhead_line_is_found_absent_only_where_the_question_was_answered_with_no() -> None:
    for name in ("exclusions_claimed", "exclusions_unanswered"):
        view = full("ohwm-determination")
        view["facts"][name] = ["X-a5"]

        assert "bulkhead" not in words("ohwm-determination", view)
    assert "No approved bulkhead line exists" in words("ohwm-determination", full("ohwm-determination"))


def test_a_weather_notice_makes_both_statements_and_names_the_day_that_it_displaces() -> None:
    view = full("weather-notice")
    view["clocks"]["determination"] = clock(status="displaced", displaced_on="2026-12-20", displaced_due="2026-12-30")
    said = words("weather-notice", view)

    assert "will prevent the department from complying with the deadline of Wednesday, December 30, 2026" in said
    assert "will provide the service as soon as possible when weather conditions, or other conditions at the site, allow" in said


def test_the_one_request_says_so_and_lists_each_item_by_its_id_though_there_are_31() -> None:
    view = full("information-request")
    view["listed"] = [item(f"NAV-{number}", plain) for number in range(31)]
    text = to_text(write("information-request", view).markdown)

    assert "only request that the rule allows" in " ".join(text.split())
    assert all(f"\n{number + 1:2}. NAV-{number} " in text for number in range(31))
    assert "on hold from Sunday, December 20, 2026" in text
    assert "20 days of 30 days are used; 10 days are left" in " ".join(text.split())


def test_a_notice_of_form_in_a_confirmation_lists_no_technical_item() -> None:
    view = full("not-filed")

    assert "REQ-3: " in words("not-filed", view)
    assert "NAV-c: " not in words("not-filed", view)
    view["facts"]["service"] = "determination"
    assert "NAV-c: " in words("not-filed", view)


def test_an_acknowledgement_of_a_confirmation_asks_for_nothing() -> None:
    assert "NAV-c" not in words("acknowledgement", full("acknowledgement"))


def test_a_petition_denied_by_silence_needs_no_reasons_of_anybody() -> None:
    said = words("petition-denied", smallest("petition-denied"))

    assert "denied by the passing of time" in said
    assert "No order was entered within 20 days" in said


def test_a_hold_that_ends_after_the_last_day_gives_no_new_one() -> None:
    view = full("hold-ended")
    view["clocks"]["determination"] = clock(status="missed", due="2026-12-15", used=30, left=0)

    assert "The last day was Tuesday, December 15, 2026 and has passed" in words("hold-ended", view)
    assert "The new last day is Monday, January 4, 2027" in words("hold-ended", full("hold-ended"))


def filed(folder: Path) -> App:
    app = App(database=f"sqlite:///{folder / 'case.db'}", at="2026-11-30T09:00")
    app.init(live=False)
    app.file(read_plain((PACK / "samples/navigability-confirmation/complete.yaml").read_text(), "complete.yaml"))
    return app


def test_the_engine_gives_the_data_that_these_letters_were_written_with(tmp_path: Path) -> None:
    app = filed(tmp_path)
    with app.office.store.read() as work:
        case = work.case("WD-2026-00001-1")
        entry = work.entries(case.number)[0]
    given = letters_owed(app.library.of(case), case, entry, by_law=False)[0].view
    made = full("acknowledgement")

    assert {name for name in made if name not in given} == set()
    for part in ("letter", "agency", "case", "place", "requester", "act", "fees"):
        assert set(made[part]) == set(given[part]), part
    assert set(made["clocks"]["determination"]) == set(given["clocks"]["determination"])


def test_the_engine_tells_a_weather_notice_the_day_that_it_displaces(tmp_path: Path) -> None:
    app = filed(tmp_path)
    app.act("WD-2026-00001-1", "give-weather-notice", {"inspection_needed": True, "condition": "Ice"}, None, None, None, None, False)
    with app.office.store.read() as work:
        notice = work.letters()[-1]

    assert notice.letter == "weather-notice"
    assert "the deadline of Wednesday, December 30, 2026" in notice.markdown  # 30 days after November 30


def test_a_letter_names_the_fee_of_the_schedule_and_not_one_of_its_own() -> None:
    view = full("navigability-determination")
    view["schedule"]["F-FACT"]["amount"] = "912.00"

    assert "$912.00" in words("navigability-determination", view)
