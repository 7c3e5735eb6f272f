"""Two models of the same kind compared word by word, so that whatever differs is said and nothing that does not.

It knows no rule of law: which word is how heavy stands in fields, how a value reads in saying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from caseflow.domain import pack as p
from caseflow.domain.difference.change import Change, How, Weight
from caseflow.domain.difference.fields import KINDS, LAW, Field, field_of
from caseflow.domain.difference.saying import Names, ordinal

_MAX = 240


@dataclass(frozen=True, slots=True)
class Thing:
    """What is compared: its kind, id and title, and the citation that it stands on."""

    kind: str
    name: str
    title: str
    cite: str | None = None
    workflows: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """the clock “Time to answer”."""
        return f"the {self.kind} {self.title}"


@dataclass(frozen=True, slots=True)
class Walk:
    """Compares as two versions call things: `was` the older, `now` the newer."""

    was: Names
    now: Names
    workflows: tuple[str, ...] = ()

    # --- named things -----------------------------------------------------------------------------------------------

    def things(self, before: Mapping[str, Any], after: Mapping[str, Any], stated: bool = False, skip: Sequence[str] = ()) -> Iterator[Change]:
        """Things by their ids: come, gone, and changed. `stated`: only what the author wrote of each counts, for the rest is inherited."""
        if before is after:
            return
        for name, one in after.items():
            if before.get(name) is one:
                continue
            thing = thing_of(name, one, self.workflows)
            if name not in before:
                yield self._change(thing, KINDS[type(one)][1], "added", f"New: {thing.called}{self._summary(one)}", cite=thing.cite, after=self._summary(one))
            else:
                yield from self.members(thing, before[name], one, stated, skip)
        for name, one in before.items():
            if name not in after:
                thing = thing_of(name, one, self.workflows)
                yield self._change(thing, KINDS[type(one)][1], "removed", f"Gone: {thing.called}", cite=thing.cite, before=self._summary(one))
        yield from self._order(before, after)

    def _order(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
        common = [name for name in before if name in after]
        if common == [name for name in after if name in before]:
            return
        kind = next((KINDS[type(one)][0] for one in after.values() if type(one) in KINDS), "entry")
        text = f"The {plural(kind)} are written in another order"
        yield Change("words", kind, "", "changed", f"{text}.", self.workflows, "order", ", ".join(common), ", ".join(name for name in after if name in before))

    def _summary(self, one: Any) -> str:
        """What a thing says besides its title and its law, in short."""
        said = []
        for name in type(one).model_fields:
            field, value = field_of(type(one), name), getattr(one, name)
            if field.weight in ("law", "words") or value in (None, (), {}, False, type(one).model_fields[name].default):
                continue
            said.append(f"{field.label}: {_short(self.now.say(value, field.of))}")
        return f" ({'; '.join(said)})" if said else ""

    # --- the words of one thing -------------------------------------------------------------------------------------

    def members(self, thing: Thing, before: BaseModel, after: BaseModel, stated: bool = False, skip: Sequence[str] = ()) -> Iterator[Change]:
        """Every word of a thing that differs."""
        for name in type(after).model_fields:
            one, other = getattr(before, name), getattr(after, name)
            if stated:
                one, other = (value if name in of.model_fields_set else None for value, of in ((one, before), (other, after)))
            if name not in skip and not same(one, other):
                yield from self.member(thing, name, field_of(type(after), name), one, other)

    def member(self, thing: Thing, name: str, field: Field, before: Any, after: Any) -> Iterator[Change]:
        """One word of a thing that differs."""
        values = [value for value in (before, after) if value is not None]
        if values and all(isinstance(value, tuple) for value in values) and field.verb:
            yield from self._list(thing, name, field, before or (), after or ())
        elif values and all(isinstance(value, Mapping) for value in values):
            yield from self._map(thing, name, field, before or {}, after or {})
        elif isinstance(before, BaseModel) and type(before) is type(after) and self._reads_alike(before, after, field):
            yield from self._inside(thing, name, field, before, after)
        else:
            yield self._scalar(thing, name, field, before, after)

    def _reads_alike(self, before: Any, after: Any, field: Field) -> bool:
        return type(before) in _OPENED or self.was.say(before, field.of) == self.now.say(after, field.of)

    def _scalar(self, thing: Thing, name: str, field: Field, before: Any, after: Any) -> Change:
        was, now = self.was.say(before, field.of), self.now.say(after, field.of)
        if was == now:  # as both versions call it, it reads alike: then it is said as it is written
            was, now = _raw(before), _raw(after)
        if isinstance(before or after, str) and not field.of:
            was, now = _quoted(was, before), _quoted(now, after)
        if before is None:
            text = f"{_upper(thing.called)} now has a {field.label}: {now}"
        elif after is None:
            text = f"{_upper(thing.called)} has no {field.label} any more; it was: {was}"
        else:
            text = f"The {field.label} of {thing.called} is {now} instead of {was}"
        return self._change(thing, field.weight, "changed", text, name, was, now, thing.cite)

    def _inside(self, thing: Thing, name: str, field: Field, before: BaseModel, after: BaseModel) -> Iterator[Change]:
        """A word that is itself a model: each of its own words."""
        inner = Thing(f"{field.label} of the {thing.kind}", thing.name, thing.title, _cite_of(after) or thing.cite)
        for member in type(after).model_fields:
            one, other = getattr(before, member), getattr(after, member)
            if not same(one, other):
                own = LAW.get(member) or Field(field_of(type(after), member).label, field.weight, field_of(type(after), member).of)
                for change in self.member(inner, member, own, one, other):
                    yield Change(**{**_fields(change), "what": thing.kind, "member": f"{name}.{change.member}"})

    def _map(self, thing: Thing, name: str, field: Field, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
        """Words by name that are no things of their own: dispositions, marks, readings, counties."""
        for key, value in after.items():
            if key not in before:
                text = f"{_upper(thing.called)} now has the {field.label} {key}: {self.now.say(value)}"
                yield self._change(thing, field.weight, "changed", text, f"{name}.{key}", None, self.now.say(value), thing.cite)
            elif not same(before[key], value):
                inner = Field(f"{field.label} {key}", field.weight, "state" if name == "groups" else field.of, "has the state" if name == "groups" else "has")
                yield from self.member(thing, f"{name}.{key}", inner, before[key], value)
        for key, value in before.items():
            if key not in after:
                text = f"{_upper(thing.called)} no longer has the {field.label} {key}: {self.was.say(value)}"
                yield self._change(thing, field.weight, "changed", text, f"{name}.{key}", self.was.say(value), None, thing.cite)
        if before == after:
            text = f"The {plural(field.label)} of {thing.called} are written in another order"
            yield self._change(thing, "words", "changed", text, name, ", ".join(before), ", ".join(after))

    # --- lists ------------------------------------------------------------------------------------------------------

    def _list(self, thing: Thing, name: str, field: Field, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Change]:
        gone, come = _left(before, after), _left(after, before)
        for one in list(gone):
            match = next((other for other in come if _key(other) == _key(one) and type(other) is type(one) and isinstance(one, BaseModel)), None)
            if match is not None:
                gone.remove(one)
                come.remove(match)
                yield from self._pair(thing, name, field, one, match)
        for one in come:
            yield self._change(
                thing, field.weight, "changed", self._gain(thing, name, field, one, after), name, None, self.now.say(one, field.of), self._law(thing, one)
            )
        for one in gone:
            text = f"{_upper(thing.called)} {adverb('no longer', field.verb)} {self.was.say(one, field.of)}"
            yield self._change(thing, field.weight, "changed", text, name, self.was.say(one, field.of), None, self._law(thing, one, self.was))
        if [one for one in before if one in after] != [one for one in after if one in before]:
            text = f"The order in which {thing.called} {field.verb} is another: {self.now.say(tuple(after), field.of)}"
            yield self._change(
                thing, field.weight, "changed", text, name, self.was.say(tuple(before), field.of), self.now.say(tuple(after), field.of), thing.cite
            )

    def _gain(self, thing: Thing, name: str, field: Field, one: Any, after: Sequence[Any]) -> str:
        said = self.now.say(one, field.of)
        if name == "needs":
            return f"A {ordinal(list(after).index(one) + 1)} condition guards {thing.called}: {said}"
        return f"{_upper(thing.called)} {adverb('now also' if len(after) > 1 else 'now', field.verb)} {said}"

    def _pair(self, thing: Thing, name: str, field: Field, before: BaseModel, after: BaseModel) -> Iterator[Change]:
        """The same element with other words in it."""
        was, now = self.was.say(before, field.of), self.now.say(after, field.of)
        if was != now:
            text = f"{_upper(thing.called)} {adverb('now', field.verb)} {now}; before: {was}"
            yield self._change(thing, field.weight, "changed", text, name, was, now, self._law(thing, after))
        told = was != now
        for member in type(after).model_fields:
            one, other = getattr(before, member), getattr(after, member)
            if (member in LAW or not told) and not same(one, other):
                own = LAW.get(member) or Field(field_of(type(after), member).label, field.weight)
                inner = Thing(f"{field.label} {now} of the {thing.kind}", thing.name, thing.title, thing.cite)
                for change in self.member(inner, member, own, one, other):
                    yield Change(**{**_fields(change), "what": thing.kind, "member": f"{name}.{change.member}"})

    def _law(self, thing: Thing, one: Any, names: Names | None = None) -> str | None:
        """What an element stands on: its own law, that of the condition that it names, else that of the thing."""
        own = _cite_of(one)
        if own is None and isinstance(one, p.Named):
            own = _cite_of((names or self.now).book.conditions.get(one.name))
        return own or thing.cite

    def _change(
        self,
        thing: Thing,
        weight: Weight,
        how: How,
        text: str,
        member: str = "",
        before: str | None = None,
        after: str | None = None,
        cite: str | None = None,
    ) -> Change:
        sentence = text if text.rstrip("”)").endswith((".", "?", "!")) else f"{text}."
        return Change(weight, thing.kind, thing.name, how, sentence, self.workflows, member, before, after, cite)


_OPENED = (p.Agency, p.Places, p.Say, p.Office, p.Sees, p.MailWaits, p.ServedAfter, p.Intake, p.AfterEnd, p.Silence)
"""Models that are always told word by word."""


def thing_of(name: str, one: Any, workflows: tuple[str, ...] = ()) -> Thing:
    """A thing as it is called: by its title, or the words that it refuses with."""
    words = getattr(one, "title", None) or getattr(one, "question", None) or getattr(one, "text", None)
    kind = KINDS[type(one)][0]
    if kind in ("rule", "item of the filing", "fee") and words:
        return Thing(kind, name, f"{name} (“{_short(str(words).rstrip('.'))}”)", _cite_of(one), workflows)
    return Thing(kind, name, f"“{_short(str(words).rstrip('.'))}”" if words else name, _cite_of(one), workflows)


def adverb(word: str, verb: str) -> str:
    """is no longer met; now also owes."""
    first, _, rest = verb.partition(" ")
    return f"{first} {word} {rest}" if first in ("is", "may", "must") else f"{word} {verb}"


def plural(kind: str) -> str:
    """Several of a kind: clocks, ways of filing."""
    first, of, rest = kind.partition(" of ")
    return f"{first[:-1]}ies{of}{rest}" if first.endswith("y") and not first.endswith("ay") else f"{first}s{of}{rest}"


def _key(one: Any) -> Any:
    """By what an element of a list is the same one with other words."""
    if isinstance(one, p.Hold):
        return ("hold",)
    for name in ("after", "letter", "fee", "name", "day", "id", "to"):
        if getattr(one, name, None) not in (None, ()):
            return (name, getattr(one, name))
    return (type(one).__name__,)


def _left(some: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """What of some is not among the others, each of them taken once."""
    rest = list(others)
    found = []
    for one in some:
        if one in rest:
            rest.remove(one)
        else:
            found.append(one)
    return found


def same(before: Any, after: Any) -> bool:
    """Whether two values are the same to the last word, the order of what is named included."""
    if before is after:
        return True
    if type(before) is not type(after):
        return False
    if isinstance(before, BaseModel):
        return all(same(one, getattr(after, name)) for name, one in before.__dict__.items())
    if isinstance(before, Mapping):
        return list(before) == list(after) and all(same(one, after[name]) for name, one in before.items())
    if isinstance(before, (tuple, list)):
        return len(before) == len(after) and all(same(one, other) for one, other in zip(before, after, strict=True))
    return bool(before == after)


def _cite_of(one: Any) -> str | None:
    return getattr(one, "cite", None) or getattr(one, "note", None) if isinstance(one, BaseModel) else None


def _fields(change: Change) -> dict[str, Any]:
    return {name: getattr(change, name) for name in Change.__slots__}


def _raw(value: Any) -> str:
    return value.model_dump_json(by_alias=True, exclude_defaults=True) if isinstance(value, BaseModel) else repr(value)


def _quoted(said: str, value: Any) -> str:
    return f"“{said}”" if value is not None else said


def _short(text: str) -> str:
    return text if len(text) <= _MAX else f"{text[: _MAX - 1].rstrip()}…"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
