"""A docket under changed rules: the totals first, then each case that would have gone otherwise, before and after, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from caseflow.cli.pictures.words import bullets, day, plural, section, text

SHOWN = 40
"""Cases that are listed; --json lists all."""


def otherwise(answer: Mapping[str, Any]) -> Group:
    """The totals, and the cases that differ."""
    changed = answer["changed"]
    parts: list[RenderableType] = [text(_verdict(answer), "bold")]
    if changed:
        parts.append(
            text(
                f"Other dates: {answer['dates']}. Other outcomes: {answer['outcomes']}. Acts refused: {answer['refusals']}. Other letters: {answer['letters']}."
            )
        )
    if answer["elsewhere"]:
        parts.append(text(f"{plural(answer['elsewhere'], 'case')} of other packs {'was' if answer['elsewhere'] == 1 else 'were'} not played."))
    parts += [section(f"{one['case']}  {one['title']}", bullets(_lines(one))) for one in changed[:SHOWN]]
    return Group(*parts, *([text(f"\nand {len(changed) - SHOWN} more; --json lists all")] if len(changed) > SHOWN else []))


def _verdict(answer: Mapping[str, Any]) -> str:
    through = f" through {day(answer['as_of'])}" if answer["as_of"] else ""
    if not answer["differ"]:
        return f"No case of {answer['cases']} would have gone otherwise{through}."
    return f"{answer['differ']} of {plural(answer['cases'], 'case')} would have gone otherwise{through}; {answer['same']} would not."


def _lines(one: Mapping[str, Any]) -> Iterator[Text]:
    for clock in one["dates"]:
        before, after = _days(clock["before"]), _days(clock["after"])
        yield text(f"{clock['title']}: {' then '.join(before) or 'no period'} -> {' then '.join(after) or 'no period'}")
    if one["outcome"] is not None:
        yield text(f"Outcome: {_ending(one['outcome']['before'])} -> {_ending(one['outcome']['after'])}")
    if one["acts"] is not None:
        yield from _acts(one["acts"])
    for refused in one["refused"]:
        because = "; ".join(f"{reason['text'].rstrip('.')}{' (' + reason['cite'] + ')' if reason['cite'] else ''}" for reason in refused["because"])
        yield text(f"Refused: entry {refused['entry']}, {refused['title']}, {day(refused['on'])}: {because}")
    for letter in one["letters"]:
        yield text(
            f"Letter, {letter['title']}: {_when(letter['before'])} -> {_when(letter['after'])}" if letter["before"] != letter["after"] else _restated(letter)
        )


def _days(pairs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Each last day that the period had; with its target where that differs."""
    return [(day(one["due"]) + (f" (target {day(one['target'])})" if one["target"] != one["due"] else "")) if one["due"] else "no last day" for one in pairs]


def _ending(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return "not possible"
    closed = f" on {day(one['closed_on'])}" if one["closed_on"] else ""
    flags = f" ({', '.join(one['flags'])})" if one["flags"] else ""
    return f"{one['disposition'] or one['state']}{closed}{flags}"


def _acts(acts: Mapping[str, Any]) -> Iterator[Text]:
    """What the clocks did on one side and not on the other."""
    before, after = ([(one["title"], one["on"]) for one in acts[side]] for side in ("before", "after"))
    for title, on in before:
        if (title, on) not in after:
            yield text(f"By the clock, no longer: {title}, {day(on)}")
    for title, on in after:
        if (title, on) not in before:
            yield text(f"By the clock, new: {title}, {day(on)}")


def _when(days: Sequence[str]) -> str:
    return ", ".join(map(day, days)) or "none"


def _restated(letter: Mapping[str, Any]) -> str:
    return f"Letter, {letter['title']}, {_when(letter['restated'])}: states other last days"
