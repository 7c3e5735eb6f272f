"""The OpenAPI text is true: a machine that knows nothing else calls every operation with good and bad data and finds no lie."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from caseflow.web.api.room import create_api
from caseflow.web.api.text import operations
from tests.web.conftest import House

TAGS = sorted({operation["tags"][0] for _, _, operation in operations(create_api().state.text())})
JUDGED = ["2xx", "401", "403", "404", "409", "412", "422", "429"]
"""Good data may meet a case that has moved on (412), and facts that fit the shape and not the pack (422): which facts, services
and readings there are is the pack's to say, and no schema's of the program."""
CHECKS: dict[str, Any] = {
    "positive_data_acceptance": {"expected-statuses": JUDGED},
    # RFC 6585 has a status of its own for a write without its precondition.
    "missing_required_header": {"expected-statuses": ["400", "401", "403", "422", "428"]},
}


SAME_BODY = ("quote", "try_filing")
"""They take the body that `file_request` takes and nothing beside it, so every way of breaking a body by plan is tried there, once;
here it is broken at random."""


def faults_of(house: House, tag: str, token: str) -> tuple[list[str], int]:
    """Everything that schemathesis holds against the operations of a subject, and how many calls it made."""
    found, calls = _faults(house, token, True, {"tag": tag}, {"operation_id": list(SAME_BODY)})
    if tag == "Requests":
        more, also = _faults(house, token, False, {"operation_id": list(SAME_BODY)}, None)
        found, calls = found + more, calls + also
    return found, calls


def _faults(house: House, token: str, by_plan: bool, of: dict[str, Any], but: dict[str, Any] | None) -> tuple[list[str], int]:
    config = SchemathesisConfig.from_dict(
        {
            "headers": {"Authorization": f"Bearer {token}"},
            "generation": {"max-examples": 2, "mode": "all", "database": "none", "deterministic": True},
            "phases": {"stateful": {"enabled": False}, "coverage": {"enabled": by_plan}},
            "checks": CHECKS,
        }
    )
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", house.site(), config=config).include(**of)
    schema = schema.exclude(**but) if but is not None else schema
    found, calls = {}, 0
    for event in from_schema(schema).execute():
        assert not isinstance(event, events.FatalError | events.NonFatalError), event
        if isinstance(event, events.ScenarioFinished):
            calls += len(event.recorder.cases)
            for checks in event.recorder.checks.values():
                for one in checks:
                    if one.failure_info is not None:
                        failure = one.failure_info.failure
                        found[event.label, one.name] = (
                            f"{event.label}: {one.name}: {getattr(failure, 'status_code', '')} {failure.title} {failure.message}\n{one.failure_info.code_sample}"
                        )
    return list(found.values()), calls


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database that each subject begins with: two cases and somebody who oversees."""
    made = House(tmp_path_factory.mktemp("docket"))
    app = made.app()
    app.store.upgrade()
    app.people.add("odell", "Odell Halloway", "supervisor", "correct-horse-battery")
    made.file()
    made.file("individual-permit")
    app.store.close()
    with sqlite3.connect(made.folder / "case.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return made.folder / "case.db"


@pytest.fixture
def docket(filed: Path, tmp_path: Path) -> House:
    """A docket of a subject's own."""
    shutil.copy(filed, tmp_path / "case.db")
    return House(tmp_path)


@pytest.mark.parametrize("tag", TAGS)
def test_every_operation_does_what_its_description_says_for_good_and_bad_data(docket: House, tag: str) -> None:
    found, calls = faults_of(docket, tag, docket.app().tokens.make("odell", "Schemathesis", "act")["token"])
    assert calls >= 20
    assert not found, "\n\n".join(found)


def test_a_planted_lie_is_found(docket: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer of /me without one of its members."""
    from caseflow.web.api import about

    told = about.told
    monkeypatch.setattr(about, "told", lambda data: told({name: value for name, value in data.items() if name != "scope"}))
    found, _ = faults_of(docket, "About", docket.app().tokens.make("odell", "Schemathesis", "act")["token"])
    assert any("response_schema_conformance" in one for one in found)
