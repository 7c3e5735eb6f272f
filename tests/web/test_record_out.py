"""The record handed out on the site: what is withheld is chosen by its value, and what somebody brings back is checked in words."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.web.conftest import SCRIPT, House, token, words

AT = "2026-12-11T09:00"
GROUND = "s. 19.36 (3), Stats."


@pytest.fixture
def held(house: House) -> str:
    """A case that was on hold for eight days."""
    case = house.file()
    house.act(case, "request-information", "2026-12-02T09:00", items=["NAV-e"])
    house.act(case, "accept-information", "2026-12-10T09:00")
    return case


def taken(client: TestClient, case: str, **fields: str) -> Any:
    """The answer to the form that hands a record out."""
    return client.post(f"/cases/{case}/record", data={"form_token": token(client.get(f"/cases/{case}/record").text), **fields})


def brought(client: TestClient, data: bytes, name: str = "record.zip") -> Any:
    """The answer to the form that takes an archive."""
    form = {"form_token": token(client.get("/records/check").text)}
    return client.post("/records/check", data=form, files={"file": (name, io.BytesIO(data), "application/zip")})


def changed(data: bytes, **files: bytes | None) -> bytes:
    """An archive with some files put otherwise or left out."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            content = files.get(name.rpartition("/")[2].partition(".")[0], old.read(name))
            if content is not None:
                new.writestr(name, content)
    return made.getvalue()


def test_the_form_shows_each_fact_with_its_value_and_the_entries_that_state_it(house: House, held: str) -> None:
    page = words(house.client("ada", AT).get(f"/cases/{held}/record").text)

    assert "3 entries, every hash and every date computed anew just now: the record holds." in page
    assert "Ann Larsen" in page
    assert "NAV-e entry 2" in page


def test_a_record_is_one_archive_the_same_bytes_twice_and_a_stranger_checks_it(house: House, held: str, tmp_path: Path) -> None:
    client = house.client("ada", AT)
    first, again = taken(client, held), taken(client, held)

    assert first.status_code == 200
    assert first.headers["content-disposition"].startswith(f'attachment; filename="record-{held}.zip"')
    assert first.content == again.content
    with zipfile.ZipFile(io.BytesIO(first.content)) as archive:
        archive.extractall(tmp_path)
    made = subprocess.run([sys.executable, "-I", "-S", str(tmp_path / f"record-{held}" / "verify.py")], capture_output=True, text=True, timeout=60, check=False)
    assert made.stdout.startswith(f"SOUND: case {held}, 3 entries"), made.stdout + made.stderr


def test_what_is_ticked_is_nowhere_in_the_archive_and_its_ground_is(house: House, held: str) -> None:
    data = taken(house.client("odell", AT), held, **{"w.parties": "yes", "w.place": "yes", "w.items": "yes", "ground": GROUND, "g.items": "s. 23.45"}).content

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist() if "/rules/" not in name).decode("utf-8", "replace")
    assert not [secret for secret in ("Ann Larsen", "Sample Falls", "Mill Creek") if secret in everything], "no page names it either"
    assert GROUND in everything
    assert "s. 23.45" in everything
    answer = brought(house.client("ada", AT), data)
    assert f"This archive is the record of case {held} as it was handed out." in words(answer.text)
    assert "Handed out 9:00 am, Fri, Dec 11" in words(answer.text)


def test_a_fact_that_is_ticked_without_a_ground_is_asked_for_and_what_was_written_stays(house: House, held: str) -> None:
    answer = taken(house.client("odell", AT), held, **{"w.parties": "yes", "g.items": SCRIPT})

    assert answer.status_code == 422
    assert "Say on which ground each ticked fact is withheld." in words(answer.text)
    assert SCRIPT not in answer.text
    assert "checked" in answer.text


@pytest.mark.parametrize("who", ["wren", "max"])
def test_who_does_not_oversee_gets_no_record(house: House, held: str, who: str) -> None:
    client = house.client(who, AT)
    form = {"form_token": token(client.get("/me").text)}

    for answer in (client.get(f"/cases/{held}/record"), client.post(f"/cases/{held}/record", data=form), client.get("/records/check")):
        assert answer.status_code == 403


def test_that_a_record_was_taken_stands_in_the_audit_of_reads(house: House, held: str) -> None:
    client = house.client("ada", AT)
    taken(client, held, **{"w.parties": "yes", "ground": GROUND})
    client.app._site.desk.reads.flush()  # type: ignore[attr-defined]

    noted = [(one.account, one.what) for _, one in house.app(AT).store.accounts.readings(case=held)]
    assert noted[0] == ("ada", "record handed out, without 1 fact")


def test_the_record_of_a_case_is_checked_in_words(house: House, held: str) -> None:
    client = house.client("ada", AT)
    assert f"The record of {held} holds." in words(client.get(f"/records/check?case={held}").text)
    assert "There is no case WD-2026-99999-1" in words(client.get("/records/check?case=WD-2026-99999-1").text)


def test_an_archive_that_was_changed_is_told_in_words(house: House, held: str) -> None:
    client = house.client("ada", AT)
    data = taken(client, held).content
    house.act(held, "add-note", "2026-12-11T08:30", note="later")

    assert "1 entry came since" in words(brought(client, data).text)
    answer = words(brought(client, changed(data, index=b"<p>other</p>")).text)
    assert "This archive is not the record as it was handed out." in answer
    assert "index.html: the file was changed." in answer
    for broken in (b"", b"PK", data[:-200], changed(data, checkpoint=None), changed(data, journal=b"[]")):
        answer = brought(client, broken)
        assert answer.status_code == 422 or "not the record" in words(answer.text)


@pytest.mark.parametrize("moment", ["", "noon", "2026-99-01", 7, None])
def test_an_archive_that_names_no_moment_is_told_like_any_other_change(house: House, held: str, moment: object) -> None:
    client = house.client("ada", AT)
    data = taken(client, held).content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        named = json.loads(next(archive.read(name) for name in archive.namelist() if name.endswith("/checkpoint.json")))

    answer = brought(client, changed(data, checkpoint=json.dumps({**named, "made_at": moment}).encode()))

    assert answer.status_code == 200 and "not the record as it was handed out" in words(answer.text)
    assert "it names no moment" in words(answer.text)


def test_an_archive_of_another_agency_is_whole_but_not_ours(house: House, held: str) -> None:
    data = taken(house.client("ada", AT), held).content
    (house.folder / "case.db.signing-key").unlink()

    assert "it was not signed by this agency" in words(brought(house.client("ada", AT), data).text)


def test_an_archive_that_reaches_out_of_itself_is_not_opened(house: House) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("../checkpoint.json", "{}")

    answer = brought(house.client("ada", AT), made.getvalue())
    assert "a place outside of itself" in words(answer.text)
    assert not (house.folder.parent / "checkpoint.json").exists()
