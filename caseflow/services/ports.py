"""What the services need from outside, as Protocols. Adapters fulfil them; bootstrap joins the two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, BinaryIO, Literal, Protocol

from caseflow.domain.case import Actor, Case, Entry, LetterOwed, Outcome, Task, Timer
from caseflow.domain.mailing import Attempt, Copy
from caseflow.domain.moving import Adoption
from caseflow.domain.pack import Pack
from caseflow.domain.packmoves import PackMove
from caseflow.domain.retention import Stub
from caseflow.domain.rulebook import Rulebook
from caseflow.services.runs import Runs
from caseflow.services.sight import EVERYTHING, Sight

Now = Callable[[], datetime]
"""The present moment, in UTC with its zone. Nothing else reads the clock."""


@dataclass(frozen=True, slots=True)
class Written:
    """A letter as written in the case transaction: its Markdown, and the hashes that prove how it was made."""

    owed: LetterOwed
    markdown: str
    subject: str
    template_hash: str
    content_hash: str
    status: str  # owed, draft (waits for approval) or blocked
    missing: tuple[str, ...] = ()
    leaves_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RegisteredLetter:
    """A row of the letter register. `recipients`: one map each with role, name, channel, address, status; `copies` has
    more of the same. `corrects`/`corrected_by`: letter numbers. `edits`: what a person wrote into its marked places."""

    number: str
    case: str
    seq: int
    letter: str
    title: str
    subject: str
    status: str
    markdown: str
    view: Mapping[str, Any]
    template_hash: str
    content_hash: str
    pack_version: str
    owed_on: date
    leaves_at: datetime | None
    sent_on: date | None
    recipients: tuple[Mapping[str, Any], ...]
    missing: tuple[str, ...]
    copies: tuple[Copy, ...] = ()
    corrects: str | None = None
    corrected_by: str | None = None
    edits: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A timer row that is due."""

    row: int
    case: str
    timer: Timer


@dataclass(frozen=True, slots=True)
class DocketFilter:
    """What a list of cases is narrowed to. All given members must hold; `services.narrowing.fits` says what each means."""

    state: str | None = None
    workflow: str | None = None
    assigned: str | None = None
    flag: str | None = None
    due_by: date | None = None
    text: str | None = None
    open_only: bool = False
    phase: str | None = None
    turn: str | None = None
    unassigned: bool = False
    overdue_on: date | None = None
    numbers: tuple[str, ...] | None = None
    not_overdue_on: date | None = None
    target_from: date | None = None
    target_to: date | None = None
    silent_by: date | None = None
    silent: bool = False
    stands: bool = False
    stands_from: date | None = None
    stands_to: date | None = None
    phases_not: tuple[str, ...] = ()
    letters_waiting: bool = False
    quiet_before: date | None = None
    decided_from: date | None = None
    decided_to: date | None = None
    on_time: bool | None = None
    held: bool | None = None
    recorded_before: datetime | None = None
    seen: Sight = EVERYTHING
    county: str | None = None
    live: bool = False
    dated: bool | None = None
    not_turns: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    not_assigned: str | None = None
    group: tuple[str, Urgency] | None = None


GROUPS = ("late", "soon", "stuck", "near", "arrived", "later", "waiting")
"""The groups of live cases by urgency: those that are open, and those that have ended but left a task. Each is in exactly one."""
STUCK, JAMMED = ("letter-blocked", "letter-failed", "refused"), "!"
"""Tasks (the part of their ids before the colon) that say that something can't go on by itself; and the word that stands
first among what a case with one of them asks for."""


@dataclass(frozen=True, slots=True)
class Urgency:
    """By what live cases are told apart. `soon` and `near`: the last days of the groups so named; `asks`: the roles whose
    tasks the asking person may do; `turns`: the turns in which the agency must act."""

    today: date
    soon: date
    near: date
    asks: tuple[str, ...]
    turns: tuple[str, ...]


