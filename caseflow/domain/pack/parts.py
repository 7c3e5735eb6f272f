"""Facts, items, exclusions, letters, fees and refunds."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from caseflow.domain.pack.questions import SettingTest, Test
from caseflow.domain.pack.words import Cited, Names, SettingRef, Word, _as_list


class Fact(Cited):
    """A fact: its type, unit and values. `fixed` and `default` are used by workflows.

    `columns` are the parts of a record, each with its type or the values it may have; on a list, of each of its records.
    """

    type: Literal["text", "yes-no", "number", "money", "day", "moment", "choice", "list", "record"] = "text"
    title: str | None = None
    hint: str | None = None
    unit: str | None = None
    values: tuple[str, ...] | None = None
    columns: Mapping[str, str | tuple[str, ...]] | None = None
    established: Literal["statement", "measurement", "judgment"] = "statement"
    default: Any = None
    fixed: Any = None


TEXT = Fact.model_construct()
"""What a fact is of which the pack says nothing."""


class Item(Cited):
    """Something a filing must contain. `given_by` names the member of the request that shows it is there."""

    title: str
    parts: tuple[str, ...] = ()
    hint: str | None = None
    given_by: str | None = None
    required: Test | bool = True
    group: str | None = None


class Exclusion(Cited):
    """A question asked at filing; a yes means that the service is not available."""

    title: str
    hint: str | None = None
    instead: str | None = None


class Letter(Cited):
    """A letter: to whom, with copies to whom, what it must state, and who approves it (nobody by default)."""

    title: str
    to: Names = ("requester",)
    copies: Names = ()
    states: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    approval: str | None = None
    subject: str | None = None


class OtherAmount(Cited):
    """What a fee comes to under another reading of a setting."""

    when: SettingTest
    amount: Decimal


class Fee(Cited):
    """A fee per thing counted. `in_place_of` makes it a combined fee; `times`/`of` a multiple of others.

    `amount` may be the number that a setting holds; the first of `amounts` whose reading is chosen goes before it.
    Per request: owed once in the request, whichever of its cases owe it. Per petition or notice: by each act.
    """

    title: str
    amount: Decimal | SettingRef | None = None
    amounts: tuple[OtherAmount, ...] = ()
    per: Literal["request", "waterbody", "waterway", "project-boundary", "electronic-payment", "notice", "petition"] = "request"
    in_place_of: Names = ()
    only_if_cheaper: Test | None = None
    times: int | None = None
    of: Names = ()


class Refund(Cited):
    """What is given back: the share (`all`) of fees, by which acts, when; after `never_on` nothing is, and `else_` says why."""

    of: Names
    share: Literal["all"] = "all"
    on: Names = ()
    never_on: Names = ()
    when: Test | None = None
    title: str | None = None
    else_: str | None = Field(default=None, alias="else")


class FeeRef(Word):
    """A fee owed; `when` is a condition."""

    fee: str
    when: Test | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"fee": value} if isinstance(value, str) else value


class LetterRef(Word):
    """A letter owed; `when` is a condition."""

    letter: str
    when: Test | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"letter": value} if isinstance(value, str) else value


class TaskRef(Word):
    """Work for a person. `action` names the acts that settle it; entering an ending state settles it too."""

    id: str | None = None
    text: str
    action: Names = ()
    for_: str | None = Field(default=None, alias="for")
    when: Test | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value


Fees = Annotated[tuple[FeeRef, ...], BeforeValidator(_as_list)]
Letters = Annotated[tuple[LetterRef, ...], BeforeValidator(_as_list)]
Tasks = Annotated[tuple[TaskRef, ...], BeforeValidator(_as_list)]
