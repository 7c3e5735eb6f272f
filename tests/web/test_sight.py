"""One rule says which cases a person sees; every page asks it, and a case that is not seen answers like one that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caseflow.web.api.door import Guarded
from caseflow.web.pages.status import visitor
from caseflow.web.site import seen_case, seen_document, seen_letter
from tests.unit.pack_texts import slipped
from tests.unit.small_office import REQUEST, written
from tests.unit.test_sight import FLOW, PACK, ROLES, Slip
from tests.web.conftest import PASSWORD, House, token, words

OPEN = "  staff: {site: [read]}\n  supervisor: {also: [staff], site: [read, oversee]}\n  clerk: {also: [staff], site: [read, oversee], sees: {only: assigned, not-flagged: sealed}}"
ACTS = """  assign: {title: Assign, by: staff, from: open, to: same, takes: [assignee], assigns: assignee, note: Practice.}
  seal: {title: Seal, by: staff, from: open, to: same, raises: sealed, note: Practice.}
  hear: {"""
SEALED = Slip(
    "a pack with a role that sees little",
    [
        (PACK, ROLES, OPEN),
        (FLOW, "dispositions: {", "flags: {sealed: Sealed}\ndispositions: {"),
        (FLOW, "  hear: {", ACTS),
        ("facts.yaml", "  reason: {", "  assignee: {type: text, title: To whom}\n  reason: {"),
    ],
    "",
)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[House]:
    """The small pack with three cases: one of cleo's, one of nobody's, one of cleo's that is sealed."""
    made = House(tmp_path, packs=str(written(tmp_path, slipped(SEALED))))
    app = made.app()
    app.store.upgrade()
    for name, role in {"cleo": "clerk", "wren": "staff", "odell": "supervisor"}.items():
        app.people.add(name, name.capitalize(), role, PASSWORD)
    yield made
    app.store.engine.dispose()


@pytest.fixture
def three(small: House) -> dict[str, str]:
    found = {}
    for name in ("mine", "nobodys", "sealed"):
        request = {**REQUEST, "requester": {**REQUEST["requester"], "name": f"Reed {name}"}, "aliases": [f"OLD-{name}"]}
        found[name] = small.app("2026-11-30T09:00").file(request)["cases"][0]["case"]
    small.act(found["mine"], "assign", "2026-11-30T10:00", assignee="cleo")
    small.act(found["sealed"], "assign", "2026-11-30T10:00", assignee="cleo")
    small.act(found["sealed"], "seal", "2026-11-30T10:00")
    return found


def routes(house: House) -> list[Any]:
    """Every address of the site; those of programs are walked in test_api_sight.py."""
    return [route for route in every_route(house) if not isinstance(route, Guarded)]


def every_route(house: House) -> list[Any]:
    found, waiting = [], list(house.site()._inner.routes)  # type: ignore[attr-defined]
    while waiting:
        route = waiting.pop()
        waiting += list(getattr(route, "routes", None) or getattr(getattr(route, "original_router", None), "routes", ()))
        found.append(route)
    return [route for route in found if hasattr(route, "dependant")]


def dependencies(dependant: Any) -> set[Any]:
    return {dependant.call} | {call for one in dependant.dependencies for call in dependencies(one)}


def letter_of(house: House, case: str) -> str:
    return str(house.app().letters(case, None)[0]["number"])


def test_every_address_of_a_case_or_letter_asks_whether_it_is_seen(house: House) -> None:
    found = routes(house)
    cases = [route for route in found if "/cases/{" in route.path]
    letters = [route for route in found if route.path.startswith("/letters/{")]
    visits = [route for route in found if route.path.startswith("/status/")]  # of people without an account: test_status
    documents = [route for route in found if "/documents/{" in route.path and not route.path.startswith("/status/")]
    assert len(cases) >= 6 and len(letters) >= 2
    for route in cases:
        assert seen_case in dependencies(route.dependant), f"{route.path} must take its number as SeenCase"
    for route in letters:
        assert seen_letter in dependencies(route.dependant), f"{route.path} must take its number as SeenLetter"
    for route in documents:
        assert seen_document in dependencies(route.dependant), f"{route.path} must take its number as SeenDocument"
    for route in visits:
        assert visitor in dependencies(route.dependant), f"{route.path} must be behind a visit"
    assert len(visits) >= 5 and len(documents) >= 1


@pytest.mark.parametrize("hidden", ["nobodys", "sealed"])
def test_what_is_not_seen_answers_byte_for_byte_like_what_does_not_exist(small: House, three: dict[str, str], hidden: str) -> None:
    client, case, letter = small.client("cleo"), three[hidden], letter_of(small, three[hidden])
    tried = 0
    for route in routes(small):
        kind = "case" if "/cases/{" in route.path else "letter" if route.path.startswith("/letters/{") else ""
        if not kind:
            continue
        for method in route.methods & {"GET", "POST", "PUT", "DELETE"}:
            answers = []
            for number in (case if kind == "case" else letter, "OAK-2099-00001-1" if kind == "case" else "L-OAK-2099-00001-1-1-receipt", f"OLD-{hidden}"):
                path = re.sub(r"\{[^}]*\}", "1", re.sub(r"\{number(:\w+)?\}", number, route.path).replace("{action}", "decide").replace("{clock}", "answer"))
                sent = {"data": {"form_token": token(client.get("/me").text), "intent": "do", "because": "x", "f.answer": "yes"}} if method != "GET" else {}
                answer = client.request(method, path, **sent)
                answers.append((answer.status_code, answer.text.replace(number, "#")))
            assert answers[0] == answers[1] == answers[2] and answers[0][0] == 404, (method, route.path)
            tried += 1
    assert tried >= 8
    assert small.app().timeline(case, "recorded", None)[-1]["action"] in ("file", "seal"), "nothing was done"


def test_a_request_of_which_no_case_is_seen_answers_byte_for_byte_like_none(small: House, three: dict[str, str]) -> None:
    client = small.client("cleo")
    absent = client.get("/requests/OAK-2099-00001")
    assert absent.status_code == 404
    for hidden in ("nobodys", "sealed"):
        request = three[hidden].rpartition("-")[0]
        answer = client.get(f"/requests/{request}")
        assert (answer.status_code, answer.text.replace(request, "#")) == (404, absent.text.replace("OAK-2099-00001", "#"))
        assert small.client("wren").get(f"/requests/{request}").status_code == 200
    assert client.get(f"/requests/{three['mine'].rpartition('-')[0]}").status_code == 200


def test_lists_and_search_show_only_what_is_seen(small: House, three: dict[str, str]) -> None:
    listed: dict[str, set[str]] = {}
    for who in ("cleo", "wren"):
        client = small.client(who)
        for path in (
            "/docket",
            "/docket?show=all",
            "/docket?q=Reed&show=all",
            "/docket?q=Reed+sealed&show=all",
            "/docket?with=cleo",
            "/docket.csv",
            "/docket.csv?show=all&q=Reed",
            "/my-work?view=all",
            "/my-work?view=unassigned",
            "/calendar?month=2026-12&view=list",
        ):
            page = client.get(path).text
            listed[f"{who} {path}"] = {name for name, case in three.items() if case in page}
    assert all(found <= {"mine"} for name, found in listed.items() if name.startswith("cleo"))
    assert listed["cleo /docket"] == listed["cleo /docket?q=Reed&show=all"] == {"mine"} and not listed["cleo /docket?q=Reed+sealed&show=all"]
    assert listed["wren /calendar?month=2026-12&view=list"] == set(three) and listed["cleo /calendar?month=2026-12&view=list"] == {"mine"}
    assert listed["wren /docket"] == set(three) and listed["wren /docket?q=Reed+sealed&show=all"] == {"sealed"}
    board = small.app().board(None, small.app().people.person("cleo").sees)
    assert {case for group in board["groups"] for case in group["cases"]} == {three["mine"]}
    past = small.app().board("2026-11-30", small.app().people.person("cleo").sees)
    assert {case for group in past["groups"] for case in group["cases"]} == {three["mine"]}


def test_what_is_seen_is_shown_and_may_be_acted_on(small: House, three: dict[str, str]) -> None:
    client = small.client("cleo")
    assert three["mine"] in client.get(f"/cases/{three['mine']}").text and client.get(f"/cases/{three['mine']}/do/seal").status_code == 200
    assert "Reed mine" in words(client.get(f"/letters/{letter_of(small, three['mine'])}").text) or client.get("/cases/OLD-mine").status_code == 200
    form = {"form_token": token(client.get("/me").text), "intent": "do", "on": "2026-12-01"}
    assert client.post(f"/cases/{three['mine']}/do/seal", data=form).status_code == 303
    assert client.get(f"/cases/{three['mine']}").status_code == 404, "now it is sealed"


def test_work_that_is_not_seen_is_not_given_to_anybody(small: House, three: dict[str, str]) -> None:
    client = small.client("cleo")
    for case in (three["nobodys"], three["sealed"], "OAK-2099-00001-1"):
        sent = client.post("/my-work/assign", data={"form_token": token(client.get("/me").text), "case": [three["mine"], case], "to": "cleo"})
        assert sent.status_code == 404 and f"There is no case '{case}'" in words(sent.text)
    assert len(small.app().timeline(three["nobodys"], "recorded", None)) == 1
