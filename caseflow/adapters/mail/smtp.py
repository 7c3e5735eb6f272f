"""E-mail by SMTP: text and HTML as alternatives, the PDF attached; the same bytes and Message-ID at every attempt.

What the server answers decides: 4xx and no connection wait (NotNow), 5xx never goes (NotTaken), and a line that drops
once the message was begun leaves it unknown (AnswerUnknown). Each copy has a connection of its own: a server that
repeats an answer can then mislead nobody about the next copy.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from caseflow.domain.addresses import read_email, visible
from caseflow.domain.facts import Misfit
from caseflow.domain.mailing import Copy, message_id
from caseflow.errors import AnswerUnknown, BadInput, NotNow, NotTaken, WayDown
from caseflow.services.ports.mail import Handed, Parcel

if TYPE_CHECKING:
    from caseflow.services.ports.letters import RegisteredLetter

TLS = ("starttls", "tls", "none")


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """Where the mail server is. `user` and `password` come from the environment alone and are never shown."""

    host: str
    sender: str
    port: int = 587
    tls: str = "starttls"
    timeout: float = 30.0
    user: str | None = None
    password: str | None = None

    def __repr__(self) -> str:
        return f"SmtpSettings({self.host}:{self.port}, {self.tls})"


class Smtp:
    """Implements ports.Mail for e-mail."""

    channels: Sequence[str] = ("email",)

    def __init__(self, settings: SmtpSettings) -> None:
        if settings.tls not in TLS:
            raise BadInput(f"smtp_tls is '{settings.tls}'; write one of {', '.join(TLS)}.")
        if not 0 < settings.timeout <= 60:
            raise BadInput("smtp_timeout must lie between 1 and 60 seconds, or a claim could run out while a copy is sent.")
        try:
            self._sender = read_email(settings.sender)
        except Misfit as misfit:
            raise BadInput(f"smtp_from: {misfit}.") from None
        self._settings = settings

    def message_id(self, letter: RegisteredLetter, copy: Copy) -> str:
        """Made of the number of the copy and the hash of the letter."""
        return message_id(copy, letter.content_hash, self._sender.partition("@")[2])

    def digest(self, parcel: Parcel) -> str:
        """The SHA-256 of the message."""
        return sha256(self._bytes(parcel)).hexdigest()

    def hand_over(self, parcel: Parcel) -> Handed:
        """One copy over one connection. Raises NotNow, NotTaken or AnswerUnknown."""
        data = self._bytes(parcel)
        answer = self._deliver(read_email(parcel.copy.address), data)
        digest = sha256(data).hexdigest()
        return Handed(f"{parcel.copy.message_id} accepted by {self._settings.host}: {answer} sha256:{digest}", digest)

    # --- the message ---

    def _bytes(self, parcel: Parcel) -> bytes:
        """The message, a pure function of the parcel: its date is that of the first attempt, its boundaries are hashes."""
        letter, copy = parcel.letter, parcel.copy
        try:
            to = Address(visible(copy.name).translate(_QUOTES)[:200], addr_spec=read_email(copy.address))
        except Misfit as misfit:
            raise NotTaken(f"{misfit}.") from None
        message = EmailMessage(policy=SMTP)
        message["From"] = Address(visible(parcel.sender).translate(_QUOTES), addr_spec=self._sender)
        message["To"] = to
        message["Subject"] = visible(letter.subject)[:400]
        message["Date"] = format_datetime(parcel.at.astimezone(UTC))
        message["Message-ID"] = copy.message_id
        message["Auto-Submitted"] = "auto-generated"
        message["X-Letter"] = copy.id
        message.set_content(parcel.text, cte="quoted-printable")
        message.add_alternative(parcel.html, subtype="html", cte="quoted-printable")
        if parcel.pdf is not None:
            message.add_attachment(parcel.pdf, maintype="application", subtype="pdf", filename=f"{letter.number}.pdf")
        for place, part in enumerate(message.walk()):
            if part.is_multipart():
                part.set_boundary(f"=_{sha256(f'{copy.message_id} {place}'.encode()).hexdigest()[:32]}")
        return message.as_bytes()

    # --- the conversation ---

    def _deliver(self, to: str, data: bytes) -> str:
        open_ = begun = False
        try:
            with self._open() as server:
                open_ = True
                _wants(server.mail(self._sender), (250,))
                _wants(server.rcpt(to), (250, 251))
                _wants(server.docmd("DATA"), (354,))
                begun = True
                server.send(_dotted(data))
                code, text = server.getreply()
                if not 200 <= code <= 599:
                    raise smtplib.SMTPServerDisconnected("no answer that can be read")
                begun = False
                _wants((code, text), (250,))
                return f"{code} {_words(text)}"
        except (smtplib.SMTPServerDisconnected, OSError) as error:
            if begun:
                raise AnswerUnknown(f"The line to {self._settings.host} dropped after the message was sent, before its answer.") from None
            if isinstance(error, smtplib.SMTPResponseException):  # at the greeting: it is not about this copy
                raise WayDown(f"The mail server {self._settings.host} takes nothing at present: {error.smtp_code} {_words(error.smtp_error)}.") from None
            raise (NotNow if open_ else WayDown)(f"The mail server {self._settings.host} can't be reached ({_why(error)}).") from None

    def _open(self) -> smtplib.SMTP:
        asked = self._settings
        if asked.tls == "tls":
            server: smtplib.SMTP = _Quiet(asked.host, asked.port, timeout=asked.timeout, context=ssl.create_default_context())
        else:
            server = _Plain(asked.host, asked.port, timeout=asked.timeout)
        try:
            server.ehlo_or_helo_if_needed()
            if asked.tls == "starttls":
                server.starttls(context=ssl.create_default_context())
                server.ehlo_or_helo_if_needed()
            if asked.user and asked.password:
                server.login(asked.user, asked.password)
        except smtplib.SMTPAuthenticationError:
            server.close()
            raise WayDown(f"The mail server {asked.host} does not take the user and password (CASEFLOW_SMTP_USER, CASEFLOW_SMTP_PASSWORD).") from None
        except smtplib.SMTPNotSupportedError as error:
            server.close()
            raise WayDown(f"The mail server {asked.host} lacks what is asked of it: {error}.") from None
        except BaseException:
            server.close()
            raise
        return server


class _Ends:
    """Leaves politely where it can; what happens at the end says nothing about a message that was taken."""

    def __exit__(self, *_: object) -> None:
        try:
            self.quit()  # type: ignore[attr-defined]
        except (smtplib.SMTPException, OSError):
            self.close()  # type: ignore[attr-defined]


class _Plain(_Ends, smtplib.SMTP):
    pass


class _Quiet(_Ends, smtplib.SMTP_SSL):
    pass


_QUOTES = str.maketrans({'"': "'", "\\": "/"})


def _dotted(data: bytes) -> bytes:
    """Lines that begin with a dot get another; a lone dot ends the message (RFC 5321, 4.5.2)."""
    lines = data.replace(b"\r\n.", b"\r\n..")
    return (b"." + lines if lines.startswith(b".") else lines) + (b".\r\n" if lines.endswith(b"\r\n") else b"\r\n.\r\n")


def _wants(answer: tuple[int, bytes], good: tuple[int, ...]) -> None:
    code, text = answer
    if code not in good:
        raise _refusal(code, text)


def _refusal(code: int, text: bytes | str) -> NotNow | NotTaken:
    """5xx is for good; everything else, an answer that can't be read included, is for now."""
    said = f"{code} {_words(text)}"
    return NotTaken(f"The mail server refused it: {said}.") if 500 <= code <= 599 else NotNow(f"The mail server asked to wait: {said}.")


def _words(text: bytes | str) -> str:
    return visible(text.decode("utf-8", "replace") if isinstance(text, bytes) else text)[:200]


def _why(error: BaseException) -> str:
    return visible(str(getattr(error, "strerror", None) or error or type(error).__name__))[:200]
