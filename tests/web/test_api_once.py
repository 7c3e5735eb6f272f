"""A call that comes twice is done once, pages miss nothing, and the examples are what a docket answers."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from caseflow.adapters.store.work import SqlWork
from caseflow.bootstrap import App
from caseflow.web.api import acting
from caseflow.web.api.door import needs_of
from caseflow.web.api.problems import KINDS
from tests.conftest import PACK
from tests.web import api_examples
from tests.web.conftest import House, words
from tests.web.test_api_sight import operations
from tests.web.test_sight import routes

KEY = {"idempotency-key": "8c1f3a52-6f0e-4a53-9b3a-2f8f3f1f9d10"}
ITEMS = {"facts": {"items": ["NAV-e"]}}


def filing(**more: Any) -> dict[str, Any]:
    return {"request": {**App().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml")), **more}}


def test_a_request_is_filed_once_however_often_it_is_sent(house: House) -> None:
    program = house.program()
    first, again = (program.post("/api/v1/requests", json=filing(), headers=KEY) for _ in range(2))
    assert first.status_code == again.status_code == 201 and first.content == again.content
    assert again.headers["idempotency-replayed"] == "true" and "idempotency-replayed" not in first.headers
    assert len(program.get("/api/v1/docket").json()["rows"]) == 1
    other = program.post("/api/v1/requests", json=filing(), headers={"idempotency-key": "another-key-of-mine"})
    assert other.status_code == 201 and other.json()["request"] != first.json()["request"]


def test_filing_without_a_key_is_refused(house: House) -> None:
    answer = house.program().post("/api/v1/requests", json=filing())
    assert answer.status_code == 428 and answer.json()["type"].endswith("#key-needed")


def test_a_key_that_comes_back_for_something_else_is_refused(house: House) -> None:
    program = house.program()
    assert program.post("/api/v1/requests", json=filing(), headers=KEY).status_code == 201
    answer = program.post("/api/v1/requests", json=filing(municipality="Town of Elsewhere"), headers=KEY)
    assert answer.status_code == 422 and answer.json()["type"].endswith("#key-used") and len(program.get("/api/v1/docket").json()["rows"]) == 1


def test_a_key_is_a_persons_own(house: House) -> None:
    assert house.program("wren").post("/api/v1/requests", json=filing(), headers=KEY).status_code == 201
    assert house.program("odell").post("/api/v1/requests", json=filing(municipality="Town of Elsewhere"), headers=KEY).status_code == 201


def test_two_at_once_under_one_key_do_it_once(house: House) -> None:
    number = house.file()
    program = house.program()

    assert program.get("/api/v1/me").status_code == 200  # the packs are loaded before anybody calls, as `serve` does

    def send(_: int) -> Any:
        return program.post(f"/api/v1/cases/{number}/actions/request-information", json=ITEMS, headers={**KEY, "if-match": "*"})

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(send, range(6)))
    done = [one for one in answers if one.status_code == 200]
    assert done and {one.content for one in done} == {done[0].content}
    assert {one.json()["type"].partition("#")[2] for one in answers if one.status_code != 200} <= {"at-work"}, [one.text[:300] for one in answers]
    assert [one["action"] for one in house.app().timeline(number, "recorded", None)] == ["file", "request-information"]


def test_a_call_whose_answer_was_lost_is_not_done_again(house: House) -> None:
    """The process died between the act and its answer: the key stands there without one, and the command is on the record."""
    number = house.file()
    program, path = house.program(), f"/api/v1/cases/{number}/entries/2/amend"
    house.act(number, "request-information", "2026-12-01T09:00", items=["NAV-e"])
    site = house.app()
    sent = {"json": {"on": "2026-11-30", "because": "It left on Monday"}, "headers": {**KEY, "if-match": '"2"'}}
    first = program.post(path, **sent)
    assert first.status_code == 200, first.text
    with site.store._transaction("BEGIN IMMEDIATE") as connection:
        connection.exec_driver_sql("UPDATE api_answer SET status = NULL, body = NULL, headers = NULL")
    assert program.post(path, **sent).json()["type"].endswith("#at-work")
    house.clock.later(minutes=3)
    again = program.post(path, **sent)
    assert again.status_code == 200 and again.json() == first.json() and site.show(number)["version"] == first.json()["version"]


def lost(house: House, program: Any, path: str, sent: dict[str, Any]) -> tuple[Any, Any]:
    """A write, and the same again after its answer was lost with the process."""
    first = program.post(path, headers={**KEY, "if-match": "*"}, **sent)
    assert first.status_code == 200, first.text
    with house.app().store._transaction("BEGIN IMMEDIATE") as connection:
        connection.exec_driver_sql("UPDATE api_answer SET status = NULL, body = NULL, headers = NULL")
    house.clock.later(minutes=3)
    return first, program.post(path, headers={**KEY, "if-match": "*"}, **sent)


def acts(house: House, number: str) -> list[str]:
    return [one["action"] for one in house.app().timeline(number, "recorded", None)]


@pytest.mark.parametrize("what", ["act", "void", "amend", "correct", "event", "assign", "hand-over", "document", "people"])
def test_a_write_whose_answer_was_lost_is_told_as_done_and_not_done_again(house: House, what: str) -> None:
    number = house.file()
    house.act(number, "request-information", "2026-12-01T08:30", items=["NAV-e"])
    if what == "event":
        house.app("2026-12-01T08:59").dispatch(True)
    if what == "hand-over":
        house.app().assigning.assign(house.app().people.person("odell"), [number], "wren")
    of_case, of_letter = f"/api/v1/cases/{number}", f"/api/v1/letters/{number}-L1"
    path, sent = {
        "act": (f"{of_case}/actions/add-note", {"json": {"facts": {"note": "Seen from the bridge"}}}),
        "void": (f"{of_case}/entries/2/void", {"json": {"because": "A slip"}}),
        "amend": (f"{of_case}/entries/2/amend", {"json": {"on": "2026-11-30", "because": "It left on Monday"}}),
        "correct": (f"{of_letter}/correct", {"json": {"because": "The water was misspelt"}}),
        "event": (f"{of_letter}/events", {"json": {"event": "returned", "copy": "requester", "because": "Moved"}}),
        "assign": ("/api/v1/assignments", {"json": {"cases": [number], "to": "wren"}}),
        "hand-over": ("/api/v1/assignments/hand-over", {"json": {"from": "wren", "to": "odell", "counted": 1}}),
        "document": (f"{of_case}/documents?name=a.pdf", {"content": b"%PDF-1.7\n"}),
        "people": (f"{of_case}/people", {"json": {"list": "name,email\nBo Reed,reed@example.org\n"}}),
    }[what]
    before = len(acts(house, number))
    first, again = lost(house, house.program("odell", moment="2026-12-01T09:05"), path, sent)
    assert again.status_code == 200, again.text
    if what == "document":  # it is told as what it is by then: known
        assert again.json()["seq"] is None and again.json()["known"] == first.json()["taken"]
    else:
        assert again.json() == first.json()
    made = acts(house, number)[before:]
    assert len(made) == (2 if what == "event" and "letter-failed" in made else 1) or (what == "amend" and made == ["amend", "letter-written"])


def no_room(*_: Any, **__: Any) -> None:
    raise MemoryError


def written_and_no_room(work: SqlWork) -> None:
    FLUSH(work)
    raise MemoryError


FLUSH = SqlWork.flush


@pytest.mark.parametrize(
    ("place", "recorded"),
    [
        ((Request, "json", no_room), False),  # while the call is read
        ((SqlWork, "case", no_room), False),
        ((SqlWork, "flush", written_and_no_room), False),  # all of it is written and none of it committed
        ((acting, "told_case", no_room), True),  # it stands, and can't be told
    ],
    ids=lambda one: one[1] if isinstance(one, tuple) else "",
)
def test_a_call_for_which_there_is_no_memory_is_told_so_and_done_whole_or_not_at_all(house: House, place: tuple[Any, str, Any], recorded: bool) -> None:
    number = house.file()
    program, path = house.program(), f"/api/v1/cases/{number}/actions/request-information"
    assert program.get(f"/api/v1/cases/{number}").status_code == 200
    with pytest.MonkeyPatch.context() as without:
        without.setattr(*place)
        told = program.post(path, json=ITEMS, headers={**KEY, "if-match": "*"})
    assert (told.status_code, told.headers["content-type"], told.headers["retry-after"]) == (503, "application/problem+json", "5")
    assert told.json()["type"].endswith("#no-room") and "look whether it was recorded" in told.json()["detail"]
    assert (acts(house, number), "tolled" in str(house.app().show(number)["clocks"])) == (["file", "request-information"][: 1 + recorded], recorded)
    again = program.post(path, json=ITEMS, headers={**KEY, "if-match": "*"})
    assert again.status_code == 200 and acts(house, number) == ["file", "request-information"]


def test_a_refused_call_leaves_its_key_free(house: House) -> None:
    number = house.file()
    program, path = house.program(), f"/api/v1/cases/{number}/actions/request-information"
    assert program.post(path, json=ITEMS, headers={**KEY, "if-match": '"9"'}).status_code == 412
    assert program.post(path, json=ITEMS, headers={**KEY, "if-match": '"1"'}).status_code == 200


@pytest.mark.parametrize("key", ["short", "a" * 201, "with a space in it"])
def test_a_key_that_is_none_is_told(house: House, key: str) -> None:
    assert house.program().post("/api/v1/requests", json=filing(), headers={"idempotency-key": key}).status_code == 400


@pytest.mark.parametrize("path", ["/api/v1/docket", "/api/v1/search?q=Mill", "/api/v1/letters"])
def test_pages_hold_everything_once(house: House, path: str) -> None:
    numbers = {house.file(waterbodies=[{"name": f"Mill Creek {n}", "county": "Dane"}]) for n in range(7)}
    program, found, after = house.program(), [], None
    for _ in range(9):
        made = program.get(path, params={"limit": 3, **({"after": after} if after else {}), **({"q": "Mill"} if "search" in path else {})}).json()
        found += [one["case"] for one in made.get("rows", made.get("letters"))]
        after = made["next"]
        if after is None:
            break
    assert sorted(found) == sorted(numbers)


# --- who may ------------------------------------------------------------------------------------------------------


def call(client: Any, route: Any) -> Any:
    path = route.path
    for name, value in {
        "case": "X-1",
        "letter": "X-1-L1",
        "document": "X-1-D1",
        "action": "a",
        "template": "a",
        "seq": "1",
        "place": "a",
        "ruleset": "a",
        "workflow": "a",
    }.items():
        path = path.replace("{" + name + "}", value)
    return client.request(next(iter(route.methods)), f"/api/v1{path}", json={} if "POST" in route.methods else None)


def test_every_operation_asks_for_a_token_its_scope_and_its_right(house: House) -> None:
    nobody, reads = house.client(None), house.program("wren", "read")
    supervisor = house.program("odell", "act")
    tried = 0
    for route in operations(house):
        needs = needs_of(route.endpoint)
        open_to_all = needs.right is None
        assert (call(nobody, route).status_code == 401) is not open_to_all, route.path
        if open_to_all:
            continue
        refused = call(reads, route).status_code == 403
        assert refused is (needs.scope == "act" or needs.right == "oversee"), route.path
        assert call(supervisor, route).status_code != 403 and call(supervisor, route).status_code != 401, route.path
        tried += 1
    assert tried >= 55


def test_nothing_but_a_post_writes_and_every_write_to_a_case_needs_its_version(house: House) -> None:
    for route in operations(house):
        needs = needs_of(route.endpoint)
        if needs.scope == "act":
            assert route.methods == {"POST"} and needs.once, route.path
            assert needs.seen or needs.once == "must", route.path


SAME = {
    "/cases/{number}/do/{action}": "/cases/{case}/actions/{action}",
    "/cases/{number}/documents": "/cases/{case}/documents",
    "/cases/{number}/read-documents": "/cases/{case}/documents/read",
    "/cases/{number}/entries/{seq}": "/cases/{case}/entries/{seq}/amend",
    "/cases/{number}/people": "/cases/{case}/people",
    "/letters/{number}/approve": "/letters/{letter}/approve",
    "/letters/{number}/correct": "/letters/{letter}/correct",
    "/letters/{number}/edit": "/letters/{letter}/places/{place}",
    "/letters/{number}/event": "/letters/{letter}/events",
    "/letters/{number}/resend": "/letters/{letter}/resend",
    "/letters/{number}/retry": "/letters/{letter}/retry",
    "/requests/new": "/requests",
    "/views": "/views",
    "/views/drop": "/views/drop",
    "/my-work/assign": "/assignments",
    "/my-work/hand-over": "/assignments/hand-over",
}
"""What is written on the site, and where programs write the same."""
OWN = ("/accounts", "/calendar/links", "/me/", "/sign-", "/status")
"""What belongs to a person's own browser, to the accounts of people, or to people of a request."""


