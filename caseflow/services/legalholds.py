"""Legal holds: placed on a case, on every case of a request or on every case of a list at once; lifted; and which are in place.

What a hold is, and who may place one, is decided in domain/holding.py. The word of the law is that a hold beats every schedule: it is
kept in the transaction of each disposal, and by the database itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from caseflow.domain import holding
from caseflow.domain.case import Actor, Case
from caseflow.domain.facts import reason_of
from caseflow.domain.pack import Pack
from caseflow.errors import BadInput
from caseflow.services.again import again
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.sight import EVERYTHING, Sight, no_case

LONGEST = 120


def numbers_of(office: Office, cases: Sequence[str], request: str | None, wanted: DocketFilter | None) -> tuple[str, ...]:
    """The cases that are meant: those named, those of a request, those of a list. Raises NotFound, BadInput where none is."""
    found = list(cases)
    if request is not None:
        with office.store.read() as work:
            found += [case.number for case in work.request(request)]
    if wanted is not None:
        found += [line.number for line in office.store.docket(wanted)]
    if not found:
        raise BadInput("No case is meant; name one, or a request (--request), or narrow the docket (--workflow, --state, --search).")
    return tuple(dict.fromkeys(found))


@again
def place(
    office: Office,
    cases: Sequence[str],
    because: str | None,
    matter: str | None,
    actor: Actor,
    moment: datetime | None = None,
    progress: Progress = quiet,
    seen: Sight = EVERYTHING,
) -> list[Case]:
    """Places a hold on all of these cases or on none. A case that has one for the same matter keeps it as it is. Raises Refused, NotFound."""
    moment, reason, name = moment or office.now(), reason_of(because, "place a legal hold"), _named(matter)
    held: list[Case] = []
    with office.store.begin() as work:
        for done, number in enumerate(cases, 1):
            case = work.case(number)
            _refuse_unseen(case, seen)
            book = office.packs.of(case)
            if name is None or len(cases) == 1 or all(hold.matter != name for hold in case.legal_holds):
                case = office.save(work, book, holding.place(book, case, name, reason, actor, moment, office.key()), moment)
            held.append(case)
            progress(done, len(cases), "cases")
    return held


@again
def lift(
    office: Office,
    cases: Sequence[str],
    because: str | None,
    matter: str | None,
    seq: int | None,
    actor: Actor,
    moment: datetime | None = None,
    seen: Sight = EVERYTHING,
) -> list[Case]:
    """Lifts one hold of each case, named by its matter or its entry where there are several. All of them or none. Raises Refused, NotFound."""
    moment, reason, name = moment or office.now(), reason_of(because, "lift a legal hold"), _named(matter)
    freed: list[Case] = []
    with office.store.begin() as work:
        for number in cases:
            case = work.case(number)
            _refuse_unseen(case, seen)
            book = office.packs.of(case)
            outcome = holding.lift(book, case, holding.chosen(case, name, seq), reason, actor, moment, office.key())
            freed.append(office.save(work, book, outcome, moment))
    return freed


def listed(office: Office, matter: str | None = None, seen: Sight = EVERYTHING) -> list[dict[str, Any]]:
    """Every hold in place, by case: {case, title, workflow, state, seq, placed_on, by, because, matter}."""
    numbers = [line.number for line in office.store.docket(replace(DocketFilter(flag=holding.HELD), seen=seen))]
    with office.store.read() as work:
        cases = work.cases(numbers)
    return [line for number in numbers for line in holds_json(cases[number]) if matter is None or line["matter"] == matter]


def of_matter(office: Office, matter: str) -> tuple[str, ...]:
    """The cases that a matter holds. Raises BadInput where it holds none."""
    found = tuple(dict.fromkeys(line["case"] for line in listed(office, _named(matter))))
    if not found:
        raise BadInput(f"No case is held for '{matter}'; 'caseflow legal-hold list' shows what is.")
    return found


def may_hold(packs: Sequence[Pack], role: str) -> bool:
    """Whether some pack lets a role place holds."""
    return any(holding.may(pack, role, pack.text.retention.holds) for pack in packs)


def holds_json(case: Case) -> list[dict[str, Any]]:
    """The holds in place on a case."""
    return [
        {
            "case": case.number,
            "title": case.title,
            "workflow": case.workflow,
            "state": case.state,
            "seq": hold.seq,
            "placed_on": hold.on.isoformat(),
            "by": hold.by,
            "because": hold.because,
            "matter": hold.matter,
        }
        for hold in case.legal_holds
    ]


def _named(matter: str | None) -> str | None:
    name = " ".join((matter or "").split())
    if len(name) > LONGEST:
        raise BadInput(f"The name of a matter has at most {LONGEST} signs; write its number.")
    return name or None


def _refuse_unseen(case: Case, seen: Sight) -> None:
    if not seen.covers(case.workflow, case.assigned_to, case.flags):
        raise no_case(case.number)
