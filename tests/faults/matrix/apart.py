"""Rows whose trials, and whose planted defect, each run in a copy of this process, so that nothing that is broken there stays broken."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result, Row

LONGEST = 3600
"""Seconds that a row may take."""
Work = Callable[[Path, int, int], Result]
"""The trials of a row in a folder: how many, and by which seed."""


def apart(
    name: str,
    title: str,
    promises: str,
    work: Work,
    planted: Callable[[], None],
    defect: str,
    few: int,
    many: int,
    why: Callable[[], str] = lambda: "",
    shows: int = 1,
) -> Row:
    """A row. `planted` breaks the product before the trials; the defect must show in as many trials as the slice has, or in `shows`."""
    return Row(
        name,
        title,
        promises,
        lambda trials, seed: _ran(partial(_within, work, trials or many, seed)),
        lambda seed: _ran(partial(_within, work, few or shows, seed), planted),
        defect,
        few=few,
        many=many,
        why=why,
    )


def _within(work: Work, trials: int, seed: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory(prefix="caseflow-faults-") as folder:
        return asdict(work(Path(folder), trials, seed))


def _ran(work: Callable[[], dict[str, object]], planted: Callable[[], None] | None = None) -> Result:
    made = forked(work, first=planted, seconds=LONGEST)
    if made.answer is not None:
        return Result(**made.answer)
    text = made.said or made.broke or ("it hangs" if made.hung else "it was killed")
    # What breaks the harness is no proof that it sees a defect.
    return Result(notes=[text]) if planted is not None else Result(1, 1, [text])
