"""The timeline as two drawings, wide and tall, and as an equal table. The same data gives the same bytes.

A bar begins the day after its event, one day has one width, and weeks in which nothing happens may be folded. No text is
cut in the table; a label in the drawing may be. Colors are classes, since the policy of the site drops style attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from caseflow.web.words import plain_day, plain_short, plural

WIDTH, GUTTER, RIGHT, TOP, LANE, BAR, THIN = 1168, 156, 14, 44, 48, 24, 10
FULL_DETAIL, FOLD_UNITS, ROWS, ROW = 70, 3.0, 4, 21
TALL_WIDTH, TALL_DAY, TALL_FOLD, TALL_X, TALL_STEP = 344, 9.4, 30.0, 104, 17
LETTER_WIDTH = 6.3
"""An average sign of 12 pixels in Public Sans; labels are placed by it, generously."""

OVER = ("<text", '<rect class="plate"', '<path class="flag', "<circle")
"""Strokes that stand over the mark of a fold."""

WORDS = {"used": "counted", "held": "held", "left": "left", "roll": "moved to the next day that counts", "late": "late", "displaced": "no last day"}
SIGNS = {
    "letter": '<path class="sign" d="M{x} {y}h15v11h-15zM{x} {y}l7.5 6 7.5-6"/>',
    "in": '<path class="sign-in" d="M{x} {m}h8v-4l7 6-7 6v-4h-8z"/>',
    "act": '<circle class="sign" cx="{c}" cy="{b}" r="4.5"/>',
    "time": '<path class="sign-time" d="M{c} {y}l6.5 11h-13z"/>',
}


class Piece(NamedTuple):
    """A part of the scale: days from first to last, folded to a fixed width or not."""

    first: int
    last: int
    folded: bool


class Scale:
    """Where a day lies: `x(day)` is its left edge."""

    def __init__(self, pieces: Sequence[Piece], start: float, length: float, fold: float = FOLD_UNITS, unit: float | None = None) -> None:
        units = sum(fold if piece.folded else piece.last - piece.first + 1 for piece in pieces)
        self.pieces, self._fold = pieces, fold
        self.unit = unit if unit is not None else length / units
        self._starts: list[tuple[Piece, float]] = []
        at = start
        for piece in pieces:
            self._starts.append((piece, at))
            at += (fold if piece.folded else piece.last - piece.first + 1) * self.unit
        self.end = at

    def x(self, day: int) -> float:
        """The left edge of a day; days outside lie at the ends."""
        for piece, at in self._starts:
            if day <= piece.last:
                days = max(0, day - piece.first)
                share = self._fold / (piece.last - piece.first + 1) if piece.folded else 1.0
                return round(at + days * share * self.unit, 1)
        return round(self.end, 1)

    def folds(self) -> Iterator[tuple[Piece, float, float]]:
        """The folded parts with their edges."""
        for piece, at in self._starts:
            if piece.folded:
                yield piece, round(at, 1), round(at + self._fold * self.unit, 1)


def pieces_of(made: Mapping[str, Any], full: int = FULL_DETAIL) -> list[Piece]:
    """The scale's parts: everything where it is short, otherwise whole weeks without an event are folded."""
    first, last = _day(made["from"]), _day(made["to"])
    if last - first + 1 <= full:
        return [Piece(first, last, False)]
    busy = {_day(made["today"]), first, last, *(_day(event["on"]) for event in made["events"])}
    for lane in made["lanes"]:
        busy |= {_day(day) for day in (lane["due"], lane["ended_on"]) if day}
        busy |= {_day(day) for piece in lane["pieces"] for day in (piece["from"], piece["to"])}
    kept = {near for day in busy for near in (day - 1, day, day + 1)}
    pieces: list[Piece] = []
    week = first
    while week <= last:
        end = min(week + 6 - (week - 1) % 7, last)  # an ordinal of 1 is a Monday
        folded = end - week == 6 and not any(day in kept for day in range(week, end + 1))
        if pieces and pieces[-1].folded == folded:
            pieces[-1] = Piece(pieces[-1].first, end, folded)
        else:
            pieces.append(Piece(week, end, folded))
        week = end + 1
    # A fold of one week saves too little to be worth a mark.
    return [Piece(piece.first, piece.last, piece.folded and piece.last - piece.first >= 13) for piece in pieces]


