"""The board's charts, drawn on the server at two widths: text keeps its size, and a wide drawing is never shrunk.

Every column and every part of a bar is a link to the cases that it counts; numbers stand on the marks, hatching means held
days, fine red hatching lateness or silence, and an equal table stands below. Colors are classes of board.css.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from markupsafe import Markup, escape

from caseflow.web.words import MONTHS, plain_short, plural

WIDE, NARROW = 494, 334
LETTER_WIDTH = 6.6
SQUARES, HEIGHT, HEAD = 10, 112, 24
"""A day of more cases than these is a bar instead of squares; how high the field of a chart is, and what stands above it."""
ROW, BAR, NAME = 28, 20, 38

Link = Callable[..., str]


def targets(days: Sequence[Mapping[str, Any]], link: Link) -> Markup:
    """Targets of the coming weeks: a column of squares for each day, pale where the office is closed."""
    told = sum(day["cases"] for day in days)
    said = f"Targets from {plain_short(days[0]['on'])} to {plain_short(days[-1]['on'])}: {plural(told, 'case')}, {sum(day['silent'] for day in days)} of them decided by silence if nobody acts."
    return Markup("").join(
        _svg(width, HEIGHT + HEAD + 22, name, said, list(_columns(days, link, width))) for width, name in ((WIDE, "wide"), (NARROW, "narrow"))
    )


def _columns(days: Sequence[Mapping[str, Any]], link: Link, width: int) -> Iterator[str]:
    pitch = (width - 2) / len(days)
    most = max(1, *(day["cases"] for day in days))
    base = HEAD + HEIGHT
    for at, day in enumerate(days):
        if day["closed"]:
            yield f'<rect class="closed" x="{_n(1 + at * pitch)}" y="{HEAD}" width="{_n(pitch)}" height="{HEIGHT}"/>'
    yield f'<path class="base" d="M0 {base}.5H{width}"/>'
    for at, day in enumerate(days):
        on = date.fromisoformat(day["on"])
        every = 7 if width == WIDE else 14
        if on.weekday() == 0 and (at - next(place for place, one in enumerate(days) if date.fromisoformat(one["on"]).weekday() == 0)) % every == 0:
            x = 1 + at * pitch
            yield f'<path class="tick" d="M{_n(x)} {base}v6"/>'
            if x + 74 <= width:
                yield _text(x, base + 19, plain_short(on), "axis")
        if day["cases"]:
            yield _column(day, link, 1 + at * pitch, pitch, base, most)
    peak = next((at for at, day in enumerate(days) if day["cases"] == most and day["cases"] > 1), None)
    if peak is not None:
        text = f"{plain_short(days[peak]['on'])}: {plural(most, 'case')}"
        half = len(text) * LETTER_WIDTH / 2
        x = min(max(1 + (peak + 0.5) * pitch, half), width - half)
        yield _text(x, base - _height(most, most) - 7, text, "peak", "middle")


def _height(count: int, most: int) -> float:
    return count * HEIGHT / max(most, SQUARES) if most > SQUARES else count * 11.0


def _column(day: Mapping[str, Any], link: Link, x: float, pitch: float, base: int, most: int) -> str:
    size = pitch - 1.6
    marks = []
    if most <= SQUARES:
        for at in range(day["cases"]):
            kind = "silent" if at < day["silent"] else "one"
            marks.append(f'<rect class="mark-{kind}" x="{_n(x + 0.8)}" y="{_n(base - 11 * (at + 1) + 1)}" width="{_n(size)}" height="9"/>')
    else:
        whole, part = _height(day["cases"], most), _height(day["silent"], most)
        marks.append(f'<rect class="mark-one" x="{_n(x + 0.8)}" y="{_n(base - whole)}" width="{_n(size)}" height="{_n(whole)}"/>')
        if part:
            marks.append(f'<rect class="mark-silent" x="{_n(x + 0.8)}" y="{_n(base - part)}" width="{_n(size)}" height="{_n(part)}"/>')
    said = f"{plain_short(day['on'])}: {plural(day['cases'], 'case')}" + (f", {day['silent']} decided by silence if nobody acts" if day["silent"] else "")
    return f'<a href="{escape(link("targets", on=day["on"]))}" aria-label="{escape(said)}"><rect class="catch" x="{_n(x)}" y="{HEAD}" width="{_n(pitch)}" height="{HEIGHT}"/>{"".join(marks)}</a>'


def months(rows: Sequence[Mapping[str, Any]], link: Link) -> Markup:
    """Decisions by month: in time without a hold, in time with held days, late."""
    total = {kind: sum(row[kind] for row in rows) for kind in ("in-time", "held", "late")}
    said = f"Decided cases by month: {total['in-time']} in time without a hold, {total['held']} in time with held days, {total['late']} late."
    height = ROW * len(rows) + 2
    return Markup("").join(_svg(width, height, name, said, list(_bars(rows, link, width))) for width, name in ((WIDE, "wide"), (NARROW, "narrow")))


def _bars(rows: Sequence[Mapping[str, Any]], link: Link, width: int) -> Iterator[str]:
    most = max(1, *(row["in-time"] + row["held"] + row["late"] for row in rows))
    room = width - NAME - (150 if width == WIDE else 124)
    for at, row in enumerate(rows):
        y, x = at * ROW + 2, float(NAME)
        whole = row["in-time"] + row["held"] + row["late"]
        yield _text(0, y + 14.5, MONTHS[int(row["month"][5:]) - 1][:3], "name")
        for kind in ("in-time", "held", "late"):
            if not row[kind]:
                continue
            long = max(room * row[kind] / most, 3)
            yield _part(row, kind, link, x, y, long)
            x += long
        share = (
            f"{round(100 * (whole - row['late']) / whole)}% of {whole} in time"
            if width == WIDE
            else f"{round(100 * (whole - row['late']) / whole)}% of {whole}"
        )
        late = f'<tspan class="is-late">{row["late"]} late</tspan>, ' if row["late"] else ""
        yield f'<text class="share" x="{_n(x + 8)}" y="{_n(y + 14.5)}">{late}{share}</text>'


SAID = {"in-time": "in time without a hold", "held": "in time with held days", "late": "late"}


def _part(row: Mapping[str, Any], kind: str, link: Link, x: float, y: float, long: float) -> str:
    text = str(row[kind])
    plate = ""
    if long < len(text) * LETTER_WIDTH + 8:
        text = ""
    elif kind != "in-time":
        plate = f'<rect class="plate" x="{_n(x + 3)}" y="{_n(y + 3)}" width="{_n(len(text) * LETTER_WIDTH + 5)}" height="{BAR - 6}"/>'
    said = f"{MONTHS[int(row['month'][5:]) - 1]} {row['month'][:4]}: {row[kind]} {SAID[kind]}"
    label = _text(x + 5.5, y + 14.5, text, f"on-{kind}") if text else ""
    href = escape(link("decided", month=row["month"], kind=kind))
    return f'<a href="{href}" aria-label="{escape(said)}"><rect class="mark-{kind}" x="{_n(x)}" y="{y}" width="{_n(long)}" height="{BAR}"/>{plate}{label}</a>'


def load(row: Mapping[str, Any], most: int) -> Markup:
    """What a person carries, small and without numbers: they stand beside it in the same row."""
    long = 128 * row["open"] / max(most, 1)
    week = long * min(row["week"], row["open"]) / max(row["open"], 1)
    held = long * row["standing"] / max(row["open"], 1)
    parts = [(0.0, week, "in-time"), (week, max(long - week - held, 0), "later"), (long - held, held, "held")]
    marks = "".join(f'<rect class="mark-{kind}" x="{_n(x + 0.5)}" y="1" width="{_n(size)}" height="10"/>' for x, size, kind in parts if size >= 0.5)
    return _small(marks)


def stood(count: int, most: int, kind: str) -> Markup:
    """How many cases stand for so long: a bar beside its number."""
    return _small(f'<rect class="mark-{kind}" x="0.5" y="1" width="{_n(max(128 * count / max(most, 1), 2))}" height="10"/>' if count else "")


def _small(marks: str) -> Markup:
    return Markup(f'<svg class="mini" viewBox="0 0 130 12" width="130" height="12" aria-hidden="true" focusable="false">{marks}</svg>')


def patterns() -> Markup:
    """The hatchings, once on a page, in a drawing that is never hidden: a pattern of a hidden one paints nothing elsewhere."""
    return Markup(
        '<svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        '<pattern id="b-held" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="held-ground" width="8" height="8"/>'
        '<rect class="held-stripe" width="3" height="8"/></pattern>'
        '<pattern id="b-late" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="late-ground" width="5" height="5"/>'
        '<rect class="late-stripe" width="1.6" height="5"/></pattern>'
        '<pattern id="b-displaced" width="16" height="8" patternUnits="userSpaceOnUse"><rect class="displaced-ground" width="16" height="8"/>'
        '<path class="displaced-wave" d="M0 5c3-4 5-4 8 0s5 4 8 0"/></pattern></defs></svg>'
    )


def _svg(width: int, height: int, name: str, said: str, parts: Sequence[str]) -> Markup:
    return Markup(
        f'<svg class="chart is-{name}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="group" aria-label="{escape(said)}">{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, name: str, anchor: str = "start") -> str:
    at = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{name}" x="{_n(x)}" y="{_n(y)}"{at}>{escape(text)}</text>'


def _n(value: float) -> str:
    return f"{round(value, 1):g}"
