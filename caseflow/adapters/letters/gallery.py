"""Every letter of a pack with every sample on one page, to be read through: page images, grouped by workflow.

A letter stands once in each workflow, as the longest of its samples with images of its pages; of the other samples only
the lines that differ stand beside it, unless every one is to be drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from typing import Any

from caseflow.adapters.letters.forms import to_html, to_text
from caseflow.adapters.letters.marks import for_copy
from caseflow.adapters.letters.pdf import PdfMaker
from caseflow.adapters.packs.rendering import Sampled
from caseflow.adapters.plainfile import refuse_no_folder, write_whole
from caseflow.domain.pack import Letter, Pack
from caseflow.errors import BadInput, CaseflowError
from caseflow.services.office import Progress, quiet
from caseflow.services.reading import CORE_TITLES

CODE = "ABCD-2345-EFGH"
"""What stands for the code of a recipient, which is made for each copy when it is handed over."""
PPI = 84
"""Dots of a page image to the inch: 714 by 924, enough to read."""
_STYLE = """
:root{color-scheme:light}
body{margin:0;font:1rem/1.5 Georgia,serif;color:#17242b;background:#eef1f2}
a{color:#0f4c68}
header,main,nav{padding:1rem 1.5rem}
header{background:#fff;border-bottom:3px solid #0f4c68}
h1{font-size:1.5rem;margin:.2rem 0}
h2{font-size:1.3rem;margin:2.5rem 0 .5rem;border-bottom:2px solid #0f4c68}
h3{font-size:1.1rem;margin:0}
nav{background:#fff;font-size:.95rem}
nav details{margin:.2rem 0}
nav ul{columns:18rem;margin:.3rem 0;padding-left:1.2rem}
article{background:#fff;border:1px solid #7b8a91;border-radius:4px;padding:1rem 1.2rem;margin:1rem 0 2rem}
.pages{display:flex;flex-wrap:wrap;gap:.8rem;margin:.8rem 0}
.pages img{border:1px solid #7b8a91;width:714px;max-width:100%;height:auto}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0;font-size:.95rem}
.facts dt{color:#4a5b64}.facts dd{margin:0}
pre{white-space:pre-wrap;font:.85rem/1.4 monospace;margin:.4rem 0;background:#f6f8f8;padding:.5rem .8rem}
ins{background:#e2f1e4;text-decoration:none;display:block}del{background:#fbe9e7;text-decoration:none;display:block}
summary{cursor:pointer}
"""


@dataclass(slots=True)
class _Text:
    """One wording of a letter in a workflow, with the samples and acts that give it."""

    made: Sampled
    samples: list[str] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    name: str = ""
    pages: int = 0


def make(
    folder: Path, pack: Pack, samples: Iterable[Sampled], maker: PdfMaker, every: bool = False, progress: Progress = quiet, once: bool = False
) -> dict[str, Any]:
    """Writes the gallery into a folder. `every` draws each sample; `once` each letter in one workflow only.

    Raises BadInput where the folder can't be written, and CaseflowError for a letter that can't be made.
    """
    shown = _grouped(samples, once)
    drawn = [text for letters in shown.values() for texts in letters.values() for text in (texts if every else texts[:1])]
    for text, name in zip(drawn, _names(drawn), strict=True):
        text.name = name
    refuse_no_folder(folder)
    try:
        for part in ("pages", "letters"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        _draw(folder, pack, drawn, maker, progress)
        index = folder / "index.html"
        write_whole(index, _page(pack, shown).encode())
    except OSError as error:
        raise BadInput(f"The folder {folder} can't be written ({error.strerror}); name another.") from None
    return {
        "index": str(index),
        "workflows": len(shown),
        "letters": len({letter for letters in shown.values() for letter in letters}),
        "texts": sum(len(texts) for letters in shown.values() for texts in letters.values()),
        "drawn": len(drawn),
        "pages": sum(text.pages for text in drawn),
    }


def _grouped(samples: Iterable[Sampled], once: bool) -> dict[str, dict[str, list[_Text]]]:
    """Workflow, letter, then each wording once, the longest first."""
    found: dict[str, dict[str, dict[str, _Text]]] = {}
    for made in samples:
        text = found.setdefault(made.workflow, {}).setdefault(made.letter, {}).setdefault(_unnumbered(made), _Text(made))
        for value, known in ((made.sample if made.whole else f"{made.sample} with the least facts", text.samples), (made.action, text.actions)):
            if value not in known:
                known.append(value)
    shown = {
        flow: {letter: sorted(texts.values(), key=lambda text: -len(text.made.markdown)) for letter, texts in letters.items()}
        for flow, letters in found.items()
    }
    if not once:
        return shown
    seen: set[str] = set()
    kept: dict[str, dict[str, list[_Text]]] = {}
    for flow, by_letter in shown.items():
        new = {letter: texts for letter, texts in by_letter.items() if letter not in seen}
        seen.update(new)
        if new:
            kept[flow] = new
    return kept


def _unnumbered(made: Sampled) -> str:
    return made.markdown.replace(made.number, "").replace(made.case, "")


def _names(texts: Sequence[_Text]) -> Iterator[str]:
    """A file name for each, without anything that a path could take for more."""
    used: Counter[str] = Counter()
    for text in texts:
        name = f"{text.made.workflow}-{text.made.letter}"
        used[name] += 1
        yield name if used[name] == 1 else f"{name}-{used[name]}"


def _draw(folder: Path, pack: Pack, texts: Sequence[_Text], maker: PdfMaker, progress: Progress) -> None:
    def draw(text: _Text) -> None:
        made = replace(text.made, markdown=for_copy(text.made.markdown, CODE))
        meta = {
            "pack": pack.hash,
            "date": made.on,
            "docket": made.case,
            "letter": made.number,
            "agency": pack.text.agency.name if pack.text.agency is not None else "",
        }
        pdf, pages = maker.pages(made.markdown, made.subject, pack.text.language, meta, PPI)
        text.pages = len(pages)
        for form, data in (
            ("pdf", pdf),
            ("html", to_html(made.markdown, made.subject, pack.text.language).encode()),
            ("txt", to_text(made.markdown).encode()),
        ):
            write_whole(folder / "letters" / f"{text.name}.{form}", data)
        for number, image in enumerate(pages, 1):
            write_whole(folder / "pages" / f"{text.name}-{number}.png", image)

    with ThreadPoolExecutor(maker.workers) as pool:
        for done, _ in enumerate(pool.map(draw, texts), 1):
            progress(done, len(texts), "letters")


def _page(pack: Pack, shown: Mapping[str, Mapping[str, Sequence[_Text]]]) -> str:
    titles = {flow.workflow: flow.title for flow in pack.workflows}
    count = sum(len(letters) for letters in shown.values())
    pages = sum(texts[0].pages for letters in shown.values() for texts in letters.values())
    nav = "".join(
        f'<details open><summary><a href="#{escape(flow)}">{escape(titles[flow])}</a> ({len(letters)})</summary><ul>'
        + "".join(f'<li><a href="#{escape(flow)}.{escape(letter)}">{escape(pack.letters[letter].title)}</a></li>' for letter in letters)
        + "</ul></details>"
        for flow, letters in shown.items()
    )
    body = "".join(
        f'<section aria-labelledby="{escape(flow)}"><h2 id="{escape(flow)}">{escape(titles[flow])}</h2>'
        + "".join(_card(pack, pack.letters[letter], letter, texts) for letter, texts in letters.items())
        + "</section>"
        for flow, letters in shown.items()
    )
    return (
        f'<!doctype html>\n<html lang="en-US">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Letters of {escape(pack.text.pack)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<header><h1>Letters of {escape(pack.text.title)}</h1><p>Pack {escape(pack.text.pack)}, version {escape(pack.text.version)} "
        f"({pack.hash[:12]}): {count} letters in {len(shown)} workflows, {pages} pages. People and places are invented. Each letter is shown as the longest "
        f"of its samples; under it stands in which lines the others differ.</p></header>\n"
        f'<nav aria-label="Letters">{nav}</nav>\n<main>{body}</main>\n</body>\n</html>\n'
    )


def _card(pack: Pack, letter: Letter, name: str, texts: Sequence[_Text]) -> str:
    first = texts[0]
    flow = next(flow for flow in pack.workflows if flow.workflow == first.made.workflow)
    actions = dict.fromkeys(action for text in texts for action in text.actions)
    rows = {
        "Owed by": ", ".join(f"{flow.actions[action].title if action in flow.actions else CORE_TITLES[action]} ({action})" for action in actions),
        "To": ", ".join(letter.to),
        "Copies": ", ".join(letter.copies),
        "Approved by": letter.approval or "",
        "Must state": "; ".join(letter.states or letter.facts),
        "Law": letter.cite or "",
        "Sample": ", ".join(first.samples),
    }
    facts = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in rows.items() if value)
    others = "".join(_other(first, text) for text in texts[1:])
    more = f"<details><summary>{len(texts) - 1} other texts from samples and acts</summary>{others}</details>" if others else ""
    return (
        f'<article id="{escape(first.made.workflow)}.{escape(name)}"><h3>{escape(letter.title)} <small>({escape(name)})</small></h3>'
        f'<dl class="facts">{facts}</dl>{_drawn(first, letter.title)}{more}</article>'
    )


def _drawn(text: _Text, title: str) -> str:
    pages = "".join(
        f'<a href="pages/{text.name}-{number}.png"><img src="pages/{text.name}-{number}.png" loading="lazy" width="714" height="924" '
        f'alt="Page {number} of {text.pages}: {escape(title)}"></a>'
        for number in range(1, text.pages + 1)
    )
    links = ", ".join(f'<a href="letters/{text.name}.{form}">{what}</a>' for form, what in (("pdf", "PDF"), ("html", "HTML"), ("txt", "text")))
    return f'<div class="pages">{pages}</div><p>The letter as {links}.</p>'


def _other(first: _Text, text: _Text) -> str:
    said = f"<p>{escape(', '.join(text.samples))}; by {escape(', '.join(text.actions))}:</p><pre>{_difference(first.made.markdown, text.made.markdown)}</pre>"
    return said + (_drawn(text, text.made.letter) if text.name else "")


def _difference(one: str, other: str) -> str:
    """The lines of plain text that only one of two letters has."""
    old, new = to_text(one).splitlines(), to_text(other).splitlines()
    made = []
    for what, begins, ends, starts, stops in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            made += [f"<del>- {escape(line)}</del>" for line in old[begins:ends] if line.strip()]
            made += [f"<ins>+ {escape(line)}</ins>" for line in new[starts:stops] if line.strip()]
    return "".join(made)


def all_of(made: Iterable[Any]) -> Iterator[Sampled]:
    """The letters of a rendering. Raises CaseflowError for the first fault of the pack."""
    for one in made:
        if not isinstance(one, Sampled):
            raise CaseflowError(f"The letters can't be shown before the pack is whole: {one}")
        yield one
