"""What every page shares: the services behind the door, who is signed in, and how a template becomes an answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import FormData

from caseflow.errors import BadInput
from caseflow.services.people import Person, fits_form, form_token
from caseflow.services.remembering import Remembered
from caseflow.web import icons, words
from caseflow.web.assets import Assets, vendored
from caseflow.web.metrics import Requests

if TYPE_CHECKING:
    from caseflow.bootstrap import App

HOME = Path(__file__).parent
PLACES = (
    ("My work", "/my-work", "work", "m"),
    ("Docket", "/docket", "read", "d"),
    ("Board", "/board", "oversee", "b"),
    ("Calendar", "/calendar", "read", "c"),
    ("Workflows", "/workflows", "read", "w"),
)
"""What stands in the bar: title, address, the right that opens it, and the key that follows `g`."""
UPLOADS = ("/documents", "/records/check")
"""How the address of a form ends that takes files: it may be larger than others."""
LONGEST_FORM, MOST_FIELDS = 1_000_000, 2_000
PIECES = 4096
"""So many drawn pieces of pages are remembered: rows of lists, parts of cases."""
DRAWN = 128


class SignInNeeded(Exception):
    """Nobody is signed in; `back` is where the person wanted to go."""

    def __init__(self, back: str) -> None:
        self.back = back


class Forbidden(Exception):
    """Somebody is signed in, but may not; the text is one sentence."""


@dataclass
class Site:
    """The services, and how the site is reached: `hosts` are the names it answers to, `secure` says that it is reached over TLS.

    `clerk` is the name of the scheduler in this process, `proxied` that a proxy says truly who calls, `metrics_token` opens the figures.
    `sample` says that nothing here is real; `scheduler` that one is to run beside the site; `local` that people sign in with a name and password kept here; `elsewhere` is the agency's own sign-in, where there is one.
    """

    desk: App
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1")
    secure: bool = False
    sample: bool = False
    scheduler: bool = True
    clerk: str | None = None
    proxied: bool = False
    metrics_token: str = ""
    local: bool = True
    elsewhere: Any = None
    assets: Assets = field(default_factory=lambda: Assets({"": HOME / "static", "vendor/": vendored()}))
    requests: Requests = field(default_factory=Requests)
    drawn: Remembered = field(default_factory=lambda: Remembered(DRAWN))
    templates: Environment = field(default_factory=lambda: environment())

    def longest(self, path: str) -> int:
        """How many bytes a form may have."""
        if not path.endswith(UPLOADS):
            return LONGEST_FORM
        limits = self.desk.documents.limits
        return int(limits.size if path.startswith("/api/") else limits.together)

    @property
    def cookie(self) -> str:
        """The name of the session's cookie. Under TLS a browser keeps the prefix from being set by a neighbor."""
        return "__Host-caseflow" if self.secure else "caseflow"


