"""`caseflow dispatch` with a mail server on this machine: it waits when the server says so, delivers, and keeps the proof."""

from __future__ import annotations

import json
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

from click.testing import CliRunner

from caseflow.cli.main import cli
from tests.conftest import ROOT
from tests.faults.sink import Sink, running
from tests.letters.making import facts

SAMPLE = ROOT / "workflows/wisconsin-dnr/samples/navigability-confirmation/complete.yaml"


def test_dispatch_waits_for_a_greylisting_server_delivers_and_records_each_attempt(tmp_path: Path) -> None:
    sink = Sink(lambda copy, times: "later" if copy.endswith("L1-1") and times == 1 else "well")

    def run(at: str, *words: str) -> Any:
        server = ["--smtp-host", "127.0.0.1", "--smtp-port", str(port), "--smtp-tls", "none", "--smtp-from", "letters@example.gov"]
        ended = CliRunner().invoke(cli, ["--database", f"sqlite:///{tmp_path / 'case.db'}", "--at", at, *server, *words, "--json"])
        assert ended.exit_code == 0, ended.output
        return json.loads(ended.stdout)

    with running(sink) as port:
        run("2026-11-30T09:00", "init")
        case = run("2026-11-30T09:00", "file", str(SAMPLE))["cases"][0]["case"]
        early = run("2026-11-30T09:05", "dispatch")  # mail waits 15 minutes, so that a mistake can be taken back
        first = run("2026-11-30T09:20", "dispatch")
        again = run("2026-11-30T09:30", "dispatch")
        idle = run("2026-11-30T12:00", "dispatch")
        kept = run("2026-11-30T12:00", "letters", "show", f"{case}-L1")

    assert (early["copies"], first["copies"], first["waiting"], again["copies"], again["sent"], idle["copies"]) == (0, 1, 1, 1, 1, 0)
    assert [(one["outcome"], one["number"]) for copy in kept["copies"] if copy["id"].endswith("-1") for one in copy["attempts"]] == [
        ("later", 1),
        ("accepted", 2),
    ]
    assert (kept["status"], kept["sent_on"]) == ("handed-over", "2026-11-30")
    assert [entry["action"] for entry in run_timeline(tmp_path, case)] == ["file", "letter-sent"]
    assert len({message.name for message in sink.taken}) == len(sink.taken) == 2
    read = cast(EmailMessage, message_from_bytes(sink.taken[0].data, policy=policy.default))
    assert {part.get_content_type() for part in read.walk() if not part.is_multipart()} == {"text/plain", "text/html", "application/pdf"}
    attached = next(part for part in read.walk() if part.get_content_type() == "application/pdf")
    assert facts(cast(bytes, attached.get_payload(decode=True)))["part"] == "1"


def run_timeline(folder: Path, case: str) -> Any:
    base = ["--database", f"sqlite:///{folder / 'case.db'}", "--at", "2026-11-30T12:00"]
    return json.loads(CliRunner().invoke(cli, [*base, "case", "timeline", case, "--json"]).stdout)
