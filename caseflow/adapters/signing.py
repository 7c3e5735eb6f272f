"""The agency's key: signs checkpoints of the record with Ed25519. It lies in a file of its own, readable by its owner alone."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key

from caseflow.adapters.plainfile import refuse_pipe
from caseflow.errors import BadInput


class Signer:
    """Signs with the key in a file, which is made at the first signature."""

    def __init__(self, path: Path) -> None:
        self._path = self.path = path
        self._made: Ed25519PrivateKey | None = None

    @property
    def made(self) -> bool:
        """Whether there is a key."""
        return self._path.exists()

    @property
    def public(self) -> str:
        """The public key in hexadecimal: what the agency publishes."""
        return self._key().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, message: bytes) -> str:
        """The signature in hexadecimal. Raises BadInput where the key can't be read or made."""
        return self._key().sign(message).hex()

    def fits(self, key: str, message: bytes, signature: str) -> bool:
        """Whether a signature is of the message by the key; both in hexadecimal."""
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def _key(self) -> Ed25519PrivateKey:
        if self._made is None:
            self._made = self._read() if self._path.exists() else self._make()
        return self._made

    def _read(self) -> Ed25519PrivateKey:
        try:
            mode = self._path.stat().st_mode
            refuse_pipe(self._path)
            found = load_pem_private_key(self._path.read_bytes(), None)
        except (OSError, ValueError, TypeError) as error:
            raise BadInput(f"The signing key {self._path} can't be read ({error}); restore it from its copy, or name another with --signing-key.") from None
        if mode & 0o077:
            raise BadInput(f"The signing key {self._path} can be read by others; run: chmod 600 {self._path}")
        if not isinstance(found, Ed25519PrivateKey):
            raise BadInput(f"The signing key {self._path} is no Ed25519 key; name another with --signing-key.")
        return found

    def _make(self) -> Ed25519PrivateKey:
        made = Ed25519PrivateKey.generate()
        data = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(data)
        except FileExistsError:
            return self._read()  # another process was first
        except OSError as error:
            raise BadInput(f"The signing key {self._path} can't be made ({error.strerror}); name another place with --signing-key.") from None
        return made