DECIDED = (
    "/calendar/adoptions/{number}",
    "/calendar/changes",
    "/calendar/changes/{version}",
    "/cases/{number}/record",
    "/records/check",
    "/retention/holds",
    "/workflows/versions/compare",
    "/workflows/versions/moves/{number}",
)
"""What one decides of the rules and of the record itself: a person does, on a page that shows first what follows, or by the command line."""


def test_what_people_write_on_the_site_programs_write_too(house: House) -> None:
    forms = {route.path for route in routes(house) if "POST" in route.methods and not route.path.startswith(OWN)}
    written = {route.path for route in operations(house) if "POST" in route.methods}
    assert forms == {*SAME, *DECIDED} and set(SAME.values()) <= written


# --- the text -----------------------------------------------------------------------------------------------------


def test_the_examples_are_what_a_docket_answers(tmp_path: Path) -> None:
    """Where this fails because an answer has changed on purpose: python -m tests.web.api_examples."""
    kept = json.loads(api_examples.FILE.read_text(encoding="utf-8"))
    found = dict(api_examples.made(api_examples.docket(tmp_path)))
    assert found.keys() == kept.keys()
    for name, example in found.items():
        assert 200 <= example["status"] < 300 and example == kept[name], name


def test_the_text_shows_the_examples_and_every_member_of_a_real_answer(house: House) -> None:
    text = house.client(None).get("/api/v1/openapi.json").json()
    shapes = text["components"]["schemas"]
    shown = text["paths"]["/cases/{case}"]["get"]["responses"]["200"]["content"]["application/json"]["example"]
    assert shown["case"] == api_examples.CASE and text["openapi"].startswith("3.1")
    assert set(shown) == set(shapes["Case"]["properties"])
    assert set(shown["clocks"][0]) == set(shapes["Clock"]["properties"]) and set(shown["actions"][0]) == set(shapes["Action"]["properties"])


