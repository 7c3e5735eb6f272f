"""The base of the tables, and constraints and indexes as several have them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import SQLModel


class Row(SQLModel):
    """What every table is. No row is ever validated, so that no validators are made."""

    model_config = {"defer_build": True}


def one_of(column: str, values: Iterable[str], name: str) -> CheckConstraint:
    """That a column has one of these values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=name)


def part(name: str, *columns: str, where: str, on_server: str = "") -> Index:
    """An index of some rows. Which they are in the words of a server is noted alone: whole.py hands it on, since that loads all of its dialect."""
    return Index(name, *columns, sqlite_where=text(where), info={"where": on_server or where})
