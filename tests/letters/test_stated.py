"""What the law lists for each letter: the pack's lists are the law's, and every item of them is stated or stops the letter.

An item is a datum, without which the letter is not written; a statement, which stands in it always; or a datum that may
lawfully be lacking, in whose place the letter says so. Where real cases show the permit letters: tests/unit/test_permit_letters.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

import pytest

from caseflow.adapters.packs.checks.letters import MARK
from caseflow.adapters.packs.nodes import read_plain
from caseflow.errors import LetterFault
from tests.unit import test_letters_pack as determinations
from tests.unit import test_permit_letters as permits
from tests.unit.test_letters_pack import FILES, words, write


class Datum(NamedTuple):
    """Stated from this member of the letter's data; nothing is written without it."""

    path: str
    said: str


class Always(NamedTuple):
    """A statement that stands in the letter whatever the case is."""

    said: str


class Either(NamedTuple):
    """Stated where it is known; where it is not, the letter says what then holds.

    `value` is given where the full data have none; `none` stands there where it is lacking (a fact or an act is not there at all).
    """

    path: str
    said: str
    lacking: str
    value: Any = None
    none: Any = None


How = Datum | Always | Either
COURT = Datum("clocks.judicial-review.unrolled", "no later than Saturday, January 2, 2027. That day is a Saturday, a Sunday or a legal holiday")
INSPECTED = [Datum("facts.inspector", "Inspector inspected the site"), Datum("facts.inspected_on", "for the department on Tuesday, December 15, 2026")]
THIRD_PARTY = Either("third_party", "prepared by The third-party.", "prepared by the independent third party named in the request.")
IN_FACT = Datum("schedule.F-FACT.amount", "The fee is $800.00 (NR 300.17 (5) (f))")
PAID = Datum("fees.paid", "No fee was paid, and none is refunded.")
DISMISSAL = Always("may be dismissed (s. NR 300.17 (4) (b), Wis. Adm. Code)")
HOLD = Always("The time stays on hold until the request is satisfied")
CONTACT = Either("agency.contact", "Questions? Ask the contact, telephone telephone", "Questions? Ask us, telephone telephone")
ACTIVITY = Either("facts.activity", "a seawall at water", "the activity described in the application at water")
WATER = Either("place.water", "a seawall at water", "a seawall at the waterbody")
FOUND = [Always("Findings of fact"), Always("Conclusions of law")]
WINDOW = Datum("clocks.information-window.due", "Monday, January 4, 2027")
SPAWNING = Always("March 15 to May 15")

