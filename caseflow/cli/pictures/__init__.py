"""Answers drawn for people in a terminal: pure functions from plain data to something that rich prints.

These are the pictures that the command line shows; each is a name here.
"""

from __future__ import annotations

from caseflow.cli.pictures.adoption import adopted, adoptions, previewed
from caseflow.cli.pictures.answers import begun, dispatched, exported, filed, mailed, printed, rehearsed_docket, resumed, swept
from caseflow.cli.pictures.consequences import moved, moves, previews
from caseflow.cli.pictures.dockets import docket_exported, taken_in
from caseflow.cli.pictures.findings import findings, rulesets
from caseflow.cli.pictures.integrity import checkpoints, examined, verified
from caseflow.cli.pictures.ledger import ledgers
from caseflow.cli.pictures.otherwise import otherwise
from caseflow.cli.pictures.page import overview
from caseflow.cli.pictures.proof import proofs
from caseflow.cli.pictures.record import line
from caseflow.cli.pictures.register import register
from caseflow.cli.pictures.rehearsal import results
from caseflow.cli.pictures.retention import disposable, disposed, held, holds, stub
from caseflow.cli.pictures.rows import table
from caseflow.cli.pictures.rules import checked, quote, summary
from caseflow.cli.pictures.screen import console, progress
from caseflow.cli.pictures.sheet import sheet
from caseflow.cli.pictures.tracks import screened
from caseflow.cli.pictures.trial import consequences, corrected
from caseflow.cli.pictures.versions import differences, versions
from caseflow.cli.pictures.year import days

case, timeline, why, docket, board = overview, line, ledgers, table, sheet
letters, calendar, fees, pack = register, days, quote, summary
dry_run, rehearsed, demo = consequences, results, rehearsed_docket

__all__ = [
    "adopted",
    "adoptions",
    "begun",
    "board",
    "calendar",
    "case",
    "checked",
    "checkpoints",
    "console",
    "corrected",
    "demo",
    "differences",
    "dispatched",
    "docket_exported",
    "disposable",
    "disposed",
    "docket",
    "dry_run",
    "examined",
    "exported",
    "fees",
    "filed",
    "findings",
    "held",
    "holds",
    "letters",
    "mailed",
    "moved",
    "moves",
    "otherwise",
    "pack",
    "previewed",
    "previews",
    "printed",
    "progress",
    "proofs",
    "rehearsed",
    "resumed",
    "rulesets",
    "screened",
    "stub",
    "swept",
    "taken_in",
    "timeline",
    "verified",
    "versions",
    "why",
]
