"""The people of a request, who have no account: the number of their case and the code from their letter open its status page.

Guessing learns nothing: an unknown number and a wrong code cost the same work and get the same words, and both rest after
some. What is shown is theirs alone: the state in words for the public, dates, the letters that went to them, what they sent.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from caseflow.domain.arrivals import taking_in
from caseflow.domain.case import Actor, Case
from caseflow.domain.mailing import OWN_ROLES, Copy, code_of
from caseflow.domain.retention import gone
from caseflow.domain.rulebook import Rulebook, agency_of
from caseflow.errors import BadInput, NotFound
from caseflow.services.acting import if_answered
from caseflow.services.dispatching import window_of
from caseflow.services.documents import Documents, Given, Receipt, document_json
from caseflow.services.evidence import opened, opens
from caseflow.services.office import Office
from caseflow.services.ports import Now
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.ports.store import Store
from caseflow.services.ports.visits import Visit, Visits
from caseflow.services.showing import clock_json, items_json

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter
    from caseflow.services.ports.people import Accounts
    from caseflow.services.ports.work import Work

LASTS = timedelta(hours=1)
GUESSES, GUESSES_OF_ADDRESS, REST = 5, 20, timedelta(minutes=15)
LONGEST_NUMBER, LONGEST_CODE = 100, 40
GOING_ON = ("running", "tolled", "displaced", "missed")
MIXED_UP = str.maketrans("OIL", "011")
"""Letters that are no part of a code and are typed for the digits that look like them."""


class NotOpened(BadInput):
    """Number and code do not open a status page, or not now."""


class VisitingStore(Store, Protocol):
    """A store that keeps visits and wrong guesses."""

    accounts: Accounts
    visits: Visits


class Applicants:
    """Status pages. `clock` is the moment by which visits and guesses are judged."""

    def __init__(self, office: Office, store: VisitingStore, documents: Documents, clock: Now) -> None:
        self._office, self._store, self._documents, self._clock = office, store, documents, clock

    # --- coming in ---

    def come_in(self, number: str, code: str, address: str) -> str:
        """The token of a new visit. Raises NotOpened with the same words whatever was wrong."""
        now, wanted = self._clock(), " ".join(number.split()).upper()[:LONGEST_NUMBER]
        keys = {f"status:{_digest(wanted)}": GUESSES, f"status-from:{_digest(address)}": GUESSES_OF_ADDRESS}
        resting = self._store.accounts.resting_until(tuple(keys), now)
        found = self._fitting(wanted, code)
        if resting is not None:
            raise NotOpened("Too many tries were wrong. Wait 15 minutes, then try again.")
        if found is None:
            self._store.accounts.guessed_wrong(keys, now, REST)
            stub = self._store.disposals.stub(wanted)
            if stub is not None:  # it was anybody's record and is nobody's now: no code is left that could be asked for
                raise NotOpened(str(gone(stub)))
            raise NotOpened("Number and code do not fit together. Both stand in our letter to you. After five wrong tries a number rests for 15 minutes.")
        self._store.accounts.forget_guesses(f"status:{_digest(wanted)}")
        token, (case, role, name) = secrets.token_urlsafe(32), found
        self._store.visits.open(Visit(_digest(token), case, role, name, now, now + LASTS, None))
        return token

    def _fitting(self, number: str, code: str) -> tuple[str, str, str] | None:
        """Whose code it is. For a number that exists and for one that does not, one case is read and one is missed."""
        given = "".join(sign for sign in code[:LONGEST_CODE].upper() if sign.isalnum()).translate(MIXED_UP)
        other = next((line.number for line in self._store.docket(DocketFilter(), limit=1)), "")
        with self._store.read() as work:
            asked = _case(work, number)
            # Three statements in every case: any case instead of one that is not there, and none beside one that is.
            instead = _case(work, other) if asked is None else _case(work, "-") if asked.number == number else None
            found = None
            for case in (one for one in (asked, instead) if one is not None):
                for party in case.parties:
                    own = code_of(self._secret, case.number, party.role, party.name).replace("-", "")
                    if hmac.compare_digest(own.encode(), given.encode()) and case is asked and party.role in OWN_ROLES:
                        found = (case.number, party.role, party.name)
            return found

    @cached_property
    def _secret(self) -> str:
        """What the codes are made of."""
        with self._store.begin() as work:
            return work.secret("access-code")

    def who(self, token: str | None) -> Visit | None:
        """The visit of a token, while it lasts and the person still belongs to the case."""
        if not token or len(token) > 100:
            return None
        visit = self._store.visits.visit(_digest(token))
        return visit if visit is not None and visit.ended_at is None and self._clock() < visit.expires_at else None

    def leave(self, token: str | None) -> None:
        """Ends a visit."""
        if token:
            self._store.visits.end(_digest(token), self._clock())

    def agency(self) -> Mapping[str, Any]:
        """Whose page it is, where no case is known yet."""
        return dict(agency_of(self._office.packs.all()[0]) or {})

    # --- the page ---

    def status(self, visit: Visit, moment: datetime | None = None) -> dict[str, Any]:
        """Where a case stands, for somebody of its request. Raises NotFound where they are no longer one of its people."""
        moment = moment or self._office.now()
        with self._office.store.read() as work:
            case = _own_case(work, visit)
            letters = [(letter, copy) for letter in work.letters(case.number) for copy in _own_copies(letter, visit)]
            documents = [one for one in work.documents(case.number) if one.sender is not None]
        book = self._office.packs.of(case)
        today = book.calendar.local_day(moment)
        workflow, state = book.workflow, book.workflow.states[case.state]
        clocks = [clock_json(book, case, name, today) for name in dict.fromkeys(mark.clock for mark in case.marks)]
        open_clocks = [one for one in clocks if one["status"] in GOING_ON and not one["ended_on"]]
        main = _deciding(open_clocks)
        sent = [document_json(book, case, one) for one in documents]
        items = [
            {**item, "sent": [one for one in sent if one["item"] == item["id"]]} for item in items_json(book, case) if item["status"] in ("missing", "asked")
        ]
        answer_by = _answer_by(book, clocks)
        return {
            "case": case.number,
            "title": case.title,
            "service": workflow.title,
            "agency": dict(agency_of(book.pack) or {}),
            "you": visit.name,
            "turn": _turn(state.ends, state.turn, main),
            "say": state.say.public if state.say is not None else state.title,
            "decision": workflow.dispositions.get(case.disposition, case.disposition) if state.ends and case.disposition else None,
            "decided_on": case.closed_on.isoformat() if state.ends and case.closed_on is not None else None,
            "items": items,
            "answer_by": answer_by,
            "main": main,
            "if_answered": _projected(book, case, main, answer_by, today),
            "yours": [one for one in open_clocks if one["actor"] != book.calendar.agency and one["status"] == "running" and not one["policy"]],
            "filed_on": case.received_on.isoformat(),
            "letters": sorted((_letter_json(book, letter, copy) for letter, copy in letters), key=lambda one: (one["sent_on"], one["number"])),
            "sent": sent,
            "now": moment.astimezone(book.calendar.zone).isoformat(),
            "zone": str(book.calendar.zone),
            "as_of": today.isoformat(),
        }

    def letter(self, visit: Visit, number: str) -> dict[str, Any]:
        """A letter that went to this person, with the words of their own copy. Raises NotFound, also for one to somebody else.

        Where `opens`, they have yet to open it, which proves its delivery; its words are left out until then."""
        with self._office.store.read() as work:
            case = _own_case(work, visit)
            letter, copy = _own_letter(work, visit, number)
            words = self._office.letters.for_copy(letter.markdown, _own_code(self._secret, copy))
            made = _letter_json(self._office.packs.of(case), letter, copy)
        # What is opened as proof of its delivery is not read before.
        part = self._office.letters.part(words) if not made["opens"] else ""
        return {**made, "part": part, "corrects": letter.corrects, "corrected_by": letter.corrected_by}

    def open_letter(self, visit: Visit, number: str, moment: datetime | None = None) -> None:
        """This person opens a letter: recorded once, as proof of its delivery, where the pack says that it is one. Raises NotFound."""
        with self._office.store.read() as work:
            _own_case(work, visit)
            _own_letter(work, visit, number)
        opened(self._office, number, visit.role, visit.name, moment)

    def letter_pdf(self, visit: Visit, number: str) -> bytes:
        """The letter as it was sent to this person, as PDF. Raises NotFound, LetterFault."""
        with self._office.store.read() as work:
            case = _own_case(work, visit)
            letter, copy = _own_letter(work, visit, number)
            if opens(self._office.packs.of(case), copy):
                raise NotFound("Open the letter first, on its page; then it can be saved.")
            code = _own_code(self._secret, copy)
        words = self._office.letters.for_copy(letter.markdown, code)
        return self._office.letters.pdf(replace(letter, markdown=words), window_of(copy), code or "")

    # --- what they send ---

    def send(self, visit: Visit, given: Sequence[Given], moment: datetime | None = None) -> Receipt:
        """Takes in what they send. Raises BadInput, StoreFault, NotFound."""
        with self._office.store.read() as work:
            _own_case(work, visit)
        return self._documents.take_in(visit.case, given, Actor("person", visit.role, "requester"), visit.name, moment)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def _case(work: Work, number: str) -> Case | None:
    try:
        return work.case(number)
    except NotFound:
        return None


def _own_case(work: Work, visit: Visit) -> Case:
    case = _case(work, visit.case)
    if case is None or not any((party.role, party.name) == (visit.role, visit.name) for party in case.parties):
        raise NotFound("This page is no longer yours to see. Write to the address on our letter.")
    return case


def _own_copies(letter: RegisteredLetter, visit: Visit) -> list[Copy]:
    """The copies that have left to this person; of several, the last."""
    return [copy for copy in letter.copies if copy.sent_on is not None and (copy.role, copy.name) == (visit.role, visit.name)][-1:]


def _own_letter(work: Work, visit: Visit, number: str) -> tuple[RegisteredLetter, Copy]:
    try:
        letter = work.letter(number)
    except NotFound:
        letter = None
    copies = _own_copies(letter, visit) if letter is not None and letter.case == visit.case else []
    if letter is None or not copies:
        raise NotFound("There is no such letter, or it is not yours to see.")
    return letter, copies[0]


def _own_code(secret: str, copy: Copy) -> str | None:
    return code_of(secret, copy.case, copy.role, copy.name) if copy.kind == "to" and copy.role in OWN_ROLES else None


def _letter_json(book: Rulebook, letter: RegisteredLetter, copy: Copy) -> dict[str, Any]:
    assert copy.sent_on is not None
    return {
        "number": letter.number,
        "title": letter.title,
        "subject": letter.subject,
        "sent_on": copy.sent_on.isoformat(),
        "channel": copy.channel,
        "copy": copy.id,
        "status": copy.status,
        "opens": opens(book, copy),
    }


def _deciding(clocks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The period of the agency that matters now: a missed one, else the earliest last day, else one without a date."""
    own = [one for one in clocks if one["actor"] not in ("requester", "public") and not one["policy"]]
    return min(own, key=lambda one: (one["status"] != "missed", one["due"] or "9999"), default=None)


