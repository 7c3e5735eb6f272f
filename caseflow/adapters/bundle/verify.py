"""Checks the record of a case that lies beside this file. It needs Python 3.9 or later and nothing else.

    python3 verify.py                    checks the folder that it lies in
    python3 verify.py --key KEY          also that the record was signed with this public key (64 hexadecimal digits)

Every file is on the manifest and unchanged; every entry follows from the one before; every fact, also one whose value is
withheld, is the one that was recorded; the record ends where its signed checkpoint says. It ends with 0 if all of that
holds, with 1 if something does not, and says what.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

Point = tuple[int, int, int, int]

MEMBERS = (
    "case",
    "seq",
    "recorded_at",
    "effective_on",
    "actor",
    "action",
    "from",
    "to",
    "because",
    "cites",
    "pack_version",
    "calendar_version",
    "prev_hash",
)
UNLISTED = ("manifest.json", "checkpoint.json")


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785); the record holds no fractions."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(data).hexdigest()


# --- Ed25519 (RFC 8032, section 5.1) ---

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point(data: bytes) -> Point | None:
    """A point in extended coordinates from its 32 bytes; None where there is none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    squared = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(squared, (P + 3) // 8, P)
    if (x * x - squared) % P:
        x = x * ROOT % P
    if (x * x - squared) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def plus(one: Point, other: Point) -> Point:
    """The sum of two points."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, one: Point) -> Point:
    """A point taken so many times."""
    made: Point = (0, 1, 1, 0)
    while number:
        if number & 1:
            made = plus(made, one)
        one, number = plus(one, one), number >> 1
    return made


_base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
assert _base is not None
BASE = _base


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature is of the message by the key."""
    if len(key) != 32 or len(signature) != 64:
        return False
    holder, given = point(key), point(signature[:32])
    scale = int.from_bytes(signature[32:], "little")
    if holder is None or given is None or scale >= ORDER:
        return False
    hashed = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(scale, BASE), plus(given, times(hashed, holder))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# --- the folder ---


def files_faults(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Files that are missing, changed or not on the manifest."""
    listed = manifest["files"]
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if (path.is_file() or path.is_symlink()) and "__pycache__" not in path.parts}
    for name in sorted(found - set(listed) - set(UNLISTED)):
        yield f"{name}: the file is not on the manifest; it was added or renamed"
    for name in sorted(listed):
        path = folder / name
        if ".." in Path(name).parts or Path(name).is_absolute() or path.is_symlink():
            yield f"{name}: the manifest names a place outside of the record"
        elif name not in found:
            yield f"{name}: the file is missing"
        elif digest(path.read_bytes()) != listed[name]:
            yield f"{name}: the file was changed"


def entry_faults(lines: Iterable[str], case: str) -> tuple[list[str], str, int]:
    """Where the chain of entries breaks, and its last hash and number."""
    faults: list[str] = []
    previous, number = "0" * 64, 0
    for place, line in enumerate(lines, 1):
        number += 1
        entry = json.loads(line)
        where = f"journal.jsonl line {place}"
        if entry["case"] != case:
            faults.append(f"{where}: the entry is of another case, {entry['case']}")
        if entry["seq"] != number:
            faults.append(f"{where}: entry {number} should stand here, not {entry['seq']}; one was removed, added or moved")
            number = entry["seq"]
        if entry["prev_hash"] != previous:
            faults.append(f"{where}: entry {entry['seq']} does not follow from the one before")
        facts = {name: fact_hash(fact) for name, fact in entry["facts"].items()}
        members = {**{name: entry[name] for name in MEMBERS}, "facts_digest": digest(canonical(facts))}
        if digest(canonical(members)) != entry["hash"]:
            faults.append(f"{where}: entry {entry['seq']} was changed after it was written")
        previous = entry["hash"]
    return faults, previous, number


def fact_hash(fact: dict[str, Any]) -> str:
    """The hash of a fact: of its salt and value, or the one that stands for a value that is withheld."""
    if "withheld" in fact:
        return str(fact["hash"])
    return digest(fact["salt"].encode() + canonical(fact["value"]))


def checkpoint_faults(folder: Path, manifest: dict[str, Any], checkpoint: dict[str, Any], key: str) -> Iterator[str]:
    """Whether the checkpoint is signed, by whom, and of this manifest."""
    signed = {name: value for name, value in checkpoint.items() if name != "signature"}
    if not is_signed(bytes.fromhex(checkpoint["key"]), canonical(signed), bytes.fromhex(checkpoint["signature"])):
        yield "checkpoint.json: the signature does not fit; the checkpoint was changed"
    if checkpoint["manifest"] != digest((folder / "manifest.json").read_bytes()):
        yield "manifest.json: the signed checkpoint is of another manifest"
    if key and checkpoint["key"] != key.lower():
        yield f"checkpoint.json: the record is signed with another key, {checkpoint['key']}"
    if checkpoint["case"] != manifest["case"]:
        yield f"checkpoint.json: the checkpoint is of another case, {checkpoint['case']}"


def check(folder: Path, key: str = "") -> tuple[list[str], dict[str, Any], int]:
    """What does not hold, and what the record says of itself."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    checkpoint = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    faults = [*checkpoint_faults(folder, manifest, checkpoint, key), *files_faults(folder, manifest)]
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    broken, head, number = entry_faults(lines, checkpoint["case"])
    faults += broken
    if (head, number) != (checkpoint["head"], checkpoint["entries"]):
        faults.append(f"journal.jsonl: it ends with entry {number}; the signed checkpoint says {checkpoint['entries']}: the end was cut, added to or changed")
    withheld = sum("withheld" in fact for line in lines for fact in json.loads(line)["facts"].values())
    return faults, checkpoint, withheld


def dates(folder: Path) -> Iterator[str]:
    """Each clock of the record, counted line by line."""
    for clock in json.loads((folder / "clocks.json").read_text(encoding="utf-8")):
        yield f"\n{clock['title']} ({clock['cite']})" if clock["cite"] else f"\n{clock['title']}"
        for step in clock["why"]:
            yield f"  {step['text']}" + (f" [{step['cite']}]" if step["cite"] else "")
        if clock["due"]:
            yield f"  Last day: {clock['due']}"


def main(words: list[str]) -> int:
    """Checks the folder and prints what was found."""
    key = words[words.index("--key") + 1] if "--key" in words[:-1] else ""
    rest = [word for place, word in enumerate(words) if word != "--key" and (place == 0 or words[place - 1] != "--key")]
    folder = Path(rest[0]) if rest else Path(__file__).resolve().parent
    try:
        faults, checkpoint, withheld = check(folder, key)
        told = list(dates(folder)) if not faults else []
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        print(f"The record can't be read: {type(error).__name__}: {error}. It is not whole.")
        return 1
    if faults:
        print(f"NOT SOUND: {len(faults)} fault{'s' if len(faults) != 1 else ''} in the record of case {checkpoint['case']}.")
        print("\n".join(f"- {fault}" for fault in faults))
        return 1
    print(f"SOUND: case {checkpoint['case']}, {checkpoint['entries']} entr{'y' if checkpoint['entries'] == 1 else 'ies'}, exported {checkpoint['made_at']}.")
    print(f"{withheld} value{' is' if withheld == 1 else 's are'} withheld; the recorded hash fits." if withheld else "No value is withheld.")
    print(f"Signed with the key {checkpoint['key']}" + ("." if key else "; compare it with the one that the agency publishes, or give it with --key."))
    print("\n".join(told))
    return 0


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except BrokenPipeError:
        sys.stderr.close()
