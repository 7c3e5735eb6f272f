"""Where a run's figures are kept: a Markdown file named by the day and the kind of machine, never by its name."""

from __future__ import annotations

import os
import platform
import re
import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.measure import HEAD, Line, rows_of, tally

RESULTS = Path(__file__).parent / "results"


def machine() -> dict[str, str]:
    """What of the machine matters: processors, memory, kernel, and the versions of what does the work."""
    processor = _first(Path("/proc/cpuinfo"), r"^model name\s*:\s*(.+)$") or platform.machine() or "unknown"
    memory = _first(Path("/proc/meminfo"), r"^MemTotal:\s*(\d+)")
    return {
        "processors": str(os.cpu_count() or 1),
        "processor": processor,
        "memory": f"{int(memory) / 1024 / 1024:.1f} GiB" if memory else "unknown",
        "kernel": f"{platform.system()} {platform.release().partition('-')[0]}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
    }


def _first(path: Path, pattern: str) -> str:
    try:
        found = re.search(pattern, path.read_text(), re.M)
    except OSError:
        return ""
    return found[1].strip() if found else ""


def name_of(day: date, facts: dict[str, str]) -> str:
    """The name of the file of a day: 2026-12-01-2-processors-some-model.md."""
    kind = re.sub(r"[^a-z0-9]+", "-", facts["processor"].casefold().replace("(r)", "").replace("(tm)", "")).strip("-")
    return f"{day.isoformat()}-{facts['processors']}-processors-{kind[:40].strip('-')}.md"


def page(title: str, lines: Sequence[Line], facts: dict[str, str], notes: Sequence[str]) -> str:
    """The figures as a page: the machine, what was asked for, the table and how many goals are met."""
    about = ", ".join(f"{name} {value}" for name, value in facts.items())
    parts = [f"# {title}", f"{about}.", *notes, markdown(HEAD, rows_of(lines)), f"{tally(lines)}."]
    return "\n\n".join(part for part in parts if part) + "\n"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts in Markdown; what would end a cell is escaped."""
    safe = [[" ".join(text.split()).replace("|", "\\|") for text in row] for row in (head, *rows)]
    lines = ["| " + " | ".join(row) + " |" for row in safe]
    return "\n".join([lines[0], "|" + " --- |" * len(head), *lines[1:]])


def keep(text: str, day: date, facts: dict[str, str], folder: Path = RESULTS, kind: str = "") -> Path:
    """Writes the page; a second run of a day takes the place of the first. `kind` goes before the name, where it is another table."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}{name_of(day, facts)}"
    path.write_text(text, encoding="utf-8")
    return path
