"""What every command shares: the program behind the doors, the settings, and the two ways to answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import click

from caseflow.errors import BadInput

if TYPE_CHECKING:
    from caseflow.bootstrap import App

F = TypeVar("F", bound=Callable[..., Any])

DONE, FAULTS, REFUSED, STORE = 0, 1, 2, 3
FILE = "caseflow.toml"


class Context:
    """Handed to every command. The program is joined when a command first needs it."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self.json = False

    @cached_property
    def app(self) -> App:
        """The joined services."""
        from caseflow.bootstrap import App

        return App(**self._settings)

    def leave(self) -> None:
        """Gives back what the command opened."""
        if "app" in self.__dict__:
            self.app.leave()

    def show(self, data: Any, picture: Callable[[Any], Any]) -> None:
        """JSON to standard output, or a picture of the same data."""
        if self.json:
            click.echo(to_json(data))
        else:
            from caseflow.cli.pictures import console

            console().print(picture(data))

    def say(self, data: Any, words: str) -> None:
        """JSON to standard output, or words as they are."""
        click.echo(to_json(data) if self.json else words)

    def facts(self, path: str | None) -> dict[str, Any]:
        """A facts file as a map; none where no file is given."""
        return self.app.read_yaml(path) if path is not None else {}


def to_json(data: Any) -> str:
    """One line of JSON."""
    return json.dumps(data, ensure_ascii=False, default=str)


def as_json(command: F) -> F:
    """Adds --json."""

    def note(context: click.Context, _option: Any, value: bool) -> bool:
        if value:
            context.find_root().obj.json = True
        return value

    return click.option("--json", is_flag=True, expose_value=False, callback=note, help="Print JSON.")(command)


def as_user(command: F) -> F:
    """Adds --as."""
    text = "Who acts; the role is staff where none is given."
    return click.option("--as", "actor", metavar="USER[:ROLE]", help=text)(command)


def settings(given: Mapping[str, str | None]) -> dict[str, str]:
    """Options and CASEFLOW_* variables as given, and below them what caseflow.toml says. Raises BadInput."""
    return {**_written(tuple(given)), **{name: value for name, value in given.items() if value is not None}}


def _written(known: tuple[str, ...]) -> dict[str, str]:
    if not os.path.exists(FILE):
        return {}
    if not os.path.isfile(FILE):
        raise BadInput(f"{FILE} is not a file; move it away, or write the settings into a file of that name.")
    import tomllib

    try:
        with open(FILE, "rb") as file:
            written = tomllib.load(file)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"{FILE} can't be read: {error}.") from None
    for name, value in written.items():
        if name not in known:
            raise BadInput(f"{FILE} sets '{name}', which is no setting; write one of {', '.join(known)}.")
        if not isinstance(value, str):
            raise BadInput(f"{FILE} sets '{name}' to something that is not text; write it in quotes.")
    return written
