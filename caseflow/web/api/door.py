"""The door of each operation: who calls, with which scope and right, on which version, and whether the call came before.

All of it is asked before a body is read. What an operation needs stands beside it (`operation`), and the same words make
the OpenAPI text and the list of who may do what that the tests walk.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Header, Path, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel

from caseflow.errors import Disposed, NotFound
from caseflow.services.tokens import READ, Caller
from caseflow.web.api.problems import KINDS, MEDIA, Problem, no_token
from caseflow.web.site import Site, looked, site_of

E = TypeVar("E", bound=Callable[..., Any])
ETAG = re.compile(r'\*|"[1-9][0-9]{0,8}"')
KEY = re.compile(r"[A-Za-z0-9._-]{8,200}")


@dataclass(frozen=True, slots=True)
class Needs:
    """What an operation asks for. `right`: of the role, None where nobody need be known; `scope`: of the token; `seen`:
    If-Match; `once`: an Idempotency-Key is not taken, may be sent, or must be sent."""

    right: str | None = "read"
    scope: str = READ
    seen: bool = False
    once: str = ""


class Guarded(APIRoute):
    """A route that lets in only who may, before anything of the call is read."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner, needs = super().get_route_handler(), needs_of(self.endpoint)

        async def handler(request: Request) -> Response:
            if needs.right is not None:
                await run_in_threadpool(_let_in, request, needs)
            if needs.seen:
                request.state.seen = _seen(request)
            key = request.headers.get("idempotency-key") if needs.once else None
            if key is None:
                if needs.once == "must":
                    raise Problem("key-needed", KINDS["key-needed"][2])
                request.state.command = None
                return await inner(request)
            return await _once(request, key, inner)

        return handler


def needs_of(endpoint: Any) -> Needs:
    """What an operation asks for."""
    needs: Needs = endpoint.needs
    return needs


def _let_in(request: Request, needs: Needs) -> None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise no_token()
    caller: Caller | None = site_of(request).desk.tokens.who(token.strip(), request.client.host if request.client else "")
    if caller is None:
        raise no_token("This token opens nothing: it is not known, has run out, or was ended.")
    request.state.caller, request.state.person = caller, caller.person
    if needs.scope != READ and not caller.may_act():
        raise Problem("not-permitted", "This token only reads; make one that may act.")
    if needs.right is not None and not caller.person.may(needs.right):
        raise Problem("not-permitted", f"The role of this token, {caller.person.role_title}, does not open this.")


def _seen(request: Request) -> int | None:
    given = request.headers.get("if-match")
    if given is None:
        raise Problem("not-seen", KINDS["not-seen"][2])
    if not ETAG.fullmatch(given.strip()):
        raise Problem("unreadable", 'If-Match is the ETag of the case as it was read, such as "7", or * for whatever version it has.')
    return None if given.strip() == "*" else int(given.strip().strip('"'))


async def _once(request: Request, key: str, inner: Callable[[Request], Coroutine[Any, Any, Response]]) -> Response:
    """Answers a call under a key: done the first time, told again later. A call that was refused leaves its key free."""
    if not KEY.fullmatch(key):
        raise Problem("unreadable", "An Idempotency-Key has 8 to 200 letters, digits, dots, hyphens or underscores, such as a UUID.")
    answers = site_of(request).desk.answers
    content = b"\n".join((request.method.encode(), request.url.path.encode(), request.url.query.encode(), await request.body()))
    claim = await run_in_threadpool(answers.claim, request.state.caller.person.id, key, content)
    if claim.other:
        raise Problem("key-used", KINDS["key-used"][2])
    if claim.kept is not None:
        return Response(claim.kept.body, claim.kept.status, {**json.loads(claim.kept.headers), "idempotency-replayed": "true"})
    if not claim.first:
        raise Problem("at-work", KINDS["at-work"][2], headers={"retry-after": "1"})
    request.state.command = claim.command
    kept = False
    try:
        answer = await inner(request)
        if answer.status_code < 300:
            headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
            await run_in_threadpool(answers.keep, claim, answer.status_code, json.dumps(headers), bytes(answer.body))
            kept = True
    finally:
        if not kept:
            await run_in_threadpool(answers.free, claim)
    return answer


