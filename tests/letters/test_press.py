"""A letter that breaks its renderer is one fault with one sentence; it reads no file, calls nobody, and the others flow."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Limits, Press
from caseflow.errors import LetterFault
from tests.conftest import ROOT
from tests.letters.making import META, text

DATA = "#let it = json(bytes(sys.inputs.letter))\n#set document(title: it.title)\n#let said = it.blocks.first().c.first()\n"
# What a letter says decides what its page does: hang, grow, or set it.
PAGE = DATA + (
    '#if said == "hang" { for a in range(100000) { for b in range(100000) { } } }\n'
    '#if said == "grow" { let a = "x" * 3000000000 }\n'
    '#if said == "deep" { let f(x) = f(x + 1) + 1; f(0) }\n'
    "#said\n"
)
# A limit of every system, and what the filter of Linux refuses besides.
FENCED = ["tempfile.TemporaryFile(buffering=0).write(b'x')"]
if sys.platform.startswith("linux"):
    FENCED += ["socket.socket()", "socket.socketpair()", "os.execv('/bin/true', ['true'])", "os.write(os.memfd_create('x'), b'x')"]


def maker_of(page: str, press: Press) -> PdfMaker:
    return PdfMaker(lambda _: {"templates/page.typ": page}, press)


def make(maker: PdfMaker, said: str) -> str:
    return text(maker.make(said, "t", "en-US", META))


@pytest.fixture(scope="module")
def small() -> Iterator[PdfMaker]:
    """Makes letters within narrow limits."""
    made = maker_of(PAGE, Press(1, Limits(memory=700 * 1024 * 1024, processor_seconds=30, seconds=2.0)))
    yield made
    made.close()


@pytest.mark.parametrize(("said", "why"), [("hang", "took longer than 2 seconds"), ("grow", "ended early"), ("deep", "maximum function call depth")])
def test_a_letter_that_hangs_or_grows_is_one_fault_and_the_next_one_flows(small: PdfMaker, said: str, why: str) -> None:
    with pytest.raises(LetterFault, match=why) as caught:
        make(small, said)

    assert str(caught.value).startswith("The letter can't be made as PDF")
    assert "\n" not in str(caught.value)
    assert make(small, "good") == "good"


def test_a_letter_that_uses_up_the_processor_is_stopped_though_the_clock_allows_more() -> None:
    press = Press(1, Limits(processor_seconds=0, seconds=20.0))
    with pytest.raises(LetterFault, match="ended early"):
        make(maker_of(PAGE, press), "hang")
    press.close()


def test_the_others_flow_while_one_hangs() -> None:
    press = Press(2, Limits(seconds=1.5))
    maker = maker_of(PAGE, press)
    with ThreadPoolExecutor(4) as pool:
        bad = pool.submit(make, maker, "hang")
        good = [pool.submit(make, maker, f"good {number}") for number in range(12)]

        assert [one.result() for one in good] == [f"good {number}" for number in range(12)]
        assert isinstance(bad.exception(), LetterFault)
    press.close()


def test_a_worker_that_something_else_ended_is_replaced_unseen() -> None:
    press = Press(1)
    maker = maker_of(PAGE, press)
    assert make(maker, "one") == "one"
    for worker in press._idle:
        worker._process.kill()
        worker._process.wait()

    assert make(maker, "two") == "two"
    press.close()
    assert make(maker, "three") == "three"  # closed workers start again
    press.close()


def test_a_worker_retires_after_its_letters() -> None:
    press = Press(1, Limits(letters=2))
    maker = maker_of(PAGE, press)
    seen = []
    for number in range(4):
        make(maker, f"{number}")
        seen.append([worker.made for worker in press._idle])

    assert seen == [[1], [], [1], []]
    press.close()


@pytest.mark.parametrize(
    "reads",
    [
        '#read("/etc/hostname")',
        '#read("../page.typ")',
        '#read("../../../../etc/hostname")',
        '#image("/etc/hostname", alt: "x")',
        '#include "/proc/self/environ"',
    ],
)
def test_a_page_reads_no_file_outside_its_folder(press: Press, reads: str) -> None:
    with pytest.raises(LetterFault, match="can't be made as PDF: .*(file not found|escape the project root)"):
        make(maker_of(DATA + reads, press), "x")


def test_a_page_takes_nothing_from_the_network(press: Press) -> None:
    with pytest.raises(LetterFault, match="can't be made as PDF"):
        make(maker_of('#import "@preview/example:0.1.0": *\n' + DATA, press), "x")


def fenced(code: str) -> str:
    """What a process behind the fences says."""
    head = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import ctypes, os, socket, subprocess, tempfile; from caseflow.adapters.letters.fences import fence; fence(2**31)\n"
    return subprocess.run([sys.executable, "-c", head + code], capture_output=True, text=True, timeout=30).stdout.strip()


@pytest.mark.parametrize("code", FENCED)
def test_behind_the_fences_there_is_no_socket_no_program_and_no_file_to_write(code: str) -> None:
    tried = f"try:\n    {code}\nexcept OSError as error:\n    print('refused', error.errno)\nelse:\n    print('done')\n"

    assert fenced(tried).startswith("refused")
    assert fenced("print('lives')") == "lives"


def test_a_fault_of_the_page_names_its_line(press: Press) -> None:
    with pytest.raises(LetterFault, match=r"unknown variable: nothing \(page.typ, line 4\)"):
        make(maker_of(DATA + "#nothing\n", press), "x")
