"""The log of the served program: lines that a machine reads, and nothing of a case or a person in them."""

from __future__ import annotations

import json
import logging

import pytest

from caseflow.web.logs import AsJson, begin


def test_a_request_is_a_line_with_its_route_and_times() -> None:
    record = logging.LogRecord("caseflow.web", logging.INFO, "", 0, "%s %s %s %.0f ms", ("GET", "/cases/{number}", 200, 12.345), None)
    line = json.loads(AsJson().format(record))
    assert {name: line[name] for name in ("method", "route", "status", "ms")} == {"method": "GET", "route": "/cases/{number}", "status": 200, "ms": 12.3}
    assert line["said"] == "GET /cases/{number} 200 12 ms" and line["level"] == "info" and line["at"].endswith("+00:00")


@pytest.mark.parametrize("said", ["a\nb", '{"x": 1}', "\u2028", "ü"])
def test_nothing_that_is_said_makes_a_second_line(said: str) -> None:
    record = logging.LogRecord("caseflow.scheduler", logging.ERROR, "", 0, "%s", (said,), None)
    line = AsJson().format(record)
    assert "\n" not in line and json.loads(line)["said"] == said


def test_lines_go_to_standard_error_and_off_leaves_everything_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger("caseflow")
    kept = root.handlers[:], root.level, root.propagate
    try:
        begin("off")
        assert root.handlers == kept[0]
        begin("json")
        logging.getLogger("caseflow.web").info("%s %s %s %.0f ms", "GET", "/docket", 200, 1.0)
        out = capsys.readouterr()
        assert out.out == "" and json.loads(out.err)["route"] == "/docket"
    finally:
        root.handlers[:], root.propagate = kept[0], kept[2]
        root.setLevel(kept[1])
