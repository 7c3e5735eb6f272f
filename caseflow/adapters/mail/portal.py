"""The status page as a way out: a letter is there as soon as its copy counts as handed over, and a notice by e-mail says so.

The register is what the page reads, so nothing is written here but the notice. A letter whose notice can't leave waits as an
e-mail would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from caseflow.domain.mailing import Copy
from caseflow.services.ports.mail import Handed, Mail, Parcel

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter


class Portal:
    """Implements ports.Mail. `notices` is the way by which notices leave."""

    channels: Sequence[str] = ("portal",)

    def __init__(self, notices: Mail) -> None:
        self._notices = notices

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """The name of the notice."""
        return self._notices.message_id(letter, copy)

    def digest(self, parcel: Parcel) -> str:
        """The SHA-256 of the letter's words and of the notice."""
        return sha256(parcel.markdown.encode() + self._notices.digest(_notice(parcel)).encode()).hexdigest()

    def hand_over(self, parcel: Parcel) -> Handed:
        """Sends the notice; with it the letter is on the page. Raises as the way of the notice does."""
        handed, content = self._notices.hand_over(_notice(parcel)), self.digest(parcel)
        return Handed(f"on the status page sha256:{content}; notice {handed.proof}", content)


def _notice(parcel: Parcel) -> Parcel:
    """What the person is told: that a letter is there and how to open it, and no word of it."""
    lines = [
        f"A letter of {parcel.sender or 'the agency'} to you is on the status page of your request.",
        f"Letter: {parcel.letter.number}, {parcel.letter.title}",
        f"Number of your request: {parcel.letter.case}",
        *([f"Code: {parcel.code}"] if parcel.code else ()),
        "Open the status page with the number and the code. Nobody else should have the code.",
    ]
    text = "\n\n".join(lines) + "\n"
    title = escape(f"A letter on your status page, {parcel.letter.case}")
    body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    html = f'<!doctype html><html lang="en-US"><head><meta charset="utf-8"><title>{title}</title></head><body>{body}</body></html>'
    letter = replace(parcel.letter, subject=f"A letter is on your status page, {parcel.letter.case}")
    return replace(parcel, letter=letter, markdown=text, text=text, html=html, pdf=None)
