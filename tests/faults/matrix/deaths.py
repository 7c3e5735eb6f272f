"""F1, F2: every scene is killed, or told of an error, at its n-th place, for n = 1, 2, ... until it ends untouched.

Then each case stands as before or as after, the record is sound, and the same work done again ends as if nothing had happened.
"""

from __future__ import annotations

import gc
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from caseflow.errors import CaseflowError
from tests.faults.matrix.picture import Picture, picture, strayed
from tests.faults.matrix.points import DEADLY, TELLING, Ended, Points, death, error, forked
from tests.faults.matrix.rooms import Rooms
from tests.faults.matrix.row import Result, Row
from tests.faults.matrix.scenes import SCENES, Scene, office


@dataclass
class Stage:
    """A scene prepared: the folder to copy, how its cases stand before and after, and how many places it has."""

    scene: Scene
    rooms: Rooms

    def __post_init__(self) -> None:
        self.new = self.rooms.first()
        made = forked(lambda: self.scene.prepare(self.new))
        if made.said or made.broke:
            raise RuntimeError(f"{self.scene.name} can't be prepared: {made.said}{made.broke}")

    @cached_property
    def before(self) -> Picture:
        """How the cases stand before."""
        return picture(self.new)

    @cached_property
    def after(self) -> tuple[Picture, Any]:
        """How they stand when nothing went wrong. Done by this process itself, so that its copies have everything at hand."""
        folder = self.rooms.copy("sound")
        self.scene.work(folder)
        gc.collect()  # and no copy of it finds an open connection
        gc.freeze()
        return picture(folder), self.scene.settled(folder) if self.scene.settled else None

    def places(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """The places of these kinds that a run has which nothing befalls, in order."""
        folder = self.rooms.copy("counted")
        return forked(lambda: self.scene.work(folder), Points(0, death, kinds)).seen

    def judged(self, folder: Path, at: str, again: bool = True) -> list[str]:
        """What is wrong after a fault, and after the work was done again."""
        found = [] if self.scene.settled else strayed(picture(folder), self.before, self.after[0])
        if again:
            made = forked(partial(_once_more, self.scene, folder))
            found += [made.said or made.broke or "it hangs"] if made.said or made.broke or made.hung else [str(fault) for fault in made.answer]
        now = (picture(folder), self.scene.settled(folder)) if self.scene.settled else (picture(folder), None)
        if self.scene.settled:
            found += [f"done again: {now[1]} instead of {self.after[1]}"] if now[1] != self.after[1] else []
        else:
            found += [f"done again: {text}" for text in strayed(now[0], self.after[0], self.after[0])]
        return [f"{self.scene.name}, {at}: {text}" for text in found]


def _once_more(scene: Scene, folder: Path) -> list[str]:
    def faults() -> list[str]:
        found = office(folder, "2030-01-01").verify(None)["faults"]
        return [f"verify: {one['case']} {one['seq']}: {one['text']}" for one in found]

    before = faults()
    scene.work(folder)
    return before + faults()


def chosen(places: int, trials: int, seed: int) -> list[int]:
    """Every place and one more, so that a run ends untouched; or some of them, spread over all."""
    every = list(range(1, places + 2))
    if not trials or trials >= len(every):
        return every
    luck = random.Random(seed)
    width = len(every) / trials
    return sorted({min(places + 1, 1 + int(width * (n + luck.random()))) for n in range(trials)})


def through(scene: Scene, how: str, trials: int, seed: int, broken: Callable[[], None] | None = None, passes: bool = False, on_server: bool = False) -> Result:
    """A scene with a fault at each of the chosen places."""
    result, kinds = Result(), DEADLY if how == "dies" else TELLING if scene.settled else ("execute", "commit", "file")
    with tempfile.TemporaryDirectory(prefix="caseflow-faults-") as name:
        rooms = Rooms(Path(name), on_server, scene.role)
        stage = Stage(scene, rooms)
        seen = stage.places(kinds) if stage.after else ()
        places = len(seen)
        order = chosen(places, trials, seed)
        if broken is not None or passes:  # first where it must show
            random.Random(seed).shuffle(order)
            shows = "writes" if passes else scene.shows
            order.sort(key=lambda nth: nth > places or seen[nth - 1] != shows)
        for nth in order:
            folder = rooms.copy("trial")
            points = Points(nth, death if how == "dies" else error, kinds, passes)
            made = forked(partial(_worked, scene, folder, how), points, broken)
            result.add(not made.untouched, [*_told(scene, made, nth, how), *stage.judged(folder, f"place {nth} of {places}")])
            if (broken is not None or passes) and result.violations:
                break
        rooms.close()
    result.note(f"{places} places")
    return result


def _worked(scene: Scene, folder: Path, how: str) -> str:
    """The work; told of an error, it is done again at once by the same process, which must need no hand."""
    try:
        scene.work(folder)
    except CaseflowError as fault:
        if how == "dies":
            raise
        scene.work(folder)
        return str(fault)
    return ""


def _told(scene: Scene, made: Ended, nth: int, how: str) -> list[str]:
    if made.hung or made.broke:
        return [f"{scene.name}, place {nth}: {made.broke or 'it hangs'}"]
    return [f"{scene.name}, place {nth}: not done again by itself: {made.said}"] if made.said and how == "told" else []


SOME = {"dispatch": 60, "adopt": 40, "migrate": 40, "import": 40, "dispose": 40}
"""On a server, of scenes with many places, so many of them, chosen by the seed; on SQLite it is every one."""


def _dies(scene: Scene, on_server: bool) -> Row:
    return Row(
        f"F1-{scene.name}{'-pg' * on_server}",
        f"killed at the n-th place: {scene.title}",
        "P1 P2 P3 P15",
        lambda trials, seed: through(scene, "dies", trials, seed, on_server=on_server),
        lambda seed: through(scene, "dies", 0, seed, scene.defect, on_server=on_server),
        scene.named,
        few=0 if on_server else 3,
        many=SOME.get(scene.name, 0) if on_server else 0,
    )


def _fails(scene: Scene, on_server: bool) -> Row:
    return Row(
        f"F2-{scene.name}{'-pg' * on_server}",
        f"error at the n-th place: {scene.title}",
        "P1 P23",
        lambda trials, seed: through(scene, "told", trials, seed, on_server=on_server),
        lambda seed: through(scene, "told", 0, seed, passes=True, on_server=on_server),
        "an error of the database passed over",
        few=2 if scene.name in ("act", "upload") and not on_server else 0,
        many=SOME.get(scene.name, 0) if on_server else 0,
    )


ROWS = tuple(row(scene, on_server) for row in (_dies, _fails) for on_server in (False, True) for scene in SCENES)
