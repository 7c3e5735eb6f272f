"""Search in numbers, people, places, facts and letters. The index follows the record: what has changed is taken in before it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from caseflow.domain.case import Case
from caseflow.errors import NotFound, StoreFault
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ports.search import SearchText
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter

AT_ONCE, BATCH, SHORT = 200, 100, 20
"""Cases that a search takes in at most, those of a batch, and those of one that nobody is to wait for."""


def find(office: Office, asked: str, limit: int, seen: Sight = EVERYTHING) -> list[str]:
    """The numbers of cases that have all the words, the best first, of those that are seen. Where nothing may be written now, the index is asked as it is."""
    with office.store.apart():  # a page that reads as of one moment must find what was taken in just now
        with suppress(StoreFault):
            refresh(office, AT_ONCE)
        return list(office.store.search.find(asked, limit, seen))


def refresh(office: Office, most: int, progress: Progress = quiet, batch: int | None = None) -> int:
    """Takes the words of up to `most` changed cases into the index, in batches; the answer is how many. What somebody acts on meanwhile stays due,
    and so does the rest where `progress`, which is told after each batch, raises."""
    taken = 0
    while taken < most and (due := office.store.search.due(min(batch or BATCH, most - taken))):
        found = []
        for number in due:
            with suppress(NotFound), office.store.read() as work:  # disposed of since then
                found.append(words(work.case(number), work.letters(number)))
        kept = office.store.search.keep(found)
        if not kept:
            break
        taken += kept
        progress(taken, None, "cases into the index")
    return taken


def words(case: Case, letters: Any) -> SearchText:
    """What a case is found by."""
    place = case.place
    told = [getattr(place, name) for name in place.__slots__]
    return SearchText(
        case=case.number,
        version=case.version,
        numbers=" ".join((case.number, case.request, *case.aliases)),
        people=" ".join(party.name for party in case.parties),
        place=" ".join([case.title, *(part for part in told if part)]),
        facts=" ".join(_plain(case.facts)),
        letters=" ".join(_letter(letter) for letter in letters),
    )


def _plain(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _plain(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _plain(part)


def _letter(letter: RegisteredLetter) -> str:
    return f"{letter.number} {letter.subject} {letter.markdown}"
