"""Which cases a person sees: the one rule, asked by every page, list, search, letter, feed, export and program.

It is made of what the packs give a role (`site` and `sees` in pack.yaml) and nothing else. A case that is not seen is answered
exactly like one that does not exist. The stores turn it into a condition of their query, so that counts and pages agree with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from caseflow.domain.pack import Pack, Role
from caseflow.errors import NotFound

READ, OVERSEE = "read", "oversee"
OUTSIDERS = ("scheduler", "requester", "public")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what is seen; all given members must hold. `workflows`: None for any. `assigned`: only what is assigned to the person."""

    workflows: tuple[str, ...] | None = None
    assigned: bool = False
    not_flagged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """Which cases are seen: those of any part. `parts` is None where nothing is hidden, and empty where everything is."""

    parts: tuple[Part, ...] | None = ()
    person: str = ""

    def covers(self, workflow: str, assigned_to: str | None, flags: Sequence[str]) -> bool:
        """Whether a case is seen."""
        if self.parts is None:
            return True
        return any(
            (part.workflows is None or workflow in part.workflows)
            and (not part.assigned or (bool(self.person) and assigned_to == self.person))
            and not any(flag in flags for flag in part.not_flagged)
            for part in self.parts
        )

    def of(self, person: str) -> Sight:
        """The sight of somebody in the role."""
        return replace(self, person=person)


def no_case(number: str) -> NotFound:
    """The answer to a number that is no case's, and to one of a case that is not seen: nobody learns which."""
    return NotFound(f"There is no case '{number}'; 'caseflow docket' lists them.")


def no_letter(number: str) -> NotFound:
    """The same for the number of a letter."""
    return NotFound(f"There is no letter '{number}'; 'caseflow letters list' lists them.")


EVERYTHING = Sight(None)
"""Of the program itself and of whoever runs its commands; never of somebody who signs in."""


def rights_of(pack: Pack, name: str, role: Role) -> frozenset[str]:
    """What a role may do on the site. Where a pack gives no role a right, all but outsiders read and oversee."""
    stated = any(one.site for one in pack.text.roles.values())
    return frozenset(role.site if stated else () if name in OUTSIDERS else (READ, OVERSEE))


def sight_of(packs: Sequence[Pack], role: str) -> Sight:
    """What a role sees: the cases of every pack that lets it read, as far as that pack says. Packs don't open each other's cases."""
    parts = []
    for pack in packs:
        given = pack.text.roles.get(role)
        if given is None or READ not in rights_of(pack, role, given):
            continue
        own = tuple(flow.workflow for flow in pack.workflows)
        sees = given.sees
        if sees is None:
            parts.append(Part(None if len(packs) == 1 else own))
            continue
        parts.append(Part(sees.workflows or (None if len(packs) == 1 else own), sees.only == "assigned", sees.not_flagged))
    if len(parts) == len(packs) and all(pack.text.roles[role].sees is None for pack in packs):
        return EVERYTHING
    return Sight(tuple(parts))
