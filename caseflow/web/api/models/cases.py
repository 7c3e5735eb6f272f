"""A case and its parts: clocks with their derivation, limits, actions, record. The members are those of the command line's JSON."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from caseflow.web.api.models.common import Asked, Cite, Day, Facts, Moment, Money, Reason, Shown, plain_text


class Step(Shown):
    """One line of the derivation of a date. The lines add up to it."""

    kind: Literal["event", "count", "hold", "roll", "target", "displace"] = Field(description="What the line does to the date.")
    from_: Day | None = Field(alias="from", description="The day before the line.")
    to: Day | None = Field(description="The day after it.")
    days: int | None = Field(
        description="Calendar days from the day before the line to the day after it; those of all lines but a target's add up to the last day."
    )
    text: str = Field(description="The line in words, with weekday and the name of a holiday.")
    cite: Cite = None
    reading: str | None = Field(description="The setting that chose one of several readings of the law here, or how the law is read.")
    reading_says: str | None = Field(description="That reading in words.")


class Hold(Shown):
    """A time in which a clock stands still. Held days are those after `from` through `to`."""

    from_: Day | None = Field(alias="from", description="Its first day, which still counts as used.")
    to: Day | None = Field(description="Its last day; null while it lasts.")
    days: int = Field(description="Held calendar days, through today while it lasts.")
    cause: str | None = Field(description="What began it.")
    seq: int | None = Field(description="The entry that began it.")


class Silence(Shown):
    """What the law does when nobody decides in time."""

    outcome: str = Field(description="The action that happens by itself.")
    at: Moment | None = Field(description="When it happens; null while there is no last day.")
    saturday_until: Day | None = Field(description="The day that it waits for, where the office is closed before.")


class Clock(Shown):
    """A period of the law on one case."""

    id: str = Field(description="Its id in the workflow.")
    title: str = Field(description="What it is called.")
    actor: str = Field(description="Whom it binds: the agency, requester or public.")
    status: Literal["not-started", "running", "tolled", "displaced", "met", "stopped", "missed", "over"] = Field(
        description="running to the end of `due`; met: ended in time by the act it asks for; missed from the day after `due` and ever after."
    )
    since: Day | None = Field(description="Since when it has this status.")
    start: Day | None = Field(description="The day of the event, which is not counted.")
    length: dict[str, Any] | None = Field(description="Its length by unit (days, business_days, weeks, months, years), and as `text`.")
    unrolled: Day | None = Field(description="The last counted day, before Sundays and holidays move it.")
    due: Day | None = Field(description="The last day of the law; null while held or displaced.")
    target: Day | None = Field(description="The last day on or before `due` on which the office is open.")
    used: int | None = Field(description="Days counted so far, through today while it runs; in the unit of the clock.")
    left: int | None = Field(description="Days left, never below 0.")
    missed_by: int | None = Field(description="Calendar days from `due` to the deciding act or today.")
    holds: list[Hold] = Field(description="When it stood still.")
    displaced_on: Day | None = Field(description="The day on which a notice took its last day away.")
    conditions_fit_on: Day | None = Field(description="The day on which what displaced it came to an end.")
    ended_on: Day | None = Field(description="The day on which it ended.")
    silence: Silence | None = Field(description="What happens when nobody decides; null where nothing does.")
    statute: str | None = Field(description="The statute beneath the rule.")
    cite: Cite = None
    policy: bool = Field(description="Whether it is the agency's own aim, and no law.")
    why: list[Step] = Field(description="How its last day comes about, line by line.")


class Taken(Shown):
    """A reading that the agency chose and on which a date rests."""

    setting: str = Field(description="The setting.")
    question: str = Field(description="What can be read in more than one way.")
    chosen: Any = Field(description="The reading that was chosen, as the case keeps it from the day of its filing.")
    says: str = Field(description="What that reading says.")
    because: str = Field(description="Why it was chosen.")
    cite: Cite = None
    text: str = Field(description="Question and reading in a sentence.")


class Shadow(Shown):
    """The last day that another reading would give."""

    kind: Literal["reading", "all-rolls", "no-hold"] = Field(description="One setting read otherwise, all that move a last day at once, or no hold counted.")
    setting: str | None = Field(description="The setting, where it is one.")
    settings: dict[str, Any] = Field(description="Every setting that is read otherwise.")
    question: str | None = Field(description="What can be read in more than one way.")
    reading: Any = Field(description="The other reading.")
    says: str | None = Field(description="What that reading says.")
    due: Day | None = Field(description="The last day that it would give.")
    cite: Cite = None
    text: str = Field(description="All of it in a sentence.")


class Why(Shown):
    """The derivation of a clock's last day."""

    clock: str = Field(description="The clock's id.")
    title: str = Field(description="What it is called.")
    status: str = Field(description="As in the case.")
    start: Day | None = Field(description="The day of the event.")
    length: dict[str, Any] | None = Field(description="Its length by unit, and as `text`.")
    unrolled: Day | None = Field(description="The last counted day.")
    due: Day | None = Field(description="The last day of the law.")
    target: Day | None = Field(description="The office's day.")
    used: int | None = Field(description="Days counted so far.")
    left: int | None = Field(description="Days left.")
    missed_by: int | None = Field(description="Days late.")
    cite: Cite = None
    why: list[Step] = Field(description="Line by line.")
    readings: list[Taken] = Field(description="The readings of the law on which the date rests.")
    shadows: list[Shadow] = Field(description="The last day under every other reading, where it differs, and without holds.")


