"""Open cases go from one version of a pack to another, and back: what it would do to each, and doing it in batches that can be continued.

One case is moved by services/moving.py. The preview runs the very same steps on a journal that is thrown away, so that
nothing can change that it did not list. A case that is over keeps its rules; a case that can't move stays and is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast

from caseflow.domain.case import Act, Actor, Case, Entry
from caseflow.domain.consequences import Consequence, changed_members, consequences
from caseflow.domain.difference import Version
from caseflow.domain.facts import reason_of
from caseflow.domain.packmoves import ACTION, MOVE, PackMove, acted_since, last_standing, moved_by
from caseflow.domain.rulebook import SUPERVISOR, Rulebook, calendar_of
from caseflow.errors import BadInput, LetterFault, NotFound, Reason, Refused
from caseflow.services.acting import fire_due
from caseflow.services.again import again
from caseflow.services.moving import move
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.ports.work import Work
from caseflow.services.ruled import ruled
from caseflow.services.sight import EVERYTHING, Sight
from caseflow.services.versions import Versions, named

BATCH = 25
"""So many cases are moved in one transaction: others wait for it."""
TURN = "turn:pack-moves"
"""One transaction at a time changes the row of a move: it is asked for before the row is read, so that no count of another is lost."""
_PREVIEW = "preview"
BLOCKS = (Refused, LetterFault, NotFound)
"""Why a case stays where it is."""


@dataclass
class _Sketch:
    """A transaction that is thrown away: what is saved into it is read from it again, and nowhere else."""

    real: Work
    now: Case
    written: list[Entry] = field(default_factory=list)

    def case(self, _number: str) -> Case:
        """The case as it was sketched last."""
        return self.now

    def entries(self, number: str) -> tuple[Entry, ...]:
        """The journal with what was sketched onto it."""
        return (*self.real.entries(number), *self.written)

    def save(self, outcome: Any, *_: Any) -> None:
        """Keeps the entries at hand."""
        self.written += outcome.entries
        self.now = outcome.case

    def letter_words(self, _letter: Any) -> None:
        """The words of a letter are not what is previewed."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