def story(made: Mapping[str, Any]) -> str:
    """The drawing in one sentence, for those who do not see it."""
    told = []
    for lane in made["lanes"]:
        parts = [label(piece, lane) for piece in lane["pieces"] if piece["kind"] != "roll"]
        end = f", last day {plain_day(lane['due'])}" if lane["due"] else ", no last day"
        told.append(f"{lane['title']}: {', '.join(parts) or 'begun today'}{end}")
    return f"Timeline on {plain_day(made['today'])}. " + "; ".join(told) + "."


def label(piece: Mapping[str, Any], lane: Mapping[str, Any]) -> str:
    """What a piece of a bar says."""
    days = plural(piece["days"], lane["unit"])
    match piece["kind"]:
        case "held":
            return f"held {plural(piece['days'], 'day')}" + (" so far" if piece["open"] else "")
        case "left":
            return f"{days} left"
        case "roll":
            return f"+{piece['days']}"
        case "late":
            return f"{plural(piece['days'], 'day')} late"
        case "displaced":
            return "as soon as conditions allow"
        case _:
            return days


# --- wide ---


def wide(made: Mapping[str, Any]) -> Markup:
    """The drawing from left to right."""
    scale = Scale(pieces_of(made), GUTTER, WIDTH - GUTTER - RIGHT)
    marks, rows, more = _placed(made, scale)
    bottom = TOP + LANE * len(made["lanes"])
    height = bottom + 14 + ROW * max(rows, 1) + 6
    parts = [*_ground(made, scale, height), *_axis(made, scale)]
    labels: list[str] = []
    for at, lane in enumerate(made["lanes"]):
        for stroke in _lane(lane, scale, TOP + LANE * at, made["today"]):
            (labels if stroke.startswith(OVER) else parts).append(stroke)
    parts += _folds(scale, height)
    parts += labels
    parts.append(_text(0, bottom + 25, "Letters and events", "name"))
    if more:
        parts.append(_text(0, bottom + 42, f"and {more} more in the table", "under"))
    parts += [mark for _, mark in sorted(marks)]
    parts += _today(made, scale, height)
    return _svg(WIDTH, height, "wide", "w", story(made), parts)


def _ground(made: Mapping[str, Any], scale: Scale, height: int) -> Iterator[str]:
    """Pale columns for the days on which the office is closed, as long as a day is wide enough to see."""
    if scale.unit < 3:
        return
    folded = [(piece.first, piece.last) for piece in scale.pieces if piece.folded]
    run: list[int] = []
    for day in [*(_day(one) for one in made["closed"]), 0]:
        if any(first <= day <= last for first, last in folded):
            continue
        if run and day != run[-1] + 1:
            x, end = scale.x(run[0]), scale.x(run[-1] + 1)
            yield f'<rect class="closed" x="{x}" y="{TOP - 6}" width="{round(end - x, 1)}" height="{height - TOP}"/>'
            run = []
        run.append(day)


def _axis(made: Mapping[str, Any], scale: Scale) -> Iterator[str]:
    mondays = [day for piece in scale.pieces if not piece.folded for day in range(piece.first, piece.last + 1) if (day - 1) % 7 == 0]
    years = made["from"][:4] != made["to"][:4]
    last = -1000.0
    today = scale.x(_day(made["today"]))
    for day in mondays:
        x = scale.x(day)
        text = plain_short(date.fromordinal(day))
        if years and date.fromordinal(day).isocalendar().week <= 1:
            text = plain_day(date.fromordinal(day))
        width = len(text) * LETTER_WIDTH
        yield f'<path class="week" d="M{x} {TOP - 6}V{TOP - 2}"/>'
        if x - last >= 8 and x + width <= WIDTH and not today - width - 6 < x - 3 < today + 6:
            yield _text(x + 3, TOP - 12, text, "axis")
            last = x + width


