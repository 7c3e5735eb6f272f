"""What pack.yaml, facts.yaml, letters.yaml and fees.yaml declare: roles, settings, facts, letters, fees and refunds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from caseflow.adapters.packs.checks import walk
from caseflow.adapters.packs.checks.conditions import uncited
from caseflow.adapters.packs.nodes import Node
from caseflow.domain import pack as p
from caseflow.domain.case import COPY_ROLES
from caseflow.domain.facts import Misfit, fit, nearest
from caseflow.domain.mailing import CHANNELS
from caseflow.domain.rulebook import facts_of, fees_of
from caseflow.errors import Fault

if TYPE_CHECKING:
    from caseflow.adapters.packs.loader import Loaded

RECIPIENTS = ("requester", "agent", "third-party", "co-applicant", "interested-person", "public", *COPY_ROLES)
CORE_ROLES = ("staff", "supervisor", "scheduler")
COLUMNS = ("text", "yes-no", "number", "money", "day", "moment", "choice", "list")


def check(loaded: Loaded) -> list[Fault]:
    """Faults of the pack's own files, and of the facts that a workflow declares or fixes."""
    pack, source = loaded.pack, loaded.source
    assert source.pack is not None and source.facts is not None and source.letters is not None
    faults = [
        *_roles(pack.text, pack.letters, source.pack),
        *_sees(pack, source.pack),
        *_settings(pack.text, source.pack),
        *_places(pack.text.places, source.pack),
    ]
    for name, fact in pack.facts.items():
        faults += _fact(name, fact, source.facts)
    for flow, node in (*loaded.flows, *loaded.bases):
        faults += _own_facts(pack, flow, node)
    faults += _letters(pack, source.letters)
    if source.fees is not None:
        faults += [*_fees(pack, source.fees), *_refunds(pack, source.fees)]
    return faults


def _roles(text: p.PackText, letters: Collection[str], node: Node) -> Iterator[Fault]:
    for name, role in text.roles.items():
        for place, other in enumerate(role.also):
            if other not in text.roles:
                yield Fault(*node.find(("roles", name, "also", place)), f"no role '{other}'{nearest(other, text.roles)}")
    for needed in CORE_ROLES:
        if needed not in text.roles:
            yield Fault(*node.find(("roles",), True), f"the role '{needed}' is missing; the core acts for it")
    if text.mail_waits.minutes < 0:
        yield Fault(*node.find(("mail-waits", "minutes")), "mail can't leave before it is written; write 0 or more minutes")
    for change, letter in text.letters_on_change.items():
        if letter not in letters:
            yield Fault(*node.find(("letters-on-change", change)), f"no letter '{letter}'{nearest(letter, letters)}")
    proves = text.opened_proves
    for place, channel in enumerate(proves.channels):
        if channel not in CHANNELS:
            yield Fault(*node.find(("opened-proves", "channels", place)), f"no channel '{channel}'; write one of {', '.join(CHANNELS)}")
    if proves.channels and not (proves.cite or proves.note):
        yield Fault(*node.find(("opened-proves",)), "opened-proves needs a cite, or a note that says whose practice it is")
    for place, phase in enumerate(text.phases):
        if phase in text.phases[:place]:
            yield Fault(*node.find(("phases", place)), f"phase '{phase}' stands here a second time; keep one of them")


def _sees(pack: p.Pack, node: Node) -> Iterator[Fault]:
    flows = {flow.workflow for flow in pack.workflows}
    flags = {flag for flow in pack.workflows for flag in flow.flags}
    for name, role in pack.text.roles.items():
        if role.sees is None:
            continue
        path = ("roles", name, "sees")
        if "read" not in role.site:
            yield Fault(*node.find(path, True), f"role '{name}' reads no cases, so there is nothing to narrow; give it 'site: [read]', or leave 'sees' out")
        if not (role.sees.workflows or role.sees.only or role.sees.not_flagged):
            yield Fault(*node.find(path, True), f"'sees' of role '{name}' says nothing; write workflows, only or not-flagged, or leave it out")
        for word, given, known, what in (
            ("workflows", role.sees.workflows, flows, "workflow"),
            ("not-flagged", role.sees.not_flagged, flags, "flag of any workflow"),
        ):
            for place, one in enumerate(given):
                if one not in known:
                    yield Fault(*node.find((*path, word, place)), f"no {what} '{one}'{nearest(one, known)}")


def _settings(text: p.PackText, node: Node) -> Iterator[Fault]:
    for name, setting in text.settings.items():
        path = ("settings", name)
        readings = [setting.when_true is not None or setting.when_false is not None, setting.readings is not None]
        if sum([*readings, setting.number is not None, setting.numbers is not None]) != 1:
            text_ = f"setting '{name}' is answered in exactly one way: when-true and when-false, readings, number or numbers"
            yield Fault(*node.find(path, True), text_)
            continue
        if (setting.when_true is None) != (setting.when_false is None):
            yield Fault(*node.find(path, True), f"setting '{name}' explains one answer only; write both when-true and when-false")
        wrong = _default(name, setting)
        if wrong is not None:
            yield Fault(*node.find((*path, "default")), wrong)


