"""Signing in at the agency's own sign-in (OpenID Connect): who comes from there, and which account and role they get here.

How the other side is spoken to is the adapter's business (adapters/oidc.py). Here: a person is known by issuer and subject; an
account is made only where the setting says so; and roles come from a claim by a mapping, or stay those of the account.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Protocol

from caseflow.errors import BadInput
from caseflow.services.people import NotSignedIn, People
from caseflow.services.ports import Now

WITHIN = timedelta(minutes=10)
"""So long a person may take at the other sign-in."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the other sign-in says has come. `subject`: issuer and subject. `groups`: the values of the claim that roles come from."""

    subject: str
    name: str
    title: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """A sign-in on its way: what must come back with it. It travels in a signed cookie of the browser that began."""

    state: str
    nonce: str
    verifier: str
    back: str
    at: float


class Provider(Protocol):
    """The other sign-in."""

    issuer: str

    def address(self, begun: Begun, callback: str) -> str:
        """Where the browser is sent. Raises NotSignedIn where the other side does not answer."""

    def identity(self, begun: Begun, code: str, callback: str) -> Identity:
        """Who has come, proven. Raises NotSignedIn."""

    def leave(self, back: str) -> str | None:
        """Where a person signs out there, too."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the settings say. `roles`: (value of the claim, role), the first that fits counts; `create`: whether an account is made."""

    roles: tuple[tuple[str, str], ...] = ()
    create: bool = False


def mapping_of(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The claim and its mapping from a setting such as `groups: case-staff=staff, chiefs=supervisor`. Raises BadInput."""
    claim, colon, rest = text.partition(":")
    pairs = [tuple(part.strip() for part in pair.partition("=")[::2]) for pair in rest.split(",")]
    if not colon or not claim.strip() or not all(value and role for value, role in pairs):
        raise BadInput(f"oidc_roles is '{text}'; write a claim and what its values give, such as groups: case-staff=staff, chiefs=supervisor.")
    return claim.strip(), tuple((value, role) for value, role in pairs)


class Elsewhere:
    """Begins and finishes such a sign-in. `key` signs the cookie in which it travels."""

    def __init__(self, provider: Provider, rules: Rules, people: People, key: Callable[[], str], now: Now) -> None:
        self._provider, self._rules, self._people, self._key, self._now = provider, rules, people, key, now

    def begin(self, callback: str, back: str) -> tuple[str, str]:
        """Where the browser goes, and the cookie it is to bring back. Raises NotSignedIn."""
        made = (secrets.token_urlsafe(24) for _ in range(2))
        begun = Begun(next(made), next(made), secrets.token_urlsafe(48), back, self._now().timestamp())
        body = urlsafe_b64encode(json.dumps(asdict(begun)).encode()).decode()
        return self._provider.address(begun, callback), f"{body}.{self._seal(body)}"

    def finish(self, cookie: str | None, state: str, code: str, issuer: str | None, callback: str, address: str, agent: str) -> tuple[str, str]:
        """The token of a new session, and where the person wanted to go. Raises NotSignedIn: nothing was opened."""
        begun = self._opened(cookie)
        if begun is None or not hmac.compare_digest(begun.state.encode(), state.encode()):
            raise NotSignedIn("That sign-in was not begun in this browser, or too long ago; begin again.")
        if issuer is not None and issuer != self._provider.issuer:
            raise NotSignedIn("That answer came from another sign-in than the one that was asked; begin again.")
        if not code:
            raise NotSignedIn("The agency’s sign-in did not let you through; begin again, or ask who manages it.")
        who = self._provider.identity(begun, code, callback)
        return self._people.come_from(who.subject, who.name, who.title, self._role(who.groups), self._rules.create, address, agent), begun.back

    def leave(self, back: str) -> str | None:
        """Where a person signs out at the other side, too."""
        return self._provider.leave(back)

    def _role(self, groups: tuple[str, ...]) -> str | None:
        """The role by the claim; None where no mapping is set. Raises NotSignedIn."""
        if not self._rules.roles:
            return None
        found = next((role for value, role in self._rules.roles if value in groups), None)
        if found is None:
            raise NotSignedIn("The agency’s sign-in knows you, but gives you no role here; ask who manages accounts.")
        return found

    def _seal(self, body: str) -> str:
        return hmac.new(self._key().encode(), f"begun {body}".encode(), sha256).hexdigest()

    def _opened(self, cookie: str | None) -> Begun | None:
        body, _, seal = (cookie or "")[:4000].rpartition(".")
        if not body or not hmac.compare_digest(self._seal(body).encode(), seal.encode()):
            return None
        begun = Begun(**json.loads(urlsafe_b64decode(body)))
        return begun if 0 <= self._now().timestamp() - begun.at <= WITHIN.total_seconds() else None
