"""Rehearses changed rules on a docket: which cases would have had other dates, outcomes, refusals or letters. Nothing is kept.

Each case is played twice (domain/otherwise.py, compared.py): under its own rules and under the others, up to the same day. It needs no
database: the docket file holds the rules of its cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from caseflow.domain.case import Case
from caseflow.domain.compared import Restates, compared
from caseflow.domain.journal import chain_faults
from caseflow.domain.letterview import letters_owed
from caseflow.domain.otherwise import Issued, both
from caseflow.domain.pack import Pack
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, CaseflowError
from caseflow.services.arriving import bare
from caseflow.services.carrying import CalendarFile, Carried, End, Flaw, Header, Line, PackFiles
from caseflow.services.importing import Source
from caseflow.services.office import Progress, quiet

if TYPE_CHECKING:
    from caseflow.services.ports.letters import Letters
    from caseflow.services.ports.packs import Packs

KINDS = ("dates", "outcomes", "refusals", "letters")


@dataclass(frozen=True, slots=True)
class Other:
    """The other rules: a pack, and the rulebook that a case would have under it."""

    pack: Pack
    of: Callable[[Case], Rulebook]

    def under(self, case: Case) -> Rulebook | None:
        """The rulebook of a case; None where the pack has no such workflow."""
        return self.of(case) if self.pack.workflow(case.workflow) is not None else None


def rehearse(packs: Packs, letters: Letters, source: Source, other: Other, until: date | None = None, progress: Progress = quiet) -> dict[str, Any]:
    """The cases of a docket that would have gone otherwise through a day (the day of the export where none is given).

    {as_of, cases, same, differ, dates, outcomes, refusals, letters, elsewhere, changed: [{case, workflow, title, ...}]}; `elsewhere`: cases
    of other packs, which are not played. Raises BadInput.
    """
    made: dict[str, Any] = {"as_of": None, "cases": 0, "same": 0, "differ": 0, **dict.fromkeys(KINDS, 0), "elsewhere": 0, "changed": []}
    header: Header | None = None
    for line in _sound(source):
        value = line.value
        if isinstance(value, Header):
            header = value
        elif isinstance(value, Carried):
            assert header is not None
            _case(packs, letters, other, value, until, header, made)
        else:
            _learn(packs, value, line.number)
        progress(source.at // 1024, max(source.at, source.size) // 1024, "KiB rehearsed")
    return made


def _case(packs: Packs, letters: Letters, other: Other, value: Carried, until: date | None, header: Header, made: dict[str, Any]) -> None:
    """Plays one case and adds it to what was found."""
    case = bare(value)
    if packs.pack(case.pack_version).text.pack != other.pack.text.pack:
        made["elsewhere"] += 1
        return
    old, new = packs.of(case), other.under(case)
    day = until or old.calendar.local_day(datetime.fromisoformat(header.made_at))
    was, now = both(old, new, value.entries, day)
    difference = compared(old, was, new, now, _restates(letters, old, new, datetime.fromisoformat(header.made_at)))
    made["as_of"], made["cases"] = day.isoformat(), made["cases"] + 1
    made["differ" if difference.kinds else "same"] += 1
    for kind in difference.kinds:
        made[kind] += 1
    if difference.kinds:
        title = was.case.title if was.case is not None else ""
        made["changed"].append({"case": value.case, "workflow": value.workflow, "title": title, "kinds": list(difference.kinds), **asdict(difference)})


def _restates(letters: Letters, old: Rulebook, new: Rulebook | None, moment: datetime) -> Restates:
    """Writes a letter under both rules. One that can't be written under either says what is missing."""

    def words(book: Rulebook, one: Issued) -> str:
        owed = next(made for made in letters_owed(book, one.case, one.entry, by_law=True) if made.letter == one.letter)
        written = letters.write(owed, book.pack, moment)
        return written.markdown or " ".join(written.missing)

    return lambda before, after: new is None or words(old, before) != words(new, after)


def _sound(source: Source) -> Iterator[Line]:
    """The lines of a docket. Raises BadInput at the first that is none."""
    last: Line | None = None
    for line in source.lines():
        value = line.value
        if line.number == 1 and not isinstance(value, (Header, Flaw)):
            raise BadInput("The file is no docket; write one with 'caseflow export --docket FILE.jsonl'.")
        flaws = [value] if isinstance(value, Flaw) else _flaws(value) if isinstance(value, Carried) else []
        if flaws:
            raise BadInput(f"Line {line.number} can't be rehearsed: {flaws[0].text}. {flaws[0].instead}".rstrip())
        last = line
        yield line
    if last is None or not isinstance(last.value, End):
        raise BadInput("The end of the docket is missing: the file is empty or was cut. Export it again.")


def _flaws(value: Carried) -> list[Flaw]:
    if not value.entries or value.entries[0].action != "file":
        return [Flaw(f"the journal of {value.case} does not begin with its filing")]
    return [Flaw(f"{value.case}, entry {one.seq}: {one.text}") for one in chain_faults(value.case, value.entries)]


def _learn(packs: Packs, value: Any, number: int) -> None:
    try:
        if isinstance(value, PackFiles):
            packs.learn(value.hash, value.files)
        elif isinstance(value, CalendarFile):
            packs.learn_calendar(value.digest, value.text)
    except CaseflowError as error:
        raise BadInput(f"Line {number} can't be rehearsed: {str(error).splitlines()[0]}") from None
