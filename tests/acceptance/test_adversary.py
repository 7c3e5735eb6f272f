"""Voids, amendments, late typing and mailings in any order: what must stay true of a confirmation, and does.

Cases run on the store in memory. A refusal is a fine answer; a wrong record, a second request or a silent end is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import count
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.packs.nodes import read_plain
from caseflow.adapters.store.mapping import encode_case
from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App
from caseflow.domain import replay
from caseflow.domain.case import Act, Actor, Case, Entry
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run
from caseflow.errors import BadInput, LetterFault, Refused
from caseflow.services import acting, dispatching, filing
from caseflow.services.office import Office
from tests.conftest import PACK

LIBRARY = App().library
BOOK: Rulebook = LIBRARY.rulebook("navigability-confirmation", date(2026, 11, 30))
WRITER = LetterWriter(LIBRARY.files)
FIRST = datetime(2026, 11, 30, 9, tzinfo=BOOK.calendar.zone)
WHO = Actor("person", "pat", "supervisor")
ACTS: Mapping[str, Any] = read_plain((PACK / "samples" / "acts.yaml").read_text(), "acts.yaml")["acts"]
SAMPLES = {name: read_plain((PACK / "samples" / BOOK.workflow.workflow / f"{name}.yaml").read_text(), name) for name in ("complete", "missing-items")}
CLOSING = {"navigability-confirmation", "navigability-determination", "dismissal", "withdrawal", "not-available"}
CLOSING |= {"petition-denied", "declaratory-ruling", "dispute-withdrawn"}
DAYS = ("paid_on", "writing_received_on", "petition_received_on", "inspected_on", "asked_on", "held_on", "tested_on")
LIKELY = ("request-information", "accept-information", "record-partial-response", "take-over", "record-inspection", "give-weather-notice", "clear-conditions")
STEPS = {name for name, action in BOOK.workflow.actions.items() if action.to != "same"}
ACTIONS = sorted(name for name, action in BOOK.workflow.actions.items() if name != "file" and action.by != ("scheduler",))

bounded = settings(phases=[Phase.generate, Phase.shrink], deadline=None, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


class Move(NamedTuple):
    """One thing that someone does: some days after the last, effective some days back."""

    kind: str
    action: str
    later: int
    back: int
    pick: int


moves = st.builds(
    Move,
    st.sampled_from(["act"] * 6 + ["void", "amend", "dispatch"]),
    st.sampled_from(ACTIONS) | st.sampled_from(LIKELY) | st.sampled_from(["concur", "determine", "dismiss", "withdraw", "exclude", "dispute", "rescind"]),
    st.integers(0, 16),
    st.integers(0, 14) | st.just(0),
    st.integers(0, 99),
)


class Desk:
    """An office with one case, and what is done to it."""

    def __init__(self, sample: str, filed: datetime = FIRST) -> None:
        keys = count(1)
        self.now = filed
        self.office = Office(MemoryStore(), LIBRARY, WRITER, NoMail(), lambda: self.now, lambda: f"{next(keys):032x}")
        request = {**SAMPLES[sample], "services": [BOOK.workflow.workflow], "filed": filed}
        self.number = filing.file(self.office, request, Actor("person", "ann", "requester"), filed)[0].number

    @property
    def case(self) -> Case:
        with self.office.store.read() as work:
            return work.case(self.number)

    @property
    def entries(self) -> tuple[Entry, ...]:
        with self.office.store.read() as work:
            return work.entries(self.number)

    def today(self) -> date:
        return BOOK.calendar.local_day(self.now)

    def move(self, move: Move) -> bool:
        """Whether it was done; a refusal changes nothing."""
        self.now += timedelta(days=move.later)
        on = self.today() - timedelta(days=move.back)
        seq = 1 + move.pick % self.case.version
        try:
            if move.kind == "dispatch":
                dispatching.dispatch(self.office, self.now, at_once=True)
            elif move.kind == "void":
                acting.void(self.office, self.number, seq, "mistaken", WHO, self.now)
            elif move.kind == "amend":
                acting.amend(self.office, self.number, seq, on, "wrong day", WHO, self.now)
            else:
                self.type(move.action, facts_of(move.action, on), on)
        except (Refused, BadInput, LetterFault):
            return False
        return True

    def possible(self, pick: int) -> str:
        """One of the actions that the state allows and that change it or a clock."""
        allowed = [name for name in ACTIONS if self.case.state in BOOK.machine.sources[name] and (BOOK.moves.get(name) or name in STEPS)]
        return allowed[(pick + self.case.version) % len(allowed)]

    def type(self, action: str, facts: Mapping[str, Any], on: date) -> None:
        acting.act(self.office, self.number, Act(action, WHO, facts, on), self.now)


def facts_of(action: str, on: date) -> dict[str, Any]:
    """The sample facts of an action, its days moved to the day on which it happens."""
    return {name: on.isoformat() if name in DAYS else value for name, value in (ACTS.get(action) or {}).items()}


# --- what must stay true ------------------------------------------------------------------------------------------


def faults_of(desk: Desk) -> list[str]:
    """Every invariant that the record of a case breaks."""
    case, entries = desk.case, desk.entries
    folded = replay.fold(BOOK, entries)
    found = [fault.text for fault in replay.replay_faults(BOOK, case, entries)]
    if encode_case(folded.case) != encode_case(case):
        found.append("replaying the entries gives other bytes than the stored case")
    return found + _second_request(case, entries) + _running_when_decided(case, desk.today()) + _closings(entries, folded)


def _second_request(case: Case, entries: tuple[Entry, ...]) -> list[str]:
    closed, sent = replay.standing(entries).closed, replay.standing(entries).sent
    asked = [entry for entry in entries if entry.action == "request-information"]
    used = [entry for entry in asked if entry.seq not in closed or any(number in sent for _, number in entry.facts["letters"])]
    found = ["information was asked for twice"] if len(used) > 1 else []
    return found + (["the limit is not what was asked"] if case.spent.get("one-request", ()) != tuple(entry.seq for entry in used) else [])


def _running_when_decided(case: Case, today: date) -> list[str]:
    if case.state != "decided":
        return []
    own = [name for name, clock in BOOK.workflow.clocks.items() if clock.actor in (None, BOOK.calendar.agency)]
    return [f"'{name}' runs though the case is decided" for name in own if run(BOOK, case, name, today).status in ("running", "tolled")]


def _closings(entries: tuple[Entry, ...], folded: replay.Folded) -> list[str]:
    """Each standing entry that leads into `decided` owes one closing letter, and no other closes anything."""
    found, before = [], ""
    for seq, after in folded.steps.items():
        closing = [name for name, _ in entries[seq - 1].facts.get("letters") or () if name in CLOSING] if entries[seq - 1].action != "letter-sent" else []
        wanted = int(after.state == "decided" and before != "decided")
        if len(closing) != wanted:
            found.append(f"entry {seq} ({entries[seq - 1].action}) from '{before}' to '{after.state}' issues {closing}")
        before = after.state
    return found


@settings(bounded, max_examples=160)
@given(st.sampled_from(sorted(SAMPLES)), st.lists(moves, min_size=6, max_size=16))
def test_no_order_of_acts_voids_amendments_and_mailings_breaks_the_record(sample: str, played: list[Move]) -> None:
    desk = Desk(sample)
    for move in played:
        was = encode_case(desk.case)
        done = desk.move(move)

        assert faults_of(desk) == [], move
        assert done or move.kind == "dispatch" or _only_timers_fired(was, desk), move


def _only_timers_fired(was: bytes, desk: Desk) -> bool:
    """A refused move leaves the case as it was, but for what had run out by then."""
    return encode_case(desk.case) == was or desk.entries[-1].actor.kind == "scheduler"


# --- the order of typing ------------------------------------------------------------------------------------------


@settings(bounded, max_examples=120)
@given(st.sampled_from(sorted(SAMPLES)), st.lists(moves, min_size=3, max_size=12), st.integers(0, 999))
def test_the_same_dated_facts_typed_in_another_order_give_the_same_clocks(sample: str, played: list[Move], seed: int) -> None:
    first = Desk(sample)
    typed = []
    for move in played:
        move = move._replace(kind="act", action=first.possible(move.pick), later=move.later + 1, back=0)
        if first.move(move):
            typed.append((first.today(), move.action))
    late = Desk(sample)
    late.now = first.now
    assume(_type_in_another_order(late, typed, Random(seed)))
    acting.catch_up(first.office, first.number, first.now)
    acting.catch_up(late.office, late.number, late.now)

    assert clocks_of(late) == clocks_of(first)
    assert faults_of(late) == []


def _type_in_another_order(desk: Desk, facts: list[tuple[date, str]], luck: Random) -> bool:
    """Everything at the last moment, some of it late. No where two facts refuse each other in this order."""
    waiting: list[tuple[date, str]] = []
    for fact in facts:
        if luck.random() < 0.5:
            waiting.append(fact)
        elif not _typed(desk, fact):
            waiting = [one for one in waiting if not _typed(desk, one)]
            waiting += [] if _typed(desk, fact) else [fact]
        luck.shuffle(waiting)
    for _ in range(len(waiting) + 1):
        waiting = [fact for fact in sorted(waiting) if not _typed(desk, fact)]
    return not waiting


def _typed(desk: Desk, fact: tuple[date, str]) -> bool:
    on, action = fact
    try:
        desk.type(action, facts_of(action, on), on)
    except Refused:
        return False
    return True


def clocks_of(desk: Desk) -> dict[str, Any]:
    """Every clock on the present day, without the numbers of entries. A reminder shows what the scheduler did, no fact."""
    case = desk.case
    found: dict[str, Any] = {"state": case.state}
    for name in (name for name, clock in BOOK.workflow.clocks.items() if not clock.remind):
        now = run(BOOK, case, name, desk.today())
        held = [(hold.from_, hold.to) for hold in now.held]
        found[name] = (now.status, now.start, now.unrolled, now.due, now.target, now.used, now.left, now.missed_by, now.displaced_on, held)
    return found


# --- the invariants can fail --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["the limit is forgotten", "the clock goes on", "the letter is dropped", "a day is falsified"])
def test_a_planted_fault_breaks_an_invariant(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk("complete")
    desk.move(Move("act", "request-information", 2, 0, 1))
    desk.move(Move("act", "accept-information", 2, 0, 1))
    desk.move(Move("act", "concur", 2, 0, 1))
    assert (desk.case.state, faults_of(desk)) == ("decided", [])
    case, entries = desk.case, desk.entries
    if fault == "the limit is forgotten":
        case.spent.clear()
        assert "the limit is not what was asked" in faults_of(desk)
    elif fault == "the clock goes on":
        goes_on = BOOK.workflow.clocks["determination"].model_copy(update={"met": (), "stopped": ()})
        monkeypatch.setitem(BOOK.workflow.clocks, "determination", goes_on)
        object.__setattr__(case, "marks", tuple(mark for mark in case.marks if mark.kind not in ("met", "stop")))
        assert "'determination' runs though the case is decided" in faults_of(desk)
    elif fault == "the letter is dropped":
        entries[-1].facts["letters"].clear()
        assert any("issues []" in text for text in faults_of(desk))
    else:
        object.__setattr__(entries[1], "effective_on", entries[1].effective_on + timedelta(days=1))
        assert "replaying the entries gives other bytes than the stored case" in faults_of(desk)
