"""A page is made in one turn of one thread; the pages asked for most read as of one moment."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from fastapi import APIRouter, Depends, FastAPI, Response
from sqlalchemy import Connection
from starlette.testclient import TestClient

from caseflow.adapters.store.embedded import Embedded
from caseflow.bootstrap import App
from caseflow.web.app import PAGES, create_app
from caseflow.web.site import Site
from caseflow.web.turns import Page
from tests.web.conftest import House, sign_in

Asked = list[tuple[str, int]]


def client_of(asked: Asked) -> TestClient:
    def who() -> str:
        asked.append(("who", threading.get_ident()))
        return "wren"

    def which(number: str, person: str = Depends(who)) -> str:
        asked.append((f"{person} {number}", threading.get_ident()))
        if number == "none":
            raise LookupError(number)
        return number

    router = APIRouter(route_class=Page)

    @router.get("/pages/{number}")
    def page(number: str = Depends(which), person: str = Depends(who)) -> Response:
        asked.append(("page", threading.get_ident()))
        return Response(f"{person} {number}")

    app = FastAPI(routes=router.routes)
    app.add_exception_handler(LookupError, lambda *_: Response(status_code=404))
    return TestClient(app)


def test_a_page_and_all_that_it_asks_are_made_by_one_thread_and_what_two_ask_is_answered_once() -> None:
    asked: Asked = []
    assert client_of(asked).get("/pages/7").text == "wren 7"
    assert [what for what, _ in asked] == ["who", "wren 7", "page"]
    assert len({thread for _, thread in asked}) == 1
    assert threading.get_ident() not in {thread for _, thread in asked}


def test_what_goes_wrong_in_a_question_is_answered_as_everywhere_and_the_page_is_not_made() -> None:
    asked: Asked = []
    assert client_of(asked).get("/pages/none").status_code == 404
    assert [what for what, _ in asked] == ["who", "wren none"]


def test_a_page_that_waits_is_refused_and_not_left_hanging() -> None:
    import asyncio

    router = APIRouter(route_class=Page)

    @router.get("/")
    async def page() -> Response:
        await asyncio.sleep(0)
        return Response()

    with pytest.raises(RuntimeError, match="a page waited"):
        TestClient(FastAPI(routes=router.routes)).get("/")


def test_every_page_of_the_site_is_made_so() -> None:
    assert [route.path for module in PAGES for route in module.router.routes if not isinstance(route, Page)] == []


@pytest.mark.parametrize("path", ["/docket", "/cases/{case}", "/board", "/my-work", "/calendar"])
def test_the_pages_asked_for_most_read_as_of_one_moment_by_one_connection(house: House, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    address = path.format(case=house.file())
    app: App = house.app()
    client = TestClient(create_app(Site(app, hosts=("testserver",), scheduler=False)), follow_redirects=False)
    assert sign_in(client, "odell").status_code == 303
    client.get(address)  # the first page of a process also asks whether the database is set up
    taken: list[str] = []
    connected = Embedded.connected

    def noted(kind: Embedded) -> AbstractContextManager[Connection]:
        if kind.engine is app.store.engine:  # and not that of another test, whose threads are still at it
            taken.append(path)
        return connected(kind)

    monkeypatch.setattr(Embedded, "connected", noted)
    assert client.get(address).status_code == 200
    assert taken == [path]


def test_a_page_that_reads_as_of_one_moment_still_notes_that_the_session_was_used(house: House) -> None:
    client = house.client("wren")
    before = house.app().people.sessions("wren")[0]["seen_at"]
    house.clock.later(minutes=5)
    assert client.get("/docket").status_code == 200
    assert house.app().people.sessions("wren")[0]["seen_at"] - before >= timedelta(minutes=5)
