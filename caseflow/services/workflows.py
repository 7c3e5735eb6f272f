"""A workflow as a lawyer checks it: every action, clock, limit, letter, fee and setting in words, each with the law it stands on.

Nothing is decided here and nothing is counted: the words are those of the pack, joined. How it is drawn is an adapter's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.clock import length_text
from caseflow.domain.facts import nearest
from caseflow.domain.fees import amount_of
from caseflow.domain.rulebook import Rulebook, settings_of
from caseflow.domain.stating import moment_said, test_said, titled
from caseflow.errors import NotFound
from caseflow.services.office import Office
from caseflow.services.people import Person
from caseflow.services.ports.docket import DocketFilter
from caseflow.services.trying import fee_text

SCHEDULER = ("scheduler",)
SURENESS = {"verified": "read in the law", "inferred": "inferred", "recalled": "recalled, not read", "not-found": "no source found"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A letter written from a sample request."""

    title: str
    subject: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A diagram: its SVG, and the actions named beneath it, {title, sources, targets, time}."""

    svg: str
    beneath: tuple[Mapping[str, Any], ...]


class Workflows:
    """Answers about workflows. `draw` makes the diagram of a rulebook with a state marked, `sample` a letter of a workflow, `scenarios` counts tests,
    `proof` is what is kept of the last walk of it (a page never walks)."""

    def __init__(
        self,
        office: Office,
        draw: Callable[[Rulebook, str | None], Drawn],
        sample: Callable[[p.Pack, str, str], Sample | None],
        scenarios: Callable[[], Mapping[str, int]],
        proof: Callable[[p.Pack, p.Workflow], Mapping[str, Any] | None] = lambda _pack, _flow: None,
    ) -> None:
        self._office, self._draw, self._sample, self._scenarios, self._proof = office, draw, sample, scenarios, proof

    def all(self, person: Person) -> list[dict[str, Any]]:
        """Every workflow, by title: {workflow, title, law, in_force, version, states, actions, clocks, letters, open}."""
        counted = self._office.store.count(DocketFilter(open_only=True, seen=person.sees), [DocketFilter()], "workflow")
        shown = ((pack, flow) for pack in self._office.packs.all() for flow in pack.workflows if pack.workflow(flow.workflow) is flow)
        made = [self._line(pack, flow, counted.get(flow.workflow, (0,))[0]) for pack, flow in shown]
        return sorted(made, key=lambda one: one["title"])

    def _line(self, pack: p.Pack, flow: p.Workflow, open_cases: int) -> dict[str, Any]:
        return {
            "workflow": flow.workflow,
            "title": flow.title,
            "law": flow.law,
            "in_force": _in_force(flow.in_force),
            "version": flow.version,
            "pack": {"id": pack.text.pack, "title": pack.text.title, "version": pack.text.version},
            "states": len(flow.states),
            "actions": len(flow.actions),
            "clocks": len(flow.clocks),
            "letters": len(_letters_of(flow)),
            "open": open_cases,
            "scenarios": self._scenarios().get(flow.workflow, 0),
        }

    def page(self, person: Person, name: str, since: str | None = None, case: str | None = None) -> dict[str, Any]:
        """Everything of a workflow: in the version that began on the day `since` (the newest without one), or as a case was filed under it.

        The caller has asked whether the person sees the case. Raises NotFound.
        """
        found = self._case(name, case) if case is not None else None
        pack, flow = (found[0].pack, found[0].workflow) if found is not None else self._of(name, since)
        book = found[0] if found is not None else Rulebook(pack, flow, flow.in_force.from_ or self._today())
        drawn = self._draw(book, found[1] if found is not None else None)
        open_cases = self._office.store.count(DocketFilter(open_only=True, workflow=flow.workflow, seen=person.sees), [DocketFilter()])
        named = _settings_named(pack, flow)
        settings, day = settings_of(pack, {}), flow.in_force.from_ or self._today()
        made = {
            **self._line(pack, flow, open_cases[None][0]),
            "versions": [
                {"version": one.version, "in_force": _in_force(one.in_force), "shown": one is flow} for one in pack.workflows if one.workflow == flow.workflow
            ],
            "case": {"number": case, "state": flow.states[found[1]].title} if found is not None else None,
            "svg": drawn.svg,
            "beneath": list(drawn.beneath),
            "claims": _claims(flow, kept := self._proof(pack, flow)),
            "proof": {key: kept[key] for key in ("states", "edges", "depth", "seconds", "broken")} if kept is not None else None,
            "states": [
                {"id": key, "title": one.title, "turn": one.turn, "ends": one.ends, "say": one.say.staff if one.say else None, **law(one)}
                for key, one in flow.states.items()
            ],
            "moves": list(_moves(book)),
            "actions": [_action(book, key, one) for key, one in flow.actions.items()],
            "clocks": [_clock(book, key, one, settings) for key, one in flow.clocks.items()],
            "limits": [
                {
                    "id": key,
                    "title": one.title,
                    "text": one.text,
                    "times": one.times,
                    "actions": [titled(book, act) for act in one.action],
                    "instead": one.instead,
                    "unless": test_said(book, one.unless),
                    **law(one),
                }
                for key, one in flow.limits.items()
            ],
            "conditions": [
                {"id": key, "text": one.text, "instead": one.instead, "test": test_said(book, one.test), "applies": test_said(book, one.applies), **law(one)}
                for key, one in flow.conditions.items()
            ],
            "items": [
                {
                    "id": key,
                    "title": one.title,
                    "parts": list(one.parts),
                    "required": one.required if isinstance(one.required, bool) else test_said(book, one.required),
                    "petition": key in flow.petition_items,
                    **law(one),
                }
                for key, one in {**flow.items, **flow.petition_items}.items()
            ],
            "exclusions": [{"id": key, "title": one.title, "instead": one.instead, **law(one)} for key, one in flow.exclusions.items()],
            "letters": [_letter(book, key, acts) for key, acts in _letters_of(flow).items()],
            "fees": [_fee(book, key, acts, settings) for key, acts in _fees_of(flow).items()],
            "settings": [_setting(key, one) for key, one in pack.text.settings.items() if key in named],
            "readings": list(_readings(flow)),
            "rules": [*(_ruleset(book, one, day) for one in dict.fromkeys((*flow.rules, *flow.screens))), *_borrowed(book, day)],
            "sureness": {key: count for key in SURENESS if (count := Counter(one["confidence"] for one in _stated(flow))[key])},
            "unsure": [one for one in _stated(flow) if one["confidence"] not in (None, "verified")],
            "sure_words": SURENESS,
        }
        return {key: _with_questions(value, {name: one.question for name, one in pack.text.settings.items()}) for key, value in made.items()}

    def letter(self, name: str, letter: str) -> dict[str, Any]:
        """A letter of a workflow with a sample request: {workflow, title, letter, subject, markdown}. Raises NotFound."""
        pack, flow = self._of(name, None)
        if letter not in _letters_of(flow):
            raise NotFound(f"{flow.title} has no letter '{letter[:60]}'.")
        made = self._sample(pack, flow.workflow, letter)
        title = pack.letters[letter].title
        return {
            "workflow": flow.workflow,
            "title": flow.title,
            "letter": title,
            "subject": made.subject if made is not None else title,
            "markdown": made.markdown if made is not None else None,
            **law(pack.letters[letter]),
        }

    def _of(self, name: str, since: str | None) -> tuple[p.Pack, p.Workflow]:
        packs = self._office.packs.all()
        for pack in packs:
            flow = pack.workflow(name)
            if flow is not None and since is not None:
                flow = next((one for one in pack.workflows if one.workflow == name and str(one.in_force.from_) == since), None)
            if flow is not None:
                return pack, flow
        raise NotFound(f"There is no workflow '{name[:60]}'{nearest(name, [flow.workflow for pack in packs for flow in pack.workflows])}.")

    def _case(self, name: str, number: str) -> tuple[Rulebook, str]:
        with self._office.store.read() as work:
            case = work.case(number)
        if case.workflow != name:
            raise NotFound(f"The case {number} does not follow the workflow '{name[:60]}'.")
        return self._office.packs.of(case), case.state

    def _today(self) -> date:
        return self._office.calendar.local_day(self._office.now())


def law(one: p.Cited) -> dict[str, Any]:
    """What something stands on: {cite, note, policy, reading, confidence}."""
    return {"cite": one.cite, "note": one.note, "policy": one.policy, "reading": one.reading, "confidence": one.confidence}


def _in_force(one: p.InForce) -> dict[str, Any]:
    return {"from": one.from_.isoformat() if one.from_ else None, "until": one.until.isoformat() if one.until else None}


def _moves(book: Rulebook) -> Iterator[dict[str, Any]]:
    """The diagram as a table: from, to, by which actions."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for action, source, to in book.machine.edges():
        if source != to:
            found.setdefault((source, to), {})[action] = None
    flow = book.workflow
    for (source, to), actions in found.items():
        yield {
            "from": flow.states[source].title if source in flow.states else "Beginning",
            "to": flow.states[to].title,
            "actions": [{"id": one, "title": flow.actions[one].title, "time": flow.actions[one].by == SCHEDULER} for one in actions],
        }


