"""Extensions, holds, voids and amendments typed in any order: the date is that of the same events sorted by date.

`python -m tests.orders 10000` makes so many runs on the machine's cores and says how many dates differed; the suite makes some
hundred. The domain alone decides; a small pack has one clock that is held and extended as often as anybody likes.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from caseflow.adapters.packs.loader import load
from caseflow.domain import casework, replay
from caseflow.domain.case import Act, Actor, Case, Entry, Outcome
from caseflow.domain.rulebook import Rulebook, settings_of
from caseflow.domain.view import run
from caseflow.errors import Refused
from tests.unit.pack_texts import sound, spoiled

CLERK = Actor("person", "pat", "supervisor")
FILED = date(2027, 2, 1)
NOW = datetime(2028, 2, 1, 12, tzinfo=UTC)
LENGTHS = ("business-days: 10", "days: 30", "weeks: 3", "months: 2")
MOVES = ("ask", "hear", "prolong")
PATIENCE, MOST = 3, 40
"""So many rounds in which nothing could be typed, or so many entries, end a run whose acts refuse each other."""


def rulebook(length: str) -> Rulebook:
    """The small pack with a clock of this length that may be held and extended, and that nothing ends by itself."""
    files = sound()
    for old, new in (
        (
            "length: {business-days: 10}",
            f"length: {{{length}}}\n    extended: [{{by: prolong, adds: {{{length.partition(':')[0]}: 5}}, cite: Oakville by-law 7}}]",
        ),
        ("    silence: fall-silent\n", "    stopped: fall-silent\n    alert: true\n"),
        (
            "  fall-silent: {title: Granted by silence, by: scheduler, from: open, to: closed, disposition: granted-by-silence, ",
            "  fall-silent: {title: Granted by silence, from: open, to: closed, disposition: granted-by-silence, ",
        ),
        ("  hear: {", "  prolong: {title: Prolong, from: [open, waiting], to: same, cite: Oakville by-law 7}\n  hear: {"),
        ("limits:\n  one-question: {title: One question, action: ask, times: 1, ", "limits:\n  one-question: {title: One question, action: ask, times: 50, "),
    ):
        files = spoiled("tree-permit.yaml", old, new, files)
    pack = load(files).pack
    return Rulebook(pack, pack.workflows[0])


BOOKS = tuple(rulebook(length) for length in LENGTHS)


@dataclass(frozen=True)
class Event:
    """An act and its day. A false one never happened and is voided again."""

    action: str
    on: date
    false: bool = False


class Typed:
    """A case and its journal, typed act by act; a refusal changes nothing."""

    def __init__(self, book: Rulebook) -> None:
        keys = count(1)
        self.book, self.key = book, lambda: f"{next(keys):032x}"
        facts: dict[str, Any] = {
            "request": "T-1",
            "received_on": FILED.isoformat(),
            "received_at": f"{FILED}T10:00:00+00:00",
            "settings": settings_of(book.pack, {}),
            "stated": ["girth_cm"],
            "services": ["tree-permit"],
            "submitted": [],
            "girth_cm": "120",
        }
        made = casework.file(book, "T-1-1", "T-1", facts, CLERK, NOW, self.key())
        self.case, self.entries = made.case, list(made.entries)

    def take(self, made: Outcome) -> int:
        self.case, self.entries = made.case, [*self.entries, *made.entries]
        return made.entries[0].seq

    def act(self, event: Event) -> int:
        facts = {"reason": "which tree"} if event.action == "ask" else {}
        asked = Act(event.action, CLERK, facts, event.on)
        if event.on < self.case.last_on:
            return self.take(replay.insert(self.book, self.case, self.entries, asked, NOW, self.key))
        return self.take(casework.act(self.book, self.case, asked, NOW, self.key()))

    def void(self, seq: int) -> None:
        self.take(replay.correct(self.book, self.case, self.entries, seq, Act("void", CLERK, because="mistaken"), NOW, self.key))

    def amend(self, seq: int, on: date) -> None:
        self.take(replay.correct(self.book, self.case, self.entries, seq, Act("amend", CLERK, on=on, because="wrong day"), NOW, self.key))


def events(luck: Random) -> list[Event]:
    """Holds with their ends, each on a day of its own, and extensions on any day; sorted."""
    days = sorted(luck.sample(range(1, 90), 2 * luck.randint(0, 3) + luck.randint(0, 1)))
    held = [Event(MOVES[place % 2], FILED + timedelta(days=day)) for place, day in enumerate(days)]
    longer = [Event("prolong", FILED + timedelta(days=luck.randint(0, 90))) for _ in range(luck.randint(0, 2))]
    return sorted([*held, *longer], key=lambda event: (event.on, MOVES.index(event.action)))


def mistyped(typed: Typed, known: list[Event], luck: Random) -> bool:
    """Types the events in some order, some on a wrong day that is amended, and others that are voided again. No where they refuse each other."""
    waiting = [*known, *(Event(luck.choice(MOVES), FILED + timedelta(days=luck.randint(1, 90)), false=True) for _ in range(luck.randint(0, 2)))]
    undone: list[int] = []
    stuck = 0
    while (waiting or undone) and stuck < PATIENCE:
        before = len(typed.entries)
        luck.shuffle(waiting)
        waiting = [event for event in waiting if not _tried(typed, event, undone, luck)]
        undone = [seq for seq in undone if not _voided(typed, seq)] if luck.random() < 0.5 or not waiting else undone
        stuck = stuck + 1 if len(typed.entries) == before else 0
        if len(typed.entries) > MOST:
            return False
    return not undone and not [event for event in waiting if not event.false]


def _tried(typed: Typed, event: Event, undone: list[int], luck: Random) -> bool:
    wrong = FILED + timedelta(days=luck.randint(1, 90)) if not event.false and luck.random() < 0.3 else None
    try:
        seq = typed.act(event if wrong is None else Event(event.action, wrong))
    except Refused:
        return False
    if event.false:
        undone.append(seq)
    elif wrong is not None:
        try:
            typed.amend(seq, event.on)
        except Refused:
            undone.append(seq)  # it goes, and the event is typed again
            return False
    return True


def _voided(typed: Typed, seq: int) -> bool:
    try:
        typed.void(seq)
    except Refused:
        return False
    return True


def shown(book: Rulebook, case: Case) -> tuple[Any, ...]:
    """The clock a year later, without the numbers of entries."""
    now = run(book, case, "answer", date(2028, 2, 1))
    held = tuple((hold.from_, hold.to) for hold in now.held)
    return case.state, now.status, now.start, now.length, now.unrolled, now.due, now.target, now.used, now.left, now.missed_by, held


def one(seed: int) -> tuple[str, list[Entry]] | None:
    """One run: what differed, with the journal that was typed; an empty text where nothing did; None where the acts refused each other."""
    luck = Random(seed)
    book = BOOKS[luck.randrange(len(BOOKS))]
    known = events(luck)
    plain = Typed(book)
    for event in known:
        plain.act(event)
    late = Typed(book)
    if not mistyped(late, known, luck):
        return None
    one, other = shown(book, late.case), shown(book, plain.case)
    faults = replay.replay_faults(book, late.case, late.entries)
    return (f"seed {seed}: {one} is not {other}; {known}" if one != other else faults[0].text if faults else ""), late.entries


def runs(seeds: range) -> tuple[int, int, list[str]]:
    """How many runs came to an end, how many corrections they held, and what differed."""
    ended = corrections = 0
    wrong = []
    for seed in seeds:
        made = one(seed)
        if made is not None:
            ended += 1
            corrections += sum(entry.action in ("void", "amend") for entry in made[1])
            wrong += [made[0]] if made[0] else []
    return ended, corrections, wrong


def main(wanted: int) -> int:
    """So many runs that came to an end, spread over the cores."""
    done, corrections, wrong, first, step = 0, 0, list[str](), 0, 250
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        while done < wanted and not wrong:
            parts = [range(first + place * step, first + (place + 1) * step) for place in range(4)]
            first += 4 * step
            for ended, corrected, faults in pool.map(runs, parts):
                done, corrections, wrong = done + ended, corrections + corrected, [*wrong, *faults]
            print(f"\r{min(done, wanted):,} of {wanted:,} runs", end="", file=sys.stderr, flush=True)
    print(f"\n{done:,} runs with {corrections:,} voids and amendments: {len(wrong)} dates differ.")
    print("\n".join(wrong[:5]))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
