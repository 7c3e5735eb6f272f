"""The plain data that a letter's template may read: text, numbers, ISO days, lists and maps. Nothing else reaches it."""

from __future__ import annotations

from collections.abc import Callable, Collection, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from caseflow.domain.case import Case, Entry, FeeLine, LetterOwed, Party
from caseflow.domain.changes import CORE_FACTS
from caseflow.domain.clock import Run, length_text, value_of
from caseflow.domain.fees import amount_of, kept, moved, total
from caseflow.domain.findings import told
from caseflow.domain.pack import Pack
from caseflow.domain.rulebook import Rulebook, agency_of
from caseflow.domain.view import run


class Sheet(dict[str, Any]):  # the sandbox of letters reads maps, and only maps
    """A map whose members are made when they are first read; it holds those that were.

    A letter states a small part of what it may read: only that part is made, and only that is kept beside the letter.
    """

    __slots__ = ("_make", "_names")

    def __init__(self, names: Collection[str], make: Callable[[str], Any], made: Mapping[str, Any] | None = None) -> None:
        super().__init__(made or {})
        self._names = names
        self._make = make

    def __missing__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        value = self[name] = self._make(name)
        return value

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or name in self._names

    def get(self, name: str, default: Any = None) -> Any:
        """The member, made if need be."""
        return self[name] if name in self else default  # noqa: SIM401 - dict.get would not make it

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """Every name, read or not."""
        return self._all().keys()

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        """Every member."""
        return self._all().values()

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        """Every name with its member."""
        return self._all().items()

    def _all(self) -> dict[str, Any]:
        return {name: self[name] for name in dict.fromkeys((*dict.keys(self), *self._names))}

    def stated(self) -> dict[str, Any]:
        """What was read, as plain maps."""
        return {name: value.stated() if isinstance(value, Sheet) else value for name, value in dict.items(self)}


def letters_owed(book: Rulebook, case: Case, entry: Entry, by_law: bool) -> tuple[LetterOwed, ...]:
    """The letters that an entry owes, each with the data it may state. `case` is the case after the entry."""
    made = entry.facts.get("letters") or ()
    return tuple(_owed(book, case, entry, letter, number, by_law) for letter, number in made)


def _owed(book: Rulebook, case: Case, entry: Entry, letter: str, number: str, by_law: bool) -> LetterOwed:
    return _letter(book, case, entry, letter, number, by_law, {})


def _letter(book: Rulebook, case: Case, entry: Entry, letter: str, number: str, by_law: bool, more: Mapping[str, Any]) -> LetterOwed:
    declared = book.pack.letters[letter]
    to, copies = recipients(case, declared.to), recipients(case, tuple(dict.fromkeys((*declared.copies, "copy"))))
    own = {
        "letter": {"id": letter, "title": declared.title, "number": number, "date": entry.effective_on.isoformat()},
        "to": [_party(party) for party in to],
        "copies": [_party(party) for party in copies],
        **more,
    }
    view = Sheet(_PARTS, _Reader(book, case, entry).part, own)
    return LetterOwed(case.number, entry.seq, letter, number, entry.effective_on, view, to, copies, declared.approval, by_law)


def letter_anew(book: Rulebook, case: Case, entry: Entry, letter: str, number: str, stated: Mapping[str, Any]) -> LetterOwed:
    """A letter that could not be written, as its entry owes it, with facts that are known by now."""
    known = replace(case, facts={**case.facts, **stated})
    return _letter(book, known, replace(entry, facts={**entry.facts, **stated}), letter, number, False, {})


def correction(book: Rulebook, case: Case, entry: Entry | None, letter: str, number: str, corrects: Mapping[str, Any], at: Entry) -> LetterOwed:
    """A new letter in the place of one that was wrong. `entry` owed the old one, as it now stands, and `case` is the case
    after it; without one, nothing of the old letter stands, and the new one says that. `at` is the entry that corrects."""
    made = _letter(book, case, entry or at, letter, number, False, {"corrects": dict(corrects)})
    view = made.view
    view["letter"]["date"] = at.effective_on.isoformat()  # dated on the day on which it is written
    template = None if entry is not None else RETRACTION
    return replace(made, seq=at.seq, owed_on=at.effective_on, corrects=str(corrects["number"]), template=template)


RETRACTION = "shared/retraction"
"""The template of a letter that takes one back whose reason has gone; a pack may bring its own."""


def standing(pack: Pack) -> Mapping[str, Any]:
    """What every letter of a pack version may read and none can change, by name."""
    return {"agency": agency_of(pack)} if pack.text.agency is not None else {}