def _lane(lane: Mapping[str, Any], scale: Scale, y: int, today: str) -> Iterator[str]:
    yield from _name(lane, y)
    bar = BAR if lane["agency"] else THIN
    top = y + 2 if lane["agency"] else y + 8
    due = _day(lane["due"]) if lane["due"] else None
    for piece in lane["pieces"]:
        x = scale.x(_day(piece["from"]))
        end = scale.end if piece["kind"] == "displaced" else scale.x(_day(piece["to"]) + 1)
        yield from _bar(piece, lane, x, end, top, bar)
    if lane["agency"] and due is not None:
        yield from _flag(lane, scale, due, top, today)
    elif not lane["agency"]:
        yield from _under(lane, scale, top, today)
    if lane["ended_on"] and lane["status"] == "met":
        x = scale.x(_day(lane["ended_on"]) + 1)
        middle = top + bar / 2
        yield f'<circle class="met" cx="{x}" cy="{middle}" r="7.5"/><path class="met-check" d="M{x - 3.5} {middle}l2.5 3 4.5-6"/>'


def _name(lane: Mapping[str, Any], y: int) -> Iterator[str]:
    lines = _wrapped(lane["title"], 24)[:2]
    for at, line in enumerate(lines):
        yield _text(0, y + 12 + 14 * at, line, "name")
    yield _text(0, y + 12 + 14 * len(lines), ", ".join(part for part in (lane["length"], lane["actor"]) if part), "under")


def _bar(piece: Mapping[str, Any], lane: Mapping[str, Any], x: float, end: float, top: float, bar: int) -> Iterator[str]:
    kind, width = piece["kind"], round(end - x, 1)
    name = kind if lane["agency"] else f"{kind} thin"
    yield f'<rect class="bar-{name}" x="{x}" y="{top}" width="{width}" height="{bar}"/>'
    if kind == "displaced":
        yield f'<path class="edge-displaced" d="M{x} {top}V{top + bar}"/>'
    if not lane["agency"]:
        return
    text = label(piece, lane)
    room = len(text) * LETTER_WIDTH + 10
    if room > width:
        text = str(piece["days"]) if kind in ("used", "left", "held", "late") and width >= 16 else f"+{piece['days']}" if kind == "roll" and width >= 16 else ""
        room = len(text) * LETTER_WIDTH + 8
    if not text:
        return
    if kind in ("held", "late", "displaced"):
        yield f'<rect class="plate" x="{x + 4}" y="{top + 4}" width="{round(room, 1)}" height="{bar - 8}"/>'
    yield _text(x + (8 if kind in ("held", "late", "displaced") else 5), top + 16.5, text, f"on-{kind}")


def _flag(lane: Mapping[str, Any], scale: Scale, due: int, top: float, today: str) -> Iterator[str]:
    """A flag at the right edge of the last day; the target only where it is another day."""
    x = scale.x(due + 1)
    yield f'<path class="flag-pole" d="M{x} {top - 6}V{top + BAR + 7}"/><path class="flag-cloth" d="M{x} {top - 7}h11l-3 4 3 4h-11z"/>'
    over = lane["due"] < today or lane["ended_on"]
    text = f"Last day {'was ' if over else ''}{plain_short(lane['due'])}"
    width = len(text) * LETTER_WIDTH
    now = scale.x(_day(today)) + scale.unit / 2
    right = x + width + 5 <= WIDTH and not x - 2 < now < x + width + 9
    left = x - width - 4 >= GUTTER and not (right and x - width - 8 < now < x)
    yield _text(x - 4 if left else x + 5, top + BAR + 15, text, "flag-text", "end" if left else "start")
    if lane["target"] and lane["target"] != lane["due"] and not over:
        at = scale.x(_day(lane["target"]) + 1)
        yield f'<path class="target" d="M{at} {top - 4}V{top + BAR + 4}"/><path class="target-wedge" d="M{at - 4} {top - 8}h8l-4 5z"/>'
    if lane["silent_until"] and not over:
        end = scale.x(_day(lane["silent_until"]) + 1)
        yield f'<rect class="silent" x="{x}" y="{top + 7}" width="{round(max(end - x, 2), 1)}" height="10"/>'


