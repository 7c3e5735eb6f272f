"""Constraints that tables share."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import CheckConstraint


def one_of(column: str, values: Iterable[str], name: str) -> CheckConstraint:
    """That a column has one of these values."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=name)
