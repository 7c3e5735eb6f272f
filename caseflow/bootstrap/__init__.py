"""Joins services and adapters; the only room that knows every adapter. The doors are handed an App."""

from caseflow.bootstrap.rules import scenario_files
from caseflow.bootstrap.serving import App, Serving

__all__ = ["App", "Serving", "scenario_files"]
