"""The port of programs: the tokens by which they sign in, and the answers to repeated calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from caseflow.services.ports.people import Account
    from caseflow.services.sight import Sight


@dataclass(frozen=True, slots=True)
class Token:
    """What a program signs in with, for a person and in that person's role. Of the token itself only the `digest` is kept.

    `scope` is read, or act, which includes it; `used_at` is right to a minute.
    """

    id: str
    digest: str
    account: str
    role: str
    scope: str
    title: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call of a program was answered. `key` and `request` are digests; without `status` the first call is at work."""

    key: str
    request: str
    at: datetime
    status: int | None = None
    headers: str | None = None
    body: bytes | None = None


class Programs(Protocol):
    """Where tokens and the answers to repeated calls are kept. Each call is a transaction of its own."""

    def add_token(self, token: Token) -> None:
        """A new token."""

    def token(self, digest: str) -> tuple[Token, Account] | None:
        """The token of a digest, with its account."""

    def tokens(self, account: str | None = None) -> Sequence[Token]:
        """The tokens of an account or of everybody, newest first."""

    def token_used(self, token: str, at: datetime) -> None:
        """The token was used."""

    def end_token(self, token: str, at: datetime) -> None:
        """The token opens nothing any more."""

    def claim(self, answer: Answer, forgotten: datetime, given_up: datetime) -> Answer | None:
        """Begins a call under a key: None where it is the first, else what stands there. Answers older than `forgotten`
        are dropped; a call that has been at work since before `given_up` is taken over."""

    def answered(self, answer: Answer) -> None:
        """Keeps what a call was answered."""

    def letters(self, seen: Sight, case: str | None, status: str | None, after: str | None, limit: int) -> Sequence[str]:
        """The numbers of letters whose cases are seen, in order, after a key."""

    def unclaim(self, key: str) -> None:
        """The call did nothing; its key is free again."""
