"""How pages say a count of days."""

from __future__ import annotations

from caseflow.web.words import counted


def test_business_days_are_told_as_the_length_that_the_law_gives_and_not_as_the_days_between() -> None:
    # From Monday, January 4, 2027, 45 business days are 65 calendar days: 18 Saturdays and Sundays and two holidays lie between.
    assert counted(65, {"length": {"business_days": 45, "text": "45 business days"}}) == "45 business days"


def test_other_counts_are_told_as_the_days_between() -> None:
    assert counted(23, {"length": {"days": 30, "text": "30 days"}}) == "23 days"
    assert counted(1, {"length": None}) == "1 day"
