"""The rule sets say what the law says: every item, every number on, under and over it, every list and every group.

The law is written a second time in tests/rules (items, cases, tables), by hand and with its citations; the pack is held against it.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from itertools import product
from typing import Any

import pytest

from caseflow.domain.binding import leaves_of
from caseflow.domain.pack import COUNTED, FactTest, SettingTest
from caseflow.errors import Refused
from tests.conftest import ROOT
from tests.rules import table
from tests.rules.asking import (
    NEW,
    OLD,
    Change,
    Limit,
    ask,
    base,
    cases,
    changes,
    finding,
    homes,
    items,
    limits,
    outcome,
    pack,
    read,
    rules,
    sets,
    without,
)

PLACES = ("under", "on", "over")
EXEMPTIONS, GENERAL = "nr329-exemptions", "nr329-general-permits"


def failing(ruleset: str, facts: dict[str, Any], **readings: Any) -> list[str]:
    """The counted rules that fail."""
    return [one.rule for one in ask(ruleset, facts, **readings).findings if one.counted and one.failed]


# --- the items ------------------------------------------------------------------------------------------------------


def test_the_pack_has_the_105_items_of_the_law_and_no_others() -> None:
    said = [rule for _, rule, one in rules() if one.within is None]

    assert len(items()) == 105
    assert set(said) == set(items())
    # Two items are the whole of a set of their own, and the set that they belong to borrows them.
    assert sorted(rule for rule in set(said) if said.count(rule) > 1) == ["EX-G5", "IP-4f3"]


@pytest.mark.parametrize("item", items())
def test_an_item_has_the_citation_the_kind_and_the_certainty_of_the_law(item: str) -> None:
    law = items()[item]
    sure = {"S": "verified", "V": "verified", "D": "verified", "P": "inferred", "R": "recalled"}[law["mark"][0]]

    for home in homes(item):
        rule = sets()[home].rules()[item]

        assert (rule.cite, rule.kind, rule.found) == (law["cite"], law["kind"], not law.get("missing", False))
        assert rule.confidence == (sure if rule.found else "not-found")
        assert "mode" not in law or rule.mode == law["mode"]
        assert law["mark"] != "D" or rule.note is not None and "department letters" in rule.note


def test_what_was_not_found_is_read_as_the_law_study_reads_it_or_is_left_to_a_person() -> None:
    missing = {name: one for name, one in items().items() if one.get("missing")}

    assert sorted(missing) == ["GP-F", "GP-I", "IP-8a", "PL-1", "PL-11"]
    for name, law in missing.items():
        rule = sets()[homes(name)[0]].rules()[name]
        assert (rule.reading is not None) == ("read-as" in law), name
        assert (rule.test is None) == (name in cases()["judged"]), name
    assert [rule for _, rule, one in rules() if not one.found and one.within is not None] == ["IP-7b9"]


def test_a_version_holds_for_the_days_of_its_chapter() -> None:
    force = {name: (one.version, one.in_force.from_, one.in_force.until) for name, one in sets().items()}

    new, old = ("nr320-2026", date(2026, 4, 1), None), ("nr329-2005", None, date(2026, 3, 31))
    assert force == {
        "nr320-06": new,
        "nr320-07": new,
        "nr320-08": new,
        "boat-shelters": new,
        EXEMPTIONS: old,
        GENERAL: old,
        "decontamination": old,
    }


# --- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("limit", limits(), ids=lambda one: f"{one.rule}-{one.fact}-{one.op}-{one.number}")
def test_a_number_decides_on_it_just_under_it_and_just_over_it(limit: Limit, place: str) -> None:
    found = limit.found(place)

    assert found.outcome == ("pass" if limit.holds(place) else "fail")
    named = [leaf for leaf in found.leaves if leaf.field == limit.fact and str(leaf.got) == limit.at(place) and leaf.unit == limit.unit]
    assert named, "the finding shows the number that it compared"
    assert limit.leaf_of == limit.rule or limit.leaf_of in {leaf.rule for leaf in named}


@pytest.mark.parametrize("limit", [one for one in limits() if one.rule in items()], ids=lambda one: f"{one.rule}-{one.fact}-{one.number}")
def test_where_a_number_fails_the_whole_fails_and_names_the_rule(limit: Limit) -> None:
    for place in PLACES:
        made = ask(homes(limit.rule)[0], {**limit.facts, limit.fact: limit.at(place)})
        failed = [one.rule for one in made.findings if one.counted and one.failed]

        assert (limit.rule in failed) == (not limit.holds(place))
        assert (made.result == "fail") or not failed


def test_no_number_of_the_pack_is_without_its_three_tests() -> None:
    tried = {(one.fact, one.op, one.number) for one in limits()} | {("air_temp_f", "more-than", 19)}
    numbers = {
        (leaf.fact, leaf.op, table.number(leaf.value))
        for _, _, rule in rules()
        for test in (rule.applies, rule.test)
        for leaf in leaves_of(test)
        if isinstance(leaf, FactTest) and leaf.unit is not None and not isinstance(leaf.value, dict)
    }

    assert numbers - {(fact, op, number) for fact, op, number in tried} == set()
    assert len(numbers) >= 40


def test_at_exactly_two_cubic_yards_the_deposit_fails_and_the_dredging_passes() -> None:
    for name, deposit, dredging in (("piling", "PL-10", "PL-11"), ("hydrant", "DH-11", "DH-12"), ("outfall", "IO-9", "IO-10")):
        facts = base(name) | {"deposit_cu_yd": "2.0", "dredge_cu_yd": "2.0"}

        assert (finding(deposit, facts).outcome, finding(dredging, facts).outcome) == ("fail", "pass")
        assert failing(EXEMPTIONS, facts) == [deposit]


@pytest.mark.parametrize(("slope", "raised"), [("1.49", ["IP-7b5"]), ("1.5", []), ("2", []), ("2.5", []), ("2.51", ["IP-7b6"])])
def test_the_band_of_slopes_between_the_two_flags_is_quiet(slope: str, raised: list[str]) -> None:
    value = finding("IP-7b", base("great-lake") | {"final_slope_h_per_v": slope}).value

    # The ninth factor was not found, so that without a flag it can only be said that none of the others is there.
    assert (value["by"], value["raised"]) == (raised, True if raised else None)


def test_a_seawall_compares_feet_up_for_each_foot_across_and_never_the_ratio_turned_over() -> None:
    steep = base("seawall") | {"alternatives_not_practicable": True, "final_slope_h_per_v": "0.5"}

    assert finding("IP-4c", steep | {"slope_v_per_h": "1.5"}).outcome == "fail"
    assert finding("IP-4c", steep | {"slope_v_per_h": "1.51"}).outcome == "pass"
    assert finding("IP-4c", without(steep, "slope_v_per_h")).outcome == "unknown"


def test_within_75_feet_includes_75_and_more_than_10_excludes_10_and_at_least_5_includes_5() -> None:
    lake = base("great-lake")

    assert finding("IP-7b1", lake | {"principal_structure_to_ohwm_ft": 75}).outcome == "pass"
    assert finding("IP-7b3", lake | {"encroachment_from_ohwm_to_toe_ft": 10}).outcome == "fail"
    assert finding("BC-CLEARANCE", base("bridge") | {"clearance_ft": 5}).outcome == "pass"


# --- lists, groups and triggers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", changes(), ids=lambda one: f"{one.rule}-{one.wanted}-{'-'.join(f'{name}={value}' for name, value in one.changed.items())}"[:120]
)
def test_a_change_of_facts_decides_as_the_law_says(change: Change) -> None:
    assert outcome(finding(change.rule, change.facts)) == change.wanted


def test_every_comparison_of_every_rule_is_seen_to_hold_and_to_fail() -> None:
    seen: dict[tuple[str, str, str, str], set[str]] = defaultdict(set)

    def note(rule: str, facts: dict[str, Any], **readings: Any) -> None:
        for home in homes(rule):
            made = ask(home, facts, **readings)
            for one in made.findings:
                if one.rule == rule or one.within == rule:
                    for leaf in one.leaves:
                        seen[(rule, leaf.field, leaf.op, str(leaf.value))].add(leaf.outcome)

    for change in changes():
        note(change.rule, dict(change.facts))
    for limit in limits():
        for place in PLACES:
            note(limit.rule, {**limit.facts, limit.fact: limit.at(place)})
    for rule, readings in READINGS.items():
        for change in (one for one in changes() if one.rule == rule):
            note(rule, dict(change.facts), **readings)

    own = {
        (one.within or rule, leaf.fact, leaf.op, str(leaf.value))
        for _, rule, one in rules()
        for leaf in leaves_of(one.test)
        if isinstance(leaf, FactTest) and not isinstance(leaf.value, dict)
    }
    assert {key for key in own if not {"pass", "fail"} <= seen[key]} == set()
    assert len(own) >= 150


READINGS: dict[str, dict[str, Any]] = {
    "IP-4c": {"thoroughfare_grouping": "together"},
    "IP-8c": {"deny_needs_both": False},
}


def test_each_listed_water_is_right_in_each_of_its_counties_and_wrong_in_another() -> None:
    law = read("waters.yaml")["waters"]
    named = {entry.name: list(entry.columns.get("counties", ())) for entry in sets()["nr320-07"].lists["breakwater-waters"].entries}

    assert named == {one["name"]: one["counties"] for one in law}
    for one in law:
        facts = without(base("breakwater"), "county") | {"water_name": one["name"]}
        assert finding("MB-WATER", facts).outcome == "pass"
        for county in one["counties"]:
            assert finding("MB-WATER", facts | {"county": county}).outcome == "pass", (one, county)
        if one["counties"]:
            assert finding("MB-WATER", facts | {"county": "Door"}).outcome == "fail", one


def test_whether_the_mississippi_is_impounded_there_is_for_a_person_and_no_other_water_asks() -> None:
    facts = without(base("breakwater"), "in_impoundment_of_the_mississippi")

    assert finding("MB-WATER", facts | {"water_name": "Mississippi River", "county": "Crawford"}).outcome == "judgment"
    assert finding("MB-WATER", facts | {"water_name": "Lake Mendota", "county": "Dane"}).outcome == "fail"


def test_a_missed_standard_asks_for_a_permit_and_an_unknown_one_says_nothing() -> None:
    for rule, name, fact in (("EX-F1", "piling", "piles"), ("GP-K", "ford", "width_along_flow_ft")):
        assert finding(rule, base(name)).value["raised"] is False
        assert finding(rule, without(base(name), fact)).value["raised"] is None
        assert finding(rule, base(name) | {fact: 100}).value["raised"] is True


def test_a_listed_species_stops_a_general_permit_until_a_paper_shows_otherwise() -> None:
    affected = base("ford") | {"listed_species_potential": True}

    assert ask(GENERAL, affected).result == "fail" and failing(GENERAL, affected) == ["GP-A2"]
    assert ask(GENERAL, affected | {"avoids_impact": True, "plans_changed_for_species": False}).result == "pass"
    assert ask(GENERAL, without(base("ford"), "listed_species_potential")).result == "undetermined"


# --- wholes ---------------------------------------------------------------------------------------------------------

WHOLES = {
    "hydrant": EXEMPTIONS,
    "outfall": EXEMPTIONS,
    "intake": EXEMPTIONS,
    "piling": EXEMPTIONS,
    "gp-hydrant": GENERAL,
    "gp-outfall": GENERAL,
    "gp-intake": GENERAL,
    "ford": GENERAL,
    "landing": GENERAL,
    "gravel": GENERAL,
    "breakwater": "nr320-07",
    "bridge": "nr320-08",
    "shelter": "boat-shelters",
}


@pytest.mark.parametrize("name", WHOLES)
def test_a_project_that_meets_every_rule_passes_and_one_missing_fact_keeps_it_from_passing_but_never_fails_it(name: str) -> None:
    facts, ruleset = base(name), WHOLES[name]
    asked = {leaf.field for one in ask(ruleset, facts).findings if one.counted for leaf in one.leaves}

    assert ask(ruleset, facts).result == "pass"
    for fact in sorted(set(facts) & asked):
        assert ask(ruleset, without(facts, fact)).result != "fail", fact
    for fact in ("activity", "within_riparian_zone", "work_from", "clearance_ft", "open_governance", "frontage_ft"):
        if fact in asked:
            assert ask(ruleset, without(facts, fact)).result == "undetermined", fact


@pytest.mark.parametrize("name", ["hydrant", "outfall", "intake", "piling", "ford", "landing", "gravel", "breakwater", "bridge"])
def test_a_change_that_fails_one_rule_fails_the_whole_and_no_rule_that_does_not_ask_it(name: str) -> None:
    for change in (one for one in changes() if one.wanted == "fail" and cases()["cases"][one.rule]["base"] == name):
        ruleset = homes(change.rule)[0] if change.rule != "EX-G5" else EXEMPTIONS
        made = ask(ruleset, change.facts)

        assert made.result == "fail"
        for one in made.findings:
            if one.counted and one.failed and one.rule not in (ruleset, change.rule):
                assert set(change.changed) & {leaf.field for leaf in one.leaves}, (change.rule, change.changed, one.rule)


@pytest.mark.parametrize(("ruleset", "rule"), [(home, rule) for home, rule, _ in rules()])
def test_nothing_unknown_counts_as_passed(ruleset: str, rule: str) -> None:
    found = ask(ruleset, {}).finding(rule)

    assert found is not None
    assert outcome(found) in ("unknown", "judgment", "not-applicable", "open")
    if found.counted:
        assert found.open and found.outcome != "not-applicable"


@pytest.mark.parametrize("ruleset", list(sets()))
def test_a_set_that_is_told_nothing_is_undetermined(ruleset: str) -> None:
    assert ask(ruleset, {}).result == "undetermined"


@pytest.mark.parametrize("ruleset", ["nr320-06", "nr320-08", EXEMPTIONS, GENERAL])
def test_a_set_does_not_cover_dredging(ruleset: str) -> None:
    made = ask(ruleset, {"activity": "dredging"})

    assert made.result == "fail"
    assert ruleset in [one.rule for one in made.findings if one.failed]


@pytest.mark.parametrize(("rule", "name"), cases()["judged"].items())
def test_an_item_without_a_test_is_open_until_a_person_judges_it(rule: str, name: str) -> None:
    home = homes(rule)[0]

    assert finding(rule, base(name)).outcome == "judgment"
    for said in ("pass", "fail"):
        found = ask(home, base(name), judgments={rule: {"outcome": said, "who": "A. Clerk", "when": "2026-04-02", "why": "Seen."}}).finding(rule)
        assert found is not None and found.outcome == said


def test_factors_are_weighed_and_procedure_is_told_and_neither_decides_the_whole() -> None:
    for rule in (*cases()["weighed"], *cases()["procedure"]):
        found = finding(rule, base("riprap") | {"activity": "pier_or_wharf_over_threshold"})
        assert (found.outcome, found.counted) == ("judgment" if rule in cases()["weighed"] else "not-applicable", False)
        assert found.considers or rule in cases()["procedure"]
    assert {rule for _, rule, one in rules() if one.kind not in (*COUNTED, "requirement-trigger")} == {*cases()["weighed"], *cases()["procedure"]}


# --- seasons --------------------------------------------------------------------------------------------------------

SEASONS = {
    "trout": ({"water_class": ["trout"]}, "09-15", "05-15"),
    "south": ({"side": "south_of_sth29"}, "03-15", "05-15"),
    "north": ({"side": "north_of_sth29"}, "04-01", "06-01"),
    "on the highway": ({"side": "on_sth29"}, "03-15", "06-01"),
}


@pytest.mark.parametrize("rule", ["EX-G4", "GP-C3"])
@pytest.mark.parametrize("year", [2025, 2027, 2028])
@pytest.mark.parametrize("season", SEASONS)
def test_both_end_days_of_a_season_are_blocked_and_the_days_beside_them_are_free(season: str, year: int, rule: str) -> None:
    changed, begins, ends = SEASONS[season]
    facts = base("piling" if rule == "EX-G4" else "ford") | changed
    first = date.fromisoformat(f"{year}-{begins}")
    last = date.fromisoformat(f"{year + (ends < begins)}-{ends}")
    one = timedelta(1)

    def on(begin: date, end: date) -> str:
        return finding(rule, facts | {"work_from": begin.isoformat(), "work_to": end.isoformat()}).outcome

    assert [on(day, day) for day in (first - one, first, last, last + one)] == ["pass", "fail", "fail", "pass"]
    assert on(first - 5 * one, first - one) == "pass"
    assert on(first - one, first) == "fail"
    assert on(last, last + one) == "fail"
    assert on(first - one, last + one) == "fail"


def test_the_trout_season_wraps_the_year_and_names_the_free_days_beside_it() -> None:
    found = finding("EX-G4", base("piling") | {"water_class": ["trout"], "work_from": "2026-09-15", "work_to": "2027-05-15"})
    leaf = next(one for one in found.leaves if one.rule == "EX-G4a")

    assert found.outcome == "fail"
    assert leaf.allowed == {"before": "2026-09-14", "after": "2027-05-16"}


def test_a_leap_day_lies_in_the_trout_season_and_in_no_other() -> None:
    day = {"work_from": "2028-02-29", "work_to": "2028-02-29"}

    assert finding("EX-G4", base("piling") | day | {"water_class": ["trout"]}).outcome == "fail"
    for side in ("south_of_sth29", "north_of_sth29", "on_sth29"):
        assert finding("EX-G4", base("piling") | day | {"side": side}).outcome == "pass"


@pytest.mark.parametrize(
    ("reading", "blocked", "free"),
    [("union", ["2027-03-15", "2027-06-01"], ["2027-03-14", "2027-06-02"]), ("south", ["2027-03-15", "2027-05-15"], ["2027-03-14", "2027-05-16"]),
     ("north", ["2027-04-01", "2027-06-01"], ["2027-03-31", "2027-06-02"])],
)  # fmt: skip
def test_the_season_on_the_highway_itself_is_a_reading(reading: str, blocked: list[str], free: list[str]) -> None:
    for day in (*blocked, *free):
        facts = base("piling") | {"side": "on_sth29", "work_from": day, "work_to": day}
        assert finding("EX-G4", facts, season_on_sth29=reading).outcome == ("fail" if day in blocked else "pass"), day


def test_the_season_of_a_water_of_unknown_class_or_side_is_unknown() -> None:
    for fact in ("water_class", "side", "work_from", "work_to"):
        assert finding("EX-G4", without(base("piling"), fact)).outcome == "unknown"


def test_a_biologist_waives_the_season_for_a_general_permit_and_not_for_an_exemption() -> None:
    waived = base("gp-piling") | {"work_from": "2026-05-15", "fisheries_biologist_waiver": True}

    assert finding("GP-C3", waived).outcome == "pass"
    assert finding("EX-G4", waived).outcome == "fail"


# --- versions -------------------------------------------------------------------------------------------------------


def test_the_day_received_picks_the_version_and_each_says_so() -> None:
    before, after = ask(EXEMPTIONS, base("piling"), OLD), ask(EXEMPTIONS, base("piling"), NEW)

    assert (before.version, before.in_force, [one.id for one in before.notes]) == ("nr329-2005", True, [])
    assert (after.version, after.in_force, [one.id for one in after.notes]) == ("nr329-2005", False, ["superseded-text"])
    assert (before.law, after.law) == ("nr329-2005", "nr320-2026")
    assert (ask("nr320-06", base("riprap"), OLD).in_force, ask("nr320-06", base("riprap"), NEW).in_force) == (False, True)
    assert [one.id for one in ask("nr320-06", base("riprap"), OLD).notes] == ["not-yet-in-force"]


@pytest.mark.parametrize("ruleset", [EXEMPTIONS, GENERAL, "decontamination"])
def test_the_agency_may_refuse_the_superseded_text(ruleset: str) -> None:
    facts = base("piling")

    assert ask(ruleset, facts, OLD, nr329_after_2026_03_31="refuse").notes == ()
    with pytest.raises(Refused, match="superseded-text|not used"):
        ask(ruleset, facts, NEW, nr329_after_2026_03_31="refuse")


# --- readings -------------------------------------------------------------------------------------------------------


def test_every_reading_of_the_rule_sets_is_asked_under_both_answers() -> None:
    asked = {leaf.setting for _, _, rule in rules() for test in (rule.applies, rule.test) for leaf in leaves_of(test) if isinstance(leaf, SettingTest)}
    asked |= {leaf.setting for one in sets().values() for part in one.parts.values() for leaf in leaves_of(part.applies) if isinstance(leaf, SettingTest)}

    assert asked == {"deny_needs_both", "river_counts_as_stream", "season_on_sth29", "thoroughfare_grouping"}
    assert asked <= set(pack().text.settings)


def test_whether_a_thoroughfare_must_be_steep_and_eroding_too_is_a_reading() -> None:
    flat = base("seawall") | {"thoroughfare_channel": True, "alternatives_impede_navigation": True}
    steep = flat | {"slope_v_per_h": 2, "erosion_evident": True}

    assert finding("IP-4c2", flat).outcome == "pass"
    assert finding("IP-4c2", flat, thoroughfare_grouping="together").outcome == "fail"
    assert finding("IP-4c2", steep, thoroughfare_grouping="together").outcome == "pass"


def test_what_denies_an_application_is_a_reading() -> None:
    outcomes = {
        (both, met, imposed): finding("IP-8c", base("riprap") | {"standards_met": met, "conditions_imposed": imposed}, deny_needs_both=both).outcome
        for both, met, imposed in product((True, False), repeat=3)
    }

    assert {key for key, found in outcomes.items() if found == "fail"} == {
        (True, False, False),
        (False, True, False),
        (False, False, True),
        (False, False, False),
    }


def test_whether_a_river_is_a_stream_is_a_reading() -> None:
    river = base("outfall") | {"water_type": "river", "discharge_share_of_q80": "0.6"}
    bank = base("riprap") | {"water_type": "river"}

    assert (finding("IO-11b", river).outcome, finding("IO-11b", river, river_counts_as_stream=False).outcome) == ("fail", "not-applicable")
    assert (finding("IP-4b", bank).outcome, finding("IP-4b", bank, river_counts_as_stream=False).outcome) == ("fail", "not-applicable")


# --- tables ---------------------------------------------------------------------------------------------------------


def combinations(frontage: str, reading: str) -> list[list[int]]:
    """What the rule computes for a frontage of which nothing is asked."""
    found = finding("IP-4f3", {"frontage_ft": frontage}, boat_shelter_swaps=reading)
    assert found.outcome == "computed"
    value: list[list[int]] = found.value
    return value


def printed(frontage: float, reading: str) -> list[list[int]]:
    """What the printed table says."""
    tables = read("boat-shelters.yaml")
    rows = [*tables[reading], *(tables["beyond"] if reading == "mixed" else ())]
    return next((row["max"] for row in rows if float(row["from_ft"]) <= frontage < float(row["below_ft"])), [])


@pytest.mark.parametrize("reading", ["mixed", "all_or_nothing"])
def test_the_count_of_boat_shelters_is_the_printed_table_for_every_foot(reading: str) -> None:
    for foot in range(351 if reading == "mixed" else 350):
        for frontage in (f"{foot}", f"{foot}.01", f"{foot}.99"):
            assert sorted(combinations(frontage, reading)) == sorted(printed(float(frontage), reading)), frontage


def test_a_count_of_boat_shelters_passes_where_one_combination_holds_it() -> None:
    for frontage in ("0", "1", "149.99", "150", "200", "250", "300", "349.99"):
        allowed = printed(float(frontage), "mixed")
        for permanent, seasonal in product(range(5), range(8)):
            facts = base("shelter") | {"frontage_ft": frontage, "permanent_shelters": permanent, "seasonal_shelters": seasonal}
            fits = any(permanent <= row[0] and seasonal <= row[1] for row in allowed) or permanent + seasonal == 0
            assert finding("IP-4f3", facts).outcome == ("pass" if fits else "fail"), facts
            whole = ask("nr320-06", facts).finding("IP-4f3")
            assert whole is not None and whole.outcome == ("pass" if fits else "fail")


def test_the_strict_reading_gives_fewer_boat_shelters() -> None:
    facts = base("shelter") | {"frontage_ft": 250, "permanent_shelters": 2, "seasonal_shelters": 2}

    assert finding("IP-4f3", facts).outcome == "pass"
    assert finding("IP-4f3", facts, boat_shelter_swaps="all_or_nothing").outcome == "fail"


STEPS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a": ({"inspected_and_cleared": True}, {"inspected_and_cleared": False}),
    "b": ({"water_drained": True}, {"water_drained": False}),
    "c": ({"trashed_and_nothing_moved": True}, {"trashed_and_nothing_moved": False}),
    "d": ({"wash_temp_f": 212}, {"wash_temp_f": 211}),
    "e": ({"soap_and_water": True, "wash_psi": 0}, {"soap_and_water": False, "wash_psi": 1999}),
    "f": ({"dry_days": 5}, {"dry_days": 4}),
    "g": ({"chlorine_ppm": 200, "contact_min": 10}, {"chlorine_ppm": 200, "contact_min": 9}),
    "h": ({"approved_protocol_followed": True}, {"approved_protocol_followed": False}),
}


@pytest.mark.parametrize("warm", [True, False], ids=["warm", "cold"])
@pytest.mark.parametrize("water", [True, False], ids=["open water", "ice"])
def test_decontamination_is_steps_a_to_c_or_h_and_one_of_d_to_h_in_open_water_on_a_warm_day(water: bool, warm: bool) -> None:
    for done in product((True, False), repeat=len(STEPS)):
        facts: dict[str, Any] = {"nonfrozen_water": water, "air_temp_f": 20 if warm else 19}
        for step, yes in zip(STEPS, done, strict=True):
            facts |= STEPS[step][0 if yes else 1]
        a, b, c, d, e, f, g, h = done
        wanted = ((a and b and c) or h) and (not (water and warm) or d or e or f or g or h)

        assert finding("EX-G5", facts).outcome == ("pass" if wanted else "fail"), facts


def test_high_pressure_washes_as_well_as_soap() -> None:
    assert finding("EX-G5", base("piling") | {"dry_days": 0, "wash_psi": 2000}).outcome == "pass"


@pytest.mark.parametrize(("home", "rule"), [("decontamination", "EX-G5"), (EXEMPTIONS, "EX-G5"), (GENERAL, "GP-C4")])
def test_a_borrowed_rule_finds_what_the_lender_finds(home: str, rule: str) -> None:
    for changed in ({}, {"dry_days": 4}, {"water_drained": False}, {"approved_protocol_followed": True, "water_drained": False}):
        facts = base("ford") | changed
        found, lent = ask(home, facts).finding(rule), ask("decontamination", facts).finding("EX-G5")

        assert found is not None and lent is not None
        assert (found.outcome, [leaf.got for leaf in found.leaves]) == (lent.outcome, [leaf.got for leaf in lent.leaves])


# --- the table of the rules -----------------------------------------------------------------------------------------


def test_the_table_in_the_docs_is_what_the_pack_says_now() -> None:
    path = ROOT / "docs" / table.NAME

    assert path.read_text(encoding="utf-8") == table.text(), "write it anew with `make docs`"


def test_the_table_counts_the_items_of_the_law() -> None:
    text = table.text()

    assert f"**{len(items())} rule items**" in text
    assert all(f"| {item} |" in text for item in items())
