"""Lists of cases, and what a supervisor watches."""

from __future__ import annotations

from pydantic import Field

from caseflow.web.api.models.common import Day, Shown


class Next(Shown):
    """The agency's nearest deadline on a case."""

    clock: str | None = Field(description="The clock.")
    target: Day | None = Field(description="The office's day.")
    due: Day | None = Field(description="The law's day.")


class Row(Shown):
    """A case as lists show it."""

    case: str = Field(description="Its number.")
    request: str = Field(description="Its request.")
    title: str = Field(description="Its title.")
    workflow: str = Field(description="Its workflow.")
    workflow_title: str = Field(description="What that is called.")
    state: str = Field(description="Its state.")
    state_title: str = Field(description="What that is called.")
    say: str | None = Field(description="The state in one sentence.")
    phase: str = Field(description="The state that reports count it under.")
    turn: str = Field(description="Whose turn it is.")
    assigned_to: str | None = Field(description="Whose work it is.")
    flags: list[str] = Field(description="Marks of the workflow.")
    flag_titles: list[str] = Field(description="What they are called.")
    tasks: int = Field(description="Open tasks.")
    next: Next
    clock_title: str | None = Field(description="What the nearest clock is called.")
    silence: bool = Field(description="Whether the law decides when nobody does.")
    ends: bool = Field(description="Whether it is over.")
    held: bool = Field(description="Whether a clock was ever held.")
    received_on: Day
    decided_on: Day | None = Field(description="The day on which it ended.")
    overdue: bool = Field(description="Whether the law's day has passed.")
    office_days: int | None = Field(description="Office days to the target; below 0 once it has passed.")


class Docket(Shown):
    """A page of cases."""

    as_of: Day
    rows: list[Row] = Field(description="The soonest target first, then those without a date; of a search, the best first.")
    next: str | None = Field(description="Key of the page after it, for `after`; null on the last.")
    most: bool = Field(description="Whether a search found more than it lists; narrow it.")


class Choices(Shown):
    """What a docket can be narrowed to, each with its title."""

    workflows: dict[str, str] = Field(description="Workflows.")
    phases: dict[str, str] = Field(description="Phases.")
    turns: list[str] = Field(description="Turns.")
    flags: dict[str, str] = Field(description="Flags.")


class Group(Shown):
    """Cases of one kind."""

    id: str = Field(description="overdue, at-risk, silence, on-hold, letters-waiting, stuck, open, or a phase of the pack.")
    count: int = Field(description="How many.")
    cases: list[str] = Field(description="Which, by number.")


class Load(Shown):
    """What a person has."""

    user: str | None = Field(description="The account; null for nobody's.")
    open: int = Field(description="Open cases.")
    overdue: int = Field(description="Those whose last day has passed.")


class Month(Shown):
    """What was decided in a month."""

    month: str = Field(description="Year and month.")
    decided: int = Field(description="Cases decided.")
    on_time: int = Field(description="Those in time.")
    held: int = Field(description="Those that were held at some time.")


class Board(Shown):
    """What a supervisor watches, today or on a day that has passed."""

    as_of: Day
    groups: list[Group] = Field(description="Groups of cases; one case may be in several.")
    workload: list[Load] = Field(description="By person.")
    on_time: list[Month] = Field(description="By month.")
