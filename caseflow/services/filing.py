"""File a request: read what was handed in, quote its fee once, open a case for each service and waterbody."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any

from caseflow.domain import casework
from caseflow.domain.addresses import read_email, read_line
from caseflow.domain.case import COPY_ROLES, Actor, Case, Filing, Outcome, Party, Place, Waterbody
from caseflow.domain.conditions import answer
from caseflow.domain.facts import MAX_LIST, Misfit, fit, nearest
from caseflow.domain.fees import Quote, Wanted, quote
from caseflow.domain.journal import plain
from caseflow.domain.mailing import OWN_ROLES
from caseflow.domain.pack import Fact, FeeRef, Places
from caseflow.domain.places import read_county, read_degrees, read_plss, read_waterbody_id
from caseflow.domain.rulebook import Rulebook, settings_of
from caseflow.domain.view import CaseView
from caseflow.errors import BadInput, Reason, Refused
from caseflow.services.again import again
from caseflow.services.office import Office, local_moment, parse_moment

MEMBERS = [
    "requester",
    "agent",
    "third_party",
    "co_applicants",
    "services",
    "waterbodies",
    "boundary",
    "submitted",
    "exclusions",
    "payment",
    "filed",
    "channel",
    "in_form",
    "expedite",
    "aliases",
    "facts",
    "settings",
    "municipality",
    "address",
    "interested_persons",
    "copies",
]
BOUNDARY = ("plss", "parcel", "latitude", "longitude", "municipality", "address", "county")
MAX_CASES = 100


@again
def file(
    office: Office, request: Mapping[str, Any], actor: Actor, moment: datetime | None = None, because: str | None = None, command_id: str | None = None
) -> tuple[Case, ...]:
    """Files a request; the answer is its cases, in order. A repeated command id gives the first answer.

    `because` is why it is entered late, if it is. Raises BadInput, Refused, LetterFault or StoreFault.
    """
    moment = moment or office.now()
    filing, books = read(office, request, moment)
    refuse_future(filing, moment)
    first = books[cases_wanted(filing)[0][0]]
    local = filing.filed.astimezone(first.calendar.zone)
    with office.store.begin() as work:
        if command_id is not None and (done := work.command(command_id)) is not None:
            return work.request(work.case(done[0]).request)
        number = work.next_number(first.pack.text.prefix, local.year)
        name = f"{first.pack.text.prefix}-{local.year}-{number:05d}"
        cases: list[Case] = []
        for book, outcome in outcomes(office, filing, books, name, actor, moment, because):
            work.keep_pack(book.pack, office.packs.files(book.pack.hash))
            cases.append(office.save(work, book, outcome, moment, command_id if not cases else None))
        return tuple(cases)


def outcomes(
    office: Office, filing: Filing, books: Mapping[str, Rulebook], name: str, actor: Actor, moment: datetime, because: str | None = None
) -> Iterator[tuple[Rulebook, Outcome]]:
    """What filing under a request number makes, a case at a time; nothing is saved. Raises Refused."""
    owed = fee_of(filing, books)
    for place, (service, water) in enumerate(cases_wanted(filing)):
        book = books[service]
        facts = facts_of(book, filing, water, name, owed, place)
        yield book, casework.file(book, f"{name}-{place + 1}", name, facts, actor, moment, office.key(), because)


def read(office: Office, request: Mapping[str, Any], moment: datetime) -> tuple[Filing, dict[str, Rulebook]]:
    """A request file as values, with the rulebook of each service. Raises BadInput with every fault."""
    faults = [f"there is no '{key}'{nearest(str(key), MEMBERS)}" for key in request if key not in MEMBERS]
    services = _texts(request, "services", faults)
    waters = [_waterbody(item, faults) for item in _list(request.get("waterbodies"))]
    if not waters:
        faults.append("'waterbodies' is missing; name at least one, such as [{name: Mill Creek, county: Dane}]")
    names = dict.fromkeys([*services, *(service for water in waters for service in water.services)])
    if not names:
        faults.append("'services' is missing; name at least one workflow")
    if faults:
        raise BadInput("The request can't be read: " + "; ".join(faults))
    probe = office.packs.rulebook(next(iter(names)), moment.date())
    filed = local_moment(probe.calendar.zone, parse_moment(request.get("filed", moment), "'filed'"))
    channel = str(request.get("channel") or "electronic")
    settings = _settings(probe, request.get("settings") or {}, faults)
    received = probe.calendar.received_on(filed, channel, settings_of(probe.pack, settings))
    books = {name: office.packs.rulebook(name, received) for name in names}
    places = probe.pack.text.places
    waters = [_located(water, places, faults) for water in waters]
    filing = Filing(
        requester=_party(request.get("requester"), "requester", faults),
        services=tuple(services),
        waterbodies=tuple(waters),
        filed=filed,
        channel=channel,
        in_form=_yes(request, "in_form", True, faults),
        agent=_optional(request.get("agent"), "agent", faults),
        third_party=_optional(request.get("third_party"), "third-party", faults),
        co_applicants=tuple(_party(item, "co-applicant", faults) for item in _list(request.get("co_applicants"))),
        interested_persons=tuple(_party(item, "interested-person", faults) for item in _list(request.get("interested_persons"))),
        copies=tuple(_copied(item, faults) for item in _list(request.get("copies"))),
        boundary=_boundary(request, places, faults),
        submitted=tuple(_texts(request, "submitted", faults)),
        exclusions=_exclusions(books, _map(request, "exclusions", faults), faults),
        payment=_payment(request.get("payment"), faults),
        expedite={str(key): str(value) for key, value in _map(request, "expedite", faults).items()} or None,
        aliases=_aliases(request, faults),
        facts=_facts(books, _map(request, "facts", faults), faults),
        settings=settings,
    )
    _known_items(books, filing, faults)
    if len(cases_wanted(filing)) > MAX_CASES:
        faults.append(f"it asks for more than {MAX_CASES} cases at once; file it in parts")
    if faults:
        raise BadInput("The request can't be read: " + "; ".join(faults))
    return filing, books


def cases_wanted(filing: Filing) -> list[tuple[str, Waterbody]]:
    """A case for each service and waterbody; a waterbody without services of its own gets those of the request."""
    return [(service, water) for water in filing.waterbodies for service in dict.fromkeys(water.services or filing.services)]


def fee_of(filing: Filing, books: Mapping[str, Rulebook]) -> Quote:
    """What the request owes at filing."""
    book = next(iter(books.values()))
    settings = settings_of(book.pack, filing.settings)
    wanted = []
    for place, water in enumerate(filing.waterbodies):
        for service in dict.fromkeys(water.services or filing.services):
            # Each workflow's conditions are its own: a fee is asked of the rulebook that lists it.
            view = CaseView(books[service], None, "file", dict(filing.facts), filing.filed.date(), settings)
            fees = tuple(FeeRef(fee=ref.fee) for ref in books[service].workflow.fees if view.fee_owed(ref))
            wanted.append(Wanted(service, f"{place}:{water.name}", fees))
    electronic = filing.payment is not None and filing.payment.get("method") == "electronic"
    return quote(book.pack.fees, wanted, settings, electronic)


def facts_of(book: Rulebook, filing: Filing, water: Waterbody, request: str, owed: Quote, place: int) -> dict[str, Any]:
    """The facts of one case's filing entry. The first case of a request carries its fee and its payment."""
    received = book.calendar.received_on(filing.filed, filing.channel, settings_of(book.pack, filing.settings))
    county = water.county or filing.boundary.get("county")
    where = Place(
        water=water.name,
        county=county,
        wbic=water.wbic,
        **{key: filing.boundary.get(key) for key in ("municipality", "plss", "parcel", "latitude", "longitude", "address")},
    )
    named = (filing.requester, filing.agent, filing.third_party, *filing.co_applicants, *filing.interested_persons, *filing.copies)
    parties = [party for party in named if party is not None]
    exclusions = book.workflow.exclusions
    facts: dict[str, Any] = {
        "request": request,
        "received_on": received.isoformat(),
        "received_at": filing.filed.isoformat(),
        "settings": plain(settings_of(book.pack, filing.settings)),
        "services": list(filing.services),
        "parties": plain([_stated(asdict(party)) for party in parties]),
        "place": _stated(asdict(where)),
        "title": ", ".join(part for part in (water.name, where.municipality or (f"{county} County" if county else None)) if part),
        "aliases": list(filing.aliases),
        "channel": filing.channel,
        "in_form": filing.in_form,
        "waterbody": water.name,
        "submitted": list(filing.submitted),
        "exclusions_claimed": [name for name in exclusions if filing.exclusions.get(name)],
        "exclusions_unanswered": [name for name in exclusions if name not in filing.exclusions],
        "stated": sorted(filing.facts),
        **filing.facts,
    }
    total = f"{owed.total:.2f}"
    paid = str(filing.payment["amount"]) if filing.payment is not None else "0.00"
    if place == 0:
        facts["fee_lines"] = [list(line) for line in owed.lines]
        facts["payment"] = dict(filing.payment) if filing.payment is not None else None
    else:
        waived = filing.payment is not None and filing.payment.get("method") == "waived"
        facts["elsewhere"] = {"owed": total, "paid": total if waived else paid}
    for name, value in (
        ("county", county),
        ("requester_capacity", filing.requester.capacity),
        ("third_party", filing.third_party.name if filing.third_party is not None else None),
        ("expedite_asked_on", (filing.expedite or {}).get("asked_on")),
    ):
        if value is not None:
            facts[name] = value
    facts["missing_items"] = missing_items(book, filing, facts, received)
    return facts


