"""Where a trial stands: a folder that is copied and, on PostgreSQL, a database that is copied with it.

The server is one for all rows that copy a scene: started by the first of them, and stopped at the end of the run.
"""

from __future__ import annotations

import shutil
from functools import cached_property
from pathlib import Path

from caseflow.adapters.store.grants import APP
from tests.faults.matrix.picture import ADDRESS
from tests.server import Server


class Shared:
    """The server that rows share, and the database on it that was set up once."""

    @cached_property
    def server(self) -> Server:
        """Started when first asked for."""
        return Server()

    @cached_property
    def empty(self) -> str:
        """Set up as operators do it, with nothing in it."""
        return self.server.with_roles()

    def end(self) -> None:
        """Stops it, where it was started."""
        if "server" in self.__dict__:
            self.server.end()


SHARED = Shared()


class Rooms:
    """Folders in `home`, each a copy of the first; on a server each with a database of its own, for a role."""

    def __init__(self, home: Path, on_server: bool, role: str = APP) -> None:
        self._home, self._role = home, role
        self._server = SHARED.server if on_server else None
        self._databases: dict[str, str] = {}

    def first(self) -> Path:
        """The folder in which a scene is prepared."""
        folder = self._home / "new"
        folder.mkdir()
        self._database(folder, SHARED.empty if self._server is not None else "")
        return folder

    def copy(self, name: str) -> Path:
        """A folder like it; one of the same name goes."""
        folder = self._home / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._home / "new", folder)
        self._database(folder, self._databases.get("new", ""))
        return folder

    def close(self) -> None:
        """Gives the databases back; the folder is its maker's."""
        for url in self._databases.values():
            if self._server is not None:
                self._server.drop(url)

    def _database(self, folder: Path, like: str) -> None:
        if self._server is None:
            return
        if folder.name in self._databases:
            self._server.drop(self._databases[folder.name])
        url = self._databases[folder.name] = self._server.copy(like)
        folder.joinpath(ADDRESS).write_text(self._server.address(self._server.name_of(url), self._role))
