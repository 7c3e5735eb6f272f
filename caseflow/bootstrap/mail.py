"""Letters as the doors ask for them: the register, words, evidence, dispatch and print batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from caseflow.adapters.plainfile import refuse_no_folder, write_whole
from caseflow.bootstrap.cases import Cases
from caseflow.bootstrap.joining import actor_of
from caseflow.domain.mailing import UNSHOWN
from caseflow.errors import BadInput
from caseflow.services.letterlines import copy_line, letter_line
from caseflow.services.office import Progress, parse_day, quiet


class Mail(Cases):
    """The part of App about letters."""

    def letters(self, case: str | None, status: str | None) -> list[dict[str, Any]]:
        self.open(writes=False)
        with self.store.read() as work:
            found = work.letters(case, (status,) if status else ())
        return [letter_line(letter, self._zone()) for letter in found]

    def letter(self, number: str) -> dict[str, Any]:
        self.open(writes=False)
        with self.store.read() as work:
            letter, attempts = work.letter(number), work.attempts(number)
        writer, zone = self.office.letters, self._zone()
        words = writer.for_copy(letter.markdown, UNSHOWN)
        forms = {"markdown": letter.markdown, "text": writer.text(words), "html": writer.html(words, letter.subject)}
        proof = {"template_hash": letter.template_hash, "content_hash": letter.content_hash, "pack_version": letter.pack_version}
        made = {
            "copies": [copy_line(copy, attempts, zone) for copy in letter.copies],
            "edits": list(letter.edits),
            "places": dict(writer.places(letter.markdown)),
        }
        return {**letter_line(letter, zone), **proof, **made, "data": letter.view, **forms}

    def letter_pdf(self, number: str, path: str) -> dict[str, Any]:
        """Writes a letter of the register as PDF."""
        self.open(writes=False)
        with self.store.read() as work:
            letter = work.letter(number)
        if letter.status == "blocked":
            raise BadInput(f"The letter {number} is blocked, since it lacks {', '.join(letter.missing) or 'something'}; there is nothing to make a PDF of.")
        data = self.office.letters.pdf(letter)
        write_whole(path, data)
        return {"number": number, "file": path, "bytes": len(data), "sha256": sha256(data).hexdigest()}

    def letter_part(self, markdown: str) -> str:
        """The text of a letter as part of a page."""
        return self.office.letters.part(markdown)

    def preview(self, case: str, letter: str, action: str | None, facts: Mapping[str, Any]) -> dict[str, Any]:
        from caseflow.services.trying import preview

        self.open(writes=False)
        return preview(self.office, case, letter, action, facts, self.now())

    def approve(self, number: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import approve

        self.open()
        approve(self.office, number, actor_of(actor or "supervisor:supervisor"), self.now())
        return self.letter(number)

    def edit_letter(self, number: str, place: str, text: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import edit

        self.open()
        edit(self.office, number, place, text, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def retry_letter(self, number: str, facts: Mapping[str, Any], actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import retry

        self.open()
        retry(self.office, number, facts, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def correct_letter(self, number: str, because: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import correct

        self.open()
        return self.letter(correct(self.office, number, because, actor_of(actor or "staff:staff"), self.now()))

    def letter_event(self, number: str, event: Any, copy: str | None, because: str | None, on: str | None, actor: str | None) -> dict[str, Any]:
        from caseflow.services.evidence import record

        self.open()
        day = parse_day(on, "--on") if on is not None else None
        record(self.office, number, event, copy, because, day, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def resend_letter(self, number: str, copy: str | None, channel: str, address: Sequence[str], actor: str | None) -> dict[str, Any]:
        from caseflow.services.evidence import resend

        self.open()
        resend(self.office, number, copy, channel, address, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def dispatch(self, at_once: bool, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.services.dispatching import dispatch

        self.open()
        return asdict(dispatch(self.office, self.now(), progress, at_once))

    def print_batch(self, folder: str, again: str | None, at_once: bool) -> dict[str, Any]:
        from caseflow.adapters.mail.batch import write_batch
        from caseflow.services.printing import begin, sheets

        refuse_no_folder(folder)  # before a batch is begun
        self.open()
        batch = again or begin(self.office, self.now(), at_once)
        if batch is None:
            return {"batch": None, "copies": 0, "files": []}
        return write_batch(Path(folder), batch, sheets(self.office, batch), self.office.letters.pdf)

    def posted(self, batch: str, on: str | None, actor: str | None) -> dict[str, Any]:
        from caseflow.services.evidence import posted

        self.open()
        day = parse_day(on, "--on") if on is not None else None
        return {"batch": batch, "posted": posted(self.office, batch, day, actor_of(actor or "staff:staff"), self.now())}
