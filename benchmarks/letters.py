"""Letters: words against a bare compiled Jinja template, PDF files on one worker and on two, and beside WeasyPrint where it is."""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any

from jinja2 import Environment, Template

from benchmarks.measure import Line, over, seconds
from caseflow.adapters.letters.forms import to_html
from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Press
from caseflow.adapters.letters.sandbox import sandbox, taken_in
from caseflow.adapters.letters.shown import FILTERS
from caseflow.adapters.letters.templates import _FRONT
from caseflow.adapters.letters.writer import LetterWriter
from caseflow.adapters.packs.library import PackLibrary, default_folders, pack_files
from caseflow.adapters.packs.rendering import Sampled, rendered
from caseflow.domain.case import LetterOwed
from caseflow.domain.letterview import snapshot
from caseflow.domain.pack import Pack

NAME = "Ann Larsen"
"""Who asks in the samples; a name of its own makes each letter another one."""
MOMENT = datetime(2026, 12, 20, 16, tzinfo=UTC)


def run(rounds: int, letters: int = 400) -> list[Line]:
    """The words of every letter of the pack, then PDF files of as many letters."""
    workflows, templates = default_folders()
    folder = sorted(path.parent for path in workflows.glob("*/pack.yaml"))[0]
    library = PackLibrary(workflows, templates)
    files = pack_files(folder, templates)
    pack = library.load(files)
    made, owed = _samples(pack, files, library)
    return [_words(library, pack, files, owed, rounds), *_pdf(pack, files, made, rounds, letters)]


class _Keeper(LetterWriter):
    """Keeps what it is asked to write."""

    seen: list[LetterOwed] = []

    def write(self, owed: LetterOwed, pack: Pack, moment: datetime) -> Any:
        """Writes and keeps."""
        made = super().write(owed, pack, moment)
        self.seen.append(owed)
        return made


def _samples(pack: Pack, files: dict[str, str], library: PackLibrary) -> tuple[list[Sampled], list[LetterOwed]]:
    """The longest sample of each letter, and what each letter is owed with, its data made and plain."""
    from caseflow.adapters.packs import rendering

    whole = {path: text for path, text in files.items() if path.endswith(("/complete.yaml", "acts.yaml")) or not path.startswith("samples/")}
    before, rendering.LetterWriter = rendering.LetterWriter, _Keeper  # type: ignore[misc]
    try:
        made = [one for one in rendered(pack, whole, library) if isinstance(one, Sampled)]
    finally:
        rendering.LetterWriter = before  # type: ignore[misc]
    longest = {one.letter: one for one in sorted(made, key=lambda one: len(one.markdown))}
    owed = {one.letter: replace(one, view=snapshot(one.view)) for one in _Keeper.seen}
    return list(longest.values()), list(owed.values())


def _words(library: PackLibrary, pack: Pack, files: dict[str, str], owed: Sequence[LetterOwed], rounds: int, times: int = 20) -> Line:
    writer = LetterWriter(library.files)
    bare = _bare(files, owed)
    plain = [(one.letter, _stated(one.view)) for one in owed]

    def ours() -> None:
        for one in owed * times:
            writer.write(one, pack, MOMENT)

    def theirs() -> None:
        for letter, view in plain * times:
            subject, body = bare[letter]
            subject.render(view)
            body.render(view)

    ours()
    theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    ratios = over([one for one, _ in pairs], [other for _, other in pairs])
    rate, base = (len(owed) * times / median(side) for side in zip(*pairs, strict=True))
    return Line("words of a letter", ">= 0.6 of bare Jinja", f"{rate:,.0f}/s ({base:,.0f}/s bare)", median(ratios) >= 0.6, ratios, "L1")


def _stated(value: Any) -> Any:
    """A view without what is empty, which a letter's sandbox takes for not stated."""
    if isinstance(value, dict):
        return {name: _stated(one) for name, one in value.items() if one is not None}
    return [_stated(one) for one in value] if isinstance(value, list) else value


