"""Options and kinds of value that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Day(click.ParamType):
    """A local date."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """The date. Raises BadInput, saying how to write one."""
        from caseflow.services.office import parse_day

        return parse_day(value, _called(param))


class Moment(click.ParamType):
    """A local date, or date and time."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date | datetime:
        """The date or moment. Raises BadInput, saying how to write one."""
        from caseflow.services.office import parse_moment

        return parse_moment(value, _called(param))


def _called(param: click.Parameter | None) -> str:
    return param.opts[0] if param is not None and param.opts else "the date"


DAY, MOMENT = Day(), Moment()
SEQ = click.IntRange(min=1)


def with_json(command: F) -> F:
    """The answer as JSON instead of a picture."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def with_actor(command: F) -> F:
    """Who does it."""
    return click.option("--as", "actor", metavar="USER[:ROLE]", help="Who does it; the role is staff by default.")(command)