def _under(lane: Mapping[str, Any], scale: Scale, top: float, today: str) -> Iterator[str]:
    if not lane["pieces"]:
        return
    total = (lane["used"] or 0) + (lane["left"] or 0)
    ended = lane["status"] in ("met", "stopped")
    used = (
        "over"
        if lane["status"] == "over"
        else f"{'ended on ' if ended else ''}{lane['unit']} {lane['used']} of {total}"
        if lane["used"] is not None and total
        else ""
    )
    if lane["due"] and not ended:
        used += f"{'; ' if used else ''}last day {'was ' if lane['status'] == 'over' else ''}{plain_short(lane['due'])}"
    x = scale.x(_day(lane["pieces"][0]["from"]))
    width, now = len(used) * LETTER_WIDTH, scale.x(_day(today)) + scale.unit / 2
    if x < now + 4 < x + width + 8 and now + width + 6 <= WIDTH:
        x = now + 6
    yield _text(min(x, WIDTH - RIGHT - width), top + THIN + 15, used, "note")


def _placed(made: Mapping[str, Any], scale: Scale) -> tuple[list[tuple[int, str]], int, int]:
    """Events in rows, so that no label touches another or the line of today; how many rows, and how many found no place."""
    bottom = TOP + LANE * len(made["lanes"]) + 14
    today = scale.x(_day(made["today"])) + scale.unit / 2
    taken: list[list[tuple[float, float]]] = [[] for _ in range(ROWS)]
    marks: list[tuple[int, str]] = []
    more = 0
    for at, event in enumerate(made["events"]):
        day = _day(event["on"])
        center = scale.x(day) + scale.unit / 2
        text = event["title"] if len(event["title"]) <= 44 else event["title"][:42].rstrip() + "…"
        width = len(text) * LETTER_WIDTH
        for row in range(ROWS):
            side = _side(center, width, today, taken[row])
            if side is None:
                continue
            x0, x1, anchor = side
            taken[row].append((x0, x1))
            y = bottom + ROW * row
            sign = SIGNS[event["kind"]].format(x=round(center - 7.5, 1), y=y, c=round(center, 1), m=y + 3.5, b=y + 5.5)
            tx = center + 12 if anchor == "start" else center - 12
            name = "event coming" if event["coming"] else "event"
            stem = f'<path class="stem" d="M{round(center, 1)} {bottom - 8}V{y - 2}"/>' if row else ""
            marks.append((at, f'<g class="{name}">{stem}{sign}{_text(tx, y + 10, text, "label", anchor)}</g>'))
            break
        else:
            more += 1
    rows = max((at for at, row in enumerate(taken) if row), default=0) + 1
    return marks, rows, more


def _side(center: float, width: float, today: float, taken: Sequence[tuple[float, float]]) -> tuple[float, float, str] | None:
    for x0, x1, anchor in ((center - 9, center + 14 + width, "start"), (center - 14 - width, center + 9, "end")):
        inside = x0 >= GUTTER - 8 and x1 <= WIDTH
        crosses = (x0 + 9 < today < x1) if anchor == "start" else (x0 < today < x1 - 9)
        if inside and not crosses and all(x1 + 6 < a or x0 - 6 > b for a, b in taken):
            return x0, x1, anchor
    return None


