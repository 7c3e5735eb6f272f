"""Joins the proof of workflows with packs, samples and what is kept of earlier walks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.packs import proofs
from caseflow.adapters.packs.library import PackLibrary, default_folders
from caseflow.adapters.packs.nodes import read_plain
from caseflow.adapters.plainfile import refuse_no_folder, write_whole
from caseflow.adapters.store.memory import MemoryStore
from caseflow.bootstrap.joining import Keys
from caseflow.domain.facts import nearest
from caseflow.domain.pack import Pack, Workflow
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput
from caseflow.services.office import Office, Progress, quiet

SAMPLES = "samples"


class Proofs:
    """Proves the workflows of a library of packs."""

    def __init__(self, library: PackLibrary, now: Callable[[], datetime]) -> None:
        self.library, self.now = library, now

    @classmethod
    def of(cls, library: PackLibrary, now: Callable[[], datetime], target: str | None) -> Proofs:
        """The proofs of a library, or of the one beside it where the target is the folder of a pack."""
        path = Path(target) if target is not None else None
        if path is not None and (path / "pack.yaml").is_file():
            own = path.parent.parent / "templates" / "letters"
            library = PackLibrary(path.parent, own if own.is_dir() else default_folders()[1])
        return cls(library, now)

    def made(self, target: str | None, readings: Mapping[str, str], anew: bool, progress: Progress, folder: str | None) -> dict[str, Any]:
        """Every workflow that is meant, proved."""
        wanted = self._wanted(target)
        found = []
        for place, (pack, flow) in enumerate(wanted):
            progress(place, len(wanted), f"workflows: {flow.workflow}")
            found.append(self.proof(pack, flow, readings, anew, progress))
        broken = [(one, claim) for one in found for claim in one["claims"] if not claim["holds"]]
        written = [_written(Path(folder), one["workflow"], claim) for one, claim in broken] if folder is not None else []
        return {"proofs": found, "broken": len(broken), "written": written}

    def _wanted(self, target: str | None) -> list[tuple[Pack, Workflow]]:
        packs = self.library.all()
        known = [(pack, flow) for pack in packs for flow in pack.workflows]
        name = Path(target).name if target is not None and (Path(target) / "pack.yaml").is_file() else target
        found = [(pack, flow) for pack, flow in known if name is None or name in (flow.workflow, pack.text.pack, self.library.folder_of(flow.workflow).name)]
        if not found:
            names = sorted({name for pack, flow in known for name in (flow.workflow, pack.text.pack)})
            raise BadInput(f"There is no workflow or pack '{target}'{nearest(str(target), names)}; name one of {', '.join(names)}.")
        return found

    def proof(self, pack: Pack, flow: Workflow, readings: Mapping[str, str] | None = None, anew: bool = False, progress: Progress = quiet) -> dict[str, Any]:
        """One workflow proved; what is kept of an earlier walk, where nothing it was made of has changed."""
        from caseflow.services.proving import prove

        settings = _settings(pack, readings or {})
        samples = self.samples(flow.workflow)
        name = proofs.name_of(pack.hash, f"{flow.workflow} {flow.in_force.from_}", samples, settings)
        kept = None if anew else proofs.recall(name)
        if kept is not None:
            return {**kept, "kept": True}
        office = Office(MemoryStore(), self.library, LetterWriter(self.library.files), NoMail(), self.now, Keys())
        requests = {sample: read_plain(text, f"{SAMPLES}/{flow.workflow}/{sample}.yaml") for sample, text in samples.items()}
        made = prove(office, Rulebook(pack, flow, flow.in_force.from_), requests, progress, settings)
        proofs.keep(name, made)
        return {**made, "kept": False}

    def kept(self, pack: Pack, flow: Workflow) -> dict[str, Any] | None:
        """What is kept of a workflow's proof; nothing where it has not been walked."""
        return proofs.recall(proofs.name_of(pack.hash, f"{flow.workflow} {flow.in_force.from_}", self.samples(flow.workflow), {}))

    def samples(self, workflow: str) -> dict[str, str]:
        """The sample requests of a workflow as texts, by name."""
        folder = self.library.folder_of(workflow) / SAMPLES / workflow
        return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))}


def _settings(pack: Pack, readings: Mapping[str, str]) -> dict[str, Any]:
    """Readings as typed, as values. Raises BadInput."""
    made: dict[str, Any] = {}
    known = pack.text.settings
    for name, value in readings.items():
        if name not in known:
            raise BadInput(f"There is no setting '{name}'{nearest(name, known)}.")
        default = known[name].default
        made[name] = value == "true" if isinstance(default, bool) else int(value) if isinstance(default, int) and value.isdigit() else value
    return made


def _written(folder: Path, workflow: str, claim: Mapping[str, Any]) -> str:
    refuse_no_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{workflow}-{claim['id']}.yaml"
    write_whole(path, claim["file"].encode())
    return str(path)
