"""What is wrong with an installation, in words, and what to do: each check looks at one thing and changes nothing.

A check that can't look says so as a fault of its own; none keeps the others from looking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from caseflow.errors import CaseflowError, PackFaults
from caseflow.services import clockjump
from caseflow.services.checkpointing import Checkpoints
from caseflow.services.office import Office, Progress, quiet
from caseflow.services.verifying import Reader, chain_of, replay_of

if TYPE_CHECKING:
    from caseflow.services.ports.documents import Vault

WRONG, LOOK, WELL = "wrong", "look", "well"
SILENT, BEHIND, SKEW = timedelta(minutes=2), timedelta(hours=1), timedelta(minutes=5)
"""So long may a scheduler be silent; so long may what is due wait; so far may an entry lie ahead of the clock."""
CHECKPOINT_DAYS, BACKUP_DAYS = 2, 2
LEAST_ROOM, LEAST_SHARE = 1 << 30, 0.05
LOOKED_AT = 20
"""Cases that are replayed and documents that are read."""
BACKED_UP = "backed-up"
"""Under which name the database says when a backup of it was made."""
Counted = tuple[int, str | None]
"""How many there are, and the first of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `state`: wrong, look (something to know) or well; `do`: what to do about it."""

    check: str
    state: str
    text: str
    do: str = ""


class Health(Protocol):
    """What is asked of the database. `Store.health` is one."""

    def parked(self) -> Counted:
        """Timers that could not fire."""

    def late_timers(self, before: datetime) -> Counted:
        """Timers due before a moment and still open."""

    def blocked(self) -> Counted:
        """Letters that can't be written."""

    def waiting(self, before: datetime, channels: Sequence[str]) -> Counted:
        """Copies that might have left by themselves before a moment."""

    def lapsed(self, moment: datetime) -> Counted:
        """Copies claimed by a run that is dead or frozen."""

    def without_timer(self) -> Counted:
        """Open cases that nothing will wake."""

    def documents(self, most: int) -> Sequence[tuple[str, str, str]]:
        """The newest documents: number, case, SHA-256."""

    def pack_versions(self) -> Sequence[str]:
        """The pack versions that cases run by."""

    def latest(self) -> tuple[str, int, datetime] | None:
        """The entry that says that it was recorded last."""

    def sample(self, most: int) -> Sequence[str]:
        """Cases from all over the record."""

    def noted(self, what: str) -> str | None:
        """What was noted under a name."""

    def unguarded(self) -> Sequence[str]:
        """What keeps the record from changes and is missing or was altered."""


class Place(Protocol):
    """The machine around the record."""

    def room(self) -> tuple[int, int] | None:
        """Free bytes and bytes in all."""

    def readable(self) -> Sequence[tuple[str, str]]:
        """What others than its owner may read: what it is, and its path."""


@dataclass(frozen=True)
class Patient:
    """What is looked at. `versions`: of the database (None where there is none) and of the program; `whole`: raises where a kept
    pack is missing or was changed."""

    office: Office
    versions: Callable[[], tuple[str | None, str]]
    health: Health
    place: Place
    vault: Vault
    reader: Reader
    checkpoints: Checkpoints
    whole: Callable[[str], None]
    embedded: bool

    @property
    def now(self) -> datetime:
        """The present moment."""
        return self.office.now()

    def day(self, moment: datetime) -> str:
        """A moment as people of the office read it."""
        return f"{moment.astimezone(self.now.tzinfo):%Y-%m-%d %H:%M} UTC"


Check = Callable[[Patient], Finding]


def examine(patient: Patient, progress: Progress = quiet) -> dict[str, Any]:
    """Every check: {well, wrong, look, findings [{check, state, text, do}]}. A database of another version is not asked the rest."""
    found = [_asked(version, patient)]
    checks = CHECKS if found[0].state == WELL else AROUND
    for place, check in enumerate(checks, 1):
        progress(place, len(checks), "checks")
        found.append(_asked(check, patient))
    shown = [{"check": one.check, "state": one.state, "text": one.text, "do": one.do} for one in found]
    count = {state: sum(one.state == state for one in found) for state in (WRONG, LOOK, WELL)}
    return {"sound": not count[WRONG], **count, "findings": shown}