def test_the_page_of_the_api_lists_every_operation_and_kind_of_problem(house: House) -> None:
    page = house.client(None).get("/api/v1/docs")
    assert page.status_code == 200 and "<script>" not in page.text and " style=" not in page.text
    told = words(page.text)
    for route in operations(house):
        assert route.path in told, route.path
    assert all(f'id="{kind}"' in page.text for kind in KINDS)


@pytest.mark.parametrize(("path", "status"), [("/api/v1/nowhere", 404), ("/api/v1/", 404), ("/api/v1/cases", 404)])
def test_an_unknown_address_is_a_problem_too(house: House, path: str, status: int) -> None:
    answer = house.program().get(path)
    assert answer.status_code == status and answer.headers["content-type"] == "application/problem+json"


def test_another_method_is_told_which_there_is(house: House) -> None:
    answer = house.program().put("/api/v1/docket")
    assert answer.status_code == 405 and answer.headers["allow"] == "GET" and answer.json()["type"].endswith("#no-such-method")


def test_what_the_guard_refuses_is_a_problem_for_programs(house: House) -> None:
    program = house.program()
    assert program.get("/api/v1/me", headers={"host": "evil.example"}).headers["content-type"] == "application/problem+json"
    large = program.post("/api/v1/screen", content=b"x" * 1_000_001)
    assert large.status_code == 413 and large.headers["content-type"] == "application/problem+json"
    assert program.post("/api/v1/screen", content=b"{", headers={"content-type": "application/json"}).status_code == 400
