"""What the served program writes to standard error: a line for each request and fault, as text or as JSON, never a value of a case.

A request is named by its route (`/cases/{number}`), not by what it asked for: no number, name, word or network address stands in it.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

KINDS = ("off", "text", "json")
REQUEST = ("method", "route", "status", "ms")


class AsJson(logging.Formatter):
    """One JSON object a line: at (UTC), level, from, said; of a request its method, route, status and ms."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        made: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        if record.name == "caseflow.web" and isinstance(record.args, tuple) and len(record.args) == len(REQUEST):
            made |= {name: round(value, 1) if isinstance(value, float) else value for name, value in zip(REQUEST, record.args, strict=True)}
        return json.dumps(made, ensure_ascii=False)


def begin(kind: str) -> None:
    """Writes from now on; `off` leaves warnings and faults alone, as plain words."""
    if kind == "off":
        return
    handler = logging.StreamHandler()
    handler.setFormatter(AsJson() if kind == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger("caseflow")
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    root.propagate = False