def _answer_by(book: Rulebook, clocks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The period in which what is missing is to be sent: one of the requester's that an act which takes it in ends."""
    ended = {move.clock for name in taking_in(book) for move in book.moves.get(name, ()) if move.kind == "met"}
    return next((one for one in clocks if one["id"] in ended and one["actor"] == "requester" and not one["ended_on"] and one["due"]), None)


def _turn(ends: bool, turn: str, main: Mapping[str, Any] | None) -> str:
    if ends:
        return "decided"
    if main is not None and main["status"] == "displaced":
        return "site"
    return turn


def _projected(book: Rulebook, case: Case, main: Mapping[str, Any] | None, answer_by: Mapping[str, Any] | None, today: date) -> dict[str, Any] | None:
    """The last day of a held period, were everything there by the day asked for, or today where that has passed."""
    if main is None or main["status"] != "tolled":
        return None
    at = next((mark.at for mark in reversed(case.marks) if mark.clock == main["id"] and mark.kind == "hold"), None)
    if at is None:
        return None
    enders = [name for until in book.workflow.clocks[main["id"]].holds[at].until for name in until.after if until.when is None]
    on = max(today, date.fromisoformat(answer_by["due"])) if answer_by is not None else today
    return next(iter(if_answered(book, case, main["id"], enders, on)), None)