def caller_of(request: Request) -> Caller:
    """Who calls."""
    caller: Caller = request.state.caller
    return caller


def bound_site(request: Request) -> Site:
    """The services for the one write of this call: on the version that was seen, under the command of its key."""
    site = site_of(request)
    return replace(site, desk=site.desk.exactly(getattr(request.state, "seen", None), request.state.command))


def settled(request: Request) -> bool:
    """Whether the write of this call was done before and its answer was lost with the process: then it is told as done, and not tried again."""
    command = request.state.command
    return command is not None and site_of(request).desk.was_done(command)


NUMBER = Path(max_length=60, pattern=r"^[!-~]{1,60}$", description="The number of a case, or another number that it had.")
DOCUMENT = Path(max_length=80, pattern=r"^[!-~]{1,80}$", description="The number of a document.")
LETTER = Path(max_length=80, pattern=r"^[!-~]{1,80}$", description="The number of a letter in the register.")


def seen_case(case: Annotated[str, NUMBER], request: Request) -> str:
    """The number of a case that the caller sees, also where it was asked by an alias."""
    try:
        return site_of(request).desk.seeing.case(caller_of(request).person.sees, case)  # type: ignore[no-any-return]
    except Disposed:
        raise
    except NotFound:
        raise Problem("not-found", "There is no such case, or it is not yours to see.") from None


def seen_letter(letter: Annotated[str, LETTER], request: Request) -> str:
    """The number of a letter whose case the caller sees."""
    try:
        return site_of(request).desk.seeing.letter(caller_of(request).person.sees, letter)  # type: ignore[no-any-return]
    except NotFound:
        raise Problem("not-found", "There is no such letter, or it is not yours to see.") from None


def seen_document(document: Annotated[str, DOCUMENT], request: Request) -> str:
    """The number of a document whose case the caller sees."""
    try:
        return site_of(request).desk.documents.found(caller_of(request).person.sees, document).id  # type: ignore[no-any-return]
    except NotFound:
        raise Problem("not-found", "There is no such document, or it is not yours to see.") from None


Case = Annotated[str, Depends(seen_case)]
Document = Annotated[str, Depends(seen_document)]
Letter = Annotated[str, Depends(seen_letter)]
Who = Annotated[Caller, Depends(caller_of)]
Desk = Annotated[Site, Depends(site_of)]
Bound = Annotated[Site, Depends(bound_site)]


def actor(caller: Caller) -> str:
    """Who acts, as services read it."""
    return f"{caller.person.id}:{caller.person.role}"


# --- answers ------------------------------------------------------------------------------------------------------


def told(data: Any, version: int | None = None, status: int = 200) -> Response:
    """An answer; with a version, its ETag: the revision of the case, for If-Match."""
    return JSONResponse(data, status, headers={"etag": f'"{version}"'} if version is not None else None)


def told_case(request: Request, data: Any, what: str, status: int = 200) -> Response:
    """A case as an answer, noted as read."""
    looked(request, data["case"], f"api {what}")
    return told(data, data["version"], status)


# --- describing ---------------------------------------------------------------------------------------------------


