"""What is due for disposal, what is held, what went, and the stub of a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType

from caseflow.cli.pictures.words import bullets, cited, day, plural, ruled, section, text

Line = Mapping[str, Any]
FATE = {"destroy": "is destroyed", "archive": "goes to the archive"}


def holds(found: Sequence[Line]) -> RenderableType:
    """A row a hold."""
    if not found:
        return text("No legal hold is in place.")
    table = ruled("Case", "Hold", "Placed", whole=("Case", "Placed"))
    for line in found:
        name = text(f"{line['matter']}: " if line["matter"] else "", "bold")
        table.add_row(text(line["case"]), name.append_text(text(line["because"])), text(f"{day(line['placed_on'])}\nby {line['by']}, entry {line['seq']}"))
    cases = len({line["case"] for line in found})
    return Group(table, text(f"{plural(len(found), 'hold')} on {plural(cases, 'case')}. No schedule disposes of {'it' if cases == 1 else 'them'}."))


def held(made: Line) -> RenderableType:
    """What is held after a hold was placed or lifted."""
    free = [number for number in made["cases"] if number not in {line["case"] for line in made["holds"]}]
    parts: list[RenderableType] = [holds(made["holds"])] if made["holds"] else []
    if free:
        parts.append(text(f"No legal hold keeps {', '.join(free)} any more; the schedule counts as before."))
    return Group(*parts)


def disposable(made: Line) -> RenderableType:
    """What a disposal would take, by schedule, and what is kept back."""
    due, kept = made["due"], made["kept_back"]
    head = f"By {day(made['until'])} {plural(len(due), 'record')} may go, and {plural(len(kept), 'is', 'are')} kept back. Nothing was done."
    parts: list[RenderableType] = [text(head, "bold")]
    for schedule in dict.fromkeys(line["schedule"] for line in due):
        parts.append(_schedule([line for line in due if line["schedule"] == schedule]))
    return Group(*parts, *_kept(kept))


def _schedule(lines: Sequence[Line]) -> RenderableType:
    first = lines[0]
    said = cited(f"Kept for {first['length']}; then the record {FATE[first['then']]}", first["cite"] or ("policy" if first["policy"] else None))
    table = ruled("Case", "Counts from", "May go from", whole=("Case", "May go from"))
    for line in lines:
        table.add_row(text(line["case"]), text(f"{day(line['counted_from'])}, {line['counts_from']}"), text(day(line["due_on"])))
    return section(f"{first['schedule']}: {first['schedule_title']}", said, *((text(first["note"], "dim"),) if first["note"] else ()), table)


def _kept(kept: Sequence[Line]) -> Sequence[RenderableType]:
    if not kept:
        return ()
    lines = [text(f"{line['case']} ({line['schedule']}, due {day(line['due_on'])}): ").append_text(text(_why(line))) for line in kept]
    return (section("Kept back", bullets(lines)),)


def _why(line: Line) -> str:
    return "; ".join(reason["text"] for reason in line["kept_back"])


def disposed(made: Line) -> RenderableType:
    """What went, and what was kept back."""
    gone = made["disposed"]
    parts: list[RenderableType] = [text(f"{plural(len(gone), 'record')} disposed of; {plural(len(made['kept_back']), 'is', 'are')} kept back.", "bold")]
    if gone:
        table = ruled("Case", "Schedule", "Entries", "What is left", right=("Entries",), whole=("Case",))
        for stub in gone:
            table.add_row(text(stub["case"]), text(stub["schedule"]), text(stub["entries"]), text(f"stub {stub['place']}, {stub['hash'][:16]}"))
        parts.append(table)
    if not made["cleared"]:
        parts.append(
            text(
                "Freed places could not all be cleared. Somebody reads the database: run the same again when it is quiet; or it is on a server: its owner runs VACUUM FULL.",
                "yellow",
            )
        )
    return Group(*parts, *_kept(made["kept_back"]))


def stub(found: Line) -> RenderableType:
    """What is left of a record."""
    law = "; ".join(found["cites"]) or ("policy" if found["policy"] else None)
    table = ruled("What", "Is")
    for name, value in (
        ("Received", day(found["received_on"])),
        ("Ended", day(found["ended_on"])),
        ("Kept through", day(found["kept_through"])),
        ("Service", found["workflow"]),
        ("Entries", found["entries"]),
        ("First entry", found["first"]),
        ("Last entry", found["head"]),
        ("Disposal", f"number {found['place']}, {found['hash']}"),
    ):
        table.add_row(text(name), text(value))
    head = text(f"{found['case']}: disposed of on {day(found['disposed_on'])} by {found['disposed_by']}: {found['because']}", "bold")
    after = " after its transfer to the archive" if found["then"] == "archive" else ""
    said = cited(f"Under the schedule '{found['schedule']}' ({found['title']}){after}", law)
    return Group(head, said, table, text("Nothing else of the record is left. Its number is not given again; 'caseflow verify' checks this stub."))
