"""What pack, calendar, facts and letters declare: a slip is told once, at its place."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import CALENDAR, FACTS, FLOW, LETTERS, PACK, Slip, faults_of, marked, slipped

SLIPS = [
    Slip("a role that may do what no role does", [(PACK, "also: [staff]", "also: [¶stuff]")], "no role 'stuff'; did you mean 'staff'?"),
    Slip(
        "a setting with two kinds of answers",
        [(PACK, "agency:", "settings: {¶strict: {question: Q, when-true: a, when-false: b, number: 3, default: true, cite: x, why: w}}\nagency:")],
        "setting 'strict' is answered in exactly one way: when-true and when-false, readings, number or numbers",
    ),
    Slip(
        "a setting that explains one answer",
        [(PACK, "agency:", "settings: {¶strict: {question: Q, when-true: a, default: true, cite: x, why: w}}\nagency:")],
        "setting 'strict' explains one answer only; write both when-true and when-false",
    ),
    Slip(
        "a default that is no reading",
        [(PACK, "agency:", "settings: {strict: {question: Q, readings: {a: A, b: B}, default: ¶c, cite: x, why: w}}\nagency:")],
        "setting 'strict' has no reading 'c'; its readings: a, b",
    ),
    Slip(
        "a default that is no number",
        [(PACK, "agency:", "settings: {strict: {question: Q, number: 3, default: ¶many, cite: x, why: w}}\nagency:")],
        "setting 'strict' is a number above 0, not 'many'",
    ),
    Slip(
        "a default that is neither true nor false",
        [(PACK, "agency:", "settings: {strict: {question: Q, when-true: a, when-false: b, default: ¶yes, cite: x, why: w}}\nagency:")],
        "setting 'strict' is answered by true or false, not 'yes'",
    ),
    Slip(
        "a setting that nothing asks",
        [(PACK, "agency:", "settings: {¶strict: {question: Q, when-true: a, when-false: b, default: true, why: w, policy: true}}\nagency:")],
        "setting 'strict' is never asked; ask it in a condition, or take it away",
    ),
    Slip(
        "a phase twice",
        [(PACK, "phases: [open, waiting, closed]", "phases: [open, waiting, closed, ¶open]")],
        "phase 'open' stands here a second time; keep one of them",
    ),
    Slip(
        "mail before it is written",
        [(PACK, "agency:", "mail-waits: {minutes: ¶-1}\nagency:")],
        "mail can't leave before it is written; write 0 or more minutes",
    ),
    Slip(
        "letters opened by a way that there is not",
        [(PACK, "agency:", "opened-proves: {channels: [¶porta], note: Practice.}\nagency:")],
        "no channel 'porta'; write one of email, post, portal",
    ),
    Slip(
        "opening that proves by nobody's word",
        [(PACK, "agency:", "opened-proves: ¶{channels: [portal]}\nagency:")],
        "opened-proves needs a cite, or a note that says whose practice it is",
    ),
    Slip(
        "a letter on changed rules that there is not",
        [(PACK, "agency:", "letters-on-change: {calendar-adopted: ¶recept}\nagency:")],
        "no letter 'recept'; did you mean 'receipt'?",
    ),
    Slip(
        "a choice without values",
        [(FACTS, "reason: {type: text", "¶reason: {type: choice")],
        "fact 'reason' is a choice without values; write 'values', or 'type: text'",
    ),
    Slip(
        "values of a text",
        [(FACTS, "reason: {type: text", "reason: {¶values: [a], type: text")],
        "fact 'reason' is of type text, which takes no values; write 'type: choice' or 'type: list'",
    ),
    Slip(
        "a unit of a text",
        [(FACTS, "reason: {type: text", "reason: {unit: ¶cm, type: text")],
        "fact 'reason' is of type text, which has no unit; write 'type: number'",
    ),
    Slip("a default that does not fit", [(FACTS, "unit: cm,", "unit: cm, note: x, default: ¶thick,")], "'girth_cm' must be a number in cm, not 'thick'"),
    Slip(
        "a default that a choice never has",
        [(FACTS, "values: [owner, tenant, other],", "values: [owner, tenant, other], note: x, default: ¶nobody,")],
        "fact 'requester_capacity' can never be 'nobody'; its values: owner, tenant, other",
    ),
    Slip(
        "an unknown type of column",
        [(FACTS, "reason: {type: text", "reason: {columns: {a: ¶txt}, type: record")],
        "no type 'txt'; did you mean 'text'?; write one of text, yes-no, number, money, day, moment, choice, list",
    ),
    Slip(
        "a workflow fixes what the fact can't be",
        [(FLOW, "dispositions:", "facts: {requester_capacity: {fixed: ¶nobody}}\ndispositions:")],
        "fact 'requester_capacity' can never be 'nobody'; its values: owner, tenant, other",
    ),
    Slip(
        "a workflow fixes an unknown fact",
        [(FLOW, "dispositions:", "facts: {¶girth: {fixed: 3}}\ndispositions:")],
        "no fact 'girth'; did you mean 'girth_cm'?; a workflow's own fact needs a 'type'",
    ),
    Slip(
        "an unknown recipient",
        [(LETTERS, "receipt: {title", "receipt: {to: ¶requestor, title")],
        "no recipient 'requestor'; did you mean 'requester'?; write one of requester, agent, third-party, co-applicant, interested-person, public, copy, contractor, municipality, county, federal-agency",
    ),
    Slip("a role that approves", [(LETTERS, "receipt: {title", "receipt: {approval: ¶boss, title")], "no role 'boss'"),
    Slip("a fact of a letter", [(LETTERS, "receipt: {title", "receipt: {facts: [¶girth], title")], "no fact 'girth'; did you mean 'girth_cm'?"),
    Slip("an unknown time zone", [(CALENDAR, "zone: Europe/London", "zone: ¶Europe/Londn")], "no time zone 'Europe/Londn'; write one such as America/Chicago"),
    Slip("an office that closes before it opens", [(CALENDAR, 'closes: "17:00"', 'closes: ¶"08:00"')], "the office closes before it opens; exchange the times"),
    Slip(
        "an unknown weekday on which the office is closed",
        [(CALENDAR, "closed-on: [saturday, sunday, holidays]", "closed-on: [saturday, ¶sonday, holidays]")],
        "no weekday or day list 'sonday'; did you mean 'sunday'?",
    ),
    Slip(
        "an unknown list that a last day rolls off",
        [(CALENDAR, "rolls-off: [sunday]", "rolls-off: [¶holiday]")],
        "no weekday or day list 'holiday'; did you mean 'holidays'?",
    ),
    Slip("a month-day that no year has", [(CALENDAR, "month-day: 03-20", "month-day: ¶02-30")], "'02-30' is no day of a year; write it as 12-25"),
    Slip("a sixth Monday", [(CALENDAR, "month-day: 03-20", "nth: [¶6, monday, may]")], "'6' is no place in a month; write 1 to 5, or last"),
    Slip("an unknown weekday", [(CALENDAR, "month-day: 03-20", "nth: [1, ¶munday, may]")], "no weekday 'munday'; did you mean 'sunday'?"),
    Slip(
        "a day with two rules",
        [(CALENDAR, "- {name: Tree Day, month-day: 03-20}", "- ¶{name: Tree Day, month-day: 03-20, once: 2027-03-20}")],
        "'Tree Day' has exactly one of month-day, nth and once",
    ),
    Slip(
        "an unknown setting of a roll",
        [(CALENDAR, "rolls-off: [sunday]", "rolls-off: [{day: sunday, when: {setting: ¶strict, is: true}}]")],
        "no setting 'strict'",
    ),
    Slip("an hour of one digit", [(CALENDAR, 'opens: "09:00"', 'opens: ¶"9:00"')], "'9:00' is no time of day; write it as \"16:30\""),
    Slip(
        "a last hour that no day has",
        [(CALENDAR, "counts: day-of-arrival,", "counts: day-of-arrival, cutoff: ¶25:00,")],
        "'25:00' is no time of day; write it as \"16:30\"",
    ),
    Slip(
        "a last hour from an unknown setting", [(CALENDAR, "counts: day-of-arrival,", "counts: day-of-arrival, cutoff: {setting: ¶late},")], "no setting 'late'"
    ),
    Slip(
        "a last hour from a setting that holds none",
        [
            (PACK, "agency:", "settings: {strict: {question: Q, readings: {none: A, late: B}, default: none, cite: x, why: w}}\nagency:"),
            (CALENDAR, "counts: day-of-arrival,", "counts: day-of-arrival, cutoff: {setting: ¶strict},"),
        ],
        "the readings of setting 'strict' must be times of day, or none; 'late' is neither",
    ),
    Slip(
        "an unknown weekday on which silence waits",
        [(CALENDAR, "channels:", "silence: {waits-when-due-on: [¶saterday], cite: x}\nchannels:")],
        "no weekday 'saterday'; did you mean 'saturday'?",
    ),
    Slip(
        "two agencies",
        [(CALENDAR, "actors:\n", "¶actors:\n"), (CALENDAR, "owner: {title: the owner,", "owner: {agency: true, title: the owner,")],
        "exactly one actor is the agency, not 2; write 'agency: true' once",
    ),
    Slip(
        "a holiday without a source",
        [(CALENDAR, "    cite: Oakville order 2\n", ""), (CALENDAR, "- {name: Tree Day", "- ¶{name: Tree Day")],
        "'Tree Day' has no source; write 'cite' at the list or 'source' at the day",
    ),
    Slip(
        "an actor whose rolls have no law",
        [(CALENDAR, "owner: {title: the owner, rolls-off: [sunday], cite: Oakville order 3}", "¶owner: {title: the owner, rolls-off: [sunday]}")],
        "actor 'owner' has no cite; name the law that moves its last days, or write 'note'",
    ),
    Slip(
        "a missing role of the core",
        [(PACK, "roles:\n", "¶roles:\n"), (PACK, "  supervisor: {also: [staff]}\n", "")],
        "the role 'supervisor' is missing; the core acts for it",
    ),
    Slip("an unknown month", [(CALENDAR, "month-day: 03-20", "nth: [1, monday, ¶mai]")], "no month 'mai'; did you mean 'may'?"),
    Slip(
        "an unknown day whose Monday is a holiday too",
        [(CALENDAR, "    days:\n", "    on-sunday-only: [¶Tree Dai]\n    days:\n")],
        "no day 'Tree Dai' in this list; did you mean 'Tree Day'?",
    ),
    Slip(
        "warnings that are no numbers",
        [(PACK, "agency:", "settings: {warn: {question: Q, numbers: [7, 1], default: ¶soon, cite: x, why: w}}\nagency:")],
        "setting 'warn' is a list of whole numbers, such as [7, 1]",
    ),
    Slip(
        "a file that says not what it is",
        [("more.yaml", "", "¶lettrs: {}\n")],
        "the first word says what a file is; write one of pack, calendar, facts, letters, fees, workflow, ruleset, not 'lettrs'",
    ),
    Slip("a second calendar", [("more.yaml", "", "¶calendar: x\n")], "a second 'calendar' file; the first is calendar.yaml; keep one of them"),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place_with_what_to_write_instead(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