def _asked(check: Check, patient: Patient) -> Finding:
    name = check.__name__.replace("_", "-")
    try:
        return check(patient)
    except CaseflowError as fault:
        return Finding(name, WRONG, f"This could not be looked at: {fault}", "Mend that first, then ask again.")


def _many(check: str, found: Counted, one: str, many: str, do: str, well: str, state: str = WRONG) -> Finding:
    """A finding about a number of things, none of which is well."""
    count, first = found
    if not count:
        return Finding(check, WELL, well)
    return Finding(check, state, f"{one if count == 1 else many.format(count=count)}, {'it is' if count == 1 else 'the first is'} {first}.", do)


# --- the database and its rules ------------------------------------------------------------------------------------


def version(patient: Patient) -> Finding:
    """The database is there, and of this version."""
    found, wanted = patient.versions()
    if found is None:
        return Finding("version", WRONG, "There is no caseflow database there.", "Name it with --database, or run 'caseflow init'.")
    if found != wanted:
        return Finding("version", WRONG, f"The database is of version {found}, the program of {wanted}.", "Back it up, then run 'caseflow init'.")
    return Finding("version", WELL, f"The database is of version {found}, as the program is.")


def guards(patient: Patient) -> Finding:
    """The database refuses to change the record."""
    missing = patient.health.unguarded()
    if not missing:
        return Finding("guards", WELL, "The database itself refuses to change or remove what is on the record.")
    text = f"What keeps the record from changes is missing or was altered: {', '.join(missing)}."
    return Finding("guards", WRONG, text, "Find out who did it; run 'caseflow verify --checkpoint FILE' with one from elsewhere; restore a backup.")


def kept_packs(patient: Patient) -> Finding:
    """Every case has its rules."""
    wrong = []
    for name in patient.health.pack_versions():
        try:
            patient.whole(name)
        except CaseflowError as fault:
            wrong.append(f"{name[:12]} ({fault})")
    if wrong:
        return Finding(
            "kept-packs", WRONG, f"Cases run by rules that are not whole: {'; '.join(wrong)}.", "Restore them from a backup; these cases stand still."
        )
    return Finding("kept-packs", WELL, "The rules of every case are there and unchanged.")


def packs(patient: Patient) -> Finding:
    """The packs of the folder load."""
    try:
        count = len(patient.office.packs.all())
    except PackFaults as faults:
        return Finding(
            "packs", WRONG, f"A pack does not load, for {len(faults.faults)} reasons: {faults.faults[0]}", "Run 'caseflow pack check' on its folder."
        )
    return Finding("packs", WELL, f"{count} pack{'s load' if count != 1 else ' loads'}.")


def replay(patient: Patient) -> Finding:
    """Some cases are what their entries make of them."""
    for number in patient.health.sample(LOOKED_AT):
        faults = chain_of(patient.reader, number).faults or replay_of(patient.office, number, set()).faults
        if faults:
            text = f"{faults[0].case} entry {faults[0].seq}: {faults[0].text}."
            return Finding("replay", WRONG, text, "Run 'caseflow verify', which looks at every case, and compare with a checkpoint from elsewhere.")
    return Finding("replay", WELL, "The cases that were looked at are what their entries make of them.")


# --- what goes on by itself ----------------------------------------------------------------------------------------


def resting(patient: Patient) -> Finding:
    """Mail may leave."""
    with patient.office.store.read() as work:
        since = work.resting()
    if since is None:
        return Finding("resting", WELL, "Mail may leave.")
    return Finding(
        "resting", WRONG, f"Nothing leaves since {since}, when a backup was restored.", "Look at 'caseflow resume --dry-run', then run 'caseflow resume'."
    )


