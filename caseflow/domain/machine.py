"""A workflow as one shared transitions.Machine: which action is legal from which state, and where it leads.

The machine moves a throw-away attempt and has no effects. Its guards ask the needs of the action first, then which
outcome is taken. Automatic transitions would pass every guard, so they are off; guards are functions, never names.
"""

from __future__ import annotations

import logging
from typing import Any, cast

from transitions import Machine, MachineError

from caseflow.domain.conditions import View, answer
from caseflow.domain.pack import ONLY, Action, Branch, Test, Workflow

NEW = "(new)"
logging.getLogger("transitions").setLevel(logging.WARNING)


class Attempt:
    """One try of an action: the state it starts in, then the state it leads to; `unmet` holds the needs that failed."""

    __slots__ = ("action", "asked", "branch", "came_from", "needs", "state", "unmet", "view")

    def __init__(self, state: str, came_from: str | None, action: Action, needs: tuple[Test, ...], view: View) -> None:
        self.state = state
        self.came_from = came_from
        self.action = action
        self.needs = needs
        self.view = view
        self.branch: int | None = None
        self.unmet: list[Any] = []
        self.asked = False


class StateMachine:
    """The compiled workflow."""

    def __init__(self, workflow: Workflow) -> None:
        self._machine = Machine(
            model=None,
            states=[NEW, *workflow.states],
            initial=NEW,
            send_event=True,
            auto_transitions=False,
            queued=False,
        )
        self.sources: dict[str, tuple[str, ...]] = {}
        for name, action in workflow.actions.items():
            sources = (NEW,) if name == "file" else workflow.states_of(action.from_)
            self.sources[name] = sources
            for source in sources:
                for place, branch in enumerate(branches(action)):
                    self._add(workflow, name, source, place, branch.to or action.to or "same")

    def _add(self, workflow: Workflow, name: str, source: str, place: int, to: str) -> None:
        def taken(event: Any) -> bool:
            return _legal(event.model) and event.model.branch == place

        if to == "previous":
            for origin in _origins(workflow, source):

                def from_there(event: Any, origin: str = origin) -> bool:
                    return event.model.came_from == origin and taken(event)

                self._machine.add_transition(name, source, origin, conditions=[from_there])
        else:
            self._machine.add_transition(name, source, source if to == "same" else to, conditions=[taken])

    def fire(self, name: str, attempt: Attempt) -> bool:
        """Whether the action is legal; then `attempt.state` is where it leads and `attempt.branch` which outcome."""
        event = cast(Any, self._machine.events[name])
        try:
            return bool(event.trigger(attempt))
        except MachineError:
            return False

    def edges(self) -> list[tuple[str, str, str]]:
        """(action, source, destination) of every transition, each once, in the order written."""
        found: dict[tuple[str, str, str], None] = {}
        for name, event in self._machine.events.items():
            for transitions in event.transitions.values():
                for transition in transitions:
                    found[(name, transition.source, transition.dest or transition.source)] = None
        return list(found)


def _origins(workflow: Workflow, state: str) -> list[str]:
    """The states from which an act leads into a state."""
    leads = [action for action in workflow.actions.values() if any((branch.to or action.to) == state for branch in branches(action))]
    found = {source for action in leads for source in workflow.states_of(action.from_) if source != state}
    return [name for name in workflow.states if name in found]


def branches(action: Action) -> tuple[Branch, ...]:
    """The outcomes of an action; one plain outcome where it states none."""
    return action.outcomes or (ONLY,)


def choose(action: Action, view: View) -> int | None:
    """Which outcome is taken: the first that holds. Unknown is not taken."""
    for place, branch in enumerate(branches(action)):
        if branch.when is None or answer(branch.when, view) is True:
            return place
    return None


def _legal(attempt: Attempt) -> bool:
    if not attempt.asked:
        attempt.asked = True
        attempt.unmet = [need for need in attempt.needs if answer(need, attempt.view) is not True]
        attempt.branch = None if attempt.unmet else choose(attempt.action, attempt.view)
    return attempt.branch is not None
