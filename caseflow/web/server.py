"""Runs the site: takes its address first, says when it is ready, and stops in order."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import uvicorn
from anyio import to_thread

from caseflow.errors import BadInput

THREADS = 8


class _Server(uvicorn.Server):
    """A server that stops with its work done: uvicorn itself would end as if it had been killed."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Pages are made in threads that take turns: more of them make each wait longer and none come sooner.
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kept = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in kept.items():
                signal.signal(number, handler)


def listening(host: str, port: int) -> socket.socket:
    """The address, taken. Raises BadInput where it can't be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Every connection has it from here. Without it the body of an answer waits until the other side has confirmed its head: 40 ms a page.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise BadInput(f"The address {host}, port {port} can't be used ({error.strerror}); name another with --host or --port.") from None
    return made


def run(app: Any, taken: socket.socket, ready: Callable[[], None], proxy: str | None = None, seconds: float | None = None) -> bool:
    """Serves until it is told to stop, or for some seconds. The answer is whether the health page answered before the end."""
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy or "",
        timeout_graceful_shutdown=10,
        lifespan="off",
    )
    server = _Server(config, ready)
    well = [seconds is None]
    if seconds is not None:
        timer = threading.Timer(seconds, _end, (server, taken, well))
        timer.daemon = True
        timer.start()
    server.run(sockets=[taken])
    return well[0]


def _end(server: uvicorn.Server, taken: socket.socket, well: list[bool]) -> None:
    host, port = taken.getsockname()[:2]
    try:
        # The address is our own; nothing from outside stands in it.
        with urlopen(Request(f"http://127.0.0.1:{port}/health", headers={"Host": "localhost"}), timeout=10) as answer:  # noqa: S310
            well[0] = answer.status == 200
    except (URLError, OSError):
        well[0] = False
    server.should_exit = True
