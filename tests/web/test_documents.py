"""Documents: what is taken and what is not, that names lead nowhere, that nothing is half done, and that what lies there is proven."""

from __future__ import annotations

import errno
import io
import os
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.documents import Folder
from caseflow.errors import StaleCase
from caseflow.services.applicants import Applicants
from caseflow.services.documents import Documents, Limits
from caseflow.services.filetypes import LONGEST_NAME, download_name, plain_name
from tests.web.conftest import House, token, words
from tests.web.visiting import ASK, NOW, PDF, PNG, add, held, send, visitor

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(30)
TIFF = b"II*\x00\x08\x00\x00\x00" + bytes(30)


def packed(*names: str, size: int = 10) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, b"x" * size)
    return made.getvalue()


DOCX, XLSX = packed("[Content_Types].xml", "word/document.xml"), packed("[Content_Types].xml", "xl/workbook.xml")


def lying(house: House) -> list[Path]:
    """Every file in the folder of documents."""
    return sorted(path for path in (house.folder / "documents").rglob("*") if path.is_file())


def on_record(house: House, case: str) -> list[Any]:
    return [one for one in house.app().timeline(case, "recorded", None) if one["action"].startswith("documents")]


def limited(house: House, **limits: int) -> Callable[..., Any]:
    """A browser on a site that takes less."""

    def client(who: str | None) -> Any:
        from starlette.testclient import TestClient

        from caseflow.web.app import create_app
        from caseflow.web.site import Site
        from tests.web.conftest import sign_in

        app = house.app(NOW)
        app.documents = Documents(app.office, Folder(house.folder / "documents"), Limits(**limits))
        app.applicants = Applicants(app.office, app.store, app.documents, house.clock)
        made = TestClient(create_app(Site(app, hosts=("testserver",), scheduler=False)), follow_redirects=False)
        if who is not None:
            sign_in(made, who)
        return made

    return client


# --- what is taken ---


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("plan.pdf", PDF, "application/pdf"),
        ("PHOTO.PNG", PNG, "image/png"),
        ("photo.jpeg", JPEG, "image/jpeg"),
        ("map.tif", TIFF, "image/tiff"),
        ("notes.txt", "Wasserstand: 3 m über dem Wehr\n".encode(), "text/plain; charset=utf-8"),
        ("stations.csv", b"\xef\xbb\xbfstation,elevation\n1,=2+3\n", "text/plain; charset=utf-8"),
        ("report.docx", DOCX, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ("sheet.xlsx", XLSX, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("no-ending", PDF, "application/pdf"),
    ],
)
def test_a_file_of_a_kind_that_is_taken_comes_back_byte_for_byte_as_a_download(house: House, name: str, content: bytes, kind: str) -> None:
    case = house.file()
    client = house.client("wren")
    assert add(client, case, (name, content)).status_code == 303
    answer = client.get(f"/documents/{case}-D1")
    assert answer.content == content and answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"].startswith("attachment; ") and answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'") and answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("page.png", b"<!DOCTYPE html><script>alert(1)</script>", "is no file of a kind"),
        ("page.txt", b"  \n<HTML><body onload=alert(1)>", "is no file of a kind"),
        ("drawing.svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "is no file of a kind"),
        ("data.txt", b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>', "is no file of a kind"),
        ("photo.png", b"only words", "does not hold what its name says: it is plain text"),
        ("plan.pdf", PNG, "does not hold what its name says: it is PNG picture"),
        ("run.exe", PDF, "does not hold what its name says: it is PDF"),
        ("photo.png.html", PNG, "does not hold what its name says"),
        ("run.exe", b"MZ\x90\x00" + bytes(100), "is no file of a kind"),
        ("run.sh", b"#!/bin/sh\nrm -rf /\n", "is no file of a kind"),
        ("words.txt", b"words\x00and more", "is no file of a kind"),
        ("words.txt", b"\xff\xfew\x00o\x00", "is no file of a kind"),
        ("escape.txt", b"\x1b]0;title\x07", "is no file of a kind"),
        ("empty.pdf", b"", "is empty"),
        ("archive.zip", packed("a.txt"), "is no file of a kind"),
        ("report.docx", DOCX[:-30], "is no file of a kind"),
        ("report.docx", b"PK\x03\x04" + bytes(200), "is no file of a kind"),
        ("macro.docx", packed("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"), "holds macros"),
        ("many.docx", packed("[Content_Types].xml", *(f"word/{n}" for n in range(5001))), "is no file of a kind"),
    ],
)
def test_what_is_not_taken_is_told_in_a_sentence_and_nothing_is_kept(house: House, name: str, content: bytes, said: str) -> None:
    case = house.file()
    answer = add(house.client("wren"), case, ("plan.pdf", PDF), (name, content))
    assert answer.status_code == 422 and said in words(answer.text) and "nothing was recorded" in words(answer.text) or said.startswith("does not")
    assert answer.status_code == 422 and said in words(answer.text)
    assert lying(house) == [] and on_record(house, case) == [] and house.app().documents.listed(case) == []


