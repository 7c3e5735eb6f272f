"""Passwords are kept as argon2id hashes."""

from __future__ import annotations

from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2:
    """Implements ports.Passwords. At most two at a time: a hash takes 64 MiB, and nobody may fill the memory by guessing."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._two = BoundedSemaphore(2)

    def hash(self, password: str) -> str:
        """The argon2id hash with its salt and costs."""
        with self._two:
            return self._hasher.hash(password)

    def fits(self, secret: str, password: str) -> bool:
        """Whether the hash is of this password."""
        with self._two:
            try:
                return self._hasher.verify(secret, password)
            except (VerificationError, InvalidHashError):
                return False