def group_of(line: CaseLine, parked: bool, by: Urgency) -> str:
    """The group of a live case: `late` past the law's date; `soon`; `stuck` where a timer is parked or a letter can't go;
    `near`; `arrived` where a task or a turn without a date waits for the person; `later`; or `waiting` for somebody else."""
    target, due = line.row.next_target, line.row.next_due
    if target is not None and due is not None and target < by.today and due < by.today:
        return "late"
    if target is not None and target <= by.soon:
        return "soon"
    if parked or JAMMED in line.asks:
        return "stuck"
    if target is not None and target <= by.near:
        return "near"
    if any(role in line.asks for role in by.asks) or (target is None and not line.row.ends and line.row.turn in by.turns):
        return "arrived"
    return "later" if target is not None else "waiting"


def asks_of(tasks: Sequence[Task]) -> tuple[str, ...]:
    """What the open tasks of a case ask for, as words to look for: their roles, and the kinds of those about letters and timers."""
    if not tasks:
        return ()
    kinds = {kind for task in tasks for kind, colon, _ in (task.id.partition(":"),) if colon}
    jammed = {JAMMED} if kinds.intersection(STUCK) else set()
    return tuple(sorted({task.role for task in tasks} | kinds | jammed))


@dataclass(frozen=True, slots=True)
class CaseRow:
    """What lists sort and filter by, computed by the service when a case is saved.

    `stands_since`: the day since which no period of the agency runs because one is held or displaced. `silent_on`: the
    last day of the nearest period that ends in an outcome by silence.
    """

    phase: str
    turn: str
    ends: bool
    next_clock: str | None = None
    next_due: date | None = None
    next_target: date | None = None
    decided_on: date | None = None
    on_time: bool | None = None
    held: bool = False
    stands_since: date | None = None
    silent_on: date | None = None


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case as lists show it. `next_at` is its earliest timer."""

    number: str
    request: str
    title: str
    workflow: str
    state: str
    assigned_to: str | None
    flags: tuple[str, ...]
    tasks: int
    version: int
    received_on: date
    last_on: date
    next_at: datetime | None
    row: CaseRow
    asks: tuple[str, ...] = ()
    county: str | None = None
    head: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A case named as it stands, not read. `head` is the hash of its last entry: the same number and head are the same case."""

    number: str
    head: str
    target: date | None


def line_of(case: Case, row: CaseRow) -> CaseLine:
    """A case as lists show it."""
    return CaseLine(
        number=case.number,
        request=case.request,
        title=case.title,
        workflow=case.workflow,
        state=case.state,
        assigned_to=case.assigned_to,
        flags=case.flags,
        tasks=len(case.tasks),
        version=case.version,
        received_on=case.received_on,
        last_on=case.last_on,
        next_at=case.timers[0].at if case.timers else None,
        row=row,
        asks=asks_of(case.tasks),
        county=case.place.county,
        head=case.head,
    )


@dataclass(frozen=True, slots=True)
class Period:
    """From a moment until before another, narrowed to an actor and to a case where given, and to cases that are seen."""

    since: datetime
    until: datetime
    actor: str | None = None
    case: str | None = None
    seen: Sight = EVERYTHING


@dataclass(frozen=True, slots=True)
class Doing:
    """An entry as a list of who did what shows it."""

    recorded_at: datetime
    effective_on: date
    case: str
    seq: int
    actor: Actor
    action: str
    because: str | None
    workflow: str
    title: str


