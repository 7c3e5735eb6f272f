"""`python -m tests.letters.golden`: writes the text of every letter into tests/letters/golden/, to be read in the difference.

Each letter stands there once, from the longest of the whole samples that owe it, as the people of the request get it. The test
compares; who changes the words of a letter runs this and reads what has changed before it is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from caseflow.adapters.letters.forms import to_text
from caseflow.adapters.letters.marks import for_copy
from caseflow.adapters.packs.library import PackLibrary, pack_files
from caseflow.adapters.packs.rendering import Sampled, rendered
from tests.conftest import PACK, ROOT

FOLDER = Path(__file__).parent / "golden"
CODE = "ABCD-2345-EFGH"


def whole_samples() -> list[Sampled]:
    """Every letter that the whole samples of the pack owe; the partial ones, which owe the same letters, are left out."""
    files = pack_files(PACK, ROOT / "templates" / "letters")
    some = {path: text for path, text in files.items() if path.endswith(("/complete.yaml", "acts.yaml")) or not path.startswith("samples/")}
    library = PackLibrary(PACK.parent, ROOT / "templates" / "letters")
    return [made for made in rendered(library.load(files), some, library) if isinstance(made, Sampled)]


def texts(samples: Iterable[Sampled]) -> dict[str, str]:
    """The plain text of each letter; of several that are equally long the first by workflow and action counts."""
    chosen: dict[str, Sampled] = {}
    for made in sorted(samples, key=lambda made: (-len(made.markdown), made.workflow, made.action, made.sample)):
        chosen.setdefault(made.letter, made)
    return {letter: f"Subject: {made.subject}\n\n{to_text(for_copy(made.markdown, CODE))}" for letter, made in sorted(chosen.items())}


def main() -> None:
    """Writes all, and takes away what no letter is any more."""
    FOLDER.mkdir(exist_ok=True)
    made = texts(whole_samples())
    for path in FOLDER.glob("*.txt"):
        if path.stem not in made:
            path.unlink()
    for letter, text in made.items():
        (FOLDER / f"{letter}.txt").write_text(text, encoding="utf-8")
    print(f"{len(made)} letters in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
