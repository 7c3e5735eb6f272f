"""What every service stands on: settings, packs, store, clerk, the moment that is now, and how they are joined."""

from __future__ import annotations

import gc
import io
from collections.abc import Mapping
from copy import copy
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from caseflow.adapters.packs.library import PackLibrary, default_folders
from caseflow.adapters.packs.nodes import read_plain
from caseflow.adapters.plainfile import refuse_pipe
from caseflow.domain.case import Actor
from caseflow.errors import BadInput
from caseflow.services.office import Office, parse_moment

LATE_AFTER = 60
"""Seconds without a sweep after which the scheduler is taken for dead."""


class Joined:
    """The part of App that everything else stands on."""

    def __init__(
        self,
        database: str = "sqlite:///caseflow.db",
        packs: str | None = None,
        at: str | None = None,
        maildrop: str = "maildrop",
        store: Any = None,
        signing_key: str | None = None,
        documents: str | None = None,
        document_limit: str | None = None,
        checkpoints: str | None = None,
        **mail: str,
    ) -> None:
        self.database = database if "://" in database else f"sqlite:///{database}"
        self._packs_folder = packs
        self._at = parse_moment(at, "--at") if at is not None else None
        self._maildrop = maildrop
        self._signing_key = signing_key
        self._store = store
        self._documents = (documents, document_limit)
        self._checkpoints_folder = checkpoints
        self._mail = mail
        self._ready = False

    @cached_property
    def library(self) -> PackLibrary:
        """The packs."""
        return PackLibrary(*self._folders(), self._kept, lambda digest: self.store.calendar_text(digest), self._adoptions)

    def _folders(self) -> tuple[Path, Path]:
        workflows, templates = default_folders()
        if self._packs_folder is None:
            return workflows, templates
        folder = Path(self._packs_folder)
        own = folder.parent / "templates" / "letters"
        return folder, own if own.is_dir() else templates

    def _kept(self, version: str) -> Mapping[str, str] | None:
        files: Mapping[str, str] | None = self.store.pack_files(version) if self.store.exists() else None
        return files

    def _adoptions(self) -> Any:
        return self.store.adoptions() if self._ready or self.store.exists() else ()

    @cached_property
    def store(self) -> Any:
        """The database."""
        if self._store is not None:
            return self._store
        from caseflow.adapters.store.sql import SqlStore

        return SqlStore(self.database)

    @cached_property
    def office(self) -> Office:
        """The services' parts, joined."""
        from caseflow.adapters.letters.writer import LetterWriter

        return Office(self.store, self.library, LetterWriter(self.library.files), self._ways(), self.now, with_pdf=True)

    def _ways(self) -> Any:
        """Where letters leave: e-mail by SMTP where a server is named, else into the mail drop; post into it unless it is printed."""
        from caseflow.adapters.mail import MailDrop, Portal, Routes

        drop, given = MailDrop(Path(self._maildrop)), self._mail
        ways: dict[str, Any] = {"email": drop}
        if given.get("smtp_host"):
            ways["email"] = _smtp(given)
        if given.get("post", "drop") not in ("drop", "print"):
            raise BadInput(f"post is '{given['post']}'; write drop (into the mail drop) or print (by dispatch --print-batch).")
        if given.get("post", "drop") == "drop":
            ways["post"] = drop
        ways["portal"] = Portal(ways["email"])
        return Routes(ways)

    def exactly(self, seen_version: int | None, command_id: str | None) -> Self:
        """The same services for one write: only on what was seen, and only once."""
        from caseflow.services.exactly import bound

        office = bound(self.office, seen_version, command_id)
        made = copy(self)
        made.office = office
        for own in ("assigning", "documents", "dossier"):  # services that write, joined to the other office
            made.__dict__.pop(own, None)
        return made

    def was_done(self, command_id: str) -> bool:
        """Whether a command stands on the record."""
        from caseflow.services.exactly import done

        return done(self.office, command_id)

    def now(self) -> datetime:
        """The present moment, or the one given with --at."""
        if self._at is None:
            return datetime.now(UTC)
        moment = self._at if isinstance(self._at, datetime) else datetime.combine(self._at, datetime.min.time().replace(hour=10))
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=self._zone())).astimezone(UTC)

    def today(self) -> date:
        """The day at the office."""
        return self.now().astimezone(self._zone()).date()

    def standing(self) -> dict[str, Any]:
        """How the program stands: when the scheduler last swept, what it waits for, and which rules are loaded."""
        zone, packs = self._zone(), self.library.all()
        with self.store.together():
            beats = [at for name, at, _ in self.store.heartbeats() if name.startswith("scheduler")]
            swept, waits = max(beats, default=None), self.store.next_due()
        return {
            "swept_at": swept.astimezone(zone).isoformat() if swept is not None else None,
            "late": swept is None or (datetime.now(UTC) - swept).total_seconds() > LATE_AFTER,
            "next_at": waits.astimezone(zone).isoformat() if waits is not None else None,
            "packs": [
                {"id": pack.text.pack, "version": pack.text.version, "title": pack.text.title, "calendar": self.library.counting(pack).calendar.version}
                for pack in packs
            ],
            "zone": str(zone),
        }

    def _zone(self) -> Any:
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.library.all()[0].calendar.zone)

    def open(self, writes: bool = True) -> None:
        """Readies the database. Raises BadInput where a given moment would falsify a real record."""
        if writes and self._at is not None and self.store.is_live():
            raise BadInput("The database holds a real record, so --at is only for commands that read; leave it out.")
        if self._ready:
            return
        if not self.store.exists():
            if not writes and self.store.is_older():
                raise BadInput(f"The database {self.store.where} was set up by another version; 'caseflow init' brings it up to date and keeps what it holds.")
            if not writes:
                raise BadInput(f"There is no caseflow database at {self.store.where}; run 'caseflow init' first.")
            self.store.upgrade()
        self._ready = True  # and stays so: nothing takes a database back to an older version

    def leave(self) -> None:
        """Gives the database back before the program ends: SQLite then leaves nothing beside the file."""
        if "store" in self.__dict__ and self._store is None:
            self.store.engine.dispose()

    def for_long_work(self) -> None:
        """Loads the packs and sets them apart from what the collector walks again and again while many cases pass."""
        self.library.all()
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 4, 5)

    def read_yaml(self, path: str) -> dict[str, Any]:
        """A YAML file as a plain map. Raises BadInput."""
        return read_plain(text_of_file(path), path)

    def init(self, live: bool) -> dict[str, Any]:
        self.store.upgrade(live=live or None)
        return {"database": self.store.where, "live": self.store.is_live()}

    def roles(self) -> str:
        """The script that makes the roles of a database on PostgreSQL."""
        from caseflow.adapters.store.grants import roles

        return roles()

    def clock_limit(self) -> int:
        """Days after the last sweep beyond which a scheduler asks a person whether the clock is right."""
        from caseflow.services.clockjump import LIMIT_DAYS

        return number_of("clock_limit", self._mail.get("clock_limit"), LIMIT_DAYS)


