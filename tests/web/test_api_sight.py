"""Programs see what their person sees; what is not seen answers like what does not exist."""

from __future__ import annotations

import re
from typing import Any

from caseflow.web.api.door import Guarded, seen_case, seen_document, seen_letter
from tests.web.conftest import House
from tests.web.test_sight import dependencies, every_route, letter_of, small, three

__all__ = ["small", "three"]


def operations(house: House) -> list[Any]:
    return [route for route in every_route(house) if isinstance(route, Guarded)]


def test_every_operation_on_a_case_or_letter_asks_whether_it_is_seen(house: House) -> None:
    found = operations(house)
    cases, letters = [one for one in found if "{case}" in one.path], [one for one in found if "{letter}" in one.path]
    assert len(cases) >= 10
    for route in cases:
        assert seen_case in dependencies(route.dependant), route.path
    documents = [one for one in found if "{document}" in one.path]
    assert documents
    for route in documents:
        assert seen_document in dependencies(route.dependant), route.path
    for route in letters:
        assert seen_letter in dependencies(route.dependant), route.path


def test_a_case_that_is_not_seen_answers_byte_for_byte_like_one_that_does_not_exist(small: House, three: dict[str, str]) -> None:
    program, tried = small.program("cleo"), 0
    for route in operations(small):
        kind = "case" if "{case}" in route.path else "letter" if "{letter}" in route.path else ""
        if not kind:
            continue
        for hidden in ("nobodys", "sealed"):
            case = three[hidden]
            own = case if kind == "case" else letter_of(small, case)
            answers = []
            for number in (own, "OAK-2099-00001-1" if kind == "case" else "OAK-2099-00001-1-L1", f"OLD-{hidden}"):
                path = "/api/v1" + re.sub(r"\{(action|template)\}", "decide", route.path.replace("{" + kind + "}", number).replace("{seq}", "1"))
                body = {"because": "x"} if "void" in path else {"because": "x", "on": "2026-12-01"} if "amend" in path else {}
                sent = {"json": body} if "POST" in route.methods else {}
                answer = program.request(next(iter(route.methods)), path, headers={"if-match": "*"}, **sent)
                answers.append((answer.status_code, answer.text.replace(number, "#")))
            assert answers[0] == answers[1] == answers[2], (route.path, answers)
            assert answers[0][0] in (404, 422), route.path
            tried += 1
    assert tried >= 20


def test_lists_and_search_hold_only_what_is_seen(small: House, three: dict[str, str]) -> None:
    for path in ("/docket", "/docket?decided=true", "/search?q=Reed", "/docket?assigned=nobody", "/board"):
        seen = {name for name, number in three.items() if number in small.program("cleo").get(f"/api/v1{path}").text}
        assert seen <= {"mine"}, path
        assert seen == {"mine"} or "nobody" in path
    assert all(number in small.program("wren").get("/api/v1/docket").text for number in three.values())
