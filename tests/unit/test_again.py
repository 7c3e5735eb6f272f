"""A transaction that did nothing is done again, a few times and no more; what else fails is not."""

from __future__ import annotations

import pytest

from caseflow.errors import KeyRefused, StoreFault, TryAgain
from caseflow.services import again as module
from caseflow.services.again import again


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSES", (0.0, 0.0))


def test_it_is_done_up_to_three_times_and_one_within_another_does_not_multiply_them() -> None:
    tries: list[str] = []

    @again
    def inner() -> None:
        tries.append("inner")
        raise TryAgain("crossed")

    @again
    def outer() -> None:
        tries.append("outer")
        inner()

    with pytest.raises(TryAgain):
        outer()
    assert tries == ["outer", "inner", "inner", "inner"]


def test_the_answer_is_that_of_the_try_that_was_done() -> None:
    left = [TryAgain("crossed"), TryAgain("lost")]

    @again
    def work(one: int, *, two: int) -> int:
        if left:
            raise left.pop()
        return one + two

    assert work(1, two=2) == 3


@pytest.mark.parametrize("fault", [StoreFault("full"), KeyRefused("twice"), ValueError("wrong")])
def test_what_would_fail_again_or_may_have_been_done_is_not_repeated(fault: Exception) -> None:
    tries = []

    @again
    def work() -> None:
        tries.append(1)
        raise fault

    with pytest.raises(type(fault)):
        work()
    assert len(tries) == 1


def test_a_case_that_can_not_be_shown_after_something_was_recorded_is_never_told_as_unchanged() -> None:
    from caseflow.errors import NotKnown
    from caseflow.services import reading
    from tests.unit.dockets import Office as Docket

    docket = Docket()
    case = docket.file("2027-01-05")
    app = docket.on("2027-01-05")
    real, calls = app.office.packs.of, []

    def away(*_: object) -> None:
        calls.append(1)
        raise TryAgain("The database can't be reached; nothing was changed.")

    app.office.packs.of = away
    with pytest.raises(NotKnown, match="it was recorded"):
        reading.recorded(app.office, case)
    app.office.packs.of = real
    assert len(calls) == 3, "a reading is tried again first"
