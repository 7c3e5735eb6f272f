"""A changed calendar: what it would move, and putting it into force for the open cases, in batches that can be continued.

One case is moved by services/moving.py. A case that is over keeps its calendar; an open one that a changed calendar
does not touch takes it with its next entry (services/ruled.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo

from caseflow.domain import replay
from caseflow.domain.case import Act, Actor, Case
from caseflow.domain.facts import reason_of
from caseflow.domain.moving import Adoption, unfit
from caseflow.domain.pack import Pack
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, LetterFault, NotFound, Reason, Refused
from caseflow.services.acting import catch_up, is_due
from caseflow.services.again import again
from caseflow.services.daychanges import changed_days
from caseflow.services.moving import Move, keep, tried
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.people import WORK, roles_of
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.work import Work
from caseflow.services.sight import EVERYTHING, OVERSEE, Sight
from caseflow.services.trying import Tried, caught_up

if TYPE_CHECKING:
    from caseflow.services.ports.lines import CaseLine

ACTION = "calendar-adopted"
BATCH = 50
"""So many cases are looked at in one transaction: others wait for it."""
LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
MOST_COUNTED = 1_000_000
TURN = "turn:calendar-adoptions"
"""One transaction at a time changes the row of an adoption: it is asked for before the row is read, so that no count of another is lost."""
PROBE = Actor("person", "preview", "supervisor")


@dataclass(frozen=True, slots=True)
class Looked:
    """What a part of the docket would see. `after` is the last case looked at; empty where none is left."""

    cases: Sequence[Mapping[str, Any]]
    looked: int
    after: str


class Calendars:
    """Changed calendars of an office."""

    def __init__(self, office: Office) -> None:
        self._office = office

    # --- reading ---

    def changed(self, text: str, file: str) -> Pack:
        """The pack by a changed calendar file, which must fit it and be told from every other. Raises PackFaults, BadInput."""
        new = self._office.packs.changed(text, file)
        own = self._own(new)
        version = new.calendar_version
        labels = {own.calendar.version: own.calendar_version}
        with self._office.store.read() as work:
            labels |= {one.version.rpartition("@")[0]: one.version for one in work.adoptions() if one.pack == new.text.pack and one.version}
        if not LABEL.fullmatch(new.calendar.version):
            raise BadInput(f"{file} has the version '{new.calendar.version}'; write letters, digits, dots and hyphens, such as 2027.1.")
        if sha256(text.encode()).hexdigest() == self._office.packs.own_calendar(new.hash):
            raise BadInput(f"{file} is the calendar that the pack {new.text.pack} has already; change it, with another 'version:', to see what that moves.")
        if labels.get(new.calendar.version, version) != version:
            raise BadInput(f"{file} says version '{new.calendar.version}', as a calendar does that differs from it; give it a version of its own.")
        return new

    @again
    def keep(self, text: str, file: str) -> str:
        """Keeps a changed calendar to be looked at; the answer is its version. Raises PackFaults, BadInput."""
        version = self.changed(text, file).calendar_version
        with self._office.store.begin() as work:
            work.keep_calendar(version.rpartition("@")[2], text)
        return version

    def kept(self, version: str) -> Pack:
        """The pack by a changed calendar that is kept. Raises NotFound."""
        for pack in self._office.packs.all():
            found = self._office.packs.by_calendar(pack, version) if "@" in version else pack
            if found is not pack and found.calendar.calendar == pack.calendar.calendar:
                return found
        raise NotFound("There is no such calendar; open the page of changed calendars and hand it in again.")

    def text(self, version: str) -> str:
        """The words of a kept calendar. Raises NotFound."""
        found: str | None = self._office.store.calendar_text(version.rpartition("@")[2])
        if found is None:
            raise NotFound("There is no such calendar; open the page of changed calendars and hand it in again.")
        return found

    def standing(self) -> list[dict[str, Any]]:
        """By which calendar each pack counts now: {pack, title, calendar, version, own, days}."""
        found = []
        for pack in self._office.packs.all():
            now = self._office.packs.current(pack)
            lists = [{"title": one.title, "days": len(one.days), "cite": one.cite} for one in now.calendar.day_lists.values() if one.days]
            own = now.adopted is None
            found.append(
                {
                    "pack": pack.text.pack,
                    "title": pack.text.title,
                    "calendar": now.calendar.calendar,
                    "version": now.calendar.version,
                    "own": own,
                    "lists": lists,
                }
            )
        return found

    def summary(self, new: Pack) -> dict[str, Any]:
        """What of the days differs from the calendar in force, with the sources of the days."""
        now = self._office.packs.current(self._own(new))
        return {
            "calendar": new.calendar.calendar,
            "version": new.calendar.version,
            "pack": new.text.pack,
            "digest": (new.adopted or "").rpartition("@")[2],
            "replaces": now.calendar.version,
            **changed_days(now.calendar, new.calendar, self._today(new)),
        }

    def preview(self, new: Pack, progress: Progress = quiet) -> dict[str, Any]:
        """Every open case that a changed calendar would move: {.., cases [{case, clocks, letters, ...}], open, moved, blocked}."""
        found: list[Mapping[str, Any]] = []
        looked, after = 0, ""
        while True:
            part = self.look(new, after, BATCH)
            found += part.cases
            looked += part.looked
            progress(looked, None, "open cases")
            if not part.after:
                break
            after = part.after
        blocked = sum(1 for one in found if one["blocked"])
        return {**self.summary(new), "open": looked, "moved": len(found) - blocked, "blocked": blocked, "cases": found}

    def look(self, new: Pack, after: str, most: int, seen: Sight = EVERYTHING) -> Looked:
        """A part of the preview: the next open cases, nothing saved."""
        lines = list(self._office.store.docket(DocketFilter(open_only=True, seen=seen), after or None, most))
        found = []
        for line in lines:
            with self._office.store.read() as work:
                told = self._would(work, work.case(line.number), new)
            if told is not None:
                found.append(told)
        return Looked(found, len(lines), lines[-1].number if len(lines) == most else "")

    def _would(self, work: Work, case: Case, new: Pack) -> dict[str, Any] | None:
        """What a case would see of a changed calendar; nothing where it sees nothing."""
        if case.pack != new.text.pack:
            return None
        moment = self._office.now()
        if is_due(case, moment):
            case, entries = caught_up(self._office, work, case, moment)
            work = cast(Work, Tried(work, case, entries))
        if self._office.packs.of(case).workflow.states[case.state].ends:
            return None
        try:
            book = self._target(case, new.adopted)
            asked = Act(ACTION, PROBE, {}, None, "preview")
            made = self._changes(work, case, book, asked, moment)
            if made is None:
                return None
            self._office.write(book, made.outcome, moment)
        except (Refused, LetterFault, NotFound) as refused:
            return {**_head(case), "clocks": [], "letters": [], "withdrawn": [], "blocked": _reasons(refused)}
        return {**_head(case), **told(made), "blocked": []}

    def _changes(self, work: Work, case: Case, book: Rulebook, asked: Act, moment: datetime) -> Move | None:
        """The move of a case, or nothing where the other calendar changes nothing of it."""
        old = self._office.packs.of(case)
        if book.calendar.version == case.calendar_version or replay.unmoved(old, book, case, work.entries(case.number)) is not None:
            return None
        return tried(self._office, work, case, book, asked, moment)

    # --- adopting ---

    @again
    def adopt(self, text: str, file: str, because: str, actor: Actor) -> Adoption:
        """Begins the adoption of a changed calendar, or takes up one of the same file; `go_on` moves the cases.

        Raises Refused, PackFaults, BadInput."""
        new = self.changed(text, file)
        because = reason_of(because, "adopt the calendar")
        self._refuse(actor, new)
        with self._office.store.begin() as work:
            work.command(TURN)
            known = work.adoptions()
            undone = {one.undoes for one in known}
            same = next((one for one in known if one.version == new.adopted and one.id not in undone), None)
            standing = [one for one in known if one.pack == new.text.pack and one.version and one.id not in undone]
            if same is not None and same == standing[-1]:
                again = replace(same, cursor="", seen=0, blocked=(), ended_at=None) if same.ended_at is not None else same
                work.keep_adoption(again)
                return again
            self._refuse_two(known, new.text.pack)
            work.keep_calendar((new.adopted or "").rpartition("@")[2], text)
            own = self._office.packs.own_calendar(new.hash)
            made = Adoption(len(known) + 1, new.text.pack, new.adopted, (own,), self._office.now(), actor.id, actor.role, because)
            work.keep_adoption(made)
        self._office.packs.current(self._pack(made.pack))  # from here on what is shown counts by it, too
        return made

    def undo(self, because: str, actor: Actor, number: int | None = None) -> Adoption:
        """Begins the undoing of an adoption that stands last, or takes up its undoing; `go_on` moves the cases back.

        Without a number the one that stands last when this is asked for: two who ask at once take back one. Raises Refused, BadInput."""
        because = reason_of(because, "undo the adoption")
        asked = number if number is not None else _to_undo(self._office.store.adoptions())
        made = self._undo(because, actor, asked)
        self._office.packs.current(self._pack(made.pack))  # from here on what is shown counts by it, too
        return made

    @again
    def _undo(self, because: str, actor: Actor, asked: int | None) -> Adoption:
        with self._office.store.begin() as work:
            work.command(TURN)
            known = work.adoptions()
            undoing = next((one for one in known if one.undoes is not None and one.undoes == asked), None)
            if undoing is not None and undoing.ended_at is not None:
                raise BadInput(f"Adoption {asked} is undone already, by {undoing.by} ({undoing.id}); nothing more was changed.")
            if undoing is not None:
                self._refuse(actor, self._pack(undoing.pack))
                return undoing
            last = _last(known)
            if last is None or asked is None:
                raise BadInput("No adopted calendar is in force, so there is nothing to undo.")
            if asked != last.id:
                raise BadInput(f"Adoption {asked} can't be undone now; {last.id} is the last that stands. Undo that one first.")
            self._refuse(actor, self._pack(last.pack))
            self._refuse_two([one for one in known if one.id != last.id], last.pack)
            if last.ended_at is None:
                work.keep_adoption(replace(last, ended_at=self._office.now()))
            made = Adoption(len(known) + 1, last.pack, None, last.replaces, self._office.now(), actor.id, actor.role, because, last.id)
            work.keep_adoption(made)
        return made

    @again
    def go_on(self, number: int, most: int = BATCH) -> Adoption:
        """Moves the next cases of an adoption, in one transaction; repeated until it has ended. A case is moved once."""
        adoption = self.one(number)
        if adoption.ended_at is not None:
            return adoption
        lines = list(self._office.store.docket(DocketFilter(open_only=True), adoption.cursor or None, most))
        moment = self._office.now()
        for line in lines:
            if line.next_at is not None and line.next_at <= moment:
                catch_up(self._office, line.number, moment)  # the law acts by the calendar of its day, before anyone changes it
        with self._office.store.begin() as work:
            work.command(TURN)
            adoption = self.one(number, work)
            for line in lines:
                if line.number > adoption.cursor:
                    adoption = self._one(work, adoption, line, moment)
            if len(lines) < most:
                adoption = replace(adoption, ended_at=moment)
            work.keep_adoption(adoption)
        return adoption

    def finish(self, number: int, progress: Progress = quiet) -> Adoption:
        """Moves every case that is left."""
        total = self.open_cases()
        adoption = self.one(number)
        while adoption.ended_at is None:
            adoption = self.go_on(number)
            progress(min(adoption.seen, total), total, "open cases")
        return adoption

    def _one(self, work: Work, adoption: Adoption, line: CaseLine, moment: datetime) -> Adoption:
        case = work.case(line.number)
        adoption = replace(adoption, cursor=line.number)
        state = self._office.packs.of(case).workflow.states[case.state]
        if case.pack != adoption.pack or state.ends:
            return adoption
        adoption = replace(adoption, seen=adoption.seen + 1)
        if adoption.version is not None:
            own = self._office.packs.own_calendar(case.pack_version)
            adoption = replace(adoption, replaces=tuple(dict.fromkeys((*adoption.replaces, own))))
        try:
            with work.savepoint():
                book = self._target(case, self._version(work, adoption, case))
                done = self._move(work, adoption, case, book, moment)
        except (Refused, LetterFault, NotFound) as refused:
            why = " ".join(_reasons(refused))
            return replace(adoption, blocked=(*adoption.blocked, (case.number, why)))
        return replace(adoption, moved=adoption.moved + done)

    def _move(self, work: Work, adoption: Adoption, case: Case, book: Rulebook, moment: datetime) -> bool:
        facts: dict[str, Any] = {"calendar": book.calendar.version, "was": case.calendar_version, "adoption": adoption.id}
        if adoption.undoes is not None:
            facts["entry"] = _moved_by(work, case, adoption.undoes)
            facts = {name: value for name, value in facts.items() if value is not None}
        asked = Act(ACTION, Actor("person", adoption.by, adoption.role), facts, None, adoption.because)
        made = self._changes(work, case, book, asked, moment)
        if made is not None:
            keep(self._office, work, made, book, asked, moment)
        return made is not None

    def _version(self, work: Work, adoption: Adoption, case: Case) -> str | None:
        if adoption.version is not None:
            return adoption.version
        pack = self._office.packs.of(case).pack
        return self._office.packs.current(pack, work.adoptions()).adopted

    def _target(self, case: Case, version: str | None) -> Rulebook:
        """The rulebook of a case by a calendar. Raises Refused where its rules can't be counted by it."""
        old = self._office.packs.of(case)
        pack = self._office.packs.by_calendar(old.pack, version)
        why = unfit(old.workflow, pack.calendar)
        if why is not None:
            raise Refused([Reason("guard-failed", "calendar", why)], f"{case.number} can't go under the other calendar")
        return self._office.packs.of(case.revised(calendar_version=pack.calendar_version))

    # --- what is there ---

    def one(self, number: int, work: Work | None = None) -> Adoption:
        """An adoption. Raises NotFound."""
        known = (work or self._office.store).adoptions()
        for one in known:
            if one.id == number:
                return one
        raise NotFound(f"There is no adoption {number}; 'caseflow calendar adoptions' lists them.")

    def all(self) -> list[dict[str, Any]]:
        """Every adoption and undoing, the last first."""
        return [self.shown(one) for one in reversed(self._office.store.adoptions())]

    def shown(self, adoption: Adoption) -> dict[str, Any]:
        """An adoption as plain data."""
        known = self._office.store.adoptions()
        undone = next((one.id for one in known if one.undoes == adoption.id), None)
        of = next((one for one in known if one.id == adoption.undoes), adoption)
        return {
            "id": adoption.id,
            "pack": adoption.pack,
            "version": of.version,
            "calendar": of.version.rpartition("@")[0] if of.version else None,
            "digest": of.version.rpartition("@")[2] if of.version else None,
            "at": adoption.at.astimezone(self._zone(adoption.pack)).isoformat(),
            "by": adoption.by,
            "role": adoption.role,
            "because": adoption.because,
            "undoes": adoption.undoes,
            "undone_by": undone,
            "looked": adoption.seen,
            "moved": adoption.moved,
            "blocked": [{"case": case, "because": why} for case, why in adoption.blocked],
            "ended": adoption.ended_at is not None,
        }

    def open_cases(self) -> int:
        """How many open cases there are, as far as anybody counts."""
        return self._office.store.how_many(DocketFilter(open_only=True), MOST_COUNTED)

    # --- who may ---

    def _refuse(self, actor: Actor, pack: Pack) -> None:
        """Refuses whoever the pack does not let oversee and act. Raises Refused."""
        given = roles_of([pack]).get(actor.role)
        if given is None or OVERSEE not in given.rights or WORK not in given.rights:
            fit = [role.id for role in roles_of([pack]).values() if OVERSEE in role.rights and WORK in role.rights]
            text = f"a changed calendar is adopted by {' or '.join(fit) or 'nobody'}, not by {actor.role}"
            raise Refused([Reason("not-permitted", "calendar", text, role=fit[0] if fit else None)], "Not adopted")

    @staticmethod
    def _refuse_two(known: Sequence[Adoption], pack: str) -> None:
        open_ = next((one for one in known if one.pack == pack and one.ended_at is None), None)
        if open_ is not None:
            again = "'caseflow calendar undo'" if open_.undoes is not None else "'caseflow calendar adopt' with the same file"
            raise BadInput(f"Adoption {open_.id} is still under way; repeat {again} to finish it first.")

    def _own(self, pack: Pack) -> Pack:
        return self._office.packs.by_calendar(pack, None)

    def _pack(self, name: str) -> Pack:
        found = next((pack for pack in self._office.packs.all() if pack.text.pack == name), None)
        if found is None:
            raise NotFound(f"There is no pack '{name}'.")
        return found

    def _today(self, pack: Pack) -> date:
        return self._office.now().astimezone(ZoneInfo(pack.calendar.zone)).date()

    def _zone(self, name: str) -> ZoneInfo:
        return ZoneInfo(next((pack.calendar.zone for pack in self._office.packs.all() if pack.text.pack == name), "UTC"))


