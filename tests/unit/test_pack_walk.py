"""The state space, clocks, holds, letters and what nothing uses: a slip is told once, at its place."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import FACTS, FLOW, LETTERS, PACK, Slip, faults_of, marked, slipped

SLIPS = [
    Slip(
        "a state that nothing leads to",
        [(FLOW, "  waiting: {title", "  ¶early: {title: C, phase: closed, turn: nobody}\n  waiting: {title")],
        "state 'early' can't be reached; lead an action to it or take it away",
    ),
    Slip(
        "a workflow that never ends",
        [(FLOW, "states:\n", "¶states:\n"), (FLOW, "turn: nobody, ends: true,", "turn: nobody,")],
        "no state ends the case; write 'ends: true' in one",
    ),
    Slip(
        "a state that has no way out",
        [
            (FLOW, "  waiting: {title", "  ¶waiting: {title"),
            (FLOW, "from: waiting, to: open", "from: waiting, to: same"),
            (FLOW, "met: decide", "met: decide\n    waits-in: waiting"),
        ],
        "no way leads from 'waiting' to the end of a case; add an action from it",
    ),
    Slip(
        "an act that closes the case without a disposition",
        [(FLOW, "  decide: {title: Decide, from: open, to: closed, disposition: granted,", "  ¶decide: {title: Decide, from: open, to: closed,")],
        "action 'decide' closes the case ('closed') but gives no disposition",
    ),
    Slip(
        "an outcome that closes the case without a disposition",
        [
            (
                FLOW,
                "  decide: {title: Decide, from: open, to: closed, disposition: granted,",
                "  decide: {title: Decide, from: open, outcomes: [{when: thick-enough, to: closed, disposition: granted}, ¶{otherwise: true, to: closed}],",
            )
        ],
        "action 'decide' closes the case ('closed') but gives no disposition",
    ),
    Slip(
        "an act of the clock that staff would do",
        [(FLOW, "fall-silent: {title: Granted by silence, by: scheduler", "fall-silent: {title: Granted by silence, by: ¶staff")],
        "'fall-silent' is fired by the scheduler, but the action says by: staff",
    ),
    Slip(
        "an act of the scheduler that no clock asks for",
        [(FLOW, "  ask: {title", "  ¶look: {title: L, by: scheduler, from: open, to: same, note: x}\n  ask: {title")],
        "only the scheduler may do 'look', but no clock ever asks for it",
    ),
    Slip(
        "a fact that the scheduler can't state",
        [(FLOW, "letters: granted-by-silence, cite", "letters: granted-by-silence, takes: ¶reason, cite")],
        "the scheduler fires 'fall-silent' and can't state 'reason'; move it to 'may-take'",
    ),
    Slip(
        "two states on one place of the diagram",
        [(FLOW, "open: {title: Open", "open: {place: [1, 1], title: Open"), (FLOW, "closed: {title: Closed", "closed: {place: ¶[1, 1], title: Closed")],
        "states 'open' and 'closed' lie on the same place of the diagram; move one",
    ),
    Slip(
        "a clock that nothing ends",
        [(FLOW, "  answer:\n    title: Time", "  ¶answer:\n    title: Time"), (FLOW, "    met: decide\n", "")],
        "nothing ends clock 'answer'; say what the clock asks for under 'met'",
    ),
    Slip(
        "a clock that outlives the case",
        [
            (FLOW, "  ask: {title", "  drop: {title: D, from: open, to: closed, disposition: granted, note: x}\n  ask: {title"),
            (FLOW, "  answer:\n    title: Time", "  ¶answer:\n    title: Time"),
        ],
        "clock 'answer' still runs in 'closed' after 'drop'; put 'drop' under 'met' or 'stopped'",
    ),
    Slip(
        "a clock that runs out where its act is not allowed",
        [(FLOW, "    silence: fall-silent", "    ¶silence: fall-silent"), (FLOW, "    holds: [{from: ask, until: hear, cite: Oakville by-law 7}]\n", "")],
        "clock 'answer' can run out in waiting (after 'ask'), where 'fall-silent' is not allowed; stop the clock on the way there, allow the action there, or say waits-in: [waiting]",
    ),
    Slip(
        "a clock whose hold may begin after its last day",
        [
            (FACTS, "facts:\n", "facts:\n  came_on: {type: day}\n"),
            (FLOW, "takes: [reason]", "takes: [reason, came_on]"),
            (FLOW, "from: ask, until", "from: {after: ask, counted-from: {fact: came_on}}, until"),
            (FLOW, "    silence: fall-silent", "    ¶silence: fall-silent"),
        ],
        "clock 'answer' can run out in waiting (after 'ask'), where 'fall-silent' is not allowed; stop the clock on the way there, allow the action there, or say waits-in: [waiting]",
    ),
    Slip(
        "a clock that tells nobody",
        [
            (
                FLOW,
                "  answer:\n    title: Time to answer",
                "  ¶reply:\n    title: R\n    length: {days: 3}\n    starts: file\n    met: decide\n    stopped: fall-silent\n    cite: x\n  answer:\n    title: Time to answer",
            )
        ],
        "when clock 'reply' runs out nobody is told; write 'overdue', 'silence' or 'alert: true'",
    ),
    Slip(
        "a clock of the office's own that only some ends of the case stop",
        [
            (
                FLOW,
                "  answer:\n    title: Time to answer",
                "  ¶reply:\n    title: R\n    length: {days: 3}\n    starts: file\n    met: decide\n    policy: true\n    alert: true\n    cite: x\n"
                "  answer:\n    title: Time to answer",
            )
        ],
        "clock 'reply' still runs in 'closed' after 'fall-silent'; put 'fall-silent' under 'met' or 'stopped'",
    ),
    Slip(
        "two holds that begin with one act",
        [(FLOW, "[{from: ask, until: hear, cite: Oakville by-law 7}]", "[{from: ask, until: hear, cite: x}, ¶{from: ask, until: decide, cite: x}]")],
        "two holds of 'answer' begin with 'ask'; when one ends the other would stay open for ever. Put both ends into one 'until'",
    ),
    Slip(
        "a hold without an end",
        [(FLOW, "[{from: ask, until: hear, cite: Oakville by-law 7}]", "[¶{from: ask, until: [], cite: x}]")],
        "nothing ends a hold of 'answer'; write 'until'",
    ),
    Slip(
        "a hold without a citation",
        [(FLOW, "[{from: ask, until: hear, cite: Oakville by-law 7}]", "[¶{from: ask, until: hear}]")],
        "a hold of 'answer' has no cite; name the law that stops the time",
    ),
    Slip(
        "a hold with an end that is not possible while it is open",
        [
            (FLOW, "[{from: ask, until: hear, cite: Oakville by-law 7}]", "[{from: ask, until: [hear, ¶look], cite: x}]"),
            (FLOW, "  ask: {title", "  look: {title: L, from: closed, to: same, note: x}\n  ask: {title"),
        ],
        "'look' ends a hold of 'answer' but is not possible while it is open; allow it there, or take it away",
    ),
    Slip(
        "a hold that stays open where its end is not possible",
        [(FLOW, "    holds: [", "    ¶holds: ["), (FLOW, "  ask: {title", "  skip: {title: L, from: waiting, to: open, note: x}\n  ask: {title")],
        "a hold of 'answer' can never end in open; allow the act that ends it there",
    ),
    Slip(
        "a hold that one reading of a setting leaves open",
        [
            (PACK, "agency:", "settings: {strict: {question: Q, when-true: a, when-false: b, default: true, cite: x, why: w}}\nagency:"),
            (FLOW, "conditions:\n", "conditions:\n  mild: {text: M, cite: x, test: {any: [{setting: strict, is: false}]}}\n"),
            (FLOW, "    holds: [", "    ¶holds: ["),
            (FLOW, "until: hear,", "until: {after: hear, when: mild},"),
        ],
        "a hold of 'answer' can never end in open, waiting where setting 'strict' is true; allow the act that ends it there",
    ),
    Slip(
        "a letter that nobody owes",
        [(LETTERS, "letters:\n", "letters:\n  ¶more: {title: M, cite: x}\n")],
        "letter 'more' is never owed; name it in an action or take it away",
    ),
    Slip(
        "a letter without a template",
        [(LETTERS, "letters:\n", "letters:\n  ¶more: {title: M, cite: x}\n"), (FLOW, "takes: [reason],", "takes: [reason], letters: more,")],
        "letter 'more' has no template; write templates/letters/oakville/more.md",
    ),
    Slip(
        "a letter whose template does not mark what it states",
        [(LETTERS, "states: [last day]", "states: [last day, ¶the price]")],
        "the template of 'receipt' does not mark where it states 'the price'; write {# states: the price #} there",
    ),
    Slip(
        "a clock that outlives the case it was canceled in and started again",
        [
            (FLOW, "  answer:\n    title: Time", "  ¶answer:\n    title: Time"),
            (FLOW, "met: decide", "met: decide\n    canceled: hear"),
            (FLOW, "starts: file", "starts: [file, ask]"),
            (FLOW, "  ask: {title", "  drop: {title: D, from: waiting, to: closed, disposition: granted, note: x}\n  ask: {title"),
            (FLOW, "    holds: [{from: ask, until: hear, cite: Oakville by-law 7}]\n", ""),
            (FLOW, "    silence: fall-silent", "    silence: fall-silent\n    waits-in: waiting"),
        ],
        "clock 'answer' still runs in 'closed' after 'drop'; put 'drop' under 'met' or 'stopped'",
    ),
    Slip(
        "a hold that one pair of readings leaves open",
        [
            (
                PACK,
                "agency:",
                "settings: {strict: {question: Q, when-true: a, when-false: b, default: true, cite: x, why: w}, mode: {question: Q, readings: {a: A, b: B}, default: a, cite: x, why: w}}\nagency:",
            ),
            (FLOW, "    holds: [", "    ¶holds: ["),
            (
                FLOW,
                "until: hear,",
                "until: [{after: hear, when: {setting: strict, is: true}}, {after: hear, when: [{setting: strict, is: false}, {setting: mode, is: a}]}],",
            ),
        ],
        "a hold of 'answer' can never end in open, waiting where setting 'strict' is false and setting 'mode' is b; allow the act that ends it there",
    ),
    Slip(
        "a condition that nothing asks",
        [(FLOW, "conditions:\n", "conditions:\n  ¶fresh: {text: F, cite: x, test: {done: ask}}\n")],
        "condition 'fresh' is never asked; use it or take it away",
    ),
    Slip(
        "a flag that nothing raises", [(FLOW, "conditions:\n", "flags: {¶late: Late}\nconditions:\n")], "flag 'late' is never raised; raise it or take it away"
    ),
    Slip(
        "a disposition that nothing gives",
        [(FLOW, "dispositions: {", "dispositions: {¶denied: Denied, ")],
        "disposition 'denied' is never given; give it in an action or take it away",
    ),
    Slip(
        "a group that nothing names",
        [(FLOW, "conditions:\n", "groups: {¶early: [open]}\nconditions:\n")],
        "group 'early' is never named; use it or take it away",
    ),
    Slip(
        "a setting that nothing asks",
        [(PACK, "agency:", "settings: {¶strict: {question: Q, when-true: a, when-false: b, default: true, cite: x, why: w}}\nagency:")],
        "setting 'strict' is never asked; ask it in a condition, or take it away",
    ),
    Slip(
        "a fact that nothing takes, asks or writes",
        [(FACTS, "facts:\n", "facts:\n  ¶mayor: {title: M}\n")],
        "fact 'mayor' is never taken, asked or written; use it or take it away",
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place_with_what_to_write_instead(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
