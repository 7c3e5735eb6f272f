"""Random days in the office of the permits: acts in any order, typed late, voided, amended, with the scheduler and the mail between.

Whatever happens, the record replays to the stored case, no time of the department runs on in a decided case, no timer
that is due stays unfired, every limit holds, and one who is refused changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.packs.nodes import read_plain
from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap import App
from caseflow.domain import replay
from caseflow.domain.case import Act, Actor, Case
from caseflow.domain.rulebook import Rulebook
from caseflow.domain.view import run
from caseflow.errors import BadInput, LetterFault, Refused
from caseflow.services import acting, dispatching, filing
from caseflow.services.office import Office
from caseflow.services.sweeping import sweep
from caseflow.services.trying import sample_acts
from tests.conftest import PACK

LIBRARY = App().library
WRITER = LetterWriter(LIBRARY.files)
FILED = datetime(2026, 11, 30, 9, tzinfo=LIBRARY.rulebook("individual-permit", date(2026, 11, 30)).calendar.zone)
WHO = Actor("person", "pat", "supervisor")
TEXT = read_plain((PACK / "samples" / "acts.yaml").read_text(), "acts.yaml")
FLOWS = ("individual-permit", "municipal-breakwater-permit", "general-permit", "exemption-determination")
SAMPLES = ("complete", "paper", "missing-fee", "smallest")
DAYS = ("paid_on", "writing_received_on", "inspected_on", "asked_on", "held_on", "arrived_on", "site_published_on", "newspaper_on", "received_on")
ENDING = ("withdraw", "withdraw-petition", "petition-review", "find-fee-missing", "publish-on-web", "accept-expedite")
AHEAD = ("hearing_on", "until", "agreed_on")


class Desk:
    """An office with one permit case, and what chance does to it."""

    def __init__(self, flow: str, luck: random.Random) -> None:
        keys = count(1)
        self.luck, self.now = luck, FILED
        self.book: Rulebook = LIBRARY.rulebook(flow, FILED.date())
        self.acts: Mapping[str, Any] = sample_acts(TEXT, flow)
        self.office = Office(MemoryStore(), LIBRARY, WRITER, NoMail(), lambda: self.now, lambda: f"{next(keys):032x}")
        names = [name for name in SAMPLES if (PACK / "samples" / flow / f"{name}.yaml").exists()]
        name = luck.choice([*names, "complete"])
        request = {**read_plain((PACK / "samples" / flow / f"{name}.yaml").read_text(), name), "services": [flow], "filed": FILED}
        self.number = filing.file(self.office, request, Actor("person", "ann", "requester"), FILED)[0].number
        self.actions = [name for name, action in self.book.workflow.actions.items() if name != "file" and "scheduler" not in action.by]

    @property
    def case(self) -> Case:
        with self.office.store.read() as work:
            return work.case(self.number)

    def step(self) -> None:
        """One thing that someone does, some days after the last."""
        luck = self.luck
        self.now += timedelta(days=luck.choice((0, 0, 1, 2, 5, 9, 16, 31)), hours=luck.randrange(8))
        sweep(self.office, pause=lambda _: None)
        before, kind = self.case, luck.random()
        on = self.now.date() - timedelta(days=luck.choice((0, 0, 0, 0, 1, 3, 12)))
        try:
            if kind < 0.06:
                dispatching.dispatch(self.office, self.now, at_once=True)
            elif kind < 0.10:
                acting.void(self.office, self.number, luck.randint(1, before.version), "mistaken", WHO, self.now)
            elif kind < 0.14:
                acting.amend(self.office, self.number, luck.randint(1, before.version), on, "wrong day", WHO, self.now)
            else:
                here = [name for name in self.actions if before.state in self.book.machine.sources[name]]
                moving = [name for name in here if self.book.moves.get(name) or self.book.workflow.actions[name].to != "same"]
                moving = [name for name in moving if name not in ENDING or luck.random() < 0.1]
                action = luck.choice(self.actions if luck.random() < 0.1 else moving if luck.random() < 0.8 and moving else here)
                acting.act(self.office, self.number, Act(action, WHO, self.facts(action, on), on), self.now)
        except (Refused, BadInput, LetterFault):
            assert self.case == before, "a refusal changed the case"
        sweep(self.office, pause=lambda _: None)

    def facts(self, action: str, on: date) -> dict[str, Any]:
        """The sample facts of an act, its days moved to about the day on which it happens; now and then one is left out."""
        made = dict(self.acts.get(action) or {})
        for name in made:
            if name in DAYS:
                made[name] = (on + timedelta(days=self.luck.choice((0, 0, -1, 3)) if name == "received_on" else 0)).isoformat()
            elif name in AHEAD:
                made[name] = (on + timedelta(days=self.luck.choice((5, 12, 25)))).isoformat()
            elif name == "emailed_or_postmarked_on":
                made[name] = (on - timedelta(days=self.luck.choice((0, 1, 4)))).isoformat()
            elif name == "statutes_pleaded":
                made[name] = self.luck.choice((["s. 30.209"], ["s. 227.42"], ["ss. 30.209, 227.42"], ["s. 227.52"]))
        if made and self.luck.random() < 0.1:
            made.pop(self.luck.choice(sorted(made)))
        return made

    def faults(self) -> list[str]:
        """Every invariant that the record of the case breaks."""
        book, case = self.book, self.case
        with self.office.store.read() as work:
            entries = work.entries(self.number)
        found = [fault.text for fault in replay.replay_faults(book, case, entries)]
        found += [f"limit {name} is used {len(seqs)} times" for name, seqs in case.spent.items() if len(seqs) > book.workflow.limits[name].times]
        found += [f"{timer.id} is due and not fired" for timer in case.timers if timer.at <= self.now]
        if book.workflow.states[case.state].ends:
            for name, clock in book.workflow.clocks.items():
                now = run(book, case, name, self.now.date())
                if clock.actor is None and not clock.policy and clock.remind is None and now.status in ("running", "tolled"):
                    found.append(f"{name} is {now.status} in a decided case")
        return found


@pytest.mark.parametrize("flow", FLOWS)
@pytest.mark.parametrize("seed", range(12))
def test_a_permit_stands_any_order_of_acts(flow: str, seed: int) -> None:
    desk = Desk(flow, random.Random(f"{flow}:{seed}"))

    for number in range(22):
        desk.step()
        assert desk.faults() == [], f"after step {number + 1}"
