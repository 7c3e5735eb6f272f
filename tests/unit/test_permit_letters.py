"""The permit letters: each states what the law wants stated, from much data or little, and obeys no word of a requester."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple

import pytest

from caseflow.adapters.letters.forms import to_html, to_text
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.packs.library import PackLibrary
from caseflow.adapters.packs.nodes import read_plain
from caseflow.adapters.store.memory import MemoryStore
from caseflow.errors import LetterFault
from caseflow.services.office import Office
from caseflow.services.rehearsing import rehearse
from tests.conftest import PACK, ROOT
from tests.unit import test_letters_pack as base
from tests.unit.test_letters_pack import FILES, HIDDEN, HOSTILE, THIRTY, Say, item, plain, said, shown, tags, words, write

MARKER = "  # --- Permits."
EXEMPTION, GENERAL, INDIVIDUAL = "exemption-determination", "general-permit", "individual-permit"

# What each letter's act states: workflow, action, what is required, what may be stated besides.
ACTS: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "exemption-confirmed": (EXEMPTION, "confirm-exempt", {}, {"findings": "Findings", "conditions": "Conditions"}),
    "exemption-information-request": (EXEMPTION, "request-information", {"items": ["X"]}, {"reason": "Reason", "permits_likely": "Permits"}),
    "exemption-denied": (EXEMPTION, "deny-exemption", {"best_fitting_permit": "Best"}, {"standard_not_met": "Standard", "because": "Because"}),
    "original-determination-stands": (EXEMPTION, "confirm-original", {}, {"original_result": "Result", "reasons": "Reasons"}),
    "visit-delayed": (GENERAL, "give-weather-notice", {"condition": "Ice covers the bed"}, {"expected_window": "in April"}),
    "general-permit-authorized": (GENERAL, "authorize", {}, {"permit_number": "GP-7", "conditions": "Conditions", "findings": "Findings"}),
    "general-permit-information-request": (GENERAL, "request-information", {"items": ["X"]}, {"reason": "Reason", "received_on": "2026-12-22"}),
    "site-visit-needed": (GENERAL, "require-site-visit", {}, {"reason": "Reason", "expected_window": "in spring"}),
    "species-incomplete": (GENERAL, "flag-species", {}, {"species": "Species"}),
    "individual-permit-required": (GENERAL, "require-individual-permit", {"permit_ground": "a2"}, {"because": "Because"}),
    "general-permit-dismissed": (GENERAL, "dismiss", {}, {"reasons": "Reasons"}),
    "authorized-by-default": (GENERAL, "authorize-by-default", {}, {}),
    "fee-missing": (INDIVIDUAL, "find-fee-missing", {}, {}),
    "application-complete": (INDIVIDUAL, "determine-complete", {}, {}),
    "application-incomplete": (INDIVIDUAL, "request-information", {"items": ["X"], "reason": "Reason"}, {}),
    "second-notice": (INDIVIDUAL, "send-second-notice", {}, {"reason": "Reason"}),
    "closure-by-lapse": (INDIVIDUAL, "lapse-completeness", {}, {}),
    "application-dismissed": (INDIVIDUAL, "dismiss", {}, {"reasons": "Reasons"}),
    "notice-of-pending-application": (
        INDIVIDUAL,
        "publish-notice",
        {},
        {"tentative_decision": "Decision", "channels": ["Web form", "Post"], "closing_hour": "Hour", "newspaper_on": "2026-12-23", "hearing_place": "Hall"},
    ),
    "notice-of-hearing": (INDIVIDUAL, "set-hearing", {"hearing_on": "2027-01-12"}, {"hearing_place": "Hall", "channels": ["Web form"], "closing_hour": "Hour"}),
    "permit-issued": (INDIVIDUAL, "issue", {"findings": "Each"}, {"conditions": "Conditions", "conclusions": "Conclusions", "permit_number": "IP-7"}),
    "permit-denied": (
        INDIVIDUAL,
        "deny",
        {"standard_not_met": "Standard", "because": "Because", "why_no_condition_cures": "Why not"},
        {"conclusions": "Conclusions"},
    ),
    "issued-by-default": (INDIVIDUAL, "issue-by-default", {}, {}),
    "petition-received": (INDIVIDUAL, "petition-review", {"statutes_pleaded": ["227.42", "30.209"]}, {"petitioner": "Petitioner"}),
    "review-denied": (INDIVIDUAL, "deny-petition", {"reasons": "Reasons"}, {}),
    "review-granted": (INDIVIDUAL, "grant-petition", {}, {"issues": "Issues"}),
    "clearance-condition": (INDIVIDUAL, "issue", {}, {}),
}
LETTERS = list(ACTS)
WITH_REVIEW = {
    "exemption-denied",
    "original-determination-stands",
    "general-permit-authorized",
    "individual-permit-required",
    "general-permit-dismissed",
    "authorized-by-default",
    "application-dismissed",
    "permit-issued",
    "permit-denied",
    "issued-by-default",
}
CLOCKS = {
    EXEMPTION: ("initial", "after-request", "information-window"),
    GENERAL: ("decision", "information-window", "site-visit"),
    INDIVIDUAL: (
        *("completeness", "second-notice", "information-window", "public-notice", "hearing-request", "hearing-notice", "hearing", "newspaper-lead"),
        *("comment", "decision", "petition", "petition-response", "petition-ruling", "stay-ruling"),
    ),
}
REVIEW_CLOCKS = ("hearing-petition", "petition-ruling", "referral", "contested-hearing", "contested-decision", "judicial-review")
FINDINGS = ["IP-3a-S", "IP-3b", "IP-3c"]
CONDITIONS = [("timeline", "Finish by the fall"), ("design", "Use round stone")]
FIXED = re.compile(r"227\.42|30\.209|a[12]")


def stated(letter: str, say: Say, much: bool) -> dict[str, Any]:
    """The facts of the act as somebody may have typed them."""
    required, besides = ACTS[letter][2:]
    return {name: _typed(name, value, say) for name, value in {**required, **(besides if much else {})}.items()}


def _typed(name: str, value: Any, say: Say) -> Any:
    if name == "findings" and value == "Each":
        return {key: {"met": True, "because": say(f"It is shown by {key}")} for key in FINDINGS}
    if name == "conditions":
        return [{"kind": kind, "text": say(text)} for kind, text in CONDITIONS]
    if isinstance(value, list):
        return [one if FIXED.fullmatch(one) else say(one) for one in value]
    return value if FIXED.fullmatch(value) else said(value, say)


def smallest(letter: str, say: Say = plain) -> dict[str, Any]:
    """What is always there."""
    flow, action = ACTS[letter][:2]
    view = base.smallest("refund", say)
    facts = stated(letter, say, False)
    return {
        **view,
        "letter": {**view["letter"], "id": letter},
        "case": {**view["case"], "service": "Service", "law": "s. 30.208", "workflow": flow},
        "act": {**view["act"], "action": action, "facts": facts},
        "facts": {"clearance_ft": 5, **facts},
        "clocks": {name: base.clock(length=THIRTY) for name in (*CLOCKS[flow], *REVIEW_CLOCKS)}
        # The act of the letter starts these.
        | {name: base.clock(length=THIRTY, due="2027-01-19", unrolled="2027-01-19") for name in ("information-window", "after-request")}
        # A decision begins the times to challenge it.
        | {name: base.clock(length=THIRTY, due="2027-01-19", unrolled="2027-01-19") for name in ("judicial-review", "petition")[: _rights(letter)]},
        "done": {
            name: {"on": "2026-11-30", "times": 1, "seq": 1} for name in ("file", *(("complete-site-visit",) if facts.get("permit_ground") == "a2" else ()))
        },
        "standards": {},
    }


def _rights(letter: str) -> int:
    """How many times a letter's act begins: none, that for a court, that for a petition to the department too."""
    return 2 if letter in ("permit-issued", "permit-denied", "issued-by-default") else int(letter in WITH_REVIEW | {"review-denied"})