def _last(known: Sequence[Adoption]) -> Adoption | None:
    """The last adoption that stands."""
    undone = {one.undoes for one in known}
    return next((one for one in reversed(known) if one.version and one.id not in undone), None)


def _to_undo(known: Sequence[Adoption]) -> int | None:
    """Which adoption whoever names none means: the one whose undoing is under way, or else the last that stands."""
    begun = next((one for one in known if one.undoes is not None and one.ended_at is None), None)
    last = begun or _last(known)
    return None if last is None else last.undoes or last.id


def told(made: Move) -> dict[str, Any]:
    """What a move does to a case, as plain data."""
    entry = made.outcome.entries[0]
    owed = [{"letter": name, "number": number} for name, number in entry.facts.get("letters") or ()]
    return {
        "clocks": entry.facts["moved"],
        "letters": [_letter(letter, True) for letter in made.sent] + [_letter(letter, False) for letter in made.unsent],
        "owes": owed,
        "withdrawn": list(made.outcome.withdrawn),
    }


def _letter(letter: Any, sent: bool) -> dict[str, Any]:
    on = letter.sent_on.isoformat() if letter.sent_on is not None else None
    return {"number": letter.number, "title": letter.title, "sent_on": on, "then": "corrected" if sent else "written anew"}


def _head(case: Case) -> dict[str, Any]:
    return {"case": case.number, "title": case.title, "workflow": case.workflow, "state": case.state}


def _reasons(refused: Exception) -> list[str]:
    if isinstance(refused, Refused):
        return [f"{reason.text}." if not reason.text.endswith(".") else reason.text for reason in refused.reasons]
    return [str(refused)]


def _moved_by(work: Work, case: Case, adoption: int) -> int | None:
    """The entry by which an adoption moved a case, where it stands."""
    entries = work.entries(case.number)
    closed = replay.standing(entries).closed
    found = [entry.seq for entry in entries if entry.action == ACTION and entry.facts.get("adoption") == adoption and entry.seq not in closed]
    return found[-1] if found else None
