"""A letter's way: written whole or not at all, signed, written into where its template says so, sent once, proven, corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.mail import NoMail
from caseflow.domain.case import Actor
from caseflow.domain.mailing import ATTEMPTS, BACK_OFF, again_at
from caseflow.errors import AnswerUnknown, BadInput, LetterFault, NotNow, NotTaken, Refused, WayDown
from caseflow.services import acting, dispatching, evidence, printing
from caseflow.services.ports.mail import Handed, Parcel
from tests.unit.pack_texts import FACTS, FLOW, LETTERS, PACK, faults_of, sound, spoiled
from tests.unit.small_office import Desk

SILENT = "2026-12-15"  # filed on Monday, November 30; ten business days end on December 14, and silence grants on the day after
STAFF = Actor("person", "ann", "staff")


def changed(*changes: tuple[str, str, str]) -> dict[str, str]:
    files = sound()
    for file, old, new in changes:
        files = spoiled(file, old, new, files)
    return files


ASKED = (
    (FLOW, "takes: [reason], cite", "takes: [reason], letters: receipt, cite"),
    ("templates/receipt.md", 'We answer by {{ clocks["answer"].due | day }}.', "We answer soon."),
)
SIGNED = (LETTERS, "answer: {title: Our answer,", "answer: {title: Our answer, approval: supervisor,")
PLACED = ("templates/answer.md", "{{ act.facts.answer", "{# place: remarks #}\n\nThe law says so.\n\n{{ act.facts.answer")
INSPECTED = (
    ("templates/granted-by-silence.md", "Nobody answered", "Seen by {{ facts.inspector }} for {{ facts.reason | sentence }} Nobody answered"),
    (FACTS, "facts:\n", "facts:\n  inspector: {type: text, title: Inspector}\n"),
    (FLOW, "may-take: [girth_cm]", "may-take: [girth_cm, inspector]"),
)


def desk(tmp_path: Path, *changes: tuple[str, str, str]) -> Desk:
    return Desk(tmp_path, changed(*changes))


def decided(at: Desk) -> str:
    """A case that was filed and answered; its answer is letter 2."""
    case = str(at.file("2026-11-30")["cases"][0]["case"])
    at.act("2026-12-01", case, "decide", answer="You may")
    return case


def letter(at: Desk, number: str, day: str = "2027-01-04") -> dict[str, Any]:
    return at.app(day).letter(number)


def tasks(at: Desk, case: str, day: str = "2027-01-04") -> dict[str, str]:
    return {task["id"]: task["for"] for task in at.app(day).show(case)["tasks"]}


def sound_record(at: Desk) -> bool:
    return not at.app("2027-01-04").verify(None)["faults"]


class Way(NoMail):
    """A way out that does what a test says, hand-over by hand-over, and keeps what it was given."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.given = list(answers), []

    def message_id(self, letter: Any, copy: Any) -> str:
        return f"<{copy.id}@example.gov>"

    def hand_over(self, parcel: Parcel) -> Handed:
        self.given.append(parcel)
        answer = self.answers.pop(0) if self.answers else None
        if callable(answer):
            answer = answer()
        if isinstance(answer, Exception):
            raise answer
        return Handed(f"taken {parcel.copy.id}", self.digest(parcel))


def send(at: Desk, moment: str, way: Way) -> dispatching.Dispatched:
    office = replace(at.app(moment[:10]).office, mail=way, with_pdf=False)
    return dispatching.dispatch(office, datetime.fromisoformat(moment).replace(tzinfo=UTC), at_once=True)


# --- never with a hole ------------------------------------------------------------------------------------------------


