"""Packs and rules as the doors ask for them: checking, showing, rehearsing, counting, screening, the demo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from caseflow.adapters.packs.library import PackLibrary, default_folders, pack_files
from caseflow.adapters.packs.nodes import read_plain
from caseflow.bootstrap.archive import Archive
from caseflow.bootstrap.joining import Keys, text_of_file
from caseflow.errors import BadInput, CaseflowError, PackFaults
from caseflow.services.office import Office, Progress, parse_day, quiet


class Rules(Archive):
    """The part of App about packs and rules."""

    def calendar(self, name: str | None, year: int) -> dict[str, Any]:
        from caseflow.domain.rulebook import calendar_of

        for pack in map(self.library.current, self.library.all()):
            if name is None or pack.calendar.calendar == name:
                days = calendar_of(pack).list_days(year)
                shown = [
                    {"date": day.isoformat(), "weekday": day.strftime("%A"), "name": known.name, "list": known.list, "cite": known.cite} for day, known in days
                ]
                return {"calendar": pack.calendar.calendar, "version": pack.calendar.version, "year": year, "days": shown}
        raise BadInput(f"There is no calendar '{name}'.")

    def pack_check(self, folder: str, progress: Progress = quiet, scenarios: bool = True) -> dict[str, Any]:
        from caseflow.adapters.packs.rendering import rendered_faults
        from caseflow.bootstrap.proofs import Proofs

        path = Path(folder)
        own = path.parent.parent / "templates" / "letters"
        files = pack_files(path, own if own.is_dir() else default_folders()[1])
        library = PackLibrary(path.parent, own if own.is_dir() else default_folders()[1])
        pack = library.load(files)
        faults = rendered_faults(pack, files, library)
        if faults:
            raise PackFaults(faults)
        proved = Proofs(library, self.now).made(str(path), {}, False, progress, None) if scenarios else {"proofs": []}
        broken = [{"workflow": one["workflow"], **claim} for one in proved["proofs"] for claim in one["claims"] if not claim["holds"]]
        made = {"pack": pack.text.pack, "version": pack.hash, "workflows": [flow.workflow for flow in pack.workflows], "scenarios": 0, "failed": []}
        made.update(claims=sum(len(one["claims"]) for one in proved["proofs"]), states=sum(one["states"] for one in proved["proofs"]), broken=broken)
        if scenarios:
            paths = sorted(str(one) for one in path.glob("scenarios/**/*.yaml"))
            results = self.rehearse(paths, progress, library) if paths else {"results": []}
            failed = [one for one in results["results"] if not one["passed"]]
            made.update(scenarios=len(paths), failed=failed)
        return made

    def rehearse_docket(self, docket: str, folder: str, as_of: str | None, progress: Progress = quiet) -> dict[str, Any]:
        """What a docket would have been under the pack in a folder. Needs no database: the docket holds the rules of its cases."""
        from caseflow.adapters.docketfile.files import DocketFile
        from caseflow.adapters.letters.writer import LetterWriter
        from caseflow.services.otherrules import Other, rehearse

        path = Path(folder)
        own = path.parent.parent / "templates" / "letters"
        templates = own if own.is_dir() else default_folders()[1]
        library = PackLibrary(path.parent, templates)
        source = DocketFile(Path(docket))
        pack = library.load(pack_files(path, templates))
        until = parse_day(as_of, "--as-of") if as_of is not None else None
        made = rehearse(library, LetterWriter(library.files), source, Other(pack, lambda case: library.of_version(case, pack.hash)), until, progress)
        return {"docket": docket, "with": folder, "pack": pack.text.pack, "version": pack.hash, **made}

    def pack_prove(
        self, target: str | None, readings: Mapping[str, str] | None = None, anew: bool = False, progress: Progress = quiet, folder: str | None = None
    ) -> dict[str, Any]:
        """The claims of one workflow, or of every workflow of a pack or of all, decided; broken ones written to a folder as scenarios."""
        from caseflow.bootstrap.proofs import Proofs

        return Proofs.of(self.library, self.now, target).made(target, readings or {}, anew, progress, folder)

    def gallery(self, folder: str, pack: str | None = None, every: bool = False, progress: Progress = quiet, once: bool = False) -> dict[str, Any]:
        """Every letter of a pack with every sample: `pack` is its name, or its folder; the first pack where none is given."""
        from caseflow.adapters.letters import gallery
        from caseflow.adapters.letters.pdf import PdfMaker
        from caseflow.adapters.packs.rendering import rendered

        workflows, templates = self._pack_folder(pack)
        library = PackLibrary(workflows.parent, templates)
        files = pack_files(workflows, templates)
        found = library.load(files)
        maker = PdfMaker(library.files)
        try:
            return gallery.make(Path(folder), found, gallery.all_of(rendered(found, files, library)), maker, every, progress, once)
        finally:
            maker.close()

    def _pack_folder(self, name: str | None) -> tuple[Path, Path]:
        """The folder of a pack and that of its letters. Raises BadInput."""
        if name is not None and (Path(name) / "pack.yaml").is_file():
            path = Path(name)
            own = path.parent.parent / "templates" / "letters"
            return path, own if own.is_dir() else default_folders()[1]
        workflows, templates = self._folders()
        known = sorted(path.parent for path in workflows.glob("*/pack.yaml"))
        for path in known:
            if name is None or path.name == name:
                return path, templates
        raise BadInput(f"There is no pack '{name}'; name one of {', '.join(path.name for path in known)}, or the folder of a pack.")

    def pack_show(self, name: str | None) -> dict[str, Any]:
        from caseflow.services.summing import pack_summary

        return pack_summary(self.library.all(), name)

    def pack_merged(self, workflow: str) -> str:
        return self.library.merged_text(workflow)

    def pack_schema(self, kind: str) -> dict[str, Any]:
        from caseflow.adapters.packs.schema import pack_schema

        return pack_schema(kind)

    def diagram(self, workflow: str) -> str:
        from caseflow.adapters.diagram import draw

        return draw(self.library.rulebook(workflow, self.now().date()))

    def rehearse(self, paths: Iterable[str], progress: Progress = quiet, library: PackLibrary | None = None) -> dict[str, Any]:
        from caseflow.adapters.letters.writer import LetterWriter
        from caseflow.adapters.mail import NoMail
        from caseflow.adapters.store.memory import MemoryStore
        from caseflow.services.rehearsing import Coverage, Rehearsal, missing_coverage, rehearse

        library = library or self.library
        writer = LetterWriter(library.files)
        coverage, results, names = Coverage(), [], list(scenario_files(paths))
        for place, path in enumerate(names):
            try:
                text = read_plain(text_of_file(path), path)
            except CaseflowError as error:
                results.append(Rehearsal(path, path, [{"step": 0, "expected": "a scenario file", "got": str(error)}]))
                continue
            office = Office(MemoryStore(), library, writer, NoMail(), self.now, Keys())
            results.append(rehearse(office, self._sample(library, path), text, path, coverage))
            progress(place + 1, len(names), "scenarios")
        books = [library.rulebook(flow.workflow, flow.in_force.from_ or self.now().date()) for pack in library.all() for flow in pack.workflows]
        return {"results": [one.json() for one in results], "coverage": coverage.seen, "missing": missing_coverage(books, coverage)}

    def _sample(self, library: PackLibrary, _path: str) -> Callable[[str, str], Mapping[str, Any]]:
        def sample(workflow: str, name: str) -> Mapping[str, Any]:
            folder = library.folder_of(workflow)
            path = folder / "samples" / workflow / f"{name}.yaml"
            if not path.is_file():
                raise BadInput(f"There is no sample '{name}' of {workflow}; write samples/{workflow}/{name}.yaml.")
            return read_plain(path.read_text(encoding="utf-8"), str(path))

        return sample

    def clock_compute(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        from caseflow.services.computing import compute

        return compute(self.library.all(), lines)

    def screen(self, facts: Mapping[str, Any], on: str | None, readings: Mapping[str, str]) -> dict[str, Any]:
        from caseflow.services.screening import screened

        return screened(self.library.all(), facts, self._received(on), readings)

    def screen_and_file(self, facts: Mapping[str, Any], request: Mapping[str, Any], track: str | None, on: str | None, actor: str | None) -> dict[str, Any]:
        from caseflow.services.screening import request_on

        day = on if on is not None else str(request["filed"])[:10] if request.get("filed") else None
        wanted, told = request_on(self.library.all(), facts, request, track, self._received(day))
        made = self.file(wanted, actor)
        return {**made, "track": wanted["services"][0], "warnings": [*told, *made["warnings"]]}

    def screen_lines(self, lines: Iterable[bytes], on: str | None, progress: Progress = quiet) -> Iterator[bytes]:
        from caseflow.services.screening import screen_lines

        return screen_lines(self.library.all(), lines, self._received(on), progress)

    def rules_evaluate(self, ruleset: str, facts: Mapping[str, Any], on: str | None, readings: Mapping[str, str]) -> dict[str, Any]:
        from caseflow.services.ruling import ruled

        return ruled(self.library.all(), ruleset, facts, self._received(on), readings)

    def rules_list(self, ruleset: str | None, on: str | None) -> dict[str, Any]:
        from caseflow.services.ruling import listed

        return listed(self.library.all(), ruleset, self._received(on))

    def _received(self, on: str | None) -> date:
        """The day received: the one given, or today at the office."""
        return parse_day(on, "--on") if on is not None else self.now().astimezone(self._zone()).date()

    def form(self, service: str) -> str:
        from caseflow.services.trying import request_form

        return request_form(self.library.rulebook(service, self.now().date()))

    def demo(self, folder: str, progress: Progress = quiet) -> dict[str, Any]:
        from caseflow.demo import make

        return make(Path(folder), progress)


def scenario_files(paths: Iterable[str]) -> Iterator[str]:
    """The scenario files of files and folders, in order."""
    for path in paths:
        if Path(path).is_dir():
            yield from sorted(str(one) for one in Path(path).rglob("*.yaml"))
        else:
            yield path
