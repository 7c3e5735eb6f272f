"""Writes the record of a case as a folder: journal, letters, proof of mailing, pages to read, and verify.py to check it.

index.html           the record to read, with what is withheld and on which ground
certification.html   the page that the custodian signs
journal.jsonl        an entry a line, each fact with its salt, or only its hash where it is withheld
clocks.json          each clock with the lines that add up to its last day
mailing.json         each copy of each letter with every attempt
letters/             each letter as text, HTML and PDF, or a note that it is withheld
documents/           what was handed in, each by its number
rules/               the files of the pack that the case runs by, and the changed calendar where one was adopted
manifest.json        SHA-256 of all of the above and of verify.py
checkpoint.json      how far the record goes and the manifest's hash, signed
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from caseflow.domain.journal import canonical
from caseflow.errors import BadInput
from caseflow.services.exporting import LetterRecord, Record, fact_text
from caseflow.services.filetypes import KINDS

if TYPE_CHECKING:
    from caseflow.services.ports.documents import Document
    from caseflow.services.ports.letters import Letters

HOME = Path(__file__).parent
ENDINGS = {kind.media: f".{kind.endings[0]}" for kind in KINDS.values()}


class Signs(Protocol):
    """Whoever signs the checkpoint."""

    @property
    def public(self) -> str:
        """The public key in hexadecimal."""

    def sign(self, message: bytes) -> str:
        """The signature in hexadecimal."""


def write_bundle(folder: Path, record: Record, letters: Letters, signer: Signs) -> dict[str, Any]:
    """Writes the folder whole or not at all; it may not exist yet. The answer says what it holds. Raises BadInput."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"The folder {folder} is not empty; name a new one, so that nothing else gets into the record.")
    files = bundle_files(record, letters, signer)
    _write(folder, files)
    return {
        "case": record.case.number,
        "folder": str(folder),
        "files": len(files),
        "entries": len(record.journal),
        "letters": len(record.letters),
        "documents": sum(content is not None for _, content in record.documents),
        "withheld": dict(record.withheld),
        "letters_withheld": [letter.number for letter in record.letters if letter.ground],
        "head": record.head,
        "key": signer.public,
    }


def bundle_files(record: Record, letters: Letters, signer: Signs) -> dict[str, bytes]:
    """Every file of a bundle by its name, the signed checkpoint last. The same record at the same moment gives the same bytes."""
    files = dict(_files(record, letters, signer.public))
    manifest = {"case": record.case.number, "made_at": record.made_at, "files": {name: sha256(data).hexdigest() for name, data in sorted(files.items())}}
    files["manifest.json"] = _json(manifest)
    checkpoint = {
        "case": record.case.number,
        "entries": len(record.journal),
        "head": record.head,
        "manifest": sha256(files["manifest.json"]).hexdigest(),
        "made_at": record.made_at,
        "key": signer.public,
    }
    files["checkpoint.json"] = _json({**checkpoint, "signature": signer.sign(canonical(checkpoint))})
    return files


def _files(record: Record, letters: Letters, key: str) -> Iterator[tuple[str, bytes]]:
    yield "journal.jsonl", b"".join(canonical(entry) + b"\n" for entry in record.journal)
    yield "clocks.json", _json(record.clocks)
    yield "mailing.json", _json({letter.number: letter.mailing for letter in record.letters})
    for letter in record.letters:
        yield from _letter(letter, letters)
    for document, content in record.documents:
        if content is not None:
            yield document_file(document), content
    for name, text in record.files.items():
        yield f"rules/{name}", text.encode()
    pages = Environment(loader=FileSystemLoader(HOME / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    pages.filters.update(day=_day, moment=_moment, said=fact_text)
    for name in ("index.html", "certification.html"):
        yield name, pages.get_template(name).render(record=record, case=record.case, key=key, document_file=document_file, last=record.timeline[-1]).encode()
    yield "verify.py", (HOME / "verify.py").read_bytes()


def _letter(one: LetterRecord, letters: Letters) -> Iterator[tuple[str, bytes]]:
    if one.letter is None:
        note = f"{one.title}\n\nThis letter is withheld: {one.ground}.\nThe SHA-256 of its text as it was written is {one.content_hash}.\n"
        yield f"letters/{one.number}.withheld.txt", note.encode()
        return
    if one.letter.status == "blocked":
        yield f"letters/{one.number}.txt", f"{one.title}\n\nThis letter was not written, since it lacked {', '.join(one.letter.missing)}.\n".encode()
        return
    words = letters.for_copy(one.letter.markdown, None)
    yield f"letters/{one.number}.txt", letters.text(words).encode()
    yield f"letters/{one.number}.html", letters.html(words, one.letter.subject).encode()
    yield f"letters/{one.number}.pdf", letters.pdf(one.letter)


def document_file(document: Document) -> str:
    """Where a document lies in the folder: under its own number, never under a name that somebody gave it."""
    return f"documents/{document.id}{ENDINGS.get(document.kind, '')}"


def _day(day: Any) -> str:
    """A day with its weekday: Mon, Nov 30, 2026."""
    found = day if isinstance(day, date) else date.fromisoformat(day)
    return f"{found:%a}, {found:%b} {found.day}, {found.year}"


def _moment(text: str) -> str:
    """A moment of the record, which is in UTC."""
    return f"{_day(text[:10])}, {text[11:16]} UTC"


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def _write(folder: Path, files: dict[str, bytes]) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise BadInput(f"The folder {folder} can't be written ({error.strerror}); name another.") from None
    try:
        for name, data in files.items():
            path = made / name
            if not path.resolve().is_relative_to(made.resolve()):
                raise OSError(None, f"{name[:60]!r} would lie outside of it")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        made.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
    except OSError as error:
        shutil.rmtree(made, ignore_errors=True)
        raise BadInput(f"The folder {folder} can't be written ({error.strerror}); nothing was exported.") from None
