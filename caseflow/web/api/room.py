"""The room of the API: its operations, its own errors, and the text that describes it."""

from __future__ import annotations

from functools import cache

from fastapi import FastAPI

from caseflow.web.api import about, acting, audit, cases, documents, filing, law, letters, lists, work
from caseflow.web.api.problems import install
from caseflow.web.api.text import describe

ROOT = "/api/v1"


def create_api() -> FastAPI:
    """The API, to be mounted at ROOT of the site. It is answered through the site's guard."""
    api = FastAPI(title="caseflow", version="1", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    for module in (about, lists, work, cases, acting, documents, letters, filing, law, audit):
        api.include_router(module.router)
    install(api)
    api.state.text = cache(lambda: describe(api, ROOT))  # made when it is first asked for
    return api