def missing_items(book: Rulebook, filing: Filing, facts: Mapping[str, Any], received: date) -> list[str]:
    """The required items that were neither submitted nor given by the request itself."""
    view = CaseView(book, None, "file", facts, received, facts["settings"])
    given = {
        "in_form": filing.in_form,
        "requester_capacity": filing.requester.capacity is not None,
        "boundary": bool(filing.boundary),
        "services": bool(filing.services or any(water.services for water in filing.waterbodies)),
        "payment": view.fees_covered() is True,
        "third_party": filing.third_party is not None,
        "exclusions": not facts["exclusions_unanswered"],
    }
    missing = []
    for name, item in book.workflow.items.items():
        needed = item.required if isinstance(item.required, bool) else answer(item.required, view) is True
        listed = name in filing.submitted and item.given_by not in ("exclusions", "payment", "in_form")
        if needed and not (listed or (item.given_by is not None and given.get(item.given_by, False))):
            missing.append(name)
    return missing


# --- reading ------------------------------------------------------------------------------------------------------


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _map(request: Mapping[str, Any], key: str, faults: list[str]) -> Mapping[str, Any]:
    value = request.get(key) or {}
    if not isinstance(value, Mapping):
        faults.append(f"'{key}' must have named parts, such as {key}: {{...}}")
        return {}
    return value


