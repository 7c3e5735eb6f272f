"""Timers and letters in every store: what is due, what fires once, and how a letter moves through the register."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from caseflow.domain.case import Case, Timer
from caseflow.errors import NotFound, StoreFault
from caseflow.services.ports.letters import RegisteredLetter
from caseflow.services.ports.store import Store

MOMENT = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
LATER = MOMENT + timedelta(hours=1)


def due(store: Store, until: datetime = LATER, limit: int = 100) -> list[tuple[str, Timer]]:
    with store.read() as work:
        return [(found.case, found.timer) for found in work.due(until, limit)]


class TestDue:
    def test_what_is_due_comes_earliest_first_up_to_the_moment_and_no_more_than_asked(self, store: Store, make: Any) -> None:
        for request, minutes in ((1, 61), (2, 60), (3, 0), (4, 30)):
            make.keep(store, make.filed(make.case(request, timers=(make.timer(at=MOMENT + timedelta(minutes=minutes)),))))
        assert [case for case, _ in due(store)] == ["D-2026-00003-1", "D-2026-00004-1", "D-2026-00002-1"]
        assert [case for case, _ in due(store, limit=2)] == ["D-2026-00003-1", "D-2026-00004-1"]
        assert due(store, MOMENT - timedelta(microseconds=1)) == []
        assert store.next_due() == MOMENT

    def test_no_open_timer_means_no_next_moment(self, store: Store, make: Any) -> None:
        assert store.next_due() is None
        timer = make.timer()
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        make.keep(store, make.acted(case, timers_canceled=(timer,)))
        assert store.next_due() is None

    def test_a_timer_comes_back_as_it_was_set(self, store: Store, make: Any) -> None:
        timer = make.timer("warn-5", action="warn-deadline", round=2)
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        assert due(store) == [(case.number, timer)]

    def test_a_canceled_timer_that_is_owed_again_is_due_again(self, store: Store, make: Any) -> None:
        timer = make.timer()
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        case = make.keep(store, make.acted(case, timers_canceled=(timer,)))
        assert due(store) == []
        make.keep(store, make.acted(case, timers_set=(timer,)))
        assert due(store) == [(case.number, timer)]

    def test_a_timer_whose_moment_moves_stays_one_timer(self, store: Store, make: Any) -> None:
        timer, moved = make.timer(), make.timer(at=LATER)
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        make.keep(store, make.acted(case, timers_canceled=(timer,), timers_set=(moved,)))
        assert due(store) == [(case.number, moved)]
        assert store.next_due() == LATER

    def test_a_timer_canceled_and_set_by_two_outcomes_of_one_transaction_is_due(self, store: Store, make: Any) -> None:
        timer = make.timer()
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        once = make.acted(case, timers_canceled=(timer,))
        make.keep(store, once, make.acted(once.case, timers_set=(timer,)))
        assert due(store) == [(case.number, timer)]

    def test_a_timer_set_and_canceled_in_one_transaction_is_not_due(self, store: Store, make: Any) -> None:
        timer = make.timer()
        filed = make.filed(make.case(timers=(timer,)))
        make.keep(store, filed, make.acted(filed.case, timers_canceled=(timer,)))
        assert due(store) == []


class TestFiring:
    def fired(self, store: Store, make: Any, timer: Timer, action: str) -> Case:
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        found: Case = make.keep(store, make.acted(case, action, fired=timer))
        return found

    @pytest.mark.parametrize("action", ["lapse", "timer-refused"])
    def test_a_timer_fires_once(self, store: Store, make: Any, action: str) -> None:
        timer = make.timer()
        case = self.fired(store, make, timer, action)
        assert due(store) == []
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(case, fired=timer))
        with store.read() as work:
            assert [entry.action for entry in work.entries(case.number)] == ["file", action]

    @pytest.mark.parametrize("action", ["lapse", "timer-refused"])
    def test_a_timer_that_has_fired_is_never_set_again(self, store: Store, make: Any, action: str) -> None:
        timer = make.timer()
        case = self.fired(store, make, timer, action)
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(case, timers_set=(timer,)))
        again = timer._replace(round=1)
        make.keep(store, make.acted(case, timers_set=(again,)))
        assert due(store) == [(case.number, again)]

    def test_a_timer_fires_once_in_one_transaction_too(self, store: Store, make: Any) -> None:
        timer = make.timer()
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        once = make.acted(case, fired=timer)
        for again in ({"fired": timer}, {"timers_set": (timer,)}):
            with pytest.raises(StoreFault):
                make.keep(store, once, make.acted(once.case, **again))
        assert due(store) == [(case.number, timer)]

    def test_a_canceled_timer_and_one_never_set_can_not_fire(self, store: Store, make: Any) -> None:
        timer = make.timer()
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        case = make.keep(store, make.acted(case, timers_canceled=(timer,)))
        for unset in (timer, make.timer("silence")):
            with pytest.raises(StoreFault):
                make.keep(store, make.acted(case, fired=unset))

    def test_a_timer_set_late_fires_in_the_transaction_that_sets_it(self, store: Store, make: Any) -> None:
        first, second = make.timer("silence-waits"), make.timer("silence")
        case = make.keep(store, make.filed(make.case(timers=(first,))))
        once = make.acted(case, fired=first, timers_set=(second,))
        twice = make.acted(once.case, fired=second)
        case = make.keep(store, once, twice)
        assert due(store) == []
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(case, fired=second))

    def test_many_cases_fire_and_cancel_in_one_transaction(self, store: Store, make: Any) -> None:
        timer, warning, later = make.timer(), make.timer("warn-5"), make.timer("silence", LATER)
        cases = [make.keep(store, make.filed(make.case(request, timers=(timer, warning)))) for request in (1, 2, 3)]
        make.keep(store, *(make.acted(case, fired=timer, timers_canceled=(warning,), timers_set=(later,)) for case in cases))
        assert due(store) == [(case.number, later) for case in cases]


class TestSettling:
    @pytest.mark.parametrize("status", ["fired", "canceled", "refused", "parked"])
    def test_a_settled_row_is_not_due(self, store: Store, make: Any, status: str) -> None:
        make.keep(store, make.filed(make.case(timers=(make.timer(),))))
        with store.begin() as work:
            work.settle(work.due(LATER, 1)[0].row, status, "why")  # type: ignore[arg-type]
        assert due(store) == []

    def test_a_parked_timer_may_still_be_fired_or_owed_again_with_its_case(self, store: Store, make: Any) -> None:
        timer = make.timer()
        cases = [make.keep(store, make.filed(make.case(request, timers=(timer,)))) for request in (1, 2)]
        with store.begin() as work:
            for found in work.due(LATER, 2):
                work.settle(found.row, "parked", "its letter can't be written")
        make.keep(store, make.acted(cases[0], fired=timer))
        make.keep(store, make.acted(cases[1], timers_set=(timer,)))
        assert due(store) == [(cases[1].number, timer)]

    def test_settling_does_not_undo_a_firing(self, store: Store, make: Any) -> None:
        timer = make.timer()
        case = make.keep(store, make.filed(make.case(timers=(timer,))))
        with store.begin() as work:
            row = work.due(LATER, 1)[0].row
            acted = make.acted(work.case(case.number), fired=timer)
            work.save(acted, make.row())
            work.settle(row, "canceled")
        with pytest.raises(StoreFault):
            make.keep(store, make.acted(acted.case, timers_set=(timer,)))

    def test_a_settling_inside_a_failed_savepoint_is_dropped(self, store: Store, make: Any) -> None:
        case = make.keep(store, make.filed(make.case(timers=(make.timer(),))))
        with store.begin() as work, pytest.raises(RuntimeError), work.savepoint():
            work.settle(work.due(LATER, 1)[0].row, "canceled")
            raise RuntimeError
        assert [number for number, _ in due(store)] == [case.number]


class TestLetters:
    def register(self, store: Store, **narrowed: Any) -> list[RegisteredLetter]:
        with store.read() as work:
            return list(work.letters(**narrowed))

    def test_a_letter_is_kept_with_its_words_data_and_addresses(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        written = make.written(filed.case, status="blocked", missing=("case.county",), leaves_at=None)
        make.keep(store, filed, letters=(written,))
        (letter,) = self.register(store)
        assert (letter.number, letter.case, letter.seq, letter.letter) == (written.owed.number, filed.case.number, 1, "notice")
        assert (letter.title, letter.subject, letter.markdown) == ("The notice", "Notice", "Dear Ann Lee,\n")
        assert letter.view == written.owed.view
        assert (letter.template_hash, letter.content_hash, letter.pack_version) == ("t", "c", filed.case.pack_version)
        assert (letter.status, letter.missing, letter.leaves_at, letter.sent_on) == ("blocked", ("case.county",), None, None)
        assert letter.recipients == (
            {"kind": "to", "role": "requester", "name": "Ann Lee", "channel": "email", "address": "ann@example.org", "status": "blocked"},
            {"kind": "copy", "role": "agent", "name": "Bo Berg", "channel": "post", "address": "1 Main St\nMadison", "status": "blocked"},
        )

    def test_letters_come_oldest_first_and_narrowed_as_asked(self, store: Store, make: Any) -> None:
        late = make.filed(make.case(1, last_on=date(2026, 12, 2)))
        early = make.filed(make.case(2))
        make.keep(store, late, letters=(make.written(late.case, "a", "L-1", leaves_at=LATER),))
        make.keep(store, early, letters=(make.written(early.case, "b", "L-2"), make.written(early.case, "c", "L-3", status="draft", leaves_at=None)))
        assert [letter.number for letter in self.register(store)] == ["L-2", "L-3", "L-1"]
        assert [letter.number for letter in self.register(store, case=late.case.number)] == ["L-1"]
        assert [letter.number for letter in self.register(store, status=("owed", "approved"))] == ["L-2", "L-1"]
        assert [letter.number for letter in self.register(store, until=LATER - timedelta(seconds=1))] == ["L-2", "L-3"]
        assert [letter.number for letter in self.register(store, until=LATER)] == ["L-2", "L-3", "L-1"]

    def test_a_letter_moves_and_keeps_the_day_it_was_sent(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        written = make.written(filed.case)
        make.keep(store, filed, letters=(written,))
        for status, on in (("handed-over", date(2026, 12, 1)), ("delivered", None)):
            with store.begin() as work:
                work.letter_status(written.owed.number, status, on, "receipt 7" if on else "")
        with store.read() as work:
            letter = work.letter(written.owed.number)
        assert (letter.status, letter.sent_on) == ("delivered", date(2026, 12, 1))
        assert {person["status"] for person in letter.recipients} == {"delivered"}

    def test_only_letters_that_wait_are_canceled(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        letters = tuple(make.written(filed.case, name, name) for name in ("waits", "went", "drafted"))
        make.keep(store, filed, letters=letters)
        with store.begin() as work:
            work.letter_status("went", "handed-over", date(2026, 12, 1))
            work.letter_status("drafted", "draft")
        make.keep(store, make.acted(filed.case, canceled_letters=("waits", "went", "drafted")))
        assert {letter.number: letter.status for letter in self.register(store)} == {
            "waits": "canceled",
            "went": "handed-over",
            "drafted": "canceled",
        }

    def test_moving_an_unknown_letter_is_refused_and_undoes_the_rest(self, store: Store, make: Any) -> None:
        filed = make.filed(make.case())
        written = make.written(filed.case)
        make.keep(store, filed, letters=(written,))
        with pytest.raises(NotFound, match="L-9"), store.begin() as work:
            work.letter_status(written.owed.number, "handed-over")
            work.letter_status("L-9", "handed-over")
        assert self.register(store)[0].status == "owed"