def _folds(scale: Scale, height: int) -> Iterator[str]:
    for piece, x, end in scale.folds():
        weeks = (piece.last - piece.first + 1) // 7
        middle = round((x + end) / 2, 1)
        zig = "".join(f"l{4 if at % 2 else -4} 6" for at in range((height - TOP) // 6))
        yield f'<path class="fold" d="M{middle - 2} {TOP - 4}{zig}"/><path class="fold-line" d="M{middle - 5} {TOP - 4}{zig}M{middle + 1} {TOP - 4}{zig}"/>'
        yield _text(middle, TOP - 26, plural(weeks, "week"), "axis", "middle")


def _today(made: Mapping[str, Any], scale: Scale, height: int) -> Iterator[str]:
    x = round(scale.x(_day(made["today"])) + scale.unit / 2, 1)
    text = f"Today, {plain_short(made['today'])[5:]}"
    width = round(len(text) * LETTER_WIDTH + 12, 1)
    left = min(max(x - width / 2, GUTTER), WIDTH - width)
    yield f'<path class="today" d="M{x} 20V{height}"/><rect class="today-plate" x="{round(left, 1)}" y="2" width="{width}" height="18" rx="2"/>'
    yield _text(round(left + width / 2, 1), 15, text, "today-text", "middle")


# --- tall ---


def tall(made: Mapping[str, Any], main: str | None) -> Markup:
    """The drawing from top to bottom: one column for the clock that decides, with notes at its right."""
    lane = next((one for one in made["lanes"] if one["id"] == main), made["lanes"][0] if made["lanes"] else None)
    scale = Scale(pieces_of(_bounded(made, lane), 60), 12, 0, TALL_FOLD / TALL_DAY, TALL_DAY)
    notes = sorted(_notes(made, lane, scale))
    parts: list[str] = []
    if lane is not None:
        for piece in lane["pieces"]:
            y = scale.x(_day(piece["from"]))
            end = scale.end if piece["kind"] == "displaced" else scale.x(_day(piece["to"]) + 1)
            parts.append(f'<rect class="bar-{piece["kind"]}" x="{TALL_X}" y="{y}" width="24" height="{round(end - y, 1)}"/>')
    for day in (day for piece in scale.pieces if not piece.folded for day in range(piece.first, piece.last + 1) if (day - 1) % 7 == 0):
        y = scale.x(day)
        parts.append(f'<path class="week" d="M{TALL_X - 6} {y}H{TALL_X}"/>' + _text(TALL_X - 10, y + 4, plain_short(date.fromordinal(day)), "axis", "end"))
    for piece, y, end in scale.folds():
        middle = round((y + end) / 2, 1)
        parts.append(f'<path class="fold" d="M{TALL_X - 4} {middle}l6 -4 6 4 6 -4 6 4 6 -4"/>')
        parts.append(_text(TALL_X - 10, middle + 4, plural((piece.last - piece.first + 1) // 7, "week"), "axis", "end"))
    at, last = -100.0, 0.0
    for y, name, text in notes:
        at = max(y + 4, at + TALL_STEP)
        parts.append(f'<path class="stem" d="M{TALL_X + 24} {y}L{TALL_X + 36} {round(at - 4, 1)}"/>')
        lines = _wrapped(text, 32)
        for line in lines:
            parts.append(_text(TALL_X + 40, round(at, 1), line, name))
            at += 14
        at -= 14
        last = at
    y = round(scale.x(_day(made["today"])) + TALL_DAY / 2, 1)
    parts.append(f'<path class="today" d="M{TALL_X - 4} {y}H{TALL_X + 34}"/>')
    if lane is not None and lane["due"]:
        y = scale.x(_day(lane["due"]) + 1)
        parts.append(f'<path class="flag-pole" d="M{TALL_X - 4} {y}H{TALL_X + 34}"/>')
    return _svg(TALL_WIDTH, round(max(scale.end, last) + 14), "tall", "t", story(made), parts)


def _bounded(made: Mapping[str, Any], lane: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The same, as far as the one clock, the events and today reach."""
    days = [made["today"], *(event["on"] for event in made["events"])]
    if lane is not None:
        days += [piece["to"] for piece in lane["pieces"]] + ([lane["due"]] if lane["due"] else [])
    last = date.fromordinal(_day(max(days)) + 3).isoformat()
    return {**made, "to": min(made["to"], last), "lanes": [lane] if lane is not None else []}


def _notes(made: Mapping[str, Any], lane: Mapping[str, Any] | None, scale: Scale) -> Iterator[tuple[float, str, str]]:
    today = scale.x(_day(made["today"])) + TALL_DAY / 2
    yield round(today, 1), "today-note", f"Today, {plain_short(made['today'])}"
    for event in made["events"]:
        yield round(scale.x(_day(event["on"])) + TALL_DAY / 2, 1), "label", f"{event['title']}, {plain_short(event['on'])}"
    if lane is None:
        return
    for piece in lane["pieces"]:
        middle = (scale.x(_day(piece["from"])) + (scale.end if piece["kind"] == "displaced" else scale.x(_day(piece["to"]) + 1))) / 2
        yield round(middle, 1), f"note-{piece['kind']}", label(piece, lane)
    if lane["due"]:
        yield scale.x(_day(lane["due"]) + 1), "flag-text", f"Last day {plain_short(lane['due'])}"


# --- table ---


def table(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Everything that the drawings show, in rows: from, to, what, days, cite."""
    rows = []
    for lane in made["lanes"]:
        for piece in lane["pieces"]:
            what = f"{lane['title']}: {WORDS[piece['kind']]}"
            rows.append({"from": piece["from"], "to": None if piece["open"] else piece["to"], "what": what, "days": piece["days"], "cite": piece["cite"]})
        if lane["due"]:
            rows.append({"from": lane["due"], "to": lane["due"], "what": f"{lane['title']}: last day in law", "days": None, "cite": lane["cite"]})
        if lane["target"] and lane["target"] != lane["due"]:
            rows.append({"from": lane["target"], "to": lane["target"], "what": f"{lane['title']}: target", "days": None, "cite": None})
    kinds = {"letter": "Letter: ", "in": "Came in: ", "act": "", "time": ""}
    for event in made["events"]:
        rows.append({"from": event["on"], "to": event["on"], "what": kinds[event["kind"]] + event["title"], "days": None, "cite": None})
    return sorted(rows, key=lambda row: (row["from"], row["what"]))


# --- strokes ---


def _svg(width: int, height: int, name: str, uid: str, said: str, parts: Sequence[str]) -> Markup:
    patterns = (
        f'<defs><pattern id="{uid}-held" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="held-ground" width="8" height="8"/>'
        f'<rect class="held-stripe" width="3" height="8"/></pattern><pattern id="{uid}-late" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
        f'<rect class="late-ground" width="5" height="5"/><rect class="late-stripe" width="1.6" height="5"/></pattern><pattern id="{uid}-displaced" width="16" height="8" '
        f'patternUnits="userSpaceOnUse"><rect class="displaced-ground" width="16" height="8"/><path class="displaced-wave" d="M0 5c3-4 5-4 8 0s5 4 8 0"/></pattern></defs>'
    )
    body = "".join(parts)
    return Markup(f'<svg class="draw {name}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(said)}">{patterns}{body}</svg>')


def _text(x: float, y: float, text: str, name: str, anchor: str = "start") -> str:
    at = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{name}" x="{round(x, 1)}" y="{round(y, 1)}"{at}>{escape(text)}</text>'


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _day(iso: str) -> int:
    return date.fromisoformat(iso[:10]).toordinal()
