"""F12: the record altered behind the program's back, as tests/faults/damage.py does it: every kind of it is named by case and entry."""

from __future__ import annotations

from pathlib import Path

from tests.faults import damage
from tests.faults.damage import KINDS, record_of, trial
from tests.faults.matrix.apart import apart
from tests.faults.matrix.row import Result


def damaged(folder: Path, trials: int, seed: int) -> Result:
    """Every kind of damage so often, each found by the checkpoint with its list and by its line alone; and no alarm where there is none."""
    result, record = Result(), record_of(folder)
    for kind in KINDS:
        for place in range(trials):
            made = trial(record, kind, seed + place, folder)
            missed = [how for how, said in (("with the list", made.listed), ("with the line", made.line)) if not made.named(said)]
            result.add(1, [f"{kind.title}, seed {seed + place}: not named {how}" for how in missed])
    alarm = damage.found_in(record.path, record, record.listed)
    result.add(0, [f"an alarm on a sound record: {alarm[:2]}"] if alarm else [])
    return result


def without_checkpoint() -> None:
    """The planted fault: what was kept elsewhere is not looked at."""
    real = damage.found_in
    damage.found_in = lambda path, record, _checkpoint, chain=True: real(path, record, None, chain)


ROWS = (apart("F12-journal", "nine kinds of damage to the record", "P14", damaged, without_checkpoint, "verify without a checkpoint", 1, 100),)
