"""The values that move through the house: requests, cases, entries, acts and outcomes. All are frozen.

A `Case` carries what the next decision needs, so that acting reads no journal. It holds no derived date: `marks`
are the dated moments that the clocks are derived from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

Facts = Mapping[str, Any]
"""Fact values: text, bool, int, decimal text (numbers and money), ISO day or moment text, lists and maps of these."""

NO_HASH = "0" * 64


COPY_ROLES = ("copy", "contractor", "municipality", "county", "federal-agency")
"""Who is only told: `copy` of every letter, the others of the letters that name them."""


# --- what is filed ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Party:
    """A person of a case. `role`: requester, agent, third-party, co-applicant, interested-person or one of COPY_ROLES."""

    role: str
    name: str
    capacity: str | None = None
    email: str | None = None
    address: tuple[str, ...] = ()
    channel: Literal["email", "post", "portal"] = "email"
    language: str | None = None
    statement: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where it is: water, county, municipality and the site indicators."""

    water: str | None = None
    county: str | None = None
    wbic: str | None = None
    municipality: str | None = None
    plss: str | None = None
    parcel: str | None = None
    latitude: str | None = None
    longitude: str | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Waterbody:
    """A waterbody of a request, with the services wanted for it (those of the request where empty)."""

    name: str
    wbic: str | None = None
    county: str | None = None
    services: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Payment:
    """Money that moved. `amount` is decimal text; `kind`: received, returned or refunded."""

    kind: Literal["received", "returned", "refunded"]
    amount: str
    method: str
    on: date
    seq: int = 0
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class Filing:
    """What a requester hands in. `filed` is the local moment of arrival with its zone."""

    requester: Party
    services: tuple[str, ...]
    waterbodies: tuple[Waterbody, ...]
    filed: datetime
    channel: str = "electronic"
    in_form: bool = True
    agent: Party | None = None
    third_party: Party | None = None
    co_applicants: tuple[Party, ...] = ()
    interested_persons: tuple[Party, ...] = ()
    copies: tuple[Party, ...] = ()
    boundary: Mapping[str, str] = field(default_factory=dict)
    submitted: tuple[str, ...] = ()
    exclusions: Mapping[str, bool] = field(default_factory=dict)
    payment: Mapping[str, str] | None = None
    expedite: Mapping[str, str] | None = None
    aliases: tuple[str, ...] = ()
    facts: Facts = field(default_factory=dict)
    settings: Facts = field(default_factory=dict)


# --- who acts -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it. `kind`: person, scheduler or import."""

    kind: Literal["person", "scheduler", "import"]
    id: str
    role: str


SCHEDULER = Actor("scheduler", "scheduler", "scheduler")


@dataclass(frozen=True, slots=True)
class Act:
    """An action asked for. `on` is the effective day (today of the moment where None).

    `elsewhere` is what the other cases of the request owe and have paid (owed, paid and refunded as decimal text;
    fees: {fee: [amount, units]}; open: {fee: [cases that go on]}); the service states it, never the caller.
    """

    action: str
    actor: Actor
    facts: Facts = field(default_factory=dict)
    on: date | None = None
    because: str | None = None
    seen_version: int | None = None
    command_id: str | None = None
    elsewhere: Mapping[str, Any] | None = None


# --- the record ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One line of the journal (CONTRACT section 6). `key` salts its facts; `hash` is made by domain.journal."""

    case: str
    seq: int
    recorded_at: datetime
    effective_on: date
    actor: Actor
    action: str
    from_state: str | None
    to_state: str
    facts: Facts
    because: str | None
    cites: tuple[str, ...]
    pack_version: str
    calendar_version: str
    key: str
    prev_hash: str
    hash: str


class Mark(NamedTuple):
    """A dated moment of a clock, noted when its entry was made.

    `kind`: start, cancel, hold, resume, extend, displace, fit, met, stop, expect. `on`/`seq`: the entry's effective
    day and number. `day`: the day that counts (None: not known). `at`: which of the clock's starts, holds or
    extensions. `until`: only for extensions to a day.
    """

    clock: str
    kind: str
    on: date
    seq: int
    day: date | None
    at: int = 0
    letter: str | None = None


class Timer(NamedTuple):
    """A moment at which the scheduler must act. It is the end of a clock, never a date of its own.

    `kind`: overdue, silence, silence-waits, remind, warn-N. `at` is UTC. `round` counts withdrawn firings.
    """

    clock: str
    kind: str
    action: str
    due: date
    at: datetime
    round: int = 0

    @property
    def id(self) -> str:
        """What the timer is called inside its case."""
        return f"{self.clock}:{self.kind}:{self.due.isoformat()}:{self.round}"


class Task(NamedTuple):
    """Work for a person: settled by one of `actions`, or when the case ends. `role`: who it is for."""

    id: str
    text: str
    actions: tuple[str, ...]
    role: str
    since: date
    seq: int
    lasting: bool = False


class LetterMade(NamedTuple):
    """A letter that an entry owed. `status`: owed, handed-over or canceled; the register knows more. `served_on`: where
    the pack gives a letter days on its way."""

    id: str
    seq: int
    number: str
    status: str
    owed_on: date
    sent_on: date | None = None
    served_on: date | None = None


