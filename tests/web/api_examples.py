"""The examples of the OpenAPI text: calls on a small docket with what they are answered. `python -m tests.web.api_examples` writes them anew."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from caseflow.web.api.room import create_api
from caseflow.web.api.text import operations
from tests.conftest import PACK
from tests.web.conftest import House

FILE = Path(__file__).parents[2] / "assets" / "api" / "examples.json"
CASE, LETTER = "WD-2026-00001-1", "WD-2026-00001-1-L1"
ACT = {"facts": {"items": ["NAV-e"]}}
BECAUSE = "The items were in the second envelope"
GIVEN: list[tuple[str, dict[str, Any], Any]] = [
    ("read_me", {}, None),
    ("read_docket", {"workflow": "navigability-confirmation", "limit": 50}, None),
    ("search", {"q": "Mill Creek"}, None),
    ("read_choices", {}, None),
    ("read_board", {"as_of": "2026-12-01"}, None),
    ("read_case", {"case": CASE}, None),
    ("read_timeline", {"case": CASE, "by": "recorded", "known_on": "2026-11-30"}, None),
    ("read_why", {"case": CASE, "clock": "determination"}, None),
    ("read_actions", {"case": CASE}, None),
    ("read_action", {"case": CASE, "action": "request-information"}, None),
    ("read_people", {"case": CASE}, None),
    ("read_payments", {"case": CASE}, None),
    ("read_tasks", {"case": CASE}, None),
    ("read_letters", {"status": "owed", "limit": 50}, None),
    ("read_letters_of_case", {"case": CASE}, None),
    ("read_letter", {"letter": LETTER}, None),
    ("read_letter_pdf", {"letter": LETTER}, None),
    ("read_letter_html", {"letter": LETTER}, None),
    ("read_letter_text", {"letter": LETTER}, None),
    ("preview_letter", {"case": CASE, "template": "information-request"}, {"action": "request-information", **ACT}),
    ("read_rulesets", {"on": "2026-12-01"}, None),
    ("read_ruleset", {"ruleset": "nr329-exemptions", "on": "2026-03-01"}, None),
    ("evaluate", {"ruleset": "nr329-exemptions"}, {"facts": {"activity": "new_riprap"}, "on": "2026-03-01"}),
    ("screen", {}, {"facts": {"activity": "new_riprap"}, "on": "2026-12-01"}),
    ("read_calendar", {"year": 2027, "name": "wisconsin-dnr"}, None),
    ("read_deadlines", {"month": "2026-12"}, None),
    ("read_workflows", {}, None),
    ("read_workflow", {"workflow": "navigability-confirmation"}, None),
    ("read_diagram", {"workflow": "navigability-confirmation"}, None),
    ("read_form", {"workflow": "navigability-confirmation"}, None),
    ("quote", {}, "request"),
    ("try_filing", {}, "request"),
    ("file_request", {"Idempotency-Key": "5f0c6c2e-8d5a-4c8e-9a57-1b9f3f0a7c11"}, "filing"),
    ("try_act", {"case": CASE, "action": "request-information"}, ACT),
    ("act", {"case": CASE, "action": "request-information", "If-Match": '"1"', "Idempotency-Key": "0b6a0f0e-5f0c-4c39-8f5e-0a5d7a1a2b3c"}, ACT),
    ("try_correction", {"case": CASE, "seq": 2}, {"on": None}),
    ("void_entry", {"case": CASE, "seq": 2, "If-Match": '"2"'}, {"because": BECAUSE}),
    ("correct_letter", {"letter": LETTER, "If-Match": '"3"'}, {"because": "The name of the water was misspelt"}),
    ("read_work", {"view": "all"}, None),
    ("read_assignments", {}, None),
    ("assign", {"Idempotency-Key": "3c2f6f0e-1d1b-4f5e-9c55-2f1f0a1b7d01"}, {"cases": [CASE], "to": "odell", "because": "Knows the reach"}),
    ("read_left", {"from": "odell"}, None),
    ("save_view", {"Idempotency-Key": "3c2f6f0e-1d1b-4f5e-9c55-2f1f0a1b7d02"}, {"name": "Dane County", "address": "/docket?county=Dane"}),
    ("read_views", {}, None),
    ("drop_view", {"Idempotency-Key": "3c2f6f0e-1d1b-4f5e-9c55-2f1f0a1b7d03"}, {"name": "Dane County"}),
    ("add_document", {"case": CASE, "name": "stations 1 to 3.pdf", "item": "NAV-e", "If-Match": "*"}, b"%PDF-1.7\n% three pages\n"),
    ("read_documents", {"case": CASE}, None),
    ("read_document", {"document": f"{CASE}-D1"}, None),
    ("add_people", {"case": CASE, "If-Match": "*"}, {"list": "name,email\nBartholomew Reed,reed@example.org\n"}),
    ("read_case_audit", {"case": CASE, "known_on": "2026-11-30"}, None),
    ("read_audit", {"from": "2026-11-30", "to": "2026-12-01", "what": "acts"}, None),
]
LONG = {
    "act",
    "void_entry",
    "file_request",
    "try_filing",
    "read_workflow",
    "correct_letter",
    "read_actions",
    "screen",
    "evaluate",
    "read_letter",
    "preview_letter",
    "add_people",
    "read_case_audit",
    "read_audit",
}
"""Operations whose answers have the shape of one shown elsewhere, are long, or tell who looked when: their calls are kept, and the status."""


def docket(folder: Path) -> TestClient:
    """A program of a supervisor's on a docket of one case, a day after it was filed."""
    made = House(folder)
    app = made.app()
    app.store.upgrade()
    app.people.add("odell", "Odell Halloway", "supervisor", "correct-horse-battery")
    made.file()
    return made.program("odell", "act")


def bodies() -> dict[str, Any]:
    from caseflow.bootstrap import App

    sample = App().read_yaml(str(PACK / "samples" / "navigability-confirmation" / "complete.yaml"))
    return {"request": sample, "filing": {"request": sample}}


def made(client: TestClient) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each call in order, with its answer."""
    known = {operation["operationId"]: (path, method) for path, method, operation in operations(create_api().state.text())}
    for name, given, body in GIVEN:
        path, method = known[name]
        sent = bodies()[body] if isinstance(body, str) else body
        headers = {key: value for key, value in given.items() if key[0].isupper()}
        query = {key: value for key, value in given.items() if key not in headers and "{" + key + "}" not in path}
        address = re.sub(r"\{(\w+)\}", lambda found, given=given: str(given[found[1]]), path)  # type: ignore[misc]
        more = {"content": sent} if isinstance(sent, bytes) else {"json": sent} if sent is not None else {}
        answer = client.request(method, f"/api/v1{address}", params=query, headers=headers, **more)
        shown = {"given": given, **({"body": sent} if sent is not None and not isinstance(sent, bytes) else {}), "status": answer.status_code}
        if name not in LONG and answer.headers["content-type"] == "application/json":
            shown["answer"] = masked(answer.json())
        yield name, shown


def masked(value: Any) -> Any:
    """Without what differs from docket to docket: hashes, which are salted or change with every word of a pack, and the end of a token."""
    if isinstance(value, dict):
        return {key: "2027-03-01T15:00:00+00:00" if key == "expires_at" else masked(one) for key, one in value.items()}
    if isinstance(value, list):
        return [masked(one) for one in value]
    return "0" * 64 if isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) else value


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        FILE.write_text(json.dumps(dict(made(docket(Path(folder)))), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