def _texts(request: Mapping[str, Any], key: str, faults: list[str]) -> list[str]:
    found = []
    for item in _list(request.get(key)):
        if isinstance(item, (Mapping, list, bool)) or item is None:
            faults.append(f"'{key}' must be a list of ids")
        else:
            found.append(str(item))
    return found


def _yes(request: Mapping[str, Any], key: str, default: bool, faults: list[str]) -> bool:
    value = request.get(key, default)
    if not isinstance(value, bool):
        faults.append(f"'{key}' must be true or false, not '{value}'")
        return default
    return value


def _text(name: str, value: Any, faults: list[str], kind: str = "text") -> str | None:
    if value is None:
        return None
    try:
        return str(fit(name, Fact(type=kind), value))  # type: ignore[arg-type]
    except Misfit as misfit:
        faults.append(str(misfit))
        return None


def _party(value: Any, role: str, faults: list[str]) -> Party:
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping) or not value.get("name"):
        faults.append(f"'{role.replace('-', '_')}' needs a name, such as {{name: Ann Lee, email: ann@example.org}}")
        return Party(role, "")
    known = ("name", "capacity", "email", "address", "channel", "language", "statement")
    faults += [f"'{role}' has no part '{key}'{nearest(str(key), known)}" for key in value if key not in known]
    address = value.get("address") or ()
    lines = address.splitlines() if isinstance(address, str) else _list(address)
    email = _text(f"{role}.email", value.get("email"), faults)
    email = _line(f"{role}.email", email, read_email, faults)
    channel = value.get("channel") or ("email" if email else "post")
    allowed = ("email", "post", "portal") if role in OWN_ROLES else ("email", "post")
    if channel not in allowed:
        faults.append(f"'{role}.channel' must be {' or '.join(allowed)}, not '{channel}'")
    elif channel == "portal" and not email:
        faults.append(f"'{role}.channel' is portal, so '{role}.email' is needed: a notice says that a letter is on the status page")
    return Party(
        role,
        _line(f"{role}.name", (_text(f"{role}.name", value["name"], faults) or "").replace("\n", " "), read_line, faults) or "",
        _text(f"{role}.capacity", value.get("capacity"), faults),
        email,
        tuple(line for item in lines if (line := _line(f"{role}.address", _text(f"{role}.address", item, faults), read_line, faults))),
        "email" if channel == "email" else "portal" if channel == "portal" else "post",
        _text(f"{role}.language", value.get("language"), faults),
        _text(f"{role}.statement", value.get("statement"), faults),
    )


