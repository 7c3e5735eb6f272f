"""The signs beside words, drawn here: a sign never stands alone, so it is hidden from a screen reader."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

_LINE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
_SHAPES = {
    "running": f'<circle cx="8" cy="8" r="6" {_LINE}/><path d="M8 8V2a6 6 0 0 1 6 6z" fill="currentColor"/>',
    "held": '<path d="M3 2h4v12H3zM9 2h4v12H9z" fill="currentColor"/>',
    "displaced": f'<path d="M1 6c2-3 4-3 6 0s4 3 8 0M1 11c2-3 4-3 6 0s4 3 8 0" {_LINE}/>',
    "late": '<path d="M8 1l7.5 13.5H.5z" fill="currentColor"/><path d="M7.2 5.6h1.6l-.3 4.6h-1zM7.1 11h1.8v1.8H7.1z" fill="#fff"/>',
    "check": f'<path d="M2 8.5L6 12.5 14 3.5" {_LINE}/>',
    "dash": f'<path d="M3 8h10" {_LINE}/>',
    "cross": f'<path d="M3 3l10 10M13 3L3 13" {_LINE}/>',
    "person": '<circle cx="8" cy="5" r="3.2" fill="currentColor"/><path d="M2 14.5c0-3.6 2.6-5 6-5s6 1.4 6 5z" fill="currentColor"/>',
    "lock": f'<path d="M3 7h10v8H3z" fill="currentColor"/><path d="M5.2 7V4.6a2.8 2.8 0 0 1 5.6 0V7" {_LINE}/>',
    "search": f'<circle cx="6.8" cy="6.8" r="4.3" {_LINE}/><path d="M10.2 10.2L14 14" {_LINE}/>',
    "print": '<path d="M4 1.5h8v3H4zM2 5.5h12v6h-2v-2H4v2H2zM5 10.5h6v4H5z" fill="currentColor"/>',
    "arrow": f'<path d="M2 8h11M9 3.5L13.5 8 9 12.5" {_LINE}/>',
    "flag": f'<path d="M3.5 15V1.5" {_LINE}/><path d="M4.5 2h9l-2.2 3.2 2.2 3.3h-9z" fill="currentColor"/>',
    "target": f'<circle cx="8" cy="8" r="6" {_LINE}/><circle cx="8" cy="8" r="2.2" fill="currentColor"/>',
    "lapse": f'<path d="M8 2l6.5 11.5h-13z" {_LINE}/>',
    "bell": f'<path d="M3.5 11.5c1.3-1.2 1.3-2.6 1.3-4.2a3.2 3.2 0 0 1 6.4 0c0 1.6 0 3 1.3 4.2zM6.8 14h2.4" {_LINE}/>',
    "letter": f'<path d="M1.5 3.5h13v9h-13zM1.5 4l6.5 5 6.5-5" {_LINE}/>',
}


@lru_cache
def icon(name: str) -> Markup:
    """A sign of 14 pixels. Raises KeyError."""
    return Markup(f'<svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">{_SHAPES[name]}</svg>')


def logo() -> Markup:
    """The mark of the program: a clock face."""
    return Markup(
        '<svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="11" fill="#0f5a77"/>'
        '<path d="M12 4v8.5M12 12.5H4.5M12 12.5h7.5" fill="none" stroke="#fff" stroke-width="2.2"/></svg>'
    )
