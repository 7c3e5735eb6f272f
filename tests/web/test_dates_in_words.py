"""How pages say a count of days, and by which calendar."""

from __future__ import annotations

from caseflow.web.words import counted, edition


def test_business_days_are_told_as_the_length_that_the_law_gives_and_not_as_the_days_between() -> None:
    # From Monday, January 4, 2027, 45 business days are 65 calendar days: 18 Saturdays and Sundays and two holidays lie between.
    assert counted(65, {"length": {"business_days": 45, "text": "45 business days"}}) == "45 business days"


def test_other_counts_are_told_as_the_days_between() -> None:
    assert counted(23, {"length": {"days": 30, "text": "30 days"}}) == "23 days"
    assert counted(1, {"length": None}) == "1 day"


def test_an_adopted_calendar_is_named_by_its_label_and_the_beginning_of_its_hash() -> None:
    assert edition("2026.1") == "2026.1" and edition("2026.2@" + "cf3c670d" * 8) == "2026.2 (cf3c670d)"