class WhyList(Shown):
    """The derivations of a case's dates."""

    case: str = Field(description="The case.")
    clocks: list[Why] = Field(description="Each clock that has begun, or the one that was asked for.")


class Limit(Shown):
    """How often the law allows something, and what has been used up."""

    id: str = Field(description="Its id in the workflow.")
    title: str | None = Field(description="What it is called.")
    used: int = Field(description="Times used.")
    allowed: int = Field(description="Times allowed.")
    entries: list[int] = Field(description="The entries that used it.")
    cite: Cite = None


class Item(Shown):
    """Something that the filing must contain."""

    id: str = Field(description="Its id in the pack.")
    title: str = Field(description="What it is.")
    status: str = Field(description="present, missing, asked or received.")
    asked: Any = Field(description="The entry that asked for it.")
    note: str | None = Field(description="What was noted about it.")
    judged_by: str | None = Field(description="Who judged it.")
    cite: Cite = None


class Action(Shown):
    """An action of the workflow: whether it is possible now, and if not, every reason."""

    id: str = Field(description="Its id: POST it to `/cases/{case}/actions/{id}`.")
    title: str = Field(description="What it is called.")
    hint: str | None = Field(description="What to know before taking it.")
    key: str | None = Field(description="The key of the site that opens it.")
    order: int | None = Field(description="Its place in lists.")
    by: list[str] = Field(description="The roles that may take it.")
    allowed: bool = Field(description="Whether the token's role may take it now, before its facts are judged.")
    because: list[Reason] = Field(description="Everything that stands against it.")
    facts: dict[str, Any] = Field(description="JSON Schema of the facts that it takes.")
    letters: list[str] = Field(description="The letters that it may owe.")


class ActionList(Shown):
    """The actions of a case."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision.")
    actions: list[Action] = Field(description="Those that are possible, and the others with their reasons.")


class FormField(Shown):
    """A field of an action's form."""

    name: str = Field(description="The name of the fact.")
    kind: str = Field(description="text, yes-no, number, money, day, moment, choice, many, lines, rows, record, pairs, items, reasons, standards or person.")
    title: str = Field(description="What to ask.")
    hint: str | None = Field(description="More about it.")
    unit: str | None = Field(description="The unit of a number.")
    cite: Cite = None
    required: bool = Field(description="Whether the action asks for it.")
    values: list[Any] = Field(description="The values to choose from.")
    columns: list[str] = Field(description="The columns of rows or of a record.")
    judgment: bool = Field(description="Whether a person judges it.")
    known: Any = Field(description="What the case says already.")
    rules: list[dict[str, Any]] = Field(description="The rules that findings are made on.")


