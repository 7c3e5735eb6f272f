"""django-fsm-2: the state is a field of a Django model, a transition a decorated method with its condition."""

from __future__ import annotations

from typing import Any

from benchmarks.peers import django_models
from benchmarks.peers.common import STATES, Steps


def steps(folder: str, cases: int, body: str) -> Steps:
    """A case whose methods lead from state to state."""
    django_models.ready(folder)
    from django.db import models
    from django_fsm import FSMField, transition

    def allowed(case: Any) -> bool:
        return bool(case.version > 0)

    class Case(models.Model):
        state = FSMField(default=STATES[0])
        version = models.IntegerField(default=1)
        head = models.CharField(max_length=64, default="")
        body = models.TextField()

        class Meta:
            app_label = "peers"

        @transition(field=state, source=STATES[0], target=STATES[1], conditions=[allowed])
        def submitted(self) -> None: ...

        @transition(field=state, source=STATES[1], target=STATES[2], conditions=[allowed])
        def incomplete(self) -> None: ...

        @transition(field=state, source=STATES[2], target=STATES[3], conditions=[allowed])
        def asked(self) -> None: ...

        @transition(field=state, source=STATES[3], target=STATES[4], conditions=[allowed])
        def held(self) -> None: ...

        @transition(field=state, source=STATES[4], target=STATES[0], conditions=[allowed])
        def reviewed(self) -> None: ...

    return django_models.stepping(Case, cases, body, lambda case: getattr(case, case.state)())
