"""Calendar, roles, settings, agency, and the whole pack."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, model_validator

from caseflow.domain.pack.days import Length
from caseflow.domain.pack.flow import Workflow
from caseflow.domain.pack.parts import Fact, Fee, Letter, Refund
from caseflow.domain.pack.questions import SettingTest
from caseflow.domain.pack.retention import Retention
from caseflow.domain.pack.rulesets import RuleSet
from caseflow.domain.pack.words import Cited, Names, SettingRef, Word


class DayRule(Cited):
    """A day of a list: a fixed month-day, the nth weekday of a month (plus days), or one single day."""

    name: str
    month_day: str | None = None
    nth: tuple[int | Literal["last"], str, str] | None = None
    plus: int = 0
    once: date | None = Field(default=None, ge=date(1950, 1, 1), le=date(2150, 12, 31))  # the years of domain/calendar.py
    years: Literal["even", "odd"] | None = None
    from_: int | None = Field(default=None, alias="from")
    until: int | None = None
    source: str | None = None


class DayList(Cited):
    """A list of days with its source. `on_sunday: monday-too` adds the Monday after (for all, or for those named)."""

    title: str
    on_sunday: Literal["monday-too", "stays"] = "stays"
    on_sunday_only: tuple[str, ...] = ()
    on_saturday: Literal["friday-too", "stays"] = "stays"
    days: tuple[DayRule, ...] = ()


class RollDay(Word):
    """A weekday or day list that a last day rolls off; `when` may ask a setting."""

    day: str
    when: SettingTest | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"day": value} if isinstance(value, str) else value


class Actor(Cited):
    """Whose last day it is; `agency` marks the one whose clocks name no actor."""

    title: str
    agency: bool = False
    rolls_off: tuple[RollDay, ...] = ()


class Channel(Cited):
    """How a filing arrives: it counts on the day of arrival, or only within the office's hours; `cutoff` is the last hour, HH:MM."""

    counts: Literal["day-of-arrival", "open-hours"]
    cutoff: str | SettingRef | None = None
    title: str | None = None


class Silence(Cited):
    """On which last days an outcome by silence waits for the next open day, and the flag that shows it."""

    waits_when_due_on: Names = ()
    flag: str | None = None


class Office(Cited):
    """Local opening and closing time, HH:MM."""

    opens: str
    closes: str


class CalendarText(Word):
    """calendar.yaml."""

    calendar: str
    version: str
    zone: str
    office: Office
    day_lists: Mapping[str, DayList]
    closed_on: tuple[str, ...]
    business_days_skip: tuple[str, ...]
    backward: Literal["earlier-open-day", "stays"] = "earlier-open-day"
    actors: Mapping[str, Actor]
    channels: Mapping[str, Channel]
    silence: Silence = Field(default_factory=Silence)
    cite: str | None = None


class Sees(Word):
    """Which cases a role sees; all that is given must hold. `not-flagged`: none that carries one of these flags, such as a sealed one."""

    workflows: Names = ()
    only: Literal["assigned"] | None = None
    not_flagged: Names = ()


class Role(Word):
    """A role of the agency; `also` lists the roles whose acts it may do too, `site` what it may do in the program besides.

    `read` sees cases and lists, `oversee` also the board and who saw and did what, `manage` accounts and calendars.
    `sees` narrows the cases; without it every case of the pack is seen.
    """

    also: Names = ()
    title: str | None = None
    site: tuple[Literal["read", "oversee", "manage"], ...] = ()
    sees: Sees | None = None


class Setting(Cited):
    """A choice between readings, or a value, with its default and reason."""

    question: str
    when_true: str | None = None
    when_false: str | None = None
    readings: Mapping[str, str] | None = None
    number: int | None = None
    numbers: tuple[int, ...] | None = None
    default: Any
    why: str


class MailWaits(Word):
    """How long outgoing mail waits before it leaves, in minutes."""

    minutes: int = 15


