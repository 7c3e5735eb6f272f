"""Odd words on the command line: who acts, the moment, and files that are none, are endless or have no possible name."""

from __future__ import annotations

import errno
import json
import os
from datetime import date, datetime
from pathlib import Path

import pytest

from caseflow.adapters.archive import read_archive
from caseflow.adapters.docketfile.files import DocketFile
from caseflow.bootstrap import joining
from caseflow.bootstrap.joining import actor_of, text_of_file
from caseflow.cli.door import leave
from caseflow.domain.facts import fit, reason_of
from caseflow.domain.findings import finding_faults
from caseflow.domain.pack import Fact, Rule
from caseflow.errors import BadInput
from caseflow.services.office import parse_moment


@pytest.mark.parametrize("text", ["ann\nbo:supervisor", "\u202eann:supervisor", "a\x1b[2Jb", "x" * 300 + ":staff"])
def test_who_acts_is_named_in_signs_that_can_be_seen_and_of_a_length_that_is_read(text: str) -> None:
    with pytest.raises(BadInput, match="--as names a user in up to 120"):
        actor_of(text)
    assert actor_of("José Vang:supervisor").id == "José Vang"


@pytest.mark.parametrize("text", ["\u200b", " \ufeff\u2060", "\u3164", "\u2800 ", "\u0301"])
def test_a_reason_that_nobody_can_see_is_none(text: str) -> None:
    with pytest.raises(BadInput, match="Say why you leave the entry out"):
        reason_of(text, "leave the entry out")
    assert fit("note", Fact(type="text"), text) == "", "and it states no fact"
    assert [fault for fault in finding_faults({"R": Rule.model_construct()}, {"R": {"met": True, "because": text}}) if "gives no reason" in fault]


@pytest.mark.parametrize("text", ["é", "because", "否", "\u200bno\u200d", "§ 4"])
def test_a_reason_in_any_script_is_one(text: str) -> None:
    assert reason_of(text, "leave the entry out") == text


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31T23:59", "1949-12-31", "2151-01-01", date(1, 1, 1), datetime(9999, 12, 31, 23, 59)])
def test_a_moment_beyond_the_calendar_is_refused_in_a_sentence(text: object) -> None:
    with pytest.raises(BadInput, match="beyond the calendar, which covers 1950 to 2150"):
        parse_moment(text, "--at")


def test_a_name_that_no_file_can_have_is_bad_input_and_a_full_disk_is_not(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(os, "dup2", lambda *_: None)

    def fails(number: int) -> None:
        raise OSError(number, os.strerror(number), "x" * 300)

    assert leave(lambda: fails(errno.ENAMETOOLONG), False) == 2
    assert leave(lambda: fails(errno.ENOSPC), False) == 3
    assert "can't be read or written: File name too long" in capfd.readouterr().err
    assert [leave(lambda: fails(errno.ENOSPC), True), leave(lambda: fails(errno.ENAMETOOLONG), True)] == [3, 2]
    told = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [one["error"] for one in told] == ["store-failed", "bad-input"] and told[0]["text"].endswith("No space left on device")


def test_a_text_without_an_end_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="/dev/zero has more than 16 MiB"):
        text_of_file("/dev/zero")
    monkeypatch.setattr(joining, "LARGEST_TEXT", 8)
    (tmp_path / "text").write_bytes(b"a\r\nbcdef")
    assert text_of_file(str(tmp_path / "text")) == "a\nbcdef"


@pytest.mark.parametrize("name", ["/dev/zero", "pipe", "x" * 5000])
def test_a_backup_or_a_docket_that_is_no_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match="is no file|can't be read"):
        read_archive(tmp_path / name, tmp_path / "new.db", {})
    with pytest.raises(BadInput, match="is no file|can't be read"):
        DocketFile(tmp_path / name)
    assert not (tmp_path / "new.db").exists()