# The facts of each letter as the law's file of the determinations lists them (NR 300.17; ss. 227.41 to 227.53), word for word.
OF_DETERMINATIONS: dict[str, dict[str, How | list[How]]] = {
    "acknowledgement": {
        "clock length": Datum("clocks.determination.length.text", "The department has 30 days to provide the service"),
        "last day": Either("clocks.determination.due", "The last day is Monday, January 4, 2027", "The time is on hold and has no last day"),
        "fees charged line by line": Datum("fees.lines", "Fee (per waterbody)"),
        "staff contact": CONTACT,
        "hold and weather rules in brief": [
            Always("The time is then on hold until the request is satisfied"),
            Always("If weather or other conditions at the site prevent an accurate inspection in time, we tell you so"),
        ],
    },
    "not-filed": {
        "what is missing": Datum("listed", "- REQ-3: Title of REQ-3"),
        "clock has not started": Always("The time for the department to act has not started"),
        "may be dismissed": DISMISSAL,
        "how to refile": Always("Send what is missing by e-mail or post and name docket WD-2026-00001-1, or file again"),
    },
    "information-request": {
        "every missing item by id or each point of disagreement": [
            Datum("listed", "1. REQ-3 Title of REQ-3"),
            Either("act.facts.points", "Points on which the department does not agree: Points.", "1. REQ-3 Title of REQ-3"),
        ],
        "this is the only request": Always("This is the only request that the rule allows"),
        "timeline on hold from this date until satisfied": Datum(
            "act.on", "The time is on hold from Sunday, December 20, 2026 until the request is satisfied."
        ),
        "days used and days left": [
            Datum("clocks.determination.used", "20 days of 30 days are used"),
            Datum("clocks.determination.left", "10 days are left"),
        ],
        "response target (policy)": Either("clocks.response-target.due", "Please answer by Monday, January 4, 2027", "Please answer as soon as you can"),
        "copy to the independent third party": Either("third_party", "to you and to The third-party, who prepared the preliminary finding", "It goes to you."),
        "dismissal possible": DISMISSAL,
    },
    "partial-response": {
        "items received": Datum("listed", "Received -------- - REQ-3: Title of REQ-3"),
        "items of the same request still open": Datum("asked", "Still open ---------- - REQ-3: Title of REQ-3"),
        "hold continues": HOLD,
        "no new items": Always("Nothing new is asked: these items belong to the same request."),
    },
    "information-reminder": {
        "same item list": Datum("asked", "Still open ---------- - REQ-3: Title of REQ-3"),
        "hold continues": HOLD,
        "dismissal possible": DISMISSAL,
    },
    "hold-ended": {
        "date satisfied": Datum("act.on", "The request for information was satisfied on Sunday, December 20, 2026."),
        "days tolled": Datum("clocks.determination.held_days", "The time was on hold for 18 days"),
        "days left": Datum("clocks.determination.left", "10 days are left"),
        "new last day": Either("clocks.determination.due", "The new last day is Monday, January 4, 2027", "No last day is running now."),
    },
    "weather-notice": {
        "statement 1: weather or other site conditions will prevent meeting the deadline": Always(
            "Adverse weather conditions, or other conditions at the site, will prevent the department from complying with the deadline"
        ),
        "the condition and the deadline missed": [
            Datum("act.facts.condition", "The condition: Ice covers the bed."),
            Either("clocks.determination.due", "the deadline of Monday, January 4, 2027, because", "the deadline, because"),
        ],
        "statement 2: service will be provided as soon as possible when conditions allow an accurate on-site inspection": Always(
            "The department will provide the service as soon as possible when weather conditions, or other conditions at the site, allow the department to "
            "conduct an accurate on-site inspection."
        ),
        "expected window (practice, as NR 300.06(4)(f)1. does for general permits)": Either(
            "act.facts.expected_window", "we expect to inspect in April.", "What happens next: we look at the site again every 14 days"
        ),
    },
    "site-visit": {
        "date window": Either("act.facts.inspect_on", "Day: Tuesday, December 15, 2026.", "The department means to inspect by Monday, January 4, 2027"),
        "access request": Always("Please allow access to the land and the water"),
        "inspector": Either("act.facts.inspector", "Inspector: Inspector.", "Inspector: you are told the name with the day."),
        "what to have on site": Always("Please have on site: the project boundary marked, earlier surveys and photographs"),
    },
    "take-over": {
        "why the department does not agree": Either("act.facts.reason", "Why: Reason.", "Why: the finding can't be confirmed from the information presented."),
        "inspection window": Always("the department inspects the site and tells you the day beforehand"),
        "last day unchanged": Always("Taking over gives the department no new time"),
        "no added fee": Always("No fee is added."),
    },
    "navigability-determination": {
        "result per waterbody": Datum("act.facts.result", "Result: Navigable."),
        "location": Either("act.facts.location", "Location: Location.", "Location: water, within the project boundary named above."),
        "inspection date and inspector": [*INSPECTED],
        "facts relied on": Datum("facts.findings", "The bed is there. This is found because Inspector observed it on site"),
        "findings, conclusions": [*FOUND],
        "how to dispute under (1)(f), $800": IN_FACT,
        "appeal rights": COURT,
    },
    "ohwm-determination": {
        "mark location, elevation and benchmark": [
            Either("act.facts.location", "Location of the mark: Brass cap.", "Location of the mark: as the result states it"),
            Either("act.facts.elevation", "Elevation and benchmark: 251.32 m.", "Elevation and benchmark: as the location states them."),
        ],
        "inspection date and inspector": [*INSPECTED],
        "indicators": Either(
            "act.facts.indicators", "because they were present at the site: Shelves.", "3. The bed is there. This is found because Inspector observed it"
        ),
        "findings, conclusions": [*FOUND],
        "appeal rights; (1)(f) not available": [COURT, Always("It is not available for a mark")],
    },
    "navigability-confirmation": {
        "concurrence": Always("The department concurs with the preliminary finding on the navigability"),
        "exact location": Datum("act.facts.exact_location", "Exact location: Exact."),
        "summary of information used": Datum("act.facts.information_summary", "Summary of the information used: Summary."),
        "third party named": THIRD_PARTY,
        "this is the state's legal determination": Always("This confirmation is the state's legal determination of navigability"),
        "(1)(f) route": IN_FACT,
        "appeal rights": COURT,
    },
    "ohwm-confirmation": {
        "concurrence": Always("The department concurs with the determination of the ordinary high water mark"),
        "exact location": Datum("act.facts.exact_location", "Exact location of the mark: Exact."),
        "summary of information used": Datum("act.facts.information_summary", "Summary of the information used: Summary."),
        "third party named": THIRD_PARTY,
        "appeal rights": COURT,
    },
    "dismissal": {
        "ground (a) site indicators or (b) minimum items": Datum("act.facts.dismissal_ground", "because it does not have proper site indicators"),
        "missing items by id": Datum("listed", "Missing: - REQ-3: Title of REQ-3"),
        "request date and response history": [
            Datum("case.received_on", "- Your request was received on Monday, November 30, 2026."),
            Either(
                "done.request-information", "- Information was asked for on Tuesday, December 1, 2026.", "received on Monday, November 30, 2026. What follows"
            ),
        ],
        "fee outcome": PAID,
        "may refile": Always("The request may be filed again at any time."),
        "appeal rights": COURT,
    },
    "not-available": {
        "exclusion id and words": Datum("act.facts.exclusion", "an exclusion applies: A bulkhead line (X-a5; NR 300.17 (8) (a))."),
        "evidence": Datum("act.facts.evidence", "What shows it: Evidence."),
        "where to go (local zoning, court order, lease, bulkhead record)": Either(
            "exclusions.X-a5.instead", "Where to go: Ask the zoning office.", "Where to go: ask us."
        ),
        "fee outcome": PAID,
        "appeal rights": COURT,
    },
    "withdrawal": {
        "date": Datum("act.facts.writing_received_on", "Your writing arrived on Thursday, December 10, 2026."),
        "fee outcome": PAID,
    },
    "dispute-withdrawn": {
        "date": Datum("act.facts.writing_received_on", "The writing arrived on Saturday, February 20, 2027."),
        "original stands": Always("The original result stands"),
        "fee outcome": PAID,
    },
    # The lists of both sides in one: amount, reason, method; amount, ground, cite.
    "refund": {
        "amount": Datum("act.facts.amount", "A refund of $100.00 is approved."),
        "reason": Datum("act.facts.refund_ground", "Ground: Ground."),
        "method": Either("act.facts.method", "How you are paid: by check.", "How you are paid: in the way in which you paid."),
        "ground": Datum("act.facts.refund_ground", "Ground: Ground."),
        "cite": Either("act.cite", "The law: s. 30.28 (2m).", "The law of this service is silent on refunds", "s. 30.28 (2m)"),
    },
    "expedite-accepted": {
        "written request date": Datum("act.facts.asked_on", "On Tuesday, December 1, 2026 you asked in writing"),
        "agreed date": Either("act.facts.agreed_on", "The service is promised by Monday, December 21, 2026.", "We will agree the day with you in writing."),
        "verification by": Either("act.facts.verified_by", "Verified by: The unit leader.", "Verified by: the department, before this letter was written."),
        "$3,500 due": Datum("fees.owed_now", "Fee: $100.00 is due (NR 300.17 (5))."),
    },
    "expedite-declined": {
        "reason": Either("act.facts.reasons", "Reason: Reasons.", "Reason: the department can't verify that it will be able to comply"),
        "normal last day": Either("clocks.determination.due", "The normal last day stays Monday, January 4, 2027.", "The normal time goes on as it was."),
        "no supplemental fee": Always("No supplemental fee is added."),
    },
    "deadline-passed": {
        "last day": Either(
            "clocks.determination.due", "The last day to provide the service was Monday, January 4, 2027.", "The last day to provide the service has passed."
        ),
        "why late": Either("act.facts.reason", "Why: Reason.", "Why: the review is not finished."),
        "new target": Either(
            "act.facts.new_target_on", "We mean to decide by Monday, February 15, 2027.", "works on it as soon as it can and will write again."
        ),
        "right to review of inaction": Always("A failure to act may be reviewed by a court (s. 227.52, Wis. Stats.)."),
    },
    "dispute-acknowledgement": {
        "determination disputed": Either(
            "facts.disputed_determination", "a dispute of The letter of 2021.", "a dispute of the result in docket WD-2026-00001-1."
        ),
        "petition checklist result": Datum("petition_items", "- REQ-3: Title of REQ-3 (NR 300.17 (2))"),
        "fee": Datum("fees.owed_now", "Fee: $100.00 (NR 300.17 (5))."),
        "30-day court review period is not extended by this petition (no text extends it)": Always(
            "This petition does not extend the 30 days in which a court may be petitioned (s. 227.53, Wis. Stats.)."
        ),
    },
    "petition-defect": {
        "missing DR ids": Datum("listed", "What is missing --------------- - REQ-3: Title of REQ-3"),
        "how to cure": Always("Send what is missing in writing, signed and verified"),
    },
    "petition-denied": {
        "denial": Always("The petition is denied"),
        "brief reasons": Either("act.facts.reasons", "Reasons: Reasons.", "Reasons: No order was entered within 20 days of the filing of the petition."),
        "review rights": COURT,
    },
    "ruling-hearing-notice": {
        "time, place, nature (noncontested)": [
            Datum("act.facts.hearing_on", "Time and place: Monday, March 15, 2027"),
            Either("act.facts.hearing_place", "Monday, March 15, 2027, Place.", "The hour and the place are mailed to you at least 10 days before."),
            Always("Nature: a noncontested hearing for a declaratory ruling"),
        ],
        "legal authority": Always("Legal authority: s. 227.41, Wis. Stats.;"),
        "rule or statute and facts at issue": Either(
            "act.facts.issues", "At issue: Issues.", "At issue: the result in docket WD-2026-00001-1 and the facts alleged"
        ),
        "hearing officer": Either("act.facts.hearing_officer", "Hearing officer: Officer.", "Hearing officer: you are told the name before the hearing."),
        "watercraft test date": Either(
            "facts.tested_on", "Watercraft test: made on Wednesday, March 10, 2027.", "tests the waterway with a watercraft before it rules"
        ),
        "who may appear": Always("Who may appear: the petitioner, the requester and every interested person"),
    },
    "declaratory-ruling": {
        "facts": Either("act.facts.findings", "1. Findings.", "1. The facts are those alleged in the petition"),
        "watercraft test summary": [
            Either("facts.tested_on", "tested with a watercraft on Wednesday, March 10, 2027", "2. No watercraft test was made"),
            Datum("facts.craft", "Wednesday, March 10, 2027: Canoe; reach Reach"),
            Datum("facts.reach", "reach Reach"),
        ],
        "ruling": Datum("act.facts.ruling", "Ruling: Ruling."),
        "persons bound": Always("The ruling binds the department and all parties to the proceeding on the facts alleged"),
        "binding unless changed by a court": Always("unless it is changed by a court (s. 227.41 (1), Wis. Stats.)"),
        "review: 30 days from service or mailing": [COURT, Always("within 30 days after this decision is mailed or personally served")],
    },
    "memorandum": {
        "memorandum id and parties": Datum("act.facts.memorandum", "under a memorandum of agreement (s. NR 300.17 (9), Wis. Adm. Code): Agreement."),
        "process, time and fee that replace (2) to (7)": Always(
            "The memorandum takes the place of the process, the timelines and the fees of s. NR 300.17 (2) to (7), Wis. Adm. Code."
        ),
    },
    # No list of the law's: what one record of practice shows, and the rights that go with a decision (ss. 227.48 (2), 227.52).
    "decision-rescinded": {
        "date": Datum("act.on", "is rescinded as of Sunday, December 20, 2026."),
        "reasons": Datum("act.facts.reasons", "Reasons: Reasons."),
        "what happens next": Always("the matter is decided anew, and you get the new decision in writing"),
        "appeal rights": [
            Always("Notice of appeal rights"),
            Always("(ss. 227.52 and 227.53, Wis. Stats.) within 30 days after this decision is mailed or personally served."),
        ],
    },
}