def test_what_would_be_huge_once_unpacked_is_refused_and_never_unpacked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = bytearray(packed("[Content_Types].xml", "word/document.xml"))
    place = bomb.rindex(b"PK\x01\x02")
    bomb[place + 24 : place + 28] = (0xFFFFFFF0).to_bytes(4, "little")  # what the list says that the part unpacks to
    monkeypatch.setattr(zipfile.ZipFile, "__init__", lambda *_: pytest.fail("it was opened"))
    answer = add(house.client("wren"), house.file(), ("bomb.docx", bytes(bomb)))
    assert answer.status_code == 422 and "far larger once it is opened" in words(answer.text)


def test_a_pdf_that_is_also_a_page_is_only_ever_a_pdf_to_be_saved(house: House) -> None:
    case, client = house.file(), house.client("wren")
    assert add(client, case, ("both.pdf", b"%PDF-1.7\n<html><script>alert(1)</script></html>" + packed("a"))).status_code == 303
    answer = client.get(f"/documents/{case}-D1")
    assert answer.headers["content-type"] == "application/pdf" and "attachment" in answer.headers["content-disposition"]
    assert "sandbox" in answer.headers["content-security-policy"]


# --- names ---


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ann\\plan.pdf", "plan.pdf"),
        ("/etc/shadow", "shadow"),
        ("a\x00b.pdf", "a b.pdf"),
        ("a\r\nX-Evil: 1.pdf", "a X-Evil: 1.pdf"),
        ("gnp.\u202efdp", "gnp. fdp"),
        ("\u2066a\u2069\u200b\u200f.pdf", "a .pdf"),
        ("..", "document"),
        ("", "document"),
        (None, "document"),
        ("e\u0301tude.pdf", "\u00e9tude.pdf"),
        ("\ud800.pdf", "pdf"),
        (".htaccess", "htaccess"),
    ],
)
def test_a_name_is_its_last_part_in_signs_that_are_seen(given: str | None, shown: str) -> None:
    assert plain_name(given) == shown


def test_a_long_name_is_cut_and_keeps_its_ending() -> None:
    cut = plain_name("x" * 5000 + ".pdf")
    assert len(cut) <= LONGEST_NAME and cut.endswith(".pdf")
    assert len(plain_name("x" * 5000)) <= LONGEST_NAME and download_name("plan", "application/pdf") == "plan.pdf"


@pytest.mark.parametrize("given", ["../../../evil.pdf", "..\\evil.pdf", "/tmp/evil.pdf", "x\x00.pdf", 'a"; filename="b.html', "ü\u202e.pdf", "a;b=c.pdf"])
def test_a_name_leads_to_no_file_and_ends_no_header(house: House, given: str) -> None:
    case, client = house.file(), house.client("wren")
    page = token(client.get(f"/cases/{case}/documents").text)
    raw = given.replace('"', "%22").encode()
    body = b'--b\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n' + page.encode()
    body += b'\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="' + raw + b'"\r\nContent-Type: text/html\r\n\r\n' + PDF + b"\r\n--b--\r\n"
    sent = client.post(f"/cases/{case}/documents", content=body, headers={"content-type": "multipart/form-data; boundary=b"})
    if sent.status_code == 422:  # the name says another kind
        assert lying(house) == []
        return
    assert sent.status_code == 303
    assert [path.relative_to(house.folder / "documents").parts[0].__len__() for path in lying(house)] == [2], "it lies under its hash alone"
    said = client.get(f"/documents/{case}-D1").headers["content-disposition"]
    assert said.count("filename=") == 1 and "\r" not in said and "\n" not in said and said.isascii() and "/" not in said.replace("UTF-8''", "")


def test_a_name_that_is_markup_or_a_formula_is_shown_as_text(house: House) -> None:
    case, client = house.file(), house.client("wren")
    add(client, case, ("<img src=x onerror=alert(1)>.pdf", PDF))
    for path in (f"/cases/{case}", f"/cases/{case}/documents", f"/cases/{case}/entries/{on_record(house, case)[0]['seq']}"):
        page = client.get(path).text
        assert "<img" not in page and "onerror" in page