def environment() -> Environment:
    """Templates: everything that they print is escaped, and a name that does not exist is an error."""
    made = Environment(
        loader=FileSystemLoader(HOME / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False
    )
    made.filters.update(words.FILTERS)
    made.globals.update(kept=kept_in(Remembered(PIECES)), icon=icons.icon, mark=words.status_mark, logo=icons.logo, places=PLACES)
    return made


def kept_in(pieces: Remembered) -> Callable[..., Markup]:
    """What a template calls around a piece that it need not draw twice: {% call kept(name, what it depends on...) %}.

    A piece is drawn anew as soon as anything that it depends on is another. It holds nothing of a person and no token of a form,
    unless that is named, too.
    """

    def kept(name: Hashable, *given: Any, caller: Callable[[], Markup]) -> Markup:
        return pieces.get(name, caller, given)

    return kept


def site_of(request: Request) -> Site:
    """The site that answers."""
    site: Site = request.state.site
    return site


async def _desk(request: Request) -> Site:
    """The same, for pages: asked on the loop, since a trip to a thread costs more than the question."""
    return site_of(request)


def token_of(request: Request) -> str | None:
    """The token of the session, if the browser sent one."""
    return request.cookies.get(site_of(request).cookie)


def _person(request: Request) -> Person:
    """Who is signed in. Raises SignInNeeded."""
    person = site_of(request).desk.people.who(token_of(request))
    if person is None:
        raise SignInNeeded(str(request.url.path) + (f"?{request.url.query}" if request.url.query else ""))
    request.state.person = person
    return person  # type: ignore[no-any-return]


def reader(request: Request) -> Person:
    """Somebody who may see cases. Raises SignInNeeded or Forbidden."""
    return _with(request, "read")


def worker(request: Request) -> Person:
    """Somebody whose role acts on cases. Raises SignInNeeded or Forbidden."""
    reader(request)
    return _with(request, "work")


def overseer(request: Request) -> Person:
    """Somebody who may see the board and who did what."""
    return _with(request, "oversee")


def manager(request: Request) -> Person:
    """Somebody who manages accounts and calendars."""
    return _with(request, "manage")


def _with(request: Request, right: str) -> Person:
    person = _person(request)
    if not person.may(right):
        raise Forbidden(f"Your role, {person.role_title}, does not open this page.")
    return person


async def own_form(request: Request) -> FormData:
    """A form that touches nothing but the person's own (a session, a filter): it was sent from a page of this very session.
    Raises Forbidden, BadInput."""
    return await read_fields(request, token_of(request) or request.cookies.get(PRE))


async def read_fields(request: Request, token: str | None) -> FormData:
    """A form without files that proves to be of the session of this token. Raises Forbidden, BadInput."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise BadInput("This address takes a form; open its page and send it from there.")
    found = await request.form(max_fields=MOST_FIELDS, max_files=0)
    given = found.get("form_token")
    if token is None or not isinstance(given, str) or not fits_form(token, given):
        raise Forbidden("This form is too old or came from another site; nothing was recorded. Open the page again and send it from there.")
    return found


def form(person: Annotated[Person, Depends(reader)], sent: Annotated[FormData, Depends(own_form)]) -> FormData:
    """A form that records something. Whoever only reads is refused here, whatever page it is. Raises Forbidden."""
    if not person.acts:
        raise Forbidden(f"Your role, {person.role_title}, only reads; nothing was recorded.")
    return sent


def judged_form(sent: Annotated[FormData, Depends(own_form)]) -> FormData:
    """A form of which the law itself says who may send it, with reasons and citations: an act, a correction, an approval."""
    return sent


def managers_form(_: Annotated[Person, Depends(manager)], sent: Annotated[FormData, Depends(own_form)]) -> FormData:
    """A form of somebody who manages accounts and calendars. Raises Forbidden."""
    return sent


PRE = "caseflow-form"
"""The cookie of a browser that has not signed in yet, so that its sign-in form is its own too."""

Reader = Annotated[Person, Depends(reader)]
Worker = Annotated[Person, Depends(worker)]
Overseer = Annotated[Person, Depends(overseer)]
Manager = Annotated[Person, Depends(manager)]


def seen_case(number: str, request: Request, person: Reader) -> str:
    """The number of a case that the person sees. Raises NotFound, with the words for a number that is no case's."""
    return site_of(request).desk.seeing.case(person.sees, number)  # type: ignore[no-any-return]


def seen_letter(number: str, request: Request, person: Reader) -> str:
    """The number of a letter whose case the person sees. Raises NotFound."""
    return site_of(request).desk.seeing.letter(person.sees, number)  # type: ignore[no-any-return]


def seen_document(number: str, request: Request, person: Reader) -> str:
    """The number of a document whose case the person sees. Raises NotFound."""
    return site_of(request).desk.documents.found(person.sees, number).id  # type: ignore[no-any-return]


SeenCase = Annotated[str, Depends(seen_case)]
SeenLetter = Annotated[str, Depends(seen_letter)]
SeenDocument = Annotated[str, Depends(seen_document)]
Desk = Annotated[Site, Depends(_desk)]
Form = Annotated[FormData, Depends(form)]
OwnForm = Annotated[FormData, Depends(own_form)]
JudgedForm = Annotated[FormData, Depends(judged_form)]
ManagersForm = Annotated[FormData, Depends(managers_form)]


def text_of(sent: FormData, name: str) -> str:
    """A field of a form as text; nothing where it was not sent."""
    value = sent.get(name)
    return value if isinstance(value, str) else ""


def page(request: Request, template: str, data: Mapping[str, Any] | None = None, status: int = 200) -> Response:
    """A template as a page. `partial` is true where htmx asks for a part of it."""
    site, person = site_of(request), getattr(request.state, "person", None)
    token = token_of(request) if person is not None else None
    known = {
        "site": site,
        "person": person,
        "path": request.url.path,
        "asset": site.assets.address,
        "form_token": form_token(token) if token else "",
        "partial": request.headers.get("hx-request") == "true",
        # A broken store must not keep the site from saying so.
        "standing": site.desk.standing() if person is not None and status < 500 else None,
        "today": site.desk.today().isoformat(),
        "awaits": site.desk.agenda.count(person) if person is not None and person.may("work") and status < 500 else 0,
    }
    html = site.templates.get_template(template).render({**known, **(data or {})})
    return HTMLResponse(html, status)


def see_other(path: str) -> Response:
    """After a form: the browser reads the next page, so that reloading sends nothing twice."""
    return RedirectResponse(path, 303)


def looked(request: Request, case: str, what: str) -> None:
    """Notes that the person looked at a case. Every page that shows one calls it."""
    noted(request, request.state.person.id, case, what)


def noted(request: Request, who: str, case: str, what: str) -> None:
    """Notes who looked at what; nobody has where the answer goes without its body."""
    if not bodiless(request):
        site_of(request).desk.reads.note(who, case, what)


def bodiless(request: Request) -> bool:
    """Whether only the head of the answer is asked for (HEAD)."""
    return getattr(request.state, "bodiless", False)


def command_of(person: Person, number: str, given: str, written: Any) -> str | None:
    """The command of a form by the number that it carries: the same form twice is one. Somebody who goes back and writes something
    else in it means something else: without `written` they would be told that it is done, and it would be lost."""
    if len(given) != 32 or not given.isalnum():
        return None
    whole = json.dumps([given, written], sort_keys=True, default=str)
    return f"{person.id}:{number}:{sha256(whole.encode()).hexdigest()[:32]}"


def own_path(path: str, otherwise: str = "/") -> str:
    """A path of this site to go on to, or the other one: nobody is sent elsewhere by a link."""
    fine = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path and len(path) < 2000
    return path if fine else otherwise
