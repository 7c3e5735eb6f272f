"""Plants one fault at a time in the first pack and says whether `pack check`, a scenario or a table of the rules refuses it.

`python -m tests.faults.mutator [NUMBER] [SEED] [FILES]` runs that many mutants (default 320) on two processes and lists
the survivors; FILES is a pattern of the files to plant them in (default: every file). A refusal by the check counts its
line as right if it lies within three lines or names the changed word.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from caseflow.adapters.packs.library import PackLibrary, pack_files
from caseflow.bootstrap import App, scenario_files
from caseflow.domain.pack import Pack
from caseflow.errors import CaseflowError, Fault, PackFaults
from tests.conftest import PACK, ROOT
from tests.rules import asking

TEMPLATES = ROOT / "templates" / "letters"


@dataclass(frozen=True)
class Mutant:
    """One fault: where it is planted, of which kind, and the line before and after."""

    kind: str
    file: str
    line: int
    before: str
    after: str


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: refused by `check`, by a `scenario`, by a `table` of the rules, or it `survived`."""

    mutant: Mutant
    by: str
    line_right: bool = True
    text: str = ""


def mutants(files: Mapping[str, str]) -> Iterator[Mutant]:
    """Every fault that can be planted, in the order of the files."""
    for file, text in files.items():
        if file.startswith(("samples/", "scenarios/", "templates/")):
            continue
        is_flow = re.search(r"^workflow:", text, re.M) is not None
        for number, line in enumerate(text.splitlines(), 1):
            bare = line.split("#")[0]
            if not bare.strip():
                continue
            for kind, after in _of_line(file, bare, is_flow):
                if after != bare:
                    yield Mutant(kind, file, number, bare, after)


def _of_line(file: str, line: str, is_flow: bool) -> Iterator[tuple[str, str]]:
    key = line.strip().partition(":")[0].removeprefix("- ")
    flow = "workflow" not in key and is_flow
    if flow and key == "from" and "[" in line:
        yield "edge removed", re.sub(r"\[[\w-]+, ", "[", line, count=1)
    if flow and key == "to" and "same" not in line:
        yield "edge removed", re.sub(r"to: [\w-]+", "to: same", line)
    for old, new in (("is: true", "is: false"), ("is: false", "is: true"), ("given: true", "given: false"), ("none: [", "all: [")):
        if old in line and "test:" in line:
            yield "guard inverted", line.replace(old, new, 1)
    if flow and key in ("met", "stopped") and "[" in line:
        yield "clock unstopped", re.sub(r"\[[\w-]+(, )?", "[", line, count=1)
    if flow and key == "until" and "[" in line:
        yield "hold unended", re.sub(r"\[.*\]", "[]", line)
    if flow and key == "letters" and "[" in line and "[]" not in line:
        yield "letter dropped", re.sub(r"\[.*\]", "[]", line)
    if re.search(r"length: \{days: \d+\}", line):
        yield "days changed", re.sub(r"days: (\d+)", lambda found: f"days: {int(found[1]) + 1}", line)
        yield "unit changed", line.replace("{days:", "{business-days:")
    if file == "calendar.yaml" and "month-day:" in line:
        yield "days changed", re.sub(r"-(\d\d)", lambda found: f"-{int(found[1]) % 27 + 1:02}", line, count=2)
    if file == "fees.yaml" and "amount:" in line:
        yield "days changed", re.sub(r"amount: (\d+)", lambda found: f"amount: {int(found[1]) + 1}", line)
    for found in re.finditer(r"fact: (\w+)", line):
        yield "fact misspelt", line.replace(found[0], f"fact: {found[1][:-1]}", 1)
    if flow and key in ("takes", "may-take") and "[" in line:
        yield "fact misspelt", re.sub(r"(\w)(\w)\]", r"\2\1]", line, count=1)
    if key == "cite":
        yield "cite removed", ""
    elif ", cite:" in line:
        yield "cite removed", re.sub(r', cite: ("[^"]*"|[^,}]*)', "", line, count=1)
    for found in re.finditer(r"after: ([a-z]+-[a-z-]+)", line):
        yield "action renamed", line.replace(found[0], f"after: {found[1]}x", 1)
    if flow and re.fullmatch(r"  [a-z]+-[a-z-]+:", line.rstrip()) and file.endswith("-service.yaml"):
        yield "action renamed", line.replace(":", "x:")


class _Mutated(PackLibrary):
    """A library whose one pack is the mutated one; samples are read from the pack's folder."""

    def __init__(self, files: Mapping[str, str]) -> None:
        super().__init__(PACK.parent, TEMPLATES)
        pack = self.load(files)
        self._packs = [pack]
        self._folder_of = dict.fromkeys((flow.workflow for flow in pack.workflows), PACK)


