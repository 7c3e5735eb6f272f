"""Proves workflows: files every kind of request that the law tells apart, walks on from there, and says how each claim fares.

The walk and the claims are the domain's (`domain.proving`). Here requests are made: those of the pack's samples, and the
first of them with whatever a question turns on stated the other way, on each weekday. Nothing is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import product
from time import process_time
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.proving import Asked, Claims, Opening, Walked, Walker, scenario_of, text_of, words_of
from caseflow.domain.rulebook import FILED_FACTS, Rulebook
from caseflow.errors import BadInput, Refused
from caseflow.services import filing
from caseflow.services.office import Office, local_moment, parse_moment

Told = Callable[[int, int, str], None]
Samples = Mapping[str, Mapping[str, Any]]
"""The sample requests of a workflow, by name."""

BEGINS = date(2027, 3, 1)
"""A Monday without a holiday in the weeks around it: the days of the walk are counted from it."""
WEEK = 7
MOST_FACTS = 4
"""Of so many facts of filing every combination is filed; further ones are turned one at a time."""


def prove(office: Office, book: Rulebook, samples: Samples, progress: Told, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Walks a workflow and decides its claims: what `pack prove --json` prints of it, seconds are those of the processor."""
    began = process_time()
    flow = book.workflow
    claims = Claims(book)
    walker = Walker(book, {**book.settings, **(settings or {})}, claims.seeds, claims.counted)
    openings = list(_openings(office, book, walker, samples, settings or {}))
    if not openings:
        raise BadInput(f"No request can be filed under {flow.workflow}; write one that can, as samples/{flow.workflow}/complete.yaml.")
    walked = walker.walk(openings, claims, lambda place: progress(place, 0, f"positions of {flow.workflow}"))
    claims.whole(walked)
    decided = [_told(one, walked) for one in claims.asked]
    acts = [name for name in walker.cone.acts if name not in walked.acts]
    return {
        "workflow": flow.workflow,
        "title": flow.title,
        "pack": book.pack.text.pack,
        "version": book.pack.hash,
        "states": len(walked.positions),
        "edges": walked.edges,
        "depth": max(walked.depth),
        "seconds": round(process_time() - began, 2),
        "never_done": acts,
        "claims": decided,
        "broken": sum(not one["holds"] for one in decided),
    }


def _told(one: Asked, walked: Walked) -> dict[str, Any]:
    claim, broken = one.claim, one.broken
    made: dict[str, Any] = {
        "id": one.name,
        "text": claim.text,
        "kind": claim.kind,
        "cite": claim.cite,
        "note": claim.note,
        "everywhere": one.name in p.DEFAULT and one.name not in one.book.workflow.claims,
        "holds": broken is None,
        "asked": one.asked,
        "said": broken.said if broken is not None else None,
        "path": [],
        "scenario": None,
        "file": None,
    }
    if broken is not None:
        path = walked.path(broken.at) if broken.at >= 0 else []
        made["path"] = words_of([*path, *([broken.step] if broken.step is not None else [])])
        made["scenario"] = scenario_of(one, walked)
        made["file"] = text_of(made["scenario"])
    return made


# --- requests -----------------------------------------------------------------------------------------------------


def _openings(office: Office, book: Rulebook, walker: Walker, samples: Samples, settings: Mapping[str, Any]) -> Iterator[Opening]:
    """Every filing worth making, the plainest first."""
    first = _first_day(book)
    plainest = "complete" if "complete" in samples else next(iter(samples), None)
    base = samples[plainest] if plainest is not None else _bare(book)
    for days in range(WEEK):
        yield from _filed(office, book, plainest, base, {}, {}, first + timedelta(days), settings)
    for name, sample in samples.items():
        if name != plainest:
            yield from _filed(office, book, name, sample, {}, {}, first, settings)
    for change, facts in _changes(book, walker):
        yield from _filed(office, book, plainest, base, change, facts, first, settings)


