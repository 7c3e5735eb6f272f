"""Print batches: the copies that go by post, put together once, printed as often as need be, and posted on a day.

A copy in a batch leaves by it and by nothing else; services/evidence.py marks the batch as posted, which is the proof.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from caseflow.domain.mailing import natural
from caseflow.errors import BadInput
from caseflow.services.again import again
from caseflow.services.dispatching import parcel_of, stand
from caseflow.services.office import Office

if TYPE_CHECKING:
    from caseflow.services.ports.mail import Parcel


@again
def begin(office: Office, moment: datetime | None = None, at_once: bool = False) -> str | None:
    """Puts every copy by post that may leave by now into a new batch; the answer is its number, None where none waits."""
    moment = moment or office.now()
    with office.store.begin() as work:
        if (since := work.resting()) is not None:
            raise BadInput(f"The database was restored at {since}, and nothing leaves it yet; caseflow resume lets mail leave again.")
        waiting = work.waiting_copies(moment, ("post",), at_once)
        if not waiting:
            return None
        year = office.packs.of(work.case(waiting[0].case)).calendar.local_day(moment).year
        batch = f"POST-{year}-{work.next_number('POST', year):05d}"
        for copy in waiting:
            work.copy_changed(replace(copy, batch=batch, status="queued", begun_at=copy.begun_at or moment))
        for number in sorted({copy.letter for copy in waiting}, key=natural):
            stand(office, work, number, moment, ())
        return batch


@again
def sheets(office: Office, batch: str) -> list[Parcel]:
    """The copies of a batch, in the order of the batch, each with its PDF; the same bytes whenever they are made.

    One that was canceled since, or has been posted, is not among them. Raises BadInput where there is no such batch.
    """
    with office.store.begin() as work:
        copies = work.copies(batch=batch)
        secret = work.secret("access-code")
        if not copies:
            raise BadInput(f"There is no print batch '{batch}'; dispatch --print-batch makes one.")
        letters = {number: work.letter(number) for number in {copy.letter for copy in copies}}
        books = {number: office.packs.of(work.case(letter.case)) for number, letter in letters.items()}
    made = [parcel_of(replace(office, with_pdf=True), books[copy.letter], letters[copy.letter], copy, secret) for copy in copies if copy.status == "queued"]
    with office.store.begin() as work:
        for parcel in made:
            assert parcel.pdf is not None
            work.copy_changed(replace(parcel.copy, content=sha256(parcel.pdf).hexdigest()))
    return made
