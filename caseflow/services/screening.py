"""`screen`: which track fits the facts, what decides and what is nearest to fitting; and filing on the chosen track."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from caseflow.domain import pack as p
from caseflow.domain.facts import nearest
from caseflow.domain.rulebook import settings_of
from caseflow.domain.rules import Evaluation, Finding
from caseflow.domain.screening import NOT, Track, best, closest, screen
from caseflow.errors import BadInput, CaseflowError, NotFound, Reason, Refused
from caseflow.services.office import Progress, parse_day, quiet
from caseflow.services.ruling import finding_json, read_facts, read_readings

MAX_LINE = 256 * 1024
MEMBERS = ("id", "facts", "on")


def screened(packs: Sequence[p.Pack], given: Mapping[str, Any], on: date, readings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Every track with the findings that decide. Raises BadInput where a fact does not fit."""
    pack = _pack(packs)
    return answer_json(_tracks(pack, given, on, read_readings(pack, readings or {})), pack, on)


def _pack(packs: Sequence[p.Pack]) -> p.Pack:
    """The pack that screens; of several, the first."""
    found = next((pack for pack in packs if any(flow.screens or flow.rules for flow in pack.workflows)), None)
    if found is None:
        raise NotFound("No pack has a workflow that screens rule sets; name them in it under 'screens' or 'rules'")
    return found


def _tracks(pack: p.Pack, given: Mapping[str, Any], on: date, settings: Mapping[str, Any]) -> tuple[Track, ...]:
    facts, judgments = read_facts(pack, given)
    return screen(pack, facts, judgments, settings, on)


# --- filing -------------------------------------------------------------------------------------------------------


def request_on(packs: Sequence[p.Pack], given: Mapping[str, Any], request: Mapping[str, Any], track: str | None, on: date) -> tuple[dict[str, Any], list[str]]:
    """The request to file on a track (the best-fitting one where none is named), with what the requester should be told.

    A named track is filed on whether or not it fits: screening is advice and turns nobody away. Raises BadInput where
    the two files contradict each other, NotFound for a track that is none, Refused where none is named and none fits.
    """
    pack = _pack(packs)
    stated = request.get("facts") or {}
    if not isinstance(stated, Mapping):
        raise BadInput("'facts' of the request must name facts and their values")
    differ = [name for name, value in given.items() if name in stated and stated[name] != value and name != "judgments"]
    if differ:
        raise BadInput(f"The request and the facts differ in {', '.join(map(repr, differ))}; make them agree, or state it in one of them")
    merged = {**stated, **given}
    tracks = _tracks(pack, merged, on, settings_of(pack, {}))
    chosen = _chosen(tracks, track)
    told = []
    if chosen.result == NOT:
        told.append(f"{chosen.workflow.title} does not fit: {against(chosen, pack)}")
    if given.get("judgments"):
        told.append("The judgments are not filed; staff record them on the case.")
    waters = [{key: item for key, item in water.items() if key != "services"} if isinstance(water, Mapping) else water for water in _many(request)]
    facts = {name: value for name, value in merged.items() if name != "judgments"}
    return {**request, "services": [chosen.workflow.workflow], **({"waterbodies": waters} if waters else {}), "facts": facts}, told


def _many(request: Mapping[str, Any]) -> list[Any]:
    waters = request.get("waterbodies")
    return list(waters) if isinstance(waters, (list, tuple)) else [] if waters is None else [waters]


def _chosen(tracks: Sequence[Track], name: str | None) -> Track:
    if name is None:
        found = best(tracks)
        if found is None:
            known = ", ".join(track.workflow.workflow for track in tracks)
            text = f"No track fits these facts; name the one to file on all the same: {known}"
            raise Refused([Reason("guard-failed", "no-track-fits", text, instead="Name it with --track.")], "The request is not filed")
        return found
    for track in tracks:
        if track.workflow.workflow == name:
            return track
    names = [track.workflow.workflow for track in tracks]
    raise NotFound(f"There is no track '{name}'{nearest(name, names)}; the tracks: {', '.join(names)}")


# --- many ---------------------------------------------------------------------------------------------------------


def screen_lines(packs: Sequence[p.Pack], lines: Iterable[bytes], on: date, progress: Progress = quiet) -> Iterator[bytes]:
    """A line of JSON for each line of JSON, in constant memory: facts, or {"id", "facts", "on"}. A bad line gets {"error"}."""
    pack = _pack(packs)
    settings = settings_of(pack, {})
    for number, line in enumerate(lines, 1):
        yield _line(pack, line, on, settings)
        progress(number, None, "requests")


