"""The agency's own sign-in by OpenID Connect: authorization code with PKCE, keys by discovery, every claim of the token checked.

Signatures are checked by joserfc, only with the public-key algorithms listed here: a token that names none, or a shared secret, is
refused whatever the other side says. What the other side answers is bounded in size and time and never shown to a person.
"""

from __future__ import annotations

import json
import logging
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from threading import Lock
from typing import Any
from urllib.error import URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from caseflow.errors import BadInput
from caseflow.services.elsewhere import Begun, Identity
from caseflow.services.people import NotSignedIn

log = logging.getLogger("caseflow.oidc")
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
LARGEST, TIMEOUT, LEEWAY = 200_000, 10, 60
KNOWN_FOR, AGAIN_AFTER = 3600, 30
"""Seconds for which what was discovered holds, and after which keys are asked for anew when one is not known."""
AWAY = "The agency’s sign-in does not answer; try again in a few minutes."
UNPROVEN = "The agency’s sign-in could not prove who you are; begin again, and tell who manages it if that happens twice."


class _Stay(HTTPRedirectHandler):
    """Whoever sends the program elsewhere is not followed."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Oidc:
    """Implements elsewhere.Provider."""

    def __init__(
        self, issuer: str, client: str, secret: str | None, scopes: str = "openid profile", name_claim: str = "preferred_username", group_claim: str = ""
    ) -> None:
        _fit(issuer, "oidc_issuer")
        self.issuer = issuer
        self._client, self._secret, self._scopes, self._name, self._groups = client, secret, scopes, name_claim, group_claim
        self._lock = Lock()
        self._found: tuple[float, Mapping[str, Any]] | None = None
        self._keys: tuple[float, KeySet] | None = None
        self._open = build_opener(_Stay()).open

    def address(self, begun: Begun, callback: str) -> str:
        """Where the browser is sent."""
        challenge = urlsafe_b64encode(sha256(begun.verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": self._client,
            "redirect_uri": callback,
            "scope": self._scopes,
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        start = self._discovered()["authorization_endpoint"]
        return f"{start}{'&' if '?' in start else '?'}{urlencode(asked)}"

    def identity(self, begun: Begun, code: str, callback: str) -> Identity:
        """Who has come: the code is exchanged here, from program to program, and the token checked."""
        sent = {"grant_type": "authorization_code", "code": code, "redirect_uri": callback, "code_verifier": begun.verifier, "client_id": self._client}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self._secret:
            pair = f"{quote(self._client, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        answer = self._asked(self._discovered()["token_endpoint"], urlencode(sent).encode(), headers)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise self._unproven("no token")
        claims = self._claims(token, begun.nonce)
        groups = claims.get(self._groups, ()) if self._groups else ()
        name = claims.get(self._name)
        if not isinstance(name, str):
            raise self._unproven(f"no claim {self._name}")
        found = (groups,) if isinstance(groups, str) else tuple(one for one in groups if isinstance(one, str)) if isinstance(groups, (list, tuple)) else ()
        return Identity(f"{self.issuer} {claims['sub']}", name, str(claims.get("name") or name), found)

    def leave(self, back: str) -> str | None:
        """Where a person signs out there, too."""
        try:
            end = self._discovered().get("end_session_endpoint")
        except NotSignedIn:
            return None
        if not isinstance(end, str) or not _fine(end):
            return None
        return f"{end}{'&' if '?' in end else '?'}{urlencode({'client_id': self._client, 'post_logout_redirect_uri': back})}"

    def _claims(self, token: str, nonce: str) -> dict[str, Any]:
        rules = jwt.JWTClaimsRegistry(
            leeway=LEEWAY,
            iss={"essential": True, "value": self.issuer},
            sub={"essential": True},
            aud={"essential": True, "value": self._client},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            claims = self._decoded(token)
            rules.validate(claims)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as fault:
            raise self._unproven(type(fault).__name__) from None
        others = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
        if (len(others) > 1 or "azp" in claims) and claims.get("azp") != self._client:
            raise self._unproven("meant for another")
        if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
            raise self._unproven("no subject")
        return claims

    def _decoded(self, token: str) -> dict[str, Any]:
        try:
            return dict(jwt.decode(token, self._keyset(), algorithms=ALGORITHMS).claims)
        except (JoseError, ValueError):
            # The other side may have changed its keys; they are asked for once more, but not for every wrong token.
            if self._keys is not None and time.monotonic() - self._keys[0] < AGAIN_AFTER:
                raise
            self._keys = None
            return dict(jwt.decode(token, self._keyset(), algorithms=ALGORITHMS).claims)

    def _keyset(self) -> KeySet:
        with self._lock:
            if self._keys is None or time.monotonic() - self._keys[0] > KNOWN_FOR:
                found = self._asked(self._discovered()["jwks_uri"])
                self._keys = time.monotonic(), KeySet.import_key_set(found)  # type: ignore[arg-type]
            return self._keys[1]

    def _discovered(self) -> Mapping[str, Any]:
        if self._found is not None and time.monotonic() - self._found[0] < KNOWN_FOR:
            return self._found[1]
        found = self._asked(f"{self.issuer.rstrip('/')}/.well-known/openid-configuration")
        if found.get("issuer") != self.issuer:
            raise self._unproven("another issuer")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not isinstance(found.get(name), str) or not _fine(found[name]):
                raise self._unproven(f"no {name}")
        self._found = time.monotonic(), found
        return found

    def _asked(self, address: str, sent: bytes | None = None, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        # Only addresses that `_fine` has let through come here: https, or this very machine.
        request = Request(address, sent, {"Accept": "application/json", **(headers or {})})  # noqa: S310
        try:
            with self._open(request, timeout=TIMEOUT) as answer:
                body = answer.read(LARGEST + 1)
        except (URLError, OSError, ValueError) as fault:
            log.warning("the agency's sign-in: %s %s", type(fault).__name__, getattr(fault, "code", ""))
            raise NotSignedIn(UNPROVEN if 400 <= int(getattr(fault, "code", 0) or 0) < 500 else AWAY) from None
        try:
            found = json.loads(body) if len(body) <= LARGEST else None
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._unproven("no answer that can be read")
        return found

    def _unproven(self, why: str) -> NotSignedIn:
        """The log says what kind of fault it was; the person does not learn it, and no value is written anywhere."""
        log.warning("the agency's sign-in is not believed: %s", why)
        return NotSignedIn(UNPROVEN)


def _fine(address: str) -> bool:
    """Whether an address may be spoken to: over TLS, or on this very machine."""
    parts = urlsplit(address)
    return (parts.scheme == "https" and bool(parts.hostname)) or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost"))


def _fit(address: str, name: str) -> None:
    if not _fine(address) or "?" in address or "#" in address:
        raise BadInput(f"{name} is '{address}'; write the issuer's address as it is given there, such as https://login.example.gov.")
