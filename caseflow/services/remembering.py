"""What was made once and is asked for again: kept for as long as what it was made from is the same, and only so many of them.

Whoever remembers names everything that the made value depends on, in the key or in the stamp; nothing is forgotten by time.
What is remembered is handed to many: nobody changes it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

Made = TypeVar("Made")


class Remembered:
    """The `most` values that were asked for last. The same key with another stamp is made anew, in place of the old one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Any, Any]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Remembers nothing more."""
        with self._lock:
            self._kept.clear()

    def get(self, key: Hashable, make: Callable[[], Made], stamp: Any = None) -> Made:
        """The value of a key, made where it is not known or was made under another stamp (compared as a whole)."""
        kept = self.known(key, stamp)
        return kept if kept is not None else self.keep(key, make(), stamp)

    def known(self, key: Hashable, stamp: Any = None) -> Any:
        """The value of a key, where it is known under this stamp; otherwise None."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != stamp:
                return None
            self._kept.move_to_end(key)
        return kept[1]

    def keep(self, key: Hashable, value: Made, stamp: Any = None) -> Made:
        """Remembers a value, in place of the one asked for the longest ago."""
        with self._lock:
            self._kept[key] = (stamp, value)
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return value
