"""The base of a page: a bare ASGI program that asks the driver for the page's cases and prints the same bytes by a plain Jinja template.

It knows no person, right, rule or calendar: what is the same for all rows is taken from a page that the site has made.
"""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import Any

from jinja2 import Environment

QUERY = """SELECT number, title, next_target, received_on FROM case_file
    WHERE NOT ends AND next_target IS NOT NULL ORDER BY next_target, number LIMIT 50"""
BEGIN, END = "  <tr>\n", "  </tbody>"


class BarePage:
    """The first page of the docket. `like`: what the site answers, without filters."""

    def __init__(self, database: str, like: str) -> None:
        self._connection = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        head, _, rest = like.partition(BEGIN)
        rows, _, tail = rest.partition(END)
        row = BEGIN + rows.split(BEGIN)[0]
        number, title, target, received = self._rows()[0]
        for name, value in (("number", number), ("title", title), ("target", target), ("received", received)):
            row = row.replace(value, f"{{{{ {name} }}}}")
        for name, value in (("target", target), ("received", received)):
            row = row.replace(f">{_words(value)}<", f">{{{{ {name}|words }}}}<")
        made = Environment(autoescape=True, keep_trailing_newline=True)
        made.filters["words"] = _words
        each = "{% for number, title, target, received in rows %}" + row + "{% endfor %}"
        self._template = made.from_string(f"{{% raw %}}{head}{{% endraw %}}{each}{{% raw %}}{END}{tail}{{% endraw %}}")

    def _rows(self) -> list[Any]:
        return self._connection.execute(QUERY).fetchall()

    def body(self) -> bytes:
        """The page."""
        return self._template.render(rows=self._rows()).encode()

    async def __call__(self, scope: dict[str, object], _receive: object, send: Any) -> None:
        """Answers a request with it."""
        if scope["type"] == "http":
            body = self.body()
            headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": body})


def _words(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day:%a, %b} {day.day}"
