"""The audit of a case as a drawing: one line for the day an entry counts from, one for the moment it was typed, a stroke between.

Upright is the same day, slanted was recorded later, broken and red is voided; squares are machines, circles people. Below
stands what the site showed as last day on each day. Narrow screens have the table, which says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from markupsafe import Markup, escape

from caseflow.web.words import plain_day, plain_short, plural

WIDTH, GUTTER = 1120, 150
LETTER_WIDTH = 6.6
UP, DOWN, STRIP, BAR = 58, 158, 190, 24
MOST_LABELS = 3


def drawing(audit: Mapping[str, Any]) -> Markup:
    """The drawing of an audit; nothing where no entry was on record."""
    entries = sorted(audit["entries"], key=lambda one: one["seq"])
    if not entries:
        return Markup("")
    scale = _Scale(entries, audit["known_on"])
    parts = [*_ground(audit, scale), *_lines(), *_strokes(entries, scale), *_strip(audit["strip"], scale)]
    late, voided = sum(one["late"] > 0 for one in entries), sum(one["voided_by"] is not None for one in entries)
    said = f"{plural(len(entries), 'entry', 'entries')}: {late} recorded later than effective, {voided} voided. The table below says the same."
    height = STRIP + BAR + 26
    return Markup(f'<svg class="audit-draw" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(said)}">{"".join(parts)}</svg>')


class _Scale:
    """Where a moment lies. Every day has the same width."""

    def __init__(self, entries: Sequence[Mapping[str, Any]], until: str) -> None:
        days = [date.fromisoformat(one["effective_on"]) for one in entries] + [date.fromisoformat(one["local"][:10]) for one in entries]
        self.first = min(days) - timedelta(days=1)
        end = max([*days, date.fromisoformat(until)])
        self.last = end + timedelta(days=1 + (end - self.first).days // 14)
        self.unit = (WIDTH - GUTTER - 8) / ((self.last - self.first).days + 1)

    def x(self, day: date, part: float = 0.0) -> float:
        return GUTTER + ((day - self.first).days + part) * self.unit

    def at(self, moment: str) -> float:
        found = datetime.fromisoformat(moment)
        return self.x(found.date(), (found.hour * 60 + found.minute) / 1440)


def _ground(audit: Mapping[str, Any], scale: _Scale) -> Iterator[str]:
    for day in (date.fromisoformat(one) for one in audit["closed"]):
        if scale.first <= day <= scale.last:
            yield f'<rect class="closed" x="{_n(scale.x(day))}" y="{UP - 14}" width="{_n(scale.unit)}" height="{DOWN - UP + 26}"/>'
    end = -100.0
    span = (scale.last - scale.first).days
    for at in range(span + 1):
        day = scale.first + timedelta(days=at)
        first = day.weekday() == 0 if span <= 140 else day.day == 1
        x = scale.x(day)
        text = plain_short(day) if span <= 140 else plain_day(day)
        if first and x > end + 14 and x + len(text) * LETTER_WIDTH <= WIDTH:
            yield _text(x, 16, text, "axis")
            yield f'<path class="tick" d="M{_n(x)} 22v6"/>'
            end = x + len(text) * LETTER_WIDTH


def _lines() -> Iterator[str]:
    for y, name, under in ((UP, "Effective", "the day it counts from"), (DOWN, "Recorded", "the day it was typed")):
        yield _text(0, y, name, "name") + _text(0, y + 16, under, "under") + f'<path class="rule" d="M{GUTTER} {y}H{WIDTH - 8}"/>'
    yield _text(0, STRIP + 12, "Last day shown", "name") + _text(0, STRIP + 28, "on that day, to staff", "under")


def _strokes(entries: Sequence[Mapping[str, Any]], scale: _Scale) -> Iterator[str]:
    same: dict[str, list[int]] = {}
    for one in entries:
        same.setdefault(one["effective_on"], []).append(one["seq"])
    labels: list[float] = [-100.0] * MOST_LABELS
    for one in sorted(entries, key=lambda entry: (entry["effective_on"], entry["seq"])):
        fellows = same[one["effective_on"]]
        upright = one["late"] == 0
        low = scale.at(one["local"])
        high = low if upright else scale.x(date.fromisoformat(one["effective_on"]), (fellows.index(one["seq"]) + 1) / (len(fellows) + 1))
        kind = "voided" if one["voided_by"] is not None else "level" if upright else "later"
        yield f'<path class="stroke-{kind}" d="M{_n(high)} {UP}L{_n(low)} {DOWN}"/>'
        for x, y in ((high, UP), (low, DOWN)):
            if one["actor"]["kind"] == "person":
                yield f'<circle class="end-{kind}" cx="{_n(x)}" cy="{y}" r="4.5"/>'
            else:
                yield f'<rect class="end-{kind}" x="{_n(x - 4)}" y="{y - 4}" width="8" height="8"/>'
        width = len(str(one["seq"])) * LETTER_WIDTH + 4
        row = next((at for at, end in enumerate(labels) if high - width / 2 > end), None)
        if row is not None:
            labels[row] = high + width / 2
            yield _text(high, UP - 9 - 11 * row, str(one["seq"]), f"on-{kind}", "middle")
        if kind == "later" and (low - high) > 90:
            text = f"{plural(one['late'], 'day')} after"
            yield f'<rect class="plate" x="{_n((high + low) / 2 - 34)}" y="{(UP + DOWN) / 2 + 1}" width="70" height="17"/>'
            yield _text((high + low) / 2 + 1, (UP + DOWN) / 2 + 14, text, "on-later", "middle")


def told(shown: Mapping[str, Any] | None) -> str:
    """What the site showed, in words."""
    if shown is None:
        return "not computed"
    kind, kept = shown["kind"], shown["kept"]
    if kind == "held":
        return "none, held" + (f"; {kept} kept" if kept is not None else "")
    return {"running": plain_day(shown["due"]), "displaced": "none, displaced", "ended": "none, ended", "none": "none"}[kind]


def _strip(pieces: Sequence[Mapping[str, Any]], scale: _Scale) -> Iterator[str]:
    for at, piece in enumerate(pieces):
        x, end = scale.x(date.fromisoformat(piece["from"])), scale.x(date.fromisoformat(piece["to"]) + timedelta(days=1))
        end = scale.x(scale.last, 1) if at == len(pieces) - 1 else end
        kind = "voided" if piece["voided"] else piece["shown"]["kind"] if piece["shown"] is not None else "none"
        width = max(end - x, 2.0)
        yield f'<rect class="strip-{kind}" x="{_n(x)}" y="{STRIP}" width="{_n(width)}" height="{BAR}"/>'
        text = told(piece["shown"])
        room = len(text) * LETTER_WIDTH + 12
        if room > width and piece["shown"] is not None and piece["shown"]["due"]:
            text = plain_short(piece["shown"]["due"])
            room = len(text) * LETTER_WIDTH + 12
        if room <= width:
            yield f'<rect class="plate" x="{_n(x + 4)}" y="{STRIP + 4}" width="{_n(room - 6)}" height="{BAR - 8}"/>'
            yield _text(x + 8, STRIP + 16.5, text, f"told-{kind}")
        if piece["voided"]:
            days = (date.fromisoformat(piece["to"]) - date.fromisoformat(piece["from"])).days + 1
            text = f"{told(piece['shown'])} for {plural(days, 'day')}, then voided"
            half = len(text) * LETTER_WIDTH / 2
            center = min(max(x + width / 2, GUTTER + half), WIDTH - half)
            yield f'<path class="stroke-voided" d="M{_n(x + width / 2)} {STRIP + BAR}v6"/>' + _text(center, STRIP + BAR + 18, text, "on-voided", "middle")


def _text(x: float, y: float, text: str, name: str, anchor: str = "start") -> str:
    at = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{name}" x="{_n(x)}" y="{_n(y)}"{at}>{escape(text)}</text>'


def _n(value: float) -> str:
    return f"{round(value, 1):g}"