LONGEST_NAME = 120
LARGEST_TEXT = 16 << 20
"""Bytes of a text file that is read whole; what it may hold is told by whoever reads it. A device has no end."""


def actor_of(text: str) -> Actor:
    """USER or USER:ROLE; the role is staff where none is given."""
    user, _, role = text.partition(":")
    if not user.strip():
        raise BadInput("--as needs a user, such as --as ann or --as ann:supervisor")
    if len(text) > LONGEST_NAME or not text.isprintable():
        raise BadInput(f"--as names a user in up to {LONGEST_NAME} letters, digits and signs that can be seen, such as --as ann:supervisor")
    return Actor("person", user.strip(), role.strip() or "staff")


def number_of(name: str, text: str | None, usual: int) -> int:
    if text is None:
        return usual
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise BadInput(f"{name} is '{text}'; write a number such as {usual}.")
    return int(text)


def _smtp(given: Mapping[str, str]) -> Any:
    """The way out by SMTP. User and password come from the environment alone, so that no file and no process list shows them."""
    import os

    from caseflow.adapters.mail.smtp import Smtp, SmtpSettings

    tls = given.get("smtp_tls", "starttls")
    usual = {"tls": 465, "none": 25}.get(tls, 587)
    port, timeout = number_of("smtp_port", given.get("smtp_port"), usual), number_of("smtp_timeout", given.get("smtp_timeout"), 30)
    if not given.get("smtp_from"):
        raise BadInput("smtp_host is set and smtp_from is not; say from which address letters come, such as letters@example.gov.")
    user, password = os.environ.get("CASEFLOW_SMTP_USER"), os.environ.get("CASEFLOW_SMTP_PASSWORD")
    return Smtp(SmtpSettings(given["smtp_host"], given["smtp_from"], port, tls, timeout, user, password))


class Keys:
    """Salt keys of a rehearsal: different for each entry, the same in every run."""

    def __init__(self) -> None:
        self._number = 0

    def __call__(self) -> str:
        self._number += 1
        return f"{self._number:032x}"


def text_of_file(path: str) -> str:
    try:
        if path == "-":
            import sys

            return sys.stdin.read()
        refuse_pipe(path)
        with Path(path).open("rb") as file:
            found = file.read(LARGEST_TEXT + 1)
        if len(found) > LARGEST_TEXT:
            raise BadInput(f"The file {path} has more than {LARGEST_TEXT >> 20} MiB; split it.")
        return io.TextIOWrapper(io.BytesIO(found), encoding="utf-8").read()
    except UnicodeDecodeError:
        raise BadInput(f"The file {path} is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise BadInput(f"The file {path} can't be read: {error.strerror}.") from None
