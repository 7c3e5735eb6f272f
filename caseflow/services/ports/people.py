"""The ports of accounts, sessions and passwords, and of who looked at what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from caseflow.services.ports.doings import Doer, Period


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in. `id` is the name to sign in with, never given twice; `secret` the hash of the password, empty
    where there is none; `subject` who it is at the agency's own sign-in, as `issuer subject`, once they have come from there."""

    id: str
    name: str
    role: str
    secret: str
    created_at: datetime
    disabled_at: datetime | None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class AccountChange:
    """What somebody did to an account: `what` is added, role, password, closed, reopened or sign-in; `by` an account or a command."""

    at: datetime
    account: str
    by: str
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in. Of its token only the `digest` is kept; `id` names it in lists. `address`: the network address it began at."""

    id: str
    digest: str
    account: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    agent: str
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Who looked at which case, when, and at what of it."""

    at: datetime
    account: str
    case: str
    what: str


class Accounts(Protocol):
    """Where accounts, sessions and wrong guesses are kept. Each call is a transaction of its own."""

    def account(self, name: str) -> Account | None:
        """The account of a name."""

    def accounts(self) -> Sequence[Account]:
        """Every account, by name."""

    def account_of(self, subject: str) -> Account | None:
        """The account of somebody at the agency's own sign-in."""

    def add(self, account: Account, change: AccountChange) -> None:
        """A new account, with who added it. Raises KeyRefused where the name is taken."""

    def keep(self, account: Account, change: AccountChange, end_sessions: bool = False) -> None:
        """An account as it now is, with who changed it; all at once, its sessions ended where that is asked."""

    def account_changes(self, limit: int = 100, account: str | None = None) -> Sequence[AccountChange]:
        """Who did what to accounts, the newest first."""

    def count_open(self, roles: Sequence[str]) -> int:
        """How many open accounts have one of these roles."""

    def open_session(self, session: Session) -> None:
        """A new session."""

    def session(self, digest: str) -> tuple[Session, Account] | None:
        """The session of a token's digest, with its account."""

    def sessions(self, account: str) -> Sequence[Session]:
        """The sessions of an account, newest first."""

    def seen(self, session: str, at: datetime) -> None:
        """The session was used."""

    def end_session(self, session: str, at: datetime) -> None:
        """The session is over."""

    def resting_until(self, keys: Sequence[str], now: datetime) -> datetime | None:
        """Until when one of these rests after wrong guesses."""

    def guessed_wrong(self, keys: Mapping[str, int], now: datetime, rest: timedelta) -> None:
        """One more wrong guess for each key; one that has reached its number rests."""

    def forget_guesses(self, key: str) -> None:
        """The right password was given."""

    def note_readings(self, readings: Sequence[Reading]) -> None:
        """Keeps who looked at what."""

    def readers(self, period: Period, by: str = "person") -> Sequence[Doer]:
        """Who looked at cases in a period, those who looked most often first; by `case`, which cases they were."""

    def readings_in(self, period: Period, before: int | None = None, limit: int = 100) -> Sequence[tuple[int, Reading]]:
        """Who looked at what in a period, the newest first, each with its row number; `before` continues a list."""

    def readings(self, case: str | None = None, account: str | None = None, before: int | None = None, limit: int = 100) -> Sequence[tuple[int, Reading]]:
        """Who looked at what, the newest first, each with its row number; `before` continues a list."""


class Passwords(Protocol):
    """How a password is kept."""

    def hash(self, password: str) -> str:
        """What is kept of a password."""

    def fits(self, secret: str, password: str) -> bool:
        """Whether it is the password that was kept."""
