"""What a pack says, in summary: the pack or one of its workflows, with the law of each part and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from caseflow.domain.facts import nearest
from caseflow.domain.fees import amount_of
from caseflow.domain.pack import Cited, Fee, Pack, Workflow
from caseflow.domain.rulebook import settings_of
from caseflow.errors import NotFound
from caseflow.services.trying import fee_text


def pack_summary(packs: Sequence[Pack], name: str | None) -> dict[str, Any]:
    """A pack or a workflow by name; the first pack where no name is given. Raises NotFound."""
    for pack in packs:
        if name is None or name == pack.text.pack:
            return _pack(pack)
        flow = pack.workflow(name)
        if flow is not None:
            return _workflow(flow)
    known = [flow.workflow for pack in packs for flow in pack.workflows] + [pack.text.pack for pack in packs]
    raise NotFound(f"There is no pack or workflow '{name}'{nearest(str(name), known)}.")


def _law(one: Cited) -> dict[str, Any]:
    """The law that something stands on, or why there is none; the reading chosen; how sure it is (null: not said)."""
    return {"cite": one.cite, "note": one.note, "reading": one.reading, "confidence": one.confidence}


def _workflow(flow: Workflow) -> dict[str, Any]:
    return {
        "workflow": flow.workflow,
        "title": flow.title,
        "law": flow.law,
        "states": {key: state.title for key, state in flow.states.items()},
        "actions": {key: {"title": one.title, "from": list(flow.states_of(one.from_)), "to": one.to, **_law(one)} for key, one in flow.actions.items()},
        "clocks": {key: {"title": one.title, **_law(one)} for key, one in flow.clocks.items()},
        "limits": {key: {"text": one.text, **_law(one)} for key, one in flow.limits.items()},
        "conditions": {key: {"text": one.text, **_law(one)} for key, one in flow.conditions.items()},
        "items": {key: {"title": one.title, **_law(one)} for key, one in {**flow.items, **flow.petition_items}.items()},
        "exclusions": {key: {"title": one.title, **_law(one)} for key, one in flow.exclusions.items()},
    }


def _pack(pack: Pack) -> dict[str, Any]:
    settings: Mapping[str, Any] = pack.text.settings
    return {
        "pack": pack.text.pack,
        "title": pack.text.title,
        "label": pack.text.version,
        "version": pack.hash,
        "workflows": [{"id": one.workflow, "title": one.title, "law": one.law} for one in pack.workflows],
        "letters": list(pack.letters),
        "fees": {key: _fee(pack, fee) for key, fee in pack.fees.items()},
        "refunds": {
            key: {"title": one.title, "of": list(one.of), "on": list(one.on), "never_on": list(one.never_on), "cite": one.cite}
            for key, one in pack.refunds.items()
        },
        "settings": {key: {"question": one.question, "default": one.default, "cite": one.cite, "why": one.why} for key, one in settings.items()},
    }


def _fee(pack: Pack, fee: Fee) -> dict[str, Any]:
    amount, cite = amount_of(fee, settings_of(pack, {}))
    other = [{"amount": str(one.amount), "setting": one.when.setting, "reading": one.when.is_, "cite": one.cite} for one in fee.amounts]
    return {"title": fee.title, "amount": str(amount) if amount is not None else fee_text(pack, fee), "cite": cite, "other_readings": other}
