"""The last check of a pack: every letter of every action is rendered with every sample, so that none has a hole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
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
from caseflow.services.trying import sample_acts, sample_letters


def rendered_faults(pack: Pack, files: Mapping[str, str], library: PackLibrary) -> list[Fault]:
    """Letters that can't be written with a sample, and samples that can't be filed."""
    faults: list[Fault] = []
    acts = _acts(files, faults)
    writer = LetterWriter(library.files)
    for flow in pack.workflows:
        book = Rulebook(pack, flow)
        moment = datetime(2026, 11, 30, 10, tzinfo=book.calendar.zone)
        office = Office(MemoryStore(), library, writer, NoMail(), partial(datetime.fromtimestamp, moment.timestamp(), moment.tzinfo), partial(str, "0" * 32))
        samples = [path for path in files if path.startswith(f"samples/{flow.workflow}/")]
        if f"samples/{flow.workflow}/complete.yaml" not in samples:
            faults.append(Fault("samples", 0, 0, f"there is no sample samples/{flow.workflow}/complete.yaml; write a valid request"))
        for path in samples:
            try:
                cases = filing.file(office, {**read_plain(files[path], path), "filed": moment}, Actor("person", "sample", "requester"), moment)
            except CaseflowError as error:
                if path.endswith("complete.yaml"):
                    faults.append(Fault(path, 1, 1, f"the sample can't be filed: {error}"))
                continue
            mine = [case for case in cases if case.workflow == flow.workflow]
            if mine:
                faults += _of_case(book, mine[0], sample_acts(acts, flow.workflow), writer, moment, path, files)
    return list(dict.fromkeys(faults))


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


def _of_case(book: Rulebook, case: Case, acts: Mapping[str, Any], writer: LetterWriter, moment: datetime, path: str, files: Mapping[str, str]) -> list[Fault]:
    """Each action's letters, with the facts of the example acts before it on record."""
    faults = []
    facts_before = {name: value for one in acts.values() if isinstance(one, Mapping) for name, value in one.items()}
    done = dict.fromkeys(book.workflow.actions, case.done["file"])
    full = _with(case, facts_before, done, book)
    for name, action in book.workflow.actions.items():
        letters = list(dict.fromkeys(ref.letter for ref in letters_named(action)))
        if not letters or name == "file":
            continue
        given = acts.get(name) or {}
        needed = {*action.takes, *book.used_facts[name]}
        for facts in (given, {key: value for key, value in given.items() if key in needed}):
            try:
                for owed in sample_letters(book, full, name, facts, moment + timedelta(days=20), letters):
                    writer.write(owed, book.pack, moment)
            except CaseflowError as error:
                faults.append(Fault(*_place(error, name, letters[0], files), f"{name} of {book.workflow.workflow} with {path}: {error}"))
    return faults


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
