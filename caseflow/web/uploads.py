"""Forms that bring files, and files that go out: neither is ever a page of this site."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated, BinaryIO
from urllib.parse import quote

from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from caseflow.errors import BadInput, StoreFault
from caseflow.services.documents import Given
from caseflow.services.filetypes import download_name
from caseflow.services.people import fits_form
from caseflow.web.site import Forbidden, Overseer, Reader, token_of

MOST_FIELDS, MOST_INPUTS = 200, 100
CHUNK = 1 << 16
SEALED = "sandbox; default-src 'none'; frame-ancestors 'none'"
"""The policy of a file that somebody handed in: should a browser show it after all, it may do nothing."""


async def read_form(request: Request, token: str | None) -> FormData:
    """A form with files, from a page of this very session. Raises Forbidden, BadInput, StoreFault."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "multipart/form-data":
        raise BadInput("This address takes a form with files; open its page and send it from there.")
    try:
        found = await request.form(max_fields=MOST_FIELDS, max_files=MOST_INPUTS)
    except HTTPException:
        raise BadInput("These files could not be read, or they are too many; nothing was recorded. Send fewer at a time.") from None
    except OSError:
        raise StoreFault("The disk is full; nothing was recorded. Make room and send it again.") from None
    given = found.get("form_token")
    if token is None or not isinstance(given, str) or not fits_form(token, given):
        await found.close()
        raise Forbidden("This form is too old or came from another site; nothing was recorded. Open the page again and send it from there.")
    return found


async def upload(request: Request, person: Reader) -> AsyncIterator[FormData]:
    # Who it is comes before anything is read.
    if not person.acts:
        raise Forbidden(f"Your role, {person.role_title}, only reads; nothing was recorded.")
    async with closing(await read_form(request, token_of(request))) as sent:
        yield sent


@asynccontextmanager
async def closing(sent: FormData) -> AsyncIterator[FormData]:
    """The files of a form are gone when it has been answered."""
    try:
        yield sent
    finally:
        await sent.close()


Upload = Annotated[FormData, Depends(upload)]
"""A form with files that somebody sends who is signed in."""


async def overseers_upload(request: Request, person: Overseer) -> AsyncIterator[FormData]:  # noqa: ARG001 - it is let in first
    async with closing(await read_form(request, token_of(request))) as sent:
        yield sent


OverseersUpload = Annotated[FormData, Depends(overseers_upload)]
"""A form with a file that is looked at and kept nowhere, of somebody who oversees."""


def files_of(sent: FormData, named: str = "file") -> list[Given]:
    """The files of a form: those of the field, and of `FIELD.ITEM` for an item. Fields left empty are none."""
    found = []
    for field, value in sent.multi_items():
        name, _, item = field.partition(".")
        if name == named and isinstance(value, UploadFile) and (value.filename or value.size):
            found.append(Given(value.filename or "", value.file, item[:100]))
    return found


def as_download(file: BinaryIO, name: str, kind: str, size: int | None = None) -> Response:
    """A file to be saved, never shown, under a type that was found by its content."""
    return StreamingResponse(_read(file), media_type=kind, headers={**sealed(download_name(name, kind)), **({"Content-Length": str(size)} if size else {})})


def sealed(name: str) -> dict[str, str]:
    """The headers of a download. A name can't end its header: what is not plain is left to the second form, in percent signs."""
    plain = re.sub(r"[^A-Za-z0-9 ._()-]", "_", name)
    return {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": SEALED,
        "X-Content-Type-Options": "nosniff",
        "X-Download-Options": "noopen",
    }


def _read(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while data := file.read(CHUNK):
            yield data
