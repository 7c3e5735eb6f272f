"""The port of one transaction of the store. What is asked outside of one is in store.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from caseflow.domain.case import Case, Entry, Outcome, Timer
    from caseflow.domain.mailing import Attempt, Copy
    from caseflow.domain.moving import Adoption
    from caseflow.domain.pack import Pack
    from caseflow.domain.packmoves import PackMove
    from caseflow.domain.retention import Stub
    from caseflow.services.ports.documents import Document
    from caseflow.services.ports.letters import RegisteredLetter, Written
    from caseflow.services.ports.lines import CaseRow


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A timer row that is due."""

    row: int
    case: str
    timer: Timer


@dataclass(frozen=True, slots=True)
class Brought:
    """What comes with a case from another record: its letters with their copies, every attempt, and its documents."""

    letters: tuple[RegisteredLetter, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    documents: tuple[Document, ...] = ()


class Work(Protocol):
    """One transaction. Nothing is visible to others before it ends well; an exception undoes all of it."""

    def next_number(self, prefix: str, year: int) -> int:
        """The next request number of that year, never given twice."""

    def case(self, number: str) -> Case:
        """The case (or its alias), locked until the transaction ends. Raises NotFound, and Disposed where only its stub is left."""

    def cases(self, numbers: Sequence[str]) -> Mapping[str, Case]:
        """Those of these cases that exist, read together."""

    def request(self, number: str) -> tuple[Case, ...]:
        """Every case of a request, by number."""

    def siblings(self, case: Case) -> tuple[Case, ...]:
        """The other cases of the same request."""

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The journal of a case, by sequence."""

    def command(self, command_id: str) -> tuple[str, int] | None:
        """The case and version that a command produced, if it was done before."""

    def save(self, outcome: Outcome, row: CaseRow, letters: Sequence[Written] = (), command_id: str | None = None) -> None:
        """Write all of it when the transaction ends; reads in it see it before. Raises, here or at the end, StaleCase if
        the case moved on and StoreFault if a unique key refuses."""

    def bring(self, brought: Brought) -> None:
        """Write what came with a case from another record, when the transaction ends; the case itself is saved before."""

    def count_from(self, prefix: str, year: int, last: int) -> None:
        """Give no request number of that year up to this one."""

    def keep_pack(self, pack: Pack, files: Mapping[str, str]) -> None:
        """Keep a pack whole, by content hash, once."""

    def keep_calendar(self, digest: str, text: str) -> None:
        """Keep a changed calendar whole, by the SHA-256 of its text, once."""

    def adoptions(self) -> Sequence[Adoption]:
        """Every adoption of a changed calendar, the first one first; what the same transaction kept is seen."""

    def keep_adoption(self, adoption: Adoption) -> None:
        """Keep an adoption as it now is, by its id. Raises KeyRefused where that is another's: of another pack, moment or person."""

    def pack_moves(self) -> Sequence[PackMove]:
        """Every move of cases between versions of a pack, the first one first; what the same transaction kept is seen."""

    def keep_pack_move(self, move: PackMove) -> None:
        """Keep a move as it now is, by its id. Raises KeyRefused where that is another's: of another pack, moment or person."""

    def due(self, until: datetime, limit: int) -> Sequence[DueTimer]:
        """Open timers due by then, earliest first, with their cases read ahead."""

    def settle(self, row: int, status: Literal["fired", "canceled", "refused", "parked"], text: str = "") -> None:
        """Close a timer row."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A part that may fail alone: what it would have written is dropped."""

    def letters(self, case: str | None = None, status: Sequence[str] = (), until: datetime | None = None) -> Sequence[RegisteredLetter]:
        """Letters of the register, oldest first; `until` limits to those allowed to leave by then. What the same
        transaction saves is not yet among them."""

    def letter(self, number: str) -> RegisteredLetter:
        """One letter. Raises NotFound."""

    def letter_status(self, number: str, status: str, on: date | None = None, proof: str = "", copies: bool = True) -> None:
        """Move a letter in the register, its copies with it unless told not to (a letter's words never change)."""

    def letter_words(self, letter: RegisteredLetter) -> None:
        """Write the words of a draft or blocked letter anew, with its status, data, hashes, edits and missing names."""

    def copies(self, letter: str | None = None, batch: str | None = None) -> tuple[Copy, ...]:
        """The copies of a letter, or those of a print batch, in order. What the same transaction changed is seen."""

    def claim(self, moment: datetime, token: str, until: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Claim the copies of one letter that may leave by now, for the run of that token: those that the letter is to
        first. `at_once` ignores the time that mail is held back, and no other. Empty where none is waiting."""

    def lapsed(self, moment: datetime) -> tuple[Copy, ...]:
        """Copies whose claim has run out: the run that held them is dead or frozen."""

    def waiting_copies(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> tuple[Copy, ...]:
        """Every copy that `claim` would find, unclaimed."""

    def how_many_wait(self, moment: datetime, channels: Sequence[str], at_once: bool = False) -> int:
        """How many copies `waiting_copies` would read; none is read or locked for it."""

    def copy_changed(self, copy: Copy, held: str | None = None) -> bool:
        """Keep a copy as it now is; False, and nothing kept, where it is not claimed by `held` (by nobody where None)."""

    def copy_added(self, copy: Copy) -> None:
        """Add a copy. Raises StoreFault where the key (case, entry, template, recipient, channel) exists."""

    def attempt(self, attempt: Attempt) -> None:
        """Keep an attempt; the same number again ends it."""

    def attempts(self, letter: str) -> tuple[Attempt, ...]:
        """Every attempt at the copies of a letter."""

    def secret(self, name: str) -> str:
        """A secret of this database, made when first asked for: 64 hex digits."""

    def documents(self, case: str) -> tuple[Document, ...]:
        """The documents of a case, in the order in which they came."""

    def document(self, name: str) -> Document:
        """One document. Raises NotFound."""

    def document_added(self, document: Document) -> None:
        """Add a document. Raises StoreFault where the key (case, sha256, item) exists."""

    def last_disposal(self) -> tuple[int, str]:
        """The place and hash of the last disposal; 0 and no hash where there is none."""

    def dispose(self, case: Case, stub: Stub) -> None:
        """Put a stub in the place of a case at once: everything of it goes. Raises StaleCase if the case moved on, StoreFault where it
        is open or under legal hold."""

    def resting(self) -> str | None:
        """Since when nothing may leave, as a restored database says; None where mail leaves as it should."""

    def rest(self, since: str | None) -> None:
        """Let nothing leave from now on, or again."""

    def beat(self, name: str, at: datetime, note: str = "") -> None:
        """Write the heartbeat of a scheduler."""

    def under(self, name: str, token: str, seconds: float) -> None:
        """Keep what this transaction writes only if the run still holds at its end, and then for so many seconds more. It ends with Lapsed
        otherwise."""
