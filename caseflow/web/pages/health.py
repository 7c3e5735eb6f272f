"""Files, and whether the program is well: in one word for everybody, in figures for those who watch it."""

from __future__ import annotations

import secrets
from ipaddress import ip_address
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from caseflow.errors import CaseflowError
from caseflow.services.measuring import LATE_AFTER
from caseflow.web.metrics import TYPE, written
from caseflow.web.site import Desk, Site, see_other, token_of
from caseflow.web.turns import Page

router = APIRouter(route_class=Page)
HANDED_ON = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""What a proxy adds: whoever stands behind one is not on this machine."""
CLOSED = "The figures are read from this machine, or with the token of CASEFLOW_METRICS_TOKEN.\n"


@router.get("/static/{name:path}")
def static(name: str, request: Request, site: Desk) -> Response:
    """A file of the site."""
    found = site.assets.answer(name, request)
    if found is None:
        raise HTTPException(404)
    return found


@router.get("/health")
def health(site: Desk) -> Response:
    """200 where the database answers and, if a scheduler is to run, it swept within a minute; 503 otherwise. Names nothing."""
    made: dict[str, Any] = {"database": "ok", "scheduler": "ok"}
    try:
        swept = _swept(site)
    except CaseflowError:
        return JSONResponse({"status": "failing", "database": "failing", "scheduler": "unknown"}, 503)
    if swept is None or swept > LATE_AFTER:
        made["scheduler"] = "late" if swept is not None else "not seen"
    well = made["scheduler"] == "ok" or not site.scheduler
    return JSONResponse({"status": "ok" if well else "failing", **made}, 200 if well else 503)


def _swept(site: Site) -> float | None:
    """Seconds since the last sign of life: of the scheduler of this process where it has one, though others live; else of any."""
    return min((one.age for one in site.desk.measuring.beats() if site.clerk in (None, one.process)), default=None)


@router.get("/health/details")
def details(request: Request, site: Desk) -> Response:
    """The figures for a person who looks: each scheduler, what is due, what waits."""
    if not _may(request, site):
        return PlainTextResponse(CLOSED, 403)
    now = site.desk.measuring.now()
    counts = now.counts
    schedulers = [{"process": one.process, "age_seconds": round(one.age, 1), "stopped": one.stopped, "note": one.note} for one in now.beats]
    outbox = {status: {"copies": one.count, "oldest_age_seconds": round(now.age(one), 1)} for status, one in sorted(counts.outbox.items())}
    return JSONResponse(
        {
            "at": now.at.isoformat(timespec="seconds"),
            "schedulers": schedulers,
            "oldest_due_timer_age_seconds": round(now.oldest_due, 1),
            "sweeps_running": counts.sweeps,
            "daily_work_done_for": now.daily_for or None,
            "outbox": outbox,
            "letters_waiting": dict(sorted(counts.letters.items())),
            "parked_timers": counts.parked_timers,
            "parked_cases": counts.parked_cases,
            "open_cases": counts.open_cases,
            "resting": now.resting,
            "database_connections": {"in_use": now.pool[0], "at_rest": now.pool[1]},
        }
    )


@router.get("/metrics")
def metrics(request: Request, site: Desk) -> Response:
    """The figures as Prometheus reads them; where the database is away, those that this process knows alone."""
    if not _may(request, site):
        return PlainTextResponse(CLOSED, 403)
    try:
        now = site.desk.measuring.now()
    except CaseflowError:
        now = None
    return Response(written(now, site.requests), media_type=TYPE)


def _may(request: Request, site: Site) -> bool:
    """Who brings the token; without one whoever asks from this machine, and not through a proxy."""
    if site.metrics_token:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(given.encode(), site.metrics_token.encode())
    if any(name in request.headers for name in HANDED_ON) or (site.secure and not site.proxied):
        return False
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False


@router.get("/")
def start(request: Request, site: Desk) -> Response:
    """Where a person begins: with what needs them, or with the docket where nothing can."""
    person = site.desk.people.who(token_of(request))
    return see_other("/my-work" if person is None or person.may("work") else "/docket")
