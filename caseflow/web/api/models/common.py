"""What every other shape uses: the two bases, days and money as text, problems and reasons."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Day = Annotated[str, Field(description="A local day of the agency, ISO 8601.", json_schema_extra={"format": "date"})]
Moment = Annotated[str, Field(description="A moment, ISO 8601 with its offset.", json_schema_extra={"format": "date-time"})]
Money = Annotated[str, Field(description="US dollars as decimal text.", pattern=r"^-?\d+(\.\d{1,2})?$")]
Cite = Annotated[str | None, Field(description="The provision of law that it stands on; null where there is none.")]
Facts = Annotated[dict[str, Any], Field(description="Facts by name. Each pack names its own, with type and unit: see `facts` of an action.")]
DEEPEST, LONGEST = 12, 20_000


class Shown(BaseModel):
    """A part of an answer. Members may be added; none is renamed or taken away within v1."""

    model_config = ConfigDict(populate_by_name=True)


class Asked(BaseModel):
    """A body that a program sends: read strictly, so that a misspelt member is told and never ignored."""

    model_config = ConfigDict(extra="forbid", strict=True)


def plain_text(text: str) -> str:
    """Text that people can read: no control signs but line ends and tabs."""
    if any((sign < " " and sign not in "\n\r\t") or sign == "\x7f" for sign in text):
        raise ValueError("it holds control signs; send plain text")
    return text


def plain_value(value: Any) -> Any:
    """A value of a fact: text, true or false, whole or decimal numbers, lists and maps of them, of no more than a few levels."""
    _walk(value, 0)
    return value


def _walk(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} levels deep")
    if isinstance(value, str):
        if len(value) > LONGEST:
            raise ValueError(f"a text is longer than {LONGEST:,} signs")
        plain_text(value)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError("a text is no whole Unicode") from None
    elif isinstance(value, float) and value - value != 0:
        raise ValueError("a number is not finite")
    elif isinstance(value, int) and abs(value) >= 10**18:
        raise ValueError("a number has more than 18 digits; send it as text")
    elif isinstance(value, dict):
        for name, part in value.items():
            _walk(name, depth + 1)
            _walk(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            _walk(part, depth + 1)


Text = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"\S"), AfterValidator(plain_text)]
Given = Annotated[dict[str, Any], AfterValidator(plain_value)]


def real_day(text: str) -> str:
    """A day that the calendar has: the pattern alone lets February 29 of any year pass."""
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text} is no day of the calendar") from None
    return text


_LEAP = "(19|20|21)(0[48]|[2468][048]|[13579][26])|2000"
_DAY = f"^((19|20|21)[0-9]{{2}}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)|({_LEAP})-02-29)$"
OnDay = Annotated[str, AfterValidator(real_day), Field(pattern=_DAY)]
"""A day as it is sent, from 1900 to 2199: the pattern holds for every day of the calendar and no other."""


class Reason(Shown):
    """Why something is not possible."""

    code: str = Field(
        description="unknown-action, wrong-state, not-permitted, guard-failed, limit-reached, facts-invalid, letter-incomplete, stale or date-invalid."
    )
    condition: str = Field(description="The condition, limit, fact or state of the pack that refuses.")
    text: str = Field(description="The reason in one sentence.")
    cite: Cite = None
    entries: list[int] = Field(description="Entries of the record that matter, by sequence number.")
    role: str | None = Field(description="The role that may, where the role is the reason.")
    instead: str | None = Field(description="What to do instead.")


class Fault(Shown):
    """A field that is not right."""

    at: str = Field(description="Where: a JSON pointer into the body, or `query.NAME`, `path.NAME`, `header.NAME`.")
    text: str = Field(description="What is wrong with it, in one sentence.")


class ProblemDetails(Shown):
    """A refusal or an error (RFC 9457)."""

    type: str = Field(description="The kind: an address on this site that explains it.")
    title: str = Field(description="The kind in a few words, always the same.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What was refused, and why, in words that a person can be shown.")
    reasons: list[Reason] = Field(description="Every reason of the law or the workflow, with its citation; empty where none was asked.")
    faults: list[Fault] = Field(description="Every field that is not right; empty where none is.")
