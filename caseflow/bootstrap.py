"""Joins services and adapters; the only file that knows every adapter. The doors are handed an App."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from caseflow.adapters.packs.library import PackLibrary, default_folders, pack_files
from caseflow.adapters.packs.nodes import read_plain
from caseflow.domain.case import Act, Actor
from caseflow.domain.mailing import UNSHOWN
from caseflow.errors import BadInput, CaseflowError, PackFaults
from caseflow.services.office import Office, Progress, local_moment, parse_day, parse_moment, quiet
from caseflow.services.sight import EVERYTHING, Sight


@dataclass
class Serving:
    """A site that is ready to be served. `accounts` are those just made, with their passwords."""

    app: Any
    site: Any
    taken: Any
    address: str
    accounts: list[dict[str, Any]]


class App:
    """Every service, as the doors call it: plain values in, plain values out."""

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
        **mail: str,
    ) -> None:
        self.database = database if "://" in database else f"sqlite:///{database}"
        self._packs_folder = packs
        self._at = parse_moment(at, "--at") if at is not None else None
        self._maildrop = maildrop
        self._signing_key = signing_key
        self._store = store
        self._documents = (documents, document_limit)
        self._mail = mail
        self._ready = False

    # --- joining ---

    @cached_property
    def library(self) -> PackLibrary:
        """The packs."""
        return PackLibrary(*self._folders(), kept=self._kept)

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

    @cached_property
    def tokens(self) -> Any:
        """What programs sign in with."""
        from caseflow.services.people import roles_of
        from caseflow.services.tokens import Tokens

        return Tokens(self.store.programs, self.store.accounts, lambda: datetime.now(UTC), lambda: roles_of(self.library.all()))

    @cached_property
    def register(self) -> Any:
        """The register of letters, a page at a time."""
        from caseflow.services.register import Register

        return Register(self.office, self.store.programs, lambda letter: letter_line(letter, self._zone()))

    @cached_property
    def answers(self) -> Any:
        """What programs were answered, for calls that are repeated."""
        from caseflow.services.exactly import Answers

        return Answers(self.store.programs, lambda: datetime.now(UTC))

    def exactly(self, seen_version: int | None, command_id: str | None) -> App:
        """The same services for one write: only on what was seen, and only once."""
        from caseflow.services.exactly import bound

        office = bound(self.office, seen_version, command_id)
        made = copy(self)
        made.office = office
        return made

    def _documents_folder(self) -> Path:
        beside = Path(self.database.removeprefix("sqlite:///")).parent if self.database.startswith("sqlite:///") else Path()
        return Path(self._documents[0] or beside / "documents")

    @cached_property
    def documents(self) -> Any:
        """Documents of cases. Their folder stands beside the database where none is named."""
        from caseflow.adapters.documents import Folder
        from caseflow.services.documents import MEGABYTE, Documents, Limits

        limit = self._documents[1]
        return Documents(self.office, Folder(self._documents_folder()), Limits(_number("document_limit", limit, 25) * MEGABYTE))

    @cached_property
    def applicants(self) -> Any:
        """The status page: who may read it, and what it says."""
        from caseflow.services.applicants import Applicants

        return Applicants(self.office, self.store, self.documents, lambda: datetime.now(UTC))

    @cached_property
    def reads(self) -> Any:
        """Who looked at what."""
        from caseflow.services.watching import ReadLog

        return ReadLog(self.store.accounts, lambda: datetime.now(UTC))

    @cached_property
    def agenda(self) -> Any:
        """Lists of work, and saved filters."""
        from caseflow.services.agenda import Agenda

        return Agenda(self.office, lambda: datetime.now(UTC))

    @cached_property
    def assigning(self) -> Any:
        """Whose work a case is."""
        from caseflow.services.assigning import Assigning
        from caseflow.services.people import roles_of

        return Assigning(self.office, self.store.accounts.accounts, lambda: roles_of(self.library.all()))

    @cached_property
    def seeing(self) -> Any:
        """Whether a person sees one case, one letter."""
        from caseflow.services.seeing import Seeing

        return Seeing(self.store)

    @cached_property
    def auditing(self) -> Any:
        """Who did what, in a case or in the office."""
        from caseflow.services.auditing import Auditing

        return Auditing(self.office, self.store.accounts)

    @cached_property
    def overseeing(self) -> Any:
        """The board, the lists behind its figures, and who did what."""
        from caseflow.services.overseeing import Overseeing

        return Overseeing(self.office, self.store.accounts)

    @cached_property
    def elsewhere(self) -> Any:
        """The agency's own sign-in, where the settings name one. Its secret comes from the environment alone. Raises BadInput."""
        import os

        given = self._mail
        if not given.get("oidc_issuer"):
            if given.get("local_accounts", "yes") == "no":
                raise BadInput("local_accounts is 'no' and no oidc_issuer is set, so nobody could sign in; set one of them.")
            return None
        from caseflow.adapters.oidc import Oidc
        from caseflow.services.elsewhere import Elsewhere, Rules, mapping_of

        if not given.get("oidc_client"):
            raise BadInput("oidc_issuer is set and oidc_client is not; write the name under which caseflow is known there.")
        claim, roles = mapping_of(given["oidc_roles"]) if given.get("oidc_roles") else ("", ())
        known = {role.id for role in self.people.roles()}
        for _, role in roles:
            if role not in known:
                raise BadInput(f"oidc_roles gives the role '{role}', which may not sign in here; the roles: {', '.join(sorted(known))}.")
        create = _yes("oidc_create", given.get("oidc_create", "no"))
        if create and not roles:
            raise BadInput("oidc_create is 'yes' and oidc_roles is not set; say which role somebody new has, such as groups: case-staff=staff.")
        more = {name: given[f"oidc_{name}"] for name in ("scopes", "name_claim") if given.get(f"oidc_{name}")}
        provider = Oidc(given["oidc_issuer"], given["oidc_client"], os.environ.get("CASEFLOW_OIDC_SECRET"), group_claim=claim, **more)
        return Elsewhere(provider, Rules(roles, create), self.people, self._sign_in_key, lambda: datetime.now(UTC))

    def _sign_in_key(self) -> str:
        with self.store.begin() as work:
            return str(work.secret("sign-in"))

    @cached_property
    def people(self) -> Any:
        """Accounts and sessions."""
        from caseflow.adapters.passwords import Argon2
        from caseflow.services.people import People, roles_of

        return People(self.store.accounts, Argon2(), lambda: datetime.now(UTC), lambda: roles_of(self.library.all()))

    @cached_property
    def deadlines(self) -> Any:
        """The calendar of deadlines."""
        from caseflow.services.deadlines import Deadlines

        return Deadlines(self.office)

    @cached_property
    def feeds(self) -> Any:
        """Calendars of deadlines behind a secret link."""
        from caseflow.services.feeds import DeadlineFeeds

        return DeadlineFeeds(self.deadlines, self.store.feeds, self.store.accounts, self.people, self.now, lambda: datetime.now(UTC), self.reads.note)

    @cached_property
    def workflows(self) -> Any:
        """Workflows as pages, with their diagrams and sample letters."""
        from caseflow.adapters.diagram import drawn
        from caseflow.adapters.packs.rendering import sample_of
        from caseflow.services.workflows import Workflows

        return Workflows(self.office, drawn, lambda *wanted: sample_of(self.library, *wanted), self.library.scenario_counts)

    def now(self) -> datetime:
        """The present moment, or the one given with --at."""
        if self._at is None:
            return datetime.now(UTC)
        zone = self._zone()
        moment = self._at if isinstance(self._at, datetime) else datetime.combine(self._at, datetime.min.time().replace(hour=10))
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)).astimezone(UTC)

    def today(self) -> date:
        """The day at the office."""
        return self.now().astimezone(self._zone()).date()

    def standing(self) -> dict[str, Any]:
        """How the program stands: when the scheduler last swept, what it waits for, and which rules are loaded."""
        zone, packs = self._zone(), self.library.all()
        beats = [at for name, at, _ in self.store.heartbeats() if name.startswith("scheduler")]
        swept, waits = max(beats, default=None), self.store.next_due()
        return {
            "swept_at": swept.astimezone(zone).isoformat() if swept is not None else None,
            "late": swept is None or (datetime.now(UTC) - swept).total_seconds() > 120,
            "next_at": waits.astimezone(zone).isoformat() if waits is not None else None,
            "packs": [{"id": pack.text.pack, "version": pack.text.version, "title": pack.text.title, "calendar": pack.calendar.version} for pack in packs],
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

    def for_long_work(self) -> None:
        """Loads the packs and sets them apart from what the collector walks again and again while many cases pass."""
        self.library.all()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)

    def read_yaml(self, path: str) -> dict[str, Any]:
        """A YAML file as a plain map. Raises BadInput."""
        return read_plain(_text_of(path), path)

    # --- commands ---

    def init(self, live: bool) -> dict[str, Any]:
        self.store.upgrade(live=live or None)
        return {"database": self.store.where, "live": self.store.is_live()}

    def file(self, request: Mapping[str, Any], actor: str | None = None) -> dict[str, Any]:
        from caseflow.services import filing, reading
        from caseflow.services.showing import fees_json

        self.open()
        cases = filing.file(self.office, request, actor_of(actor or "requester:requester"), self.now())
        shown = [reading.show(self.office, case.number, self.now()) for case in cases]
        warnings = [*self.fee_warnings(request), *(text for case in shown for text in (case["intake"] or {}).get("warnings", ()))]
        return {"request": cases[0].request, "fee": fees_json(cases)["total"], "cases": shown, "warnings": list(dict.fromkeys(warnings))}

    @cached_property
    def requests(self) -> Any:
        """New requests before they are filed."""
        from caseflow.services.requesting import Requests

        return Requests(self.office)

    @cached_property
    def dossier(self) -> Any:
        """The people and payments of a case; corrections tried first."""
        from caseflow.services.dossier import Dossier

        return Dossier(self.office, self.now)

    def fee_warnings(self, request: Mapping[str, Any]) -> list[str]:
        return list(self.quote(request)["warnings"])

    def act(
        self,
        case: str,
        action: str,
        facts: Mapping[str, Any],
        on: str | None,
        actor: str | None,
        seen_version: int | None,
        command_id: str | None,
        dry_run: bool,
    ) -> dict[str, Any]:
        from caseflow.services import acting, reading

        self.open(writes=not dry_run)
        who = actor_of(actor or "staff:staff")
        asked = Act(action, who, facts, parse_day(on, "--on") if on is not None else None, None, seen_version, command_id)
        if dry_run:
            from caseflow.services.trying import dry_run as attempt

            return attempt(self.office, case, asked, self.now())
        done = acting.act(self.office, case, asked, self.now())
        return reading.show(self.office, done.number, self.now(), who.role)

    def asked(self, case: str, action: str) -> dict[str, Any]:
        """What an action asks for, as fields of a form."""
        from caseflow.services.asking import asked

        return asked(self.office, case, action)

    def take_people(self, case: str, file: str, action: str | None, actor: str | None) -> dict[str, Any]:
        """Takes the people of a CSV file into a case, by an act of its workflow."""
        from caseflow.services.listing import people_action, read_people

        self.open()
        found = read_people(_text_of(file), file)
        with self.store.read() as work:
            book = self.library.of(work.case(case))
        name, fact = people_action(book, action)
        return self.act(case, name, {fact: found}, None, actor, None, None, False)

    def void(self, case: str, seq: int, because: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services import acting, reading

        self.open()
        done, outcome = acting.void(self.office, case, seq, because, actor_of(actor or "staff:staff"), self.now())
        acting.catch_up(self.office, done.number, self.now())
        return {**reading.show(self.office, done.number, self.now()), "withdrawn": list(outcome.withdrawn)}

    def amend(self, case: str, seq: int, on: str, because: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services import acting, reading

        self.open()
        day = parse_day(on, "--on")
        done, outcome = acting.amend(self.office, case, seq, day, because, actor_of(actor or "staff:staff"), self.now())
        acting.catch_up(self.office, done.number, self.now())
        return {**reading.show(self.office, done.number, self.now()), "withdrawn": list(outcome.withdrawn)}

    def show(self, case: str, role: str = "staff", seen: Sight = EVERYTHING) -> dict[str, Any]:
        from caseflow.services import reading

        self.open(writes=False)
        return reading.show(self.office, case, self.now(), role, seen)

    def timeline(self, case: str, by: str, known_on: str | None) -> list[dict[str, Any]]:
        from caseflow.services import reading

        self.open(writes=False)
        return reading.timeline(self.office, case, by, parse_day(known_on, "--known-on") if known_on is not None else None)

    def drawing(self, case: str) -> dict[str, Any]:
        """What a drawn timeline of a case shows."""
        from caseflow.services.drawing import drawing

        return drawing(self.office, case, self.now())

    def why(self, case: str, clock: str | None) -> list[dict[str, Any]]:
        from caseflow.services import reading

        self.open(writes=False)
        return reading.why(self.office, case, clock, self.now())

    def docket(self, overdue: bool, due_within: int | None, after: str | None, limit: int | None, **wanted: Any) -> list[dict[str, Any]]:
        from caseflow.services import docket
        from caseflow.services.ports import DocketFilter

        self.open(writes=False)
        return docket.docket(self.office, DocketFilter(**wanted), overdue, due_within, after, limit, self.now())

    def docket_page(self, asked: Mapping[str, Any], after: str | None = None, limit: int = 50, seen: Sight = EVERYTHING) -> dict[str, Any]:
        from caseflow.services import docket

        return docket.page(self.office, asked, after, limit, self.now(), seen)

    def docket_rows(self, asked: Mapping[str, Any], seen: Sight) -> Iterator[dict[str, Any]]:
        from caseflow.services import docket

        rows: Iterator[dict[str, Any]] = docket.whole(self.office, asked, seen, self.now())
        return rows

    def docket_choices(self) -> dict[str, Any]:
        from caseflow.services import docket

        return docket.choices(self.office)

    def board(self, as_of: str | None, seen: Sight = EVERYTHING) -> dict[str, Any]:
        from caseflow.services import overseeing

        self.open(writes=False)
        return overseeing.board(self.office, parse_day(as_of, "--as-of") if as_of is not None else None, seen)

    def sweep(self, until: str | None, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.services.sweeping import sweep

        self.open()
        moment = None
        if until is not None:
            moment = local_moment(self._zone(), parse_moment(until, "--until"))
            if moment > self.now() and self.store.is_live():
                raise BadInput("The database holds a real record, so --until can't lie in the future; leave it out.")
        self.for_long_work()
        swept = sweep(self.office, moment, progress)
        return {"fired": swept.fired, "refused": swept.refused, "parked": swept.parked}

    def letters(self, case: str | None, status: str | None) -> list[dict[str, Any]]:
        self.open(writes=False)
        with self.store.read() as work:
            found = work.letters(case, (status,) if status else ())
        return [letter_line(letter, self._zone()) for letter in found]

    def letter(self, number: str) -> dict[str, Any]:
        self.open(writes=False)
        with self.store.read() as work:
            letter, attempts = work.letter(number), work.attempts(number)
        writer, zone = self.office.letters, self._zone()
        words = writer.for_copy(letter.markdown, UNSHOWN)
        forms = {"markdown": letter.markdown, "text": writer.text(words), "html": writer.html(words, letter.subject)}
        proof = {"template_hash": letter.template_hash, "content_hash": letter.content_hash, "pack_version": letter.pack_version}
        made = {
            "copies": [copy_line(copy, attempts, zone) for copy in letter.copies],
            "edits": list(letter.edits),
            "places": dict(writer.places(letter.markdown)),
        }
        return {**letter_line(letter, zone), **proof, **made, "data": letter.view, **forms}

    def letter_pdf(self, number: str, path: str) -> dict[str, Any]:
        """Writes a letter of the register as PDF."""
        self.open(writes=False)
        with self.store.read() as work:
            letter = work.letter(number)
        if letter.status == "blocked":
            raise BadInput(f"The letter {number} is blocked, since it lacks {', '.join(letter.missing) or 'something'}; there is nothing to make a PDF of.")
        data = self.office.letters.pdf(letter)
        try:
            Path(path).write_bytes(data)
        except OSError as error:
            raise BadInput(f"The file {path} can't be written ({error.strerror}); name another.") from None
        return {"number": number, "file": path, "bytes": len(data), "sha256": sha256(data).hexdigest()}

    def letter_part(self, markdown: str) -> str:
        """The text of a letter as part of a page."""
        return self.office.letters.part(markdown)

    def preview(self, case: str, letter: str, action: str | None, facts: Mapping[str, Any]) -> dict[str, Any]:
        from caseflow.services.trying import preview

        self.open(writes=False)
        return preview(self.office, case, letter, action, facts, self.now())

    def approve(self, number: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import approve

        self.open()
        approve(self.office, number, actor_of(actor or "supervisor:supervisor"), self.now())
        return self.letter(number)

    def edit_letter(self, number: str, place: str, text: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import edit

        self.open()
        edit(self.office, number, place, text, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def retry_letter(self, number: str, facts: Mapping[str, Any], actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import retry

        self.open()
        retry(self.office, number, facts, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def correct_letter(self, number: str, because: str, actor: str | None) -> dict[str, Any]:
        from caseflow.services.wording import correct

        self.open()
        return self.letter(correct(self.office, number, because, actor_of(actor or "staff:staff"), self.now()))

    def letter_event(self, number: str, event: Any, copy: str | None, because: str | None, on: str | None, actor: str | None) -> dict[str, Any]:
        from caseflow.services.evidence import record

        self.open()
        day = parse_day(on, "--on") if on is not None else None
        record(self.office, number, event, copy, because, day, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def resend_letter(self, number: str, copy: str | None, channel: str, address: Sequence[str], actor: str | None) -> dict[str, Any]:
        from caseflow.services.evidence import resend

        self.open()
        resend(self.office, number, copy, channel, address, actor_of(actor or "staff:staff"), self.now())
        return self.letter(number)

    def dispatch(self, at_once: bool, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.services.dispatching import dispatch

        self.open()
        return asdict(dispatch(self.office, self.now(), progress, at_once))

    def print_batch(self, folder: str, again: str | None, at_once: bool) -> dict[str, Any]:
        from caseflow.adapters.mail.batch import write_batch
        from caseflow.services.printing import begin, sheets

        self.open()
        batch = again or begin(self.office, self.now(), at_once)
        if batch is None:
            return {"batch": None, "copies": 0, "files": []}
        return write_batch(Path(folder), batch, sheets(self.office, batch), self.office.letters.pdf)

    def posted(self, batch: str, on: str | None, actor: str | None) -> dict[str, Any]:
        from caseflow.services.evidence import posted

        self.open()
        day = parse_day(on, "--on") if on is not None else None
        return {"batch": batch, "posted": posted(self.office, batch, day, actor_of(actor or "staff:staff"), self.now())}

    def calendar(self, name: str | None, year: int) -> dict[str, Any]:
        from caseflow.domain.rulebook import calendar_of

        for pack in self.library.all():
            if name is None or pack.calendar.calendar == name:
                days = calendar_of(pack).list_days(year)
                shown = [
                    {"date": day.isoformat(), "weekday": day.strftime("%A"), "name": known.name, "list": known.list, "cite": known.cite} for day, known in days
                ]
                return {"calendar": pack.calendar.calendar, "version": pack.calendar.version, "year": year, "days": shown}
        raise BadInput(f"There is no calendar '{name}'.")

    def verify(self, case: str | None, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.services.reading import verify

        self.open(writes=False)
        return verify(self.office, case, progress, self.documents.faults)

    def _beside(self) -> tuple[Path, dict[str, Path]]:
        """The file of the embedded database, and the folders that belong to it. Raises BadInput."""
        path = self.database.partition("sqlite:///")[2]
        if not path:
            raise BadInput("A database on a server is backed up with its own tools, such as pg_dump; this command is for the embedded one.")
        return Path(path), {"documents": self._documents_folder()}

    def backup(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Writes an archive of the embedded database."""
        from caseflow.adapters.archive import write_archive

        database, folders = self._beside()
        if not database.exists():
            raise BadInput(f"There is no database {database} to back up; name it with --database.")
        return write_archive(Path(file), database, folders, self.now(), progress)

    def restore(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Puts an archive in the place of the embedded database, migrates it, and lets nothing leave it."""
        from caseflow.adapters.archive import read_archive
        from caseflow.services.restoring import rest

        database, folders = self._beside()
        made = read_archive(Path(file), database, folders, progress)
        self.open()
        rest(self.office, self.now())
        return made

    def resume(self, try_only: bool) -> dict[str, Any]:
        """Lets mail leave a restored database again."""
        from caseflow.services.restoring import resume

        self.open()
        return resume(self.office, try_only, self.now())

    @cached_property
    def signer(self) -> Any:
        """The agency's signing key: the file given, else beside the embedded database."""
        from caseflow.adapters.signing import Signer

        path = self.database.partition("sqlite:///")[2]
        return Signer(Path(self._signing_key or (f"{path}.signing-key" if path else "caseflow.signing-key")))

    def export(self, case: str, folder: str, withhold: Mapping[str, str]) -> dict[str, Any]:
        """Writes the record of a case as a folder that others can check: CONTRACT section 1, `export`."""
        from caseflow.adapters.bundle.write import write_bundle
        from caseflow.services.exporting import record

        self.open(writes=False)
        return write_bundle(Path(folder), record(self.office, case, withhold, self.documents.content, self.now()), self.office.letters, self.signer)

    def pack_check(self, folder: str, progress: Progress = quiet, scenarios: bool = True) -> dict[str, Any]:
        from caseflow.adapters.packs.rendering import rendered_faults

        path = Path(folder)
        own = path.parent.parent / "templates" / "letters"
        files = pack_files(path, own if own.is_dir() else default_folders()[1])
        library = PackLibrary(path.parent, own if own.is_dir() else default_folders()[1])
        pack = library.load(files)
        faults = rendered_faults(pack, files, library)
        if faults:
            raise PackFaults(faults)
        made = {"pack": pack.text.pack, "version": pack.hash, "workflows": [flow.workflow for flow in pack.workflows], "scenarios": 0, "failed": []}
        if scenarios:
            paths = sorted(str(one) for one in path.glob("scenarios/**/*.yaml"))
            results = self.rehearse(paths, progress, library) if paths else {"results": []}
            failed = [one for one in results["results"] if not one["passed"]]
            made.update(scenarios=len(paths), failed=failed)
        return made

    def gallery(self, folder: str, pack: str | None = None, every: bool = False, progress: Progress = quiet, once: bool = False) -> dict[str, Any]:
        """Every letter of a pack with every sample: `pack` is its name, or its folder; the first pack where none is given."""
        from caseflow.adapters.letters import gallery
        from caseflow.adapters.letters.pdf import PdfMaker
        from caseflow.adapters.packs.rendering import rendered

        workflows, templates = self._pack_folder(pack)
        library = PackLibrary(workflows.parent, templates)
        files = pack_files(workflows, templates)
        found = library.load(files)
        maker = PdfMaker(library.files)
        try:
            return gallery.make(Path(folder), found, gallery.all_of(rendered(found, files, library)), maker, every, progress, once)
        finally:
            maker.close()

    def _pack_folder(self, name: str | None) -> tuple[Path, Path]:
        """The folder of a pack and that of its letters. Raises BadInput."""
        if name is not None and (Path(name) / "pack.yaml").is_file():
            path = Path(name)
            own = path.parent.parent / "templates" / "letters"
            return path, own if own.is_dir() else default_folders()[1]
        workflows, templates = self._folders()
        known = sorted(path.parent for path in workflows.glob("*/pack.yaml"))
        for path in known:
            if name is None or path.name == name:
                return path, templates
        raise BadInput(f"There is no pack '{name}'; name one of {', '.join(path.name for path in known)}, or the folder of a pack.")

    def pack_show(self, name: str | None) -> dict[str, Any]:
        from caseflow.services.summing import pack_summary

        return pack_summary(self.library.all(), name)

    def pack_merged(self, workflow: str) -> str:
        return self.library.merged_text(workflow)

    def pack_schema(self, kind: str) -> dict[str, Any]:
        from caseflow.adapters.packs.schema import pack_schema

        return pack_schema(kind)

    def diagram(self, workflow: str) -> str:
        from caseflow.adapters.diagram import draw

        return draw(self.library.rulebook(workflow, self.now().date()))

    def rehearse(self, paths: Iterable[str], progress: Progress = quiet, library: PackLibrary | None = None) -> dict[str, Any]:
        from caseflow.adapters.letters.writer import LetterWriter
        from caseflow.adapters.mail import NoMail
        from caseflow.adapters.store.memory import MemoryStore
        from caseflow.services.rehearsing import Coverage, Rehearsal, missing_coverage, rehearse

        library = library or self.library
        writer = LetterWriter(library.files)
        coverage, results, names = Coverage(), [], list(scenario_files(paths))
        for place, path in enumerate(names):
            try:
                text = read_plain(_text_of(path), path)
            except CaseflowError as error:
                results.append(Rehearsal(path, path, [{"step": 0, "expected": "a scenario file", "got": str(error)}]))
                continue
            office = Office(MemoryStore(), library, writer, NoMail(), self.now, _Keys())
            results.append(rehearse(office, self._sample(library, path), text, path, coverage))
            progress(place + 1, len(names), "scenarios")
        books = [library.rulebook(flow.workflow, flow.in_force.from_ or self.now().date()) for pack in library.all() for flow in pack.workflows]
        return {"results": [one.json() for one in results], "coverage": coverage.seen, "missing": missing_coverage(books, coverage)}

    def _sample(self, library: PackLibrary, _path: str) -> Callable[[str, str], Mapping[str, Any]]:
        def sample(workflow: str, name: str) -> Mapping[str, Any]:
            folder = library.folder_of(workflow)
            path = folder / "samples" / workflow / f"{name}.yaml"
            if not path.is_file():
                raise BadInput(f"There is no sample '{name}' of {workflow}; write samples/{workflow}/{name}.yaml.")
            return read_plain(path.read_text(encoding="utf-8"), str(path))

        return sample

    def clock_compute(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        from caseflow.services.computing import compute

        return compute(self.library.all(), lines)

    def quote(self, request: Mapping[str, Any]) -> dict[str, Any]:
        from caseflow.services import filing

        read, books = filing.read(self.office, request, self.now())
        owed = filing.fee_of(read, books)
        lines = [{"id": line.id, "title": line.title, "amount": line.amount, "count": line.units, "cite": line.cite, "text": line.text} for line in owed.lines]
        return {"lines": lines, "total": f"{owed.total:.2f}", "warnings": list(owed.warnings)}

    def screen(self, facts: Mapping[str, Any], on: str | None, readings: Mapping[str, str]) -> dict[str, Any]:
        from caseflow.services.screening import screened

        return screened(self.library.all(), facts, self._received(on), readings)

    def screen_and_file(self, facts: Mapping[str, Any], request: Mapping[str, Any], track: str | None, on: str | None, actor: str | None) -> dict[str, Any]:
        from caseflow.services.screening import request_on

        day = on if on is not None else str(request["filed"])[:10] if request.get("filed") else None
        wanted, told = request_on(self.library.all(), facts, request, track, self._received(day))
        made = self.file(wanted, actor)
        return {**made, "track": wanted["services"][0], "warnings": [*told, *made["warnings"]]}

    def screen_lines(self, lines: Iterable[bytes], on: str | None, progress: Progress = quiet) -> Iterator[bytes]:
        from caseflow.services.screening import screen_lines

        return screen_lines(self.library.all(), lines, self._received(on), progress)

    def rules_evaluate(self, ruleset: str, facts: Mapping[str, Any], on: str | None, readings: Mapping[str, str]) -> dict[str, Any]:
        from caseflow.services.ruling import ruled

        return ruled(self.library.all(), ruleset, facts, self._received(on), readings)

    def rules_list(self, ruleset: str | None, on: str | None) -> dict[str, Any]:
        from caseflow.services.ruling import listed

        return listed(self.library.all(), ruleset, self._received(on))

    def _received(self, on: str | None) -> date:
        """The day received: the one given, or today at the office."""
        return parse_day(on, "--on") if on is not None else self.now().astimezone(self._zone()).date()

    def form(self, service: str) -> str:
        from caseflow.services.trying import request_form

        return request_form(self.library.rulebook(service, self.now().date()))

    def demo(self, folder: str, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.demo import make

        return make(Path(folder), progress)

    def run_scheduler(self) -> None:
        from caseflow.adapters.scheduler import Clerk

        self.open()
        self.for_long_work()
        Clerk(self.office).run()

    # --- the site ---

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

        fresh = not self.store.exists()
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
        local = _yes("local_accounts", self._mail.get("local_accounts", "yes"))
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
        clerk = Clerk(self.office, background=True) if scheduler else None
        if clerk is not None:
            clerk.scheduler.start()
        ready.site.scheduler = scheduler
        try:
            return run(ready.app, ready.taken, say, proxy, seconds)
        finally:
            self.reads.flush()
            if clerk is not None:
                clerk.scheduler.shutdown(wait=True)

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
        making.unlink(missing_ok=True)
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


def _smtp(given: Mapping[str, str]) -> Any:
    """The way out by SMTP. User and password come from the environment alone, so that no file and no process list shows them."""
    import os

    from caseflow.adapters.mail.smtp import Smtp, SmtpSettings

    tls = given.get("smtp_tls", "starttls")
    usual = {"tls": 465, "none": 25}.get(tls, 587)
    port, timeout = _number("smtp_port", given.get("smtp_port"), usual), _number("smtp_timeout", given.get("smtp_timeout"), 30)
    if not given.get("smtp_from"):
        raise BadInput("smtp_host is set and smtp_from is not; say from which address letters come, such as letters@example.gov.")
    user, password = os.environ.get("CASEFLOW_SMTP_USER"), os.environ.get("CASEFLOW_SMTP_PASSWORD")
    return Smtp(SmtpSettings(given["smtp_host"], given["smtp_from"], port, tls, timeout, user, password))


def _number(name: str, text: str | None, usual: int) -> int:
    if text is None:
        return usual
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise BadInput(f"{name} is '{text}'; write a number such as {usual}.")
    return int(text)


def _yes(name: str, text: str) -> bool:
    if text not in ("yes", "no"):
        raise BadInput(f"{name} is '{text}'; write yes or no.")
    return text == "yes"


class _Keys:
    """Salt keys of a rehearsal: different for each entry, the same in every run."""

    def __init__(self) -> None:
        self._number = 0

    def __call__(self) -> str:
        self._number += 1
        return f"{self._number:032x}"


def actor_of(text: str) -> Actor:
    """USER or USER:ROLE; the role is staff where none is given."""
    user, _, role = text.partition(":")
    if not user.strip():
        raise BadInput("--as needs a user, such as --as ann or --as ann:supervisor")
    return Actor("person", user.strip(), role.strip() or "staff")


def letter_line(letter: Any, zone: tzinfo) -> dict[str, Any]:
    """A letter of the register as lists show it."""
    return {
        "number": letter.number,
        "case": letter.case,
        "id": letter.letter,
        "title": letter.title,
        "subject": letter.subject,
        "status": letter.status,
        "owed_on": letter.owed_on.isoformat(),
        "leaves_at": letter.leaves_at.astimezone(zone).isoformat() if letter.leaves_at is not None else None,
        "sent_on": letter.sent_on.isoformat() if letter.sent_on is not None else None,
        "seq": letter.seq,
        "recipients": [{key: person.get(key) for key in ("role", "name", "channel", "status")} for person in letter.recipients],
        "missing": list(letter.missing),
        "corrects": letter.corrects,
        "corrected_by": letter.corrected_by,
    }


def copy_line(copy: Any, attempts: Sequence[Any], zone: tzinfo) -> dict[str, Any]:
    """A copy of a letter with every attempt at it."""

    def local(moment: datetime | None) -> str | None:
        return moment.astimezone(zone).isoformat() if moment is not None else None

    kept = ("id", "kind", "role", "name", "channel", "address", "language", "status", "message_id", "content", "batch", "proof", "replaces")
    mine = [one for one in attempts if one.copy == copy.id]
    return {
        **{name: getattr(copy, name) for name in kept},
        "sent_on": copy.sent_on.isoformat() if copy.sent_on is not None else None,
        "next_at": local(copy.next_at),
        "attempts": [{"number": one.number, "at": local(one.begun_at), "ended": local(one.ended_at), "outcome": one.outcome, "text": one.text} for one in mine],
    }


def scenario_files(paths: Iterable[str]) -> Iterator[str]:
    """The scenario files of files and folders, in order."""
    for path in paths:
        if Path(path).is_dir():
            yield from sorted(str(one) for one in Path(path).rglob("*.yaml"))
        else:
            yield path


def _text_of(path: str) -> str:
    try:
        if path == "-":
            import sys

            return sys.stdin.read()
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"The file {path} is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise BadInput(f"The file {path} can't be read: {error.strerror}.") from None
