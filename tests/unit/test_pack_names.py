"""Every name and every shape in a workflow: a slip is told once, at its place, with what to write instead."""

from __future__ import annotations

import pytest

from tests.unit.pack_texts import FACTS, FLOW, PACK, Slip, faults_of, marked, slipped

SLIPS = [
    Slip("an unknown condition", [(FLOW, "needs: [thick-enough]", "needs: [¶thick-enouh]")], "no condition 'thick-enouh'; did you mean 'thick-enough'?"),
    Slip("an unknown fact that an act takes", [(FLOW, "may-take: [girth_cm]", "may-take: [¶girth_mm]")], "no fact 'girth_mm'; did you mean 'girth_cm'?"),
    Slip("an unknown fact in a test", [(FLOW, "test: {fact: girth_cm", "test: {fact: ¶girth_in")], "no fact 'girth_in'; did you mean 'girth_cm'?"),
    Slip("an unknown action that starts a clock", [(FLOW, "starts: file", "starts: ¶fil")], "no action 'fil'; did you mean 'file'?"),
    Slip(
        "an unknown action at the end of a clock",
        [(FLOW, "silence: fall-silent", "silence: ¶fall-silnt")],
        "no action 'fall-silnt'; did you mean 'fall-silent'?",
    ),
    Slip("an unknown action in a list of ends", [(FLOW, "met: decide", "met: [decide, ¶decline]")], "no action 'decline'; did you mean 'decide'?"),
    Slip("an unknown action that begins a hold", [(FLOW, "from: ask, until", "from: ¶aks, until")], "no action 'aks'; did you mean 'ask'?"),
    Slip("an unknown action that a limit counts", [(FLOW, "action: ask, times", "action: ¶asks, times")], "no action 'asks'; did you mean 'ask'?"),
    Slip("an unknown letter", [(FLOW, "letters: receipt", "letters: ¶reciept")], "no letter 'reciept'; did you mean 'receipt'?"),
    Slip("an unknown disposition", [(FLOW, "disposition: granted, takes", "disposition: ¶grantd, takes")], "no disposition 'grantd'; did you mean 'granted'?"),
    Slip("an unknown state to come from", [(FLOW, "from: open, to: waiting", "from: ¶opne, to: waiting")], "no state or group 'opne'; did you mean 'open'?"),
    Slip("an unknown state to go to", [(FLOW, "from: waiting, to: open", "from: waiting, to: ¶opn")], "no state 'opn'; did you mean 'open'?"),
    Slip("an unknown calendar", [(FLOW, "calendar: oakville", "calendar: ¶oakvile")], "no calendar 'oakvile'; did you mean 'oakville'?"),
    Slip("an unknown actor whose turn it is", [(FLOW, "turn: office", "turn: ¶offce")], "no actor 'offce'; did you mean 'office'?"),
    Slip(
        "an unknown actor of a clock",
        [(FLOW, "    length: {business-days: 10}", "    length: {business-days: 10}\n    actor: ¶ofice")],
        "no actor 'ofice'; did you mean 'office'?",
    ),
    Slip("an unknown clock of filing", [(FLOW, "filed-on: answer", "filed-on: ¶anser")], "no clock 'anser'; did you mean 'answer'?"),
    Slip("an unknown fee", [(FLOW, "filed-on: answer", "filed-on: answer\nfees: [¶F-TREE]")], "no fee 'F-TREE'"),
    Slip("an unknown rule set", [(FLOW, "filed-on: answer", "filed-on: answer\nrules: ¶trees")], "no rule set 'trees'"),
    Slip("an unknown flag", [(FLOW, "takes: [reason],", "takes: [reason], raises: ¶late,")], "no flag 'late'"),
    Slip("an unknown flag for what is unread", [(FLOW, "dispositions: {", "unread: ¶unred\ndispositions: {")], "no flag 'unred'"),
    Slip("an unknown setting", [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {setting: ¶strict, is: true}")], "no setting 'strict'"),
    Slip("an unknown item", [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {items: ¶T-1, are: present}")], "no item 'T-1'"),
    Slip(
        "an unknown clock in a test",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {clock: ¶answr, is: running}")],
        "no clock 'answr'; did you mean 'answer'?",
    ),
    Slip(
        "an unknown status of a clock",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {clock: answer, is: ¶runing}")],
        "no status of a clock 'runing'; did you mean 'running'?",
    ),
    Slip(
        "an unknown act in a test",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {done: ¶filed}")],
        "no action 'filed'; did you mean 'file'?",
    ),
    Slip(
        "an unknown fact to count from",
        [(FLOW, "from: ask, until", "from: {after: ask, counted-from: {fact: ¶recieved, or-else: this-act}}, until")],
        "no fact 'recieved'",
    ),
    Slip(
        "a count from a fact that is no day",
        [(FLOW, "from: ask, until", "from: {after: ask, counted-from: {fact: ¶reason}}, until")],
        "fact 'reason' is no day; a count needs a fact of type day",
    ),
    Slip(
        "an unknown state that a clock waits in",
        [(FLOW, "met: decide", "met: decide\n    waits-in: [¶waitng]")],
        "no state or group 'waitng'; did you mean 'waiting'?",
    ),
    Slip(
        "an unknown member of a group",
        [(FLOW, "dispositions:", "groups: {all: [open, ¶closd]}\ndispositions:")],
        "no state or group 'closd'; did you mean 'closed'?",
    ),
    Slip(
        "an unknown act that settles a task",
        [(FLOW, "takes: [reason],", "takes: [reason], task: {text: Look, action: ¶heer},")],
        "no action 'heer'; did you mean 'hear'?",
    ),
    Slip("an unknown role that a task is for", [(FLOW, "takes: [reason],", "takes: [reason], task: {text: Look, for: ¶boss},")], "no role 'boss'"),
    Slip(
        "an unknown member of a request that gives an item",
        [(FLOW, "dispositions:", "items: {T-1: {title: Map, given-by: ¶boundry, cite: by-law 7}}\ndispositions:")],
        "no member of a request 'boundry'; did you mean 'boundary'?",
    ),
    Slip(
        "an action that belongs to the core",
        [(FLOW, "  ask: {title", "  ¶void: {title: V, from: open, to: same, note: x}\n  ask: {title")],
        "'void' belongs to the core; choose another id",
    ),
    Slip(
        "an action from nowhere",
        [(FLOW, "  ask: {title", "  ¶look: {title: L, to: open, note: x}\n  ask: {title")],
        "action 'look' has no 'from'; name the states it is possible in",
    ),
    Slip(
        "an action to nowhere",
        [(FLOW, "  ask: {title", "  ¶look: {title: L, from: open, note: x}\n  ask: {title")],
        "action 'look' does not say where it leads; write 'to: same' if the state stays",
    ),
    Slip("filing from a state", [(FLOW, "    to: open\n", "    from: ¶open\n    to: open\n")], "filing opens the case and has no 'from'; leave it out"),
    Slip(
        "outcomes without an otherwise",
        [(FLOW, "    to: open\n", "    outcomes: ¶[{when: thick-enough, to: open}]\n")],
        "the outcomes of 'file' do not say what happens else; end them with 'otherwise: true'",
    ),
    Slip(
        "an outcome after the otherwise",
        [(FLOW, "    to: open\n", "    outcomes: [¶{otherwise: true, to: open}, {otherwise: true, to: open}]\n")],
        "'otherwise' must be the last outcome; those after it are never reached",
    ),
    Slip(
        "an outcome with neither when nor otherwise",
        [(FLOW, "    to: open\n", "    outcomes: [¶{to: open}, {otherwise: true, to: open}]\n")],
        "an outcome has either 'when' or 'otherwise: true'",
    ),
    Slip(
        "a state with an unknown phase",
        [(FLOW, "  open: {title: Open", "  open: {phase: ¶opened, title: Open")],
        "state 'open' has no phase; write one of open, waiting, closed",
    ),
    Slip("a period of no days", [(FLOW, "{business-days: 10}", "{business-days: ¶0}")], "a period of 0 business-days can't run; write a number above 0"),
    Slip("a period from a setting that holds no number", [(FLOW, "{business-days: 10}", "{business-days: {setting: ¶days_given}}")], "no setting 'days_given'"),
    Slip(
        "a moment without an act",
        [(FLOW, "starts: file", "starts: ¶{when: thick-enough}")],
        "a moment names the act that makes it: write 'after: ACTION', or 'before: ACTION' to count backwards",
    ),
    Slip(
        "an extension that does nothing",
        [(FLOW, "met: decide", "extended: [¶{by: hear, cite: x}]\n    met: decide")],
        "an extension either adds a period or goes to a day: write 'adds' or 'to'",
    ),
    Slip("a limit of none", [(FLOW, "times: 1", "times: ¶0")], "a limit allows at least 1; take the action away if it is never allowed"),
    Slip(
        "a distance of days that are the same",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: ¶{day: this-act, on: filing, at-least: {days: 1}}")],
        "'test': a day that is on another has no distance from it; write before or after with 'at-least'",
    ),
    Slip(
        "a distance in months",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {day: this-act, after: filing, at-least: ¶{months: 1}}")],
        "'at-least': the distance of two days is counted in days or weeks, not in months",
    ),
    Slip(
        "items that are not taken",
        [(FLOW, "takes: [reason],", "takes: [reason], items: ¶asks,")],
        "'ask' names items but does not take the fact 'items'; put it under 'takes' or 'may-take'",
    ),
    Slip(
        "an assignment by a fact that is not taken",
        [(FLOW, "takes: [reason],", "takes: [reason], assigns: ¶answer,")],
        "'ask' does not take the fact 'answer'; put it under 'takes'",
    ),
    Slip("an unknown word", [(FLOW, "    silence: fall-silent", "    ¶silense: fall-silent")], "there is no word 'silense' here; did you mean 'silence'?"),
    Slip(
        "an unknown word inside a test", [(FLOW, "at-least: 40, unit: cm", "at-least: 40, ¶units: cm")], "there is no word 'units' here; did you mean 'unit'?"
    ),
    Slip(
        "two operators in one test",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: ¶{fact: girth_cm, at-least: 40, at-most: 50, unit: cm}")],
        "'test': a test of a fact has exactly one of is, is-not, in, not-in, at-least, at-most, more-than, less-than, given, includes, includes-any, within, mentions",
    ),
    Slip(
        "a test of an unknown kind",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: ¶{girth_cm: 40}")],
        "'test': a test is a condition's id or has one of fact, day, days, done, clock, flag, setting, items, fees, standards, allotment, whole, ruleset, all, any, none",
    ),
    Slip(
        "a list inside a list",
        [(FLOW, "needs: [thick-enough]", "needs: [thick-enough, {any: ¶[[thick-enough]]}]")],
        "'any': a list inside a list; write all: or any: in front of the inner one",
    ),
    Slip("two units", [(FLOW, "{business-days: 10}", "¶{business-days: 10, days: 3}")], "'length': a length has exactly one unit, such as {days: 30}"),
    Slip(
        "an unknown unit",
        [(FLOW, "{business-days: 10}", "¶{bussiness-days: 10}")],
        "'length': no unit 'bussiness-days'; write one of days, business-days, weeks, months, years",
    ),
    Slip(
        "a day that is none",
        [(FLOW, "in-force: {from: 2020-01-01}", "in-force: {from: ¶2020-02-30}")],
        "'from': write a day such as 2026-04-01, not '2020-02-30'",
    ),
    Slip(
        "an unknown kind of day",
        [(FLOW, "from: ask, until", "from: {after: ask, counted-from: ¶yesterday}, until")],
        "'counted-from': a day is this-act, filing, {fact: F}, {last: ACTION}, {clock: C, day: start|unrolled|due} or {sent: LETTER}",
    ),
    Slip("a role that nobody has", [(FLOW, "by: [requester, staff]", "by: [¶requestor, staff]")], "no role 'requestor'; did you mean 'requester'?"),
    Slip("an unknown act in a list of acts", [(FLOW, "met: decide", "met: {after: [decide, ¶decline]}")], "no action 'decline'; did you mean 'decide'?"),
    Slip(
        "an unknown act that extends a clock",
        [(FLOW, "met: decide", "extended: [{by: ¶heer, adds: {days: 1}, cite: x}]\n    met: decide")],
        "no action 'heer'; did you mean 'hear'?",
    ),
    Slip("text where a number belongs", [(FLOW, "times: 1", "times: ¶once")], "'times': write a whole number, not 'once'"),
    Slip("a number where text belongs", [(FLOW, "title: Permit to fell a tree", "title: ¶7")], "'title': write text; put quotes around it, not '7'"),
    Slip(
        "an unknown kind of target",
        [(FLOW, "met: decide", "met: decide\n    target: ¶before-rol")],
        "'target': input should be 'last-open-day' or 'before-roll', not 'before-rol'",
    ),
    Slip(
        "text where a map belongs",
        [(FLOW, "dispositions: {granted: Granted, granted-by-silence: Granted by silence}", "dispositions: ¶granted")],
        "'dispositions': write names and values, such as {name: value}, not 'granted'",
    ),
    Slip(
        "a map where text belongs",
        [(FLOW, "title: Permit to fell a tree", "title: ¶{en: Permit}")],
        "'title': write text; put quotes around it, not names and values",
    ),
    Slip(
        "a second kind of part in one file",
        [(FACTS, "  reason: {type: text, title: Reason}", "  reason: {type: text, title: Reason}\n¶letters: {}")],
        "there is no word 'letters' here; did you mean 'letter'?",
    ),
    Slip(
        "a state without a phase",
        [(FLOW, "  open: {title: Open", "  ¶fresh: {title: Fresh, turn: office}\n  open: {title: Open")],
        "state 'fresh' has no phase; write one of open, waiting, closed",
    ),
    Slip(
        "a clock without a length",
        [(FLOW, "  answer:\n    title: Time to answer\n    length: {business-days: 10}\n", "  ¶answer:\n    title: Time to answer\n")],
        "clock 'answer' has no length; write one, such as 'length: {days: 30}'",
    ),
    Slip("a clock without a title", [(FLOW, "    title: Time to answer\n    length", "    ¶length")], "'title' is missing here; write it"),
    Slip(
        "a clock that never starts",
        [
            (
                FLOW,
                "  answer:\n    title: Time to answer\n    length: {business-days: 10}\n    starts: file\n",
                "  ¶answer:\n    title: Time to answer\n    length: {business-days: 10}\n",
            )
        ],
        "clock 'answer' never starts; write 'starts'",
    ),
    Slip(
        "a setting that a period takes and that is no number",
        [
            (PACK, "agency:", "settings: {strict: {question: Q, when-true: a, when-false: b, default: true, cite: x, why: w}}\nagency:"),
            (FLOW, "{business-days: 10}", "{business-days: ¶{setting: strict}}"),
        ],
        "setting 'strict' holds no number; write 'number:' in it",
    ),
    Slip("an unknown setting for warnings", [(FLOW, "met: decide", "met: decide\n    warn-before: {setting: ¶days}")], "no setting 'days'"),
    Slip("filing that leads nowhere", [(FLOW, "    to: open\n    letters", "    to: ¶same\n    letters")], "filing must lead to a state"),
    Slip(
        "a workflow without filing",
        [(FLOW, "actions:\n  file:\n    title: File\n", "¶actions:\n  submit:\n    title: File\n    from: open\n"), (FLOW, "starts: file", "starts: submit")],
        "the workflow has no action 'file'; filing opens every case",
    ),
    Slip(
        "an unknown act since which something was done",
        [(FLOW, "test: {fact: girth_cm, at-least: 40, unit: cm}", "test: {done: ask, since: ¶filing}")],
        "no action 'filing'; did you mean 'file'?",
    ),
    Slip(
        "an unknown act whose last day counts",
        [(FLOW, "from: ask, until", "from: {after: ask, counted-from: {last: ¶heer}}, until")],
        "no action 'heer'; did you mean 'hear'?",
    ),
    Slip(
        "an unknown letter whose sending counts",
        [(FLOW, "from: ask, until", "from: {after: ask, counted-from: {sent: ¶reciept}}, until")],
        "no letter 'reciept'; did you mean 'receipt'?",
    ),
    Slip(
        "an unknown clock whose day counts",
        [(FLOW, "from: ask, until", "from: {after: ask, counted-from: {clock: ¶anser, day: due}}, until")],
        "no clock 'anser'; did you mean 'answer'?",
    ),
    Slip("an unknown fee of an act", [(FLOW, "takes: [reason],", "takes: [reason], fees: ¶F-1,")], "no fee 'F-1'"),
    Slip(
        "an unknown act that promises a later start",
        [(FLOW, "starts: file", "starts: [file, {after: hear, expected-after: [¶aks]}]")],
        "no action 'aks'; did you mean 'ask'?",
    ),
    Slip(
        "a start whose own period is no time",
        [(FLOW, "starts: file", "starts: [file, {after: hear, length: {days: ¶0}, cite: x}]")],
        "a period of 0 days can't run; write a number above 0",
    ),
    Slip(
        "an unknown condition of an item",
        [(FLOW, "dispositions:", "items: {T-1: {title: Map, required: ¶thick, cite: x}}\ndispositions:")],
        "no condition 'thick'",
    ),
    Slip("an unknown condition of a letter", [(FLOW, "letters: receipt", "letters: {letter: receipt, when: ¶thick}")], "no condition 'thick'"),
    Slip(
        "an unknown condition of an outcome's letter",
        [(FLOW, "    to: open\n", "    outcomes: [{otherwise: true, to: open, letters: [{letter: answer, when: ¶thick}]}]\n")],
        "no condition 'thick'",
    ),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_is_told_once_at_its_place_with_what_to_write_instead(slip: Slip) -> None:
    files, place = marked(slipped(slip))

    assert [((fault.file, fault.line, fault.column), fault.text) for fault in faults_of(files)] == [(place, slip.said)]
