"""Where letters leave. Until other channels exist each copy goes into a mail-drop folder, once, with its hash as proof."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from caseflow.errors import CaseflowError
from caseflow.services.ports import RegisteredLetter


class MailDrop:
    """Writes each copy as Markdown, HTML and text. The same copy handed over twice leaves one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def hand_over(self, letter: RegisteredLetter, recipient: Mapping[str, Any], text: str, html: str, at: datetime) -> str:
        """Hands one copy over; the answer names its file and hash. Raises CaseflowError."""
        role = "".join(char for char in str(recipient["role"]) if char.isalnum() or char == "-")
        place = sha256(f"{recipient['name']}\0{recipient['address']}".encode()).hexdigest()[:8]
        name = f"{letter.number}-{role}-{place}"
        copy = f"To: {recipient['name']}\nBy: {recipient['channel']}\n{recipient['address']}\n\n{text}".encode()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for form, data in (("md", letter.markdown.encode()), ("html", html.encode()), ("txt", copy)):
                _write(self._folder / f"{name}.{form}", data)
        except OSError as error:
            raise CaseflowError(f"The mail drop {self._folder} can't be written ({error.strerror or error}); the letter stays in the outbox.") from None
        return f"{name}.txt sha256:{sha256(copy).hexdigest()}"


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: a file of its own, flushed to disk, then renamed."""
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(path)
    except OSError:
        Path(part).unlink(missing_ok=True)
        raise


class NoMail:
    """Takes letters in a rehearsal: nothing leaves, and the proof says so."""

    def hand_over(self, letter: RegisteredLetter, recipient: Mapping[str, Any], text: str, html: str, at: datetime) -> str:
        """Nothing leaves."""
        return f"rehearsed {letter.number} sha256:{sha256(text.encode()).hexdigest()}"
