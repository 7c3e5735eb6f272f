"""Which track fits: each with its sign, what decides, what is to be judged, and what to state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType

from caseflow.cli.pictures.words import bullets, cited, day, section, text

RESULTS = {"fits": ("✓ fits", "bold green"), "fits-if": ("◇ fits if judged so", "bold magenta"), "does-not-fit": ("✗ does not fit", "bold red")}


def screened(made: Mapping[str, Any]) -> Group:
    """The best-fitting track, then every track with its reasons."""
    titles = {track["workflow"]: track["title"] for track in made["tracks"]}
    words = "No track fits these facts." if made["closest"] is None else f"No track is shown to fit yet; {titles[made['closest']]} may, once more is stated."
    head = text(f"Best fits: {titles[made['best']]}." if made["best"] is not None else words, "bold")
    return Group(head, text(f"Judged as received on {day(made['received'])}.", "dim"), *(_track(track) for track in made["tracks"]))


def _track(track: Mapping[str, Any]) -> RenderableType:
    open_ = track["result"] == "does-not-fit" and not track["misses"] and not track["refused"]
    word, style = ("? not shown yet", "bold yellow") if open_ else RESULTS[track["result"]]
    head = text(word, style).append_text(text(f"  {track['words']}" if track["result"] != "fits-if" else "", ""))
    return section(track["title"], head, *_rest(track))


def _rest(track: Mapping[str, Any]) -> Iterator[RenderableType]:
    others = [text(miss["text"]) for miss in track["misses"] if miss["text"] != track["nearest_miss"]]
    if others:
        yield bullets(others)
    if track["judgments"]:
        yield text("To be judged by a person:")
        yield bullets(cited(f"{one['rule']}: {one['text']}", one["cite"]) for one in track["judgments"])
    if track["missing"] and track["misses"]:
        yield text("Not stated yet: " + "; ".join(one["title"] or one["fact"] for one in track["missing"]), "yellow")
    for one in track["requirements"]:
        yield cited(f"{one['rule']}: {one['then']}", one["cite"])
    for one in track["rulesets"]:
        for told in one["explanations"].values():
            yield cited(f"Note: {one['version']}: {told['text']}", told["cite"])
