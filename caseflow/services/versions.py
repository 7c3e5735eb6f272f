"""Versions of the rules: which the database keeps, and how two of them differ, in words. Moving cases is in migrating."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from caseflow.domain.difference import Group, Version, differences, grouped, titles_of
from caseflow.errors import BadInput, NotFound
from caseflow.services.office import Office
from caseflow.services.ports.store import KeptPack

SHORT, LEAST = 12, 4
"""How many digits of a content hash people are shown, and how many they must write at least."""


class Shelf(Protocol):
    """Where whole versions of packs are read."""

    def folder(self, name: str) -> Version | None:
        """The pack in a folder; None where there is no such folder. Raises BadInput or PackFaults."""

    def kept(self, version: str) -> Version:
        """A pack version by content hash. Raises NotFound."""


class Versions:
    """Answers about versions. `database`: whether there is one to be asked."""

    def __init__(self, office: Office, shelf: Shelf, database: Callable[[], bool]) -> None:
        self._office, self._shelf, self._database = office, shelf, database

    def all(self) -> list[dict[str, Any]]:
        """Every version that the database keeps or that is loaded: {version, pack, label, cases, open, kept, loaded}."""
        loaded = {pack.hash: pack for pack in self._office.packs.all()}
        kept = {one.version: one for one in self._kept()}
        rest = [KeptPack(version, pack.text.pack, pack.text.version) for version, pack in loaded.items() if version not in kept]
        made = [
            {"version": one.version, "pack": one.pack, "label": one.label, "cases": one.cases, "open": one.open}
            | {"kept": one.version in kept, "loaded": one.version in loaded}
            for one in (*kept.values(), *rest)
        ]
        return sorted(made, key=lambda one: (one["pack"], not one["loaded"], -one["open"], one["label"], one["version"]))

    def find(self, name: str) -> Version:
        """A version by its folder, by the first digits of its content hash, or by its label where only one has it. Raises BadInput or NotFound."""
        found = self._shelf.folder(name)
        if found is not None:
            return found
        known = self.all()
        hits = [one for one in known if len(name) >= LEAST and one["version"].startswith(name.lower())] or [one for one in known if one["label"] == name]
        if len(hits) == 1:
            return self._shelf.kept(hits[0]["version"])
        listed = ", ".join(f"{one['version'][:SHORT]} ({one['pack']} {one['label']})" for one in hits or known)
        if hits:
            raise BadInput(f"More than one version is called '{name}'; write more of its digits: {listed}.")
        raise NotFound(f"There is no folder and no version '{name[:80]}'; name the folder of a pack, or one of {listed}.")

    def kept(self, version: str) -> Version:
        """A version by its whole content hash. Raises NotFound."""
        return self._shelf.kept(version)

    def others(self, after: str) -> list[str]:
        """The other versions of the same pack that open cases run by. Raises BadInput or NotFound."""
        now = self.find(after).pack
        return [one["version"] for one in self.all() if one["pack"] == now.text.pack and one["open"] and one["version"] != now.hash]

    def compare(self, before: str, after: str) -> dict[str, Any]:
        """How two versions differ: {from, to, changes, groups [{workflows, titles, changes [{weight, what, name, how, member, text, cite,
        before, after}]}]}."""
        return self.difference(*self.pair(before, after))

    def pair(self, before: str, after: str) -> tuple[Version, Version]:
        """Two versions of one pack. Raises BadInput or NotFound."""
        was, now = self.find(before), self.find(after)
        if was.pack.text.pack != now.pack.text.pack:
            raise BadInput(f"{before} is a version of '{was.pack.text.pack}' and {after} of '{now.pack.text.pack}'; name two versions of one pack.")
        return was, now

    def difference(self, was: Version, now: Version) -> dict[str, Any]:
        """The same for two that have been found."""
        groups = grouped(differences(was, now), titles_of(was, now))
        return {"from": named(was), "to": named(now), "changes": sum(len(group.changes) for group in groups), "groups": [_group(one) for one in groups]}

    def _kept(self) -> Sequence[KeptPack]:
        return self._office.store.pack_versions() if self._database() else ()


def named(version: Version) -> dict[str, Any]:
    """A version as it is called: {pack, label, version, calendar}."""
    pack = version.pack
    return {"pack": pack.text.pack, "label": pack.text.version, "version": pack.hash, "calendar": pack.calendar.version}


def _group(group: Group) -> dict[str, Any]:
    return {
        "workflows": list(group.workflows),
        "titles": list(group.titles),
        "changes": [
            {
                "weight": one.weight,
                "what": one.what,
                "name": one.name,
                "how": one.how,
                "member": one.member,
                "text": one.text,
                "cite": one.cite,
                "before": one.before,
                "after": one.after,
            }
            for one in group.changes
        ],
    }