def full(letter: str, say: Say = plain) -> dict[str, Any]:
    """Everything stated that can be."""
    flow, action = ACTS[letter][:2]
    view, much = smallest(letter, say), base.full("refund", say)
    facts = stated(letter, say, True)
    running = base.clock(
        status="running", start="2026-11-30", length=THIRTY, unrolled="2027-01-02", due="2027-01-04", used=20, left=10, held_days=18, cite="s. 30.208"
    )
    return {
        **much,
        "letter": view["letter"],
        "case": {**much["case"], **{key: view["case"][key] for key in ("service", "law", "workflow")}},
        "act": {**much["act"], "action": action, "facts": facts},
        "facts": {
            "activity": "new_culvert" if letter == "clearance-condition" else "seawall",
            "clearance_ft": "4.5",
            "site_published_on": "2026-12-20",
            "hearing_requested": False,
            "stay_requested": True,
            **facts,
        },
        "clocks": dict.fromkeys(view["clocks"], running),
        "asked": [item(name, say) for name in ("IPA-1", "IPA-3")],
        "done": {
            name: {"on": "2026-12-05", "times": 1, "seq": 2}
            for name in (
                "file",
                "request-information",
                "receive-information",
                "publish-notice",
                "complete-hearing",
                "record-comment",
                "close-comments",
                "petition-review",
                "complete-site-visit",
            )
        },
        "standards": {key: {"text": say(f"Standard {key}"), "cite": f"NR 320.06 ({place})"} for place, key in enumerate(FINDINGS, 3)},
    }


def test_the_pack_has_these_permit_letters_and_no_other() -> None:
    declared = re.findall(r"^  ([a-z-]+):", FILES["letters.yaml"].split(MARKER)[1], re.M)

    assert sorted(declared) == sorted(LETTERS)


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_is_written_from_much_and_from_little_without_a_word_left_over(letter: str) -> None:
    for view in (full(letter), smallest(letter)):
        said = words(letter, view)

        assert "WD-2026-00001-1" in said
        assert "Sunday, December 20, 2026" in said
        assert "RE: Letter title - Service, Mill Creek, Town" in said
        assert not re.search(r"None|undefined|\{\{|\}\}|\{%|\(\)|\.\.|\s[.,;:](\s|$)|\\|\bon on\b|, ,|Standard Standard", said), said


@pytest.mark.parametrize("letter", [name for name in LETTERS if ACTS[name][2]])
def test_a_required_fact_that_is_not_stated_stops_the_letter_and_is_named(letter: str) -> None:
    for name in ACTS[letter][2]:
        view = full(letter)
        view["listed"] = []
        view["act"] = {**view["act"], "facts": {key: value for key, value in view["act"]["facts"].items() if key != name}}
        with pytest.raises(LetterFault, match=name) as caught:
            write(letter, view)
        assert caught.value.missing == (name,)
        assert write(letter, view, by_law=True).status == "blocked"


@pytest.mark.parametrize("letter", LETTERS)
def test_whatever_stands_in_any_text_the_letter_keeps_its_shape_and_shows_it(letter: str) -> None:
    plainly = to_html(write(letter, full(letter, lambda _: "Zword")).markdown, "t")
    for text in HOSTILE:
        written = write(letter, full(letter, lambda _, text=text: text))
        html, plain_text = to_html(written.markdown, "t"), to_text(written.markdown)
        seen = " ".join(HIDDEN.sub("", " ".join(text.split())).split())

        assert tags(html) == tags(plainly), text
        assert shown(html).count(seen) == shown(plainly).count("Zword") > 10, text
        assert seen.replace(" ", "") in "".join(plain_text.split())
        assert not HIDDEN.search(html.replace("\n", "")), text


# --- real cases ---------------------------------------------------------------------------------------------------
# The days are those of law/permits.md section 4 (F01 to F24), counted by hand there.

Step = tuple[str, str, dict[str, Any]]
PASSED = {f"IP-3{letter}": {"met": True, "because": f"the plans show it on sheet {sheet}"} for sheet, letter in enumerate(("a-S", "b", "c", "d", "e"), 1)}
CROSSING = {"IP-3a-C" if name == "IP-3a-S" else name: one for name, one in PASSED.items()} | {
    "BC-CLEARANCE": {"met": True, "because": "the beam is at that height"}
}
NOTICE = {"site_published_on": "2026-05-14", "closing_hour": "11:59 p.m.", "channels": ["the web form", "post"], "tentative_decision": "to issue the permit"}
COMPLETE: list[Step] = [("2026-05-04", "determine-complete", {}), ("2026-05-14", "publish-notice", NOTICE)]
ISSUE = {"findings": PASSED, "conditions": [{"kind": "timeline", "text": "No work from March 15 to May 15"}, {"kind": "design", "text": "Use round stone"}]}
PEOPLE = {"interested_persons": [{"name": "Casey Yang", "email": "casey.yang@example.org"}]}


class Story(NamedTuple):
    """A case: where it is filed, when, from which sample, and what is done."""

    workflow: str
    filed: str
    steps: list[Step]
    sample: str = "complete"
    facts: dict[str, Any] = {}
    channel: str | None = None


