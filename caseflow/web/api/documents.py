"""Documents of a case: what came, handing one in, getting one back, saying that what came was read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO, cast

from fastapi import APIRouter, Depends, Query, Request, Response

from caseflow.services import tokens
from caseflow.services.documents import MEGABYTE, Given
from caseflow.services.filetypes import KINDS
from caseflow.web.api import door
from caseflow.web.api.cases import UNKNOWN, case_of
from caseflow.web.api.door import Bound, Desk, Guarded, Needs, Who, operation, settled, told
from caseflow.web.api.models import documents as m
from caseflow.web.site import Site, looked
from caseflow.web.uploads import as_download

router = APIRouter(route_class=Guarded, tags=["Documents"])
WRITES = Needs(scope=tokens.ACT, seen=True, once="may")
BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
FILES = {media: {"schema": {"type": "string", "format": "binary"}} for media in dict.fromkeys(kind.media for kind in KINDS.values())}
FileName = Annotated[str, Query(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$", description="The name of the file.")]
Item = Annotated[str, Query(max_length=100, pattern=r"^[!-~]*$", description="The item that it answers, by its id; none where it answers none.")]


async def body_of(request: Request) -> AsyncIterator[BinaryIO]:
    """The bytes of a call, in memory while they are few. They are gone when it has been answered."""
    with SpooledTemporaryFile(MEGABYTE) as file:
        async for piece in request.stream():
            file.write(piece)
        file.seek(0)
        yield cast(BinaryIO, file)


@operation(router, "GET", "/cases/{case}/documents", m.DocumentList, says="Its documents.", problems=UNKNOWN, etag=True)
def read_documents(case: door.Case, request: Request, site: Desk, caller: Who) -> Response:
    """The documents of a case."""
    looked(request, case, "api documents")
    return _listed(site, caller, case)


def _listed(site: Site, caller: Any, case: str) -> Response:
    found = case_of(site, caller, case)
    documents = site.desk.documents
    unread = any(documents.is_arrival(task["id"]) for task in found["tasks"])
    return told({"case": case, "version": found["version"], "documents": documents.listed(case), "unread": unread}, found["version"])


@operation(
    router,
    "POST",
    "/cases/{case}/documents",
    m.Receipt,
    needs=WRITES,
    says="Taken in.",
    problems=(*UNKNOWN, "too-large"),
    etag=True,
    body={"required": True, "content": BYTES},
)
def add_document(
    case: door.Case,
    name: FileName,
    request: Request,
    site: Desk,
    bound: Bound,
    caller: Who,
    content: Annotated[BinaryIO, Depends(body_of)],
    item: Item = "",
) -> Response:
    """Hand in a document

    The body is the file itself. Its type is found by its content, and a type that the agency does not take is refused. It is one
    entry of the record, with its hash; the same content for the same item is kept once and told as `known`. It moves no clock:
    the act that takes it in does.
    """
    looked(request, case, "api add document")
    receipt = (site if settled(request) else bound).desk.documents.add(case, [Given(name, content, item)], caller.person)
    by_id = {one["id"]: one for one in site.desk.documents.listed(case)}
    version = site.desk.register.version(case)
    lists = {"taken": [by_id[one.id] for one in receipt.taken], "known": [by_id[one.id] for one in receipt.known]}
    return told({"case": case, "version": version, "seq": receipt.seq, **lists}, version)


@operation(router, "POST", "/cases/{case}/documents/read", m.DocumentList, needs=WRITES, says="Noted.", problems=UNKNOWN, etag=True)
def mark_documents_read(case: door.Case, request: Request, site: Desk, bound: Bound, caller: Who) -> Response:
    """Say that what came from outside has been read

    Refused (412) where something came since the version in `If-Match`: nobody has read that yet.
    """
    looked(request, case, "api documents")
    if not settled(request):
        bound.desk.documents.mark_read(case, caller.person)
    return _listed(site, caller, case)


@operation(router, "GET", "/documents/{document}", FILES, says="The document, under a type found by its content.", problems=(*UNKNOWN, "broken"))
def read_document(document: door.Document, request: Request, site: Desk, caller: Who) -> Response:
    """A document, proven to be what was handed in."""
    found = site.desk.documents.found(caller.person.sees, document)
    looked(request, found.case, f"api document {document}")
    return as_download(site.desk.documents.content(found), found.name, found.kind, found.size)
