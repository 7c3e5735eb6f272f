"""The mail drop: each copy once, whole or not at all, with a proof that anybody can check."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from caseflow.adapters.mail import MailDrop, NoMail
from caseflow.domain.mailing import Copy
from caseflow.errors import CaseflowError
from caseflow.services.ports.letters import RegisteredLetter
from caseflow.services.ports.mail import Parcel

AT = datetime(2027, 1, 4, 16, tzinfo=UTC)
ANN = Copy("WD-1-L1-1", "WD-1-L1", "WD-1", 1, "x", "to", "requester", "Ann", "k1", "post", "1 Road", None, "owed")
BO = Copy("WD-1-L1-2", "WD-1-L1", "WD-1", 1, "x", "copy", "third-party", "Bo", "k2", "email", "bo@example.org", None, "owed")
LETTER = RegisteredLetter(
    "WD-1-L1", "WD-1", 1, "x", "T", "S", "owed", "Hello *you*\n", {}, "0" * 64, "0" * 64, "h", date(2027, 1, 4), AT, None, (), (), (ANN, BO)
)


def parcel(copy: Copy, text: str, html: str) -> Parcel:
    return Parcel(LETTER, copy, LETTER.markdown, text, html, None, AT)


def test_a_copy_is_written_in_three_forms_and_its_proof_holds(tmp_path: Path) -> None:
    proof = MailDrop(tmp_path / "new" / "mail").hand_over(parcel(ANN, "Hello you\n", "<p>Hello</p>")).proof
    name, _, digest = proof.partition(" sha256:")
    written = tmp_path / "new" / "mail" / name

    assert written.name.startswith("WD-1-L1-requester-")
    assert sha256(written.read_bytes()).hexdigest() == digest
    assert written.read_text() == "To: Ann\nBy: post\n1 Road\n\nHello you\n"
    assert written.with_suffix(".md").read_text() == "Hello *you*\n"
    assert written.with_suffix(".html").read_text() == "<p>Hello</p>"


def test_the_same_copy_handed_over_twice_leaves_one_and_nothing_half_written(tmp_path: Path) -> None:
    drop = MailDrop(tmp_path)
    first = drop.hand_over(parcel(ANN, "Hello\n", "<p>")).proof

    assert drop.hand_over(parcel(ANN, "Hello\n", "<p>")).proof == first
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".html", ".md", ".txt"]


def test_two_recipients_of_a_letter_get_two_copies(tmp_path: Path) -> None:
    drop = MailDrop(tmp_path)

    assert drop.hand_over(parcel(ANN, "a", "b")).proof != drop.hand_over(parcel(BO, "a", "b")).proof
    assert len(list(tmp_path.glob("*.txt"))) == 2


def test_a_role_can_not_name_a_file_elsewhere(tmp_path: Path) -> None:
    MailDrop(tmp_path / "mail").hand_over(parcel(replace(ANN, role="../../x"), "a", "b"))

    assert [path.name for path in tmp_path.iterdir()] == ["mail"]


def test_a_folder_that_can_not_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    place = tmp_path / "mail"
    place.write_text("a file where the folder should be")

    with pytest.raises(CaseflowError, match="can't be written") as caught:
        MailDrop(place).hand_over(parcel(ANN, "a", "b"))
    assert "\n" not in str(caught.value)


def test_a_write_that_fails_leaves_the_former_copy_and_no_rest(tmp_path: Path) -> None:
    drop = MailDrop(tmp_path)
    name = drop.hand_over(parcel(ANN, "a", "b")).proof.split()[0]
    html = (tmp_path / name).with_suffix(".html")
    html.unlink()
    html.mkdir()

    with pytest.raises(CaseflowError):
        drop.hand_over(parcel(ANN, "changed", "b"))
    assert (tmp_path / name).read_text().endswith("\na")
    assert not list(tmp_path.glob(".*"))


def test_a_rehearsal_sends_nothing_and_says_so() -> None:
    assert NoMail().hand_over(parcel(ANN, "a", "b")).proof.startswith("rehearsed WD-1-L1")
