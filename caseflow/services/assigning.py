"""Whose work a case is: one case, many at once, or all that somebody leaves behind.

An assignment is an entry of the case's record, made by the act that its workflow marks with `assigns`: so who changed it, when
and why is kept like everything else, and a replay gives the same case. It changes no clock, no state and no letter. Many at
once are one transaction: all of them or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from caseflow.domain.case import Act, Actor, Case
from caseflow.domain.changes import NOBODY
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, NotFound, Reason, Refused
from caseflow.services.acting import attempt, catch_up, is_due
from caseflow.services.again import again
from caseflow.services.office import Office
from caseflow.services.people import WORK, Person, RoleOf
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.sight import OVERSEE, no_case

if TYPE_CHECKING:
    from caseflow.services.ports.people import Account
    from caseflow.services.ports.work import Work

MOST, MOST_HANDED = 200, 500
"""Cases in one assignment by hand, and of one handing over: what one transaction writes in about a second."""


class Assigning:
    """`accounts` are everybody who may ever have signed in, `roles` the roles of the packs."""

    def __init__(self, office: Office, accounts: Callable[[], Sequence[Account]], roles: Callable[[], Mapping[str, RoleOf]]) -> None:
        self._office, self._accounts, self._roles = office, accounts, roles

    # --- people ---

    def people(self) -> list[dict[str, Any]]:
        """Whom work can be given to: those whose account is open and whose role acts on cases."""
        return self.folk()[0]

    def folk(self) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Both: whom work can be given to, and the names of everybody."""
        known, roles = self._accounts(), self._roles()
        able = [
            {"id": one.id, "name": one.name, "role": roles[one.role].title}
            for one in known
            if one.disabled_at is None and one.role in roles and WORK in roles[one.role].rights
        ]
        return able, {one.id: one.name for one in known}

    def names(self) -> dict[str, str]:
        """The name of everybody by the name that they sign in with."""
        return {one.id: one.name for one in self._accounts()}

    def load(self, person: Person) -> list[dict[str, Any]]:
        """Who has open cases and how many, also somebody without an account or with a closed one; those with the most first."""
        known = {one.id: one for one in self._accounts()}
        able = {one["id"] for one in self.people()}
        counted = self._office.store.count(DocketFilter(live=True, seen=person.sees), (DocketFilter(),), "assigned_to")
        found = [
            {"id": name, "name": known[name].name if name in known else name, "open": number[0], "able": name in able}
            for name, number in counted.items()
            if name is not None
        ]
        return sorted(found, key=lambda one: (-one["open"], one["id"]))

    # --- assigning ---

    def assign(self, person: Person, numbers: Sequence[str], to: str, because: str | None = None) -> dict[str, Any]:
        """Gives cases to somebody, or to nobody: {to, name, assigned, already}. Raises BadInput, NotFound, Refused; then none is changed."""
        wanted = list(dict.fromkeys(number for number in numbers if number))
        if not wanted:
            raise BadInput("No case was chosen; tick the ones to assign, then choose a person.")
        if len(wanted) > MOST:
            raise BadInput(f"{len(wanted)} cases were chosen; at most {MOST} are assigned at once, so choose fewer.")
        to = self._known(to)
        seen = {line.number for line in self._office.store.docket(DocketFilter(numbers=tuple(wanted), seen=person.sees))}
        for number in wanted:
            if number not in seen:
                raise no_case(number)
        return self._give(person, wanted, to, because)

    def _known(self, to: str) -> str:
        name = to.strip().casefold()
        if name in ("", NOBODY):
            if not name:
                raise BadInput("Nobody was chosen; choose a person, or 'nobody' to take the work back.")
            return NOBODY
        if name not in {one["id"] for one in self.people()}:
            raise BadInput(f"Work can't be given to '{to.strip()[:40]}': there is no open account of that name whose role acts on cases.")
        return name

    @again
    def _give(self, person: Person, numbers: Sequence[str], to: str, because: str | None) -> dict[str, Any]:
        office, moment = self._office, self._office.now()
        self._catch_up(numbers, moment)
        actor = Actor("person", person.id, person.role)
        refused: list[Reason] = []
        given = already = 0
        with office.store.begin() as work:
            cases = work.cases(numbers)
            for number in numbers:
                if number not in cases:
                    raise no_case(number)
                case = cases[number]
                if (case.assigned_to or NOBODY) == to:
                    already += 1
                    continue
                given += 1
                refused += self._one(work, case, to, actor, because, moment)
            if refused:
                raise Refused(refused, "Nothing was assigned" if len(numbers) > 1 else "It was not assigned")
        return {"to": to, "name": self.names().get(to, to), "assigned": given, "already": already}

    def _one(self, work: Work, case: Case, to: str, actor: Actor, because: str | None, moment: datetime) -> list[Reason]:
        """Notes one assignment in the transaction; the reasons against it where it may not be."""
        book = self._office.packs.of(case)
        named = assigning_act(book)
        if named is None:
            text = f"{case.number}: {book.workflow.title} has no act that assigns a case"
            return [Reason("unknown-action", "assign", text, instead="Name one with `assigns` in the workflow.")]
        if to != NOBODY and not self._sees(to, case):
            return [Reason("not-permitted", "sees", f"{case.number} is not seen by {to}, so that it can't be their work")]
        try:
            trial = attempt(self._office, work, case.number, Act(named[0], actor, {named[1]: to}, because=because), moment)
        except Refused as fault:
            return [replace(one, text=f"{case.number}: {one.text}") for one in fault.reasons]
        self._office.save(work, trial.book, trial.outcome, moment)
        return []

    def _sees(self, to: str, case: Case) -> bool:
        role = next((self._roles().get(one.role) for one in self._accounts() if one.id == to), None)
        return role is not None and role.sees.of(to).covers(case.workflow, to, case.flags)

    def _catch_up(self, numbers: Iterable[str], moment: datetime) -> None:
        """What the law has ended by now is recorded before anybody acts."""
        with self._office.store.read() as work:
            due = [case.number for case in work.cases(list(numbers)).values() if is_due(case, moment)]
        for number in due:
            catch_up(self._office, number, moment)

    # --- handing over ---

    def left_by(self, person: Person, who: str) -> dict[str, Any]:
        """What somebody would leave behind: {open, late, soon}, of the cases that the asking person sees. Raises Refused, BadInput."""
        self._may_hand_over(person)
        today = self._today()
        wanted = DocketFilter(assigned=who, live=True, seen=person.sees)
        each = (DocketFilter(), DocketFilter(overdue_on=today), DocketFilter(target_to=date.fromordinal(today.toordinal() + 7)))
        counted = self._office.store.count(wanted, each)[None]
        return {"id": who, "name": self.names().get(who, who), "open": counted[0], "late": counted[1], "soon": counted[2], "most": MOST_HANDED}

    def hand_over(self, person: Person, who: str, to: str, counted: int | None = None) -> dict[str, Any]:
        """Gives every open case of one person to another, at most MOST_HANDED at once: {moved, left, to, name}.

        `counted`: how many the asking person was shown; where there are others by now, nothing is done. Raises Refused, BadInput.
        """
        self._may_hand_over(person)
        who, to = who.strip().casefold(), self._known(to)
        if who == to:
            raise BadInput("Both are the same person; choose another one to take the cases.")
        store, wanted = self._office.store, DocketFilter(assigned=who, live=True, seen=person.sees)
        now = store.count(wanted, (DocketFilter(),))[None][0]
        if not now:
            raise NotFound(f"'{who[:40]}' has no open case; there is nothing to hand over.")
        if counted is not None and counted != now:
            raise BadInput(f"There are {now} open cases by now, not {counted}; nothing was handed over. Look at them again, then decide.")
        numbers = [line.number for line in store.docket(wanted, None, MOST_HANDED)]
        done = self._give(person, numbers, to, f"Handed over from {who}")
        return {**done, "moved": done["assigned"], "left": now - len(numbers)}

    def _may_hand_over(self, person: Person) -> None:
        if not (person.may(OVERSEE) and person.may(WORK)):
            role = next((one.title for one in self._roles().values() if {OVERSEE, WORK} <= one.rights), "supervisor")
            reason = Reason("not-permitted", "oversee", f"Only somebody in the role {role} hands over the work of others", role=role)
            raise Refused([reason], "Nothing was handed over")

    def _today(self) -> date:
        return self._office.calendar.local_day(self._office.now())


def assigning_act(book: Rulebook) -> tuple[str, str] | None:
    """The act of a workflow that names whose work a case is, and the fact that does."""
    return next(((name, action.assigns) for name, action in book.workflow.actions.items() if action.assigns), None)