STORIES: dict[str, Story] = {
    "exempt": Story(
        EXEMPTION, "2026-09-14", [("2026-09-18", "confirm-exempt", {"conditions": [{"kind": "design", "text": "Set the culvert level with the bed"}]})]
    ),
    "not exempt": Story(
        EXEMPTION,
        "2026-09-14",
        [
            (
                "2026-09-21",
                "request-information",
                {"items": ["EXD-3", "EXD-5"], "reason": "The plan has no scale", "permits_likely": "the general permit for culverts"},
            ),
            ("2026-10-02", "receive-information", {}),
            (
                "2026-10-05",
                "deny-exemption",
                {
                    "best_fitting_permit": "the general permit for culverts",
                    "standard_not_met": "no public rights feature (NR 329.04 (1) (c) 1.)",
                    "because": "the site lies in a public rights feature",
                },
            ),
        ],
    ),
    "in lieu": Story(
        EXEMPTION,
        "2026-09-14",
        [
            ("2026-09-18", "record-inspection", {"inspected_on": "2026-09-18"}),
            ("2026-09-21", "deny-exemption", {"best_fitting_permit": "individual-permit", "permit_in_lieu": True, "harm": "riparian-rights"}),
        ],
    ),
    "unanswered": Story(
        EXEMPTION,
        "2026-09-14",
        [
            ("2026-09-21", "request-information", {"items": ["EXD-3"], "permits_likely": "the general permit for culverts"}),
            ("2026-10-22", "confirm-original", {}),
        ],
    ),
    "snow": Story(EXEMPTION, "2026-12-07", [("2026-12-14", "give-weather-notice", {"condition": "Snow covers the bank", "expected_window": "in April"})]),
    "tolled": Story(
        GENERAL,
        "2026-08-03",
        [
            ("2026-08-12", "request-information", {"items": ["GPA-4", "GPA-5"], "reason": "The bank is not shown", "received_on": "2026-08-14"}),
            ("2026-09-09", "receive-information", {}),
            ("2026-09-30", "sweep", {}),
        ],
        channel="paper",
    ),
    "asked by e-mail": Story(
        GENERAL,
        "2026-08-03",
        [
            ("2026-08-14", "request-information", {"items": ["GPA-4"], "reason": "The bank is not shown", "received_on": "2026-08-14"}),
            ("2026-09-15", "dismiss", {"items": ["GPA-4"], "reasons": "Nothing came"}),
        ],
    ),
    "thaw": Story(
        GENERAL,
        "2026-10-12",
        [
            ("2026-10-19", "require-site-visit", {"reason": "The photographs do not show the bed", "expected_window": "the week of November 9"}),
            ("2026-11-10", "give-weather-notice", {"condition": "Ice covers the bed", "expected_window": "after the thaw in April"}),
            ("2027-04-12", "complete-site-visit", {"inspected_on": "2027-04-12"}),
            (
                "2027-04-20",
                "authorize",
                {
                    "permit_number": "GP-2027-00017",
                    "findings": "The stream is 12 feet wide and a foot deep",
                    "conditions": [{"kind": "construction", "text": "Place the rock by hand"}],
                },
            ),
        ],
    ),
    "turtle": Story(
        GENERAL,
        "2026-07-06",
        [
            ("2026-07-10", "flag-species", {"species": "wood turtle"}),
            ("2026-07-20", "receive-species-document", {"species_document": "Avoidance plan"}),
            ("2026-07-27", "require-individual-permit", {"permit_ground": "a1", "because": "The ford is wider than 16 feet"}),
        ],
    ),
    "site conditions": Story(
        GENERAL,
        "2026-07-06",
        [
            ("2026-07-10", "require-site-visit", {"inspect_on": "2026-07-15"}),
            ("2026-07-15", "complete-site-visit", {"inspected_on": "2026-07-15"}),
            ("2026-07-20", "require-individual-permit", {"permit_ground": "a2", "because": "The bank slides"}),
        ],
    ),
    "papers and visit": Story(
        GENERAL,
        "2026-07-06",
        [
            (
                "2026-07-10",
                "request-information",
                {"items": ["GPA-4"], "received_on": "2026-07-10", "site_visit_needed": True, "expected_window": "the week of July 20"},
            )
        ],
    ),
    "silence": Story(GENERAL, "2026-07-06", [("2026-08-07", "sweep", {})]),
    "no fee": Story(INDIVIDUAL, "2026-04-06", [], sample="missing-fee"),
    "withdrawn early": Story(INDIVIDUAL, "2026-04-06", [("2026-04-20", "withdraw", {"writing_received_on": "2026-04-20"})]),
    "withdrawn late": Story(INDIVIDUAL, "2026-04-06", [*COMPLETE, ("2026-05-20", "withdraw", {"writing_received_on": "2026-05-20"})]),
    "hearing": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            *COMPLETE,
            ("2026-06-02", "request-hearing", {"emailed_or_postmarked_on": "2026-06-02", "sender": "Casey Yang", **PEOPLE}),
            ("2026-06-10", "set-hearing", {"hearing_on": "2026-07-08", "hearing_place": "6 p.m., Sample Falls town hall", "closing_hour": "4:30 p.m."}),
            ("2026-07-08", "complete-hearing", {}),
            ("2026-07-22", "issue", ISSUE),
            (
                "2026-08-21",
                "petition-review",
                {"statutes_pleaded": ["s. 30.209", "s. 227.42"], "petitioner": "Casey Yang", "stay_requested": True, "emailed_or_postmarked_on": "2026-08-21"},
            ),
            ("2026-09-12", "sweep", {}),
            ("2026-09-14", "grant-petition", {"issues": "Whether the riprap harms the neighboring bank"}),
        ],
    ),
    "moved": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            *COMPLETE,
            ("2026-06-02", "request-hearing", {"emailed_or_postmarked_on": "2026-06-02"}),
            ("2026-06-10", "set-hearing", {"hearing_on": "2026-07-08"}),
            ("2026-06-22", "adjourn-hearing", {"hearing_on": "2026-07-15", "published_by": "department"}),
        ],
    ),
    "called off": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            *COMPLETE,
            ("2026-06-02", "request-hearing", {"emailed_or_postmarked_on": "2026-06-02"}),
            ("2026-06-10", "set-hearing", {"hearing_on": "2026-07-08"}),
            ("2026-06-22", "cancel-hearing", {"reason": "Nobody wants it any more"}),
        ],
    ),
    "extended": Story(INDIVIDUAL, "2026-04-06", [*COMPLETE, ("2026-06-10", "extend-comment-period", {"until": "2026-07-11"})]),
    "combined": Story(
        INDIVIDUAL,
        "2026-04-06",
        [COMPLETE[0], ("2026-05-14", "publish-notice", {**NOTICE, "hearing_on": "2026-06-10", "hearing_place": "6 p.m., by video"})],
        sample="hearing-asked",
    ),
    "asked once": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            ("2026-04-27", "request-information", {"items": ["IPA-3", "IPA-4"], "reason": "The design does not show the toe of the slope"}),
            ("2026-06-12", "dismiss", {"items": ["IPA-3"], "reasons": "The design never came"}),
        ],
    ),
    "second": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            ("2026-04-27", "request-information", {"items": ["IPA-3"], "reason": "The design is missing"}),
            ("2026-05-18", "receive-all-information", {}),
            ("2026-05-26", "send-second-notice", {"application_complete": True}),
        ],
    ),
    "still incomplete": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            ("2026-04-27", "request-information", {"items": ["IPA-3"], "reason": "The design is missing"}),
            ("2026-05-18", "receive-all-information", {}),
            ("2026-05-26", "send-second-notice", {"application_complete": False, "reason": "The design has no cross section"}),
        ],
    ),
    "second silence": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            ("2026-04-27", "request-information", {"items": ["IPA-3"], "reason": "The design is missing"}),
            ("2026-06-01", "receive-all-information", {}),
            ("2026-06-12", "sweep", {}),
        ],
    ),
    "first silence": Story(INDIVIDUAL, "2026-10-05", [("2026-11-05", "sweep", {})]),
    "decision silence": Story(INDIVIDUAL, "2026-04-06", [*COMPLETE, ("2026-07-15", "sweep", {})]),
    "denied": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            *COMPLETE,
            ("2026-06-20", "sweep", {}),
            (
                "2026-07-01",
                "deny",
                {
                    "standard_not_met": "IP-3c",
                    "because": "the wall turns the waves onto the neighbor's bank",
                    "why_no_condition_cures": "any wall at this place does so",
                },
            ),
            ("2026-07-20", "petition-review", {"statutes_pleaded": ["s. 30.209"], "petitioner": "Ann Larsen"}),
            ("2026-08-03", "deny-petition", {"reasons": "The petition states no fact in dispute"}),
        ],
    ),
    "petition silence": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            *COMPLETE,
            ("2026-06-20", "sweep", {}),
            ("2026-07-01", "issue", {"findings": PASSED}),
            ("2026-07-20", "petition-review", {"statutes_pleaded": ["s. 30.209"]}),
            ("2026-08-21", "sweep", {}),
        ],
    ),
    "culvert": Story(INDIVIDUAL, "2026-04-06", [*COMPLETE, ("2026-06-20", "sweep", {}), ("2026-07-01", "issue", {"findings": CROSSING})], sample="culvert"),
    "low culvert": Story(
        INDIVIDUAL,
        "2026-04-06",
        [
            *COMPLETE,
            (
                "2026-05-20",
                "record-findings",
                {
                    "permanent_signed_portage": True,
                    "little_or_no_snowmobile_or_non_portage_navigation": True,
                    "reduced_clearance_not_detrimental": True,
                },
            ),
            ("2026-06-20", "sweep", {}),
            ("2026-07-01", "issue", {"findings": CROSSING}),
        ],
        sample="culvert",
        facts={"clearance_ft": "3.5"},
    ),
}


