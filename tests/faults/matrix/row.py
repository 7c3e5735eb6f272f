"""What a row of the matrix is: a fault, its trials, and a defect of the product that must turn it red."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Result:
    """What the trials of a row came to. `injected`: faults that really happened; `violations`: every promise that was broken, in words."""

    trials: int = 0
    injected: int = 0
    violations: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, injected: int, violations: list[str]) -> None:
        """Counts one trial."""
        self.trials += 1
        self.injected += injected
        self.violations += violations

    def note(self, text: str) -> None:
        """A figure that is worth a line."""
        self.notes.append(text)


Trials = Callable[[int, int], Result]
"""How many trials, and by which seed. A row that goes through every point of something takes 0 for all of them."""


@dataclass(frozen=True)
class Row:
    """A row: its name such as `F1-act`, what the fault is, the promises it holds, its trials and the defect that must be caught.

    `few`, `many`: trials of the slice that every change runs (0: it is not among them), and of the whole matrix. `why`: where a row can't run on this machine, why not.
    """

    name: str
    title: str
    promises: str
    trials: Trials
    planted: Callable[[int], Result]
    defect: str
    few: int = 3
    many: int = 0
    why: Callable[[], str] = lambda: ""