def _line(name: str, text: str | None, reads: Callable[[str], str], faults: list[str]) -> str | None:
    """A name, a line of an address or an e-mail address that holds nothing else."""
    try:
        return reads(text) if text else None
    except Misfit as misfit:
        faults.append(f"'{name}': {misfit}")
        return None


def _copied(value: Any, faults: list[str]) -> Party:
    """Who gets copies: of every letter, or, with a `role`, of the letters that are for such."""
    role = value.get("role", "copy") if isinstance(value, Mapping) else "copy"
    if role not in COPY_ROLES:
        faults.append(f"'copies' has no role '{role}'{nearest(str(role), COPY_ROLES)}; the roles: {', '.join(COPY_ROLES)}")
    return replace(_party({key: part for key, part in value.items() if key != "role"} if isinstance(value, Mapping) else value, "copy", faults), role=str(role))


def _optional(value: Any, role: str, faults: list[str]) -> Party | None:
    return _party(value, role, faults) if value else None


def _waterbody(value: Any, faults: list[str]) -> Waterbody:
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, Mapping) or not value.get("name"):
        faults.append("each of 'waterbodies' needs a name, such as {name: Mill Creek, county: Dane}")
        return Waterbody("")
    known = ("name", "wbic", "county", "services")
    faults += [f"a waterbody has no part '{key}'{nearest(str(key), known)}" for key in value if key not in known]
    return Waterbody(
        _text("waterbody.name", value["name"], faults) or "",
        _text("waterbody.wbic", value.get("wbic"), faults),
        _text("waterbody.county", value.get("county"), faults),
        tuple(_texts(value, "services", faults)),
    )


def _located(water: Waterbody, places: Places | None, faults: list[str]) -> Waterbody:
    """A waterbody whose id and county have been checked, the county as the pack spells it."""
    wbic = _checked(water.wbic, faults, read_waterbody_id)
    return replace(water, wbic=wbic, county=_checked(water.county, faults, read_county, places))


def _boundary(request: Mapping[str, Any], places: Places | None, faults: list[str]) -> dict[str, str]:
    given = {**{key: request[key] for key in ("municipality", "address") if request.get(key)}, **_map(request, "boundary", faults)}
    faults += [f"'boundary' has no part '{key}'{nearest(str(key), BOUNDARY)}; its parts: {', '.join(BOUNDARY)}" for key in given if key not in BOUNDARY]
    made = {key: text for key in BOUNDARY if (text := _text(f"boundary.{key}", given.get(key), faults))}
    if ("latitude" in made) != ("longitude" in made):
        there, missing = ("latitude", "longitude") if "latitude" in made else ("longitude", "latitude")
        faults.append(f"'boundary' has a {there} and no {missing}; a point needs both")
    for key in ("latitude", "longitude"):
        _checked(made.get(key), faults, partial(read_degrees, key), places)
    _checked(made.get("plss"), faults, read_plss, places)
    if "county" in made:
        made["county"] = _checked(made["county"], faults, read_county, places) or made["county"]
    return made


