"""F9, F10: a mail server that is away, slow, asks to wait, refuses, loses its answer or gives it twice; and a dispatcher that dies at work.

As tests/faults/dispatching.py holds the register against what the server took: no letter lost, none twice but under one name with one content.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from caseflow.domain.mailing import Copy
from caseflow.errors import NotTaken
from caseflow.services import dispatching
from tests.faults import dispatcher
from tests.faults.dispatcher import PLACES, Watch
from tests.faults.dispatching import LEAVES, SHARES, office_of, prepare, tally, through
from tests.faults.matrix.apart import apart
from tests.faults.matrix.points import forked
from tests.faults.matrix.row import Result
from tests.faults.sink import Sink, mixed, running


def faulty(kinds: tuple[str, ...], folder: Path, letters: int, seed: int) -> Result:
    """So many letters through each kind of server."""
    result = Result()
    for kind in kinds:
        database, sink = folder / f"{kind}.db", Sink(mixed(seed, SHARES["all" if kind == "down" else kind]))
        _ = forked(partial(prepare, database, letters))
        made = through(database, sink, timeout=0.5, down_first=kind == "down")
        result.trials += letters
        result.injected += sink.done.total() - sink.done["well"] + (letters if kind == "down" else 0)
        result.violations += [f"{kind}: {text}" for text in made.faults]
        result.note(f"{kind}: {made.letters} letters, {made.sent} handed over, {made.bounced} to a person, {made.twice} twice under one name")
    return result


def killed(folder: Path, kills: int, seed: int) -> Result:
    """A dispatcher that dies at every place in turn, an hour apart, and one at the end that lives."""
    result, database, sink, luck = Result(), folder / "letters.db", Sink(), random.Random(seed)
    _ = forked(partial(prepare, database, 3 * kills))
    with running(sink) as port:
        for turn in range(kills * 4):
            place = PLACES[turn % len(PLACES)] if result.injected < kills else dispatcher.FREE
            ended = forked(partial(_dispatch, database, port, turn, place, luck.randrange(2)))
            result.injected += ended.killed
            if ended.broke or ended.hung:
                result.violations.append(ended.broke or "it hangs")
            if place == dispatcher.FREE and ended.answer == 0:
                break
        made = tally(database, sink)
    result.trials = turn + 1
    result.violations += made.faults
    result.note(f"{made.letters} letters, {made.sent} handed over, {made.twice} twice under one name with the same bytes")
    return result


def _dispatch(database: Path, port: int, hour: int, place: str, after: int) -> int:
    dispatcher.watched(Watch(place, after))
    done = dispatching.dispatch(office_of(database, port), LEAVES + timedelta(hours=hour))
    return done.waiting + done.unknown


def dropped() -> None:
    """The planted fault: what the server refuses for good is taken for sent."""
    real: Callable[..., Any] = dispatching._ended

    def ended(run: Any, copy: Copy, fault: Any) -> Any:
        made = real(run, copy, fault)
        if not isinstance(fault, NotTaken):
            return made
        from dataclasses import replace

        return replace(made, copy=replace(made.copy, status="handed-over", sent_on=run.moment.date()), outcome="accepted")

    dispatching._ended = ended


SERVERS, ANSWERS = ("down", "later", "refuse", "slow"), ("drop", "repeat")
ROWS = (
    apart("F9-server", "mail server away, 4xx, 5xx, too slow", "P5", partial(faulty, SERVERS), dropped, "5xx taken for sent", 5, 125),
    apart("F9-killed", "the dispatcher killed at each of its places", "P5", killed, dispatcher.unnoted, "the attempt is not noted first", 5, 30),
    apart("F10-answer", "answer lost after the body, answer twice", "P5 P6", partial(faulty, ANSWERS), dispatcher.unnamed, "another name each time", 6, 150),
)
