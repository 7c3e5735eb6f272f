"""What a request owes and what is given back: each line with its citation, each refund with its ground or the reason for none."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caseflow.adapters.packs.loader import load
from caseflow.domain.fees import Had, Wanted, owed_by_act, quote
from caseflow.domain.pack import Fee, FeeRef
from caseflow.errors import Refused
from tests.unit.pack_texts import FEES, FLOW, PACK, Slip, faults_of, marked, slipped, sound, spoiled
from tests.unit.small_office import Desk

SETTINGS = """
settings:
  fee_source:
    question: Does the by-law or the older order set the fee?
    readings: {by-law: The by-law., order: The order.}
    default: by-law
    cite: by-law 7
    why: The by-law is later.
  quick_fee: {question: What does haste cost?, number: 90, default: 90, cite: by-law 5, why: The council chose it.}
agency:"""
FEE_TEXT = """
fees:
  F-FELL: {title: Felling, amount: 750, amounts: [{when: {setting: fee_source, is: order}, amount: 600, cite: order 3}], cite: by-law 7}
  F-AFTER: {title: Felled before the permit, times: 2, of: [F-FELL], cite: by-law 6}
  F-NOTICE: {title: Notice by the office, amount: 150, per: notice, cite: by-law 4}
  F-QUICK: {title: Haste, amount: {setting: quick_fee}, cite: by-law 5}
refunds:
  R-FELL:
    title: Withdrawn before an answer was begun
    of: [F-FELL, F-AFTER]
    on: withdraw
    never-on: drop
    when: not-begun
    cite: by-law 8
    else: The office had begun its answer.
"""
ACTIONS = """actions:
  withdraw: {title: Withdraw, from: [open, waiting], to: closed, disposition: withdrawn, cite: by-law 8}
  drop: {title: Drop, from: [open, waiting], to: closed, disposition: dropped, cite: by-law 8}
  begin: {title: Begin the answer, from: open, to: same, cite: by-law 8}
  publish: {title: Publish a notice, from: open, to: same, fees: F-NOTICE, cite: by-law 4}
  hasten: {title: Accept haste, from: open, to: same, fees: F-QUICK, cite: by-law 5}
  approve-refund: {title: Approve a refund, by: supervisor, from: [open, waiting, closed], to: same, takes: [amount], money: refunded, cite: by-law 8}
  pay: {title: Record a payment, from: [open, waiting, closed], to: same, takes: [amount, method], money: received, cite: by-law 7}
"""
CONDITION = """conditions:
  not-begun: {text: The office had not begun its answer., cite: by-law 8, test: {none: [{done: begin}]}}
  felled: {text: The tree was felled before the request., cite: by-law 6, test: {fact: already_felled, is: true}}
