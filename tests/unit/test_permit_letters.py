"""The permit letters: each states what the law wants stated, from much data or little, and obeys no word of a requester."""

from __future__ import annotations

import re
from typing import Any

import pytest

from caseflow.adapters.letters.forms import to_html, to_text
from caseflow.errors import LetterFault
from tests.unit import test_letters_pack as base
from tests.unit.test_letters_pack import FILES, HIDDEN, HOSTILE, THIRTY, Say, item, plain, said, shown, tags, words, write

MARKER = "  # --- Permits."
EXEMPTION, GENERAL, INDIVIDUAL = "exemption-determination", "general-permit", "individual-permit"

# What each letter's act states: workflow, action, what is required, what may be stated besides.
ACTS: dict[str, tuple[str, str, dict[str, Any], dict[str, Any]]] = {
    "exemption-confirmed": (EXEMPTION, "confirm-exempt", {}, {"because": "Because", "conditions": "Conditions"}),
    "exemption-information-request": (EXEMPTION, "request-information", {"items": ["X"]}, {"reason": "Reason", "permits_likely": "Permits"}),
    "exemption-denied": (EXEMPTION, "deny-exemption", {"best_fitting_permit": "Best"}, {"standard_not_met": "Standard", "because": "Because"}),
    "original-determination-stands": (EXEMPTION, "confirm-original", {}, {"original_result": "Result", "reasons": "Reasons"}),
    "visit-delayed": (GENERAL, "give-weather-notice", {"condition": "Ice covers the bed"}, {"expected_window": "in April"}),
    "general-permit-authorized": (GENERAL, "authorize", {}, {"permit_number": "GP-7", "conditions": "Conditions", "findings": "Findings"}),
    "general-permit-information-request": (GENERAL, "request-information", {"items": ["X"]}, {"reason": "Reason", "received_on": "2026-12-22"}),
    "site-visit-needed": (GENERAL, "require-site-visit", {}, {"reason": "Reason", "expected_window": "in spring"}),
    "species-incomplete": (GENERAL, "flag-species", {}, {"species": "Species", "reason": "Reason"}),
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
    "permit-issued": (INDIVIDUAL, "issue", {"findings": "Findings"}, {"conditions": "Conditions", "conclusions": "Conclusions", "permit_number": "IP-7"}),
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
    if name == "findings":
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
        | {name: base.clock(length=THIRTY, due="2027-01-19", unrolled="2027-01-19") for name in ("information-window", "after-request")},
        "done": {"file": {"on": "2026-11-30", "times": 1, "seq": 1}},
    }


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
