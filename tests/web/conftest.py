"""A site on a small docket: two cases filed on November 30, people of every role, and a browser without a window."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from argon2 import PasswordHasher
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from starlette.testclient import TestClient

from caseflow.adapters.passwords import Argon2
from caseflow.bootstrap import App
from caseflow.services.applicants import Applicants
from caseflow.services.exactly import Answers
from caseflow.services.people import People, roles_of
from caseflow.services.tokens import Tokens
from caseflow.web.app import create_app
from caseflow.web.site import Site, environment
from tests.conftest import PACK

PASSWORD = "correct-horse-battery"  # noqa: S105 - of a test
PEOPLE = {"wren": "staff", "odell": "supervisor", "ada": "auditor", "max": "administrator"}
SCRIPT = "<script>alert('x')</script>"
PACKED = Argon2(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


class Compiled(BytecodeCache):
    """The pages as they were compiled once, for every site that the tests make."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


@dataclass
class Clock:
    """The moment by which sessions and wrong guesses are judged."""

    moment: datetime = field(default_factory=lambda: datetime(2026, 12, 1, 15, 0, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.moment

    def later(self, **span: float) -> None:
        self.moment += timedelta(**span)


@dataclass
class House:
    """One database and the site over it at a moment."""

    folder: Path
    clock: Clock = field(default_factory=Clock)
    packs: str | None = None
    database: str | None = None

    def app(self, moment: str = "2026-12-01T09:00") -> App:
        made = App(database=self.database or f"sqlite:///{self.folder / 'case.db'}", packs=self.packs, at=moment, maildrop=str(self.folder / "mail"))
        made.tokens = Tokens(made.store.programs, made.store.accounts, self.clock, lambda: roles_of(made.library.all()))
        made.answers = Answers(made.store.programs, self.clock)
        made.people = People(made.store.accounts, PACKED, self.clock, lambda: roles_of(made.library.all()))
        made.applicants = Applicants(made.office, made.store, made.documents, self.clock)
        return made

    def site(self, moment: str = "2026-12-01T09:00", **more: Any) -> Callable[..., Any]:
        pages = environment()
        pages.bytecode_cache = COMPILED
        return create_app(Site(self.app(moment), **{"templates": pages, "hosts": ("testserver", "localhost", "127.0.0.1"), "scheduler": False, **more}))

    def client(self, who: str | None = "wren", moment: str = "2026-12-01T09:00", **more: Any) -> TestClient:
        """A browser, signed in."""
        made = TestClient(self.site(moment, **more), follow_redirects=False)
        if who is not None:
            assert sign_in(made, who).status_code == 303
        return made

    def program(self, who: str = "wren", scope: str = "act", moment: str = "2026-12-01T09:00", **more: Any) -> TestClient:
        """A program with a token of somebody."""
        made = self.app(moment).tokens.make(who, "Sync of the permit desk", scope)["token"]
        return TestClient(self.site(moment, **more), headers={"authorization": f"Bearer {made}"}, raise_server_exceptions=False)

    def file(self, workflow: str = "navigability-confirmation", moment: str = "2026-11-30T09:00", **more: Any) -> str:
        """Files the workflow's complete sample; the answer is the number of its case."""
        app = self.app(moment)
        sample = app.read_yaml(str(PACK / "samples" / workflow / "complete.yaml"))
        return str(app.file({**sample, **more})["cases"][0]["case"])

    def act(self, case: str, action: str, moment: str, **facts: Any) -> dict[str, Any]:
        return self.app(moment).act(case, action, facts, None, "wren:staff", None, None, False)


def sign_in(client: TestClient, name: str, password: str = PASSWORD, **more: str) -> Any:
    """Fills the form of the sign-in page and sends it."""
    return client.post("/sign-in", data={"name": name, "password": password, "form_token": token(client.get("/sign-in").text), **more})


def token(page: str) -> str:
    """The token in the forms of a page."""
    found = re.search(r'name="form_token" value="([0-9a-f]{64})"', page)
    assert found, page[:2000]
    return found[1]


def words(page: str) -> str:
    """The words of a page, as they are read."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</?(time|b|s|a)\b[^>]*>", "", page))).split())


@pytest.fixture(scope="session")
def empty_house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with an account for each role and no case, to be copied."""
    made = House(tmp_path_factory.mktemp("empty"))
    app = made.app()
    app.store.upgrade()
    for name, role in PEOPLE.items():
        app.people.add(name, f"{name.capitalize()} Halloway", role, PASSWORD)
    app.store.engine.dispose()  # the last connection writes the log into the file
    return made.folder / "case.db"


@pytest.fixture
def house(tmp_path: Path, empty_house: Path) -> House:
    """A new database with an account for each role."""
    copy(empty_house, tmp_path / "case.db")
    return House(tmp_path)
