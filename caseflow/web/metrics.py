"""The figures as Prometheus reads them: its text format, what each figure means, and requests counted by their kind.

No case, person, letter or address stands in it: labels are statuses, kinds of pages, and names of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from caseflow.services.measuring import LATE_AFTER, RESULTS, Measured

TYPE = "text/plain; version=0.0.4; charset=utf-8"
STEPS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Up to how many seconds requests are told apart."""
LETTERS, OUTBOX = ("draft", "blocked"), ("owed", "approved", "queued", "answer-unknown", "claimed")

Sample = tuple[Mapping[str, str], float]


@dataclass
class Requests:
    """Requests by kind of page, since the process began."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _steps: dict[str, list[int]] = field(default_factory=dict)
    _seconds: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def note(self, kind: str, status: int, seconds: float) -> None:
        """Counts one that was answered."""
        key = (kind, f"{status // 100}xx")
        with self._lock:
            self._counts[key] = self._counts.get(key, 0) + 1
            steps = self._steps.setdefault(kind, [0] * (len(STEPS) + 1))
            steps[next((place for place, most in enumerate(STEPS) if seconds <= most), len(STEPS))] += 1
            self._seconds[kind] = self._seconds.get(kind, 0.0) + seconds

    def lines(self) -> Iterable[str]:
        """The two figures about requests."""
        with self._lock:
            counts = [({"kind": kind, "status": status}, count) for (kind, status), count in sorted(self._counts.items())]
            steps, seconds = {kind: list(found) for kind, found in sorted(self._steps.items())}, dict(self._seconds)
        yield from figure("caseflow_requests_total", "counter", "Requests answered by this process, by kind of page and status.", counts)
        name = "caseflow_request_seconds"
        yield from _head(name, "histogram", "How long this process took to answer, by kind of page.")
        for kind, found in steps.items():
            passed = 0
            for most, count in zip((*map(str, STEPS), "+Inf"), found, strict=True):
                passed += count
                yield _line(f"{name}_bucket", {"kind": kind, "le": most}, passed)
            yield _line(f"{name}_sum", {"kind": kind}, round(seconds[kind], 6))
            yield _line(f"{name}_count", {"kind": kind}, passed)


def kind_of(route: str, path: str) -> str:
    """The kind of a page: the first word of its route, which the program itself wrote, never anything that was asked for."""
    if path.startswith("/api/") and route != "-":
        return "api"
    first = route.strip("/").partition("/")[0]
    return first if first and not first.startswith(("{", "-")) else ("start" if route == "/" else "other")


def written(now: Measured | None, requests: Requests) -> str:
    """The whole text; where the database does not answer, what this process knows alone."""
    lines = list(figure("caseflow_database_up", "gauge", "1 where the database answers.", [({}, float(now is not None))]))
    lines += [line for made in (_process(now) if now is not None else ()) for line in made]
    lines += requests.lines()
    return "\n".join(lines) + "\n"


def _process(now: Measured) -> Iterable[Iterable[str]]:
    counts = now.counts
    beats = [one for one in now.beats if not one.stopped]
    outbox = [({"status": status}, counts.outbox.get(status)) for status in OUTBOX]
    yield figure("caseflow_oldest_due_timer_age_seconds", "gauge", "How long the earliest open timer is due; 0 where nothing is.", [({}, now.oldest_due)])
    alive = sum(one.age <= LATE_AFTER for one in beats)
    yield figure("caseflow_schedulers_alive", "gauge", f"Schedulers that gave a sign of life within {LATE_AFTER} seconds.", [({}, alive)])
    yield figure(
        "caseflow_scheduler_heartbeat_age_seconds",
        "gauge",
        "Since a scheduler gave its last sign of life; one that was told to stop is left out.",
        [({"process": one.process}, one.age) for one in beats],
    )
    yield figure(
        "caseflow_scheduler_done_total",
        "counter",
        "Timers fired, refused and parked, and letters sent, by each scheduler since its start.",
        [({"process": one.process, "result": name}, one.done[name]) for one in now.beats for name in RESULTS if one.done],
    )
    yield figure("caseflow_sweeps_running", "gauge", "Sweeps that hold a token that has not expired.", [({}, counts.sweeps)])
    yield figure(
        "caseflow_outbox_copies",
        "gauge",
        "Copies of letters that are to leave, by status; claimed are those that a run is sending.",
        [(by, one.count if one else 0) for by, one in outbox],
    )
    yield figure(
        "caseflow_outbox_oldest_age_seconds",
        "gauge",
        "Since the copy that has waited longest might have left, or was first tried, by status.",
        [(by, now.age(one) if one else 0) for by, one in outbox],
    )
    yield figure("caseflow_letters_waiting", "gauge", "Letters that wait for a person.", [({"status": name}, counts.letters.get(name, 0)) for name in LETTERS])
    yield figure("caseflow_parked_timers", "gauge", "Timers that could not fire.", [({}, counts.parked_timers)])
    yield figure("caseflow_parked_cases", "gauge", "Cases with a timer that could not fire.", [({}, counts.parked_cases)])
    yield figure("caseflow_open_cases", "gauge", "Cases that have not ended.", [({}, counts.open_cases)])
    yield figure("caseflow_resting", "gauge", "1 where nothing may leave, since a backup was restored.", [({}, float(now.resting))])
    connections = [({"state": state}, count) for state, count in zip(("in-use", "at-rest"), now.pool, strict=True)]
    yield figure("caseflow_database_connections", "gauge", "Connections of this process to the database.", connections)


def figure(name: str, kind: str, text: str, samples: Iterable[Sample]) -> Iterable[str]:
    """The lines of a figure."""
    yield from _head(name, kind, text)
    for labels, value in samples:
        yield _line(name, labels, value)


def _head(name: str, kind: str, text: str) -> Iterable[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    shown = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    number = f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f"{name}{{{shown}}} {number}" if shown else f"{name} {number}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