def scheduler(patient: Patient) -> Finding:
    """A scheduler is at work."""
    beats = [(at, note) for name, at, note in patient.office.store.heartbeats() if name.startswith("scheduler")]
    do = "Start 'caseflow scheduler', or 'caseflow serve', which has one inside."
    if not beats:
        state = WRONG if patient.office.store.is_live() else LOOK
        return Finding("scheduler", state, "No scheduler has ever been at work here.", do)
    at, note = max(beats)
    doubts = [(asked, text) for name, asked, text in patient.office.store.heartbeats() if name == clockjump.NOTE and asked > at]
    if doubts:
        return Finding("scheduler", WRONG, f"The scheduler waits for a person: {doubts[0][1]}.", "Look at the clock of the machine; then do what it says.")
    if patient.now - at > SILENT:
        return Finding("scheduler", WRONG, f"The scheduler has been silent since {patient.day(at)}.", do)
    if note.startswith("failed"):
        return Finding("scheduler", WRONG, f"The scheduler's last turn failed: {note}.", "Mend what it names; it tries again every minute.")
    return Finding("scheduler", WELL, f"The scheduler was at work at {patient.day(at)}.")


def parked_timers(patient: Patient) -> Finding:
    """Every timer could fire."""
    do = "Open the case: its page says what stood against it. Mend that and take the step by hand."
    return _many("parked-timers", patient.health.parked(), "A timer could not fire", "{count} timers could not fire", do, "Every timer could fire.")


def late_timers(patient: Patient) -> Finding:
    """What is due fires."""
    found = patient.health.late_timers(patient.now - BEHIND)
    do = "Run 'caseflow sweep', and see that a scheduler is at work."
    return _many("late-timers", found, "A timer is due for more than an hour", "{count} timers are due for more than an hour", do, "What was due has fired.")


def blocked_letters(patient: Patient) -> Finding:
    """Every letter could be written."""
    do = "A supervisor gives what is missing: 'caseflow letters retry LETTER --facts FILE'."
    return _many("blocked-letters", patient.health.blocked(), "A letter is blocked", "{count} letters are blocked", do, "No letter is blocked.")


def outbox(patient: Patient) -> Finding:
    """What may leave leaves."""
    found = patient.health.waiting(patient.now - BEHIND, patient.office.mail.channels)
    do = "Run 'caseflow dispatch' and read what it says; check the mail server."
    well = "Nothing waits in the outbox that should have left."
    return _many("outbox", found, "A copy should have left more than an hour ago", "{count} copies should have left more than an hour ago", do, well)


def claims(patient: Patient) -> Finding:
    """No run that sends has died."""
    do = "The next dispatch marks it 'answer unknown'; whether it arrived must be asked."
    found = patient.health.lapsed(patient.now)
    return _many("claims", found, "A run died while it sent a copy", "Runs died while they sent {count} copies", do, "No run has died while it sent.", LOOK)


def idle_cases(patient: Patient) -> Finding:
    """Every open case is woken some day."""
    found = patient.health.without_timer()
    do = "That can be right, such as for a case on hold; 'caseflow board' lists those in which nothing is done."
    well = "Every open case has a date on which something happens by itself."
    return _many("idle-cases", found, "Nothing will wake one open case", "Nothing will wake {count} open cases", do, well, LOOK)


# --- the machine ---------------------------------------------------------------------------------------------------


def documents(patient: Patient) -> Finding:
    """The newest documents are there."""
    looked = patient.health.documents(LOOKED_AT)
    for name, case, digest in looked:
        wrong = patient.vault.fault(digest)
        if wrong is not None:
            return Finding(
                "documents", WRONG, f"The content of the document {name} of {case} is {wrong}.", "Restore the folder of documents; --documents names it."
            )
    return Finding("documents", WELL, "The newest documents are there and unchanged." if looked else "There are no documents.")


def permissions(patient: Patient) -> Finding:
    """Only the owner reads what is secret."""
    found = patient.place.readable()
    if found:
        text = "; ".join(f"{name} can be read by others ({path})" for name, path in found)
        return Finding("permissions", WRONG, f"{text[:1].upper()}{text[1:]}.", f"Run: chmod 600 {' '.join(path for _, path in found)}")
    return Finding("permissions", WELL, "Nobody but their owner reads the database and the keys.")


