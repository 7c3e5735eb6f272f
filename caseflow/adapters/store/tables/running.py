"""What stands beside the cases: signs of life, runs and saved views."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Column
from sqlmodel import Field

from caseflow.adapters.store.tables.checks import Row
from caseflow.adapters.store.types import UtcDateTime


class Heartbeat(Row, table=True):
    """When each scheduler was last seen."""

    __tablename__: ClassVar[Any] = "heartbeat"
    name: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    note: str


class RunRow(Row, table=True):
    """Work that a process does under a token that expires, and for which day (2027-01-15) it was done last."""

    __tablename__: ClassVar[Any] = "run"
    name: str = Field(primary_key=True)
    token: str
    holder: str
    until: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    done: str


class SavedViewRow(Row, table=True):
    """A filter that a person keeps under a name."""

    __tablename__: ClassVar[Any] = "saved_view"
    __table_args__: ClassVar[Any] = (CheckConstraint("length(name) >= 1", name="ck_view_name"),)
    account: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    address: str
    made_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
