"""F13: the files of a pack are edited, spoiled or half written while cases run by it and a scheduler is at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from caseflow.adapters.packs.library import PackLibrary
from caseflow.errors import PackFaults
from caseflow.services.sweeping import sweep
from tests.faults.matrix.apart import apart
from tests.faults.matrix.picture import picture
from tests.faults.matrix.row import Result
from tests.faults.matrix.scenes import office, packed_up, prepared
from tests.unit.pack_texts import FLOW, sound

Edit = Callable[[str], str]


EDITS: tuple[tuple[str, Edit, bool], ...] = (
    ("days changed", lambda text: text.replace("business-days: 10", "business-days: 3"), True),
    ("state removed", lambda text: text.replace("waiting", "asked").replace("asked: {title", "asked: {phase: waiting, title"), True),
    (
        "letter removed",
        lambda text: text.replace(", letters: granted-by-silence", "").replace(
            "  granted-by-silence: {title: Granted by silence, states", "  gone: {title: Gone, states"
        ),
        False,
    ),
    ("syntax error", lambda text: text.replace("clocks:", "clocks: [", 1), False),
    ("half written", lambda text: text[: len(text) // 2], False),
    ("empty", lambda _: "", False),
)


def edited(folder: Path, trials: int, seed: int) -> Result:
    """Each edit while two cases run, one of them in the state that goes; a process that was there before, and one that comes after."""
    del seed
    result = Result()
    for trial in range(trials):
        own, (name, edit, loads) = folder / f"trial{trial}", EDITS[trial % len(EDITS)]
        packed_up(prepared(own, sound(), 2))
        asked, other = list(office(own, "2026-03-03").store.numbers())
        office(own, "2026-03-03").act(asked, "ask", {"reason": "height"}, None, "ann:staff", None, None, False)
        before, file = picture(own), own / "workflows" / "oakville" / FLOW
        there = office(own, "2026-03-05")
        there.library.all()
        file.write_text(edit(sound()[FLOW]))
        found = []
        there.act(asked, "hear", {}, None, "ann:staff", None, None, False)
        due = there.show(other)["clocks"][0]["due"]
        found += [] if due == "2026-03-16" else [f"a process that was there says {due}"]
        found += _new_process(own, other, loads)
        late = office(own, "2026-03-25")
        if not loads:
            file.write_text(sound()[FLOW])  # mended
        sweep(late.office, pause=lambda _: None)
        now = picture(own)
        for number in (asked, other):
            acts = [line[1] for line in now[number]["entry"]]
            packs = {line[8] for line in now[number]["entry"]}
            letters = [line[1] for line in now[number]["letter"]]
            if acts.count("fall-silent") != 1 or letters.count("granted-by-silence") != 1 or packs != {before[number]["entry"][0][8]}:
                found.append(f"{number}: {acts}, letters {letters}, {len(packs)} versions")
        found += [f"verify: {one['text']}" for one in office(own, "2026-03-26").verify(None)["faults"]]
        result.add(1, [f"{name}: {text}" for text in found])
    return result


def _new_process(folder: Path, number: str, loads: bool) -> list[str]:
    """What a process says that starts now: the dates of the case's own version, or which line does not load."""
    try:
        due = office(folder, "2026-03-05").show(number)["clocks"][0]["due"]
    except PackFaults as fault:
        return [] if not loads and all(one.file and one.text for one in fault.faults) else [f"a new process does not start: {fault}"]
    return [] if due == "2026-03-16" else [f"a new process says {due}"]


def in_place() -> None:
    """The planted fault: a case goes by whatever the files say now."""
    PackLibrary.of = lambda self, case: self.of_version(case, next(iter(self.all())).hash)  # type: ignore[method-assign]


ROWS = (apart("F13-pack", "a pack edited, spoiled, half written under running cases", "P11 P12", edited, in_place, "reload in place", 6, 54),)
