"""Where packs come from: folders of files, and the packs that the database keeps for cases filed under them."""

from __future__ import annotations

import sys
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from caseflow.adapters.packs import cache
from caseflow.adapters.packs.content import content_hash
from caseflow.adapters.plainfile import refuse_pipe
from caseflow.domain.case import Case
from caseflow.domain.facts import nearest
from caseflow.domain.moving import Adoption, in_force
from caseflow.domain.pack import CalendarText, Pack
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, Fault, NotFound, PackFaults, StoreFault
from caseflow.services.remembering import Remembered

Kept = Callable[[str], Mapping[str, str] | None]
"""The files of a pack version that the database keeps."""
KeptCalendar = Callable[[str], str | None]
"""The text of a changed calendar that the database keeps, by its SHA-256."""
Adoptions = Callable[[], Sequence[Adoption]]
"""The adoptions of changed calendars."""


A_MINUTE = 60.0
MAX_PICTURE = 4 * 1024 * 1024
_CHECKED = Remembered(cache.KEPT)
"""Packs that passed the checks, by content hash: what several libraries of one process share."""
PICTURES_AND_FONTS = (".png", ".jpg", ".jpeg", ".ttf", ".otf")
"""What a pack's letters may use besides text; it stands in the pack's files in base64, so that a version is whole."""


def default_folders() -> tuple[Path, Path]:
    """The folders of packs and letter templates: beside the package in a checkout, inside it or under share/ when installed."""
    package = Path(__file__).resolve().parents[2]
    for base in (package / "_data", package.parent, Path(sys.prefix) / "share" / "caseflow"):
        if (base / "workflows").is_dir():
            return base / "workflows", base / "templates" / "letters"
    return package.parent / "workflows", package.parent / "templates" / "letters"


def pack_files(folder: Path, templates: Path) -> dict[str, str]:
    """The files of one pack, with its samples, its letter templates and the shared ones; without its scenarios. Raises BadInput."""
    if not folder.is_dir():
        raise BadInput(f"There is no folder {folder}; name the folder of a pack, which holds pack.yaml.")
    files: dict[str, str] = {}
    try:
        within = (found for part in folder.iterdir() if part.name != "scenarios" for found in (part.rglob("*.yaml") if part.is_dir() else (part,)))
        for path in sorted(one for one in within if one.suffix == ".yaml"):
            refuse_pipe(path)
            files[path.relative_to(folder).as_posix()] = path.read_text(encoding="utf-8")
        own = folder.name if (templates / folder.name).is_dir() else _called(files.get("pack.yaml", "")) or folder.name
        for name in (own, "shared"):
            for path in sorted((templates / name).glob("*")):
                text = _template(path)
                if text is not None:
                    files[f"templates/{path.name if name == own else f'shared/{path.name}'}"] = text
    except UnicodeDecodeError as error:
        raise BadInput(f"A file of {folder} is not UTF-8 text ({error.reason}); save it as UTF-8.") from None
    except OSError as error:
        raise BadInput(f"A file of {folder} can't be read ({error.strerror}).") from None
    return files


def _called(text: str) -> str | None:
    """The name that a pack gives itself: a copy of it under another folder's name has the letters of that name."""
    return next((line.partition(":")[2].strip().strip("\"'") for line in text.splitlines() if line.startswith("pack:")), None)


def _template(path: Path) -> str | None:
    """A file of letters as text: templates and pages as they are, pictures and fonts in base64. Raises BadInput."""
    if path.suffix in (".md", ".typ", *PICTURES_AND_FONTS):
        refuse_pipe(path)
    if path.suffix in (".md", ".typ"):
        return path.read_text(encoding="utf-8")
    if path.suffix not in PICTURES_AND_FONTS:
        return None
    if path.stat().st_size > MAX_PICTURE:
        raise BadInput(f"The file {path} is larger than {MAX_PICTURE // 1024 // 1024} MiB, and each pack version keeps it; make it smaller.")
    return b64encode(path.read_bytes()).decode()


