"""The program joined, and its site: who may sign in, the sample docket, and the process that serves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from caseflow.bootstrap.calendars import CalendarDesk
from caseflow.bootstrap.desks import yes_of
from caseflow.bootstrap.joining import actor_of
from caseflow.bootstrap.rules import Rules
from caseflow.errors import BadInput
from caseflow.services.office import Progress, quiet


@dataclass
class Serving:
    """A site that is ready to be served. `accounts` are those just made, with their passwords."""

    app: Any
    site: Any
    taken: Any
    address: str
    accounts: list[dict[str, Any]]


class App(Rules):
    """Every service, as the doors call it: plain values in, plain values out."""

    @cached_property
    def versions(self) -> Any:
        """Versions of the rules, and how they differ."""
        from caseflow.adapters.packs.reader import VersionReader
        from caseflow.services.versions import Versions

        return Versions(self.office, VersionReader(self.library), self.store.exists)

    @cached_property
    def measuring(self) -> Any:
        """The figures for those who watch the program; ages count from the present moment, whatever `--at` says."""
        from caseflow.services.measuring import Measuring

        return Measuring(self.office, self.store.gauges, lambda: datetime.now(UTC))

    @cached_property
    def migrating(self) -> Any:
        """Moves of cases between versions of the rules."""
        from caseflow.services.migrating import Migrating

        return Migrating(self.office, self.versions)

    def pack_diff(self, before: str, after: str, cases: bool = False, progress: Progress = quiet) -> dict[str, Any]:
        found: dict[str, Any] = self.versions.compare(before, after)
        if cases:
            self.open(writes=False)
            found |= {"docket": self.migrating.preview(before, after, progress)}
        return found

    def pack_migrate(
        self, before: str | None, after: str, because: str, actor: str | None, dry: bool, batch: int, progress: Progress = quiet
    ) -> list[dict[str, Any]]:
        """Moves the open cases of one version (of every other one where none is named) to another; with `dry` says what that would change."""
        self.open(writes=not dry)
        self.for_long_work()
        names = [before] if before is not None else self.versions.others(after)
        if dry:
            return [self.migrating.preview(name, after, progress) for name in names]
        who = actor_of(actor or "staff:staff")
        moves = (self.migrating.begin(name, after, because, who) for name in names)
        return [self.migrating.shown(self.migrating.finish(one.id, progress, batch)) for one in moves]

    def pack_move_begun(self, before: str, after: str, because: str, actor: str) -> int:
        """Begins to move cases, for whoever goes on a part at a time; the answer is the number of the move."""
        begun: int = self.migrating.begin(before, after, because, actor_of(actor)).id
        return begun

    def pack_move_back(self, number: int, because: str, actor: str) -> int:
        """Begins to take a move back, for whoever goes on a part at a time."""
        begun: int = self.migrating.undo(because, actor_of(actor), number).id
        return begun

    def pack_migrate_back(self, because: str, actor: str | None, batch: int, progress: Progress = quiet) -> dict[str, Any]:
        """Takes the last move back, or goes on with that."""
        self.open()
        self.for_long_work()
        begun = self.migrating.undo(because, actor_of(actor or "staff:staff"))
        made: dict[str, Any] = self.migrating.shown(self.migrating.finish(begun.id, progress, batch))
        return made

    def pack_versions(self) -> list[dict[str, Any]]:
        self.open(writes=False)
        found: list[dict[str, Any]] = self.versions.all()
        return found

    @cached_property
    def calendars(self) -> CalendarDesk:
        """Changed calendars: what they move, their adoption and its undoing."""
        return CalendarDesk(self)

    def add_person(self, name: str, title: str, role: str) -> dict[str, Any]:
        self.open()
        return {"name": name.strip().casefold(), "role": role, "password": self.people.add(name, title, role)}

    def list_people(self) -> list[dict[str, Any]]:
        self.open(writes=False)
        return [{"name": one.id, "title": one.name, "role": one.role, "closed": one.disabled_at is not None} for one in self.people.all()]

    def new_password(self, name: str) -> dict[str, Any]:
        self.open()
        return {"name": name, "password": self.people.set_password(name)}

    def close_person(self, name: str) -> None:
        self.open()
        self.people.disable(name)

    def serving(self, progress: Progress, host: str, port: int, demo: bool, names: Iterable[str], https: bool) -> Serving:
        """Everything that stands before the first answer: the database, the sample docket, first accounts, the address. Raises BadInput."""
        from caseflow.web.app import create_app
        from caseflow.web.server import listening
        from caseflow.web.site import Site

        fresh = not (self.store.exists() or self.store.is_older())  # an older one is upgraded: it is not empty
        if not demo and not self.store.is_live():
            text = f"The database {self.store.where} is not marked as a real record. Run 'caseflow init --live' first, or serve a sample with --demo."
            raise BadInput(text)
        if demo and self.store.is_live():
            raise BadInput(f"The database {self.store.where} holds a real record; leave --demo out.")
        elsewhere = self.elsewhere
        taken = listening(host, port)
        if demo and fresh:
            self._sample_docket(progress)
        self.store.upgrade()
        accounts = [] if self.people.all() or (elsewhere is not None and not demo) else self._first_people(demo)
        local = yes_of("local_accounts", self._mail.get("local_accounts", "yes"))
        known = tuple(dict.fromkeys(name.lower() for name in ("localhost", "127.0.0.1", "[::1]", host, *names)))
        site = Site(self, known, https, demo, local=local, elsewhere=elsewhere)
        shown = next(iter(names), "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host)  # noqa: S104 - a name to print
        at = f"https://{shown}" if https else f"http://{shown}:{taken.getsockname()[1]}"
        return Serving(create_app(site), site, taken, at, accounts)

    def log_lines(self, kind: str) -> None:
        """Writes a line for each request to standard error: off, text or json."""
        from caseflow.web.logs import begin

        begin(kind)

    def serve(self, ready: Serving, say: Callable[[], None], scheduler: bool, proxy: str | None, seconds: float | None) -> bool:
        """Serves until it is told to stop; whether it was well."""
        from caseflow.adapters.scheduler import Clerk
        from caseflow.web.server import run

        self.for_long_work()
        clerk = Clerk(self.office, background=True, also=(self.daily_checkpoint,), limit=self.clock_limit()) if scheduler else None
        if clerk is not None:
            clerk.scheduler.start()
        ready.site.scheduler, ready.site.proxied = scheduler, proxy is not None
        ready.site.clerk = clerk.name if clerk is not None else None
        ready.site.metrics_token = os.environ.get("CASEFLOW_METRICS_TOKEN", "")
        try:
            return run(ready.app, ready.taken, say, proxy, seconds)
        finally:
            self.reads.flush()
            if clerk is not None:
                clerk.stop()

    def _sample_docket(self, progress: Progress) -> None:
        """The sample docket, made beside the database and put in its place when it is whole."""
        from caseflow.demo import seed

        if not self.database.startswith("sqlite:///"):
            self.store.upgrade()
            seed(self, self.today(), progress=progress)
            return
        path = Path(self.database.removeprefix("sqlite:///"))
        making = path.with_name(path.name + ".making")
        making.parent.mkdir(parents=True, exist_ok=True)
        # A journal that was left behind belongs to a database that is gone; beside another one it would be played into it and spoil it.
        for left in (making, *(base.with_name(base.name + ending) for base in (making, path) for ending in ("-wal", "-shm"))):
            left.unlink(missing_ok=True)
        app = App(str(making), self._packs_folder, maildrop=self._maildrop)
        seed(app, self.today(), progress=progress)
        app.store.close()
        making.replace(path)

    def _first_people(self, demo: bool) -> list[dict[str, Any]]:
        """The first accounts: one for each role of a sample, otherwise somebody who manages accounts."""
        from caseflow.demo import PEOPLE
        from caseflow.services.people import MANAGE, roles_of

        roles = roles_of(self.library.all())
        if demo:
            wanted = [(name, next(iter(roles))) for name in PEOPLE] + [(role, role) for role in list(roles)[1:]]
        else:
            wanted = [("admin", next((name for name, role in roles.items() if MANAGE in role.rights), next(iter(roles))))]
        return [self.add_person(name, name.replace(".", " ").title() if demo else "Administrator", role) for name, role in wanted]
