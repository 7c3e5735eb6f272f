"""An agency's own sign-in on this machine: it discovers, signs with a throw-away key, checks PKCE, and can be told to lie."""

from __future__ import annotations

import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

CLIENT, SECRET = "caseflow", "a secret between programs"


@dataclass
class Provider:
    """What it says of the person who comes next: `claims` on top of the honest ones; `key`, `alg` and more are its lies."""

    claims: dict[str, Any] = field(default_factory=dict)
    alg: str = "RS256"
    key: Any = None
    document: dict[str, Any] = field(default_factory=dict)
    answer: tuple[int, bytes] | None = None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    issuer: str = ""

    def __post_init__(self) -> None:
        self.own = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})
        self.published = [self.own]
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def lets_in(self, address: str) -> dict[str, str]:
        """A person signs in at the address that their browser was sent to; what the browser brings back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert address.startswith(f"{self.issuer}/authorize?") and asked["response_type"] == "code" and asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(12)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def token(self, sent: dict[str, str], authorization: str) -> tuple[int, bytes]:
        """The answer to a code: once, to the right program, to whoever holds the verifier."""
        begun = self.codes.pop(sent.get("code", ""), None)
        challenge = urlsafe_b64encode(sha256(sent.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
        right = authorization == "" or b64decode(authorization.removeprefix("Basic ")).decode() == f"{CLIENT}:{SECRET.replace(' ', '%20')}"
        if begun is None or begun["code_challenge"] != challenge or begun["redirect_uri"] != sent.get("redirect_uri") or not right:
            return 400, b'{"error": "invalid_grant"}'
        now = int(time.time())
        honest = {"iss": self.issuer, "aud": CLIENT, "sub": "u-1", "iat": now, "exp": now + 300, "nonce": begun["nonce"], "preferred_username": "wren"}
        claims = {name: value for name, value in {**honest, **self.claims}.items() if value is not None}
        return 200, json.dumps({"access_token": "x", "token_type": "Bearer", "id_token": self.signed(claims)}).encode()

    def signed(self, claims: dict[str, Any]) -> str:
        if self.alg == "none":
            parts = (urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in ({"alg": "none", "kid": "first"}, claims))
            return ".".join(parts) + "."
        key = self.key or self.own
        if self.alg.startswith("HS"):
            # The public key as a shared secret: whoever trusts the token's own word on its algorithm believes this.
            key = OctKey.import_key(self.own.as_pem(private=False))
        return jwt.encode({"alg": self.alg, "kid": "first"}, claims, key, algorithms=[self.alg])

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                provider.asked.append(self.path)
                if self.path.startswith("/.well-known"):
                    at = provider.issuer
                    made = {"issuer": at, "authorization_endpoint": f"{at}/authorize", "token_endpoint": f"{at}/token", "jwks_uri": f"{at}/keys"}
                    self._say(200, json.dumps({**made, "end_session_endpoint": f"{at}/leave", **provider.document}).encode())
                else:
                    self._say(200, json.dumps(KeySet(provider.published).as_dict(private=False)).encode())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                sent = {name: values[0] for name, values in parse_qs(body).items()}
                self._say(*(provider.answer or provider.token(sent, self.headers.get("authorization", ""))))

            def _say(self, status: int, body: bytes) -> None:
                self.send_response(status)
                if status == 302:
                    self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        return Handler