class Migrating:
    """Moves of cases between the versions of an office's packs."""

    def __init__(self, office: Office, versions: Versions) -> None:
        self._office, self._versions = office, versions

    # --- what it would do ---

    def preview(self, before: str, after: str, progress: Progress = quiet) -> dict[str, Any]:
        """What moving every open case would change: {from, to, open, moves, unchanged, blocked, states, cases [{case, .., changes, blocked}]}.

        Nothing is saved. Raises BadInput or NotFound."""
        was, now = self._two(before, after)
        found, total = [], self._open(was.pack.hash)
        for number in self._under(was.pack.hash, True):
            found.append(self.look(number, now.pack.hash))
            progress(len(found), total, "open cases")
        return {**_told(was, now), **_summed(found), "cases": found}

    def part(self, before: str, after: str, cursor: str, most: int, seen: Sight = EVERYTHING) -> dict[str, Any]:
        """The same for the next open cases that are seen: {cases, looked, after}; `after` is empty where none is left."""
        numbers = self._office.store.cases_under(before, cursor, most)
        found = [self.look(number, after) for number in numbers if self._office.store.seen(number, seen) is not None]
        return {"cases": found, "looked": len(numbers), "after": numbers[-1] if len(numbers) == most else ""}

    def look(self, number: str, version: str, moment: datetime | None = None) -> dict[str, Any]:
        """What one case would see: {case, title, workflow, state, changes, members, blocked}."""
        moment = moment or self._office.now()
        asked = Act(ACTION, Actor("person", _PREVIEW, SUPERVISOR), {}, None, _PREVIEW)
        with self._office.store.read() as work:
            case = work.case(number)
            old = self._office.packs.of(case)
            told = {"case": case.number, "title": case.title, "workflow": case.workflow, "workflow_title": old.workflow.title, "state": case.state}
            try:
                after, new = self._put(cast(Work, _Sketch(work, case)), case, version, asked, moment)
            except BLOCKS as refused:
                return {**told, "changes": [], "members": [], "blocked": reasons_of(refused)}
        changes = consequences(old, case, new, after)
        states = {"was": old.workflow.states[case.state].title, "is": new.workflow.states[after.state].title}
        return {**told, "states": states, "changes": [_row(one) for one in changes], "members": list(changed_members(case, after)), "blocked": []}

    def _put(self, work: Work, case: Case, version: str, asked: Act, moment: datetime) -> tuple[Case, Rulebook]:
        """Puts a case under a version: what is due by the old rules is done first, what the new ones make due at once after. Raises Refused,
        LetterFault or NotFound."""
        case, old = ruled(self._office, work, case)
        case, _ = fire_due(self._office, work, case, old, moment)
        try:
            new = self._office.packs.of_version(case, version)
        except NotFound:
            text = f"version {version[:12]} has no workflow '{case.workflow}'"
            raise Refused([Reason("guard-failed", "workflow", text)], f"{case.number} can't go under it") from None
        move(self._office, work, case, new, asked, moment)
        return fire_due(self._office, work, work.case(case.number), new, moment)[0], new

    # --- doing it ---

    @again
    def begin(self, before: str, after: str, because: str, actor: Actor) -> PackMove:
        """Begins to move the open cases of a version to another, or takes up the move of the same two that is under way.

        `go_on` moves them. Raises Refused, BadInput or NotFound."""
        was, now = self._two(before, after)
        with self._office.store.begin() as work:
            work.command(TURN)
            known = work.pack_moves()
            under_way = _under_way(known)
            self._refuse(actor, now)
            if under_way is not None:
                if (under_way.before, under_way.after, under_way.undoes) == (was.pack.hash, now.pack.hash, None):
                    return under_way
                raise _another(under_way)
            for version in (was, now):
                work.keep_pack(version.pack, version.files)
            made = PackMove(
                len(known) + 1, now.pack.text.pack, was.pack.hash, now.pack.hash, self._office.now(), actor.id, actor.role, reason_of(because, "move the cases")
            )
            work.keep_pack_move(made)
        return made

    def undo(self, because: str, actor: Actor, number: int | None = None) -> PackMove:
        """Begins to take a move back that stands last, or takes up the undoing of it.

        Without a number the one that stands last when this is asked for: two who ask at once take back one. Raises Refused or BadInput."""
        because = reason_of(because, "undo the move")
        asked = number if number is not None else _to_undo(self._office.store.pack_moves())
        return self._undo(because, actor, asked)

    @again
    def _undo(self, because: str, actor: Actor, asked: int | None) -> PackMove:
        with self._office.store.begin() as work:
            work.command(TURN)
            known = work.pack_moves()
            undoing = next((one for one in known if one.undoes is not None and one.undoes == asked), None)
            if undoing is not None and undoing.ended_at is not None:
                raise BadInput(f"Move {asked} is undone already, by {undoing.by} ({undoing.id}); nothing more was changed.")
            if undoing is not None:
                self._refuse(actor, self._versions.kept(undoing.after))
                return undoing
            last = last_standing(known)
            if last is None or asked is None:
                raise BadInput("No move of cases stands, so there is nothing to undo.")
            if asked != last.id:
                raise BadInput(f"Move {asked} can't be undone now; {last.id} is the last that stands. Undo that one first.")
            self._refuse(actor, self._versions.kept(last.before))
            under_way = _under_way(known)
            if under_way is not None and under_way.undoes is not None:
                raise _another(under_way)
            if last.ended_at is None:
                work.keep_pack_move(replace(last, ended_at=self._office.now()))
            made = PackMove(len(known) + 1, last.pack, last.after, last.before, self._office.now(), actor.id, actor.role, because, last.id)
            work.keep_pack_move(made)
        return made

    @again
    def go_on(self, number: int, most: int = BATCH) -> PackMove:
        """Moves the next cases, all of them in one transaction; repeated until the move has ended. A case is moved once."""
        made, moment = self.one(number), self._office.now()
        if made.ended_at is not None:
            return made
        numbers = self._office.store.cases_under(made.before, made.cursor, most, is_open=made.undoes is None)
        with self._office.store.begin() as work:
            work.command(TURN)
            made = self.one(number, work)
            for case in numbers:
                made = self._one(work, made, case, moment) if case > made.cursor else made
            if len(numbers) < most:
                made = replace(made, ended_at=moment)
            work.keep_pack_move(made)
        return made

    def finish(self, number: int, progress: Progress = quiet, batch: int = BATCH) -> PackMove:
        """Moves every case that is left."""
        made = self.one(number)
        total = self._open(made.before) + made.seen
        while made.ended_at is None:
            made = self.go_on(number, batch)
            progress(made.seen, max(total, made.seen), "cases")
        return made

    def _one(self, work: Work, made: PackMove, number: str, moment: datetime) -> PackMove:
        made = replace(made, cursor=number)
        case = work.case(number)
        if case.pack_version != made.before:
            return made
        facts: dict[str, Any] = {MOVE: made.id, "from": made.before, "to": made.after}
        if made.undoes is not None:
            entries = work.entries(number)
            entry = moved_by(entries, made.undoes)
            if entry is None or (self._ended(case) and acted_since(entries, entry)):
                return made  # another move brought it here, or it was decided by these rules since then
            facts["entry"] = entry.seq
        elif self._ended(case):
            return made
        made = replace(made, seen=made.seen + 1)
        asked = Act(ACTION, Actor("person", made.by, made.role), facts, None, made.because)
        try:
            with work.savepoint():
                self._put(work, case, made.after, asked, moment)
        except BLOCKS as refused:
            return replace(made, blocked=(*made.blocked, (number, " ".join(reasons_of(refused)))))
        return replace(made, moved=made.moved + 1)

    def _ended(self, case: Case) -> bool:
        return self._office.packs.of(case).workflow.states[case.state].ends

    # --- what there is ---

    def one(self, number: int, work: Work | None = None) -> PackMove:
        """A move. Raises NotFound."""
        known = (work or self._office.store).pack_moves()
        found = next((one for one in known if one.id == number), None)
        if found is None:
            raise NotFound(f"There is no move {number} of cases between versions.")
        return found

    def all(self) -> list[dict[str, Any]]:
        """Every move and undoing, the last first."""
        known = self._office.store.pack_moves()
        return [self.shown(one, known) for one in reversed(known)]

    def shown(self, move: PackMove, known: Sequence[PackMove] | None = None) -> dict[str, Any]:
        """A move as plain data."""
        known = self._office.store.pack_moves() if known is None else known
        zone = calendar_of(self._versions.kept(move.after).pack).zone
        return {
            "id": move.id,
            "from": named(self._versions.kept(move.before)),
            "to": named(self._versions.kept(move.after)),
            "at": move.at.astimezone(zone).isoformat(),
            "by": move.by,
            "role": move.role,
            "because": move.because,
            "undoes": move.undoes,
            "undone_by": next((one.id for one in known if one.undoes == move.id), None),
            "looked": move.seen,
            "moved": move.moved,
            "blocked": [{"case": case, "because": why} for case, why in move.blocked],
            "left": self._open(move.before) if move.ended_at is None else 0,
            "ended": move.ended_at is not None,
        }

    def _two(self, before: str, after: str) -> tuple[Version, Version]:
        was, now = self._versions.pair(before, after)
        if was.pack.hash == now.pack.hash:
            raise BadInput(f"{before} and {after} are the same version, {was.pack.hash[:12]}; there is nothing to move.")
        return was, now

    def _refuse(self, actor: Actor, version: Version) -> None:
        also = version.pack.text.roles[actor.role].also if actor.role in version.pack.text.roles else ()
        if actor.role != SUPERVISOR and SUPERVISOR not in also:
            text = f"a {actor.role} does not move cases between versions; a {SUPERVISOR} does"
            raise Refused([Reason("not-permitted", "not-permitted", text, role=SUPERVISOR)], "The cases are not moved")

    def _open(self, version: str) -> int:
        return next((one.open for one in self._office.store.pack_versions() if one.version == version), 0)

    def _under(self, version: str, is_open: bool) -> Iterator[str]:
        last = ""
        while True:
            numbers = self._office.store.cases_under(version, last, is_open=is_open)
            yield from numbers
            if not numbers:
                return
            last = numbers[-1]