def _workflow_of(path: Path) -> Iterator[str]:
    """The workflow that a scenario says it follows, without reading the rest of it."""
    refuse_pipe(path)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("workflow:"):
                yield line.partition(":")[2].strip().strip("\"'")
                return


def calendar_path(files: Mapping[str, str]) -> str:
    """Which of a pack's files is its calendar: the one whose first word says so."""
    for path, text in files.items():
        first = next((line for line in text.splitlines() if line.strip() and not line.startswith(("#", "---"))), "")
        if path.endswith(".yaml") and first.startswith("calendar:"):
            return path
    return "calendar.yaml"


def calendar_text(text: str, file: str = "calendar.yaml") -> CalendarText:
    """A calendar file as it is read, not yet asked whether it fits a pack. Raises PackFaults."""
    from caseflow.adapters.packs.misshapes import shaped
    from caseflow.adapters.packs.nodes import read_map

    faults: list[Fault] = []
    made = shaped(CalendarText, read_map(text, file), faults)
    if made is None or faults:
        raise PackFaults(faults)
    return made


class PackLibrary:
    """Implements ports.Packs. Each pack is loaded once, when first asked for."""

    def __init__(
        self, workflows: Path, templates: Path, kept: Kept = lambda _: None, calendar: KeptCalendar = lambda _: None, adoptions: Adoptions = tuple
    ) -> None:
        self._folders = (workflows, templates)
        self._kept = kept
        self._kept_calendar, self._adoptions = calendar, adoptions
        self._learned: dict[str, str] = {}
        self._adopted: dict[tuple[str, str], Pack] = {}
        self._own: dict[str, str] = {}
        self._known: tuple[float, Sequence[Adoption]] = (float("-inf"), ())
        self._tried: dict[str, CalendarText] = {}
        self._packs: list[Pack] | None = None
        self._folder_of: dict[str, Path] = {}
        self._files: dict[str, Mapping[str, str]] = {}
        self._by_hash: dict[str, Pack] = {}
        self._books: dict[tuple[Any, ...], Rulebook] = {}
        self._found: dict[tuple[Any, ...], Rulebook] = {}
        self._scenarios: Mapping[str, int] | None = None
        self._loading = Lock()

    def all(self) -> Sequence[Pack]:
        """Every pack of the folder: all of them, also for who asks while another loads them. Raises PackFaults or BadInput."""
        if self._packs is None:
            with self._loading:
                if self._packs is None:
                    self._packs = self._loaded()
        return self._packs

    def _loaded(self) -> list[Pack]:
        workflows, templates = self._folders
        folders = sorted(path.parent for path in workflows.glob("*/pack.yaml")) if workflows.is_dir() else []
        if not folders:
            raise BadInput(f"There is no pack in {workflows}; name a folder of packs with --packs.")
        found = []
        for folder in folders:
            pack = self.load(pack_files(folder, templates))
            found.append(pack)
            self._folder_of.update(dict.fromkeys((flow.workflow for flow in pack.workflows), folder))
        return found

    def load(self, files: Mapping[str, str]) -> Pack:
        """A pack from its files, kept by content hash, here and between commands. Raises PackFaults."""
        version = content_hash(files)
        return self._taken(_CHECKED.get(version, lambda: cache.recall(version) or self._made(files, True)), files)

    def _taken(self, pack: Pack, files: Mapping[str, str]) -> Pack:
        rules = {path: text for path, text in files.items() if not path.startswith(("samples/", "scenarios/"))}
        self._files[pack.hash] = rules
        self._by_hash[pack.hash] = pack
        return pack

    @staticmethod
    def _made(files: Mapping[str, str], checked: bool) -> Pack:
        from caseflow.adapters.packs.loader import load_pack  # slow to import, and seldom needed

        pack = load_pack(files, checked)
        cache.keep(pack, checked)
        return pack

    def rulebook(self, workflow: str, received: date) -> Rulebook:
        """The workflow in force on the day received. Raises NotFound."""
        known = [flow.workflow for pack in self.all() for flow in pack.workflows]
        if workflow not in known:
            raise NotFound(f"There is no workflow '{workflow}'{nearest(workflow, known)}; the workflows: {', '.join(sorted(set(known)))}.")
        for pack in self.all():
            flow = pack.workflow(workflow, received)
            if flow is not None:
                return self._book(self.current(pack), workflow, flow.in_force.from_, received)
        raise NotFound(f"No version of '{workflow}' was in force on {received}.")

    def of(self, case: Case) -> Rulebook:
        """The rulebook of a case: that of its last entry; from the database where the files have moved on."""
        return self._of(case, self.by_calendar(self.pack(case.pack_version), case.calendar_version))

    def of_version(self, case: Case, version: str) -> Rulebook:
        """The rulebook that a case would have under another version of its pack. Raises NotFound."""
        return self._of(case, self.current(self.pack(version)))

    def current(self, pack: Pack, adoptions: Sequence[Adoption] | None = None) -> Pack:
        """The pack with the calendar that is in force for it."""
        known = self._asked() if adoptions is None else adoptions
        found = in_force(known, pack.text.pack, self.own_calendar(pack.hash)) if known else None
        return self.by_calendar(pack, found.version if found is not None else None)

    def counting(self, pack: Pack) -> Pack:
        """The same for what is only shown: an adoption by another program is known within a minute, and each page asks nothing."""
        if time.monotonic() - self._known[0] > A_MINUTE:
            self._asked()
        return self.current(pack, self._known[1])

    def _asked(self) -> Sequence[Adoption]:
        known = self._adoptions()
        self._known = (time.monotonic(), known)
        return known

    def own_calendar(self, version: str) -> str:
        """The SHA-256 of the calendar file of a pack version."""
        if version not in self._own:
            files = self.files(version)
            self._own[version] = sha256(files[calendar_path(files)].encode()).hexdigest()
        return self._own[version]

    def calendar(self, version: str) -> CalendarText:
        """A calendar that was adopted, by what entries keep of it. Raises NotFound."""
        if version in self._tried:
            return self._tried[version]
        digest = version.rpartition("@")[2]
        text = self._learned.get(digest) or self._kept_calendar(digest)
        if text is None:
            raise NotFound(f"The calendar {version[:-52]} is not kept in the database.")
        if sha256(text.encode()).hexdigest() != digest:
            raise StoreFault(f"The calendar {version[:-52]} that the database keeps was changed; restore it from a backup.")
        return calendar_text(text)

    def changed(self, text: str, file: str = "calendar.yaml") -> Pack:
        """The pack whose calendar a changed file is, by that file; checked as if it lay in the pack's folder. Raises PackFaults, BadInput."""
        from caseflow.adapters.packs.loader import load_pack

        made = calendar_text(text, file)
        pack = next((one for one in self.all() if one.calendar.calendar == made.calendar), None)
        if pack is None:
            known = ", ".join(one.calendar.calendar for one in self.all())
            raise BadInput(f"{file} is the calendar '{made.calendar}', which no pack counts by; write {known} after 'calendar:'.")
        files = self.files(pack.hash)
        path = calendar_path(files)
        try:
            load_pack({**files, path: text})
        except PackFaults as found:
            raise PackFaults([replace(one, file=file) if one.file == path else one for one in found.faults]) from None
        version = f"{made.version}@{sha256(text.encode()).hexdigest()}"
        self._tried[version] = made  # until it is kept, a preview counts by it
        return pack.under(made, version)

    def by_calendar(self, pack: Pack, version: str | None) -> Pack:
        """The pack by a calendar that is kept, or by its own. Raises NotFound."""
        if version is None or "@" not in version:
            return self.pack(pack.hash)
        if (pack.hash, version) not in self._adopted:
            self._adopted[pack.hash, version] = pack.under(self.calendar(version), version)
        return self._adopted[pack.hash, version]

    def _of(self, case: Case, pack: Pack) -> Rulebook:
        asked = (pack.hash, pack.calendar_version, case.workflow, case.received_on)
        book = self._found.get(asked)
        if book is None:
            flow = pack.workflow(case.workflow, case.received_on) or pack.workflow(case.workflow)
            if flow is None:
                raise NotFound(f"The pack of {case.number} has no workflow '{case.workflow}'.")
            book = self._found[asked] = self._book(pack, case.workflow, flow.in_force.from_, case.received_on)
        return book

    def pack(self, version: str) -> Pack:
        """A pack by content hash. Raises NotFound."""
        if version not in self._by_hash and self._packs is None:
            self.all()
        if version not in self._by_hash:
            files = self._kept(version)
            if files is None:
                raise NotFound(f"The pack version {version[:12]} is neither in the folder of packs nor kept in the database.")
            if content_hash(files) != version:
                raise StoreFault(f"The pack version {version[:12]} that the database keeps was changed; restore it from a backup.")
            # It was clean by the checks of its day. Stricter ones must not lock the cases that were filed under it.
            self._taken(cache.recall(version) or cache.recall(version, checked=False) or self._made(files, False), files)
        return self._by_hash[version]

    def learn(self, version: str, files: Mapping[str, str]) -> Pack:
        """A pack that came from elsewhere, whole; nothing is kept of it but in memory. Raises BadInput or PackFaults."""
        if content_hash(files) != version:
            raise BadInput(f"The files of the pack version {version[:12]} are not those that it had.")
        outside = next((name for name in files if not _stays(name)), None)
        if outside is not None:
            raise BadInput(f"The pack version {version[:12]} names a file outside of itself, {outside[:60]!r}.")
        if version not in self._by_hash:
            self._taken(cache.recall(version) or cache.recall(version, checked=False) or self._made(files, False), files)
        return self._by_hash[version]

    def learn_calendar(self, digest: str, text: str) -> None:
        """A changed calendar that came from elsewhere. Raises BadInput or PackFaults."""
        if sha256(text.encode()).hexdigest() != digest:
            raise BadInput(f"The text of the calendar {digest[:12]} is not the one that it had.")
        calendar_text(text)
        self._learned[digest] = text

    def _book(self, pack: Pack, workflow: str, begins: date | None, received: date) -> Rulebook:
        # A rulebook holds one version of each rule set, so that a day on which one of them changes makes another book.
        flow = pack.workflow(workflow, received) or pack.workflow(workflow)
        assert flow is not None
        texts = tuple(made.version if (made := pack.ruleset(name, received)) is not None else None for name in flow.rules)
        key = (pack.hash, pack.calendar_version, workflow, begins, texts)
        if key not in self._books:
            self._books[key] = Rulebook(pack, flow, received)
        return self._books[key]

    def folder_of(self, workflow: str) -> Path:
        """The folder of the pack that has a workflow. Raises NotFound."""
        self.all()
        if workflow not in self._folder_of:
            raise NotFound(f"There is no workflow '{workflow}'{nearest(workflow, self._folder_of)}.")
        return self._folder_of[workflow]

    def files(self, version: str) -> Mapping[str, str]:
        """The files of a loaded pack, by path."""
        if version not in self._files:
            self.pack(version)
        return self._files[version]

    def files_beside(self, workflow: str) -> Mapping[str, str]:
        """The files of the folder that has a workflow, its samples among them. Raises NotFound."""
        return pack_files(self.folder_of(workflow), self._folders[1])

    def scenario_counts(self) -> Mapping[str, int]:
        """How many scenarios lie beside the packs, by workflow; counted once."""
        if self._scenarios is None:
            self.all()
            found = Counter(
                name
                for folder in sorted(set(self._folder_of.values()))
                for path in sorted((folder / "scenarios").rglob("*.yaml"))
                for name in _workflow_of(path)
            )
            self._scenarios = dict(found)
        return self._scenarios

    def merged_text(self, workflow: str) -> str:
        """A workflow after inheritance, each line with the file and line that wrote it. Raises NotFound."""
        from caseflow.adapters.packs.loader import load
        from caseflow.adapters.packs.shown import shown

        return shown(load(pack_files(self.folder_of(workflow), self._folders[1])), workflow)


def _stays(name: str) -> bool:
    """Whether the path of a file stays in its pack, on every system: records write it out beneath a folder."""
    return all(part not in ("", ".", "..") for part in name.split("/")) and not set(name) & {"\\", ":", "\0"}