def _action(book: Rulebook, name: str, one: p.Action) -> dict[str, Any]:
    flow = book.workflow
    sources = [flow.states[state].title for state in flow.states_of(one.from_)]
    outcomes = []
    for branch in one.outcomes:
        to = branch.to or one.to
        outcomes.append(
            {
                "when": test_said(book, branch.when) if branch.when is not None else "otherwise",
                "to": flow.states[to].title if to in flow.states and to is not None else to,
                "disposition": flow.dispositions.get(branch.disposition, branch.disposition) if branch.disposition else None,
            }
        )
    return {
        "id": name,
        "title": one.title,
        "hint": one.hint,
        "by": [book.pack.text.roles[role].title or role if role in book.pack.text.roles else role for role in one.by],
        "time": one.by == SCHEDULER,
        "from": sources if len(sources) < len(flow.states) else ["any state"],
        "to": flow.states[one.to].title
        if one.to is not None and one.to in flow.states
        else {"same": "stays", "previous": "the state before", None: "stays"}.get(one.to, one.to),
        "outcomes": outcomes,
        "disposition": flow.dispositions.get(one.disposition, one.disposition) if one.disposition else None,
        "needs": [_need(book, need) for need in one.needs],
        "letters": [{"id": ref.letter, "title": book.pack.letters[ref.letter].title, "when": test_said(book, ref.when)} for ref in p.letters_named(one)],
        "limits": [flow.limits[limit].title for limit in book.limits.get(name, ())],
        "clocks": list(dict.fromkeys(f"{_MOVES[move.kind]} “{flow.clocks[move.clock].title}”" for move in book.moves.get(name, ()) if move.kind in _MOVES)),
        **law(one),
    }


