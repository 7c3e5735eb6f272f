"""Stretches of the record read by several processes, since making hashes keeps one processor busy. A small record needs none."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from caseflow.adapters.store.scanning import SqlRecord
from caseflow.adapters.store.sql import SqlStore
from caseflow.domain.chain import Part, Range

ALONE = 60
"""So many stretches are read by this process alone: starting others would take longer."""
AHEAD = 4
"""So many stretches a process are asked for ahead of the answers."""
_own: dict[str, SqlRecord] = {}


class Pool:
    """Implements services.verifying.Spread for the database at an address. `workers`: by default one for each processor."""

    def __init__(self, url: str, record: SqlRecord, workers: int | None = None, alone: int = ALONE) -> None:
        self._url, self._record, self._alone = url, record, alone
        self._workers = workers if workers is not None else os.cpu_count() or 1

    def __call__(self, ranges: Iterable[Range]) -> Iterator[Part]:
        """The parts, in order."""
        left = iter(ranges)
        yield from map(self._record.part, left if self._workers < 2 else islice(left, self._alone))
        first = next(left, None)
        if first is not None:
            yield from self._spread(first, left)

    def _spread(self, first: Range, left: Iterator[Range]) -> Iterator[Part]:
        with ProcessPoolExecutor(self._workers, mp_context=get_context("spawn")) as pool:
            waiting: deque[Future[Part]] = deque([pool.submit(part, self._url, first)])
            while waiting:
                for within in islice(left, self._workers * AHEAD - len(waiting)):
                    waiting.append(pool.submit(part, self._url, within))
                yield waiting.popleft().result()


def part(url: str, within: Range) -> Part:
    """What holds in a stretch, by a process that keeps its own connection."""
    if url not in _own:
        _own[url] = SqlStore(url).record
    return _own[url].part(within)
