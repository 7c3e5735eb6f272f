"""Legal holds as entries of the record: who ordered that a case be kept, why, and who let it go again.

A hold moves no date and opens no task: it only keeps the record from being disposed of. While one is in place the case carries
a flag, by which lists and the database itself know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from caseflow.domain import casework
from caseflow.domain.case import Act, Actor, Case, LegalHold, Outcome
from caseflow.domain.changes import HELD, HOLD_LIFTED, HOLD_PLACED
from caseflow.domain.pack import Pack
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import Reason, Refused

TITLES = {HOLD_PLACED: "A legal hold was placed", HOLD_LIFTED: "A legal hold was lifted"}
__all__ = ["HELD", "TITLES", "chosen", "lift", "may", "place", "refuse"]


def place(book: Rulebook, case: Case, matter: str | None, because: str, actor: Actor, moment: datetime, key: str) -> Outcome:
    """Keeps a case from disposal until the hold is lifted. `matter`: what it is called, such as the number of a lawsuit. Raises Refused."""
    refuse(book.pack, actor, book.pack.text.retention.holds, "a legal hold is placed and lifted")
    if matter is not None and any(hold.matter == matter for hold in case.legal_holds):
        text = f"a legal hold for '{matter}' is in place already"
        raise Refused([Reason("guard-failed", "legal-hold", text)], f"No second hold on {case.number}")
    return _entry(book, case, HOLD_PLACED, {"matter": matter} if matter is not None else {}, because, actor, moment, key)


def lift(book: Rulebook, case: Case, hold: LegalHold, because: str, actor: Actor, moment: datetime, key: str) -> Outcome:
    """Ends one hold of a case; another one still keeps it. Raises Refused."""
    refuse(book.pack, actor, book.pack.text.retention.holds, "a legal hold is placed and lifted")
    return _entry(book, case, HOLD_LIFTED, {"hold": hold.seq}, because, actor, moment, key)


def chosen(case: Case, matter: str | None, seq: int | None) -> LegalHold:
    """The hold that is meant: that of a matter or of an entry, else the only one. Raises Refused."""
    found = [hold for hold in case.legal_holds if (matter is None or hold.matter == matter) and (seq is None or hold.seq == seq)]
    if len(found) == 1:
        return found[0]
    what = f"No hold of {case.number} is lifted"
    if not found:
        text = "no legal hold is in place" + (f" for '{matter}'" if matter is not None else f" by entry {seq}" if seq is not None else "")
        raise Refused([Reason("guard-failed", "legal-hold", text, entries=tuple(hold.seq for hold in case.legal_holds))], what)
    several = ", ".join(f"entry {hold.seq}" + (f" ({hold.matter})" if hold.matter else "") for hold in found)
    text = f"{len(found)} legal holds are in place: {several}"
    raise Refused([Reason("guard-failed", "legal-hold", text, entries=tuple(hold.seq for hold in found), instead="Name the matter or the entry.")], what)


def may(pack: Pack, role: str, roles: Sequence[str]) -> bool:
    """Whether a role is one of those that a pack names, or may do what one of them does."""
    also = pack.text.roles[role].also if role in pack.text.roles else ()
    return role in roles or any(other in roles for other in also)


def refuse(pack: Pack, actor: Actor, roles: Sequence[str], what: str) -> None:
    """Refuses whoever is in none of the roles that the pack names. Raises Refused."""
    if not may(pack, actor.role, roles):
        who, whose = " or ".join(f"a {name}" for name in roles), "an" if actor.role[:1] in "aeiou" else "a"
        raise Refused([Reason("not-permitted", "not-permitted", f"{what} by {who}, not by {whose} {actor.role}", role=roles[0])], "Refused")


def _entry(book: Rulebook, case: Case, action: str, facts: dict[str, object], because: str, actor: Actor, moment: datetime, key: str) -> Outcome:
    on: date = max(book.calendar.local_day(moment), case.last_on)
    return casework.core_entry(book, case, Act(action, actor, facts, on, because), moment, key)