_MOVES = {
    "start": "starts",
    "hold": "holds",
    "resume": "lets go on",
    "displace": "displaces",
    "fit": "ends the displacement of",
    "met": "meets",
    "stop": "ends",
    "cancel": "cancels",
    "extend": "extends",
}


def _need(book: Rulebook, need: Any) -> dict[str, Any]:
    condition = book.conditions.get(need.name) if isinstance(need, p.Named) else None
    return {"text": condition.text if condition is not None else test_said(book, need), "cite": condition.cite if condition is not None else None}


def _clock(book: Rulebook, name: str, one: p.Clock, settings: Mapping[str, Any]) -> dict[str, Any]:
    parts = [
        ("Starts", [moment_said(book, moment, settings) for moment in one.starts]),
        ("Is held", [said for hold in one.holds for said in _hold(book, hold, settings)]),
        ("Is extended", [moment_said(book, moment, settings) for moment in one.extended]),
        ("Has no last day", [moment_said(book, moment, settings) for moment in one.displaced]),
        ("Has one again", [moment_said(book, moment, settings) for moment in one.fits_again]),
        ("Is met", [moment_said(book, moment, settings) for moment in one.met]),
        ("Ends", [moment_said(book, moment, settings) for moment in one.stopped]),
        ("Is canceled", [moment_said(book, moment, settings) for moment in one.canceled]),
    ]
    ends = [
        (one.overdue, "When the last day is over"),
        (one.silence, "If nobody acts by the last day"),
        (one.remind, "On the last day"),
    ]
    warned = settings.get(one.warn_before.setting) if isinstance(one.warn_before, p.SettingRef) else one.warn_before
    rolls = one.rolls if one.rolls is not None else True
    return {
        "id": name,
        "title": one.title,
        "length": length_text(one.length, settings) if one.length is not None else None,
        "actor": book.pack.calendar.actors[one.actor or book.calendar.agency].title,
        "parts": [{"head": head, "said": said} for head, said in parts if said],
        "ends": [{"head": head, "action": titled(book, action)} for action, head in ends if action],
        "silence": one.silence is not None,
        "alert": one.alert,
        "warnings": list(warned or ()),
        "target": "the last open day before the roll" if book.before_roll(one) else "the last day on or before it on which the office is open",
        "rolls": rolls,
        "waits_in": [book.workflow.states[state].title for state in book.workflow.states_of(one.waits_in)],
        "statute": one.statute,
        **law(one),
    }


