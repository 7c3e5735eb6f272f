"""A sample docket, rehearsed from October to June on an embedded database: what the program does, to look at.

Stories are drawn from a seed out of the first pack's samples (stories.yaml, acts.yaml); nothing here knows what they
mean. The scheduler is down twice, so that late firings are on record too.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from caseflow.adapters.mail import MailDrop
from caseflow.adapters.plainfile import refuse_no_folder
from caseflow.bootstrap import App
from caseflow.domain.case import Act, Actor
from caseflow.errors import CaseflowError
from caseflow.services import acting, explaining, filing, overseeing, reading
from caseflow.services.dispatching import dispatch
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.sweeping import sweep
from caseflow.services.trying import sample_acts

FIRST, LAST = date(2026, 10, 1), date(2027, 6, 30)
REQUESTS, SEED = 410, 30017
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
    """Rehearses the docket and writes letters, timelines, a board and a gallery of letters into the folder, which it empties first."""
    began = time.perf_counter()
    _emptied(folder)
    app = App(database=f"sqlite:///{folder / 'caseflow.db'}", maildrop=str(folder / "letters"))
    app.store.upgrade()
    pack = app.library.all()[0]
    zone = app.library.rulebook(pack.workflows[0].workflow, FIRST).calendar.zone
    clock = _Clock(datetime.combine(FIRST, datetime.min.time(), zone))
    base = app.office
    office = Office(base.store, base.packs, base.letters, MailDrop(folder / "letters", flushed=False), clock, base.key)
    play = _Play(app, office, clock, random.Random(SEED))
    day = FIRST
    while day <= LAST:
        play.live(day)
        progress((day - FIRST).days, (LAST - FIRST).days, "days")
        day += timedelta(days=1)
    made = _written(office, folder, play, time.perf_counter() - began)
    # Each letter once, in the first workflow that owes it; `caseflow letters gallery DIR` shows them in each.
    made["files"]["gallery"] = app.gallery(str(folder / "gallery"), progress=progress, once=True)["index"]
    return made


def seed(app: App, last: date, days: int = 150, requests: int = 140, progress: Progress = quiet) -> int:
    """A sample docket in the app's own database, rehearsed up to the evening before `last`; the answer is how many cases it has."""
    app.store.upgrade()
    first = last - timedelta(days=days)
    pack = app.library.all()[0]
    zone = app.library.rulebook(pack.workflows[0].workflow, first).calendar.zone
    clock = _Clock(datetime.combine(first, datetime.min.time(), zone))
    base = app.office
    play = _Play(app, Office(base.store, base.packs, base.letters, base.mail, clock, base.key), clock, random.Random(SEED), (first, last), requests)
    for offset in range(days):
        play.live(first + timedelta(days=offset), ())
        progress(offset + 1, days, "days")
    return sum(1 for _ in app.store.numbers())


def _emptied(folder: Path) -> None:
    refuse_no_folder(folder)
    try:
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
    except OSError as error:
        raise CaseflowError(f"The folder {folder} can't be written ({error.strerror}); name another with --folder.") from None


class _Play:
    def __init__(self, app: App, office: Office, clock: _Clock, luck: random.Random, span: tuple[date, date] = (FIRST, LAST), requests: int = REQUESTS) -> None:
        self.app, self.office, self.clock, self.luck = app, office, clock, luck
        pack = app.library.all()[0]
        self.flows = [flow.workflow for flow in pack.workflows]
        samples = app.library.folder_of(self.flows[0]) / "samples"
        self.samples = {name: app.read_yaml(str(samples / name / "complete.yaml")) for name in self.flows}
        text = app.read_yaml(str(samples / "acts.yaml"))
        self.acts = {name: sample_acts(text, name) for name in self.flows}
        self.stories: Mapping[str, Any] = app.read_yaml(str(samples / "stories.yaml"))
        first, last = span
        days = (last - first).days - (20 if span == (FIRST, LAST) else 1)
        self.filings = sorted(first + timedelta(days=int(luck.random() ** (1.3 if span == (FIRST, LAST) else 0.8) * days)) for _ in range(requests))
        self.events: list[_Event] = []
        self.requests = self.refused = self.number = 0

    def live(self, day: date, outages: Sequence[tuple[date, date]] = OUTAGES) -> None:
        """One day: the scheduler in the night (unless it is down), the office by day, the mail in the afternoon."""
        self._at(day, 6)
        if not any(first <= day < last for first, last in outages):
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

    def _story(self, case: str, workflow: str, state: str, day: date) -> None:
        """Draws what will happen to a case; what is not legal when its day comes is refused and counted."""
        flow = self.app.library.rulebook(workflow, day).workflow
        opening = flow.actions["file"].outcomes
        self._row(case, workflow, day, self.stories["always"])
        if opening and state == (opening[-1].to or ""):
            day = self._row(case, workflow, day, [step for step in self.stories["mend"] if workflow in step.get("for", [workflow])])
        fitting = [story for story in self.stories["stories"] if workflow in story.get("for", [workflow]) and day.month in story.get("months", [day.month])]
        drawn = self.luck.choices(fitting, [story["weight"] for story in fitting])[0]
        items = [name for name in flow.items if not flow.items[name].given_by]
        self._row(case, workflow, day, drawn["steps"], self.luck.sample(items, min(len(items), 1 + self.luck.randrange(3))))

    def _row(self, case: str, workflow: str, day: date, steps: Sequence[Mapping[str, Any]], items: Sequence[str] = ()) -> date:
        for step in steps:
            first, last = step["wait"]
            start = max(day, date.fromisoformat(step["on"])) if "on" in step else day
            day = start + timedelta(days=self.luck.randint(first, last))
            self.number += 1
            facts = {**(self.acts[workflow].get(step["do"]) or {}), **(step.get("facts") or {})}
            moment = datetime.combine(day, datetime.min.time().replace(hour=10), self.clock.moment.tzinfo)
            given = {name: self._filled(value, day, items) for name, value in facts.items()}
            self.events.append(_Event(moment, self.number, case, step["do"], given, step.get("as", "staff")))
        return day

    def _filled(self, value: Any, day: date, items: Sequence[str]) -> Any:
        if value == "{items}":
            return list(items)
        if value == "{person}":
            return self.luck.choice(PEOPLE)
        if isinstance(value, str) and value.startswith("{day"):
            return (day + timedelta(days=int(value[4:-1] or 0))).isoformat()
        return value

    def _act(self, event: _Event) -> None:
        self.clock.moment = max(event.at, self.clock.moment)
        actor = Actor("person", self.luck.choice(PEOPLE) if event.role == "staff" else event.role, event.role)
        facts = dict(event.facts)
        if facts.get("items") == "{missing}":
            with self.office.store.read() as work:
                items = work.case(event.case).items
            facts["items"] = [name for name, item in items.items() if item.status in ("missing", "asked")]
        try:
            acting.act(self.office, event.case, Act(event.action, actor, facts), self.clock.moment)
        except CaseflowError:
            self.refused += 1


def _written(office: Office, folder: Path, play: _Play, seconds: float) -> dict[str, Any]:
    board = overseeing.board(office, LAST)
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
    counted = [explaining.why(office, shown[0], name, office.now())[0] for name in dict.fromkeys(mark.clock for mark in case.marks)]
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
