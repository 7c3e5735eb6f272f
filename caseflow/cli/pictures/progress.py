"""A bar on stderr for work that takes long enough to wonder about."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

PATIENCE = 0.4  # seconds; what ends before needs no bar


class Bar:
    """Told how far work is; draws nothing before PATIENCE has passed."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.drawn = Progress(*columns, console=Console(stderr=True), transient=True)
        self.began = time.monotonic()
        self.tasks: dict[str, TaskID] = {}

    def __call__(self, done: int, total: int | None, what: str) -> None:
        """Work on `what` has come to `done` of `total`."""
        if time.monotonic() - self.began < PATIENCE:
            return
        self.drawn.start()
        if what not in self.tasks:
            self.tasks[what] = self.drawn.add_task(what, total=total)
        self.drawn.update(self.tasks[what], completed=done, total=total)


@contextmanager
def bar() -> Iterator[Bar]:
    """A bar that goes away when the work ends."""
    told = Bar()
    try:
        yield told
    finally:
        told.drawn.stop()
