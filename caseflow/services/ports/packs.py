"""The port of where rules come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from caseflow.domain.case import Case
    from caseflow.domain.moving import Adoption
    from caseflow.domain.pack import Pack
    from caseflow.domain.rulebook import Rulebook


class Packs(Protocol):
    """Where rules come from."""

    def rulebook(self, workflow: str, received: date) -> Rulebook:
        """The workflow in force on the day received. Raises NotFound."""

    def of(self, case: Case) -> Rulebook:
        """The rulebook of a case: that of its last entry, by the pack version and the calendar version that the case carries.
        `moving.ruled_by(case, entry)` asks for the rules of another entry."""

    def current(self, pack: Pack, adoptions: Sequence[Adoption] | None = None) -> Pack:
        """The pack with the calendar that is in force for it, an adopted one or its own, by the adoptions that the store has or these."""

    def changed(self, text: str, file: str = "calendar.yaml") -> Pack:
        """The pack whose calendar a changed file is, by that file. Raises PackFaults or BadInput."""

    def own_calendar(self, version: str) -> str:
        """The SHA-256 of the calendar file of a pack version."""

    def by_calendar(self, pack: Pack, version: str | None) -> Pack:
        """The pack by a calendar that is kept, as entries name it; by its own where none is given. Raises NotFound."""

    def counting(self, pack: Pack) -> Pack:
        """The same for what is only shown, such as the office's days on a list: known within a minute."""

    def of_version(self, case: Case, version: str) -> Rulebook:
        """The rulebook that a case would have under another version of its pack, by the calendar in force for that one. Raises NotFound."""

    def all(self) -> Sequence[Pack]:
        """Every pack that is loaded."""

    def pack(self, version: str) -> Pack:
        """A pack by content hash, loaded or kept. Raises NotFound."""

    def learn(self, version: str, files: Mapping[str, str]) -> Pack:
        """A pack that came from elsewhere, whole. Raises BadInput where the hash is another, PackFaults."""

    def learn_calendar(self, digest: str, text: str) -> None:
        """A changed calendar that came from elsewhere, by the SHA-256 of its text. Raises BadInput where that is another, PackFaults."""

    def files(self, version: str) -> Mapping[str, str]:
        """The files of a loaded pack, by path."""
