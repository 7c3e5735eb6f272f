"""Around every answer: which hosts are answered, which forms are believed, how large a request may be, what headers it carries.

One plain ASGI layer. What goes wrong inside without being foreseen becomes one sentence; the log names the place, never a value.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from traceback import extract_tb
from typing import Any

from fastapi import Request

from caseflow.web.metrics import kind_of
from caseflow.web.site import Site

log = logging.getLogger("caseflow.web")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Inner = Callable[[Scope, Receive, Send], Awaitable[None]]

SCARCE = (MemoryError,)
NO_ROOM = (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""What the system says where there is no memory, or no file may be opened any more: it passes, and is no fault of the program."""
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)


class TooLarge(Exception):
    """The request is larger than this site takes."""


class Guard:
    """The layer. `sentence` makes the page for a status and a text."""

    def __init__(self, inner: Inner, site: Site, sentence: Callable[[Request, int, str], Any]) -> None:
        self._inner, self._site, self._sentence = inner, site, sentence
        self._strict = ((b"strict-transport-security", b"max-age=31536000"),) if site.secure else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            return await self._inner(scope, receive, send)
        method = scope["method"]
        if bodiless := method == "HEAD":
            scope = {**scope, "method": "GET"}  # answered as that is, without its body
        scope.setdefault("state", {}).update(site=self._site, bodiless=bodiless)
        began, status = time.perf_counter(), [0]
        request = Request(scope, receive)

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                message["headers"] = self._headers(message.get("headers", []), request.url.path)
            elif bodiless:
                message["body"] = b""
            await send(message)

        refused = self._refusal(request)
        try:
            if refused is not None:
                await self._sentence(request, *refused)(scope, receive, sending)
            else:
                await self._inner(scope, _limited(receive, self._site.longest(request.url.path)), sending)
        except Exception as fault:
            # The application has answered already, unless the answer itself broke.
            if not status[0]:
                await self._sentence(request, *broken(fault))(scope, receive, sending)
        finally:
            self._note(method, scope, status[0], began)
        return None

    def _headers(self, given: list[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
        known = {name.lower() for name, _ in given}
        kept = () if b"cache-control" in known else ((b"cache-control", b"no-store"),)
        return [*given, *((name, value) for name, value in (*HEADERS, *self._strict, *kept) if name not in known)]

    def _refusal(self, request: Request) -> tuple[int, str] | None:
        host = request.headers.get("host", "")
        if _name(host) not in self._site.hosts:
            return 400, "This site does not answer to that address; use the one that you were given."
        if request.method not in SAFE and not _own(request, host, self._site.secure):
            return 403, "That form came from another site; nothing was recorded."
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > self._site.longest(request.url.path):
            return 413, "That is more than this page takes; send less at a time."
        return None

    def _note(self, method: str, scope: Scope, status: int, began: float) -> None:
        """One line for each request: what was asked for by the name of its route, never by what it names."""
        route = getattr(scope.get("route"), "path", None) or "-"
        seconds = time.perf_counter() - began
        self._site.requests.note(kind_of(route, scope["path"]), status, seconds)
        log.info("%s %s %s %.0f ms", method, route, status, seconds * 1000)


def broken(fault: Exception) -> tuple[int, str]:
    """The status and the sentence of what was not foreseen, under a number that stands in the log beside its place, without values."""
    if is_scarce(fault):
        log.error("no room for a request: %s", type(fault).__name__)
        return 503, "The program has no room for this at the moment; look whether it was recorded, and do it again in a little while."
    number, frames = secrets.token_hex(4), extract_tb(fault.__traceback__)
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames[-8:]))
    log.error("fault %s %s at %s", number, type(fault).__name__, places, exc_info=fault if os.environ.get("CASEFLOW_DEBUG") else None)
    return 500, f"Something broke, and nothing was recorded. Please report fault {number}."


def is_scarce(fault: Exception) -> bool:
    """Whether there was no room for a request: it passes."""
    return isinstance(fault, SCARCE) or isinstance(fault, OSError) and fault.errno in NO_ROOM


def _name(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if port.isdecimal() and name else host).lower()


def _own(request: Request, host: str, secure: bool) -> bool:
    """Whether a form was sent from a page of this site: browsers say so, in one of two headers."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    if origin is None:
        return True  # no browser: the form's own token decides
    return origin == f"{'https' if secure else request.url.scheme}://{host}"


def _limited(receive: Receive, most: int) -> Receive:
    seen = 0

    async def limited() -> MutableMapping[str, Any]:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLarge
        return message

    return limited
