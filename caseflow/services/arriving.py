"""A case of another record, looked at before it is taken in: its chain, its replay, its letters, and whether its number is free."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from caseflow.domain.case import Case, Entry, Outcome, unopened
from caseflow.domain.history import taken
from caseflow.domain.journal import chain_faults
from caseflow.domain.replay import fold
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import CaseflowError, NotFound
from caseflow.services.carrying import Carried, Flaw, carried
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.work import Work

NUMBER = re.compile(r"(?P<prefix>.+)-(?P<year>\d{4})-(?P<last>\d{1,9})")
"""A request number, as filing gives it."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ArrivedCase:
    """A case that may be taken in. `counted`: prefix, year and number of its request. `known`: it is here already, as it stands."""

    book: Rulebook
    outcome: Outcome
    counted: tuple[str, int, int]
    known: bool


def arrived(office: Office, value: Carried, within: Work | None = None) -> ArrivedCase | Sequence[Flaw]:
    """The case, or everything that is wrong with it."""
    flaws = [Flaw(f"entry {one.seq}: {one.text}", _AGAIN, value.case) for one in chain_faults(value.case, value.entries)]
    return flaws or guarded(lambda: _looked_at(office, value, within), value.case)


def guarded(look: Callable[[], T], case: str) -> T | Sequence[Flaw]:
    """Looks at what anybody may have written: whatever it trips over, that is a flaw of the line."""
    try:
        return look()
    except CaseflowError as error:
        return [Flaw(" ".join(str(error).split()).rstrip("."), "", case)]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, RecursionError) as error:
        return [Flaw(f"what it says can't be taken in ({type(error).__name__}: {str(error)[:120]})", _AGAIN, case)]


_AGAIN = "Export the docket again; a line is never written by hand."


def bare(value: Carried) -> Case:
    """What rules are found by: number, workflow, day received, and the versions of the last entry."""
    return _bare(value.case, value.workflow, value.entries)


def _bare(number: str, workflow: str, entries: Sequence[Entry]) -> Case:
    first, last = entries[0], entries[-1]
    received_at, received = datetime.fromisoformat(first.facts["received_at"]), date.fromisoformat(first.facts["received_on"])
    versions = last.pack_version, last.calendar_version
    case = unopened(number, str(first.facts["request"]), workflow, versions, received_at, received, last.to_state)
    return case.revised(version=last.seq, head=last.hash)


def _looked_at(office: Office, value: Carried, within: Work | None) -> ArrivedCase | Sequence[Flaw]:
    number, entries = value.case, value.entries
    if not entries or entries[0].action != "file" or any(entry.case != number for entry in entries):
        return [Flaw("its journal does not begin with its filing, or holds entries of another case", _AGAIN, number)]
    request = str(entries[0].facts["request"])
    counted = NUMBER.fullmatch(request)
    if counted is None or not re.fullmatch(re.escape(request) + r"-\d{1,4}", number):
        return [Flaw(f"'{number[:40]}' is no number of a case of the request '{request[:40]}'", _AGAIN, number)]
    for version in {*(entry.pack_version for entry in entries), *(letter.pack_version for letter in value.brought.letters)}:
        office.packs.pack(version)
    book = office.packs.of(bare(value))
    if book.workflow.workflow != value.workflow:
        return [Flaw(f"its pack has no workflow '{value.workflow}'", _AGAIN, number)]
    folded = fold(book, entries)
    flaws = [Flaw(f"entry {bad.seq}: '{bad.action}' was not legal: {reasons[0].text}", _AGAIN, number) for bad, reasons in folded.illegal]
    flaws += [Flaw(f"entry {seq}: it does not follow from its clock", _AGAIN, number) for seq in folded.lapsed]
    if flaws or (flaws := _letters(value)):
        return flaws
    known = _known(office, value, folded.case, within)
    return known if not isinstance(known, bool) else ArrivedCase(book, taken(folded.case, entries), _counted(counted), known)


def _counted(found: re.Match[str]) -> tuple[str, int, int]:
    return found["prefix"], int(found["year"]), int(found["last"])


def _letters(value: Carried) -> list[Flaw]:
    """Letters whose words are not those that were hashed, that no entry owes, or that are missing."""
    owed = {number for entry in value.entries for _, number in entry.facts.get("letters") or ()}
    found: set[str] = set()
    flaws = []
    for letter in value.brought.letters:
        if letter.case != value.case or letter.number not in owed or letter.number in found:
            flaws.append(f"no entry owes the letter {letter.number[:40]}, or it stands here twice")
        elif sha256(letter.markdown.encode()).hexdigest() != letter.content_hash:
            flaws.append(f"the words of the letter {letter.number} are not those of its hash")
        elif any((copy.letter, copy.case) != (letter.number, letter.case) for copy in letter.copies):
            flaws.append(f"a copy of the letter {letter.number} belongs to another")
        found.add(letter.number)
    flaws += [f"the letter {number} is missing" for number in sorted(owed - found)]
    flaws += [f"the document {one.id[:40]} belongs to another case" for one in value.brought.documents if one.case != value.case]
    return [Flaw(text, _AGAIN, value.case) for text in flaws]


def _known(office: Office, value: Carried, case: Case, within: Work | None) -> bool | Sequence[Flaw]:
    """Whether this case is here already, or what else has its number."""
    if office.store.disposals.stub(value.case) is not None:
        return [Flaw("its record was here and was disposed of", "What was disposed of does not come back; leave it out of the export.", value.case)]
    with nullcontext(within) if within is not None else office.store.read() as work:
        here = work.cases([value.case]).get(value.case)
        if here is not None:
            stands = carried(work, value.case)
            return True if stands == value else [_other(value, stands.entries)]
        try:
            family = work.request(case.request)
        except NotFound:
            return False
        strangers = [one for one in family if (one.received_at, one.parties[:1]) != (case.received_at, case.parties[:1])]
    if strangers:
        return [
            Flaw(f"the request {case.request} is another one here ({strangers[0].number})", "Its number is taken; it can't come into this record.", value.case)
        ]
    return False


def _other(value: Carried, here: Sequence[Entry]) -> Flaw:
    ours, theirs = [entry.hash for entry in here], [entry.hash for entry in value.entries]
    if ours[0] != theirs[0]:
        return Flaw("another case has this number here", "Its number is taken; it can't come into this record.", value.case)
    if ours[: len(theirs)] == theirs or theirs[: len(ours)] == ours:
        text = f"the case is here and has gone on: {len(ours)} entries here, {len(theirs)} in the file"
        return Flaw(text, "A known case is never changed by an import; leave it out of the export.", value.case)
    return Flaw("the case is here with other entries", "A known case is never changed by an import.", value.case)
