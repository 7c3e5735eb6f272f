"""Documents of a case, as lists and receipts show them."""

from __future__ import annotations

from pydantic import Field

from caseflow.web.api.models.common import Day, Moment, Shown


class Document(Shown):
    """A document that a case holds."""

    id: str = Field(description="Its number.")
    name: str = Field(description="The name of the file.")
    kind: str = Field(description="What kind of file it is, found by its content.")
    size: int = Field(description="Bytes.")
    sha256: str = Field(description="SHA-256 of its bytes, as the record has it.")
    seq: int = Field(description="The entry that took it in.")
    at: Moment
    counts_on: Day = Field(description="The day on which it counts as received.")
    by: str = Field(description="The account that added it, or the role of who sent it from outside.")
    role: str = Field(description="The role in which they did.")
    sender: str | None = Field(description="Who sent it from outside the agency; null where staff added it.")
    item: str = Field(description="The item that it answers; empty where none was named.")
    item_title: str | None = Field(description="What that item is called.")


class DocumentList(Shown):
    """The documents of a case."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision.")
    documents: list[Document] = Field(description="The newest first.")
    unread: bool = Field(description="Whether something came from outside that nobody has said to have read.")


class Receipt(Shown):
    """What was taken in."""

    case: str = Field(description="The case.")
    version: int = Field(description="Its revision now.")
    seq: int | None = Field(description="The entry that took it in; null where all of it was there already.")
    taken: list[Document] = Field(description="What is new.")
    known: list[Document] = Field(description="What was there already with the same content for the same item; it is kept once.")
