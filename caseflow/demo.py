"""A sample docket, rehearsed from October to June on an embedded database: what the program does, to look at.

Stories are drawn from a seed: services, holds, weather, disputes, withdrawals, late decisions and two outages of the
scheduler. Facts come from the example acts of the first pack in the folder; nothing here knows what they mean.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from caseflow.bootstrap import App
from caseflow.domain.case import Act, Actor
from caseflow.errors import CaseflowError
from caseflow.services import acting, docket, filing, reading
from caseflow.services.dispatching import dispatch
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.sweeping import sweep

FIRST, LAST = date(2026, 10, 1), date(2027, 6, 30)
REQUESTS, SEED = 220, 30017
OUTAGES = ((date(2026, 12, 22), date(2027, 1, 4)), (date(2027, 3, 12), date(2027, 3, 16)))
WATERS = ("Mill Creek", "Otter Lake", "Sugar River", "Long Slough", "Bass Lake", "Plum Creek", "Heron Pond", "Stony Brook", "Kettle Lake", "Alder Run")
COUNTIES = ("Dane", "Vilas", "Door", "Sauk", "Oneida", "Rock", "Polk", "Iron", "Grant", "Waupaca")
FAMILIES = ("Larsen", "Vang", "Schmidt", "Lindquist", "Moua", "Kowalski", "Ortiz", "Baker", "Nowak", "Olson")
GIVEN = ("Ann", "Bo", "Casey", "Dana", "Erik", "Fay", "Gus", "Hana", "Ivo", "June")
PEOPLE = ("r.vang", "m.olson", "t.ruiz")


@dataclass(order=True)
class _Event:
    at: datetime
    number: int
    case: str = field(compare=False)
    action: str = field(compare=False)
    facts: Mapping[str, Any] = field(compare=False)
    role: str = field(compare=False, default="staff")


class _Clock:
    """The virtual present moment."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment


def make(folder: Path, progress: Progress = quiet) -> dict[str, Any]:
    """Rehearses the docket and writes letters, timelines and a board into the folder, which it empties first."""
    began = time.perf_counter()
    _emptied(folder)
    app = App(database=f"sqlite:///{folder / 'caseflow.db'}", maildrop=str(folder / "letters"))
    app.store.upgrade()
    pack = app.library.all()[0]
    zone = app.library.rulebook(pack.workflows[0].workflow, FIRST).calendar.zone
    clock = _Clock(datetime.combine(FIRST, datetime.min.time(), zone))
    base = app.office
    office = Office(base.store, base.packs, base.letters, base.mail, clock, base.key)
    play = _Play(app, office, clock, random.Random(SEED))
    day = FIRST
    while day <= LAST:
        play.live(day)
        progress((day - FIRST).days, (LAST - FIRST).days, "days")
        day += timedelta(days=1)
    return _written(office, folder, play, time.perf_counter() - began)


def _emptied(folder: Path) -> None:
    try:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
    except OSError as error:
        raise CaseflowError(f"The folder {folder} can't be written ({error.strerror}); name another with --folder.") from None