@cache
def told() -> dict[str, dict[str, str]]:
    """Every letter of every story, by story and letter: its plain text; the last one where there are several."""
    library = PackLibrary(PACK.parent, ROOT / "templates" / "letters")
    writer = LetterWriter(library.files)
    return {name: _letters(name, story, library, writer) for name, story in STORIES.items()}


def _letters(name: str, story: Story, library: PackLibrary, writer: LetterWriter) -> dict[str, str]:
    office = Office(MemoryStore(), library, writer, NoMail(), partial(datetime.fromisoformat, "2027-12-01T09:00-06:00"), partial(str, "0" * 32))
    steps = [{"at": f"{at}T10:00", "do": do, "facts": facts} for at, do, facts in story.steps]
    text: dict[str, Any] = {"scenario": name, "workflow": story.workflow, "filed": f"{story.filed}T10:00", "sample": story.sample, "facts": story.facts}
    if story.channel is not None:
        text["channel"] = story.channel
    made = rehearse(office, _sample, {**text, "steps": steps}, name)
    assert not made.faults, (name, made.faults)
    with office.store.read() as work:
        return {letter.letter: " ".join(to_text(letter.markdown).split()) for letter in work.letters()}


def _sample(workflow: str, name: str) -> dict[str, Any]:
    return dict(read_plain((PACK / "samples" / workflow / f"{name}.yaml").read_text(), name))


