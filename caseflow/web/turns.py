"""A page is made in one turn of one thread: who asks, what they may see, and the page itself.

FastAPI would go to a thread and back for each of these questions. Every such trip costs as much as a question to the database, and the
threads that wait for a turn meanwhile take it from each other: so pages are made one after the other (lanes.py). What waits by itself
(a form that is still coming in) has no such turn.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from copy import copy
from functools import cache, wraps
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from caseflow.services.again import again
from caseflow.web.lanes import lane

Answering = Callable[[Request], Coroutine[Any, Any, Response]]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Response])
_AS_ONE = "reads_as_of_one_moment"


def as_of_one_moment(endpoint: Endpoint) -> Endpoint:
    """Marks a page that changes nothing: all that it asks of the database it reads as of one moment, by one connection."""
    setattr(endpoint, _AS_ONE, True)
    return endpoint


class Page(APIRoute):
    """The route of a page. A form is answered as usual."""

    def get_route_handler(self) -> Answering:
        """What answers a request."""
        if self.methods != {"GET"}:
            return super().get_route_handler()
        here = copy(self)  # the route itself goes on to say what it asks
        here.dependant = _in_place(self.dependant)
        answering, make = APIRoute.get_route_handler(here), _as_one if hasattr(self.endpoint, _AS_ONE) else _made

        async def turn(request: Request) -> Response:
            return await lane().make(make, answering, request)

        return turn


def _in_place(asked: Dependant) -> Dependant:
    """The same questions, each answered where it is asked and not in a thread of its own."""
    made = copy(asked)
    assert made.call is not None
    made.call = made.call if iscoroutinefunction(made.call) else _plain(made.call)
    made.dependencies = [_in_place(one) for one in asked.dependencies]
    return made


@cache
def _plain(call: Callable[..., Any]) -> Callable[..., Any]:
    # One for each question: what is asked by several others is still answered once.
    @wraps(call)
    async def plain(**given: Any) -> Any:
        return call(**given)

    return plain


def _made(answering: Answering, request: Request) -> Response:
    """The answer, made by this thread from beginning to end."""
    making = answering(request)
    try:
        making.send(None)
    except StopIteration as done:
        answer: Response = done.value
        return answer
    making.close()
    raise RuntimeError("a page waited for something; what waits can't be made in one turn")


@again
def _as_one(answering: Answering, request: Request) -> Response:
    with request.state.site.desk.store.together():
        return _made(answering, request)