class _Play:
    def __init__(self, app: App, office: Office, clock: _Clock, luck: random.Random) -> None:
        self.app, self.office, self.clock, self.luck = app, office, clock, luck
        pack = app.library.all()[0]
        self.flows = [flow.workflow for flow in pack.workflows]
        samples = app.library.folder_of(self.flows[0]) / "samples"
        self.samples = {name: app.read_yaml(str(samples / name / "complete.yaml")) for name in self.flows}
        self.acts: Mapping[str, Mapping[str, Any]] = app.read_yaml(str(samples / "acts.yaml"))["acts"]
        days = (LAST - FIRST).days - 20
        self.filings = sorted(FIRST + timedelta(days=int(luck.random() ** 1.3 * days)) for _ in range(REQUESTS))
        self.events: list[_Event] = []
        self.requests = self.refused = self.number = 0

    def live(self, day: date) -> None:
        """One day: the scheduler in the night (unless it is down), the office by day, the mail in the afternoon."""
        self._at(day, 6)
        if not any(first <= day < last for first, last in OUTAGES):
            sweep(self.office, pause=lambda _: None)
        while self.filings and self.filings[0] <= day:
            self.filings.pop(0)
            self._file(day)
        self.events.sort()
        while self.events and self.events[0].at.date() <= day:
            self._act(self.events.pop(0))
        self._at(day, 17)
        if day.weekday() < 5:
            dispatch(self.office)

    def _at(self, day: date, hour: int) -> None:
        self.clock.moment = datetime.combine(day, datetime.min.time().replace(hour=hour), self.clock.moment.tzinfo)

    def _file(self, day: date) -> None:
        luck = self.luck
        self._at(day, 9 + luck.randrange(6))
        service = luck.choice(self.flows)
        name = f"{luck.choice(GIVEN)} {luck.choice(FAMILIES)}"
        sample = self.samples[service]
        water = {"name": luck.choice(WATERS), "county": luck.choice(COUNTIES), "wbic": str(1000000 + luck.randrange(900000))}
        waters = [water]
        if luck.random() < 0.1:
            waters.append({**water, "name": luck.choice(WATERS), "wbic": str(1000000 + luck.randrange(900000))})
        request: dict[str, Any] = {
            **sample,
            "requester": {**sample["requester"], "name": name, "email": f"{name.split()[0].lower()}@example.org"},
            "waterbodies": waters,
            "filed": self.clock.moment,
        }
        request["payment"] = {"method": luck.choice(("check", "check", "electronic")), "amount": self._fee(request)}
        if luck.random() < 0.08:
            request["payment"] = None
        if luck.random() < 0.05:
            request["in_form"] = False
        try:
            cases = filing.file(self.office, request, Actor("person", name.lower().replace(" ", "."), "requester"), self.clock.moment)
        except CaseflowError:
            self.refused += 1
            return
        self.requests += 1
        for case in cases:
            self._story(case.number, case.workflow, case.state, day)

    def _fee(self, request: Mapping[str, Any]) -> str:
        read, books = filing.read(self.office, {**request, "payment": {"method": "electronic", "amount": 0}}, self.clock.moment)
        return f"{filing.fee_of(read, books).total:.2f}"

    def _plan(self, case: str, day: date, days: float, action: str, role: str = "staff", **facts: Any) -> date:
        when = day + timedelta(days=max(0, round(days)))
        self.number += 1
        given = {**(self.acts.get(action) or {}), **facts}
        moment = datetime.combine(when, datetime.min.time().replace(hour=10), self.clock.moment.tzinfo)
        self.events.append(_Event(moment, self.number, case, action, given, role))
        return when

    def _story(self, case: str, workflow: str, state: str, day: date) -> None:
        """What will happen to a case, as far as its workflow allows it; what is not legal then is refused and counted."""
        luck = self.luck
        flow = self.app.library.rulebook(workflow, day).workflow
        items = [name for name in flow.items if not flow.items[name].given_by]
        self._plan(case, day, 1, "assign", assignee=luck.choice(PEOPLE))
        if state == "incomplete":
            paid = (day + timedelta(days=8)).isoformat()
            self._plan(case, day, 8, "receive-fee", amount="800.00", paid_on=paid)
            self._plan(case, day, 8, "record-payment", amount="800.00", paid_on=paid)
            day = self._plan(case, day, 9, "receive-supplement")
        kind = luck.random()
        asked = luck.sample(items, min(len(items), 1 + luck.randrange(3)))
        if "grant-petition" in flow.actions and "determine" not in flow.actions:
            self._petition(case, day + timedelta(days=12), kind)
        elif kind < 0.06:
            self._plan(case, day, 5 + luck.randrange(30), "withdraw", writing_received_on=day.isoformat())
        elif kind < 0.11:
            self._plan(case, day, 10 + luck.randrange(20), "dismiss")
        elif kind < 0.14:
            self._plan(case, day, 4, "exclude")
        elif "concur" in flow.actions and kind < 0.75:
            self._confirmation(case, day, kind, asked)
        else:
            self._inspection(case, day, "take-over" in flow.actions)

    def _confirmation(self, case: str, day: date, kind: float, asked: list[str]) -> None:
        luck = self.luck
        if kind < 0.4:
            day = self._plan(case, day, 6 + luck.randrange(12), "request-information", items=asked)
            if kind < 0.25:
                day = self._plan(case, day, 5 + luck.randrange(20), "record-partial-response", items=asked[:1])
            day = self._plan(case, day, 4 + luck.randrange(50), "accept-information", items=asked)
        self._plan(case, day, 5 + luck.randrange(32), "concur")

    def _inspection(self, case: str, day: date, taken: bool) -> None:
        luck = self.luck
        if taken:
            day = self._plan(case, day, 8 + luck.randrange(12), "take-over")
        if luck.random() < 0.06:
            self._plan(case, day, 2, "accept-expedite", asked_on=day.isoformat(), agreed_on=(day + timedelta(days=20)).isoformat())
        winter = day.month in (11, 12, 1, 2)
        if winter and luck.random() < 0.6:
            day = self._plan(case, day, 10 + luck.randrange(12), "give-weather-notice")
            day = self._plan(case, date(2027, 4, 5), luck.randrange(15), "clear-conditions")
        day = self._plan(case, day, 6 + luck.randrange(20), "schedule-inspection")
        day = self._plan(case, day, 7, "record-inspection", inspected_on=(day + timedelta(days=7)).isoformat())
        decided = self._plan(case, day, 2 + luck.randrange(40), "determine")
        if luck.random() < 0.2:
            route = luck.choice(("in-fact", "ruling", "hearing", "court"))
            facts: dict[str, Any] = {"route": route, "petition_received_on": (decided + timedelta(days=15)).isoformat()}
            if route == "in-fact":
                facts["payment"] = {"method": "check", "amount": "800.00"}
            self._plan(case, decided, 15, "dispute", "public", **facts)
            self._petition(case, decided + timedelta(days=22), luck.random())

    def _petition(self, case: str, day: date, kind: float) -> None:
        luck = self.luck
        if kind < 0.15:
            return
        if kind < 0.35:
            self._plan(case, day, luck.randrange(10), "deny-petition")
        elif kind < 0.45:
            self._plan(case, day, 4, "withdraw-dispute", writing_received_on=day.isoformat())
        else:
            day = self._plan(case, day, 2, "grant-petition", hearing_on=(day + timedelta(days=30)).isoformat())
            self._plan(case, day, 20, "record-watercraft-test", tested_on=(day + timedelta(days=20)).isoformat())
            day = self._plan(case, day, 30, "record-hearing", held_on=(day + timedelta(days=30)).isoformat())
            self._plan(case, day, 10 + luck.randrange(20), "issue-ruling")

    def _act(self, event: _Event) -> None:
        self.clock.moment = max(event.at, self.clock.moment)
        actor = Actor("person", self.luck.choice(PEOPLE) if event.role == "staff" else event.role, event.role)
        facts = dict(event.facts)
        if event.action == "receive-supplement":
            with self.office.store.read() as work:
                items = work.case(event.case).items
            facts["items"] = [name for name, item in items.items() if item.status in ("missing", "asked")]
        try:
            acting.act(self.office, event.case, Act(event.action, actor, facts), self.clock.moment)
        except CaseflowError:
            self.refused += 1


