"""`python -m tests.letters.aloud`: puts every letter of the pack, with every sample, to a checker of accessible files.

The tests do so with the longest sample of each letter; this does it with all, which takes some minutes. Exit 1 for an error.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from outloud import check

from caseflow.adapters.letters.marks import for_copy
from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.letters.press import Press
from caseflow.adapters.packs.library import PackLibrary, default_folders, pack_files
from caseflow.adapters.packs.rendering import Sampled, rendered


def checked(pdf: bytes, folder: Path) -> tuple[list[str], list[str]]:
    """The errors and the warnings of a file."""
    path = folder / "letter.pdf"
    path.write_bytes(pdf)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = check(str(path))
    if result.error:
        return [result.error], []
    said = {kind: [f"{one.rule}: {one.message}" for one in result.findings if one.severity == kind] for kind in ("error", "warning")}
    return said["error"], said["warning"]


def made_of(maker: PdfMaker, letter: Sampled) -> bytes:
    """A sample as PDF."""
    return maker.make(
        for_copy(letter.markdown, "ABCD-2345-EFGH"), letter.subject, "en-US", {"pack": "p", "date": letter.on, "docket": letter.case, "letter": letter.number}
    )


def longest(samples: Iterable[Sampled]) -> list[Sampled]:
    """The longest of each letter."""
    found: dict[str, Sampled] = {}
    for made in samples:
        if made.letter not in found or len(made.markdown) > len(found[made.letter].markdown):
            found[made.letter] = made
    return list(found.values())


def main() -> int:
    """Checks all."""
    began = time.perf_counter()
    workflows, templates = default_folders()
    folder = sorted(path.parent for path in workflows.glob("*/pack.yaml"))[0]
    files = pack_files(folder, templates)
    library = PackLibrary(workflows, templates)
    samples = [made for made in rendered(library.load(files), files, library) if isinstance(made, Sampled)]
    letters = list({(made.letter, made.markdown): made for made in samples}.values())
    maker = PdfMaker(lambda _: files, Press(2))
    errors: Counter[str] = Counter()
    warned: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(2) as pool:
        for made, pdf in zip(letters, pool.map(lambda letter: made_of(maker, letter), letters), strict=True):
            bad, doubtful = checked(pdf, Path(place))
            errors.update(f"{made.letter}: {text}" for text in bad)
            warned.update(text.partition(":")[0] for text in doubtful)
    maker.close()
    kinds = len({made.letter for made in letters})
    print(
        f"{kinds} letters, {len(letters)} texts of {len(samples)} samples: {errors.total()} errors, warnings {dict(warned)}, {time.perf_counter() - began:.0f} s"
    )
    print(*errors, sep="\n")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
