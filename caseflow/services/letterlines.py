"""A letter of the register and its copies as lists show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any


def letter_line(letter: Any, zone: tzinfo) -> dict[str, Any]:
    """A letter of the register as lists show it."""
    return {
        "number": letter.number,
        "case": letter.case,
        "id": letter.letter,
        "title": letter.title,
        "subject": letter.subject,
        "status": letter.status,
        "owed_on": letter.owed_on.isoformat(),
        "leaves_at": letter.leaves_at.astimezone(zone).isoformat() if letter.leaves_at is not None else None,
        "sent_on": letter.sent_on.isoformat() if letter.sent_on is not None else None,
        "seq": letter.seq,
        "recipients": [{key: person.get(key) for key in ("role", "name", "channel", "status")} for person in letter.recipients],
        "missing": list(letter.missing),
        "corrects": letter.corrects,
        "corrected_by": letter.corrected_by,
    }


def copy_line(copy: Any, attempts: Sequence[Any], zone: tzinfo) -> dict[str, Any]:
    """A copy of a letter with every attempt at it."""

    def local(moment: datetime | None) -> str | None:
        return moment.astimezone(zone).isoformat() if moment is not None else None

    kept = ("id", "kind", "role", "name", "channel", "address", "language", "status", "message_id", "content", "batch", "proof", "replaces")
    mine = [one for one in attempts if one.copy == copy.id]
    return {
        **{name: getattr(copy, name) for name in kept},
        "sent_on": copy.sent_on.isoformat() if copy.sent_on is not None else None,
        "next_at": local(copy.next_at),
        "attempts": [{"number": one.number, "at": local(one.begun_at), "ended": local(one.ended_at), "outcome": one.outcome, "text": one.text} for one in mine],
    }
