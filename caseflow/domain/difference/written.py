"""What two versions differ in besides their rules: the words of letters, the page they are printed on, comments and layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from caseflow.domain.difference.change import Change

_LETTERS = "templates/"
_MOST = 300


def written(
    before: Mapping[str, str],
    after: Mapping[str, str],
    says: Mapping[str, str],
    says_now: Mapping[str, str],
    letters: Mapping[str, tuple[str, tuple[str, ...]]],
    told: bool,
) -> Iterator[Change]:
    """Every file that differs. `letters` maps a letter to its title and workflows; `told`: the rules were found to differ."""
    for path in sorted({*before, *after}):
        if before.get(path) == after.get(path) or path.startswith(("samples/", "scenarios/")):
            continue
        if path.startswith(_LETTERS):
            yield from _template(path, before.get(path), after.get(path), letters)
        elif path in before and path in after and says.get(path) == says_now.get(path):
            yield Change("words", "file", path, "changed", f"In {path} only comments or the layout differ.")
        elif not told:
            how = "is new" if path not in before else "is gone" if path not in after else "is written otherwise"
            yield Change("words", "file", path, "changed", f"The file {path} {how}; the rules that cases run by are the same.")


def _template(path: str, before: str | None, after: str | None, letters: Mapping[str, tuple[str, tuple[str, ...]]]) -> Iterator[Change]:
    name = path.removeprefix(_LETTERS).removesuffix(".md")
    title, workflows = letters.get(name, ("", ()))
    called = f"the letter “{title}”" if title else f"the shared text {name}" if path.endswith(".md") else f"the page or picture {name} of the letters"
    if before is None or after is None:
        word = "now has a text of its own" if before is None else "no longer has a text of its own"
        yield Change("letters", "letter", name, "changed", f"{called[:1].upper()}{called[1:]} {word}.", workflows, "text", before, after)
    elif not path.endswith(".md"):
        yield Change("letters", "letter", name, "changed", f"{called[:1].upper()}{called[1:]} differs.", workflows, "text")
    else:
        yield from _lines(name, called, before, after, workflows)


def _lines(name: str, called: str, before: str, after: str, workflows: tuple[str, ...]) -> Iterator[Change]:
    """Each place in which a letter reads otherwise."""
    was, now = before.splitlines(), after.splitlines()
    found = False
    for tag, first, last, begin, end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        old, new = (_joined(lines) for lines in (was[first:last], now[begin:end]))
        if tag == "equal" or (not old and not new):
            continue
        found = True
        if old and new:
            text = f"In {called}, “{_short(new)}” stands instead of “{_short(old)}”."
        else:
            text = f"In {called}, “{_short(new or old)}” {'is new' if new else 'is gone'}."
        yield Change("letters", "letter", name, "changed", text, workflows, "text", old or None, new or None)
    if not found:
        yield Change("words", "letter", name, "changed", f"In {called} only empty lines or spaces differ.", workflows, "text")


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())


def _short(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1].rstrip()}…"