def snapshot(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a letter has read, as plain maps: what is kept beside it."""
    return view.stated() if isinstance(view, Sheet) else view


def recipients(case: Case, roles: Sequence[str]) -> tuple[Party, ...]:
    """The parties of the case in these roles, in that order; the requester's agent gets what the requester gets."""
    found = [party for role in roles for party in case.parties if party.role == role]
    if "requester" in roles:
        found += [party for party in case.parties if party.role == "agent" and party not in found]
    return tuple(found)


class _Reader:
    """Makes the parts of a letter's data from the case after the entry that owes it."""

    def __init__(self, book: Rulebook, case: Case, entry: Entry) -> None:
        self.book = book
        self.case = case
        self.entry = entry

    def part(self, name: str) -> Any:
        """One of _PARTS."""
        return _PARTS[name](self)

    def file(self) -> dict[str, Any]:
        book, case = self.book, self.case
        workflow, state = book.workflow, book.workflow.states[case.state]
        on = self.entry.effective_on
        filed = run(book, case, workflow.filed_on, on).start if workflow.filed_on else case.received_on.toordinal()
        disposition = case.disposition if state.ends else None
        return {
            "number": case.number,
            "request": case.request,
            "title": case.title,
            "aliases": list(case.aliases),
            "received_on": case.received_on.isoformat(),
            "filed_on": _iso(filed),
            "service": workflow.title,
            "law": workflow.law,
            "state": case.state,
            "state_title": state.title,
            "disposition": disposition,
            "disposition_title": workflow.dispositions.get(disposition) if disposition else None,
            "workflow": case.workflow,
        }

    def place(self) -> dict[str, Any]:
        place = self.case.place
        return {name: getattr(place, name) for name in place.__slots__}

    def people(self, role: str) -> list[dict[str, Any]]:
        return [_party(party) for party in self.case.parties if party.role == role]

    def first(self, role: str) -> dict[str, Any] | None:
        return next((_party(party) for party in self.case.parties if party.role == role), None)

    def act(self) -> dict[str, Any]:
        entry = self.entry
        action = self.book.workflow.actions.get(entry.action)
        stated = {name: value for name, value in entry.facts.items() if name not in CORE_FACTS}
        return {
            "action": entry.action,
            "title": action.title if action is not None else entry.action,
            "on": entry.effective_on.isoformat(),
            "because": entry.because,
            "facts": self.facts() if entry.action == "file" else stated,
            "cite": action.cite if action is not None else None,
        }

    def facts(self) -> dict[str, Any]:
        return {**{name: value for name, value in self.book.defaults.items() if value is not None}, **self.case.facts}

    def clocks(self) -> Sheet:
        book, case, on = self.book, self.case, self.entry.effective_on
        return Sheet(book.workflow.clocks, lambda name: clock_view(book, case, name, on))

    def items(self, status: Collection[str] | None = None) -> list[dict[str, Any]]:
        known = self.book.workflow.items
        return [
            {"id": name, "title": known[name].title, "cite": known[name].cite, "status": item.status, "note": item.note}
            for name, item in self.case.items.items()
            if name in known and (status is None or item.status in status)
        ]

    def listed(self) -> list[dict[str, Any]]:
        by_id = {item["id"]: item for item in self.items()}
        known = {**self.book.workflow.items, **self.book.workflow.petition_items}
        return [
            by_id.get(name) or {"id": name, "title": known[name].title, "cite": known[name].cite, "status": "missing", "note": None}
            for name in self.entry.facts.get("items") or ()
            if name in known
        ]

    def petition_items(self) -> list[dict[str, Any]]:
        return [{"id": name, "title": item.title, "cite": item.cite} for name, item in self.book.workflow.petition_items.items()]

    def exclusions(self) -> dict[str, Any]:
        asked = self.book.workflow.exclusions
        return {name: {"title": item.title, "cite": item.cite, "instead": item.instead} for name, item in asked.items()}

    def done(self) -> dict[str, Any]:
        return {name: {"on": done.on.isoformat(), "times": done.times, "seq": done.seq} for name, done in self.case.done.items()}

    def schedule(self) -> Sheet:
        fees, settings = self.book.pack.fees, self.case.settings

        def price(name: str) -> dict[str, Any]:
            amount, cite = amount_of(fees[name], settings)
            return {"title": fees[name].title, "amount": None if amount is None else f"{amount:.2f}", "cite": cite}

        return Sheet(fees, price)

    def fees(self) -> dict[str, Any]:
        case = self.case
        owed, paid = total(case.fees), kept(case.payments)
        return {
            "lines": [_line(line) for line in case.fees],
            "owed_now": [_line(line) for line in case.fees if line.seq == self.entry.seq],
            "total": f"{owed:.2f}",
            "paid": f"{paid:.2f}",
            "due": f"{max(Decimal(0), owed - paid):.2f}",
            "refunded": f"{moved(case.payments, 'refunded'):.2f}",
            "refunds": [{**due._asdict(), "now": due.seq == self.entry.seq} for due in case.refunds],
        }


_PARTS: Mapping[str, Callable[[_Reader], Any]] = {
    "agency": lambda reader: reader.book.agency,
    "case": _Reader.file,
    "place": _Reader.place,
    "requester": lambda reader: reader.first("requester"),
    "agent": lambda reader: reader.first("agent"),
    "third_party": lambda reader: reader.first("third-party"),
    "co_applicants": lambda reader: reader.people("co-applicant"),
    "interested_persons": lambda reader: reader.people("interested-person"),
    "act": _Reader.act,
    "facts": _Reader.facts,
    "clocks": _Reader.clocks,
    "items": _Reader.items,
    "asked": lambda reader: reader.items(("asked",)),
    "missing": lambda reader: reader.items(("missing", "asked")),
    "received": lambda reader: reader.items(("received",)),
    "listed": _Reader.listed,
    "petition_items": _Reader.petition_items,
    "fees": _Reader.fees,
    "schedule": _Reader.schedule,
    "settings": lambda reader: reader.case.settings,
    "done": _Reader.done,
    "findings": lambda reader: told(reader.book.workflow.standards, reader.book.rules, reader.entry.facts.get("findings")),
    "standards": lambda reader: standards_of(reader.book, reader.entry),
    "exclusions": _Reader.exclusions,
    "corrects": lambda _: None,
}
"""What a template may read, by name."""


def standards_of(book: Rulebook, entry: Entry) -> dict[str, dict[str, Any]]:
    """The words and the law of every rule that the act's facts name: in a fact's value, or as a name in a record."""
    named = [one for value in entry.facts.values() for one in (value if isinstance(value, Mapping) else (value,)) if isinstance(one, str)]
    return {name: {"text": rule.text, "cite": rule.cite} for name in named if (rule := book.conditions.get(name)) is not None}


def _party(party: Party) -> dict[str, Any]:
    return {
        "role": party.role,
        "name": party.name,
        "capacity": party.capacity,
        "email": party.email,
        "address": list(party.address),
        "channel": party.channel if party.email else "post",
        "statement": party.statement,
    }


def clock_view(book: Rulebook, case: Case, name: str, on: date) -> dict[str, Any]:
    """A clock as a letter may state it; null dates for one that has not begun."""
    clock = book.workflow.clocks[name]
    now: Run = run(book, case, name, on, explain=True)
    length = None
    if clock.length is not None:
        number = now.length[0] if now.length else value_of(clock.length.number, case.settings)
        length = {"number": number, "unit": clock.length.unit, "text": length_text(clock.length, case.settings)}
    return {
        "title": clock.title,
        "status": now.status,
        "start": _iso(now.start),
        "length": length,
        "unrolled": _iso(now.unrolled),
        "due": _iso(now.due),
        "target": _iso(now.target),
        "used": now.used,
        "left": now.left,
        "missed_by": now.missed_by,
        "displaced_on": _iso(now.displaced_on),
        "displaced_due": _displaced_due(book, case, name, on) if now.displaced_on is not None and now.due is None else None,
        "held_days": sum((hold.to or on.toordinal()) - hold.from_ for hold in now.held),
        "holds": [{"from": _iso(hold.from_), "to": _iso(hold.to), "days": (hold.to or on.toordinal()) - hold.from_} for hold in now.held],
        "cite": clock.cite,
        "why": [{"text": step.text, "cite": step.cite} for step in now.why if step.kind != "target"],
    }


def _displaced_due(book: Rulebook, case: Case, name: str, on: date) -> str | None:
    """The last day that a notice displaced: a letter that gives the notice must name it."""
    before = replace(case, marks=tuple(mark for mark in case.marks if mark.clock != name or mark.kind not in ("displace", "fit")))
    return _iso(run(book, before, name, on).due)


def _line(line: FeeLine) -> dict[str, Any]:
    return {"id": line.id, "title": line.title, "amount": line.amount, "count": line.units, "cite": line.cite, "text": line.text}


def _iso(ordinal: int | None) -> str | None:
    return None if ordinal is None else date.fromordinal(ordinal).isoformat()
