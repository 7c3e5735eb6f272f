"""Every letter of every action of a pack, rendered with every sample: the last check of a pack, and its gallery."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.mail import NoMail
from caseflow.adapters.packs.library import PackLibrary
from caseflow.adapters.packs.nodes import Place, read, read_plain
from caseflow.adapters.store.memory import MemoryStore
from caseflow.domain.case import Actor, Case
from caseflow.domain.pack import Pack, letters_named
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import CaseflowError, Fault, LetterFault, Refused
from caseflow.services import filing
from caseflow.services.office import Office
from caseflow.services.trying import sample_acts, sample_letters, sample_notice
from caseflow.services.workflows import Sample

PAGE = "templates/page.typ"
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]*)")


@dataclass(frozen=True, slots=True)
class Sampled:
    """A letter as an act would owe it: with a sample request, and all example facts of the act or only those it needs."""

    workflow: str
    action: str
    letter: str
    number: str
    case: str
    sample: str
    whole: bool
    on: str
    subject: str
    markdown: str


def rendered_faults(pack: Pack, files: Mapping[str, str], library: PackLibrary) -> list[Fault]:
    """Letters that can't be written with a sample, samples that can't be filed, pictures that are not there, and a page
    that sets no letter."""
    faults = picture_faults(files)
    letter = None
    for made in rendered(pack, files, library):
        if isinstance(made, Fault):
            faults.append(made)
        else:
            letter = letter or made
    if PAGE in files and letter is not None and not faults:
        faults += _page_faults(pack, letter, library)
    return list(dict.fromkeys(faults))


def picture_faults(files: Mapping[str, str]) -> list[Fault]:
    """Pictures that a template shows and the pack lacks, or that have no words for who can't see them."""
    faults = []
    for path, text in files.items():
        for found in _PICTURE.finditer(text) if path.startswith("templates/") and path.endswith(".md") else ():
            words, name = found[1].strip(), found[2]
            place = (path, text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start()))
            if not any(f"templates/{folder}{name}" in files for folder in ("", "shared/")):
                faults.append(Fault(*place, f"there is no picture '{name}' beside the templates; put the .png or .jpg file there"))
            if not words:
                faults.append(Fault(*place, f"the picture {name} has no words for those who can't see it; write ![what it shows]({name})"))
    return faults


def _page_faults(pack: Pack, letter: Sampled, library: PackLibrary) -> list[Fault]:
    """What keeps a pack's own page from setting a letter."""
    from caseflow.adapters.letters.pdf import PdfMaker
    from caseflow.adapters.letters.press import Press

    maker = PdfMaker(library.files, Press(1))
    try:
        maker.make(letter.markdown, letter.subject, pack.text.language, {"pack": pack.hash, "date": letter.on, "docket": letter.case})
    except LetterFault as fault:
        return [Fault(PAGE, 0, 0, str(fault))]
    finally:
        maker.close()
    return []


def rendered(pack: Pack, files: Mapping[str, str], library: PackLibrary) -> Iterator[Sampled | Fault]:
    """Every letter with every sample, or the fault that keeps it from being written."""
    faults: list[Fault] = []
    acts = _acts(files, faults)
    yield from faults
    writer = LetterWriter(library.files)
    for flow in pack.workflows:
        book = Rulebook(pack, flow)
        moment = datetime(2026, 11, 30, 10, tzinfo=book.calendar.zone)
        samples = [path for path in files if path.startswith(f"samples/{flow.workflow}/")]
        if f"samples/{flow.workflow}/complete.yaml" not in samples:
            yield Fault("samples", 0, 0, f"there is no sample samples/{flow.workflow}/complete.yaml; write a valid request")
        for path in samples:
            now = partial(datetime.fromtimestamp, moment.timestamp(), moment.tzinfo)
            office = Office(MemoryStore(), library, writer, NoMail(), now, partial(str, "0" * 32))
            try:
                cases = filing.file(office, {**read_plain(files[path], path), "filed": moment}, Actor("person", "sample", "requester"), moment)
            except CaseflowError as error:
                if path.endswith("complete.yaml"):
                    yield Fault(path, 1, 1, f"the sample can't be filed: {error}")
                continue
            mine = [case for case in cases if case.workflow == flow.workflow]
            if mine:
                yield from _filed(office, mine[0], path)
                yield from _of_case(book, mine[0], sample_acts(acts, flow.workflow), writer, moment, path, files)
                yield from _on_change(book, mine[0], writer, moment, path, files)


