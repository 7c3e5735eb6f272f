"""Options that several commands share, and how a date is read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

SEQ = click.IntRange(min=1)


def day(_: click.Context, param: click.Parameter, value: str | None) -> date | None:
    """A local date. Raises BadInput, saying how to write one."""
    from caseflow.services.office import parse_day

    return None if value is None else parse_day(value, param.opts[0])


def moment(_: click.Context, param: click.Parameter, value: str | None) -> date | datetime | None:
    """A local date, or date and time. Raises BadInput, saying how to write one."""
    from caseflow.services.office import parse_moment

    return None if value is None else parse_moment(value, param.opts[0])


def day_option(*names: str, help: str, required: bool = False) -> Callable[[F], F]:  # noqa: A002 -- click's own word
    """An option that takes a date."""
    return click.option(*names, metavar="DATE", callback=day, required=required, help=help)


def with_json(command: F) -> F:
    """The answer as JSON instead of a picture."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def with_actor(command: F) -> F:
    """Who does it."""
    return click.option("--as", "actor", metavar="USER[:ROLE]", help="Who does it; the role is staff by default.")(
        command
    )
