"""What each kind of pack file looks like, as models; which one a file is, its first word says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import BaseModel, Field

from caseflow.domain import pack as p


class FactsText(p.Word):
    """facts.yaml."""

    facts: Mapping[str, p.Fact]


class LettersText(p.Word):
    """letters.yaml."""

    letters: Mapping[str, p.Letter]


class FeesText(p.Word):
    """fees.yaml."""

    fees: Mapping[str, p.Fee]
    refunds: Mapping[str, p.Refund] = Field(default_factory=dict)


SHAPES: Mapping[str, type[BaseModel]] = {
    "pack": p.PackText,
    "calendar": p.CalendarText,
    "facts": FactsText,
    "letters": LettersText,
    "fees": FeesText,
    "workflow": p.Workflow,
    "ruleset": p.RuleSet,
}


@cache
def words() -> tuple[str, ...]:
    """Every word of the pack language, for suggestions."""
    models = [item for item in vars(p).values() if isinstance(item, type) and issubclass(item, BaseModel)]
    found = [info.alias or name for model in models for name, info in model.model_fields.items()]
    return tuple(dict.fromkeys([*found, "by", "without", *p.FACT_OPS, *p.DAY_OPS, *p.UNITS]))
