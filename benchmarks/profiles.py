"""Where acting and sweeping spend their time, function by function."""

from __future__ import annotations

import cProfile
import io
import pstats
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import acts as acting
from benchmarks import sweeps

SHOWN = 30


def acts(folder: Path, number: int = 500) -> str:
    """A profile for each kind of action."""
    found = []
    for kind in acting.KINDS:
        docket, (warm, numbers) = acting.prepared(folder, f"profile-{kind.asked.action}", 2, number)
        acting.act_on(docket, warm, kind.asked)
        found.append(_profile(kind.title, number, partial(acting.act_on, docket, numbers, kind.asked)))
    return "\n".join(found)


def sweep(folder: Path, due: int, open_cases: int) -> str:
    """A profile of one sweep."""
    docket, (warm, wave) = sweeps.prepared(folder, "profile-sweep", [sweeps.WARM_UP, due], open_cases)
    sweeps.fire(docket, warm)
    return _profile("sweep", due, lambda: sweeps.fire(docket, wave))


def _profile(title: str, number: int, work: Callable[[], object]) -> str:
    profile = cProfile.Profile()
    profile.runcall(work)
    text = io.StringIO()
    stats = pstats.Stats(profile, stream=text).strip_dirs()
    stats.sort_stats("tottime").print_stats(SHOWN)
    stats.sort_stats("cumulative").print_stats(SHOWN * 2)
    return f"=== {title}, {number} times ===\n{text.getvalue()}"
