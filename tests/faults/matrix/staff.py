"""F14, F15: fifty people act on one case at the same moment; double clicks, stale forms, two tabs, a post that comes again after a week."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from caseflow.adapters.store.work import SqlWork
from caseflow.domain import casework
from caseflow.domain.case import Act, Actor
from caseflow.errors import CaseflowError, Refused, TryAgain
from caseflow.services import acting
from caseflow.services.again import again
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.server import Server
from tests.unit.pack_texts import sound
from tests.web.conftest import PASSWORD, PEOPLE, House, words
from tests.web.test_action_form import fields

CROWD = 50


def crowded(on_server: bool, folder: Path, trials: int, seed: int) -> Result:
    """So many rounds, each on a case of its own: half of them decide it, the others ask its owner, which may be done once and first."""
    del seed
    result = Result()
    server = Server() if on_server else None
    try:
        url = server.with_roles() if server is not None else ""
        _ = forked(lambda: packed_up(prepared(folder, sound(), trials, url=url)))
        app = office(folder, "2026-03-05", url)
        rounds = {number: _round(app, number) for number in app.store.numbers()}
        now = picture(folder, url)
        for number, (won, others) in rounds.items():
            result.add(CROWD, others)
            _judge(result, now[number], number, won)
        app.store.engine.dispose()
        result.violations += [f"verify: {one['case']} {one['text']}" for one in office(folder, "2026-03-06", url).verify(None)["faults"]]
    finally:
        if server is not None:
            server.end()
    return result


def _round(app: Any, number: str) -> tuple[list[str], list[str]]:
    start, won, others = threading.Barrier(CROWD), list[str](), list[str]()

    def person(place: int) -> None:
        action, facts = ("decide", {"answer": f"By {place}."}) if place % 2 else ("ask", {"reason": f"By {place}."})
        asked = Act(action, Actor("person", f"p{place}", "staff"), facts)
        start.wait(120)
        try:
            again(acting.act)(app.office, number, asked, app.now())
            won.append(f"p{place}")
        except (Refused, TryAgain):
            pass
        except CaseflowError as fault:
            others.extend([] if "locked" in str(fault) else [f"{number}: p{place}: {fault}"])
        except Exception as broke:  # noqa: BLE001 - it is judged
            others.append(f"{number}: p{place}: {type(broke).__name__}: {broke}")

    threads = [threading.Thread(target=person, args=(place,)) for place in range(CROWD)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return won, others


def _judge(result: Result, parts: dict[str, Any], number: str, won: list[str]) -> None:
    """What stands on the record is what was told, each step follows from the one before, and the owner was asked at most once."""
    acts = [line for line in parts["entry"] if line[1] in ("decide", "ask")]
    if sorted(line[2] for line in acts) != sorted(won):
        result.violations.append(f"{number}: told as done to {won}, on the record {[line[2] for line in acts]}")
    if not acts or sum(line[1] == "decide" for line in acts) > 1 or sum(line[1] == "ask" for line in acts) > 1:
        result.violations.append(f"{number}: {[line[1] for line in acts]}")
    states = [(line[4], line[5]) for line in parts["entry"]]
    if any(before[1] != after[0] for before, after in zip(states, states[1:], strict=False)):
        result.violations.append(f"{number}: a step that follows from no other: {states}")


def read_early() -> None:
    """The planted fault: whether an act may happen is asked of the case as it was before the lock."""
    early: dict[str, Any] = {}
    lock = threading.Lock()

    def attempt(office: Any, work: Any, number: str, asked: Act, moment: Any) -> acting.Trial:
        case = work.case(number)
        with lock:
            seen = early.setdefault(number, case)
        book = office.packs.of(case)
        old = replace(seen, version=case.version, head=case.head)
        return acting.Trial(book, case, casework.act(book, old, asked, moment, office.key()))

    acting.attempt = attempt


# --- one person, twice ------------------------------------------------------------------------------------------------


def twice(folder: Path, trials: int, seed: int) -> Result:
    """In a browser and as a program: a note sent twice, again by another process, and again after a week; a form that is stale."""
    del seed
    result, house = Result(), House(folder)
    app = house.app()
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    wren, odell = house.client("wren"), house.client("odell")
    program, other = house.program("wren"), house.program("wren")
    for trial in range(trials):
        number = house.file()
        form = {**fields(wren.get(f"/cases/{number}/do/add-note").text), "intent": "do", "f.note": f"Called {trial}."}
        stale = {**fields(odell.get(f"/cases/{number}/do/request-information").text), "intent": "do", "f.items": ["NAV-e"], "because": "The drawing."}
        first = {**fields(wren.get(f"/cases/{number}/do/request-information").text), "intent": "do", "f.items": ["NAV-h"]}
        answers = [wren.post(f"/cases/{number}/do/add-note", data=form).status_code for _ in range(2)]
        later = house.client("wren")
        again_ = {**form, "form_token": fields(later.get(f"/cases/{number}/do/add-note").text)["form_token"]}
        answers.append(later.post(f"/cases/{number}/do/add-note", data=again_).status_code)
        wren.post(f"/cases/{number}/do/request-information", data=first)
        refused = odell.post(f"/cases/{number}/do/request-information", data=stale)
        key = {"idempotency-key": f"key-of-trial-{trial:04}", "if-match": "*"}
        body = {"facts": {"note": f"Written {trial}."}}
        calls = [program.post(f"/api/v1/cases/{number}/actions/add-note", json=body, headers=key) for _ in range(2)]
        if trial == trials - 1:
            house.clock.later(days=7)  # the answers that programs were given are forgotten by then; what was done is not
        calls.append(other.post(f"/api/v1/cases/{number}/actions/add-note", json=body, headers=key))
        done = [line[1] for line in picture(folder)[number]["entry"]]
        found = [] if done.count("add-note") == 2 else [f"{number}: two notes were meant, {done.count('add-note')} stand"]
        found += [] if done.count("request-information") == 1 else [f"{number}: asked {done.count('request-information')} times"]
        found += [] if refused.status_code == 409 and "wren" in words(refused.text) else [f"{number}: a stale form was answered {refused.status_code}"]
        found += [] if "The drawing." in refused.text or "NAV-e" in refused.text else [f"{number}: what was typed is gone"]
        found += (
            []
            if {one.status_code for one in calls} == {200} and len({one.content for one in calls}) == 1
            else [f"{number}: {[one.status_code for one in calls]}"]
        )
        found += [] if set(answers) == {303} else [f"{number}: the form was answered {answers}"]
        result.add(6, found)
        wren = later  # of many sessions of one person the oldest ends
    return result


def forgotten() -> None:
    """The planted fault: the names of what was done are kept nowhere."""
    SqlWork.command = lambda *_: None  # type: ignore[method-assign,assignment]


ROWS = (
    apart("F14-crowd", f"{CROWD} people at once on one case, SQLite", "P10 P16 P17", partial(crowded, False), read_early, "read before the lock", 1, 200),
    apart("F14-crowd-pg", f"{CROWD} people at once on one case, PostgreSQL", "P10 P16 P17", partial(crowded, True), read_early, "read before the lock", 0, 200),
    apart("F15-twice", "double click, stale form, key that comes back", "P16 P17", twice, forgotten, "keys are kept nowhere", 1, 170),
)