# Every fact that law/permits.yaml lists for a letter (L-X1 to L-V1), and where a real case shows it.
Shown = list[tuple[str, str, str]]
FACTS: dict[str, tuple[str, Shown]] = {
    "exemption-confirmed": (
        "NR 300.04; s. 30.12 (1g)",
        [
            ("request_date", "exempt", "You asked on Monday, September 14, 2026"),
            ("activity", "exempt", "covers a replacement culvert"),
            ("waterbody", "exempt", "at Mill Creek"),
            ("site", "exempt", "NE 1/4 of SW 1/4, Section 12, T7N, R9E"),
            ("exemption_cite", "exempt", "The exemption: s. 30.123 (6), Wis. Stats."),
            ("conditions", "exempt", "1. Design: Set the culvert level with the bed."),
            ("spawning_window", "exempt", "other waters south of State Highway 29: March 15 to May 15"),
            ("other_permits_note", "exempt", "the U.S. Army Corps of Engineers and other programs of the department may have rules of their own"),
            ("contact", "exempt", "Questions? Ask the Waterways determinations desk, telephone 608-555-0100"),
        ],
    ),
    "exemption-information-request": (
        "NR 300.04 (6) (a) 2.",
        [
            ("items_needed", "not exempt", "1. EXD-3 Plan (NR 300.04) 2. EXD-5 Photographs (NR 300.04)"),
            ("cannot_determine_statement", "not exempt", "the department can't determine that your activity is exempt"),
            ("permits_that_would_apply", "not exempt", "Permits that would then apply: the general permit for culverts."),
            ("respond_by", "not exempt", "Send all of it by Wednesday, October 21, 2026"),
            ("decision_by", "not exempt", "The department decides by Wednesday, October 21, 2026"),
        ],
    ),
    "exemption-denied": (
        "NR 300.04 (7)",
        [
            ("standard_failed_cite", "not exempt", "NR 329.04 (1) (c) 1."),
            (
                "or_permit_in_lieu_finding",
                "in lieu",
                "the work would harm the rights of others along the shore. The site was visited on Friday, September 18, 2026",
            ),
            ("best_fitting_permit", "not exempt", "The permit that fits best: the general permit for culverts."),
            ("appeal_rights", "not exempt", "Notice of appeal rights"),
        ],
    ),
    "original-determination-stands": (
        "NR 300.04 (6) (c)",
        [
            ("request_date", "unanswered", "On Monday, September 21, 2026 the department told you"),
            ("days_elapsed", "unanswered", "The 30 days for the answer ended on Wednesday, October 21, 2026"),
            ("original_result", "unanswered", "The original determination stands: the department can't determine that your activity is exempt."),
            ("appeal_rights", "unanswered", "Notice of appeal rights"),
        ],
    ),
    "visit-delayed": (
        "NR 300.06 (4) (f) 1.",
        [
            ("cause", "thaw", "The cause: Ice covers the bed."),
            ("deadline_affected", "thaw", "The visit was due by Wednesday, November 18, 2026. That day no longer holds."),
            ("clock_stopped_on", "thaw", "That time has stood still since Monday, October 19, 2026; 7 days of 30 days are used."),
            ("earliest_expected_date", "thaw", "When we expect to visit: after the thaw in April."),
            ("will_resume_statement", "thaw", "the time then goes on with the days that are left"),
            ("clock_stopped_on", "snow", "has stood still since Monday, December 14, 2026; 7 days of 15 days are used."),
        ],
    ),
    "general-permit-authorized": (
        "s. 30.206 (3); NR 300.06",
        [
            ("permit_no", "thaw", "Your authorization has number GP-2027-00017"),
            ("activity", "thaw", "covers a ford at Mill Creek"),
            ("plans_date", "thaw", "It covers the plans that you filed on Monday, October 12, 2026"),
            ("findings", "thaw", "because the department found: The stream is 12 feet wide and a foot deep."),
            ("conditions", "thaw", "1. Construction: Place the rock by hand. Besides, every condition of the general permit applies."),
            ("start_notice_duty", "thaw", "Before you start: tell us the day"),
            (
                "completion_statement_and_photo_duty",
                "thaw",
                "send a signed statement that the work keeps to the permit, with photographs of it (s. 30.206 (3) (c)",
            ),
            ("appeal_rights", "thaw", "Notice of appeal rights"),
        ],
    ),
    "general-permit-information-request": (
        "s. 30.206 (3) (a); NR 300.06 (4) (e)",
        [
            ("items_needed", "tolled", "1. GPA-4 Photographs of the site (NR 300.06 (3)) 2. GPA-5 Consent to inspect the land (NR 300.06 (3))"),
            ("reason", "tolled", "Why we ask: The bank is not shown."),
            ("date_sent", "tolled", "On Wednesday, August 12, 2026 it asks you for the information below"),
            (
                "toll_explained",
                "tolled",
                "The time does not run from the day on which you receive this letter to the day on which the department has all of the information",
            ),
            ("toll_explained", "tolled", "This letter counts as received on Friday, August 14, 2026"),
            ("toll_explained", "asked by e-mail", "11 days of 30 days are used; 19 days are left"),
            (
                "dismiss_after",
                "tolled",
                "by Monday, September 14, 2026 (the 30th day is Sunday, September 13, 2026, on which the office is closed). After that day",
            ),
        ],
    ),
    "site-visit-needed": (
        "NR 300.06 (4) (e), (f) 1.",
        [
            ("reason", "thaw", "Why: The photographs do not show the bed."),
            ("anticipated_timeline", "thaw", "We expect to visit the week of November 9. The visit takes place no later than Wednesday, November 18, 2026"),
            ("anticipated_timeline", "site conditions", "We plan to visit on Wednesday, July 15, 2026."),
            ("clock_on_hold", "thaw", "The time to decide is on hold. 7 days of 30 days are used; 23 days are left."),
        ],
    ),
    "species-incomplete": (
        "NR 329.04 (2) (a) 2., 3.",
        [
            ("species_flag", "turtle", "the activity may harm an endangered or threatened species: wood turtle"),
            ("two_ways_to_cure", "turtle", "1. Avoid the harm."),
            ("two_ways_to_cure", "turtle", "2. Get leave for it. Send us an incidental take permit or authorization for the species (s. 29.604"),
            ("revised_plans_duty", "turtle", "send the revised plans. The application is not complete before they are here"),
        ],
    ),
    "individual-permit-required": (
        "s. 30.206 (3r)",
        [
            ("ground_a1_or_a2", "turtle", "not authorized under the general permit (s. 30.206 (3r) (a) 1."),
            ("ground_a1_or_a2", "site conditions", "call for restrictions on the activity (s. 30.206 (3r) (a) 2."),
            ("site_visit_date_if_a2", "site conditions", "visited the site on Wednesday, July 15, 2026"),
            ("how_to_apply", "turtle", "Apply for an individual permit through the electronic permitting system"),
            ("fee_effect", "turtle", "The fee of $350.00 that you paid for this application is not refunded by rule"),
            ("appeal_rights", "turtle", "Notice of appeal rights"),
        ],
    ),
    "general-permit-dismissed": (
        "NR 300.06 (4) (e) 3.; NR 300.11 (8)",
        [
            ("request_date", "asked by e-mail", "On Friday, August 14, 2026 the department asked you for information."),
            ("window", "asked by e-mail", "The 30 days for the answer ended on Monday, September 14, 2026."),
            ("no_refund", "asked by e-mail", "The fee of $350.00 that you paid is not refunded (s. NR 300.11 (8)"),
        ],
    ),
    "authorized-by-default": (
        "s. 30.206 (3) (b)",
        [
            ("application_date", "tolled", "Your application was received on Monday, August 3, 2026."),
            ("toll_days", "tolled", "The time did not run for 26 days"),
            ("toll_days", "silence", "No day was tolled"),
            ("last_day", "tolled", "The last day to decide was Monday, September 28, 2026."),
            ("last_day", "silence", "The last day to decide was Wednesday, August 5, 2026."),
            ("conditions_still_apply", "silence", "Every condition of the general permit still applies"),
        ],
    ),
    "fee-missing": (
        "s. 30.28 (1)",
        [
            ("amount", "no fee", "Open $750.00"),
            ("clock_not_running", "no fee", "No time runs while the fee is missing"),
            ("how_to_pay", "no fee", "send a check to Wisconsin Department of Natural Resources"),
            ("not_the_one_request", "no fee", "It is not the one request for information"),
        ],
    ),
    "application-complete": (
        "s. 30.208 (2) (a); NR 300.07 (4) (a) 5.",
        [
            ("date_sent", "hearing", "The day of closure is Monday, May 4, 2026, the day of this letter"),
            ("notice_by", "hearing", "no later than Tuesday, May 19, 2026"),
            ("publication_duties_and_cost_option", "hearing", "Publish the notice once in a newspaper of the area (a class 1 notice)"),
            ("publication_duties_and_cost_option", "hearing", "It costs $150.00 for each newspaper notice (NR 300.11 (4)"),
            ("hearing_if_requested", "hearing", "Anyone may ask for a public hearing within 20 days after the notice is on the website."),
            ("hearing_if_requested", "combined", "You asked for a hearing in your application."),
        ],
    ),
    "application-incomplete": (
        "s. 30.208 (2) (b), (c); NR 300.07 (4) (a) 2., 6.",
        [
            ("reason", "asked once", "Why it is incomplete: The design does not show the toe of the slope."),
            ("specific_items", "asked once", "1. IPA-3 Scope and design of the project (NR 300.07 (3)) 2. IPA-4 Consent to inspect the land (NR 300.07 (3))"),
            ("dismissal_date_day_45", "asked once", "Please send it by Thursday, June 11, 2026. After that day the department may dismiss your application"),
            ("review_on_hold", "asked once", "The review is on hold until everything has come."),
        ],
    ),
    "second-notice": (
        "s. 30.208 (2) (b)",
        [
            ("complete_or_not", "second", "Your application is complete"),
            ("complete_or_not", "still incomplete", "Your application is still incomplete"),
            ("complete_or_not", "still incomplete", "What is missing: The design has no cross section."),
            ("date_sent_is_closure", "second", "The day of closure is Tuesday, May 26, 2026, the day on which this notice is sent."),
        ],
    ),
    "closure-by-lapse": (
        "s. 30.208 (2) (d)",
        [
            (
                "clock_missed",
                "first silence",
                "The department had 30 days to tell you whether the application is complete; the last day was Wednesday, November 4, 2026.",
            ),
            ("clock_missed", "second silence", "The department had 10 days to send you a second notice; the last day was Thursday, June 11, 2026."),
            ("closure_date", "first silence", "The day of closure is Wednesday, November 4, 2026."),
            ("closure_date", "second silence", "The day of closure is Thursday, June 11, 2026."),
            ("notice_by", "first silence", "no later than Thursday, November 19, 2026"),
            ("notice_by", "second silence", "no later than Friday, June 26, 2026"),
        ],
    ),
    "application-dismissed": (
        "NR 300.07 (4) (a) 6.",
        [
            ("parts_still_missing", "asked once", "Still missing: - IPA-3: Scope and design of the project"),
            ("notice_date", "asked once", "On Monday, April 27, 2026 the department told you that the application is incomplete"),
            ("day_45_or_agreed_date", "asked once", "The time for the answer ended on Thursday, June 11, 2026."),
        ],
    ),
    "notice-of-pending-application": (
        "s. 30.208 (3) (a), (5) (b)",
        [
            ("applicant", "hearing", "Ann Larsen, W5680 Example Road, Sample Falls WI 54000, has applied"),
            ("activity", "hearing", "What new riprap"),
            ("waterbody", "hearing", "Otter Lake (WBIC 1234500)"),
            ("legal_location", "hearing", "NE 1/4 of SW 1/4, Section 12, T7N, R9E, Town of Sample Falls, Vilas County"),
            ("statutes_applied", "hearing", "Law ss. 30.208, 30.209"),
            ("tentative_decision", "hearing", "Tentative decision: to issue the permit."),
            ("where_to_see_file", "hearing", "open to everyone: waterways.example.gov, docket WD-2026-00001-1"),
            ("docket_no", "hearing", "Docket WD-2026-00001-1"),
            ("comment_by_30", "hearing", "no later than 11:59 p.m. on Saturday, June 13, 2026."),
            ("comment_by_30", "hearing", "comments are accepted until 11:59 p.m. on Monday, June 15, 2026."),
            ("hearing_request_by_20", "hearing", "Anyone may ask for a public informational hearing in writing no later than Wednesday, June 3, 2026."),
            ("how_to_comment", "hearing", "Send comments in one of these ways: the web form and post."),
            ("no_hearing_may_decide", "hearing", "If nobody asks in time, the department may decide without a hearing."),
            ("comment_by_if_hearing", "hearing", "comments are accepted for 10 days after it ends"),
            ("accommodation_statement", "hearing", "If you need help because of a disability"),
            ("comment_by_30", "extended", "no later than 11:59 p.m. on Saturday, July 11, 2026."),
            ("comment_by_30", "extended", "until 11:59 p.m. on Monday, July 13, 2026."),
        ],
    ),
    "notice-of-hearing": (
        "s. 30.208 (5) (b); NR 300.08 (3)",
        [
            ("time", "hearing", "Wednesday, July 8, 2026, 6 p.m., Sample Falls town hall."),
            ("place_or_link", "moved", "The hour, and the place or the link, are on the department's website (waterways.example.gov"),
            ("purpose_not_contested_case", "hearing", "It is not a contested case hearing: nobody is sworn or cross-examined"),
            (
                "class1_deadline",
                "hearing",
                "The applicant publishes this notice in a newspaper at least 10 days before the hearing: no later than Friday, June 26, 2026.",
            ),
            (
                "class1_deadline",
                "moved",
                "The department publishes this notice in a newspaper at least 10 days before the hearing: no later than Friday, July 3, 2026.",
            ),
            ("comment_by_10_days_after", "hearing", "If the hearing ends on the day named above, the last day is Saturday, July 18, 2026."),
            ("comment_by_10_days_after", "hearing", "comments are accepted through Monday, July 20, 2026."),
        ],
    ),
    "permit-issued": (
        "s. 30.208 (3) (e); s. 30.209 (1m); ss. 227.47 (1), 227.48 (2)",
        [
            ("findings_of_fact", "hearing", "received on Monday, April 6, 2026 and counted as complete on Monday, May 4, 2026"),
            ("findings_of_fact", "hearing", "because the plans show it on sheet 1."),
            ("findings_of_fact", "hearing", "it ended on Wednesday, July 8, 2026."),
            (
                "three_statutory_findings",
                "hearing",
                "1. will not materially obstruct navigation; 2. will not be detrimental to the public interest; 3. will not materially reduce",
            ),
            ("three_statutory_findings", "culvert", "the bridge or culvert (s. 30.123 (8) (c), Wis. Stats.): 1. will not materially obstruct navigation;"),
            ("conclusions_of_law", "hearing", "1. The department has authority to issue this permit under ss. 30.208, 30.209"),
            ("conditions", "hearing", "1. Time: No work from March 15 to May 15. 2. Design: Use round stone."),
            ("effective_date", "hearing", "It takes effect on Wednesday, July 22, 2026."),
            ("petition_by", "hearing", "within 30 days after this decision: no later than Friday, August 21, 2026."),
            ("judicial_review_by", "hearing", "mailed or personally served: no later than Friday, August 21, 2026."),
            ("stay_rule", "hearing", "A petitioner may ask for a stay by showing significant or irreversible harm."),
        ],
    ),
    "permit-denied": (
        "NR 320.06 (8) (c)",
        [
            ("standard_not_met", "denied", "This standard is not met:"),
            ("standard_not_met", "denied", "NR 320.06 (3) (c)"),
            ("facts_relied_on", "denied", "This is found because the wall turns the waves onto the neighbor's bank."),
            ("why_no_condition_cures", "denied", "No condition on the permit cures this, because any wall at this place does so."),
            ("petition_by", "denied", "within 30 days after this decision: no later than Friday, July 31, 2026."),
            ("judicial_review_by", "denied", "mailed or personally served: no later than Friday, July 31, 2026."),
        ],
    ),
    "issued-by-default": (
        "s. 30.208 (3) (f)",
        [
            (
                "comment_closed",
                "decision silence",
                "The time for comments closed on Monday, June 15, 2026. The time to decide runs from Saturday, June 13, 2026.",
            ),
            ("last_day", "decision silence", "The last day to decide was Monday, July 13, 2026."),
            ("activity_as_proposed", "decision silence", "It covers new riprap at Otter Lake, as you proposed it"),
            ("conditions_may_follow", "decision silence", "Conditions may still follow."),
        ],
    ),
    "petition-received": (
        "s. 30.209 (1m) (c) to (f); s. 227.42",
        [
            ("petition_date", "hearing", "handed in on Friday, August 21, 2026."),
            ("stay_requested", "hearing", "A stay is asked for and is in effect."),
            ("stay_in_effect", "petition silence", "No stay is asked for, and none is in effect"),
            ("response_by_15", "hearing", "no later than Saturday, September 5, 2026 (s. 30.209 (1m) (e), Wis. Stats.)."),
            ("response_by_15", "hearing", "the answer is accepted through Tuesday, September 8, 2026."),
            ("ruling_by_30", "hearing", "under s. 30.209, Wis. Stats., by Monday, September 21, 2026."),
            ("ruling_by_30", "hearing", "under s. 227.42, Wis. Stats., by Thursday, September 10, 2026."),
        ],
    ),
    "review-denied": (
        "s. 30.209 (1m) (f), (fm); s. 227.42 (2)",
        [
            ("reasons", "denied", "Reasons: The petition states no fact in dispute."),
            ("or_denied_by_silence", "petition silence", "did not answer within 30 days; the last day was Wednesday, August 19, 2026."),
            ("or_denied_by_silence", "hearing", "no order was entered within 20 days; the last day was Thursday, September 10, 2026."),
            ("judicial_review_by", "denied", "mailed or personally served (ss. 227.52 and 227.53, Wis. Stats.): no later than Wednesday, September 2, 2026."),
        ],
    ),
    "review-granted": (
        "s. 30.209 (1m) (g)",
        [
            ("issues", "hearing", "Whether the riprap harms the neighboring bank."),
            ("referral_by_15", "hearing", "refers the case to the hearing examiner by Tuesday, September 29, 2026."),
            ("stay_status", "hearing", "The stay stays in effect until the hearing examiner lifts it."),
        ],
    ),
    "clearance-condition": (
        "NR 320.08",
        [
            ("clearance_ft", "culvert", "The clearance is at least 6 feet"),
            ("clearance_ft", "low culvert", "The clearance is at least 3.5 feet"),
            ("ground_for_raise_or_lower", "low culvert", "Why less than 5 feet: the stretch has little or no navigation"),
            ("portage_duty", "low culvert", "1. A portage: a permanent way around the structure"),
            ("signage_duty", "low culvert", "2. Signs: signs that show the portage"),
            ("portage_duty", "culvert", "No portage and no signs are asked of you"),
        ],
    ),
}


