"""`caseflow screen` on the first pack: tracks, versions by the day received, filing on the chosen one, and its speed."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap import App
from caseflow.cli.main import cli
from caseflow.errors import BadInput, NotFound, Refused
from caseflow.services.screening import screen_lines, screened
from tests.conftest import PACK
from tests.rules.asking import base, pack

At = Callable[[str], App]
JUDGED = {name: {"outcome": "pass", "who": "ann", "why": "seen"} for name in ("EX-G0", "EX-G2", "EX-G3", "PL-2")}
OLD, NEW = date(2026, 3, 31), date(2026, 4, 1)


def tracks(facts: dict[str, Any], on: date = OLD) -> dict[str, dict[str, Any]]:
    return {track["workflow"]: track for track in screened([pack()], facts, on)["tracks"]}


def piling(**more: Any) -> dict[str, Any]:
    return {name: value for name, value in {**base("piling"), **more}.items() if value is not None}


def test_three_piles_are_exempt_and_the_exemption_is_named_first() -> None:
    made = screened([pack()], piling(), OLD)

    assert made["best"] == "exemption-determination"
    assert made["tracks"][0]["result"] == "fits"


def test_six_piles_are_one_too_many_in_the_words_of_the_rule() -> None:
    made = tracks(piling(piles=6))["exemption-determination"]

    assert made["result"] == "does-not-fit"
    assert made["nearest_miss"] == "6 piles; 5 allowed, NR 329.04 (1) (f) 7."
    assert [one["rule"] for one in made["findings"]] == ["PL-7"]
    assert [one["then"] for one in made["requirements"]] == ["A general or individual permit is required."]


def test_what_only_a_person_can_say_leaves_a_track_that_fits_if() -> None:
    made = tracks(piling(interferes_with_other_riparians=None))["exemption-determination"]

    assert (made["result"], [one["rule"] for one in made["judgments"]]) == ("fits-if", ["EX-G0"])


def test_what_is_not_stated_is_listed_and_the_track_does_not_fit_yet() -> None:
    made = tracks(piling(piles=None))["exemption-determination"]

    assert (made["result"], made["nearest_miss"]) == ("does-not-fit", None)
    assert made["words"] == "Not shown yet: Piles (piles). State them and ask again."
    assert [(one["fact"], one["unit"], one["rules"]) for one in made["missing"]] == [("piles", "count", ["PL-7"])]


def test_the_day_received_picks_the_text_and_an_old_text_says_so() -> None:
    old, new = (tracks(piling(), day)["exemption-determination"]["rulesets"][0] for day in (OLD, NEW))

    assert (old["version"], old["in_force"], old["notes"]) == ("nr329-2005", True, [])
    assert (new["version"], new["in_force"], new["notes"]) == ("nr329-2005", False, ["superseded-text"])


def test_a_crossing_is_screened_with_its_clearance_and_a_seawall_without() -> None:
    bridge, seawall = (tracks(base(name), NEW)["individual-permit"] for name in ("bridge", "seawall"))

    assert [one["ruleset"] for one in bridge["rulesets"]] == ["nr320-06", "nr320-08"]
    assert [one["ruleset"] for one in seawall["rulesets"]] == ["nr320-06"]
    low = tracks({**base("bridge"), "clearance_ft": "4.9"}, NEW)["individual-permit"]
    assert low["result"] == "does-not-fit"
    assert "4.9 ft; at least 5 ft needed" in low["nearest_miss"]


def test_a_breakwater_fits_the_permit_of_its_own_before_the_general_one() -> None:
    made = screened([pack()], {**base("breakwater"), "activity": "other"}, NEW)

    assert made["best"] == "municipal-breakwater-permit"


# --- filing -------------------------------------------------------------------------------------------------------


def request(**more: Any) -> dict[str, Any]:
    made = read_plain((PACK / "samples/exemption-determination/complete.yaml").read_text(), "complete.yaml")
    return {**made, "facts": {"consent_to_enter": True}, **more}


def test_the_request_is_filed_on_the_best_fitting_track_with_the_facts(app: At) -> None:
    made = app("2026-03-30").screen_and_file({**piling(), "judgments": JUDGED}, request(), None, None, None)

    [case] = made["cases"]
    assert (made["track"], case["workflow"], case["facts"]["piles"]) == ("exemption-determination", "exemption-determination", 3)
    assert "judgments" not in case["facts"]
    assert "The judgments are not filed; staff record them on the case." in made["warnings"]


def test_a_named_track_is_filed_on_though_it_does_not_fit_and_says_so(app: At) -> None:
    made = app("2026-03-30").screen_and_file(piling(piles=6), request(), "exemption-determination", None, None)

    assert made["cases"][0]["workflow"] == "exemption-determination"
    assert made["warnings"][0] == "Exemption determination does not fit: 6 piles; 5 allowed, NR 329.04 (1) (f) 7."


def test_where_nothing_fits_and_no_track_is_named_nothing_is_filed(app: At) -> None:
    app("2026-03-30").init(live=False)

    with pytest.raises(Refused) as refused:
        app("2026-03-30").screen_and_file({"activity": "pond"}, request(), None, None, None)
    with pytest.raises(NotFound, match="did you mean 'general-permit'"):
        app("2026-03-30").screen_and_file(piling(), request(), "generl-permit", None, None)
    with pytest.raises(BadInput, match="differ in 'piles'"):
        app("2026-03-30").screen_and_file(piling(), request(facts={"piles": 4}), None, None, None)

    assert "name the one to file on all the same" in refused.value.reasons[0].text
    assert app("2026-03-30").docket(False, None, None, None) == []


# --- the command --------------------------------------------------------------------------------------------------


def written(folder: Path, facts: dict[str, Any]) -> str:
    path = folder / "facts.yaml"
    path.write_text(yaml.safe_dump(json.loads(json.dumps(facts, default=str))))
    return str(path)


def test_the_command_answers_in_words_and_in_json(tmp_path: Path) -> None:
    path = written(tmp_path, piling(piles=6))

    words = CliRunner().invoke(cli, ["screen", path, "--on", "2026-03-31"])
    told = CliRunner().invoke(cli, ["screen", path, "--on", "2026-03-31", "--json"])

    assert words.exit_code == 0
    assert "6 piles; 5 allowed, NR 329.04 (1) (f) 7." in words.output
    assert json.loads(told.output)["tracks"][-2]["nearest_miss"] == "6 piles; 5 allowed, NR 329.04 (1) (f) 7."


def test_the_command_reads_lines() -> None:
    given = json.dumps(piling(), default=str) + "\n{\n"

    made = CliRunner().invoke(cli, ["screen", "--lines", "--on", "2026-03-31"], input=given)

    first, second = (json.loads(line) for line in made.output.splitlines())
    assert first["best"] == "exemption-determination"
    assert "not JSON" in second["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["screen"], "needs a file of facts"),
        (["screen", "FACTS", "--track", "general-permit"], "--file REQUEST.yaml"),
        (["screen", "FACTS", "--lines"], "leave the other words out"),
    ],
)
def test_words_that_do_not_go_together_are_refused(tmp_path: Path, words: list[str], said: str) -> None:
    line = [written(tmp_path, piling()) if word == "FACTS" else word for word in words]

    made = CliRunner().invoke(cli, line)

    assert isinstance(made.exception, BadInput)
    assert said in str(made.exception)


# --- speed --------------------------------------------------------------------------------------------------------


def test_all_rule_sets_are_screened_in_five_milliseconds_of_processor_time() -> None:
    requests = [piling(), base("bridge"), base("shelter"), base("gp-outfall"), {**base("breakwater"), "activity": "other"}]
    times = []
    for _ in range(6):
        began = time.process_time()
        for facts in requests:
            screened([pack()], facts, NEW)
        times.append((time.process_time() - began) / len(requests))

    assert min(times) < 0.005


def test_lines_by_the_hundred_keep_nothing() -> None:
    line = json.dumps(piling(piles=6), default=str).encode()
    answers = screen_lines([pack()], iter(lambda: line, None), OLD)
    for _ in range(20):
        next(answers)
    tracemalloc.start()
    try:
        sizes = []
        for _ in range(2):
            for _ in range(60):
                next(answers)
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()

    assert sizes[1] - sizes[0] < 20_000  # sixty answers of some 600 bytes each would be more


def test_a_number_that_is_none_is_named_as_it_was_written() -> None:
    given = iter([b'{"activity": "piling", "piles": NaN}'])

    (answer,) = screen_lines([pack()], given, OLD)

    assert json.loads(answer)["error"] == "'piles' must be a number in count, not 'NaN'."