def _checked(text: str | None, faults: list[str], reads: Callable[..., Any], *more: Any) -> str | None:
    """The text as a reader answers it; nothing, and a fault told, where it does not fit."""
    try:
        return None if text is None else str(reads(text, *more))
    except Misfit as misfit:
        faults.append(str(misfit))
        return None


def _aliases(request: Mapping[str, Any], faults: list[str]) -> tuple[str, ...]:
    found = [_text("aliases", text, faults) for text in _texts(request, "aliases", faults)]
    faults += [f"the number '{text[:40]}...' under 'aliases' is longer than 80 characters" for text in found if text and len(text) > 80]
    return tuple(dict.fromkeys(text for text in found if text))


def _payment(value: Any, faults: list[str]) -> dict[str, str] | None:
    if not value:
        return None
    if not isinstance(value, Mapping):
        faults.append("'payment' must have method and amount, such as {method: check, amount: 100.00}")
        return None
    faults += [f"'payment' has no part '{key}'" for key in value if key not in ("method", "amount", "reference")]
    method, amount = value.get("method"), value.get("amount")
    if method == "waived" and amount is None:
        amount = 0
    made = _text("payment.amount", amount, faults, "money")
    if method is None or made is None:
        faults.append("'payment' needs both method and amount, such as {method: check, amount: 100.00}")
        return None
    kept = {"method": str(method), "amount": f"{Decimal(made):.2f}"}
    return {**kept, "reference": str(value["reference"])} if value.get("reference") else kept


def _exclusions(books: Mapping[str, Rulebook], value: Mapping[str, Any], faults: list[str]) -> dict[str, bool]:
    known = {name for book in books.values() for name in book.workflow.exclusions}
    for name, given in value.items():
        if name not in known:
            faults.append(f"there is no exclusion '{name}'{nearest(str(name), known)}")
        elif not isinstance(given, bool):
            faults.append(f"exclusion '{name}' must be true or false, not '{given}'")
    return {str(name): given for name, given in value.items() if isinstance(given, bool)}


def _settings(book: Rulebook, value: Any, faults: list[str]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        faults.append("'settings' must name settings and their values")
        return {}
    known = book.pack.text.settings
    faults += [f"there is no setting '{name}'{nearest(str(name), known)}" for name in value if name not in known]
    return {str(name): plain(given) for name, given in value.items() if name in known}


def _facts(books: Mapping[str, Rulebook], value: Mapping[str, Any], faults: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if len(value) > MAX_LIST:
        faults.append(f"{len(value):,} facts are stated at once; at most {MAX_LIST} are read")
        return made
    known = {name: fact for book in books.values() for name, fact in book.facts.items()}
    for name, given in value.items():
        if name == "judgments":
            faults.append("'judgments' are not filed: what only the agency can judge, its staff records on the case")
            continue
        if name not in known:
            faults.append(f"there is no fact '{name}'{nearest(str(name), known)}")
            continue
        try:
            made[str(name)] = fit(str(name), known[name], given)
        except Misfit as misfit:
            faults.append(str(misfit))
    return made


def _known_items(books: Mapping[str, Rulebook], filing: Filing, faults: list[str]) -> None:
    known = {name for book in books.values() for name in (*book.workflow.items, *book.workflow.petition_items)}
    faults += [f"there is no item '{name}'{nearest(name, known)}" for name in filing.submitted if name not in known]


def _stated(members: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in members.items() if value not in (None, (), "")}


def refuse_future(filing: Filing, moment: datetime) -> None:
    """A request can't have arrived after the present moment. Raises Refused."""
    if filing.filed > moment:
        text = f"the request is dated {filing.filed:%Y-%m-%d %H:%M}, after the present moment"
        raise Refused([Reason("date-invalid", "date-invalid", text)], "The request can't be filed")