def clock(patient: Patient) -> Finding:
    """The machine's clock goes on from the record."""
    last = patient.health.latest()
    if last is not None and last[2] > patient.now + SKEW:
        text = f"Entry {last[1]} of {last[0]} was recorded at {patient.day(last[2])}, which lies ahead of now, {patient.day(patient.now)}."
        return Finding("clock", WRONG, text, "Set the machine's clock right before anything else is recorded.")
    return Finding("clock", WELL, "The machine's clock fits the record.")


def room(patient: Patient) -> Finding:
    """There is room on the disk."""
    found = patient.place.room()
    if found is None:
        return Finding("room", LOOK, "How much room there is can't be seen from here.", "Ask the server that the record lies on.")
    free, total = found
    text = f"{free / (1 << 30):.1f} GiB of {total / (1 << 30):.1f} GiB are free"
    if free < LEAST_ROOM or free < total * LEAST_SHARE:
        return Finding("room", WRONG, f"Only {text}.", "Make room before the disk is full: then nothing is recorded any more.")
    return Finding("room", WELL, f"{text}.")


# --- what is kept elsewhere ----------------------------------------------------------------------------------------


def checkpoint(patient: Patient) -> Finding:
    """There is a checkpoint of these days, and those kept are as they were signed."""
    kept = patient.checkpoints.all()
    bad = [one for one in kept if one["fault"]]
    if bad:
        text = f"Checkpoint {bad[0]['number']}: {bad[0]['fault']}."
        return Finding("checkpoint", WRONG, text, "Compare with the one that was kept elsewhere: 'caseflow verify --checkpoint FILE'.")
    failed = [note for name, _, note in patient.office.store.heartbeats() if name == "daily" and "checkpoint failed" in note]
    if failed:
        return Finding(
            "checkpoint",
            WRONG,
            f"The daily {failed[0].partition('; ')[2] or failed[0]}",
            "Compare with one from elsewhere: 'caseflow verify --checkpoint FILE'.",
        )
    if not kept:
        return Finding(
            "checkpoint", LOOK, "No checkpoint was ever signed, so that a record written anew could not be told.", "Run 'caseflow checkpoint make FILE'."
        )
    made = datetime.fromisoformat(kept[-1]["made_at"])
    if patient.now - made > timedelta(days=CHECKPOINT_DAYS):
        text = f"The last checkpoint is of {patient.day(made)}."
        return Finding("checkpoint", WRONG, text, "Run 'caseflow checkpoint make FILE'; a scheduler with a signing key makes one each day.")
    return Finding("checkpoint", WELL, f"Checkpoint {kept[-1]['number']} is of {patient.day(made)}.")


def backup(patient: Patient) -> Finding:
    """There is a backup of these days."""
    if not patient.embedded:
        return Finding("backup", LOOK, "The database lies on a server, whose backups can't be seen from here.", "See that it is backed up by its own tools.")
    made = patient.health.noted(BACKED_UP)
    if made is None:
        return Finding("backup", LOOK, "No backup was made by 'caseflow backup' that this database knows of.", "Run 'caseflow backup FILE' each day.")
    at = datetime.fromisoformat(made)
    if patient.now - at > timedelta(days=BACKUP_DAYS):
        return Finding("backup", WRONG, f"The last backup is of {patient.day(at)}.", "Run 'caseflow backup FILE', each day.")
    return Finding("backup", WELL, f"A backup was made at {patient.day(at)}.")


AROUND: tuple[Check, ...] = (packs, permissions, room)
"""What can be looked at without asking the database."""
CHECKS: tuple[Check, ...] = (
    *(guards, replay, kept_packs, packs, resting, scheduler, late_timers, parked_timers, blocked_letters, outbox, claims, idle_cases),
    *(documents, permissions, clock, room, checkpoint, backup),
)
