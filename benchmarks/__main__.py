"""`python -m benchmarks`: every goal against its base, in one table. Exit 1 when a goal is missed."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import acts, commands, findings, letters, profiles, site, sweeps, verify
from benchmarks.measure import Line, others_at_work, table

PARTS = ("acts", "sweep", "idle", "compute", "rules", "letters", "site", "verify", "help")


def main() -> int:
    """Runs the parts asked for."""
    asked = _arguments()
    with tempfile.TemporaryDirectory(prefix="caseflow-bench-", dir=asked.scratch) as name:
        folder = Path(name)
        if asked.profile:
            print(profiles.acts(folder), profiles.sweep(folder, asked.due, asked.open), sep="\n")
            return 0
        warning = others_at_work()
        lines = []
        for part in PARTS:
            if part in asked.only.split(","):
                print(f"{part} ...", file=sys.stderr, flush=True)
                lines += _part(part, folder, asked)
    print(table(lines))
    if warning:
        print(warning)
    return 1 if any(line.met is False for line in lines) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--open", type=int, default=100_000, metavar="N", help="open cases that a sweep works among")
    parser.add_argument("--due", type=int, default=5_000, metavar="N", help="timers due in a sweep")
    parser.add_argument("--full", action="store_true", help="1,000,000 open cases (some 15 GB of scratch); the site at 100,000 and 1,000,000")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each part")
    parser.add_argument("--only", default=",".join(PARTS), help="parts to run, with commas: %(default)s")
    parser.add_argument("--scratch", metavar="DIR", help="where the databases are made; on the disk that matters")
    parser.add_argument("--profile", action="store_true", help="print where acting and sweeping spend their time instead")
    asked = parser.parse_args()
    asked.open = 1_000_000 if asked.full else asked.open
    return asked


def _part(part: str, folder: Path, asked: argparse.Namespace) -> list[Line]:
    if part == "acts":
        return acts.run(folder, asked.rounds)
    if part == "sweep":
        return sweeps.run(folder, min(asked.rounds, 3), asked.due, asked.open)
    if part == "idle":
        return sweeps.idle(folder, asked.rounds)
    if part == "rules":
        return findings.run(asked.rounds)
    if part == "site":
        return site.run(folder, min(asked.rounds, 3), asked.open // 10 if asked.full else asked.open, asked.full)
    if part == "verify":
        return verify.run(folder, min(asked.rounds, 3), asked.open // 2)
    if part == "letters":
        return letters.run(min(asked.rounds, 5))
    return commands.compute(folder, min(asked.rounds, 3)) if part == "compute" else commands.help_page(asked.rounds)


if __name__ == "__main__":
    sys.exit(main())