class Form(Shown):
    """What an action asks of who takes it."""

    action: str = Field(description="The action's id.")
    title: str = Field(description="What it is called.")
    hint: str | None = Field(description="What to know before taking it.")
    cite: Cite = None
    items_do: str | None = Field(description="What `items` means for this action: asks, finds-missing, lists, satisfies or null.")
    fields: list[FormField] = Field(description="Its fields, in order.")
    limits: list[Limit] = Field(description="The limits that it uses up.")
    limit_texts: dict[str, str | None] = Field(description="What each of those limits says.")
    received_on: Day = Field(description="The earliest effective day.")
    facts: dict[str, Any] = Field(description="JSON Schema of the facts.")
    allowed: bool = Field(description="Whether it is possible now.")
    because: list[Reason] = Field(description="What stands against it.")


class Party(Shown):
    """Somebody who takes part."""

    role: str = Field(description="requester, agent, third-party, co-applicant, interested-person, or who only gets copies.")
    name: str = Field(description="The name.")
    channel: str = Field(description="How letters reach them: email or post.")


class Person(Party):
    """Somebody who takes part, with what letters to them need."""

    capacity: str | None = Field(description="owner, lessee, agent-of-owner or other, of a requester.")
    email: str | None = Field(description="The e-mail address.")
    address: list[str] = Field(description="The postal address, line by line.")
    language: str | None = Field(description="The language of letters to them, as a tag such as en or es-MX.")
    statement: str | None = Field(description="What they state about their part.")


class PartyList(Shown):
    """The people of a case."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision.")
    people: list[Person] = Field(description="In the order of the record.")


class PeopleAsked(Asked):
    """A list of people."""

    list_: Annotated[
        str,
        AfterValidator(plain_text),
        Field(
            alias="list",
            min_length=1,
            max_length=80_000,
            description="CSV with a head line: name, email, address (lines parted by `;`), channel, language, role. At most 500 people.",
        ),
    ]


class Payment(Shown):
    """Money that moved."""

    kind: str = Field(description="paid, returned or refunded.")
    amount: Money
    method: str | None = Field(description="How.")
    on: Day
    reference: str | None = Field(description="The payer's reference.")
    own: bool = Field(description="Whether it was on this very case of the request.")
    seq: int | None = Field(description="The entry that recorded it.")


class PaymentList(Shown):
    """What was paid, returned and refunded in the request of a case."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision.")
    fees: Fees
    payments: list[Payment] = Field(description="By day.")


class Task(Shown):
    """Something that a person has to do."""

    id: str = Field(description="Its id.")
    text: str = Field(description="What to do.")
    action: str | None = Field(description="The action that settles it.")
    for_: str | None = Field(alias="for", description="The role it waits for.")
    since: Day = Field(description="Since when.")
    escalates_on: Day = Field(description="The day on which it goes to a supervisor.")


