"""Which cases a role sees, by the words of its pack; and how a slip in them is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from caseflow.adapters.packs.loader import load
from caseflow.domain.pack import Pack
from caseflow.services.people import roles_of
from caseflow.services.sight import EVERYTHING, Part, Sight, sight_of
from tests.unit.pack_texts import FLOW, PACK, Slip, faults_of, marked, slipped, sound

ROLES = "  staff: {}\n  supervisor: {also: [staff]}"
FLAGGED = [
    (FLOW, "dispositions: {", "flags: {sealed: Sealed}\ndispositions: {"),
    (FLOW, "  hear: {", "  seal: {title: Seal, from: open, to: same, raises: sealed, cite: Oakville by-law 8}\n  hear: {"),
]


def roles(sees: str, rest: str = "  supervisor: {also: [staff], site: [read, oversee]}") -> Slip:
    return Slip("roles", [*FLAGGED, (PACK, ROLES, f"  staff: {{site: [read], sees: {sees}}}\n{rest}")], "")


def pack(slip: Slip | None = None) -> Pack:
    return load(slipped(slip) if slip is not None else sound()).pack


def seen(packs: Sequence[Pack], role: str, person: str = "ann") -> list[str]:
    """What of one case in each way somebody sees."""
    sight = sight_of(packs, role).of(person)
    ways = {"mine": ("tree-permit", "ann", ()), "theirs": ("tree-permit", "bo", ()), "nobodys": ("tree-permit", None, ())}
    ways |= {"sealed": ("tree-permit", "ann", ("sealed",)), "foreign": ("other", "ann", ())}
    return [name for name, (flow, person, flags) in ways.items() if sight.covers(flow, person, flags)]


def test_a_role_without_narrowing_sees_everything_and_one_that_does_not_read_sees_nothing() -> None:
    assert sight_of([pack()], "staff") is EVERYTHING
    assert sight_of([pack()], "requester") == Sight(()) and seen([pack()], "requester") == []
    assert sight_of([pack(roles("{only: assigned}", "  supervisor: {also: [staff]}"))], "supervisor") == Sight(())


@pytest.mark.parametrize(
    ("sees", "what"),
    [
        ("{only: assigned}", ["mine", "sealed", "foreign"]),
        ("{not-flagged: sealed}", ["mine", "theirs", "nobodys", "foreign"]),
        ("{workflows: tree-permit}", ["mine", "theirs", "nobodys", "sealed"]),
        ("{workflows: [tree-permit], only: assigned, not-flagged: [sealed]}", ["mine"]),
    ],
)
def test_all_that_a_pack_says_of_a_role_must_hold(sees: str, what: list[str]) -> None:
    found = pack(roles(sees))
    assert seen([found], "staff") == what
    assert sight_of([found], "supervisor") is EVERYTHING, "what one role may do does not narrow another"


def test_two_packs_do_not_open_each_others_cases() -> None:
    own, other = pack(), pack(roles("{only: assigned}"))
    flow = other.workflows[0].model_copy(update={"workflow": "other"})
    other = other.model_copy(update={"workflows": (flow,), "text": other.text.model_copy(update={"roles": {"clerk": other.text.roles["staff"]}})})
    assert seen([own, other], "staff") == ["mine", "theirs", "nobodys", "sealed"]
    assert sight_of([own, other], "clerk") == Sight((Part(("other",), True),))
    assert sight_of([own, own], "staff") is EVERYTHING


def test_nobody_is_assigned_nothing_and_sees_no_case_of_nobody() -> None:
    assert not Sight((Part(None, True),), "").covers("tree-permit", "", ())
    assert not Sight((Part(None, True),), "").covers("tree-permit", None, ())


def test_a_person_carries_the_sight_of_their_role_with_their_own_name() -> None:
    role = roles_of([pack(roles("{only: assigned}"))])["staff"]
    assert role.person("ann", "Ann").sees == Sight((Part(None, True),), "ann")


SLIPS = [
    ("{workflows: [¶tree-permt]}", "no workflow 'tree-permt'; did you mean 'tree-permit'?"),
    ("{not-flagged: ¶seald}", "no flag of any workflow 'seald'; did you mean 'sealed'?"),
    ("{only: ¶mine}", "'assigned'"),
    ("{¶hides: sealed}", "hides"),
]


@pytest.mark.parametrize(("sees", "said"), SLIPS)
def test_a_slip_in_what_a_role_sees_is_told_once_at_its_place(sees: str, said: str) -> None:
    files, place = marked(slipped(roles(sees)))
    [fault] = faults_of(files)
    assert (fault.file, fault.line, fault.column) == place and said in fault.text


@pytest.mark.parametrize(
    ("role", "said"),
    [
        ("{site: [read], ¶sees: {}}", "'sees' of role 'staff' says nothing"),
        ("{site: [manage], ¶sees: {only: assigned}}", "role 'staff' reads no cases, so there is nothing to narrow"),
    ],
)
def test_a_narrowing_that_narrows_nothing_is_a_fault(role: str, said: str) -> None:
    files, place = marked(slipped(Slip("", [*FLAGGED, (PACK, "  staff: {}", f"  staff: {role}")], "")))
    [fault] = faults_of(files)
    assert (fault.file, fault.line, fault.column) == place and said in fault.text
