"""The OpenAPI text is true: a machine that knows nothing else calls every operation with good and bad data and finds no lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from caseflow.web.api.room import create_api
from caseflow.web.api.text import operations
from tests.web.conftest import House

OPERATIONS = [(path, method) for path, method, _ in operations(create_api().state.text())]


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """The description of a served docket, and a token that may do everything that a supervisor may."""
    made = House(tmp_path_factory.mktemp("api"))
    made.app().store.upgrade()
    made.app().people.add("odell", "Odell", "supervisor", "correct-horse-battery")
    made.file()
    made.file("individual-permit")
    token = made.app().tokens.make("odell", "Schemathesis", "act")["token"]
    yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", made.site()), token
    made.app().store.engine.dispose()


@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=[f"{method.upper()} {path}" for path, method in OPERATIONS])
def test_an_operation_does_what_its_description_says_for_good_and_bad_data(called: tuple[Any, str], path: str, method: str) -> None:
    schema, token = called
    operation = schema[path][method]

    @schema.include(path=operation.path, method=method).parametrize()
    def call(case: Any) -> None:
        case.call_and_validate(headers={"authorization": f"Bearer {token}"})

    call = None
