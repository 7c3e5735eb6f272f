"""`caseflow` and `python -m caseflow`: joins the command line with the program behind it, loaded only when needed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from caseflow.cli.main import run

if TYPE_CHECKING:
    from caseflow.cli.app import App, Settings


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    sys.exit(run(_open, sys.argv[1:]))


def _open(settings: Settings) -> App:
    from caseflow.bootstrap import open_app

    return open_app(settings)


if __name__ == "__main__":
    main()
