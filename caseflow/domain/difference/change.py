"""One difference between two versions of a pack, and how heavy it weighs. What is different, the walk finds; the words are in saying."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Weight = Literal["dates", "refusals", "outcomes", "letters", "fees", "choices", "law", "words"]
How = Literal["added", "removed", "changed"]

WEIGHTS: tuple[Weight, ...] = ("dates", "refusals", "outcomes", "letters", "fees", "choices", "law", "words")
"""What a change bears on, the heaviest first: days and periods, what is refused, where an act leads, what is written and to whom,
money, what the agency chooses and who may do what, the law cited, and words."""


@dataclass(frozen=True, slots=True)
class Change:
    """A difference in one sentence.

    `workflows` are the ids of those that it is part of, none where it is of the whole pack. `what` is the kind of thing (clock,
    action, day list...), `name` its id, `member` which part of it, `before` and `after` what stood and stands there in words.
    """

    weight: Weight
    what: str
    name: str
    how: How
    text: str
    workflows: tuple[str, ...] = ()
    member: str = ""
    before: str | None = None
    after: str | None = None
    cite: str | None = None

    @property
    def rank(self) -> int:
        """0 for the heaviest."""
        return WEIGHTS.index(self.weight)


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that are part of the same workflows, the heaviest first. `titles` are theirs; none: of the whole pack."""

    workflows: tuple[str, ...]
    titles: tuple[str, ...]
    changes: tuple[Change, ...]


def gathered(found: list[Change]) -> list[Change]:
    """What is the same sentence in several workflows becomes one change of all of them; the order stays."""
    made: dict[Change, tuple[str, ...]] = {}
    for one in found:
        bare = replace(one, workflows=())
        known = made.get(bare, ())
        made[bare] = (*known, *(name for name in one.workflows if name not in known))
    return [replace(bare, workflows=workflows) for bare, workflows in made.items()]


def grouped(found: list[Change], titles: dict[str, str]) -> tuple[Group, ...]:
    """Changes by the workflows that they are part of: what is heaviest first, then what most are part of."""
    groups: dict[tuple[str, ...], list[Change]] = {}
    for one in gathered(found):
        groups.setdefault(one.workflows, []).append(one)
    made = [
        Group(workflows, tuple(titles.get(name, name) for name in workflows), tuple(sorted(changes, key=lambda one: one.rank)))
        for workflows, changes in groups.items()
    ]
    return tuple(sorted(made, key=lambda group: (group.changes[0].rank, len(group.workflows) if group.workflows else 0, group.titles)))