class ServedAfter(Cited):
    """How long after it left a letter counts as served, by channel: days or business days. No time where none is named."""

    email: Length | None = None
    post: Length | None = None
    portal: Length | None = None

    @model_validator(mode="after")
    def _in_days(self) -> ServedAfter:
        for channel in ("email", "post", "portal"):
            length = self.of(channel)
            if length is not None and length.unit not in ("days", "business-days"):
                raise ValueError(f"served-after: {channel} is counted in days or business-days, not in {length.unit}")
        return self

    def of(self, channel: str) -> Length | None:
        """The time of a channel."""
        length: Length | None = getattr(self, channel, None)
        return length


class OpenedProves(Cited):
    """By which channels it proves the delivery of a letter that its addressee opens it on the status page. None where none is named."""

    channels: Names = ()


class Agency(Word):
    """Who writes the letters."""

    name: str
    unit: str | None = None
    head: tuple[str, ...] = ()
    address: tuple[str, ...] = ()
    contact: str | None = None
    telephone: str | None = None
    toll_free: str | None = None
    tty: str | None = None
    email: str | None = None
    web: str | None = None


class Places(Cited):
    """How far the land reaches: counties with their codes, degrees, and the highest township and range by direction."""

    counties: Mapping[str, str] = Field(default_factory=dict)
    latitude: tuple[Decimal, Decimal] | None = None
    longitude: tuple[Decimal, Decimal] | None = None
    townships: Mapping[str, int] = Field(default_factory=dict)
    ranges: Mapping[str, int] = Field(default_factory=dict)


class PackText(Word):
    """pack.yaml. `letters_on_change`: the letter that is owed where other rules move a date that a letter has told already."""

    pack: str
    version: str
    title: str
    language: str = "en-US"
    prefix: str = "C"
    phases: tuple[str, ...]
    roles: Mapping[str, Role]
    settings: Mapping[str, Setting] = Field(default_factory=dict)
    agency: Agency | None = None
    places: Places | None = None
    mail_waits: MailWaits = Field(default_factory=MailWaits)
    escalates_after: Length = Field(default_factory=lambda: Length(unit="business-days", number=5))
    served_after: ServedAfter = Field(default_factory=ServedAfter)
    opened_proves: OpenedProves = Field(default_factory=OpenedProves)
    retention: Retention = Field(default_factory=Retention)
    letters_on_change: Mapping[Literal["calendar-adopted", "pack-moved"], str] = Field(default_factory=dict)

    def letter_on(self, change: str) -> str | None:
        """The letter that a change of rules owes where it moves a date that was told already."""
        return next((letter for name, letter in self.letters_on_change.items() if name == change), None)


class Pack(Word):
    """A whole pack, checked. `hash` is the SHA-256 over its files: the version that a case keeps.

    `adopted` is the version of an adopted calendar that stands in the place of the pack's own.
    """

    text: PackText
    hash: str
    calendar: CalendarText
    facts: Mapping[str, Fact]
    letters: Mapping[str, Letter]
    fees: Mapping[str, Fee]
    refunds: Mapping[str, Refund]
    workflows: tuple[Workflow, ...]
    rulesets: tuple[RuleSet, ...] = ()
    adopted: str | None = None

    @property
    def calendar_version(self) -> str:
        """The version of its calendar, as an entry keeps it."""
        return self.adopted or self.calendar.version

    def under(self, calendar: CalendarText, version: str) -> Pack:
        """The same rules by an adopted calendar."""
        return self.model_copy(update={"calendar": calendar, "adopted": version})

    def workflow(self, name: str, received: date | None = None) -> Workflow | None:
        """The workflow of that id that is in force on the day received (the newest where no day is given)."""
        found = [flow for flow in self.workflows if flow.workflow == name]
        if received is not None:
            found = [flow for flow in found if flow.in_force.covers(received)]
        return max(found, key=lambda flow: flow.in_force.from_ or date.min, default=None)

    def ruleset(self, name: str, received: date | None = None) -> RuleSet | None:
        """The rule set of that id for the day received: the version in force, else the last that ended, else the first to come.

        Without a day, the newest. Whether it is in force on the day, `in_force.covers` says.
        """
        found = sorted((one for one in self.rulesets if one.ruleset == name), key=lambda one: one.in_force.from_ or date.min)
        if received is None or not found:
            return found[-1] if found else None
        begun = [one for one in found if (one.in_force.from_ or date.min) <= received]
        return begun[-1] if begun else found[0]
