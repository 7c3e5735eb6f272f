"""Cases as the doors ask for them: filing, acting, correcting, reading, lists, and what a sweep fires."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from caseflow.bootstrap.desks import Desks
from caseflow.bootstrap.joining import actor_of, text_of_file
from caseflow.domain.case import Act
from caseflow.errors import BadInput
from caseflow.services.office import Progress, local_moment, parse_day, parse_moment, quiet
from caseflow.services.sight import EVERYTHING, Sight


class Cases(Desks):
    """The part of App about cases."""

    def file(self, request: Mapping[str, Any], actor: str | None = None) -> dict[str, Any]:
        from caseflow.services import filing, reading
        from caseflow.services.showing import fees_json

        self.open()
        cases = filing.file(self.office, request, actor_of(actor or "requester:requester"), self.now())
        shown = [reading.recorded(self.office, case.number, self.now()) for case in cases]
        warnings = [*self.fee_warnings(request), *(text for case in shown for text in (case["intake"] or {}).get("warnings", ()))]
        return {"request": cases[0].request, "fee": fees_json(cases)["total"], "cases": shown, "warnings": list(dict.fromkeys(warnings))}

    def fee_warnings(self, request: Mapping[str, Any]) -> list[str]:
        return list(self.quote(request)["warnings"])

    def quote(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from caseflow.services import filing

        read, books = filing.read(self.office, request, self.now())
        owed = filing.fee_of(read, books)
        lines = [{"id": line.id, "title": line.title, "amount": line.amount, "count": line.units, "cite": line.cite, "text": line.text} for line in owed.lines]
        return {"lines": lines, "total": f"{owed.total:.2f}", "warnings": list(owed.warnings)}

    def act(
        self,
        case: str,
        action: str,
        facts: Mapping[str, Any],
        on: str | None,
        actor: str | None,
        seen_version: int | None,
        command_id: str | None,
        dry_run: bool,
    ) -> dict[str, Any]:
        from caseflow.services import acting, reading

        self.open(writes=not dry_run)
        who = actor_of(actor or "staff:staff")
        asked = Act(action, who, facts, parse_day(on, "--on") if on is not None else None, None, seen_version, command_id)
        if dry_run:
            from caseflow.services.trying import dry_run as attempt

            return attempt(self.office, case, asked, self.now())
        done = acting.act(self.office, case, asked, self.now())
        return reading.recorded(self.office, done.number, self.now(), who.role)

    def asked(self, case: str, action: str) -> dict[str, Any]:
        """What an action asks for, as fields of a form."""
        from caseflow.services.asking import asked

        return asked(self.office, case, action)

    def take_people(self, case: str, file: str, action: str | None, actor: str | None) -> dict[str, Any]:
        """Takes the people of a CSV file into a case, by an act of its workflow."""
        from caseflow.services.listing import people_action, read_people

        self.open()
        found = read_people(text_of_file(file), file)
        with self.store.read() as work:
            book = self.library.of(work.case(case))
        name, fact = people_action(book, action)
        return self.act(case, name, {fact: found}, None, actor, None, None, False)

    def void(self, case: str, seq: int, because: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services import acting, reading

        self.open()
        who = actor_of(actor or "staff:staff")
        done, outcome = acting.void(self.office, case, seq, because, who, self.now())
        acting.catch_up(self.office, done.number, self.now())
        return {**reading.recorded(self.office, done.number, self.now(), who.role), "withdrawn": list(outcome.withdrawn)}

    def amend(self, case: str, seq: int, on: str, because: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services import acting, reading

        self.open()
        day, who = parse_day(on, "--on"), actor_of(actor or "staff:staff")
        done, outcome = acting.amend(self.office, case, seq, day, because, who, self.now())
        acting.catch_up(self.office, done.number, self.now())
        return {**reading.recorded(self.office, done.number, self.now(), who.role), "withdrawn": list(outcome.withdrawn)}

    def show(self, case: str, role: str = "staff", seen: Sight = EVERYTHING) -> dict[str, Any]:
        from caseflow.services import reading

        self.open(writes=False)
        return reading.show(self.office, case, self.now(), role, seen)

    def timeline(self, case: str, by: str, known_on: str | None) -> list[dict[str, Any]]:
        from caseflow.services import reading

        self.open(writes=False)
        return reading.timeline(self.office, case, by, parse_day(known_on, "--known-on") if known_on is not None else None)

    def drawing(self, case: str) -> dict[str, Any]:
        """What a drawn timeline of a case shows."""
        from caseflow.services.drawing import drawing

        return drawing(self.office, case, self.now())

    def why(self, case: str, clock: str | None) -> list[dict[str, Any]]:
        from caseflow.services import explaining

        self.open(writes=False)
        return explaining.why(self.office, case, clock, self.now())

    def docket(self, overdue: bool, due_within: int | None, after: str | None, limit: int | None, **wanted: Any) -> list[dict[str, Any]]:
        from caseflow.services import docket
        from caseflow.services.ports.docket import DocketFilter

        self.open(writes=False)
        return docket.docket(self.office, DocketFilter(**wanted), overdue, due_within, after, limit, self.now())

    def docket_page(self, asked: Mapping[str, Any], after: str | None = None, limit: int = 50, seen: Sight = EVERYTHING) -> dict[str, Any]:
        from caseflow.services import docket

        return docket.page(self.office, asked, after, limit, self.now(), seen)

    def docket_rows(self, asked: Mapping[str, Any], seen: Sight) -> Iterator[dict[str, Any]]:
        from caseflow.services import docket

        rows: Iterator[dict[str, Any]] = docket.whole(self.office, asked, seen, self.now())
        return rows

    def docket_choices(self) -> dict[str, Any]:
        from caseflow.services import docket

        return docket.choices(self.office)

    def board(self, as_of: str | None, seen: Sight = EVERYTHING) -> dict[str, Any]:
        from caseflow.services import overseeing

        self.open(writes=False)
        return overseeing.board(self.office, parse_day(as_of, "--as-of") if as_of is not None else None, seen)

    def sweep(self, until: str | None, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.services.clockjump import ahead, trusted
        from caseflow.services.sweeping import sweep

        self.open()
        moment = None
        if until is not None:
            moment = local_moment(self._zone(), parse_moment(until, "--until", bounded=not self.store.is_live()))
            if moment > self.now() and self.store.is_live():
                raise BadInput("The database holds a real record, so --until can't lie in the future; leave it out.")
        self.for_long_work()
        swept = sweep(self.office, moment, progress)
        if until is None and ahead(self.office, self.now(), self.clock_limit()) is not None:
            trusted(self.office, self.now())
        return {"fired": swept.fired, "refused": swept.refused, "parked": swept.parked}
