"""What is measured, by goal: the parts of a run, what each is given, and that one that fails does not end the others."""

from __future__ import annotations

import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.measure import Line


@dataclass
class Asked:
    """How large a run is: cases of the small and of the large docket, open cases around a sweep, timers due, kills, rounds."""

    folder: Path
    small: int = 10_000
    large: int = 100_000
    open_: int = 100_000
    due: int = 5_000
    kills: int = 25
    rounds: int = 5
    idle: int = 1_000_000
    peers: str | None = None
    patience: int = 1_200
    """Seconds that a part may take."""

    @cached_property
    def pair(self) -> object:
        """Two dockets of whole cases, made when the first part asks for them."""
        from benchmarks.scale import Pair, Sized

        return Pair(Sized(self.folder, self.small, _tell), Sized(self.folder, self.large, _tell))

    @property
    def few(self) -> int:
        """Rounds of a part whose rounds are long."""
        return min(self.rounds, 3)


def _tell(done: int, of: int) -> None:
    print(f"\r  {done:,} of {of:,} cases written", end="\n" if done == of else "", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a run: its name, the goals that it answers, and what does it."""

    name: str
    goals: tuple[str, ...]
    run: Callable[[Asked], list[Line]]


# A part imports what it needs when it runs, so that one that lacks something does not take the others with it.


def _acts(asked: Asked) -> list[Line]:
    from benchmarks import acts

    return acts.run(asked.folder, asked.rounds)


def _peers(asked: Asked) -> list[Line]:
    from benchmarks import beside_peers

    return beside_peers.run(asked.folder, asked.few, asked.peers)


def _postgres(asked: Asked) -> list[Line]:
    from benchmarks import postgres

    return postgres.run(asked.folder, asked.rounds)


def _sweep(asked: Asked) -> list[Line]:
    from benchmarks import sweeps

    return sweeps.run(asked.folder, asked.few, asked.due, asked.open_)


def _growing_sweep(asked: Asked) -> list[Line]:
    from benchmarks import sweeps

    return sweeps.growth(asked.folder, 2, asked.due * 2, asked.open_)


def _idle(asked: Asked) -> list[Line]:
    from benchmarks import sweeps

    return sweeps.idle(asked.folder, asked.rounds, asked.idle // 100, asked.idle)


def _kills(asked: Asked) -> list[Line]:
    from benchmarks import kills

    return kills.run(asked.folder, asked.kills * 100, asked.kills)


def _beside(asked: Asked) -> list[Line]:
    from benchmarks import beside

    return beside.run(asked.folder, max(asked.due * 4, 2_000))


def _counting(asked: Asked) -> list[Line]:
    from benchmarks import counting

    return counting.run(asked.folder)


def _letters(asked: Asked) -> list[Line]:
    from benchmarks import letters

    return letters.run(asked.few)


def _verify(asked: Asked) -> list[Line]:
    from benchmarks import verify

    return verify.run(asked.folder, asked.few, asked.open_ // 2)


def _dates(asked: Asked) -> list[Line]:
    from benchmarks import dates

    return dates.run(asked.rounds)


def _site(asked: Asked) -> list[Line]:
    from benchmarks import site

    is_large = asked.large >= 1_000_000
    return site.run(asked.folder, asked.few, asked.large // 10 if is_large else asked.large, is_large)


def _commands(asked: Asked) -> list[Line]:
    from benchmarks import commands
    from benchmarks.dockets import new_docket

    return [*commands.help_page(asked.folder, asked.rounds), *commands.act_once(new_docket(asked.folder, "shell"), asked.rounds)]


def _compute(asked: Asked) -> list[Line]:
    from benchmarks import commands

    return commands.compute(asked.folder, asked.few)


def _rules(asked: Asked) -> list[Line]:
    from benchmarks import findings

    return findings.run(asked.rounds)


def _of_pair(name: str) -> Callable[[Asked], list[Line]]:
    def run(asked: Asked) -> list[Line]:
        from benchmarks import scale

        found: list[Line] = getattr(scale, name)(asked.pair, asked.few if name == "starts" else asked.rounds)
        return found

    return run


PARTS = (
    Part("acts", ("A1",), _acts),
    Part("peers", ("A2",), _peers),
    Part("postgres", ("A3", "A4"), _postgres),
    Part("act-growth", ("A5",), _of_pair("acts")),
    Part("sweep", ("S1",), _sweep),
    Part("sweep-growth", ("S2",), _growing_sweep),
    Part("idle", ("S3",), _idle),
    Part("kills", ("S4",), _kills),
    Part("beside", ("S5",), _beside),
    Part("counting", ("S6", "L3"), _counting),
    Part("letters", ("L1", "L2"), _letters),
    Part("board", ("Q1",), _of_pair("board")),
    Part("timeline", ("Q2",), _of_pair("timelines")),
    Part("pages", ("Q3",), _of_pair("pages")),
    Part("verify", ("Q4",), _verify),
    Part("dates", ("D1",), _dates),
    Part("site", ("W1",), _site),
    Part("commands", ("B1", "B2"), _commands),
    Part("starts", ("B3", "M1"), _of_pair("starts")),
    Part("compute", ("I2",), _compute),
    Part("rules", ("I3",), _rules),
)
"""In the order of the goals of the reference (A1 to M1); I2 and I3 are figures that the issues of those numbers state besides."""


def chosen(words: str | None, parts: Sequence[Part] = PARTS) -> list[Part]:
    """The parts that answer what was asked for: goals (A1), their letters (A) or names of parts, with commas. Raises ValueError."""
    if not words:
        return list(parts)
    asked = {word.strip().casefold() for word in words.split(",") if word.strip()}
    known = {part.name for part in parts} | {goal.casefold() for part in parts for goal in part.goals}
    known |= {name[0] for name in known if name[1:].isdigit()}
    if asked - known:
        raise ValueError(f"no goal or part is called {', '.join(sorted(asked - known))}; there are {', '.join(sorted(known))}")
    return [part for part in parts if part.name in asked or any(goal.casefold() in asked or goal[0].casefold() in asked for goal in part.goals)]


def measured(part: Part, asked: Asked) -> list[Line]:
    """The lines of a part. One that fails says so in the table, and in full on standard error."""
    begin = time.perf_counter()
    print(f"{', '.join(part.goals)} ({part.name}) ...", file=sys.stderr, flush=True)
    try:
        with _at_most(asked.patience):
            found = part.run(asked)
    except Exception as fault:
        traceback.print_exc()
        found = [Line(part.name, "-", f"not measured: {type(fault).__name__}: {fault}"[:200], False, id=goal) for goal in part.goals]
    print(f"  {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return found


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raises TimeoutError in what takes longer, such as a wait for a process that never answers."""

    def late(*_: object) -> None:
        raise TimeoutError(f"not done within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def tidy(folder: Path, keep: str = "whole-") -> None:
    """Removes what a part left in the scratch folder, but for the dockets that later parts share."""
    for path in folder.iterdir():
        if not path.name.startswith(keep):
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
