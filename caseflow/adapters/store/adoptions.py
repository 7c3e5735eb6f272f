"""Changed calendars and their adoptions, on an SQL connection."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.upsert import put_same
from caseflow.domain.moving import Adoption


def adoptions(connection: Connection) -> Sequence[Adoption]:
    """Every adoption, the first one first."""
    return [_adoption(row) for row in connection.execute(select(s.ADOPTION).order_by(s.ADOPTION.c.id))]


def keep_adoption(connection: Connection, adoption: Adoption) -> None:
    """Keeps an adoption as it now is. Raises KeyRefused where another has its number."""
    values = {name: getattr(adoption, name) for name in Adoption.__dataclass_fields__}
    values.update(replaces=json.dumps(adoption.replaces), blocked=json.dumps(adoption.blocked))
    put_same(connection, s.ADOPTION, values, ("pack", "at", "by"), f"an adoption {adoption.id}")


def keep_calendar(connection: Connection, digest: str, text: str) -> None:
    """Keeps a changed calendar whole, once."""
    connection.execute(s.kept_once(connection, s.CALENDAR).values(digest=digest, text=text))


def _adoption(row: Any) -> Adoption:
    values = {name: getattr(row, name) for name in Adoption.__dataclass_fields__}
    blocked = tuple((case, why) for case, why in json.loads(row.blocked))
    return Adoption(**{**values, "replaces": tuple(json.loads(row.replaces)), "blocked": blocked})
