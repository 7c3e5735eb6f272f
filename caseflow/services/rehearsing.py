"""Rehearse scenario files on a virtual clock and a store in memory (CONTRACT section 4), and count what they cover."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from caseflow.domain import replay
from caseflow.domain.case import Act, Actor, Case, Outcome
from caseflow.domain.facts import nearest
from caseflow.domain.machine import NEW
from caseflow.domain.mailing import natural
from caseflow.domain.pack import Named, letters_named
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, CaseflowError, LetterFault, Refused
from caseflow.services import acting, dispatching, evidence, filing, printing, showing, wording
from caseflow.services.office import Office, local_moment, parse_day, parse_moment
from caseflow.services.reading import timeline_of

MEMBERS = ("scenario", "workflow", "filed", "channel", "sample", "request", "facts", "settings", "steps", "expect", "refused")
STEP_MEMBERS = ("at", "do", "on", "as", "facts", "entry", "because", "refused", "expect", "letter", "copy", "channel", "address", "place", "text")
LETTER_STEPS: Mapping[str, evidence.Event | None] = {
    "bounce-letter": "bounced",
    "return-letter": "returned",
    "deliver-letter": "delivered",
    "open-letter": None,
    "resend-letter": None,
    "correct-letter": None,
    "approve-letter": None,
    "edit-letter": None,
    "retry-letter": None,
}
"""Steps about one letter, named by `letter` (its id, the last one issued, or its number)."""
Sample = Callable[[str, str], Mapping[str, Any]]
"""The sample of a workflow by name."""


@dataclass
class Coverage:
    """What was exercised: transitions, refusals, timers, letters, fees, limits and flags, by workflow."""

    seen: dict[str, int] = field(default_factory=dict)

    def note(self, workflow: str, kind: str, name: str) -> None:
        """One more of a thing."""
        key = f"{workflow}/{kind}/{name}"
        self.seen[key] = self.seen.get(key, 0) + 1


@dataclass
class Rehearsal:
    """How one scenario went."""

    scenario: str
    file: str
    faults: list[dict[str, Any]] = field(default_factory=list)
    timeline: list[dict[str, Any]] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    case: dict[str, Any] | None = None

    def json(self) -> dict[str, Any]:
        """As CONTRACT section 4 prints it."""
        return {
            "scenario": self.scenario,
            "file": self.file,
            "passed": not self.faults,
            "faults": self.faults,
            "timeline": self.timeline,
            "letters": self.letters,
            "case": self.case,
        }


def rehearse(office: Office, sample: Sample, text: Mapping[str, Any], file: str, coverage: Coverage | None = None) -> Rehearsal:
    """Runs one scenario on an office whose store is empty and in memory."""
    made = Rehearsal(str(text.get("scenario") or file), file)
    try:
        _Stage(office, sample, text, made, coverage or Coverage()).play()
    except CaseflowError as error:
        made.faults.append({"step": 0, "expected": "a scenario that can be run", "got": str(error)})
    return made


class _Stage:
    def __init__(self, office: Office, sample: Sample, text: Mapping[str, Any], made: Rehearsal, coverage: Coverage) -> None:
        self.office, self.made, self.coverage, self.text = office, made, coverage, text
        self._known(text, MEMBERS, "a scenario")
        self.workflow = str(text.get("workflow") or "")
        filed = parse_moment(text.get("filed"), "'filed'")
        probe = office.packs.rulebook(self.workflow, filed.date() if isinstance(filed, datetime) else filed)
        self.now = local_moment(probe.calendar.zone, filed)
        base = dict(sample(self.workflow, str(text.get("sample") or "complete")))
        self.request = merged({**base, "services": [self.workflow]}, _map(text, "request"))
        self.request["filed"] = self.now
        if "channel" in text:
            self.request["channel"] = text["channel"]
        self.request["facts"] = {**(self.request.get("facts") or {}), **_map(text, "facts")}
        if text.get("settings"):
            self.request["settings"] = dict(_map(text, "settings"))
        self.number = ""
        self.batch = ""
        self.book: Rulebook = probe

    def _known(self, given: Mapping[str, Any], members: Sequence[str], what: str) -> None:
        for key in given:
            if key not in members:
                raise BadInput(f"{what} has no '{key}'{nearest(str(key), members)}")

    def play(self) -> None:
        """Files the request, then takes each step at its moment."""
        steps = self.text.get("steps") or []
        if not self._file():
            return
        for place, step in enumerate(steps, 1):
            if not isinstance(step, Mapping):
                raise BadInput(f"step {place} must have named parts, such as {{at: 2027-01-05, do: withdraw}}")
            self._known(step, STEP_MEMBERS, f"step {place}")
            self._step(place, step)
        expected = _map(self.text, "expect")
        if expected:
            self._expect(0, expected)
        self._finish()

    def _file(self) -> bool:
        wanted = self.text.get("refused")
        try:
            cases = filing.file(self.office, self.request, Actor("person", "requester", "requester"), self.now)
        except Refused as refused:
            for reason in refused.reasons:
                self.coverage.note(self.workflow, "refused", f"file:{reason.id}")
            if wanted is None or not _matches(refused, str(wanted)):
                self._fault(0, f"refused: {wanted}" if wanted else "the request is filed", str(refused))
            return False
        if wanted is not None:
            self._fault(0, f"refused: {wanted}", "the request was filed")
            return False
        mine = [case for case in cases if case.workflow == self.workflow]
        self.number = (mine or list(cases))[0].number
        self.book = self.office.packs.of(self._case())
        for case in cases:
            self._cover(case.workflow, Outcome(None, case, self._entries(case.number)), 0)
        return True

    def _case(self) -> Case:
        with self.office.store.read() as work:
            return work.case(self.number)

    def _entries(self, number: str | None = None) -> Any:
        with self.office.store.read() as work:
            return work.entries(number or self.number)

    def _step(self, place: int, step: Mapping[str, Any]) -> None:
        at = parse_moment(step.get("at"), f"'at' of step {place}")
        moment = local_moment(self.book.calendar.zone, at)
        if moment < self.now:
            raise BadInput(f"step {place} at {step.get('at')} lies before the step before it; put the steps in order")
        self._pass_time(moment)
        self.now = moment
        refused: CaseflowError | None = None
        before = self._case()
        try:
            self._do(place, step)
        except CaseflowError as error:
            refused = error
        self._pass_time(moment)
        after = self._case()
        self._cover(self.workflow, Outcome(before, after, tuple(self._entries()[before.version :])), before.version)
        self._judge_refusal(place, step, refused)
        expected = _map(step, "expect")
        if expected:
            self._expect(place, expected)

    def _judge_refusal(self, place: int, step: Mapping[str, Any], refused: CaseflowError | None) -> None:
        wanted = step.get("refused")
        if isinstance(refused, Refused):
            for reason in refused.reasons:
                self.coverage.note(self.workflow, "refused", f"{step.get('do')}:{reason.id}")
        if wanted is not None:
            if refused is None:
                self._fault(place, f"refused: {wanted}", "it was done")
            elif not (isinstance(refused, Refused) and _matches(refused, str(wanted))) and not _is_letter_fault(refused, wanted):
                self._fault(place, f"refused: {wanted}", str(refused))
        elif refused is not None:
            self._fault(place, f"'{step.get('do')}' is done", str(refused))

    def _do(self, place: int, step: Mapping[str, Any]) -> None:
        name = str(step.get("do") or "")
        role = str(step.get("as") or "staff")
        actor = Actor("person", role, role)
        on = parse_day(step["on"], f"'on' of step {place}") if step.get("on") is not None else None
        because = str(step.get("because") or "rehearsal")
        if name == "sweep":
            return
        if name == "dispatch":
            dispatching.dispatch(self.office, self.now, at_once=True)
        elif name == "print-batch":
            self.batch = printing.begin(self.office, self.now, at_once=True) or self.batch
        elif name == "post-batch":
            evidence.posted(self.office, self.batch, on, actor, self.now)
        elif name in LETTER_STEPS:
            self._letter(place, name, step, actor, on)
        elif name in ("void", "amend"):
            seq = step.get("entry")
            if not isinstance(seq, int):
                raise BadInput(f"step {place} names no entry; write 'entry: 3'")
            if name == "void":
                acting.void(self.office, self.number, seq, because, actor, self.now)
            else:
                if on is None:
                    raise BadInput(f"step {place} says no day; write 'on: 2027-01-15'")
                acting.amend(self.office, self.number, seq, on, because, actor, self.now)
        else:
            facts = dict(_map(step, "facts"))
            acting.act(self.office, self.number, Act(name, actor, facts, on, step.get("because")), self.now)

    def _letter(self, place: int, name: str, step: Mapping[str, Any], actor: Actor, on: date | None) -> None:
        """A step about one letter."""
        number, office, now = self._numbered(place, str(step.get("letter") or "")), self.office, self.now
        copy = str(step["copy"]) if step.get("copy") is not None else None
        because = str(step.get("because") or "rehearsal")
        event = LETTER_STEPS[name]
        if event is not None:
            evidence.record(office, number, event, copy, because, on, actor, now)
        elif name == "open-letter":
            with office.store.read() as work:
                theirs = [(one.role, one.name) for one in work.letter(number).copies if one.role == (copy or "requester")]
            if not theirs or not evidence.opened(office, number, *theirs[-1], now):
                raise BadInput(f"step {place}: opening {number} proves nothing, by the pack or since it is proven already")
        elif name == "resend-letter":
            evidence.resend(office, number, copy, str(step.get("channel") or "post"), [str(line) for line in _list(step.get("address"))], actor, now)
        elif name == "correct-letter":
            wording.correct(office, number, because, actor, now)
        elif name == "approve-letter":
            wording.approve(office, number, actor, now)
        elif name == "edit-letter":
            wording.edit(office, number, str(step.get("place") or ""), str(step.get("text") or ""), actor, now)
        else:
            wording.retry(office, number, _map(step, "facts"), actor, now)

    def _numbered(self, place: int, named: str) -> str:
        """The number of a letter named by its number or its id; of several, the last."""
        with self.office.store.read() as work:
            register = work.letters(self.number)
        found = [letter.number for letter in register if named in (letter.number, letter.letter)]
        if not found:
            known = ", ".join(dict.fromkeys(letter.letter for letter in register))
            raise BadInput(f"step {place} names no letter of the case; write 'letter: ID' with one of {known}")
        return max(found, key=natural)

    def _pass_time(self, moment: datetime) -> None:
        """Fires the timers of the case due by then, each at its own moment."""
        while True:
            with self.office.store.begin() as work:
                case = work.case(self.number)
                if not case.timers or case.timers[0].at > moment:
                    return
                timer = case.timers[0]
                outcome = replay.fire(self.book, case, timer, max(timer.at, self.now), self.office.key(), lambda: work.entries(self.number))
                if outcome is None:
                    return
                acting.fired_in_place(self.office, work, self.book, case, outcome, timer.at)
            self.coverage.note(self.workflow, "timer", f"{timer.clock}:{timer.kind.partition('-')[0]}")
            self._cover(self.workflow, outcome, case.version)

    def _cover(self, workflow: str, outcome: Outcome, _since: int) -> None:
        note = self.coverage.note
        for entry in outcome.entries:
            note(workflow, "transition", f"{entry.action}:{entry.from_state or ''}>{entry.to_state}")
            for letter, _ in entry.facts.get("letters") or ():
                note(workflow, "letter", letter)
        had = len(outcome.before.fees) if outcome.before is not None else 0
        for line in outcome.case.fees[had:]:
            note(workflow, "fee", line.id)
        for name, seqs in outcome.case.spent.items():
            if seqs:
                note(workflow, "limit", name)
        for flag in outcome.case.flags:
            note(workflow, "flag", flag)

    # --- expectations ---

    def _shown(self) -> dict[str, Any]:
        with self.office.store.read() as work:
            case = work.case(self.number)
            entries = work.entries(case.number) if self.book.rules else ()
            today, letters = self.book.calendar.local_day(self.now), work.letters(case.number)
            return showing.case_json(self.book, case, today, work.siblings(case), letters, entries=entries)

    def _expect(self, place: int, expected: Mapping[str, Any]) -> None:
        shown = self._shown()
        issued = [letter["id"] for letter in shown["letters"] if letter["status"] != "canceled"]
        for key, wanted in expected.items():
            if key == "letters" and isinstance(wanted, Mapping):
                self._match(place, "letters", wanted, shown["letters"])
            elif key == "letters" and any(isinstance(item, Mapping) for item in _list(wanted)):
                self._match(place, "letters", _list(wanted), shown["letters"])
            elif key == "letters":
                self._compare(place, "letters", list(_list(wanted)), issued)
            elif key == "letters-include":
                self._includes(place, "letters", _list(wanted), issued)
            elif key == "flags":
                self._compare(place, "flags", sorted(_list(wanted)), sorted(shown["flags"]))
            elif key == "flags-include":
                self._includes(place, "flags", _list(wanted), shown["flags"])
            elif key == "fee":
                self._compare(place, "fee", str(wanted), shown["fees"]["total"])
            elif key == "says":
                self._says(place, wanted)
            elif key not in shown:
                self._fault(place, f"a member '{key}' of the case{nearest(str(key), shown)}", "there is none")
            else:
                self._match(place, key, wanted, shown[key])

    def _match(self, place: int, path: str, wanted: Any, got: Any) -> None:
        if isinstance(wanted, Mapping) and isinstance(got, list):
            wanted = [{"id": name, **(part if isinstance(part, Mapping) else {"status": part})} for name, part in wanted.items()]
        if isinstance(wanted, list) and isinstance(got, list) and all(isinstance(item, Mapping) for item in wanted) and wanted:
            for item in wanted:
                self._member(place, path, item, got)
        elif isinstance(wanted, Mapping) and isinstance(got, Mapping):
            for key, part in wanted.items():
                if key not in got:
                    self._fault(place, f"{path}.{key}: {part}", "there is no such member")
                else:
                    self._match(place, f"{path}.{key}", part, got[key])
        else:
            self._compare(place, path, wanted, got)

    def _member(self, place: int, path: str, item: Mapping[str, Any], got: list[Any]) -> None:
        keys = [key for key in ("id", "number", "clock", "role", "from") if key in item]
        found = next((one for one in got if all(_same(item[key], one.get(key)) for key in keys[:1])), None)
        if found is None:
            self._fault(place, f"{path} has {dict(item)}", f"{path} has {[one.get('id') for one in got]}")
            return
        for key, part in item.items():
            if key not in found:
                self._fault(place, f"{path}.{item.get('id')}.{key}: {part}", "there is no such member")
            else:
                self._match(place, f"{path}.{item.get('id')}.{key}", part, found[key])

    def _compare(self, place: int, path: str, wanted: Any, got: Any) -> None:
        if not _same(wanted, got):
            self._fault(place, f"{path}: {wanted}", f"{path}: {got}")

    def _includes(self, place: int, path: str, wanted: Sequence[Any], got: Sequence[Any]) -> None:
        missing = [item for item in wanted if item not in got]
        if missing:
            self._fault(place, f"{path} include {', '.join(map(str, missing))}", f"{path}: {', '.join(map(str, got))}")

    def _says(self, place: int, wanted: Mapping[str, Any]) -> None:
        with self.office.store.read() as work:
            register = [letter for letter in work.letters(self.number) if letter.status != "canceled"]
        for name, texts in wanted.items():
            made = [self.office.letters.text(letter.markdown) for letter in register if letter.letter == name]
            if not made:
                self._fault(place, f"a letter '{name}'", "none was issued")
                continue
            words = " ".join(made[-1].split()).casefold()
            for text in _list(texts):
                if " ".join(str(text).split()).casefold() not in words:
                    self._fault(place, f"letter '{name}' says: {text}", made[-1])

    def _fault(self, place: int, expected: str, got: str) -> None:
        self.made.faults.append({"step": place, "expected": expected, "got": got})

    def _finish(self) -> None:
        entries = self._entries()
        self.made.timeline = timeline_of(self.book, entries)
        self.made.case = self._shown()
        self.made.letters = [letter["id"] for letter in self.made.case["letters"] if letter["status"] != "canceled"]
        for fault in replay.replay_faults(self.book, self._case(), entries):
            self._fault(0, "replaying the entries gives the stored case", f"entry {fault.seq}: {fault.text}")


def merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Maps merge key by key; everything else, lists included, is replaced."""
    made = dict(base)
    for key, value in change.items():
        old = made.get(key)
        made[key] = merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return made