class TaskList(Shown):
    """The tasks of a case."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision.")
    tasks: list[Task] = Field(description="Open tasks, the oldest first.")


class Timer(Shown):
    """What will happen by itself."""

    id: str = Field(description="Its id.")
    title: str = Field(description="The clock it belongs to.")
    at: Moment = Field(description="When.")
    action: str = Field(description="What it does.")
    effect: str = Field(description="What that means.")
    clock: str = Field(description="The clock's id.")
    due: Day = Field(description="The last day that it stands on.")


class Recipient(Shown):
    """Who gets a letter."""

    role: str | None = Field(description="As what.")
    name: str | None = Field(description="The name.")
    channel: str | None = Field(description="email or post.")
    status: str | None = Field(description="Where the copy is.")


class CaseLetter(Shown):
    """A letter of a case, as its list shows it."""

    number: str = Field(description="Its number in the register.")
    id: str = Field(description="Which letter of the pack it is.")
    title: str = Field(description="What it is called.")
    status: str = Field(
        description="draft, owed, blocked, approved, queued, handed-over, delivered, bounced, returned, answer-unknown, superseded or canceled."
    )
    recipients: list[Recipient] = Field(description="Who gets it.")
    owed_on: Day = Field(description="The day on which it came to be owed.")
    sent_on: Day | None = Field(description="The day on which it left.")
    leaves_at: Moment | None = Field(description="When it may leave; until then its act may be voided.")
    seq: int = Field(description="The entry that owes it.")
    missing: list[str] = Field(description="What it lacks, where it is blocked.")
    corrects: str | None = Field(description="The letter that it corrects.")
    corrected_by: str | None = Field(description="The letter that corrects it.")


class FeeLine(Shown):
    """A line of a fee."""

    id: str = Field(description="Its id in the pack.")
    title: str = Field(description="What it is for.")
    amount: Money
    count: int = Field(description="How many times.")
    cite: Cite = None
    text: str | None = Field(description="How it is counted.")


class Fees(Shown):
    """What the request owes and has paid."""

    lines: list[FeeLine] = Field(description="Line by line.")
    total: Money
    paid: Money
    due: Money
    refunded: Money
    refunds: list[dict[str, Any]] = Field(description="What is owed back.")


class Say(Shown):
    """One sentence about the state."""

    staff: str = Field(description="For staff.")
    public: str = Field(description="For everybody else.")


class PackRef(Shown):
    """The rules that a case was filed under: it keeps them."""

    id: str = Field(description="The pack.")
    version: str = Field(description="SHA-256 of its content.")


class Place(Shown):
    """Where it is."""

    water: str | None = Field(description="The water.")
    county: str | None = Field(description="The county.")
    county_code: str | None = Field(description="Its code.")
    wbic: str | None = Field(description="The water's identification code.")
    municipality: str | None = Field(description="The municipality.")
    plss: str | None = Field(description="The place in the land survey.")
    plss_parts: dict[str, Any] | None = Field(description="The same in parts.")
    parcel: str | None = Field(description="The parcel.")
    latitude: str | None = Field(description="Degrees north, WGS 84, as text.")
    longitude: str | None = Field(description="Degrees east, WGS 84, as text.")
    address: str | None = Field(description="The address.")


class LegalHold(Shown):
    """An order to keep the record, whatever its schedule says."""

    seq: int = Field(ge=1, description="The entry that placed it.")
    placed_on: Day = Field(description="Since when.")
    by: str = Field(description="Who placed it.")
    because: str = Field(description="Why.")
    matter: str | None = Field(description="What it is called, such as the number of a lawsuit.")


class Case(Shown):
    """A case as it stands on `as_of`."""

    case: str = Field(description="Its number.")
    request: str = Field(description="The request that it came with.")
    aliases: list[str] = Field(description="Other numbers that it had.")
    title: str = Field(description="Its title.")
    place: Place
    parties: list[Party] = Field(description="Who takes part.")
    pack: PackRef
    calendar: str = Field(description="The version of the calendar.")
    workflow: str = Field(description="Its workflow.")
    workflow_title: str = Field(description="What that is called.")
    state: str = Field(description="The state of the workflow.")
    state_title: str = Field(description="What that is called.")
    phase: str = Field(description="The state that reports count it under.")
    say: Say
    turn: str = Field(description="Whose turn it is: the agency, requester, public or nobody.")
    disposition: str | None = Field(description="How it ended; null while it is open.")
    version: int = Field(ge=1, description="Its revision: grows by one with each entry. The ETag.")
    as_of: Day
    received_on: Day
    filed_on: Day | None = Field(description="The day on which it counts as filed.")
    facts: Facts
    settings: dict[str, Any] = Field(description="The readings of the law that it was filed under.")
    flags: list[str] = Field(description="Marks of the workflow.")
    legal_holds: list[LegalHold] = Field(description="Legal holds in place; none disposes of the record while there is one.")
    assigned_to: str | None = Field(description="Whose work it is.")
    clocks: list[Clock] = Field(description="Every clock of the workflow, those that have not begun too.")
    limits: list[Limit] = Field(description="What the law allows only so often.")
    items: list[Item] = Field(description="What the filing must contain.")
    actions: list[Action] = Field(description="What the token's role may do now, and why not what not.")
    tasks: list[Task] = Field(description="What waits for a person.")
    timers: list[Timer] = Field(description="What will happen by itself.")
    letters: list[CaseLetter] = Field(description="In order of issue.")
    fees: Fees
    intake: dict[str, Any] | None = Field(description="The last possible day of the decision and warnings, where the workflow states them.")
    rules: list[dict[str, Any]] = Field(description="The rule sets of the case as its day picks them.")
    checklist: list[dict[str, Any]] = Field(description="What only a person can judge.")


class Corrected(Case):
    """A case after a correction."""

    withdrawn: list[int] = Field(description="Entries of the scheduler that no longer followed and were closed.")


class Actor(Shown):
    """Who did it."""

    kind: Literal["person", "scheduler", "import"] = Field(description="A person, the clock, or an import.")
    id: str = Field(description="The account.")
    role: str = Field(description="In which role.")


class Entry(Shown):
    """A line of the record. Nothing is ever removed."""

    seq: int = Field(description="Its number, from 1.")
    recorded_at: Moment
    recorded_on: Day
    effective_on: Day = Field(description="The day on which it counts, as corrected.")
    amended: bool = Field(description="Whether that day was corrected.")
    actor: Actor
    action: str = Field(description="What was done.")
    title: str = Field(description="What that is called.")
    from_: str | None = Field(alias="from", description="The state before.")
    to: str = Field(description="The state after.")
    facts: Facts
    because: str | None = Field(description="The reason that was given.")
    cites: list[str] = Field(description="The law that it stands on.")
    pack_version: str = Field(description="The rules it was judged by.")
    calendar_version: str = Field(description="The calendar it was counted by.")
    prev_hash: str = Field(description="SHA-256 of the entry before; 64 zeros for the first.")
    hash: str = Field(description="SHA-256 of this entry: canonical JSON (RFC 8785) of all other members.")
    voids: int | None = Field(description="The entry that it closes.")
    voided_by: int | None = Field(description="The entry that closed it.")
    due_after: dict[str, Day | None] = Field(description="The last day of each clock after it.")


class Timeline(Shown):
    """The record of a case."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision.")
    by: Literal["effective", "recorded"] = Field(description="How it is sorted.")
    known_on: Day | None = Field(description="The day up to which it was recorded; null for all of it.")
    entries: list[Entry] = Field(description="The entries.")


