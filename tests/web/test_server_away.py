"""While the database on a server is away, the site says so in one sentence; when it is back, the site goes on by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server import Server
from tests.web.conftest import PASSWORD, PEOPLE, House, words
from tests.web.test_action_form import send


@pytest.fixture
def house(tmp_path: Path, postgres_url: str) -> House:
    """A site on a database of a server."""
    made = House(tmp_path, database=postgres_url)
    app = made.app()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    app.store.close()
    return made


def test_pages_forms_and_programs_are_told_that_the_database_is_away_and_go_on_when_it_is_back(house: House, ours: Server) -> None:
    case = house.file()
    client, program = house.client("wren"), house.program()
    form = client.get(f"/cases/{case}/do/add-note").text
    assert case in client.get("/docket").text
    ours.stop()
    try:
        page = client.get("/docket")
        assert page.status_code == 503
        assert "The database can't be reached; nothing was changed. Check that its server runs, and try again in a moment." in words(page.text)
        assert str(ours.folder) not in page.text, "nobody learns where it lies"
        posted = send(client, case, "add-note", page=form, note="Written while it was away.")
        assert posted.status_code == 503
        assert client.get("/health").json() == {"status": "failing", "database": "failing", "scheduler": "unknown"}
        asked = program.get(f"/api/v1/cases/{case}")
        assert (asked.status_code, asked.json()["type"].rpartition("#")[2]) == (503, "store-failed")
    finally:
        ours.start()
    assert case in client.get("/docket").text, "the same session goes on"
    assert send(client, case, "add-note", page=form, note="Written while it was away.").status_code == 303
    assert [one["action"] for one in house.app().timeline(case, "recorded", None)].count("add-note") == 1
    assert program.get(f"/api/v1/cases/{case}").status_code == 200
