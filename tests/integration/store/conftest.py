"""Small cases, entries and letters to put into a store, and a fresh store of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from caseflow.adapters.store.memory import MemoryStore
from caseflow.adapters.store.sql import SqlStore
from caseflow.domain import case as c
from caseflow.domain.pack import Pack, PackText
from caseflow.services.ports.letters import Written
from caseflow.services.ports.lines import CaseRow
from caseflow.services.ports.store import Store

PACK = Pack.model_construct(hash="a" * 64, text=PackText.model_construct(pack="agency", version="1"))
FILES = {"pack.yaml": "pack: agency\n"}
MOMENT = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
DUE = date(2026, 12, 30)


class Make:
    """Builders of plain values; a case has one entry per version and no clock but what a test gives it."""

    def digest(self, text: str) -> str:
        return sha256(text.encode()).hexdigest()

    def case(self, request: int = 1, place: int = 1, **members: Any) -> c.Case:
        """A case as just filed."""
        number = f"D-2026-{request:05d}"
        plain: dict[str, Any] = {
            **dict.fromkeys(("dispositions", "flags", "marks", "timers", "tasks", "letters", "fees", "payments", "parties", "aliases"), ()),
            **dict.fromkeys(("came_from", "assigned_to", "closed_on")),
            **{name: {} for name in ("facts", "settings", "done", "spent", "items", "refired")},
            "number": f"{number}-{place}",
            "request": number,
            "workflow": "permit",
            "pack": "agency",
            "pack_version": PACK.hash,
            "calendar_version": "2026-1",
            "received_at": MOMENT,
            "received_on": MOMENT.date(),
            "state": "submitted",
            "place": c.Place(water="Mill Creek"),
            "title": "Mill Creek, Dane County",
            "fired": (),
            "version": 1,
            "head": self.digest(f"{number}-{place} 1"),
            "last_on": MOMENT.date(),
        }
        return c.Case(**{**plain, **members})

    def entry(self, case: c.Case, action: str = "file", **members: Any) -> c.Entry:
        """The entry that made this version of the case."""
        plain: dict[str, Any] = {
            "case": case.number,
            "seq": case.version,
            "recorded_at": MOMENT,
            "effective_on": case.last_on,
            "actor": c.Actor("person", "ann", "staff"),
            "action": action,
            "from_state": None if case.version == 1 else "submitted",
            "to_state": case.state,
            "facts": {"items": ["a", "b"], "note": "weit über der Wehrkrone"},
            "because": None,
            "cites": ("s. 1 (2)",),
            "pack_version": case.pack_version,
            "calendar_version": case.calendar_version,
            "key": "k" * 32,
            "prev_hash": c.NO_HASH if case.version == 1 else self.digest(f"{case.number} {case.version - 1}"),
            "hash": case.head,
        }
        return c.Entry(**{**plain, **members})

    def filed(self, case: c.Case, **members: Any) -> c.Outcome:
        """The outcome of filing a case."""
        return c.Outcome(None, case, (self.entry(case),), timers_set=case.timers, **members)

    def acted(self, before: c.Case, action: str = "decide", changes: dict[str, Any] | None = None, **members: Any) -> c.Outcome:
        """The outcome of one action on a case."""
        version = before.version + 1
        case = replace(before, **{"version": version, "head": self.digest(f"{before.number} {version}"), **(changes or {})})
        return c.Outcome(before, case, (self.entry(case, action),), **members)

    def timer(self, kind: str = "overdue", at: datetime = MOMENT, **members: Any) -> c.Timer:
        """A timer of the clock `decision`."""
        return c.Timer("decision", kind, "lapse", DUE, at)._replace(**members)

    def row(self, **members: Any) -> CaseRow:
        """What lists know of a case."""
        return CaseRow(**{"phase": "open", "turn": "department", "ends": False, **members})

    def written(self, case: c.Case, letter: str = "notice", number: str | None = None, **members: Any) -> Written:
        """A letter of the case's last entry, to one person by e-mail with a copy by post."""
        to = c.Party("requester", "Ann Lee", email="ann@example.org")
        copy = c.Party("agent", "Bo Berg", address=("1 Main St", "Madison"), channel="post")
        view = {"letter": {"title": f"The {letter}"}, "case": {"number": case.number}}
        name = number or f"L-{case.number}-{case.version}-{letter}"
        owed = c.LetterOwed(case.number, case.version, letter, name, case.last_on, view, (to,), (copy,), None, False)
        plain: dict[str, Any] = {"markdown": "Dear Ann Lee,\n", "subject": "Notice", "template_hash": "t", "content_hash": "c"}
        return Written(owed, **{**plain, "status": "owed", "missing": (), "leaves_at": MOMENT, **members})

    def keep(self, store: Store, *outcomes: c.Outcome, letters: tuple[Written, ...] = (), row: CaseRow | None = None) -> c.Case:
        """Saves outcomes in one transaction, with the pack; the answer is the last case."""
        with store.begin() as work:
            work.keep_pack(PACK, FILES)
            for outcome in outcomes:
                work.save(outcome, row or self.row(), letters if outcome is outcomes[-1] else ())
        return outcomes[-1].case


@pytest.fixture
def make() -> Make:
    return Make()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the SQLite store of this test is."""
    return tmp_path / "cases.db"


@pytest.fixture
def sqlite(path: Path) -> Iterator[SqlStore]:
    """A SQLite store that waits 50 ms for a lock."""
    store = SqlStore(f"sqlite:///{path}", busy=0.05)
    store.upgrade()
    yield store
    store.engine.dispose()


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[SqlStore]:
    """A PostgreSQL store that waits 50 ms for a lock."""
    store = SqlStore(postgres_url, busy=0.05)
    yield store
    store.engine.dispose()


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def store(request: pytest.FixtureRequest) -> Store:
    """One of the stores; every promise of the port holds for each."""
    if request.param == "memory":
        return MemoryStore()
    found: Store = request.getfixturevalue(request.param)
    return found
