"""What programs do with documents, work, saved filters and audits: the same as the site, by the same services."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import House
from tests.web.test_sight import small, three
from tests.web.visiting import PDF, held, send, visitor

__all__ = ["small", "three"]
KEYS = iter(range(10**9))


def once() -> dict[str, str]:
    return {"idempotency-key": f"key-of-a-test-{next(KEYS):06}"}


def put(program: Any, case: str, content: bytes = PDF, seen: str = "*", **named: str) -> Any:
    return program.post(f"/api/v1/cases/{case}/documents", params={"name": "answer.pdf", **named}, content=content, headers={"if-match": seen})


# --- documents ----------------------------------------------------------------------------------------------------


def test_a_document_is_handed_in_listed_and_got_back_byte_for_byte(house: House) -> None:
    number, program = house.file(), house.program()
    done = put(program, number, item="NAV-e")
    assert done.status_code == 200, done.text
    made = done.json()["taken"][0]
    assert (made["name"], made["kind"], made["item"], made["by"], made["seq"]) == ("answer.pdf", "PDF", "NAV-e", "wren", done.json()["version"])
    listed = program.get(f"/api/v1/cases/{number}/documents")
    assert [one["id"] for one in listed.json()["documents"]] == [made["id"]] and listed.headers["etag"] == done.headers["etag"]
    got = program.get(f"/api/v1/documents/{made['id']}")
    assert got.content == PDF and got.headers["content-type"] == "application/pdf" and got.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in got.headers["content-security-policy"]
    assert house.app().verify(number)["faults"] == []


def test_the_same_document_is_kept_once_and_a_kind_that_is_not_taken_is_refused(house: House) -> None:
    number, program = house.file(), house.program()
    first, again = put(program, number), put(program, number)
    assert again.json()["seq"] is None and again.json()["known"] == first.json()["taken"] and again.json()["version"] == first.json()["version"]
    for content in (b"", b"MZ\x90\x00", b"<script>alert(1)</script>"):
        bad = put(program, number, content)
        assert bad.status_code == 422 and bad.headers["content-type"] == "application/problem+json", content
    assert put(program, number, item="NOT-AN-ITEM").status_code == 422
    assert len(program.get(f"/api/v1/cases/{number}/documents").json()["documents"]) == 1


def test_a_document_larger_than_the_agency_takes_is_refused_before_it_is_read(house: House) -> None:
    number, program = house.file(), house.program()
    limit = house.app().documents.limits.size
    answer = put(program, number, PDF + bytes(limit))
    assert answer.status_code == 413 and answer.json()["type"].endswith("#too-large")


def test_what_came_from_outside_is_read_only_by_who_has_seen_it(house: House) -> None:
    number = held(house)
    program = house.program(moment="2027-01-05T10:00")
    before = program.get(f"/api/v1/cases/{number}/documents")
    assert not before.json()["unread"]
    send(visitor(house, number), ("file", "a.pdf", PDF))
    path = f"/api/v1/cases/{number}/documents/read"
    stale = program.post(path, headers={"if-match": before.headers["etag"]})
    assert stale.status_code == 412, "something came that this program has not seen"
    seen = program.get(f"/api/v1/cases/{number}/documents")
    assert seen.json()["unread"] and seen.json()["documents"][0]["sender"]
    done = program.post(path, headers={"if-match": seen.headers["etag"]})
    assert done.status_code == 200 and not done.json()["unread"]
    assert program.post(path, headers={"if-match": "*"}).status_code == 404, "nothing is unread any more"


def test_who_only_reads_hands_in_no_document_and_marks_none_as_read(house: House) -> None:
    number = house.file()
    assert put(house.program("ada"), number).status_code == 403
    assert house.program("ada").post(f"/api/v1/cases/{number}/documents/read", headers={"if-match": "*"}).status_code == 403
    assert house.app().documents.listed(number) == []


def test_a_document_of_a_case_that_is_not_seen_answers_like_none(small: House, three: dict[str, str]) -> None:
    made = put(small.program("wren"), three["sealed"]).json()["taken"][0]["id"]
    program = small.program("cleo")
    answers = [program.get(f"/api/v1/documents/{name}") for name in (made, f"{three['sealed']}-D9")]
    assert [one.status_code for one in answers] == [404, 404] and answers[0].content == answers[1].content


# --- whose work ---------------------------------------------------------------------------------------------------


def test_cases_are_given_to_somebody_all_of_them_or_none(house: House) -> None:
    numbers, program = [house.file() for _ in range(3)], house.program()
    refused = program.post("/api/v1/assignments", json={"cases": [*numbers, "WD-2099-00001-1"], "to": "odell"}, headers=once())
    assert refused.status_code == 404 and all(house.app().show(number)["assigned_to"] is None for number in numbers)
    done = program.post("/api/v1/assignments", json={"cases": numbers, "to": "odell", "because": "Knows the reach"}, headers=once())
    assert done.json() == {"to": "odell", "name": "Odell Halloway", "assigned": 3, "already": 0}
    assert {house.app().show(number)["assigned_to"] for number in numbers} == {"odell"}
    assert program.post("/api/v1/assignments", json={"cases": numbers, "to": "ada"}, headers=once()).status_code == 422, "an auditor does no work"
    assert {one["id"]: one["open"] for one in program.get("/api/v1/assignments").json()["load"]} == {"odell": 3}


def test_a_case_that_is_not_seen_is_not_given_away(small: House, three: dict[str, str]) -> None:
    answer = small.program("cleo").post("/api/v1/assignments", json={"cases": [three["nobodys"]], "to": "cleo"}, headers=once())
    unknown = small.program("cleo").post("/api/v1/assignments", json={"cases": ["OAK-2099-00001-1"], "to": "cleo"}, headers=once())
    assert answer.status_code == unknown.status_code == 404
    assert answer.text.replace(three["nobodys"], "#") == unknown.text.replace("OAK-2099-00001-1", "#")


def test_a_leavers_cases_are_handed_over_once_they_were_counted(house: House) -> None:
    numbers, program = [house.file() for _ in range(2)], house.program("odell")
    program.post("/api/v1/assignments", json={"cases": numbers, "to": "wren"}, headers=once())
    left = program.get("/api/v1/assignments/left", params={"from": "wren"}).json()
    assert left["open"] == 2
    other = program.post("/api/v1/assignments/hand-over", json={"from": "wren", "to": "odell", "counted": 1}, headers=once())
    assert other.status_code == 422 and house.app().show(numbers[0])["assigned_to"] == "wren"
    done = program.post("/api/v1/assignments/hand-over", json={"from": "wren", "to": "odell", "counted": left["open"]}, headers=once())
    assert (done.json()["moved"], done.json()["left"]) == (2, 0) and house.app().show(numbers[1])["assigned_to"] == "odell"
    staff = house.program("wren").post("/api/v1/assignments/hand-over", json={"from": "odell", "to": "wren", "counted": 2}, headers=once())
    assert staff.status_code == 403 and house.app().show(numbers[1])["assigned_to"] == "odell"


def test_what_needs_a_person_is_listed_as_on_the_page(house: House) -> None:
    number, program = house.file(moment="2026-11-02T09:00"), house.program(moment="2026-12-10T09:00")
    program.post("/api/v1/assignments", json={"cases": [number], "to": "wren"}, headers=once())
    made = program.get("/api/v1/work").json()
    assert [(one["id"], [row["case"] for row in one["rows"]]) for one in made["groups"]] == [("late", [number])] and made["needs"] == 1
    alone = program.get("/api/v1/work", params={"group": "late"}).json()
    assert alone["groups"][0]["rows"] == made["groups"][0]["rows"] and alone["next"] is None
    assert program.get("/api/v1/work", params={"group": "nowhere"}).status_code == 422


def test_filters_are_saved_for_the_person_alone(house: House) -> None:
    program = house.program()
    saved = program.post("/api/v1/views", json={"name": "Dane", "address": "/docket?county=Dane&hidden=1"}, headers=once())
    assert saved.json() == {"views": [{"name": "Dane", "address": "/docket?county=Dane"}]}
    assert "Dane" in house.client().get("/my-work").text and house.program("odell").get("/api/v1/views").json() == {"views": []}
    assert program.post("/api/v1/views", json={"name": "x", "address": "/board?a=b"}, headers=once()).status_code == 422
    assert house.program("odell").post("/api/v1/views/drop", json={"name": "Dane"}, headers=once()).status_code == 404
    assert program.post("/api/v1/views/drop", json={"name": "Dane"}, headers=once()).json() == {"views": []}


# --- people and audits --------------------------------------------------------------------------------------------


def test_a_list_of_people_is_taken_in_whole_or_not_at_all(house: House) -> None:
    number, program = house.file(), house.program()
    path = f"/api/v1/cases/{number}/people"
    bad = program.post(path, json={"list": "name,email\nBo Reed,reed@example.org\nNobody,\n"}, headers={"if-match": "*"})
    assert bad.status_code == 422 and "row 3" in bad.json()["detail"]
    done = program.post(path, json={"list": "name,email\nBo Reed,reed@example.org\n"}, headers={"if-match": "*"})
    assert done.status_code == 200 and [one["email"] for one in done.json()["people"] if one["name"] == "Bo Reed"] == ["reed@example.org"]
    assert [one["name"] for one in program.get(path).json()["people"]].count("Bo Reed") == 1


def test_audits_are_for_who_oversees_and_tell_what_the_pages_tell(house: House) -> None:
    number = house.file()
    house.act(number, "request-information", "2026-12-01T08:30", items=["NAV-e"])
    program = house.program("odell")
    case = program.get(f"/api/v1/cases/{number}/audit").json()
    assert case["faults"] == [] and case["entries"][1]["shown"]["kind"] == "held" and case["count"] == 2
    assert program.get(f"/api/v1/cases/{number}/audit", params={"known_on": "2026-11-30"}).json()["later"] == 1
    office = program.get("/api/v1/audit", params={"from": "2026-11-30", "to": "2026-12-01", "case": number, "limit": 1}).json()
    assert [one["what"] for one in office["rows"]] == ["Request additional information (once)"] and office["next"]
    rest = program.get("/api/v1/audit", params={"from": "2026-11-30", "to": "2026-12-01", "case": number, "after": office["next"]}).json()
    assert [one["seq"] for one in rest["rows"]] == [1] and rest["next"] is None
    for path in (f"/api/v1/cases/{number}/audit", "/api/v1/audit"):
        assert house.program("wren").get(path).status_code == 403, path