def _places(places: p.Places | None, node: Node) -> Iterator[Fault]:
    if places is None:
        return
    if uncited(places):
        yield Fault(*node.find(("places",), True), "the places have no cite; name the source, or write 'note'")
    codes: dict[str, str] = {}
    for name, code in places.counties.items():
        if code in codes:
            yield Fault(*node.find(("places", "counties", name)), f"code '{code}' is that of {codes[code]} too; each county has its own")
        codes.setdefault(code, name)
    for word, edge in (("latitude", 90), ("longitude", 180)):
        reach = getattr(places, word)
        if reach is not None and not -edge <= reach[0] < reach[1] <= edge:
            yield Fault(*node.find(("places", word)), f"a {word} reaches from a lower to a higher degree within -{edge} to {edge}")
    for word, sides in (("townships", "NS"), ("ranges", "EW")):
        for side, last in getattr(places, word).items():
            if side not in tuple(sides) or last < 1:
                text = f"{word} are counted from 1 in the directions {' and '.join(sides)}, such as {{{sides[0]}: 53}}"
                yield Fault(*node.find(("places", word, side)), text)


def _default(name: str, setting: p.Setting) -> str | None:
    default = setting.default
    if setting.readings is not None:
        fits = default in tuple(setting.readings)
        return None if fits else f"setting '{name}' has no reading '{default}'; its readings: {', '.join(setting.readings)}"
    if setting.when_true is not None:
        return None if isinstance(default, bool) else f"setting '{name}' is answered by true or false, not '{default}'"
    if setting.number is not None:
        fits = type(default) is int and default > 0
        return None if fits else f"setting '{name}' is a number above 0, not '{default}'"
    fits = isinstance(default, (list, tuple)) and all(type(item) is int and item >= 0 for item in default)
    return None if fits else f"setting '{name}' is a list of whole numbers, such as [7, 1]"


def _own_facts(pack: p.Pack, flow: p.Workflow, node: Node) -> Iterator[Fault]:
    merged = facts_of(pack, flow)
    for name, own in flow.facts.items():
        if name not in pack.facts and "type" not in own.model_fields_set:
            yield Fault(*node.find(("facts", name), True), f"no fact '{name}'{nearest(name, pack.facts)}; a workflow's own fact needs a 'type'")
        else:
            yield from _fact(name, merged[name], node)


def _fact(name: str, fact: p.Fact, node: Node) -> Iterator[Fault]:
    path: tuple[Any, ...] = ("facts", name)
    if fact.type == "choice" and not fact.values:
        yield Fault(*node.find(path, True), f"fact '{name}' is a choice without values; write 'values', or 'type: text'")
    if fact.values is not None and fact.type not in ("choice", "list"):
        yield Fault(*node.find((*path, "values"), True), f"fact '{name}' is of type {fact.type}, which takes no values; write 'type: choice' or 'type: list'")
    if fact.unit is not None and fact.type != "number":
        yield Fault(*node.find((*path, "unit")), f"fact '{name}' is of type {fact.type}, which has no unit; write 'type: number'")
    for column, kind in (fact.columns or {}).items():
        if isinstance(kind, str) and kind not in COLUMNS:
            yield Fault(*node.find((*path, "columns", column)), f"no type '{kind}'{nearest(kind, COLUMNS)}; write one of {', '.join(COLUMNS)}")
    for word in ("default", "fixed"):
        value = getattr(fact, word)
        if value is None:
            continue
        if fact.values is not None and fact.type == "choice" and value not in fact.values:
            yield Fault(*node.find((*path, word)), f"fact '{name}' can never be '{value}'; its values: {', '.join(fact.values)}")
            continue
        try:
            fit(name, fact, value)
        except Misfit as misfit:
            yield Fault(*node.find((*path, word)), str(misfit))


def _letters(pack: p.Pack, node: Node) -> Iterator[Fault]:
    known = {*pack.facts, *(name for flow in pack.workflows for name in flow.facts)}
    for name, letter in pack.letters.items():
        path = ("letters", name)
        for word in ("to", "copies"):
            for place, one in enumerate(getattr(letter, word)):
                if one not in RECIPIENTS:
                    text = f"no recipient '{one}'{nearest(one, RECIPIENTS)}; write one of {', '.join(RECIPIENTS)}"
                    yield Fault(*node.find((*path, word, place)), text)
        if letter.approval is not None and letter.approval not in pack.text.roles:
            yield Fault(*node.find((*path, "approval")), f"no role '{letter.approval}'{nearest(letter.approval, pack.text.roles)}")
        for place, fact in enumerate(letter.facts):
            if fact not in known:
                yield Fault(*node.find((*path, "facts", place)), f"no fact '{fact}'{nearest(fact, known)}")