# The same of the permits (ss. 30.206, 30.208, 30.209; chs. NR 300, 320 and 329).
OF_PERMITS: dict[str, dict[str, How | list[How]]] = {
    "exemption-confirmed": {
        "request date": Datum("case.received_on", "You asked on Monday, November 30, 2026"),
        "activity": ACTIVITY,
        "waterbody": WATER,
        "site": Always("at the site named above"),
        "exemption cite": Datum("case.law", "The exemption: s. 30.208."),
        "conditions": Always("Control erosion while you work"),
        "spawning window": SPAWNING,
        "other permits note": Always("the U.S. Army Corps of Engineers and other programs of the department may have rules of their own"),
        "contact": CONTACT,
    },
    "exemption-information-request": {
        "items needed": Datum("listed", "1. REQ-3 Title of REQ-3"),
        "cannot determine statement": Always("the department can't determine that your activity is exempt"),
        "permits that would apply": Either(
            "act.facts.permits_likely", "Permits that would then apply: Permits.", "a general permit, where one covers the activity"
        ),
        "respond by": Datum("clocks.information-window.due", "Send all of it by Monday, January 4, 2027"),
        "decision by": Datum("clocks.after-request.due", "The department decides by Monday, January 4, 2027"),
    },
    "exemption-denied": {
        "standard failed cite": Either("act.facts.standard_not_met", "It does not meet this standard: Standard.", "the standards of the exemption (s. 30.208)"),
        "or permit in lieu finding": Either(
            "act.facts.permit_in_lieu", "a permit is needed in its place (ss. 30.12 (2m)", "It does not meet this standard: Standard.", True
        ),
        "best fitting permit": Datum("act.facts.best_fitting_permit", "The permit that fits best: Best."),
        "appeal rights": COURT,
    },
    "original-determination-stands": {
        "request date": Either("done.request-information", "On Saturday, December 5, 2026 the department told you", "You asked on Monday, November 30, 2026"),
        "days elapsed": Either(
            "clocks.information-window.due", "The 30 days for the answer ended on Monday, January 4, 2027", "The time for the answer has passed."
        ),
        "original result": Either("act.facts.original_result", "stands: Result.", "stands: the department can't determine that your activity is exempt."),
        "appeal rights": COURT,
    },
    "visit-delayed": {
        "cause": Datum("act.facts.condition", "The cause: Ice covers the bed."),
        "deadline affected": Either(
            "clocks.decision.displaced_due", "The last day was Friday, December 18, 2026.", "The last day to decide is Monday, January 4, 2027.", "2026-12-18"
        ),
        "clock stopped on": Either(
            "clocks.decision.displaced_due", "The time stopped on Sunday, December 20, 2026", "This notice does not move it.", "2026-12-18"
        ),
        "earliest expected date": Either("act.facts.expected_window", "When we expect to visit: in April.", "as soon as conditions allow an accurate visit."),
        "will resume statement": Always("When conditions allow an accurate visit, the department visits the site"),
    },
    "general-permit-authorized": {
        "permit no": Either("act.facts.permit_number", "Your authorization has number GP-7", "Your authorization has number WD-2026-00001-1"),
        "activity": ACTIVITY,
        "plans date": Datum("case.received_on", "It covers the plans that you filed on Monday, November 30, 2026"),
        "findings": Either("act.facts.findings", "the department found: Findings.", "the plans and the other papers in the docket show it."),
        "conditions": Always("very condition of the general permit applies."),
        "start notice duty": Always("Before you start: tell us the day"),
        "completion statement and photo duty": Always("send a signed statement that the work keeps to the permit, with photographs of it"),
        "appeal rights": COURT,
    },
    "general-permit-information-request": {
        "items needed": Datum("listed", "1. REQ-3 Title of REQ-3"),
        "reason": Either(
            "act.facts.reason", "Why we ask: Reason.", "without these the department can't tell whether the activity keeps to the general permit."
        ),
        "date sent": Datum("act.on", "On Sunday, December 20, 2026 it asks you for the information below."),
        "toll explained": Always(
            "The time does not run from the day on which you receive this letter to the day on which the department has all of the information"
        ),
        "dismiss after": Either(
            "clocks.information-window.due", "Please send it by Monday, January 4, 2027", "Please send it within 30 days after you receive this letter."
        ),
    },
    "site-visit-needed": {
        "reason": Either("act.facts.reason", "Why: Reason.", "Why: the papers alone do not show whether"),
        "anticipated timeline": Either("act.facts.expected_window", "We expect to visit in spring.", "We will agree the day with you."),
        "clock on hold": Either("clocks.decision.due", "its last day is Monday, January 4, 2027", "No last day for the decision is running now."),
    },
    "species-incomplete": {
        "species flag": [
            Always("Your application is incomplete, because the activity may harm an endangered or threatened species"),
            Either("act.facts.species", "threatened species: Species (s. NR 329.04", "threatened species (s. NR 329.04"),
        ],
        "two ways to cure": [Always("1. Avoid the harm."), Always("2. Get leave for it.")],
        "revised plans duty": Always("send the revised plans. The application is not complete before they are here"),
    },
    "individual-permit-required": {
        "ground a1 or a2": Datum("act.facts.permit_ground", "visited the site on"),
        "site visit date if a2": Datum("done.complete-site-visit", "visited the site on Saturday, December 5, 2026, and conditions there"),
        "how to apply": Always("Apply for an individual permit through the electronic permitting system and name docket WD-2026-00001-1"),
        "fee effect": [
            Datum("fees.paid", "No fee was paid for this application."),
            Datum("schedule.F-IP.amount", "An individual permit has a fee of its own: $750.00"),
        ],
        "appeal rights": COURT,
    },
    "general-permit-dismissed": {
        "request date": Either(
            "done.request-information",
            "On Saturday, December 5, 2026 the department asked you",
            "The information that the department asked for did not all come",
        ),
        "window": Either(
            "clocks.information-window.due", "The 30 days for the answer ended on Monday, January 4, 2027.", "The information did not all come in that time."
        ),
        "no refund": Datum("fees.paid", "No fee was paid, and none is refunded."),
    },
    "authorized-by-default": {
        "application date": Datum("case.received_on", "Your application was received on Monday, November 30, 2026."),
        "toll days": Either("clocks.decision.held_days", "The time did not run for 18 days", "No day was tolled", none=0),
        "last day": Either(
            "clocks.decision.due", "The last day to decide was Monday, January 4, 2027.", "The last day to decide has passed without a decision."
        ),
        "conditions still apply": Always("Every condition of the general permit still applies"),
    },
    "application-complete": {
        "date sent": Either(
            "clocks.public-notice.start",
            "The day of closure is Monday, November 30, 2026",
            "The day of closure is Sunday, December 20, 2026, the day of this letter",
        ),
        "notice by": Either(
            "clocks.public-notice.due", "no later than Monday, January 4, 2027, within 15 days after the day of closure", "on its website, within 15 days after"
        ),
        "publication duties and cost option": [
            Always("Publish the notice once in a newspaper of the area"),
            Datum("schedule.F-CLASS1.amount", "It costs $150.00"),
        ],
        "hearing if requested": Either(
            "facts.hearing_requested", "You asked for a hearing in your application.", "Anyone may ask for a public hearing within 20 days", True
        ),
    },
    "application-incomplete": {
        "reason": Datum("act.facts.reason", "Why it is incomplete: Reason."),
        "specific items": Datum("listed", "1. REQ-3 Title of REQ-3"),
        "dismissal date day 45": WINDOW,
        "review on hold": Always("The review is on hold until everything has come."),
    },
    "second-notice": {
        "complete or not": Either("act.facts.application_complete", "Your application is still incomplete", "Your application is complete", False),
        "date sent is closure": Either(
            "clocks.public-notice.start", "The day of closure is Monday, November 30, 2026", "December 20, 2026, the day on which this notice is sent"
        ),
    },
    "closure-by-lapse": {
        "clock missed": [
            Datum("clocks.completeness.length.text", "The department had 30 days to tell you whether the application is complete"),
            Either("clocks.completeness.due", "the last day was Monday, January 4, 2027.", "whether the application is complete. No letter was sent."),
        ],
        "closure date": Either(
            "clocks.public-notice.start", "The day of closure is Monday, November 30, 2026.", "The day of closure is Sunday, December 20, 2026."
        ),
        "notice by": Either("clocks.public-notice.due", "no later than Monday, January 4, 2027, within 15 days", "on its website, within 15 days after"),
    },
    "application-dismissed": {
        "parts still missing": [Datum("listed", "Still missing: - REQ-3: Title of REQ-3")],
        "notice date": Either(
            "done.request-information", "On Saturday, December 5, 2026 the department told you", "What the department asked for did not all come"
        ),
        "day 45 or agreed date": Either(
            "clocks.information-window.due", "The time for the answer ended on Monday, January 4, 2027", "What was asked for did not all come."
        ),
    },
    "notice-of-pending-application": {
        "applicant": Datum("requester.name", "The requester, The co-applicant, 1 Road, Town, have applied"),
        "activity": Either("facts.activity", "What a seawall", "What the activity described in the application"),
        "waterbody": Either("place.water", "Where water (WBIC wbic)", "Where the waterbody named above (WBIC wbic)"),
        "legal location": Either("place.plss", "(WBIC wbic), plss, municipality, county County", "(WBIC wbic), municipality, county County"),
        "statutes applied": Datum("case.law", "Law s. 30.208"),
        "tentative decision": Either("facts.tentative_decision", "Tentative decision: Decision.", "Tentative decision: the department has made none."),
        "where to see file": Either("agency.web", "open to everyone: web, docket WD-2026-00001-1", "ask us for docket WD-2026-00001-1"),
        "docket no": Datum("case.number", "Docket WD-2026-00001-1"),
        "comment by 30": Either(
            "clocks.comment.unrolled", "no later than Hour on Saturday, January 2, 2027.", "the 30 days after the notice of the application stay open"
        ),
        "hearing request by 20": Either(
            "clocks.hearing-request.unrolled", "hearing in writing no later than Saturday, January 2, 2027.", "Anyone may comment in writing"
        ),
        "how to comment": [
            Always("Send comments"),
            Datum("case.number", "Send comments in one of these ways: Web form and Post. Name docket WD-2026-00001-1."),
        ],
        "no hearing may decide": Either("clocks.hearing-request.unrolled", "the department may decide without a hearing.", "Anyone may comment in writing"),
        "comment by if hearing": Either("clocks.hearing-request.unrolled", "comments are accepted for 10 days after it ends.", "Anyone may comment in writing"),
        "accommodation statement": Always("If you need help because of a disability"),
    },
    "notice-of-hearing": {
        "time": Datum("act.facts.hearing_on", "Tuesday, January 12, 2027, Hall."),
        "place or link": Either(
            "act.facts.hearing_place", "Tuesday, January 12, 2027, Hall.", "The hour, and the place or the link, are on the department's website"
        ),
        "purpose not contested case": Always("It is not a contested case hearing"),
        "class1 deadline": Either(
            "clocks.newspaper-lead.due", "at least 10 days before the hearing: no later than Monday, January 4, 2027.", "at least 10 days before the hearing."
        ),
        "comment by 10 days after": Either(
            "clocks.comment.unrolled", "Anyone may comment in writing no later than Hour on Saturday, January 2, 2027.", "the 10th day after the hearing ends"
        ),
        "help for people with disabilities": Always("If you need help because of a disability"),
    },
    "permit-issued": {
        "findings of fact": Datum("act.facts.findings", "Met, because It is shown by IP-3a-S."),
        "three statutory findings": [
            Always("1. will not materially obstruct navigation;"),
            Always("will not be detrimental to the public interest"),
            Always("will not materially reduce the"),
        ],
        "conclusions of law": [Always("Conclusions of law"), Datum("case.law", "The department has authority to issue this permit under s. 30.208.")],
        "conditions": Either("act.facts.conditions", "1. Time: Finish by the fall.", "The permit has no conditions besides the plans."),
        "effective date": Datum("act.on", "It takes effect on Sunday, December 20, 2026"),
        "petition by": Datum("clocks.petition.unrolled", "for review within 30 days after this decision: no later than Saturday, January 2, 2027."),
        "judicial review by": Datum("clocks.judicial-review.unrolled", "is mailed or personally served: no later than Saturday, January 2, 2027."),
        "stay rule": Always("A petitioner may ask for a stay by showing significant or irreversible harm."),
    },
    "permit-denied": {
        "standard not met": Datum("act.facts.standard_not_met", "4. This standard is not met: Standard."),
        "facts relied on": Datum("act.facts.because", "This is found because Because."),
        "why no condition cures": Datum("act.facts.why_no_condition_cures", "5. No condition on the permit cures this, because Why not."),
        "petition by": Datum("clocks.petition.unrolled", "for review within 30 days after this decision: no later than Saturday, January 2, 2027."),
        "judicial review by": Datum("clocks.judicial-review.unrolled", "is mailed or personally served: no later than Saturday, January 2, 2027."),
    },
    "issued-by-default": {
        "comment closed": Either(
            "clocks.comment.due", "The time for comments closed on Monday, January 4, 2027.", "The time for comments closed on Saturday, December 5, 2026."
        ),
        "last day": Either(
            "clocks.decision.due", "The last day to decide was Monday, January 4, 2027.", "The last day to decide has passed without a decision."
        ),
        "activity as proposed": Always("as you proposed it in your application"),
        "conditions may follow": Always("Conditions may still follow."),
    },
    "petition-received": {
        "petition date": Datum("act.on", "handed in on Sunday, December 20, 2026."),
        "stay requested": Either("facts.stay_requested", "A stay is asked for and is in effect.", "No stay is asked for"),
        "stay in effect": Either("facts.stay_requested", "A stay is asked for and is in effect.", "none is in effect: the decision stands"),
        "response by 15": Either(
            "clocks.petition-response.due",
            "The permit holder, The requester, may answer the petition in writing no later than Saturday, January 2, 2027",
            "sets the permit holder, The requester, no time for an answer.",
        ),
        "ruling by 30": Either(
            "clocks.petition-ruling.due", "under s. 30.209, Wis. Stats., by Monday, January 4, 2027", "under s. 227.42, Wis. Stats., by Monday, January 4, 2027"
        ),
    },
    "review-denied": {
        "reasons": Datum("act.facts.reasons", "Reasons: Reasons."),
        "or denied by silence": Either(
            "act.action",
            "The petition for review is denied by the passing of time.",
            "The department denies the petition for review",
            "lapse-petition",
            "deny-petition",
        ),
        "judicial review by": Datum(
            "clocks.judicial-review.unrolled", "personally served (ss. 227.52 and 227.53, Wis. Stats.): no later than Saturday, January 2, 2027."
        ),
    },
    "review-granted": {
        "issues": Either("act.facts.issues", "Issues.", "The objections that the petition states, and no others."),
        "referral by 15": Either(
            "clocks.referral.due", "to the hearing examiner by Monday, January 4, 2027.", "The department refers the case to the hearing examiner."
        ),
        "stay status": Either("facts.stay_requested", "The stay stays in effect until the hearing examiner lifts it.", "No stay is in effect"),
    },
    "clearance-condition": {
        "clearance ft": Datum("facts.clearance_ft", "The clearance is at least 4.5 feet"),
        "ground for raise or lower": Either(
            "facts.clearance_demanded_ft", "Why: the department asks for a clearance of 6 feet, because", "Why less than 5 feet:", 6
        ),
        "portage duty": Either("facts.clearance_ft", "1. A portage: a permanent way around", "No portage and no signs are asked of you", "4.5", "6"),
        "signage duty": Either("facts.clearance_ft", "2. Signs: signs that show the portage", "No portage and no signs are asked of you", "4.5", "6"),
    },
}
BESIDES = {
    "memorandum": ["what stays"],
    **dict.fromkeys(("application-dismissed", "issued-by-default", "general-permit-dismissed", "authorized-by-default"), ["appeal rights"]),
}
"""What the pack states beyond the law's list, where that is more than the list of the letter above."""
LAW = {**OF_DETERMINATIONS, **OF_PERMITS}
EACH = [
    pytest.param(letter, how, id=f"{letter}: {fact}" + (f" ({place})" if place else ""))
    for letter, facts in LAW.items()
    for fact, hows in facts.items()
    for place, how in enumerate(hows if isinstance(hows, list) else [hows])
]


