"""Everything that a letter needs and does not have, found in one go: a template rendered once more by an environment that
notes each hole and goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from jinja2 import TemplateError, Undefined, UndefinedError
from markupsafe import Markup

from caseflow.adapters.letters.sandbox import Blank, Sandbox, sandbox
from caseflow.adapters.letters.shown import FILTERS, final


def missing_names(body: str, view: Mapping[str, Any]) -> list[str]:
    """The names of what is undefined or empty where the letter would print or ask it, in the order met."""
    noted: list[str] = []
    environment = _lenient(noted)
    # What comes after an error of another kind is not looked at.
    with suppress(TemplateError, TypeError, ValueError, ArithmeticError, RecursionError):
        environment.from_string(body).render(view)
    return list(dict.fromkeys(noted))


def _lenient(noted: list[str]) -> Sandbox:
    class Hole(Undefined):
        """Notes its name wherever a strict one would have refused."""

        def _noted(self, *_: Any) -> str:
            noted.append(str(self._undefined_name))
            return ""

        def __str__(self) -> str:
            return self._noted()

        def __iter__(self) -> Iterator[Any]:
            self._noted()
            return iter(())

        def __len__(self) -> int:
            self._noted()
            return 0

        def __bool__(self) -> bool:
            self._noted()
            return False

        def __eq__(self, _other: object) -> bool:
            self._noted()
            return False

        def __hash__(self) -> int:
            return id(type(self))

        __lt__ = __le__ = __gt__ = __ge__ = __ne__ = __eq__  # type: ignore[assignment]

    class Empty(Hole):
        """A member that is there and empty: asking is allowed, printing is not."""

        def __bool__(self) -> bool:
            return False

        def __iter__(self) -> Iterator[Any]:
            return iter(())

    class Lenient(Sandbox):
        """Goes on behind a hole."""

        def getattr(self, obj: Any, attribute: Any) -> Any:
            for hole in (obj, attribute):
                if isinstance(hole, Undefined):
                    noted.append(str(hole._undefined_name))
                    return hole
            found = super().getattr(obj, attribute)
            return Empty(name=attribute) if isinstance(found, Blank) else found

    environment = sandbox(Lenient)
    environment.undefined = Hole
    environment.finalize = partial(_final, noted)
    environment.filters |= {name: _going_on(made, noted) for name, made in FILTERS.items()}
    return environment


def _final(noted: list[str], value: Any) -> Any:
    try:
        return final(value)
    except UndefinedError as error:
        noted.append(str(error))
        return ""


def _going_on(made: Callable[..., Markup], noted: list[str]) -> Callable[..., Markup]:
    def filtered(value: Any, *given: Any, **named: Any) -> Markup:
        if isinstance(value, Undefined):
            str(value)
            return Markup("")
        try:
            return made(value, *given, **named)
        except UndefinedError as error:
            noted.append(str(error))
            return Markup("")

    return filtered
