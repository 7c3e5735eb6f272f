"""`python -m caseflow` is the command `caseflow`."""

from __future__ import annotations

from caseflow.cli.main import run

if __name__ == "__main__":
    run()