@pytest.mark.parametrize(("letter", "fact"), [(letter, fact) for letter, (_, shown) in FACTS.items() for fact in dict.fromkeys(one[0] for one in shown)])
def test_a_letter_states_each_fact_that_the_law_lists_for_it(letter: str, fact: str) -> None:
    for name, story, phrase in FACTS[letter][1]:
        if name == fact:
            assert phrase in told()[story][letter], (FACTS[letter][0], told()[story][letter])


def test_each_letter_is_shown_by_a_real_case() -> None:
    assert set(FACTS) == set(LETTERS)
    assert {letter for letters in told().values() for letter in letters} == {*LETTERS, "withdrawal"}


# --- what the law wants said, beyond a fact ------------------------------------------------------------------------


@pytest.mark.parametrize("letter", LETTERS)
def test_a_decision_carries_its_notice_of_appeal_rights_and_nothing_else_does(letter: str) -> None:
    said = words(letter, full(letter))

    assert ("Notice of appeal rights" in said) == (letter in WITH_REVIEW)
    assert ("s. 227.48 (2), Wis. Stats." in said) == (letter in WITH_REVIEW | {"review-denied"})
    if letter in WITH_REVIEW | {"review-denied"}:
        assert "mailed or personally served" in said
        assert "no later than Saturday, January 2, 2027. That day is a Saturday, a Sunday or a legal holiday; filings are accepted through Monday" in said


