"""What every part of a pack is made of: words with aliases, citations, lists of names, settings asked for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

FACT_OPS = (
    "is",
    "is-not",
    "in",
    "not-in",
    "at-least",
    "at-most",
    "more-than",
    "less-than",
    "given",
    "includes",
    "includes-any",
    "within",
    "mentions",
)
DAY_OPS = ("on-or-before", "before", "on-or-after", "after", "on")
UNITS = ("days", "business-days", "weeks", "months", "years")
STATUSES = ("not-started", "running", "tolled", "displaced", "met", "stopped", "missed", "over")
RULE_MOVES = ("calendar-adopted", "pack-moved")
"""The entries by which a case goes under another calendar, or another version of its pack."""
RESERVED_ACTIONS = (
    "void",
    "amend",
    "withdrawn-by-correction",
    "silence-waits",
    *RULE_MOVES,
    "warn-deadline",
    "letter-sent",
    "letter-copied",
    "letter-unanswered",
    "letter-bounced",
    "letter-returned",
    "letter-delivered",
    "letter-resent",
    "letter-approved",
    "letter-edited",
    "letter-blocked",
    "letter-written",
    "letter-waits",
    "letter-corrected",
    "timer-refused",
    "documents-received",
    "documents-read",
    "imported",
    "legal-hold-placed",
    "legal-hold-lifted",
    "disposed",
)

Confidence = Literal["verified", "inferred", "recalled", "not-found"]


def _hyphens(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


class Word(BaseModel):
    """Base of all models: frozen, nothing unknown allowed, keys with hyphens."""

    # Validators are made when a pack is first read from its files: a command that recalls a checked pack needs none of them.
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=_hyphens, populate_by_name=True, arbitrary_types_allowed=True, defer_build=True)


class Cited(Word):
    """Something that stands on law (`cite`), practice (`note`) or policy, with the reading chosen and how sure it is."""

    cite: str | None = None
    note: str | None = None
    policy: bool = False
    reading: str | None = None
    confidence: Confidence | None = None


def _as_list(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) or value is None else [value]


Names = Annotated[tuple[str, ...], BeforeValidator(_as_list)]


class SettingRef(Word):
    """Stands for the value of a setting."""

    setting: str
