"""What each word of the pack language is called in a difference, and how heavy a change of it weighs.

A word that is not named here is called by its own name and weighs as much as the model that it is in.
"""

from __future__ import annotations

from dataclasses import dataclass

from caseflow.domain import pack as p
from caseflow.domain.difference.change import Weight


@dataclass(frozen=True, slots=True)
class Field:
    """A word of a model. `label` is a noun for one value; `verb` says what a list of them does; `of` what the names in it are."""

    label: str
    weight: Weight
    of: str = ""
    verb: str = ""


LAW: dict[str, Field] = {
    "cite": Field("citation", "law"),
    "note": Field("note", "law"),
    "policy": Field("word that it is policy", "law"),
    "reading": Field("reading", "law"),
    "confidence": Field("sureness", "law"),
    "source": Field("source", "law"),
}
"""What something stands on, wherever it is written."""

_TITLE = Field("title", "words")
_HINT = Field("hint", "words")

FIELDS: dict[type, dict[str, Field]] = {
    p.Clock: {
        "title": _TITLE,
        "actor": Field("side whose last day it is", "dates", "actor"),
        "length": Field("length", "dates"),
        "starts": Field("start", "dates", verb="starts"),
        "take": Field("rule which start counts", "dates"),
        "canceled": Field("cancellation", "dates", verb="is canceled"),
        "holds": Field("hold", "dates", verb="is held"),
        "extended": Field("extension", "dates", verb="is extended"),
        "displaced": Field("displacement", "dates", verb="loses its last day"),
        "fits_again": Field("end of a displacement", "dates", verb="has a last day again"),
        "met": Field("act that meets it", "dates", verb="is met"),
        "stopped": Field("end", "dates", verb="ends"),
        "overdue": Field("act when the last day is over", "dates", "action"),
        "silence": Field("outcome by silence", "dates", "action"),
        "remind": Field("act on the last day", "dates", "action"),
        "warn_before": Field("warning before the target, in office days", "outcomes", verb="warns, in office days before the target,"),
        "alert": Field("word that it only alerts", "dates"),
        "waits_in": Field("state in which it waits", "dates", "state", "waits in"),
        "target": Field("rule of the target", "dates"),
        "rolls": Field("word whether its last day rolls", "dates"),
        "statute": Field("statute", "law"),
    },
    p.Action: {
        "title": _TITLE,
        "hint": _HINT,
        "order": Field("place in lists", "words"),
        "key": Field("key", "words"),
        "by": Field("role that may do it", "refusals", "role", "may be done by"),
        "from_": Field("state in which it is possible", "refusals", "state", "is possible in"),
        "to": Field("state that it leads to", "outcomes", "state"),
        "takes": Field("fact that it asks for", "refusals", "fact", "must state"),
        "may_take": Field("fact that it may state", "refusals", "fact", "may state"),
        "may_restate": Field("fact that it may state anew", "refusals", "fact", "may state anew"),
        "needs": Field("condition", "refusals", verb="needs that"),
        "outcomes": Field("outcome", "outcomes", verb="has the outcome"),
        "disposition": Field("disposition", "outcomes", "disposition"),
        "letters": Field("letter", "letters", verb="owes the letter"),
        "fees": Field("fee", "fees", verb="owes the fee"),
        "raises": Field("mark", "outcomes", "flag", "raises the mark"),
        "lowers": Field("mark", "outcomes", "flag", "takes down the mark"),
        "task": Field("task", "outcomes", verb="leaves the task"),
        "items": Field("meaning for what a filing must contain", "refusals"),
        "establishes": Field("word that it finds the facts of rules", "refusals"),
        "money": Field("meaning for money", "fees"),
        "assigns": Field("fact that names whose work it becomes", "outcomes", "fact"),
        "aliases": Field("fact that holds another number", "outcomes", "fact"),
        "parties": Field("fact that names people", "outcomes", "fact"),
    },
    p.Limit: {
        "title": _TITLE,
        "action": Field("act", "refusals", "action", "counts"),
        "times": Field("allowed number", "refusals"),
        "text": Field("text", "words"),
        "unless": Field("exception", "refusals"),
        "instead": Field("advice", "words"),
    },
    p.Condition: {
        "text": Field("text", "words"),
        "applies": Field("question whether it applies", "refusals"),
        "test": Field("question", "refusals"),
        "instead": Field("advice", "words"),
    },
    p.State: {
        "title": _TITLE,
        "phase": Field("state that reports count it under", "outcomes", "state"),
        "turn": Field("turn", "outcomes"),
        "say": Field("sentence", "words"),
        "ends": Field("word whether the case ends in it", "outcomes"),
        "place": Field("place in the diagram", "words"),
    },
    p.Item: {
        "title": _TITLE,
        "parts": Field("part", "refusals", verb="has the part"),
        "hint": _HINT,
        "given_by": Field("member of the request that shows it", "refusals"),
        "required": Field("condition under which it is required", "refusals"),
        "group": Field("group", "words"),
    },
    p.Exclusion: {"title": _TITLE, "hint": _HINT, "instead": Field("advice", "words")},
    p.Fact: {
        "type": Field("type", "refusals"),
        "title": _TITLE,
        "hint": _HINT,
        "unit": Field("unit", "refusals"),
        "values": Field("value", "refusals", verb="has the value"),
        "columns": Field("column", "refusals"),
        "established": Field("way in which it is found", "refusals"),
        "default": Field("usual value", "refusals"),
        "fixed": Field("fixed value", "refusals"),
    },
    p.Letter: {
        "title": _TITLE,
        "to": Field("addressee", "letters", verb="goes to"),
        "copies": Field("copy", "letters", verb="goes in copy to"),
        "states": Field("content", "letters", verb="must state"),
        "facts": Field("fact", "letters", "fact", "may use the fact"),
        "approval": Field("role that approves it", "letters", "role"),
        "subject": Field("subject line", "words"),
    },
    p.Fee: {
        "title": _TITLE,
        "amount": Field("amount", "fees"),
        "amounts": Field("amount under another reading", "fees", verb="comes to"),
        "per": Field("thing that it is owed for", "fees"),
        "in_place_of": Field("fee that it replaces", "fees", "fee", "stands in place of"),
        "only_if_cheaper": Field("condition to compare by price", "fees"),
        "times": Field("multiple", "fees"),
        "of": Field("fee that it multiplies", "fees", "fee", "multiplies"),
    },
    p.Refund: {
        "of": Field("fee", "fees", "fee", "gives back"),
        "share": Field("share", "fees"),
        "on": Field("act", "fees", "action", "follows from"),
        "never_on": Field("act", "fees", "action", "is excluded by"),
        "when": Field("condition", "fees"),
        "title": _TITLE,
        "else_": Field("word where nothing is given back", "words"),
    },
    p.Setting: {
        "question": Field("question", "words"),
        "when_true": Field("reading for yes", "words"),
        "when_false": Field("reading for no", "words"),
        "readings": Field("reading", "choices"),
        "number": Field("number", "choices"),
        "numbers": Field("number", "choices", verb="lists"),
        "default": Field("choice", "choices"),
        "why": Field("reason", "words"),
    },
    p.Role: {
        "also": Field("role", "choices", "role", "may also do what is done by"),
        "title": _TITLE,
        "site": Field("right", "choices", verb="has the right to"),
        "sees": Field("sight", "choices"),
    },
    p.DayList: {
        "title": _TITLE,
        "on_sunday": Field("rule for a Sunday", "dates"),
        "on_sunday_only": Field("day to which the rule for a Sunday is kept", "dates", verb="keeps the rule for a Sunday to"),
        "on_saturday": Field("rule for a Saturday", "dates"),
        "days": Field("day", "dates"),
    },
    p.Actor: {
        "title": _TITLE,
        "agency": Field("word that it is the agency", "dates"),
        "rolls_off": Field("day that a last day rolls off", "dates", verb="has its last days moved off"),
    },
    p.Channel: {
        "counts": Field("rule which day a filing counts on", "dates"),
        "cutoff": Field("last hour", "dates"),
        "title": _TITLE,
    },
    p.CalendarText: {
        "calendar": Field("name", "words"),
        "version": Field("label", "words"),
        "zone": Field("time zone", "dates"),
        "office": Field("opening hours", "dates"),
        "closed_on": Field("day on which the office is closed", "dates", "day list", "has the office closed on"),
        "business_days_skip": Field("day that is no business day", "dates", "day list", "leaves out of business days"),
        "backward": Field("rule for counting backwards", "dates"),
        "silence": Field("rule for silence", "dates"),
    },
    p.Workflow: {
        "title": _TITLE,
        "law": Field("law", "law"),
        "extends": Field("base", "words"),
        "abstract": Field("word that nobody files on it", "outcomes"),
        "version": Field("label", "words"),
        "in_force": Field("time in force", "dates"),
        "calendar": Field("calendar", "dates"),
        "filed_on": Field("clock that says the legal day of filing", "dates", "clock"),
        "target": Field("rule of the targets", "dates"),
        "service": Field("service", "words"),
        "intake": Field("advice at filing", "words"),
        "groups": Field("group of states", "outcomes"),
        "dispositions": Field("disposition", "outcomes"),
        "flags": Field("mark", "outcomes"),
        "unread": Field("mark for what nobody has read", "outcomes", "flag"),
        "fees": Field("fee", "fees", verb="owes on filing the fee"),
        "rules": Field("rule set", "refusals", "rule set", "asks the rule set"),
        "screens": Field("rule set", "refusals", "rule set", "is screened by the rule set"),
        "screen_order": Field("place among tracks that fit", "words"),
        "standards": Field("standard", "refusals", verb="must find the standard"),
    },
    p.PackText: {
        "pack": Field("name", "words"),
        "version": Field("label", "words"),
        "title": _TITLE,
        "language": Field("language", "words"),
        "prefix": Field("beginning of case numbers", "outcomes"),
        "phases": Field("phase", "outcomes", verb="has the phase"),
        "agency": Field("agency", "letters"),
        "places": Field("land", "refusals"),
        "mail_waits": Field("time that mail is held back", "letters"),
        "escalates_after": Field("time after which work goes to a supervisor", "dates"),
        "served_after": Field("time after which a letter counts as served", "dates"),
        "letters_on_change": Field("letter owed when rules move a date", "letters", "letter"),
        "opened_proves": Field("word that opening proves delivery", "letters"),
    },
    p.RuleSet: {
        "version": Field("version", "law"),
        "title": _TITLE,
        "in_force": Field("time in force", "dates"),
        "after_end": Field("word after its end", "refusals"),
        "covers": Field("fact that must name an activity", "refusals", "fact"),
    },
    p.Part: {
        "title": _TITLE,
        "activity": Field("word that it is an activity", "refusals"),
        "applies": Field("question whether it applies", "refusals"),
    },
    p.Rule: {
        "text": Field("text", "words"),
        "kind": Field("kind", "refusals"),
        "mode": Field("way in which it is found", "refusals"),
        "applies": Field("question whether it applies", "refusals"),
        "test": Field("question", "refusals"),
        "instead": Field("advice", "words"),
        "then": Field("consequence", "refusals"),
        "blocks": Field("word that it bars", "refusals"),
        "considers": Field("fact", "refusals", "fact", "weighs"),
        "within": Field("rule that it is part of", "refusals"),
        "same_as": Field("rule that it borrows", "refusals"),
        "found": Field("word that its text was found", "law"),
    },
    p.Claim: {
        "text": Field("text", "words"),
        **{
            name: Field(name.rstrip("_").replace("_", " "), "choices", verb="names")
            for name in p.Claim.model_fields
            if name not in ("text", *p.Cited.model_fields)
        },
    },
    p.Retention: {
        "holds": Field("role that places holds", "choices", "role", "lets legal holds be placed by"),
        "disposes": Field("role that disposes", "choices", "role", "lets records be ended by"),
    },
    p.Schedule: {
        "title": _TITLE,
        "workflows": Field("workflow", "choices", verb="is for the workflow"),
        "dispositions": Field("disposition", "choices", "disposition", "is for what ended as"),
        "counts_from": Field("day that it counts from", "choices"),
        "keep": Field("time", "choices"),
        "then": Field("end", "choices"),
    },
    p.NameList: {"title": _TITLE, "entries": Field("name", "refusals", verb="has the name")},
    p.Allotment: {
        "title": _TITLE,
        "of": Field("measure", "refusals", "fact"),
        "unit": Field("unit", "refusals"),
        "counts": Field("thing that is counted", "refusals", verb="counts"),
        "base": Field("combination to begin with", "refusals", verb="begins with"),
        "adds": Field("step that adds", "refusals"),
        "swaps": Field("step that swaps", "refusals"),
        "unmixed": Field("reading that keeps it whole", "refusals"),
    },
}