@pytest.mark.parametrize("letter", sorted(WITH_REVIEW))
def test_the_petition_of_section_30_209_is_offered_for_individual_permits_alone(letter: str) -> None:
    said = words(letter, full(letter))

    individual = ACTS[letter][0] == INDIVIDUAL
    assert ("Petition to the department (s. 30.209 (1m), Wis. Stats.)" in said) == individual
    assert ("Saturday, January 2, 2027. That day is a Saturday, a Sunday or a legal holiday; petitions are accepted through Monday" in said) == individual
    assert "Hearing (s. 227.42, Wis. Stats.)" in said
    assert "Court (ss. 227.52 and 227.53, Wis. Stats.)" in said


def test_a_dismissal_is_no_decision_that_section_30_209_covers() -> None:
    said = told()["asked once"]["application-dismissed"]

    assert "Notice of appeal rights" in said
    assert "30.209 (1m)" not in said


def test_the_one_request_asks_for_the_papers_and_the_visit_in_one_letter() -> None:
    said = told()["papers and visit"]["general-permit-information-request"]

    assert "The department must also see the site. We expect to visit the week of July 20." in said
    assert "no later than Sunday, August 9, 2026" not in said  # the 30th day is a Sunday, on which no act of the department ends
    assert "The visit takes place no later than Monday, August 10, 2026" in said
    assert "has all of the information and has visited the site." in said
    assert "must also see the site" not in told()["tolled"]["general-permit-information-request"]


@pytest.mark.parametrize("letter", sorted(WITH_REVIEW))
def test_only_one_day_is_printed_where_a_last_day_did_not_roll(letter: str) -> None:
    view = full(letter)
    view["clocks"] = {name: {**clock, "unrolled": "2027-01-04"} for name, clock in view["clocks"].items()}

    assert "are accepted through" not in words(letter, view)


def test_each_finding_is_numbered_and_has_its_own_because_though_there_are_twelve() -> None:
    view = full("permit-issued")
    names = [f"IP-{number}" for number in range(12)]
    view["act"]["facts"]["findings"] = {name: {"met": True, "because": f"of fact {name}"} for name in names}
    view["standards"] = {name: {"text": f"Words of {name}", "cite": "NR 320.06"} for name in names}
    text = to_text(write("permit-issued", view).markdown)
    found = text.split("Findings of fact")[1].split("The findings that the statute asks for")[0]
    findings = [" ".join(one.split()) for one in re.split(r"\n *\d+\. ", found)[1:]]

    assert len(findings) == 15  # three on the application, the notice and the hearing come first
    assert all("because" in one for one in findings)
    assert findings[3:] == [f"Words of {name}. ({name}; NR 320.06) Met, because of fact {name}." for name in names]
    assert all(f"\n{number:2}. " in found for number in range(1, 16))


@pytest.mark.parametrize("letter", ["exemption-information-request", "general-permit-information-request", "application-incomplete"])
def test_a_request_lists_each_item_by_its_number_though_there_are_31(letter: str) -> None:
    view = full(letter)
    view["listed"] = [item(f"IPA-{number}", plain) for number in range(31)]
    text = to_text(write(letter, view).markdown)

    assert all(f"\n{number + 1:2}. IPA-{number} Title of IPA-{number} " in text for number in range(31))


def test_a_combined_notice_names_the_hearing_and_leaves_no_time_to_ask_for_one() -> None:
    said = told()["combined"]["notice-of-pending-application"]

    assert "The hearing is on Wednesday, June 10, 2026, 6 p.m., by video." in said
    assert "publishes this notice in a newspaper no later than Friday, May 29, 2026" in said
    assert "ask for a public informational hearing" not in said
    # Not June 13, the 30th day: 10 days after the hearing is later (records 7 and 8).
    assert "If the hearing ends on the day named above, the last day is Saturday, June 20, 2026." in said
    assert "comments are accepted through Monday, June 22, 2026." in said
    assert "June 13" not in said