def sample_of(library: PackLibrary, pack: Pack, workflow: str, letter: str) -> Sample | None:
    """A letter of a workflow, from the first sample that makes it; None where no example act does."""
    flow = pack.workflow(workflow)
    if flow is None:
        return None
    alone = pack.model_copy(update={"workflows": (flow,)})
    for made in rendered(alone, library.files_beside(workflow), library):
        if isinstance(made, Sampled) and made.letter == letter:
            return Sample(pack.letters[letter].title, made.subject, made.markdown)
    return None


def _filed(office: Office, case: Case, path: str) -> Iterator[Sampled]:
    """The letters that filing itself owes."""
    with office.store.read() as work:
        for letter in work.letters(case.number):
            if letter.status != "blocked":
                sample, on = PurePosixPath(path).stem, letter.owed_on.isoformat()
                yield Sampled(case.workflow, "file", letter.letter, letter.number, case.number, sample, True, on, letter.subject, letter.markdown)


def _acts(files: Mapping[str, str], faults: list[Fault]) -> Mapping[str, Any]:
    text = files.get("samples/acts.yaml")
    if text is None:
        return {}
    try:
        made = read_plain(text, "samples/acts.yaml")
    except CaseflowError as error:
        faults.append(Fault("samples/acts.yaml", 0, 0, str(error)))
        return {}
    return made if isinstance(made, Mapping) else {}


def _of_case(
    book: Rulebook, case: Case, acts: Mapping[str, Any], writer: LetterWriter, moment: datetime, path: str, files: Mapping[str, str]
) -> Iterator[Sampled | Fault]:
    """Each action's letters, with the facts of the example acts before it on record."""
    facts_before = {name: value for one in acts.values() if isinstance(one, Mapping) for name, value in one.items()}
    done = dict.fromkeys(book.workflow.actions, case.done["file"])
    full = _with(case, facts_before, done, book)
    sample, flow = PurePosixPath(path).stem, book.workflow.workflow
    for name, action in book.workflow.actions.items():
        letters = list(dict.fromkeys(ref.letter for ref in letters_named(action)))
        if not letters or name == "file":
            continue
        given = acts.get(name) or {}
        needed = {*action.takes, *book.used_facts[name]}
        for facts in (given, {key: value for key, value in given.items() if key in needed}):
            try:
                for owed in sample_letters(book, full, name, facts, moment + timedelta(days=20), letters):
                    made = writer.write(owed, book.pack, moment)
                    if made.status != "blocked":
                        whole, on = facts is given, owed.owed_on.isoformat()
                        yield Sampled(flow, name, owed.letter, owed.number, case.number, sample, whole, on, made.subject, made.markdown)
            except CaseflowError as error:
                yield Fault(*_place(error, name, letters[0], files), f"{name} of {flow} with {path}: {error}")


def _on_change(book: Rulebook, case: Case, writer: LetterWriter, moment: datetime, path: str, files: Mapping[str, str]) -> Iterator[Sampled | Fault]:
    """The letters that a change of rules owes, as if it moved the last day of a clock by one."""
    sample, flow = PurePosixPath(path).stem, book.workflow.workflow
    for change, letter in book.pack.text.letters_on_change.items():
        try:
            made = writer.write(sample_notice(book, case, change, letter, moment + timedelta(days=1)), book.pack, moment)
            yield Sampled(flow, change, letter, made.owed.number, case.number, sample, True, made.owed.owed_on.isoformat(), made.subject, made.markdown)
        except CaseflowError as error:
            yield Fault(*_place(error, change, letter, files), f"{change} of {flow} with {path}: {error}")


def _place(error: CaseflowError, action: str, letter: str, files: Mapping[str, str]) -> Place:
    """Where a letter's fault lies: the line of its template, the letter in letters.yaml, or the example facts of the act."""
    if isinstance(error, LetterFault) and error.at is not None:
        return error.at[0], max(error.at[1], 1), 1
    refused = isinstance(error, Refused)  # the example facts do not fit
    file, path = ("samples/acts.yaml", ("acts", action)) if refused else ("letters.yaml", ("letters", getattr(error, "letter", "") or letter))
    text = files.get(file)
    return read(text, file).find(path, True) if text is not None else (file, 0, 0)


def _with(case: Case, facts: Mapping[str, Any], done: Mapping[str, Any], book: Rulebook) -> Case:
    known = {name: value for name, value in facts.items() if name in book.facts and name not in ("items", "route")}
    plain = {name: value for name, value in known.items() if isinstance(value, (str, bool, int))}
    return replace(case, facts={**plain, **case.facts}, done={**case.done, **dict(done)})
