"""A case of an older system as a line tells it: a request file and what was done since, read and judged, not yet saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from caseflow.domain.case import Actor, Case, LetterMade, Outcome
from caseflow.domain.facts import nearest, reason_of
from caseflow.domain.history import Past, Told, Untold, recorded
from caseflow.domain.rulebook import Rulebook
from caseflow.errors import BadInput, Disposed, NotFound
from caseflow.services import filing
from caseflow.services.arriving import guarded
from caseflow.services.carrying import Flaw, Older
from caseflow.services.office import Office, parse_day
from caseflow.services.ports.letters import RegisteredLetter
from caseflow.services.ports.work import Brought, Work

PARTS = ("on", "do", "facts", "by", "as", "because", "sent", "served")
NEVER = "never"
"""What `sent` says of letters that an act owed and that never went."""
UNNAMED = "older-system"
"""Who acted, where the older system does not tell."""


@dataclass(frozen=True, slots=True)
class OlderCase:
    """A line that may be taken in. `aliases`: its numbers in the older system; `past`: what it makes, under a number to try with."""

    book: Rulebook
    facts: Callable[[str], Mapping[str, Any]]
    acts: tuple[Told, ...]
    by: tuple[Actor, Actor]
    moment: datetime
    aliases: tuple[str, ...]
    year: int
    past: Past | None = None

    @property
    def stand_in(self) -> str:
        """A request number to judge by, before one is given."""
        return f"{self.book.pack.text.prefix}-{self.year}-00000"

    def made(self, request: str, digest: str, key: Callable[[], str]) -> Past:
        """The case under a request number. Raises Untold."""
        return recorded(self.book, f"{request}-1", request, self.facts(request), self.acts, self.by, digest, self.moment, key)

    def letters(self, outcome: Outcome) -> Brought:
        """The letters that the older system sent, as the register shows them: that they went, and that their words are there."""
        return Brought(tuple(_registered(self.book, outcome.case, letter) for letter in outcome.case.letters))


def older(office: Office, value: Older, importer: Actor, moment: datetime, within: Work | None = None) -> OlderCase | Sequence[Flaw]:
    """The case that a line tells of, judged act by act (where nothing is written yet), or everything that is wrong with it."""
    aliases = value.request.get("aliases")
    name = str((aliases if not isinstance(aliases, list) else aliases[0] if aliases else "") or "")[:80]
    return guarded(lambda: _looked_at(office, value, importer, moment, name, within), name)


def _looked_at(office: Office, value: Older, importer: Actor, moment: datetime, name: str, within: Work | None) -> OlderCase | Sequence[Flaw]:
    flaws = [Flaw(f"'{part}' of its request is missing", instead, name) for part, instead in _NEEDED.items() if not value.request.get(part)]
    if flaws:
        return flaws
    read, books = filing.read(office, value.request, moment)
    wanted = filing.cases_wanted(read)
    if len(wanted) != 1:
        return [Flaw(f"its request asks for {len(wanted)} cases", "Write one service and one waterbody, and a line for each case.", name)]
    filing.refuse_future(read, moment)
    service, water = wanted[0]
    book = books[service]
    acts, flaws = _acts(book, value.history, book.calendar.local_day(moment), name)
    if flaws:
        return flaws
    fee = filing.fee_of(read, books)
    filer = Actor("import", UNNAMED, "requester")
    made = OlderCase(
        book=book,
        facts=lambda request: filing.facts_of(book, read, water, request, fee, 0),
        acts=tuple(acts),
        by=(filer, Actor("import", importer.id, importer.role)),
        moment=moment,
        aliases=read.aliases,
        year=read.filed.astimezone(book.calendar.zone).year,
    )
    if flaws := _taken(office, read.aliases, within):
        return flaws
    if within is not None:
        return made  # it was judged when the file was checked
    try:
        return replace(made, past=made.made(made.stand_in, "", lambda: "0" * 32))
    except Untold as untold:
        after = len(acts) - untold.place
        more = f" (the {after} after it {'was' if after == 1 else 'were'} not judged)" if untold.place and after else ""
        where = f"act {untold.place}: " if untold.place else ""
        return [
            Flaw(f"{where}{untold.what}: {one.text.rstrip('.')}{f' ({one.cite})' if one.cite else ''}{more}", one.instead or _TELL, name)
            for one in untold.reasons
        ]


_NEEDED = {
    "aliases": 'Write its number in the older system as "aliases": ["B-2019-114"]; by it the case is known again.',
    "filed": 'Write when it arrived as "filed": "2026-11-03T09:00".',
}
_TELL = "Tell what happened as the law knows it, in the order of its days."


def _taken(office: Office, aliases: Sequence[str], within: Work | None) -> list[Flaw]:
    """Why a name of the case is not free."""
    with nullcontext(within) if within is not None else office.store.read() as work:
        for alias in aliases:
            try:
                other = work.case(alias)
            except Disposed as gone:
                return [Flaw(str(gone).rstrip("."), "What was disposed of does not come back; leave the line out.", aliases[0])]
            except NotFound:
                continue
            text = f"'{alias}' is {other.number} already, and this line says other things than what made it"
            return [Flaw(text, f"Leave the line out; what is to change in {other.number} is done on the case (act, amend, void).", aliases[0])]
    return []


# --- what was done ------------------------------------------------------------------------------------------------


def _acts(book: Rulebook, history: Sequence[Any], today: date, name: str) -> tuple[list[Told], list[Flaw]]:
    acts: list[Told] = []
    flaws: list[Flaw] = []
    for place, one in enumerate(history, 1):
        try:
            acts.append(_act(book, place, one, today))
        except BadInput as error:
            flaws.append(
                Flaw(f"act {place}: {str(error).rstrip('.')}", 'An act is written as {"on": "2026-11-03", "do": ACTION, "facts": {...}, "by": WHO}.', name)
            )
    return acts, flaws


def _act(book: Rulebook, place: int, one: Any, today: date) -> Told:
    if not isinstance(one, Mapping):
        raise BadInput("it is no map")
    for part in one:
        if part not in PARTS:
            raise BadInput(f"it has a part '{str(part)[:40]}'{nearest(str(part), PARTS)}")
    action, facts = one.get("do"), one.get("facts") or {}
    if not isinstance(action, str) or not action:
        raise BadInput("it says nothing done ('do')")
    if not isinstance(facts, Mapping):
        raise BadInput("'facts' must have named parts, such as {\"items\": [...]}")
    if action not in book.workflow.actions or action == "file":
        known = [known for known in book.workflow.actions if known != "file"]
        raise BadInput(f"there is no action '{action[:80]}' in {book.workflow.workflow}{nearest(action, known)}")
    on = parse_day(one.get("on"), "'on'")
    if on > today:
        raise BadInput(f"'on' is {on}, which lies after today, {today}")
    sent = None if one.get("sent") == NEVER else parse_day(one.get("sent", one.get("on")), "'sent'")
    served = parse_day(one["served"], "'served'") if one.get("served") is not None else None
    if sent is not None and not on <= sent <= today:
        raise BadInput(f"'sent' is {sent}, which is not from {on}, the day of the act, to today, {today}")
    if served is not None and (sent is None or served < sent):
        raise BadInput(f"'served' is {served}, and nothing was sent by then")
    because = reason_of(one["because"]) if isinstance(one.get("because"), str) else None
    return Told(place, action, on, _actor(book, one, action), dict(facts), because, sent, served)


def _actor(book: Rulebook, one: Mapping[str, Any], action: str) -> Actor:
    """Who did it; the role is the one named, else staff where staff may, else the first that may."""
    may = book.workflow.actions[action].by
    role = one.get("as") or ("staff" if book.role_may("staff", may) else may[0])
    who = one.get("by") or UNNAMED
    if not isinstance(role, str) or not isinstance(who, str) or len(who) > 80 or not who.isprintable():
        raise BadInput("'by' and 'as' must be a name and a role, such as \"ann\" and \"staff\"")
    return Actor("import", who.strip(), role)


def _registered(book: Rulebook, case: Case, letter: LetterMade) -> RegisteredLetter:
    title = book.pack.letters[letter.id].title
    sent = f" It was sent on {letter.sent_on:%B} {letter.sent_on.day}, {letter.sent_on.year}." if letter.sent_on is not None else ""
    words = f"# {title}\n\nThis letter was written by an older system, which keeps its words.{sent}\n"
    return RegisteredLetter(
        number=letter.number,
        case=case.number,
        seq=letter.seq,
        letter=letter.id,
        title=title,
        subject=title,
        status="handed-over",
        markdown=words,
        view={"letter": {"title": title}, "case": {"number": case.number}},
        template_hash="",
        content_hash=sha256(words.encode()).hexdigest(),
        pack_version=case.pack_version,
        owed_on=letter.owed_on,
        leaves_at=None,
        sent_on=letter.sent_on,
        recipients=(),
        missing=(),
    )
