"""The mail drop: each copy as files in a folder, once, with its hash as proof; and the way out of a rehearsal."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from caseflow.domain.mailing import CHANNELS, Copy
from caseflow.errors import NotNow
from caseflow.services.ports.mail import Handed, Parcel

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter


class MailDrop:
    """Writes each copy as Markdown, HTML, text and, where it is made, PDF. The same copy handed over twice leaves one.

    `flushed`: a copy counts as handed over once it is on the disk; only what is written to be looked at does without.
    """

    channels: Sequence[str] = CHANNELS

    def __init__(self, folder: Path, flushed: bool = True) -> None:
        self._folder = folder
        self._flushed = flushed

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """A file has no Message-ID."""
        return ""

    def digest(self, parcel: Parcel) -> str:
        """The SHA-256 of the text form, which names the recipient."""
        return sha256(_sheet(parcel)).hexdigest()

    def hand_over(self, parcel: Parcel) -> Handed:
        """Hands one copy over; the proof names its file and hash. Raises NotNow."""
        copy, sheet = parcel.copy, _sheet(parcel)
        role = "".join(char for char in copy.role if char.isalnum() or char == "-")
        place = sha256(f"{copy.name}\0{copy.address}".encode()).hexdigest()[:8]
        name = f"{parcel.letter.number}-{role}-{place}"
        forms = [("md", parcel.markdown.encode()), ("html", parcel.html.encode()), ("txt", sheet)]
        if parcel.pdf is not None:
            forms.append(("pdf", parcel.pdf))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for form, data in forms:
                _write(self._folder / f"{name}.{form}", data, self._flushed)
        except OSError as error:
            raise NotNow(f"The mail drop {self._folder} can't be written ({error.strerror or error}); the letter stays in the outbox.") from None
        digest = sha256(sheet).hexdigest()
        return Handed(f"{name}.txt sha256:{digest}", digest)


def _sheet(parcel: Parcel) -> bytes:
    copy = parcel.copy
    return f"To: {copy.name}\nBy: {copy.channel}\n{copy.address}\n\n{parcel.text}".encode()


def _write(path: Path, data: bytes, flushed: bool = True) -> None:
    """Whole or not at all: a file of its own, flushed to disk, then renamed."""
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if flushed:
                file.flush()
                os.fsync(file.fileno())
        Path(part).replace(path)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise


class NoMail:
    """Takes letters in a rehearsal: nothing leaves, and the proof says so."""

    channels: Sequence[str] = CHANNELS

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """None in a rehearsal."""
        return ""

    def digest(self, parcel: Parcel) -> str:
        """The SHA-256 of the text."""
        return sha256(parcel.text.encode()).hexdigest()

    def hand_over(self, parcel: Parcel) -> Handed:
        """Nothing leaves."""
        digest = self.digest(parcel)
        return Handed(f"rehearsed {parcel.letter.number} sha256:{digest}", digest)
