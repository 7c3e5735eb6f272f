"""What a letter's copies say together: where the letter stands, when a failed copy is tried again, and what names a copy.

Pure rules of dispatch. Handing over is in services/dispatching.py, what leaves and how in the adapters.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256

CHANNELS = ("email", "post", "portal")
WAITING = ("draft", "owed", "blocked", "approved", "queued")
"""Statuses of a letter or copy that has not left and may still be canceled."""
TO_SEND = ("owed", "approved", "queued", "answer-unknown")
"""Statuses of a copy that the dispatcher may take."""
SENT = ("handed-over", "delivered")
FAILED = ("bounced", "returned")
OWN_ROLES = ("requester", "agent", "co-applicant")
"""Whose copies carry the access code: the people of the request, and nobody whom it is only told to."""

UNSHOWN = "(on the copy of its addressee)"
"""What everybody else reads where the access code stands."""
CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

BACK_OFF = (1, 5, 15, 60, 240, 480)
"""Minutes to the next attempt, after the first, second ...; the last one repeats."""
ATTEMPTS = 14
"""Attempts after which a copy counts as not deliverable by its channel: some three days."""
LEASE = timedelta(minutes=10)
"""How long a claim holds; longer than any one hand-over may take."""


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a letter, to one person by one channel: the unit of dispatch.

    `kind`: to (an addressee) or copy. `recipient` stands for role, name and address in the unique key (case, entry,
    template, recipient, channel). `begun_at` is the first attempt, which dates the message. `claim` is the token of
    the run that holds it. `content` is the SHA-256 of the bytes handed over. `replaces`: the copy sent anew.
    """

    id: str
    letter: str
    case: str
    seq: int
    template: str
    kind: str
    role: str
    name: str
    recipient: str
    channel: str
    address: str
    language: str | None
    status: str
    attempts: int = 0
    begun_at: datetime | None = None
    next_at: datetime | None = None
    claim: str | None = None
    claimed_until: datetime | None = None
    message_id: str = ""
    content: str = ""
    batch: str | None = None
    sent_on: date | None = None
    proof: str = ""
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try to hand a copy over. `outcome`: begun, accepted, later, refused or unknown (its answer was lost)."""

    copy: str
    number: int
    token: str
    begun_at: datetime
    ended_at: datetime | None
    outcome: str
    text: str


def natural(number: str) -> tuple[tuple[int, str], ...]:
    """Sorts WD-2026-00001-1-L10 after -L9: parts that are numbers by their size."""
    return tuple((int(part), "") if part.isdecimal() else (int(part[1:]), part[0]) if part[1:].isdecimal() else (-1, part) for part in number.split("-"))


def copy_order(copy: Copy) -> tuple[bool, tuple[tuple[int, str], ...]]:
    """Those that the letter is to come first, then in the order in which they were made."""
    return copy.kind != "to", natural(copy.id)


def recipient_key(role: str, name: str, address: str) -> str:
    """What stands for a recipient in the key of a copy."""
    return sha256(f"{role}\0{name}\0{address}".encode()).hexdigest()[:16]


def again_at(attempts: int, moment: datetime) -> datetime | None:
    """The next attempt after so many, without any chance in it; None where enough were made."""
    if attempts >= ATTEMPTS:
        return None
    return moment + timedelta(minutes=BACK_OFF[min(attempts, len(BACK_OFF)) - 1])


def current(copies: Iterable[Copy]) -> list[Copy]:
    """The copies to the letter's addressees that count: one that was sent anew is stood for by the new one.

    A letter that has no addressee is judged by all its copies.
    """
    known = list(copies)
    replaced = {copy.replaces for copy in known if copy.replaces is not None}
    standing = [copy for copy in known if copy.id not in replaced and copy.status not in ("superseded", "canceled")]
    return [copy for copy in standing if copy.kind == "to"] or standing


def letter_state(status: str, copies: Sequence[Copy]) -> str:
    """Where a letter stands, from its addressees' copies: one that failed, or whose answer was lost, shows first."""
    found = {copy.status for copy in current(copies)}
    for bad in (*FAILED, "answer-unknown"):
        if bad in found:
            return bad
    if found and found <= set(SENT):
        return "delivered" if found == {"delivered"} else "handed-over"
    printed = any(copy.batch and copy.status == "queued" for copy in copies)
    return "queued" if printed else "owed" if status in (*FAILED, "answer-unknown", "queued") else status


def sent_day(copies: Sequence[Copy]) -> date | None:
    """The day on which the last addressee's copy was handed over; None while one has not been."""
    days = [copy.sent_on for copy in current(copies)]
    return max((day for day in days if day is not None), default=None) if all(days) else None


def message_id(copy: Copy, content_hash: str, host: str) -> str:
    """The Message-ID of a copy, the same for every attempt."""
    return f"<{copy.id}.{content_hash[:12]}@{host}>"


def access_code(secret: str, copy: Copy) -> str:
    """The code with which a person of the request reads the case: the same in every letter to that person.

    It is derived, never kept: 60 bits of HMAC-SHA256 under a secret of the database, in letters that can't be mixed up.
    """
    return code_of(secret, copy.case, copy.role, copy.name)


def code_of(secret: str, case: str, role: str, name: str) -> str:
    """The code of a person of a request."""
    digest = hmac.new(bytes.fromhex(secret), f"{case}\0{role}\0{name}".encode(), sha256).digest()
    number = int.from_bytes(digest[:8], "big") >> 4
    letters = [CODE_LETTERS[number >> 5 * place & 31] for place in range(12)]
    return "-".join("".join(letters[start : start + 4]) for start in (0, 4, 8))
