"""`python -m benchmarks`: every goal against its base, in one table. Exit 1 when a goal is missed.

Goals and floors: A1 to M1 of the reference on performance; where an issue states another figure, the issue's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

from benchmarks import results
from benchmarks.measure import others_at_work, table, tally
from benchmarks.parts import Asked, chosen, measured, tidy


def main() -> int:
    """Runs the parts asked for, prints the table and keeps it."""
    given = _arguments()
    try:
        parts = chosen(given.only)
    except ValueError as fault:
        print(f"benchmarks: {fault}", file=sys.stderr)
        return 2
    begin, notes = time.monotonic(), [others_at_work()]
    lines = []
    with tempfile.TemporaryDirectory(prefix="caseflow-bench-", dir=given.scratch) as name:
        asked = _sized(given, Path(name))
        if given.profile:
            from benchmarks import profiles

            print(profiles.acts(asked.folder), profiles.sweep(asked.folder, asked.due, asked.open_), sep="\n")
            return 0
        for part in parts:
            lines += measured(part, asked)
            tidy(asked.folder)
    notes.append(
        f"Cases: {asked.small:,} and {asked.large:,}; {asked.due:,} due among {asked.open_:,} open; {asked.rounds} rounds; {time.monotonic() - begin:.0f} s."
    )
    print(table(lines))
    print("", *filter(None, notes), tally(lines), sep="\n")
    facts, day = results.machine(), date.today()
    if not given.no_file:
        kind = "" if given.only is None else "part-"
        print(results.keep(results.page(f"Goals of {day.isoformat()}", lines, facts, notes), day, facts, given.results, kind))
    return 1 if any(line.met is False for line in lines) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", metavar="GOALS", help="goals (A1,S4), letters (Q) or parts (sweep), with commas")
    parser.add_argument("--full", action="store_true", help="1,000,000 cases and open timers, 20,000 due, 100 kills (some 60 GB of scratch, hours)")
    parser.add_argument("--quick", action="store_true", help="a few hundred cases: whether everything runs, no figures to rely on")
    parser.add_argument("--cases", type=int, metavar="N", help="cases of the large docket (the small one has a tenth)")
    parser.add_argument("--open", type=int, metavar="N", help="open cases that a sweep works among")
    parser.add_argument("--due", type=int, metavar="N", help="timers due in a sweep")
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds of each part")
    parser.add_argument("--scratch", metavar="DIR", help="where the databases are made; on the disk that matters")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has the packages of benchmarks/peers")
    parser.add_argument("--results", type=Path, default=results.RESULTS, metavar="DIR", help="where the table is kept: %(default)s")
    parser.add_argument("--no-file", action="store_true", help="print the table alone")
    parser.add_argument("--profile", action="store_true", help="print where acting and sweeping spend their time instead")
    return parser.parse_args()


def _sized(given: argparse.Namespace, folder: Path) -> Asked:
    asked = Asked(folder, peers=given.peers)
    if given.full:
        asked.large = asked.open_ = 1_000_000
        asked.due, asked.kills, asked.patience = 20_000, 100, 4 * 3_600
    if given.quick:
        asked.small, asked.large, asked.open_, asked.idle, asked.due, asked.kills, asked.rounds = 300, 2_500, 1_000, 10_000, 200, 2, 1
    if given.cases:
        asked.small, asked.large = max(200, given.cases // 10), given.cases
    asked.open_, asked.due, asked.rounds = given.open or asked.open_, given.due or asked.due, given.rounds or asked.rounds
    return asked


if __name__ == "__main__":
    sys.exit(main())