def _fees(pack: p.Pack, node: Node) -> Iterator[Fault]:
    for name, fee in pack.fees.items():
        path = ("fees", name)
        for word, parts in (("in-place-of", fee.in_place_of), ("of", fee.of)):
            for place, part in enumerate(parts):
                if part not in pack.fees or part == name:
                    yield Fault(*node.find((*path, word, place)), f"no other fee '{part}'{nearest(part, set(pack.fees) - {name})}")
                elif word == "of" and pack.fees[part].of:
                    text = f"'{part}' is itself a multiple of others; name fees that have an amount"
                    yield Fault(*node.find((*path, word, place)), text)
        yield from _amounts(name, fee, pack, node)
        if (fee.times is None) != (not fee.of):
            yield Fault(*node.find(path, True), f"fee '{name}' is a multiple of others only with both 'times' and 'of'; write both")
        if fee.times is not None and fee.times < 2:
            yield Fault(*node.find((*path, "times")), f"{fee.times} times a fee is no multiple of it; write 2 or more")
        if uncited(fee):
            yield Fault(*node.find(path, True), f"fee '{name}' has no cite; name the law, or write 'note'")


def _amounts(name: str, fee: p.Fee, pack: p.Pack, node: Node) -> Iterator[Fault]:
    path = ("fees", name)
    if fee.amount is None and not fee.of:
        yield Fault(*node.find(path, True), f"fee '{name}' has no amount; write one")
    if fee.of and (fee.amount is not None or fee.amounts):
        yield Fault(*node.find(path, True), f"fee '{name}' is a multiple of others and needs no amount of its own; leave one of the two out")
    if isinstance(fee.amount, p.SettingRef):
        setting = pack.text.settings.get(fee.amount.setting)
        if setting is None:
            known = pack.text.settings
            yield Fault(*node.find((*path, "amount", "setting")), f"no setting '{fee.amount.setting}'{nearest(fee.amount.setting, known)}")
        elif setting.number is None:
            yield Fault(*node.find((*path, "amount", "setting")), f"setting '{fee.amount.setting}' holds no number; write 'number:' in it")
    elif fee.amount is not None and fee.amount < 0:
        yield Fault(*node.find((*path, "amount")), f"fee '{name}' is below zero; write an amount of 0 or more")
    for place, other in enumerate(fee.amounts):
        if other.amount < 0:
            yield Fault(*node.find((*path, "amounts", place, "amount")), f"fee '{name}' is below zero; write an amount of 0 or more")
        if uncited(other):
            yield Fault(*node.find((*path, "amounts", place)), f"this amount of fee '{name}' has no cite; name the law, or write 'note'")


def _refunds(pack: p.Pack, node: Node) -> Iterator[Fault]:
    for name, refund in pack.refunds.items():
        faults = list(_refund(name, refund, pack, node))
        yield from faults or _refunding(name, refund, pack, node)


def _refund(name: str, refund: p.Refund, pack: p.Pack, node: Node) -> Iterator[Fault]:
    acts = {name for flow in pack.workflows for name in flow.actions}
    path = ("refunds", name)
    for place, fee in enumerate(refund.of):
        if fee not in pack.fees:
            yield Fault(*node.find((*path, "of", place)), f"no fee '{fee}'{nearest(fee, pack.fees)}")
    for word, named in (("on", refund.on), ("never-on", refund.never_on)):
        for place, act in enumerate(named):
            if act not in acts:
                yield Fault(*node.find((*path, word, place)), f"no action '{act}'{nearest(act, acts)}")
    if not refund.on:
        yield Fault(*node.find(path, True), f"refund '{name}' names no act that gives money back; write 'on: ACTION'")
    for act in sorted(set(refund.on) & set(refund.never_on)):
        yield Fault(*node.find((*path, "never-on")), f"'{act}' stands under 'on' too; it either gives money back or never does")
    if refund.never_on and refund.else_ is None:
        yield Fault(*node.find((*path, "never-on"), True), f"refund '{name}' does not say why it is never owed; write 'else: WORDS'")
    if uncited(refund):
        yield Fault(*node.find(path, True), f"refund '{name}' has no cite; name the law, or write 'note'")


def _refunding(name: str, refund: p.Refund, pack: p.Pack, node: Node) -> Iterator[Fault]:
    """Each workflow that owes the fee and may give it back can ask the condition and pay the money."""
    flows = [flow for flow in pack.workflows if fees_of(flow) & set(refund.of) and set(refund.on) & set(flow.actions)]
    if not flows:
        text = f"no workflow that owes {' or '.join(refund.of)} has the act {' or '.join(refund.on)}; the refund is never owed"
        yield Fault(*node.find(("refunds", name), True), text)
    for flow in flows:
        if not any(action.money == "refunded" for action in flow.actions.values()):
            text = f"'{flow.workflow}' has no act that gives money back; give it one with 'money: refunded'"
            yield Fault(*node.find(("refunds", name), True), text)
        for part, path in walk.leaves(refund.when, ("refunds", name, "when")):
            if isinstance(part, p.Named) and part.name not in flow.conditions:
                yield Fault(*node.find(path), f"no condition '{part.name}' in '{flow.workflow}'{nearest(part.name, flow.conditions)}")