def _written(office: Office, folder: Path, play: _Play, seconds: float) -> dict[str, Any]:
    board = docket.board(office, LAST)
    (folder / "board.json").write_text(json.dumps(board, indent=1))
    timelines = folder / "timelines"
    timelines.mkdir()
    entries, shown = 0, ("", 0)
    for number in office.store.numbers():
        rows = reading.timeline(office, number)
        entries += len(rows)
        shown = max(shown, (number, len(rows)), key=lambda item: item[1])
        (timelines / f"{number}.txt").write_text("\n".join(_line(row) for row in rows) + "\n")
    with office.store.read() as work:
        letters = work.letters()
        case = work.case(shown[0])
    counted = [reading.why(office, shown[0], name, office.now())[0] for name in dict.fromkeys(mark.clock for mark in case.marks)]
    return {
        "requests": play.requests,
        "cases": sum(1 for _ in office.store.numbers()),
        "entries": entries,
        "letters": len(letters),
        "refused": play.refused,
        "seconds": seconds,
        "board": board,
        "case": shown[0],
        "timeline": reading.timeline(office, shown[0]),
        "why": [max(counted, key=lambda one: len(one["why"]))],
        "files": {
            "letters": str(folder / "letters"),
            "timelines": str(timelines),
            "board": str(folder / "board.json"),
            "database": str(folder / "caseflow.db"),
        },
    }


def _line(row: Mapping[str, Any]) -> str:
    moved = f"  {row['from'] or 'new'} -> {row['to']}" if row["from"] != row["to"] else ""
    closed = f"  (closed by entry {row['voided_by']})" if row["voided_by"] else ""
    dues = ", ".join(f"{clock} {due or 'no date'}" for clock, due in row["due_after"].items())
    return f"{row['effective_on']}  {row['seq']:>3}  {row['title']}{moved}{closed}" + (f"\n{'':17}{dues}" if dues else "")