"""


def files() -> dict[str, str]:
    """The small pack with fees, and acts that owe, pay and give back."""
    made = spoiled(PACK, "agency:", SETTINGS.lstrip())
    made = spoiled(FLOW, "actions:\n", "fees: [F-FELL, {fee: F-AFTER, when: felled}]\n" + ACTIONS, made)
    made = spoiled(FLOW, "conditions:\n", CONDITION, made)
    made = spoiled(FLOW, "met: decide", "met: decide\n    stopped: [withdraw, drop]", made)
    made = spoiled(FLOW, "dispositions: {", "dispositions: {withdrawn: Withdrawn, dropped: Dropped, ", made)
    made = spoiled(FLOW, "may-take: [girth_cm]", "may-take: [girth_cm, already_felled]", made)
    made = spoiled("facts.yaml", "facts:\n", "facts:\n  already_felled: {type: yes-no, title: Felled already}\n", made)
    return {**made, FEES: FEE_TEXT.lstrip()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, files())


def lines(shown: dict[str, Any]) -> dict[str, str]:
    return {line["id"]: line["amount"] for line in shown["fees"]["lines"]}


CHECK = {"method": "check", "amount": "750.00"}


# --- what is owed -------------------------------------------------------------------------------------------------


def test_the_pack_with_fees_has_no_fault() -> None:
    assert faults_of(files()) == []


def test_a_reading_chooses_the_amount_and_its_citation(desk: Desk) -> None:
    by_law = desk.app("2027-01-11").quote(_request())
    order = desk.app("2027-01-11").quote({**_request(), "settings": {"fee_source": "order"}})

    assert [(line["amount"], line["cite"]) for line in by_law["lines"]] == [("750.00", "by-law 7")]
    assert [(line["amount"], line["cite"]) for line in order["lines"]] == [("600.00", "order 3")]


def _request(**facts: Any) -> dict[str, Any]:
    from tests.unit.small_office import REQUEST

    return {**REQUEST, "facts": {**REQUEST["facts"], **facts}}


def test_work_done_before_the_permit_doubles_its_fee_as_a_line_of_its_own(desk: Desk) -> None:
    owed = desk.app("2027-01-11").quote(_request(already_felled=True))

    assert {line["id"]: line["amount"] for line in owed["lines"]} == {"F-FELL": "750.00", "F-AFTER": "750.00"}
    assert owed["total"] == "1500.00"
    assert owed["lines"][1]["text"] == "2 x 750.00 (Felling), of which 750.00 is a line of its own"
    assert owed["lines"][1]["cite"] == "by-law 6"


def test_a_multiple_in_place_of_its_base_is_the_only_line_and_knows_which_base_is_owed() -> None:
    fees = {
        "G": Fee(title="General", amount=Decimal(350), cite="x"),
        "I": Fee(title="Individual", amount=Decimal(750), cite="x"),
        "A": Fee(title="After", times=2, of=("G", "I"), in_place_of=("G", "I"), cite="x"),
    }
    refs = (FeeRef(fee="I"), FeeRef(fee="A"))

    made = quote(fees, [Wanted("s", "0", refs), Wanted("s", "1", refs)], {})

    assert [(line.id, line.amount) for line in made.lines] == [("A", "1500.00")]


def test_a_multiple_owed_by_an_act_stands_on_what_the_request_owed_before() -> None:
    fees = {"I": Fee(title="Individual", amount=Decimal(600), cite="x"), "A": Fee(title="After", times=2, of=("I",), cite="x")}

    made = owed_by_act(fees, [FeeRef(fee="A")], 4, lambda _: True, {}, {"I": Had(Decimal(750), 1)})

    assert [(line.id, line.amount, line.seq) for line in made] == [("A", "750.00", 4)]  # 750 was owed then, whatever it is today


def test_a_notice_is_paid_each_time_and_haste_once_for_the_whole_request(desk: Desk) -> None:
    first, second = (case["case"] for case in desk.file("2027-01-11", waterbodies=[{"name": "the oak"}, {"name": "the ash"}])["cases"])
    desk.act("2027-01-12", first, "publish")
    assert lines(desk.act("2027-01-13", first, "publish"))["F-NOTICE"] == "150.00"
    assert desk.app("2027-01-13").show(first)["fees"]["total"] == "1050.00"  # 750 and two notices at 150

    desk.act("2027-01-14", first, "hasten")
    desk.act("2027-01-14", second, "hasten")
    desk.act("2027-01-15", first, "hasten")

    assert desk.app("2027-01-15").show(second)["fees"]["total"] == "1140.00"  # 90 once, though three acts of two cases asked
    assert desk.app("2027-01-15").verify(None)["faults"] == []


@given(st.integers(1, 5), st.integers(1, 5), st.booleans())
def test_a_multiple_comes_to_so_many_times_its_base_in_all(waters: int, times: int, replaces: bool) -> None:
    fees = {
        "W": Fee(title="Each", amount=Decimal("12.50"), per="waterbody", cite="x"),
        "M": Fee(title="More", times=times + 1, of=("W",), in_place_of=("W",) if replaces else (), cite="x"),
    }
    refs = (FeeRef(fee="W"), FeeRef(fee="M"))

    made = quote(fees, [Wanted("s", str(n), refs) for n in range(waters)], {})

    assert made.total == Decimal("12.50") * waters * (times + 1)


# --- what is given back -------------------------------------------------------------------------------------------


def test_a_withdrawal_in_time_opens_a_task_with_amount_ground_and_citation(desk: Desk) -> None:
    case = desk.file("2027-01-11", payment=CHECK)["cases"][0]["case"]

    shown = desk.act("2027-01-12", case, "withdraw")

    [task] = shown["tasks"]
    assert task["text"] == "A refund of 750.00 is owed. Withdrawn before an answer was begun: The office had not begun its answer. (by-law 8)"
    assert (task["action"], task["for"]) == ("approve-refund", "supervisor")
    assert [(due["id"], due["owed"], due["amount"], due["cite"]) for due in shown["fees"]["refunds"]] == [("R-FELL", True, "750.00", "by-law 8")]


def test_the_doubled_fee_comes_back_with_its_base_but_never_more_than_was_paid(desk: Desk) -> None:
    double = desk.file("2027-01-11", payment={"method": "check", "amount": "1500.00"}, facts={"girth_cm": 90, "already_felled": True})["cases"][0]["case"]
    short = desk.file("2027-01-11", payment={"method": "check", "amount": "200.00"})["cases"][0]["case"]

    assert desk.act("2027-01-12", double, "withdraw")["fees"]["refunds"][0]["amount"] == "1500.00"
    assert desk.act("2027-01-12", short, "withdraw")["fees"]["refunds"][0]["amount"] == "200.00"


def test_a_later_withdrawal_a_drop_and_an_unpaid_fee_say_why_there_is_none(desk: Desk) -> None:
    late, dropped, unpaid = (desk.file("2027-01-11", payment=paid)["cases"][0]["case"] for paid in (CHECK, CHECK, None))
    desk.act("2027-01-12", late, "begin")

    for case, act, because in (
        (late, "withdraw", "The office had begun its answer."),
        (dropped, "drop", "The office had begun its answer."),
        (unpaid, "withdraw", "Nothing was paid that could be given back."),
    ):
        shown = desk.act("2027-01-13", case, act)
        assert shown["tasks"] == []
        assert [(due["owed"], due["because"]) for due in shown["fees"]["refunds"]] == [(False, because)]


def test_one_of_two_cases_withdrawn_gives_nothing_back_until_the_other_goes_too(desk: Desk) -> None:
    first, second = (case["case"] for case in desk.file("2027-01-11", waterbodies=[{"name": "the oak"}, {"name": "the ash"}], payment=CHECK)["cases"])

    one = desk.act("2027-01-12", second, "withdraw")["fees"]["refunds"]
    both = desk.act("2027-01-13", first, "withdraw")["fees"]["refunds"]

    assert [due["because"] for due in one] == [f"The fee was paid for the whole request, and {first} goes on."]
    assert [(due["case"], due["owed"], due["amount"]) for due in both] == [(first, True, "750.00"), (second, False, "0.00")]


def test_the_refund_settles_its_task_and_is_paid_once(desk: Desk) -> None:
    case = desk.file("2027-01-11", payment=CHECK)["cases"][0]["case"]
    desk.act("2027-01-12", case, "withdraw")

    with pytest.raises(Refused, match="approve-refund") as more:
        desk.act("2027-01-13", case, "approve-refund", "supervisor", amount="750.01")
    shown = desk.act("2027-01-13", case, "approve-refund", "supervisor", amount="750.00")
    with pytest.raises(Refused) as again:
        desk.act("2027-01-14", case, "approve-refund", "supervisor", amount="0.01")

    assert "only 750.00 was paid for the request and not given back" in more.value.reasons[0].text
    assert (shown["tasks"], shown["fees"]["refunded"]) == ([], "750.00")
    assert "only 0.00 was paid" in again.value.reasons[0].text


def test_a_voided_withdrawal_takes_its_refund_back(desk: Desk) -> None:
    case = desk.file("2027-01-11", payment=CHECK)["cases"][0]["case"]
    seq = desk.act("2027-01-12", case, "withdraw")["version"]

    shown = desk.app("2027-01-12").void(case, seq, "typed on the wrong case", "ann:supervisor")

    assert (shown["tasks"], shown["fees"]["refunds"], shown["state"]) == ([], [], "open")
    assert desk.app("2027-01-12").verify(None)["faults"] == []


# --- what the loader says -----------------------------------------------------------------------------------------

_AMOUNTS = "amounts: [{when: {setting: fee_source, is: order}, amount: 600, cite: order 3}]"
SLIPS = [
    Slip("a reading that is none", [(FEES, "is: order}", "is: ¶odrer}")], "setting 'fee_source' has no reading 'odrer'; its readings: by-law, order"),
    Slip("an amount without law", [(FEES, _AMOUNTS, _AMOUNTS.replace("{when", "¶{when").replace(", cite: order 3", ""))], "this amount of fee 'F-FELL' has no cite"),
    Slip("an amount below zero", [(FEES, "amount: 600", "amount: ¶-600")], "fee 'F-FELL' is below zero; write an amount of 0 or more"),
    Slip("a setting that is not there", [(FEES, "{setting: quick_fee}", "{setting: ¶quik_fee}")], "no setting 'quik_fee'; did you mean 'quick_fee'?"),
    Slip("a setting without a number", [(FEES, "{setting: quick_fee}", "{setting: ¶fee_source}")], "setting 'fee_source' holds no number"),
    Slip("a multiple of a multiple", [(FEES, "of: [F-FELL], cite", "of: [F-FELL], cite: a}\n  F-MORE: {title: M, times: 2, of: [¶F-AFTER], cite")], "is itself a multiple of others"),
    Slip("once a fee", [(FEES, "times: 2", "times: ¶1")], "1 times a fee is no multiple of it; write 2 or more"),
    Slip("a refund of no fee", [(FEES, "of: [F-FELL, F-AFTER]", "of: [¶F-FEEL, F-AFTER]")], "no fee 'F-FEEL'; did you mean 'F-FELL'?"),
    Slip("a refund by no act", [(FEES, "on: withdraw", "on: ¶withdrew")], "no action 'withdrew'; did you mean 'withdraw'?"),
    Slip("a refund by no act at all", [(FEES, "  R-FELL:", "  ¶R-FELL:"), (FEES, "    on: withdraw\n", "")], "refund 'R-FELL' names no act that gives money back; write 'on: ACTION'"),
    Slip("an act that gives and never gives", [(FEES, "never-on: drop", "never-on: ¶withdraw")], "'withdraw' stands under 'on' too; it either gives money back or never does"),
    Slip("never, and no word why", [(FEES, "    never-on", "    ¶never-on"), (FEES, "    else: The office had begun its answer.\n", "")], "does not say why it is never owed; write 'else: WORDS'"),
    Slip("a condition of no workflow that owes it", [(FEES, "when: not-begun", "when: ¶not-begn")], "no condition 'not-begn' in 'tree-permit'; did you mean 'not-begun'?"),
    Slip("nobody who pays it back", [(FEES, "  R-FELL:", "  ¶R-FELL:"), (FLOW, ", money: refunded", "")], "'tree-permit' has no act that gives money back"),
    Slip("a refund of a fee that is owed elsewhere", [(FEES, "  R-FELL:", "  ¶R-FELL:"), (FEES, "of: [F-FELL, F-AFTER]\n    on: withdraw", "of: [F-SPARE]\n    on: withdraw"), (FEES, "refunds:", "  F-SPARE: {title: S, amount: 1, cite: x}\nrefunds:")], "no workflow that owes F-SPARE has the act withdraw; the refund is never owed"),
]  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.title)
def test_a_slip_in_the_fees_is_told_at_its_place(slip: Slip) -> None:
    made = files()
    for file, old, new in slip.changes:
        made = spoiled(file, old, new, made)
    texts, place = marked(made)

    found = faults_of(texts)

    assert [(one.file, one.line, one.column) for one in found if slip.said in one.text] == [place], found


def test_a_pack_without_fees_still_loads() -> None:
    assert load(sound()).pack.fees == {}
    assert slipped(Slip("nothing", [], "")) == sound()
