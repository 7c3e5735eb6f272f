"""How a command ends: every deliberate error becomes one sentence with its reasons, and an exit code. Only here."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import click

from caseflow.cli.context import DONE, REFUSED, STORE, to_json
from caseflow.errors import BadInput, CaseflowError, LetterFault, NotFound, PackFaults, Reason, Refused, StoreFault

INTERRUPTED = 130


def leave(command: Callable[[], Any], as_json: bool) -> int:
    """Runs a command; the answer is the exit code. A traceback appears only under CASEFLOW_DEBUG=1."""
    try:
        return _ended(command)
    except CaseflowError as fault:
        return _told(sentence(fault), error_json(fault), as_json, STORE if isinstance(fault, StoreFault) else REFUSED)
    except click.exceptions.NoArgsIsHelpError as fault:
        fault.show()
        return REFUSED
    except click.ClickException as fault:
        text = fault.format_message()
        return _told(f"caseflow: {text}", {"error": "bad-input", "text": text, "because": []}, as_json, REFUSED)
    except (click.Abort, KeyboardInterrupt):
        click.echo("caseflow: stopped; what was finished before stays.", err=True)
        return INTERRUPTED
    except OSError as fault:
        return _cut_off(fault, as_json)
    except Exception as fault:
        return _unexpected(fault, as_json)


def _ended(command: Callable[[], Any]) -> int:
    """Runs a command to its end, with everything printed. A check that found faults ends with SystemExit."""
    code = DONE
    try:
        command()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else DONE
    sys.stdout.flush()
    return code


def _told(words: str, data: dict[str, Any], as_json: bool, code: int) -> int:
    if as_json:
        click.echo(to_json(data))
    click.echo(words, err=True)
    return code


def _cut_off(fault: OSError, as_json: bool) -> int:
    """Ends where a file or the output fails. Who closed the pipe has seen enough: no word about that."""
    text = f"{fault.filename or 'the output'} can't be read or written: {fault.strerror or fault}"
    typed = fault.errno == errno.ENAMETOOLONG  # no file can have that name: what was typed is wrong
    broken = isinstance(fault, BrokenPipeError)
    if as_json and not broken:
        with suppress(OSError):  # it may be the output itself that fails
            click.echo(to_json({"error": "bad-input" if typed else "store-failed", "text": text, "because": []}))
    # Python would try the same output once more at its end, and complain.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if broken:
        return DONE
    click.echo(f"caseflow: {text}", err=True)
    return REFUSED if typed else STORE


def _unexpected(fault: Exception, as_json: bool) -> int:
    if os.environ.get("CASEFLOW_DEBUG"):
        traceback.print_exception(fault)
    text = f"internal error ({type(fault).__name__}); please report it, with what CASEFLOW_DEBUG=1 prints"
    return _told(f"caseflow: {text}", {"error": "internal", "text": text, "because": []}, as_json, STORE)


# --- words --------------------------------------------------------------------------------------------------------


def sentence(fault: CaseflowError) -> str:
    """One clear sentence; under it, where the answer is no, each reason with its citation and what to do instead."""
    from caseflow.cli.pictures.words import visible

    if not isinstance(fault, Refused):
        return visible(f"caseflow: {fault}")
    count = len(fault.reasons)
    head = f"caseflow: {fault.what}." if count == 1 else f"caseflow: {fault.what}, for {count} reasons."
    return visible("\n".join([head, *(line for reason in fault.reasons for line in _lines(reason))]))


def _lines(reason: Reason) -> Iterator[str]:
    text = reason.text.rstrip()
    text += "" if text.endswith((".", "?", "!")) else "."
    stands = [reason.cite] if reason.cite else []
    if reason.entries:
        stands.append(("entry " if len(reason.entries) == 1 else "entries ") + ", ".join(map(str, reason.entries)))
    yield f"  {reason.id}: {text}" + (f" ({'; '.join(stands)})" if stands else "")
    if reason.instead:
        yield f"    Instead: {reason.instead}"


def error_json(fault: CaseflowError) -> dict[str, Any]:
    """An error as scripts read it."""
    because: list[dict[str, Any]] = []
    if isinstance(fault, Refused):
        from caseflow.services.showing import reason_json

        because = [reason_json(reason) for reason in fault.reasons]
    if isinstance(fault, PackFaults):
        because = [{"file": one.file, "line": one.line, "column": one.column, "text": one.text} for one in fault.faults]
    return {"error": _code(fault), "text": str(fault), "because": because}


def _code(fault: CaseflowError) -> str:
    if isinstance(fault, Refused):
        return fault.reasons[0].code if fault.reasons else "refused"
    for kind, code in (
        (PackFaults, "pack-faults"),
        (LetterFault, "letter-incomplete"),
        (NotFound, "not-found"),
        (BadInput, "bad-input"),
    ):
        if isinstance(fault, kind):
            return code
    return "store-failed"
