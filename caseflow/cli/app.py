"""What the command line is handed: its settings, and the program behind it as one Protocol.

Every answer is plain data, ready to be printed as JSON, in the shapes that outsiders depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import IO, Any, Protocol

from caseflow.domain.case import Actor

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """What options, CASEFLOW_* variables and caseflow.toml say. `at` is the moment that counts as now (None: the real
    one); `packs` a folder of packs (None: those that came with caseflow); `mail` the folder that letters leave to."""

    database: str = "caseflow.db"
    packs: str | None = None
    at: date | datetime | None = None
    mail: str = "mail"


class Progress(Protocol):
    """Told how far long work is; `total` is None where nobody knows."""

    def __call__(self, done: int, total: int | None, what: str) -> None: ...


class App(Protocol):
    """The program behind the doors. Every method may raise CaseflowError."""

    def read_yaml(self, path: str) -> Answer:
        """A file of names and values, as its author wrote it."""

    def init(self, live: bool) -> Answer: ...

    def file(self, request: Mapping[str, Any], actor: Actor) -> Answer: ...

    def act(
        self,
        case: str,
        action: str,
        facts: Mapping[str, Any],
        on: date | None,
        actor: Actor,
        seen_version: int | None,
        command_id: str | None,
        dry_run: bool,
    ) -> Answer: ...

    def void(self, case: str, seq: int, because: str, actor: Actor) -> Answer: ...

    def amend(self, case: str, seq: int, on: date, because: str, actor: Actor) -> Answer: ...

    def show(self, case: str) -> Answer: ...

    def timeline(self, case: str, by: str, known_on: date | None) -> list[Answer]: ...

    def why(self, case: str, clock: str | None) -> list[Answer]: ...

    def docket(self, **filters: Any) -> list[Answer]: ...

    def board(self, as_of: date | None) -> Answer: ...

    def sweep(self, until: date | datetime | None, progress: Progress) -> Answer: ...

    def letters(self, case: str | None, status: Sequence[str]) -> list[Answer]: ...

    def letter(self, number: str) -> Answer:
        """A letter of the register, with `markdown`, `text` and `html`."""

    def preview(self, case: str, letter: str, action: str | None, facts: Mapping[str, Any]) -> Answer: ...

    def dispatch(self, progress: Progress) -> Answer: ...

    def calendar(self, name: str | None, year: int | None) -> Answer: ...

    def verify(self, case: str | None, progress: Progress) -> Answer: ...

    def pack_check(self, folder: str) -> Answer:
        """A summary of a pack without faults. Raises PackFaults."""

    def pack_show(self, name: str | None) -> Answer: ...

    def pack_schema(self, kind: str) -> Answer: ...

    def rehearse(self, files: Sequence[str], coverage: bool, progress: Progress) -> list[Answer] | Answer:
        """One answer per scenario; with `coverage`, these under `scenarios`, and what of the pack they reached."""

    def clock_compute(self, lines: IO[str], out: IO[str]) -> None: ...

    def quote(self, request: Mapping[str, Any]) -> Answer: ...

    def form(self, service: str) -> Answer: ...

    def demo(self, folder: str, progress: Progress) -> Answer: ...

    def run_scheduler(self) -> None:
        """Sweeps and dispatches until the process is told to stop."""


Opener = Callable[[Settings], App]
