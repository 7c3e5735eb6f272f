"""viewflow.fsm: a flow beside a Django model says from where to where a decorated method leads."""

from __future__ import annotations

from typing import Any

from benchmarks.peers import django_models
from benchmarks.peers.common import STATES, Steps


def steps(folder: str, cases: int, body: str) -> Steps:
    """A case, and a flow that is put around it for a step."""
    django_models.ready(folder)
    from django.db import models
    from viewflow import fsm

    class Case(models.Model):
        state = models.CharField(max_length=40, default=STATES[0])
        version = models.IntegerField(default=1)
        head = models.CharField(max_length=64, default="")
        body = models.TextField()

        class Meta:
            app_label = "peers"

    def allowed(flow: Any) -> bool:
        return bool(flow.case.version > 0)

    class Flow:
        stage = fsm.State(STATES, default=STATES[0])

        def __init__(self, case: Any) -> None:
            self.case = case

        @stage.setter()
        def _keep(self, value: str) -> None:
            self.case.state = value

        @stage.getter()
        def _read(self) -> Any:
            return self.case.state

        @stage.transition(source=STATES[0], target=STATES[1], conditions=[allowed])
        def submitted(self) -> None: ...

        @stage.transition(source=STATES[1], target=STATES[2], conditions=[allowed])
        def incomplete(self) -> None: ...

        @stage.transition(source=STATES[2], target=STATES[3], conditions=[allowed])
        def asked(self) -> None: ...

        @stage.transition(source=STATES[3], target=STATES[4], conditions=[allowed])
        def held(self) -> None: ...

        @stage.transition(source=STATES[4], target=STATES[0], conditions=[allowed])
        def reviewed(self) -> None: ...

    return django_models.stepping(Case, cases, body, lambda case: getattr(Flow(case), case.state)())
