"""SpiffWorkflow: a case is a BPMN process kept as JSON; a step loads it, runs its next task, and saves it with the rest."""

from __future__ import annotations

from io import BytesIO

from benchmarks.peers.bare import advance, opened
from benchmarks.peers.common import STATES, Steps

SPACE = "http://www.omg.org/spec/BPMN/20100524/MODEL"


def _process() -> bytes:
    tasks = "".join(f'<b:manualTask id="t{place}" name="{state}"/>' for place, state in enumerate(STATES))
    ways = [("begin", "t0"), *((f"t{place}", f"t{place + 1}") for place in range(len(STATES) - 1)), (f"t{len(STATES) - 1}", "end")]
    flows = "".join(f'<b:sequenceFlow id="w{place}" sourceRef="{one}" targetRef="{other}"/>' for place, (one, other) in enumerate(ways))
    body = f'<b:startEvent id="begin"/>{tasks}<b:endEvent id="end"/>{flows}'
    return f'<b:definitions xmlns:b="{SPACE}" targetNamespace="peers"><b:process id="case" isExecutable="true">{body}</b:process></b:definitions>'.encode()


def steps(folder: str, cases: int, body: str) -> Steps:
    """The process goes round: one that has ended begins anew."""
    from SpiffWorkflow.bpmn.parser import BpmnParser
    from SpiffWorkflow.bpmn.serializer import BpmnWorkflowSerializer
    from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
    from SpiffWorkflow.util.task import TaskState

    parser = BpmnParser()
    parser.add_bpmn_io(BytesIO(_process()))
    fresh = BpmnWorkflow(parser.get_spec("case"))
    fresh.do_engine_steps()
    serializer = BpmnWorkflowSerializer(BpmnWorkflowSerializer.configure())
    first = serializer.serialize_json(fresh)
    connection = opened(folder, cases, body)
    connection.execute("CREATE TABLE process (id INTEGER PRIMARY KEY, kept TEXT NOT NULL)")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO process VALUES (?, ?)", [(place, first) for place in range(cases)])
    connection.execute("COMMIT")

    def step(place: int) -> None:
        connection.execute("BEGIN IMMEDIATE")
        process = serializer.deserialize_json(connection.execute("SELECT kept FROM process WHERE id = ?", (place,)).fetchone()[0])
        task = next(iter(process.get_tasks(state=TaskState.READY)), None)
        if task is None:
            process = serializer.deserialize_json(first)
            task = next(iter(process.get_tasks(state=TaskState.READY)))
        task.run()
        process.do_engine_steps()
        connection.execute("UPDATE process SET kept = ? WHERE id = ?", (serializer.serialize_json(process), place))
        advance(connection, place)
        connection.execute("COMMIT")

    return step
