"""Who may come in, and what they may do here: accounts, sessions, and rest after wrong guesses.

What a role may do on a case is the workflow's business (`by` of each action); what it may see of the site is `site` in
the pack's roles. A session is a random token of which only a digest is kept, so that a copy of the database opens none.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from caseflow.domain.changes import NOBODY
from caseflow.domain.pack import Pack
from caseflow.errors import BadInput, KeyRefused, NotFound
from caseflow.services.ports import Now
from caseflow.services.ports.people import Account, AccountChange, Accounts, Passwords, Session
from caseflow.services.remembering import Remembered
from caseflow.services.sight import Sight, rights_of, sight_of

MANAGE, WORK = "manage", "work"
"""Rights: to manage is given by the pack; to work is had by every role of the site that acts on cases."""
COMMAND, SIGN_IN = "the command line", "the agency’s sign-in"
"""Who changes an account where nobody is signed in."""
IDLE, LONGEST, SEEN_EVERY = timedelta(hours=2), timedelta(hours=12), timedelta(minutes=1)
GUESSES, GUESSES_OF_ADDRESS, REST = 5, 40, timedelta(minutes=15)
SHORTEST, LONGEST_PASSWORD = 12, 200
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,39}\Z")
_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"


class NotSignedIn(BadInput):
    """The name and password do not open this site, or not now."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is signed in. `rights`: read, oversee, manage, work. `sees`: which cases. `acts`: whether the role may do
    anything on a case of any workflow; who may not only reads, on every page.
    """

    id: str
    name: str
    role: str
    role_title: str
    rights: frozenset[str]
    sees: Sight = Sight()
    acts: bool = False

    def may(self, right: str) -> bool:
        """Whether the role has a right."""
        return right in self.rights


@dataclass(frozen=True, slots=True)
class RoleOf:
    """A role of the packs: its title, its rights on the site, and which cases it sees."""

    id: str
    title: str
    rights: frozenset[str]
    sees: Sight = Sight()
    acts: bool = False

    def person(self, account: str, name: str) -> Person:
        """Somebody in this role."""
        return Person(account, name, self.id, self.title, self.rights, self.sees.of(account), self.acts)


_ROLES = Remembered(16)


def roles_of(packs: Iterable[Pack]) -> dict[str, RoleOf]:
    """The roles that may sign in: those that a pack gives a right on the site."""
    known = tuple(packs)
    # Every page asks, and packs never change: told apart by which they are, and kept, so that none takes another's place.
    return dict(_ROLES.get(tuple(map(id, known)), lambda: (known, _roles_of(known)))[1])


def _roles_of(known: Sequence[Pack]) -> dict[str, RoleOf]:
    found: dict[str, RoleOf] = {}
    for pack in known:
        for name, role in pack.text.roles.items():
            rights = rights_of(pack, name, role)
            if rights and name not in found:
                acts = any(_acts(one, name) for one in known)
                title, all_rights = role.title or name.replace("-", " ").capitalize(), rights | ({WORK} if acts else set())
                found[name] = RoleOf(name, title, all_rights, sight_of(known, name), acts)
    return found


def _acts(pack: Pack, name: str) -> bool:
    """Whether any action of a pack is for a role."""
    role = pack.text.roles.get(name)
    names = {name, *role.also} if role is not None else set()
    return any(not names.isdisjoint(action.by) for flow in pack.workflows for action in flow.actions.values())


class People:
    """Accounts and sessions. `accounts` keeps them, `passwords` hashes, `roles` are those of the packs."""

    def __init__(self, accounts: Accounts, passwords: Passwords, now: Now, roles: Callable[[], Mapping[str, RoleOf]]) -> None:
        self._accounts, self._passwords, self._now, self._roles = accounts, passwords, now, roles
        self._decoy = passwords.hash(secrets.token_hex(16))

    # --- coming in ---

    def sign_in(self, name: str, password: str, address: str, agent: str) -> str:
        """A new session's token. Raises NotSignedIn with the same words whatever was wrong, so that guessing learns nothing."""
        now, key = self._now(), name.strip().casefold()
        keys = {f"name:{_digest(key)}": GUESSES, f"from:{_digest(address)}": GUESSES_OF_ADDRESS}
        resting = self._accounts.resting_until(tuple(keys), now)
        account = self._accounts.account(key)
        # The hash is computed in every case: an unknown name must not answer faster than a known one.
        right = self._passwords.fits(account.secret if account else self._decoy, password[:LONGEST_PASSWORD])
        if resting is not None:
            raise NotSignedIn("Too many tries were wrong. Wait 15 minutes, then try again.")
        if account is None or not right or account.disabled_at is not None or account.role not in self._roles():
            self._accounts.guessed_wrong(keys, now, REST)
            raise NotSignedIn("The name or the password is not right. After five wrong tries a name rests for 15 minutes.")
        self._accounts.forget_guesses(f"name:{_digest(key)}")
        return self._open(account.id, now, agent, address)

    def come_from(self, subject: str, name: str, title: str, role: str | None, create: bool, address: str, agent: str) -> str:
        """A new session of somebody whom the agency's own sign-in has proven; the token. `role`: what its claims give, None for that
        of the account. The first time, the account of that name is bound to the person for good. Raises NotSignedIn."""
        now, key = self._now(), name.strip().casefold()
        account = self._accounts.account_of(subject)
        if account is None:
            account = self._accounts.account(key)
            if account is not None and account.subject is not None:
                raise NotSignedIn("That name belongs to somebody else here; ask who manages accounts.")
            if account is None and not create:
                raise NotSignedIn("The agency’s sign-in knows you, but there is no account for you here; ask who manages accounts.")
        if account is not None and account.disabled_at is not None:
            raise NotSignedIn("Your account here is closed; ask who manages accounts.")
        given = role or (account.role if account is not None else None)
        if given is None or given not in self._roles():
            raise NotSignedIn("The agency’s sign-in knows you, but gives you no role here; ask who manages accounts.")
        if account is None:
            try:
                account = self._add(key, title, given, "", subject, SIGN_IN)
            except BadInput:
                raise NotSignedIn("Your name at the agency’s sign-in can't be a name here; ask who manages accounts.") from None
        elif account.subject is None:
            account = replace(account, subject=subject, role=given)
            self._changed(account, SIGN_IN, "sign-in")
        elif account.role != given:
            self._changed(replace(account, role=given), SIGN_IN, "role", f"{account.role} to {given}")
        return self._open(account.id, now, agent, address)

    def _open(self, account: str, now: datetime, agent: str, address: str) -> str:
        token = secrets.token_urlsafe(32)
        made = Session(secrets.token_hex(8), _digest(token), account, now, now, now + LONGEST, None, _plain(agent), _plain(address) or None)
        self._accounts.open_session(made)
        return token

    def who(self, token: str | None) -> Person | None:
        """The person of a session, or nobody. A session ends after two idle hours, and after twelve in any case."""
        if not token or len(token) > 100:
            return None
        found = self._accounts.session(_digest(token))
        if found is None:
            return None
        session, account = found
        now, role = self._now(), self._roles().get(account.role)
        if session.ended_at is not None or now >= session.expires_at or now - session.seen_at > IDLE or account.disabled_at is not None or role is None:
            return None
        if now - session.seen_at > SEEN_EVERY:
            self._accounts.seen(session.id, now)
        return role.person(account.id, account.name)

    def person(self, account: str) -> Person | None:
        """Somebody who may sign in, by account; nobody where it is closed or its role is gone."""
        found = self._accounts.account(account)
        role = self._roles().get(found.role) if found is not None and found.disabled_at is None else None
        return role.person(found.id, found.name) if found is not None and role is not None else None

    def sign_out(self, token: str | None) -> None:
        """Ends the session of a token, if there is one."""
        found = self._accounts.session(_digest(token)) if token else None
        if found is not None:
            self._accounts.end_session(found[0].id, self._now())

    def sessions(self, account: str, token: str | None = None) -> list[dict[str, Any]]:
        """The open sessions of a person, the newest first; `current` is the one of the token."""
        now, own = self._now(), _digest(token) if token else ""
        return [
            {"id": one.id, "created_at": one.created_at, "seen_at": one.seen_at, "agent": one.agent, "address": one.address, "current": one.digest == own}
            for one in self._accounts.sessions(account)
            if one.ended_at is None and now < one.expires_at and now - one.seen_at <= IDLE
        ]

    def end_session(self, account: str, session: str) -> None:
        """Ends one of a person's own sessions. Raises NotFound, also for somebody else's."""
        if session not in {one.id for one in self._accounts.sessions(account)}:
            raise NotFound("There is no such session; it may have ended already.")
        self._accounts.end_session(session, self._now())

    # --- accounts ---

    def add(self, name: str, title: str, role: str, password: str | None = None, by: str = COMMAND) -> str:
        """Adds an account; the answer is its password, made up where none is given. Raises BadInput."""
        secret = password or made_up()
        self._add(name, title, role, self._hash(secret), None, by)
        return secret

    def _add(self, name: str, title: str, role: str, secret: str, subject: str | None, by: str) -> Account:
        key = name.strip().casefold()
        if not _NAME.match(key):
            raise BadInput(f"'{_plain(name)}' can't be a sign-in name; write 2 to 40 small letters, digits, dots or hyphens, such as r.vang.")
        if key == NOBODY:
            raise BadInput("'nobody' stands for a case that is nobody's work; choose another name to sign in with.")
        self._role(role)
        known = BadInput(f"There is an account '{key}' already; a name is given once, so that the record keeps its meaning.")
        if self._accounts.account(key) is not None:
            raise known
        made = Account(key, _plain(title) or key, role, secret, self._now(), None, subject)
        try:
            self._accounts.add(made, AccountChange(self._now(), key, by, "added", role))
        except KeyRefused:
            raise known from None  # somebody else added it a moment ago
        return made

    def _role(self, role: str) -> RoleOf:
        found = self._roles().get(role)
        if found is None:
            raise BadInput(f"There is no role '{_plain(role)}' that may sign in; the roles: {', '.join(self._roles())}.")
        return found

    def set_password(self, name: str, password: str | None = None, by: str = COMMAND) -> str:
        """Gives a new password and ends every session of the account. Raises NotFound, BadInput."""
        secret = password or made_up()
        self._changed(replace(self._known(name), secret=self._hash(secret)), by, "password", end_sessions=True)
        return secret

    def disable(self, name: str, by: str = COMMAND) -> None:
        """Closes an account and its sessions; its name stays on the record. Raises NotFound, BadInput for the last who manages accounts."""
        account = self._known(name)
        if account.disabled_at is None:
            self._keeps_a_manager(account)
            self._changed(replace(account, disabled_at=self._now()), by, "closed", end_sessions=True)

    def reopen(self, name: str, by: str = COMMAND) -> str:
        """Opens a closed account again, with a new password. Raises NotFound, BadInput where its role is gone."""
        account, secret = self._known(name), made_up()
        self._role(account.role)
        if account.disabled_at is None:
            raise BadInput(f"The account '{account.id}' is open.")
        self._changed(replace(account, disabled_at=None, secret=self._hash(secret)), by, "reopened")
        return secret

    def give_role(self, name: str, role: str, by: str = COMMAND) -> None:
        """Gives an account another role, from its next page on. Raises NotFound, BadInput."""
        account, given = self._known(name), self._role(role)
        if account.role == role:
            return
        if MANAGE not in given.rights:
            self._keeps_a_manager(account)
        self._changed(replace(account, role=role), by, "role", f"{account.role} to {role}")

    def change_password(self, person: Person, token: str | None, old: str, new: str) -> None:
        """A person gives themselves a new password; their other sessions end. Raises NotSignedIn, BadInput."""
        account, now = self._known(person.id), self._now()
        key = {f"name:{_digest(account.id)}": GUESSES}
        if self._accounts.resting_until(tuple(key), now) is not None:
            raise NotSignedIn("Too many tries were wrong. Wait 15 minutes, then try again.")
        if not self._passwords.fits(account.secret, old[:LONGEST_PASSWORD]):
            self._accounts.guessed_wrong(key, now, REST)
            raise NotSignedIn("The present password is not right; nothing was changed.")
        if old == new:
            raise BadInput("The new password is the present one; choose another.")
        self._changed(replace(account, secret=self._hash(new)), person.id, "password", "by the person")
        self.end_others(person.id, token)

    def end_others(self, account: str, token: str | None) -> int:
        """Ends every session of a person but the one of the token; the answer is how many."""
        own = _digest(token) if token else ""
        others = [one for one in self._accounts.sessions(account) if one.ended_at is None and one.digest != own]
        for one in others:
            self._accounts.end_session(one.id, self._now())
        return len(others)

    def _keeps_a_manager(self, account: Account) -> None:
        """Nobody locks the agency out: one open account that manages accounts is always left."""
        managing = [role.id for role in self._roles().values() if MANAGE in role.rights]
        if account.role in managing and account.disabled_at is None and self._accounts.count_open(managing) <= 1:
            raise BadInput(f"'{account.id}' is the last who manages accounts; give the role to somebody else first.")

    def _changed(self, account: Account, by: str, what: str, detail: str = "", end_sessions: bool = False) -> None:
        self._accounts.keep(account, AccountChange(self._now(), account.id, by, what, detail), end_sessions)

    def all(self) -> list[Account]:
        """Every account, by name."""
        return list(self._accounts.accounts())

    def roles(self) -> list[RoleOf]:
        """The roles that an account may have."""
        return list(self._roles().values())

    def changes(self, limit: int = 100) -> list[AccountChange]:
        """Who did what to accounts, the newest first."""
        return list(self._accounts.account_changes(limit))

    def _known(self, name: str) -> Account:
        account = self._accounts.account(name.strip().casefold())
        if account is None:
            raise NotFound(f"There is no account '{_plain(name)}'.")
        return account

    def _hash(self, password: str) -> str:
        if not SHORTEST <= len(password) <= LONGEST_PASSWORD:
            raise BadInput(f"A password has {SHORTEST} to {LONGEST_PASSWORD} characters.")
        return self._passwords.hash(password)


def made_up() -> str:
    """A password of 20 signs that nobody mixes up, about 99 bits."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(5)) for _ in range(4))


def form_token(token: str) -> str:
    """What a form of this session carries, so that another site can't send it."""
    return hmac.new(token.encode(), b"form", sha256).hexdigest()


def fits_form(token: str, given: str) -> bool:
    """Whether a form came from a page of this session."""
    return hmac.compare_digest(form_token(token).encode(), given.encode())


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _plain(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text[:200]).split())
