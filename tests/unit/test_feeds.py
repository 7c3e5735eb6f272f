"""What a calendar link tells, whatever happens to the dates: one event for each end of a clock, and readers end up with what is so."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caseflow.services.deadlines import Deadline
from caseflow.services.feeds import CALLED_OFF, FeedText, events_of, merged, uid
from caseflow.services.ports.feeds import FeedEvent
from caseflow.web.ical import ical

FIRST, LAST = date(2026, 10, 1), date(2028, 10, 1)
MOMENT = datetime(2026, 12, 1, 15, tzinfo=UTC)
HOSTILE = 'X\r\nATTENDEE:mailto:a@b.c\nEND:VEVENT\x00\u2028; , \\ " : BEGIN:VEVENT ' + "ä" * 90


def deadline(case: str = "D-1", day: date = date(2026, 12, 30), kind: str = "law", clock: str = "decision", what: str = "") -> Deadline:
    return Deadline(day, kind, case, "Ann Lee, Mill Creek", what, clock, "Time to decide", "s. 1 (2)", "permit", "Permit", "ann", False, "department")


days = st.dates(date(2026, 12, 1), date(2027, 3, 1))
states = st.dictionaries(st.tuples(st.sampled_from(["D-1", "D-2"]), st.sampled_from(["law", "target", "silence", "hold", "other"])), days, max_size=5)


@given(st.lists(st.tuples(states, st.integers(1, 80)), min_size=1, max_size=8))
def test_a_reader_that_follows_the_sequence_shows_what_is_so_after_every_reading(history: list[tuple[dict[tuple[str, str], date], int]]) -> None:
    told: dict[str, FeedEvent] = {}
    reader: dict[str, FeedEvent] = {}
    moment, revision = MOMENT, 0
    for state, waited in history:
        moment += timedelta(days=waited)
        # One end of a clock is one day, whatever it is called: a held clock of others may end the hold.
        ends = {uid(case, "decision", kind): deadline(case, day, kind) for (case, kind), day in state.items()}
        events, changed, dropped = merged(list(told.values()), events_of(ends.values()), revision, moment, (FIRST, LAST))
        assert len({event.uid for event in events}) == len(events)
        for event in events:
            known = reader.get(event.uid)
            if known is not None and event != known:
                assert event.sequence > known.sequence and event.changed_at > known.changed_at, "a reader believes the later one only"
            reader[event.uid] = event
        for name in reader.keys() - {event.uid for event in events}:
            assert reader[name].gone, "an event never just vanishes"
            assert moment - reader[name].changed_at > CALLED_OFF
        shown = {event.uid: event.day for event in reader.values() if not event.gone}
        assert shown == {name: one.day for name, one in ends.items()}
        assert {event.uid for event in changed} == {event.uid for event in events if event.changed_at == moment}
        told = {event.uid: event for event in events}
        assert not told.keys() & set(dropped)
        revision += bool(changed or dropped)


def test_reading_again_changes_nothing() -> None:
    first, changed, _ = merged([], events_of([deadline()]), 0, MOMENT, (FIRST, LAST))
    again, none, dropped = merged(first, events_of([deadline()]), 1, MOMENT + timedelta(days=3), (FIRST, LAST))
    assert changed == first == again and none == dropped == []


def test_what_a_link_no_longer_looks_at_is_not_called_off() -> None:
    told, _, _ = merged([], events_of([deadline()]), 0, MOMENT, (FIRST, LAST))
    assert merged(told, {}, 1, MOMENT, (FIRST, date(2026, 12, 29))) == (told, [], []), "too many cases: later days were not looked for"
    assert merged(told, {}, 1, MOMENT, (date(2026, 12, 31), LAST)) == ([], [], [told[0].uid]), "a day long past is forgotten"


def test_the_end_of_a_clock_is_one_event_whatever_it_is_called() -> None:
    assert uid("D-1", "answer", "hold") == uid("D-1", "answer", "other") == uid("D-1", "answer", "policy") == uid("D-1", "answer", "law")
    assert len({uid("D-1", "answer", kind) for kind in ("law", "target", "silence")}) == 3


def test_a_warning_is_no_event() -> None:
    assert events_of([deadline(kind="warning")]) == {}


def test_an_event_names_the_case_by_number_and_no_person_or_place() -> None:
    _, summary, text = events_of([deadline(what="also the target")])[uid("D-1", "decision", "law")]
    assert summary == "D-1: last day in law" and text == "Time to decide; also the target.\ns. 1 (2)\nPermit"


def text_of(*events: FeedEvent) -> bytes:
    return ical(FeedText("caseflow: my cases", events), "https://caseflow.example.gov")


def test_a_calendar_is_read_back_as_it_was_written() -> None:
    event = FeedEvent(uid("D-1", "decision", "law"), "D-1", "decision", date(2026, 12, 30), "D-1: last day in law", "Decide; now, or\nlater.", 3, MOMENT)
    found = icalendar.Calendar.from_ical(text_of(event))
    (one,) = found.walk("VEVENT")
    assert one["dtstart"].dt == date(2026, 12, 30) and one["dtstart"].params["VALUE"] == "DATE" and "dtend" not in one, "a whole day"
    assert one["uid"] == event.uid and one["sequence"] == 3 and one["dtstamp"].dt == one["last-modified"].dt == MOMENT
    assert one["summary"] == "D-1: last day in law" and one["description"].startswith("Decide; now, or\nlater.\nhttps://")
    assert one["status"] == "CONFIRMED" and one["transp"] == "TRANSPARENT" and one["url"] == "https://caseflow.example.gov/cases/D-1/why/decision"
    assert found["version"] == "2.0" and found["prodid"] and not found.errors and not one.errors


def test_an_event_that_fell_away_is_called_off() -> None:
    event = FeedEvent("u@caseflow", "D-1", "decision", date(2026, 12, 30), "D-1: last day in law", "Decide.", 4, MOMENT, gone=True)
    (one,) = icalendar.Calendar.from_ical(text_of(event)).walk("VEVENT")
    assert one["status"] == "CANCELLED" and one["summary"] == "No longer: D-1: last day in law" and one["sequence"] == 4


@pytest.mark.parametrize("place", ["summary", "text", "uid", "case", "clock"])
def test_a_hostile_text_stays_within_its_line(place: str) -> None:
    plain = {"uid": "u@caseflow", "case": "D-1", "clock": "decision", "summary": "D-1: last day", "text": "Decide."}
    event = FeedEvent(day=date(2026, 12, 30), sequence=0, changed_at=MOMENT, **{**plain, place: HOSTILE})
    made = text_of(event)
    lines = made.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines) and b"\n" not in b"".join(lines) and b"\r" not in b"".join(lines) and b"\x00" not in made
    assert not [line for line in lines if line.startswith((b"ATTENDEE", b"END:VEVENT ", b"BEGIN:VEVENT "))]
    (one,) = icalendar.Calendar.from_ical(made).walk("VEVENT")
    assert set(one) == {"UID", "DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "DTSTART", "SUMMARY", "DESCRIPTION", "URL", "STATUS", "TRANSP", "CLASS"}
    assert made.count(b"BEGIN:VEVENT\r\n") == made.count(b"END:VEVENT\r\n") == 1
