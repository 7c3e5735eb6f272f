"""A print batch as files: one PDF with a separator sheet before each copy, and the mailing record as CSV and HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from caseflow.adapters.mail.drop import _write
from caseflow.errors import BadInput
from caseflow.services.ports.letters import RegisteredLetter

if TYPE_CHECKING:
    from caseflow.services.ports.mail import Parcel

COLUMNS = ("sheet", "letter", "copy", "docket", "recipient", "address", "language", "pages", "owed_on", "sha256")
Pdf = Callable[[RegisteredLetter], bytes]


def write_batch(folder: Path, batch: str, parcels: Sequence[Parcel], pdf: Pdf) -> dict[str, Any]:
    """Writes BATCH.pdf, BATCH.csv and BATCH.html; the answer names them. `pdf` makes a separator sheet. Raises BadInput."""
    from pypdf import PdfReader, PdfWriter

    whole = PdfWriter()
    rows: list[dict[str, str]] = []
    for place, parcel in enumerate(parcels, 1):
        assert parcel.pdf is not None
        letter, copy = parcel.letter, parcel.copy
        reader = PdfReader(io.BytesIO(parcel.pdf))
        rows.append(
            {
                "sheet": str(place),
                "letter": letter.number,
                "copy": copy.id,
                "docket": letter.case,
                "recipient": copy.name,
                "address": ", ".join(copy.address.splitlines()),
                "language": copy.language or "",
                "pages": str(len(reader.pages)),
                "owed_on": letter.owed_on.isoformat(),
                "sha256": sha256(parcel.pdf).hexdigest(),
            }
        )
        separator = replace(letter, markdown=_separator(batch, len(parcels), rows[-1]), subject=f"Separator sheet {place}")
        whole.append(PdfReader(io.BytesIO(pdf(separator))))
        whole.append(reader)
    out = io.BytesIO()
    whole.write(out)
    files = {"pdf": out.getvalue(), "csv": _csv(rows).encode(), "html": _html(batch, rows).encode()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for form, data in files.items():
            _write(folder / f"{batch}.{form}", data)
    except OSError as error:
        raise BadInput(
            f"The folder {folder} can't be written ({error.strerror or error}). The batch stays: dispatch --print-batch DIR --again {batch}."
        ) from None
    return {"batch": batch, "copies": len(rows), "files": [str(folder / f"{batch}.{form}") for form in files]}


def _separator(batch: str, total: int, row: dict[str, str]) -> str:
    def said(text: str) -> str:
        from caseflow.adapters.letters.escaping import escaped

        return str(escaped(text))

    lines = [
        f"# Separator sheet {row['sheet']} of {total}",
        "",
        "| Part | Here |",
        "| --- | --- |",
        f"| Batch | {said(batch)} |",
        f"| Letter | {said(row['letter'])}, copy {said(row['copy'])} |",
        f"| To | {said(row['recipient'])} |",
        f"| Address | {said(row['address'])} |",
        f"| Pages | {row['pages']} |",
        "",
        "This sheet stays in the office. The pages behind it go into one envelope.",
        "",
    ]
    return "\n".join(lines)


def _csv(rows: Sequence[dict[str, str]]) -> str:
    """Cells that a spreadsheet would take for a formula are shown as text."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for row in rows:
        table.writerow([f"'{row[name]}" if row[name].startswith(("=", "+", "-", "@", "\t")) else row[name] for name in COLUMNS])
    return out.getvalue()


def _html(batch: str, rows: Sequence[dict[str, str]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in COLUMNS)
    body = "".join("<tr>" + "".join(f"<td>{escape(row[name])}</td>" for name in COLUMNS) + "</tr>\n" for row in rows)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Mailing record {escape(batch)}</title>\n'
        "<style>body{font:0.9rem/1.4 Arial,sans-serif;margin:1.5rem}table{border-collapse:collapse}"
        "th,td{border:1px solid #7b8a91;padding:.2rem .4rem;text-align:left;overflow-wrap:anywhere}</style>\n</head>\n<body>\n"
        f"<h1>Mailing record {escape(batch)}</h1>\n<p>{len(rows)} copies by post.</p>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"
        "<p>Posted on: ______________ &nbsp; at: ______________ &nbsp; by (name, signature): ______________________</p>\n</body>\n</html>\n"
    )
