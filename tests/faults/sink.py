"""A mail server on the loopback that misbehaves as told, and keeps every message that it took."""

from __future__ import annotations

import asyncio
import random
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Any

from aiosmtpd.controller import Controller

MODES = ("well", "slow", "later", "refuse", "drop", "repeat")
"""Takes it; answers too late; 451; 550; takes it and drops the line before the answer; takes it and answers twice."""


@dataclass
class Taken:
    """A message that was taken: its Message-ID, the copy it is of, and its bytes."""

    name: str
    copy: str
    to: tuple[str, ...]
    data: bytes


@dataclass
class Sink:
    """What the server does with each message, by a function of the copy and how often it was offered."""

    mode: Callable[[str, int], str] = field(default=lambda *_: "well")
    pause: float = 1.0
    taken: list[Taken] = field(default_factory=list)
    offered: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:
        """One message."""
        data = envelope.content
        read = message_from_bytes(data)
        copy = str(read["X-Letter"])
        self.offered[copy] += 1
        mode = self.mode(copy, self.offered[copy])
        self.done[mode] += 1
        if mode == "later":
            return "451 4.7.1 greylisted, come back"
        if mode == "refuse":
            return "550 5.1.1 no such mailbox"
        self.taken.append(Taken(str(read["Message-ID"]), copy, tuple(envelope.rcpt_tos), data))
        if mode == "slow":
            await asyncio.sleep(self.pause)
        if mode == "drop":
            server.transport.abort()
        if mode == "repeat":
            await server.push("250 OK")
        return "250 OK"


@contextmanager
def running(sink: Sink) -> Iterator[int]:
    """The server while it runs; the answer is its port."""
    port = free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def mixed(seed: int, shares: dict[str, float]) -> Callable[[str, int], str]:
    """Each copy is treated at its first offers as the shares say, by a seed; from the fourth offer on it is taken."""

    def mode(copy: str, times: int) -> str:
        if times > 3:
            return "well"
        luck = random.Random(f"{seed} {copy} {times}")
        return luck.choices([*shares, "well"], [*shares.values(), max(0.0, 1 - sum(shares.values()))])[0]

    return mode
