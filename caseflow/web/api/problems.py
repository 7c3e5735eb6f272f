"""How the API says no: RFC 9457 problem details, one clear sentence, the reasons with their citations, faults by field.

Every deliberate error of the program becomes one of KINDS here, and nothing else answers with a status from 400 on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from caseflow.errors import CaseflowError, Disposed, LetterFault, NotFound, Reason, Refused, StaleCase, StoreFault
from caseflow.services.showing import reason_json
from caseflow.services.tokens import Resting
from caseflow.web.guard import TooLarge, broken, is_scarce
from caseflow.web.site import Forbidden

log = logging.getLogger("caseflow.web")
MEDIA = "application/problem+json"
BASE = "/api/v1/docs#"
LATER = {"retry-after": "5"}
KINDS: dict[str, tuple[int, str, str]] = {
    "unreadable": (400, "The call can't be read", "The body is no JSON, or a header is not of the form that it has to be."),
    "no-token": (401, "A token is needed", "Send 'Authorization: Bearer TOKEN' with a token that is still open; a signed-in browser opens nothing here."),
    "not-permitted": (403, "The role may not", "The token's role, or its scope, does not open this; another person's token may."),
    "not-found": (404, "Not found", "There is nothing of that name, or it is not yours to see; the two are told apart nowhere."),
    "disposed": (410, "Disposed of", "The record was disposed of under a schedule; `disposed` is its stub. The number is not given again."),
    "no-such-method": (405, "Not that way", "The address exists and takes another method; `Allow` names it."),
    "refused": (409, "The law or the workflow says no", "`reasons` lists every one, with its citation and what to do instead. Nothing was recorded."),
    "at-work": (409, "The same call is at work", "A call with this Idempotency-Key has not ended yet; ask again in a second."),
    "stale": (412, "The case has moved on", "Since the version in If-Match something changed that the write stands on. Read the case again and decide anew."),
    "too-large": (413, "Too much at once", "The body is larger than a million bytes, or a document than the agency takes."),
    "not-json": (415, "Not JSON", "Send the body as application/json."),
    "invalid": (422, "Something in the call is not right", "`faults` names each field by its place; nothing was recorded."),
    "key-used": (422, "The key was used for something else", "An Idempotency-Key names one call and its body; take a new one for another."),
    "not-seen": (428, "If-Match is needed", "A write to a case says which version it was decided on: send the ETag of the case in If-Match."),
    "key-needed": (428, "Idempotency-Key is needed", "Filing twice would open two cases and charge twice: send a key of your own, such as a UUID."),
    "resting": (429, "Too many wrong tokens", "This address rests for 15 minutes after many wrong tokens; a right token still opens."),
    "broken": (500, "Something broke", "The number in `detail` stands in the log, beside the place."),
    "no-room": (
        503,
        "There is no room for it now",
        "The program is short of memory or of files: look whether it was recorded, and try again after `Retry-After` seconds.",
    ),
    "store-failed": (503, "The database can't do it now", "Nothing was changed; try again after `Retry-After` seconds."),
}
"""Kinds of problems, for a bare status the first that has it: status, title, and what it means. `type` is the place of the kind on the page of the API."""


@dataclass
class Problem(Exception):
    """An answer that says no. `faults`: (JSON pointer or place of the field, sentence)."""

    kind: str
    detail: str
    reasons: Sequence[Mapping[str, Any]] = ()
    faults: Sequence[tuple[str, str]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)


def answered(problem: Problem) -> Response:
    """A problem as an answer."""
    status, title, _ = KINDS[problem.kind]
    body = {
        "type": BASE + problem.kind,
        "title": title,
        "status": status,
        "detail": problem.detail,
        "reasons": list(problem.reasons),
        "faults": [{"at": at, "text": text} for at, text in problem.faults],
        **problem.more,
    }
    return JSONResponse(body, status, headers=dict(problem.headers), media_type=MEDIA)


def no_token(detail: str = "This needs a token: send 'Authorization: Bearer TOKEN'.") -> Problem:
    """Nobody is known by what was sent."""
    return Problem("no-token", detail, headers={"www-authenticate": 'Bearer realm="caseflow"'})


def of_fault(fault: CaseflowError) -> Problem:
    """A deliberate error of the services as a problem."""
    if isinstance(fault, StaleCase):
        return Problem("stale", str(fault), _reasons(fault))
    if isinstance(fault, Refused):
        return _refused(fault)
    if isinstance(fault, LetterFault):
        reason = Reason("letter-incomplete", fault.letter, str(fault), instead="State what is missing with the action.")
        return Problem("refused", str(fault), [reason_json(reason)])
    if isinstance(fault, StoreFault):
        log.error("an answer failed, since the database did: %s", type(fault).__name__)
        return Problem("store-failed", "The database could not do it; nothing was changed.", headers=LATER)
    if isinstance(fault, Disposed):
        return Problem("disposed", str(fault), more={"disposed": fault.stub})
    if isinstance(fault, NotFound):
        return Problem("not-found", str(fault))
    if isinstance(fault, Resting):
        return Problem("resting", str(fault), headers={"retry-after": "900"})
    return Problem("invalid", str(fault))


def _reasons(fault: Refused) -> list[dict[str, Any]]:
    return [reason_json(reason) for reason in fault.reasons]


def _refused(fault: Refused) -> Problem:
    codes = {reason.code for reason in fault.reasons}
    faults = [(_place(reason), reason.text) for reason in fault.reasons if reason.code in ("facts-invalid", "date-invalid")]
    if codes == {"unknown-action"}:
        return Problem("not-found", str(fault), _reasons(fault))
    # Facts that can't be read fail the conditions that ask for them, too; a state or a spent limit refuses whatever they say.
    wrong = bool(faults) and not codes & {"wrong-state", "limit-reached"}
    kind = "not-permitted" if "not-permitted" in codes else "invalid" if wrong else "refused"
    return Problem(kind, str(fault), _reasons(fault), faults)


def _place(reason: Reason) -> str:
    return "/on" if reason.code == "date-invalid" else f"/facts/{pointer(reason.id)}"


def pointer(name: object) -> str:
    """A name as a part of a JSON pointer (RFC 6901)."""
    return str(name).replace("~", "~0").replace("/", "~1")


def of_validation(found: Iterable[Mapping[str, Any]]) -> Problem:
    """What the models found in a call as a problem: the body by JSON pointer, the rest as `query.limit` or `path.seq`."""
    faults = []
    for one in found:
        place, *rest = one["loc"] or ("body",)
        at = "/" + "/".join(pointer(part) for part in rest) if place == "body" else ".".join(map(str, (place, *rest)))
        if one["type"] == "json_invalid":
            return Problem("unreadable", "The body is no JSON: " + str((one.get("ctx") or {}).get("error", "it ends too early")) + ".")
        faults.append((at if rest else "/", _sentence(str(one["msg"]))))
    named = "; ".join(f"{at}: {text}" for at, text in faults[:5])
    return Problem("invalid", f"The call is not right at {named}", faults=faults)


def _sentence(text: str) -> str:
    return text.removeprefix("Value error, ").rstrip(".") + "."


def install(app: FastAPI) -> None:
    """Makes every error of the API a problem."""

    def problem(_request: Request, fault: Exception) -> Response:
        assert isinstance(fault, Problem)
        return answered(fault)

    def deliberate(_request: Request, fault: Exception) -> Response:
        assert isinstance(fault, CaseflowError)
        return answered(of_fault(fault))

    def http(request: Request, fault: Exception) -> Response:
        assert isinstance(fault, HTTPException)
        if isinstance(fault.__cause__, Exception) and is_scarce(fault.__cause__):  # the frame takes it for a body that can't be read
            return unforeseen(request, fault.__cause__)
        headers = {"allow": _allowed(request)} if fault.status_code == 405 else fault.headers
        return answered(of_status(fault.status_code, headers))

    def invalid(_request: Request, fault: Exception) -> Response:
        assert isinstance(fault, RequestValidationError)
        return answered(of_validation(fault.errors()))

    def unforeseen(_request: Request, fault: Exception) -> Response:
        status, text = broken(fault)
        return answered(of_status(status, detail=text))

    app.add_exception_handler(Problem, problem)
    app.add_exception_handler(CaseflowError, deliberate)
    app.add_exception_handler(Forbidden, lambda _, fault: answered(Problem("not-permitted", str(fault))))
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(TooLarge, lambda *_: answered(of_status(413)))
    app.add_exception_handler(Exception, unforeseen)


def _allowed(request: Request) -> str:
    """Every method of an address: the frame names only those of the first route that it meets there."""
    found: set[str] = set()
    for path, methods in request.app.state.text()["paths"].items():
        pattern = re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path))
        if re.fullmatch(pattern, request.url.path.removeprefix("/api/v1")):
            found.update(method.upper() for method in methods)
    return ", ".join(sorted(found))


def of_status(status: int, headers: Mapping[str, str] | None = None, detail: str | None = None) -> Problem:
    """A bare status as a problem: what the frame refuses before the API is asked."""
    kind = next((name for name, (number, _, _) in KINDS.items() if number == status), "unreadable")
    return Problem(kind, detail or KINDS[kind][2], headers=headers or (LATER if status == 503 else {}))