def test_a_hearing_that_is_moved_or_called_off_is_told_with_the_days_that_follow() -> None:
    moved, off = told()["moved"]["notice-of-hearing"], told()["called off"]["notice-of-hearing"]

    assert "The hearing is moved to another day." in moved
    assert "Wednesday, July 15, 2026." in moved
    assert "the last day is Saturday, July 25, 2026." in moved
    assert "The hearing of Wednesday, July 8, 2026 does not take place. Why: Nobody wants it any more." in off
    assert "no later than 11:59 p.m. on Thursday, July 2, 2026." in off  # 10 days after June 22
    assert "newspaper" not in off


def test_an_extension_does_not_reopen_the_time_to_ask_for_a_hearing() -> None:
    said = told()["extended"]["notice-of-pending-application"]

    assert "The time for comments on this application is extended." in said
    assert "ended on Wednesday, June 3, 2026. That time is not opened again." in said
    assert "If nobody asks in time" not in said


def test_a_petition_denied_under_one_statute_by_silence_stays_open_under_the_other() -> None:
    said = told()["hearing"]["review-denied"]

    assert "Under s. 227.42, Wis. Stats.: no order was entered within 20 days" in said
    assert "The petition under s. 30.209, Wis. Stats., is still open. The department answers it by Monday, September 21, 2026." in said
    assert "The decision stands" not in said
    assert "The decision stands: Issued." in told()["petition silence"]["review-denied"]


def test_a_petition_that_names_a_statute_without_a_time_gets_no_day() -> None:
    view = full("petition-received")
    view["clocks"] = {**view["clocks"], **dict.fromkeys(("hearing-petition", "petition-ruling"), base.clock())}
    said = words("petition-received", view)

    assert "For what the petition names the law sets the department no time to answer." in said
    assert "The department rules on the petition" not in said


@pytest.mark.parametrize(
    ("water", "season"),
    [
        ({"water_class": ["inland", "trout"], "side": "north_of_sth29"}, "from September 15 to May 15"),
        ({"water_class": ["inland"], "side": "south_of_sth29"}, "from March 15 to May 15"),
        ({"water_class": ["inland"], "side": "north_of_sth29"}, "from April 1 to June 1"),
        ({"water_class": ["inland"], "side": "on_sth29"}, "from March 15 to June 1"),
    ],
)
@pytest.mark.parametrize("letter", ["exemption-confirmed", "general-permit-authorized", "authorized-by-default"])
def test_the_season_of_the_water_is_printed_where_it_is_known_and_all_three_where_it_is_not(letter: str, water: dict[str, Any], season: str) -> None:
    view = full(letter)
    assert "other waters south of State Highway 29: March 15 to May 15" in words(letter, view)
    view["facts"].update(water)
    said = words(letter, view)

    assert f"no work in the water {season}, the first and the last day included" in said
    assert "Ask us if you do not know which line is yours" not in said


def test_the_biologist_may_waive_the_season_of_a_general_permit_and_never_that_of_an_exemption() -> None:
    view = full("general-permit-authorized")
    assert "Only a signed statement of the department's fisheries biologist can waive this season" in words("general-permit-authorized", view)
    view["facts"]["fisheries_biologist_waiver"] = True
    assert "has waived this season for you in a signed statement" in words("general-permit-authorized", view)
    assert "there is no waiver" in words("exemption-confirmed", full("exemption-confirmed"))


def test_a_letter_says_that_chapter_nr_329_is_superseded_only_from_april_1_2026() -> None:
    for day, told_so in (("2026-03-31", False), ("2026-04-01", True)):
        view = full("exemption-confirmed")
        view["case"]["received_on"] = day

        assert ("Since April 1, 2026 ch. NR 320 takes its place" in words("exemption-confirmed", view)) == told_so


@pytest.mark.parametrize(
    ("feet", "low"),
    [(0, True), (1, True), ("4.5", True), (4, True), ("4.99", True), (5, False), ("5.5", False), (6, False), (10, False), ("45.5", False), (49, False)],
)
def test_a_clearance_below_five_feet_brings_the_portage_and_the_signs(feet: int | str, low: bool) -> None:
    view = full("clearance-condition")
    view["facts"]["clearance_ft"] = feet
    said = words("clearance-condition", view)

    assert ("1. A portage:" in said) == ("2. Signs:" in said) == ("Why less than 5 feet" in said) == low
    assert ("No portage and no signs are asked of you" in said) == (not low)


def test_a_clearance_that_the_department_demands_is_stated_with_its_ground() -> None:
    view = full("clearance-condition")
    view["facts"].update(clearance_ft=8, clearance_demanded_ft=8, watercraft_or_snowmobiles_need_more=True)

    assert "asks for a clearance of 8 feet, because watercraft or snowmobiles need more than 5 feet" in words("clearance-condition", view)


def test_a_breakwater_permit_prints_the_control_condition() -> None:
    view = full("permit-issued")
    assert "lease of at least 25 years" not in words("permit-issued", view)
    view["case"]["workflow"] = "municipal-breakwater-permit"

    assert "lease of at least 25 years" in words("permit-issued", view)


def test_an_amended_permit_makes_no_findings_and_says_what_stays() -> None:
    view = full("permit-issued")
    view["act"] = {**view["act"], "action": "amend-permit", "facts": {"built": False, "reasons": "The road has moved"}}
    said = words("permit-issued", view)

    assert "The permit is amended as of Sunday, December 20, 2026." in said
    assert "Reasons: The road has moved." in said
    assert "Findings of fact" not in said
    assert "The conditions stay as they were." in said


@pytest.mark.parametrize(
    ("refund", "phrase"),
    [
        (
            {"owed": True, "amount": "750.00", "because": "The application was not yet found complete."},
            "$750.00 of what you paid is given back to you (NR 300.11 (9)). Why: The application was not yet found complete. A letter tells",
        ),
        (
            {"owed": False, "amount": "0.00", "because": "Nothing is given back after that."},
            "What happens with the fee: Nothing is given back after that. (NR 300.11 (9))",
        ),
    ],
)
def test_a_withdrawal_says_what_is_given_back_and_why(refund: dict[str, Any], phrase: str) -> None:
    view = full("application-dismissed")
    view["letter"]["id"] = "withdrawal"
    view["act"]["facts"] = {"writing_received_on": "2026-12-19"}
    view["fees"]["refunds"] = [{"id": "R-IP", "title": "The fee of a permit", "cite": "NR 300.11 (9)", "seq": 2, "now": True, **refund}]
    said = words("withdrawal", view)

    assert "Your application is withdrawn as you asked. Your writing arrived on Saturday, December 19, 2026." in said
    assert phrase in said


def test_a_withdrawal_in_time_gives_the_fee_back_and_a_late_one_does_not() -> None:
    early, late = told()["withdrawn early"]["withdrawal"], told()["withdrawn late"]["withdrawal"]

    assert "Your writing arrived on Monday, April 20, 2026." in early
    assert "$750.00 of what you paid is given back to you" in early
    assert "given back to you" not in late
    assert "What happens with the fee: Nothing is given back once an individual permit was found complete" in late
