"""What tests share: the packs of the checkout, and an app on a new embedded database."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from caseflow.adapters.letters.press import Press
from caseflow.bootstrap import App
from tests.server import GIVEN, Server

ROOT = Path(__file__).resolve().parents[1]
PACK = ROOT / "workflows" / "wisconsin-dnr"


def pytest_configure(config: pytest.Config) -> None:
    """Checked packs are kept in a folder of this run, which its worker processes share, and not in the user's own cache."""
    if not hasattr(config, "workerinput"):
        home = tempfile.mkdtemp(prefix="caseflow-tests-")
        os.environ["XDG_CACHE_HOME"] = home
        config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was not tried is said, so that nobody takes it for tried."""
    skipped = [one for one in terminalreporter.stats.get("skipped", ()) if "no chromium" in str(one.longrepr)]
    if skipped:
        text = f"{len(skipped)} BROWSER TESTS WERE NOT RUN: there is no chromium on this machine (apt-get install chromium)"
        terminalreporter.write_sep("=", text, red=True, bold=True)
    left: dict[str, dict[str, list[str]]] = {}
    for one in (*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())):
        for name, value in one.user_properties:
            if name == "axe-incomplete":
                left.update(json.loads(value))
    if left:  # what axe could not settle is listed, so that a person can
        ROOT.joinpath("build").mkdir(exist_ok=True)
        ROOT.joinpath("build", "axe-incomplete.json").write_text(json.dumps(left, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        count = sum(len(nodes) for page in left.values() for nodes in page.values())
        rules = sorted({rule.partition(" ")[0] for page in left.values() for rule in page})
        terminalreporter.write_line(f"axe left {count} places on {len(left)} pages undecided ({', '.join(rules)}): build/axe-incomplete.json lists them")


@pytest.fixture
def app(tmp_path: Path) -> Callable[[str], App]:
    """An app at a moment, all on one database."""

    def at(moment: str) -> App:
        return App(database=f"sqlite:///{tmp_path / 'case.db'}", at=moment, maildrop=str(tmp_path / "mail"))

    return at


@pytest.fixture(scope="session")
def press() -> Iterator[Press]:
    """One worker that makes PDF files, for all tests."""
    made = Press(1)
    yield made
    made.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server of this process; started only where a test asks for it."""
    made = Server()
    yield made
    made.end()


@pytest.fixture
def ours(server: Server) -> Server:
    """The same, where it may be stopped and listened to: one that was named is somebody else's."""
    if GIVEN is not None:
        pytest.skip("the server is not ours to stop or to listen to")
    return server


@pytest.fixture
def postgres_url(server: Server) -> str:
    """The address of a database on it, set up and empty, for the role that the program runs under."""
    return server.empty()