def _map(text: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = text.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadInput(f"'{key}' must have named parts, such as {key}: {{...}}")
    return value


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _same(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool) or wanted is None or got is None:
        return wanted is got
    if isinstance(wanted, (list, tuple)) and isinstance(got, (list, tuple)):
        return len(wanted) == len(got) and all(map(_same, wanted, got))
    if isinstance(wanted, (int, str, date)) and isinstance(got, (int, str)):
        return str(wanted) == str(got)
    return bool(wanted == got)


def _matches(refused: Refused, wanted: str) -> bool:
    return any(wanted in (reason.code, reason.id) for reason in refused.reasons)


def _is_letter_fault(error: CaseflowError, wanted: Any) -> bool:
    return wanted == "letter-incomplete" and isinstance(error, LetterFault)


def missing_coverage(books: Sequence[Rulebook], coverage: Coverage) -> list[str]:
    """Everything of the workflows that no scenario exercised."""
    found = []
    for book in books:
        flow = book.workflow
        for kind, name in wanted_coverage(book):
            key = f"{flow.workflow}/{kind}/{name}"
            if not coverage.seen.get(key):
                found.append(key)
    return found


def wanted_coverage(book: Rulebook) -> list[tuple[str, str]]:
    """Every transition, refused condition, limit, timer, letter and fee line of a workflow."""
    flow = book.workflow
    wanted: list[tuple[str, str]] = []
    for act, source, to in book.machine.edges():
        wanted.append(("transition", f"{act}:{'' if source == NEW else source}>{to}"))
    for name, action in flow.actions.items():
        wanted += [("refused", f"{name}:{need.name}") for need in action.needs if isinstance(need, Named)]
        wanted += [("letter", ref.letter) for ref in letters_named(action)]
        wanted += [("fee", fee.fee) for fee in (*action.fees, *(fee for branch in action.outcomes for fee in branch.fees))]
    wanted += [("limit", name) for name in flow.limits]
    for name, clock in flow.clocks.items():
        wanted += [("timer", f"{name}:{kind}") for kind in ("overdue", "silence", "remind") if getattr(clock, kind)]
        if clock.warn_before:
            wanted.append(("timer", f"{name}:warn"))
        if clock.alert and not clock.overdue:
            wanted.append(("timer", f"{name}:alert"))
    wanted += [("fee", ref.fee) for ref in flow.fees]
    return list(dict.fromkeys(wanted))