KINDS: dict[type, tuple[str, Weight]] = {
    p.Clock: ("clock", "dates"),
    p.Action: ("action", "outcomes"),
    p.Limit: ("limit", "refusals"),
    p.Condition: ("condition", "refusals"),
    p.State: ("state", "outcomes"),
    p.Item: ("item of the filing", "refusals"),
    p.Exclusion: ("exclusion", "refusals"),
    p.Fact: ("fact", "refusals"),
    p.Letter: ("letter", "letters"),
    p.Fee: ("fee", "fees"),
    p.Refund: ("refund", "fees"),
    p.Setting: ("setting", "choices"),
    p.Role: ("role", "choices"),
    p.DayList: ("day list", "dates"),
    p.Actor: ("side", "dates"),
    p.Channel: ("way of filing", "dates"),
    p.CalendarText: ("calendar", "dates"),
    p.Workflow: ("workflow", "outcomes"),
    p.PackText: ("pack", "choices"),
    p.RuleSet: ("rule set", "refusals"),
    p.Part: ("part of the rules", "refusals"),
    p.Rule: ("rule", "refusals"),
    p.NameList: ("list of names", "refusals"),
    p.Claim: ("claim", "choices"),
    p.Retention: ("retention of records", "choices"),
    p.Schedule: ("schedule of records", "choices"),
    p.Allotment: ("allotment", "refusals"),
}
"""What a thing of each model is called, and how heavy it weighs that one comes or goes."""


def field_of(model: type, name: str) -> Field:
    """A word of a model as it is called, where it is not named by its own name."""
    known = FIELDS.get(model, {}).get(name) or LAW.get(name)
    return known or Field(name.rstrip("_").replace("_", " "), KINDS[model][1] if model in KINDS else "words")
