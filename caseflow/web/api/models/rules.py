"""Requests, screening, fees, rule sets, calendars and workflows: what is asked before there is a case, and the rules themselves."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from caseflow.web.api.models.cases import Case, FeeLine
from caseflow.web.api.models.common import Asked, Cite, Day, Given, Money, OnDay, Reason, Shown, Text

Name = Annotated[str, Field(min_length=1, max_length=200)]


class PersonAsked(Asked):
    """Somebody of a request."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S", description="The name.")]
    capacity: Annotated[Literal["owner", "lessee", "agent-of-owner", "other"] | None, Field(description="In which capacity a requester asks.")] = None
    email: Annotated[str | None, Field(max_length=200, description="The e-mail address; letters go by post where there is none.")] = None
    address: Annotated[list[Name], Field(max_length=8, description="The postal address, line by line.")] = []
    language: Annotated[str | None, Field(max_length=40, pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="A tag such as en or es-MX.")] = None
    channel: Annotated[Literal["email", "post"] | None, Field(description="How letters go; by e-mail where there is an address for it.")] = None
    role: Annotated[Name | None, Field(description="Of whom only gets copies: as what.")] = None
    statement: Annotated[Text | None, Field(description="What they state about their part.")] = None


class WaterAsked(Asked):
    """A water of a request."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S", description="Its name.")]
    wbic: Annotated[str | None, Field(max_length=40, description="Its identification code.")] = None
    county: Annotated[str | None, Field(max_length=100, description="The county, where it is another than the boundary's.")] = None
    services: Annotated[list[Name], Field(max_length=20, description="Workflows for this water alone; those of the request where none is named.")] = []


class RequestAsked(Asked):
    """A request, with the members of a request file (see the page of the command line)."""

    requester: Annotated[PersonAsked, Field(description="Who asks.")]
    services: Annotated[list[Name], Field(max_length=20, description="Workflows.")] = []
    waterbodies: Annotated[list[WaterAsked], Field(min_length=1, max_length=100, description="A case is opened for each service and water.")]
    agent: Annotated[PersonAsked | None, Field(description="Who acts for the requester.")] = None
    third_party: Annotated[PersonAsked | None, Field(description="Who made the study.")] = None
    co_applicants: Annotated[list[PersonAsked], Field(max_length=100)] = []
    interested_persons: Annotated[list[PersonAsked], Field(max_length=500)] = []
    copies: Annotated[list[PersonAsked], Field(max_length=500, description="Who only gets copies.")] = []
    boundary: Annotated[Given, Field(description="{plss, parcel, latitude, longitude, municipality, address, county}.")] = {}
    submitted: Annotated[list[Name], Field(max_length=200, description="Ids of the items that came with it.")] = []
    exclusions: Annotated[dict[str, bool], Field(description="Each exclusion by id: whether it is claimed.")] = {}
    payment: Annotated[Given | None, Field(description="{method, amount}: the amount in US dollars as text.")] = None
    filed: Annotated[str | None, Field(max_length=40, description="The local moment at which it came, such as 2027-01-15T10:00; now where none is given.")] = (
        None
    )
    channel: Annotated[Literal["electronic", "paper"], Field(description="How it came; paper counts from the next open day after the office has closed.")] = (
        "electronic"
    )
    in_form: Annotated[bool, Field(description="Whether it came on the form.")] = True
    expedite: Annotated[Given | None, Field(description="{asked_on}.")] = None
    aliases: Annotated[list[Name], Field(max_length=20, description="Other numbers of it.")] = []
    facts: Annotated[Given, Field(description="Facts by name.")] = {}
    settings: Annotated[Given, Field(description="Readings of the law other than the pack's own.")] = {}
    municipality: Annotated[str | None, Field(max_length=200)] = None
    address: Annotated[str | None, Field(max_length=500)] = None

    def plain(self) -> dict[str, Any]:
        """As a request file would say it: what was not sent is left out."""
        return self.model_dump(exclude_unset=True, exclude_none=True)


class FilingAsked(Asked):
    """A request to file."""

    request: RequestAsked
    because: Annotated[Text | None, Field(description="Why it is entered after the day on which it came.")] = None


class Filed(Shown):
    """A request that was filed."""

    request: str = Field(description="Its number.")
    fee: Money
    cases: list[Case] = Field(description="A case for each service and waterbody.")
    warnings: list[str] = Field(description="What to know.")


class Quote(Shown):
    """What a request owes."""

    lines: list[FeeLine] = Field(description="Line by line.")
    total: Money
    paid: Money
    due: Money
    warnings: list[str] = Field(description="What to know.")
    waived: bool = Field(description="Whether it is waived.")


class FilingTrial(Shown):
    """What filing would do. Nothing was recorded."""

    allowed: bool = Field(description="Whether it would be filed.")
    because: list[Reason] = Field(description="What stands against it.")
    fee: Quote | None = Field(description="The fee.")
    cases: list[dict[str, Any]] = Field(description="Each case as it would stand today, with its letters written and what the law would do at once.")
    late: bool = Field(description="Whether it would be entered after the day on which it came.")
    needs: str | None = Field(description="The right that such a filing needs.")


class FactsAsked(Asked):
    """Facts to judge."""

    facts: Annotated[Given, Field(description="Facts by name.")] = {}
    on: Annotated[OnDay | None, Field(description="The day received, which picks the version of the rules; today where none is given.")] = None
    readings: Annotated[dict[str, str], Field(description="Settings by name, other than the pack's own.")] = {}


class Finding(Shown):
    """What a rule comes to."""

    rule: str = Field(description="Its id.")
    cite: Cite = None
    outcome: str = Field(description="pass, fail, unknown, judgment, not-applicable or computed.")
    text: str = Field(description="The rule.")
    leaves: list[dict[str, Any]] = Field(description="Each test: field, op, value, unit, got, outcome.")


class Evaluation(Shown):
    """What a rule set comes to."""

    ruleset: str = Field(description="Its id.")
    version: str = Field(description="The version that the day picks.")
    title: str = Field(description="What it is called.")
    received: Day
    in_force: bool = Field(description="Whether it was in force then.")
    law: str | None = Field(description="The text in force, where it is another.")
    result: Literal["pass", "fail", "undetermined"] = Field(description="undetermined while something is unknown or to be judged.")
    findings: list[Finding] = Field(description="Rule by rule.")
    notes: list[str] = Field(description="What to know, by id.")
    explanations: dict[str, Any] = Field(description="What each note says, and where.")


class Track(Shown):
    """A workflow that might fit."""

    workflow: str = Field(description="The workflow.")
    title: str = Field(description="What it is called.")
    law: str = Field(description="What it stands on.")
    result: Literal["fits", "fits-if", "does-not-fit"] = Field(description="fits-if: only judgments are open.")
    words: str = Field(description="The result in words.")
    findings: list[dict[str, Any]] = Field(description="The findings that decide.")
    judgments: list[dict[str, Any]] = Field(description="What only a person can judge.")
    missing: list[dict[str, Any]] = Field(description="Facts that are not stated.")


class Screening(Shown):
    """Which track fits."""

    received: Day
    best: str | None = Field(description="The track that fits best.")
    closest: str | None = Field(description="The nearest miss, where none fits.")
    tracks: list[Track] = Field(description="Track by track.")


class RulesetRef(Shown):
    """A rule set in its version of a day."""

    ruleset: str = Field(description="Its id.")
    version: str = Field(description="Its version.")
    title: str = Field(description="What it is called.")
    pack: str = Field(description="Its pack.")
    cite: Cite = None
    from_: Day | None = Field(alias="from", description="In force from.")
    until: Day | None = Field(description="In force until.")
    in_force: bool = Field(description="Whether it is in force on the day.")
    count: int = Field(description="How many rules.")


class Rulesets(Shown):
    """The rule sets of a day."""

    on: Day
    rulesets: list[RulesetRef] = Field(description="Those that are known.")


class Rule(Shown):
    """A rule."""

    rule: str = Field(description="Its id.")
    part: str | None = Field(description="The part of the set.")
    text: str = Field(description="What it says.")
    cite: Cite = None
    kind: str = Field(description="What kind of rule.")
    mode: str = Field(description="compute or judgment.")
    confidence: str | None = Field(description="How sure the pack is of it.")
    found: bool = Field(description="Whether an evaluation lists it.")
    reading: str | None = Field(description="The reading chosen.")
    note: str | None = Field(description="What to know.")


class Ruleset(RulesetRef):
    """A rule set, rule by rule."""

    on: Day
    rules: list[Rule] = Field(description="Its rules.")


class DayOff(Shown):
    """A day on which the office is closed or the law has a holiday."""

    date: Day
    weekday: str = Field(description="Its weekday.")
    name: str = Field(description="What it is.")
    list: str = Field(description="The list that it stands on.")
    cite: Cite = None


class Calendar(Shown):
    """The days of a year."""

    calendar: str = Field(description="Its id.")
    version: str = Field(description="Its version.")
    year: int = Field(description="The year.")
    days: list[DayOff] = Field(description="By date.")


class WorkflowRef(Shown):
    """A workflow."""

    id: str = Field(description="Its id.")
    title: str = Field(description="What it is called.")
    law: str = Field(description="What it stands on.")


class Workflows(Shown):
    """The workflows of the packs."""

    workflows: list[WorkflowRef] = Field(description="Pack by pack.")


class Workflow(Shown):
    """A workflow in summary: each part with its law and how sure it is."""

    workflow: str = Field(description="Its id.")
    title: str = Field(description="What it is called.")
    law: str = Field(description="What it stands on.")
    states: dict[str, str] = Field(description="States, by id.")
    actions: dict[str, Any] = Field(description="Actions, by id: title, from, to, cite, note, reading, confidence.")
    clocks: dict[str, Any] = Field(description="Clocks.")
    limits: dict[str, Any] = Field(description="Limits.")
    conditions: dict[str, Any] = Field(description="Conditions.")
    items: dict[str, Any] = Field(description="What a filing must contain.")
    exclusions: dict[str, Any] = Field(description="What keeps the law from applying.")


class Pack(Shown):
    """A pack in summary."""

    pack: str = Field(description="Its id.")
    title: str = Field(description="The agency.")
    label: str = Field(description="Its version as people say it.")
    version: str = Field(description="SHA-256 of its content.")
    workflows: list[WorkflowRef] = Field(description="Its workflows.")
    letters: list[str] = Field(description="Its letters.")
    fees: dict[str, Any] = Field(description="Its fees.")
    refunds: dict[str, Any] = Field(description="What is paid back when.")
    settings: dict[str, Any] = Field(description="Where the law can be read in several ways: question, default, cite, why.")


class Packs(Shown):
    """The packs that are loaded."""

    packs: list[Pack] = Field(description="Pack by pack.")


class Deadline(Shown):
    """A date of a case."""

    case: str = Field(description="The case.")
    title: str = Field(description="Its title.")
    day: Day
    kind: str = Field(description="law, target, silence, hold, warning, other or policy.")
    kind_title: str = Field(description="What that is called.")
    what: str = Field(description="What happens then.")
    clock: str = Field(description="The clock that it follows from.")
    clock_title: str = Field(description="What that is called.")
    cite: Cite = None
    workflow: str = Field(description="The workflow.")
    workflow_title: str = Field(description="What that is called.")
    assigned_to: str | None = Field(description="Whose work it is.")
    late: bool = Field(description="Whether the day has passed undone.")
    actor: str = Field(description="Whom it binds.")


class Deadlines(Shown):
    """The dates of a month."""

    month: str = Field(description="Year and month.")
    dates: list[Deadline] = Field(description="By day.")
    through: Day | None = Field(description="The day through which none is missing, where there are too many; null: all are there.")
