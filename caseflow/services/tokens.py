"""What programs sign in with: tokens of a person, in that person's role, that expire and can be ended.

A token is 256 random bits, so a fast digest of it may be kept and a copy of the database opens nothing. It never opens more
than its person may do at the moment of use: a closed account or a changed role ends it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from caseflow.errors import BadInput, NotFound
from caseflow.services.people import Person, RoleOf
from caseflow.services.ports import Now
from caseflow.services.ports.programs import Programs, Token

if TYPE_CHECKING:
    from caseflow.services.ports.people import Account, Accounts

READ, ACT = "read", "act"
SCOPES = (READ, ACT)
USUAL_DAYS, MOST_DAYS, MOST_OPEN = 90, 366, 20
SEEN_EVERY = timedelta(minutes=1)
GUESSES, REST = 30, timedelta(minutes=15)
_MARK, _LENGTH = "cf_", 46


class Resting(BadInput):
    """Too many tokens from one address were wrong."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A program that calls, for a person. `scope` is read, or act, which includes it."""

    person: Person
    token: str
    scope: str
    expires_at: datetime

    def may_act(self) -> bool:
        """Whether the token may change something; the role decides what."""
        return self.scope == ACT


class Tokens:
    """Makes, reads and ends tokens. `roles` are those of the packs."""

    def __init__(self, programs: Programs, accounts: Accounts, now: Now, roles: Callable[[], Mapping[str, RoleOf]]) -> None:
        self._programs, self._accounts, self._now, self._roles = programs, accounts, now, roles

    def make(self, name: str, title: str, scope: str = READ, days: int = USUAL_DAYS) -> dict[str, Any]:
        """A new token of an account; the answer alone holds it (`token`), so it is shown once. Raises BadInput, NotFound."""
        account, label, now = self._account(name), " ".join(title.split()), self._now()
        if not label or len(label) > 80 or not label.isprintable():
            raise BadInput("A token needs a name of at most 80 characters that says which program uses it.")
        if scope not in SCOPES:
            raise BadInput(f"A token may {READ} or {ACT}, not '{scope[:40]}'.")
        if not 1 <= days <= MOST_DAYS:
            raise BadInput(f"A token lasts 1 to {MOST_DAYS} days.")
        if sum(one.ended_at is None and now < one.expires_at for one in self._programs.tokens(account.id)) >= MOST_OPEN:
            raise BadInput(f"{account.id} has {MOST_OPEN} open tokens; end one that is no longer used.")
        secret = _MARK + secrets.token_urlsafe(32)
        made = Token(secrets.token_hex(8), _digest(secret), account.id, account.role, scope, label, now, now + timedelta(days=days), None, None)
        self._programs.add_token(made)
        return {**self._line(made), "token": secret}

    def who(self, token: str, address: str) -> Caller | None:
        """Who calls, or nobody. After many wrong tokens from an address, the next ones are not even looked up; a right one
        always opens, so that nobody can shut another program out. Raises Resting."""
        now, key = self._now(), f"token:{_digest(address)}"
        caller = self._caller(token, now)
        if caller is None:
            if self._accounts.resting_until((key,), now) is not None:
                raise Resting("Too many tokens from this address were wrong. Wait 15 minutes, then try again with a right one.")
            self._accounts.guessed_wrong({key: GUESSES}, now, REST)
        return caller

    def _caller(self, secret: str, now: datetime) -> Caller | None:
        if len(secret) != _LENGTH or not secret.startswith(_MARK):
            return None
        found = self._programs.token(_digest(secret))
        if found is None:
            return None
        token, account = found
        role = self._roles().get(account.role)
        if token.ended_at is not None or now >= token.expires_at or account.disabled_at is not None or account.role != token.role or role is None:
            return None
        if token.used_at is None or now - token.used_at > SEEN_EVERY:
            self._programs.token_used(token.id, now)
        return Caller(role.person(account.id, account.name), token.id, token.scope, token.expires_at)

    def all(self, name: str | None = None) -> list[dict[str, Any]]:
        """The tokens of an account or of everybody, newest first, each with whether it still opens. Raises NotFound."""
        return [self._line(one) for one in self._programs.tokens(self._account(name).id if name is not None else None)]

    def end(self, token: str, name: str | None = None) -> None:
        """Ends a token; with a name, only one of that account. Raises NotFound, also for somebody else's."""
        if token not in {one.id for one in self._programs.tokens(name)}:
            raise NotFound("There is no such token.")
        self._programs.end_token(token, self._now())

    def _account(self, name: str) -> Account:
        account = self._accounts.account(name.strip().casefold())
        if account is None or account.disabled_at is not None:
            raise NotFound(f"There is no open account '{name[:40]}'.")
        return account

    def _line(self, token: Token) -> dict[str, Any]:
        names = ("id", "account", "role", "scope", "title", "created_at", "expires_at", "used_at", "ended_at")
        made = {name: getattr(token, name) for name in names}
        return {**made, "open": token.ended_at is None and self._now() < token.expires_at}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