def _first_day(book: Rulebook) -> date:
    force = book.workflow.in_force
    if force.covers(BEGINS):
        return BEGINS
    return force.from_ if force.from_ is not None and force.from_ > BEGINS else (force.until or BEGINS) - timedelta(WEEK)


def _bare(book: Rulebook) -> dict[str, Any]:
    """A request in order, for a workflow without samples."""
    return {
        "requester": {"name": "A. Requester", "capacity": "owner", "email": "requester@example.org"},
        "third_party": {"name": "A. Third"},
        "waterbodies": [{"name": "the place"}],
        "submitted": list(book.workflow.items),
        "exclusions": dict.fromkeys(book.workflow.exclusions, False),
        "payment": {"method": "waived", "amount": "0.00"},
    }


def _changes(book: Rulebook, walker: Walker) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """What of a request to state otherwise: form, payment, items and address, and the facts that questions turn on."""
    requests: list[dict[str, Any]] = [{}, {"in_form": False}, {"payment": None}, {"submitted": []}]
    requests.append({"payment": None, "submitted": []})
    if "reached_by" in walker.cone.stored:
        requests.append({"requester": {"email": None, "channel": "post", "address": ["1 Example Road"]}})
    offered = _facts(book, walker)
    names = list(offered)
    ways = [dict(zip(names, values, strict=True)) for values in product(*offered.values())] if len(names) <= MOST_FACTS else []
    ways = ways or [{name: value} for name, values in offered.items() for value in values]
    for facts in [{}, *ways]:
        for change in requests:
            if change or facts:
                yield change, {name: value for name, value in facts.items() if value is not None}


def _facts(book: Rulebook, walker: Walker) -> dict[str, list[Any]]:
    """The facts that may be stated at filing and are asked of the case later, each with values that answer either way."""
    found: dict[str, list[Any]] = {}
    known = {name for name in book.own["file"] if name in book.facts and name not in FILED_FACTS and name not in book.fixed}
    for leaf in (*walker.cone.leaves, *walker.cone.local["file"].values()):
        if isinstance(leaf, p.FactTest) and leaf.fact in known and book.facts[leaf.fact].type in ("yes-no", "choice", "number"):
            found.setdefault(leaf.fact, [None]).extend(value for value in walker.choices.answers(leaf) if value is not None)
    return {name: list({repr(value): value for value in values}.values()) for name, values in found.items()}


def _filed(
    office: Office,
    book: Rulebook,
    sample: str | None,
    base: Mapping[str, Any],
    change: Mapping[str, Any],
    facts: Mapping[str, Any],
    day: date,
    settings: Mapping[str, Any],
) -> Iterator[Opening]:
    """One filing as the entry that it makes; none where the request can't be read."""
    flow = book.workflow
    filed = f"{day.isoformat()}T09:00"
    moment = local_moment(book.calendar.zone, parse_moment(filed, "'filed'"))
    request: dict[str, Any] = {**base, "services": [flow.workflow], "filed": moment}
    for key, value in change.items():
        request[key] = {**request.get(key, {}), **value} if isinstance(value, Mapping) else value
    request["facts"] = {**(request.get("facts") or {}), **facts}
    request["waterbodies"] = [{key: one for key, one in water.items() if key != "services"} for water in _waters(request)][:1]
    if settings:
        request["settings"] = dict(settings)
    try:
        read, _ = filing.read(office, request, moment)
    except (BadInput, Refused):
        return
    made = filing.facts_of(book, read, read.waterbodies[0], "P", filing.fee_of(read, {flow.workflow: book}), 0)
    told: dict[str, Any] = {"filed": filed}
    if sample is not None and sample != "complete":
        told["sample"] = sample
    if len(_waters(base)) > 1:
        change = {**change, "waterbodies": request["waterbodies"]}
    for key, value in (("request", change), ("facts", facts), ("settings", settings)):
        if value:
            told[key] = dict(value)
    yield Opening(made, told)


def _waters(request: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return [one if isinstance(one, Mapping) else {"name": one} for one in request.get("waterbodies") or ()]
