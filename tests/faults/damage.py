"""Damage to the record, done as the owner of the database could do it, with triggers, keys and checks out of the way.

`python -m tests.faults.damage N SEED` does each kind N times on copies of one record and prints what was found.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.verify import prepared


def docket_of(folder: Path, cases: int) -> Path:
    """A database with so many sound cases of six entries."""
    docket, _ = prepared(folder, cases)
    docket.close()
    return docket.path