class TestHoles:
    def test_everything_that_is_missing_is_named_at_once_by_preview_and_by_the_refusal(self, tmp_path: Path) -> None:
        files = changed(
            (
                "templates/answer.md",
                "{{ act.facts.answer",
                "{{ facts.inspector }} on {{ facts.seen_on | day }} {% for x in facts.seen %}{% endfor %}{{ act.facts.answer",
            ),
            (FACTS, "facts:\n", "facts:\n  inspector: {type: text, title: Inspector}\n"),
            (FLOW, "takes: [answer]", "takes: [answer], may-take: [inspector]"),
        )
        at = Desk(tmp_path, files)
        case = str(at.file("2026-11-30")["cases"][0]["case"])

        with pytest.raises(LetterFault) as seen:
            at.app("2026-12-01").preview(case, "answer", "decide", {"answer": "You may"})
        with pytest.raises(LetterFault) as refused:
            at.act("2026-12-01", case, "decide", answer="You may")

        assert seen.value.missing == refused.value.missing == ("inspector", "seen_on", "seen")
        assert "inspector, seen_on and seen, which are not stated" in str(refused.value)
        assert at.app("2026-12-01").show(case)["version"] == 1

    def test_a_fact_that_is_there_and_empty_is_a_hole_too(self, tmp_path: Path) -> None:
        at = desk(
            tmp_path,
            ("templates/answer.md", "{{ act.facts.answer", "By {{ act.facts.inspector }}. {{ act.facts.answer"),
            (FACTS, "facts:\n", "facts:\n  inspector: {type: text, title: Inspector}\n"),
            (FLOW, "takes: [answer]", "takes: [answer], may-take: [inspector]"),
        )
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        with pytest.raises(LetterFault, match="inspector"):
            at.act("2026-12-01", case, "decide", answer="You may", inspector="  ")
        at.act("2026-12-01", case, "decide", answer="You may", inspector="Bo Berg")

    def test_a_letter_owed_by_the_law_is_blocked_and_written_once_what_was_missing_is_stated(self, tmp_path: Path) -> None:
        at = desk(tmp_path, *INSPECTED)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        at.app(SILENT).sweep(None)
        number = f"{case}-L2"

        shown = at.app(SILENT).show(case)
        assert (shown["state"], shown["disposition"]) == ("closed", "granted-by-silence")
        assert letter(at, number)["status"] == "blocked"
        assert letter(at, number)["missing"] == ["inspector", "reason"]
        assert tasks(at, case) == {f"letter-blocked:{number}": "supervisor"}
        assert send(at, f"{SILENT}T20:00", Way()).sent == 1  # the receipt alone
        with pytest.raises(LetterFault, match="reason"):
            at.app("2026-12-16").retry_letter(number, {"inspector": "Bo Berg"}, "sue:supervisor")
        with pytest.raises(BadInput, match="inspecter"):
            at.app("2026-12-16").retry_letter(number, {"inspecter": "Bo Berg"}, "sue:supervisor")

        at.app("2026-12-16").retry_letter(number, {"inspector": "Bo Berg", "reason": "A storm"}, "sue:supervisor")

        assert letter(at, number)["status"] == "owed"
        assert "Seen by Bo Berg for A storm." in letter(at, number)["text"]
        assert tasks(at, case) == {}
        assert [entry["action"] for entry in at.app(SILENT).timeline(case, "recorded", None)][-3:] == ["letter-blocked", "letter-sent", "letter-written"]
        with pytest.raises(Refused, match="only a blocked one"):
            at.app("2026-12-16").retry_letter(number, {}, "sue:supervisor")
        assert sound_record(at)


# --- signed, and written into ---------------------------------------------------------------------------------------


