"""Moves of cases between versions of a pack, on an SQL connection."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from caseflow.adapters.store.tables import keeping as t
from caseflow.adapters.store.upsert import put_same
from caseflow.domain.packmoves import PackMove

MOVE: Any = t.PackMoveRow.__table__  # type: ignore[attr-defined]


def pack_moves(connection: Connection) -> Sequence[PackMove]:
    """Every move, the first one first."""
    return [_move(row) for row in connection.execute(select(MOVE).order_by(MOVE.c.id))]


def keep_pack_move(connection: Connection, move: PackMove) -> None:
    """Keeps a move as it now is. Raises KeyRefused where another has its number."""
    values = {name: getattr(move, name) for name in PackMove.__dataclass_fields__}
    values["blocked"] = json.dumps(move.blocked)
    put_same(connection, MOVE, values, ("pack", "at", "by"), f"a move {move.id}")


def _move(row: Any) -> PackMove:
    values = {name: getattr(row, name) for name in PackMove.__dataclass_fields__}
    return PackMove(**{**values, "blocked": tuple((case, why) for case, why in json.loads(row.blocked))})
