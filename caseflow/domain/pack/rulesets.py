"""Rule sets: parts, rules, name lists and allotments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from caseflow.domain.pack.flow import InForce
from caseflow.domain.pack.questions import RuleRef, SettingTest, Test
from caseflow.domain.pack.words import Cited, Names, Word, _hyphens

Kind = Literal["standard", "eligibility", "condition", "requirement-trigger", "evaluation-factor", "procedure"]
Mode = Literal["compute", "confirm", "judgment"]
COUNTED = ("standard", "eligibility", "condition")
"""The kinds of rules that decide whether the whole passes."""


class Rule(Cited):
    """A rule of a set: a condition with what kind it is and how it is established.

    `mode` is compute (from what is stated or measured), confirm (a person looks) or judgment (only a person can say).
    A requirement-trigger raises `then` where its test holds; with `blocks` a raised one fails the whole. An
    evaluation-factor names what it `considers`. A rule `within` another is shown under it and not counted. `same_as`
    borrows the test of another set's rule, and its words where none are written. `found: false` marks a text that was
    not found: `reading` says how it is read.
    """

    text: str = ""
    kind: Kind = "standard"
    mode: Mode = "compute"
    applies: Test | None = None
    test: Test | None = None
    instead: str | None = None
    then: str | None = None
    blocks: bool = False
    considers: Names = ()
    within: str | None = None
    same_as: RuleRef | None = None
    found: bool = True


class Part(Cited):
    """Rules that apply together; `activity` marks one of the activities that the set covers."""

    title: str
    activity: bool = False
    applies: Test | None = None
    rules: Mapping[str, Rule]


class ListEntry(Cited):
    """A name of a list. Any other word is a column: one text or several, which a `where` may ask."""

    name: str
    columns: Mapping[str, Names] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _columns(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if not isinstance(value, Mapping) or "columns" in value:
            return value
        own = {_hyphens(name) for name in cls.model_fields}
        rest = {key: item for key, item in value.items() if key not in own}
        return {**{key: item for key, item in value.items() if key in own}, **({"columns": rest} if rest else {})}


class NameList(Cited):
    """A list of names that rules ask."""

    title: str | None = None
    entries: tuple[ListEntry, ...] = Field(min_length=1)


class Steps(Word):
    """One step for each full `each` of the measure beyond `beyond`: what it `gives`, in place of what it `takes`."""

    each: int = Field(gt=0)
    beyond: int = Field(ge=0)
    gives: tuple[int, ...]
    takes: tuple[int, ...] = ()


class Allotment(Cited):
    """How many of several things are allowed, growing with a measure; none where the measure is 0 or less.

    `base` lists the combinations to begin with, one number for each of `counts`. Every step of `adds` adds to all of
    them; up to the number of its steps, `swaps` may put what it gives in place of what it takes, of what was added. Where
    the reading named by `unmixed` is chosen, what was added is kept whole or swapped whole.
    """

    title: str
    of: str
    unit: str | None = None
    counts: tuple[str, ...] = Field(min_length=1)
    base: tuple[tuple[int, ...], ...] = Field(min_length=1)
    adds: Steps | None = None
    swaps: Steps | None = None
    unmixed: SettingTest | None = None


class AfterEnd(Word):
    """What is said when a set is asked for after its last day. A setting with the readings advise and refuse may refuse it.

    `replaced_by` names the version that is the law from then on, where its own text is not in the pack.
    """

    note: str
    text: str
    replaced_by: str | None = None
    cite: str | None = None
    setting: str | None = None


class RuleSet(Cited):
    """A rule set in one version. `covers` is the fact that must make one of the `activity` parts apply."""

    ruleset: str
    version: str
    title: str | None = None
    in_force: InForce
    after_end: AfterEnd | None = None
    covers: str | None = None
    lists: Mapping[str, NameList] = Field(default_factory=dict)
    allotments: Mapping[str, Allotment] = Field(default_factory=dict)
    parts: Mapping[str, Part]

    def rules(self) -> dict[str, Rule]:
        """Every rule by its id, in the order written."""
        return {name: rule for part in self.parts.values() for name, rule in part.rules.items()}