def _hold(book: Rulebook, hold: p.Hold, settings: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for begin in hold.from_:
        until = "; ".join(moment_said(book, end, settings)["text"] for end in hold.until)
        said = moment_said(book, begin, settings)
        yield {"text": f"{said['text']}; until: {until}" if until else said["text"], "cite": said["cite"] or hold.cite}


def _letters_of(flow: p.Workflow) -> dict[str, list[str]]:
    """Every letter that the workflow may owe, with the actions that owe it."""
    found: dict[str, list[str]] = {}
    for name, action in flow.actions.items():
        for ref in p.letters_named(action):
            if name not in found.setdefault(ref.letter, []):
                found[ref.letter].append(name)
    return found


def _letter(book: Rulebook, name: str, acts: Sequence[str]) -> dict[str, Any]:
    one = book.pack.letters[name]
    return {
        "id": name,
        "title": one.title,
        "to": list(one.to),
        "copies": list(one.copies),
        "approval": one.approval,
        "actions": [titled(book, act) for act in acts],
        **law(one),
    }


def _fees_of(flow: p.Workflow) -> dict[str, list[tuple[str | None, Any]]]:
    """Every fee that the workflow may owe: by filing (None) or by which action, and when."""
    found: dict[str, list[tuple[str | None, Any]]] = {}
    for ref in flow.fees:
        found.setdefault(ref.fee, []).append((None, ref.when))
    for name, action in flow.actions.items():
        for ref in (*action.fees, *(one for branch in action.outcomes for one in branch.fees)):
            found.setdefault(ref.fee, []).append((name, ref.when))
    return found


def _fee(book: Rulebook, name: str, acts: Sequence[tuple[str | None, Any]], settings: Mapping[str, Any]) -> dict[str, Any]:
    one = book.pack.fees[name]
    amount, cite = amount_of(one, settings)
    owed = [f"{titled(book, act) if act else 'Filing'}{', if ' + said if (said := test_said(book, when)) else ''}" for act, when in acts]
    return {
        "id": name,
        "title": one.title,
        "amount": f"${amount:,.2f}" if amount is not None else fee_text(book.pack, one),
        "per": one.per,
        "owed": list(dict.fromkeys(owed)),
        **law(one),
        "cite": cite,
    }


def _settings_named(pack: p.Pack, flow: p.Workflow) -> set[str]:
    """The settings that the workflow, its calendar, or a fee or letter that it owes turns on."""
    parts: list[Any] = [flow.model_dump(mode="json"), pack.calendar.model_dump(mode="json")]
    parts += [pack.fees[name].model_dump(mode="json") for name in _fees_of(flow)]
    found: set[str] = set()
    while parts:
        one = parts.pop()
        if isinstance(one, Mapping):
            if isinstance(one.get("setting"), str):
                found.add(one["setting"])
            parts += one.values()
        elif isinstance(one, (list, tuple)):
            parts += one
    return found


def _setting(name: str, one: p.Setting) -> dict[str, Any]:
    if one.readings is not None:
        choices = dict(one.readings)
    elif one.when_true is not None or one.when_false is not None:
        choices = {"yes": one.when_true or "yes", "no": one.when_false or "no"}
    else:
        choices = {}
    default = {True: "yes", False: "no"}.get(one.default, one.default) if isinstance(one.default, bool) else one.default
    shown = ", ".join(map(str, default)) if isinstance(default, (list, tuple)) else str(default)
    return {"id": name, "question": one.question, "default": shown, "choices": choices, "why": one.why, **law(one)}


def _parts(flow: p.Workflow) -> Iterator[tuple[str, str, str, p.Cited]]:
    """Everything of a workflow that stands on law: its kind, id, words and itself."""
    for kind, known in (
        ("action", flow.actions),
        ("clock", flow.clocks),
        ("limit", flow.limits),
        ("condition", flow.conditions),
        ("item", {**flow.items, **flow.petition_items}),
        ("exclusion", flow.exclusions),
        ("state", flow.states),
    ):
        for name, one in known.items():
            yield kind, name, str(getattr(one, "title", None) or getattr(one, "text", name)), one


def _stated(flow: p.Workflow) -> list[dict[str, Any]]:
    return [{"kind": kind, "id": name, "title": title, **law(one)} for kind, name, title, one in _parts(flow)]


def _readings(flow: p.Workflow) -> Iterator[dict[str, Any]]:
    """The readings of the law that the workflow has taken, each once, with what follows it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in _stated(flow):
        if one["reading"]:
            found.setdefault(one["reading"], []).append(one)
    for text, used in found.items():
        yield {"reading": text, "used": used}


def _ruleset(book: Rulebook, name: str, day: date, only: Mapping[str, p.Rule] | None = None) -> dict[str, Any]:
    """A rule set as the workflow reads it; of another set only the rules that are asked."""
    one = book.pack.ruleset(name, day)
    if one is None:
        raise NotFound(f"There is no rule set '{name}'.")
    shown = only if only is not None else {key: book.rules.get(key, rule) for key, rule in one.rules().items()}
    parts = [(part, [key for key in part.rules if key in shown]) for part in one.parts.values()]
    return {
        "id": name,
        "title": one.title or name,
        "version": one.version,
        "in_force": _in_force(one.in_force),
        "after_end": one.after_end.text if one.after_end is not None else None,
        "part_of": only is not None,
        "parts": [{"title": part.title, "cite": part.cite, "rules": [_rule(key, shown[key]) for key in keys]} for part, keys in parts if keys],
        **law(one),
    }


def _rule(name: str, one: p.Rule) -> dict[str, Any]:
    return {"id": name, "text": one.text or one.then or name, "kind": one.kind, "mode": one.mode, "within": one.within, **law(one)}


def _borrowed(book: Rulebook, day: date) -> Iterator[dict[str, Any]]:
    """The rules of other sets that the workflow's own rules ask."""
    found: dict[str, dict[str, p.Rule]] = {}
    for key, rule in book.rules.items():
        name, _, own = key.partition("/")
        if own:
            found.setdefault(name, {})[own] = rule
    for name, rules in found.items():
        yield _ruleset(book, name, day, rules)


def _with_questions(value: Any, questions: Mapping[str, str]) -> Any:
    """Plain values in which a reading that names a setting says its question instead."""
    if isinstance(value, Mapping):
        return {key: _asked(one, questions) if key == "reading" and one else _with_questions(one, questions) for key, one in value.items()}
    return [_with_questions(one, questions) for one in value] if isinstance(value, list) else value


def _asked(text: str, questions: Mapping[str, str]) -> str:
    return re.sub(r"[a-z0-9]+(?:_[a-z0-9]+)+", lambda found: f"“{questions[found[0]]}”" if found[0] in questions else found[0], text)


def _claims(flow: p.Workflow, kept: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The claims asked of a workflow, its own first, each with how it fared in the walk that is kept (None: not walked)."""
    fared = {one["id"]: one for one in kept["claims"]} if kept is not None else {}
    asked = {**flow.claims, **{name: claim for name, claim in p.asked_everywhere().items() if name not in flow.claims}}
    return [
        {
            "id": name,
            "text": claim.text,
            "everywhere": name not in flow.claims,
            "holds": fared[name]["holds"] if name in fared else None,
            "said": fared[name]["said"] if name in fared else None,
            "path": fared[name]["path"] if name in fared else [],
            **law(claim),
        }
        for name, claim in asked.items()
    ]