def operation(
    router: APIRouter,
    method: str,
    path: str,
    answer: type[BaseModel] | dict[str, Any],
    *,
    needs: Needs = Needs(),  # noqa: B008 - frozen
    says: str = "It is so.",
    status: int = 200,
    problems: tuple[str, ...] = (),
    etag: bool = False,
    body: dict[str, Any] | None = None,
) -> Callable[[E], E]:
    """Registers an operation. `answer` is the model of what it answers, or a map of media types; `problems` are kinds beside
    those that follow from its needs; `body` describes a body that is no JSON."""

    def register(endpoint: E) -> E:
        endpoint.needs = needs  # type: ignore[attr-defined]
        good: dict[str, Any] = {"description": says}
        if isinstance(answer, dict):
            good["content"] = answer
        else:
            good["model"] = answer
        headers = {}
        if etag:
            headers["ETag"] = {"description": "The revision of the case, for If-Match.", "schema": {"type": "string", "pattern": '^"[1-9][0-9]*"$'}}
        if headers:
            good["headers"] = headers
        kinds = dict.fromkeys((*_kinds(needs), *problems))
        responses: dict[int | str, dict[str, Any]] = {status: good, **_told_no(kinds)}
        title, _, more = (endpoint.__doc__ or "").partition("\n\n")
        words = [" ".join(more.split())] if more.strip() else []
        words.append(_needs_text(needs))
        router.add_api_route(
            path,
            endpoint,
            methods=[method],
            response_model=None,
            response_class=JSONResponse,
            status_code=status,
            responses=responses,
            summary=" ".join(title.split()).rstrip("."),
            description="\n\n".join(words),
            operation_id=endpoint.__name__,
            dependencies=_headers(needs),
            openapi_extra={**({} if needs.right is not None else {"security": []}), **({"requestBody": body} if body is not None else {})},
        )
        return endpoint

    return register


def _kinds(needs: Needs) -> list[str]:
    kinds = ["unreadable", "invalid", "no-room", "store-failed"]
    if needs.right is not None:
        kinds += ["no-token", "not-permitted", "resting"]
    if needs.seen:
        kinds += ["not-seen", "stale", "not-found", "refused"]
    if needs.once:
        kinds += ["at-work", "key-used"]
    if needs.once == "must":
        kinds += ["key-needed"]
    return kinds


def _told_no(kinds: dict[str, None]) -> dict[int | str, dict[str, Any]]:
    from caseflow.web.api.models.common import ProblemDetails

    schema = {"$ref": f"#/components/schemas/{ProblemDetails.__name__}"}
    found: dict[int | str, dict[str, Any]] = {}
    for kind in sorted(kinds, key=lambda kind: KINDS[kind][0]):
        status, _, meaning = KINDS[kind]
        if status in found:
            found[status]["description"] += f" Or: {meaning}"
        else:
            found[status] = {"description": meaning, "content": {MEDIA: {"schema": schema}}}
    return found


def _needs_text(needs: Needs) -> str:
    if needs.right is None:
        return "Needs no token."
    text = f"Needs a token of scope `{needs.scope}` whose role has the right `{needs.right}`."
    if needs.seen:
        text += " `If-Match` carries the ETag of the case as it was read: where an entry since then changed state, clocks, limits or facts that the write uses, it is refused."
    if needs.once:
        text += " Under an `Idempotency-Key` it is done once, and a repeated call is told the same for 24 hours."
    return text


def _if_match(
    if_match: Annotated[
        str,
        Header(alias="If-Match", pattern=r'^(\*|"[1-9][0-9]{0,8}")$', description="ETag of the case as it was read; `*` writes on whatever version there is."),
    ],
) -> None:
    """Stands in the OpenAPI text; the door itself has read it."""


def _key(
    idempotency_key: Annotated[
        str | None, Header(alias="Idempotency-Key", pattern="^[A-Za-z0-9._-]{8,200}$", description="A key of your own for this one call, such as a UUID.")
    ] = None,
) -> None:
    """Stands in the OpenAPI text."""


def _key_needed(
    idempotency_key: Annotated[
        str, Header(alias="Idempotency-Key", pattern="^[A-Za-z0-9._-]{8,200}$", description="A key of your own for this one call, such as a UUID.")
    ],
) -> None:
    """Stands in the OpenAPI text."""


def _headers(needs: Needs) -> list[Any]:
    wanted = [Depends(_if_match)] if needs.seen else []
    if needs.once:
        wanted.append(Depends(_key_needed if needs.once == "must" else _key))
    return wanted
