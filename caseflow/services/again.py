"""Doing a transaction again where the database did nothing of it: a deadlock, a lost connection.

Only what is one transaction, or is harmless when repeated, may stand under `again`: what it counts or hands out must be counted after the
transaction, and nothing outside the database may have happened in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from caseflow.errors import TryAgain

TRIES = 3
PAUSES = (0.02, 0.2)
"""Seconds before the second and third try: a deadlock is over at once, a server that starts again takes a moment."""

P = ParamSpec("P")
T = TypeVar("T")


def again(do: Callable[P, T]) -> Callable[P, T]:
    """Does it up to three times. One within another does not multiply the tries."""

    @wraps(do)
    def done(*given: P.args, **named: P.kwargs) -> T:
        for pause in PAUSES:
            try:
                return do(*given, **named)
            except TryAgain as fault:
                if fault.spent:
                    raise
                time.sleep(pause)
        try:
            return do(*given, **named)
        except TryAgain as fault:
            fault.spent = True
            raise

    return done