def judge(mutant: Mutant, folder: Path = PACK / "scenarios") -> Verdict:
    """Plants the fault and asks the check, then the scenarios of a folder, until one refuses."""
    files = pack_files(PACK, TEMPLATES)
    lines = files[mutant.file].splitlines()
    lines[mutant.line - 1] = mutant.after
    files[mutant.file] = "\n".join(lines) + "\n"
    try:
        library = _Mutated(files)
    except PackFaults as faults:
        right = any(_points_at(mutant, fault) for fault in faults.faults)
        return Verdict(mutant, "check", right, str(faults.faults[0]))
    except CaseflowError as error:
        return Verdict(mutant, "check", False, str(error))
    said = _table(library.all()[0]) if mutant.file.startswith(("rules/", "facts")) else None
    if said is not None:
        return Verdict(mutant, "table", True, said)
    app = App()
    flows = _flows_of(files, mutant.file)
    paths = [path for path in scenario_files([str(folder)]) if flows is None or _workflow(Path(path).read_text()) in flows]
    random.Random(mutant.line).shuffle(paths)
    name = Path(mutant.file).stem
    paths.sort(key=lambda path: name not in path)
    for start in range(0, len(paths), 20):
        for result in app.rehearse(paths[start : start + 20], library=library)["results"]:
            if not result["passed"]:
                return Verdict(mutant, "scenario", True, str(result["scenario"]))
    return Verdict(mutant, "survived")


def _flows_of(files: Mapping[str, str], file: str) -> set[str] | None:
    """The workflows that a workflow's file is part of, by inheritance; None for any other file, which may be part of all."""
    names = {path: name for path, text in files.items() if (name := _workflow(text)) and not path.startswith(("samples/", "scenarios/", "rules/"))}
    if file not in names:
        return None
    bases = {name: found[1] for path, name in names.items() if (found := re.search(r"^extends: ([\w-]+)", files[path], re.M))}
    concerned = {names[file]}
    for _ in names:
        concerned |= {name for name, base in bases.items() if base in concerned}
    return concerned


def _workflow(text: str) -> str:
    found = re.search(r"^workflow: ([\w-]+)", text, re.M)
    return found[1] if found else ""


def _table(pack: Pack) -> str | None:
    """The first of the rule cases in tests/rules that comes out otherwise under a pack, or nothing."""
    known = asking.pack
    asking.pack = lambda: pack  # type: ignore[assignment]
    try:
        for one in asking.changes():
            if asking.outcome(asking.finding(one.rule, one.facts)) != one.wanted:
                return f"{one.rule} under {dict(one.changed)}"
        for limit in asking.limits():
            for place in ("under", "on", "over"):
                if (limit.found(place).outcome == "pass") != limit.holds(place):
                    return f"{limit.rule}: {limit.fact} {place} {limit.number}"
        for name, law in asking.items().items():
            if any(asking.sets()[home].rules()[name].cite != law["cite"] for home in asking.homes(name)):
                return f"{name} is cited otherwise"
    except (CaseflowError, AssertionError, IndexError, KeyError) as error:
        return f"the rules can't be asked: {error!r}"
    finally:
        asking.pack = known
    return None


def _points_at(mutant: Mutant, fault: Fault) -> bool:
    """Whether a fault leads to the mutated line: within three lines of it, or by naming a word that was changed."""
    before, after = (set(re.findall(r"[\w-]{3,}", text)) for text in (mutant.before, mutant.after))
    near = fault.file == mutant.file and abs(fault.line - mutant.line) <= 3
    return near or bool((before ^ after) & set(re.findall(r"[\w-]{3,}", fault.text)))


def sample(number: int, seed: int, files: str = "") -> list[Mutant]:
    """So many mutants, of every kind, drawn from a seed; only in files that a pattern finds."""
    kinds: dict[str, list[Mutant]] = {}
    for mutant in mutants(pack_files(PACK, TEMPLATES)):
        if re.search(files, mutant.file):
            kinds.setdefault(mutant.kind, []).append(mutant)
    luck = random.Random(seed)
    for found in kinds.values():
        luck.shuffle(found)
    drawn: list[Mutant] = []
    while len(drawn) < number and any(kinds.values()):
        drawn += [found.pop() for found in kinds.values() if found]
    return drawn[:number]


def main() -> None:
    """Runs the mutants and prints what became of them."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 320
    chosen = sample(number, int(sys.argv[2]) if len(sys.argv) > 2 else 17, sys.argv[3] if len(sys.argv) > 3 else "")
    verdicts: list[Verdict] = []
    with ProcessPoolExecutor(2) as pool:
        for verdict in pool.map(judge, chosen):
            verdicts.append(verdict)
            print(f"\r{len(verdicts)} of {len(chosen)} mutants", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    checked = [one for one in verdicts if one.by == "check"]
    count = Counter(one.by for one in verdicts)
    survivors = [one for one in verdicts if one.by == "survived"]
    right = sum(one.line_right for one in checked)
    by = f"{count['check']} refused by the check, {count['scenario']} by a scenario, {count['table']} by a table of the rules, {len(survivors)} survived"
    print(f"{len(verdicts)} mutants: {by}")
    print(
        f"refused {1 - len(survivors) / len(verdicts):.1%}; the line is right in {right} of {len(checked)} refusals of the check ({right / max(1, len(checked)):.1%})"
    )
    for one in survivors:
        print(f"survived: {one.mutant.kind}: {one.mutant.file}:{one.mutant.line}: {one.mutant.before.strip()} -> {one.mutant.after.strip()}")
    for one in checked:
        if not one.line_right:
            print(f"line: {one.mutant.kind}: {one.mutant.file}:{one.mutant.line}: {one.mutant.after.strip()}: {one.text}")


if __name__ == "__main__":
    main()
