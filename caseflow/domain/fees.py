"""Fee schedule -> what is owed, a line and a citation each. Whether it was paid is asked in conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from caseflow.domain.case import FeeLine, Payment
from caseflow.domain.pack import Fee, FeeRef, SettingTest

ZERO = Decimal(0)
Holds = Callable[[FeeRef], bool]
"""Whether a fee's `when` holds."""


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
    combined = _lines(fees, _combine(fees, due), electronic)
    apart = _lines(fees, due, electronic)
    if total(combined) <= total(apart):
        return Quote(combined)
    if any(_cheaper_only(fee, settings) for fee in fees.values()):
        return Quote(apart)
    names = ", ".join(line.id for line in combined if fees[line.id].in_place_of)
    warning = f"The combined fee ({names}) comes to {total(combined):.2f}; the separate fees would come to {total(apart):.2f}."
    return Quote(combined, (warning,))


def owed_by_act(fees: Mapping[str, Fee], refs: Sequence[FeeRef], seq: int, holds: Holds) -> tuple[FeeLine, ...]:
    """The lines that one act owes."""
    return tuple(_line(fees[ref.fee], ref.fee, 1, seq) for ref in refs if holds(ref))


def electronic_lines(fees: Mapping[str, Fee], refs: Sequence[FeeRef], seq: int) -> tuple[FeeLine, ...]:
    """What one electronic payment owes."""
    return tuple(_line(fees[ref.fee], ref.fee, 1, seq) for ref in refs if fees[ref.fee].per == "electronic-payment")


def _cheaper_only(fee: Fee, settings: Mapping[str, Any]) -> bool:
    test = fee.only_if_cheaper
    return isinstance(test, SettingTest) and settings.get(test.setting) == test.is_


def _combine(fees: Mapping[str, Fee], due: Mapping[str, list[str]]) -> dict[str, list[str]]:
    made = {water: list(ids) for water, ids in due.items()}
    for name, fee in fees.items():
        if not fee.in_place_of:
            continue
        for ids in made.values():
            if fee.of:
                if name in ids:
                    ids[:] = [item for item in ids if item not in fee.in_place_of]
            elif all(part in ids for part in fee.in_place_of):
                ids[:] = [item for item in ids if item not in fee.in_place_of]
                ids.append(name)
    return made


def _lines(fees: Mapping[str, Fee], due: Mapping[str, list[str]], electronic: bool) -> tuple[FeeLine, ...]:
    counts: dict[str, int] = {}
    for ids in due.values():
        for name in dict.fromkeys(ids):
            counts[name] = counts.get(name, 0) + 1
    lines = []
    for name, fee in fees.items():
        number = counts.get(name, 0)
        if fee.per == "electronic-payment":
            number = 1 if number and electronic else 0
        elif fee.per in ("request", "project-boundary"):
            number = min(number, 1)
        if number:
            lines.append(_line(fee, name, number, 1, fees))
    return tuple(lines)


def _line(fee: Fee, name: str, number: int, seq: int, fees: Mapping[str, Fee] | None = None) -> FeeLine:
    each = fee.amount
    if each is None:
        amounts = [other.amount for part, other in (fees or {}).items() if part in fee.of and other.amount is not None]
        each = (amounts[0] if amounts else ZERO) * (fee.times or 1)
    per = {"waterbody": "waterbody", "waterway": "waterway", "project-boundary": "project boundary"}.get(fee.per, "")
    text = f"{number} x {each:.2f} per {per}" if number > 1 else (f"per {per}" if per else "")
    return FeeLine(name, fee.title, f"{each * number:.2f}", number, fee.cite, seq, text)
