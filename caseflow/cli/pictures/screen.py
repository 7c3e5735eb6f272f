"""Where pictures appear: the screen, plain and 80 wide where it is none, and a bar on stderr for long work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

PLAIN_WIDTH = 80
PATIENCE = 0.4  # seconds; what ends before needs no bar


def console() -> Console:
    """Standard output: in color on a terminal that wants it, plain elsewhere."""
    from rich.console import Console

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PLAIN_WIDTH
    return Console(width=width, markup=False, highlight=False, emoji=False)


@contextmanager
def progress() -> Iterator[Callable[[int, int | None, str], None]]:
    """A bar that goes away when the work ends; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield _quiet
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.drawn.stop()


def _quiet(done: int, total: int | None, what: str) -> None:
    """Tells nobody."""
    del done, total, what


class Bar:
    """Told how far work is; draws nothing before PATIENCE has passed."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

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
