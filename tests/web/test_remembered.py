"""Pages are drawn from what is remembered: whatever a page depends on changes it at once, in the process that remembers, whoever changed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import event, text
from starlette.testclient import TestClient

from caseflow.bootstrap import App
from caseflow.services.office import parse_moment
from caseflow.web.app import create_app
from caseflow.web.site import Site
from tests.web.conftest import House, sign_in, words
from tests.web.test_sight import small, three

__all__ = ["small", "three"]  # fixtures

NOW = "2026-12-01T09:00"


@dataclass
class Standing:
    """One process that goes on and remembers, as a served site does; others write beside it."""

    house: House
    app: App
    made: Any

    def client(self, who: str) -> TestClient:
        client = TestClient(self.made, follow_redirects=False)
        assert sign_in(client, who).status_code == 303
        return client

    def becomes(self, moment: str) -> None:
        """The day goes on while the process stands."""
        self.app._at = parse_moment(moment, "--at")


@pytest.fixture
def standing(house: House) -> Iterator[Standing]:
    app = house.app(NOW)
    yield Standing(house, app, create_app(Site(app, ("testserver",), scheduler=False)))
    app.store.engine.dispose()


def fresh(house: House, who: str, path: str, moment: str = NOW) -> str:
    """The page as a process says it that has nothing to remember."""
    return words(house.client(who, moment).get(path).text)


Page = Callable[[], str]


@pytest.fixture
def seen(standing: Standing) -> tuple[str, Page, Page]:
    """A case, with the docket and its page as wren reads them, each read twice before."""
    case = standing.house.file()
    client = standing.client("wren")
    docket, page = (lambda: words(client.get("/docket").text)), (lambda: words(client.get(f"/cases/{case}").text))
    assert docket() == docket() and page() == page()
    return case, docket, page


def test_what_is_remembered_is_what_a_new_process_says(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, docket, page = seen
    assert (docket(), page()) == (fresh(standing.house, "wren", "/docket"), fresh(standing.house, "wren", f"/cases/{case}"))


def test_an_act_of_another_process_is_seen_at_once(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, docket, page = seen
    before = docket(), page()
    standing.house.act(case, "request-information", NOW, items=["NAV-e"])
    after = docket(), page()
    assert before[0] != after[0] and before[1] != after[1]
    assert after == (fresh(standing.house, "wren", "/docket"), fresh(standing.house, "wren", f"/cases/{case}"))


def test_a_correction_of_a_day_is_seen_at_once(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, _, page = seen
    standing.house.act(case, "add-note", NOW, note="The requester called.")
    noted = page()
    assert "The requester called." in noted
    standing.house.app(NOW).void(case, 2, "It was another case.", "wren:staff")
    assert page() != noted
    assert page() == fresh(standing.house, "wren", f"/cases/{case}")


def test_what_the_register_says_of_a_letter_is_seen_at_once_though_the_case_is_the_same(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, _, page = seen
    before = page()
    with standing.house.app(NOW).store.begin() as work:
        work.letter_status(f"{case}-L1", "draft")
    assert page() != before and page() == fresh(standing.house, "wren", f"/cases/{case}")


def test_who_sees_a_case_no_more_sees_nothing_that_is_remembered_of_it(small: House, three: dict[str, str]) -> None:
    app = small.app(NOW)
    made = create_app(Site(app, ("testserver",), scheduler=False))
    clerk, chief = (TestClient(made, follow_redirects=False) for _ in range(2))
    sign_in(clerk, "cleo"), sign_in(chief, "wren")
    case = three["mine"]
    for _ in range(2):
        assert case in clerk.get("/docket").text and clerk.get(f"/cases/{case}").status_code == 200
        assert case in chief.get("/docket").text and three["sealed"] in chief.get("/docket").text
    assert three["sealed"] not in clerk.get("/docket").text and clerk.get(f"/cases/{three['sealed']}").status_code == 404
    small.act(case, "assign", NOW, assignee="wren")
    assert case not in clerk.get("/docket").text and clerk.get(f"/cases/{case}").status_code == 404
    assert case in chief.get("/docket").text


def test_the_next_day_is_another_page(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, docket, page = seen
    before = docket(), page()
    standing.becomes("2026-12-08T09:00")
    after = docket(), page()
    assert before[0] != after[0] and before[1] != after[1]
    assert after == (fresh(standing.house, "wren", "/docket", "2026-12-08T09:00"), fresh(standing.house, "wren", f"/cases/{case}", "2026-12-08T09:00"))


def test_whose_work_it_is_and_how_they_are_called_is_seen_at_once(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, docket, _ = seen
    other = standing.house.app(NOW)
    other.assigning.assign(other.people.person("wren"), [case], "odell")
    assert "Odell Halloway" in docket().partition("Whose work")[2]
    with other.store.engine.begin() as connection:
        connection.execute(text("UPDATE account SET name = 'Odell Marsh' WHERE id = 'odell'"))
    assert "Odell Halloway" not in docket() and "Odell Marsh" in docket()


def test_each_role_has_its_own_page_of_a_case(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, _, page = seen
    mine = page()
    for who in ("ada", "odell"):
        assert words(standing.client(who).get(f"/cases/{case}").text) == fresh(standing.house, who, f"/cases/{case}") != mine


def test_a_page_holds_only_the_form_token_of_its_own_session(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    case, _, _ = seen
    first, second = standing.client("wren"), standing.client("wren")
    for path in ("/docket", f"/cases/{case}"):
        tokens = [{part[:64] for part in client.get(path).text.split('name="form_token" value="')[1:]} for client in (first, second, first)]
        assert all(len(one) <= 1 for one in tokens) and tokens[0] == tokens[2] and (not tokens[0] or tokens[0] != tokens[1])


def test_rows_that_have_not_changed_are_not_read_again(standing: Standing, seen: tuple[str, Page, Page]) -> None:
    _, docket, _ = seen
    asked: list[str] = []
    event.listen(standing.app.store.engine, "before_cursor_execute", lambda _c, _cur, statement, *_: asked.append(statement))
    docket()
    assert asked and not [one for one in asked if "case_file.title" in one]
    standing.house.file(moment=NOW)
    docket()
    assert len([one for one in asked if "case_file.title" in one]) == 1