class TestWords:
    def test_drafts_that_have_not_waited_too_long_are_looked_at_without_a_writing_transaction(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        at = desk(tmp_path, SIGNED)
        decided(at)
        decided(at)
        office = at.app("2026-12-07").office
        begun: list[None] = []
        begin = office.store.begin
        monkeypatch.setattr(office.store, "begin", lambda: begun.append(None) or begin())

        def escalated(day: str) -> tuple[int, int]:
            begun.clear()
            return dispatching.escalate(office, datetime.fromisoformat(f"{day}T20:00").replace(tzinfo=UTC)), len(begun)

        assert escalated("2026-12-07") == (0, 0)
        assert escalated("2026-12-08") == (2, 2)
        assert escalated("2026-12-09") == (0, 0), "their tasks are there"

    def test_a_letter_that_somebody_signs_waits_and_after_five_office_days_is_a_supervisors_task(self, tmp_path: Path) -> None:
        at = desk(tmp_path, SIGNED)
        case = decided(at)
        number = f"{case}-L2"

        assert tasks(at, case) == {f"letter-approval:{number}": "supervisor"}
        send(at, "2026-12-07T20:00", Way())  # December 1 and four business days
        assert letter(at, number)["status"] == "draft"
        assert f"letter-waits:{number}" not in tasks(at, case)
        for _ in range(2):
            send(at, "2026-12-08T20:00", Way())
        assert tasks(at, case) == {f"letter-approval:{number}": "supervisor", f"letter-waits:{number}": "supervisor"}
        assert [entry["action"] for entry in at.app(SILENT).timeline(case, "recorded", None)].count("letter-waits") == 1

        with pytest.raises(Refused, match="a supervisor approves"):
            at.app("2026-12-09").approve(number, "ann:staff")
        at.app("2026-12-09").approve(number, "sue:supervisor")
        with pytest.raises(Refused, match="only a draft"):
            at.app("2026-12-09").approve(number, "sue:supervisor")
        assert tasks(at, case) == {}
        assert send(at, "2026-12-09T20:00", Way()).sent == 1
        assert sound_record(at)

    def test_a_remark_stands_in_its_place_and_nothing_else_of_the_letter_changes(self, tmp_path: Path) -> None:
        at = desk(tmp_path, PLACED)
        number = f"{decided(at)}-L2"
        before = letter(at, number)
        assert before["places"] == {"remarks": ""}

        at.app("2026-12-01").edit_letter(number, "remarks", "We saw it.\n\n# Not a heading <b>", "ann:staff")

        after = letter(at, number)
        assert after["text"] == before["text"].replace("The law says so.", "We saw it.\n\n# Not a heading <b>\n\nThe law says so.")
        assert after["markdown"].split("[//]: # (end remarks)")[1] == before["markdown"].split("[//]: # (end remarks)")[1]
        assert after["content_hash"] != before["content_hash"]
        assert (after["edits"][0]["was"], after["edits"][0]["text"], after["edits"][0]["by"]) == ("", "We saw it.\n\n# Not a heading <b>", "ann")
        assert after["status"] == "draft"
        assert "<h1>" not in after["html"]
        assert "<b>" not in after["html"]
        at.app("2026-12-01").approve(number, "ann:staff")
        assert send(at, "2026-12-02T20:00", Way()).sent == 2
        with pytest.raises(Refused, match="handed-over"):
            at.app("2026-12-03").edit_letter(number, "remarks", "Late", "ann:staff")
        assert sound_record(at)

    def test_only_a_marked_place_takes_a_text_and_a_bounded_one(self, tmp_path: Path) -> None:
        at = desk(tmp_path, PLACED)
        case = decided(at)
        with pytest.raises(BadInput, match=r"no place 'remark'; did you mean 'remarks'\?"):
            at.app("2026-12-01").edit_letter(f"{case}-L2", "remark", "x", "ann:staff")
        with pytest.raises(BadInput, match="marks none"):
            at.app("2026-12-01").edit_letter(f"{case}-L1", "remarks", "x", "ann:staff")
        with pytest.raises(BadInput, match="5,000"):
            at.app("2026-12-01").edit_letter(f"{case}-L2", "remarks", "x" * 5000, "ann:staff")

    def test_a_value_can_not_make_a_place(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        at.act("2026-12-01", case, "decide", answer="x\n\n[//]: # (place law)\n\n[//]: # (end law)\n\n{# place: law #}")
        assert letter(at, f"{case}-L2")["places"] == {}

    def test_the_code_stands_on_the_copy_of_who_asked_and_on_no_other_and_not_in_the_register(self, tmp_path: Path) -> None:
        mark = "{# for-addressee #}\nRead your case with the code {# access-code #}.\n{# end-addressee #}\n\n{{ act.facts.answer"
        at = desk(
            tmp_path,
            ("templates/answer.md", "{{ act.facts.answer", mark),
            (LETTERS, "answer: {title: Our answer,", "answer: {title: Our answer, copies: [third-party],"),
        )
        case = str(at.file("2026-11-30", third_party={"name": "Bo Berg", "email": "bo@example.org"})["cases"][0]["case"])
        at.act("2026-12-01", case, "decide", answer="You may")
        way = Way()
        send(at, "2026-12-02T20:00", way)
        own, other = (parcel for parcel in way.given if parcel.letter.letter == "answer")

        assert own.copy.role == "requester"
        code = own.text.split("with the code ")[1].split(".")[0]
        assert len(code) == 14
        assert code in own.html
        assert code not in other.text + other.html + other.markdown
        assert "Read your case" not in other.text
        assert code not in str(letter(at, f"{case}-L2"))

    def test_a_correction_is_a_new_letter_and_the_sent_one_never_changes(self, tmp_path: Path) -> None:
        block = "{% if corrects %}\nThis corrects letter {{ corrects.number }} of {{ corrects.date | day }}. {{ corrects.because | sentence }}\n\n{% endif %}\n{{ act.facts.answer"
        at = desk(tmp_path, ("templates/answer.md", "{{ act.facts.answer", block))
        case = decided(at)
        old = f"{case}-L2"
        send(at, "2026-12-02T20:00", Way())
        before = letter(at, old)

        new = at.app("2026-12-03").correct_letter(old, "The tree was the wrong one", "ann:staff")

        assert (new["number"], new["corrects"], new["status"]) == (f"{case}-L3", old, "owed")
        assert f"This corrects letter {old} of Tuesday, December 1, 2026. The tree was the wrong one." not in before["text"]
        assert f"This corrects letter {old} of Wednesday, December 2, 2026. The tree was the wrong one." in " ".join(new["text"].split())
        after = letter(at, old)
        assert {key: after[key] for key in before if key != "corrected_by"} == {key: before[key] for key in before if key != "corrected_by"}
        assert after["corrected_by"] == new["number"]
        with pytest.raises(Refused, match=f"{new['number']} corrects it already"):
            at.app("2026-12-03").correct_letter(old, "Again", "ann:staff")
        again = at.app("2026-12-04").correct_letter(str(new["number"]), "Still wrong", "ann:staff")
        assert letter(at, str(new["number"]))["status"] == "superseded"
        assert send(at, "2026-12-04T20:00", Way()).sent == 1
        assert letter(at, str(again["number"]))["status"] == "handed-over"
        assert sound_record(at)

    def test_a_template_that_does_not_say_what_it_corrects_writes_no_correction(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = decided(at)
        with pytest.raises(LetterFault, match="does not say which letter it corrects"):
            at.app("2026-12-03").correct_letter(f"{case}-L2", "Wrong", "ann:staff")


# --- sent, once -------------------------------------------------------------------------------------------------------


class TestSending:
    def test_a_copy_is_tried_after_1_5_15_and_60_minutes_and_after_three_days_goes_to_a_person(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        moment = datetime(2026, 11, 30, 20, tzinfo=UTC)
        assert BACK_OFF[:4] == (1, 5, 15, 60)
        for number in range(1, ATTEMPTS + 1):
            office = replace(at.app("2026-11-30").office, mail=Way(NotNow("451 wait")), with_pdf=False)
            early = dispatching.dispatch(office, moment.replace(second=0) if number == 1 else moment, at_once=True)
            assert (early.waiting, early.refused) == ((1, 0) if number < ATTEMPTS else (0, 1))
            office = replace(office, mail=Way())
            if (again := again_at(number, moment)) is not None:
                assert dispatching.dispatch(office, again.replace(second=0, microsecond=0) - (again - moment) / 2).sent == 0
                moment = again
        assert letter(at, f"{case}-L1")["status"] == "bounced"
        assert [one["outcome"] for one in letter(at, f"{case}-L1")["copies"][0]["attempts"]] == ["later"] * (ATTEMPTS - 1) + ["refused"]
        assert tasks(at, case, "2026-12-04") == {f"letter-failed:{case}-L1-1": "staff"}
        assert sound_record(at)

    def test_a_letter_whose_page_can_not_be_set_is_tried_again_by_itself_and_one_that_lacks_words_waits_for_them(self, tmp_path: Path) -> None:
        at = desk(tmp_path, *INSPECTED)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        at.app(SILENT).sweep(None)
        receipt, granted = f"{case}-L1", f"{case}-L2"

        class Press:
            works = False

            def __getattr__(self, name: str) -> Any:
                return getattr(writer, name)

            def pdf(self, *_: Any) -> bytes:
                if not self.works:
                    raise LetterFault("The page setter died.", "receipt")
                return b"%PDF-1.7"

        writer, press, way = at.app(SILENT).office.letters, Press(), Way()
        moment = datetime(2026, 12, 15, 20, tzinfo=UTC)

        def dispatched(after: timedelta) -> dispatching.Dispatched:
            return dispatching.dispatch(replace(at.app(SILENT).office, letters=press, mail=way, with_pdf=True), moment + after)  # type: ignore[arg-type]

        assert dispatched(timedelta()).waiting == 1
        press.works = True
        assert dispatched(timedelta(seconds=59)).sent == 0
        assert (letter(at, receipt)["status"], letter(at, granted)["status"], way.given) == ("owed", "blocked", [])
        assert dispatched(timedelta(minutes=1)).sent == 1
        assert [one["outcome"] for one in letter(at, receipt)["copies"][0]["attempts"]] == ["later", "accepted"]
        for days in range(1, 5):
            dispatched(timedelta(days=days))
        assert (letter(at, granted)["status"], letter(at, granted)["missing"]) == ("blocked", ["inspector", "reason"])
        assert tasks(at, case) == {f"letter-blocked:{granted}": "supervisor"}, "to try again states nothing"
        assert [entry["action"] for entry in at.app(SILENT).timeline(case, "recorded", None)].count("letter-blocked") == 1

    def test_a_server_that_can_not_be_reached_is_tried_three_times_a_run_and_not_once_a_letter(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        for _ in range(6):
            at.file("2026-11-30")
        down = Way(*[WayDown("The mail server can't be reached.")] * 9)

        assert send(at, "2026-11-30T20:00", down).waiting == 3
        assert len(down.given) == 3
        assert send(at, "2026-11-30T20:02", Way()).sent == 6

    def test_a_refusal_opens_a_task_that_offers_the_post_and_the_letter_counts_as_sent_only_then(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        number = f"{decided(at)}-L2"
        case = number.rpartition("-")[0]
        send(at, "2026-12-01T20:00", Way(None, NotTaken("550 no such mailbox.")))
        assert (letter(at, number)["status"], letter(at, number)["sent_on"]) == ("bounced", None)
        assert list(tasks(at, case)) == [f"letter-failed:{number}-1"]
        assert "by post (letters resend)" in at.app("2026-12-02").show(case)["tasks"][0]["text"]
        with pytest.raises(BadInput, match="No postal address"):
            at.app("2026-12-02").resend_letter(number, None, "post", (), "ann:staff")
        for bad in ("eve@example.org,bo@example.org", "mailto:eve@example.org"):
            with pytest.raises(BadInput):
                at.app("2026-12-02").resend_letter(number, None, "email", (bad,), "ann:staff")

        at.app("2026-12-02").resend_letter(number, None, "post", ("4 Mill Lane", "Oakville"), "ann:staff")

        assert tasks(at, case) == {}
        assert send(at, "2026-12-03T20:00", Way()).sent == 1
        done = letter(at, number)
        assert (done["status"], done["sent_on"]) == ("handed-over", "2026-12-03")
        assert [(copy["channel"], copy["status"], copy["replaces"]) for copy in done["copies"]] == [
            ("email", "bounced", None),
            ("post", "handed-over", f"{number}-1"),
        ]
        with pytest.raises(Refused, match="bounced or returned"):
            at.app("2026-12-04").resend_letter(number, "2", "post", ("1 Road",), "ann:staff")
        assert sound_record(at)

    def test_a_lost_answer_is_noted_and_the_same_bytes_go_again_under_the_same_name(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        way = Way(AnswerUnknown("The line dropped."))
        send(at, "2026-11-30T20:00", way)
        assert letter(at, f"{case}-L1")["status"] == "answer-unknown"
        send(at, "2026-11-30T20:01", way)

        first, second = way.given
        assert (first.copy.message_id, first.text, first.html, first.at) == (second.copy.message_id, second.text, second.html, second.at)
        assert letter(at, f"{case}-L1")["status"] == "handed-over"
        actions = [entry["action"] for entry in at.app("2026-12-01").timeline(case, "recorded", None)]
        assert actions == ["file", "letter-unanswered", "letter-sent"]
        assert sound_record(at)

    def test_bytes_that_can_not_be_made_again_are_not_sent_in_another_form(self, tmp_path: Path) -> None:
        class Other(Way):
            def digest(self, parcel: Parcel) -> str:
                return "another"

        at = desk(tmp_path)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        send(at, "2026-11-30T20:00", Way(AnswerUnknown("The line dropped.")))
        way = Other()
        send(at, "2026-11-30T20:01", way)

        assert way.given == []
        assert letter(at, f"{case}-L1")["status"] == "bounced"
        assert f"letter-failed:{case}-L1-1" in tasks(at, case)

    def test_a_frozen_run_that_comes_back_changes_nothing(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = str(at.file("2026-11-30")["cases"][0]["case"])

        def frozen() -> None:
            """While the first run hangs, its claim runs out, and another hands the copy over."""
            send(at, "2026-11-30T20:11", Way())

        send(at, "2026-11-30T20:00", Way(frozen))
        copy = letter(at, f"{case}-L1")["copies"][0]
        assert [one["outcome"] for one in copy["attempts"]] == ["unknown", "accepted"]
        assert [entry["action"] for entry in at.app("2026-12-01").timeline(case, "recorded", None)].count("letter-sent") == 1
        assert sound_record(at)

    def test_an_act_voided_while_its_letter_is_handed_over_keeps_what_was_used_up(self, tmp_path: Path) -> None:
        at = desk(tmp_path, *ASKED)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        send(at, "2026-11-30T20:00", Way())
        at.act("2026-12-01", case, "ask", reason="Which tree")

        def voided() -> None:
            acting.void(at.app("2026-12-01").office, case, 3, "Wrong case", STAFF, datetime(2026, 12, 1, 20, tzinfo=UTC))

        made = send(at, "2026-12-01T20:00", Way(voided))

        assert made.sent == 1
        assert letter(at, f"{case}-L2")["status"] == "handed-over"
        shown = at.app("2026-12-02").show(case)
        assert shown["limits"][0]["used"] == 1
        assert shown["state"] == "open"
        assert sound_record(at)

    def test_an_act_voided_before_anything_left_cancels_its_letter(self, tmp_path: Path) -> None:
        at = desk(tmp_path, *ASKED)
        case = str(at.file("2026-11-30")["cases"][0]["case"])
        at.act("2026-12-01", case, "ask", reason="Which tree")

        def voided() -> Exception:
            acting.void(at.app("2026-12-01").office, case, 2, "Wrong case", STAFF, datetime(2026, 12, 1, 20, tzinfo=UTC))
            return NotNow("451 wait")

        send(at, "2026-12-01T20:00", Way(None, voided))
        assert letter(at, f"{case}-L2")["status"] == "canceled"
        assert {copy["status"] for copy in letter(at, f"{case}-L2")["copies"]} == {"canceled"}
        assert at.app("2026-12-02").show(case)["limits"][0]["used"] == 0
        assert sound_record(at)

    def test_days_on_the_way_are_the_packs_and_start_the_clock_later(self, tmp_path: Path) -> None:
        clock = "clocks:\n  review: {title: Time to object, length: {days: 10}, starts: [{after: decide, counted-from: {sent: this-act}}], actor: owner, cite: By-law 9}\n"
        late = (PACK, "agency:", "served-after: {post: {days: 3}, email: {business-days: 1}, cite: By-law 9}\nagency:")
        for place, (changes, start) in enumerate([((), "2026-12-04"), ((late,), "2026-12-07")]):  # sent on Friday, December 4
            at = desk(tmp_path / str(place), (FLOW, "clocks:\n", clock), *changes)
            case = decided(at)
            send(at, "2026-12-04T20:00", Way())
            clocks = {one["id"]: one for one in at.app("2026-12-08").show(case)["clocks"]}
            assert clocks["review"]["start"] == start
            assert letter(at, f"{case}-L2")["sent_on"] == "2026-12-04"
            assert sound_record(at)

    def test_a_clock_that_runs_from_the_sending_does_not_run_before_it_is_proven(self, tmp_path: Path) -> None:
        clock = "clocks:\n  review: {title: Time to object, length: {days: 10}, starts: [{after: decide, counted-from: {sent: this-act}}], actor: owner, cite: By-law 9}\n"
        at = desk(tmp_path, (FLOW, "clocks:\n", clock))
        case = decided(at)
        send(at, "2026-12-04T20:00", Way(None, AnswerUnknown("The line dropped.")))
        clocks = {one["id"]: one for one in at.app("2026-12-08").show(case)["clocks"]}
        assert clocks["review"]["start"] is None
        evidence.record(at.app("2026-12-08").office, f"{case}-L2", "delivered", None, "She says so", None, STAFF)
        clocks = {one["id"]: one for one in at.app("2026-12-08").show(case)["clocks"]}
        assert clocks["review"]["start"] == "2026-12-04"
        assert sound_record(at)

    @pytest.mark.parametrize("unit", ["weeks", "months"])
    def test_days_on_the_way_are_counted_in_days(self, tmp_path: Path, unit: str) -> None:
        faults = faults_of(changed((PACK, "agency:", f"served-after: {{post: {{{unit}: 1}}, cite: x}}\nagency:")))
        assert [fault for fault in faults if "days or business-days" in fault.text]


# --- by post ----------------------------------------------------------------------------------------------------------


class TestPost:
    def paper(self, at: Desk, names: Sequence[str] = ("Ann Lee",)) -> list[str]:
        people = [{"name": name, "capacity": "owner", "address": ["4 Mill Lane", "Oakville"], "channel": "post"} for name in names]
        return [str(at.file("2026-11-30", requester=person)["cases"][0]["case"]) for person in people]

    def test_a_batch_is_one_pdf_with_separators_and_a_mailing_record_and_is_the_same_when_made_again(self, tmp_path: Path) -> None:
        from pypdf import PdfReader

        at = desk(tmp_path)
        self.paper(at, ("Ann Lee", "=cmd|' /C calc'!A0"))
        made = at.app("2026-11-30").print_batch(str(tmp_path / "out"), None, True)
        pdf, table, page = (Path(name) for name in made["files"])

        assert (made["batch"], made["copies"]) == ("POST-2026-00001", 2)
        pages = [one.extract_text() for one in PdfReader(pdf).pages]
        assert ["Separator sheet" in text for text in pages] == [True, False, True, False]
        assert "Ann Lee" in pages[0]
        assert "we have your request for the oak at Mill Lane 4" in " ".join(pages[1].split())
        rows = table.read_text().splitlines()
        assert rows[1].startswith('1,OAK-2026-00001-1-L1,OAK-2026-00001-1-L1-1,OAK-2026-00001-1,Ann Lee,"4 Mill Lane, Oakville"')
        assert ",'=cmd|" in rows[2]
        assert "2 copies by post" in page.read_text()
        kept = table.read_text()
        assert at.app("2026-12-01").print_batch(str(tmp_path / "again"), "POST-2026-00001", False)["copies"] == 2
        assert (tmp_path / "again" / table.name).read_text() == kept
        assert at.app("2026-12-01").print_batch(str(tmp_path / "out"), None, True)["batch"] is None

    def test_a_batch_counts_as_sent_on_the_day_on_which_it_was_posted_and_only_once(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = self.paper(at)
        decided(at)
        batch = str(printing.begin(at.app("2026-12-01").office, at_once=True))
        assert send(at, "2026-12-01T20:00", Way()).copies == 2  # the two letters of the other case, by e-mail
        assert letter(at, f"{case[0]}-L1")["status"] == "queued"
        for on, words in (("2026-12-04", "after today"), ("2026-11-29", "before the letter was owed")):
            with pytest.raises(Refused, match=words):
                at.app("2026-12-03").posted(batch, on, "ann:staff")
        assert at.app("2026-12-03").posted(batch, "2026-12-02", "ann:staff")["posted"] == [f"{case[0]}-L1-1"]
        assert at.app("2026-12-03").posted(batch, "2026-12-03", "ann:staff")["posted"] == []
        assert (letter(at, f"{case[0]}-L1")["status"], letter(at, f"{case[0]}-L1")["sent_on"]) == ("handed-over", "2026-12-02")
        with pytest.raises(BadInput, match="no print batch"):
            at.app("2026-12-03").posted("POST-2026-99999", None, "ann:staff")
        assert sound_record(at)

    def test_who_has_no_email_gets_a_letter_by_post(self, tmp_path: Path) -> None:
        at = desk(tmp_path)
        case = str(at.file("2026-11-30", requester={"name": "Ann", "capacity": "owner", "channel": "email", "address": ["4 Mill Lane"]})["cases"][0]["case"])
        assert letter(at, f"{case}-L1")["copies"][0]["channel"] == "post"


def test_evidence_names_the_copy_and_never_goes_backwards(tmp_path: Path) -> None:
    at = desk(tmp_path)
    number = f"{decided(at)}-L2"
    with pytest.raises(BadInput, match="--because"):
        at.app("2026-12-02").letter_event(number, "bounced", None, " ", None, "ann:staff")
    with pytest.raises(Refused, match="would have to be handed-over"):
        at.app("2026-12-02").letter_event(number, "bounced", None, "No such mailbox", None, "ann:staff")
    send(at, "2026-12-01T20:00", Way())
    with pytest.raises(BadInput, match="has no copy 'owner'"):
        at.app("2026-12-02").letter_event(number, "bounced", "owner", "No such mailbox", None, "ann:staff")
    done = at.app("2026-12-02").letter_event(number, "delivered", "requester", None, None, "ann:staff")
    assert done["status"] == "delivered"
    assert at.app("2026-12-02").timeline(number.rpartition("-")[0], "recorded", None)[-1]["facts"]["copy"] == f"{number}-1"
    assert sound_record(at)


def test_a_role_that_only_reads_changes_no_letter(tmp_path: Path) -> None:
    at = desk(tmp_path)
    number = f"{decided(at)}-L2"
    auditor = "ada:auditor"
    made = at.app("2026-12-02")
    for change in (
        lambda: made.edit_letter(number, "findings", "Mine", auditor),
        lambda: made.retry_letter(number, {}, auditor),
        lambda: made.correct_letter(number, "Misspelt", auditor),
        lambda: made.letter_event(number, "returned", None, "Moved", None, auditor),
        lambda: made.resend_letter(number, None, "post", (), auditor),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert "only reads" in refused.value.reasons[0].text
    assert sound_record(at)
