"""Letters of the register: words, copies, attempts, and what may be done with them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from caseflow.web.api.models.cases import CaseLetter
from caseflow.web.api.models.common import Asked, Day, Given, Moment, OnDay, Shown, Text


class LetterLine(CaseLetter):
    """A letter as the register lists it."""

    case: str = Field(description="Its case.")
    subject: str = Field(description="Its subject.")


class LetterPage(Shown):
    """A page of the register."""

    letters: list[LetterLine] = Field(description="By number.")
    next: str | None = Field(description="Key of the page after it, for `after`; null on the last.")


class Attempt(Shown):
    """A try to hand a copy over."""

    number: int = Field(description="From 1.")
    at: Moment | None = Field(description="When it began.")
    ended: Moment | None = Field(description="When it ended; null where the answer was lost.")
    outcome: str = Field(description="begun, accepted, later, refused or unknown.")
    text: str = Field(description="What the other side said.")


class Copy(Shown):
    """A copy of a letter: one recipient, one way."""

    id: str = Field(description="Its id.")
    kind: Literal["to", "copy"] = Field(description="Whether the letter is to them, or they get a copy.")
    role: str = Field(description="As what.")
    name: str = Field(description="The name.")
    channel: str = Field(description="email, post or site.")
    address: str = Field(description="Where it goes.")
    language: str | None = Field(description="Their language.")
    status: str = Field(description="Where it is.")
    message_id: str = Field(description="The name of the message; empty before it leaves.")
    content: str = Field(description="SHA-256 of the bytes that left.")
    batch: str | None = Field(description="The print batch.")
    proof: str = Field(description="The proof of the hand-over.")
    replaces: str | None = Field(description="The copy that it goes in place of.")
    sent_on: Day | None = Field(description="The day on which it left.")
    next_at: Moment | None = Field(description="When it is tried next.")
    attempts: list[Attempt] = Field(description="Every try.")


class Edit(Shown):
    """What a person wrote into a marked place."""

    place: str = Field(description="The place.")
    text: str = Field(description="What stands there now.")
    was: str = Field(description="What stood there.")
    by: str = Field(description="Who.")
    at: Moment


class Letter(LetterLine):
    """A letter whole."""

    template_hash: str = Field(description="SHA-256 of its template.")
    content_hash: str = Field(description="SHA-256 of its words.")
    pack_version: str = Field(description="The rules it was written under.")
    copies: list[Copy] = Field(description="Its copies.")
    edits: list[Edit] = Field(description="What was written into it, the oldest first.")
    places: dict[str, str] = Field(description="The marked places in which a person may write, and what stands there.")
    data: dict[str, Any] = Field(description="The frozen data that it was written from.")
    markdown: str = Field(description="Its words as they were written.")
    text: str = Field(description="Plain text.")
    html: str = Field(description="A whole HTML page.")


class Preview(Shown):
    """A letter as it would be."""

    letter: str = Field(description="Which letter of the pack.")
    if_: str = Field(alias="if", description="The action that would owe it.")
    subject: str = Field(description="Its subject.")
    markdown: str = Field(description="Its words.")
    text: str = Field(description="Plain text.")
    html: str = Field(description="A whole HTML page.")


class PreviewAsked(Asked):
    """With what a letter is to be previewed."""

    action: Annotated[
        str | None, Field(max_length=80, pattern=r"^[a-z0-9][a-z0-9_-]*$", description="The action that owes it; the first one where none is named.")
    ] = None
    facts: Annotated[Given, Field(description="The facts of that action.")] = {}


class PlaceAsked(Asked):
    """What to write into a marked place."""

    text: Annotated[Text, Field(description="The words, as plain paragraphs.")]


class RetryAsked(Asked):
    """What a blocked letter lacks."""

    facts: Annotated[Given, Field(description="The missing facts.")] = {}


class CorrectAsked(Asked):
    """Why a letter is corrected."""

    because: Annotated[Text, Field(description="The reason; it stands in the new letter.")]


class EventAsked(Asked):
    """Evidence about a copy."""

    event: Annotated[Literal["delivered", "bounced", "returned"], Field(description="That it arrived, or came back.")]
    copy_: Annotated[str | None, Field(alias="copy", max_length=100, pattern=r"^[!-~]+$", description="Which copy, where there are several.")] = None
    because: Annotated[Text | None, Field(description="Why it came back.")] = None
    on: Annotated[OnDay | None, Field(description="The day; today where none is given.")] = None


class ResendAsked(Asked):
    """Where a copy is to go that could not be delivered."""

    channel: Annotated[Literal["email", "post"], Field(description="The other way.")]
    copy_: Annotated[str | None, Field(alias="copy", max_length=100, pattern=r"^[!-~]+$", description="Which copy, where there are several.")] = None
    address: Annotated[list[Text], Field(max_length=8, description="The other address, line by line; the known one where none is given.")] = []