def reasons_of(refused: Exception) -> list[str]:
    """Why a case stays, in sentences with their law."""
    if isinstance(refused, Refused):
        return [f"{one.text}{f' ({one.cite})' if one.cite else ''}" for one in refused.reasons]
    return [str(refused)]


def _under_way(known: Sequence[PackMove]) -> PackMove | None:
    return next((one for one in known if one.ended_at is None), None)


def _to_undo(known: Sequence[PackMove]) -> int | None:
    """Which move whoever names none means: the one whose undoing is under way, or else the last that stands."""
    under_way = _under_way(known)
    last = under_way if under_way is not None and under_way.undoes is not None else last_standing(known)
    return None if last is None else last.undoes or last.id


def _another(move: PackMove) -> BadInput:
    what = "The undoing" if move.undoes is not None else "A move"
    text = f"{what} from {move.before[:12]} to {move.after[:12]} is under way ({move.id}); finish it"
    return BadInput(f"{text} by the same command, or take it back with --undo, first.")


def _told(was: Version, now: Version) -> dict[str, Any]:
    return {"from": named(was), "to": named(now)}


def _summed(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    moves = [one for one in found if not one["blocked"]]
    states = Counter((one["workflow"], one["workflow_title"], one["states"]["was"], one["states"]["is"]) for one in moves)
    return {
        "open": len(found),
        "moves": len(moves),
        "unchanged": sum(1 for one in moves if not one["changes"]),
        "blocked": len(found) - len(moves),
        "states": [{"workflow": key[0], "title": key[1], "was": key[2], "is": key[3], "cases": count} for key, count in sorted(states.items())],
    }


def _row(one: Consequence) -> dict[str, Any]:
    return {"part": one.part, "id": one.id, "title": one.title, "was": one.was, "is": one.now, **dict(one.more)}
