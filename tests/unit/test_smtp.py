"""E-mail: one message, one recipient, the same bytes every time; what a stranger wrote into a name or address goes nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from email import message_from_bytes
from email.policy import SMTP
from typing import Any

import pytest

from caseflow.adapters.mail.smtp import Smtp, SmtpSettings
from caseflow.domain.addresses import read_email, read_line
from caseflow.domain.facts import Misfit
from caseflow.domain.mailing import Copy
from caseflow.errors import AnswerUnknown, BadInput, MailFault, NotNow, NotTaken, WayDown
from caseflow.services.ports.letters import RegisteredLetter
from caseflow.services.ports.mail import Parcel
from tests.faults.sink import Sink, free_port, running

AT = datetime(2027, 1, 4, 16, tzinfo=UTC)
ANN = Copy(
    "WD-1-L1-1", "WD-1-L1", "WD-1", 1, "x", "to", "requester", "Ann Lee", "k1", "email", "ann@example.org", None, "owed", message_id="<WD-1-L1-1.0@example.gov>"
)
LETTER = RegisteredLetter(
    "WD-1-L1", "WD-1", 1, "x", "T", "A subject", "owed", "Hello\n", {}, "0" * 64, "0" * 64, "h", date(2027, 1, 4), AT, None, (), (), (ANN,)
)
HOSTILE_NAMES = [
    "Ann\r\nBcc: eve@example.org",
    "Ann\nSubject: Other",
    'Ann" <eve@example.org>, "Bo',
    "Ann\u202egro.elpmaxe@eve",
    "Ann\x00\u200b",
    "Ann, eve@example.org",
    "x" * 5000,
]
HOSTILE_ADDRESSES = [
    "ann@example.org,eve@example.org",
    "ann@example.org;eve@example.org",
    "ann@example.org eve@example.org",
    "ann@example.org\r\nBcc: eve@example.org",
    "Ann <ann@example.org>",
    "mailto:ann@example.org",
    "https://example.org/?a=ann@example.org",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "ann@ex\u0430mple.org",
    "ann@example.org\u200b",
    "ann@@example.org",
    "@example.org",
    "ann@",
    "ann@localhost",
    "ann@-example.org",
    "ann@[127.0.0.1]",
    "",
]


def smtp(port: int = 25, **more: Any) -> Smtp:
    return Smtp(SmtpSettings("127.0.0.1", "letters@example.gov", port, "none", **more))


def parcel(copy: Copy = ANN, letter: RegisteredLetter = LETTER, pdf: bytes | None = b"%PDF-1.7 x") -> Parcel:
    return Parcel(letter, copy, letter.markdown, "Hello\n.\n.dots\n", "<p>Hello</p>\n", pdf, AT, "The Agency, Unit")


def offered(sink: Sink, what: Parcel) -> str:
    with running(sink) as port:
        return smtp(port, timeout=2.0).hand_over(what).proof


def test_a_message_has_text_html_and_the_pdf_and_the_name_of_its_copy() -> None:
    sink = Sink()
    proof = offered(sink, parcel())
    read = message_from_bytes(sink.taken[0].data, policy=SMTP)

    assert [part.get_content_type() for part in read.walk() if not part.is_multipart()] == ["text/plain", "text/html", "application/pdf"]
    assert read.get_body(("plain",)).get_content().splitlines() == ["Hello", ".", ".dots"]  # type: ignore[union-attr]
    assert (read["Message-ID"], read["Date"], read["Subject"]) == ("<WD-1-L1-1.0@example.gov>", "Mon, 04 Jan 2027 16:00:00 +0000", "A subject")
    assert read["From"].addresses[0].display_name == "The Agency, Unit"
    assert sink.taken[0].to == ("ann@example.org",)
    assert proof.startswith("<WD-1-L1-1.0@example.gov> accepted by 127.0.0.1: 250 ")
    assert proof.endswith(smtp().digest(parcel()))


def test_the_same_copy_is_the_same_bytes_every_time() -> None:
    assert {smtp()._bytes(parcel()) for _ in range(3)} == {smtp()._bytes(parcel())}
    assert smtp().message_id(LETTER, ANN) == smtp(587).message_id(LETTER, replace(ANN, attempts=3)) == "<WD-1-L1-1.000000000000@example.gov>"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_can_not_become_a_header_or_a_second_recipient(name: str) -> None:
    sink = Sink()
    offered(sink, parcel(replace(ANN, name=name)))
    read = message_from_bytes(sink.taken[0].data, policy=SMTP)

    assert sink.taken[0].to == ("ann@example.org",)
    assert [address.addr_spec for address in read["To"].addresses] == ["ann@example.org"]
    assert {key.lower() for key in read} <= {"from", "to", "subject", "date", "message-id", "auto-submitted", "x-letter", "mime-version", "content-type"}
    assert read["Subject"] == "A subject"
    assert not any(char in str(read["To"]) for char in "\u202e\u200b\x00")


@pytest.mark.parametrize("subject", ["Hello\r\nBcc: eve@example.org", "Hello\nX-Evil: 1", "\u202eolleh"])
def test_a_subject_can_not_become_a_header(subject: str) -> None:
    read = message_from_bytes(smtp()._bytes(parcel(letter=replace(LETTER, subject=subject))), policy=SMTP)

    assert "Bcc" not in read
    assert "X-Evil" not in read
    assert "\u202e" not in read["Subject"]


@pytest.mark.parametrize("address", HOSTILE_ADDRESSES)
def test_an_address_that_is_not_one_address_is_refused_and_nothing_is_sent(address: str) -> None:
    sink = Sink()
    with running(sink) as port, pytest.raises((NotTaken, Misfit)):
        smtp(port).digest(parcel(replace(ANN, address=address)))
    with pytest.raises(Misfit):
        read_email(address)
    assert not sink.offered


@pytest.mark.parametrize("address", ["ann@example.org", "ann.lee+permits@mail.example.co.uk", "a_b-c@xn--bcher-kva.example"])
def test_a_plain_address_is_taken_as_it_is(address: str) -> None:
    assert read_email(address) == address


@pytest.mark.parametrize("line", ["Ann\nLee", "Ann\u202eeeL", "Ann\u200b", "Ann\x07", "x" * 300])
def test_a_line_of_a_list_shows_all_that_it_holds(line: str) -> None:
    with pytest.raises(Misfit):
        read_line(line)


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [("later", NotNow, "451"), ("refuse", NotTaken, "550"), ("drop", AnswerUnknown, "dropped"), ("slow", AnswerUnknown, "dropped")],
)
def test_what_the_server_answers_decides(mode: str, kind: type[MailFault], words: str) -> None:
    sink = Sink(lambda *_: mode, pause=1.0)
    with running(sink) as port, pytest.raises(kind, match=words):
        smtp(port, timeout=0.3).hand_over(parcel())


def test_a_server_that_is_down_is_asked_again_later() -> None:
    with pytest.raises(WayDown, match="can't be reached"):
        smtp(free_port()).hand_over(parcel())


def test_a_server_without_tls_gets_nothing_where_tls_is_asked() -> None:
    sink = Sink()
    with running(sink) as port, pytest.raises(NotNow, match="STARTTLS"):
        Smtp(SmtpSettings("127.0.0.1", "letters@example.gov", port)).hand_over(parcel())
    assert not sink.offered


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Smtp(SmtpSettings("h", "letters@example.gov", tls="ssl")), "smtp_tls"),
        (lambda: Smtp(SmtpSettings("h", "Letters <letters@example.gov>")), "smtp_from"),
        (lambda: Smtp(SmtpSettings("h", "letters@example.gov", timeout=600)), "smtp_timeout"),
    ],
)
def test_settings_that_can_not_be_used_are_said(make: Callable[[], Smtp], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make()


def test_the_password_is_never_shown() -> None:
    assert "secret" not in repr(SmtpSettings("h", "letters@example.gov", user="u", password="secret")) + str(SmtpSettings("h", "a@b.org", password="secret"))
