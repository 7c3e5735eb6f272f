"""Work: what needs a person, whose work a case is, and saved filters."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from caseflow.web.api.models.common import Asked, Day, Moment, Shown, Text
from caseflow.web.api.models.lists import Row

Account = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[!-~]+$")]
Number = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[!-~]+$")]
ViewName = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9]([ -~]*[!-~])?$")]


class WorkTask(Shown):
    """A task of a case, as lists of work show it."""

    text: str = Field(description="What is to be done.")
    for_: str = Field(alias="for", description="The role that it is for.")
    since: Day
    mine: bool = Field(description="Whether the token's role does it.")
    kind: str | None = Field(description="Of a task about a letter or a timer: which kind.")
    about: str | None = Field(description="The letter or timer.")
    does: str | None = Field(description="The title of the act that settles it.")
    act: str | None = Field(description="That act.")


class WorkRow(Row):
    """A case that needs a person."""

    tasks: list[WorkTask] = Field(description="Open tasks, the person's own first.")  # type: ignore[assignment]
    parked: str | None = Field(description="Why a timer stopped by itself; null where none did.")
    act: str | None = Field(description="The title of the first act that leads on.")
    clock: str | None = Field(description="The clock that the row is about.")
    held_since: Day | None = Field(description="Since when it is held or displaced.")
    next_at: Moment | None = Field(description="When something next happens by itself.")
    stands_since: Day | None = Field(description="Since when no period of the agency runs.")
    since: Day = Field(description="Since when the case is where it is.")


class WorkGroup(Shown):
    """Cases of one urgency."""

    id: str = Field(description="late, soon, stuck, near, arrived, word (what only the role may decide), later or waiting.")
    rows: list[WorkRow] = Field(description="The soonest target first.")
    more: bool = Field(description="Whether there are more; ask for the group alone.")


class Work(Shown):
    """What needs a person, by urgency."""

    as_of: Day
    scope: str = Field(description="mine, unassigned or all.")
    groups: list[WorkGroup] = Field(description="Those that hold something.")
    counts: dict[str, int] = Field(description="The person's own cases by group.")
    needs: int = Field(description="How many cases need the person.")
    near: Day = Field(description="The last day that counts as near.")
    word: bool = Field(description="Whether the role decides for others.")
    unassigned: int = Field(description="Open cases that are nobody's.")
    all: int = Field(description="Open cases that the person sees.")
    most: int = Field(description="Where counting stops.")
    next: str | None = Field(default=None, description="Of a group alone: key of the page after it, for `after`; null on the last.")


class Able(Shown):
    """Somebody to whom work can be given."""

    id: str = Field(description="The account.")
    name: str = Field(description="The person.")
    role: str = Field(description="What the role is called.")


class Carries(Shown):
    """Who has open cases."""

    id: str = Field(description="The account.")
    name: str = Field(description="The person.")
    open: int = Field(description="How many.")
    able: bool = Field(description="Whether work can still be given to them.")


class People(Shown):
    """Whose work cases are."""

    people: list[Able] = Field(description="To whom work can be given.")
    load: list[Carries] = Field(description="Who has open cases; those with the most first.")


class AssignAsked(Asked):
    """Gives cases to somebody."""

    cases: Annotated[list[Number], Field(min_length=1, max_length=200, description="The cases, by number.")]
    to: Annotated[Account, Field(description="The account, or `nobody`.")]
    because: Annotated[Text | None, Field(description="Why, if there is something to say. It stays on the record.")] = None


class Assigned(Shown):
    """What was assigned. All of it, or nothing."""

    to: str = Field(description="The account, or `nobody`.")
    name: str = Field(description="The person.")
    assigned: int = Field(description="How many cases changed hands.")
    already: int = Field(description="How many were theirs before.")


class LeftBy(Shown):
    """What somebody would leave behind."""

    id: str = Field(description="The account.")
    name: str = Field(description="The person.")
    open: int = Field(description="Open cases: the number to confirm.")
    late: int = Field(description="Those whose last day has passed.")
    soon: int = Field(description="Those whose target is within seven days.")
    most: int = Field(description="How many are handed over at once.")


class HandOverAsked(Asked):
    """Gives every open case of one person to another."""

    from_: Annotated[Account, Field(alias="from", description="Who leaves.")]
    to: Annotated[Account, Field(description="Who takes over.")]
    counted: Annotated[
        int, Field(ge=0, le=1_000_000, description="How many open cases there were when it was decided; where there are others by now, nothing is done.")
    ]


class HandedOver(Assigned):
    """What was handed over."""

    moved: int = Field(description="How many were handed over.")
    left: int = Field(description="How many are left for another call.")


class View(Shown):
    """A saved filter of a list."""

    name: str = Field(description="Its name.")
    address: str = Field(description="The list and its filter, as an address of the site.")


class Views(Shown):
    """The saved filters of the person."""

    views: list[View] = Field(description="By name.")


class ViewAsked(Asked):
    """Saves a filter under a name."""

    name: Annotated[ViewName, Field(description="Its name; a filter that has it already is replaced.")]
    address: Annotated[str, Field(max_length=1_500, pattern=r"^/(my-work|docket)(\?[!-~]*)?$", description="`/my-work` or `/docket` with what narrows it.")]


class DropAsked(Asked):
    """Deletes a saved filter."""

    name: Annotated[ViewName, Field(description="Its name.")]
