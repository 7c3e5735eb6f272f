"""A wire between the program and its database that can be cut at a chosen moment: after so many bytes, or between COMMIT and its answer."""

from __future__ import annotations

import select
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


class Relay:
    """Stands in a folder of its own where the server's socket would be. `cut` is asked with what the program sends, before it is passed on;
    `stall` may take its time first."""

    def __init__(self, server: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="caseflow-relay-")
        self.folder = Path(self._folder.name)
        self._server = str(server / ".s.PGSQL.5432")
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(self.folder / ".s.PGSQL.5432"))
        self._door.listen(64)
        self.cut: Callable[[bytes], bool] = lambda sent: False
        self.stall: Callable[[bytes], object] = lambda sent: None
        self.cuts = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def address(self, address: str) -> str:
        """The same database, by this wire."""
        return f"{address.partition('?host=')[0]}?host={self.folder}"

    def close(self) -> None:
        """Takes the wire away."""
        self._door.close()
        self._folder.cleanup()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.socket(socket.AF_UNIX)
                try:
                    far.connect(self._server)
                except OSError:
                    near.close()
                    continue
                threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        """Passes on what either end says, until one has gone or the wire is cut: then the program hears nothing more, and the server
        has what was sent all the same."""
        with near, far, suppress(OSError):
            while True:
                for end in select.select((near, far), (), ())[0]:
                    said = end.recv(65536)
                    if end is near and said:
                        self.stall(said)
                    if end is near and said and self.cut(said):
                        self.cuts += 1
                        near.close()
                        far.sendall(said)
                        far.shutdown(socket.SHUT_WR)
                        while far.recv(65536):
                            pass
                        return
                    if not said:
                        return
                    (far if end is near else near).sendall(said)


def before_commit(sent: bytes) -> bool:
    """The message by which psycopg ends a transaction."""
    return b"COMMIT" in sent
