"""Whether the record holds, as the doors ask it: verify, checkpoints, doctor."""

from __future__ import annotations

import logging
from functools import cached_property
from pathlib import Path
from typing import Any

from caseflow.bootstrap.mail import Mail
from caseflow.errors import BadInput, CaseflowError, NotFound, StoreFault
from caseflow.services.office import Progress, quiet

log = logging.getLogger("caseflow.checkpoints")


class Integrity(Mail):
    """The part of App about whether the record holds."""

    def verify(
        self, case: str | None, progress: Progress = quiet, chain: bool = False, checkpoint: str | None = None, key: str | None = None
    ) -> dict[str, Any]:
        """Every fault of the record; with the file of a checkpoint also what has changed since it was signed."""
        from caseflow.services.verifying import verify

        self.open(writes=False)
        disposal = self.retention.disposal
        stub = disposal.stub(case) if case is not None else None
        made: dict[str, Any] = {"cases": 0, "entries": 0, "faults": [], "chain": None, "replay": None}
        against = self._against(checkpoint, case, key, progress)
        if stub is None:
            made = verify(self.office, self.store.record, case, progress, self.documents.faults, self._spread(), chain)
        stubs, faults = disposal.faults(case)
        told = [{"case": one.case, "seq": one.seq, "text": one.text} for one in (*faults, *(against.faults if against is not None else ()))]
        made["faults"] += [one for one in told if one not in made["faults"]]
        shown = against.plain() if against is not None else None
        return {**made, "stubs": stubs if case is None else int(stub is not None), "checkpoint": shown}

    def _against(self, file: str | None, case: str | None, key: str | None, progress: Progress) -> Any:
        """The record against a checkpoint that was kept in a file, where one is given."""
        if file is None:
            return None
        if case is not None:
            raise BadInput("A checkpoint is over all cases; leave the case out, or --checkpoint.")
        from caseflow.adapters.checkpoints import opened
        from caseflow.services.checkpointing import check_key

        with opened(Path(file)) as (begins, lines):
            return self.checkpoints.compare(begins, lines, check_key(key), progress)

    def _spread(self) -> Any:
        """How stretches of the record are read: by several processes where there is a database to open."""
        if self._store is not None:
            return None
        from caseflow.adapters.store.pooled import Pool

        return Pool(self.database, self.store.record)

    @cached_property
    def signer(self) -> Any:
        """The agency's signing key: the file given, else beside the embedded database."""
        from caseflow.adapters.signing import Signer

        path = self.database.partition("sqlite:///")[2]
        return Signer(Path(self._signing_key or (f"{path}.signing-key" if path else "caseflow.signing-key")))

    @cached_property
    def checkpoints(self) -> Any:
        """Signed checkpoints over all cases."""
        from caseflow.services.checkpointing import Checkpoints

        return Checkpoints(self.store, self.store.record, self.store.checkpoints, self.signer)

    def make_checkpoint(self, file: str | None, progress: Progress = quiet) -> dict[str, Any]:
        """Signs how far every chain goes, keeps it, and writes it to a file."""
        from caseflow.adapters.checkpoints import write
        from caseflow.services.checkpointing import plain

        self.open()
        if file is not None and Path(file).exists():
            raise BadInput(f"The file {file} exists; name a new one, so that no older checkpoint is lost.")
        made = self.checkpoints.make(self.now(), progress)
        if file is not None:
            write(Path(file), made, self.checkpoints.heads(made))
        return {**plain(made), "file": file}

    def list_checkpoints(self) -> list[dict[str, Any]]:
        self.open(writes=False)
        found: list[dict[str, Any]] = self.checkpoints.all()
        return found

    def show_checkpoint(self, number: int | None, file: str | None) -> dict[str, Any]:
        """A checkpoint that the database keeps, as a text to send; written to a file with its heads where one is named."""
        from caseflow.adapters.checkpoints import mail_text, write
        from caseflow.services.checkpointing import plain

        self.open(writes=False)
        found = self.checkpoints.find(number)
        if file is not None:
            write(Path(file), found, self.checkpoints.heads(found))
        return {**plain(found), "text": mail_text(found), "file": file}

    def daily_checkpoint(self, progress: Progress = quiet) -> str:
        """The daily work: a checkpoint where there is a key, written to the folder that the settings name; what became of it."""
        from caseflow.adapters.checkpoints import name_of, write

        if not self.checkpoints.signs:
            return "no checkpoint, since there is no signing key"
        try:
            made = self.checkpoints.make(self.now(), progress)
            if self._checkpoints_folder is not None:
                folder = Path(self._checkpoints_folder)
                write(folder / name_of(made), made, self.checkpoints.heads(made))
        except CaseflowError as fault:
            log.error("checkpoint failed: %s", fault)
            return f"checkpoint failed: {fault}"
        log.info("%s", made.line)
        return f"checkpoint {made.number}"

    def run_scheduler(self) -> None:
        """Sweeps, sends and does the daily work until it is told to stop."""
        from caseflow.adapters.scheduler import Clerk

        self.open()
        self.for_long_work()
        Clerk(self.office, also=(self.daily_checkpoint,), limit=self.clock_limit()).run()

    def doctor(self, progress: Progress = quiet) -> dict[str, Any]:
        """What is wrong with this installation, and what to do. Asks a database that may only be read as well."""
        from caseflow.services.doctor import examine

        return examine(self.patient, progress)

    def _kept_whole(self, version: str) -> None:
        """Raises NotFound or StoreFault where the database does not keep a pack as it was."""
        from caseflow.adapters.packs.content import content_hash

        files = self.store.pack_files(version)
        if files is None:
            raise NotFound("not kept in the database")
        if content_hash(files) != version:
            raise StoreFault("changed since it was kept")

    @property
    def patient(self) -> Any:
        """What the doctor looks at."""
        from caseflow.adapters.surroundings import Surroundings
        from caseflow.services.doctor import Patient

        file = self.database.partition("sqlite:///")[2]
        secrets = {"the database": Path(file), "the journal of the database": Path(f"{file}-wal")} if file else {}
        return Patient(
            office=self.office,
            versions=self.store.versions,
            health=self.store.health,
            place=Surroundings(Path(file).absolute().parent if file else None, {**secrets, "the signing key": self.signer.path}),
            vault=self.documents.vault,
            reader=self.store.record,
            checkpoints=self.checkpoints,
            whole=self._kept_whole,
            embedded=bool(file),
        )