# --- limits ---


def test_a_file_that_is_too_large_is_refused_and_nothing_is_half_done(house: House) -> None:
    case = held(house)
    client = limited(house, size=1000)("wren")
    answer = add(client, case, ("small.pdf", PDF), ("large.pdf", PDF + bytes(1000)))
    assert answer.status_code == 422 and "large.pdf is larger than" in words(answer.text) and lying(house) == [] and on_record(house, case) == []


def test_more_than_a_form_may_hold_is_refused_before_it_is_read(house: House) -> None:
    case = held(house)
    client = limited(house, size=1000)("wren")
    most = Limits(size=1000).together
    head = {"content-type": "multipart/form-data; boundary=b"}
    assert client.post(f"/cases/{case}/documents", content=b"x" * (most + 1), headers=head).status_code == 413
    assert client.post(f"/cases/{case}/documents", content=iter([b"x" * 100_000] * (most // 100_000 + 1)), headers=head).status_code in (400, 413)
    assert client.post(f"/cases/{case}/do/add-note", content=b"x" * 1_000_001, headers=head).status_code == 413, "no other form is larger for it"


def test_too_many_files_at_a_time_or_of_a_case_are_refused(house: House) -> None:
    case = held(house)
    staff = limited(house, many=2)("wren")
    three = [(f"{n}.pdf", PDF + bytes([65 + n])) for n in range(3)]
    assert "at most 2 go at a time" in words(add(staff, case, *three).text)
    assert add(house.client("wren"), case, *((f"{n}.pdf", PDF) for n in range(150))).status_code == 400
    from tests.web.visiting import code, open_page

    client = limited(house, of_case=2)(None)
    open_page(client, case, code(house, case))
    assert "more are not taken here" in words(send(client, *(("file", name, content) for name, content in three)).text)
    assert lying(house) == [] and on_record(house, case) == []


def test_a_form_without_a_file_says_so(house: House) -> None:
    case = held(house)
    assert "No file was chosen" in words(send(visitor(house, case), ("file", "", b"")).text)
    assert "No file was chosen" in words(add(house.client("wren"), case, ("", b"")).text)


@pytest.mark.parametrize("broken", ["write", "replace"])
def test_a_full_disk_is_one_sentence_and_nothing_is_recorded(house: House, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    case = held(house)
    client = visitor(house, case)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if broken == "write" else (Path, "replace")), full)
    answer = send(client, ("file", "plan.pdf", PDF))
    monkeypatch.undo()
    assert "The disk for documents is full; nothing was recorded." in words(answer.text)
    assert lying(house) == [] and on_record(house, case) == [] and house.app().documents.listed(case) == []


@pytest.mark.parametrize("body", [b"", b"--b\r\n", b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", b"\x00" * 500])
def test_a_form_that_can_not_be_read_is_refused(house: House, body: bytes) -> None:
    case = held(house)
    sent = house.client("wren").post(f"/cases/{case}/documents", content=body, headers={"content-type": "multipart/form-data; boundary=b"})
    assert sent.status_code in (400, 403) and on_record(house, case) == []


# --- the record ---


def test_a_document_is_an_entry_with_its_hash_and_moves_no_clock(house: House) -> None:
    case = held(house)
    before = house.app(NOW).show(case)
    send(visitor(house, case), ("file.OHWM-c", "plants.pdf", PDF), ("file", "map.png", PNG))
    after = house.app(NOW).show(case)
    assert after["clocks"] == before["clocks"] and after["items"] == before["items"] and after["state"] == before["state"]
    (entry,) = on_record(house, case)
    assert entry["actor"] == {"kind": "person", "id": "requester", "role": "requester"} and entry["facts"]["sender"] == "Ann Larsen"
    assert [(one["name"], one["item"], len(one["sha256"])) for one in entry["facts"]["documents"]] == [("plants.pdf", "OHWM-c", 64), ("map.png", "", 64)]
    assert entry["facts"]["arrived_at"] == "2027-01-05T09:00:00-06:00" and entry["facts"]["counts_on"] == "2027-01-05"
    assert house.app(NOW).verify(case)["faults"] == []


def test_what_came_from_outside_is_a_task_until_it_is_taken_in_or_read(house: House) -> None:
    case = held(house)
    client = visitor(house, case)
    send(client, ("file.OHWM-c", "plants.pdf", PDF))
    tasks = {task["id"]: task for task in house.app(NOW).show(case)["tasks"]}
    (task,) = [task for name, task in tasks.items() if name.startswith("documents:")]
    assert task["text"].startswith("A document has arrived from Ann Larsen and counts as received on Tuesday, January 5, 2027.") and task["for"] == "staff"
    staff = house.client("wren", NOW)
    read = {"form_token": token(staff.get("/me").text)}
    assert staff.post(f"/cases/{case}/read-documents", data=read).status_code == 303
    assert not [task for task in house.app(NOW).show(case)["tasks"] if task["id"].startswith("documents:")]
    assert staff.post(f"/cases/{case}/read-documents", data=read).status_code == 404, "nothing is unread any more"
    send(client, ("file.OHWM-f", "distance.pdf", PDF + b"2"))
    house.act(case, "accept-information", NOW, items=["OHWM-c", "OHWM-f"])
    assert not [task for task in house.app(NOW).show(case)["tasks"] if task["id"].startswith("documents:")]
    assert house.app(NOW).verify(case)["faults"] == []


def test_an_act_on_the_lack_of_an_answer_is_told_that_one_has_come(house: House) -> None:
    case = held(house)
    seen = house.app(NOW).show(case)["version"]
    send(visitor(house, case), ("file", "plants.pdf", PDF))
    with pytest.raises(StaleCase, match="documents-received"):
        house.app(NOW).act(case, "record-partial-response", {"items": ["OHWM-c"]}, None, "wren:staff", seen, None, False)


def test_what_is_added_by_staff_is_no_task(house: House) -> None:
    case = held(house)
    add(house.client("wren", NOW), case, ("memo.pdf", PDF), item="OHWM-c")
    assert not [task for task in house.app(NOW).show(case)["tasks"] if task["id"].startswith("documents:")]
    (one,) = house.app(NOW).documents.listed(case)
    assert (one["by"], one["role"], one["sender"], one["item"]) == ("wren", "staff", None, "OHWM-c")


def test_an_application_that_waits_for_an_answer_is_not_dismissed_while_one_lies_unread(house: House) -> None:
    case = house.file("general-permit", moment="2026-07-06T09:00")
    house.act(case, ASK, "2026-07-10T09:00", items=[next(iter(house.app().show(case)["items"]))["id"]], received_on="2026-07-10")
    send(visitor(house, case, moment="2026-10-05T09:00"), ("file", "answer.pdf", PDF))
    found = house.app("2026-10-06T09:00").show(case)
    assert "unread-arrival" in found["flags"]
    (dismiss,) = [one for one in found["actions"] if one["id"] == "dismiss"]
    assert "nothing-unread" in {reason["condition"] for reason in dismiss["because"]}
    house.act(case, "read-arrival", "2026-10-06T10:00")
    assert "unread-arrival" not in house.app("2026-10-06T11:00").show(case)["flags"]


def test_the_same_file_sent_twice_is_kept_once_and_told_as_known(house: House) -> None:
    case, other = held(house), held(house)
    client = visitor(house, case)
    send(client, ("file.OHWM-c", "plants.pdf", PDF))
    again = send(client, ("file.OHWM-c", "the-same.pdf", PDF))
    assert again.headers["location"] == "/status/case?received=known#received"
    assert "nothing is lost and nothing was added" in words(client.get("/status/case?received=known").text)
    send(visitor(house, other), ("file", "plants.pdf", PDF))
    assert len(on_record(house, case)) == 1 and len(lying(house)) == 1 and len(house.app().documents.listed(other)) == 1


def test_the_confirmation_says_what_came_when_and_on_which_day_it_counts(house: House) -> None:
    case = held(house)
    client = visitor(house, case, moment="2027-01-08T23:40")
    answer = send(client, ("file.OHWM-c", "plants.pdf", PDF))
    page = words(client.get(answer.headers["location"]).text)
    # Central Time, though the moment is January 9 in UTC; an electronic filing counts at any hour of its day.
    assert "We have received 1 file at 11:40 pm, Friday, January 8, 2027 It counts as received on Friday, January 8, 2027." in page
    assert "for: Vegetation types" in page


def test_after_hours_counts_as_the_setting_of_the_case_says(house: House) -> None:
    case = held(house, settings={"efile_cutoff_local": "16:30"})
    client = visitor(house, case, moment="2027-01-08T23:40")
    page = words(client.get(send(client, ("file", "plants.pdf", PDF)).headers["location"]).text)
    # Friday after 4:30 pm: the next open day is Monday.
    assert "It counts as received on Monday, January 11, 2027." in page
    assert on_record(house, case)[0]["facts"]["counts_on"] == "2027-01-11"


def test_a_file_for_an_item_that_does_not_exist_is_refused(house: House) -> None:
    case = held(house)
    assert "names an item that is not asked for here" in words(send(visitor(house, case), ("file.NO-SUCH", "a.pdf", PDF)).text)
    assert lying(house) == []


def test_the_page_of_a_case_lists_its_documents_with_their_hash(house: House) -> None:
    case, client = house.file(), house.client("wren")
    add(client, case, ("plan.pdf", PDF))
    page = client.get(f"/cases/{case}").text
    assert f'href="/documents/{case}-D1"' in page and f'href="/cases/{case}/documents"' in page
    assert f"plan.pdf PDF, {len(PDF)} bytes" in words(page) and sha256(PDF).hexdigest()[:16] in words(page)


# --- who may ---


def test_documents_are_given_only_to_who_may_read_the_case(house: House) -> None:
    case = held(house)
    add(house.client("wren", NOW), case, ("memo.pdf", PDF))
    assert house.client(None, NOW).get(f"/documents/{case}-D1").status_code == 303
    assert house.client("ada", NOW).get(f"/documents/{case}-D1").status_code == 200
    assert visitor(house, case).get(f"/documents/{case}-D1").status_code == 303, "a visit opens no document of staff"
    assert "memo.pdf" not in visitor(house, case).get("/status/case").text
    for absent in (f"{case}-D2", "x", "..%2f..%2fcase.db", "%00"):
        assert house.client("wren", NOW).get(f"/documents/{absent}").status_code == 404


def test_a_role_that_only_reads_adds_nothing(house: House) -> None:
    case = held(house)
    client = house.client("ada", NOW)
    sent = client.post(f"/cases/{case}/documents", data={"form_token": token(client.get("/me").text)}, files={"file": ("a.pdf", PDF)})
    assert sent.status_code == 403 and on_record(house, case) == [] and 'type="file"' not in client.get(f"/cases/{case}/documents").text


def test_a_form_of_another_session_brings_no_file(house: House) -> None:
    case = held(house)
    foreign = token(house.client("odell", NOW).get("/me").text)
    sent = house.client("wren", NOW).post(f"/cases/{case}/documents", data={"form_token": foreign}, files={"file": ("a.pdf", PDF)})
    assert sent.status_code == 403 and lying(house) == []


# --- what lies there ---


@pytest.mark.parametrize(("damage", "said"), [("unlink", "missing"), ("alter", "altered")])
def test_a_content_that_is_missing_or_altered_is_named_and_not_given_out(house: House, damage: str, said: str) -> None:
    case, client = house.file(), house.client("wren")
    add(client, case, ("plan.pdf", PDF))
    (path,) = lying(house)
    if damage == "unlink":
        path.unlink()
    else:
        path.chmod(0o600)
        path.write_bytes(PDF.replace(b"a page", b"A page"))
    (fault,) = house.app().verify(case)["faults"]
    assert fault["text"] == f"the content of the document {case}-D1 (plan.pdf) is {said}" and fault["seq"] == 2
    answer = client.get(f"/documents/{case}-D1")
    assert answer.status_code == 503 and PDF not in answer.content and "Restore it from a backup" in words(answer.text)
    add(client, case, ("plan.pdf", PDF))
    assert house.app().verify(case)["faults"] == [], "the same file handed in again heals it"


def test_a_row_that_says_other_things_than_the_record_is_named(house: House) -> None:
    case, client = house.file(), house.client("wren")
    add(client, case, ("plan.pdf", PDF), ("map.png", PNG))
    with house.app().store.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER document_no_update")
        connection.exec_driver_sql("DROP TRIGGER document_no_delete")
        connection.exec_driver_sql(f"UPDATE document SET name = 'other.pdf' WHERE id = '{case}-D1'")
        connection.exec_driver_sql(f"DELETE FROM document WHERE id = '{case}-D2'")
    said = " ".join(fault["text"] for fault in house.app().verify(case)["faults"])
    assert f"says other things of the document {case}-D1" in said and f"{case}-D2 is not in the register" in said


def test_files_are_readable_to_their_owner_alone_and_nothing_is_left_of_an_arrival(house: House) -> None:
    case = house.file()
    add(house.client("wren"), case, ("plan.pdf", PDF))
    (path,) = lying(house)
    assert path.stat().st_mode & 0o777 == 0o400 and path.parent.stat().st_mode & 0o077 == 0
    assert len(path.parent.name + path.name) == 64