def _line(pack: p.Pack, line: bytes, on: date, settings: Mapping[str, Any]) -> bytes:
    made: dict[str, Any] = {}
    try:
        if len(line) > MAX_LINE:
            raise BadInput(f"the line has {len(line):,} bytes; at most {MAX_LINE:,} are read")
        asked = _object(line)
        facts, day = asked, on
        if isinstance(asked.get("facts"), dict):
            made = {"id": asked["id"]} if "id" in asked else {}
            unknown = next((key for key in asked if key not in MEMBERS), None)
            if unknown is not None:
                raise BadInput(f"there is no '{unknown}'{nearest(unknown, MEMBERS)}; a line is facts, or has {', '.join(MEMBERS)}")
            facts, day = asked["facts"], parse_day(asked["on"], "'on'") if "on" in asked else on
        tracks = _tracks(pack, facts, day, settings)
        made |= {"best": _name(best(tracks)), "closest": _name(closest(tracks)), "tracks": [_short(track) for track in tracks]}
    except CaseflowError as error:
        made |= {"error": str(error)}
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()


def _object(line: bytes) -> dict[str, Any]:
    try:
        asked = json.loads(line, parse_float=Decimal)
    except (ValueError, RecursionError):
        raise BadInput("the line is not JSON; write one object a line") from None
    if not isinstance(asked, dict):
        raise BadInput('a line must be a JSON object of facts, such as {"activity": ...}')
    return asked


# --- writing ------------------------------------------------------------------------------------------------------


def answer_json(tracks: Sequence[Track], pack: p.Pack, on: date) -> dict[str, Any]:
    """Every track, the best-fitting first; `best` is its id, or null where none fits: `closest` may then fit once more is stated."""
    return {"received": on.isoformat(), "best": _name(best(tracks)), "closest": _name(closest(tracks)), "tracks": [_track(track, pack) for track in tracks]}


def _name(track: Track | None) -> str | None:
    return track.workflow.workflow if track is not None else None


def _short(track: Track) -> dict[str, Any]:
    return {
        "workflow": track.workflow.workflow,
        "result": track.result,
        "fails": [one.rule for one in track.fails],
        "judgments": [one.rule for one in track.judgments],
        "missing": [one.fact for one in track.missing],
        "nearest_miss": track.nearest_miss,
        "notes": list(dict.fromkeys(note.id for made in track.evaluations for note in made.notes)),
    }


def _track(track: Track, pack: p.Pack) -> dict[str, Any]:
    return {
        "workflow": track.workflow.workflow,
        "title": track.workflow.title,
        "law": track.workflow.law,
        "result": track.result,
        "words": against(track, pack),
        "nearest_miss": track.nearest_miss,
        "misses": [{"rule": miss.rule, "text": miss.words} for miss in track.misses],
        "findings": [finding_json(one, pack) for one in (*track.fails, *track.judgments)],
        "judgments": [{"rule": one.rule, "text": one.text, "cite": one.cite} for one in track.judgments],
        "missing": [_missing(pack, one.fact, one.rules) for one in track.missing],
        "requirements": [
            {"rule": one.rule, "then": one.value["then"], "cite": one.cite} for made in track.evaluations for one in made.findings if _raised(one)
        ],
        "rulesets": [_ruleset(made) for made in track.evaluations],
        "refused": list(track.refused),
    }


def _raised(one: Finding) -> bool:
    return isinstance(one.value, Mapping) and one.value.get("raised") is True


def _ruleset(made: Evaluation) -> dict[str, Any]:
    return {
        "ruleset": made.ruleset,
        "version": made.version,
        "in_force": made.in_force,
        "result": made.result,
        "notes": [note.id for note in made.notes],
        "explanations": {note.id: {"text": note.text, "cite": note.cite} for note in made.notes},
    }


def _missing(pack: p.Pack, name: str, rules: Sequence[str]) -> dict[str, Any]:
    fact = pack.facts.get(name)
    made: dict[str, Any] = {"fact": name, "title": fact.title if fact is not None else None, "rules": list(rules)}
    if fact is not None:
        made |= {"type": fact.type, "unit": fact.unit, "values": list(fact.values) if fact.values is not None else None}
    return made


def against(track: Track, pack: p.Pack) -> str:
    """One sentence: that it fits, what is to be judged first, what is nearest to fitting, or what to state."""
    if track.refused and not track.fails:
        return track.refused[0]
    if track.fails:
        others = len(track.fails) - 1
        more = f" And {others} more {'standard is' if others == 1 else 'standards are'} not met." if others else ""
        return f"{track.nearest_miss}{more}"
    if track.missing:
        names = [_title(pack, one.fact) for one in track.missing]
        return f"Not shown yet: {'; '.join(names[:8])}{f' and {len(names) - 8} more' if len(names) > 8 else ''}. State them and ask again."
    if track.judgments:
        return f"Fits if a person judges so: {', '.join(one.rule for one in track.judgments)}."
    return "Fits: every standard is met."


def _title(pack: p.Pack, name: str) -> str:
    fact = pack.facts.get(name)
    return f"{fact.title} ({name})" if fact is not None and fact.title else name
