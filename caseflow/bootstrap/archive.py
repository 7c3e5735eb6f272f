"""The record that leaves and comes back: export, backup, restore."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from caseflow.bootstrap.integrity import Integrity
from caseflow.bootstrap.joining import actor_of
from caseflow.errors import BadInput, StoreFault
from caseflow.services.doctor import BACKED_UP
from caseflow.services.office import Progress, quiet


class Archive(Integrity):
    """The part of App about what leaves the record and comes back."""

    def _beside(self) -> tuple[Path, dict[str, Path]]:
        """The file of the embedded database, and the folders that belong to it. Raises BadInput."""
        path = self.database.partition("sqlite:///")[2]
        if not path:
            raise BadInput("A database on a server is backed up with its own tools, such as pg_dump; this command is for the embedded one.")
        return Path(path), {"documents": self._documents_folder()}

    def backup(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Writes an archive of the embedded database."""
        from caseflow.adapters.archive import write_archive

        database, folders = self._beside()
        if not database.exists():
            raise BadInput(f"There is no database {database} to back up; name it with --database.")
        made = write_archive(Path(file), database, folders, self.now(), progress)
        with suppress(StoreFault):  # a database that may only be read keeps no note of it
            if self.store.exists():
                self.store.health.note(BACKED_UP, self.now().isoformat(timespec="seconds"))
        return made

    def restore(self, file: str, progress: Progress = quiet) -> dict[str, Any]:
        """Puts an archive in the place of the embedded database, migrates it, and lets nothing leave it."""
        from caseflow.adapters.archive import read_archive
        from caseflow.services.restoring import rest

        database, folders = self._beside()
        made = read_archive(Path(file), database, folders, progress)
        self.open()
        rest(self.office, self.now())
        return made

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
        from caseflow.services.ports import DocketFilter

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