@dataclass(frozen=True, slots=True)
class Doer:
    """Somebody who recorded entries in a period, or looked at cases: how often, in how many cases, and when last. Summed by
    case: which case, how often, and by how many people."""

    kind: str
    id: str
    times: int
    cases: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a case: `sha256` names its content, `kind` is its type as it is served, `name` what its sender called it.

    `seq` is the entry by which it came, `by` and `role` who entered it, `sender` who handed it in from outside (a name),
    `item` the item that it is for, empty where none was named.
    """

    id: str
    case: str
    seq: int
    sha256: str
    name: str
    kind: str
    size: int
    at: datetime
    by: str
    role: str
    sender: str | None
    item: str


@dataclass(frozen=True, slots=True)
class Brought:
    """What comes with a case from another record: its letters with their copies, every attempt, and its documents."""

    letters: tuple[RegisteredLetter, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    documents: tuple[Document, ...] = ()


class Work(Protocol):
    """One transaction. Nothing is visible to others before it ends well; an exception undoes all of it."""

    def next_number(self, prefix: str, year: int) -> int:
        """The next request number of that year, never given twice."""

    def case(self, number: str) -> Case:
        """The case (or its alias), locked until the transaction ends. Raises NotFound, and Disposed where only its stub is left."""

    def cases(self, numbers: Sequence[str]) -> Mapping[str, Case]:
        """Those of these cases that exist, read together."""

    def request(self, number: str) -> tuple[Case, ...]:
        """Every case of a request, by number."""

    def siblings(self, case: Case) -> tuple[Case, ...]:
        """The other cases of the same request."""

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The journal of a case, by sequence."""

    def command(self, command_id: str) -> tuple[str, int] | None:
        """The case and version that a command produced, if it was done before."""

    def save(self, outcome: Outcome, row: CaseRow, letters: Sequence[Written] = (), command_id: str | None = None) -> None:
        """Write all of it when the transaction ends; reads in it see it before. Raises, here or at the end, StaleCase if
        the case moved on and StoreFault if a unique key refuses."""

    def bring(self, brought: Brought) -> None:
        """Write what came with a case from another record, when the transaction ends; the case itself is saved before."""

    def count_from(self, prefix: str, year: int, last: int) -> None:
        """Give no request number of that year up to this one."""

    def keep_pack(self, pack: Pack, files: Mapping[str, str]) -> None:
        """Keep a pack whole, by content hash, once."""

    def keep_calendar(self, digest: str, text: str) -> None:
        """Keep a changed calendar whole, by the SHA-256 of its text, once."""

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar, the first one first; what the same transaction kept is seen."""

    def keep_adoption(self, adoption: Adoption) -> None:
        """Keep an adoption as it now is, by its id. Raises KeyRefused where that is another's: of another pack, moment or person."""

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack, the first one first; what the same transaction kept is seen."""

    def keep_pack_move(self, move: PackMove) -> None:
        """Keep a move as it now is, by its id. Raises KeyRefused where that is another's: of another pack, moment or person."""

    def due(self, until: datetime, limit: int) -> Sequence[DueTimer]:
        """Open timers due by then, earliest first, with their cases read ahead."""

    def settle(self, row: int, status: Literal["fired", "canceled", "refused", "parked"], text: str = "") -> None:
        """Close a timer row."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that may fail alone: what it would have written is dropped."""

    def letters(self, case: str | None = None, status: Sequence[str] = (), until: datetime | None = None) -> Sequence[RegisteredLetter]:
        """Letters of the register, oldest first; `until` limits to those allowed to leave by then. What the same
        transaction saves is not yet among them."""

    def letter(self, number: str) -> RegisteredLetter:
        """One letter. Raises NotFound."""

    def letter_status(self, number: str, status: str, on: date | None = None, proof: str = "", copies: bool = True) -> None:
        """Move a letter in the register, its copies with it unless told not to (a letter's words never change)."""

    def letter_words(self, letter: RegisteredLetter) -> None:
        """Write the words of a draft or blocked letter anew, with its status, data, hashes, edits and missing names."""

    def copies(self, letter: str | None = None, batch: str | None = None) -> tuple[Copy, ...]:
        """The copies of a letter, or those of a print batch, in order. What the same transaction changed is seen."""

    def claim(self, moment: datetime, token: str, until: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Claim the copies of one letter that may leave by now, for the run of that token: those that the letter is to
        first. `at_once` ignores the time that mail is held back, and no other. Empty where none is waiting."""

    def lapsed(self, moment: datetime) -> tuple[Copy, ...]:
        """Copies whose claim has run out: the run that held them is dead or frozen."""

    def waiting_copies(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Every copy that `claim` would find, unclaimed."""

    def how_many_wait(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> int:
        """How many copies `waiting_copies` would read; none is read or locked for it."""

    def copy_changed(self, copy: Copy, held: str | None = None) -> bool:
        """Keep a copy as it now is; False, and nothing kept, where it is not claimed by `held` (by nobody where None)."""

    def copy_added(self, copy: Copy) -> None:
        """Add a copy. Raises StoreFault where the key (case, entry, template, recipient, channel) exists."""

    def attempt(self, attempt: Attempt) -> None:
        """Keep an attempt; the same number again ends it."""

    def attempts(self, letter: str) -> tuple[Attempt, ...]:
        """Every attempt at the copies of a letter."""

    def secret(self, name: str) -> str:
        """A secret of this database, made when first asked for: 64 hex digits."""

    def documents(self, case: str) -> tuple[Document, ...]:
        """The documents of a case, in the order in which they came."""

    def document(self, name: str) -> Document:
        """One document. Raises NotFound."""

    def document_added(self, document: Document) -> None:
        """Add a document. Raises StoreFault where the key (case, sha256, item) exists."""

    def last_disposal(self) -> tuple[int, str]:
        """The place and hash of the last disposal; 0 and no hash where there is none."""

    def dispose(self, case: Case, stub: Stub) -> None:
        """Put a stub in the place of a case at once: everything of it goes. Raises StaleCase if the case moved on, StoreFault where it
        is open or under legal hold."""

    def resting(self) -> str | None:
        """Since when nothing may leave, as a restored database says; None where mail leaves as it should."""

    def rest(self, since: str | None) -> None:
        """Let nothing leave from now on, or again."""

    def beat(self, name: str, at: datetime, note: str = "") -> None:
        """Write the heartbeat of a scheduler."""

    def under(self, name: str, token: str, seconds: float) -> None:
        """Keep what this transaction writes only if the run still holds at its end, and then for so many seconds more. It ends with Lapsed
        otherwise."""


@dataclass(frozen=True, slots=True)
class SearchText:
    """What a case is found by, in parts of different weight, as of one version of it."""

    case: str
    version: int
    numbers: str
    people: str
    place: str
    facts: str
    letters: str


class Search(Protocol):
    """The index of words. The database notes by itself which case has changed."""

    def due(self, limit: int) -> Sequence[str]:
        """Cases whose words have changed since they were put into the index."""

    def keep(self, found: Sequence[SearchText]) -> int:
        """Puts words into the index in place of what was there; what has changed since it was read stays due. The answer is how many were kept."""

    def find(self, asked: str, limit: int, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases that have all the words, the best first; the last word may be the beginning of one. Only what is seen is found and counted."""


@dataclass(frozen=True, slots=True)
class SavedView:
    """A filter that a person keeps under a name: the path and question of its list."""

    account: str
    name: str
    address: str
    made_at: datetime


class Views(Protocol):
    """Where saved filters are kept. Each call is a transaction of its own."""

    def of(self, account: str) -> Sequence[SavedView]:
        """Those of a person, by name."""

    def keep(self, view: SavedView) -> None:
        """Keeps a filter; the same name again replaces it."""

    def drop(self, account: str, name: str) -> bool:
        """Forgets a filter of a person; False where there is none of that name."""


@dataclass(frozen=True, slots=True)
class KeptPack:
    """A pack version that the database keeps whole: its content hash, the pack's name and its label for people; how many cases
    run by it, and how many of those are open."""

    version: str
    pack: str
    label: str
    cases: int = 0
    open: int = 0


class Store(Protocol):
    """The database. `one_writer`: whether everybody who writes waits for one lock, as in an embedded one."""

    one_writer: bool

    @property
    def search(self) -> Search:
        """The index of words."""

    def begin(self) -> AbstractContextManager[Work]:
        """A writing transaction. Raises StoreFault when locked, full or out of reach."""

    def read(self) -> AbstractContextManager[Work]:
        """A reading transaction."""

    def together(self) -> AbstractContextManager[None]:
        """What one thread reads within is read as of one moment, and quicker than by one transaction for each question."""

    def apart(self) -> AbstractContextManager[None]:
        """Within `together`: what is read here is read as it is now, with what this thread has just written."""

    def upgrade(self, live: bool | None = None) -> None:
        """Create or migrate the database; safe to repeat. `live=True` marks a real record for good."""

    def exists(self) -> bool:
        """Whether there is a database set up for this version of the program."""

    def is_live(self) -> bool:
        """Whether the database holds a real record."""

    def next_due(self) -> datetime | None:
        """The moment of the earliest open timer."""

    def docket(self, wanted: DocketFilter, after: str | None = None, limit: int | None = None) -> Iterator[CaseLine]:
        """Cases by number, after a key."""

    def soonest(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by target, the soonest first, then those without a date by number; `after` is the last one seen."""

    def standings(self, wanted: DocketFilter, after: tuple[date | None, str] | None, limit: int) -> Sequence[Standing]:
        """The same as `soonest`, named and not read."""

    def by_day(self, wanted: DocketFilter, day: str, after: tuple[date | None, str] | None, limit: int) -> Sequence[CaseLine]:
        """Cases by another day of theirs (stands_since, silent_on), the earliest first, then those without it by number."""

    def dated(self, wanted: DocketFilter, first: date, last: date, timers: tuple[datetime, datetime], limit: int) -> tuple[Sequence[str], date | None]:
        """Cases that may have a date from `first` to `last`, the soonest first: their nearest last day or target lies there,
        or an open timer between the two moments. With more than `limit`, the day through which none is missing."""

    def numbers(self, after: str | None = None) -> Iterator[str]:
        """The number of every case, in order."""

    def count(self, wanted: DocketFilter, each: Sequence[DocketFilter], by: str | None = None) -> Mapping[Any, tuple[int, ...]]:
        """How many of the wanted cases fit each further filter, by the values of a column (assigned_to, next_target,
        stands_since, decided_on); by None they are counted whole, under the key None."""

    def changed_since(self, moment: datetime, limit: int | None = None, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases that are seen, on record before a moment, of which something was recorded at or after it, by number."""

    def doings(self, period: Period, before: tuple[datetime, str, int] | None = None, limit: int = 100) -> Sequence[Doing]:
        """Entries recorded in a period, the newest first; `before` is the key (moment, case, number) of the last one seen."""

    def doers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who recorded entries in a period, those of the most entries first; by `case`, of which cases they were."""

    def seen(self, number: str, sight: Sight) -> str | None:
        """The number of the case (or of the case of that alias), where it is seen."""

    def case_of(self, letter: str) -> str | None:
        """The case of a letter."""

    def how_many(self, wanted: DocketFilter, most: int) -> int:
        """How many cases there are, or `most` where there are more."""

    def group_counts(self, wanted: DocketFilter, by: Urgency, most: int) -> Mapping[str, int]:
        """How many of these live cases are in each group; of more than `most` only so many are counted."""

    def parked(self, numbers: Sequence[str]) -> Mapping[str, str]:
        """Of these cases those with a timer that could not fire, with what stood against it."""

    @property
    def views(self) -> Views:
        """The filters that people have saved."""

    def pack_files(self, version: str) -> Mapping[str, str] | None:
        """The files of a pack that the database keeps."""

    def calendar_text(self, digest: str) -> str | None:
        """The text of a calendar that the database keeps, by its SHA-256."""

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar, the first one first."""

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack, the first one first."""

    def pack_versions(self) -> Sequence[KeptPack]:
        """The pack versions that the database keeps, with how many cases run by each."""

    def cases_under(self, version: str, after: str = "", limit: int = 500, is_open: bool = True) -> Sequence[str]:
        """The numbers of cases that run by a pack version, in order, after a number; without `is_open` also those that have ended."""

    def calendars(self) -> Sequence[str]:
        """The SHA-256 of every changed calendar that the database keeps, in order."""

    def heartbeats(self) -> Sequence[tuple[str, datetime, str]]:
        """Who beat when."""

    @property
    def runs(self) -> Runs:
        """Runs of processes, under tokens that expire."""

    @property
    def disposals(self) -> Disposals:
        """Records that were disposed of."""


class Disposals(Protocol):
    """Where stubs are kept, and what is still to be removed of the records that they stand for. Each call is a transaction of its own."""

    def stub(self, number: str) -> Stub | None:
        """The stub of a case."""

    def stubs(self, after: int = 0, limit: int = 500) -> Sequence[Stub]:
        """Stubs in the order of disposal, after a place."""

    def latest(self, limit: int) -> Sequence[Stub]:
        """The newest stubs, the last first."""

    def count(self) -> int:
        """How many records were disposed of."""

    def ended(self, until: date, after: tuple[date, str] | None, limit: int) -> Sequence[tuple[date, str]]:
        """Cases that ended by a day, the earliest first: (day, number), after a key."""

    def left(self) -> Mapping[str, Sequence[str]]:
        """What still holds something of a case that was disposed of, by case."""

    def contents(self) -> Iterator[str]:
        """SHA-256 of the contents of documents whose files are still to go."""

    def drop_content(self, sha256: str, unlink: Callable[[str], None]) -> bool:
        """Let the file of a content go, unless a document that came meanwhile has the same one; whether it went."""

    def residue(self) -> bool:
        """Whether freed places may still hold what was removed."""

    def rewrite(self, moment: datetime) -> bool:
        """Overwrite freed places; whether nothing is left of them."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in. `id` is the name to sign in with, never given twice; `secret` the hash of the password, empty
    where there is none; `subject` who it is at the agency's own sign-in, as `issuer subject`, once they have come from there."""

    id: str
    name: str
    role: str
    secret: str
    created_at: datetime
    disabled_at: datetime | None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class AccountChange:
    """What somebody did to an account: `what` is added, role, password, closed, reopened or sign-in; `by` an account or a command."""

    at: datetime
    account: str
    by: str
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in. Of its token only the `digest` is kept; `id` names it in lists. `address`: the network address it began at."""

    id: str
    digest: str
    account: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    agent: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Who looked at which case, when, and at what of it."""

    at: datetime
    account: str
    case: str
    what: str


class Accounts(Protocol):
    """Where accounts, sessions and wrong guesses are kept. Each call is a transaction of its own."""

    def account(self, name: str) -> Account | None:
        """The account of a name."""

    def accounts(self) -> Sequence[Account]:
        """Every account, by name."""

    def account_of(self, subject: str) -> Account | None:
        """The account of somebody at the agency's own sign-in."""

    def add(self, account: Account, change: AccountChange) -> None:
        """A new account, with who added it. Raises KeyRefused where the name is taken."""

    def keep(self, account: Account, change: AccountChange, end_sessions: bool = False) -> None:
        """An account as it now is, with who changed it; all at once, its sessions ended where that is asked."""

    def account_changes(self, limit: int = 100, account: str | None = None) -> Sequence[AccountChange]:
        """Who did what to accounts, the newest first."""

    def count_open(self, roles: Sequence[str]) -> int:
        """How many open accounts have one of these roles."""

    def open_session(self, session: Session) -> None:
        """A new session."""

    def session(self, digest: str) -> tuple[Session, Account] | None:
        """The session of a token's digest, with its account."""

    def sessions(self, account: str) -> Sequence[Session]:
        """The sessions of an account, newest first."""

    def seen(self, session: str, at: datetime) -> None:
        """The session was used."""

    def end_session(self, session: str, at: datetime) -> None:
        """The session is over."""

    def resting_until(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """Until when one of these rests after wrong guesses."""

    def guessed_wrong(self, keys: Mapping[str, int], now: datetime, rest: timedelta) -> None:
        """One more wrong guess for each key; one that has reached its number rests."""

    def forget_guesses(self, key: str) -> None:
        """The right password was given."""

    def note_readings(self, readings: Sequence[Reading]) -> None:
        """Keeps who looked at what."""

    def readers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who looked at cases in a period, those who looked most often first; by `case`, which cases they were."""

    def readings_in(self, period: Period, before: int | None = None, limit: int = 100) -> Sequence[tuple[int, Reading]]:
        """Who looked at what in a period, the newest first, each with its row number; `before` continues a list."""

    def readings(self, case: str | None = None, account: str | None = None, before: int | None = None, limit: int = 100) -> Sequence[tuple[int, Reading]]:
        """Who looked at what, the newest first, each with its row number; `before` continues a list."""


@dataclass(frozen=True, slots=True)
class Feed:
    """A secret link to a calendar of deadlines. Of its token only the `digest` is kept; `scope` is mine or team.

    `revision` rises with every change of the events that it has told.
    """

    id: str
    digest: str
    account: str
    scope: str
    created_at: datetime
    ended_at: datetime | None = None
    read_at: datetime | None = None
    revision: int = 0


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """An event as a link told it last. `sequence` rises with each change; `gone`: it was called off at `changed_at`."""

    uid: str
    case: str
    clock: str
    day: date
    summary: str
    text: str
    sequence: int
    changed_at: datetime
    gone: bool = False


class Feeds(Protocol):
    """Where links to calendars and what they have told are kept. Each call is a transaction of its own."""

    def add(self, feed: Feed) -> None:
        """A new link."""

    def by_digest(self, digest: str) -> Feed | None:
        """The link of a token's digest, open or ended."""

    def of(self, account: str) -> Sequence[Feed]:
        """The links of an account, the newest first."""

    def end(self, feed: str, at: datetime) -> None:
        """The link is over, and what it told is forgotten. One that has ended keeps its day."""

    def read(self, feed: str, at: datetime) -> None:
        """The link was read."""

    def events(self, feed: str) -> Sequence[FeedEvent]:
        """What the link has told, by uid."""

    def keep(self, feed: str, revision: int, changed: Sequence[FeedEvent], dropped: Sequence[str]) -> bool:
        """Keeps events that changed and forgets others; False, and nothing kept, where the link has ended or moved on from that revision."""


@dataclass(frozen=True, slots=True)
class Token:
    """What a program signs in with, for a person and in that person's role. Of the token itself only the `digest` is kept.

    `scope` is read, or act, which includes it; `used_at` is right to a minute.
    """

    id: str
    digest: str
    account: str
    role: str
    scope: str
    title: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call of a program was answered. `key` and `request` are digests; without `status` the first call is at work."""

    key: str
    request: str
    at: datetime
    status: int | None = None
    headers: str | None = None
    body: bytes | None = None


class Programs(Protocol):
    """Where tokens and the answers to repeated calls are kept. Each call is a transaction of its own."""

    def add_token(self, token: Token) -> None:
        """A new token."""

    def token(self, digest: str) -> tuple[Token, Account] | None:
        """The token of a digest, with its account."""

    def tokens(self, account: str | None = None) -> Sequence[Token]:
        """The tokens of an account or of everybody, newest first."""

    def token_used(self, token: str, at: datetime) -> None:
        """The token was used."""

    def end_token(self, token: str, at: datetime) -> None:
        """The token opens nothing any more."""

    def claim(self, answer: Answer, forgotten: datetime, given_up: datetime) -> Answer | None:
        """Begins a call under a key: None where it is the first, else what stands there. Answers older than `forgotten`
        are dropped; a call that has been at work since before `given_up` is taken over."""

    def answered(self, answer: Answer) -> None:
        """Keeps what a call was answered."""

    def letters(self, seen: Sight, case: str | None, status: str | None, after: str | None, limit: int) -> Sequence[str]:
        """The numbers of letters whose cases are seen, in order, after a key."""

    def unclaim(self, key: str) -> None:
        """The call did nothing; its key is free again."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody of a request (`role` and `name` as the case has them) who reads its status page."""

    digest: str
    case: str
    role: str
    name: str
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None


class Visits(Protocol):
    """Where visits to status pages are kept. Each call is a transaction of its own."""

    def open(self, visit: Visit) -> None:
        """A new visit; those that ended long ago are forgotten."""

    def visit(self, digest: str) -> Visit | None:
        """The visit of a token's digest."""

    def end(self, digest: str, at: datetime) -> None:
        """The visit is over."""


class Passwords(Protocol):
    """How a password is kept."""

    def hash(self, password: str) -> str:
        """What is kept of a password."""

    def fits(self, secret: str, password: str) -> bool:
        """Whether it is the password that was kept."""


class Packs(Protocol):
    """Where rules come from."""

    def rulebook(self, workflow: str, received: date) -> Rulebook:
        """The workflow in force on the day received. Raises NotFound."""

    def of(self, case: Case) -> Rulebook:
        """The rulebook of a case: that of its last entry, by the pack version and the calendar version that the case carries.
        `moving.ruled_by(case, entry)` asks for the rules of another entry."""

    def current(self, pack: Pack, adoptions: Sequence[Adoption] | None = None) -> Pack:
        """The pack with the calendar that is in force for it, an adopted one or its own, by the adoptions that the store has or these."""

    def changed(self, text: str, file: str = "calendar.yaml") -> Pack:
        """The pack whose calendar a changed file is, by that file. Raises PackFaults or BadInput."""

    def own_calendar(self, version: str) -> str:
        """The SHA-256 of the calendar file of a pack version."""

    def by_calendar(self, pack: Pack, version: str | None) -> Pack:
        """The pack by a calendar that is kept, as entries name it; by its own where none is given. Raises NotFound."""

    def counting(self, pack: Pack) -> Pack:
        """The same for what is only shown, such as the office's days on a list: known within a minute."""

    def of_version(self, case: Case, version: str) -> Rulebook:
        """The rulebook that a case would have under another version of its pack, by the calendar in force for that one. Raises NotFound."""

    def all(self) -> Sequence[Pack]:
        """Every pack that is loaded."""

    def pack(self, version: str) -> Pack:
        """A pack by content hash, loaded or kept. Raises NotFound."""

    def learn(self, version: str, files: Mapping[str, str]) -> Pack:
        """A pack that came from elsewhere, whole. Raises BadInput where the hash is another, PackFaults."""

    def learn_calendar(self, digest: str, text: str) -> None:
        """A changed calendar that came from elsewhere, by the SHA-256 of its text. Raises BadInput where that is another, PackFaults."""

    def files(self, version: str) -> Mapping[str, str]:
        """The files of a loaded pack, by path."""


class Letters(Protocol):
    """The writer of letters."""

    def write(self, owed: LetterOwed, pack: Pack, moment: datetime) -> Written:
        """The Markdown of a letter. Raises LetterFault, naming what is missing, unless the law itself owes it
        (`owed.by_law`): then the answer has status `blocked`."""

    def text(self, markdown: str) -> str:
        """Plain text."""

    def part(self, markdown: str) -> str:
        """The letter's text as part of an HTML page, safe to show in it."""

    def html(self, markdown: str, title: str, language: str = "en-US") -> str:
        """A whole HTML page, safe to open."""

    def pdf(self, letter: RegisteredLetter, window: Sequence[str] = (), code: str = "") -> bytes:
        """The letter as an accessible PDF: the same bytes whenever it is made with the same window and code.

        `window`: the lines of name and address that stand in the envelope's window instead of the first addressee's, such
        as those of who gets a copy. `code`: what this recipient types on the status page. Raises LetterFault when the
        renderer fails, hangs or grows too large."""

    def for_copy(self, markdown: str, code: str | None) -> str:
        """The words of one copy: with the access code where it has one, else without the parts that are about it."""

    def places(self, markdown: str) -> Mapping[str, str]:
        """The marked places of a letter in which a person may write, and what stands there."""

    def with_place(self, markdown: str, place: str, text: str) -> str:
        """The letter with a text in a marked place, as plain paragraphs. Raises BadInput where there is no such place."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A copy as it leaves: the same bytes every time. `at` is its first attempt, which dates it; `sender` who writes; `code`
    opens the status page, where the recipient has one."""

    letter: RegisteredLetter
    copy: Copy
    markdown: str
    text: str
    html: str
    pdf: bytes | None
    at: datetime
    sender: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Handed:
    """The proof of a hand-over, and the SHA-256 of the bytes that left."""

    proof: str
    content: str


class Mail(Protocol):
    """Where letters leave."""

    channels: Sequence[str]
    """The channels that the dispatcher may hand over by itself; the others wait for a print batch or a site."""

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """The name of the message, the same for every attempt; empty where the channel has none."""

    def digest(self, parcel: Parcel) -> str:
        """The SHA-256 of the bytes that would leave."""

    def hand_over(self, parcel: Parcel) -> Handed:
        """Hand one copy over. Handing the same copy over twice leaves one, or two with identical bytes and name.
        Raises NotNow, NotTaken or AnswerUnknown; any other CaseflowError counts as NotNow."""


@dataclass(frozen=True, slots=True)
class Held:
    """What was read of a stream, not yet kept: its SHA-256, its length, and a file to look into."""

    sha256: str
    size: int
    file: BinaryIO


class Batch(Protocol):
    """Several files that are kept together or not at all."""

    def take(self, source: BinaryIO, most: int) -> Held | None:
        """Read a stream to its end; None where it is longer than so many bytes. Raises StoreFault where the disk is full."""

    def keep(self) -> None:
        """Keep what was taken, on the disk when this returns. What is there already is kept once. Raises StoreFault."""


class Vault(Protocol):
    """Where the content of documents lies, named by its SHA-256 and by nothing else."""

    def batch(self) -> AbstractContextManager[Batch]:
        """What is not kept when it ends leaves nothing behind."""

    def remove(self, sha256: str) -> None:
        """The content is gone, from the disk too; nothing where it is not there. Raises StoreFault."""

    def open(self, sha256: str) -> BinaryIO:
        """The content, proven to be what was kept. Raises DocumentLost."""

    def fault(self, sha256: str) -> str | None:
        """What is wrong with the content: missing, altered, unreadable; nothing where all is well."""
