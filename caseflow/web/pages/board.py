"""The board of a supervisor, and the list of cases behind each of its figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from caseflow.errors import BadInput
from caseflow.services.overseeing import AT_RISK, SILENCE_WITHIN, STUCK_AFTER, WEEK
from caseflow.web import charts
from caseflow.web.forms import day_of
from caseflow.web.site import Desk, Overseer, Site, page
from caseflow.web.turns import Page, as_of_one_moment
from caseflow.web.words import MONTHS, plain_day, plural

router = APIRouter(route_class=Page)
SIZE = 50
ASKED = ("show", "with", "on", "silent", "month", "kind", "least", "most", "as_of")
FIGURES = {
    "overdue": "past the law’s last day",
    "at-risk": f"at risk, {AT_RISK} office days or fewer",
    "silence": f"decided by silence within {SILENCE_WITHIN} days",
    "letters-waiting": "with letters waiting",
    "stuck": f"stuck: no timer or a failed one, or nothing done for {STUCK_AFTER} days",
    "open": "open",
}
LISTS = {
    "overdue": "Past the law’s last day",
    "at-risk": f"At risk: target within {AT_RISK} office days",
    "silence": f"Decided by silence within {SILENCE_WITHIN} days",
    "letters-waiting": "With letters waiting",
    "stuck": f"Stuck: no timer or a failed one, or nothing done for {STUCK_AFTER} days",
    "open": "Open",
    "week": f"Target within {WEEK} days, or passed",
    "standing": "No period runs: held or displaced",
    "targets": "Target in the next six weeks",
    "decided": "Decided in the last twelve months",
}
KINDS = {"in-time": "in time without a hold", "held": "in time with held days", "late": "late"}


def links(as_of: str | None) -> Callable[..., str]:
    """Addresses of lists of this board, of the same day as the board."""

    def link(show: str, **more: Any) -> str:
        given = {name.rstrip("_"): value for name, value in more.items() if value is not None}
        return "/board/cases?" + urlencode({"show": show, **given, **({"as_of": as_of} if as_of else {})})

    return link


@router.get("/board")
@as_of_one_moment
def board(request: Request, site: Desk, person: Overseer) -> Response:
    """What goes wrong first, then how much there is, how months went, and who carries it."""
    as_of = _as_of(request, site)
    made = site.desk.overseeing.sheet(as_of, person.sees)
    link = links(made["as_of"] if made["past"] else None)
    counts = {figure["id"]: figure["count"] for figure in made["figures"]}
    return page(
        request,
        "board.html",
        {
            **made,
            "link": link,
            "counts": counts,
            "words": FIGURES,
            "kinds": KINDS,
            "months": MONTHS,
            "most_open": max((row["open"] for row in made["workload"]), default=0),
            "patterns": charts.patterns(),
            "targets_chart": charts.targets(made["targets"], link),
            "months_chart": charts.months(made["on_time"], link) if made["on_time"] else None,
            "load": charts.load,
            "stood": charts.stood,
        },
    )


@router.get("/board/cases")
@as_of_one_moment
def cases(request: Request, site: Desk, person: Overseer) -> Response:
    """Exactly the cases that a figure counts."""
    asked = {name: value for name in ASKED if (value := request.query_params.get(name, "").strip()[:60])}
    if "as_of" in asked:
        asked["as_of"] = _as_of(request, site) or ""
    made = site.desk.overseeing.cases(asked, request.query_params.get("after"), SIZE, person.sees)
    kept = {name: value for name, value in asked.items() if value}
    data = {
        **made,
        "show": asked["show"],
        "heading": heading(asked, made["title"]),
        "more": "/board/cases?" + urlencode({**kept, "after": made["next"]}) if made["next"] else None,
        "first": request.query_params.get("after") is None,
        "start": "/board/cases?" + urlencode(kept),
        "back": "/board" + ("?" + urlencode({"as_of": made["as_of"]}) if made["past"] else ""),
        "stands": any(row["stands"] for row in made["rows"]),
    }
    return page(request, "board-cases.html", data)


def heading(asked: Mapping[str, str], title: str | None) -> str:
    """What a list holds, in words."""
    show = asked["show"]
    text = LISTS.get(show) or title or show
    if asked.get("on"):
        text = f"Target on {plain_day(asked['on'])}"
    if asked.get("silent"):
        text += ", decided by silence if nobody acts"
    if asked.get("month"):
        year, month = asked["month"].split("-", 1)
        text = f"Decided in {MONTHS[int(month) - 1]} {year}"
    if asked.get("kind") in KINDS:
        text += f", {KINDS[asked['kind']]}"
    if asked.get("least") or asked.get("most"):
        least, most = asked.get("least", "0"), asked.get("most")
        text += f", for {least} to {plural(int(most), 'day')}" if most else f", for {plural(int(least), 'day')} or longer"
    if asked.get("with"):
        text += ", with nobody" if asked["with"] == "nobody" else f", with {asked['with']}"
    return text


def _as_of(request: Request, site: Site) -> str | None:
    """The day that was asked for, as people type it. Raises BadInput."""
    text = request.query_params.get("as_of", "").strip()
    if not text:
        return None
    try:
        return day_of(text, site.desk.today(), "the board").isoformat()
    except ValueError as error:
        raise BadInput(str(error)) from None