class Side(Shown):
    """The case before or after an act."""

    state: str = Field(description="The state.")
    state_title: str = Field(description="What that is called.")
    turn: str = Field(description="Whose turn.")
    disposition: str | None = Field(description="How it ended.")
    flags: list[str] = Field(description="Marks.")
    clocks: list[Clock] = Field(description="Its clocks.")
    limits: list[Limit] = Field(description="Its limits.")


class TrialLetter(Shown):
    """A letter that an act would owe, written with real data."""

    id: str = Field(description="Which letter of the pack.")
    title: str = Field(description="What it is called.")
    subject: str = Field(description="Its subject.")
    markdown: str = Field(description="Its words.")


class IfAnswered(Shown):
    """Where the act begins a hold: the last day, had the answer come on a day."""

    answered_on: Day
    clock: str = Field(description="The held clock.")
    due: Day
    target: Day
    left: int | None = Field(description="Days left from then.")


class Trial(Shown):
    """What an act would do. Nothing was recorded."""

    allowed: bool = Field(description="Whether it would be done.")
    because: list[Reason] = Field(description="Everything that stands against it.")
    before: Side
    after: Side | None = Field(description="Null where it is refused.")
    letters: list[TrialLetter] = Field(description="The letters that it would owe.")
    fees: Fees | None = Field(description="What would be owed then.")
    withdrawn: list[int] = Field(default=[], description="Entries that would be closed, where it is recorded late.")
    if_answered_on: list[IfAnswered] = Field(description="What the last day would be then.")


class EntryRef(Shown):
    """An entry by number."""

    seq: int = Field(description="Its number.")
    title: str = Field(description="What was done.")
    on: Day


class LetterRef(Shown):
    """A letter by number."""

    number: str = Field(description="Its number in the register.")
    title: str = Field(description="What it is called.")


class CorrectionTrial(Shown):
    """What a correction would change. Nothing was recorded."""

    allowed: bool = Field(description="Whether it would be done.")
    because: list[Reason] = Field(description="Everything that stands against it.")
    before: Side
    after: Side | None = Field(description="Null where it is refused.")
    withdrawn: list[EntryRef] = Field(description="Entries of the scheduler that would no longer follow.")
    in_the_way: list[EntryRef] = Field(description="Entries that could no longer stand, and so refuse it.")
    canceled: list[LetterRef] = Field(description="Letters that would then never go.")
    wrong: list[LetterRef] = Field(description="Letters that went and would then say what no longer holds.")
    anew: list[LetterRef] = Field(description="Letters that have not left and would be written anew.")
