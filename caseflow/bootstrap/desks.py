"""The services that answer many questions of one subject, each joined when it is first asked."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from caseflow.bootstrap.joining import Joined, number_of
from caseflow.errors import BadInput
from caseflow.services.letterlines import letter_line


class Desks(Joined):
    """The part of App that hands out services."""

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

    def _documents_folder(self) -> Path:
        beside = Path(self.database.removeprefix("sqlite:///")).parent if self.database.startswith("sqlite:///") else Path()
        return Path(self._documents[0] or beside / "documents")

    @cached_property
    def documents(self) -> Any:
        """Documents of cases. Their folder stands beside the database where none is named."""
        from caseflow.adapters.documents import Folder
        from caseflow.services.documents import MEGABYTE, Documents, Limits

        limit = self._documents[1]
        return Documents(self.office, Folder(self._documents_folder()), Limits(number_of("document_limit", limit, 25) * MEGABYTE))

    @cached_property
    def retention(self) -> Any:
        """Schedules of retention, legal holds and disposal."""
        from caseflow.bootstrap.retaining import Retaining

        return Retaining(self)

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
        create = yes_of("oidc_create", given.get("oidc_create", "no"))
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
        from caseflow.bootstrap.proofs import Proofs
        from caseflow.services.workflows import Workflows

        proofs = Proofs(self.library, self.now)
        return Workflows(self.office, drawn, lambda *wanted: sample_of(self.library, *wanted), self.library.scenario_counts, proofs.kept)

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


def yes_of(name: str, text: str) -> bool:
    if text not in ("yes", "no"):
        raise BadInput(f"{name} is '{text}'; write yes or no.")
    return text == "yes"
