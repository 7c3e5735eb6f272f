"""Fee schedule -> what is owed and what is given back, a line and a citation each.

An amount is chosen by a reading where the pack says so. Whether a fee was paid is asked in conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from caseflow.domain.case import FeeLine, Payment
from caseflow.domain.pack import Fee, FeeRef, SettingRef, SettingTest

ZERO = Decimal(0)
ONCE = ("request", "project-boundary")
"""What is counted once in a request, whichever of its services, waterbodies or cases owe it."""
SHARED = ("waterbody", "waterway")
"""What each case of a request has a share of its own in."""
Holds = Callable[[FeeRef], bool]
"""Whether a fee's `when` holds."""


class Had(NamedTuple):
    """What a request owes of one fee already: the amount, and for how many units."""

    amount: Decimal
    units: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """A service wanted for a waterbody, with the fees that its workflow lists."""

    service: str
    waterbody: str
    fees: tuple[FeeRef, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """What a request owes. `warnings` says where a reading costs the requester more."""

    lines: tuple[FeeLine, ...]
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> Decimal:
        """The sum of all lines."""
        return total(self.lines)


def total(lines: Sequence[FeeLine]) -> Decimal:
    """The sum of fee lines."""
    return sum((Decimal(line.amount) for line in lines), ZERO)


def had(lines: Sequence[FeeLine]) -> dict[str, Had]:
    """What lines owe, by fee."""
    found: dict[str, Had] = {}
    for line in lines:
        before = found.get(line.id, Had(ZERO, 0))
        found[line.id] = Had(before.amount + Decimal(line.amount), before.units + line.units)
    return found


def moved(payments: Sequence[Payment], kind: str) -> Decimal:
    """The sum of payments of one kind."""
    return sum((Decimal(payment.amount) for payment in payments if payment.kind == kind), ZERO)


def kept(payments: Sequence[Payment]) -> Decimal:
    """What was received and not returned by the bank (refunds do not count against it)."""
    return moved(payments, "received") - moved(payments, "returned")


def quote(
    fees: Mapping[str, Fee],
    wanted: Sequence[Wanted],
    settings: Mapping[str, Any],
    electronic: bool = False,
    owed: Holds = lambda ref: ref.when is None,
) -> Quote:
    """What a request owes at filing, over all its services and waterbodies.

    A combined fee is applied per waterbody and what it replaces is then not counted there. Where the pack says
    `only-if-cheaper` under the reading chosen, the cheaper of both sums is owed.
    """
    due: dict[str, list[str]] = {}
    for want in wanted:
        for ref in want.fees:
            if owed(ref):
                due.setdefault(want.waterbody, []).append(ref.fee)
    combined = _lines(fees, _combine(fees, due), settings, electronic)
    apart = _lines(fees, due, settings, electronic)
    if total(combined) <= total(apart):
        return Quote(combined)
    if any(_cheaper_only(fee, settings) for fee in fees.values()):
        return Quote(apart)
    names = ", ".join(line.id for line in combined if fees[line.id].in_place_of and not fees[line.id].of)
    warning = f"The combined fee ({names}) comes to {total(combined):.2f}; the separate fees would come to {total(apart):.2f}."
    return Quote(combined, (warning,))


def owed_by_act(
    fees: Mapping[str, Fee], refs: Sequence[FeeRef], seq: int, holds: Holds, settings: Mapping[str, Any], owed: Mapping[str, Had]
) -> tuple[FeeLine, ...]:
    """The lines that one act owes. `owed` is what the whole request owes before it: a fee per request is owed once."""
    wanted = [ref.fee for ref in refs if holds(ref)]
    now = [name for name in dict.fromkeys(wanted) if not fees[name].of and not (fees[name].per in ONCE and name in owed)]
    lines = [_line(fees[name], name, 1, seq, settings) for name in now]
    known = {**owed, **{name: _sum(owed.get(name), line) for name, line in zip(now, lines, strict=True)}}
    for name in dict.fromkeys(wanted):
        if fees[name].of and not (fees[name].per in ONCE and name in owed):
            parts = {part: known[part] for part in fees[name].of if part in known}
            lines += _multiple(fees, name, seq, parts, parts)
    return tuple(lines)


def electronic_lines(fees: Mapping[str, Fee], refs: Sequence[FeeRef], seq: int, settings: Mapping[str, Any]) -> tuple[FeeLine, ...]:
    """What one electronic payment owes."""
    return tuple(_line(fees[ref.fee], ref.fee, 1, seq, settings) for ref in refs if fees[ref.fee].per == "electronic-payment")


def amount_of(fee: Fee, settings: Mapping[str, Any]) -> tuple[Decimal | None, str | None]:
    """What one unit costs under the readings chosen, with its citation; None for a multiple of other fees."""
    for other in fee.amounts:
        if _chosen(other.when, settings):
            return other.amount, other.cite or fee.cite
    if isinstance(fee.amount, SettingRef):
        return Decimal(str(settings[fee.amount.setting])), fee.cite
    return fee.amount, fee.cite


def _chosen(test: SettingTest, settings: Mapping[str, Any]) -> bool:
    got = settings.get(test.setting)
    return got in test.is_ if isinstance(test.is_, (list, tuple)) else bool(got == test.is_)


def _cheaper_only(fee: Fee, settings: Mapping[str, Any]) -> bool:
    test = fee.only_if_cheaper
    return isinstance(test, SettingTest) and settings.get(test.setting) == test.is_


def _combine(fees: Mapping[str, Fee], due: Mapping[str, list[str]]) -> dict[str, list[str]]:
    made = {water: list(ids) for water, ids in due.items()}
    for name, fee in fees.items():
        if not fee.in_place_of or fee.of:
            continue
        for ids in made.values():
            if all(part in ids for part in fee.in_place_of):
                ids[:] = [item for item in ids if item not in fee.in_place_of]
                ids.append(name)
    return made


def _lines(fees: Mapping[str, Fee], due: Mapping[str, list[str]], settings: Mapping[str, Any], electronic: bool) -> tuple[FeeLine, ...]:
    gone = {water: {part for name in ids for part in (fees[name].in_place_of if fees[name].of else ())} for water, ids in due.items()}
    left = {water: [name for name in ids if name not in gone[water]] for water, ids in due.items()}
    counts = _counts(fees, left, electronic)
    lines: list[FeeLine] = []
    for name, fee in fees.items():
        if not counts.get(name):
            continue
        if not fee.of:
            lines.append(_line(fee, name, counts[name], 1, settings))
            continue
        there = [water for water, ids in due.items() if name in ids]
        base = _had_of(fees, {water: [part for part in due[water] if part in fee.of] for water in there}, settings)
        stays = _had_of(fees, {water: [part for part in left[water] if part in fee.of] for water in there}, settings)
        lines += _multiple(fees, name, 1, base, stays)
    return tuple(lines)


def _counts(fees: Mapping[str, Fee], due: Mapping[str, list[str]], electronic: bool) -> dict[str, int]:
    counts: dict[str, int] = {}
    for ids in due.values():
        for name in dict.fromkeys(ids):
            counts[name] = counts.get(name, 0) + 1
    for name in counts:
        if fees[name].per == "electronic-payment":
            counts[name] = 1 if electronic else 0
        elif fees[name].per not in SHARED:
            counts[name] = 1
    return counts


def _had_of(fees: Mapping[str, Fee], due: Mapping[str, list[str]], settings: Mapping[str, Any]) -> dict[str, Had]:
    return had([_line(fees[name], name, number, 1, settings) for name, number in _counts(fees, due, False).items() if number and not fees[name].of])


def _multiple(fees: Mapping[str, Fee], name: str, seq: int, base: Mapping[str, Had], stays: Mapping[str, Had]) -> list[FeeLine]:
    """The line of a multiple: so many times its base in all, less what of the base stays a line of its own."""
    fee = fees[name]
    whole = sum((part.amount for part in base.values()), ZERO)
    above = sum((part.amount for part in stays.values()), ZERO)
    if whole == ZERO:
        return []
    text = f"{fee.times or 1} x {whole:.2f} ({', '.join(fees[part].title for part in base)})"
    text += f", of which {above:.2f} is a line of its own" if above else ""
    return [FeeLine(name, fee.title, f"{whole * (fee.times or 1) - above:.2f}", 1, fee.cite, seq, text)]


def _line(fee: Fee, name: str, number: int, seq: int, settings: Mapping[str, Any]) -> FeeLine:
    amount, cite = amount_of(fee, settings)
    each = amount or ZERO
    per = {"waterbody": "waterbody", "waterway": "waterway", "project-boundary": "project boundary", "notice": "notice"}.get(fee.per, "")
    text = f"{number} x {each:.2f} per {per}" if number > 1 else (f"per {per}" if per else "")
    return FeeLine(name, fee.title, f"{each * number:.2f}", number, cite, seq, text)


def _sum(before: Had | None, line: FeeLine) -> Had:
    known = before or Had(ZERO, 0)
    return Had(known.amount + Decimal(line.amount), known.units + line.units)


# --- refunds ------------------------------------------------------------------------------------------------------


def share_of(fees: Mapping[str, Fee], names: Sequence[str], owed: Mapping[str, Had]) -> Decimal:
    """What one case may claim of the lines that its request owes: its unit of a fee per waterbody, else the whole."""
    found = ZERO
    for name in names:
        if name in owed:
            line = owed[name]
            found += line.amount / line.units if fees[name].per in SHARED and line.units else line.amount
    return found.quantize(Decimal("0.01"))