def _bare(files: dict[str, str], owed: Sequence[LetterOwed]) -> dict[str, tuple[Template, Template]]:
    """The same templates without sandbox, escape or bounds; with the filters, which are theirs."""
    environment = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)  # nothing that it writes is shown to anybody
    environment.filters.update(FILTERS)
    sources = {path.removeprefix("templates/"): text for path, text in files.items() if path.startswith("templates/") and path.endswith(".md")}
    made = {}
    for one in owed:
        whole = taken_in(sandbox(), sources, f"{one.letter}.md")
        front = _FRONT.match(whole)
        subject = front[1].partition("subject:")[2].strip() if front is not None else ""
        made[one.letter] = environment.from_string(subject), environment.from_string(whole[front.end() :] if front is not None else whole)
    return made


def _pdf(pack: Pack, files: dict[str, str], samples: Sequence[Sampled], rounds: int, letters: int) -> list[Line]:
    makers = {workers: PdfMaker(lambda _: files, Press(workers)) for workers in (1, 2)}
    number = 0

    def make(workers: int) -> Callable[[], None]:
        nonlocal number
        number += 1
        batch = [_another(samples[place % len(samples)], f"{number}-{place}") for place in range(letters)]

        def work() -> None:
            with ThreadPoolExecutor(workers) as pool:
                for data in pool.map(partial(_made, makers[workers], pack), batch):
                    assert data.startswith(b"%PDF")

        return work

    begun = _processor()
    for workers in makers:
        seconds(make(workers))  # the workers start
    pairs = [(seconds(make(1)), seconds(make(2))) for _ in range(rounds)]
    for maker in makers.values():
        maker.close()
    each = (_processor() - begun) * 1000 / (number * letters)
    ratios = over([two for _, two in pairs], [one for one, _ in pairs])
    one, two = (letters / median(side) for side in zip(*pairs, strict=True))
    return [
        Line("PDF letters, two workers", ">= 60/s", f"{two:,.0f}/s", two >= 60, id="L2"),
        Line("PDF letters, two workers to one", ">= 1.5", f"{two:,.0f}/s ({one:,.0f}/s one)", median(ratios) >= 1.5, ratios),
        Line("PDF letter, processor time, all processes", "<= 33 ms", f"{each:.0f} ms", each <= 33),
        _weasyprint(pack, samples, one),
    ]


def _processor() -> float:
    """Seconds of the processor, of this process and of those that have ended: a figure that others at work change little."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def _another(letter: Sampled, name: str) -> Sampled:
    """The letter to somebody else, so that nothing of a page is known from the letter before."""
    return replace(letter, markdown=letter.markdown.replace(NAME, f"Ann {name} Larsen").replace("The department", f"The department ({name})"))


def _made(maker: PdfMaker, pack: Pack, letter: Sampled) -> bytes:
    return maker.make(
        letter.markdown, letter.subject, pack.text.language, {"pack": pack.hash, "date": letter.on, "docket": letter.case, "letter": letter.number}
    )


def _weasyprint(pack: Pack, samples: Sequence[Sampled], ours: float, letters: int = 20) -> Line:
    """WeasyPrint with the letter's HTML page, one process; it needs Pango of the system."""
    try:
        import weasyprint  # type: ignore[import-not-found,unused-ignore]
    except (ImportError, OSError):
        return Line("PDF letters, WeasyPrint, one process", "-", "not run (no WeasyPrint with Pango here)", None)
    pages = [to_html(_another(samples[place % len(samples)], f"{place}").markdown, "t", pack.text.language) for place in range(letters)]
    took = seconds(lambda: [weasyprint.HTML(string=page).write_pdf(pdf_variant="pdf/ua-1") for page in pages])
    return Line("PDF letters, WeasyPrint, one process", "-", f"{letters / took:,.0f}/s ({ours:,.0f}/s ours)", None)