class ItemState(NamedTuple):
    """Where an item of the filing stands. `status`: present, missing, asked or received."""

    status: str
    asked: int | None = None
    note: str | None = None
    judged_by: str | None = None


class FeeLine(NamedTuple):
    """A line of what is owed. `amount` is decimal text."""

    id: str
    title: str
    amount: str
    units: int
    cite: str | None
    seq: int
    text: str = ""


class RefundDue(NamedTuple):
    """What an act means for a refund: `amount` (decimal text) is owed, or nothing is; `because` says why."""

    id: str
    owed: bool
    amount: str
    title: str
    because: str
    cite: str | None
    seq: int


class Done(NamedTuple):
    """The standing entries of one action: the number and effective day of the last, and how many."""

    seq: int
    on: date
    times: int


class LegalHold(NamedTuple):
    """An order to keep a case, in place until it is lifted: the entry that placed it, its day, by whom, why, and what it is called."""

    seq: int
    on: date
    by: str
    because: str
    matter: str | None = None


@dataclass(frozen=True)
class Case:
    """A case as it stands. `version` is the number of its entries; `head` the hash of the last.

    `came_from` is the state before the present one; `dispositions` holds every disposition given, the last counts.
    `spent` maps a limit to the entries that used it. `fired` holds the ids of timers that were recorded, `refired` how
    often a firing was withdrawn, by clock:kind:due. `closed_on` is the day on which it entered an ending state. `last_on` is the latest effective day of the record.
    `quiet_until`: no timer fires for what was before, since an older system had the case then.
    """

    number: str
    request: str
    workflow: str
    pack: str
    pack_version: str
    calendar_version: str
    received_at: datetime
    received_on: date
    state: str
    came_from: str | None
    dispositions: tuple[str, ...]
    flags: tuple[str, ...]
    facts: dict[str, Any]
    settings: dict[str, Any]
    done: dict[str, Done]
    spent: dict[str, tuple[int, ...]]
    items: dict[str, ItemState]
    marks: tuple[Mark, ...]
    timers: tuple[Timer, ...]
    tasks: tuple[Task, ...]
    letters: tuple[LetterMade, ...]
    fees: tuple[FeeLine, ...]
    payments: tuple[Payment, ...]
    parties: tuple[Party, ...]
    place: Place
    title: str
    aliases: tuple[str, ...]
    assigned_to: str | None
    fired: tuple[str, ...]
    refired: dict[str, int]
    closed_on: date | None
    version: int
    head: str
    last_on: date
    refunds: tuple[RefundDue, ...] = ()
    quiet_until: datetime | None = None
    legal_holds: tuple[LegalHold, ...] = ()

    def revised(self, **members: Any) -> Case:
        """A copy with other members: dataclasses.replace for the acts of a sweep, at a tenth of its price."""
        assert members.keys() <= self.__dict__.keys(), f"a case has no {sorted(members.keys() - self.__dict__.keys())}"
        made = object.__new__(Case)
        made.__dict__.update(self.__dict__, **members)
        return made

    @property
    def disposition(self) -> str | None:
        """The disposition that stands while the case is closed."""
        return self.dispositions[-1] if self.dispositions else None


def unopened(number: str, request: str, workflow: str, versions: tuple[str, str], received_at: datetime, received_on: date, state: str) -> Case:
    """A case of which nothing has happened yet. `versions`: the pack's and the calendar's, by which its rules are found."""
    return Case(
        number=number,
        request=request,
        workflow=workflow,
        pack="",
        pack_version=versions[0],
        calendar_version=versions[1],
        received_at=received_at,
        received_on=received_on,
        state=state,
        came_from=None,
        dispositions=(),
        flags=(),
        facts={},
        settings={},
        done={},
        spent={},
        items={},
        marks=(),
        timers=(),
        tasks=(),
        letters=(),
        fees=(),
        payments=(),
        parties=(),
        place=Place(),
        title="",
        aliases=(),
        assigned_to=None,
        fired=(),
        refired={},
        closed_on=None,
        version=0,
        head=NO_HASH,
        last_on=received_on,
    )


# --- what a decision produces -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LetterOwed:
    """A letter that an entry owes. `view` is the frozen plain data that its template may read; `corrects` the number of
    the letter that it corrects; `template` another template than its own."""

    case: str
    seq: int
    letter: str
    number: str
    owed_on: date
    view: Mapping[str, Any]
    to: tuple[Party, ...]
    copies: tuple[Party, ...]
    approval: str | None
    by_law: bool
    corrects: str | None = None
    template: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a decision changes, all of it to be saved together or not at all.

    `fired`: the timer that caused it. `set`/`canceled`: timers that began or ended to be owed. `limits`: (limit,
    ordinal, entry) newly used; `released`: the same, given back by a void. `withdrawn`: entries closed by correction.
    """

    before: Case | None
    case: Case
    entries: tuple[Entry, ...]
    letters: tuple[LetterOwed, ...] = ()
    canceled_letters: tuple[str, ...] = ()
    fired: Timer | None = None
    timers_set: tuple[Timer, ...] = ()
    timers_canceled: tuple[Timer, ...] = ()
    limits: tuple[tuple[str, int, int], ...] = ()
    released: tuple[tuple[str, int, int], ...] = ()
    withdrawn: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