def side(letter: str) -> Any:
    return determinations if letter in OF_DETERMINATIONS else permits


def full(letter: str) -> dict[str, Any]:
    """Data of a letter with everything known, free to change."""
    view = side(letter).full(letter)
    return deepcopy({**view, "clocks": {name: dict(clock) for name, clock in view["clocks"].items()}})


def at(view: dict[str, Any], path: str) -> tuple[dict[str, Any], str]:
    *way, last = path.split(".")
    for name in way:
        view = view[name]
    return view, last


def without(letter: str, how: Datum | Either) -> Iterator[dict[str, Any]]:
    """The data without a member: not there at all, and there but empty. A datum must stop the letter in either way."""
    unstated = ("facts" in how.path or how.path.startswith("done.")) and not (isinstance(how, Either) and how.none)
    for empty in (False, True):
        view = full(letter)
        holder, name = at(view, how.path)
        if isinstance(how, Either) and unstated == empty:
            continue
        if empty and isinstance(holder[name], (list, dict)) and isinstance(how, Datum):
            continue  # an empty list is known to be empty
        if empty:
            holder[name] = how.none if isinstance(how, Either) else None
        else:
            holder.pop(name, None)
        yield view


def test_what_the_pack_says_a_letter_states_is_what_the_law_lists_for_it() -> None:
    declared = read_plain(FILES["letters.yaml"], "letters.yaml")["letters"]

    assert {letter: list(declared[letter]["states"]) for letter in LAW} == {letter: [*facts, *BESIDES.get(letter, [])] for letter, facts in LAW.items()}
    assert set(declared) - set(LAW) == {"fee-missing", "dates-changed"}  # the two letters that no list of the law has


@pytest.mark.parametrize("letter", LAW)
def test_each_fact_is_a_mark_in_the_template(letter: str) -> None:
    assert set(LAW[letter]) <= set(MARK.findall(FILES[f"templates/{letter}.md"]))


@pytest.mark.parametrize(("letter", "how"), EACH)
def test_each_fact_is_stated_and_a_datum_that_is_missing_stops_the_letter_or_is_told(letter: str, how: How) -> None:
    if isinstance(how, Always):
        for view in (full(letter), side(letter).smallest(letter)):
            assert how.said in words(letter, view)
        return
    view = full(letter)
    holder, name = at(view, how.path)
    if isinstance(how, Either) and how.value is not None:
        holder[name] = how.value
    assert how.said in words(letter, view)
    for lacking in without(letter, how):
        if isinstance(how, Either):
            assert how.lacking in words(letter, lacking)
            continue
        with pytest.raises(LetterFault) as caught:
            write(letter, lacking)
        assert re.search(rf"\b{re.escape(name)}\b", str(caught.value.missing)), caught.value.missing
        assert write(letter, lacking, by_law=True).status == "blocked"
