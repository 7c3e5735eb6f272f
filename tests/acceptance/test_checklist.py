"""What only a person can judge: a checklist on the case, settled with who, when and why; and what a decision must find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap import App
from caseflow.domain.findings import told
from caseflow.domain.pack import Rule
from caseflow.errors import BadInput, Refused
from tests.conftest import PACK
from tests.rules.asking import base

At = Callable[[str], App]
PILING = {name: str(value) if hasattr(value, "isoformat") else value for name, value in base("piling").items()}
OF_JUDGMENT = ("interferes_with_other_riparians", "within_riparian_zone")


def sample(workflow: str, **facts: Any) -> dict[str, Any]:
    made = read_plain((PACK / f"samples/{workflow}/complete.yaml").read_text(), "complete.yaml")
    return {**made, "facts": {name: value for name, value in {**made.get("facts", {}), **facts}.items() if value is not None}}


def filed(app: At, day: str, workflow: str, **facts: Any) -> dict[str, Any]:
    case: dict[str, Any] = app(day).file(sample(workflow, **facts))["cases"][0]
    return case


def piling(app: At, day: str = "2026-03-30") -> dict[str, Any]:
    return filed(app, day, "exemption-determination", **{**PILING, **dict.fromkeys(OF_JUDGMENT)})


def record(app: At, day: str, case: str, **facts: Any) -> dict[str, Any]:
    return app(day).act(case, "record-findings", facts, None, "ann", None, None, False)


def item(shown: dict[str, Any], rule: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in shown["checklist"] if one["rule"] == rule)
    return found


def test_a_case_lists_what_is_to_be_judged_with_its_law_and_nothing_counts_as_passed(app: At) -> None:
    shown = piling(app)

    assert item(shown, "EX-G0") == {
        "rule": "EX-G0",
        "part": "What every exempt activity meets",
        "text": "It does not interfere with the rights of other riparians.",
        "cite": "s. 30.12 (1g) (intro.)",
        "kind": "eligibility",
        "within": None,
        "outcome": "judgment",
        "who": None,
        "when": None,
        "why": None,
        "facts": ["interferes_with_other_riparians"],
    }
    assert shown["rules"][0]["result"] == "undetermined"


def test_a_judgment_settles_an_item_with_who_when_and_why_from_the_entry(app: At) -> None:
    case = piling(app)["case"]

    shown = record(app, "2026-03-31", case, judgments={"EX-G0": {"outcome": "pass", "why": "The neighbors were asked."}})

    done = item(shown, "EX-G0")
    assert (done["outcome"], done["who"], done["when"], done["why"]) == ("pass", "ann", "2026-03-31", "The neighbors were asked.")


def test_who_judged_may_be_another_than_who_typed_it(app: At) -> None:
    case = piling(app)["case"]

    shown = record(app, "2026-03-31", case, judgments={"EX-G0": {"outcome": "fail", "why": "Seen.", "who": "bo", "when": "2026-03-30"}})

    assert (item(shown, "EX-G0")["who"], item(shown, "EX-G0")["when"]) == ("bo", "2026-03-30")
    assert shown["rules"][0]["result"] == "fail"


def test_a_fact_of_judgment_settles_an_item_too_and_its_entry_says_who(app: At) -> None:
    case = piling(app)["case"]

    shown = record(app, "2026-03-31", case, interferes_with_other_riparians=False)

    done = item(shown, "EX-G0")
    assert (done["outcome"], done["who"], done["when"], done["facts"]) == ("pass", "ann", "2026-03-31", [])


def test_judgments_add_up_the_latest_counts_and_a_void_takes_one_back(app: At) -> None:
    case = piling(app)["case"]
    record(app, "2026-03-31", case, judgments={"EX-G0": {"outcome": "fail", "why": "First look."}})
    seq = record(app, "2026-03-31", case, judgments={"EX-G0": {"outcome": "pass", "why": "Second look."}})["version"]
    shown = record(app, "2026-03-31", case, judgments={"PL-2": {"outcome": "pass", "why": "Measured."}})
    assert [item(shown, rule)["why"] for rule in ("EX-G0", "PL-2")] == ["Second look.", "Measured."]

    back = app("2026-03-31").void(case, seq, "typed on the wrong case", "ann:supervisor")

    assert [item(back, rule)["why"] for rule in ("EX-G0", "PL-2")] == ["First look.", "Measured."]
    assert app("2026-03-31").verify(None)["faults"] == []


def test_a_judgment_never_overrules_what_is_computed(app: At) -> None:
    case = filed(app, "2026-03-30", "exemption-determination", **{**PILING, "piles": 6})["case"]

    shown = record(app, "2026-03-31", case, judgments={"PL-7": {"outcome": "pass", "why": "It looks fine."}})

    assert (item(shown, "PL-7")["outcome"], shown["rules"][0]["result"]) == ("fail", "fail")


@pytest.mark.parametrize(
    ("judgments", "said"),
    [
        ({"EX-GG0": {"outcome": "pass", "why": "x"}}, "there is no rule 'EX-GG0' to judge; did you mean 'EX-G0'?"),
        ({"EX-G0": {"outcome": "perhaps", "why": "x"}}, "needs an outcome, pass or fail"),
        ({"EX-G0": {"outcome": "pass"}}, "does not say why"),
        ({"EX-G0": {"outcome": "pass", "why": " "}}, "does not say why"),
        ({"EX-G0": {"outcome": "pass", "why": "x", "whom": "y"}}, "has no part 'whom'; did you mean 'who'?"),
        ({"EX-G0": {"outcome": "pass", "why": "x", "when": "soon"}}, "made on a day such as 2027-01-15, not on 'soon'"),
        ({"EX-F2": {"outcome": "pass", "why": "x"}}, "needs an outcome, raised or not-raised"),
        ({"EX-G0": "pass"}, "needs an outcome"),
    ],
)
def test_a_judgment_that_is_not_said_well_is_refused_by_name(app: At, judgments: dict[str, Any], said: str) -> None:
    case = piling(app)["case"]

    with pytest.raises(Refused) as refused:
        record(app, "2026-03-31", case, judgments=judgments)

    assert [reason.id for reason in refused.value.reasons] == ["judgments"]
    assert said in refused.value.reasons[0].text
    assert app("2026-03-31").show(case)["version"] == 1


def test_nobody_files_judgments(app: At) -> None:
    with pytest.raises(BadInput, match="'judgments' are not filed"):
        filed(app, "2026-03-30", "exemption-determination", judgments={"EX-G0": {"outcome": "pass", "why": "I say so"}})


def test_findings_may_be_recorded_for_every_fact_that_the_rules_ask_and_no_other(app: At) -> None:
    case = piling(app)["case"]

    assert record(app, "2026-03-31", case, piles=5)["facts"]["piles"] == 5
    with pytest.raises(Refused, match="record-findings") as refused:
        record(app, "2026-03-31", case, clearance_ft=5)
    assert "takes no fact 'clearance_ft'" in refused.value.reasons[0].text


def test_the_same_filing_on_two_days_is_judged_under_different_texts_and_says_so(app: At) -> None:
    old, new = (filed(app, day, "exemption-determination", **PILING)["rules"][0] for day in ("2026-03-31", "2026-04-01"))

    assert (old["version"], old["in_force"], old["notes"]) == ("nr329-2005", True, [])
    assert (new["version"], new["in_force"], new["notes"]) == ("nr329-2005", False, ["superseded-text"])
    assert (old["law"], new["law"]) == ("nr329-2005", "nr320-2026")
    assert "CR 24-051" in new["explanations"]["superseded-text"]["cite"]


# --- what a decision must find ------------------------------------------------------------------------------------


def issue(app: At, findings: dict[str, Any]) -> str:
    case = filed(app, "2026-05-04", "individual-permit", activity="seawall")["case"]
    with pytest.raises(Refused) as refused:
        app("2026-05-05").act(case, "issue", {"findings": findings}, None, "ann:supervisor", None, None, False)
    return "\n".join(reason.text for reason in refused.value.reasons if reason.id in ("standards-found", "findings"))


MET = {"met": True, "because": "The plans show it."}


def test_a_refused_decision_names_each_standard_that_is_not_found(app: At) -> None:
    said = issue(app, {"IP-3b": MET, "IP-3c": {"met": False, "because": "It blocks the neighbor."}})

    assert "IP-3c (NR 320.06 (3) (c); NR 320.09): found not met" in said
    assert "IP-3d (NR 320.06 (3) (d)): no finding" in said
    assert "IP-3b" not in said
    assert "IP-3a-C" not in said  # a seawall is no crossing


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        ({"IP-3z": MET}, "there is no standard 'IP-3z' to find; did you mean"),
        ({"IP-3b": {"met": True, "because": " "}}, "the finding on 'IP-3b' gives no reason; write its own 'because'"),
        ({"IP-3b": {"because": "x"}}, "does not say whether it is met"),
        ({"IP-3b": {"met": True, "because": "x", "why": "y"}}, "has no part 'why'"),
        ({"IP-3b": True}, "does not say whether it is met"),
    ],
)
def test_a_finding_that_is_not_said_well_is_refused_by_name(app: At, finding: dict[str, Any], said: str) -> None:
    assert said in issue(app, finding)


def test_findings_are_told_in_the_order_of_the_standards_numbered_with_their_words() -> None:
    rules = {name: Rule(text=f"Text {name}.", cite=f"s. {name}") for name in ("A", "B", "C")}
    found = {"C": MET, "B": {"met": False, "because": "No."}, "A": MET}

    made = told(("A", "B"), rules, found)

    assert [(one["number"], one["rule"], one["text"], one["cite"], one["met"], one["because"]) for one in made] == [
        (1, "A", "Text A.", "s. A", True, "The plans show it."),
        (2, "B", "Text B.", "s. B", False, "No."),
        (3, "C", "Text C.", "s. C", True, "The plans show it."),
    ]
    assert told(("A",), rules, "free text") == []
