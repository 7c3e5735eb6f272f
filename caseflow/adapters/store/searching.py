"""Full-text search on the SQL databases: FTS5 with the porter stemmer in SQLite, a text vector in PostgreSQL.

What a person types is words and nothing else: it is cut into them, and none reaches the query language of either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, literal_column, select, text

from caseflow.adapters.store import statements as s
from caseflow.adapters.store.faults import explained
from caseflow.services.again import again
from caseflow.services.sight import EVERYTHING, Sight

if TYPE_CHECKING:
    from caseflow.services.ports.search import SearchText

MOST_WORDS = 12
AT_ONCE = 10
"""Cases whose words a server keeps in one transaction: whoever acts on one of them waits so long."""
PARTS = ("numbers", "people", "place", "facts", "letters")
WEIGHTS = (10.0, 6.0, 8.0, 2.0, 1.0)
CLASSES = "ABACD"  # PostgreSQL has four classes of weight
_WORD = re.compile(r"\w+", re.UNICODE)


def words_of(asked: str) -> list[str]:
    """The words of what was typed."""
    return _WORD.findall(asked.replace("_", " "))[:MOST_WORDS]


class SqlSearch:
    """Finds cases by their words. `transaction` begins one of a kind on the store's connection."""

    def __init__(self, transaction: Callable[[str], AbstractContextManager[Connection]], where: str, lite: bool) -> None:
        self._transaction, self._where, self._lite = transaction, where, lite
        # On a server, a case that somebody acts on at this moment stays due: nobody waits for the index, and none acts on it while it is kept.
        self._still = f"SELECT number FROM case_file WHERE number = :case AND version = :version{'' if lite else ' FOR UPDATE SKIP LOCKED'}"

    def due(self, limit: int) -> Sequence[str]:
        """Cases whose words have changed since they were put into the index."""
        with explained(self._where), self._transaction("BEGIN") as connection:
            return list(connection.execute(text('SELECT "case" FROM search_due LIMIT :most'), {"most": limit}).scalars())

    def keep(self, found: Sequence[SearchText]) -> int:
        """Puts words into the index in place of what was there; what has changed since it was read stays due. The answer is how many were kept."""
        part = len(found) if self._lite else AT_ONCE
        return sum(self._keep(found[first : first + part]) for first in range(0, len(found), part or 1))

    @again
    def _keep(self, found: Sequence[SearchText]) -> int:
        kept = 0
        with explained(self._where), self._transaction("BEGIN IMMEDIATE") as connection:
            for one in found:
                if connection.execute(text(self._still), {"case": one.case, "version": one.version}).first() is None:
                    continue
                (self._keep_lite if self._lite else self._keep_vector)(connection, one)
                connection.execute(text('DELETE FROM search_due WHERE "case" = :case'), {"case": one.case})
                kept += 1
        return kept

    def _keep_lite(self, connection: Connection, one: SearchText) -> None:
        row = connection.execute(text('SELECT id FROM search_row WHERE "case" = :case'), {"case": one.case}).scalar()
        if row is None:
            connection.execute(text('INSERT INTO search_row ("case") VALUES (:case)'), {"case": one.case})
            row = connection.execute(text('SELECT id FROM search_row WHERE "case" = :case'), {"case": one.case}).scalar()
        else:
            connection.execute(text("DELETE FROM search_text WHERE rowid = :row"), {"row": row})
        values = {name: getattr(one, name) for name in PARTS}
        connection.execute(
            text(f"INSERT INTO search_text (rowid, {', '.join(PARTS)}) VALUES (:row, {', '.join(':' + name for name in PARTS)})"), {"row": row, **values}
        )

    def _keep_vector(self, connection: Connection, one: SearchText) -> None:
        vector = " || ".join(f"setweight(to_tsvector('english', :{name}), '{kind}')" for name, kind in zip(PARTS, CLASSES, strict=True))
        query = f'INSERT INTO search_text ("case", words) VALUES (:case, {vector}) ON CONFLICT ("case") DO UPDATE SET words = EXCLUDED.words'
        connection.execute(text(query), {"case": one.case, **{name: getattr(one, name).replace("\x00", " ") for name in PARTS}})

    def find(self, asked: str, limit: int, seen: Sight = EVERYTHING) -> Sequence[str]:
        """Cases that have all the words, the best first; the last word may be the beginning of one. Only what is seen is found and counted."""
        words = words_of(asked)
        if not words:
            return []
        found: Any = literal_column('r."case"')
        if self._lite:
            rank = ", ".join(str(weight) for weight in WEIGHTS)
            query = select(found).select_from(text("search_text JOIN search_row r ON r.id = search_text.rowid")).where(text("search_text MATCH :words"))
            query = query.order_by(text(f'bm25(search_text, {rank}), r."case"'))
            wanted = " ".join(f'"{word}"' for word in words) + "*"
        else:
            query = select(found).select_from(text("search_text r, to_tsquery('english', :words) wanted")).where(text("words @@ wanted"))
            query = query.order_by(text('ts_rank(words, wanted) DESC, r."case"'))
            wanted = " & ".join(words) + ":*"
        if seen.parts is not None:
            query = query.where(select(s.CASE.c.number).where(s.CASE.c.number == found, s.seen(seen)).exists())
        with explained(self._where), self._transaction("BEGIN") as connection:
            return list(connection.execute(query.limit(limit), {"words": wanted}).scalars())
