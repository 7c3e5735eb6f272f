"""The record that leaves and comes back: export, backup, restore."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from caseflow.bootstrap.integrity import Integrity
from caseflow.bootstrap.joining import actor_of
from caseflow.errors import BadInput, StoreFault
from caseflow.services.office import Progress, quiet


class Archive(Integrity):
    """The part of App about what leaves the record and comes back."""

    @property
    def _file(self) -> Path | None:
        """The file of the embedded database; None where the database is on a server."""
        path = self.database.partition("sqlite:///")[2]
        return Path(path) if path else None

    def backup(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Writes an archive of the database: the embedded one as it is, one on a server as an embedded one that holds the same."""
        from caseflow.adapters.archive import write_archive
        from caseflow.services.doctor import BACKED_UP

        folders = {"documents": self._documents_folder()}
        if self._file is not None:
            if not self._file.exists():
                raise BadInput(f"There is no database {self._file} to back up; name it with --database.")
            made = write_archive(Path(file), self._file, folders, self.now(), progress)
        else:
            made = self._server_backup(file, folders, progress)
        with suppress(StoreFault):  # a database that may only be read keeps no note of it
            if self.store.exists():
                self.store.health.note(BACKED_UP, self.now().isoformat(timespec="seconds"))
        return made

    def _server_backup(self, file: str, folders: Mapping[str, Path], progress: Progress) -> dict[str, Any]:
        from caseflow.adapters.archive import write_archive

        self.open(writes=False)
        if Path(file).exists():  # said before the work
            raise BadInput(f"The file {file} exists; name a new one, so that no older backup is lost.")
        with TemporaryDirectory(prefix="caseflow-backup-") as folder:
            copied = Path(folder) / "caseflow.db"
            self._carried(self.store, f"sqlite:///{copied}", progress)
            return write_archive(Path(file), copied, folders, self.now(), progress)

    def restore(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Puts an archive in the place of the database, migrates it, and lets nothing leave it. On a server that needs the owner's address."""
        from caseflow.adapters.archive import read_archive
        from caseflow.services.restoring import rest

        folders = {"documents": self._documents_folder()}
        if self._file is not None:
            made = read_archive(Path(file), self._file, folders, progress)
            self.open()
        else:
            from caseflow.adapters.store.sql import SqlStore

            with TemporaryDirectory(prefix="caseflow-restore-") as folder:
                copied = Path(folder) / "caseflow.db"
                made = read_archive(Path(file), copied, folders, progress)
                source = SqlStore(f"sqlite:///{copied}")
                source.upgrade()
                self._carried(source, self.database, progress)
                source.close()
            made = {**made, "database": self.store.where}
        rest(self.office, self.now())
        return made

    def _carried(self, source: Any, to: str, progress: Progress) -> list[dict[str, Any]]:
        """Every row into another database, which is set up for it."""
        from caseflow.adapters.store.relocating import relocate
        from caseflow.adapters.store.sql import SqlStore

        target = SqlStore(to)
        target.upgrade()
        try:
            return relocate(source, target, progress)
        finally:
            target.close()

    def move(self, to: str, progress: Progress = quiet) -> dict[str, Any]:
        """Carries the embedded database over to a server, and puts it to rest. Repeating it goes on where it stopped."""
        from caseflow.adapters.store.relocating import put_to_rest
        from caseflow.adapters.store.sql import SERVER, SqlStore

        if self._file is None or not to.startswith(SERVER):
            raise BadInput(f"An embedded database is moved to a server: name its file with --database, and --to {SERVER}USER@HOST/DATABASE.")
        self.open(writes=False)
        where = SqlStore(to).where
        put_to_rest(self.store, where)
        made = self._carried(self.store, to, progress)
        key = self.signer.path
        return {
            "from": self.store.where,
            "to": where,
            "tables": made,
            "rows": sum(one["rows"] for one in made),
            "documents": str(self._documents_folder()),
            "signing_key": str(key),
        }

    def stay(self) -> dict[str, Any]:
        """Gives a move up: the embedded database is written again."""
        from caseflow.adapters.store.relocating import wake

        if self._file is None:
            raise BadInput("Only an embedded database is moved; name its file with --database.")
        self.open(writes=False)
        return {"database": self.store.where, "rested": wake(self.store)}

    def resume(self, try_only: bool) -> dict[str, Any]:
        """Lets mail leave a restored database again."""
        from caseflow.services.restoring import resume

        self.open()
        return resume(self.office, try_only, self.now())

    @cached_property
    def releasing(self) -> Any:
        """Records handed out from the site and brought back to it."""
        from caseflow.adapters.bundle.packed import checked, zipped
        from caseflow.adapters.bundle.write import bundle_files
        from caseflow.services.exporting import Record
        from caseflow.services.releasing import Releasing

        def pack(made: Record) -> bytes:
            return zipped(bundle_files(made, self.office.letters, self.signer), f"record-{made.case.number}", made.made_at)

        return Releasing(self.office, self.documents.content, pack, checked, lambda case: self.verify(case), lambda: self.signer.public)

    def export(self, case: str, folder: str, withhold: Mapping[str, str]) -> dict[str, Any]:
        """Writes the record of a case as a folder that others can check: CONTRACT section 1, `export`."""
        from caseflow.adapters.bundle.write import write_bundle
        from caseflow.services.exporting import record

        self.open(writes=False)
        return write_bundle(Path(folder), record(self.office, case, withhold, self.documents.content, self.now()), self.office.letters, self.signer)

    def export_docket(self, file: str, wanted: Mapping[str, Any], progress: Progress = quiet) -> dict[str, Any]:
        """Writes the docket, or what a filter leaves of it, as a file that `take_in` reads."""
        from caseflow.adapters.docketfile.files import write_docket
        from caseflow.services.carrying import docket
        from caseflow.services.ports.docket import DocketFilter

        self.open(writes=False)
        return write_docket(Path(file), docket(self.office, DocketFilter(**wanted), self.now(), progress))

    def take_in(self, file: str, actor: str | None, try_only: bool, progress: Progress = quiet) -> dict[str, Any]:
        """Takes in a docket, or the files of an older system: CONTRACT section 1, `import`."""
        from caseflow.adapters.docketfile.files import DocketFile
        from caseflow.services.importing import Asked, take_in

        source = DocketFile(Path(file))
        self.open(writes=not try_only)
        self.for_long_work()
        made = take_in(self.office, source, Asked(actor_of(actor or "import:staff"), self.now(), try_only), progress)
        return {"file": file, **made}
